/* SPDX-License-Identifier: Apache-2.0 */
/* series_terms.c - settings that must not change within a series, as lines of words separated by
 * tabs, and settings that a series does not support.
 *
 * The guarantee about differences holds for one k, one set of models and one set of columns: cells
 * of earlier releases were made for them. Models must hold for unions, since the difference of two
 * distant releases is a union of batches, and must depend on the group only, because the whole
 * table changes from release to release.
 *
 * For example
 *
 *     k           3
 *     record-key  id
 *     qid         age      numeric
 *     sensitive   disease  categorical
 *     missing     own-category
 *
 * then a line for each text that means missing, and for each model. A later release must produce
 * the same lines.
 */
#include "series/series_terms.h"

#include "series/invariance.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a series can keep ---- */

static shoal_status check_models(const shoal_plan *plan, shoal_error *err)
{
    const unsigned alien = SHOAL_MODEL_COMPARES_WITH_TABLE | SHOAL_MODEL_NEEDS_POPULATION |
                           SHOAL_MODEL_NEEDS_ORIGINAL | SHOAL_MODEL_NEEDS_HIERARCHY;
    for (size_t m = 0; m < plan->n_models; m++) {
        size_t index = shoal_model_find(plan->models[m].name);
        if (index == SIZE_MAX) continue; /* reported elsewhere */
        unsigned traits = shoal_model_traits(index);
        if ((traits & alien) == 0 && (traits & SHOAL_MODEL_HOLDS_FOR_UNIONS) != 0) continue;
        return shoal_fail(err, SHOAL_EINVAL,
                          "%s is not supported in a series: it depends on more than the group, or "
                          "may fail for the union of two groups {fix} use l-diversity, alpha or "
                          "p-sensitive, or release without {--series}",
                          plan->models[m].name);
    }
    return SHOAL_OK;
}

/* Methods whose releases are not groups of one table cannot be continued. */
static shoal_status check_method(const shoal_plan *plan, shoal_error *err)
{
    size_t index = plan->algorithm != NULL ? shoal_algorithm_index(plan->algorithm) : 0;
    if (shoal_algorithm_traits(index) &
        (SHOAL_METHOD_WRITES_TWO_TABLES | SHOAL_METHOD_GENERALISES_SENSITIVE))
        return shoal_fail(err, SHOAL_EINVAL,
                          "algorithm '%s' is not supported in a series {fix} choose another one",
                          plan->algorithm);
    if (plan->recoding > SHOAL_RECODE_SET + 1)
        return shoal_fail(err, SHOAL_EINVAL,
                          "this {--recoding} is not supported in a series {fix} use {--recoding} "
                          "local, node, interval or set");
    if (plan->suppressed == 2 || plan->missing == SHOAL_MISSING_WILDCARD + 1)
        return shoal_fail(err, SHOAL_EINVAL,
                          "{--suppressed} exempt and {--missing} wildcard are not supported in a "
                          "series {fix} remove them");
    shoal_model_spec *models = shoal_alloc(plan->n_models + SHOAL_MAX_PROMISES, sizeof *models);
    if (models == NULL) return shoal_fail_memory(err);
    bool promises_more = shoal_verified_models(models, plan) > plan->n_models;
    shoal_free(models);
    if (promises_more)
        return shoal_fail(err, SHOAL_EINVAL,
                          "algorithm '%s' has its own guarantees, which earlier releases may not "
                          "satisfy {fix} choose another one, and name its models",
                          plan->algorithm);
    return SHOAL_OK;
}

/* Conditions on the table: a record key that is not published, at most one person column, and rows
 * in memory. */
static shoal_status check_table(const shoal_table *table, const shoal_plan *plan, shoal_error *err)
{
    size_t key = plan->record_key != NULL ? shoal_table_find_column(table, plan->record_key)
                                          : SIZE_MAX,
           n_persons = 0;
    if (plan->record_key == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "a series needs a record key, the column that identifies a record across "
                          "releases {fix} name it with {--record-key}");
    if (key == SIZE_MAX)
        return shoal_fail(err, SHOAL_EINVAL,
                          "the table has no column '{column %.200s}', the record key of the series",
                          plan->record_key);
    shoal_role role = table->columns[key].role;
    if (role == SHOAL_ROLE_QUASI || role == SHOAL_ROLE_SENSITIVE || role == SHOAL_ROLE_CLASS ||
        role == SHOAL_ROLE_OTHER || role == SHOAL_ROLE_COUNT)
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %.200s}' is the record key and would be published {fix} "
                          "remove its role, or make it an identifier",
                          plan->record_key);
    for (size_t c = 0; c < table->n_columns; c++)
        n_persons += shoal_role_is_person(table->columns[c].role);
    if (n_persons > 1)
        return shoal_fail(err, SHOAL_EINVAL,
                          "a series supports one column that identifies persons {fix} name one "
                          "with {--entity} or {--pseudonym}");
    if (!shoal_table_has_text(table) || shoal_table_is_weighted(table) ||
        shoal_table_is_streamed(table) || !shoal_table_has_header(table))
        return shoal_fail(err, SHOAL_EINVAL,
                          "a series needs CSV text with a header, with all rows in memory {fix} "
                          "remove {--counts}, {--memory-limit} and {--no-header}");
    if (table->missing == SHOAL_MISSING_WILDCARD || table->exempts_suppressed || plan->k == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "a series needs k, without exempt rows and without {--missing} wildcard");
    return SHOAL_OK;
}

