/* SPDX-License-Identifier: Apache-2.0 */
/* bench.c - speed and loss of every algorithm on the tables of datasets.sh.
 *
 *   bench FOLDER OUT.csv       the tables that are in FOLDER; a line a run on standard output and
 * in OUT.csv
 *
 * Every figure that is compared with another is taken in the same run: the tree search of k-Members
 * against its scanning reference (both with one thread), searching against reading, 3 million rows
 * against 300,000. A run that takes longer than the limit of its table is stopped, says so, and the
 * larger k of that algorithm are left out. The lower bound is computed on the small tables only.
 * BENCH_QUICK=1 takes fewer k and leaves out what is large; BENCH_THREADS sets the threads (2 if
 * not said).
 */
#include "dataset.h"
#include "timed_run.h"

#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table of the benchmark. */
typedef struct bench_table {
    const char *label, *name;
    bool data_only; /* losses count the leaves in the data only (--domain data) */
    bool has_bound, in_quick;
    /* in the order of running: 10 first where there may be time for one only */
    uint32_t ks[N_KS + 1];
    double limit; /* seconds of one run */
} bench_table;

static const bench_table tables[] = {
    { "adult30162", "adult30162", false, true, true, { 2, 5, 10, 25, 50, 100 }, 60 },
    { "adult30162/data", "adult30162", true, true, false, { 2, 5, 10, 25, 50, 100 }, 60 },
    { "census-30000", "census-30000", false, true, true, { 2, 5, 10, 25, 50, 100 }, 60 },
    { "census-300000", "census-300000", false, false, true, { 10, 2, 5, 25, 50, 100 }, 30 },
    { "census-3000000", "census-3000000", false, false, false, { 10 }, 120 },
};
enum { N_TABLES = sizeof tables / sizeof *tables, MEDIUM = 3, LARGE = 4, MAX_ALGORITHMS = 64 };

static const double scan_limit = 60; /* seconds the scanning reference may take */
static const double short_run = 3;   /* seconds below which a run is made three times */
/* seconds after which an algorithm is not run on ten times as many rows */
static const double long_run = 8;

/* What the closing lines need of a run at k = 10. */
typedef struct mark {
    double search, refine; /* seconds; negative: not run to its end */
} mark;

/* How an algorithm is run: with its defaults; on large tables, if it has an effort, also with the
 * least, to see the bare search. */
enum { DEFAULTS, LEAST_EFFORT, N_VARIANTS };
static const char *const variant_params[N_VARIANTS] = { "", "effort=0" };

typedef struct bench {
    const char *folder;
    FILE *csv;
    uint32_t threads;
    bool is_quick;
    double read[N_TABLES];
    mark marks[N_TABLES][MAX_ALGORITHMS][N_VARIANTS];
    double scan_rate;   /* seconds an evaluation of the last scan; 0: none yet */
    size_t n_different; /* scans that did not end in the groups of the tree */
} bench;

/* One line of the output. Negative numbers are not known and not printed. */
typedef struct line {
    const char *dataset, *algorithm, *params;
    uint32_t k, threads;
    double read, bound, bound_seconds, scan_ratio, heap;
    trial result;
} line;

/* ---- heap ---- */

static atomic_size_t heap_now, heap_most;

/* The C library's allocator, with a note of how much is out. */
static void *counting_alloc(void *payload, void *block, size_t size)
{
    (void)payload;
    atomic_fetch_sub(&heap_now, malloc_usable_size(block));
    if (size == 0) {
        free(block);
        return NULL;
    }
    void *moved = realloc(block, size);
    /* a block that could not grow is still out */
    size_t given = malloc_usable_size(moved != NULL ? moved : block);
    size_t now = atomic_fetch_add(&heap_now, given) + given;
    size_t most = atomic_load(&heap_most);
    while (now > most && !atomic_compare_exchange_weak(&heap_most, &most, now)) {
    }
    return moved;
}

/* ---- output ---- */

static void put(FILE *csv, const char *format, double value)
{
    char text[32];
    snprintf(text, sizeof text, format, value);
    bool is_known = value >= 0;
    if (csv != NULL) fprintf(csv, ",%s", is_known ? text : "");
}

