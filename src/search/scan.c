/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - search by scanning; see scan.h.
 *
 * The queries of kernel.h without a tree: every class with rows left is compared, in the order of
 * class numbers, and the first of equals wins. It is what the kernel is tested against, and what
 * kmembers runs with search=scan. Classes that have run out leave the list `alive` while it is
 * read: if 1 and 2 of 0 1 2 3 have no rows left, a scan reads four entries and leaves 0 3.
 *
 * Invariant: `alive` ascends and has every class with rows left, perhaps others.
 * Cost: O(classes left * attributes) for each query.
 */
#include "search/scan.h"

#include <assert.h>

/* All rows of the classes are left at first, as for a kernel with their counts. */
shoal_status shoal_scan_make(shoal_scan *out, const shoal_metric *metric,
                             const shoal_classes *classes, shoal_error *err)
{
    shoal_scan scan = { .metric = metric,
                        .classes = classes,
                        .n_alive = classes->n_classes,
                        .n_rows = classes->n_rows };
    scan.left = shoal_alloc(classes->n_classes, sizeof *scan.left);
    scan.alive = shoal_alloc(classes->n_classes, sizeof *scan.alive);
    if (scan.left == NULL || scan.alive == NULL) {
        shoal_scan_clear(&scan);
        return shoal_fail_memory(err);
    }
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        scan.left[c] = classes->counts[c];
        scan.alive[c] = c;
    }
    *out = scan;
    return SHOAL_OK;
}

void shoal_scan_clear(shoal_scan *scan)
{
    shoal_free(scan->left);
    shoal_free(scan->alive);
    *scan = (shoal_scan){ 0 };
}

/* The list of classes is not changed here: the next scan drops those without rows. */
void shoal_scan_take(shoal_scan *scan, uint32_t class_index, uint32_t n_rows)
{
    assert(class_index < scan->classes->n_classes && n_rows <= scan->left[class_index]);
    scan->left[class_index] -= n_rows;
    scan->n_rows -= n_rows;
}

/* The next class with rows left. Classes without are removed from the list on the way; it stays
 * ascending. */
static uint32_t next_alive(shoal_scan *scan, uint32_t *from, uint32_t *to)
{
    while (*from < scan->n_alive) {
        uint32_t c = scan->alive[(*from)++];
        if (scan->left[c] == 0) continue;
        scan->alive[(*to)++] = c;
        return c;
    }
    scan->n_alive = *to;
    return SHOAL_NO_CLASS;
}

/* `least` is passed on as the limit, so that a sum stops early; a class with an equal loss does not
 * replace an earlier one, which has the lower number. */
uint32_t shoal_scan_cheapest(shoal_scan *scan, const shoal_cluster *cluster, shoal_loss *loss)
{
    uint32_t best = SHOAL_NO_CLASS, from = 0, to = 0;
    shoal_loss least = SHOAL_LOSS_MAX;
    for (uint32_t c; (c = next_alive(scan, &from, &to)) != SHOAL_NO_CLASS;) {
        shoal_loss with = shoal_cluster_with(cluster, scan->metric,
                                             shoal_class_codes(scan->classes, c), least);
        if (with < least) {
            least = with;
            best = c;
        }
    }
    scan->n_queries++;
    scan->n_evaluations += to;
    *loss = least;
    return best;
}

/* `best == SHOAL_NO_CLASS` accepts the first class even at distance 0. */
uint32_t shoal_scan_furthest(shoal_scan *scan, const uint32_t *codes)
{
    uint32_t best = SHOAL_NO_CLASS, from = 0, to = 0;
    shoal_loss most = 0;
    for (uint32_t c; (c = next_alive(scan, &from, &to)) != SHOAL_NO_CLASS;) {
        shoal_loss distance = shoal_metric_pair(scan->metric, codes,
                                                shoal_class_codes(scan->classes, c));
        if (best == SHOAL_NO_CLASS || distance > most) {
            most = distance;
            best = c;
        }
    }
    scan->n_queries++;
    scan->n_evaluations += to;
    return best;
}
