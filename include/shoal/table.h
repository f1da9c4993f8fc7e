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
 * read). Loading encodes only quasi-identifying, sensitive, class, entity and count columns; the
 * others pass through byte for byte and are never parsed.
 *
 * Columns, rows and codes are counted from 0.
 */
typedef struct shoal_table shoal_table;

/** What a column is for. */
typedef enum shoal_role {
    SHOAL_ROLE_UNSET = 0,  /**< not given; shoal_anonymize() refuses it */
    SHOAL_ROLE_QUASI,      /**< quasi-identifier: generalised */
    SHOAL_ROLE_SENSITIVE,  /**< published unchanged, protected by models */
    SHOAL_ROLE_CLASS,      /**< published unchanged, guides class-aware methods */
    SHOAL_ROLE_ENTITY,     /**< identifies the person of a row; not published */
    SHOAL_ROLE_IDENTIFIER, /**< names a person directly; not published */
    SHOAL_ROLE_OTHER,      /**< published unchanged */
    SHOAL_ROLE_DROP,       /**< not published */
    SHOAL_ROLE_COUNT,      /**< number of rows that a line stands for; not published */
    SHOAL_ROLE_PSEUDONYM,  /**< identifies the person of a row; published as a keyed hash */
    /** of plans and proposals alone: somebody has to decide; shoal_plan_prepare() refuses it */
    SHOAL_ROLE_UNDECIDED
} shoal_role;

/** How the values of a column are read. */
typedef enum shoal_type {
    /**
     * Numeric if all values are numbers of one format without leading zeros, date if all are
     * dates of one format, else text. Few whole numbers that are plainly codes are text.
     */
    SHOAL_TYPE_AUTO = 0,
    SHOAL_TYPE_NUMERIC,     /**< decimal numbers; published as intervals */
    SHOAL_TYPE_DATE,        /**< dates; published as intervals */
    SHOAL_TYPE_CATEGORICAL, /**< text; published as hierarchy nodes or sets */
    /**
     * text in an order, see shoal_table_set_order(); published as ranges of labels, `low..middle`
     */
    SHOAL_TYPE_ORDERED
} shoal_type;

/** The roles in a fixed order; SHOAL_ROLE_UNSET behind the last. */
SHOAL_API shoal_role shoal_role_at(size_t index);
/** "quasi": the word of plans and reports; "?" where none is set. */
SHOAL_API const char *shoal_role_name(shoal_role role);
/** "qid": the long option and keyword that names such columns; NULL where there is none. */
SHOAL_API const char *shoal_role_option(shoal_role role);
/** The types in a fixed order; SHOAL_TYPE_AUTO behind the last. */
SHOAL_API shoal_type shoal_type_at(size_t index);
/** "numeric", "categorical", "date", "ordered": the word of plans, options and reports. */
SHOAL_API const char *shoal_type_name(shoal_type type);

/** How a missing value of a quasi-identifier counts; part of every report. */
typedef enum shoal_missing {
    SHOAL_MISSING_OWN_CATEGORY = 0, /**< a value like any other: equal to itself only */
    SHOAL_MISSING_WILDCARD,         /**< matches every value, costs nothing, published unchanged */
    SHOAL_MISSING_CONSERVATIVE      /**< could be anything: its group publishes `*` there */
} shoal_missing;

/** What to do with a data value that is not in the hierarchy of its column. */
typedef enum shoal_on_missing {
    SHOAL_ON_MISSING_ERROR = 0, /**< fail with SHOAL_EDATA */
    SHOAL_ON_MISSING_TOP,       /**< generalise it to `*` at once */
    SHOAL_ON_MISSING_OWN_LEAF   /**< add it as a leaf directly below the root */
} shoal_on_missing;

/** Options of reading CSV. Zero is the default of every field. */
typedef struct shoal_csv_options {
    size_t size;    /**< set by SHOAL_CSV_OPTIONS_INIT */
    char delimiter; /**< 0: detect among , ; tab | */
    bool no_header; /**< columns are then named 1, 2, 3, ... */
    bool is_map;    /**< the memory is a read-only file mapping: pages may be dropped once read */
    /**
     * shoal_io_open_table(): unpacked or piped text beyond a 32nd of it goes to a file in $TMPDIR;
     * 0: no
     */
    uint64_t memory_limit;
    /**
     * shoal_io_open_table(): of the file; unset: detected. Text that is opened in memory is UTF-8;
     * there it says what the file was.
     */
    shoal_encoding encoding;
    bool has_mark; /**< the file began with the byte order mark of UTF-16 */
} shoal_csv_options;

