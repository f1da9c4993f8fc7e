/* SPDX-License-Identifier: Apache-2.0 */
/*
 * release_fixture.h - small tables and groupings for the tests of releases: a table from text, a
 * grouping from a list.
 */
#ifndef SHOAL_RELEASE_FIXTURE_H
#define SHOAL_RELEASE_FIXTURE_H

#include "classes/grouping.h"
#include "publish/publish.h"
#include "test.h"

#include <shoal/shoal.h>

/* Settings of one column; columns that are not listed are SHOAL_ROLE_OTHER. */
typedef struct column_spec {
    const char *name;
    shoal_role role;
    shoal_type type;
    const char *levels; /* a hierarchy as a level file, or NULL */
    shoal_on_missing on_missing;
} column_spec;

typedef struct table_spec {
    const char *text;
    size_t size; /* 0: up to the NUL */
    const column_spec *columns;
    size_t n_columns;
    shoal_missing missing;
    const char *null; /* NULL: the empty string */
    bool no_header;
    bool data_only;
} table_spec;

static inline shoal_status set_column(shoal_table *table, const column_spec *spec, shoal_error *err)
{
    size_t c = shoal_table_find_column(table, spec->name);
    SHOAL_RETURN_IF_ERROR(shoal_table_set_role(table, c, spec->role, err));
    SHOAL_RETURN_IF_ERROR(shoal_table_set_type(table, c, spec->type, err));
    if (spec->levels == NULL) return SHOAL_OK;
    shoal_hierarchy *tree = NULL;
    SHOAL_RETURN_IF_ERROR(
        shoal_hierarchy_parse(&tree, spec->levels, strlen(spec->levels), spec->name, err));
    shoal_status status = shoal_table_set_hierarchy(table, c, tree, spec->on_missing, err);
    shoal_hierarchy_free(tree);
    return status;
}

static inline shoal_status open_table(shoal_table **out, const table_spec *spec, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *table = NULL;
    shoal_status status = SHOAL_OK;
    csv.no_header = spec->no_header;
    size_t size = spec->size > 0 ? spec->size : strlen(spec->text);
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(&table, spec->text, size, NULL, NULL, &csv, err));
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        SHOAL_GOTO_IF_ERROR(shoal_table_set_role(table, c, SHOAL_ROLE_OTHER, err), out);
    for (size_t i = 0; i < spec->n_columns; i++)
        SHOAL_GOTO_IF_ERROR(set_column(table, &spec->columns[i], err), out);
    const char *null = spec->null == NULL ? "" : spec->null;
    SHOAL_GOTO_IF_ERROR(shoal_table_set_nulls(table, &null, 1, spec->missing, err), out);
    shoal_table_set_domain(table, spec->data_only);
    SHOAL_GOTO_IF_ERROR(shoal_table_load(table, &load, err), out);
    *out = table;
    table = NULL;
out:
    shoal_table_free(table);
    return status;
}

/* The grouping in which row i is in group groups[i], or suppressed (SHOAL_SUPPRESSED). */
static inline shoal_status group_rows(shoal_grouping **out, const shoal_table *table,
                                      const uint32_t *groups, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_space space = { 0 };
    shoal_classes *classes = NULL;
    shoal_slice *slices = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&space, table, err));
    SHOAL_GOTO_IF_ERROR(shoal_classes_form(&classes, table, &space, NULL, 0, 1, err), out);
    slices = shoal_alloc((size_t)classes->n_rows, sizeof *slices);
    if (slices == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    /* rows of a class are assigned to its slices in this order */
    for (uint64_t i = 0; i < classes->n_rows; i++) {
        uint32_t row = classes->rows[i];
        slices[i] = (shoal_slice){ classes->class_of_row[row], groups[row], 1 };
    }
    SHOAL_GOTO_IF_ERROR(
        shoal_grouping_from_slices(out, &space, classes, slices, (size_t)classes->n_rows, err),
        out);
    shoal_grouping_take_space(*out, &space);
out:
    shoal_free(slices);
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    return status;
}

/* A shoal_write_fn that appends to its payload, a shoal_buffer. */
static inline int write_to_buffer(const void *data, size_t size, void *payload)
{
    shoal_buffer *buffer = payload;
    shoal_buffer_add(buffer, data, size);
    return buffer->failed ? 12 : 0; /* ENOMEM */
}

/* Write a release to `out`; when that is out of memory, the result is SHOAL_ENOMEM, too. */
static inline shoal_status write_release(shoal_buffer *out, const shoal_table *table,
                                         const shoal_grouping *grouping,
                                         const shoal_release_options *options, shoal_error *err)
{
    shoal_status status = shoal_release_write_csv(table, grouping, options, write_to_buffer, out,
                                                  err);
    return out->failed ? SHOAL_ENOMEM : status;
}

/* The text of the buffer, NUL-terminated, for comparing. */
static inline const char *buffer_text(shoal_buffer *buffer)
{
    shoal_buffer_add(buffer, "", 1);
    buffer->size--;
    return buffer->data;
}

#endif
