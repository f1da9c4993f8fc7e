/* SPDX-License-Identifier: Apache-2.0 */
/* singling_out.c - predicates, made from the release alone, that match exactly one row of the
 * original.
 *
 * After Cohen and Nissim: a predicate that would match a random person with probability w matches
 * exactly one of n by luck with probability n w (1 - w)^(n-1). A release allows singling out if
 * predicates succeed more often than their weight explains. The predicate for a group of s rows:
 * the record fits the published cells, and a hash of it is 0 modulo s. A group of s records then
 * leaves one of them about one time in e, however large s is; that is more than luck if the cells
 * fit hardly any other person.
 *
 * The weight of the cells is not known: taken is the product over columns of the share of rows that
 * the cell covers, or the share of the rows outside the group that fit all cells, whichever is
 * more.
 *
 * Cost: a search among the groups for each row (box_index.h).
 */
#include "attack/attack_kind.h"

#include <math.h>

enum { MOST_GROUPS = 2000, FEWEST_PREDICATES = 200 };

typedef struct predicates {
    const shoal_attack_view *view;
    const shoal_release_view *release;
    uint32_t *place;     /* of each group among those that are tried, or SHOAL_NO_ROW */
    uint32_t *group;     /* of each that is tried */
    uint32_t n_groups;   /* that are tried */
    uint32_t n_repeated; /* predicates for each */
    uint32_t *n_matched; /* rows, of each predicate */
    uint32_t *match;     /* the last one */
    uint64_t *n_covered; /* rows of the original, of each group that is tried */
    uint64_t salt;
} predicates;

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Everything in the record but identifiers of the person. */
static uint64_t hash_row(const shoal_table *table, uint64_t row)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (size_t c = 0; c < table->n_columns; c++) {
        const shoal_column *column = &table->columns[c];
        if (column->is_encoded && column->role != SHOAL_ROLE_IDENTIFIER &&
            !shoal_role_is_person(column->role))
            hash = mix(hash + shoal_column_code(column, row) + 1);
    }
    return hash;
}

/* ---- choosing groups ---- */

static bool choose_groups(predicates *p)
{
    uint32_t n = p->release->groups.n, most = n < MOST_GROUPS ? n : MOST_GROUPS;
    shoal_rng rng;
    shoal_rng_init(&rng, p->view->request->seed, 30);
    p->salt = shoal_rng_next(&rng);
    p->n_repeated = most >= FEWEST_PREDICATES ? 1 : (FEWEST_PREDICATES + most - 1) / most;
    p->place = shoal_alloc(n, sizeof *p->place);
    p->group = shoal_alloc(most, sizeof *p->group);
    p->n_matched = shoal_alloc_zero((size_t)most * p->n_repeated, sizeof *p->n_matched);
    p->match = shoal_alloc_zero((size_t)most * p->n_repeated, sizeof *p->match);
    p->n_covered = shoal_alloc_zero(most, sizeof *p->n_covered);
    if (p->place == NULL || p->group == NULL || p->n_matched == NULL || p->match == NULL ||
        p->n_covered == NULL)
        return false;
    for (uint32_t g = 0; g < n; g++) {
        bool is_drawn = shoal_rng_below(&rng, n - g) < most - p->n_groups;
        p->place[g] = is_drawn ? p->n_groups : SHOAL_NO_ROW;
        if (is_drawn) p->group[p->n_groups++] = g;
    }
    return true;
}

/* ---- matching ---- */

typedef struct matched_row {
    predicates *p;
    uint64_t hash;
    uint32_t row;
} matched_row;

static void match_box(uint32_t group, void *payload)
{
    const matched_row *m = payload;
    predicates *p = m->p;
    uint32_t place = p->place[group];
    if (place == SHOAL_NO_ROW) return;
    p->n_covered[place]++;
    for (uint32_t i = 0; i < p->n_repeated; i++) {
        size_t at = (size_t)place * p->n_repeated + i;
        if (mix(m->hash ^ mix(p->salt + at)) % p->release->index.weights[group] != 0) continue;
        p->n_matched[at]++;
        p->match[at] = m->row;
    }
}

static bool match_rows(predicates *p)
{
    const shoal_attack_view *view = p->view;
    uint32_t *stack = shoal_alloc(shoal_box_stack_size(&p->release->index), sizeof *stack);
    if (stack == NULL) return false;
    for (uint32_t row = 0; row < view->n_rows; row++) {
        matched_row m = { p, hash_row(&view->plain, row), row };
        shoal_box_index_search(&p->release->index,
                               shoal_class_codes(view->classes, view->classes->class_of_row[row]),
                               stack, match_box, &m);
    }
    shoal_free(stack);
    return true;
}

/* ---- weights ---- */

