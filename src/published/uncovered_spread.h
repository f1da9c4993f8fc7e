/* SPDX-License-Identifier: Apache-2.0 */
/* uncovered_spread.h - the loss of published cells that do not cover their originals, as in
 * microaggregation.
 *
 * A mean has no width although the values of its group differ. If a cell does not cover the
 * original of some row of its group, it loses what a cell covering all originals of the group would
 * lose. For numbers there is also the usual measure of microaggregation: the squared distances to
 * the published values over those to the mean of the column (SSE/SST).
 */
#ifndef SHOAL_UNCOVERED_SPREAD_H
#define SHOAL_UNCOVERED_SPREAD_H

#include "published/published_tuples.h"

#include <shoal/release.h>

/* A release or a grouping: distinct tuples of published texts, and the originals of its rows. */
typedef struct shoal_spread_source {
    const shoal_table *original;
    const shoal_space *space;
    const shoal_tuples *tuples;
    const shoal_column *const *columns; /* published codes of the units of `tuples` */
    const shoal_text *const *texts;     /* of these codes, one list per attribute */
    const uint32_t *n_texts;
    const uint32_t *tuple_of_row; /* of each row of the original; SHOAL_NO_CODE: left out */
} shoal_spread_source;

typedef struct shoal_spread {
    double *loss;     /* tuples x attributes: loss of a covering cell; -1 if the cell covers */
    bool has_numbers; /* some numeric quasi-identifier is not constant and published as numbers */
    double sse_ratio; /* mean SSE/SST of these; `*` and unreadable texts count as the mean */
} shoal_spread;

/* O(rows * attributes). End with shoal_spread_clear(). */
SHOAL_NODISCARD shoal_status shoal_spread_make(shoal_spread *out, const shoal_spread_source *source,
                                               shoal_error *err);
void shoal_spread_clear(shoal_spread *spread);

#endif
