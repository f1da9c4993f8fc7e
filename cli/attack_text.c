/* SPDX-License-Identifier: Apache-2.0 */
/* attack_text.c - results of attacks, for people. */
#include "cli.h"

#include <math.h>
#include <string.h>

enum { SHOWN_CASES = 3 };

/* A share as "12.3 %", small ones with more digits. */
static const char *percent(double share, char *buffer)
{
    double p = share * 100;
    snprintf(buffer, 32, p == 0 || p >= 1 ? "%.1f %%" : p >= 0.001 ? "%.3f %%" : "%.1g %%", p);
    return buffer;
}

static void print_name(const shoal_attack_result *result, const shoal_attack_finding *f,
                       FILE *stream)
{
    char name[64];
    if (result != NULL && result->n_releases > 1 && f->release != SIZE_MAX)
        snprintf(name, sizeof name, "%s %zu", f->name, f->release + 1);
    else
        snprintf(name, sizeof name, "%s", f->name);
    fprintf(stream, "%-21s", name);
}

static void print_rate(const shoal_attack_finding *f, FILE *stream)
{
    char a[32], b[32], c[32], d[32], e[32], g[32], of[80], from[80];
    snprintf(of, sizeof of, "%s of %s", cli_count(f->successes, a), cli_count(f->trials, b));
    snprintf(from, sizeof from, "%s .. %s", percent(f->low, d), percent(f->high, e));
    fprintf(stream, "%-22s %9s %9s   %-20s %s", of, percent(f->rate, c), percent(f->control, g),
            from, f->is_above ? "above" : "not above");
}

/* ---- below the table ---- */

static void print_details(const shoal_attack_finding *f, FILE *stream)
{
    size_t column = 24;
    fprintf(stream, "  %-22s", f->name);
    for (size_t i = 0; i < f->n_details; i++) {
        char text[80];
        if (!isfinite(f->details[i].value)) continue;
        int length = snprintf(text, sizeof text, "%s %.6g", f->details[i].key, f->details[i].value);
        if (column > 24 && column + 2 + (size_t)length > 118) {
            fprintf(stream, "\n%24s", "");
            column = 24;
        } else if (column > 24) {
            column += (size_t)fprintf(stream, ", ");
        }
        column += (size_t)fprintf(stream, "%s", text);
    }
    putc('\n', stream);
    if (f->reason[0] != '\0') {
        fprintf(stream, "%24s", "");
        cli_print_text(stream, f->reason);
        putc('\n', stream);
    }
}

static double gain_of(const shoal_attack_case *c)
{
    return c->trials > 0 ? (double)c->successes / (double)c->trials - c->control : -1;
}

/* The cases furthest above their controls; ties in their order. */
static void print_cases(const shoal_attack_finding *f, FILE *stream)
{
    double last = INFINITY;
    size_t last_at = SIZE_MAX;
    for (size_t shown = 0; f->n_cases > 1 && shown < SHOWN_CASES && shown < f->n_cases; shown++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < f->n_cases; i++) {
            double gain = gain_of(&f->cases[i]);
            bool is_open = gain < last || (gain == last && i > last_at);
            if (is_open && (best == SIZE_MAX || gain > gain_of(&f->cases[best]))) best = i;
        }
        if (best == SIZE_MAX) return;
        const shoal_attack_case *c = &f->cases[best];
        char a[32], b[32];
        fprintf(stream, "%24s%s, control %s: ", "",
                percent(c->trials > 0 ? (double)c->successes / (double)c->trials : 0, a),
                percent(c->control, b));
        cli_print_text(stream, c->label);
        if (isfinite(c->smallest) && isfinite(c->median))
            fprintf(stream, " (smallest %g, median %g)", c->smallest, c->median);
        putc('\n', stream);
        last = gain_of(c);
        last_at = best;
    }
}

static size_t print_not_tried(const shoal_attack_result *result, FILE *stream)
{
    size_t n = 0;
    for (size_t i = 0; i < result->n_findings; i++) {
        const shoal_attack_finding *f = &result->findings[i];
        if (f->is_tried) continue;
        if (n++ == 0) fprintf(stream, "\nnot tried\n");
        fprintf(stream, "  ");
        print_name(result, f, stream);
        fprintf(stream, " ");
        cli_print_text(stream, f->reason);
        putc('\n', stream);
    }
    return n;
}

void cli_attack_text(const shoal_attack_result *result, FILE *stream)
{
    char a[32];
    fprintf(stream, "%s rows, %zu release%s; ", cli_count(result->n_rows, a), result->n_releases,
            result->n_releases == 1 ? "" : "s");
    if (result->k > 0) fprintf(stream, "k = %u, ", result->k);
    fprintf(stream, "seed %llu\n\n%-21s%-22s %9s %9s   %-20s %s\n",
            (unsigned long long)result->seed, "attack", "success", "rate", "control",
            "interval (95 %)", "compared with control");
    for (size_t i = 0; i < result->n_findings; i++) {
        const shoal_attack_finding *f = &result->findings[i];
        if (!f->is_tried) continue;
        print_name(result, f, stream);
        print_rate(f, stream);
        if (f->worst_row > 0 && f->is_above)
            fprintf(stream, "; worst row %s", cli_count(f->worst_row, a));
        putc('\n', stream);
    }
    fprintf(stream, "\n");
    for (size_t i = 0; i < result->n_findings; i++) {
        if (!result->findings[i].is_tried) continue;
        print_details(&result->findings[i], stream);
        print_cases(&result->findings[i], stream);
    }
    print_not_tried(result, stream);
    fprintf(stream, "\nSuccess at or below the control does not prove safety: other attackers may "
                    "know more. 'shoal explain NAME' describes each attack.\n");
}

void cli_controls_text(const shoal_attack_controls *controls, FILE *stream)
{
    fprintf(stream, "\ncontrols             %-22s %9s %9s   %-20s %s\n", "success", "rate",
            "control", "interval (95 %)", "compared with control");
    for (size_t i = 0; i < controls->n_controls; i++) {
        const shoal_attack_control *c = &controls->controls[i];
        print_name(NULL, &c->planted, stream);
        print_rate(&c->planted, stream);
        fprintf(stream,
                ": planted leak\n"
                "%-21s",
                "");
        print_rate(&c->null, stream);
        fprintf(stream, ": one group%s\n",
                shoal_attack_control_holds(c)
                    ? ""
                    : "; CONTROL FAILED: results of this attack are not reliable");
    }
}
