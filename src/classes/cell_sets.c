/* SPDX-License-Identifier: Apache-2.0 */
/* cell_sets.c - lists of the codes that cells publish; see cell_sets.h. Every function is O(codes),
 * shoal_cell_sets_of_words() O(words).
 */
#include "classes/cell_sets.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

uint64_t shoal_list_add(shoal_list_maker *lists, const uint32_t *codes, uint32_t n)
{
    void *block = lists->items;
    size_t at = lists->n > 0 ? lists->n : 1;
    if (n < 2 || lists->failed) return 0;
    if (!shoal_reserve(&block, &lists->room, at + 1 + n, sizeof *lists->items)) {
        lists->failed = true;
        return 0;
    }
    lists->items = block;
    lists->items[at] = n;
    memcpy(lists->items + at + 1, codes, n * sizeof *codes);
    lists->n = at + 1 + n;
    return at;
}

bool shoal_cell_sets_init(shoal_cell_sets *sets, const shoal_space *space, size_t n_groups)
{
    *sets = (shoal_cell_sets){ 0 };
    if (space->n_sets == 0) return true;
    sets->at = shoal_alloc_zero(n_groups * space->n_sets, sizeof *sets->at);
    return sets->at != NULL;
}

void shoal_cell_sets_clear(shoal_cell_sets *sets)
{
    shoal_free(sets->at);
    shoal_free(sets->lists);
    *sets = (shoal_cell_sets){ 0 };
}

/* The codes of the bits that are set. `codes` has room for all of the attribute. */
static uint32_t codes_of_bits(uint32_t *codes, const uint64_t *words, uint32_t n_words)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < n_words; w++)
        for (uint64_t left = words[w]; left != 0; left &= left - 1)
            codes[n++] = w * 64 + (uint32_t)__builtin_ctzll(left);
    return n;
}

bool shoal_cell_sets_of_words(shoal_cell_sets *out, const shoal_space *space, const uint64_t *words,
                              uint32_t n_groups)
{
    shoal_list_maker lists = { 0 };
    uint32_t *codes = shoal_alloc((size_t)space->n_words * 64, sizeof *codes);
    bool ok = shoal_cell_sets_init(out, space, n_groups) && codes != NULL;
    for (uint32_t g = 0; ok && g < n_groups; g++)
        for (uint32_t a = 0; a < space->n_attrs; a++) {
            const shoal_attribute *attr = &space->attrs[a];
            if (attr->n_words == 0) continue;
            uint32_t n = codes_of_bits(codes, words + (size_t)g * space->n_words + attr->word_at,
                                       attr->n_words);
            out->at[(size_t)g * space->n_sets + attr->set_at] = shoal_list_add(&lists, codes, n);
        }
    shoal_free(codes);
    out->lists = lists.items;
    return ok && !lists.failed;
}

void shoal_cell_set_bits(uint64_t *words, const shoal_cell_sets *sets, const shoal_space *space,
                         const shoal_range *cells, uint32_t group)
{
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        const shoal_attribute *attr = &space->attrs[a];
        uint32_t n;
        const uint32_t *codes = shoal_cell_set(sets, space, group, a, &n);
        bool is_lone = n == 0 && cells[a].lo == cells[a].hi && cells[a].lo < attr->n_plain;
        if (attr->n_words > 0 && is_lone) codes = &cells[a].lo, n = 1;
        for (uint32_t i = 0; i < n; i++)
            words[attr->word_at + codes[i] / 64] |= (uint64_t)1 << codes[i] % 64;
    }
}

uint64_t shoal_cell_sets_hash(const shoal_cell_sets *sets, const shoal_space *space, uint32_t group,
                              uint64_t hash)
{
    for (uint32_t a = 0; space->n_sets > 0 && a < space->n_attrs; a++) {
        uint32_t n;
        const uint32_t *codes = shoal_cell_set(sets, space, group, a, &n);
        if (n > 0) hash = XXH3_64bits_withSeed(codes, n * sizeof *codes, hash + a);
    }
    return hash;
}

bool shoal_cell_sets_equal(const shoal_cell_sets *sets, const shoal_space *space, uint32_t group,
                           uint32_t other)
{
    for (uint32_t a = 0; space->n_sets > 0 && a < space->n_attrs; a++) {
        uint32_t n, m;
        const uint32_t *x = shoal_cell_set(sets, space, group, a, &n),
                       *y = shoal_cell_set(sets, space, other, a, &m);
        if (n != m || (n > 0 && memcmp(x, y, n * sizeof *x) != 0)) return false;
    }
    return true;
}
