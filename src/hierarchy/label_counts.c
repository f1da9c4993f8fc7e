/* SPDX-License-Identifier: Apache-2.0 */
/* label_counts.c - see label_counts.h. O(1) per call. */
#include "hierarchy/label_counts.h"

shoal_status shoal_label_counts_add(shoal_label_counts *counts, uint32_t level, const char *label,
                                    size_t size, uint64_t rows, shoal_error *err)
{
    uint32_t node;
    bool is_new;
    SHOAL_RETURN_IF_ERROR(
        shoal_draft_add_copy(&node, &is_new, &counts->labels, level, label, size, err));
    void *block = counts->rows;
    if (!shoal_reserve(&block, &counts->room, (size_t)node + 1, sizeof *counts->rows))
        return shoal_fail_memory(err);
    counts->rows = block;
    counts->rows[node] = (is_new ? 0 : counts->rows[node]) + rows;
    return SHOAL_OK;
}

uint64_t shoal_label_counts_of(const shoal_label_counts *counts, uint32_t level, const char *label,
                               size_t size)
{
    uint32_t node = shoal_draft_find(&counts->labels, level, label, size);
    return node != SHOAL_NO_NODE ? counts->rows[node] : 0;
}

void shoal_label_counts_clear(shoal_label_counts *counts)
{
    shoal_draft_clear(&counts->labels);
    shoal_free(counts->rows);
    *counts = (shoal_label_counts)SHOAL_LABEL_COUNTS_INIT;
}

uint64_t shoal_builder_rows(const shoal_builder *builder, uint32_t leaf)
{
    return builder->values->counts != NULL ? builder->values->counts[builder->value_of_leaf[leaf]]
                                           : 1;
}
