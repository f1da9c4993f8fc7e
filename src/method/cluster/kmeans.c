/* SPDX-License-Identifier: Apache-2.0 */
/* kmeans.c - k-means for mixed rows (k-prototypes), repaired so that every group has at least k
 * rows.
 *
 * floor(n/k) distinct centres are drawn from the rows by the seed. In each pass every row goes to
 * its nearest centre (record_distance.h, ties to the lower centre) and every centre becomes the
 * mean of its rows: the mean of numbers, rounded to the nearest number in the table, so that a
 * centre is a tuple like any other and can be searched for; the most frequent category, ties to the
 * lower code. Passes end when no row moves, or after `iterations` of them. Then groups below k are
 * repaired (kmeans_repair.c).
 *
 * Invariant: every class has one centre (`centre_of`), to which all its rows belong until the
 * repair.
 *
 * Huang: Extensions to the k-Means Algorithm for Clustering Large Data Sets with Categorical
 * Values, 1998; the method that Pramanik, Lau, Zhang 2016 compare with; they state only that each
 * group has at least k rows. Cost: a pass makes one search per class in a tree over the centres:
 * O(c q log(n/k)) if bounds prune well, O(c q n/k) at worst, plus O(c q) for the means. Searches
 * are divided between threads. Memory: 24 bytes per class, and the tree.
 */
#include "base/invariant.h"
#include "method/cluster/kmeans.h"
#include "method/group_rest.h"
#include "method/level_params.h"
#include "cost/record_distance.h"

#include <omp.h>
#include <stdatomic.h>
#include <string.h>

/* classes between two words of progress, and between two looks at the clock */
enum { RUN = 4096, ROWS_BETWEEN_CLOCKS = 16, MAX_PASSES = 1000000 };

/* ---- parameters and memory ---- */

static shoal_status read_params(shoal_kmeans *m, shoal_error *err)
{
    const shoal_problem *problem = m->problem;
    const shoal_algorithm *self = &shoal_algorithm_kmeans;
    double passes;
    SHOAL_RETURN_IF_ERROR(
        shoal_param_word(&m->dissolves, problem, self, "repair", "dissolve", "fill", err));
    SHOAL_RETURN_IF_ERROR(shoal_param_number(&passes, problem, self, "iterations", 1, err));
    m->max_passes = passes < MAX_PASSES ? (uint32_t)passes : MAX_PASSES;
    return shoal_param_record_metric(&m->metric, problem, self, err);
}

static uint32_t most_codes(const shoal_metric *metric)
{
    uint32_t most = 0;
    for (uint32_t a = 0; a < metric->n_attrs; a++)
        if (metric->lines[a].n_codes > most) most = metric->lines[a].n_codes;
    return most;
}

static bool init(shoal_kmeans *m)
{
    const shoal_classes *classes = m->problem->classes;
    uint64_t n = classes->n_rows / m->problem->k;
    uint32_t n_centres = n < classes->n_classes ? (uint32_t)n : classes->n_classes;
    m->centres = (shoal_classes){ .n_rows = n_centres,
                                  .n_classes = n_centres,
                                  .n_attrs = classes->n_attrs };
    m->centres.codes = shoal_alloc((size_t)n_centres * classes->n_attrs, sizeof *m->centres.codes);
    m->centres.counts = shoal_alloc(n_centres, sizeof *m->centres.counts);
    m->centre_of = shoal_alloc(classes->n_classes, sizeof *m->centre_of);
    m->new_centre_of = shoal_alloc(classes->n_classes, sizeof *m->new_centre_of);
    m->next = shoal_alloc(classes->n_classes, sizeof *m->next);
    m->head = shoal_alloc(n_centres, sizeof *m->head);
    m->sizes = shoal_alloc(n_centres, sizeof *m->sizes);
    m->counts = shoal_alloc_zero(most_codes(&m->metric), sizeof *m->counts);
    m->probes = shoal_alloc_zero(m->problem->threads, sizeof *m->probes);
    m->states = shoal_alloc_zero(m->problem->threads, sizeof *m->states);
    if (m->centres.codes == NULL || m->centres.counts == NULL || m->centre_of == NULL ||
        m->new_centre_of == NULL || m->next == NULL || m->head == NULL || m->sizes == NULL ||
        m->counts == NULL || m->probes == NULL || m->states == NULL)
        return false;
    for (uint32_t i = 0; i < n_centres; i++) m->centres.counts[i] = 1;
    for (uint32_t c = 0; c < classes->n_classes; c++) m->centre_of[c] = SHOAL_NO_CLASS;
    for (uint32_t t = 0; t < m->problem->threads; t++)
        if (!shoal_cluster_init_probe(&m->probes[t], &m->metric)) return false;
    return true;
}

