/* SPDX-License-Identifier: Apache-2.0 */
/* results.c - quality that is pinned: what each algorithm loses on fixed tables, written down and
 * compared. Methods that protect sensitive values run on the same tables with occupation as such a
 * column.
 *
 *   results print FOLDER OLD   every row anew, as CSV on standard output; rows of OLD whose table
 * is not in FOLDER are kept, so that a machine without Adult does not drop them results add FOLDER
 * OLD     the same, but what OLD holds is not run again: for new algorithms results check FOLDER
 * OLD   run again what OLD holds and complain where gcp got worse
 *
 * Seconds are not pinned: results are the same on every machine, times are not. gcp is written with
 * six digits, so a difference counts when it is more than 1e-6.
 */
#include "dataset.h"
#include "timed_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char header[] = "dataset,algorithm,k,params,rows,groups,gcp,dm,suppressed";
static const double tolerance = 1e-6;

enum { NAME_SIZE = 64, MAX_ROWS = 1024, LINE_SIZE = 512 };

/* One line of results.csv. */
typedef struct pin {
    char dataset[NAME_SIZE], algorithm[NAME_SIZE], params[NAME_SIZE];
    uint32_t k, n_groups;
    uint64_t n_rows, n_suppressed;
    double gcp, dm;
    bool seen; /* compared, or not wanted here */
} pin;

typedef struct pins {
    pin rows[MAX_ROWS];
    size_t n;
} pins;

/* A table and the k it is pinned for; a check takes fewer of Adult's to end soon. */
typedef struct pinned_table {
    const char *name;
    uint32_t ks[N_KS + 1], check_ks[N_KS + 1]; /* ended by 0 */
} pinned_table;

static const pinned_table tables[] = {
    { "census-2000", { 2, 5, 10, 25 }, { 2, 5, 10, 25 } },
    { "census-10000", { 2, 5, 10, 25 }, { 2, 5, 10, 25 } },
    { "adult30162", { 2, 5, 10, 25, 50, 100 }, { 2, 10, 100 } },
};
enum { N_TABLES = sizeof tables / sizeof *tables };

/* ---- the file ---- */

static bool copy_name(char place[NAME_SIZE], const char *text)
{
    size_t length = strlen(text);
    if (length >= NAME_SIZE) return false;
    memcpy(place, text, length + 1);
    return true;
}

static bool read_pin(pin *out, char *line)
{
    char *field[9], *rest = line;
    for (size_t i = 0; i < 9; i++) {
        if (rest == NULL) return false;
        field[i] = rest;
        rest = strchr(rest, i < 8 ? ',' : '\n');
        if (rest != NULL) *rest++ = '\0';
    }
    *out = (pin){ .k = (uint32_t)strtoul(field[2], NULL, 10),
                  .n_rows = strtoull(field[4], NULL, 10),
                  .n_groups = (uint32_t)strtoul(field[5], NULL, 10),
                  .gcp = strtod(field[6], NULL),
                  .dm = strtod(field[7], NULL),
                  .n_suppressed = strtoull(field[8], NULL, 10) };
    return out->k > 0 && copy_name(out->dataset, field[0]) && copy_name(out->algorithm, field[1]) &&
           copy_name(out->params, field[3]);
}

/* A file that is not there has no rows; one that cannot be understood ends the program. */
static void read_pins(pins *out, const char *path)
{
    out->n = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) return;
    char line[LINE_SIZE];
    for (size_t number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        if (number == 1) continue;
        if (out->n == MAX_ROWS || !read_pin(&out->rows[out->n++], line)) {
            fprintf(stderr, "%s: line %zu cannot be read\n", path, number);
            exit(2);
        }
    }
    fclose(file);
}

static pin *find_pin(pins *all, const char *dataset, const char *algorithm, uint32_t k,
                     const char *params)
{
    for (size_t i = 0; i < all->n; i++) {
        pin *p = &all->rows[i];
        if (p->k == k && strcmp(p->params, params) == 0 && strcmp(p->dataset, dataset) == 0 &&
            strcmp(p->algorithm, algorithm) == 0)
            return p;
    }
    return NULL;
}

