/* SPDX-License-Identifier: Apache-2.0 */
/* classes.h - equivalence classes: distinct QID tuples, how often each occurs, and the rows behind
 * them.
 *
 * Classes are numbered by their first row, so the numbering does not depend on threads. The rows of
 * a class are ascending. Where the lines of the table represent several rows, `counts` and `n_rows`
 * count rows, and what is numbered or listed are lines.
 */
#ifndef SHOAL_CLASSES_H
#define SHOAL_CLASSES_H

#include "classes/lines.h"
#include "hierarchy/attribute.h"
#include "table/tuples.h"

typedef struct shoal_classes {
    uint64_t n_rows;
    uint64_t n_lines;        /* as many, or fewer where lines have weights */
    const uint32_t *weights; /* rows of each line, the table's; NULL: one each */
    uint32_t n_classes;
    uint32_t n_attrs;
    /* columns other than the QIDs that distinguish classes (sensitive, class label) */
    uint32_t n_extra;
    uint32_t *codes;        /* n_classes x n_attrs attribute codes */
    uint32_t *extra;        /* n_classes x n_extra column codes */
    uint32_t *counts;       /* rows of each class */
    uint32_t *class_of_row; /* n_lines */
    uint32_t *rows;         /* line numbers, class after class */
    uint64_t *row_begin;    /* n_classes + 1 places in `rows` */
} shoal_classes;

/* Some rows of a class: what groups in the making are lists of. Count 0: unused room. */
typedef struct shoal_class_rows {
    uint32_t class_index, count;
} shoal_class_rows;

/*
 * Form the classes of a loaded table by hashing, in parallel over runs of rows. `extra` names
 * `n_extra` further encoded columns whose codes must agree too. O(n_rows * columns) time; 12 bytes
 * a row and (n_attrs + n_extra + 3) * 4 bytes a class.
 */
SHOAL_NODISCARD shoal_status shoal_classes_form(shoal_classes **out, const shoal_table *table,
                                                const shoal_space *space, const size_t *extra,
                                                uint32_t n_extra, uint32_t threads,
                                                shoal_error *err);
void shoal_classes_free(shoal_classes *classes);
/* Free the lists of rows or lines: tuples and counts remain. */
void shoal_classes_forget_rows(shoal_classes *classes);

/* The class of row number `row`, rows counted through line after line. O(1), or O(lines) where
 * lines have weights. */
uint32_t shoal_class_of_row(const shoal_classes *classes, uint64_t row);

static inline const uint32_t *shoal_class_codes(const shoal_classes *classes, uint32_t class_index)
{
    return classes->codes + (size_t)class_index * classes->n_attrs;
}

#endif
