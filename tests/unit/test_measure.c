/* SPDX-License-Identifier: Apache-2.0 */
/* test_measure.c - each measure on small groupings and releases worked by hand.
 * Covers: sse_ratio.c, worst_group_diversity.c,
 * average_class_size.c, discernibility.c, gcp.c, modification_rate.c, moved_rows.c, released.c,
 * utility_measure.c
 */
#include "release_fixture.h"
#include "measure/measure_view.h"

#include <math.h>
#include <string.h>

static const column_spec columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12)) fail_msg("%.15g instead of %.15g", value, expected);
}

static void assert_equal_measures(const shoal_measures *a, const shoal_measures *b)
{
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_groups, b->n_groups);
    assert_int_equal(a->min_group, b->min_group);
    assert_near(a->gcp, b->gcp);
    assert_near(a->um, b->um);
    assert_near(a->wgu, b->wgu);
    assert_near(a->cavg, b->cavg);
    assert_near(a->modification_rate, b->modification_rate);
}

/* Each formula on a view made by hand: groups of 3 and 2 rows, 1 row of stars, 4 rows left out; n
 * = 10. */
static void test_formulas(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { 3, 2, 1 };
    static const double loss[] = { 0.5, 0, 0.25, 0.75, 1, 1 };
    shoal_measure_view view = { .n_rows = 10,
                                .n_groups = 3,
                                .n_attrs = 2,
                                .sizes = sizes,
                                .loss = loss,
                                .star_group = 2,
                                .n_starred = 1,
                                .n_left_out = 4,
                                .n_changed = 15 };
    assert_near(shoal_measure_ncp_of_attr(&view, 0), 1.5 + 0.5 + 1 + 4);
    assert_near(shoal_measure_ncp_of_attr(&view, 1), 0 + 1.5 + 1 + 4);
    assert_near(shoal_measure_ncp(&view), 13.5);
    assert_near(shoal_measure_gcp(&view), 13.5 / 20);
    assert_near(shoal_measure_um(&view), (0.25 + 0.5 + 1) / 3);
    assert_near(shoal_measure_wgu(&view), 1);
    assert_near(shoal_measure_dm(&view), 9 + 4 + 5 * 10);
    assert_near(shoal_measure_cavg(&view, 2), 6.0 / 6);
    assert_near(shoal_measure_modification_rate(&view), 0.75);
    assert_int_equal(shoal_view_n_suppressed(&view), 5);
    /* a group that was generalised to the root is one of its size */
    view.n_starred = 0;
    assert_near(shoal_measure_dm(&view), 9 + 4 + 1 + 4 * 10);
    assert_int_equal(shoal_view_n_suppressed(&view), 4);
    view.majorities = (uint64_t[]){ 2, 2, 1 };
    assert_near(shoal_measure_cm(&view), 0.5);
}

/* Two groups of two rows: one discloses its value. A grouping and its file say the same. */
static void test_what_groups_tell(void **state)
{
    (void)state;
    static const column_spec told[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                        { "ill", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL,
                                          0 } };
    static const column_spec as_text[] = {
        { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "ill", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL, 0 }
    };
    const table_spec original = { .text = "age,ill\n1,flu\n2,flu\n8,flu\n9,gout\n",
                                  .columns = told,
                                  .n_columns = 2 };
    const table_spec released = {
        .text = "age,ill\n[1..2],flu\n[1..2],flu\n[8..9],flu\n[8..9],gout\n",
        .columns = as_text,
        .n_columns = 2
    };
    shoal_error err;
    shoal_table *tables[2] = { NULL, NULL };
    shoal_measures m = { 0 };
    assert_null(shoal_measures_sensitive(&m, 0));
    assert_ok(open_table(&tables[0], &original, &err));
    assert_ok(open_table(&tables[1], &released, &err));
    assert_ok(shoal_measure_release(&m, tables[0], tables[1], 2, NULL, &err));
    const shoal_sensitive_groups *g = shoal_measures_sensitive(&m, 0);
    assert_non_null(g);
    assert_int_equal(g->n_groups, 2);
    assert_int_equal(g->one_value_groups, 1);
    assert_int_equal(g->one_value_rows, 2);
    assert_int_equal(g->dominated_rows, 2); /* half is not more than half */
    assert_int_equal(g->fewest_values, 1);
    assert_null(shoal_measures_sensitive(&m, 1));
    shoal_measures_clear(&m);
    shoal_table_free(tables[0]);
    shoal_table_free(tables[1]);
}

static void test_formulas_without_rows(void **state)
{
    (void)state;
    shoal_measure_view view = { .n_attrs = 2, .star_group = SHOAL_NO_GROUP };
    assert_near(shoal_measure_gcp(&view) + shoal_measure_um(&view) + shoal_measure_wgu(&view) +
                    shoal_measure_dm(&view) + shoal_measure_cavg(&view, 2) +
                    shoal_measure_modification_rate(&view),
                0);
}

