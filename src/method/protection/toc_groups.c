/* SPDX-License-Identifier: Apache-2.0 */
/* toc_groups.c - groups of toc as left-over rows see them; see toc_groups.h.
 *
 * What a row costs a group depends on what both cover alone, not on how many rows there are. So a
 * row that a group covers already changes nothing, and few rows do: the board is mostly read. It is
 * used where its lines fit the cache; beyond that the tree of group_index.h.
 *
 * Cost: a query O(groups * columns) on the board, several groups at a time; a change O(codes) of
 * the columns that got wider.
 */
#include "method/protection/toc_groups.h"

shoal_box shoal_toc_groups_box(const shoal_toc_groups *s, uint32_t group)
{
    return (shoal_box){ s->ranges + (size_t)group * s->protected->sides.n_attrs,
                        s->words + (size_t)group * s->protected->sides.n_words };
}

static int64_t rise(void *payload, uint32_t group, const uint32_t *codes)
{
    const shoal_toc_groups *s = payload;
    const shoal_cluster *cluster = &s->clusters[group];
    int64_t loss = (int64_t)shoal_cluster_with(cluster, &s->protected->priced.qids, codes,
                                               SHOAL_LOSS_MAX) -
                   cluster->loss;
    return loss +
           shoal_box_price_with(s->protected, shoal_toc_groups_box(s, group),
                                shoal_protected_values(s->protected, codes)) -
           s->prices[group];
}

static void join(shoal_toc_groups *s, uint32_t group, uint32_t class_index, uint32_t count)
{
    const uint32_t *codes = shoal_priced_search_codes(&s->protected->priced, class_index);
    shoal_cluster_add(&s->clusters[group], &s->protected->priced.qids, codes, count);
    shoal_box_add(&s->protected->sides, shoal_toc_groups_box(s, group),
                  shoal_protected_values(s->protected, codes));
}

void shoal_toc_groups_clear(shoal_toc_groups *s)
{
    for (uint32_t g = 0; s->clusters != NULL && g < s->n_groups; g++)
        shoal_cluster_free(&s->clusters[g]);
    shoal_free(s->clusters);
    shoal_free(s->ranges);
    shoal_free(s->words);
    shoal_free(s->prices);
    shoal_free(s->gains);
}

bool shoal_toc_groups_init(shoal_toc_groups *s, const shoal_protected *protected,
                           const shoal_bunch *bunch)
{
    size_t n = bunch->n_groups;
    *s = (shoal_toc_groups){ .protected = protected, .n_groups = (uint32_t)n };
    s->clusters = shoal_alloc_zero(n, sizeof *s->clusters);
    s->ranges = shoal_alloc(n * s->protected->sides.n_attrs, sizeof *s->ranges);
    s->words = shoal_alloc(n * s->protected->sides.n_words, sizeof *s->words);
    s->prices = shoal_alloc(n, sizeof *s->prices);
    s->gains = shoal_alloc(n, sizeof *s->gains);
    bool ok = s->clusters != NULL && s->ranges != NULL && s->words != NULL && s->prices != NULL &&
              s->gains != NULL;
    for (uint32_t g = 0; ok && g < n; g++) {
        ok = shoal_cluster_init(&s->clusters[g], &s->protected->priced.qids);
        if (!ok) break;
        shoal_box_clear(&s->protected->sides, shoal_toc_groups_box(s, g));
        for (size_t i = bunch->begin[g]; i < bunch->begin[g + 1]; i++)
            join(s, g, bunch->slices[i].class_index, bunch->slices[i].count);
        s->prices[g] = shoal_box_price(s->protected, shoal_toc_groups_box(s, g));
        s->gains[g] = shoal_box_gain(s->protected, shoal_toc_groups_box(s, g));
    }
    return ok;
}

/* ---- the group that suffers least ---- */

/* A larger board would not stay in the cache; one with many more codes than there are queries would
 * be made for nothing. */
enum { MOST_ENTRIES = 1 << 22, CODES_A_QUERY = 8 };

static uint32_t n_columns(const shoal_toc_groups *s)
{
    return s->protected->priced.n_qids + s->protected->sides.n_attrs;
}

static const shoal_attribute *attr_of(const shoal_toc_groups *s, uint32_t column)
{
    return &s->protected->priced.space.attrs[column];
}

/* What each code of a column costs a group. */
static void fill_column(shoal_toc_finder *f, uint32_t group, uint32_t column)
{
    const shoal_toc_groups *s = f->groups;
    const shoal_protected *protected = s->protected;
    uint32_t m = protected->priced.n_qids, n = attr_of(s, column)->n_codes;
    const shoal_cluster *cluster = &s->clusters[group];
    shoal_box box = shoal_toc_groups_box(s, group);
    if (column < m) {
        for (uint32_t code = 0; code < n; code++) {
            shoal_loss with = shoal_cluster_attr_with(
                cluster, &protected->priced.qids.lines[column], column, code);
            shoal_rise_table_put(&f->board, group, column, code,
                                 (int32_t)with - (int32_t)cluster->losses[column]);
        }
        return;
    }
    shoal_loss now = (shoal_loss)(protected->side_unit *
                                  (1 - shoal_spread_of(&protected->sides, box, column - m)));
    for (uint32_t code = 0; code < n; code++) {
        shoal_loss with = (shoal_loss)(protected->side_unit *
                                       (1 - shoal_spread_with(&protected->sides, box, column - m,
                                                              code)));
        shoal_rise_table_put(&f->board, group, column, code, (int32_t)with - (int32_t)now);
    }
}

