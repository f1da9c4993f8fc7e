/* SPDX-License-Identifier: Apache-2.0 */
/* joint.c - rows by value and class label, for the measures of information.h. Pairs are numbered by
 * hashing. */
#include "cost/information.h"

#include "classes/classes.h"

void shoal_joint_clear(shoal_joint *joint)
{
    shoal_free(joint->value);
    shoal_free(joint->label);
    shoal_free(joint->cell_rows);
    shoal_free(joint->value_rows);
    shoal_free(joint->label_rows);
    *joint = (shoal_joint){ 0 };
}

static bool joint_alloc(shoal_joint *joint)
{
    joint->value = shoal_alloc(joint->n_cells, sizeof *joint->value);
    joint->label = shoal_alloc(joint->n_cells, sizeof *joint->label);
    joint->cell_rows = shoal_alloc_zero(joint->n_cells, sizeof *joint->cell_rows);
    joint->value_rows = shoal_alloc_zero(joint->n_values, sizeof *joint->value_rows);
    joint->label_rows = shoal_alloc_zero(joint->n_labels, sizeof *joint->label_rows);
    return joint->value != NULL && joint->label != NULL && joint->cell_rows != NULL &&
           joint->value_rows != NULL && joint->label_rows != NULL;
}

shoal_status shoal_joint_make(shoal_joint *out, uint32_t **cells, const shoal_labelled_items *items,
                              shoal_error *err)
{
    shoal_joint joint = { .n_values = items->n_values, .n_labels = items->n_labels };
    shoal_column value = { .code_width = 4, .codes = items->values, .n_values = items->n_values };
    shoal_column label = { .code_width = 4, .codes = items->labels, .n_values = items->n_labels };
    const shoal_column *both[] = { &value, &label };
    uint32_t *ids = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_number_tuples(&ids, &joint.n_cells, both, 2, items->n, 1, err));
    if (!joint_alloc(&joint)) {
        shoal_joint_clear(&joint);
        shoal_free(ids);
        return shoal_fail_memory(err);
    }
    for (uint32_t i = 0; i < items->n; i++) {
        joint.value[ids[i]] = items->values[i];
        joint.label[ids[i]] = items->labels[i];
        joint.cell_rows[ids[i]] += items->rows[i];
        joint.value_rows[items->values[i]] += items->rows[i];
        joint.label_rows[items->labels[i]] += items->rows[i];
    }
    if (cells != NULL)
        *cells = ids;
    else
        shoal_free(ids);
    *out = joint;
    return SHOAL_OK;
}