/* A number for people, in so many places; a dash when it is not known. */
static void show(int width, const char *format, double value)
{
    char text[32] = "-";
    if (value >= 0) snprintf(text, sizeof text, format, value);
    printf(" %*s", width, text);
}

static void print_header(FILE *csv)
{
    printf("%-15s %-20s %3s %8s %8s %8s %6s %7s %7s %7s %7s %7s %7s %9s %5s\n", "dataset",
           "algorithm", "k", "groups", "gcp", "bound", "gap", "read", "encode", "search", "refine",
           "bound s", "evals/q", "tree/scan", "MB");
    fprintf(
        csv,
        "dataset,rows,classes,algorithm,params,k,threads,groups,suppressed,gcp,dm,lower_bound,gap,"
        "read,encode,"
        "search,refine,bound_seconds,evaluations,queries,scan_ratio,heap_bytes,stopped_early\n");
}

static void print_line(FILE *csv, const line *l)
{
    const trial *r = &l->result;
    double gap = l->bound > 0 ? r->gcp / l->bound : -1;
    double per_query = r->queries > 0 ? (double)r->evaluations / (double)r->queries : -1;
    char name[64];
    snprintf(name, sizeof name, "%s%s%s%s", l->algorithm, l->params[0] != '\0' ? " " : "",
             l->params, r->stopped_early ? " !" : "");
    printf("%-15s %-20s %3u %8u %8.4f", l->dataset, name, l->k, r->n_groups, r->gcp);
    show(8, "%.4f", l->bound);
    show(6, "%.2f", gap);
    show(7, "%.3f", l->read);
    show(7, "%.3f", r->encode);
    show(7, "%.3f", r->search);
    show(7, "%.3f", r->refine);
    show(7, "%.3f", l->bound_seconds);
    show(7, "%.1f", per_query);
    show(9, "%.1f", l->scan_ratio);
    show(5, "%.0f", l->heap / 1e6);
    printf("\n");
    fflush(stdout);

    fprintf(csv, "%s,%" PRIu64 ",%u,%s,%s,%u,%u,%u,%" PRIu64, l->dataset, r->n_rows, r->n_classes,
            l->algorithm, l->params, l->k, l->threads, r->n_groups, r->n_suppressed);
    put(csv, "%.6f", r->gcp);
    put(csv, "%.0f", r->dm);
    put(csv, "%.6f", l->bound);
    put(csv, "%.4f", gap);
    put(csv, "%.4f", l->read);
    put(csv, "%.4f", r->encode);
    put(csv, "%.4f", r->search);
    put(csv, "%.4f", r->refine);
    put(csv, "%.4f", l->bound_seconds);
    fprintf(csv, ",%" PRIu64 ",%" PRIu64, r->evaluations, r->queries);
    put(csv, "%.2f", l->scan_ratio);
    put(csv, "%.0f", l->heap);
    fprintf(csv, ",%d\n", r->stopped_early);
    fflush(csv);
}

/* ---- runs ---- */

static void fail(const char *what, const shoal_error *err)
{
    fprintf(stderr, "bench: %s: %s\n", what, err->message);
    exit(1);
}

/* Short runs are made three times and the quickest one counts: the machine may have other work. */
static trial run_fastest(const shoal_table *table, const trial_setup *setup)
{
    shoal_error err = { 0 };
    trial best = { 0 };
    for (int i = 0; i < 3; i++) {
        trial now;
        if (trial_run(&now, table, setup, &err) != SHOAL_OK) fail(setup->algorithm, &err);
        double seconds = now.encode + now.search + now.refine;
        if (i == 0 || seconds < best.encode + best.search + best.refine) best = now;
        if (seconds > short_run) break;
    }
    return best;
}

static line run_one(const bench *b, const bench_table *t, const shoal_table *table,
                    const trial_setup *setup)
{
    line l = {
        t->label, setup->algorithm, setup->params, setup->k, setup->threads, -1, -1, -1, -1, -1,
        { 0 }
    };
    l.read = b->read[t - tables];
    size_t before = atomic_load(&heap_now);
    atomic_store(&heap_most, before);
    l.result = run_fastest(table, setup);
    l.heap = (double)(atomic_load(&heap_most) - before);
    return l;
}

