/* SPDX-License-Identifier: Apache-2.0 */
/* test_attack.c - attacks on invented persons: each finds its planted leak and nothing in a release of one group.
 * Covers: attack_controls.c, attack_run.c, attack_view.c, box_index.c, definetti.c, downcoding.c, finding.c, homogeneity.c, intersection.c,
 * linkage_attack.c, match_rows.c, minimality.c, release_classifier.c, row_order.c, singling_out.c, soft_bayes.c, text_cover.c,
 * undeclared_columns.c
 */
#include "attack/attack_kind.h"
#include "tables.h"

#include <math.h>

/* ---- controls ---- */

static void test_controls(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        shoal_attack_controls controls;
        assert_ok(shoal_attack_controls_run(&controls, seed, 2, &err));
        assert_int_equal(controls.n_controls, shoal_attack_count());
        for (size_t i = 0; i < controls.n_controls; i++) {
            const shoal_attack_control *c = &controls.controls[i];
            if (!shoal_attack_control_holds(c))
                fail_msg("%s, seed %u: planted %s%g of %g (from %g), null %s%g of %g (from %g)", c->name, (unsigned)seed, c->planted.reason,
                         c->planted.rate, c->planted.control, c->planted.low, c->null.reason, c->null.rate, c->null.control, c->null.low);
        }
        shoal_attack_controls_clear(&controls);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_controls),
    };
    return cmocka_run_group_tests_name("attack", tests, NULL, NULL);
}
