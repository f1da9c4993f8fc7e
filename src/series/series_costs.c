/* SPDX-License-Identifier: Apache-2.0 */
/* series_costs.c - the loss of a series, release by release: by publishing groups, by holding rows
 * back and by withdrawing rows, compared with independent releases; as numbers, as a picture and as
 * text.
 *
 * Each row that is not published loses 1, whether it is held back or was withdrawn, so the three
 * add up to the loss of the table: of ten rows, eight published that lose 0.1 each, one held back
 * and one withdrawn, it is (0.8 + 1 + 1) / 10 = 0.28. An independent release is only a reference:
 * two of them disclose what a series must protect.
 */
#include "series/series_state.h"

#include <math.h>
#include <shoal/plot.h>

/* gcp counts each row that is not published as 1, so the rest is the loss of published rows;
 * rounding must not make it negative. */
void shoal_series_entry_parts(shoal_series_parts *out, const shoal_series_entry *e)
{
    *out = (shoal_series_parts){ 0 };
    if (e->rows == 0) return;
    out->waiting = (double)e->pending / (double)e->rows;
    out->withdrawn = (double)e->withheld / (double)e->rows;
    out->published = fmax(0, e->gcp - out->waiting - out->withdrawn);
}

/* ---- curves ---- */

enum {
    PUBLISHED,
    WITH_WAITING,
    ALL,
    ANEW,
    NO_COUNTERFEITS,
    N_LOSSES,
    SHARE_PUBLISHED = N_LOSSES,
    SHARE_WAITING,
    SHARE_WITHDRAWN,
    SHARE_COUNTERFEIT,
    N_CURVES
};

typedef struct drawing {
    double *numbers; /* x, then the curves, n each */
    shoal_plot_series curves[N_CURVES];
    shoal_plot_panel panels[2];
    bool has_anew, has_counterfeits;
} drawing;

/* The first panel is cumulative: the space between two curves is one cause. */
static void place_entry(double *const y[N_CURVES], const shoal_series_entry *e, uint32_t i)
{
    shoal_series_parts parts;
    shoal_series_entry_parts(&parts, e);
    y[PUBLISHED][i] = parts.published;
    y[WITH_WAITING][i] = parts.published + parts.waiting;
    y[ALL][i] = e->gcp;
    y[ANEW][i] = e->gcp_anew;
    y[SHARE_PUBLISHED][i] = 1 - parts.waiting - parts.withdrawn;
    y[SHARE_WAITING][i] = parts.waiting;
    y[SHARE_WITHDRAWN][i] = parts.withdrawn;
    y[SHARE_COUNTERFEIT][i] = e->rows > 0 ? (double)e->counterfeits / (double)e->rows : 0;
}

/* Colours mean the same in both panels: the legend is that of the first, which has a curve of no
 * points for what the second alone shows. */
static void name_curves(drawing *d)
{
    static const char *const names[N_CURVES] = { "published", "waiting", "withdrawn",
                                                 "independent release (unsafe)", "counterfeits" };
    static const size_t colours[N_CURVES] = { 0, 4, 1, 2, 3, 0, 4, 1, 3 };
    for (size_t c = 0; c < N_CURVES; c++) {
        d->curves[c].colour = colours[c];
        d->curves[c].name = names[c];
    }
    d->curves[ANEW].points = true;
    d->curves[NO_COUNTERFEITS].n = 0;
    if (!d->has_anew) d->curves[ANEW].name = NULL;
    if (!d->has_counterfeits) d->curves[NO_COUNTERFEITS].name = NULL;
}

/* All curves are in one block; the x values are the numbers of the releases. */
static bool drawing_make(drawing *d, const shoal_series *series)
{
    const shoal_series_state *state = &series->state;
    uint32_t n = state->n_releases;
    double *y[N_CURVES];
    *d = (drawing){ .numbers = shoal_alloc((size_t)(N_CURVES + 1) * n, sizeof *d->numbers) };
    if (d->numbers == NULL) return false;
    for (size_t c = 0; c < N_CURVES; c++) {
        y[c] = d->numbers + (c + 1) * n;
        d->curves[c] = (shoal_plot_series){
            .x = d->numbers, .y = y[c], .n = n, .marked = SIZE_MAX
        };
    }
    for (uint32_t i = 0; i < n; i++) {
        d->numbers[i] = i + 1;
        place_entry(y, &state->releases[i], i);
        d->has_anew = d->has_anew || isfinite(state->releases[i].gcp_anew);
        d->has_counterfeits = d->has_counterfeits || state->releases[i].counterfeits > 0;
    }
    name_curves(d);
    d->panels[0] = (shoal_plot_panel){ .title = "Information loss of the table (gcp) by cause",
                                       .x_label = "release",
                                       .series = d->curves,
                                       .n_series = N_LOSSES };
    d->panels[1] = (shoal_plot_panel){
        .title = d->has_counterfeits ? "Share of rows, and counterfeits" : "Share of rows",
        .x_label = "release",
        .series = d->curves + N_LOSSES,
        .n_series = d->has_counterfeits ? N_CURVES - N_LOSSES : N_CURVES - N_LOSSES - 1
    };
    return true;
}

/* The curve of independent releases is called unsafe in the legend: two of them may differ by one
 * row. */
shoal_status shoal_series_plot_svg(const shoal_series *series, shoal_write_fn write, void *payload,
                                   shoal_error *err)
{
    drawing d;
    if (series->state.n_releases == 0)
        return shoal_fail(err, SHOAL_EINVAL, "series: no releases yet");
    if (!drawing_make(&d, series)) return shoal_fail_memory(err);
    const char *note = d.has_anew
                           ? "A row that is not published has a loss of 1. Independent releases "
                             "are for comparison: two of them may differ by a single row."
                           : "A row that is not published has a loss of 1. No release was compared "
                             "with an independent one.";
    const shoal_plot plot = { .title = "Information loss of a series of releases",
                              .note = note,
                              .panels = d.panels,
                              .n_panels = 2 };
    shoal_status status = shoal_plot_svg(&plot, write, payload, err);
    shoal_free(d.numbers);
    return status;
}

/* The same curves as characters, for terminals. */
shoal_status shoal_series_plot_text(const shoal_series *series, shoal_write_fn write, void *payload,
                                    shoal_error *err)
{
    drawing d;
    if (series->state.n_releases == 0)
        return shoal_fail(err, SHOAL_EINVAL, "series: no releases yet");
    if (!drawing_make(&d, series)) return shoal_fail_memory(err);
    shoal_status status = shoal_plot_text(&d.panels[0], 0, 0, write, payload, err);
    shoal_free(d.numbers);
    return status;
}
