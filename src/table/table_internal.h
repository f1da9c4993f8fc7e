/* SPDX-License-Identifier: Apache-2.0 */
/* table_internal.h - the inside of a table: where its rows lie and what its encoded columns hold.
 *
 * A table stands on one of two things: CSV text (then each row is an offset into it) or Arrow batches.
 * Invariant of an encoded column: codes are 0..n_values-1, every code occurs in some row, codes are
 * ordered (numbers ascending, text by bytes), and the missing value, if any, is the last code.
 */
#ifndef SHOAL_TABLE_INTERNAL_H
#define SHOAL_TABLE_INTERNAL_H

#include "base/base.h"

#include <shoal/table.h>

#define SHOAL_NO_CODE UINT32_MAX

/* A piece of text that somebody else owns. */
typedef struct shoal_text {
    const char *data;
    size_t length;
} shoal_text;

typedef struct shoal_column {
    char *name;
    shoal_role role;
    uint32_t role_rank;   /* which call of shoal_table_set_role gave the role: the order of the QIDs decides ties */
    shoal_type type;      /* asked for; after loading an encoded column: what it is (never AUTO) */
    shoal_type asked_type; /* as asked for, to go back to when loading fails */
    const shoal_hierarchy *hierarchy; /* one reference is ours; may be NULL */
    shoal_on_missing on_missing;
    char *sensitive_range; /* which values reveal as much as each value; NULL: none but itself */

    bool is_encoded;
    uint8_t code_width;   /* 1, 2 or 4 bytes */
    void *codes;          /* n_rows codes */
    uint32_t n_values;
    shoal_text *values;   /* text of each code; numbers: the shortest spelling, then the least by bytes */
    double *numbers;      /* NUMERIC, DATE: value of each code (the missing one: 0); else NULL */
    uint64_t *counts;     /* rows with each code */
    uint32_t null_code;   /* or SHOAL_NO_CODE */
} shoal_column;

struct shoal_arrow_batches; /* arrow_import.c */
struct shoal_line_index;    /* line_index.h */

struct shoal_table {
    shoal_column *columns;
    size_t n_columns;
    uint64_t n_rows;        /* lines */
    uint32_t *weights;      /* rows that each line stands for; NULL: one */
    uint64_t total;         /* rows that all lines stand for */
    bool is_loaded;
    uint32_t n_roles_given; /* calls of shoal_table_set_role so far */

    char **nulls;         /* strings that mean missing */
    size_t n_nulls;
    shoal_missing missing;
    bool domain_is_data;  /* losses count only the leaves that occur */

    /* CSV backing */
    const char *data;     /* the whole text */
    size_t data_size;
    size_t body;          /* offset of the first record after the header */
    char delimiter;
    bool has_header;
    bool is_map;          /* pages of the text may be given back; encoded values are copied out of it */
    bool trailing_delimiter; /* rows may end in a separator and nothing */
    uint64_t *row_offset; /* n_rows starts, ascending; blank lines are no rows */
    shoal_release_fn release;
    void *release_payload;
    shoal_arena arena;    /* unescaped texts of quoted values */

    /* A window of a larger table (window.h) */
    size_t window_end;    /* records that start here or later are not read; 0: all are */
    size_t window_next;   /* the first record that was not read */
    uint64_t rows_before; /* for messages */

    /* A table whose rows were counted and are not here (csv_count.c) */
    struct shoal_line_index *index; /* NULL: they are */
    bool counts_rows;               /* to be loaded so, whatever its size */

    /* Arrow backing */
    struct shoal_arrow_batches *batches; /* NULL for CSV */
};

static inline uint32_t shoal_column_code(const shoal_column *column, uint64_t row)
{
    switch (column->code_width) {
    case 1: return ((const uint8_t *)column->codes)[row];
    case 2: return ((const uint16_t *)column->codes)[row];
    default: return ((const uint32_t *)column->codes)[row];
    }
}

/* Rows that a line stands for. */
static inline uint32_t shoal_table_weight(const shoal_table *table, uint64_t line)
{
    return table->weights == NULL ? 1 : table->weights[line];
}