/* ---- lines ---- */

static const char *missing_name(shoal_missing missing)
{
    return missing == SHOAL_MISSING_CONSERVATIVE ? "conservative" : "own-category";
}

/* The words are part of the recorded state: they must not change with those of plans. */
static const char *type_name(shoal_type type)
{
    return type == SHOAL_TYPE_NUMERIC ? "numeric"
           : type == SHOAL_TYPE_DATE  ? "date"
                                      : "categorical";
}

/* The column of a role whose turn it is, or SIZE_MAX: methods see quasi-identifiers in the order of
 * their ranks. */
static size_t next_column(const shoal_table *table, shoal_role role, uint32_t *rank)
{
    size_t next = SIZE_MAX;
    for (size_t c = 0; c < table->n_columns; c++) {
        const shoal_column *column = &table->columns[c];
        if (column->role == role && column->role_rank >= *rank &&
            (next == SIZE_MAX || column->role_rank < table->columns[next].role_rank))
            next = c;
    }
    if (next != SIZE_MAX) *rank = table->columns[next].role_rank + 1;
    return next;
}

/* Names become words between tabs, so they must not contain any. */
static shoal_status add_columns(shoal_buffer *text, const shoal_table *table, shoal_role role,
                                const char *word, shoal_error *err)
{
    uint32_t rank = 0;
    for (size_t c; (c = next_column(table, role, &rank)) != SIZE_MAX;) {
        const shoal_column *column = &table->columns[c];
        if (strpbrk(column->name, "\t\r\n") != NULL)
            return shoal_fail(err, SHOAL_EINVAL,
                              "column %zu has a tab or a line break in its name, which a series "
                              "does not support {fix} rename it",
                              c + 1);
        const char *format = shoal_table_format(table, c);
        shoal_buffer_print(text, "%s\t%s\t%s%s%s\n", word, column->name, type_name(column->type),
                           format != NULL ? "\t" : "", format != NULL ? format : "");
    }
    return SHOAL_OK;
}

static void add_persons(shoal_buffer *text, const shoal_table *table)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (shoal_role_is_person(table->columns[c].role))
            shoal_buffer_print(text, "person\t%s\n", table->columns[c].name);
}

/* Refuses what a series does not support, then writes the settings that later releases must repeat.
 */
shoal_status shoal_series_settings_of(char **out, const shoal_table *table, const shoal_plan *plan,
                                      shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_models(plan, err));
    SHOAL_RETURN_IF_ERROR(check_table(table, plan, err));
    SHOAL_RETURN_IF_ERROR(check_method(plan, err));
    if (plan->m_invariance > 0) SHOAL_RETURN_IF_ERROR(shoal_invariance_refuse(table, plan, err));
    shoal_buffer text = { 0 };
    shoal_buffer_print(&text, "k\t%u\nrecord-key\t%s\n", plan->k, plan->record_key);
    if (plan->m_invariance > 0) shoal_buffer_print(&text, "m-invariance\t%u\n", plan->m_invariance);
    shoal_status status = add_columns(&text, table, SHOAL_ROLE_QUASI, "qid", err);
    if (status == SHOAL_OK)
        status = add_columns(&text, table, SHOAL_ROLE_SENSITIVE, "sensitive", err);
    add_persons(&text, table);
    shoal_buffer_print(&text, "missing\t%s\n", missing_name(table->missing));
    for (size_t i = 0; i < table->n_nulls; i++)
        shoal_buffer_print(&text, "null\t%s\n", table->nulls[i]);
    for (size_t m = 0; m < plan->n_models; m++)
        shoal_buffer_print(&text, "model\t%s\t%s\t%s\n", plan->models[m].name,
                           plan->models[m].value,
                           plan->models[m].column != NULL ? plan->models[m].column : "");
    if (status == SHOAL_OK && text.failed) status = shoal_fail_memory(err);
    if (status == SHOAL_OK)
        *out = text.data;
    else
        shoal_buffer_clear(&text);
    return status;
}

