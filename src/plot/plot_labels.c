/* SPDX-License-Identifier: Apache-2.0 */
/* plot_labels.c - place labels of points; see plot_labels.h.
 *
 * A label has a few dozen possible positions around its point, near ones first. Each label in turn
 * takes the position of least cost: the area of other labels, points and curves that it covers, and
 * its distance. This is repeated until no label moves, at most PASSES times. Deterministic. Cost:
 * passes x labels x positions x (labels + segments of curves), for a few dozen of each.
 */
#include "plot/plot_labels.h"

#include <math.h>
#include <string.h>

enum {
    PASSES = 30,
    N_ANGLES = 16,
    N_RINGS = 6,
    N_PLACES = N_ANGLES * N_RINGS,
    FIRST_RING = 8,
    RING = 11,
    POINT_ROOM = 7,
    STEP = 4
};

static const double letter_width = 6.7, overlap_cost = 10;

/* Counts bytes, not letters: labels in UTF-8 get more room than they need. */
static double width_of(const char *text)
{
    return letter_width * (double)strlen(text) + 2;
}

static double covered(double low_a, double high_a, double low_b, double high_b)
{
    return fmax(0, fmin(high_a, high_b) - fmax(low_a, low_b));
}

/* Move a label to one of its positions: its nearest edge is on a ring around the point. */
static void move_to(shoal_plot_label *l, int place)
{
    double angle = 2 * 3.14159265358979323846 * (place % N_ANGLES) / N_ANGLES;
    double ring = FIRST_RING + RING * (place / N_ANGLES), c = cos(angle), s = sin(angle);
    l->lead_x = l->point_x + ring * c;
    l->lead_y = l->point_y - ring * s;
    l->left = l->lead_x - l->width * (0.5 - 0.5 * fmax(-1, fmin(1, c * 1.5)));
    l->top = l->lead_y - SHOAL_LABEL_HEIGHT * (0.5 + 0.5 * fmax(-1, fmin(1, s * 1.5)));
    l->is_far = place >= N_ANGLES;
}

static double place_x(const shoal_plot_frame *f, double x)
{
    return f->left + f->width * shoal_plot_axis_place(&f->x, x);
}
static double place_y(const shoal_plot_frame *f, double y)
{
    return f->top + f->height * (1 - shoal_plot_axis_place(&f->y, y));
}

/* How much of the segment between two points a label covers, in steps of a few pixels. */
static double on_stretch(const shoal_plot_label *a, double x0, double y0, double x1, double y1)
{
    double length = sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)), sum = 0;
    for (double at = 0; at < length; at += STEP) {
        double x = x0 + (x1 - x0) * at / length, y = y0 + (y1 - y0) * at / length;
        bool is_inside = x > a->left && x < a->left + a->width && y > a->top &&
                         y < a->top + SHOAL_LABEL_HEIGHT;
        sum += is_inside ? 2 * STEP : 0;
    }
    return sum;
}

static double on_curves(const shoal_plot_label *a, const shoal_plot_frame *f,
                        const shoal_plot_panel *panel)
{
    double sum = 0;
    for (size_t s = 0; s < panel->n_series; s++) {
        const shoal_plot_series *series = &panel->series[s];
        size_t before = SIZE_MAX;
        for (size_t i = 0; !series->points && i < series->n; i++) {
            if (!isfinite(series->x[i]) || !isfinite(series->y[i])) continue;
            if (before != SIZE_MAX)
                sum += on_stretch(a, place_x(f, series->x[before]), place_y(f, series->y[before]),
                                  place_x(f, series->x[i]), place_y(f, series->y[i]));
            before = i;
        }
    }
    return sum;
}

/* Cost of a label's position: area covered of other labels, points and curves, and area outside the
 * frame. */
static double trouble(const shoal_plot_label *labels, size_t n, size_t i, const shoal_plot_frame *f,
                      const shoal_plot_panel *panel)
{
    const shoal_plot_label *a = &labels[i];
    double right = a->left + a->width, bottom = a->top + SHOAL_LABEL_HEIGHT, sum;
    sum = a->width * SHOAL_LABEL_HEIGHT - covered(a->left, right, f->left, f->left + f->width) *
                                              covered(a->top, bottom, f->top, f->top + f->height);
    for (size_t j = 0; j < n; j++) {
        const shoal_plot_label *b = &labels[j];
        if (j != i)
            sum += covered(a->left - 1, right + 1, b->left, b->left + b->width) *
                   covered(a->top, bottom, b->top, b->top + SHOAL_LABEL_HEIGHT);
        sum += covered(a->left, right, b->point_x - POINT_ROOM, b->point_x + POINT_ROOM) *
               covered(a->top, bottom, b->point_y - POINT_ROOM, b->point_y + POINT_ROOM);
    }
    return sum + on_curves(a, f, panel);
}

static bool improve(shoal_plot_label *labels, size_t n, size_t i, int *place,
                    const shoal_plot_frame *f, const shoal_plot_panel *panel)
{
    int best = *place;
    double least = INFINITY;
    for (int p = 0; p < N_PLACES; p++) {
        move_to(&labels[i], p);
        double cost = overlap_cost * trouble(labels, n, i, f, panel) + 20.0 * (p / N_ANGLES) +
                      0.3 * (p % N_ANGLES);
        if (cost < least - 1e-9) {
            least = cost;
            best = p;
        }
    }
    move_to(&labels[i], best);
    bool moved = best != *place;
    *place = best;
    return moved;
}

static size_t list_labels(shoal_plot_label *labels, const shoal_plot_frame *f,
                          const shoal_plot_panel *panel)
{
    size_t n = 0;
    for (size_t s = 0; s < panel->n_series; s++) {
        const shoal_plot_series *series = &panel->series[s];
        for (size_t i = 0; series->labels != NULL && i < series->n; i++) {
            if (!isfinite(series->x[i]) || !isfinite(series->y[i])) continue;
            if (labels != NULL)
                labels[n] = (shoal_plot_label){ .text = series->labels[i],
                                                .width = width_of(series->labels[i]),
                                                .point_x = place_x(f, series->x[i]),
                                                .point_y = place_y(f, series->y[i]),
                                                .is_marked = i == series->marked };
            n++;
        }
    }
    return n;
}

bool shoal_place_labels(shoal_plot_label **labels, size_t *n, const shoal_plot_frame *frame,
                        const shoal_plot_panel *panel)
{
    *n = list_labels(NULL, frame, panel);
    *labels = NULL;
    if (*n == 0) return true;
    int *places = shoal_alloc_zero(*n, sizeof *places);
    *labels = shoal_alloc(*n, sizeof **labels);
    if (places == NULL || *labels == NULL) {
        shoal_free(places);
        shoal_free(*labels);
        return false;
    }
    list_labels(*labels, frame, panel);
    for (size_t i = 0; i < *n; i++) move_to(&(*labels)[i], 0);
    bool moved = true;
    for (int pass = 0; pass < PASSES && moved; pass++) {
        moved = false;
        for (size_t i = 0; i < *n; i++) moved |= improve(*labels, *n, i, &places[i], frame, panel);
    }
    shoal_free(places);
    return true;
}
