/* SPDX-License-Identifier: Apache-2.0 */
/* dataset.c - open a table of the benchmarks: the same eight quasi-identifiers whether it is real
 * or generated.
 *
 * The order of the quasi-identifiers is part of the input (ties go to the one named first), so it
 * is fixed here for every figure that is pinned or published.
 */
#include "dataset.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

const uint32_t bench_ks[N_KS] = { 2, 5, 10, 25, 50, 100 };

static const char *const quasi_identifiers[] = {
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"
};

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char *path_in(char place[PATH_SIZE], const char *folder, const char *name,
                           const char *file)
{
    snprintf(place, PATH_SIZE, "%s/%s/%s", folder, name, file);
    return place;
}

bool dataset_exists(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    return access(path_in(path, folder, name, "table.csv"), R_OK) == 0;
}

/* The plan that every table is read with. */
static shoal_status make_plan(shoal_spec *plan, const char *folder, const char *name,
                              bool is_guarded, shoal_error *err)
{
    char path[PATH_SIZE];
    shoal_status status = shoal_spec_set_string(&plan->hierarchies,
                                                path_in(path, folder, name, "hierarchies"), err);
    if (status != SHOAL_OK) return status;
    plan->rest = SHOAL_ROLE_OTHER;
    for (size_t i = 0; i < sizeof quasi_identifiers / sizeof *quasi_identifiers; i++) {
        shoal_column_spec *column = shoal_spec_column_of(plan, quasi_identifiers[i]);
        if (column == NULL) return SHOAL_ENOMEM;
        bool is_sensitive = is_guarded && strcmp(quasi_identifiers[i], "occupation") == 0;
        column->role = is_sensitive ? SHOAL_ROLE_SENSITIVE : SHOAL_ROLE_QUASI;
        if (strcmp(quasi_identifiers[i], "age") == 0) column->type = SHOAL_TYPE_NUMERIC;
    }
    /* for methods that want one */
    shoal_column_spec *label = shoal_spec_column_of(plan, "salary-class");
    if (label == NULL) return SHOAL_ENOMEM;
    label->role = SHOAL_ROLE_CLASS;
    return SHOAL_OK;
}

static shoal_status open_table(shoal_table **out, const char *folder, const char *name,
                               bool is_guarded, uint32_t threads, double *seconds, shoal_error *err)
{
    char path[PATH_SIZE];
    double start = bench_seconds();
    shoal_table *table = NULL;
    shoal_spec plan = SHOAL_SPEC_INIT;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.threads = threads;
    shoal_status status = make_plan(&plan, folder, name, is_guarded, err);
    if (status == SHOAL_OK)
        status = shoal_table_open_csv(&table, path_in(path, folder, name, "table.csv"), &csv, err);
    if (status == SHOAL_OK) status = shoal_spec_prepare(&plan, table, false, &load, err);
    shoal_spec_clear(&plan);
    if (status != SHOAL_OK) {
        shoal_table_free(table);
        return status;
    }
    if (seconds != NULL) *seconds = bench_seconds() - start;
    *out = table;
    return SHOAL_OK;
}

shoal_status dataset_open(shoal_table **out, const char *folder, const char *name, uint32_t threads,
                          double *seconds, shoal_error *err)
{
    return open_table(out, folder, name, false, threads, seconds, err);
}

shoal_status dataset_open_protected(shoal_table **out, const char *folder, const char *name,
                                    uint32_t threads, shoal_error *err)
{
    return open_table(out, folder, name, true, threads, NULL, err);
}

bool dataset_needs_sensitive(const char *algorithm)
{
    static const char *const names[] = { "toc", "upc", "kmembers-p" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(algorithm, names[i]) == 0) return true;
    return false;
}
