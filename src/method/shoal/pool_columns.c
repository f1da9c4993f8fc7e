/* SPDX-License-Identifier: Apache-2.0 */
/* pool_columns.c - which columns of the table a pool looks at; see pool.h.
 *
 * Rows of a pool are neighbours: in many columns, in most of a wide table, they all have one value.
 * Such a column costs no group of them anything, so it is left out. The values of a set that the
 * pool has are numbered anew, from 0 in their order: what a group loses depends on how many values
 * it has and not on which, and counts of the values of all groups stay small.
 *
 * Invariant: groups of members lose by `columns` what they lose by the metric of the table. Cost:
 * O(n q) a pool.
 */
#include "method/shoal/pool.h"

#include <string.h>

static uint32_t code_of(const shoal_pool *pool, uint32_t member, uint32_t attr)
{
    return shoal_class_codes(pool->classes, pool->class_index[member])[attr];
}

/* Have all members one value there, which alone loses nothing? */
static bool is_idle(const shoal_pool *pool, uint32_t attr)
{
    const shoal_measure_line *line = &pool->whole->lines[attr];
    uint32_t code = code_of(pool, 0, attr);
    if (code >= line->n_plain ||
        (line->is_set ? line->set_loss[1] : shoal_line_range(line, code, code)) > 0)
        return false;
    for (uint32_t p = 1; p < pool->n; p++)
        if (code_of(pool, p, attr) != code) return false;
    return true;
}

/* Number the values of a set anew; `words` is room for its members. */
static void renumber(shoal_pool *pool, shoal_measure_line *line, uint32_t *codes, uint64_t *words)
{
    uint32_t n = 0;
    memset(words, 0, line->n_words * sizeof *words);
    for (uint32_t p = 0; p < pool->n; p++) words[codes[p] / 64] |= (uint64_t)1 << (codes[p] % 64);
    for (uint32_t w = 0; w < line->n_words; w++) {
        pool->ranks[w] = n;
        n += (uint32_t)__builtin_popcountll(words[w]);
    }
    for (uint32_t p = 0; p < pool->n; p++) {
        uint32_t w = codes[p] / 64, lower = (uint32_t)__builtin_popcountll(
                                        words[w] & (((uint64_t)1 << (codes[p] % 64)) - 1));
        codes[p] = pool->ranks[w] + lower;
    }
    line->n_plain = line->n_codes = line->top_from = n;
    line->n_words = (n + 63) / 64;
}

void shoal_pool_choose_columns(shoal_pool *pool)
{
    shoal_metric *columns = &pool->columns;
    pool->m = columns->n_words = pool->search.n_values = 0;
    columns->has_sets = false;
    for (uint32_t a = 0; a < pool->whole->n_attrs; a++) {
        if (is_idle(pool, a)) continue;
        shoal_measure_line *line = &columns->lines[pool->m];
        uint32_t *codes = pool->codes + (size_t)pool->m * pool->room;
        *line = pool->whole->lines[a];
        for (uint32_t p = 0; p < pool->n; p++) codes[p] = code_of(pool, p, a);
        pool->search.value_at[pool->m++] = pool->search.n_values;
        if (!line->is_set) continue;
        if (line->n_plain == line->n_codes)
            renumber(pool, line, codes, pool->growth.cluster.words + line->word_at);
        line->word_at = columns->n_words;
        columns->n_words += line->n_words;
        columns->has_sets = true;
        pool->search.n_values += line->n_plain;
    }
    columns->n_attrs = pool->m;
    for (uint32_t p = 0; p < pool->n; p++)
        for (uint32_t i = 0; i < pool->m; i++)
            pool->tuples[(size_t)p * pool->m + i] = pool->codes[(size_t)i * pool->room + p];
}
