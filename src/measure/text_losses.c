/* SPDX-License-Identifier: Apache-2.0 */
/* text_losses.c - losses of published texts of one column, each by itself.
 *
 * For callers that sum the loss of a release that no machine holds as a whole: the loss of a cell
 * depends on its text and on the domain of its column only. A text that is a value and also the
 * label of a wider node is read as the value.
 *
 * Cost: that of shoal_published_read().
 */
#include "published/published.h"

#include <shoal/measure.h>

#include <string.h>

static const shoal_attribute *find_attribute(const shoal_space *space, const char *column)
{
    for (uint32_t a = 0; a < space->n_attrs; a++)
        if (strcmp(space->attrs[a].source->name, column) == 0) return &space->attrs[a];
    return NULL;
}

static shoal_status read_losses(double *losses, const shoal_table *table,
                                const shoal_attribute *attr, const char *const *texts,
                                uint32_t n_texts, shoal_error *err)
{
    shoal_published published;
    shoal_text *spelled = shoal_alloc(n_texts, sizeof *spelled);
    if (spelled == NULL) return shoal_fail_memory(err);
    for (uint32_t t = 0; t < n_texts; t++) spelled[t] = (shoal_text){ texts[t], strlen(texts[t]) };
    shoal_status status = shoal_published_read(&published, table, attr, spelled, n_texts, err);
    if (status == SHOAL_OK) {
        for (uint32_t t = 0; t < n_texts; t++) losses[t] = published.readings[t].loss;
        shoal_published_clear(&published);
    }
    shoal_free(spelled);
    return status;
}

shoal_status shoal_text_losses(double *losses, const shoal_table *original, const char *column,
                               const char *const *texts, uint32_t n_texts, shoal_error *err)
{
    shoal_space space = { 0 };
    if (n_texts == 0) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&space, original, err));
    const shoal_attribute *attr = find_attribute(&space, column);
    shoal_status status =
        attr == NULL
            ? shoal_fail(
                  err, SHOAL_EINVAL,
                  "measure: '{column %s}' is not a quasi-identifier {fix} name a quasi-identifier",
                  column)
            : read_losses(losses, original, attr, texts, n_texts, err);
    shoal_space_clear(&space);
    return status;
}
