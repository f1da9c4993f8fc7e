/* SPDX-License-Identifier: Apache-2.0 */
/* engine_open.c - the table that the workbench looks at: its text in memory, and a view with every
 * column encoded.
 *
 * The text stays where it is while tables are opened on it: the view, one for each release, one for
 * the frontier.
 */
#include "engine.h"

#include <stdlib.h>

static void forget_view(engine_state *e)
{
    for (size_t i = 0; i < ENGINE_MAX_RELEASES; i++) engine_release_clear(&e->releases[i]);
    engine_job_clear(&e->trials);
    shoal_table_free(e->view);
    e->view = NULL;
}

void engine_forget_table(engine_state *e)
{
    forget_view(e);
    shoal_reallocate(e->text, 0);
    e->text = NULL;
    e->size = 0;
}

static json_t *text_json(const engine_state *e)
{
    return json_pack("{s:I, s:I}", "at", (json_int_t)(uintptr_t)e->text, "size",
                     (json_int_t)e->size);
}

/* Read and unpack the file at "path", which the page has put there. */
shoal_status engine_unpack(engine_state *e, const json_t *request, json_t **answer,
                           shoal_error *err)
{
    engine_forget_table(e);
    ENGINE_RETURN_IF_ERROR(
        shoal_io_read(&e->text, &e->size, engine_string(request, "path", ""), err));
    *answer = text_json(e);
    return SHOAL_OK;
}

/* Where the text is. */
shoal_status engine_place(engine_state *e, const json_t *request, json_t **answer, shoal_error *err)
{
    (void)request;
    if (e->text == NULL)
        return shoal_fail(err, SHOAL_EINVAL, "no table is open {fix} open one first");
    *answer = text_json(e);
    return SHOAL_OK;
}

/* Take over a block that the page has allocated and filled: the text in another encoding. */
shoal_status engine_replace_text(engine_state *e, const json_t *request, json_t **answer,
                                 shoal_error *err)
{
    (void)err;
    engine_forget_table(e);
    e->text = (char *)(uintptr_t)engine_number(request, "at", 0);
    e->size = (size_t)engine_number(request, "size", 0);
    *answer = text_json(e);
    return SHOAL_OK;
}

static shoal_status set_nulls(shoal_table *table, const json_t *list, shoal_error *err)
{
    size_t n = json_array_size(list);
    if (n == 0) return SHOAL_OK;
    const char **strings = calloc(n, sizeof *strings);
    if (strings == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        strings[i] = text != NULL ? text : "";
    }
    shoal_status status = shoal_table_set_nulls(table, strings, n, SHOAL_MISSING_OWN_CATEGORY, err);
    free(strings);
    return status;
}

static shoal_status load_view(engine_state *e, const json_t *request, shoal_error *err)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    options.callbacks = &e->callbacks;
    ENGINE_RETURN_IF_ERROR(
        shoal_table_open_memory(&e->view, e->text, e->size, NULL, NULL, &e->csv, err));
    shoal_status status = set_nulls(e->view, json_object_get(request, "nulls"), err);
    if (status == SHOAL_OK) status = shoal_table_load(e->view, &options, err);
    if (status != SHOAL_OK) {
        shoal_table_free(e->view);
        e->view = NULL;
    }
    return status;
}

static json_t *names_json(const shoal_table *table)
{
    json_t *names = json_array();
    for (size_t i = 0; i < shoal_table_n_columns(table); i++) {
        const char *name = shoal_table_column_name(table, i);
        json_array_append_new(names, engine_text(name, strlen(name)));
    }
    return names;
}

/* Open the text: "delimiter" (none: found), "header", "nulls". */
shoal_status engine_open(engine_state *e, const json_t *request, json_t **answer, shoal_error *err)
{
    const char *delimiter = engine_string(request, "delimiter", "");
    forget_view(e);
    e->csv = (shoal_csv_options)SHOAL_CSV_OPTIONS_INIT;
    e->csv.delimiter = delimiter[0];
    e->csv.no_header = json_is_false(json_object_get(request, "header"));
    ENGINE_RETURN_IF_ERROR(load_view(e, request, err));
    char found[2] = { shoal_table_delimiter(e->view), '\0' };
    *answer = json_pack(
        "{s:I, s:I, s:s, s:I, s:o}", "rows", (json_int_t)shoal_table_n_rows(e->view), "bytes",
        (json_int_t)e->size, "delimiter", found, "odd_names",
        (json_int_t)shoal_table_count_odd_names(e->view), "columns", names_json(e->view));
    return *answer != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

/* A shoal_write_fn: append to the text, growing by doubling. */
typedef struct growing {
    char *text;
    size_t size, capacity;
} growing;

static int append(const void *data, size_t size, void *payload)
{
    growing *g = payload;
    if (g->size + size + 1 > g->capacity) {
        size_t capacity = 2 * (g->size + size + 1);
        char *text = shoal_reallocate(g->text, capacity);
        if (text == NULL) return 12; /* ENOMEM */
        g->text = text;
        g->capacity = capacity;
    }
    memcpy(g->text + g->size, data, size);
    g->size += size;
    return 0;
}

/* Invented persons become the text: "rows", "seed". */
shoal_status engine_generate(engine_state *e, const json_t *request, json_t **answer,
                             shoal_error *err)
{
    growing g = { 0 };
    engine_forget_table(e);
    shoal_status status = shoal_generate_census(engine_number(request, "rows", 5000),
                                                engine_number(request, "seed", 0), 1, append, &g,
                                                err);
    if (status != SHOAL_OK) {
        shoal_reallocate(g.text, 0);
        return status;
    }
    e->text = g.text;
    e->size = g.size;
    *answer = text_json(e);
    return SHOAL_OK;
}