/* Every entry; false when memory is short. */
static bool make_board(shoal_toc_finder *f)
{
    shoal_toc_groups *s = f->groups;
    uint32_t n = n_columns(s), *sizes = shoal_alloc(n, sizeof *sizes);
    if (sizes == NULL) return false;
    for (uint32_t column = 0; column < n; column++) sizes[column] = attr_of(s, column)->n_codes;
    bool ok = shoal_rise_table_init(&f->board, s->n_groups, n, sizes);
    shoal_free(sizes);
    for (uint32_t group = 0; ok && group < s->n_groups; group++)
        for (uint32_t column = 0; column < n; column++) fill_column(f, group, column);
    return ok;
}

shoal_status shoal_toc_finder_make(shoal_toc_finder *out, shoal_toc_groups *groups,
                                   size_t n_queries, bool uses_tree, shoal_error *err)
{
    uint64_t n_codes = 0;
    shoal_status status = SHOAL_OK;
    *out = (shoal_toc_finder){ .groups = groups };
    for (uint32_t column = 0; column < n_columns(groups); column++)
        n_codes += attr_of(groups, column)->n_codes;
    out->wider = shoal_alloc(n_columns(groups), sizeof *out->wider);
    if (out->wider == NULL) return shoal_fail_memory(err);
    if (!uses_tree || n_codes * groups->n_groups > MOST_ENTRIES ||
        n_codes > CODES_A_QUERY * (uint64_t)n_queries)
        status = shoal_group_index_make(
            &out->group_index, &groups->protected->priced.qids,
            (shoal_indexed_groups){ groups->clusters, groups->gains, groups->n_groups }, 1,
            uses_tree, err);
    else if (!make_board(out))
        status = shoal_fail_memory(err);
    if (status != SHOAL_OK) shoal_toc_finder_clear(out);
    return status;
}

void shoal_toc_finder_clear(shoal_toc_finder *f)
{
    shoal_rise_table_clear(&f->board);
    shoal_group_index_clear(&f->group_index);
    shoal_free(f->wider);
}

uint32_t shoal_toc_finder_find(shoal_toc_finder *f, uint32_t class_index)
{
    const uint32_t *codes = shoal_priced_search_codes(&f->groups->protected->priced, class_index);
    shoal_group_choice choice;
    if (f->board.rises != NULL) return shoal_rise_table_find(&f->board, codes);
    shoal_group_index_find(&f->group_index, 0, codes, rise, f->groups, &choice, 1);
    return choice.group;
}

/* Does a group cover the code of a column already? A no may be wrong, and costs time then. */
static bool is_covered(const shoal_toc_groups *s, uint32_t group, uint32_t column, uint32_t code)
{
    uint32_t m = s->protected->priced.n_qids;
    bool is_qid = column < m;
    const shoal_attribute *attr = attr_of(s, column);
    shoal_box side = shoal_toc_groups_box(s, group);
    shoal_range range = is_qid ? s->clusters[group].ranges[column] : side.ranges[column - m];
    if (code < range.lo || code > range.hi) return false;
    if (!attr->is_set) return true;
    uint32_t word_at = is_qid ? attr->word_at : s->protected->sides.attrs[column - m].word_at;
    const uint64_t *words = is_qid ? s->clusters[group].words : side.words;
    return code < attr->n_plain && (words[word_at + code / 64] >> (code % 64) & 1);
}

bool shoal_toc_finder_join(shoal_toc_finder *f, uint32_t group, uint32_t class_index)
{
    shoal_toc_groups *s = f->groups;
    const uint32_t *codes = shoal_priced_search_codes(&s->protected->priced, class_index);
    uint32_t n_wider = 0;
    for (uint32_t column = 0; column < n_columns(s); column++)
        if (!is_covered(s, group, column, codes[column])) f->wider[n_wider++] = column;
    join(s, group, class_index, 1);
    if (n_wider == 0) return false;
    s->prices[group] = shoal_box_price(s->protected, shoal_toc_groups_box(s, group));
    if (f->board.rises == NULL)
        shoal_group_index_update(&f->group_index, group,
                                 shoal_box_gain(s->protected, shoal_toc_groups_box(s, group)));
    for (uint32_t i = 0; i < n_wider && f->board.rises != NULL; i++)
        fill_column(f, group, f->wider[i]);
    return true;
}
