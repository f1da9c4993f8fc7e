/* SPDX-License-Identifier: Apache-2.0 */
/* line_slices.c - see line_slices.h.
 *
 * Classes are dealt one after the other, then the line slices are sorted by line (counting sort, so
 * those of a line keep their order). A line slice ends where a slice or a line does, so there are
 * at most as many as slices and lines together.
 */
#include "classes/line_slices.h"

static bool line_slices_alloc(shoal_line_slices *slices, size_t n)
{
    slices->line = shoal_alloc(n, sizeof *slices->line);
    slices->group = shoal_alloc(n, sizeof *slices->group);
    slices->weight = shoal_alloc(n, sizeof *slices->weight);
    return slices->line != NULL && slices->group != NULL && slices->weight != NULL;
}

void shoal_line_slices_clear(shoal_line_slices *slices)
{
    shoal_free(slices->line);
    shoal_free(slices->group);
    shoal_free(slices->weight);
    *slices = (shoal_line_slices){ 0 };
}

static void add(shoal_line_slices *slices, uint32_t line, uint32_t group, uint32_t weight)
{
    slices->line[slices->n] = line;
    slices->group[slices->n] = group;
    slices->weight[slices->n++] = weight;
}

/* Deal one class; false when its slices do not add up to its rows. */
static bool deal_class(shoal_line_slices *to, const shoal_classes *classes, uint32_t c,
                       const shoal_slice *slices, const size_t *order, size_t n_slices)
{
    uint64_t at = classes->row_begin[c], end = classes->row_begin[c + 1];
    uint32_t left = at < end ? classes->weights[classes->rows[at]] : 0; /* of the line `at` */
    for (size_t p = 0; p < n_slices; p++) {
        const shoal_slice *slice = &slices[order[p]];
        for (uint32_t wanted = slice->count; wanted > 0;) {
            if (at == end) return false;
            uint32_t n = wanted < left ? wanted : left;
            add(to, classes->rows[at], slice->group, n);
            wanted -= n;
            left -= n;
            if (left == 0 && ++at < end) left = classes->weights[classes->rows[at]];
        }
    }
    return at == end;
}

/* `next` has room for one place a line, and one more. */
static void sort_by_line(shoal_line_slices *to, const shoal_line_slices *from, uint64_t *next,
                         uint64_t n_lines)
{
    for (uint64_t line = 0; line <= n_lines; line++) next[line] = 0;
    for (uint64_t i = 0; i < from->n; i++) next[from->line[i] + 1]++;
    for (uint64_t line = 0; line < n_lines; line++) next[line + 1] += next[line];
    for (uint64_t i = 0; i < from->n; i++) {
        uint64_t at = next[from->line[i]]++;
        to->line[at] = from->line[i];
        to->group[at] = from->group[i];
        to->weight[at] = from->weight[i];
    }
    to->n = from->n;
}

shoal_status shoal_line_slices_deal(shoal_line_slices *out, const shoal_classes *classes,
                                    const shoal_slice *slices, size_t n_slices,
                                    const uint64_t *begin, const size_t *order, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    size_t most = n_slices + (size_t)classes->n_lines;
    shoal_line_slices dealt = { 0 }, sorted = { 0 };
    uint64_t *next = shoal_alloc((size_t)classes->n_lines + 1, sizeof *next);
    if (next == NULL || !line_slices_alloc(&dealt, most)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t c = 0; c < classes->n_classes; c++)
        if (!deal_class(&dealt, classes, c, slices, order + begin[c],
                        (size_t)(begin[c + 1] - begin[c]))) {
            status = shoal_fail(
                err, SHOAL_EINTERNAL,
                "internal error: an algorithm assigned more or fewer rows than class %u has", c);
            goto out;
        }
    if (!line_slices_alloc(&sorted, (size_t)dealt.n)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    sort_by_line(&sorted, &dealt, next, classes->n_lines);
    *out = sorted;
    sorted = (shoal_line_slices){ 0 };
out:
    shoal_free(next);
    shoal_line_slices_clear(&dealt);
    shoal_line_slices_clear(&sorted);
    return status;
}