static void print_pin(const char *dataset, const char *algorithm, uint32_t k, const char *params,
                      uint64_t n_rows, uint32_t n_groups, double gcp, double dm,
                      uint64_t n_suppressed)
{
    printf("%s,%s,%u,%s,%" PRIu64 ",%u,%.6f,%.0f,%" PRIu64 "\n", dataset, algorithm, k, params,
           n_rows, n_groups, gcp, dm, n_suppressed);
}

/* ---- running ---- */

static void fail(const char *what, const shoal_error *err)
{
    fprintf(stderr, "results: %s: %s\n", what, err->message);
    exit(1);
}

/* What a method that has no defaults is pinned with; NULL: it is not pinned, since what it loses
 * depends on them. */
static const char *params_of(size_t algorithm)
{
    if (!shoal_algorithm_needs_params(algorithm)) return "";
    return strcmp(shoal_algorithm_name(algorithm), "upc") == 0 ? "U=0.7 P=0.5" : NULL;
}

static trial run(const shoal_table *table, const char *algorithm, uint32_t k, const char *params)
{
    shoal_error err = { 0 };
    trial result;
    trial_setup setup = { .algorithm = algorithm, .params = params, .k = k, .threads = 2 };
    if (trial_run(&result, table, &setup, &err) != SHOAL_OK) fail(algorithm, &err);
    return result;
}

/* A table with its usual roles, and with a sensitive column; none where it is not in the folder. */
typedef struct table_pair {
    shoal_table *plain, *protected;
} table_pair;

static table_pair open_tables(const char *folder, const char *name)
{
    shoal_error err = { 0 };
    table_pair pair = { 0 };
    if (!dataset_exists(folder, name)) return pair;
    if (dataset_open(&pair.plain, folder, name, 2, NULL, &err) != SHOAL_OK) fail(name, &err);
    if (dataset_open_protected(&pair.protected, folder, name, 2, &err) != SHOAL_OK)
        fail(name, &err);
    return pair;
}

static void free_tables(table_pair pair)
{
    shoal_table_free(pair.plain);
    shoal_table_free(pair.protected);
}

static const shoal_table *table_for(const table_pair *pair, const char *algorithm)
{
    return dataset_needs_sensitive(algorithm) ? pair->protected : pair->plain;
}

static void reprint_pin(const pin *p)
{
    print_pin(p->dataset, p->algorithm, p->k, p->params, p->n_rows, p->n_groups, p->gcp, p->dm,
              p->n_suppressed);
}

static void print_table(const char *folder, pins *old, const pinned_table *wanted, bool only_new)
{
    table_pair tables_here = open_tables(folder, wanted->name);
    if (tables_here.plain == NULL) { /* keep what another machine found */
        for (size_t i = 0; i < old->n; i++) {
            const pin *p = &old->rows[i];
            if (strcmp(p->dataset, wanted->name) == 0) reprint_pin(p);
        }
        return;
    }
    for (size_t a = 0; a < shoal_algorithm_count(); a++) {
        const char *name = shoal_algorithm_name(a), *params = params_of(a);
        if (params == NULL) continue;
        for (const uint32_t *k = wanted->ks; *k != 0; k++) {
            const pin *known = find_pin(old, wanted->name, name, *k, params);
            if (only_new && known != NULL) {
                reprint_pin(known);
                continue;
            }
            trial r = run(table_for(&tables_here, name), name, *k, params);
            print_pin(wanted->name, name, *k, params, r.n_rows, r.n_groups, r.gcp, r.dm,
                      r.n_suppressed);
        }
    }
    free_tables(tables_here);
}

/* ---- checking ---- */

typedef struct tally {
    size_t passed, failed, skipped, better, fresh;
} tally;

