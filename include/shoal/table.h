/* SPDX-License-Identifier: Apache-2.0 */
/** @file table.h  A table of rows: its columns, their roles, and the codes of encoded columns. */
#ifndef SHOAL_TABLE_H
#define SHOAL_TABLE_H

#include <shoal/encoding.h>
#include <shoal/hierarchy.h>
#include <shoal/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A table is opened (its header is read), given the roles of its columns, then loaded (its rows are
 * read). Loading encodes only quasi-identifying, sensitive, class, entity and count columns; other
 * columns are copied byte for byte and never parsed.
 *
 * Columns, rows and codes are counted from 0.
 */
typedef struct shoal_table shoal_table;

/** What a column is for. */
typedef enum shoal_role {
    SHOAL_ROLE_UNSET = 0,  /**< no role; shoal_anonymize() refuses it */
    SHOAL_ROLE_QUASI,      /**< quasi-identifier: generalised */
    SHOAL_ROLE_SENSITIVE,  /**< published unchanged, protected by models */
    SHOAL_ROLE_CLASS,      /**< published unchanged, guides class-aware methods */
    SHOAL_ROLE_ENTITY,     /**< identifies the person of a row; not published */
    SHOAL_ROLE_IDENTIFIER, /**< names a person directly; not published */
    SHOAL_ROLE_OTHER,      /**< published unchanged */
    SHOAL_ROLE_DROP,       /**< not published */
    SHOAL_ROLE_COUNT,      /**< number of rows that a line represents; not published */
    SHOAL_ROLE_PSEUDONYM,  /**< identifies the person of a row; published as a keyed hash */
    /** plans and proposals only: a person has to decide; shoal_plan_prepare() refuses it */
    SHOAL_ROLE_UNDECIDED
} shoal_role;

/** How the values of a column are read. */
typedef enum shoal_type {
    /**
     * Numeric if all values are numbers in one format without leading zeros, date if all are dates
     * in one format, else categorical. A few distinct whole numbers that are clearly codes are
     * categorical.
     */
    SHOAL_TYPE_AUTO = 0,
    SHOAL_TYPE_NUMERIC,     /**< decimal numbers; published as intervals */
    SHOAL_TYPE_DATE,        /**< dates; published as intervals */
    SHOAL_TYPE_CATEGORICAL, /**< text; published as hierarchy nodes or sets of values */
    /** ordered labels, see shoal_table_set_order(); published as ranges of labels, `low..middle` */
    SHOAL_TYPE_ORDERED
} shoal_type;

/** The roles in a fixed order; SHOAL_ROLE_UNSET after the last. */
SHOAL_API shoal_role shoal_role_at(size_t index);
/** "quasi": the name used in plans and reports; "?" if unset. */
SHOAL_API const char *shoal_role_name(shoal_role role);
/** "qid": the long option and keyword that names such columns; NULL if there is none. */
SHOAL_API const char *shoal_role_option(shoal_role role);
/** The types in a fixed order; SHOAL_TYPE_AUTO after the last. */
SHOAL_API shoal_type shoal_type_at(size_t index);
/** "numeric", "categorical", "date", "ordered": the name used in plans, options and reports. */
SHOAL_API const char *shoal_type_name(shoal_type type);

/** How missing values of quasi-identifiers are treated; stated in every report. */
typedef enum shoal_missing {
    SHOAL_MISSING_OWN_CATEGORY = 0, /**< an ordinary value, equal only to itself */
    SHOAL_MISSING_WILDCARD,         /**< matches every value, costs nothing, published unchanged */
    SHOAL_MISSING_CONSERVATIVE      /**< may be any value: its group publishes `*` for the column */
} shoal_missing;

/** What to do with a data value that is not in the hierarchy of its column. */
typedef enum shoal_on_missing {
    SHOAL_ON_MISSING_ERROR = 0, /**< fail with SHOAL_EDATA */
    SHOAL_ON_MISSING_TOP,       /**< generalise it to `*` */
    SHOAL_ON_MISSING_OWN_LEAF   /**< add it as a leaf directly below the root */
} shoal_on_missing;

