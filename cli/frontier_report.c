/* SPDX-License-Identifier: Apache-2.0 */
/* frontier_report.c - what `shoal frontier` found: a table, CSV, JSON, and plots. */
#include "frontier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PANELS = 5, BOUND_COLOUR = 7, NAME_SIZE = 60, TEXT_WIDTH = 56, TEXT_HEIGHT = 12 };

/* NaN where it is not known, or there is no such release. */
static double measure_of(const shoal_frontier_point *p, size_t which)
{
    return p->is_unsat ? NAN : shoal_trial_number_of(&p->trial, which);
}

/* ---- CSV ---- */

static shoal_status put(shoal_output *output, const char *text, shoal_error *err)
{
    int code = shoal_output_write(text, strlen(text), output);
    return code == 0
               ? SHOAL_OK
               : shoal_fail(err, SHOAL_EIO,
                            "cannot write it: %s {fix} free disk space, or choose another folder",
                            strerror(code));
}

static shoal_status put_point(const shoal_frontier *f, const shoal_frontier_series *s, size_t i,
                              shoal_output *output, shoal_error *err)
{
    const shoal_frontier_point *p = &s->points[i];
    char line[1600];
    int at = snprintf(line, sizeof line, "%s,%s,\"%.100s\",%u", s->algorithm, f->vary, p->value,
                      p->k);
    for (size_t m = 0; m < shoal_trial_number_count(); m++) {
        double number = measure_of(p, m);
        at += isnan(number) ? snprintf(line + at, sizeof line - (size_t)at, ",")
                            : snprintf(line + at, sizeof line - (size_t)at, ",%.10g", number);
    }
    at += snprintf(line + at, sizeof line - (size_t)at, ",%d,", i == s->knee);
    if (!isnan(p->bound)) at += snprintf(line + at, sizeof line - (size_t)at, "%.10g", p->bound);
    snprintf(line + at, sizeof line - (size_t)at, "\n");
    return put(output, line, err);
}

shoal_status frontier_write_csv(const shoal_frontier *f, shoal_output *output, shoal_error *err)
{
    CLI_RETURN_IF_ERROR(put(output, "algorithm,vary,value,k", err));
    for (size_t m = 0; m < shoal_trial_number_count(); m++) {
        CLI_RETURN_IF_ERROR(put(output, ",", err));
        CLI_RETURN_IF_ERROR(put(output, shoal_trial_number_name(m), err));
    }
    CLI_RETURN_IF_ERROR(put(output, ",knee,lower_bound\n", err));
    for (size_t s = 0; s < f->n_series; s++)
        for (size_t i = 0; i < f->series[s].n_points; i++)
            CLI_RETURN_IF_ERROR(put_point(f, &f->series[s], i, output, err));
    return SHOAL_OK;
}

/* ---- plots ---- */

/* Panels with what they show: curves, panel after panel, and their numbers. */
typedef struct panels {
    shoal_plot_panel items[MAX_PANELS];
    size_t n;
    shoal_plot_series *curves; /* NULL, as numbers: memory is short, and nothing is drawn */
    double *numbers;
    char (*names)[NAME_SIZE]; /* of the bounds of each k */
    size_t n_curves, n_numbers;
    size_t n_solid[MAX_PANELS]; /* curves that are not dashed: those come first */
} panels;

/* How curves are drawn. */
typedef struct curve_style {
    bool against_risk; /* the greatest risk is x, else what varies */
    bool is_ringed;    /* at the knee */
    bool dashed;
} curve_style;

static void begin_panel(panels *p, const char *title, const char *x_label, bool log_x)
{
    if (log_x) x_label = "k, on a logarithmic scale"; /* k is all that is drawn so */
    p->items[p->n++] = (shoal_plot_panel){
        .title = title, .x_label = x_label, .log_x = log_x, .series = p->curves + p->n_curves
    };
}

