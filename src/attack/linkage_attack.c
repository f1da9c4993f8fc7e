/* SPDX-License-Identifier: Apache-2.0 */
/* linkage_attack.c - the attacker knows some quasi-identifiers of a person and looks for the
 * person's row.
 *
 * The candidates are the rows whose published cells cover everything that is known; one of them is
 * drawn. Tried with all quasi-identifiers, and with sets of m of them: all such sets, or a seeded
 * sample. Each again with errors: a known value is, with the given probability, that of another
 * person, drawn from the table. The control draws from all rows of the release.
 *
 * Where rows cannot be matched, a person's own row is taken to be among the candidates.
 *
 * Cost: for each set O(n * columns) to number tuples, then a search among the distinct published
 * tuples for each distinct known tuple (box_index.h), in parallel.
 */
#include "attack/attack_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_KNOWN = 3, USUAL_SUBSETS = 20, RUN = 256 };

/* One set of known columns, and the published tuples over it. */
typedef struct knowledge {
    const shoal_attack_view *view;
    const shoal_release_view *release;
    const uint32_t *attrs; /* n_attrs of the view's */
    uint32_t n_attrs;
    double error_share;
    uint64_t task;         /* of the random numbers */
    shoal_numbering boxes; /* distinct published tuples, by row of the release */
    shoal_box_index index;
    shoal_column *known;    /* value codes of all persons, with errors */
    shoal_numbering tuples; /* distinct known tuples, by person */
    uint64_t *candidates;   /* of each known tuple */
} knowledge;

static void knowledge_clear(knowledge *k)
{
    for (uint32_t i = 0; k->known != NULL && i < k->n_attrs; i++)
        if (k->known[i].codes != k->view->space.attrs[k->attrs[i]].source->codes)
            shoal_free(k->known[i].codes);
    shoal_free(k->known);
    shoal_free(k->candidates);
    shoal_numbering_clear(&k->tuples);
    shoal_numbering_clear(&k->boxes);
    shoal_box_index_clear(&k->index);
}

/* ---- what is published, what is known ---- */

