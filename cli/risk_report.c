/* SPDX-License-Identifier: Apache-2.0 */
/* risk_report.c - the risks of a table, and of its original for comparison, for people.
 *
 * Column names and counts, never a value.
 */
#include "cli.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static double share(double part, double all)
{
    return all > 0 ? part / all : 0;
}

/* The fraction of rows below k that would reach k if a column or value were left out. */
static double avoided(const shoal_risk *r, uint64_t rows_without)
{
    return share((double)r->rows_below_k - (double)rows_without, (double)r->rows_below_k);
}

/* One line: a label, the number of each table (the original first), a remark. */
typedef struct sides {
    const shoal_risk *of[2];
    size_t n;
} sides;

static void begin_line(const char *format, ...) SHOAL_PRINTF(1, 2);
static void begin_line(const char *format, ...)
{
    va_list args;
    char label[64];
    va_start(args, format);
    vsnprintf(label, sizeof label, format, args);
    va_end(args);
    printf("%-30s", label);
}

static void put_risk(double x)
{
    char percent[32];
    snprintf(percent, sizeof percent, x > 0 && x < 1e-4 ? "%.1g %%" : "%.2f %%", 100 * x);
    printf("  %20s", percent);
}

static void put_count(uint64_t count)
{
    char a[32];
    printf("  %20s", cli_count(count, a));
}

static void put_records(uint64_t count, const shoal_risk *r)
{
    char a[32], both[64];
    snprintf(both, sizeof both, "%s (%.2f %%)", cli_count(count, a),
             100 * share((double)count, (double)r->n_records));
    printf("  %20s", both);
}

static void end_line(const char *remark)
{
    printf("%s%s\n", *remark != '\0' ? "   " : "", remark);
}

static void print_counts(const sides *s)
{
    bool by_person = s->of[0]->by_person;
    begin_line("rows");
    for (size_t i = 0; i < s->n; i++) put_count(s->of[i]->n_rows);
    end_line("");
    if (by_person) {
        begin_line("persons");
        for (size_t i = 0; i < s->n; i++) put_count(s->of[i]->n_persons);
        end_line("");
        begin_line("records");
        for (size_t i = 0; i < s->n; i++) put_count(s->of[i]->n_records);
        end_line("persons, counted once per class");
    }
    begin_line("classes");
    for (size_t i = 0; i < s->n; i++) put_count(s->of[i]->n_classes);
    end_line("distinct quasi-identifier tuples");
    begin_line("smallest class");
    for (size_t i = 0; i < s->n; i++) put_count(s->of[i]->min_class);
    end_line("");
    begin_line("unique");
    for (size_t i = 0; i < s->n; i++) put_records(s->of[i]->n_unique, s->of[i]);
    end_line("classes of one record");
}

static void print_attackers(const sides *s)
{
    begin_line("prosecutor, highest risk");
    for (size_t i = 0; i < s->n; i++) put_risk(s->of[i]->prosecutor.highest);
    end_line("knows that the person is in the table");
    begin_line("prosecutor, mean risk");
    for (size_t i = 0; i < s->n; i++) put_risk(s->of[i]->prosecutor.mean);
    end_line("");
    for (size_t i = 0; i < s->n; i++)
        if (s->of[i]->source == SHOAL_RISK_NO_POPULATION || !shoal_risk_knows_population(s->of[i]))
            return;
    begin_line("journalist, highest risk");
    for (size_t i = 0; i < s->n; i++) put_risk(s->of[i]->journalist.highest);
    end_line("knows that the person is in the population");
    begin_line("journalist, mean risk");
    for (size_t i = 0; i < s->n; i++) put_risk(s->of[i]->journalist.mean);
    end_line("");
    begin_line("marketer, mean risk");
    for (size_t i = 0; i < s->n; i++) put_risk(s->of[i]->marketer);
    end_line("tries to match every record");
}

static void print_thresholds(const sides *s)
{
    const shoal_risk *first = s->of[0];
    for (size_t t = 0; t < first->n_thresholds; t++) {
        char remark[80];
        begin_line("prosecutor above %.4g %%", 100 * first->thresholds[t]);
        for (size_t i = 0; i < s->n; i++) put_records(s->of[i]->prosecutor.n_above[t], s->of[i]);
        snprintf(remark, sizeof remark, "in classes below %llu",
                 (unsigned long long)shoal_risk_least_size(first->thresholds[t]));
        end_line(remark);
        if ((double)shoal_risk_least_size(first->thresholds[t]) > floor(1 / first->thresholds[t])) {
            begin_line("  rounded, as in practice");
            for (size_t i = 0; i < s->n; i++)
                put_records(s->of[i]->prosecutor.n_above_rounded[t], s->of[i]);
            snprintf(remark, sizeof remark, "in classes below %.0f",
                     floor(1 / first->thresholds[t]));
            end_line(remark);
        }
    }
    for (size_t t = 0; first->source != SHOAL_RISK_NO_POPULATION && t < first->n_thresholds; t++) {
        for (size_t i = 0; i < s->n; i++)
            if (!shoal_risk_knows_population(s->of[i])) return;
        begin_line("journalist above %.4g %%", 100 * first->thresholds[t]);
        for (size_t i = 0; i < s->n; i++) put_records(s->of[i]->journalist.n_above[t], s->of[i]);
        end_line("");
    }
}

