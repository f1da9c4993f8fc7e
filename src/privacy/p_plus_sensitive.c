/* SPDX-License-Identifier: Apache-2.0 */
/* p_plus_sensitive.c - (p+, alpha)-sensitive k-anonymity: every group has at least p distinct
 * categories of sensitive values, and weighs at least alpha.
 *
 * Categories are the nodes directly below the root of the column's hierarchy, in the order of its
 * file: the first is the most sensitive and weighs 0, the last weighs 1, those between are spaced
 * evenly; a single category weighs 0. A group weighs the sum over its rows, not over its distinct
 * values: what must reach alpha is the total weight of the group. So a group of the most sensitive
 * category alone weighs nothing however large it is, where p distinct values could all be of it. A
 * missing value weighs nothing and is no category; a value that the hierarchy lacks likewise.
 *
 * The number a group achieves is its categories, or 0 where it weighs less than alpha. The union of
 * two groups that satisfy it satisfies it, too; k is a separate requirement. Sun, Wang, Li, Truta,
 * Li: (p+, alpha)-sensitive k-anonymity: a new enhanced privacy protection model, CIT 2008 (named
 * as future work, without a definition, by Sun, Wang, Li 2008). O(values present) per group.
 */
#include "privacy/model.h"

typedef struct category_weights {
    uint32_t n;        /* categories */
    uint32_t *of_code; /* or UINT32_MAX */
} category_weights;

static void clear(shoal_model *model)
{
    category_weights *w = model->data;
    if (w == NULL) return;
    shoal_free(w->of_code);
    shoal_free(w);
    model->data = NULL;
}

/* Nodes below the root in the order of their first leaves. */
static void number_categories(category_weights *w, const shoal_attribute *attr)
{
    const shoal_hierarchy *tree = attr->tree;
    uint32_t root = tree->n_nodes - 1, last = UINT32_MAX;
    for (uint32_t code = 0; code < attr->n_codes; code++) w->of_code[code] = UINT32_MAX;
    for (uint32_t leaf = 0; leaf < attr->n_plain; leaf++) {
        uint32_t node = leaf;
        while (tree->parent[node] != root) node = tree->parent[node];
        w->n += node != last;
        last = node;
        w->of_code[leaf] = w->n - 1;
    }
}

static shoal_status prepare(shoal_model *model, shoal_error *err)
{
    category_weights *w = shoal_alloc_zero(1, sizeof *w);
    if (w == NULL) return shoal_fail_memory(err);
    model->data = w;
    w->of_code = shoal_alloc(model->attr->n_codes, sizeof *w->of_code);
    if (w->of_code == NULL) {
        clear(model);
        return shoal_fail_memory(err);
    }
    number_categories(w, model->attr);
    return SHOAL_OK;
}

/* Categories present; codes come sorted, and those of one category are adjacent. */
static uint32_t weigh(double *weight, const shoal_model *model, const shoal_group_view *group)
{
    const category_weights *w = model->data;
    const shoal_tally *tally = shoal_model_tally(model, group);
    const uint32_t *codes = shoal_tally_sorted(tally);
    uint32_t n = 0, last = UINT32_MAX;
    *weight = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        uint32_t category = w->of_code[codes[i]];
        if (category == UINT32_MAX) continue;
        n += category != last;
        last = category;
        if (w->n > 1) *weight += (double)tally->counts[codes[i]] * category / (w->n - 1.0);
    }
    return n;
}

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    double weight;
    uint32_t n = weigh(&weight, model, group);
    return shoal_at_least(weight, model->values[0]) ? n : 0;
}

static double lack(const shoal_model *model, const shoal_group_view *group)
{
    double weight, rows = 0;
    uint32_t n = weigh(&weight, model, group);
    bool is_heavy = shoal_at_least(weight, model->values[0]);
    if (!is_heavy) rows += model->values[0] - weight;
    if (n < model->values[1]) rows += model->values[1] - n;
    return shoal_lack_of(is_heavy && n >= model->values[1], rows);
}

const shoal_model_kind shoal_model_p_plus_sensitive = {
    .name = "p-plus-sensitive",
    .variant = "",
    .values = "ALPHA,P",
    .summary = "every group has at least P distinct categories of sensitive values and a total "
               "weight of at least ALPHA; needs a hierarchy",
    .help = "every group has at least P distinct categories (nodes below the root of the "
            "hierarchy, most sensitive first) and a total weight of at least ALPHA, from 0 per row "
            "in the first category to 1 in the last; repeatable",
    .n_values = 2,
    .counts_values = true,
    .least = 0,
    .most = 4294967295.0,
    .least2 = 1,
    .most2 = 4294967295.0,
    .is_whole = true,
    .more_is_better = true,
    .is_monotone = true,
    .needs_tree = true,
    .prepare = prepare,
    .clear = clear,
    .achieved = achieved,
    .lack = lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 122,
              .names = "p-plus-sensitive|p-plus-sensitive-k-anonymity|(p+,alpha)-sensitive",
              .title = "at least k rows, p distinct categories of sensitive values, and a weight "
                       "of alpha",
              .text = "p distinct values may all be highly sensitive. This model counts "
                      "categories, listed in the hierarchy file from the most to the least "
                      "sensitive, and requires a total weight of alpha for the rows of a group: 0 "
                      "per row in the first category, 1 in the last.",
              .formula =
                  "|g| >= k, distinct categories >= p, sum over rows of (i-1)/(m-1) >= alpha",
              .reading = "The report gives the number of categories of the worst group, or 0 if "
                         "its weight is below alpha.",
              .source = "Sun, Wang, Li, Truta, Li: (p+, alpha)-sensitive k-anonymity, CIT 2008" },
            { 0 },
        },
};