static void clear_tree(shoal_kmeans *m)
{
    for (uint32_t t = 0; m->states != NULL && t < m->problem->threads; t++) {
        m->problem->stats->evaluations += m->states[t].n_evaluations;
        m->problem->stats->queries += m->states[t].n_queries;
        shoal_kernel_state_clear(&m->states[t]);
    }
    shoal_kernel_free(m->tree);
    m->tree = NULL;
}

static void clear(shoal_kmeans *m)
{
    clear_tree(m);
    for (uint32_t t = 0; m->probes != NULL && t < m->problem->threads; t++)
        shoal_cluster_free(&m->probes[t]);
    shoal_free(m->probes);
    shoal_free(m->states);
    shoal_free(m->centres.codes);
    shoal_free(m->centres.counts);
    shoal_free(m->centre_of);
    shoal_free(m->new_centre_of);
    shoal_free(m->next);
    shoal_free(m->head);
    shoal_free(m->sizes);
    shoal_free(m->counts);
    shoal_metric_clear(&m->metric);
}

/* ---- the start ---- */

/* Shuffle the rows and take the first ones of different classes. */
static bool draw_centres(shoal_kmeans *m)
{
    const shoal_classes *classes = m->problem->classes;
    uint32_t *rows = shoal_alloc((size_t)classes->n_rows, sizeof *rows);
    if (rows == NULL) return false;
    for (uint64_t i = 0; i < classes->n_rows; i++) rows[i] = (uint32_t)i;
    shoal_rng rng;
    shoal_rng_init(&rng, m->problem->seed, 0);
    uint32_t n = 0, q = classes->n_attrs;
    for (uint32_t c = 0; c < classes->n_classes; c++) m->next[c] = 0; /* drawn already? */
    for (uint64_t i = 0; n < m->centres.n_classes; i++) {
        uint64_t j = i + shoal_rng_below(&rng, classes->n_rows - i);
        uint32_t c = classes->class_of_row[rows[j]];
        rows[j] = rows[i];
        if (m->next[c]) continue;
        m->next[c] = 1;
        memcpy(m->centres.codes + (size_t)n++ * q, shoal_class_codes(classes, c),
               q * sizeof *m->centres.codes);
    }
    shoal_free(rows);
    return true;
}

/* ---- a pass: rows to centres ---- */

uint32_t shoal_kmeans_nearest(shoal_kmeans *m, uint32_t class_index, uint32_t thread)
{
    const uint32_t *codes = shoal_class_codes(m->problem->classes, class_index);
    shoal_cluster *probe = &m->probes[thread];
    shoal_kernel_state *state = &m->states[thread];
    shoal_cluster_clear(probe, &m->metric);
    shoal_cluster_add(probe, &m->metric, codes, 1);
    shoal_loss limit = SHOAL_LOSS_MAX, loss;
    uint32_t present = m->centre_of[class_index];
    /* a centre must not be further than the present one */
    if (present != SHOAL_NO_CLASS && shoal_kernel_left(state, present) > 0)
        limit = shoal_cluster_with(probe, &m->metric, shoal_class_codes(&m->centres, present),
                                   SHOAL_LOSS_MAX) +
                1;
    return shoal_kernel_cheapest(state, probe, limit, &loss);
}