static void print_population(const sides *s)
{
    char a[32];
    const shoal_risk *r = s->of[s->n - 1];
    if (r->source == SHOAL_RISK_NO_POPULATION) {
        puts("population                      unknown: assumed to be the table itself, so "
             "journalist and marketer have the prosecutor's risk");
    } else if (r->source == SHOAL_RISK_POPULATION) {
        printf("population                      %s rows\n",
               cli_count((uint64_t)r->n_population, a));
        begin_line("k-map");
        for (size_t i = 0; i < s->n; i++) printf("  %20.0f", s->of[i]->k_map);
        end_line("fewest persons of the population that match a record");
        begin_line("unique in the population");
        for (size_t i = 0; i < s->n; i++)
            put_records((uint64_t)s->of[i]->population_uniques, s->of[i]);
        end_line("");
        begin_line("not all in the population");
        for (size_t i = 0; i < s->n; i++) put_records(s->of[i]->short_records, s->of[i]);
        end_line("fewer matches than in the table: the size of the class in the table is used");
        begin_line("texts without a match");
        for (size_t i = 0; i < s->n; i++) put_count(s->of[i]->unmatched_texts);
        end_line("distinct published texts that match no value of the population");
    } else if (!shoal_risk_knows_population(r)) {
        puts("population                      cannot be estimated from this table");
    } else {
        printf("population                      %s records (records / sampling fraction); "
               "estimated by Pitman's model\n",
               cli_count((uint64_t)r->n_population, a));
        printf("  theta, alpha                  %.4g, %.4f\n", r->pitman_theta, r->pitman_alpha);
        printf("  expected uniques              %.0f (%.2f %% of the population)\n",
               r->population_uniques, 100 * share(r->population_uniques, r->n_population));
        printf("  unique stays unique           %.2f %% (Pitman), %.2f %% (Zayatz)\n",
               100 * r->unique_stays, 100 * r->unique_stays_zayatz);
    }
}

static void print_bins(const sides *s)
{
    const shoal_risk *first = s->of[0];
    puts("records by class size");
    for (size_t b = 0; b < SHOAL_RISK_BINS; b++) {
        const shoal_risk_bin *bin = &first->bins[b];
        if (bin->high == 0)
            begin_line("  %llu and more", (unsigned long long)bin->low);
        else if (bin->high == bin->low)
            begin_line("  %llu", (unsigned long long)bin->low);
        else
            begin_line("  %llu-%llu", (unsigned long long)bin->low, (unsigned long long)bin->high);
        for (size_t i = 0; i < s->n; i++) put_records(s->of[i]->bins[b].n_records, s->of[i]);
        end_line("");
    }
}

static void print_columns(const shoal_risk *r, const shoal_table *table)
{
    enum { PAIRS_SHOWN = 5 };
    char a[32], b[32];
    printf("%s rows are in classes below %u%s\n", cli_count(r->rows_below_k, a), r->k,
           r->rows_below_k > 0 ? "; without a column:" : "");
    if (r->rows_below_k == 0) return;
    for (size_t i = 0; i < r->n_columns; i++) {
        const shoal_column_risk *c = &r->columns[i];
        printf("  %12s  %6.2f %% fewer; %s with this column alone: ", cli_count(c->rows_without, a),
               100 * avoided(r, c->rows_without), cli_count(c->rows_alone, b));
        cli_print_text(stdout, shoal_table_column_name(table, c->column));
        putchar('\n');
    }
    if (r->n_pairs > 0)
        printf("without two columns%s:\n", r->n_pairs > PAIRS_SHOWN ? " (best five pairs)" : "");
    for (size_t i = 0; i < r->n_pairs && i < PAIRS_SHOWN; i++) {
        const shoal_pair_risk *p = &r->pairs[i];
        printf("  %12s  %6.2f %% fewer: ", cli_count(p->rows_without, a),
               100 * avoided(r, p->rows_without));
        cli_print_text(stdout, shoal_table_column_name(table, p->first));
        fputs(", ", stdout);
        cli_print_text(stdout, shoal_table_column_name(table, p->second));
        putchar('\n');
    }
}

void cli_risk_text(const shoal_risk *after, const shoal_risk *before, const shoal_table *table,
                   bool counts_suppressed)
{
    sides s = { { after }, 1 };
    if (before != NULL) {
        s = (sides){ { before, after }, 2 };
        printf("%-30s  %20s  %20s\n", "", "original", "release");
    }
    print_counts(&s);
    begin_line("suppressed rows");
    for (size_t i = 0; i < s.n; i++) put_count(s.of[i]->suppressed_rows);
    end_line(counts_suppressed ? "* in every column: counted as a class"
                               : "* in every column: excluded from all other figures");
    printf("missing                         %s\n", shoal_missing_name(shoal_table_missing(table)));
    print_attackers(&s);
    print_population(&s);
    print_thresholds(&s);
    print_bins(&s);
    print_columns(after, table);
}