/* The curves of one measure of all series, for the last panel. */
static void add_curves(panels *p, const shoal_frontier *f, const char *name, curve_style style)
{
    size_t which = shoal_trial_number_find(name);
    if (p->curves == NULL || p->numbers == NULL) return;
    for (size_t s = 0; s < f->n_series; s++) {
        const shoal_frontier_series *series = &f->series[s];
        double *x = p->numbers + p->n_numbers, *y = x + series->n_points;
        p->n_numbers += 2 * series->n_points;
        for (size_t i = 0; i < series->n_points; i++) {
            x[i] = style.against_risk ? series->points[i].trial.risk_max : series->points[i].x;
            y[i] = measure_of(&series->points[i], which);
        }
        p->curves[p->n_curves++] = (shoal_plot_series){ .name = style.dashed ? NULL : series->name,
                                                        .x = x,
                                                        .y = y,
                                                        .n = series->n_points,
                                                        .colour = s,
                                                        .dashed = style.dashed,
                                                        .marked = style.is_ringed ? series->knee
                                                                                  : SIZE_MAX };
    }
    p->items[p->n - 1].n_series += f->n_series;
    if (!style.dashed) p->n_solid[p->n - 1] += f->n_series;
}

/* The lower bound as a curve of its own, for the last panel: over k, or level where something else
 * varies. */
static void add_bounds(panels *p, const shoal_frontier *f, bool against_risk)
{
    if (p->curves == NULL || p->numbers == NULL || p->names == NULL || !f->has_bounds) return;
    for (size_t s = 0; s < f->n_ks; s++) {
        const shoal_frontier_series *series = &f->series[s];
        double *x = p->numbers + p->n_numbers, *y = x + series->n_points;
        p->n_numbers += 2 * series->n_points;
        for (size_t i = 0; i < series->n_points; i++) {
            x[i] = against_risk ? 1.0 / series->points[i].k : series->points[i].x;
            y[i] = series->points[i].bound;
        }
        if (f->n_ks > 1)
            snprintf(p->names[s], NAME_SIZE, "lower bound, k = %u", series->points[0].k);
        else
            snprintf(p->names[s], NAME_SIZE, "lower bound: no release has a lower loss");
        p->curves[p->n_curves++] = (shoal_plot_series){ .name = p->names[s],
                                                        .x = x,
                                                        .y = y,
                                                        .n = series->n_points,
                                                        .colour = BOUND_COLOUR + s,
                                                        .marked = SIZE_MAX };
    }
    p->items[p->n - 1].n_series += f->n_ks;
    p->n_solid[p->n - 1] += f->n_ks;
}

static void make_panels(panels *p, const shoal_frontier *f)
{
    enum { MAX_LISTS = 9 }; /* of curves; see below */
    const curve_style plain = { 0 }, dashed = { .dashed = true };
    size_t n_points = 0;
    for (size_t s = 0; s < f->n_series; s++) n_points += f->series[s].n_points;
    *p = (panels){ .curves = calloc(MAX_LISTS * f->n_series + 1, sizeof *p->curves),
                   .numbers = calloc(2 * MAX_LISTS * n_points + 1, sizeof *p->numbers),
                   .names = calloc(f->n_ks + 1, sizeof *p->names) };
    begin_panel(p, "Information loss (gcp)", f->vary, f->by_k);
    add_bounds(p, f, false); /* first: methods are drawn on top of it */
    add_curves(p, f, "gcp", (curve_style){ .is_ringed = true });
    if (f->n_queries > 0) {
        begin_panel(p, "Query error (average relative error)", f->vary, f->by_k);
        add_curves(p, f, "are", plain);
    }
    if (f->has_sensitive) {
        begin_panel(p, "Protection: mpm (dashed: worst group, wgp)", f->vary, f->by_k);
        add_curves(p, f, "mpm", plain);
        add_curves(p, f, "wgp", dashed);
    }
    begin_panel(p, "Risk: mean over rows (dashed: highest)", f->vary, f->by_k);
    add_curves(p, f, "risk_mean", plain);
    add_curves(p, f, "risk_max", dashed);
    begin_panel(p, "Loss against risk", "highest risk, 1 / smallest group", false);
    if (f->by_k) add_bounds(p, f, true);
    add_curves(p, f, "gcp", (curve_style){ .against_risk = true, .is_ringed = f->by_k });
}

static void free_panels(panels *p)
{
    free(p->curves);
    free(p->numbers);
    free(p->names);
}