shoal_status shoal_kmeans_plant(shoal_kmeans *m, shoal_error *err)
{
    clear_tree(m);
    SHOAL_RETURN_IF_ERROR(shoal_kernel_make(&m->tree, &m->metric, &m->centres, NULL, 0, err));
    for (uint32_t t = 0; t < m->problem->threads; t++)
        SHOAL_RETURN_IF_ERROR(
            shoal_kernel_state_make(&m->states[t], m->tree, m->centres.counts, err));
    return SHOAL_OK;
}

static bool every_class_has_a_centre(const shoal_kmeans *m)
{
    for (uint32_t c = 0; c < m->problem->classes->n_classes; c++)
        if (m->centre_of[c] >= m->centres.n_classes) return false;
    return true;
}

/* Assign every class to its nearest centre. If time runs out, `centre_of` is unchanged and *moved
 * is false. */
static shoal_status assign(shoal_kmeans *m, double progress, bool *moved, shoal_error *err)
{
    uint32_t n = m->problem->classes->n_classes;
    atomic_bool is_late = false;
    *moved = false;
    SHOAL_RETURN_IF_ERROR(shoal_kmeans_plant(m, err));
    for (uint32_t from = 0; from < n; from += RUN) {
        uint32_t to = n - from < RUN ? n : from + RUN;
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(m->problem, progress, err));
        if (is_late || shoal_seconds() >= m->problem->deadline) {
            m->problem->stats->stopped_early = true;
            return SHOAL_OK;
        }
#pragma omp parallel for num_threads((int)m->problem->threads) schedule(dynamic, 64)
        for (uint32_t c = from; c < to; c++) {
            if (c % ROWS_BETWEEN_CLOCKS == 0 && shoal_seconds() >= m->problem->deadline)
                atomic_store(&is_late, true);
            if (!atomic_load(&is_late))
                m->new_centre_of[c] = shoal_kmeans_nearest(m, c, (uint32_t)omp_get_thread_num());
        }
    }
    if (is_late) {
        m->problem->stats->stopped_early = true;
        return SHOAL_OK;
    }
    *moved = memcmp(m->centre_of, m->new_centre_of, n * sizeof *m->centre_of) != 0;
    memcpy(m->centre_of, m->new_centre_of, n * sizeof *m->centre_of);
    SHOAL_INVARIANT(every_class_has_a_centre(m));
    return SHOAL_OK;
}

/* Lists of the classes of each centre, ascending, and their rows. */
static void list_groups(shoal_kmeans *m)
{
    for (uint32_t i = 0; i < m->centres.n_classes; i++) {
        m->head[i] = SHOAL_NO_CLASS;
        m->sizes[i] = 0;
    }
    for (uint32_t c = m->problem->classes->n_classes; c-- > 0;) {
        m->next[c] = m->head[m->centre_of[c]];
        m->head[m->centre_of[c]] = c;
        m->sizes[m->centre_of[c]] += m->problem->classes->counts[c];
    }
}

/* ---- a pass: centres to the means of their rows ---- */

