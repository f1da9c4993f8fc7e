/* SPDX-License-Identifier: Apache-2.0 */
/* engine_hierarchy.c - hierarchies of the columns: built, read, checked against the values of the
 * table. */
#include "engine.h"

#include <stdlib.h>

enum { MOST_HOLES = 200, MOST_NODES = 20000 };

/* Values of the column that the hierarchy lacks: how many, their rows, the first of them. */
static json_t *coverage_json(const shoal_hierarchy *h, const shoal_table *table, size_t column)
{
    uint32_t null_code = shoal_table_null_code(table, column);
    uint64_t n_values = 0, n_holes = 0, rows = 0;
    json_t *holes = json_array();
    for (uint32_t code = 0; code < shoal_table_n_values(table, column); code++) {
        size_t length;
        const char *text = shoal_table_value(table, column, code, &length);
        if (code == null_code) continue;
        n_values++;
        if (shoal_hierarchy_find_leaf(h, text, length) != UINT32_MAX) continue;
        n_holes++;
        rows += shoal_table_value_count(table, column, code);
        if (n_holes <= MOST_HOLES) json_array_append_new(holes, engine_text(text, length));
    }
    return json_pack("{s:I, s:I, s:I, s:o}", "values", (json_int_t)n_values, "uncovered",
                     (json_int_t)n_holes, "uncovered_rows", (json_int_t)rows, "holes", holes);
}

/* Nodes as [label, parent], the root last; null where there are too many to draw. */
static json_t *nodes_json(const shoal_hierarchy *h)
{
    uint32_t n = shoal_hierarchy_n_nodes(h);
    if (n > MOST_NODES) return json_null();
    json_t *nodes = json_array();
    for (uint32_t v = 0; v < n; v++) {
        const char *label = shoal_hierarchy_label(h, v);
        json_array_append_new(nodes, json_pack("[o, I]", engine_text(label, strlen(label)),
                                               (json_int_t)shoal_hierarchy_parent(h, v)));
    }
    return nodes;
}

static shoal_status answer_hierarchy(json_t **answer, const shoal_hierarchy *h,
                                     const engine_state *e, size_t column, shoal_error *err)
{
    char *levels = NULL;
    ENGINE_RETURN_IF_ERROR(shoal_hierarchy_to_levels(&levels, h, err));
    *answer = json_pack(
        "{s:o, s:I, s:I, s:I, s:o, s:o}", "levels", engine_text(levels, strlen(levels)), "leaves",
        (json_int_t)shoal_hierarchy_n_leaves(h), "nodes", (json_int_t)shoal_hierarchy_n_nodes(h),
        "height", (json_int_t)shoal_hierarchy_height(h), "tree", nodes_json(h), "coverage",
        coverage_json(h, e->view, column));
    shoal_string_free(levels);
    return *answer != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status column_of(size_t *column, const engine_state *e, const json_t *request,
                              shoal_error *err)
{
    *column = e->view != NULL
                  ? shoal_table_find_column(e->view, engine_string(request, "column", ""))
                  : SIZE_MAX;
    if (*column != SIZE_MAX) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "the table has no column of this name {fix} open the table first");
}

/* Build one over the values of "column" by "spec". */
shoal_status engine_build_hierarchy(engine_state *e, const json_t *request, json_t **answer,
                                    shoal_error *err)
{
    size_t column;
    shoal_hierarchy *h = NULL;
    ENGINE_RETURN_IF_ERROR(column_of(&column, e, request, err));
    ENGINE_RETURN_IF_ERROR(
        shoal_hierarchy_build_column(&h, e->view, column, engine_string(request, "spec", ""), err));
    shoal_status status = answer_hierarchy(answer, h, e, column, err);
    shoal_hierarchy_free(h);
    return status;
}

/* Read one for "column" from "text", an ARX level file or a table of children and parents. */
shoal_status engine_read_hierarchy(engine_state *e, const json_t *request, json_t **answer,
                                   shoal_error *err)
{
    size_t column;
    shoal_hierarchy *h = NULL;
    const char *text = engine_string(request, "text", "");
    ENGINE_RETURN_IF_ERROR(column_of(&column, e, request, err));
    ENGINE_RETURN_IF_ERROR(shoal_hierarchy_parse(&h, text, strlen(text),
                                                 engine_string(request, "name", "hierarchy"), err));
    shoal_status status = answer_hierarchy(answer, h, e, column, err);
    shoal_hierarchy_free(h);
    return status;
}

/* A shoal_write_fn that joins pieces. */
typedef struct joined {
    char *text;
    size_t size;
} joined;

static int join(const void *data, size_t size, void *payload)
{
    joined *j = payload;
    char *text = realloc(j->text, j->size + size + 1);
    if (text == NULL) return 12; /* ENOMEM */
    memcpy(text + j->size, data, size);
    j->text = text;
    j->size += size;
    j->text[j->size] = '\0';
    return 0;
}

/* Those that belong to the census of invented persons, by column. */
shoal_status engine_known_hierarchies(engine_state *e, const json_t *request, json_t **answer,
                                      shoal_error *err)
{
    (void)e, (void)request;
    json_t *known = json_object();
    for (size_t i = 0; i < shoal_census_n_hierarchies(); i++) {
        joined j = { 0 };
        shoal_status status = shoal_census_hierarchy_write(i, join, &j, err);
        if (status == SHOAL_OK)
            json_object_set_new(known, shoal_census_hierarchy_column(i),
                                engine_text(j.text, j.size));
        free(j.text);
        if (status == SHOAL_OK) continue;
        json_decref(known);
        return status;
    }
    *answer = known;
    return SHOAL_OK;
}
