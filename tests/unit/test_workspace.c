/* SPDX-License-Identifier: Apache-2.0 */
/* test_workspace.c - arrays in one block: separate, aligned, laid out again, and none when memory
 * is short. */
#include "base/workspace.h"
#include "test.h"

static void test_parts_are_apart(void **state)
{
    (void)state;
    shoal_workspace workspace = { 0 };
    uint32_t *rows = NULL;
    double *costs = NULL;
    uint8_t *none = NULL;
    for (size_t n = 1; n < 200; n += 37) {
        const shoal_workspace_part parts[] = {
            SHOAL_WORKSPACE_PART(rows, n),
            SHOAL_WORKSPACE_PART(none, 0),
            SHOAL_WORKSPACE_PART(costs, 2 * n),
        };
        assert_string_equal(parts[2].name, "costs");
        assert_true(shoal_workspace_lay_out(&workspace, parts, 3));
        assert_true((char *)costs - (char *)rows >= (ptrdiff_t)(n * sizeof *rows));
        assert_int_equal(((char *)costs - (char *)rows) % 64, 0);
        for (size_t i = 0; i < n; i++) rows[i] = (uint32_t)i;
        for (size_t i = 0; i < 2 * n; i++) costs[i] = -1;
        for (size_t i = 0; i < n; i++) assert_int_equal(rows[i], i);
    }
    shoal_workspace_free(&workspace);
    shoal_workspace_free(&workspace); /* what is empty may be freed */
}

static void test_too_large(void **state)
{
    (void)state;
    shoal_workspace workspace = { 0 };
    uint32_t *few = NULL;
    uint64_t *many = NULL;
    const shoal_workspace_part product[] = { SHOAL_WORKSPACE_PART(few, 4),
                                             SHOAL_WORKSPACE_PART(many, SIZE_MAX / 4) };
    assert_false(shoal_workspace_lay_out(&workspace, product, 2));
    assert_null(few);
    const shoal_workspace_part sum[] = { SHOAL_WORKSPACE_PART(many, SIZE_MAX / 20),
                                         SHOAL_WORKSPACE_PART(many, SIZE_MAX / 20) };
    assert_false(shoal_workspace_lay_out(&workspace, sum, 2));
    assert_null(many);
    shoal_workspace_free(&workspace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_are_apart),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
