/* SPDX-License-Identifier: Apache-2.0 */
/* knee.c - the knee of a curve: the point furthest below its chord.
 *
 * With both axes scaled to [0,1] the distance to the chord and the vertical distance differ by a
 * constant factor, so the vertical one is compared. Ties go to the first point. For curves of loss
 * against risk, which are convex if each step of protection costs more than the previous one, the
 * knee is the last point before the steep part.
 *
 * Satopaa, Albrecht, Irwin, Raghavan: Finding a "Kneedle" in a Haystack, ICDCS Workshops 2011 (for
 * curves known at a few points: no smoothing, no threshold).
 */
#include <shoal/frontier.h>

#include <math.h>

size_t shoal_knee(const double *x, const double *y, size_t n)
{
    static const double LEAST = 1e-9; /* closer points count as on the chord */
    size_t first = 0, last = n, knee = SIZE_MAX;
    while (first < n && !(isfinite(x[first]) && isfinite(y[first]))) first++;
    while (last > first && !(isfinite(x[last - 1]) && isfinite(y[last - 1]))) last--;
    if (last < first + 3) return SIZE_MAX;
    double width = x[last - 1] - x[first], rise = y[last - 1] - y[first], furthest = LEAST;
    if (width == 0) return SIZE_MAX;
    for (size_t i = first + 1; i + 1 < last; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) continue;
        double on_chord = y[first] + rise * ((x[i] - x[first]) / width);
        double below = rise != 0 ? (on_chord - y[i]) / fabs(rise) : 0;
        if (below > furthest) {
            furthest = below;
            knee = i;
        }
    }
    return knee;
}
