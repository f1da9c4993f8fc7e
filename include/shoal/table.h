/* SPDX-License-Identifier: Apache-2.0 */
/** @file table.h  A table of rows: its columns, their roles, and the codes of the columns that matter. */
#ifndef SHOAL_TABLE_H
#define SHOAL_TABLE_H

#include <shoal/hierarchy.h>
#include <shoal/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A table is opened (its header is known), told what its columns are, then loaded (its rows are read).
 * Only quasi-identifying, sensitive, class and entity columns are encoded at loading; the others pass
 * through byte for byte and are never parsed.
 */
typedef struct shoal_table shoal_table;

typedef enum shoal_role {
    SHOAL_ROLE_UNSET = 0,  /**< nobody has said; shoal_anonymize() refuses it */
    SHOAL_ROLE_QUASI,      /**< quasi-identifier: generalised */
    SHOAL_ROLE_SENSITIVE,  /**< published unchanged, protected by models */
    SHOAL_ROLE_CLASS,      /**< published unchanged, steers class-aware methods */
    SHOAL_ROLE_ENTITY,     /**< names the person behind a row; not published */
    SHOAL_ROLE_IDENTIFIER, /**< names a person directly; not published */
    SHOAL_ROLE_OTHER,      /**< published unchanged */
    SHOAL_ROLE_DROP,       /**< not published */
    SHOAL_ROLE_COUNT       /**< how many rows a line stands for; not published */
} shoal_role;

typedef enum shoal_type {
    SHOAL_TYPE_AUTO = 0,    /**< numbers if every value is one (and none has a leading zero), dates likewise */
    SHOAL_TYPE_NUMERIC,     /**< decimal numbers; published as intervals */
    SHOAL_TYPE_DATE,        /**< YYYY-MM-DD; published as intervals */
    SHOAL_TYPE_CATEGORICAL  /**< text; published as hierarchy nodes or sets */
} shoal_type;

/** How a missing QID value counts; part of every report. */
typedef enum shoal_missing {
    SHOAL_MISSING_OWN_CATEGORY = 0, /**< a value like any other: equal to itself only */
    SHOAL_MISSING_WILDCARD,         /**< matches every value, costs nothing, is published as it was */
    SHOAL_MISSING_CONSERVATIVE      /**< could be anything: its group publishes `*` in that column */
} shoal_missing;

/** What to do with a data value that its hierarchy does not hold. */
typedef enum shoal_on_missing {
    SHOAL_ON_MISSING_ERROR = 0,
    SHOAL_ON_MISSING_TOP,     /**< known only as `*` */
    SHOAL_ON_MISSING_OWN_LEAF /**< becomes a leaf directly below the root */
} shoal_on_missing;

/** Options of reading CSV. Zero is the default of every field. */
typedef struct shoal_csv_options {
    size_t size;     /**< set by SHOAL_CSV_OPTIONS_INIT */
    char delimiter;  /**< 0: detect among , ; tab | */
    bool no_header;  /**< columns are then named 1, 2, 3, ... */
    bool is_map;     /**< the memory is a read-only map of a file: pages that were read are given back to the system */
} shoal_csv_options;

#define SHOAL_CSV_OPTIONS_INIT { .size = sizeof(shoal_csv_options) }

/** Called once when the table no longer needs the memory it was given. */
typedef void (*shoal_release_fn)(void *payload);

/** Open a CSV file (plain text; for .gz, .zst and stdin see io.h). The file is mapped, not copied. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_open_csv(shoal_table **out, const char *path,
                                                           const shoal_csv_options *options, shoal_error *err);

/**
 * Open CSV text in memory. On success the table keeps `data` until it is freed, then calls `release`
 * (may be NULL). On failure `release` is not called.
 * @return SHOAL_EDATA for an empty file, NUL bytes, UTF-16, a column named twice, an unclosed quote
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_open_memory(shoal_table **out, const char *data, size_t size,
                                                              shoal_release_fn release, void *payload,
                                                              const shoal_csv_options *options, shoal_error *err);

SHOAL_API size_t shoal_table_n_columns(const shoal_table *table);
/** Borrowed; ends in NUL. */
SHOAL_API const char *shoal_table_column_name(const shoal_table *table, size_t column);
/** The column of that name, or SIZE_MAX. */
SHOAL_API size_t shoal_table_find_column(const shoal_table *table, const char *name);
SHOAL_API char shoal_table_delimiter(const shoal_table *table);

