/* SPDX-License-Identifier: Apache-2.0 */
/* definetti.c - guesses which person of a group has which of its sensitive values, from all groups
 * together.
 *
 * The deFinetti attack (Kifer 2009): one group does not show who has which value, but the
 * correlations common to all groups do. The attacker knows the quasi-identifiers and the group of
 * every person. Start: each person has each value of the group with its share there. Then repeat: a
 * naive Bayes model is fitted to these probabilities and gives new ones, scaled within each group
 * so that each person has one value and each value is used as often as the group has it (Sinkhorn).
 * The most likely value is guessed. The control guesses the most frequent value of the group.
 *
 * Departs from the paper: the scaling replaces its sampling of permutations.
 *
 * Cost: ITERATIONS * (persons * values of their group * quasi-identifiers); 8 bytes for each person
 * and value of the group.
 */
#include "attack/attack_kind.h"
#include "attack/soft_bayes.h"
#include "published/released.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 12, SCALINGS = 6, MOST_CHANCES = 30000000 };

/* One group: its persons, its different values, and the probabilities of all persons. */
typedef struct group_chances {
    uint32_t n_rows, n_values;
    const uint32_t *rows; /* of the release */
    uint32_t *values;     /* codes of the original's column, ascending */
    double *counts;       /* rows with each */
    double *chances;      /* n_rows x n_values */
} group_chances;

typedef struct learner {
    const shoal_attack_view *view;
    const shoal_release_view *release;
    const uint32_t *codes; /* published sensitive values, by row of the release */
    uint32_t n_values;     /* of the column */
    group_chances *groups;
    shoal_arena arena;
    shoal_soft_bayes model;
} learner;

/* ---- groups ---- */

static bool fill_group(learner *l, group_chances *g, uint32_t *count_of_value)
{
    for (uint32_t i = 0; i < g->n_rows; i++)
        if (count_of_value[l->codes[g->rows[i]]]++ == 0) g->n_values++;
    g->values = shoal_arena_alloc(&l->arena, g->n_values * sizeof *g->values);
    g->counts = shoal_arena_alloc(&l->arena, g->n_values * sizeof *g->counts);
    g->chances = shoal_arena_alloc(&l->arena, (size_t)g->n_rows * g->n_values * sizeof *g->chances);
    if (g->values == NULL || g->counts == NULL || g->chances == NULL) return false;
    for (uint32_t v = 0, n = 0; v < l->n_values; v++) {
        if (count_of_value[v] == 0) continue;
        g->values[n] = v;
        g->counts[n++] = count_of_value[v];
        count_of_value[v] = 0;
    }
    for (uint32_t i = 0; i < g->n_rows; i++)
        for (uint32_t j = 0; j < g->n_values; j++)
            g->chances[(size_t)i * g->n_values + j] = g->counts[j] / g->n_rows;
    return true;
}

static bool fill_groups(learner *l)
{
    uint32_t n = l->release->groups.n;
    uint32_t *count_of_value = shoal_alloc_zero(l->n_values, sizeof *count_of_value);
    l->groups = shoal_alloc_zero(n, sizeof *l->groups);
    bool ok = count_of_value != NULL && l->groups != NULL;
    for (uint32_t g = 0; ok && g < n; g++) {
        l->groups[g].rows = shoal_group_rows(l->release, g, &l->groups[g].n_rows);
        ok = fill_group(l, &l->groups[g], count_of_value);
    }
    shoal_free(count_of_value);
    return ok;
}

static const uint32_t *codes_of_row(const learner *l, uint32_t row)
{
    return shoal_class_codes(l->view->classes,
                             l->view->classes->class_of_row[l->release->origin_of[row]]);
}

/* ---- learning ---- */

/* One thread: sums of doubles keep their order. */
static void fit_model(learner *l)
{
    shoal_soft_bayes *m = &l->model;
    shoal_soft_bayes_reset(m);
    for (uint32_t g = 0; g < l->release->groups.n; g++) {
        const group_chances *group = &l->groups[g];
        for (uint32_t i = 0; i < group->n_rows; i++) {
            const double *chances = group->chances + (size_t)i * group->n_values;
            const uint32_t *codes = codes_of_row(l, group->rows[i]);
            for (uint32_t a = 0; a < m->n_attrs; a++) {
                double *mass = m->mass[a] + (size_t)m->bin_of_code[a][codes[a]] * m->n_values;
                for (uint32_t j = 0; j < group->n_values; j++) mass[group->values[j]] += chances[j];
            }
            for (uint32_t j = 0; j < group->n_values; j++)
                m->value_mass[group->values[j]] += chances[j];
        }
    }
    shoal_soft_bayes_fit(m);
}