static void compare(tally *count, const pin *old, const trial *now)
{
    if (old->n_rows != now->n_rows) {
        printf("WORSE  %s %s k=%u: %" PRIu64 " rows instead of %" PRIu64
               ": the table is another one\n",
               old->dataset, old->algorithm, old->k, now->n_rows, old->n_rows);
        count->failed++;
    } else if (now->gcp > old->gcp + tolerance) {
        printf("WORSE  %s %s k=%u: gcp %.6f, pinned %.6f\n", old->dataset, old->algorithm, old->k,
               now->gcp, old->gcp);
        count->failed++;
    } else {
        count->passed++;
        bool is_better = now->gcp < old->gcp - tolerance;
        count->better += is_better;
        if (is_better)
            printf("better %s %s k=%u: gcp %.6f, pinned %.6f\n", old->dataset, old->algorithm,
                   old->k, now->gcp, old->gcp);
    }
}

/* Is this k run again by a check? */
static bool is_checked(const pinned_table *wanted, uint32_t k)
{
    for (const uint32_t *checked = wanted->check_ks; *checked != 0; checked++)
        if (*checked == k) return true;
    return false;
}

static void check_table(tally *count, const char *folder, pins *old, const pinned_table *wanted)
{
    table_pair tables_here = open_tables(folder, wanted->name);
    bool is_here = tables_here.plain != NULL;
    for (size_t i = 0; i < old->n; i++)
        if (strcmp(old->rows[i].dataset, wanted->name) == 0)
            old->rows[i].seen = !is_here || !is_checked(wanted, old->rows[i].k);
    if (!is_here) {
        printf("skipped: %s, which is not here (see SHOAL_DATA in docs/performance.md)\n",
               wanted->name);
        count->skipped++;
        return;
    }
    for (size_t a = 0; a < shoal_algorithm_count(); a++) {
        const char *name = shoal_algorithm_name(a), *params = params_of(a);
        if (params == NULL) continue;
        for (const uint32_t *k = wanted->check_ks; *k != 0; k++) {
            pin *p = find_pin(old, wanted->name, name, *k, params);
            if (p == NULL) {
                printf("new    %s %s k=%u is not pinned yet\n", wanted->name, name, *k);
                count->fresh++;
                continue;
            }
            p->seen = true;
            trial now = run(table_for(&tables_here, name), name, *k, params);
            compare(count, p, &now);
        }
    }
    free_tables(tables_here);
}

static int check(const char *folder, pins *old)
{
    tally count = { 0 };
    for (size_t t = 0; t < N_TABLES; t++) check_table(&count, folder, old, &tables[t]);
    for (size_t i = 0; i < old->n; i++) {
        if (old->rows[i].seen) continue;
        printf("GONE   %s %s k=%u is pinned but no longer run\n", old->rows[i].dataset,
               old->rows[i].algorithm, old->rows[i].k);
        count.failed++;
    }
    if (count.better + count.fresh > 0)
        printf("%zu better, %zu new: pin them with 'make results' and commit bench/results.csv\n",
               count.better, count.fresh);
    if (count.failed > 0)
        printf("If the change is meant, pin it with 'make results', and say why in the commit.\n");
    /* a check of nothing is no check */
    if (count.passed + count.failed == 0 && count.fresh == 0) count.failed++;
    printf("%zu passed, %zu failed, %zu skipped\n", count.passed, count.failed, count.skipped);
    return count.failed > 0;
}

int main(int argc, char **argv)
{
    static pins old;
    if (argc != 4 || (strcmp(argv[1], "print") != 0 && strcmp(argv[1], "add") != 0 &&
                      strcmp(argv[1], "check") != 0)) {
        fprintf(stderr, "usage: results print|add|check FOLDER RESULTS.CSV\n");
        return 2;
    }
    read_pins(&old, argv[3]);
    if (strcmp(argv[1], "check") == 0) return check(argv[2], &old);
    puts(header);
    for (size_t t = 0; t < N_TABLES; t++)
        print_table(argv[2], &old, &tables[t], strcmp(argv[1], "add") == 0);
    return 0;
}
