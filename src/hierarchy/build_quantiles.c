/* SPDX-License-Identifier: Apache-2.0 */
/* build_quantiles.c - numbers in parts of equal frequency, then in half as many, down to one: the
 * root.
 *
 * With rows sorted by number, a number belongs to the part that contains the middle of its rows;
 * spellings of one number stay together. Two neighbouring parts make one of the next level, so
 * levels nest. Parts that get no number, because a frequent one covers them, are left out. A label
 * has the least and greatest number of the part. O(n * log parts) after sorting.
 */
#include "hierarchy/build.h"

#include <stdio.h>
#include <string.h>

static uint64_t rows_of(const shoal_builder *b, uint32_t leaf)
{
    return b->values->counts != NULL ? b->values->counts[b->value_of_leaf[leaf]] : 1;
}

/* The part of each leaf, ascending. */
static void cut_parts(uint32_t *part, const shoal_builder *b, uint32_t n_parts)
{
    double total = 0, before = 0;
    for (uint32_t i = 0; i < b->n_leaves; i++) total += (double)rows_of(b, i);
    for (uint32_t i = 0, end; i < b->n_leaves; i = end) {
        double rows = 0;
        for (end = i; end < b->n_leaves && b->numbers[end] == b->numbers[i]; end++)
            rows += (double)rows_of(b, end);
        double share = total > 0 ? (before + rows / 2) / total : 0;
        uint32_t mine = (uint32_t)(share * n_parts);
        for (uint32_t j = i; j < end; j++) part[j] = mine < n_parts ? mine : n_parts - 1;
        before += rows;
    }
}

/* 15 digits if they read back as the same number, else up to 17, so that different numbers get
 * different texts. */
static void exact_text(char out[40], double number)
{
    for (int digits = 15; digits <= 17; digits++) {
        double read;
        shoal_number_text(out, number, digits);
        if (shoal_parse_number(out, strlen(out), &read) && read == number) return;
    }
}

/* Add one level: a node above each run of equal parts. `top[i]` is the highest node above leaf i so
 * far. */
static shoal_status add_level(shoal_builder *b, uint32_t *top, const uint32_t *part, uint32_t level,
                              shoal_error *err)
{
    for (uint32_t i = 0, end; i < b->n_leaves; i = end) {
        for (end = i + 1; end < b->n_leaves && part[end] == part[i]; end++) continue;
        char low[40], high[40], label[2 * SHOAL_FORMATTED_SIZE];
        exact_text(low, b->numbers[i]);
        exact_text(high, b->numbers[end - 1]);
        size_t size = shoal_builder_range(b, label, low, high);
        label[size++] = ']';
        bool is_known;
        uint32_t above = top[i];
        SHOAL_RETURN_IF_ERROR(shoal_builder_climb(b, &above, &is_known, level, label, size, err));
        for (uint32_t j = i; j < end; j++) {
            b->draft.nodes[top[j]].parent = above;
            top[j] = above;
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_build_quantiles(shoal_builder *b, const char *args, shoal_error *err)
{
    uint32_t n_parts;
    if (!shoal_piece_to_count((shoal_text){ args, strlen(args) }, &n_parts) || n_parts < 2 ||
        n_parts > 1000000)
        return shoal_builder_fail(b, "invalid number of quantiles", err);
    uint32_t *part = shoal_alloc(b->n_leaves, 2 * sizeof *part);
    if (part == NULL) return shoal_fail_memory(err);
    uint32_t *top = part + b->n_leaves;
    shoal_status status = SHOAL_OK;
    cut_parts(part, b, n_parts);
    for (uint32_t i = 0; i < b->n_leaves; i++) top[i] = i;
    for (uint32_t level = 1; n_parts > 1 && status == SHOAL_OK; level++) {
        status = add_level(b, top, part, level, err);
        n_parts = (n_parts + 1) / 2;
        for (uint32_t i = 0; i < b->n_leaves; i++) part[i] /= 2;
    }
    shoal_free(part);
    return status;
}
