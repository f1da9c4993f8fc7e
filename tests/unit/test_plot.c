/* SPDX-License-Identifier: Apache-2.0 */
/* test_plot.c - ticks, places, pictures in characters and in SVG, and knees, on curves drawn by
 * hand. Covers: attack_svg.c, knee.c, plot_axis.c, plot_labels.c, plot_svg.c, plot_text.c
 */
#include "plot/plot_labels.h"
#include "test.h"

#include <math.h>
#include <shoal/frontier.h>

static int write_to_buffer(const void *data, size_t size, void *payload)
{
    shoal_buffer *buffer = payload;
    shoal_buffer_add(buffer, data, size);
    return buffer->failed ? 12 : 0;
}

static int refuse(const void *data, size_t size, void *payload)
{
    (void)data, (void)size, (void)payload;
    return 5;
}

static const double ks[] = { 2, 5, 10, 25, 50, 100 }, losses[] = { 0, 0.1, 0.2, 0.3, NAN, 0.6 };
static const shoal_plot_series series[] = {
    { .name = "one <&> \"two\"", .x = ks, .y = losses, .n = 6, .colour = 0, .marked = 2 },
    { .name = NULL, .x = ks, .y = ks, .n = 0, .colour = 1, .marked = SIZE_MAX, .dashed = true },
};
static const shoal_plot_panel panel = {
    .title = "loss", .x_label = "k", .log_x = true, .series = series, .n_series = 2
};

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9)) fail_msg("%.15g instead of %.15g", value, expected);
}

static void test_axes(void **state)
{
    (void)state;
    shoal_plot_axis x = shoal_plot_axis_of_x(&panel), y = shoal_plot_axis_of_y(&panel);
    assert_true(x.is_log);
    assert_int_equal(x.n_ticks, 5); /* 50 is not shown, so it is no tick */
    assert_near(x.ticks[0], 2);
    assert_near(x.ticks[4], 100);
    assert_near(shoal_plot_axis_place(&x, 2), 0);
    assert_near(shoal_plot_axis_place(&x, 100), 1);
    assert_near(shoal_plot_axis_place(&x, sqrt(200)), 0.5);
    assert_near(y.low, 0);
    assert_near(y.high, 0.6);
    assert_int_equal(y.n_ticks, 4); /* steps of 0.2 */
    assert_near(y.ticks[3], 0.6);
}

static void test_odd_axes(void **state)
{
    (void)state;
    const double x[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 },
                 y[17] = { -3, 0 };
    shoal_plot_series many = { .x = x, .y = y, .n = 17, .marked = SIZE_MAX };
    shoal_plot_panel p = {
        .title = "", .x_label = "", .log_x = true, .series = &many, .n_series = 1
    };
    shoal_plot_axis axis = shoal_plot_axis_of_x(&p);
    assert_false(axis.is_log);         /* 0 has no logarithm */
    assert_int_equal(axis.n_ticks, 4); /* 0, 5, 10, 15 */
    axis = shoal_plot_axis_of_y(&p);
    assert_near(axis.low, -3);
    assert_near(axis.high, 0);
    many.n = 1;
    axis = shoal_plot_axis_of_x(&p);
    assert_near(shoal_plot_axis_place(&axis, 0), 0.5);
    many.n = 0;
    axis = shoal_plot_axis_of_y(&p);
    assert_near(axis.high, 1);
    char label[32];
    assert_string_equal(shoal_plot_axis_label(0.25, label), "0.25");
    assert_string_equal(shoal_plot_axis_label(1500000, label), "1.5e+06");
    assert_string_equal(shoal_plot_axis_label(0.0002, label), "0.0002");
}

/* Labels of ticks do not touch: 0.0022 takes more room than 2. */
static void test_long_ticks(void **state)
{
    (void)state;
    const double x[] = { 0.0022, 0.04, 0.1, 0.2, 0.5 };
    shoal_plot_series s = { .x = x, .y = x, .n = 5, .marked = SIZE_MAX };
    shoal_plot_panel p = { .title = "", .x_label = "", .series = &s, .n_series = 1 };
    shoal_plot_axis axis = shoal_plot_axis_of_x(&p);
    assert_int_equal(axis.n_ticks, 4);
    assert_near(axis.ticks[1], 0.1);
}

