/* SPDX-License-Identifier: Apache-2.0 */
/* uncovered_spread.h - what is lost where published cells do not cover their originals: microaggregation, mostly.
 *
 * A mean has no width, yet the values behind it differ. In a group with a row that its cell does not cover the cell loses
 * what covering the originals of all its rows would lose. And numbers have the classic measure of microaggregation: the
 * squared distances to what is published, over those to the mean of the column (SSE/SST).
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
    const shoal_text *const *texts;     /* of these codes, one list an attribute */
    const uint32_t *n_texts;
    const uint32_t *tuple_of_row;       /* of each row of the original; SHOAL_NO_CODE: left out */
} shoal_spread_source;

typedef struct shoal_spread {
    double *loss;     /* tuples x attributes: what covering would lose; -1 where the cell covers */
    bool has_numbers; /* some quasi-identifier is numeric, not constant, and published as single numbers */
    double sse_ratio; /* mean over these of SSE/SST; `*` and what cannot be read count as the mean of the column */
} shoal_spread;

/* O(rows * attributes). End with shoal_spread_clear(). */
SHOAL_NODISCARD shoal_status shoal_spread_make(shoal_spread *out, const shoal_spread_source *source, shoal_error *err);
void shoal_spread_clear(shoal_spread *spread);

#endif
