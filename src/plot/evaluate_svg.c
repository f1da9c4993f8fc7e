/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate_svg.c - utility of a release as a picture: errors of queries, distributions of columns
 * in original and release, classifiers.
 *
 * Distributions are shares, and values that the release does not show are one bar together, so that
 * the picture discloses no value. A column of which the release shows no original value has its
 * most frequent published texts instead.
 */
#include "plot/plot_bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_COLUMNS = 23,
    PANEL_WIDTH = 520,
    N_POINTS = 96 /* the worst few would flatten the rest */
};

static const char *const names[2] = { "original", "release" };

/* ---- columns ---- */

typedef struct column_bars {
    shoal_plot_bar bars[SHOAL_SUMMARY_BARS + 1];
    size_t n;
    char title[100];
} column_bars;

static double share_of(double part, uint64_t whole)
{
    return whole > 0 ? part / (double)whole : 0;
}

/* Bars of the values that the release shows, and one of all others: rare ones, and those that it
 * does not show. */
static void add_values(column_bars *to, const shoal_column_summary *s)
{
    double before = 0, after = 0;
    size_t n_hidden = 0;
    for (size_t i = 0; i < s->n_bars; i++) {
        const shoal_summary_bar *bar = &s->bars[i];
        if (bar->is_shown && !(bar->is_rest && strcmp(bar->label, "other values") == 0)) {
            to->bars[to->n++] = (shoal_plot_bar){ bar->label, share_of(bar->before, s->n_rows),
                                                  s->has_release
                                                      ? share_of(bar->after, s->n_released)
                                                      : NAN };
            continue;
        }
        before += bar->before;
        after += bar->after;
        n_hidden++;
    }
    if (n_hidden > 0)
        to->bars[to->n++] = (shoal_plot_bar){ "other values", share_of(before, s->n_rows),
                                              s->has_release ? share_of(after, s->n_released)
                                                             : NAN };
}

static void add_texts(column_bars *to, const shoal_column_summary *s)
{
    double rest = (double)s->n_released;
    for (size_t i = 0; i < s->n_listed; i++) {
        to->bars[to->n++] = (shoal_plot_bar){ s->texts[i].text, NAN,
                                              share_of((double)s->texts[i].n_rows, s->n_released) };
        rest -= (double)s->texts[i].n_rows;
    }
    if (s->n_texts > s->n_listed)
        to->bars[to->n++] = (shoal_plot_bar){ "other texts", NAN, share_of(rest, s->n_released) };
}

static shoal_plot_panel column_panel(column_bars *to, const shoal_column_picture *column)
{
    const shoal_column_summary *s = column->summary;
    size_t n_shown = 0;
    for (size_t i = 0; i < s->n_bars; i++) n_shown += s->bars[i].is_shown && !s->bars[i].is_rest;
    to->n = 0;
    if (n_shown > 0 || !s->has_release)
        add_values(to, s);
    else
        add_texts(to, s);
    snprintf(to->title, sizeof to->title, "%.60s%s", column->name,
             n_shown > 0 || !s->has_release ? "" : ": published texts");
    return (shoal_plot_panel){ .title = to->title,
                               .x_label = "share of rows",
                               .bars = to->bars,
                               .n_bars = to->n,
                               .bar_values = SHOAL_PLOT_PERCENT,
                               .bar_names = { n_shown > 0 ? names[0] : NULL,
                                              n_shown > 0 ? names[1] : NULL } };
}

/* ---- pictures ---- */

shoal_status shoal_queries_svg(const shoal_query_result *result,
                               const shoal_column_picture *columns, size_t n_columns,
                               shoal_write_fn write, void *payload, shoal_error *err)
{
    double x[N_POINTS];
    char note[120];
    size_t n = n_columns < MOST_COLUMNS ? n_columns : MOST_COLUMNS;
    shoal_plot_panel panels[MOST_COLUMNS + 1];
    column_bars *bars = shoal_alloc(n, sizeof *bars);
    if (bars == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < N_POINTS; i++) x[i] = (double)i / 100;
    const shoal_plot_series series = {
        .x = x, .y = result->curve, .n = N_POINTS, .marked = SIZE_MAX, .plain = true
    };
    panels[0] = (shoal_plot_panel){ .title = "Relative error of queries, sorted",
                                    .x_label = "share of queries (up to 95 %)",
                                    .series = &series,
                                    .n_series = 1,
                                    .share_x = true };
    for (size_t i = 0; i < n; i++) panels[i + 1] = column_panel(&bars[i], &columns[i]);
    snprintf(note, sizeof note, "%zu of %zu columns shown.", n, n_columns);
    const shoal_plot plot = { .title = "Error of queries answered from the release",
                              .note = n < n_columns ? note : NULL,
                              .panels = panels,
                              .n_panels = n + 1,
                              .panel_width = PANEL_WIDTH };
    shoal_status status = shoal_plot_svg(&plot, write, payload, err);
    shoal_free(bars);
    return status;
}

static double score_of(const shoal_scores *scores, size_t which)
{
    return which == 0 ? scores->accuracy : which == 1 ? scores->balanced_accuracy : scores->auc;
}

shoal_status shoal_classify_svg(const shoal_classify_result *result, shoal_write_fn write,
                                void *payload, shoal_error *err)
{
    static const char *const titles[3] = { "Accuracy", "Balanced accuracy",
                                           "Area under the ROC curve" };
    shoal_plot_bar bars[3][SHOAL_N_CLASSIFIERS + 1];
    shoal_plot_panel panels[3];
    for (size_t p = 0; p < 3; p++) {
        double baseline = score_of(&result->baseline, p);
        bars[p][0] = (shoal_plot_bar){ "most frequent label", baseline, baseline };
        for (size_t i = 0; i < SHOAL_N_CLASSIFIERS; i++)
            bars[p][i + 1] = (shoal_plot_bar){ result->names[i], score_of(&result->original[i], p),
                                               score_of(&result->released[i], p) };
        panels[p] = (shoal_plot_panel){ .title = titles[p],
                                        .x_label = "share of rows, each predicted once",
                                        .bars = bars[p],
                                        .n_bars = SHOAL_N_CLASSIFIERS + 1,
                                        .bar_names = { "trained on the original",
                                                       "trained on the release" } };
    }
    panels[1].x_label = "mean over labels";
    panels[2].x_label = "0.5: guessing, 1: always correct";
    const shoal_plot plot = { .title = "Classifiers trained on the release",
                              .panels = panels,
                              .n_panels = 3,
                              .panel_width = PANEL_WIDTH };
    return shoal_plot_svg(&plot, write, payload, err);
}