static void test_text(void **state)
{
    (void)state;
    shoal_error err;
    shoal_buffer out = { 0 };
    const double x[] = { 0, 1, 2 }, y[] = { 0, 1, 2 };
    shoal_plot_series s = { .name = "line", .x = x, .y = y, .n = 3, .colour = 1, .marked = 1 };
    shoal_plot_panel p = { .title = "title", .x_label = "x", .series = &s, .n_series = 1 };
    assert_ok(shoal_plot_text(&p, 9, 5, write_to_buffer, &out, &err));
    shoal_buffer_add(&out, "", 1);
    assert_string_equal(out.data, "title\n"
                                  "        2 +        b\n"
                                  "      1.5 +      ..\n"
                                  "        1 +    B.\n"
                                  "      0.5 +  ..\n"
                                  "        0 +b.\n"
                                  "          ++---+---+\n"
                                  "           0   1   2  x\n"
                                  "           b  line\n");
    shoal_buffer_clear(&out);
    assert_fails(shoal_plot_text(&p, 1, 5, write_to_buffer, &out, &err), SHOAL_EINVAL, "1 by 5");
    assert_fails(shoal_plot_text(&p, 9, 5, refuse, NULL, &err), SHOAL_EIO, "write");
}

static size_t count_of(const char *text, const char *piece)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, piece)) != NULL; at++) n++;
    return n;
}

static void test_svg(void **state)
{
    (void)state;
    shoal_error err;
    shoal_buffer out = { 0 };
    shoal_plot_panel panels[3] = { panel, panel, panel };
    shoal_plot plot = { .title = "a < b", .note = "note", .panels = panels, .n_panels = 3 };
    assert_ok(shoal_plot_svg(&plot, write_to_buffer, &out, &err));
    shoal_buffer_add(&out, "", 1);
    assert_int_equal(count_of(out.data, "<svg "), 1);
    assert_int_equal(count_of(out.data, "</svg>"), 1);
    assert_int_equal(count_of(out.data, "a &lt; b"), 2);
    /* one legend for all panels */
    assert_int_equal(count_of(out.data, "one &lt;&amp;&gt; &quot;two&quot;"), 1);
    assert_int_equal(count_of(out.data, "class=\"ring\""), 3);
    /* the point that is no number is not there */
    assert_int_equal(count_of(out.data, "<circle class=\"m\""), 3 * 5 + 1);
    assert_int_equal(count_of(out.data, "nan"), 0);
    assert_fails(shoal_plot_svg(&plot, refuse, NULL, &err), SHOAL_EIO, "write");
    shoal_buffer_clear(&out);
}

static void test_knee(void **state)
{
    (void)state;
    const double risk[] = { 0.5, 0.2, 0.1, 0.04, 0.02, 0.01 };
    const double loss[] = { 0.0136, 0.0385, 0.0616, 0.0987, 0.1331, 0.1746 };
    /* k = 10: 0.52 below the chord; k = 5: 0.46, k = 25: 0.41 */
    assert_int_equal(shoal_knee(risk, loss, 6), 2);
    const double straight[] = { 1, 2, 3, 4 }, above[] = { 0, 3, 4, 3 }, flat[] = { 2, 2, 2, 2 };
    assert_int_equal(shoal_knee(straight, straight, 4), SIZE_MAX);
    assert_int_equal(shoal_knee(straight, above, 4), SIZE_MAX);
    assert_int_equal(shoal_knee(straight, flat, 4), SIZE_MAX);
    assert_int_equal(shoal_knee(flat, straight, 4), SIZE_MAX);
    assert_int_equal(shoal_knee(risk, loss, 2), SIZE_MAX);
    const double holed[] = { NAN, 0.2, 0.0, NAN, 1, NAN };
    const double x[] = { 1, 2, 3, 4, 5, 6 };
    assert_int_equal(shoal_knee(x, holed, 6), 2);
}

/* Points in a heap, and one apart: names beside them, none on another. */
static const double heap_x[] = { 0.010, 0.011, 0.010, 0.012, 0.0105, 100 },
                    heap_y[] = { 0.5, 0.5, 0.51, 0.49, 0.505, 0.9 };
static const char *const heap_names[] = { "mondrian", "mondrian-relaxed", "incognito",
                                          "samarati", "optimal",          "shoal" };
static const shoal_plot_series heap = { .name = "all",
                                        .x = heap_x,
                                        .y = heap_y,
                                        .n = 6,
                                        .marked = 5,
                                        .points = true,
                                        .labels = heap_names };
