/* SPDX-License-Identifier: Apache-2.0 */
/* test_pictures.c - bars, and the pictures that are made of them: losses, sizes of groups, columns
 * before and after, classifiers. Covers: evaluate_svg.c, measure_svg.c, plot_bars.c, risk_svg.c
 */
#include "plot/plot_bars.h"
#include "release_fixture.h"

#include <math.h>

static shoal_error err;

static int refuse(const void *data, size_t size, void *payload)
{
    (void)data, (void)size, (void)payload;
    return 5;
}

static size_t count_of(const char *text, const char *piece)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, piece)) != NULL; at++) n++;
    return n;
}

static void assert_shows(const char *picture, const char *text)
{
    char piece[200];
    snprintf(piece, sizeof piece, ">%s</text>", text);
    if (strstr(picture, piece) == NULL) fail_msg("the picture does not show '%s'", text);
}

/* ---- bars ---- */

static const shoal_plot_bar pairs[] = {
    { "short", 1234567, 0 },
    { "a_very_long_name_of_a_column_2023", 10, 20 },
    { "a_very_long_name_of_a_column_2024", 20, NAN },
    { "Stra\xc3\x9f"
      "e & <more>",
      0, 5 },
};

static shoal_status draw(shoal_buffer *out, const shoal_plot_panel *panels, size_t n)
{
    const shoal_plot plot = { .title = "t", .panels = panels, .n_panels = n };
    shoal_status status = shoal_plot_svg(&plot, write_to_buffer, out, &err);
    if (status == SHOAL_OK) shoal_buffer_add(out, "", 1);
    return out->failed ? SHOAL_ENOMEM : status;
}

static void test_bars(void **state)
{
    (void)state;
    shoal_buffer out = { 0 };
    const shoal_plot_panel panel = { .title = "head",
                                     .x_label = "rows",
                                     .bars = pairs,
                                     .n_bars = 4,
                                     .bar_names = { "before", "after" },
                                     .bar_values = SHOAL_PLOT_COUNTS };
    assert_ok(draw(&out, &panel, 1));
    assert_shows(out.data, "1,234,567");
    assert_shows(out.data, "a_very_long_\xe2\x80\xa6"
                           "_column_2023"); /* names that differ at their ends stay apart */
    assert_shows(out.data, "a_very_long_\xe2\x80\xa6"
                           "_column_2024");
    assert_shows(out.data, "Stra\xc3\x9f"
                           "e &amp; &lt;more&gt;");
    assert_shows(out.data, "before");
    /* outlines, and the legend */
    assert_int_equal(count_of(out.data, "fill=\"#fff\" stroke=\"#0072b2\""), 4 + 1);
    /* one has no second bar */
    assert_int_equal(count_of(out.data, "fill=\"#d55e00\" stroke=\"#d55e00\""), 3 + 1);
    assert_int_equal(count_of(out.data, "nan"), 0);
    shoal_buffer_clear(&out);
}

static void test_bars_of_one_kind(void **state)
{
    (void)state;
    static const shoal_plot_bar shares[] = { { "much", NAN, 0.5 },
                                             { "little", NAN, 0.004 },
                                             { "nothing", NAN, 0 } };
    shoal_buffer out = { 0 };
    const shoal_plot_panel panel = { .title = "head",
                                     .x_label = "share",
                                     .bars = shares,
                                     .n_bars = 3,
                                     .bar_values = SHOAL_PLOT_PERCENT };
    assert_ok(draw(&out, &panel, 1));
    assert_shows(out.data, "50 %");
    assert_shows(out.data, "below 1 %");
    assert_shows(out.data, "0 %");
    assert_int_equal(count_of(out.data, "fill=\"#d55e00\""), 3);
    assert_int_equal(count_of(out.data, "stroke=\"#0072b2\""), 0);
    shoal_buffer_clear(&out);
}

/* Bars take the height that they need, and the next row begins below the higher of two. */
static void test_heights(void **state)
{
    (void)state;
    shoal_plot_bar many[40];
    for (size_t i = 0; i < 40; i++) many[i] = (shoal_plot_bar){ "x", NAN, (double)i };
    const shoal_plot_panel long_one = { .title = "long",
                                        .x_label = "",
                                        .bars = many,
                                        .n_bars = 40 },
                           none = { .title = "none", .x_label = "", .bars = many };
    assert_true(shoal_plot_bars_height(&long_one) > 40 * 20);
    assert_true(shoal_plot_bars_height(&none) < 120);
    const shoal_plot_panel panels[3] = { none, long_one, none };
    shoal_buffer out = { 0 };
    assert_ok(draw(&out, panels, 3));
    assert_int_equal(count_of(out.data, "nothing to show"), 2);
    double first = 0, last = 0;
    const char *heads[2] = { strstr(out.data, "class=\"head\""), strstr(out.data, ">long<") };
    heads[1] = strstr(heads[1], "class=\"head\"");
    assert_int_equal(sscanf(strstr(heads[0], "y=") + 3, "%lf", &first), 1);
    assert_int_equal(sscanf(strstr(heads[1], "y=") + 3, "%lf", &last), 1);
    assert_true(last - first >= shoal_plot_bars_height(&long_one) - 1);
    shoal_buffer_clear(&out);
}

