/* SPDX-License-Identifier: Apache-2.0 */
/* release_classifier.c - a classifier that is trained on the release guesses the sensitive values
 * of persons.
 *
 * Naive Bayes from published rows: a generalised cell counts for every value that it covers, in
 * equal parts. It then guesses for persons whose quasi-identifiers are known. What it learns about
 * persons in general is statistics, the purpose of a release; what it learns about persons in the
 * release beyond that is a leak. So the control is its rate on held-out persons, if they are given;
 * else guessing the most frequent value, and the finding notes that the two cannot be
 * distinguished.
 *
 * Cost: O(rows * quasi-identifiers + texts * codes) to train; distinct tuples * quasi-identifiers *
 * values to guess.
 */
#include "attack/attack_kind.h"
#include "attack/soft_bayes.h"
#include "published/released.h"

#include <math.h>
#include <string.h>

typedef struct trained {
    const shoal_attack_view *view;
    const shoal_release_view *release;
    size_t column;         /* of the original */
    const uint32_t *codes; /* published values, by row of the release */
    shoal_soft_bayes model;
} trained;

/* ---- training ---- */

/* Spread `counts` (of each value) of one text over the bins that it covers. */
static void spread_text(trained *t, uint32_t a, const shoal_text_cover *cover,
                        const uint32_t *counts, double *share)
{
    shoal_soft_bayes *m = &t->model;
    const shoal_attribute *attr = &t->view->space.attrs[a];
    uint32_t lo = cover->is_all ? 0 : cover->range.lo,
             hi = cover->is_all ? attr->n_codes - 1 : cover->range.hi, n = 0;
    if (lo > hi || attr->n_codes == 0) return;
    for (uint32_t bin = 0; bin < m->n_bins[a]; bin++) share[bin] = 0;
    for (uint32_t code = lo; code <= hi && code < attr->n_codes; code++) {
        if (!shoal_cover_holds(cover, code)) continue;
        share[m->bin_of_code[a][code]]++;
        n++;
    }
    for (uint32_t bin = 0; bin < m->n_bins[a]; bin++)
        for (uint32_t v = 0; share[bin] > 0 && v < m->n_values; v++)
            m->mass[a][(size_t)bin * m->n_values + v] += counts[v] * share[bin] / n;
}

static bool train_attribute(trained *t, uint32_t a)
{
    const shoal_release_view *r = t->release;
    const shoal_column *column = &r->released->columns[r->columns[a]];
    uint32_t n_values = t->model.n_values;
    uint32_t *counts = shoal_alloc_zero((size_t)column->n_values * n_values, sizeof *counts);
    double *share = shoal_alloc(t->model.n_bins[a], sizeof *share);
    bool ok = counts != NULL && share != NULL;
    for (uint64_t row = 0; ok && row < r->released->n_rows; row++)
        if (t->codes[row] != SHOAL_NO_CODE)
            counts[(size_t)shoal_column_code(column, row) * n_values + t->codes[row]]++;
    for (uint32_t text = 0; ok && text < column->n_values; text++)
        spread_text(t, a, &r->covers[a].covers[text], counts + (size_t)text * n_values, share);
    shoal_free(counts);
    shoal_free(share);
    return ok;
}

static bool train(trained *t)
{
    for (uint64_t row = 0; row < t->release->released->n_rows; row++)
        if (t->codes[row] != SHOAL_NO_CODE) t->model.value_mass[t->codes[row]]++;
    for (uint32_t a = 0; a < t->model.n_attrs; a++)
        if (!train_attribute(t, a)) return false;
    shoal_soft_bayes_fit(&t->model);
    return true;
}

/* ---- guessing ---- */

static uint32_t guess(const trained *t, const uint32_t *codes)
{
    double scores[SHOAL_MOST_GUESSED];
    uint32_t best = 0;
    shoal_soft_bayes_score(&t->model, codes, scores);
    for (uint32_t v = 0; v < t->model.n_values; v++) {
        scores[v] += t->model.value_mass[v];
        if (scores[v] > scores[best] + 1e-9) best = v;
    }
    return best;
}

