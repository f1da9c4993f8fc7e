/* SPDX-License-Identifier: Apache-2.0 */
/* attribute.c - makes the attributes that algorithms work on from the columns of a table; see
 * attribute.h.
 *
 * Cost: O(values log leaves) for each column with a hierarchy, O(values) otherwise; rows are not
 * read.
 */
#include "hierarchy/attribute.h"
#include "hierarchy/kind.h"

#include <math.h>

static shoal_status make_attribute(shoal_attribute *attr, const shoal_table *table, size_t column,
                                   shoal_missing mode, shoal_error *err)
{
    const shoal_kind *kind = shoal_kind_of(&table->columns[column]);
    *attr = (shoal_attribute){ .column = column,
                               .source = &table->columns[column],
                               .kind = kind,
                               .is_interval = kind->is_interval,
                               .is_tree = kind->is_tree,
                               .is_set = kind->is_set,
                               .wild_code = SHOAL_NO_CODE };
    attr->code_of_value = shoal_alloc(attr->source->n_values, sizeof *attr->code_of_value);
    if (attr->code_of_value == NULL) return shoal_fail_memory(err);
    return kind->make(attr, table, mode, err);
}

/* Columns of a role in the order in which the roles were set (insertion sort by role_rank): it
 * decides ties. */
static uint32_t list_columns(uint32_t *columns, const shoal_table *table, shoal_role role)
{
    uint32_t n = 0;
    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->columns[c].role != role) continue;
        uint32_t at = n++;
        for (; at > 0 && table->columns[columns[at - 1]].role_rank > table->columns[c].role_rank;
             at--)
            columns[at] = columns[at - 1];
        columns[at] = (uint32_t)c;
    }
    return n;
}

/* The greatest priority becomes 1, so that equal ones change nothing, whatever they are. */
static void set_priorities(shoal_space *space)
{
    double most = 0;
    for (uint32_t a = 0; a < space->n_attrs; a++)
        most = fmax(most, 1 - space->attrs[a].source->unimportance);
    for (uint32_t a = 0; a < space->n_attrs; a++)
        space->attrs[a].priority = most > 0 ? (1 - space->attrs[a].source->unimportance) / most : 1;
}

bool shoal_space_has_priorities(const shoal_space *space)
{
    for (uint32_t a = 0; a < space->n_attrs; a++)
        if (space->attrs[a].priority < 1) return true;
    return false;
}

shoal_status shoal_space_make_columns(shoal_space *out, const shoal_table *table,
                                      const uint32_t *columns, uint32_t n, shoal_missing missing,
                                      shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_space space = { .missing = missing };
    space.attrs = shoal_alloc_zero(n, sizeof *space.attrs);
    if (space.attrs == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < n; a++) {
        /* counted before it is made, so that an incomplete attribute is cleared, too */
        space.n_attrs = a + 1;
        SHOAL_GOTO_IF_ERROR(make_attribute(&space.attrs[a], table, columns[a], missing, err), out);
        space.attrs[a].word_at = space.n_words;
        space.n_words += space.attrs[a].n_words;
        space.attrs[a].set_at = space.n_sets;
        space.n_sets += space.attrs[a].n_words > 0;
    }
    set_priorities(&space);
    *out = space;
    space = (shoal_space){ 0 };
out:
    shoal_space_clear(&space);
    return status;
}

shoal_status shoal_space_make_role(shoal_space *out, const shoal_table *table, shoal_role role,
                                   shoal_missing missing, shoal_error *err)
{
    if (!table->is_loaded) return shoal_fail(err, SHOAL_EINVAL, "the table is not loaded");
    uint32_t *columns = shoal_alloc(table->n_columns, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    uint32_t n = list_columns(columns, table, role);
    shoal_status status = shoal_space_make_columns(out, table, columns, n, missing, err);
    shoal_free(columns);
    return status;
}

shoal_status shoal_space_make(shoal_space *out, const shoal_table *table, shoal_error *err)
{
    shoal_space space = { 0 };
    SHOAL_RETURN_IF_ERROR(
        shoal_space_make_role(&space, table, SHOAL_ROLE_QUASI, table->missing, err));
    if (space.n_attrs == 0) {
        shoal_space_clear(&space);
        return shoal_fail(err, SHOAL_EINVAL, "no quasi-identifiers {fix} name them with {--qid}");
    }
    *out = space;
    return SHOAL_OK;
}

void shoal_space_clear(shoal_space *space)
{
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        shoal_free(space->attrs[a].code_of_value);
        shoal_free(space->attrs[a].value_of_code);
        shoal_free(space->attrs[a].position);
        shoal_free(space->attrs[a].node_loss);
    }
    shoal_free(space->attrs);
    *space = (shoal_space){ 0 };
}