/* Every person has one value, every value as many persons as the group has it. */
static void scale_group(group_chances *g)
{
    for (uint32_t turn = 0; turn < SCALINGS; turn++) {
        for (uint32_t j = 0; j < g->n_values; j++) {
            double sum = 0;
            for (uint32_t i = 0; i < g->n_rows; i++) sum += g->chances[(size_t)i * g->n_values + j];
            for (uint32_t i = 0; sum > 0 && i < g->n_rows; i++)
                g->chances[(size_t)i * g->n_values + j] *= g->counts[j] / sum;
        }
        for (uint32_t i = 0; i < g->n_rows; i++) {
            double sum = 0, *row = g->chances + (size_t)i * g->n_values;
            for (uint32_t j = 0; j < g->n_values; j++) sum += row[j];
            for (uint32_t j = 0; sum > 0 && j < g->n_values; j++) row[j] /= sum;
        }
    }
}

/* Chances of the group's values for one person, up to a factor. */
static void guess_row(const learner *l, const group_chances *g, uint32_t i)
{
    const shoal_soft_bayes *m = &l->model;
    const uint32_t *codes = codes_of_row(l, g->rows[i]);
    double *row = g->chances + (size_t)i * g->n_values, most = -INFINITY;
    for (uint32_t j = 0; j < g->n_values; j++) row[j] = 0;
    for (uint32_t a = 0; a < m->n_attrs; a++) {
        const double *logs = m->mass[a] + (size_t)m->bin_of_code[a][codes[a]] * m->n_values;
        for (uint32_t j = 0; j < g->n_values; j++) row[j] += logs[g->values[j]];
    }
    for (uint32_t j = 0; j < g->n_values; j++)
        if (row[j] > most) most = row[j];
    for (uint32_t j = 0; j < g->n_values; j++) row[j] = g->counts[j] * exp(row[j] - most) + 1e-12;
}

static void guess_group(const learner *l, group_chances *g)
{
    for (uint32_t i = 0; i < g->n_rows; i++) guess_row(l, g, i);
    scale_group(g);
}

static void learn(learner *l)
{
    for (uint32_t turn = 0; turn < ITERATIONS; turn++) {
        fit_model(l);
#pragma omp parallel for num_threads(l->view->threads) schedule(dynamic, 64)
        for (uint32_t g = 0; g < l->release->groups.n; g++) guess_group(l, &l->groups[g]);
    }
}

/* ---- success ---- */

typedef struct guessed {
    shoal_attack_case found;
    uint64_t n_confident, n_confident_right; /* above 0.9 where the group alone gives at most 0.5 */
    double largest_gain;
    uint32_t worst; /* row of the release */
} guessed;

/* The most likely value; of two equally likely ones, the more frequent. */
static uint32_t best_value(const group_chances *g, const double *chances)
{
    uint32_t best = 0;
    for (uint32_t j = 1; j < g->n_values; j++) {
        double more = chances[j] - chances[best];
        if (more > 1e-9 || (more > -1e-9 && g->counts[j] > g->counts[best])) best = j;
    }
    return best;
}

static void score_group(guessed *out, const learner *l, const group_chances *g)
{
    double most = 0;
    for (uint32_t j = 0; j < g->n_values; j++)
        if (g->counts[j] > most) most = g->counts[j];
    out->found.control += most;
    for (uint32_t i = 0; i < g->n_rows; i++) {
        const double *chances = g->chances + (size_t)i * g->n_values;
        uint32_t best = best_value(g, chances);
        bool is_right = g->values[best] == l->codes[g->rows[i]];
        double share = g->counts[best] / g->n_rows;
        bool is_confident = chances[best] > 0.9 && share <= 0.5;
        out->found.trials++;
        out->found.successes += is_right;
        out->n_confident += is_confident;
        out->n_confident_right += is_confident && is_right;
        if (is_right && chances[best] - share > out->largest_gain + 1e-9) {
            out->largest_gain = chances[best] - share;
            out->worst = g->rows[i];
        }
    }
}

/* Chances to keep: at most as many values for a person as the group has rows. */
static uint64_t count_chances(const shoal_release_view *r, uint32_t n_values)
{
    uint64_t sum = 0;
    for (uint32_t g = 0; g < r->groups.n; g++) {
        uint64_t size = r->groups.begin[g + 1] - r->groups.begin[g];
        sum += size * (size < n_values ? size : n_values);
    }
    return sum;
}