/** Options for reading CSV. Zero is the default of every field. */
typedef struct shoal_csv_options {
    size_t size;    /**< set by SHOAL_CSV_OPTIONS_INIT */
    char delimiter; /**< 0: detect among , ; tab | */
    bool no_header; /**< columns are named 1, 2, 3, ... */
    bool is_map;    /**< the memory is a read-only file mapping: pages may be dropped once read */
    /**
     * shoal_io_open_table(): decompressed or piped text larger than 1/32 of this goes to a file in
     * $TMPDIR; 0: never
     */
    uint64_t memory_limit;
    /**
     * shoal_io_open_table(): encoding of the file; unset: detect. For text opened in memory, which
     * is always UTF-8: the encoding of the file it came from.
     */
    shoal_encoding encoding;
    bool has_mark; /**< the file began with a UTF-16 byte order mark */
} shoal_csv_options;

#define SHOAL_CSV_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .size = sizeof(shoal_csv_options)                                                          \
    }

/** Called once, when the table no longer needs the memory passed to it. */
typedef void (*shoal_release_fn)(void *payload);

/**
 * Open a CSV file (plain text; for .gz, .zst and stdin see io.h). The file is mapped, not copied:
 * it must not change until the table is freed.
 *
 * @param out      receives the table; the caller frees it with shoal_table_free()
 * @param options  may be NULL; copied
 * @return SHOAL_EIO when the file cannot be read, else as shoal_table_open_memory()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_open_csv(shoal_table **out, const char *path,
                                                            const shoal_csv_options *options,
                                                            shoal_error *err);

/**
 * Open CSV text in memory. On success the table uses `data` until it is freed, then calls `release`
 * (may be NULL) with `payload`. On failure `release` is not called: the caller still owns `data`.
 *
 * @param out      receives the table; the caller frees it with shoal_table_free()
 * @param size     of `data`, in bytes
 * @param options  may be NULL; copied
 * @return SHOAL_EDATA for an empty file, NUL bytes, UTF-16, a column name that occurs twice, an
 *         unclosed quote; SHOAL_EINVAL for bad options; SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status
shoal_table_open_memory(shoal_table **out, const char *data, size_t size, shoal_release_fn release,
                        void *payload, const shoal_csv_options *options, shoal_error *err);

/** Number of columns. */
SHOAL_API size_t shoal_table_n_columns(const shoal_table *table);
/** Name of a column, NUL-terminated, owned by the table; NULL if there is no such column. */
SHOAL_API const char *shoal_table_column_name(const shoal_table *table, size_t column);
/** The column with that name, or SIZE_MAX. */
SHOAL_API size_t shoal_table_find_column(const shoal_table *table, const char *name);
/** Encoding of the file that the table was read from. */
SHOAL_API shoal_encoding shoal_table_encoding(const shoal_table *table);
/** True if that file began with a UTF-16 byte order mark. */
SHOAL_API bool shoal_table_has_mark(const shoal_table *table);
/** The field separator in use; 0 for an Arrow table. */
SHOAL_API char shoal_table_delimiter(const shoal_table *table);

/**
 * Set the role of a column; before loading. Quasi-identifiers are used in the order of these calls:
 * ties go to the one set first.
 *
 * @return SHOAL_EINVAL when the column does not exist, the role is unknown or the table is loaded
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_role(shoal_table *table, size_t column,
                                                            shoal_role role, shoal_error *err);
/** Set the type of a column; before loading. Fails as shoal_table_set_role() does. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_type(shoal_table *table, size_t column,
                                                            shoal_type type, shoal_error *err);
/**
 * Make a column ordered (type SHOAL_TYPE_ORDERED); before loading.
 * @param order  "low < middle < high": all labels; NULL: the values are non-overlapping numeric
 *     ranges such as `[0-10)`, `20 to 29`, `>200`
 * @return SHOAL_EINVAL (fewer than two labels, an empty label, a duplicate), SHOAL_ENOMEM; loading
 *     fails with SHOAL_EDATA if a value is not in the order
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_order(shoal_table *table, size_t column,
                                                             const char *order, shoal_error *err);
/**
 * Set the format of the numbers or dates of a column; before loading, and after setting the type,
 * if both are set. A number format is 1234 or 1234.5 as the column would write it: "1.234,5", "1234
 * cm", "$1,234.5". A date format names its fields: "DD.MM.YYYY", "MM/DD/YYYY hh:mm:ss",
 * "DD-Mon-YYYY"; a two-digit year gives the first year of its century window, "DD.MM.YY from 1930".
 * The release uses the same format. NULL: detect a common format, unless the type is set.
 *
 * @return SHOAL_EINVAL if it is not a format, or is one of another type; else as
 *     shoal_table_set_role()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_format(shoal_table *table, size_t column,
                                                              const char *format, shoal_error *err);
/**
 * The format that was set or, after loading, detected (encoded columns only); owned by the table.
 * NULL: plain numbers, YYYY-MM-DD, or not numeric.
 */