/* The code whose position is nearest to `place`, ties to the lower. */
static uint32_t nearest_number(const shoal_measure_line *line, uint64_t place)
{
    /* the first code at or beyond `place`, or the last one */
    uint32_t low = 0, high = line->n_plain - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (line->position[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && line->position[low] > place &&
        place - line->position[low - 1] <= line->position[low] - place)
        return low - 1;
    return low;
}

/* The most frequent code of at least `least`, without the wild code; ties to the lower. Resets the
 * counts to 0. */
static uint32_t take_mode(shoal_kmeans *m, uint32_t centre, uint32_t a, uint32_t least,
                          uint64_t *most)
{
    uint32_t mode = m->metric.lines[a].wild_code;
    *most = 0;
    for (uint32_t c = m->head[centre]; c != SHOAL_NO_CLASS; c = m->next[c]) {
        uint32_t code = shoal_class_codes(m->problem->classes, c)[a];
        uint64_t n = m->counts[code];
        m->counts[code] = 0; /* counted once: other classes with this code find 0 */
        if (code < least || code == m->metric.lines[a].wild_code || n == 0) continue;
        if (n < *most || (n == *most && code > mode)) continue;
        *most = n;
        mode = code;
    }
    return mode;
}

/* Mean or mode of a centre's rows in one attribute. */
static uint32_t middle_code(shoal_kmeans *m, uint32_t centre, uint32_t a)
{
    const shoal_measure_line *line = &m->metric.lines[a];
    uint64_t n_numbers = 0, places = 0, most;
    for (uint32_t c = m->head[centre]; c != SHOAL_NO_CLASS; c = m->next[c]) {
        uint32_t code = shoal_class_codes(m->problem->classes, c)[a],
                 n = m->problem->classes->counts[c];
        m->counts[code] += n;
        if (!line->is_interval || code >= line->n_plain) continue;
        n_numbers += n;
        places += (uint64_t)line->position[code] * n;
    }
    uint32_t mode = take_mode(m, centre, a, line->is_interval ? line->n_plain : 0, &most);
    return n_numbers > 0 && n_numbers >= most ? nearest_number(line, places / n_numbers) : mode;
}

static void move_centres(shoal_kmeans *m)
{
    uint32_t q = m->metric.n_attrs;
    for (uint32_t i = 0; i < m->centres.n_classes; i++) /* a centre without rows is unchanged */
        for (uint32_t a = 0; m->head[i] != SHOAL_NO_CLASS && a < q; a++)
            m->centres.codes[(size_t)i * q + a] = middle_code(m, i, a);
}

/* ---- the method ---- */

static shoal_status cluster_rows(shoal_kmeans *m, shoal_error *err)
{
    bool moved = true;
    for (uint32_t pass = 0; moved && pass < m->max_passes; pass++) {
        SHOAL_RETURN_IF_ERROR(assign(m, 0.9 * pass / m->max_passes, &moved, err));
        if (m->centre_of[0] == SHOAL_NO_CLASS) /* time ran out in the first pass */
            return shoal_group_rest(m->out, 0, m->problem, m->problem->classes->counts, err);
        if (!moved) break;
        list_groups(m);
        move_centres(m);
    }
    return shoal_kmeans_repair(m, err);
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_kmeans m = { .problem = problem, .out = out };
    SHOAL_GOTO_IF_ERROR(read_params(&m, err), out);
    if (!init(&m) || !draw_centres(&m)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(cluster_rows(&m, err), out);
out:
    clear(&m);
    return status;
}

static const shoal_param_info params[] = {
    SHOAL_RECORD_PARAMS,
    { "iterations", "number >= 1", "20", "maximum number of passes; stops early if no row moves" },
    { "repair", "dissolve|fill", "dissolve",
      "groups below k: move their rows to the nearest other group, or fill them with rows of "
      "larger ones" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_kmeans = {
    .name = "kmeans",
    .needs_rows = true,
    .summary =
        "k-means for numeric and categorical columns, then repair of groups below k (Huang 1998)",
    .cost = { .time = "O(c q log(n/k)) per pass, at most O(c q n / k)",
              .memory = "O(n q)",
              .row_bytes = 180,
              .cell_bytes = 24,
              .value_bytes = 80 },
    .run = run,
    .params = params,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 90,
              .names = "kmeans|k-means|k-prototypes",
              .title = "k-means for numeric and categorical columns, then repair",
              .text = "Means for numeric columns, most frequent values for categorical ones; "
                      "groups below k are dissolved or filled afterwards. A baseline.",
              .source = "Huang: Extensions to the k-means algorithm for clustering large data sets "
                        "with categorical values, 1998" },
            { 0 },
        },
};