/* Are all published values those of the original, and few enough? */
static const char *lack_of(const uint32_t *codes, const shoal_column *column,
                           const shoal_release_view *r)
{
    if (column->n_values > SHOAL_MOST_GUESSED) return "has too many distinct values to guess";
    if (count_chances(r, column->n_values) > MOST_CHANCES)
        return "has too many distinct values for groups of this size";
    for (uint64_t row = 0; row < r->released->n_rows; row++)
        if (codes[row] == SHOAL_NO_CODE) return "is generalised in the release";
    return NULL;
}

static shoal_status attack_column(guessed *out, const char **lack, const shoal_attack_view *view,
                                  const shoal_release_view *r, size_t column, shoal_error *err)
{
    uint32_t *codes = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_published_codes(&codes, view, r, column, err));
    *lack = lack_of(codes, &view->plain.columns[column], r);
    *out = (guessed){ .found = { .smallest = NAN, .median = NAN }, .worst = SHOAL_NO_ROW };
    shoal_status status = SHOAL_OK;
    if (*lack == NULL) {
        learner l = { .view = view,
                      .release = r,
                      .codes = codes,
                      .n_values = view->plain.columns[column].n_values };
        if (shoal_soft_bayes_make(&l.model, &view->space, l.n_values) && fill_groups(&l)) {
            learn(&l);
            for (uint32_t g = 0; g < r->groups.n; g++) score_group(out, &l, &l.groups[g]);
            out->found.control /= (double)out->found.trials;
        } else {
            status = shoal_fail_memory(err);
        }
        shoal_soft_bayes_clear(&l.model);
        shoal_arena_clear(&l.arena);
        shoal_free(l.groups);
    }
    shoal_free(codes);
    return status;
}

static double gain_of(const guessed *g)
{
    return g->found.trials > 0
               ? (double)g->found.successes / (double)g->found.trials - g->found.control
               : -1;
}

static shoal_status assign_values(shoal_attack_finding *out, const shoal_attack_view *view,
                                  size_t release, shoal_error *err)
{
    const shoal_release_view *r = &view->releases[release];
    guessed worst = { .found = { .trials = 0 } };
    size_t n = 0;
    for (size_t s = 0; s < view->n_sensitive; s++) {
        guessed g;
        const char *lack = NULL, *name = view->plain.columns[view->sensitive[s]].name;
        if (shoal_released_column(&view->plain, r->released, view->sensitive[s]) == SIZE_MAX)
            lack = "is not in the release";
        else
            SHOAL_RETURN_IF_ERROR(attack_column(&g, &lack, view, r, view->sensitive[s], err));
        if (lack != NULL) {
            shoal_finding_note(out, "'%.60s' %s", name, lack);
            continue;
        }
        SHOAL_RETURN_IF_ERROR(shoal_finding_add_case(out, &g.found, name, err));
        if (n++ == 0 || gain_of(&g) > gain_of(&worst)) worst = g;
    }
    if (n == 0) return SHOAL_OK; /* the note has the reason */
    shoal_finding_conclude(out, &worst.found, n);
    if (worst.worst != SHOAL_NO_ROW) out->worst_row = (uint64_t)r->origin_of[worst.worst] + 1;
    shoal_finding_add(out, "confident_rows", (double)worst.n_confident);
    shoal_finding_add(out, "confident_right", (double)worst.n_confident_right);
    shoal_finding_add(out, "largest_gain", worst.largest_gain);
    return SHOAL_OK;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_ATTACK,
      .place = 40,
      .names = "definetti|de-finetti|inference|confident_rows|confident_right",
      .title = "which person of a group has which sensitive value, learnt from all groups",
      .text = "A group does not show which of its rows has which value, but correlations between "
              "groups may. A naive Bayes model of quasi-identifiers and sensitive values is fitted "
              "to the frequencies in the groups, then refined alternately with the probabilities "
              "of each row. confident_rows: rows with a guess above 0.9 where the group alone "
              "gives 0.5 or less; confident_right of them are correct.",
      .formula =
          "success: the guess is correct; control: guessing the most frequent value of the group",
      .reading = "A model of the population also applies to persons who are not in the table: see "
                 "classifier.",
      .source = "Kifer: Attacks on privacy and deFinetti's theorem, SIGMOD 2009" },
    { .names = NULL },
};

/* Groups that mix illnesses; sex decides most of them. */
static void plant(shoal_buffer *release, const shoal_control_persons *persons, size_t number)
{
    (void)number;
    shoal_control_groups(release, persons, persons->order, 6);
}

const shoal_attack_kind shoal_attack_kind_definetti = {
    .name = "definetti",
    .help = "learn from all groups which person of a group has which sensitive value",
    .needs = SHOAL_ATTACK_NEEDS_SENSITIVE | SHOAL_ATTACK_NEEDS_ROWS,
    .terms = terms,
    .run = assign_values,
    .plant = plant,
};
