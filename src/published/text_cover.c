/* SPDX-License-Identifier: Apache-2.0 */
/* text_cover.c - published texts as sets of attribute codes; see text_cover.h.
 *
 * Cost: O(log values) for numbers, intervals and nodes; O(values) for sets and texts of two
 * meanings.
 */
#include "published/text_cover.h"

#include <string.h>

static shoal_range join(shoal_range range, uint32_t code)
{
    if (code < range.lo) range.lo = code;
    if (code > range.hi) range.hi = code;
    return range;
}

/* Numbers of an interval: plain codes are in order. */
static shoal_range interval_codes(const shoal_attribute *attr, const shoal_interval *interval)
{
    uint32_t lo = 0, hi = attr->n_plain;
    while (lo < hi) { /* the first number that is not before the interval */
        uint32_t middle = lo + (hi - lo) / 2;
        double x = attr->source->numbers[middle];
        if (interval->low_open ? x <= interval->low : x < interval->low)
            lo = middle + 1;
        else
            hi = middle;
    }
    uint32_t first = lo;
    hi = attr->n_plain;
    while (lo < hi) { /* the first beyond it */
        uint32_t middle = lo + (hi - lo) / 2;
        double x = attr->source->numbers[middle];
        if (interval->high_open ? x < interval->high : x <= interval->high)
            lo = middle + 1;
        else
            hi = middle;
    }
    return first < lo ? (shoal_range){ first, lo - 1 } : SHOAL_EMPTY_RANGE;
}

/* For any reading: test every value. False if memory is short. */
static bool cover_by_values(shoal_text_cover *out, shoal_arena *arena, const shoal_published *p,
                            uint32_t text)
{
    const shoal_attribute *attr = p->attr;
    uint32_t n = 0;
    out->range = SHOAL_EMPTY_RANGE;
    for (uint32_t v = 0; v < attr->source->n_values; v++) {
        if (!shoal_published_covers(p, text, v)) continue;
        out->range = join(out->range, attr->code_of_value[v]);
        n++;
    }
    if (n == 0 || out->range.hi - out->range.lo + 1 == n) return true;
    size_t n_words = (size_t)attr->n_codes / 64 + 1;
    uint64_t *words = shoal_arena_alloc(arena, n_words * sizeof *words);
    if (words == NULL) return false;
    memset(words, 0, n_words * sizeof *words);
    for (uint32_t v = 0; v < attr->source->n_values; v++) {
        uint32_t code = attr->code_of_value[v];
        if (shoal_published_covers(p, text, v)) words[code / 64] |= (uint64_t)1 << (code % 64);
    }
    out->words = words;
    return true;
}

static bool make_cover(shoal_text_cover *out, shoal_arena *arena, const shoal_published *p,
                       uint32_t text)
{
    const shoal_reading *r = &p->readings[text];
    const shoal_attribute *attr = p->attr;
    bool has_code = r->code != SHOAL_NO_CODE, has_node = r->node != SHOAL_NO_NODE;
    *out = (shoal_text_cover){ .is_all = r->is_all, .range = SHOAL_EMPTY_RANGE };
    if (r->is_all || r->kind == SHOAL_READ_NOTHING) return true;
    /* the frequent cases, without a test of every value */
    if (r->n_members > 0) return cover_by_values(out, arena, p, text);
    if (r->is_interval && !has_code && !has_node) {
        out->range = interval_codes(attr, &r->interval);
        return true;
    }
    shoal_range node = has_node
                           ? (shoal_range){ attr->tree->first[r->node], attr->tree->last[r->node] }
                           : SHOAL_EMPTY_RANGE;
    uint32_t code = has_code ? attr->code_of_value[r->code] : SHOAL_NO_CODE;
    bool is_leaf = has_node && node.lo == node.hi;
    if (!r->is_interval && has_code && (!has_node || (is_leaf && attr->is_interval))) {
        out->range = (shoal_range){ code, code };
        return true;
    }
    bool is_run = attr->is_tree && has_node && (!has_code || (code >= node.lo && code <= node.hi));
    if (!r->is_interval && is_run) {
        out->range = node;
        return true;
    }
    return cover_by_values(out, arena, p, text);
}

shoal_status shoal_column_covers_read(shoal_column_covers *out, const shoal_table *released,
                                      size_t column, const shoal_table *original,
                                      const shoal_attribute *attr, shoal_error *err)
{
    const shoal_column *texts = &released->columns[column];
    /* a missing cell may be any value */
    bool has_gaps = released->missing != SHOAL_MISSING_OWN_CATEGORY;
    shoal_published published;
    SHOAL_RETURN_IF_ERROR(
        shoal_published_read(&published, original, attr, texts->values, texts->n_values, err));
    out->covers = shoal_alloc(texts->n_values, sizeof *out->covers);
    bool ok = out->covers != NULL;
    for (uint32_t t = 0; ok && t < texts->n_values; t++) {
        shoal_text_cover *made = &out->covers[t];
        ok = make_cover(made, &out->arena, &published, t);
        if (!ok) break;
        if (has_gaps && t == texts->null_code) made->is_all = true;
        out->n_unmatched += !made->is_all && made->range.lo > made->range.hi;
    }
    shoal_published_clear(&published);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

void shoal_column_covers_clear(shoal_column_covers *covers)
{
    shoal_free(covers->covers);
    shoal_arena_clear(&covers->arena);
    *covers = (shoal_column_covers){ 0 };
}
