/* SPDX-License-Identifier: Apache-2.0 */
/* test_lefevre_2006.c - the patients of LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional
 * K-Anonymity, Fig. 1.
 *
 * All three columns are equally wide at first, so the QID named first is cut first, and the order
 * of the QIDs decides the result. Both orders are worked out below.
 */
#include "groups.h"

/* k = 2; sex and zip are categories without a hierarchy, or zip is a number. */
static table_spec patients(const char *first, const char *second, shoal_type zip)
{
    table_spec spec = {
        .csv = "Age,Sex,Zip,Disease\n25,Male,53711,Flu\n25,Female,53712,Hepatitis\n26,Male,53711,"
               "Bronchitis\n"
               "27,Male,53710,Broken Arm\n27,Female,53712,AIDS\n28,Male,53711,Hang Nail\n",
        .columns = { { .name = first },
                     { .name = second },
                     { .name = "Zip" },
                     { .name = "Disease",
                       .type = SHOAL_TYPE_CATEGORICAL,
                       .role = SHOAL_ROLE_SENSITIVE } }
    };
    for (int i = 0; i < 3; i++)
        spec.columns[i].type = strcmp(spec.columns[i].name, "Age") == 0   ? SHOAL_TYPE_NUMERIC
                               : strcmp(spec.columns[i].name, "Sex") == 0 ? SHOAL_TYPE_CATEGORICAL
                                                                          : zip;
    return spec;
}

/* Women 2, men 4 (the median value is Male; the cut goes before it). Men: age is 3/3 wide, cut
 * at 26. */
static void test_sex_first_gives_three_groups_of_two(void **state)
{
    (void)state;
    table_spec number = patients("Sex", "Age", SHOAL_TYPE_NUMERIC),
               category = patients("Sex", "Age", SHOAL_TYPE_CATEGORICAL);
    assert_groups_of(&number, "mondrian", 2, "abacbc");
    assert_groups_of(&category, "mondrian", 2, "abacbc");
}

/* Ages 25 25 26 | 27 27 28: three and three, fewer than 2k rows each. */
static void test_age_first_gives_two_groups_of_three(void **state)
{
    (void)state;
    table_spec number = patients("Age", "Sex", SHOAL_TYPE_NUMERIC),
               category = patients("Age", "Sex", SHOAL_TYPE_CATEGORICAL);
    assert_groups_of(&number, "mondrian", 2, "aaabbb");
    assert_groups_of(&category, "mondrian", 2, "aaabbb");
    assert_groups_of(&number, "mondrian-relaxed", 2, "aaabbb");
}

/* gcp of the three groups of two, as in docs/algorithms/mondrian.md: 11/54 with zip as a category.
 */
static void test_loss(void **state)
{
    (void)state;
    table_spec spec = patients("Sex", "Age", SHOAL_TYPE_CATEGORICAL);
    shoal_table *table = make_table(&spec);
    shoal_grouping *grouping = anonymize(table, "mondrian", 2, 0, 1);
    assert_near(gcp_of(grouping), 11 / 54.0, 1e-12);
    const double age[] = { 1 / 3.0, 2 / 3.0, 1 / 3.0 }, zip[] = { 0, 0, 0.5 };
    for (uint32_t g = 0; g < 3; g++) {
        assert_near(shoal_grouping_cell_loss(grouping, g, 0), 0, 0); /* sex is kept */
        assert_near(shoal_grouping_cell_loss(grouping, g, 1), age[g], 1e-12);
        assert_near(shoal_grouping_cell_loss(grouping, g, 2), zip[g], 1e-12);
    }
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sex_first_gives_three_groups_of_two),
        cmocka_unit_test(test_age_first_gives_two_groups_of_three),
        cmocka_unit_test(test_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
