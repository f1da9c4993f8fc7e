/* SPDX-License-Identifier: Apache-2.0 */
/* shares.c - see shares.h.
 *
 * Classes are dealt one after the other, then the shares are sorted by line (counting sort, so
 * those of a line keep their order). A share ends where a part or a line does, so there are at most
 * as many as parts and lines together.
 */
#include "classes/shares.h"

static bool shares_alloc(shoal_shares *shares, size_t n)
{
    shares->line = shoal_alloc(n, sizeof *shares->line);
    shares->group = shoal_alloc(n, sizeof *shares->group);
    shares->weight = shoal_alloc(n, sizeof *shares->weight);
    return shares->line != NULL && shares->group != NULL && shares->weight != NULL;
}

void shoal_shares_clear(shoal_shares *shares)
{
    shoal_free(shares->line);
    shoal_free(shares->group);
    shoal_free(shares->weight);
    *shares = (shoal_shares){ 0 };
}

static void add(shoal_shares *shares, uint32_t line, uint32_t group, uint32_t weight)
{
    shares->line[shares->n] = line;
    shares->group[shares->n] = group;
    shares->weight[shares->n++] = weight;
}

/* Deal one class; false when its parts do not add up to its rows. */
static bool deal_class(shoal_shares *to, const shoal_classes *classes, uint32_t c,
                       const shoal_part *parts, const size_t *order, size_t n_parts)
{
    uint64_t at = classes->row_begin[c], end = classes->row_begin[c + 1];
    uint32_t left = at < end ? classes->weights[classes->rows[at]] : 0; /* of the line `at` */
    for (size_t p = 0; p < n_parts; p++) {
        const shoal_part *part = &parts[order[p]];
        for (uint32_t wanted = part->count; wanted > 0;) {
            if (at == end) return false;
            uint32_t n = wanted < left ? wanted : left;
            add(to, classes->rows[at], part->group, n);
            wanted -= n;
            left -= n;
            if (left == 0 && ++at < end) left = classes->weights[classes->rows[at]];
        }
    }
    return at == end;
}

/* `next` has room for one place a line, and one more. */
static void sort_by_line(shoal_shares *to, const shoal_shares *from, uint64_t *next,
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

shoal_status shoal_shares_deal(shoal_shares *out, const shoal_classes *classes,
                               const shoal_part *parts, size_t n_parts, const uint64_t *begin,
                               const size_t *order, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    size_t most = n_parts + (size_t)classes->n_lines;
    shoal_shares dealt = { 0 }, sorted = { 0 };
    uint64_t *next = shoal_alloc((size_t)classes->n_lines + 1, sizeof *next);
    if (next == NULL || !shares_alloc(&dealt, most)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t c = 0; c < classes->n_classes; c++)
        if (!deal_class(&dealt, classes, c, parts, order + begin[c],
                        (size_t)(begin[c + 1] - begin[c]))) {
            status = shoal_fail(err, SHOAL_EINTERNAL,
                                "an algorithm gave out more or fewer rows than class %u has", c);
            goto out;
        }
    if (!shares_alloc(&sorted, (size_t)dealt.n)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    sort_by_line(&sorted, &dealt, next, classes->n_lines);
    *out = sorted;
    sorted = (shoal_shares){ 0 };
out:
    shoal_free(next);
    shoal_shares_clear(&dealt);
    shoal_shares_clear(&sorted);
    return status;
}