/* ---- risk and measures ---- */

static const column_spec people_columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "ill", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};
static const char people[] = "age,zip,ill\n20,1,flu\n21,1,flu\n30,2,cough\n31,2,flu\n";
static const char released_people[] =
    "age,zip,ill\n{20|21},1,flu\n{20|21},1,flu\n*,2,cough\n*,2,flu\n";

typedef struct tables {
    shoal_table *original, *released;
    shoal_measures measures;
    shoal_risk after, before;
    shoal_range_curve curve;
} tables;

static void tables_clear(tables *t)
{
    shoal_measures_clear(&t->measures);
    shoal_risk_clear(&t->after);
    shoal_risk_clear(&t->before);
    shoal_range_curve_clear(&t->curve);
    shoal_table_free(t->original);
    shoal_table_free(t->released);
    *t = (tables){ 0 };
}

static shoal_status tables_make(tables *t)
{
    const table_spec original = { .text = people, .columns = people_columns, .n_columns = 3 },
                     released = { .text = released_people,
                                  .columns = people_columns,
                                  .n_columns = 3 };
    const shoal_risk_options options = SHOAL_RISK_OPTIONS_INIT;
    *t = (tables){ 0 };
    SHOAL_RETURN_IF_ERROR(open_table(&t->original, &original, &err));
    SHOAL_RETURN_IF_ERROR(open_table(&t->released, &released, &err));
    SHOAL_RETURN_IF_ERROR(
        shoal_measure_release(&t->measures, t->original, t->released, 2, NULL, &err));
    SHOAL_RETURN_IF_ERROR(shoal_risk_measure(&t->after, t->released, &options, &err));
    SHOAL_RETURN_IF_ERROR(shoal_risk_measure(&t->before, t->original, &options, &err));
    return shoal_range_curve_find(&t->curve, t->original, t->released, &err);
}

static shoal_status draw_measures(shoal_buffer *out, const tables *t, bool with_all)
{
    const shoal_measure_picture picture = { &t->measures, t->original, with_all ? &t->after : NULL,
                                            &t->before, with_all ? &t->curve : NULL };
    shoal_status status = shoal_measure_svg(&picture, write_to_buffer, out, &err);
    if (status == SHOAL_OK) shoal_buffer_add(out, "", 1);
    return out->failed ? SHOAL_ENOMEM : status;
}

static void test_measures(void **state)
{
    (void)state;
    tables t;
    shoal_buffer out = { 0 };
    assert_ok(tables_make(&t));
    assert_ok(draw_measures(&out, &t, true));
    assert_shows(out.data, "Information loss per quasi-identifier");
    assert_shows(out.data, "age");
    assert_shows(out.data, "0.6667"); /* a set of 2 of 4 values loses 1/3, `*` loses 1 */
    assert_shows(out.data, "original");
    assert_shows(out.data, "Range diversity of each row's group");
    assert_int_equal(count_of(out.data, "flu") + count_of(out.data, "cough"), 0);
    shoal_buffer_clear(&out);
    assert_ok(draw_measures(&out, &t, false));
    assert_int_equal(count_of(out.data, "Range diversity"), 0);
    shoal_buffer_clear(&out);
    const shoal_measure_picture picture = { .measures = &t.measures, .table = t.original };
    assert_fails(shoal_measure_svg(&picture, refuse, NULL, &err), SHOAL_EIO,
                 "cannot write the plot");
    tables_clear(&t);
}

static void test_risk(void **state)
{
    (void)state;
    tables t;
    shoal_buffer out = { 0 };
    assert_ok(tables_make(&t));
    assert_ok(shoal_risk_svg(&t.after, &t.before, t.released, write_to_buffer, &out, &err));
    shoal_buffer_add(&out, "", 1);
    assert_shows(out.data, "Rows by group size");
    /* of the rows of the original are above 0.33 */
    assert_shows(out.data, "100 %");
    assert_int_equal(count_of(out.data, "without a column"), 0); /* nothing is below 2 */
    shoal_buffer_clear(&out);
    assert_ok(shoal_risk_svg(&t.before, NULL, t.original, write_to_buffer, &out, &err));
    shoal_buffer_add(&out, "", 1);
    assert_shows(out.data, "Rows in groups below 2 without a column");
    assert_shows(out.data, "(all columns)");
    assert_int_equal(count_of(out.data, "original"), 0);
    shoal_buffer_clear(&out);
    tables_clear(&t);
}