#define SHOAL_CSV_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .size = sizeof(shoal_csv_options)                                                          \
    }

/** Called once when the table no longer needs the memory that it was given. */
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
/** Name of a column, NUL-terminated, owned by the table; NULL when there is no such column. */
SHOAL_API const char *shoal_table_column_name(const shoal_table *table, size_t column);
/** The column of that name, or SIZE_MAX. */
SHOAL_API size_t shoal_table_find_column(const shoal_table *table, const char *name);
/** Encoding of the file that the table came from. */
SHOAL_API shoal_encoding shoal_table_encoding(const shoal_table *table);
/** Did that file begin with the byte order mark of UTF-16? */
SHOAL_API bool shoal_table_has_mark(const shoal_table *table);
/** The field separator in use; 0 for an Arrow table. */
SHOAL_API char shoal_table_delimiter(const shoal_table *table);

/**
 * Set the role of a column; before loading. Quasi-identifiers are used in the order of these calls:
 * ties between them go to the one that was set first.
 *
 * @return SHOAL_EINVAL when the column does not exist, the role is unknown or the table is loaded
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_role(shoal_table *table, size_t column,
                                                            shoal_role role, shoal_error *err);
/** Set the type of a column; before loading. Fails as shoal_table_set_role() does. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_type(shoal_table *table, size_t column,
                                                            shoal_type type, shoal_error *err);
/**
 * Say that a column is ordered, and set its type to SHOAL_TYPE_ORDERED; before loading.
 * @param order  "low < middle < high": all labels; NULL: its values are ranges of numbers that do
 *               not overlap, such as `[0-10)`, `20 to 29`, `>200`
 * @return SHOAL_EINVAL (fewer than two labels, an empty one, one twice), SHOAL_ENOMEM; loading
 *         fails with SHOAL_EDATA when a value has no place in the order
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_order(shoal_table *table, size_t column,
                                                             const char *order, shoal_error *err);
/**
 * Set how the numbers or dates of a column are written; before loading, after the type if that is
 * set, too. A number is named by 1234 or 1234.5 as the column would write it: "1.234,5", "1234 cm",
 * "$1,234.5". A date by its parts: "DD.MM.YYYY", "MM/DD/YYYY hh:mm:ss", "DD-Mon-YYYY"; two digits
 * of a year with the first of their hundred years, "DD.MM.YY from 1930".
 * The release has the same format. NULL: found among the usual ones, if the type is not set.
 *
 * @return SHOAL_EINVAL when it is no format, or one of another type; else as shoal_table_set_role()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_format(shoal_table *table, size_t column,
                                                              const char *format, shoal_error *err);
/**
 * The format that was set, after loading the one found (encoded columns only); owned by the table.
 * NULL: plain numbers, YYYY-MM-DD, or no numbers.
 */
SHOAL_API const char *shoal_table_format(const shoal_table *table, size_t column);
/**
 * After loading a column without type and format: could its values be read in two ways? Then
 * `formats` are both; owned by the table. Loading refuses such a quasi-identifier, unless one way
 * is plain numbers. Dates with two digits of a year have two ways always.
 */
SHOAL_API bool shoal_table_readings(const shoal_table *table, size_t column,
                                    const char *formats[2]);
