/* SPDX-License-Identifier: Apache-2.0 */
/* anonymize_file.c - the whole way in one small program: open a CSV file, say what its columns are,
 * and send it through the pipeline, which groups its rows so that each quasi-identifier tuple is
 * shared by at least k of them, and hands out nothing that it has not checked.
 *
 *     anonymize_file INPUT.csv K QUASI,IDENTIFIERS NUMERIC,ONES [OUTPUT.csv]
 *
 * Columns that are not named pass through unchanged. Without OUTPUT the release goes to standard
 * output; the measures go to standard error. Build it with
 *
 *     cc anonymize_file.c $(pkg-config --cflags --libs shoal)
 */
#include <shoal/shoal.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static shoal_status find_column(size_t *out, const shoal_table *table, const char *name,
                                shoal_error *err)
{
    *out = shoal_table_find_column(table, name);
    if (*out != SIZE_MAX) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "the table has no column '{column %s}'", name);
}

/* Lists are separated by commas, and cut up in place. */

/* The order in which quasi-identifiers are named is the order in which algorithms see them. */
static shoal_status set_quasi(shoal_table *table, char *names, shoal_error *err)
{
    for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
        size_t column;
        shoal_status status = find_column(&column, table, name, err);
        if (status == SHOAL_OK) status = shoal_table_set_role(table, column, SHOAL_ROLE_QUASI, err);
        if (status == SHOAL_OK)
            status = shoal_table_set_type(table, column, SHOAL_TYPE_CATEGORICAL, err);
        if (status != SHOAL_OK) return status;
    }
    return SHOAL_OK;
}

static shoal_status set_numeric(shoal_table *table, char *names, shoal_error *err)
{
    for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
        size_t column;
        shoal_status status = find_column(&column, table, name, err);
        if (status == SHOAL_OK)
            status = shoal_table_set_type(table, column, SHOAL_TYPE_NUMERIC, err);
        if (status != SHOAL_OK) return status;
    }
    return SHOAL_OK;
}

static shoal_status open_table(shoal_table **out, char *const *argv, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_status status = shoal_table_open_csv(out, argv[1], &csv, err);
    if (status != SHOAL_OK) return status;

    /* Every column needs a role: what nobody names is not published by accident. */
    for (size_t column = 0; status == SHOAL_OK && column < shoal_table_n_columns(*out); column++)
        status = shoal_table_set_role(*out, column, SHOAL_ROLE_OTHER, err);
    if (status == SHOAL_OK) status = set_quasi(*out, argv[3], err);
    if (status == SHOAL_OK) status = set_numeric(*out, argv[4], err);
    if (status == SHOAL_OK) status = shoal_table_load(*out, &load, err);
    return status;
}

/* Group, publish, read back, verify, measure. The sink holds the release if, and only if, it was
 * verified. */
static shoal_status make_release(shoal_outcome **outcome, shoal_memory_sink *memory,
                                 const shoal_table *table, uint32_t k, shoal_error *err)
{
    shoal_spec asked = SHOAL_SPEC_INIT;
    asked.k = k;
    asked.algorithm = "mondrian";
    const shoal_sink *sink = shoal_memory_sink_of(memory);
    return shoal_pipeline_run(outcome, table, &asked, NULL, sink, err);
}

static void print_measures(const shoal_measures *m, const shoal_table *table)
{
    fprintf(stderr, "%llu rows in %llu groups, the smallest has %llu rows\n",
            (unsigned long long)m->n_rows, (unsigned long long)m->n_groups,
            (unsigned long long)m->min_group);
    fprintf(stderr, "information loss (gcp) %.4f, discernibility %.0f, rows / (groups * k) %.3f\n",
            m->gcp, m->dm, m->cavg);
    for (size_t i = 0; i < m->n_qids; i++)
        fprintf(stderr, "  %-12s %.4f\n", shoal_table_column_name(table, m->qid_column[i]),
                m->qid_loss[i]);
}

static int write_file(const shoal_memory_sink *memory, const char *path)
{
    size_t size;
    const char *text = shoal_memory_sink_text(memory, SHOAL_SINK_RELEASE, &size);
    FILE *file = path == NULL ? stdout : fopen(path, "wb");
    if (file == NULL) return -1;
    int result = fwrite(text, 1, size, file) == size ? 0 : -1;
    if (fflush(file) != 0) result = -1;
    if (path != NULL && fclose(file) != 0) result = -1;
    return result;
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc > 6) {
        fprintf(stderr, "usage: %s INPUT.csv K QUASI,IDENTIFIERS NUMERIC,ONES [OUTPUT.csv]\n",
                argv[0]);
        return 2;
    }
    shoal_error err = { .status = SHOAL_OK };
    shoal_table *table = NULL;
    shoal_memory_sink *memory = NULL;
    shoal_outcome *outcome = NULL;
    /* 0 when it is no number; the library refuses that */
    uint32_t k = (uint32_t)strtoul(argv[2], NULL, 10);

    shoal_status status = open_table(&table, argv, &err);
    if (status == SHOAL_OK) status = shoal_memory_sink_make(&memory, 0, &err);
    if (status == SHOAL_OK) status = make_release(&outcome, memory, table, k, &err);

    int exit_code = shoal_status_exit_code(status);
    if (status != SHOAL_OK) {
        fprintf(stderr, "%s: %s\n", argv[0], err.message);
    } else {
        print_measures(shoal_outcome_measures(outcome), table);
        if (write_file(memory, argc == 6 ? argv[5] : NULL) != 0) {
            fprintf(stderr, "%s: the release could not be written: %s\n", argv[0], strerror(errno));
            exit_code = 1;
        }
    }
    shoal_outcome_free(outcome);
    shoal_memory_sink_free(memory);
    shoal_table_free(table);
    return exit_code;
}