static shoal_status index_boxes(knowledge *k, shoal_error *err)
{
    const shoal_release_view *r = k->release;
    const shoal_column **columns = shoal_alloc(k->n_attrs, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (uint32_t i = 0; i < k->n_attrs; i++)
        columns[i] = &r->released->columns[r->columns[k->attrs[i]]];
    shoal_status status = shoal_numbering_make(&k->boxes, columns, k->n_attrs, r->released->n_rows,
                                               SHOAL_NUMBER_FIRST, k->view->threads, err);
    bool ok = status == SHOAL_OK && shoal_box_index_reserve(&k->index, k->boxes.n, k->n_attrs);
    for (uint32_t b = 0; ok && b < k->boxes.n; b++) {
        k->index.weights[b] = k->boxes.begin[b + 1] - k->boxes.begin[b];
        for (uint32_t i = 0; i < k->n_attrs; i++)
            k->index.covers[(size_t)b * k->n_attrs + i] =
                &r->covers[k->attrs[i]].covers[shoal_column_code(columns[i], k->boxes.first[b])];
    }
    ok = ok && shoal_box_index_build(&k->index);
    shoal_free(columns);
    return status != SHOAL_OK ? status : ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* The values of a column as the attacker knows them: some belong to another person. */
static uint32_t *mistake_values(const shoal_column *column, uint32_t n_rows, double error_share,
                                shoal_rng *rng)
{
    uint32_t *codes = shoal_alloc(n_rows, sizeof *codes);
    for (uint32_t row = 0; codes != NULL && row < n_rows; row++) {
        bool is_wrong = shoal_rng_unit(rng) < error_share;
        codes[row] = shoal_column_code(column, is_wrong ? shoal_rng_below(rng, n_rows) : row);
    }
    return codes;
}

static shoal_status learn_values(knowledge *k, shoal_error *err)
{
    shoal_rng rng;
    shoal_status status = SHOAL_ENOMEM;
    const shoal_column **columns = shoal_alloc(k->n_attrs, sizeof *columns);
    k->known = shoal_alloc_zero(k->n_attrs, sizeof *k->known);
    bool ok = columns != NULL && k->known != NULL;
    shoal_rng_init(&rng, k->view->request->seed, k->task);
    for (uint32_t i = 0; ok && i < k->n_attrs; i++) {
        const shoal_column *source = k->view->space.attrs[k->attrs[i]].source;
        columns[i] = &k->known[i];
        k->known[i] = *source;
        if (k->error_share == 0) continue;
        k->known[i].code_width = 4;
        k->known[i].codes = mistake_values(source, k->view->n_rows, k->error_share, &rng);
        ok = k->known[i].codes != NULL;
    }
    if (ok)
        status = shoal_numbering_make(&k->tuples, columns, k->n_attrs, k->view->n_rows,
                                      SHOAL_NUMBER_FIRST, k->view->threads, err);
    else
        shoal_fail_memory(err);
    shoal_free(columns);
    return status;
}

static void codes_of_person(const knowledge *k, uint64_t row, uint32_t *codes)
{
    for (uint32_t i = 0; i < k->n_attrs; i++)
        codes[i] = k->view->space.attrs[k->attrs[i]]
                       .code_of_value[shoal_column_code(&k->known[i], row)];
}

/* ---- candidates ---- */

static bool count_run(knowledge *k, uint32_t begin, uint32_t end)
{
    uint32_t *codes = shoal_alloc(k->n_attrs, sizeof *codes),
             *stack = shoal_alloc(shoal_box_stack_size(&k->index), sizeof *stack);
    bool ok = codes != NULL && stack != NULL;
    for (uint32_t t = begin; ok && t < end; t++) {
        codes_of_person(k, k->tuples.first[t], codes);
        k->candidates[t] = shoal_box_index_rows(&k->index, codes, stack);
    }
    shoal_free(codes);
    shoal_free(stack);
    return ok;
}

static shoal_status count_candidates(knowledge *k, shoal_error *err)
{
    k->candidates = shoal_alloc(k->tuples.n, sizeof *k->candidates);
    bool ok = k->candidates != NULL;
    uint32_t n_runs = ok ? (k->tuples.n + RUN - 1) / RUN : 0;
#pragma omp parallel for num_threads(k->view->threads) schedule(dynamic) reduction(&& : ok)
    for (uint32_t run = 0; run < n_runs; run++)
        ok = count_run(k, run * RUN, run + 1 < n_runs ? (run + 1) * RUN : k->tuples.n) && ok;
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- success ---- */

/* What becomes of all persons with this knowledge. */
typedef struct linked {
    shoal_attack_case found;
    double expected;
    /* with one candidate, with fewer than k, without their own row */
    uint64_t n_unique, n_below_k, n_lost;
    uint32_t worst;
} linked;

static bool own_row_fits(const knowledge *k, uint32_t row, uint32_t *codes)
{
    if (k->release->row_of == NULL) return true;
    uint32_t box = k->boxes.ids[k->release->row_of[row]];
    codes_of_person(k, row, codes);
    for (uint32_t i = 0; i < k->n_attrs; i++)
        if (!shoal_cover_holds(k->index.covers[(size_t)box * k->n_attrs + i], codes[i]))
            return false;
    return true;
}

static int by_count(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static shoal_status score(linked *out, const knowledge *k, shoal_error *err)
{
    uint32_t n_rows = k->view->n_rows, n = 0;
    uint64_t *sizes = shoal_alloc(n_rows, sizeof *sizes), least = UINT64_MAX;
    uint32_t *codes = shoal_alloc(k->n_attrs, sizeof *codes);
    shoal_rng rng;
    shoal_status status = sizes == NULL || codes == NULL ? shoal_fail_memory(err) : SHOAL_OK;
    *out = (linked){ .found = { .control = 1 / (double)k->release->released->n_rows,
                                .smallest = NAN,
                                .median = NAN } };
    shoal_rng_init(&rng, k->view->request->seed, k->task + 1);
    for (uint32_t row = 0; status == SHOAL_OK && row < n_rows; row++) {
        /* not in the release */
        if (k->release->row_of != NULL && k->release->row_of[row] == SHOAL_NO_ROW) continue;
        uint64_t size = k->candidates[k->tuples.ids[row]];
        bool is_first = size == 0 || shoal_rng_below(&rng, size) == 0,
             fits = size > 0 && own_row_fits(k, row, codes);
        out->found.trials++;
        out->found.successes += fits && is_first;
        out->expected += fits ? 1 / (double)size : 0;
        out->n_lost += !fits;
        if (!fits) continue;
        out->n_unique += size == 1;
        out->n_below_k += size < k->view->k;
        if (size < least) out->worst = row;
        if (size < least) least = size;
        sizes[n++] = size;
    }
    if (status == SHOAL_OK && n > 0) {
        qsort(sizes, n, sizeof *sizes, by_count);
        out->found.smallest = (double)sizes[0];
        out->found.median = (double)sizes[n / 2];
        if (sizes[0] == sizes[n - 1]) out->worst = SHOAL_NO_ROW;
    }
    shoal_free(sizes);
    shoal_free(codes);
    return status;
}

static shoal_status label_case(shoal_attack_finding *out, const knowledge *k, const linked *found,
                               shoal_error *err)
{
    shoal_buffer label = { 0 };
    for (uint32_t i = 0; i < k->n_attrs; i++) {
        size_t column = k->view->space.attrs[k->attrs[i]].column;
        if (i > 0) shoal_buffer_print(&label, " + ");
        shoal_join_names(&label, &k->view->plain, &column, 1);
    }
    if (k->error_share > 0) shoal_buffer_print(&label, ", %g %% errors", k->error_share * 100);
    shoal_status status = label.failed
                              ? shoal_fail_memory(err)
                              : shoal_finding_add_case(out, &found->found, label.data, err);
    shoal_buffer_clear(&label);
    return status;
}

/* Try a set of columns with a share of errors. */
static shoal_status try_set(shoal_attack_finding *out, linked *found, knowledge k, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    SHOAL_GOTO_IF_ERROR(index_boxes(&k, err), out);
    SHOAL_GOTO_IF_ERROR(learn_values(&k, err), out);
    SHOAL_GOTO_IF_ERROR(count_candidates(&k, err), out);
    SHOAL_GOTO_IF_ERROR(score(found, &k, err), out);
    status = label_case(out, &k, found, err);
out:
    knowledge_clear(&k);
    return status;
}

/* ---- sets of m columns ---- */

/* Number of sets of m out of n, or `most` where there are more. */
static uint64_t count_sets(uint32_t n, uint32_t m, uint64_t most)
{
    double count = 1;
    for (uint32_t i = 0; i < m; i++) count = count * (n - i) / (i + 1);
    return count + 0.5 < (double)most ? (uint64_t)(count + 0.5) : most;
}

/* The next set in order; false after the last. */
static bool next_set(uint32_t *set, uint32_t m, uint32_t n)
{
    for (uint32_t i = m; i-- > 0;) {
        if (set[i] + (m - i) >= n) continue;
        set[i]++;
        for (uint32_t j = i + 1; j < m; j++) set[j] = set[j - 1] + 1;
        return true;
    }
    return false;
}

static void draw_set(uint32_t *set, uint32_t m, uint32_t n, shoal_rng *rng)
{
    uint32_t taken = 0;
    for (uint32_t a = 0; a < n && taken < m; a++)
        if (shoal_rng_below(rng, n - a) < m - taken) set[taken++] = a;
}

static bool is_drawn(const uint32_t *sets, uint32_t n_sets, const uint32_t *set, uint32_t m)
{
    for (uint32_t s = 0; s < n_sets; s++)
        if (memcmp(sets + (size_t)s * m, set, m * sizeof *set) == 0) return true;
    return false;
}

/* All sets of m attributes, or `most` different ones that were drawn. False when memory is short.
 */
static bool list_sets(uint32_t **out, uint32_t *n_sets, const shoal_attack_view *view, uint32_t m,
                      uint32_t most)
{
    uint32_t n = view->space.n_attrs;
    uint64_t count = count_sets(n, m, (uint64_t)most + 1);
    bool all = count <= most;
    uint32_t *sets = shoal_alloc((size_t)(all ? count : most) * m, sizeof *sets),
             *set = shoal_alloc(m, sizeof *set);
    shoal_rng rng;
    shoal_rng_init(&rng, view->request->seed, 1);
    *n_sets = 0;
    if (sets != NULL && set != NULL) {
        for (uint32_t i = 0; i < m; i++) set[i] = i;
        while (*n_sets < (all ? count : most)) {
            if (!all) draw_set(set, m, n, &rng);
            if (!all && is_drawn(sets, *n_sets, set, m)) continue;
            memcpy(sets + (size_t)(*n_sets)++ * m, set, m * sizeof *set);
            if (all && !next_set(set, m, n)) break;
        }
    }
    *out = sets;
    bool ok = sets != NULL && set != NULL;
    shoal_free(set);
    return ok;
}

static shoal_status try_sets(shoal_attack_finding *out, const knowledge *all, shoal_error *err)
{
    const shoal_attack_request *request = all->view->request;
    uint32_t *sets = NULL, n_sets = 0, m = request->known > 0 ? request->known : USUAL_KNOWN;
    uint32_t most = request->max_subsets > 0 ? request->max_subsets : USUAL_SUBSETS;
    if (m >= all->n_attrs) return SHOAL_OK;
    shoal_status status = list_sets(&sets, &n_sets, all->view, m, most) ? SHOAL_OK
                                                                        : shoal_fail_memory(err);
    for (uint32_t s = 0; status == SHOAL_OK && s < n_sets; s++)
        for (uint32_t with_errors = 0;
             status == SHOAL_OK && with_errors < (request->error_share > 0 ? 2u : 1u);
             with_errors++) {
            knowledge k = *all;
            linked found;
            k.attrs = sets + (size_t)s * m;
            k.n_attrs = m;
            k.error_share = with_errors ? request->error_share : 0;
            k.task = 100 + 4 * (uint64_t)s + 2 * with_errors;
            status = try_set(out, &found, k, err);
        }
    if (status == SHOAL_OK && count_sets(all->n_attrs, m, (uint64_t)most + 1) > most)
        shoal_finding_note(out, "%u sets of %u quasi-identifiers, drawn at random", most, m);
    shoal_free(sets);
    return status;
}

static shoal_status link_rows(shoal_attack_finding *out, const shoal_attack_view *view,
                              size_t release, shoal_error *err)
{
    linked found, mistaken = { .expected = NAN };
    shoal_status status = SHOAL_OK;
    uint32_t n = view->space.n_attrs, *attrs = shoal_alloc(n, sizeof *attrs);
    if (attrs == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < n; a++) attrs[a] = a;
    knowledge all = {
        .view = view, .release = &view->releases[release], .attrs = attrs, .n_attrs = n, .task = 10
    };
    SHOAL_GOTO_IF_ERROR(try_set(out, &found, all, err), out);
    if (view->request->error_share > 0) {
        knowledge wrong = all;
        wrong.error_share = view->request->error_share;
        wrong.task = 20;
        SHOAL_GOTO_IF_ERROR(try_set(out, &mistaken, wrong, err), out);
    }
    SHOAL_GOTO_IF_ERROR(try_sets(out, &all, err), out);
    if (all.release->row_of == NULL)
        shoal_finding_note(
            out, "rows are not matched: each person's own row is assumed to be a candidate");
    shoal_finding_conclude(out, &found.found, 1);
    out->worst_row = found.worst == SHOAL_NO_ROW || found.found.trials == found.n_lost
                         ? 0
                         : (uint64_t)found.worst + 1;
    shoal_finding_add(out, "smallest_candidates", found.found.smallest);
    shoal_finding_add(out, "median_candidates", found.found.median);
    shoal_finding_add(out, "expected_matches", found.expected);
    shoal_finding_add(out, "expected_matches_with_errors", mistaken.expected);
    shoal_finding_add(out, "unique_rows", (double)found.n_unique);
    shoal_finding_add(out, "rows_below_k", (double)found.n_below_k);
    shoal_finding_add(out, "lost_rows", (double)found.n_lost);
out:
    shoal_free(attrs);
    return status;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_ATTACK,
      .place = 10,
      .names = "linkage|linkage-attack|smallest|smallest_candidates|median_candidates|expected_"
               "matches|expected_matches_with_errors|lost_rows",
      .title = "finding the row of a person with known quasi-identifiers",
      .text = "The candidates are the rows whose published cells cover the known values; one is "
              "drawn. Tried with all quasi-identifiers, with sets of m of them, and with errors in "
              "the known values. lost_rows: persons whose own row does not cover the known values. "
              "expected_matches is the sum of 1/candidates.",
      .formula = "success: the drawn row is the person's; control: 1 / rows of the release",
      .reading = "k-anonymity bounds the rate by 1/k; it does not reduce it to the control. Look "
                 "at the sets with few candidates.",
      .source = "Sweeney: k-anonymity: a model for protecting privacy, 2002; Narayanan, Shmatikov: "
                "Robust de-anonymization of large sparse datasets, "
                "S&P 2008 (partial knowledge with errors)" },
    { .names = NULL },
};

/* The quasi-identifiers as they are. */
static void plant(shoal_buffer *release, const shoal_control_persons *persons, size_t number)
{
    (void)number;
    shoal_control_exact(release, persons);
}

const shoal_attack_kind shoal_attack_kind_linkage = {
    .name = "linkage",
    .help = "find the row of a person from some or all quasi-identifiers, with and without errors",
    .terms = terms,
    .run = link_rows,
    .plant = plant,
};
