/* SPDX-License-Identifier: Apache-2.0 */
/* table_internal.h - the structure of a table: its rows and its encoded columns.
 *
 * Where its rows are is the matter of its source (source.h).
 *
 * Invariant of an encoded column: codes are 0..n_values-1, every code occurs in some row, codes are
 * ordered (numbers ascending, equal doubles
 * by their digits, text by bytes), and the missing value, if any, is the last code.
 */
#ifndef SHOAL_TABLE_INTERNAL_H
#define SHOAL_TABLE_INTERNAL_H

#include "base/base.h"
#include "base/format.h"
#include "table/source.h"

#include <assert.h>
#include <shoal/table.h>

#define SHOAL_NO_CODE UINT32_MAX

typedef struct shoal_column {
    char *name;
    shoal_role role;
    bool is_joined;     /* a part of a joined column (join_columns.h): not published */
    uint32_t role_rank; /* number of the shoal_table_set_role() call: orders QIDs, decides ties */
    shoal_type type;    /* requested; after loading an encoded column: found (never AUTO) */
    shoal_type asked_type;     /* as requested, restored when loading fails */
    shoal_format asked_format; /* as requested; has_format: there is one */
    bool has_format;
    shoal_format format;      /* after loading: how its numbers or dates are written */
    shoal_format readings[2]; /* after loading: of texts that could be read in two ways, both */
    bool has_readings;
    const char *likely_key;           /* set for profiles: see shoal_likely_key; or NULL */
    const shoal_hierarchy *hierarchy; /* the table owns one reference; may be NULL */
    shoal_on_missing on_missing;
    char *order;           /* SHOAL_TYPE_ORDERED: "low < high"; NULL: ranges of numbers */
    char *sensitive_range; /* see shoal_table_set_sensitive_range(); NULL: each value by itself */
    char *level_weights;   /* see shoal_table_set_level_weights(); NULL: uniform */
    double unimportance;   /* 1 - priority, so that zero is the default */
    uint32_t level_limit;  /* largest level + 1; 0: none */

    bool is_encoded;
    uint8_t code_width; /* 1, 2 or 4 bytes */
    void *codes;        /* n_rows codes */
    uint32_t n_values;
    shoal_text *values; /* of each code; numbers: the shortest spelling, then least by bytes */
    double *numbers;    /* NUMERIC, DATE: value of each code (of the missing one: 0); else NULL */
    uint64_t *counts;   /* rows with each code */
    uint32_t null_code; /* or SHOAL_NO_CODE */
    shoal_text *pseudonyms; /* of each code: shoal_table_set_pseudonyms(); NULL: not set */
} shoal_column;

struct shoal_dictionary; /* dictionary.h */

struct shoal_table {
    shoal_column *columns;
    size_t n_columns;
    struct shoal_dictionary *names; /* column numbers by name; NULL in a window */
    uint64_t n_rows;                /* lines */
    uint32_t *weights;              /* rows of each line; NULL: one */
    uint64_t total;                 /* rows of all lines */
    bool is_loaded;
    uint32_t n_roles_given; /* calls of shoal_table_set_role so far */

    char **nulls; /* strings that mean missing */
    size_t n_nulls;
    shoal_missing missing;
    bool exempts_suppressed; /* see shoal_table_exempt_suppressed() */
    bool domain_is_data;     /* losses count only the leaves that occur in the data */

    char sheet_rows[240];  /* of profiles: the rows that are left out (sheet_rows.h); else empty */
    shoal_source *source;  /* where its rows are */
    uint64_t memory_limit; /* of the load, however it was done; 0: none */
    shoal_arena arena;     /* texts of encoded values that are not in the source */
};

/* Type, format and order as those of a loaded column: for text that repeats its values. */
SHOAL_NODISCARD shoal_status shoal_table_read_as(shoal_table *table, size_t column,
                                                 const shoal_column *like, shoal_error *err);

/* ---- the source ---- */

/* Are its lines records of a text? */
static inline bool shoal_table_has_text(const shoal_table *table)
{
    return table->source->kind->has_text;
}

/* Are its lines in Arrow batches? */
static inline bool shoal_table_has_batches(const shoal_table *table)
{
    return table->source->kind->has_batches;
}

/* Do its lines represent rows that are not in memory? */
static inline bool shoal_table_is_counted(const shoal_table *table)
{
    return table->source->kind->is_counted;
}

/* May a line represent several rows? */
static inline bool shoal_table_is_weighted(const shoal_table *table)
{
    return table->weights != NULL;
}