/* Measures of a grouping and of the release written from it. */
typedef struct both {
    shoal_measures grouping, release;
    uint64_t unread;
} both;

static shoal_status measure_both(both *out, const table_spec *spec, const uint32_t *groups,
                                 bool drop, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_table *table = NULL, *released = NULL;
    shoal_grouping *grouping = NULL;
    shoal_buffer text = { 0 };
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    options.drop_suppressed = drop;
    *out = (both){ .unread = 99 };
    SHOAL_GOTO_IF_ERROR(open_table(&table, spec, err), out);
    SHOAL_GOTO_IF_ERROR(group_rows(&grouping, table, groups, err), out);
    grouping->drops_suppressed = drop;
    SHOAL_GOTO_IF_ERROR(shoal_measure_grouping(&out->grouping, table, grouping, 2, err), out);
    SHOAL_GOTO_IF_ERROR(write_release(&text, table, grouping, &options, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_released_open(&released, text.data, text.size, table, 1, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_measure_release(&out->release, table, released, 2, &out->unread, err),
                        out);
out:
    shoal_table_free(released);
    shoal_buffer_clear(&text);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
    return status;
}

static void clear_both(both *b)
{
    shoal_measures_clear(&b->grouping);
    shoal_measures_clear(&b->release);
}

static const char text[] = "age,job,s\n0,a,1\n10,b,2\n40,c,3\n40,c,4\n20,d,5\n90,e,6\n100,a,7\n";
static const uint32_t groups[] = { 0, 0, 1, 1, 2, 2, SHOAL_SUPPRESSED };

static void test_grouping_and_release(void **state)
{
    (void)state;
    shoal_error err;
    both b;
    table_spec spec = { .text = text, .columns = columns, .n_columns = 2 };
    assert_ok(measure_both(&b, &spec, groups, false, &err));
    assert_equal_measures(&b.grouping, &b.release);
    assert_int_equal(b.unread, 0);
    assert_int_equal(b.grouping.n_rows, 7);
    assert_int_equal(b.grouping.n_groups, 4); /* the suppressed row publishes a tuple of its own */
    assert_int_equal(b.grouping.min_group, 1);
    assert_int_equal(b.grouping.suppressed_rows, 1);
    assert_int_equal(b.release.suppressed_rows,
                     0); /* a group of one row, as far as the text says */
    assert_near(b.release.dm, 4 + 4 + 4 + 1);
    assert_near(b.grouping.ncp, 2 * (0.1 + 0.25) + 2 * (0.7 + 0.25) + 2);
    assert_near(b.grouping.gcp, b.grouping.ncp / 14);
    assert_near(b.grouping.um, (0.35 / 2 + 0 + 0.95 / 2 + 1) / 4);
    assert_near(b.grouping.dm, 4 + 4 + 4 + 7);
    assert_near(b.grouping.cavg, 7.0 / 8);
    assert_near(b.grouping.modification_rate, 10.0 / 14);
    assert_int_equal(b.grouping.n_qids, 2);
    assert_int_equal(b.grouping.qid_column[1], 1);
    assert_near(b.grouping.qid_loss[0], (0.2 + 1.4 + 1) / 7);
    assert_near(b.grouping.qid_loss[1], (0.5 + 0.5 + 1) / 7);
    clear_both(&b);
}

/* Rows that were left out count as suppressed, but are no group. */
static void test_dropped_rows(void **state)
{
    (void)state;
    shoal_error err;
    both b;
    table_spec spec = { .text = text, .columns = columns, .n_columns = 2 };
    assert_ok(measure_both(&b, &spec, groups, true, &err));
    assert_int_equal(b.release.n_rows, 7);
    assert_int_equal(b.release.n_groups, 3);
    assert_int_equal(b.release.min_group, 2);
    assert_int_equal(b.release.suppressed_rows, 1);
    assert_near(b.release.gcp, b.grouping.gcp);
    assert_near(b.release.dm, b.grouping.dm);
    assert_near(b.release.um, (0.35 / 2 + 0 + 0.95 / 2) / 3);
    assert_near(b.release.cavg, 1);
    assert_near(b.release.modification_rate, b.grouping.modification_rate);
    clear_both(&b);
}

/* A group whose cover is the root is a group like any other, beside suppressed rows too. */
static void test_group_at_the_root(void **state)
{
    (void)state;
    shoal_error err;
    both b;
    static const column_spec flat[] = {
        { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, "a;*\nb;*\n", 0 },
        { "s", SHOAL_ROLE_CLASS, SHOAL_TYPE_CATEGORICAL, NULL, 0 }
    };
    table_spec spec = { .text = "job,s\na,1\nb,1\na,2\nb,1\nb,2\na,2\n",
                        .columns = flat,
                        .n_columns = 2 };
    static const uint32_t at_root[] = { 0, 0, 0, 1, 1, 0 };
    static const uint32_t mixed[] = { 0, 0, 0, 1, 1, SHOAL_SUPPRESSED };
    assert_ok(measure_both(&b, &spec, at_root, false, &err));
    assert_int_equal(b.grouping.suppressed_rows, 0);
    assert_int_equal(b.release.suppressed_rows, 0);
    assert_near(b.grouping.dm, 16 + 4);
    assert_near(b.grouping.cm, 3.0 / 6);
    assert_near(b.release.dm, b.grouping.dm);
    assert_near(b.release.cm, b.grouping.cm);
    clear_both(&b);
    assert_ok(measure_both(&b, &spec, mixed, false, &err));
    assert_int_equal(b.grouping.suppressed_rows, 1);
    assert_near(b.grouping.dm, 3 * 4 + 6 + 4);
    assert_near(b.grouping.cm, 3.0 / 6);
    assert_int_equal(b.grouping.n_groups, 2);
    clear_both(&b);
    assert_ok(
        measure_both(&b, &spec, mixed, true, &err)); /* the suppressed row alone is left out */
    assert_int_equal(b.grouping.suppressed_rows, 1);
    assert_near(b.grouping.dm, 9 + 6 + 4);
    assert_int_equal(b.grouping.n_groups, 2);
    assert_int_equal(b.release.n_groups, 2);
    assert_int_equal(b.release.suppressed_rows, 1);
    assert_near(b.release.dm, b.grouping.dm);
    clear_both(&b);
}

/* Groups whose covers differ but are published alike are one group. */
static void test_groups_published_alike(void **state)
{
    (void)state;
    static const uint32_t two[] = { 0, 0, 1, 1 };
    shoal_error err;
    both b;
    table_spec spec = { .text = "age,job\n1,a\n,a\n5,a\n,a\n", .columns = columns, .n_columns = 2 };
    assert_ok(measure_both(&b, &spec, two, false, &err));
    assert_equal_measures(&b.grouping, &b.release);
    assert_int_equal(b.grouping.n_groups, 1);
    assert_int_equal(b.grouping.min_group, 4);
    assert_near(b.grouping.gcp, 0.5);
    clear_both(&b);
}

/* A missing value that matches everything stays, loses nothing, and is unchanged. */
static void test_wildcards(void **state)
{
    (void)state;
    static const uint32_t two[] = { 0, 0, 0, 1, 1 };
    shoal_error err;
    both b;
    table_spec spec = { .text = "age,job\n0,a\n10,a\n,a\n20,b\n,\n",
                        .columns = columns,
                        .n_columns = 2,
                        .missing = SHOAL_MISSING_WILDCARD };
    assert_ok(measure_both(&b, &spec, two, false, &err));
    assert_equal_measures(&b.grouping, &b.release);
    assert_int_equal(b.grouping.n_groups, 4); /* ([0..10],a) (,a) (20,b) (,) */
    assert_int_equal(b.grouping.min_group, 2);
    assert_near(b.grouping.ncp, 1); /* two rows lose 0.5 in age */
    assert_near(b.grouping.modification_rate, 2.0 / 10);
    clear_both(&b);
}

static void test_unreadable_cells_count_as_star(void **state)
{
    (void)state;
    static const char release[] =
        "age,job,s\n0,a,1\nx,b,2\n40,c,3\n40,?,4\n20,d,5\n90,e,6\n[0..100],a,7\n";
    shoal_error err;
    shoal_table *table = NULL, *released = NULL;
    shoal_measures m;
    uint64_t unread;
    table_spec spec = { .text = text, .columns = columns, .n_columns = 2 };
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(shoal_released_open(&released, release, sizeof release - 1, table, 1, &err));
    assert_ok(shoal_measure_release(&m, table, released, 2, &unread, &err));
    assert_int_equal(unread, 2);
    assert_near(m.ncp, 3);
    assert_near(m.modification_rate, 3.0 / 14);
    assert_fails(shoal_measure_release(&m, table, released, 0, &unread, &err), SHOAL_EINVAL,
                 "k is 0");
    shoal_measures_clear(&m);
    shoal_table_free(released);
    assert_ok(shoal_released_open(&released, "age,job\n1,a\n1,a\n1,a\n1,a\n1,a\n1,a\n1,a\n1,a\n",
                                  40, table, 1, &err));
    assert_fails(shoal_measure_release(&m, table, released, 2, NULL, &err), SHOAL_EINVAL,
                 "has 8 rows, its original only 7");
    shoal_table_free(released);
    shoal_table_free(table);
}

/* A leaf and its parent share a label: read as the value only where every row has that value. */
static void test_label_of_value_and_node(void **state)
{
    (void)state;
    static const column_spec column[] = { { "c", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL,
                                            "A;A;*\nB;A;*\nC;D;*\n", 0 } };
    static const uint32_t together[] = { 0, 0, 1, 1 }, apart[] = { 0, 1, 0, 1 };
    shoal_error err;
    both b;
    table_spec spec = { .text = "c\nA\nB\nC\nC\n", .columns = column, .n_columns = 1 };
    assert_ok(measure_both(&b, &spec, together, false, &err));
    assert_equal_measures(&b.grouping, &b.release);
    assert_near(b.release.ncp, 1);
    assert_near(b.release.modification_rate, 1.0 / 4); /* A is still A */
    clear_both(&b);
    spec.text = "c\nA\nC\nA\nC\n";
    assert_ok(measure_both(&b, &spec, apart, false, &err));
    assert_equal_measures(&b.grouping, &b.release);
    assert_near(b.release.ncp, 0);
    clear_both(&b);
}

static void measure_text(shoal_measures *out, const shoal_table *table, const char *release)
{
    shoal_error err;
    shoal_table *released = NULL;
    assert_ok(shoal_released_open(&released, release, strlen(release), table, 1, &err));
    assert_ok(shoal_measure_release(out, table, released, 2, NULL, &err));
    shoal_table_free(released);
}

/* A release whose rows were shuffled loses what it lost before: its cells are read by themselves.
 * Means that differ from their rows, and rows that only changed places within their groups, are no
 * sign of it. */
static void test_moved_rows(void **state)
{
    (void)state;
    static const column_spec two[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                       { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL,
                                         "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n", 0 } };
    table_spec spec = { .text = "age,job\n0,a\n10,b\n40,c\n60,d\n100,d\n100,d\n",
                        .columns = two,
                        .n_columns = 2 };
    shoal_error err;
    shoal_table *table = NULL;
    shoal_measures kept, moved;
    assert_ok(open_table(&table, &spec, &err));
    measure_text(&kept, table,
                 "age,job\n[0..10],ab\n[0..10],ab\n[40..60],cd\n[40..60],cd\n100,d\n100,d\n");
    assert_false(kept.is_moved);
    measure_text(&moved, table,
                 "age,job\n[40..60],cd\n[0..10],ab\n100,d\n100,d\n[40..60],cd\n[0..10],ab\n");
    assert_true(moved.is_moved);
    assert_equal_measures(&kept, &moved);
    assert_near(kept.distortion, moved.distortion);
    assert_near(kept.genc, moved.genc);
    shoal_measures_clear(&moved);
    /* numbers alone */
    measure_text(&moved, table, "age,job\n40,ab\n40,ab\n50,cd\n50,cd\n100,d\n100,d\n");
    assert_false(moved.is_moved);
    assert_near(moved.qid_loss[0], (0.1 + 0.1 + 0.2 + 0.2) / 6); /* what covering ranges lose */
    shoal_measures_clear(&moved);
    /* by the labels alone */
    measure_text(&moved, table, "age,job\n5,cd\n5,ab\n50,ab\n50,cd\n100,d\n100,d\n");
    assert_true(moved.is_moved);
    shoal_measures_clear(&moved);
    shoal_measures_clear(&kept);
    shoal_table_free(table);
}

static shoal_status measure_with_less_memory(const table_spec *spec)
{
    both b;
    shoal_status status = measure_both(&b, spec, groups, false, NULL);
    clear_both(&b);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    table_spec spec = { .text = text, .columns = columns, .n_columns = 2 };
    assert_survives_allocation_failure(measure_with_less_memory(&spec));
    table_spec wild = { .text = "age,job\n0,a\n10,a\n,a\n20,b\n,\n20,b\n1,\n",
                        .columns = columns,
                        .n_columns = 2,
                        .missing = SHOAL_MISSING_WILDCARD };
    assert_survives_allocation_failure(measure_with_less_memory(&wild));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_formulas_without_rows),
        cmocka_unit_test(test_what_groups_tell),
        cmocka_unit_test(test_grouping_and_release),
        cmocka_unit_test(test_dropped_rows),
        cmocka_unit_test(test_group_at_the_root),
        cmocka_unit_test(test_groups_published_alike),
        cmocka_unit_test(test_wildcards),
        cmocka_unit_test(test_unreadable_cells_count_as_star),
        cmocka_unit_test(test_label_of_value_and_node),
        cmocka_unit_test(test_moved_rows),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
