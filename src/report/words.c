/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - explains the numbers of a release in sentences: what groups disclose about sensitive
 * values, and which columns lose most of their information.
 *
 * Sentences contain counts and names of columns, never a value.
 */
#include "base/base.h"

#include <shoal/report.h>
#include <stdio.h>
#include <string.h>

/* Above these a release is of little use, and a column nearly empty (docs/models.md, "In words").
 */
static const double USELESS = 0.5, EMPTY = 0.9, MOST_ROWS = 0.5;

/* "12,345", or "fewer than 10". */
static const char *say_count(char *out, size_t size, uint64_t count, uint64_t least)
{
    char digits[24];
    size_t at = 0;
    if (count > 0 && count < least) {
        snprintf(out, size, "fewer than %llu", (unsigned long long)least);
        return out;
    }
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    for (int i = 0; i < n && at + 2 < size; i++) {
        if (i > 0 && (n - i) % 3 == 0) out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

/* The text, or NULL where memory was short. */
static char *take(shoal_buffer *text)
{
    shoal_buffer_add(text, "", 1);
    if (!text->failed) return text->data;
    shoal_buffer_clear(text);
    return NULL;
}

char *shoal_sensitive_words(const shoal_sensitive_groups *g, const char *column, uint64_t least)
{
    char groups[40], rows[40], all[40];
    shoal_buffer text = { 0 };
    bool are_few = g->one_value_groups == 1 && least <= 1;
    if (g->n_groups == 0) return take(&text);
    if (g->one_value_groups > 0)
        shoal_buffer_print(
            &text,
            "%s: all rows have the same value in %s group%s (%s of %s rows), which discloses it; "
            "l-diversity prevents this",
            column, say_count(groups, sizeof groups, g->one_value_groups, least),
            are_few ? "" : "s", say_count(rows, sizeof rows, g->one_value_rows, least),
            say_count(all, sizeof all, g->n_rows, least));
    else
        shoal_buffer_print(&text, "%s: at least %llu distinct values in every group", column,
                           (unsigned long long)g->fewest_values);
    if (g->dominated_groups > g->one_value_groups)
        shoal_buffer_print(
            &text, "; one value has more than half of the rows in groups with %.1f %% of all rows",
            100 * (double)g->dominated_rows / (double)g->n_rows);
    else if (g->dominated_groups == 0)
        shoal_buffer_print(&text, "; no value has more than half of the rows of a group");
    return take(&text);
}

/* ---- loss ---- */

/* "a, b and c": columns with at least this loss. */
static void add_columns(shoal_buffer *text, const shoal_measures *m, const shoal_table *table,
                        double least)
{
    size_t n = 0, n_written = 0;
    for (size_t i = 0; i < m->n_qids; i++) n += m->qid_loss[i] >= least;
    for (size_t i = 0; i < m->n_qids; i++) {
        if (m->qid_loss[i] < least) continue;
        shoal_buffer_print(text, "%s%s",
                           n_written == 0       ? ""
                           : n_written + 1 == n ? " and "
                                                : ", ",
                           shoal_table_column_name(table, m->qid_column[i]));
        n_written++;
    }
}

/* What to change, beginning with the most costly column. */
static void add_advice(shoal_buffer *text, const shoal_measures *m, const shoal_table *table)
{
    size_t costly = 0;
    double sum = 0;
    for (size_t i = 0; i < m->n_qids; i++) {
        sum += m->qid_loss[i];
        if (m->qid_loss[i] > m->qid_loss[costly]) costly = i;
    }
    if (m->n_qids > 1 && sum > 0)
        shoal_buffer_print(text,
                           " To reduce it: drop %s (%.0f %% of the loss) or generalise it before "
                           "the run; use fewer quasi-identifiers (shoal init ranks them), ",
                           shoal_table_column_name(table, m->qid_column[costly]),
                           100 * m->qid_loss[costly] / sum);
    else
        shoal_buffer_print(text, " To reduce it: generalise values before the run; use ");
    shoal_buffer_print(
        text,
        "a smaller k or fewer models; remove outliers (shoal explain-loss estimates the effects).");
}

char *shoal_loss_words(const shoal_measures *m, const shoal_table *table)
{
    shoal_buffer text = { 0 };
    bool has_empty = false;
    for (size_t i = 0; i < m->n_qids; i++) has_empty |= m->qid_loss[i] >= EMPTY;
    if (m->n_qids == 0 || m->n_rows == 0) return take(&text);
    bool is_starred = (double)m->suppressed_rows > MOST_ROWS * (double)m->n_rows;
    if (m->gcp >= USELESS || is_starred) {
        shoal_buffer_print(&text,
                           "%.0f %% of the information in the quasi-identifiers is lost%s; the "
                           "release is of little use.",
                           100 * m->gcp, is_starred ? ", and most rows are only *" : "");
        add_advice(&text, m, table);
    } else if (has_empty) {
        shoal_buffer_print(&text, "nearly all information is lost in ");
        add_columns(&text, m, table, EMPTY);
        shoal_buffer_print(
            &text, ": dropping it would reduce the loss of the other columns; values generalised "
                   "before the run, or a hierarchy, would preserve some of it.");
    }
    return take(&text);
}