static const shoal_plot_panel scatter = { .title = "loss",
                                          .x_label = "seconds",
                                          .log_x = true,
                                          .series = &heap,
                                          .n_series = 1,
                                          .free_y = true };

static void test_labels(void **state)
{
    (void)state;
    shoal_plot_frame f = { .x = shoal_plot_axis_of_x(&scatter),
                           .y = shoal_plot_axis_of_y(&scatter),
                           .left = 50,
                           .top = 30,
                           .width = 500,
                           .height = 300 };
    shoal_plot_label *l;
    size_t n;
    assert_true(f.x.is_log);
    assert_true(f.x.low < 0.01 && f.x.high > 100);
    assert_near(f.x.ticks[0], 0.01); /* with 2 and 5 times the powers of ten there would be 13 */
    assert_near(f.x.ticks[1], 0.03);
    assert_near(f.y.low, 0.4); /* not 0 */
    assert_true(shoal_place_labels(&l, &n, &f, &scatter));
    assert_int_equal(n, 6);
    for (size_t i = 0; i < n; i++) {
        assert_true(l[i].left >= f.left && l[i].left + l[i].width <= f.left + f.width);
        assert_true(l[i].top >= f.top && l[i].top + SHOAL_LABEL_HEIGHT <= f.top + f.height);
        assert_int_equal(l[i].is_marked, i == 5);
        for (size_t j = 0; j < n; j++) {
            bool apart = l[i].left + l[i].width <= l[j].left ||
                         l[j].left + l[j].width <= l[i].left ||
                         l[i].top + SHOAL_LABEL_HEIGHT <= l[j].top ||
                         l[j].top + SHOAL_LABEL_HEIGHT <= l[i].top;
            if (i != j && !apart) fail_msg("'%s' covers '%s'", l[i].text, l[j].text);
            bool clear = l[i].left + l[i].width <= l[j].point_x || l[j].point_x <= l[i].left ||
                         l[i].top + SHOAL_LABEL_HEIGHT <= l[j].point_y || l[j].point_y <= l[i].top;
            if (!clear) fail_msg("'%s' covers the point of '%s'", l[i].text, l[j].text);
        }
    }
    assert_false(l[5].is_far); /* there is nothing near it */
    shoal_free(l);
}

/* Labels beside a level curve, not on it. */
static void test_labels_beside_curve(void **state)
{
    (void)state;
    const double x[] = { 0, 1, 2 }, y[] = { 1, 1, 1 };
    static const char *const names[] = { "first", "second", "third" };
    shoal_plot_series s = { .x = x, .y = y, .n = 3, .marked = SIZE_MAX, .labels = names };
    shoal_plot_panel p = { .title = "", .x_label = "", .series = &s, .n_series = 1 };
    shoal_plot_frame f = { .x = shoal_plot_axis_of_x(&p),
                           .y = shoal_plot_axis_of_y(&p),
                           .left = 0,
                           .top = -200,
                           .width = 600,
                           .height = 400 };
    shoal_plot_label *l;
    size_t n;
    assert_true(shoal_place_labels(&l, &n, &f, &p));
    for (size_t i = 0; i < n; i++) {
        bool is_clear = l[i].left + l[i].width <= l[0].point_x || l[i].left >= l[2].point_x ||
                        l[i].top >= l[1].point_y || l[i].top + SHOAL_LABEL_HEIGHT <= l[1].point_y;
        if (!is_clear) fail_msg("'%s' is on the curve", l[i].text);
    }
    shoal_free(l);
}

static void test_scatter_svg(void **state)
{
    (void)state;
    shoal_error err;
    shoal_buffer out = { 0 };
    shoal_plot plot = {
        .title = "t", .panels = &scatter, .n_panels = 1, .panel_width = 900, .panel_height = 500
    };
    assert_ok(shoal_plot_svg(&plot, write_to_buffer, &out, &err));
    shoal_buffer_add(&out, "", 1);
    assert_non_null(strstr(out.data, "width=\"940\""));
    /* points are not joined, in the legend neither */
    assert_int_equal(count_of(out.data, "class=\"line\""), 0);
    assert_int_equal(count_of(out.data, ">mondrian-relaxed<"), 1);
    assert_int_equal(count_of(out.data, "class=\"strong\""), 1);
    shoal_buffer_clear(&out);
}