/* Its text. In loops over rows: taken once, before them. */
static inline const shoal_text_source *shoal_table_text(const shoal_table *table)
{
    assert(table->source->kind->has_text);
    return (const shoal_text_source *)table->source;
}

/* The same, to be changed: for those who open, load or rewrite it. */
static inline shoal_text_source *shoal_table_own_text(shoal_table *table)
{
    assert(table->source->kind->has_text);
    return (shoal_text_source *)table->source;
}

/* Is its text that of a mapped file, which others may change? */
static inline bool shoal_table_has_file(const shoal_table *table)
{
    return shoal_table_has_text(table) && shoal_table_text(table)->file != NULL;
}

/* The lines of a streamed table. */
static inline struct shoal_line_index *shoal_table_line_index(const shoal_table *table)
{
    assert(table->source->kind->is_streamed);
    return shoal_table_text(table)->index;
}

static inline struct shoal_arrow_batches *shoal_table_batches(const shoal_table *table)
{
    assert(table->source->kind->has_batches);
    return ((const shoal_arrow_source *)table->source)->batches;
}

/* Where the record of a row begins. */
static inline const char *shoal_table_record(const shoal_table *table, uint64_t row)
{
    const shoal_text_source *text = shoal_table_text(table);
    return text->data + text->row_offset[row];
}

static inline const char *shoal_table_text_end(const shoal_table *table)
{
    const shoal_text_source *text = shoal_table_text(table);
    return text->data + text->size;
}

/* Where it ends: with its line end, and blank lines behind it. */
static inline const char *shoal_table_record_end(const shoal_table *table, uint64_t row)
{
    return row + 1 < table->n_rows ? shoal_table_record(table, row + 1)
                                   : shoal_table_text_end(table);
}

/* Is there a line of names before its rows? */
static inline bool shoal_table_has_header(const shoal_table *table)
{
    return shoal_table_has_text(table) && shoal_table_text(table)->has_header;
}

/* Do its columns have names of their own, not only numbers? */
static inline bool shoal_table_has_names(const shoal_table *table)
{
    return !shoal_table_has_text(table) || shoal_table_text(table)->has_header;
}

/* The separator of text that is written beside the table or read for it. */
static inline char shoal_table_separator(const shoal_table *table)
{
    return shoal_table_has_text(table) ? shoal_table_text(table)->delimiter : ',';
}

/* The text of a cell; see `cell` of shoal_source_kind. */
SHOAL_NODISCARD static inline shoal_status shoal_table_cell(shoal_text *out,
                                                            const shoal_table *table, uint64_t row,
                                                            size_t column, shoal_arena *arena,
                                                            shoal_error *err)
{
    return table->source->kind->cell(out, table, row, column, arena, err);
}

/* ---- columns ---- */

static inline uint32_t shoal_column_code(const shoal_column *column, uint64_t row)
{
    switch (column->code_width) {
    case 1: return ((const uint8_t *)column->codes)[row];
    case 2: return ((const uint16_t *)column->codes)[row];
    default: return ((const uint32_t *)column->codes)[row];
    }
}

/* The format that was named for a column, else the one found; NULL: none, or a usual one. */
static inline const char *shoal_column_format_name(const shoal_column *column)
{
    const shoal_format *f = column->has_format ? &column->asked_format : &column->format;
    return f->kind == SHOAL_FORMAT_NUMBER || f->kind == SHOAL_FORMAT_DATE ? f->spec : NULL;
}

/* Number of rows of a line. */
static inline uint32_t shoal_table_weight(const shoal_table *table, uint64_t line)
{
    return table->weights == NULL ? 1 : table->weights[line];
}

/* The class column whose role was set first, or SIZE_MAX. */
static inline size_t shoal_table_class_column(const shoal_table *table)
{
    size_t found = SIZE_MAX;
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_CLASS &&
            (found == SIZE_MAX || table->columns[c].role_rank < table->columns[found].role_rank))
            found = c;
    return found;
}

/* Does loading encode columns of this role? */
static inline bool shoal_role_is_encoded(shoal_role role)
{
    return role == SHOAL_ROLE_QUASI || role == SHOAL_ROLE_SENSITIVE || role == SHOAL_ROLE_CLASS ||
           role == SHOAL_ROLE_ENTITY || role == SHOAL_ROLE_COUNT || role == SHOAL_ROLE_PSEUDONYM;
}

/* Does a column of this role identify the person of a row? */
static inline bool shoal_role_is_person(shoal_role role)
{
    return role == SHOAL_ROLE_ENTITY || role == SHOAL_ROLE_PSEUDONYM;
}

