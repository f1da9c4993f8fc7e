/* SPDX-License-Identifier: Apache-2.0 */
/* class_labels.c - labels to distinguish; see class_labels.h. O(n log n) for n labels. */
#include "evaluate/class_labels.h"

#include <shoal/classify.h>
#include <stdlib.h>

typedef struct ranked {
    uint64_t count;
    uint32_t code;
} ranked;

/* The more frequent first, then the lower code. */
static int by_frequency(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return (a->code > b->code) - (a->code < b->code);
}

/* The `top` most frequent keep their order; the others get the last number. */
static bool number_top(shoal_class_labels *to, const shoal_column *column, uint32_t n, uint32_t top)
{
    ranked *list = shoal_alloc(n, sizeof *list);
    if (list == NULL) return false;
    for (uint32_t code = 0; code < n; code++) list[code] = (ranked){ column->counts[code], code };
    qsort(list, n, sizeof *list, by_frequency);
    for (uint32_t i = 0; i < n; i++) to->number_of[list[i].code] = i < top ? 0 : top;
    for (uint32_t i = top; i < n; i++) to->n_other_rows += list[i].count;
    shoal_free(list);
    uint32_t next = 0;
    for (uint32_t code = 0; code < n; code++)
        if (to->number_of[code] != top) to->number_of[code] = next++;
    to->n = top + 1;
    to->n_other = n - top;
    return true;
}

shoal_status shoal_class_labels_make(shoal_class_labels *out, const shoal_column *column,
                                     uint32_t top, shoal_error *err)
{
    /* the missing value is the last code */
    uint32_t n = column->n_values - (column->null_code != SHOAL_NO_CODE);
    *out = (shoal_class_labels){ .n = n };
    if (n < 2)
        return shoal_fail(err, SHOAL_EDATA,
                          "classify: column '{column %s}' has fewer than two labels {fix} choose a "
                          "column with at least two",
                          column->name);
    if (top == 0 && n > SHOAL_MOST_LABELS)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "classify: column '{column %s}' has %u labels; more than %d must be requested, because "
            "time and memory grow with each {fix} {--top-classes} 20 keeps the 20 most frequent "
            "and combines the others, {--top-classes} %u keeps all",
            column->name, n, SHOAL_MOST_LABELS, n);
    out->number_of = shoal_alloc(n, sizeof *out->number_of);
    if (out->number_of == NULL) return shoal_fail_memory(err);
    for (uint32_t code = 0; code < n; code++) out->number_of[code] = code;
    if (top == 0 || top >= n || number_top(out, column, n, top)) return SHOAL_OK;
    shoal_class_labels_clear(out);
    return shoal_fail_memory(err);
}

void shoal_class_labels_clear(shoal_class_labels *labels)
{
    shoal_free(labels->number_of);
    labels->number_of = NULL;
}