/* ---- evaluation ---- */

static shoal_status draw_queries(shoal_buffer *out, const tables *t)
{
    shoal_query_result result = { .n_queries = 3 };
    shoal_column_summary summaries[3] = { { 0 } };
    shoal_column_picture columns[30];
    shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < 101; i++) result.curve[i] = (double)i / 50;
    for (size_t c = 0; c < 3 && status == SHOAL_OK; c++)
        status = shoal_column_summary_find(&summaries[c], t->original, t->released, c, &err);
    for (size_t c = 0; c < 30; c++)
        columns[c] = (shoal_column_picture){ people_columns[c % 3].name, &summaries[c % 3] };
    if (status == SHOAL_OK)
        status = shoal_queries_svg(&result, columns, 30, write_to_buffer, out, &err);
    if (status == SHOAL_OK) shoal_buffer_add(out, "", 1);
    for (size_t c = 0; c < 3; c++) shoal_column_summary_clear(&summaries[c]);
    return out->failed ? SHOAL_ENOMEM : status;
}

/* The release tells 20 and 21, and neither 30 nor 31: those are not named. */
static void test_columns(void **state)
{
    (void)state;
    tables t;
    shoal_buffer out = { 0 };
    assert_ok(tables_make(&t));
    assert_ok(draw_queries(&out, &t));
    assert_shows(out.data, "Relative error of queries, sorted");
    assert_shows(out.data, "21");
    assert_int_equal(count_of(out.data, ">30<") + count_of(out.data, ">31<"), 0);
    assert_shows(out.data, "other values");
    assert_shows(out.data, "23 of 30 columns shown.");
    assert_shows(out.data, "flu"); /* published as it is */
    shoal_buffer_clear(&out);
    tables_clear(&t);
}

/* Where the release shows no value as it was, its own texts are drawn. */
static void test_texts(void **state)
{
    (void)state;
    shoal_query_result result = { .n_queries = 1 };
    shoal_buffer out = { 0 };
    char label[] = "secret", text[] = "[1..5]";
    shoal_column_summary s = { .n_rows = 4,
                               .n_bars = 1,
                               .bars = { { .label = label, .before = 4, .after = 4 } },
                               .has_release = true,
                               .n_released = 4,
                               .n_texts = 2,
                               .n_listed = 1,
                               .texts = { { text, 3 } } };
    const shoal_column_picture column = { "age", &s };
    assert_ok(shoal_queries_svg(&result, &column, 1, write_to_buffer, &out, &err));
    shoal_buffer_add(&out, "", 1);
    assert_shows(out.data, "age: published texts");
    assert_shows(out.data, "[1..5]");
    assert_shows(out.data, "75 %");
    assert_shows(out.data, "other texts");
    assert_int_equal(count_of(out.data, "secret"), 0);
    shoal_buffer_clear(&out);
}

static void test_classifiers(void **state)
{
    (void)state;
    shoal_classify_result result = { .n_rows = 10, .baseline = { 0.5, 0.5, 0.5 } };
    shoal_buffer out = { 0 };
    for (size_t i = 0; i < SHOAL_N_CLASSIFIERS; i++) {
        result.names[i] = "learner";
        result.original[i] = (shoal_scores){ 0.875, 0.75, 0.625 };
        result.released[i] = (shoal_scores){ 0.8125, 0.7, 0.6 };
    }
    assert_ok(shoal_classify_svg(&result, write_to_buffer, &out, &err));
    shoal_buffer_add(&out, "", 1);
    assert_shows(out.data, "trained on the release");
    assert_shows(out.data, "0.8125");
    assert_int_equal(count_of(out.data, ">0.875<"), SHOAL_N_CLASSIFIERS);
    assert_int_equal(count_of(out.data, "most frequent label"), 3);
    shoal_buffer_clear(&out);
}

static shoal_status draw_everything(void)
{
    tables t;
    shoal_buffer out = { 0 };
    shoal_status status = tables_make(&t);
    if (status == SHOAL_OK) status = draw_measures(&out, &t, true);
    if (status == SHOAL_OK)
        status = shoal_risk_svg(&t.before, &t.after, t.original, write_to_buffer, &out, &err);
    if (status == SHOAL_OK) status = draw_queries(&out, &t);
    if (out.failed) status = SHOAL_ENOMEM;
    shoal_buffer_clear(&out);
    tables_clear(&t);
    return status;
}

static void test_survives_lack_of_memory(void **state)
{
    (void)state;
    assert_survives_allocation_failure(draw_everything());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_bars_of_one_kind),
        cmocka_unit_test(test_heights),
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_risk),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_classifiers),
        cmocka_unit_test(test_survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