static bool guess_members(shoal_attack_case *out, const trained *t)
{
    const shoal_attack_view *view = t->view;
    const shoal_column *column = &view->plain.columns[t->column];
    uint32_t n = view->classes->n_classes, *guesses = shoal_alloc(n, sizeof *guesses);
    if (guesses == NULL) return false;
#pragma omp parallel for num_threads(view->threads) schedule(dynamic, 256)
    for (uint32_t c = 0; c < n; c++) guesses[c] = guess(t, shoal_class_codes(view->classes, c));
    for (uint32_t row = 0; row < view->n_rows; row++) {
        if (t->release->row_of != NULL && t->release->row_of[row] == SHOAL_NO_ROW) continue;
        out->trials++;
        out->successes += guesses[view->classes->class_of_row[row]] ==
                          shoal_column_code(column, row);
    }
    shoal_free(guesses);
    return true;
}

/* Codes of the original for the values of a column of the held-out table; NULL when memory is
 * short. */
static uint32_t *translate(const shoal_table *original, const shoal_column *to,
                           const shoal_column *from)
{
    uint32_t *codes = shoal_alloc(from->n_values, sizeof *codes);
    for (uint32_t v = 0; codes != NULL && v < from->n_values; v++)
        codes[v] = shoal_find_value(original, to, from->values[v]);
    return codes;
}

static shoal_status held_column(const shoal_column **out, const shoal_table *held, const char *name,
                                shoal_error *err)
{
    size_t column = shoal_table_find_column(held, name);
    if (column == SIZE_MAX || !held->columns[column].is_encoded)
        return shoal_fail(err, SHOAL_EINVAL,
                          "attack: the table of held-out persons has no column '{column %s}' {fix} "
                          "use a table with the columns of the original",
                          name);
    *out = &held->columns[column];
    return SHOAL_OK;
}

/* `columns` and `codes_of`: one for each attribute, and the last for the sensitive column. */
static void score_held(shoal_attack_case *out, const trained *t, const shoal_column *const *columns,
                       uint32_t *const *codes_of, uint32_t *codes)
{
    uint32_t n = t->model.n_attrs;
    for (uint64_t row = 0; row < t->view->request->held_out->n_rows; row++) {
        for (uint32_t a = 0; a < n; a++) {
            uint32_t value = codes_of[a][shoal_column_code(columns[a], row)];
            codes[a] = value != SHOAL_NO_CODE ? t->view->space.attrs[a].code_of_value[value]
                                              : SHOAL_NO_CODE;
        }
        out->trials++;
        out->successes += guess(t, codes) == codes_of[n][shoal_column_code(columns[n], row)];
    }
}

static shoal_status guess_held_out(shoal_attack_case *out, const trained *t, shoal_error *err)
{
    const shoal_table *held = t->view->request->held_out, *original = &t->view->plain;
    uint32_t n = t->model.n_attrs;
    shoal_status status = SHOAL_OK;
    const shoal_column **columns = shoal_alloc((size_t)n + 1, sizeof *columns);
    uint32_t **codes_of = shoal_alloc_zero((size_t)n + 1, sizeof *codes_of),
             *codes = shoal_alloc(n, sizeof *codes);
    if (columns == NULL || codes_of == NULL || codes == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t a = 0; a <= n; a++) {
        const shoal_column *to = a < n ? t->view->space.attrs[a].source
                                       : &original->columns[t->column];
        SHOAL_GOTO_IF_ERROR(held_column(&columns[a], held, to->name, err), out);
        codes_of[a] = translate(original, to, columns[a]);
        SHOAL_GOTO_IF_ERROR(codes_of[a] != NULL ? SHOAL_OK : shoal_fail_memory(err), out);
    }
    score_held(out, t, columns, codes_of, codes);
out:
    for (uint32_t a = 0; codes_of != NULL && a <= n; a++) shoal_free(codes_of[a]);
    shoal_free(columns);
    shoal_free(codes_of);
    shoal_free(codes);
    return status;
}

/* ---- the attack ---- */

static double most_frequent(const shoal_column *column, uint64_t n_rows)
{
    uint64_t most = 0;
    for (uint32_t v = 0; v < column->n_values; v++)
        if (column->counts[v] > most) most = column->counts[v];
    return (double)most / (double)n_rows;
}