/* Share of the original's rows that each text of a column covers. */
static double *share_of_texts(const shoal_attack_view *view, const shoal_release_view *r,
                              uint32_t a)
{
    const shoal_attribute *attr = &view->space.attrs[a];
    uint32_t n_texts = r->released->columns[r->columns[a]].n_values;
    double *shares = shoal_alloc_zero(n_texts, sizeof *shares);
    for (uint32_t t = 0; shares != NULL && t < n_texts; t++)
        for (uint32_t v = 0; v < attr->source->n_values; v++)
            if (shoal_cover_holds(&r->covers[a].covers[t], attr->code_of_value[v]))
                shares[t] += (double)attr->source->counts[v] / view->n_rows;
    return shares;
}

/* The weights of the cells of the groups that are tried; NULL when memory is short. */
static double *weigh_groups(const predicates *p)
{
    const shoal_attack_view *view = p->view;
    const shoal_release_view *r = p->release;
    double *weights = shoal_alloc(p->n_groups, sizeof *weights);
    bool ok = weights != NULL;
    for (uint32_t i = 0; ok && i < p->n_groups; i++) weights[i] = 1;
    for (uint32_t a = 0; ok && a < view->space.n_attrs; a++) {
        double *shares = share_of_texts(view, r, a);
        ok = shares != NULL;
        for (uint32_t i = 0; ok && i < p->n_groups; i++) {
            uint32_t n;
            weights[i] *= shares[shoal_column_code(&r->released->columns[r->columns[a]],
                                                   shoal_group_rows(r, p->group[i], &n)[0])];
        }
        shoal_free(shares);
    }
    for (uint32_t i = 0; ok && i < p->n_groups; i++) {
        double size = (double)r->index.weights[p->group[i]], outside = (double)view->n_rows - size;
        double others = outside > 0 ? ((double)p->n_covered[i] - size) / outside : 0;
        weights[i] = fmin(1, fmax(weights[i], others));
    }
    if (ok) return weights;
    shoal_free(weights);
    return NULL;
}

/* ---- success ---- */

static void score(shoal_attack_finding *out, const predicates *p, const double *weights)
{
    shoal_attack_case found = { .trials = (uint64_t)p->n_groups * p->n_repeated };
    double n = p->view->n_rows, luck = 0, least = INFINITY, sum = 0;
    for (uint32_t i = 0; i < p->n_groups; i++) {
        double w = weights[i] / (double)p->release->index.weights[p->group[i]],
               by_luck = n * w * pow(1 - w, n - 1);
        luck += by_luck * p->n_repeated;
        sum += w;
        for (uint32_t j = 0; j < p->n_repeated; j++) {
            size_t at = (size_t)i * p->n_repeated + j;
            if (p->n_matched[at] != 1) continue;
            found.successes++;
            if (by_luck < least) out->worst_row = (uint64_t)p->match[at] + 1;
            if (by_luck < least) least = by_luck;
        }
    }
    found.control = found.trials > 0 ? luck / (double)found.trials : 0;
    shoal_finding_conclude(out, &found, 1);
    if (!out->is_above) out->worst_row = 0;
    shoal_finding_add(out, "groups_tried", p->n_groups);
    shoal_finding_add(out, "mean_weight", p->n_groups > 0 ? sum / p->n_groups : NAN);
}

static shoal_status isolate(shoal_attack_finding *out, const shoal_attack_view *view,
                            size_t release, shoal_error *err)
{
    predicates p = { .view = view, .release = &view->releases[release] };
    double *weights = NULL;
    bool ok = choose_groups(&p) && match_rows(&p) && (weights = weigh_groups(&p)) != NULL;
    if (ok) score(out, &p, weights);
    if (ok && p.n_groups < p.release->groups.n)
        shoal_finding_note(out, "%u of %u groups, drawn at random", p.n_groups,
                           p.release->groups.n);
    shoal_free(weights);
    shoal_free(p.place);
    shoal_free(p.group);
    shoal_free(p.n_matched);
    shoal_free(p.match);
    shoal_free(p.n_covered);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_ATTACK,
      .place = 90,
      .names = "singling-out|groups_tried|mean_weight",
      .title = "predicates from the release that match exactly one row",
      .text = "The predicate of a group: the record matches its cells, and a hash of the record is "
              "0 modulo the number of rows of the group. It is evaluated on the original. "
              "mean_weight is the probability that it matches a random person, estimated from the "
              "value frequencies of the columns.",
      .formula = "success: one row matches; control: n w (1-w)^(n-1), the success rate by chance "
                 "of a predicate of weight w",
      .reading = "If cells are narrow in many columns, about a third of the predicates succeed, "
                 "whatever k is: k-anonymity does not prevent singling out in this sense.",
      .source = "Cohen, Nissim: Towards formalizing the GDPR's notion of singling out, PNAS 2020" },
    { .names = NULL },
};

/* All persons unchanged. */
static void plant(shoal_buffer *release, const shoal_control_persons *persons, size_t number)
{
    (void)number;
    shoal_control_exact(release, persons);
}

const shoal_attack_kind shoal_attack_kind_singling_out = {
    .name = "singling-out",
    .help = "derive predicates from the release that match one person, compared with chance",
    .terms = terms,
    .run = isolate,
    .plant = plant,
};
