/* SPDX-License-Identifier: Apache-2.0 */
/* progress_line.c - the text of a progress bar: percentage of the phase, loss so far, speed, and
 * time left.
 *
 * Speed and time left are those of the phase so far; they are left out until enough of the phase is
 * done to estimate them.
 */
#include "cli.h"

#include <string.h>

enum { BAR_WIDTH = 30 };
static const double LEAST_SECONDS = 0.5, LEAST_SHARE = 0.01;

/* "850 MB/s", "1.2M rows/s" */
static void spell_speed(char *out, size_t size, double speed, bool is_bytes)
{
    const char *unit = is_bytes ? "B/s" : " rows/s";
    if (speed >= 1e9)
        snprintf(out, size, "%.1f%sG%s", speed / 1e9, is_bytes ? " " : "", unit);
    else if (speed >= 1e6)
        snprintf(out, size, "%.1f%sM%s", speed / 1e6, is_bytes ? " " : "", unit);
    else if (speed >= 1e3)
        snprintf(out, size, "%.0f%sk%s", speed / 1e3, is_bytes ? " " : "", unit);
    else
        snprintf(out, size, "%.0f%s%s", speed, is_bytes ? " " : "", unit);
}

/* "7 s left", "2 min 5 s left", "3 h 12 min left" */
static void spell_left(char *out, size_t size, double seconds)
{
    unsigned long long s = (unsigned long long)(seconds + 0.999);
    if (s < 60)
        snprintf(out, size, "%llu s left", s);
    else if (s < 3600)
        snprintf(out, size, "%llu min %llu s left", s / 60, s % 60);
    else
        snprintf(out, size, "%llu h %llu min left", s / 3600, s % 3600 / 60);
}

void cli_progress_line(char *out, size_t size, const cli_pace *pace)
{
    char bar[BAR_WIDTH + 1], speed[40] = "", left[60] = "", loss[40] = "";
    double share = pace->fraction > 1 ? 1 : pace->fraction;
    if (!(share >= 0)) {
        snprintf(out, size, "%-8s ...", pace->phase);
        return;
    }
    int full = (int)(share * BAR_WIDTH);
    memset(bar, '#', (size_t)full);
    memset(bar + full, '.', (size_t)(BAR_WIDTH - full));
    bar[BAR_WIDTH] = '\0';
    double done = share - pace->from;
    if (pace->seconds >= LEAST_SECONDS && done >= LEAST_SHARE) {
        if (pace->amount > 0)
            spell_speed(speed, sizeof speed, (double)pace->amount * done / pace->seconds,
                        pace->is_bytes);
        spell_left(left, sizeof left, pace->seconds * (1 - share) / done);
    }
    if (pace->loss > 0) snprintf(loss, sizeof loss, "  loss %.4f", pace->loss);
    snprintf(out, size, "%-8s %s %3d %%%s%s%s%s%s", pace->phase, bar, (int)(share * 100), loss,
             speed[0] != '\0' ? "  " : "", speed, left[0] != '\0' ? "  " : "", left);
}