/* Are columns of this role part of a release? */
static inline bool shoal_role_is_published(shoal_role role)
{
    return role != SHOAL_ROLE_IDENTIFIER && role != SHOAL_ROLE_ENTITY && role != SHOAL_ROLE_DROP &&
           role != SHOAL_ROLE_COUNT;
}

/* ---- scanning CSV (csv_scan.c) ---- */

/* One field of a record in its raw form. */
typedef struct shoal_field {
    const char *begin, *end; /* quotes included */
    bool is_quoted;
    bool has_escape; /* a doubled quote inside */
} shoal_field;

typedef enum shoal_field_end {
    SHOAL_FIELD_MORE,     /* a separator follows */
    SHOAL_FIELD_LAST,     /* the record ends here (line end or end of text) */
    SHOAL_FIELD_UNCLOSED, /* the text ended inside quotes */
    SHOAL_FIELD_GARBAGE   /* text after a closing quote */
} shoal_field_end;

/* Scan the field at *at; *at moves to the next field or the next record. */
shoal_field_end shoal_scan_field(shoal_field *out, const char **at, const char *end,
                                 char delimiter);

/*
 * The value of a field: without quotes, doubled quotes replaced by single ones. Points into the
 * text, or into `arena` where something was replaced. data NULL: out of memory.
 */
shoal_text shoal_field_value(const shoal_field *field, shoal_arena *arena);

/* ---- encoding (encode.c) ---- */

/*
 * Codes of a piece of a column before merging: texts in order of appearance and a code for each
 * row. Values that no row has (count 0) and values that occur twice in the list are allowed.
 */
typedef struct shoal_raw_codes {
    shoal_text *values;
    uint64_t *counts; /* rows with each value */
    uint32_t n_values;
    uint8_t code_width; /* 1, 2 or 4 bytes; 0 means 4 */
    void *codes;        /* n_rows of them */
    uint64_t n_rows;
} shoal_raw_codes;

/*
 * The invariant of an encoded column, for SHOAL_INVARIANT() and tests (encode.c): n_lines codes,
 * which represent n_rows rows.
 */
bool shoal_column_is_sound(const shoal_column *column, uint64_t n_lines, uint64_t n_rows);

/*
 * Make column `column` of `table` from the raw codes of consecutive pieces: merges their
 * dictionaries, finds the type, sorts the values, narrows the codes. `pieces` stay with the caller.
 * SHOAL_EDATA (with row and column) when the column must be numeric or a date and a value is not.
 */
SHOAL_NODISCARD shoal_status shoal_encode_column(shoal_table *table, size_t column,
                                                 const shoal_raw_codes *pieces, size_t n_pieces,
                                                 uint32_t threads, shoal_error *err);

/* ---- counts (line_counts.c) ---- */

/*
 * After loading: take the weights of the lines from the column of SHOAL_ROLE_COUNT, if there is
 * one, and count values by them. SHOAL_EDATA when a count is not an integer >= 1, or the total is
 * too large.
 */
SHOAL_NODISCARD shoal_status shoal_take_line_counts(shoal_table *table, shoal_error *err);

/* Count the values of every encoded column again, lines by their weights. */
void shoal_count_values(shoal_table *table);

/*
 * Enter the name of a column, after those of all columns before it: returns the number of the first
 * column of this name, or SHOAL_NO_CODE when out of memory (table.c).
 */
uint32_t shoal_table_enter_name(shoal_table *table, size_t column);

/* Is the text one of those that mean a missing value (table.c)? */
bool shoal_table_is_null_text(const shoal_table *table, shoal_text text);

/* Copy the options of a load, older and shorter ones too; SHOAL_EINVAL when not set (table.c). */
SHOAL_NODISCARD shoal_status shoal_load_options_check(shoal_load_options *out,
                                                      const shoal_load_options *given,
                                                      shoal_error *err);

/* Free the rows and encodings: back to the state before loading (table.c). */
void shoal_table_clear_rows(shoal_table *table);

/*
 * Is the file that the table was opened on still what it was when loading began? SHOAL_EIO when
 * not. A table on memory or Arrow, or one that is not loaded, is not checked (table.c).
 */
SHOAL_NODISCARD shoal_status shoal_table_unchanged(const shoal_table *table, uint32_t threads,
                                                   shoal_error *err);

/* Read the rows of an Arrow table; called by shoal_table_load() (arrow_encode.c). */
SHOAL_NODISCARD shoal_status shoal_arrow_load(shoal_table *table, const shoal_load_options *options,
                                              shoal_error *err);
void shoal_arrow_batches_free(struct shoal_arrow_batches *batches);

#endif