/**
 * Attach a hierarchy to a column, before or after loading. The table takes a reference of its own;
 * the caller keeps its own. NULL detaches. A hierarchy set before loading makes a column of type
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
/** The spec as it was set, owned by the table, or NULL. */
SHOAL_API const char *shoal_table_sensitive_range(const shoal_table *table, size_t column);
/**
 * Set what a step up the hierarchy of a quasi-identifier counts in weighted measures and in methods
 * that count levels; before or after loading. `spec` is copied; NULL: uniform. It is parsed when a
 * measure or a method needs it:
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
/** The spec as it was set, owned by the table, or NULL. */
SHOAL_API const char *shoal_table_level_weights(const shoal_table *table, size_t column);
/**
 * Set how much a quasi-identifier counts, 0..1, in weighted measures and in what distance-based
 * methods minimise; before or after loading. 1 if not set. Only proportions matter to methods: the
 * greatest of them counts 1.
 * @return SHOAL_EINVAL when the column does not exist or the number is out of range
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_priority(shoal_table *table, size_t column,
                                                                double priority, shoal_error *err);
/** 1 when it was not set, or there is no such column. */
SHOAL_API double shoal_table_priority(const shoal_table *table, size_t column);
/**
 * Set the largest level on which a quasi-identifier may be published: 0 as it is, 1 the parents of
 * its values, and so on; UINT32_MAX: no limit. Numbers without hierarchy have the levels {value,
 * interval, `*`}, categories without {value, set or `*`}. Rows that are suppressed are withheld,
 * not generalised: the limit does not speak of them.
 * @return SHOAL_EINVAL when the column does not exist
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_max_level(shoal_table *table, size_t column,
                                                                 uint32_t level, shoal_error *err);
/** UINT32_MAX when it was not set, or there is no such column. */
SHOAL_API uint32_t shoal_table_max_level(const shoal_table *table, size_t column);
/**
 * Set the strings that mean "missing" (copied) and how missing values count; before loading. The
 * default is the empty string alone, as SHOAL_MISSING_OWN_CATEGORY.
 *
 * @return SHOAL_EINVAL when the table is loaded, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_nulls(shoal_table *table,
                                                             const char *const *strings, size_t n,
                                                             shoal_missing mode, shoal_error *err);

/**
 * Set what |D|, the size of the domain, counts in losses of columns with a hierarchy: all leaves of
 * the hierarchy (false, the default) or only those that occur in the data.
 */
SHOAL_API void shoal_table_set_domain(shoal_table *table, bool data_only);

/**
 * Set how rows with `*` in every quasi-identifier are read, here and in releases of this table. A
 * group like any other (false, the default): they must number k and satisfy every model, because
 * their sensitive values can still be read. Withheld records (true): they need neither, are counted
 * apart, and are no group in any measure; of such a row an attacker learns that its person is one
 * of these few. Where a table has no other rows they are a group all the same. Cannot be combined
 * with SHOAL_MISSING_WILDCARD; before loading.
 */
SHOAL_API void shoal_table_exempt_suppressed(shoal_table *table, bool exempt);
/** What shoal_table_exempt_suppressed() has set. */
SHOAL_API bool shoal_table_exempts_suppressed(const shoal_table *table);

/** Role of a column; SHOAL_ROLE_UNSET when there is no such column. */
SHOAL_API shoal_role shoal_table_role(const shoal_table *table, size_t column);
/** The type that was set before loading; afterwards the type found (encoded columns only). */
SHOAL_API shoal_type shoal_table_type(const shoal_table *table, size_t column);
/** The hierarchy of a column, owned by the table, or NULL. */
SHOAL_API const shoal_hierarchy *shoal_table_hierarchy(const shoal_table *table, size_t column);
/** How missing values count. */
SHOAL_API shoal_missing shoal_table_missing(const shoal_table *table);

