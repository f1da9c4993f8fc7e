/* SPDX-License-Identifier: Apache-2.0 */
/* priced_bound.c - the lower bound by prices; see priced_bound.h.
 *
 * Which classes are priced, for k = 2: 20 and 24 with one row each are (PRICE_OWN); 50 with three
 * rows can be a group alone and has its floor, 0, as a fixed price (PRICE_FIXED); a row whose age
 * is missing and matches everything is free (PRICE_FREE): it fills up any box without a cost.
 */
#include "bound/priced_bound.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* 2^32 rows and more, each of up to 2^31 units. Machines of 32 bits cannot hold so many rows. */
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide_sum;
#else
typedef int64_t wide_sum;
#endif

/* Sums of 2^32 rows and 2^31 units need more than 64 bits. */
double priced_bound_sum(const shoal_classes *classes, const shoal_price *price)
{
    wide_sum sum = 0;
    for (uint32_t c = 0; c < classes->n_classes; c++)
        sum += (wide_sum)price[c] * classes->counts[c];
    return sum > 0 ? nextafter((double)sum, 0) : 0; /* the conversion may have rounded up */
}

/* A missing value that matches everything makes the class free. */
static bool has_wild(const shoal_metric *metric, const uint32_t *codes)
{
    for (uint32_t a = 0; a < metric->n_attrs && metric->has_wild; a++)
        if (codes[a] == metric->lines[a].wild_code) return true;
    return false;
}

/* Prices begin at the floors, which are feasible: each row pays no more than its own cheapest box.
 */
static bool fill_list(price_list *list, const shoal_price *floor)
{
    const uint32_t n = list->n;
    list->kind = shoal_alloc(n, sizeof *list->kind);
    list->floor = shoal_alloc(n, sizeof *list->floor);
    list->price = shoal_alloc(n, sizeof *list->price);
    list->value = shoal_alloc_zero(n, sizeof *list->value);
    if (list->kind == NULL || list->floor == NULL || list->price == NULL || list->value == NULL)
        return false;
    memcpy(list->floor, floor, n * sizeof *floor);
    memcpy(list->price, floor, n * sizeof *floor);
    for (uint32_t c = 0; c < n; c++)
        list->kind[c] = has_wild(list->metric, shoal_class_codes(list->classes, c)) ? PRICE_FREE
                        : list->classes->counts[c] < list->k                        ? PRICE_OWN
                                                                                    : PRICE_FIXED;
    return true;
}

/* The prices are owned by the bound; a caller that keeps them sets the pointer to NULL.
 */
void priced_bound_clear(priced_bound *bound)
{
    shoal_free(bound->price);
    *bound = (priced_bound){ 0 };
}

/* Values are 0 at first: nothing has to be taken off feasible prices. */
shoal_status priced_bound_find(priced_bound *out, const shoal_metric *metric,
                               const shoal_classes *classes, uint32_t k, const shoal_price *floor,
                               const dual_limits *limits, shoal_error *err)
{
    assert(k >= 2 && k <= PRICED_MOST_K);
    *out = (priced_bound){ 0 };
    price_list list = { .n = classes->n_classes, .k = k, .metric = metric, .classes = classes };
    shoal_status status = fill_list(&list, floor) ? SHOAL_OK : shoal_fail_memory(err);
    if (status == SHOAL_OK) status = dual_ascend(&list, limits, &out->ascent, err);
    if (status == SHOAL_OK) {
        out->price = list.price;
        list.price = NULL;
        out->sum = priced_bound_sum(classes, out->price);
    }
    shoal_free(list.kind);
    shoal_free(list.floor);
    shoal_free(list.price);
    shoal_free(list.value);
    return status;
}
