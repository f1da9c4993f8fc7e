/* SPDX-License-Identifier: Apache-2.0 */
/* record_units.h - the rows of a published table as weighted units, for risks and sets of columns.
 *
 * A unit is a distinct quasi-identifier tuple or, if the table has entity columns, a distinct
 * (tuple, person) pair. Rows with the same tuple are one unit, so counting over many sets of
 * columns costs O(units), not O(rows).
 */
#ifndef SHOAL_RECORD_UNITS_H
#define SHOAL_RECORD_UNITS_H

#include "published/published_tuples.h"

typedef struct shoal_record_units {
    uint32_t n_columns;    /* quasi-identifiers, in the order in which they were named */
    size_t *column;        /* of the table */
    shoal_column *columns; /* codes of the units */
    uint32_t *star, *wild; /* as in shoal_tuple_source */
    bool has_wild;         /* some unit has a code that matches everything */
    uint64_t n_units;
    uint64_t *weights; /* rows of each unit */
    uint32_t *person;  /* of each unit; NULL: rows are counted */
    uint64_t n_persons;
    uint64_t n_rows;          /* of all units */
    uint64_t suppressed_rows; /* rows of only `*`, whether they are among the units or left out */
} shoal_record_units;

/*
 * The units of a loaded table; end with shoal_record_units_clear(). `leave_out` drops rows of only
 * `*`. SHOAL_EINVAL without quasi-identifiers, or with entity columns if missing values match
 * everything. O(rows * columns).
 */
SHOAL_NODISCARD shoal_status shoal_record_units_make(shoal_record_units *out,
                                                     const shoal_table *table, bool leave_out,
                                                     uint32_t threads, shoal_error *err);
void shoal_record_units_clear(shoal_record_units *records);

/* Classes of units that agree in some columns. */
typedef struct shoal_record_classes {
    uint32_t n_classes;
    uint64_t *first; /* first unit of each class */
    uint64_t *n_rows;
    uint64_t *n_records; /* rows, or distinct persons */
    uint64_t *size;      /* records that agree with a record of the class, itself included */
} shoal_record_classes;

/*
 * The classes by the `n` columns records->columns[which[i]]. O(units * n); see tuple_match.c for
 * missing values that match everything.
 */
SHOAL_NODISCARD shoal_status shoal_record_units_classes(shoal_record_classes *out,
                                                        const shoal_record_units *records,
                                                        const uint32_t *which, uint32_t n,
                                                        uint32_t threads, shoal_error *err);
void shoal_record_classes_clear(shoal_record_classes *classes);

#endif
