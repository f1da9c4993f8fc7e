/* SPDX-License-Identifier: Apache-2.0 */
/* build_intervals.c - numbers in ranges of given widths, counted from an origin.
 *
 * The range of a number on the lowest level is floor((number - origin) / width); on higher levels
 * that index is divided by integers, so levels nest regardless of rounding. Integers in ranges of
 * integer widths are labelled with both ends,
 * `[0..4]`; all others are half-open, `[0..0.5)`. Different spellings of one number (7, 7.0) are
 * separate leaves in one range. O(n * levels).
 */
#include "hierarchy/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WIDTHS = 64 };

typedef struct widths {
    double width[MAX_WIDTHS];
    double ratio[MAX_WIDTHS]; /* to the width before it */
    uint32_t n;
    double origin;
    bool is_whole; /* all values, widths and the origin are integers */
} widths;

/* Beyond this many widths from zero, the 15 digits of labels no longer distinguish neighbouring
 * ranges. */
#define MAX_STEPS 1e14

static bool add_width(widths *w, shoal_text piece)
{
    double width, ratio = 1;
    if (w->n == MAX_WIDTHS || !shoal_parse_number(piece.data, piece.length, &width) || !(width > 0))
        return false;
    if (w->n > 0) {
        ratio = round(width / w->width[w->n - 1]);
        /* 0.3 / 0.1 is not exactly 3 */
        if (ratio < 2 || fabs(width / w->width[w->n - 1] - ratio) > 1e-9 * ratio) return false;
    }
    w->width[w->n] = width;
    w->ratio[w->n++] = ratio;
    return true;
}

static shoal_status read_widths(widths *w, const shoal_builder *b, const char *args,
                                shoal_error *err)
{
    shoal_text piece;
    *w = (widths){ 0 };
    while (shoal_next_piece(&piece, &args, ',')) {
        if (piece.length > 7 && memcmp(piece.data, "origin=", 7) == 0) {
            if (args != NULL || !shoal_parse_number(piece.data + 7, piece.length - 7, &w->origin))
                return shoal_builder_fail(b, "the origin must be a number and come last", err);
        } else if (!add_width(w, piece)) {
            return shoal_builder_fail(b,
                                      "a width is not a positive number, or not a multiple (2 or "
                                      "more) of the previous one",
                                      err);
        }
    }
    if (w->n == 0) return shoal_builder_fail(b, "no width given", err);
    w->is_whole = w->origin == floor(w->origin);
    for (uint32_t i = 0; i < w->n; i++)
        w->is_whole = w->is_whole && w->width[i] == floor(w->width[i]);
    return SHOAL_OK;
}

/*
 * Index of the lowest range of a number. A quotient within rounding error of an integer is taken as
 * that integer: 0.3 is on the border of ranges of width 0.1, although 0.3 / 0.1 < 3 in doubles.
 * `hair` bounds the rounding error.
 */
static double step_of(const widths *w, double number)
{
    double steps = (number - w->origin) / w->width[0], nearest = round(steps);
    double hair = fmin(1e-3, 1e-15 * (fabs(number) + fabs(w->origin)) / w->width[0] + 1e-12);
    return !w->is_whole && fabs(steps - nearest) <= hair ? nearest : floor(steps);
}

static size_t label_range(char out[2 * SHOAL_FORMATTED_SIZE], const shoal_builder *b,
                          const widths *w, uint32_t level, double step)
{
    char low[40], high[40];
    double width = w->width[level], lo = w->origin + step * width;
    shoal_number_text(low, lo, 15);
    shoal_number_text(high, w->is_whole ? lo + width - 1 : w->origin + (step + 1) * width, 15);
    size_t size = shoal_builder_range(b, out, low, high);
    out[size] = w->is_whole ? ']' : ')';
    return size + 1;
}

shoal_status shoal_build_intervals(shoal_builder *b, const char *args, shoal_error *err)
{
    widths w;
    SHOAL_RETURN_IF_ERROR(read_widths(&w, b, args, err));
    for (uint32_t i = 0; i < b->n_leaves; i++) {
        double number = b->numbers[i];
        w.is_whole = w.is_whole && number == floor(number);
        if (fabs(number - w.origin) / w.width[0] > MAX_STEPS ||
            fabs(number) / w.width[0] > MAX_STEPS)
            return shoal_fail(
                err, SHOAL_EDATA,
                "hierarchy: value %u of %zu is more than 1e14 widths away {fix} use wider"
                " intervals",
                b->value_of_leaf[i] + 1, b->values->n_values);
    }
    for (uint32_t i = 0; i < b->n_leaves; i++) {
        double step = step_of(&w, b->numbers[i]);
        uint32_t at = i;
        bool is_known = false;
        for (uint32_t level = 0; level < w.n && !is_known; level++) {
            char label[2 * SHOAL_FORMATTED_SIZE];
            step = floor(step / w.ratio[level]);
            size_t size = label_range(label, b, &w, level, step);
            SHOAL_RETURN_IF_ERROR(
                shoal_builder_climb(b, &at, &is_known, level + 1, label, size, err));
        }
    }
    return SHOAL_OK;
}