/* One algorithm at every k, until a run takes too long. */
static void run_algorithm(bench *b, const bench_table *t, const shoal_table *table,
                          size_t algorithm, size_t variant, const double *bounds,
                          const double *bound_seconds)
{
    const char *name = shoal_algorithm_name(algorithm);
    /* the others have one k on large tables */
    bool is_main = algorithm == 0 || strcmp(name, "kmembers") == 0;
    for (size_t i = 0; t->ks[i] != 0; i++) {
        bool is_large = t - tables >= MEDIUM;
        if (b->is_quick && t->ks[i] != 10 && (t->ks[i] != 100 || is_large)) continue;
        if (is_large && !is_main && t->ks[i] != 10) continue;
        trial_setup setup = { name, variant_params[variant], t->ks[i], b->threads, t->limit };
        line l = run_one(b, t, table, &setup);
        l.bound = bounds[i];
        l.bound_seconds = bound_seconds[i];
        print_line(b->csv, &l);
        if (t->ks[i] == 10 && !l.result.stopped_early)
            b->marks[t - tables][algorithm][variant] = (mark){ l.result.search, l.result.refine };
        if (l.result.stopped_early ||
            (is_large && l.result.search + l.result.refine > 2 * long_run)) {
            if (t->ks[i + 1] != 0)
                printf("%-15s %-20s other k are left out: too slow\n", t->label, name);
            return;
        }
    }
}

/* k-Members by tree and by scan, one thread each, where the scan is expected to end within its
 * limit. */
static void run_reference(bench *b, const bench_table *t, const shoal_table *table)
{
    for (size_t i = 0; t->ks[i] != 0; i++) {
        if (b->is_quick && t->ks[i] != 10) continue;
        trial_setup setup = { "kmembers", "search=tree", t->ks[i], 1, t->limit };
        line tree = run_one(b, t, table, &setup);
        double expected = b->scan_rate * (double)tree.result.queries *
                          (double)tree.result.n_classes;
        bool is_tried = expected < scan_limit && (t - tables < MEDIUM || b->scan_rate > 0);
        if (is_tried) {
            setup.params = "search=scan";
            setup.time_limit = scan_limit;
            line scan = run_one(b, t, table, &setup);
            if (!scan.result.stopped_early) {
                tree.scan_ratio = scan.result.search / tree.result.search;
                b->scan_rate = scan.result.search / (double)scan.result.evaluations;
                b->n_different += scan.result.n_groups != tree.result.n_groups ||
                                  scan.result.gcp != tree.result.gcp;
            }
            print_line(b->csv, &scan);
        }
        print_line(b->csv, &tree);
        if (!is_tried) {
            printf("%-15s %-20s the scan would take too long: left out\n", t->label, "kmembers");
            return;
        }
    }
}

static void find_bounds(const bench *b, const bench_table *t, const shoal_table *table,
                        double *bounds, double *seconds)
{
    for (size_t i = 0; t->ks[i] != 0; i++) {
        bounds[i] = seconds[i] = -1;
        if (!t->has_bound || (b->is_quick && t->ks[i] != 10)) continue;
        double bound, start = bench_seconds();
        if (shoal_bound(&bound, table, t->ks[i], b->threads, NULL, NULL) != SHOAL_OK) continue;
        bounds[i] = bound;
        seconds[i] = bench_seconds() - start;
    }
}

static bool has_effort(size_t algorithm)
{
    for (size_t p = 0; p < shoal_algorithm_n_params(algorithm); p++)
        if (strcmp(shoal_algorithm_param(algorithm, p)->name, "effort") == 0) return true;
    return false;
}