static shoal_status attack_column(shoal_attack_case *members, shoal_attack_case *held, trained *t,
                                  shoal_error *err)
{
    uint32_t *codes = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_published_codes(&codes, t->view, t->release, t->column, err));
    t->codes = codes;
    bool ok = shoal_soft_bayes_make(&t->model, &t->view->space,
                                    t->view->plain.columns[t->column].n_values) &&
              train(t) && guess_members(members, t);
    shoal_status status = ok ? SHOAL_OK : shoal_fail_memory(err);
    if (status == SHOAL_OK && t->view->request->held_out != NULL)
        status = guess_held_out(held, t, err);
    shoal_soft_bayes_clear(&t->model);
    shoal_free(codes);
    return status;
}

static double gain_of(const shoal_attack_case *c)
{
    return c->trials > 0 ? (double)c->successes / (double)c->trials - c->control : -1;
}

static shoal_status classify_persons(shoal_attack_finding *out, const shoal_attack_view *view,
                                     size_t release, shoal_error *err)
{
    const shoal_release_view *r = &view->releases[release];
    const bool has_held = view->request->held_out != NULL;
    shoal_attack_case worst = { .trials = 0 }, worst_held = { .trials = 0 };
    double prior = 0;
    size_t n = 0;
    for (size_t s = 0; s < view->n_sensitive; s++) {
        const shoal_column *column = &view->plain.columns[view->sensitive[s]];
        trained t = { .view = view, .release = r, .column = view->sensitive[s] };
        shoal_attack_case members = { .smallest = NAN, .median = NAN },
                          held = { .smallest = NAN, .median = NAN };
        if (shoal_released_column(&view->plain, r->released, t.column) == SIZE_MAX ||
            column->n_values > SHOAL_MOST_GUESSED) {
            shoal_finding_note(
                out, "'%.60s' is not in the release, or has too many distinct values to guess",
                column->name);
            continue;
        }
        SHOAL_RETURN_IF_ERROR(attack_column(&members, &held, &t, err));
        members.control = has_held && held.trials > 0 ? (double)held.successes / (double)held.trials
                                                      : most_frequent(column, view->n_rows);
        SHOAL_RETURN_IF_ERROR(shoal_finding_add_case(out, &members, column->name, err));
        if (n++ > 0 && gain_of(&members) <= gain_of(&worst)) continue;
        worst = members;
        worst_held = held;
        prior = most_frequent(column, view->n_rows);
    }
    if (n == 0) return SHOAL_OK; /* the note has the reason */
    shoal_finding_conclude(out, &worst, n);
    if (!has_held)
        shoal_finding_note(out,
                           "no held-out persons: inferences that hold for the whole population "
                           "cannot be separated from those about persons in the table");
    shoal_finding_add(out, "prior", prior);
    shoal_finding_add(
        out, "held_out_rate",
        worst_held.trials > 0 ? (double)worst_held.successes / (double)worst_held.trials : NAN);
    shoal_finding_add(out, "held_out_rows", (double)worst_held.trials);
    return SHOAL_OK;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_ATTACK,
      .place = 50,
      .names = "classifier|held-out|held_out_rate|held_out_rows",
      .title = "sensitive values guessed by a classifier trained on the release",
      .text = "Naive Bayes on the published rows; a generalised cell counts for every value that "
              "it covers. It guesses for the persons of the original, and for persons held out "
              "before the release was made, if given.",
      .formula = "success: the guess is correct; control: its rate on held-out persons, otherwise "
                 "the share of the most frequent value",
      .reading = "If the rate equals that of held-out persons, the release only reveals facts "
                 "about the population. The excess is disclosure about the persons in it.",
      .source = "Cormode: Personal privacy vs population privacy, KDD 2011; Giomi et al.: A "
                "unified framework for quantifying privacy risk in synthetic data, PoPETs 2023 "
                "(control by held-out persons)" },
    { .names = NULL },
};

/* The planted release: rows unchanged, and the sex determines the illness. */
static void plant(shoal_buffer *release, const shoal_control_persons *persons, size_t number)
{
    (void)number;
    shoal_control_exact(release, persons);
}

const shoal_attack_kind shoal_attack_kind_classifier = {
    .name = "classifier",
    .help = "train a classifier on the release and guess sensitive values, compared with held-out "
            "persons",
    .needs = SHOAL_ATTACK_NEEDS_SENSITIVE,
    .terms = terms,
    .run = classify_persons,
    .plant = plant,
};