/* The class column that was named first, or SIZE_MAX. */
static inline size_t shoal_table_class_column(const shoal_table *table)
{
    size_t found = SIZE_MAX;
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_CLASS &&
            (found == SIZE_MAX || table->columns[c].role_rank < table->columns[found].role_rank))
            found = c;
    return found;
}

/* Is the column one that loading encodes? */
static inline bool shoal_role_is_encoded(shoal_role role)
{
    return role == SHOAL_ROLE_QUASI || role == SHOAL_ROLE_SENSITIVE || role == SHOAL_ROLE_CLASS ||
           role == SHOAL_ROLE_ENTITY || role == SHOAL_ROLE_COUNT;
}

/* Is the column part of a release? */
static inline bool shoal_role_is_published(shoal_role role)
{
    return role != SHOAL_ROLE_IDENTIFIER && role != SHOAL_ROLE_ENTITY && role != SHOAL_ROLE_DROP && role != SHOAL_ROLE_COUNT;
}

/* ---- scanning CSV (csv_scan.c) ---- */

/* One field of a record as it stands: raw text with its quotes, and whether it is quoted. */
typedef struct shoal_field {
    const char *begin, *end; /* with the quotes, if any */
    bool is_quoted;
    bool has_escape;         /* a doubled quote inside */
} shoal_field;

typedef enum shoal_field_end {
    SHOAL_FIELD_MORE,     /* a separator follows */
    SHOAL_FIELD_LAST,     /* the record ends here (line end or end of text) */
    SHOAL_FIELD_UNCLOSED, /* the text ended inside quotes */
    SHOAL_FIELD_GARBAGE   /* text after a closing quote */
} shoal_field_end;

/* Scan the field at *at; leaves *at at the next field or the next record. */
shoal_field_end shoal_scan_field(shoal_field *out, const char **at, const char *end, char delimiter);

/* The value of a field: without quotes, doubled quotes halved (into `arena` where needed). data NULL: no memory. */
shoal_text shoal_field_value(const shoal_field *field, shoal_arena *arena);

/* ---- encoding (encode.c) ---- */

/*
 * What a chunk of rows (or an Arrow column) yields: distinct texts in order of appearance and a code for each row.
 * Values that no row has (count 0) and values that stand there twice do no harm.
 */
typedef struct shoal_raw_codes {
    shoal_text *values;
    uint64_t *counts;
    uint32_t n_values;
    uint8_t code_width; /* 1, 2 or 4 bytes; 0 means 4 */
    void *codes;        /* n_rows of them */
    uint64_t n_rows;
} shoal_raw_codes;

/*
 * The invariant of an encoded column, for SHOAL_INVARIANT() and tests (encode.c): n_lines codes,
 * which stand for n_rows rows.
 */
bool shoal_column_is_sound(const shoal_column *column, uint64_t n_lines, uint64_t n_rows);

/*
 * Make column `column` of `table` from raw codes in pieces that follow each other: merges their
 * dictionaries, finds the type, sorts the values, narrows the codes. Frees nothing of `pieces`.
 * SHOAL_EDATA when the column is to be numeric (or a date) and some value is not: names row and column.
 */
SHOAL_NODISCARD shoal_status shoal_encode_column(shoal_table *table, size_t column, const shoal_raw_codes *pieces,
                                                size_t n_pieces, uint32_t threads, shoal_error *err);

/* ---- counts (line_counts.c) ---- */

/*
 * After loading: take the weights of the lines from the column that counts rows, if some column has that role, and count values by them.
 * SHOAL_EDATA when a count is no whole number >= 1, or all together are too many.
 */
SHOAL_NODISCARD shoal_status shoal_take_line_counts(shoal_table *table, shoal_error *err);

/* Count the values of every encoded column anew, lines by their weights. */
void shoal_count_values(shoal_table *table);

/* Forget the rows and what columns were found to be: back to the state before loading (table.c). */
void shoal_table_clear_rows(shoal_table *table);

/* Read the rows of an Arrow table; called by shoal_table_load (arrow_import.c). */
SHOAL_NODISCARD shoal_status shoal_arrow_load(shoal_table *table, const shoal_load_options *options, shoal_error *err);
void shoal_arrow_batches_free(struct shoal_arrow_batches *batches);

#endif