SHOAL_API const char *shoal_table_format(const shoal_table *table, size_t column);
/**
 * After loading a column without type and format: true if its values can be read in two ways, which
 * are then in `formats`; owned by the table. Loading refuses such a quasi-identifier, unless one of
 * the ways is plain numbers. Dates with two-digit years are always ambiguous.
 */
SHOAL_API bool shoal_table_readings(const shoal_table *table, size_t column,
                                    const char *formats[2]);
/**
 * Attach a hierarchy to a column, before or after loading. The table adds its own reference; the
 * caller keeps its reference. NULL detaches. A hierarchy set before loading makes a column of type
 * AUTO categorical; to attach one after loading, set SHOAL_TYPE_CATEGORICAL before loading.
 *
 * @return SHOAL_EINVAL when the column does not exist
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_hierarchy(shoal_table *table, size_t column,
                                                                 const shoal_hierarchy *hierarchy,
                                                                 shoal_on_missing on_missing,
                                                                 shoal_error *err);
/**
 * Set which values of a sensitive column reveal as much to an attacker as a given value does;
 * before or after loading. `spec` is copied; NULL: only the value itself. It is parsed when a
 * range-diversity model or a measure needs it:
 *
 *     value         the value itself
 *     width:W       numbers (dates: days) at most W/2 away
 *     level:J       the values below the ancestor J steps above the value in the column's hierarchy
 *     map:E|E|...   an explicit map; values in no entry stand for themselves. Entries of numbers:
 *                   10..15 (all of these stand for each other) or 0..4=0..9 (each of the first
 *                   stands for all of the second); of categories: labels of the hierarchy
 *
 * @return SHOAL_EINVAL when the column does not exist, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_sensitive_range(shoal_table *table,
                                                                       size_t column,
                                                                       const char *spec,
                                                                       shoal_error *err);
/** The spec that was set, owned by the table, or NULL. */
SHOAL_API const char *shoal_table_sensitive_range(const shoal_table *table, size_t column);
/**
 * Set the weight of each step up the hierarchy of a quasi-identifier, for weighted measures and for
 * methods that count levels; before or after loading. `spec` is copied; NULL: uniform. It is parsed
 * when a measure or a method needs it:
 *
 *     uniform           every step the same
 *     height[:BETA]     step j from the root counts 1 / j^BETA, BETA >= 1 (default: 1)
 *     koc-height[:G]    step j from the root counts 1 / (j+1)^G over the number of steps, G >= 0
 *     W1,W2,...         the weight of each step, from the value upwards; one for each level
 *
 * @return SHOAL_EINVAL when the column does not exist, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_level_weights(shoal_table *table,
                                                                     size_t column,
                                                                     const char *spec,
                                                                     shoal_error *err);
/** The spec that was set, owned by the table, or NULL. */
SHOAL_API const char *shoal_table_level_weights(const shoal_table *table, size_t column);
/**
 * Set the priority of a quasi-identifier, in [0,1] (default: 1), for weighted measures and for the
 * loss that distance-based methods minimise; before or after loading. For methods only ratios
 * matter: priorities are scaled so that the largest is 1.
 * @return SHOAL_EINVAL when the column does not exist or the number is out of range
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_priority(shoal_table *table, size_t column,
                                                                double priority, shoal_error *err);
/** The priority; 1 if not set or if there is no such column. */
SHOAL_API double shoal_table_priority(const shoal_table *table, size_t column);
/**
 * Set the highest level at which a quasi-identifier may be published: 0 the value itself, 1 the
 * parents of the values, and so on; UINT32_MAX: no limit. Numeric columns without a hierarchy have
 * the levels {value, interval, `*`}, categorical ones {value, set or `*`}. The limit does not apply
 * to suppressed rows.
 * @return SHOAL_EINVAL when the column does not exist
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_max_level(shoal_table *table, size_t column,
                                                                 uint32_t level, shoal_error *err);
/** The limit; UINT32_MAX if not set or if there is no such column. */
SHOAL_API uint32_t shoal_table_max_level(const shoal_table *table, size_t column);
/**
 * Set the strings that mean "missing" (copied) and how missing values are treated; before loading.
 * The default is the empty string and SHOAL_MISSING_OWN_CATEGORY.
 *
 * @return SHOAL_EINVAL when the table is loaded, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_nulls(shoal_table *table,
                                                             const char *const *strings, size_t n,
                                                             shoal_missing mode, shoal_error *err);

/**
 * Set the domain size |D| for the loss of columns with a hierarchy: all leaves of the hierarchy
 * (false, the default) or only those that occur in the data.
 */