/** Options of shoal_table_load(). Zero is the default of every field. */
typedef struct shoal_load_options {
    size_t size;      /**< set by SHOAL_LOAD_OPTIONS_INIT */
    uint32_t threads; /**< 0 means one; the result does not depend on it */
    bool encode_all;  /**< also encode the columns that would pass through (profiling) */
    const shoal_callbacks *callbacks;
    /**
     * Bytes; 0: no limit. A CSV table whose rows would need more is counted instead: its lines are
     * then the distinct tuples of the encoded columns, and the rows are read again when a release
     * is written or verified.
     */
    uint64_t memory_limit;
    /**
     * Who needs the rows themselves, such as "toc" or "--entity"; NULL: nobody. A table that would
     * be counted is then refused before it is read.
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
 * bytes per row plus 1, 2 or 4 bytes per encoded cell. After a failure the table is as before the
 * call.
 *
 * @param options  may be NULL
 * @return SHOAL_EDATA (ragged rows, bad quotes, not a number; with row and column), SHOAL_EINVAL
 *         (loaded already, bad options), SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_load(shoal_table *table,
                                                        const shoal_load_options *options,
                                                        shoal_error *err);

/** Number of lines. A line is one row, or as many as its column with SHOAL_ROLE_COUNT gives. */
SHOAL_API uint64_t shoal_table_n_rows(const shoal_table *table);
/** Rows that all lines stand for: shoal_table_n_rows(), or the sum of the counts. */
SHOAL_API uint64_t shoal_table_total(const shoal_table *table);
/**
 * Were the rows only counted, because of shoal_load_options.memory_limit? Functions that need
 * single rows then fail.
 */
SHOAL_API bool shoal_table_is_streamed(const shoal_table *table);
/** Number of distinct values of an encoded column, the missing value included; else 0. */
SHOAL_API uint32_t shoal_table_n_values(const shoal_table *table, size_t column);
/**
 * Text of a value of an encoded column, `*length` bytes; owned by the table, not NUL-terminated;
 * NULL when there is no such code.
 */
SHOAL_API const char *shoal_table_value(const shoal_table *table, size_t column, uint32_t code,
                                        size_t *length);
/** Number of rows that have the value (a line counts as many rows as it stands for). */
SHOAL_API uint64_t shoal_table_value_count(const shoal_table *table, size_t column, uint32_t code);
/** Code of the value in a row of an encoded column; UINT32_MAX when there is none. */
SHOAL_API uint32_t shoal_table_code(const shoal_table *table, size_t column, uint64_t row);
/** Code that means missing, or UINT32_MAX when the column has none. */
SHOAL_API uint32_t shoal_table_null_code(const shoal_table *table, size_t column);
/**
 * Build a hierarchy over the distinct values of an encoded column, the missing value left out; see
 * shoal_hierarchy_build() for `spec`, ownership and errors. Besides, `learn` or `learn:4`: values
 * whose rows are alike in the other encoded columns stand together, two (four) groups at a time.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_build_column(shoal_hierarchy **out,
                                                                    const shoal_table *table,
                                                                    size_t column, const char *spec,
                                                                    shoal_error *err);
/** Characters of a pseudonym: 160 bits, 5 of them each. */
#define SHOAL_PSEUDONYM_LENGTH 32
/** Write the pseudonym of a value: SHOAL_PSEUDONYM_LENGTH letters and digits, no NUL. */
typedef void (*shoal_pseudonym_fn)(char *out, const char *value, size_t length, void *payload);
/**
 * Find the pseudonyms of every value of the columns with SHOAL_ROLE_PSEUDONYM; after loading, and
 * before a release is made. A missing value stays as it is. `make` is not kept.
 * @return SHOAL_EINVAL when the table is not loaded, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_set_pseudonyms(shoal_table *table,
                                                                  shoal_pseudonym_fn make,
                                                                  void *payload, shoal_error *err);
/**
 * How many names of columns look like data: numbers, dates, values of their own column in the first
 * rows, texts with another separator. A missing header or a wrong separator make names of data,
 * which no message may show. 0 without a header.
 */
SHOAL_API size_t shoal_table_count_odd_names(const shoal_table *table);
/** Free a table and release the memory it was opened on. NULL is allowed. */
SHOAL_API void shoal_table_free(shoal_table *table);

/** What the order and the identifiers of a table tell of its rows; see shoal_outcome. */
typedef struct shoal_row_hints {
    uint64_t n_rows;      /**< that were looked at: the first ones; 0: none were */
    size_t sorted_column; /**< the rows are sorted by it, or nearly; SIZE_MAX: by none */
    /** An identifier whose values repeat with equal quasi-identifiers; SIZE_MAX: none. */
    size_t repeated_column;
    uint64_t repeated_rows; /**< rows that an earlier row has both of */
} shoal_row_hints;

/** A column that is published as it is, and whose values nearly single rows out or name persons;
 * see shoal_outcome. */
typedef struct shoal_unique_column {
    size_t column;
    const char *kind; /**< "key", "time", "amount" or "text"; static */
    uint64_t n_rows;  /**< that were looked at and have a value */
    uint64_t n_alone; /**< of them with a value that no other has */
    bool is_unique;   /**< these are one in ten or more */
    /**
     * What its values are ("e-mail", "url", "ip", "ssn", "phone", "name", "free text"), "by its
     * name" where only the column's name says that it names persons, or "key" where it is called a
     * key and has as many values as persons would; NULL: nothing does. Static.
     */
    const char *identifies;
} shoal_unique_column;

#ifdef __cplusplus
}
#endif
#endif