static void test_log_y(void **state)
{
    (void)state;
    const double x[] = { 1, 2, 3 }, y[] = { 0.001, 1, 1000 };
    shoal_plot_series s = { .x = x, .y = y, .n = 3, .marked = SIZE_MAX };
    shoal_plot_panel p = { .title = "", .x_label = "", .series = &s, .n_series = 1, .log_y = true };
    shoal_plot_axis axis = shoal_plot_axis_of_y(&p);
    assert_true(axis.is_log);
    assert_near(shoal_plot_axis_place(&axis, 1), 0.5);
    assert_int_equal(axis.n_ticks, 7);
    assert_near(axis.ticks[3], 1);
    const double zero[] = { 0, 1, 2 };
    s.y = zero;
    axis = shoal_plot_axis_of_y(&p);
    assert_false(axis.is_log);
}

static shoal_status plot_both(void)
{
    shoal_error err;
    const shoal_plot_panel both[2] = { panel, scatter };
    shoal_buffer out = { 0 };
    shoal_plot plot = { .title = "t", .panels = both, .n_panels = 2 };
    shoal_status status = shoal_plot_svg(&plot, write_to_buffer, &out, &err);
    if (status == SHOAL_OK) status = shoal_plot_text(&panel, 0, 0, write_to_buffer, &out, &err);
    if (out.failed) status = SHOAL_ENOMEM;
    shoal_buffer_clear(&out);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    assert_survives_allocation_failure(plot_both());
}

/* A line for each finding, a point and a control where it was tried, names instead of numbers. */
static void test_attacks(void **state)
{
    (void)state;
    shoal_error err;
    shoal_buffer out = { 0 };
    shoal_attack_finding findings[] = {
        { .name = "linkage",
          .is_tried = true,
          .successes = 1,
          .trials = 4,
          .rate = 0.25,
          .control = 0.1,
          .low = 0.05,
          .high = 0.7 },
        { .name = "linkage",
          .release = 1,
          .is_tried = true,
          .successes = 1,
          .trials = 4,
          .rate = 0.25,
          .control = 0.1,
          .low = 0.05,
          .high = 0.7 },
        { .name = "minimality", .is_tried = false },
        { .name = "intersection", .release = SIZE_MAX, .is_tried = true, .trials = 0, .high = 1 },
    };
    const shoal_attack_result result = { .n_releases = 2, .findings = findings, .n_findings = 4 };
    assert_ok(shoal_attack_svg(&result, write_to_buffer, &out, &err));
    assert_non_null(strstr(out.data, ">linkage 1<"));
    assert_non_null(strstr(out.data, ">linkage 2<"));
    assert_non_null(strstr(out.data, ">minimality 1 (not tried)<"));
    assert_non_null(strstr(out.data, ">intersection<"));
    assert_non_null(strstr(out.data, ">0.6<"));
    size_t n_points = 0, n_intervals = 0;
    for (const char *at = out.data; (at = strstr(at, "class=\"m\"")) != NULL; at++) n_points++;
    for (const char *at = out.data; (at = strstr(at, "class=\"dash\"")) != NULL; at++)
        n_intervals += at[0] == 'c' && strchr(at, 'M') < strstr(at, "/>");
    assert_int_equal(n_points, 2 + 2 * 2); /* the legend, and two that were tried */
    assert_int_equal(n_intervals, 2);
    shoal_buffer_clear(&out);
    assert_fails(shoal_attack_svg(&result, refuse, NULL, &err), SHOAL_EIO, "cannot write the plot");
}

static shoal_status draw_attacks(void)
{
    shoal_error err;
    shoal_buffer out = { 0 };
    shoal_attack_finding finding = {
        .name = "linkage", .is_tried = true, .trials = 4, .rate = 0.25, .high = 1
    };
    const shoal_attack_result result = { .n_releases = 1, .findings = &finding, .n_findings = 1 };
    shoal_status status = shoal_attack_svg(&result, write_to_buffer, &out, &err);
    if (out.failed) status = SHOAL_ENOMEM;
    shoal_buffer_clear(&out);
    return status;
}

static void test_attacks_short_memory(void **state)
{
    (void)state;
    assert_survives_allocation_failure(draw_attacks());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attacks),
        cmocka_unit_test(test_attacks_short_memory),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_odd_axes),
        cmocka_unit_test(test_long_ticks),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_svg),
        cmocka_unit_test(test_knee),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_labels_beside_curve),
        cmocka_unit_test(test_scatter_svg),
        cmocka_unit_test(test_log_y),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
