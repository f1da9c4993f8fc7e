/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h - interfaces between the files of the CSV reader.
 *
 * The text after the header is cut into blocks of a fixed number of bytes. A block owns the records
 * that start in it; its last record may end in a later block.
 */
#ifndef SHOAL_CSV_H
#define SHOAL_CSV_H

#include "table/dictionary.h"

#define SHOAL_CSV_BLOCK ((size_t)4 << 20)

/* Line number (from 1) of the byte at `offset`. O(offset): for messages only. */
uint64_t shoal_csv_line(const shoal_table *table, size_t offset);

/* ---- csv_dialect.c ---- */

/* Find separator and header of the table's text and create the columns. */
SHOAL_NODISCARD shoal_status shoal_csv_read_header(shoal_table *table,
                                                   const shoal_csv_options *options,
                                                   shoal_error *err);

/* Separators that are tried, and the first records that they are tried on. */
/* clang-format off */
#define SHOAL_CSV_CANDIDATES { ',', ';', '\t', '|' }
/* clang-format on */
enum { SHOAL_CSV_SAMPLE_BYTES = 1 << 16, SHOAL_CSV_SAMPLE_RECORDS = 200 };

/* ---- csv_scan.c ---- */

/*
 * Write the value of a quoted field with doubled quotes to `out`, which has room for the raw
 * length; returns the length of the value.
 */
size_t shoal_csv_unescape(char *out, const shoal_field *field);

/* Is there the end of a line at p < end? */
bool shoal_csv_is_line_end(const char *p, const char *end);
/* The first byte from `at` on that is no line end: blank lines are no records. */
const char *shoal_csv_skip_blank_lines(const char *at, const char *end);

/* Report how much has been read. SHOAL_ECANCELLED if the caller stops. */
SHOAL_NODISCARD shoal_status shoal_csv_report(const shoal_load_options *options, double fraction,
                                              shoal_error *err);

/* ---- csv_block.c ---- */

/* What all blocks of one load share; read-only while they are parsed. */
typedef struct shoal_csv_job {
    const char *data;
    char delimiter;
    size_t n_columns;
    uint32_t *slot_of_column; /* index among the encoded columns, or SHOAL_NO_CODE */
    size_t *column_of_slot;
    uint32_t n_encoded;
    bool copies_texts; /* values are copied to the block's arena, not referenced in the text */
} shoal_csv_job;

typedef enum shoal_csv_problem {
    SHOAL_CSV_FINE,
    SHOAL_CSV_NO_MEMORY,
    SHOAL_CSV_RAGGED,
    SHOAL_CSV_UNCLOSED,
    SHOAL_CSV_GARBAGE
} shoal_csv_problem;

#define SHOAL_CSV_NO_START SIZE_MAX

typedef struct shoal_csv_block {
    size_t begin, end; /* its bytes of the text */
    size_t text_end;   /* of the text, or of the text so far, while it grows */
    bool text_grows;   /* it was, when the block was cut */
    uint64_t n_quotes;
    size_t nul_at;  /* offset of the first NUL byte, or SIZE_MAX */
    size_t start;   /* its first record, guessed or known; SHOAL_CSV_NO_START: no guess */
    bool is_parsed; /* the fields below are the result of parsing from `start` */
    bool is_plain;  /* the parse met neither a quote nor a NUL byte */
    size_t next;    /* offset of the record after its last one */
    uint64_t n_rows;
    uint32_t *row_at;          /* n_rows record starts, relative to `begin` */
    shoal_raw_codes *raw;      /* one per encoded column */
    shoal_arena arena;         /* unescaped and copied texts */
    shoal_csv_problem problem; /* what stopped the parse */
    size_t problem_at;         /* offset of the problem */
    size_t n_fields;           /* RAGGED: fields of the record; else the bad field, from 0 */
} shoal_csv_block;

/*
 * Working memory of one thread, reused for all its blocks: up to 1 MB (more for tables with very
 * many columns) and room for the codes of a block.
 */
typedef struct shoal_csv_reader shoal_csv_reader;

/* NULL when out of memory. `job` is borrowed. */
shoal_csv_reader *shoal_csv_reader_new(const shoal_csv_job *job);
void shoal_csv_reader_free(shoal_csv_reader *reader);

/* Parse the records from block->start on; problems are recorded in the block. */
void shoal_csv_parse_block(shoal_csv_reader *reader, shoal_csv_block *block);
/* Free the result of a parse. */
void shoal_csv_block_clear(shoal_csv_block *block, const shoal_csv_job *job);

/* ---- csv_read.c ---- */

/* shoal_table_load() for CSV. The result does not depend on `block_size` (bytes, 1 .. 4 GiB). */
SHOAL_NODISCARD shoal_status shoal_csv_load(shoal_table *table, const shoal_load_options *options,
                                            size_t block_size, shoal_error *err);

/* ---- csv_count.c ---- */

/*
 * Would all rows in memory need more than options->memory_limit? An estimate from the size of the
 * text and its first lines.
 */
bool shoal_csv_is_large(const shoal_table *table, const shoal_load_options *options);
/* If options->needs_rows is set: report the memory that rows take, and refuse a table that is too
 * large. SHOAL_EINVAL. */
SHOAL_NODISCARD shoal_status shoal_csv_check_need(const shoal_table *table,
                                                  const shoal_load_options *options,
                                                  shoal_error *err);

/*
 * shoal_table_load() for such a table: its distinct tuples become lines with counts; the rows are
 * never all in memory. SHOAL_ENOMEM when even the tuples would need more than the limit.
 */
SHOAL_NODISCARD shoal_status shoal_csv_count(shoal_table *table, const shoal_load_options *options,
                                             size_t window_bytes, shoal_error *err);

/* ---- value_sort.c ---- */

/* An item to sort: by key, then by its text. */
typedef struct shoal_sort_item {
    uint64_t key;
    uint32_t index; /* in `texts` */
} shoal_sort_item;

/* Keys in the order of texts (by their first 8 bytes) and of finite numbers. */
uint64_t shoal_text_sort_key(shoal_text text);
uint64_t shoal_number_sort_key(double number);

/*
 * Sort by key, then by text: memcmp then length, or, when `shortest_first`, length then memcmp.
 * O(n log n) comparisons, 16 bytes per item of extra memory. False when out of memory.
 */
bool shoal_sort_values(shoal_sort_item *items, size_t n, const shoal_text *texts,
                       bool shortest_first, uint32_t threads);

#endif