static void run_table(bench *b, size_t index)
{
    const bench_table *t = &tables[index];
    shoal_error err = { 0 };
    shoal_table *table = NULL;
    double bounds[N_KS], bound_seconds[N_KS];
    /* the quickest of three: the first one may find the file on the disk only */
    for (int i = 0; i < 3; i++) {
        double seconds;
        shoal_table_free(table);
        if (dataset_open(&table, b->folder, t->name, b->threads, &seconds, &err) != SHOAL_OK)
            fail(t->name, &err);
        if (i == 0 || seconds < b->read[index]) b->read[index] = seconds;
    }
    shoal_table_set_domain(table, t->data_only);
    find_bounds(b, t, table, bounds, bound_seconds);
    for (size_t a = 0; a < shoal_algorithm_count() && a < MAX_ALGORITHMS; a++) {
        if (shoal_algorithm_needs_params(a)) continue;
        if (dataset_needs_sensitive(shoal_algorithm_name(a))) continue;
        if (t->data_only && a != 0 && strcmp(shoal_algorithm_name(a), "kmembers") != 0) continue;
        size_t n_variants = index >= MEDIUM && has_effort(a) ? N_VARIANTS : LEAST_EFFORT;
        for (size_t v = DEFAULTS; v < n_variants; v++) {
            mark medium = b->marks[MEDIUM][a][v];
            bool is_long = medium.search < 0 || medium.search + medium.refine > long_run;
            if (index == LARGE && is_long && a != 0) /* the default is run whatever it takes */
                printf("%-15s %-20s left out: more than %.0f s on %s\n", t->label,
                       shoal_algorithm_name(a), long_run, tables[MEDIUM].label);
            else
                run_algorithm(b, t, table, a, v, bounds, bound_seconds);
        }
    }
    if (index != LARGE && !t->data_only) run_reference(b, t, table);
    shoal_table_free(table);
    printf("\n");
}

/* ---- closing lines ---- */

static void print_growth(const char *algorithm, const char *params, mark medium, mark large,
                         double read)
{
    if (medium.search <= 0 || large.search <= 0) return;
    char name[64];
    snprintf(name, sizeof name, "%s %s", algorithm, params);
    printf("%-20s 300 k to 3 million rows, k = 10: search grows as n^%.2f", name,
           log10(large.search / medium.search));
    if (medium.refine > 0.01 && large.refine > 0.01)
        printf(", search and refine as n^%.2f",
               log10((large.search + large.refine) / (medium.search + medium.refine)));
    printf("; search / read on 3 million: %.2f\n", large.search / read);
}

int main(int argc, char **argv)
{
    static bench b;
    if (argc != 3) {
        fprintf(stderr, "usage: bench FOLDER OUT.csv\n");
        return 2;
    }
    const char *quick = getenv("BENCH_QUICK"), *threads = getenv("BENCH_THREADS");
    b.folder = argv[1];
    b.is_quick = quick != NULL && strcmp(quick, "0") != 0 && quick[0] != '\0';
    b.threads = threads != NULL ? (uint32_t)strtoul(threads, NULL, 10) : 2;
    b.csv = fopen(argv[2], "w");
    if (b.csv == NULL) {
        fprintf(stderr, "bench: cannot write %s\n", argv[2]);
        return 1;
    }
    for (size_t t = 0; t < N_TABLES; t++)
        for (size_t a = 0; a < MAX_ALGORITHMS * N_VARIANTS; a++)
            b.marks[t][a / N_VARIANTS][a % N_VARIANTS] = (mark){ -1, -1 };
    shoal_set_allocator(counting_alloc, NULL);
    printf("shoal %s, %u threads; seconds; a run with ! was stopped by its time limit\n\n",
           shoal_version(), b.threads);
    print_header(b.csv);
    for (size_t t = 0; t < N_TABLES; t++)
        if (dataset_exists(b.folder, tables[t].name) && (!b.is_quick || tables[t].in_quick))
            run_table(&b, t);
    for (size_t a = 0; a < shoal_algorithm_count() && a < MAX_ALGORITHMS; a++)
        for (size_t v = 0; v < N_VARIANTS && !shoal_algorithm_needs_params(a); v++)
            print_growth(shoal_algorithm_name(a), variant_params[v], b.marks[MEDIUM][a][v],
                         b.marks[LARGE][a][v], b.read[LARGE]);
    if (b.n_different > 0)
        printf("%zu scans found other groups than the tree: that is a mistake\n", b.n_different);
    fclose(b.csv);
    return b.n_different > 0;
}