enum { SHOWN = 100 };

/* A line of the settings for a message: blanks for tabs, which messages do not print. */
static void show_line(char out[SHOWN + 1], const char *line, size_t length)
{
    size_t n = length < SHOWN ? length : SHOWN;
    for (size_t i = 0; i < n; i++) out[i] = line[i] == '\t' ? ' ' : line[i];
    out[n] = '\0';
}

/* Settings hold names and limits, never a cell, so the lines may be shown. */
static shoal_status fail_otherwise(const char *before, size_t n, const char *now, size_t m,
                                   shoal_error *err)
{
    char was[SHOWN + 1], is[SHOWN + 1];
    show_line(was, before, n);
    show_line(is, now, m);
    return shoal_fail(
        err, SHOAL_EINVAL,
        "the settings differ from the first release of the series: '%s' is now '%s' {fix} use the "
        "settings of the first release, or start another series with other persons",
        was, is);
}

/* Compares line by line, so that the message can show the first difference. */
shoal_status shoal_series_settings_compare(const char *before, const char *now, shoal_error *err)
{
    while (*before != '\0' || *now != '\0') {
        size_t n = strcspn(before, "\n"), m = strcspn(now, "\n");
        if (n != m || memcmp(before, now, n) != 0) return fail_otherwise(before, n, now, m, err);
        before += n + (before[n] == '\n');
        now += m + (now[m] == '\n');
    }
    return SHOAL_OK;
}

/* ---- reading them ---- */

/* Cut off the next word of a line; "" at its end. */
static const char *next_word(char **at)
{
    char *word = *at, *tab = strchr(word, '\t');
    if (tab != NULL) *tab = '\0';
    *at = tab != NULL ? tab + 1 : word + strlen(word);
    return word;
}

/* Unknown words are ignored: a newer version may have added a line. */
static void read_line(shoal_series_terms *t, char *line)
{
    const char *word = next_word(&line);
    if (strcmp(word, "k") == 0)
        t->k = (uint32_t)strtoul(next_word(&line), NULL, 10);
    else if (strcmp(word, "m-invariance") == 0)
        t->m = (uint32_t)strtoul(next_word(&line), NULL, 10);
    else if (strcmp(word, "qid") == 0)
        t->quasi[t->n_quasi++] = next_word(&line);
    else if (strcmp(word, "null") == 0)
        t->nulls[t->n_nulls++] = line;
    else if (strcmp(word, "sensitive") == 0) {
        t->sensitive[t->n_sensitive] = next_word(&line);
        t->types[t->n_sensitive] = next_word(&line);
        t->formats[t->n_sensitive++] = next_word(&line);
    } else if (strcmp(word, "person") == 0)
        t->by_person = true;
    else if (strcmp(word, "model") == 0) {
        shoal_model_spec *model = &t->models[t->n_models++];
        model->name = next_word(&line);
        model->value = next_word(&line);
        model->column = next_word(&line);
        if (*model->column == '\0') model->column = NULL;
    }
}

/* `out` keeps a copy of the text, into which its words point. */
shoal_status shoal_series_terms_read(shoal_series_terms *out, const char *settings,
                                     shoal_error *err)
{
    size_t n_lines = 1;
    for (const char *at = settings; *at != '\0'; at++) n_lines += *at == '\n';
    shoal_series_terms t = { .text = shoal_copy_text(settings, strlen(settings)),
                             .quasi = shoal_alloc(n_lines, sizeof *t.quasi),
                             .sensitive = shoal_alloc(n_lines, sizeof *t.sensitive),
                             .types = shoal_alloc(n_lines, sizeof *t.types),
                             .formats = shoal_alloc(n_lines, sizeof *t.formats),
                             .nulls = shoal_alloc(n_lines, sizeof *t.nulls),
                             .models = shoal_alloc(n_lines, sizeof *t.models) };
    if (t.text == NULL || t.quasi == NULL || t.sensitive == NULL || t.types == NULL ||
        t.formats == NULL || t.nulls == NULL || t.models == NULL) {
        shoal_series_terms_clear(&t);
        return shoal_fail_memory(err);
    }
    for (char *line = t.text, *end; *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        if (*end == '\n') *end++ = '\0';
        read_line(&t, line);
    }
    *out = t;
    return SHOAL_OK;
}

void shoal_series_terms_clear(shoal_series_terms *terms)
{
    shoal_free(terms->text);
    shoal_free(terms->quasi);
    shoal_free(terms->sensitive);
    shoal_free(terms->types);
    shoal_free(terms->formats);
    shoal_free(terms->nulls);
    shoal_free(terms->models);
    *terms = (shoal_series_terms){ 0 };
}