SHOAL_API void shoal_table_set_domain(shoal_table *table, bool data_only);

/**
 * Set how rows with `*` in every quasi-identifier are treated, in this table and its releases.
 * false (default): they are an ordinary group, which must have k rows and satisfy every model,
 * because their sensitive values are still readable. true: they are suppressed records; they need
 * not satisfy k or the models, are counted separately, and are not a group in any measure. An
 * attacker then learns that a person missing from all groups is one of these few rows. If a table
 * has no other rows, they are a group anyway. Cannot be combined with SHOAL_MISSING_WILDCARD;
 * before loading.
 */
SHOAL_API void shoal_table_exempt_suppressed(shoal_table *table, bool exempt);
/** The setting of shoal_table_exempt_suppressed(). */
SHOAL_API bool shoal_table_exempts_suppressed(const shoal_table *table);

/** Role of a column; SHOAL_ROLE_UNSET if there is no such column. */
SHOAL_API shoal_role shoal_table_role(const shoal_table *table, size_t column);
/** The type that was set or, after loading, the type found (encoded columns only). */
SHOAL_API shoal_type shoal_table_type(const shoal_table *table, size_t column);
/** The hierarchy of a column, owned by the table, or NULL. */
SHOAL_API const shoal_hierarchy *shoal_table_hierarchy(const shoal_table *table, size_t column);
/** How missing values are treated. */
SHOAL_API shoal_missing shoal_table_missing(const shoal_table *table);

/** Options of shoal_table_load(). Zero is the default of every field. */
typedef struct shoal_load_options {
    size_t size;      /**< set by SHOAL_LOAD_OPTIONS_INIT */
    uint32_t threads; /**< 0 means one; the result does not depend on it */
    bool encode_all;  /**< also encode the columns that would be copied (for profiling) */
    const shoal_callbacks *callbacks;
    /**
     * Bytes; 0: no limit. If the rows of a CSV table need more, only distinct tuples of the encoded
     * columns are kept, with their counts, and the rows are read again when a release is written or
     * verified.
     */
    uint64_t memory_limit;
    /**
     * The feature that needs the rows themselves, such as "toc" or "--entity"; NULL: none. A table
     * that exceeds the limit is then refused before it is read.
     */
    const char *needs_rows;
} shoal_load_options;

#define SHOAL_LOAD_OPTIONS_INIT                                                                    \
    {                                                                                              \
        .size = sizeof(shoal_load_options)                                                         \
    }

/**
 * Read the rows: find them, check that each has as many fields as the header, encode the columns
 * whose roles need it. Codes are ranks of the sorted distinct values (numbers by value, text by
 * bytes, missing last), so they depend neither on the row order nor on threads. O(size) time; 8
 * bytes per row plus 1, 2 or 4 bytes per encoded cell. After a failure the table is unchanged.
 *
 * @param options  may be NULL
 * @return SHOAL_EDATA (ragged rows, bad quotes, not a number; with row and column), SHOAL_EINVAL
 *         (loaded already, bad options), SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_load(shoal_table *table,
                                                        const shoal_load_options *options,
                                                        shoal_error *err);

/** Number of lines. A line represents one row, or the number in its SHOAL_ROLE_COUNT column. */
SHOAL_API uint64_t shoal_table_n_rows(const shoal_table *table);
/** Number of rows represented by all lines: shoal_table_n_rows(), or the sum of the counts. */
SHOAL_API uint64_t shoal_table_total(const shoal_table *table);
/**
 * True if only distinct tuples with counts were kept, because of shoal_load_options.memory_limit.
 * Functions that need single rows then fail.
 */
