/* SPDX-License-Identifier: Apache-2.0 */
/* test_stable_sort.c - sorted, equal elements in their order, also when there is no memory for a
 * copy. */
#include "base/base.h"
#include "base/stable_sort.h"
#include "test.h"

enum { MOST = 700 };

typedef struct element {
    uint32_t key, place;
} element;

/* `payload` reverses the order. */
static int by_key(const void *x, const void *y, void *payload)
{
    const element *a = x, *b = y;
    int order = a->key < b->key ? -1 : a->key > b->key;
    return *(const int *)payload ? -order : order;
}

static void check_sort(uint32_t n, uint32_t n_keys, int reversed)
{
    element items[MOST];
    shoal_rng rng;
    shoal_rng_init(&rng, n, n_keys);
    for (uint32_t i = 0; i < n; i++)
        items[i] = (element){ (uint32_t)shoal_rng_below(&rng, n_keys), i };
    shoal_stable_sort(items, n, sizeof *items, by_key, &reversed);
    for (uint32_t i = 1; i < n; i++) {
        int order = by_key(&items[i - 1], &items[i], &reversed);
        assert_true(order < 0 || (order == 0 && items[i - 1].place < items[i].place));
    }
}

static void test_sorts_and_keeps_the_order_of_equals(void **state)
{
    (void)state;
    static const uint32_t sizes[] = { 0, 1, 2, 3, 31, 32, 33, 511, MOST };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int reversed = 0; reversed < 2; reversed++) {
            check_sort(sizes[i], 3, reversed);
            check_sort(sizes[i], 1000000, reversed);
        }
}

static shoal_status sort_once(void)
{
    check_sort(200, 5, 0);
    return SHOAL_OK;
}

static void test_no_memory_is_no_harm(void **state)
{
    (void)state;
    assert_survives_allocation_failure(sort_once());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorts_and_keeps_the_order_of_equals),
        cmocka_unit_test(test_no_memory_is_no_harm),
    };
    return cmocka_run_group_tests_name("stable_sort", tests, NULL, NULL);
}
