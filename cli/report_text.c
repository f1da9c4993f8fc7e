/* SPDX-License-Identifier: Apache-2.0 */
/* report_text.c - the summary of a run for people; shoal/report.h has it for programs.
 *
 * Both report only what was checked: which model holds, with which k, and the loss.
 */
#include "cli.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAR_WIDTH = 20 };

typedef struct growing_text {
    char *data;
    size_t size, room;
    bool failed;
} growing_text;

static int add_piece(const char *piece, size_t size, void *payload)
{
    growing_text *text = payload;
    if (text->size + size + 1 > text->room && !text->failed) {
        char *data = realloc(text->data, 2 * (text->size + size + 1));
        text->failed = data == NULL;
        if (data != NULL) text->data = data;
        if (data != NULL) text->room = 2 * (text->size + size + 1);
    }
    if (text->failed) return -1;
    memcpy(text->data + text->size, piece, size);
    text->size += size;
    text->data[text->size] = '\0';
    return 0;
}

/* Not json_dumps(), which leaves keys out where memory is short. */
char *cli_json_text(void *json)
{
    growing_text text = { 0 };
    if (json == NULL) return NULL;
    int code = json_dump_callback(json, add_piece, &text,
                                  JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
    json_decref(json);
    if (code == 0 && !text.failed) return text.data;
    free(text.data);
    return NULL;
}

shoal_status cli_print_json(char *text, shoal_error *err)
{
    if (text == NULL) return shoal_fail_memory(err);
    puts(text);
    free(text);
    return SHOAL_OK;
}

/* The control characters that jansson leaves alone, of two bytes or three, and delete. */
static void print_escape(const char *at, size_t n)
{
    unsigned code = (unsigned char)at[0];
    if (n == 2) code &= 0x1f;
    if (n == 3) code &= 0xf;
    for (size_t i = 1; i < n; i++) code = code << 6 | ((unsigned char)at[i] & 0x3f);
    printf("\\u%04x", code);
}

shoal_status cli_print_report(char *text, shoal_error *err)
{
    bool is_control = false;
    if (text == NULL) return shoal_fail_memory(err);
    const char *at = text;
    for (size_t n; (n = shoal_text_next(at, &is_control)) > 0; at += n) {
        if (is_control && *at != '\n')
            print_escape(at, n);
        else
            fwrite(at, 1, n, stdout);
    }
    putchar('\n');
    shoal_string_free(text);
    return SHOAL_OK;
}

static void print_qids(const shoal_measures *m, const shoal_table *table, FILE *stream)
{
    size_t width = 11;
    for (size_t i = 0; i < m->n_qids; i++) {
        size_t length = cli_shown_length(shoal_table_column_name(table, m->qid_column[i]));
        if (length > width) width = length < 30 ? length : 30;
    }
    for (size_t i = 0; i < m->n_qids; i++) {
        char bar[BAR_WIDTH + 1];
        /* never cut: no two look the same */
        const char *name = shoal_table_column_name(table, m->qid_column[i]);
        int full = (int)(m->qid_loss[i] * BAR_WIDTH + 0.5);
        for (int j = 0; j < BAR_WIDTH; j++) bar[j] = j < full ? '#' : '.';
        bar[BAR_WIDTH] = '\0';
        fputs("  ", stream);
        cli_print_text(stream, name);
        for (size_t j = cli_shown_length(name); j < width; j++) fputc(' ', stream);
        fprintf(stream, "  %6.4f  %s\n", m->qid_loss[i], bar);
    }
}

static void print_levels(const shoal_report *r, FILE *stream)
{
    if (shoal_grouping_level(shoal_outcome_grouping(r->outcome), 0) == SHOAL_NO_LEVEL) return;
    for (size_t i = 0; i < shoal_outcome_measures(r->outcome)->n_qids; i++) {
        fputs(i == 0 ? "levels       " : ", ", stream);
        cli_print_text(stream, shoal_table_column_name(
                                   r->table, shoal_outcome_measures(r->outcome)->qid_column[i]));
        fprintf(stream, " %u of %u", shoal_grouping_level(shoal_outcome_grouping(r->outcome), i),
                shoal_grouping_height(shoal_outcome_grouping(r->outcome), i));
    }
    fputs("\n", stream);
}

static void print_information(const shoal_report *r, FILE *stream)
{
    char a[32];
    shoal_information found;
    if (!shoal_grouping_information(shoal_outcome_grouping(r->outcome), &found)) return;
    fprintf(stream, "k reached    %s\n", cli_count(found.k_reached, a));
    fprintf(stream,
            "alpha        %.4f  largest change in the information of a quasi-identifier about the "
            "class\n",
            found.alpha);
    fprintf(stream, "beta         %.4f  largest divergence of its values", found.beta_kept);
    if (found.n_gone > 0)
        fprintf(stream, "; infinite with the %u values that are suppressed everywhere",
                found.n_gone);
    fputs("\n", stream);
}

static void print_settings(const shoal_report *r, FILE *stream)
{
    const char *name, *word;
    double value;
    for (size_t i = 0;
         shoal_grouping_setting(shoal_outcome_grouping(r->outcome), i, &name, &value, &word); i++) {
        fprintf(stream, "%s%s ", i == 0 ? "chosen       " : ", ", name);
        if (word != NULL)
            fputs(word, stream);
        else
            fprintf(stream, "%.6g", value);
    }
    if (shoal_grouping_setting(shoal_outcome_grouping(r->outcome), 0, &name, &value, &word))
        fputs("\n", stream);
}

void cli_relaxations_text(const shoal_bound_parts *parts, FILE *stream)
{
    const char *before = "             lower bound relaxed: ";
    for (unsigned bit = 1; shoal_bound_relaxation_name(bit) != NULL; bit <<= 1) {
        if (!(parts->relaxations & bit)) continue;
        fprintf(stream, "%s%s", before, shoal_bound_relaxation_name(bit));
        before = ", ";
    }
    if (parts->relaxations != 0) fputs(" (shoal explain relaxations)\n", stream);
}

static void print_seconds(const shoal_report *r, FILE *stream)
{
    fprintf(stream, "seconds      read %.2f, encode %.2f, search %.2f, refine %.2f, measure %.2f",
            r->read_seconds, shoal_outcome_seconds(r->outcome, "encode"),
            shoal_outcome_seconds(r->outcome, "search"),
            shoal_outcome_seconds(r->outcome, "refine"),
            shoal_outcome_seconds(r->outcome, "measure"));
    if (shoal_outcome_bound(r->outcome) != NULL)
        fprintf(stream, ", bound %.2f", shoal_outcome_seconds(r->outcome, "bound"));
    fprintf(stream, ", write %.2f, verify %.2f, total %.2f\n",
            shoal_outcome_seconds(r->outcome, "write"), shoal_outcome_seconds(r->outcome, "verify"),
            r->total_seconds);
}

void cli_suppressed_text(uint64_t n_rows, const shoal_table *table, bool are_left_out, int width,
                         FILE *stream)
{
    char a[32];
    bool is_exempt = n_rows > 0 && shoal_table_exempts_suppressed(table);
    fprintf(stream, "%-*s%s rows%s\n", width, "suppressed", cli_count(n_rows, a),
            n_rows == 0    ? ""
            : is_exempt    ? ", exempt from k and models"
            : are_left_out ? ", dropped"
                           : "");
    if (is_exempt) fprintf(stream, "%-*s%s\n", width, "", shoal_exempt_warning());
}

void cli_starred_text(uint64_t n_rows, const shoal_table *table, int width, FILE *stream)
{
    char a[32];
    if (n_rows == 0 || shoal_table_exempts_suppressed(table))
        cli_suppressed_text(n_rows, table, false, width, stream);
    else
        fprintf(stream, "%-*s%s rows, suppressed or generalised fully\n", width, "only *",
                cli_count(n_rows, a));
}

/* The names of the columns that this became of; nothing where there are none. */
static void print_columns(const shoal_report *r, const char *head, shoal_column_fate fate,
                          FILE *stream)
{
    size_t n = 0;
    for (size_t c = 0; c < shoal_table_n_columns(r->table); c++) {
        if (shoal_outcome_fate(r->outcome, r->table, c) != fate) continue;
        const char *name = shoal_table_column_name(r->table, c),
                   *quote = strchr(name, ',') != NULL ? "'" : "";
        fprintf(stream, "%s%s", n++ == 0 ? head : ", ", quote);
        cli_print_text(stream, name);
        fputs(quote, stream);
    }
    if (n > 0) fputs("\n", stream);
}

static void print_buckets(const shoal_report *r, const char *output, const char *second_output,
                          FILE *stream)
{
    char a[32], b[32];
    uint32_t l = 0;
    const shoal_bucket_result *found = shoal_outcome_buckets(r->outcome, &l);
    const char *bold = cli_has_colour(stream) ? "\033[1m" : "", *plain = *bold ? "\033[0m" : "";
    fprintf(stream, "%srelease%s      ", bold, plain);
    cli_print_text(stream, strcmp(output, "-") == 0 ? "standard output" : output);
    fputs(" and ", stream);
    cli_print_text(stream, second_output);
    fprintf(stream, "\nmethod       %s, l = %u\n", r->algorithm, l);
    fprintf(stream, "rows         %s in %s classes (distinct quasi-identifier tuples)\n",
            cli_count(found->n_rows, a),
            cli_count(shoal_grouping_n_classes(shoal_outcome_grouping(r->outcome)), b));
    fprintf(stream, "groups       %s (smallest: %s rows)\n", cli_count(found->n_groups, a),
            cli_count(found->min_group, b));
    print_columns(r, "unchanged    ", SHOAL_COLUMN_UNCHANGED, stream);
    print_columns(r, "left out     ", SHOAL_COLUMN_LEFT_OUT, stream);
    if (shoal_outcome_is_shuffled(r->outcome)) fprintf(stream, "row order    shuffled\n");
    fprintf(
        stream,
        "%srce          %.4f%s  reconstruction error; at least %.4f for any grouping with this l\n",
        bold, found->rce, plain, (double)found->n_rows * (1 - 1.0 / l));
    print_seconds(r, stream);
    fprintf(stream, "memory       %.0f MB at most, %u thread%s\n", (double)shoal_peak_bytes() / 1e6,
            r->threads, r->threads == 1 ? "" : "s");
    fprintf(stream,
            "%sverified%s     no sensitive value has more than %.4g %% of the rows of a group; "
            "quasi-identifiers are unchanged\n",
            bold, plain, 100 * found->max_share);
}

/* k rows that are fewer than k persons. */
static void print_likely_keys(const shoal_report *r, FILE *stream)
{
    char a[32], b[32];
    const shoal_likely_key *key;
    for (size_t i = 0; (key = shoal_outcome_likely_key(r->outcome, i)) != NULL; i++) {
        if (key->n_groups_below == 0) continue;
        fprintf(stream, "persons      %s of %s groups have fewer than %u values of ",
                cli_count(key->n_groups_below, a), cli_count(key->n_groups, b), r->plan->k);
        cli_print_text(stream, shoal_table_column_name(r->table, key->column));
        fprintf(stream, " (fewest: %llu)\n", (unsigned long long)key->fewest);
    }
}

/* What was done, and to how many rows. */
static void print_run(const shoal_report *r, const char *output, FILE *stream)
{
    char a[32], b[32];
    const shoal_measures *m = shoal_outcome_measures(r->outcome);
    const char *bold = cli_has_colour(stream) ? "\033[1m" : "", *plain = *bold ? "\033[0m" : "";
    fprintf(stream, "%srelease%s      ", bold, plain);
    cli_print_text(stream, strcmp(output, "-") == 0 ? "standard output" : output);
    if (r->plan->k == 0)
        fprintf(stream, "\nmethod       %s, no k required\n", r->algorithm);
    else
        fprintf(stream, "\nmethod       %s, k = %u, seed %llu\n", r->algorithm, r->plan->k,
                (unsigned long long)r->plan->seed);
    shoal_recode_model model = shoal_grouping_model(shoal_outcome_grouping(r->outcome));
    if (model != SHOAL_RECODE_LOCAL)
        fprintf(stream, "recoding     %s%s\n", shoal_recode_name(model),
                shoal_recode_is_microaggregation(model) ? " (microaggregation)" : "");
    fprintf(stream, "rows         %s in %s classes (distinct quasi-identifier tuples)\n",
            cli_count(m->n_rows, a),
            cli_count(shoal_grouping_n_classes(shoal_outcome_grouping(r->outcome)), b));
    fprintf(stream, "groups       %s (smallest: %s rows)\n",
            cli_count(shoal_outcome_check(r->outcome)->n_groups, a),
            cli_count(shoal_outcome_check(r->outcome)->min_group, b));
    cli_suppressed_text(shoal_grouping_n_suppressed(shoal_outcome_grouping(r->outcome)), r->table,
                        r->plan->drop_suppressed != 0, 13, stream);
    print_likely_keys(r, stream);
    if (shoal_outcome_is_shuffled(r->outcome)) fprintf(stream, "row order    shuffled\n");
    fprintf(stream, "missing      %s\n", shoal_missing_name(shoal_table_missing(r->table)));
    print_columns(r, "unchanged    ", SHOAL_COLUMN_UNCHANGED, stream);
    print_columns(r, "left out     ", SHOAL_COLUMN_LEFT_OUT, stream);
    cli_models_text(shoal_outcome_models(r->outcome), r->table, 13, stream);
}

/* The bound accounts for models only by how many rows they need. */
static void print_bound(const shoal_report *r, const shoal_bound_parts *bound, FILE *stream)
{
    uint32_t bound_k = shoal_outcome_bound_k(r->outcome);
    fprintf(stream, "lower bound  %.4f  ", bound->bound);
    if (shoal_outcome_models(r->outcome)->n_models == 0)
        fprintf(stream, "no release with this k has a lower loss");
    else if (bound_k > r->plan->k)
        fprintf(stream,
                "no release with groups of %u rows, which the models need, has a lower loss",
                bound_k);
    else
        fprintf(stream, "for k alone, without the models: no release with this k has a lower loss");
    fprintf(stream, "; gap %.2f\n",
            shoal_bounded_loss(shoal_outcome_measures(r->outcome), r->table) / bound->bound);
}

/* Loss of the whole table, and its lower bound. */
static void print_losses(const shoal_report *r, FILE *stream)
{
    const shoal_measures *m = shoal_outcome_measures(r->outcome);
    const shoal_bound_parts *bound = shoal_outcome_bound(r->outcome);
    shoal_left_out left_out = shoal_outcome_bound_left_out(r->outcome);
    const char *bold = cli_has_colour(stream) ? "\033[1m" : "", *plain = *bold ? "\033[0m" : "";
    fprintf(stream, "%sgcp          %.4f%s  information loss: 0 none, 1 all\n", bold, m->gcp,
            plain);
    double weighted;
    if (shoal_measure_value(m, "weighted_gcp", &weighted) && weighted != m->gcp)
        fprintf(stream, "weighted     %.4f  weighted by the priorities of the quasi-identifiers\n",
                weighted);
    if (shoal_measure_value(m, "weighted_distortion", &weighted))
        fprintf(stream, "distortion   %.4f  weighted by levels and priorities; unweighted %.4f\n",
                weighted, m->distortion);
    if (bound != NULL && bound->bound > 0)
        print_bound(r, bound, stream);
    else if (bound != NULL)
        fprintf(stream, "lower bound  %.4f\n", bound->bound);
    else if (left_out != SHOAL_NOT_LEFT_OUT)
        fprintf(stream, "lower bound  not computed: %s\n",
                left_out == SHOAL_LEFT_OUT_BY_TIME ? "time limit reached"
                : left_out == SHOAL_LEFT_OUT_BY_STOP
                    ? "interrupted"
                    : "it needs more memory than --memory-limit allows");
    if (bound != NULL) cli_relaxations_text(bound, stream);
    if (m->has_sse)
        fprintf(
            stream,
            "sse ratio    %.4f  squared error of numeric columns: 0 unchanged, 1 all at the mean\n",
            m->sse_ratio);
    if (m->has_class)
        fprintf(stream,
                "cm           %.4f  share of rows without the most frequent class label of their "
                "group; original %.4f\n",
                m->cm, m->cm_before);
    if (m->n_sensitive > 0)
        fprintf(stream,
                "protection   mpm %.4f, wgp %.4f  of sensitive values: 0 diverse, 1 all equal; wgu "
                "%.4f\n",
                m->mpm, m->wgp, m->wgu);
}

/* The last line: what the verifier found in the text that was written. */
static void print_verdict(const shoal_report *r, FILE *stream)
{
    char a[32];
    const char *bold = cli_has_colour(stream) ? "\033[1m" : "", *plain = *bold ? "\033[0m" : "";
    /* With wildcard matching, rows of a group may be published with different gaps: as text a tuple
     * may occur once. */
    bool is_wild = shoal_table_missing(r->table) == SHOAL_MISSING_WILDCARD;
    bool has_stars = shoal_table_exempts_suppressed(r->table) &&
                     shoal_outcome_measures(r->outcome)->suppressed_rows > 0;
    bool is_aggregated = shoal_recode_is_microaggregation(
        shoal_grouping_model(shoal_outcome_grouping(r->outcome)));
    shoal_information found;
    bool has_reached = shoal_grouping_information(shoal_outcome_grouping(r->outcome), &found);
    if (r->plan->k == 0 && !has_reached)
        fprintf(stream,
                "%sk = %-9s%s size of the smallest group: reported, not guaranteed; every "
                "published value covers the original one\n",
                bold, cli_count(shoal_outcome_check(r->outcome)->min_group, a), plain);
    else
        fprintf(stream, "%sverified%s     every group%s has at least %u rows%s; %s%s\n", bold,
                plain, has_stars ? " except suppressed rows" : "",
                r->plan->k > 0 ? r->plan->k : (unsigned)found.k_reached,
                is_wild ? " (a missing value matches any value)" : "",
                is_aggregated ? "every published value is the aggregate of its group"
                              : "every published value covers the original one",
                shoal_outcome_models(r->outcome)->n_models > 0 ? "; every model holds" : "");
    if (r->plan->k > 0)
        cli_text_groups(shoal_outcome_check(r->outcome), r->table, r->plan->k, 13, stream);
    double breach = 0;
    if (shoal_outcome_personal(r->outcome, &breach) != NULL)
        fprintf(stream,
                "             no guarding node is breached with a probability above %g; every "
                "published sensitive value covers the original one\n",
                breach);
}

/* Words of `text` in lines, behind a label; the text is freed. Nothing where it is empty. */
static void print_words(const char *label, int width, char *text, FILE *stream)
{
    enum { LINE = 150 };
    const char *at = text != NULL ? text : "";
    char word[LINE + 1];
    int column = 0;
    if (*at != '\0') column = fprintf(stream, "%-*s", width, label);
    while (*at != '\0') {
        int length = (int)strcspn(at, " ");
        if (length > LINE) length = LINE;
        if (column > width && column + 1 + length > LINE)
            column = fprintf(stream, "\n%*s", width, "") - 1;
        if (column > width) column += fprintf(stream, " ");
        snprintf(word, sizeof word, "%.*s", length, at);
        cli_print_text(stream, word);
        column += length;
        at += length;
        while (*at == ' ') at++;
    }
    if (column > 0) fputc('\n', stream);
    shoal_string_free(text);
}

static void print_disclosure(size_t index, const shoal_sensitive_groups *groups, const char *name,
                             int width, FILE *stream)
{
    print_words(index == 0 ? "disclosure" : "", width, shoal_sensitive_words(groups, name, 0),
                stream);
}

void cli_sensitive_text(const shoal_sensitive_result *sensitive, const shoal_table *table,
                        int width, FILE *stream)
{
    for (size_t i = 0; i < sensitive->n_columns; i++)
        print_disclosure(i, &sensitive->groups[i],
                         shoal_table_column_name(table, sensitive->columns[i]), width, stream);
}

/* What groups disclose about sensitive columns, and a warning if little information is left. */
static void print_meaning(const shoal_measures *m, const shoal_table *table, int width,
                          FILE *stream)
{
    for (size_t i = 0; i < m->n_sensitive; i++)
        print_disclosure(i, shoal_measures_sensitive(m, i),
                         shoal_table_column_name(table, m->sensitive_column[i]), width, stream);
    print_words("comment", width, shoal_loss_words(m, table), stream);
}

/* The most costly quasi-identifier, if it has much of the loss. */
static void print_most_costly(const shoal_report *r, FILE *stream)
{
    const double MUCH = 0.05;
    const shoal_measures *m = shoal_outcome_measures(r->outcome);
    size_t top = 0;
    double sum = 0;
    for (size_t i = 0; i < m->n_qids; i++) {
        sum += m->qid_loss[i];
        if (m->qid_loss[i] > m->qid_loss[top]) top = i;
    }
    if (m->n_qids < 2 || m->gcp < MUCH || sum <= 0) return;
    fprintf(stream, "most costly  ");
    cli_print_text(stream, shoal_table_column_name(r->table, m->qid_column[top]));
    fprintf(stream,
            " (%.0f %% of the loss); shoal explain-loss estimates the effect of dropping it\n",
            100 * m->qid_loss[top] / sum);
}

void cli_report_text(const shoal_report *r, const char *output, const char *second_output,
                     FILE *stream)
{
    char a[32];
    const shoal_personal_result *personal = shoal_outcome_personal(r->outcome, NULL);
    if (shoal_outcome_buckets(r->outcome, NULL) != NULL) {
        print_buckets(r, output, second_output, stream);
        return;
    }
    print_run(r, output, stream);
    print_losses(r, stream);
    print_qids(shoal_outcome_measures(r->outcome), r->table, stream);
    print_most_costly(r, stream);
    print_meaning(shoal_outcome_measures(r->outcome), r->table, 13, stream);
    if (personal != NULL)
        fprintf(stream,
                "sensitive    %.4f  information loss of the sensitive column; highest breach "
                "probability of %s guarded rows: %.4f\n",
                personal->sensitive_loss, cli_count(personal->guarded_rows, a),
                personal->max_breach);
    print_levels(r, stream);
    print_information(r, stream);
    print_settings(r, stream);
    print_seconds(r, stream);
    fprintf(stream, "memory       %.0f MB at most, %u thread%s\n", (double)shoal_peak_bytes() / 1e6,
            r->threads, r->threads == 1 ? "" : "s");
    print_verdict(r, stream);
    if (shoal_grouping_stopped_early(shoal_outcome_grouping(r->outcome)))
        cli_warn("the search was stopped early; this is the best valid result so far (exit 5)");
}

/* "gcp  0.1  mean loss of a cell", with further measures on the same line, and others on the lines
 * below. */
static void print_measure(const shoal_measures *m, size_t index, FILE *stream)
{
    double value;
    const shoal_measure_info *info = shoal_measure_at(index);
    if (info->beside != NULL) return;
    if (info->label != NULL && shoal_measure_value_at(m, index, &value)) {
        fprintf(stream, "%-18s %.*f  %s", info->label, info->decimals, value, info->help);
        for (size_t i = 0; i < shoal_measure_count(); i++) {
            const shoal_measure_info *other = shoal_measure_at(i);
            if (other->beside != NULL && strcmp(other->beside, info->name) == 0 &&
                shoal_measure_value_at(m, i, &value))
                fprintf(stream, "; %.*f %s", other->decimals, value, other->label);
        }
        fputc('\n', stream);
    }
    for (size_t i = 0; i < shoal_measure_count(); i++) {
        const char *after = shoal_measure_at(i)->after;
        if (after != NULL && strcmp(after, info->name) == 0) print_measure(m, i, stream);
    }
}

void cli_text_groups(const shoal_check_result *check, const shoal_table *table, uint32_t k,
                     int width, FILE *stream)
{
    char a[32], b[32];
    if (shoal_table_missing(table) != SHOAL_MISSING_WILDCARD) return;
    if (check->text_failing_rows == 0)
        fprintf(stream, "%-*scompared as text, every group has at least %u rows, too\n", width, "",
                k);
    else
        fprintf(stream,
                "%-*scompared as text, where a missing value equals only itself, %s rows are in "
                "groups of fewer than %u (smallest: %s)\n",
                width, "", cli_count(check->text_failing_rows, a), k,
                cli_count(check->min_text_group, b));
}

void cli_measures_text(const shoal_measures *m, const shoal_table *table, FILE *stream)
{
    char a[32], b[32];
    fprintf(stream, "rows               %s\n", cli_count(m->n_rows, a));
    fprintf(stream, "groups             %s (smallest: %s rows)\n", cli_count(m->n_groups, a),
            cli_count(m->min_group, b));
    /* of rows of only `*` the text does not say whether they were */
    if (m->suppressed_rows > 0) cli_suppressed_text(m->suppressed_rows, table, false, 19, stream);
    if (m->is_moved)
        fputs("moved              rows are not in the order of the original: cells are measured by "
              "their text alone\n",
              stream);
    for (size_t i = 0; i < shoal_measure_count(); i++)
        if (shoal_measure_at(i)->after == NULL) print_measure(m, i, stream);
    print_qids(m, table, stream);
    print_meaning(m, table, 19, stream);
}