SHOAL_API bool shoal_table_is_streamed(const shoal_table *table);
/** Number of distinct values of an encoded column, including the missing value; else 0. */
SHOAL_API uint32_t shoal_table_n_values(const shoal_table *table, size_t column);
/**
 * Text of a value of an encoded column, `*length` bytes; owned by the table, not NUL-terminated;
 * NULL if there is no such code.
 */
SHOAL_API const char *shoal_table_value(const shoal_table *table, size_t column, uint32_t code,
                                        size_t *length);
/** Number of rows with this value (a line counts as the rows it represents). */
SHOAL_API uint64_t shoal_table_value_count(const shoal_table *table, size_t column, uint32_t code);
/** Code of the value in a row of an encoded column; UINT32_MAX if not encoded. */
SHOAL_API uint32_t shoal_table_code(const shoal_table *table, size_t column, uint64_t row);
/** Code of the missing value, or UINT32_MAX if the column has none. */
SHOAL_API uint32_t shoal_table_null_code(const shoal_table *table, size_t column);
/**
 * Build a hierarchy over the distinct values of an encoded column, without the missing value; see
 * shoal_hierarchy_build() for `spec`, ownership and errors. Additional spec: `learn` or `learn:4`
 * puts values together whose rows are similar in the other encoded columns, merging two (four)
 * groups per step.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_build_column(shoal_hierarchy **out,
                                                                    const shoal_table *table,
                                                                    size_t column, const char *spec,
                                                                    shoal_error *err);
/** Characters of a pseudonym: 160 bits, 5 per character. */
#define SHOAL_PSEUDONYM_LENGTH 32
/**
 * Write the pseudonym of a value: SHOAL_PSEUDONYM_LENGTH letters and digits, not NUL-terminated.
 */
typedef void (*shoal_pseudonym_fn)(char *out, const char *value, size_t length, void *payload);
/**
 * Compute the pseudonym of every value of the columns with SHOAL_ROLE_PSEUDONYM; after loading,
 * before a release is made. A missing value stays missing. `make` is not kept.
 * @return SHOAL_EINVAL if the table is not loaded, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_pseudonyms(shoal_table *table,
                                                                  shoal_pseudonym_fn make,
                                                                  void *payload, shoal_error *err);
/**
 * Number of column names that look like data: numbers, dates, values of the same column in the
 * first rows, text that contains another separator. A missing header or a wrong separator turns
 * data into names, and messages must not show data. 0 without a header.
 */
SHOAL_API size_t shoal_table_count_odd_names(const shoal_table *table);
/** Free a table and release the memory it was opened on. NULL is allowed. */
SHOAL_API void shoal_table_free(shoal_table *table);

/** What the order and the identifiers of a table reveal about its rows; see shoal_outcome. */
typedef struct shoal_row_hints {
    uint64_t n_rows;      /**< rows examined, from the first on; 0: none */
    size_t sorted_column; /**< the rows are sorted by this column, at least nearly; SIZE_MAX:
                             unsorted */
    /** An identifier whose values repeat with equal quasi-identifiers; SIZE_MAX: none. */
    size_t repeated_column;
    uint64_t repeated_rows; /**< rows whose identifier and quasi-identifiers equal those of an
                               earlier row */
} shoal_row_hints;

/**
 * A column that is published unchanged and whose values nearly identify rows or name persons; see
 * shoal_outcome.
 */
typedef struct shoal_unique_column {
    size_t column;
    const char *kind; /**< "key", "time", "amount" or "text"; static */
    uint64_t n_rows;  /**< rows examined that have a value */
    uint64_t n_alone; /**< rows whose value occurs once */
    bool is_unique;   /**< at least one row in ten has such a value */
    /**
     * What the values look like ("e-mail", "url", "ip", "ssn", "phone", "name", "free text"), "by
     * its name" if only the column name suggests persons, "key" if the column is named as a key and
     * has one value per person; NULL: nothing found. Static.
     */
    const char *identifies;
} shoal_unique_column;

/** A column that looks like the key of persons with several rows each; see shoal_outcome. */
typedef struct shoal_likely_key {
    size_t column;
    /** "column name", "form of its values" or "determines other columns"; static. */
    const char *because;
    bool is_counted;         /**< the groups of the release were counted */
    uint64_t n_groups;       /**< groups of the release */
    uint64_t n_groups_below; /**< groups with fewer than k values of the column */
    uint64_t fewest;         /**< fewest values of the column in a group */
} shoal_likely_key;

#ifdef __cplusplus
}
#endif
#endif