/**
 * Before loading. The order in which quasi-identifiers are named is their order: ties between them go to
 * the one named first. SHOAL_EINVAL when the column does not exist or the table is loaded.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_role(shoal_table *table, size_t column, shoal_role role,
                                                           shoal_error *err);
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_type(shoal_table *table, size_t column, shoal_type type,
                                                           shoal_error *err);
/**
 * Attach a hierarchy, before or after loading; the table keeps a reference of its own. A column that
 * gets one is categorical unless its type is numeric or date: set the type to categorical before loading.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_hierarchy(shoal_table *table, size_t column,
                                                                const shoal_hierarchy *hierarchy,
                                                                shoal_on_missing on_missing, shoal_error *err);
/**
 * Which values of a sensitive column tell an attacker as much as a given value does, before or after loading; NULL: only the value itself. It is
 * read when a range-diversity model or a measure needs it:
 *
 *     value              the value itself
 *     width:W            numbers (dates: days) at most W/2 away
 *     level:J            the values below the ancestor J steps above the value in the column's hierarchy
 *     map:E|E|...        an explicit map, values in no entry standing for themselves: of numbers 10..15 (all these stand for each other) or
 *                        0..4=0..9 (each of the first stands for all of the second), of categories labels of the hierarchy
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_sensitive_range(shoal_table *table, size_t column, const char *spec,
                                                                      shoal_error *err);
/** As set, or NULL. */
SHOAL_API const char *shoal_table_sensitive_range(const shoal_table *table, size_t column);
/** Strings that mean "missing"; copied. The default is the empty string alone. Before loading. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_nulls(shoal_table *table, const char *const *strings, size_t n,
                                                            shoal_missing mode, shoal_error *err);

/** What |D| counts in losses of columns with a hierarchy: its leaves (false, the default) or only those in the data. */
SHOAL_API void shoal_table_set_domain(shoal_table *table, bool data_only);

SHOAL_API shoal_role shoal_table_role(const shoal_table *table, size_t column);
/** The type asked for before loading; the type found afterwards (encoded columns only). */
SHOAL_API shoal_type shoal_table_type(const shoal_table *table, size_t column);
SHOAL_API const shoal_hierarchy *shoal_table_hierarchy(const shoal_table *table, size_t column);
SHOAL_API shoal_missing shoal_table_missing(const shoal_table *table);

/** Options of shoal_table_load(). Zero is the default of every field. */
typedef struct shoal_load_options {
    size_t size;
    uint32_t threads;           /**< 0 means one; the result does not depend on it */
    bool encode_all;            /**< also encode the columns that would pass through (profiling) */
    shoal_progress_fn progress; /**< may be NULL */
    void *progress_payload;
    /**
     * Bytes; 0: none. A CSV table whose rows would need more is counted instead: its lines are the distinct tuples of the encoded
     * columns, rows are read again when a release is written or verified.
     */
    uint64_t memory_limit;
} shoal_load_options;

#define SHOAL_LOAD_OPTIONS_INIT { .size = sizeof(shoal_load_options) }

/**
 * Read the rows: find them all, check that each has as many fields as the header, encode the columns
 * whose roles need it. Codes are ranks of the sorted distinct values (numbers by value, text by bytes,
 * missing last), so they do not depend on row order or threads. O(size) time; 8 bytes a row plus
 * 1, 2 or 4 bytes a cell encoded.
 * @return SHOAL_EDATA (ragged rows, bad quotes, not a number; with row and column), SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_load(shoal_table *table, const shoal_load_options *options,
                                                       shoal_error *err);

/** Lines of the table. Each is a row, unless a column with SHOAL_ROLE_COUNT says how many rows it stands for. */
SHOAL_API uint64_t shoal_table_n_rows(const shoal_table *table);
/** The rows that all lines together stand for: shoal_table_n_rows(), or the sum of the counts. */
SHOAL_API uint64_t shoal_table_total(const shoal_table *table);
/** Were the rows only counted, because of shoal_load_options.memory_limit? Then what needs single rows is refused. */
SHOAL_API bool shoal_table_is_streamed(const shoal_table *table);
/** Distinct values of an encoded column, the missing value included. */
SHOAL_API uint32_t shoal_table_n_values(const shoal_table *table, size_t column);
/** Text of a value of an encoded column; borrowed, not ended by NUL. */
SHOAL_API const char *shoal_table_value(const shoal_table *table, size_t column, uint32_t code, size_t *length);
/** Rows that have the value; lines by their counts. */
SHOAL_API uint64_t shoal_table_value_count(const shoal_table *table, size_t column, uint32_t code);
/** Code of the value in a row of an encoded column. */
SHOAL_API uint32_t shoal_table_code(const shoal_table *table, size_t column, uint64_t row);
/** Code that means missing, or UINT32_MAX when the column has none. */
SHOAL_API uint32_t shoal_table_null_code(const shoal_table *table, size_t column);
SHOAL_API void shoal_table_free(shoal_table *table);

#ifdef __cplusplus
}
#endif
#endif