shoal_status frontier_write_svg(const shoal_frontier *f, shoal_output *output, shoal_error *err)
{
    panels made;
    char title[160], note[240];
    make_panels(&made, f);
    snprintf(title, sizeof title, "Cost of %.60s", f->vary);
    snprintf(note, sizeof note,
             "Ring: knee, the release furthest below the line from the first to the last release, "
             "for loss against %.60s",
             f->by_k ? "highest risk" : f->vary);
    shoal_plot plot = { .title = title, .note = note, .panels = made.items, .n_panels = made.n };
    shoal_status status = shoal_plot_svg(&plot, shoal_output_write, output, err);
    free_panels(&made);
    return status;
}

/* ---- for people ---- */

static int write_to_stream(const void *data, size_t size, void *payload)
{
    return fwrite(data, 1, size, payload) == size ? 0 : 5;
}

static void print_table(const shoal_frontier *f, FILE *stream)
{
    size_t width = 9;
    for (size_t s = 0; s < f->n_series; s++)
        if (strlen(f->series[s].algorithm) > width) width = strlen(f->series[s].algorithm);
    fprintf(stream, "%-*s  %5s", (int)width, "algorithm", "k");
    if (!f->by_k) fprintf(stream, "  %15.15s", f->vary);
    fprintf(stream, "  %8s", "gcp");
    if (f->has_bounds) fprintf(stream, "  %8s", "bound");
    fprintf(stream, "  %8s  %9s", "max risk", "mean risk");
    if (f->has_sensitive) fprintf(stream, "  %6s  %6s", "mpm", "wgp");
    if (f->n_queries > 0) fprintf(stream, "  %8s  %8s", "a.r.e.", "median");
    fprintf(stream, "  %9s  %8s\n", "groups", "seconds");
    for (size_t s = 0; s < f->n_series; s++)
        for (size_t i = 0; i < f->series[s].n_points; i++) {
            const shoal_frontier_point *p = &f->series[s].points[i];
            fprintf(stream, "%-*s  %5u", (int)width, f->series[s].algorithm, p->k);
            if (!f->by_k) fprintf(stream, "  %15.15s", p->value);
            if (p->is_unsat) {
                fprintf(stream, "  unsatisfiable\n");
                continue;
            }
            fprintf(stream, "  %8.4f", p->trial.measures.gcp);
            if (f->has_bounds) fprintf(stream, "  %8.4f", p->bound);
            fprintf(stream, "  %6.2f %%  %7.2f %%", 100 * p->trial.risk_max,
                    100 * p->trial.risk_mean);
            if (f->has_sensitive)
                fprintf(stream, "  %6.4f  %6.4f", p->trial.measures.mpm, p->trial.measures.wgp);
            if (f->n_queries > 0)
                fprintf(stream, "  %8.4f  %8.4f", p->trial.query_average, p->trial.query_median);
            fprintf(stream, "  %9llu  %8.2f%s%s\n", (unsigned long long)p->trial.measures.n_groups,
                    p->trial.seconds, p->trial.stopped_early ? "  stopped early" : "",
                    i == f->series[s].knee ? "  <- knee" : "");
        }
}

shoal_status frontier_print(const shoal_frontier *f, uint64_t seed, FILE *stream, shoal_error *err)
{
    panels made;
    size_t n_shown = 1u + (f->n_queries > 0) + f->has_sensitive;
    make_panels(&made, f);
    shoal_status status = SHOAL_OK;
    print_table(f, stream);
    if (f->n_queries > 0)
        fprintf(stream,
                "a.r.e., median: relative errors of %llu queries, seed %llu, as 'shoal evaluate "
                "queries' draws them\n",
                (unsigned long long)f->n_queries, (unsigned long long)seed);
    for (size_t p = 0; p < n_shown && status == SHOAL_OK; p++) {
        shoal_plot_panel solid = made.items[p];
        if (solid.n_series > made.n_solid[p]) { /* in text, dashes and lines look the same */
            solid.n_series = made.n_solid[p];
            solid.title = "Protection: mpm";
        }
        fputc('\n', stream);
        status = shoal_plot_text(&solid, TEXT_WIDTH, TEXT_HEIGHT, write_to_stream, stream, err);
    }
    free_panels(&made);
    return status;
}
