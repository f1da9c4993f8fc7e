/* SPDX-License-Identifier: Apache-2.0 */
/* finding.c - what an attack found: numbers, cases, and the interval of its rate; see
 * attack_kind.h.
 *
 * The interval is Wilson's (1927): unlike the usual one it holds for rates near 0 and for few
 * trials.
 */
#include "attack/attack_kind.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void shoal_finding_add(shoal_attack_finding *finding, const char *key, double value)
{
    if (finding->n_details == SHOAL_ATTACK_DETAILS) return;
    finding->details[finding->n_details++] = (shoal_attack_detail){ key, value };
}

shoal_status shoal_finding_add_case(shoal_attack_finding *finding, const shoal_attack_case *found,
                                    const char *label, shoal_error *err)
{
    shoal_attack_case *cases = shoal_resize(finding->cases, finding->n_cases + 1, sizeof *cases);
    if (cases == NULL) return shoal_fail_memory(err);
    finding->cases = cases;
    cases[finding->n_cases] = *found;
    cases[finding->n_cases].label = shoal_copy_text(label, strlen(label));
    if (cases[finding->n_cases].label == NULL) return shoal_fail_memory(err);
    finding->n_cases++;
    return SHOAL_OK;
}

void shoal_finding_skip(shoal_attack_finding *finding, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(finding->reason, sizeof finding->reason, format, list);
    va_end(list);
    finding->is_tried = false;
}

void shoal_finding_note(shoal_attack_finding *finding, const char *format, ...)
{
    va_list list;
    size_t used = strlen(finding->reason);
    if (used > 0 && used + 2 < sizeof finding->reason) {
        memcpy(finding->reason + used, "; ", 3);
        used += 2;
    }
    va_start(list, format);
    vsnprintf(finding->reason + used, sizeof finding->reason - used, format, list);
    va_end(list);
}

/* The number that a normal deviate passes with probability `tail`, by halving: a tail has no closed
 * inverse. */
static double deviate_of(double tail)
{
    double low = 0, high = 10;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (erfc(middle / sqrt(2)) / 2 > tail)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

void shoal_finding_conclude(shoal_attack_finding *finding, const shoal_attack_case *found,
                            size_t n_compared)
{
    double n = (double)found->trials,
           z = deviate_of(0.025 / (double)(n_compared > 0 ? n_compared : 1));
    finding->is_tried = true;
    finding->successes = found->successes;
    finding->trials = found->trials;
    finding->control = found->control;
    finding->rate = n > 0 ? (double)found->successes / n : 0;
    finding->low = 0;
    finding->high = 1;
    if (n > 0) {
        double p = finding->rate, centre = p + z * z / (2 * n),
               half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
        finding->low = found->successes == 0 ? 0 : fmax(0, (centre - half) / (1 + z * z / n));
        finding->high = found->successes == found->trials
                            ? 1
                            : fmin(1, (centre + half) / (1 + z * z / n));
    }
    finding->is_above = finding->low > finding->control;
}

void shoal_finding_clear(shoal_attack_finding *finding)
{
    for (size_t i = 0; i < finding->n_cases; i++) shoal_free(finding->cases[i].label);
    shoal_free(finding->cases);
    *finding = (shoal_attack_finding){ 0 };
}

void shoal_join_names(shoal_buffer *out, const shoal_table *table, const size_t *columns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        shoal_buffer_print(out, "%s%s", i > 0 ? " + " : "", table->columns[columns[i]].name);
}
