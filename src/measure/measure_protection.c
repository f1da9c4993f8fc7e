/* SPDX-License-Identifier: Apache-2.0 */
/* measure_protection.c - tallies of groups, one after the other; see measure_protection.h.
 *
 * Rows are sorted by group once (counting sort), so one tally a column serves all groups.
 */
#include "measure/measure_protection.h"
#include "measure/measures.h"
#include "published/published.h"
#include "published/released.h"

#include <math.h>

/*
 * Where the sensitive values are read from: a column, or a run that generalises it, and the
 * attribute codes that each text may represent: one, or those that a generalised value covers, all
 * being equally likely. The texts are the column's values, then those of the run.
 */
typedef struct source {
    const shoal_column *column;
    /* of a run that generalises: SHOAL_NO_CODE where the value stays; else NULL */
    const uint32_t *node_of_entry;
    uint32_t *text_of_node; /* then: where its text is */
    uint32_t *begin;        /* of each text's codes, one more entry than texts */
    uint32_t *codes;
    bool is_generalised; /* some value represents several */
    double *shares;      /* then: rows of each code, shared out; zero between groups */
} source;

typedef struct workspace {
    uint32_t n_columns;
    source *sources;
    shoal_sensitive_ranges *ranges;
    shoal_tally *tallies;
    const shoal_lines *lines;
    uint64_t *begin; /* entries of each group */
    uint32_t *rows;
} workspace;

static void source_clear(source *from)
{
    shoal_free(from->text_of_node);
    shoal_free(from->begin);
    shoal_free(from->codes);
    shoal_free(from->shares);
}

static void clear(workspace *w)
{
    for (uint32_t c = 0; c < w->n_columns; c++) {
        if (w->sources != NULL) source_clear(&w->sources[c]);
        if (w->ranges != NULL) shoal_sensitive_ranges_clear(&w->ranges[c]);
        if (w->tallies != NULL) shoal_tally_free(&w->tallies[c]);
    }
    shoal_free(w->sources);
    shoal_free(w->ranges);
    shoal_free(w->tallies);
    shoal_free(w->begin);
    shoal_free(w->rows);
}

void shoal_protection_clear(shoal_protection *protection)
{
    shoal_space_clear(&protection->space);
    shoal_free(protection->s_diversity);
    shoal_free(protection->range_diversity);
    shoal_free(protection->groups);
    *protection = (shoal_protection){ 0 };
}

/* Attribute codes of the original's values that a published text covers, behind `*n` others. False
 * when memory is short. */
static bool add_covered(source *to, uint32_t *n, size_t *room, const shoal_attribute *attr,
                        const shoal_published *published, uint32_t text)
{
    for (uint32_t value = 0; value < attr->source->n_values; value++) {
        if (value == attr->source->null_code || !shoal_published_covers(published, text, value))
            continue;
        void *block = to->codes;
        if (!shoal_reserve(&block, room, (size_t)*n + 1, sizeof *to->codes)) return false;
        to->codes = block;
        to->codes[(*n)++] = attr->code_of_value[value];
    }
    return true;
}

/* The codes of each text. `*is_known` becomes false when some text covers no value of the original.
 * False when memory is short. */
static bool read_texts(source *to, const shoal_attribute *attr, const shoal_table *original,
                       const shoal_text *texts, uint32_t n_texts, bool *is_known)
{
    shoal_published published;
    uint32_t n = 0;
    size_t room = 0;
    to->begin = shoal_alloc((size_t)n_texts + 1, sizeof *to->begin);
    if (to->begin == NULL ||
        shoal_published_read(&published, original, attr, texts, n_texts, NULL) != SHOAL_OK)
        return false;
    bool ok = true;
    for (uint32_t v = 0; ok && v < n_texts; v++) {
        uint32_t value = v == to->column->null_code
                             ? attr->source->null_code
                             : shoal_find_value(original, attr->source, texts[v]);
        to->begin[v] = n;
        if (value != SHOAL_NO_CODE) {
            void *block = to->codes;
            ok = shoal_reserve(&block, &room, (size_t)n + 1, sizeof *to->codes);
            to->codes = block;
            if (ok) to->codes[n++] = attr->code_of_value[value];
        } else {
            ok = add_covered(to, &n, &room, attr, &published, v);
        }
        *is_known = *is_known && n > to->begin[v];
        to->is_generalised = to->is_generalised || n > to->begin[v] + 1;
    }
    to->begin[n_texts] = n;
    shoal_published_clear(&published);
    return ok;
}

/* The original's values as they are. */
static bool read_original(source *to, const shoal_attribute *attr)
{
    uint32_t n = to->column->n_values;
    to->begin = shoal_alloc((size_t)n + 1, sizeof *to->begin);
    to->codes = shoal_alloc(n, sizeof *to->codes);
    if (to->begin == NULL || to->codes == NULL) return false;
    for (uint32_t v = 0; v <= n; v++) to->begin[v] = v;
    for (uint32_t v = 0; v < n; v++) to->codes[v] = attr->code_of_value[v];
    return true;
}

/* What a run publishes instead of the original's values, read as if it were in a file; only texts
 * that some row has. */
static bool read_run(source *to, const shoal_attribute *attr, const shoal_table *original,
                     const shoal_generalised_values *run, uint64_t n_entries, bool *is_known)
{
    uint32_t n_nodes = 0, n_texts = to->column->n_values;
    for (uint64_t i = 0; i < n_entries; i++)
        if (run->text_of_row[i] != SHOAL_NO_CODE && run->text_of_row[i] >= n_nodes)
            n_nodes = run->text_of_row[i] + 1;
    shoal_text *texts = shoal_alloc((size_t)n_texts + n_nodes, sizeof *texts);
    to->node_of_entry = run->text_of_row;
    to->text_of_node = shoal_alloc(n_nodes, sizeof *to->text_of_node);
    bool ok = texts != NULL && to->text_of_node != NULL;
    for (uint32_t v = 0; ok && v < n_texts; v++) texts[v] = to->column->values[v];
    for (uint32_t node = 0; ok && node < n_nodes; node++) to->text_of_node[node] = SHOAL_NO_CODE;
    for (uint64_t i = 0; ok && i < n_entries; i++) {
        uint32_t node = run->text_of_row[i];
        if (node == SHOAL_NO_CODE || to->text_of_node[node] != SHOAL_NO_CODE) continue;
        texts[n_texts] = run->texts[node];
        to->text_of_node[node] = n_texts++;
    }
    ok = ok && read_texts(to, attr, original, texts, n_texts, is_known);
    shoal_free(texts);
    return ok;
}

/* False if some value is not in the original and covers none of its values: no result then. */
static bool read_source(source *to, const shoal_attribute *attr, const shoal_table *original,
                        shoal_sensitive_origin origin, uint64_t n_entries, bool *failed)
{
    const shoal_table *released = origin.released;
    size_t at = released == NULL ? SIZE_MAX
                                 : shoal_released_column(original, released, attr->column);
    bool is_there = at != SIZE_MAX && released->columns[at].is_encoded, is_known = true;
    bool is_run = origin.run != NULL && origin.run->text_of_row != NULL &&
                  origin.run->column == attr->column;
    if (!is_there && released != NULL && released->n_rows != original->n_rows) return false;
    to->column = is_there ? &released->columns[at] : attr->source;
    if (is_there)
        *failed = *failed || !read_texts(to, attr, original, to->column->values,
                                         to->column->n_values, &is_known);
    else if (is_run)
        *failed = *failed || !read_run(to, attr, original, origin.run, n_entries, &is_known);
    else
        *failed = *failed || !read_original(to, attr);
    if (!*failed && to->is_generalised)
        *failed = (to->shares = shoal_alloc_zero(attr->n_codes, sizeof *to->shares)) == NULL;
    return !*failed && is_known;
}

/* The text of an entry, by its number. */
static uint32_t text_at(const source *from, const workspace *w, uint32_t entry)
{
    uint32_t node = from->node_of_entry != NULL ? from->node_of_entry[entry] : SHOAL_NO_CODE;
    return node != SHOAL_NO_CODE ? from->text_of_node[node]
                                 : shoal_column_code(from->column, shoal_line_of(w->lines, entry));
}

static bool sort_rows(workspace *w, const uint32_t *group_of_row, uint32_t n_groups)
{
    uint64_t n_rows = w->lines->n;
    w->begin = shoal_alloc_zero((size_t)n_groups + 1, sizeof *w->begin);
    w->rows = shoal_alloc((size_t)n_rows, sizeof *w->rows);
    if (w->begin == NULL || w->rows == NULL) return false;
    for (uint64_t row = 0; row < n_rows; row++) w->begin[group_of_row[row]]++;
    /* ends; filling backwards makes them begins */
    for (uint32_t g = 1; g <= n_groups; g++) w->begin[g] += w->begin[g - 1];
    for (uint64_t row = n_rows; row-- > 0;) w->rows[--w->begin[group_of_row[row]]] = (uint32_t)row;
    return true;
}

/* Population variance; NaN where the group has no numbers. */
static double variance_of(const shoal_attribute *attr, const shoal_tally *tally)
{
    double n = 0, mean = 0, squares = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        uint32_t code = tally->present[i];
        if (code >= attr->n_plain) continue; /* missing */
        double count = (double)tally->counts[code],
               value = attr->source->numbers[attr->value_of_code[code]], from = value - mean;
        n += count;
        mean += from * count / n;
        squares += count * from * (value - mean);
    }
    return n > 0 ? squares / n : NAN;
}

/* How surely one row with this code is tied to its sensitive range, by shares of rows. */
static double shared_confidence(const source *from, const shoal_sensitive_ranges *ranges,
                                const shoal_tally *tally, uint32_t code, double n_rows)
{
    double sum = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        uint32_t x = tally->present[i];
        if (x < ranges->of_code[code].lo || x > ranges->of_code[code].hi) continue;
        sum += from->shares[x] * shoal_pairwise_contribution(ranges->attr, code, x);
    }
    return sum / n_rows;
}

/* The most rows that one value may have. */
static double most_of_one(const source *from, const shoal_tally *tally)
{
    double most = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        uint32_t code = tally->present[i];
        most = fmax(most, from->is_generalised ? from->shares[code] : (double)tally->counts[code]);
    }
    return most;
}

/* Range diversity where some values are generalised; the shares are zero afterwards. */
static double shared_diversity(double *worst, source *from, const shoal_sensitive_ranges *ranges,
                               const shoal_tally *tally, double n_rows)
{
    double sum = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        double confidence = shared_confidence(from, ranges, tally, tally->present[i], n_rows);
        sum += from->shares[tally->present[i]] * confidence;
        if (confidence > *worst) *worst = confidence;
    }
    for (uint32_t i = 0; i < tally->n_present; i++) from->shares[tally->present[i]] = 0;
    return sum / n_rows;
}

/* Tally the rows of a tuple; every code that a value covers is present. Returns the rows. */
static double tally_rows(shoal_tally *tally, source *from, const workspace *w, uint32_t tuple)
{
    double n_rows = 0;
    shoal_tally_clear(tally);
    for (uint64_t i = w->begin[tuple]; i < w->begin[tuple + 1]; i++) {
        uint32_t text = text_at(from, w, w->rows[i]),
                 weight = shoal_weight_of(w->lines, w->rows[i]);
        uint32_t n_codes = from->begin[text + 1] - from->begin[text];
        for (uint32_t j = from->begin[text]; j < from->begin[text + 1]; j++) {
            shoal_tally_add(tally, from->codes[j], weight);
            if (from->is_generalised) from->shares[from->codes[j]] += (double)weight / n_codes;
        }
        n_rows += weight;
    }
    return n_rows;
}

/* The rows of a tuple are group number `group`. */
static void measure_group(shoal_protection *to, uint32_t group, workspace *w, uint32_t tuple)
{
    for (uint32_t c = 0; c < w->n_columns; c++) {
        shoal_tally *tally = &w->tallies[c];
        source *from = &w->sources[c];
        size_t at = (size_t)group * w->n_columns + c;
        double n_rows = tally_rows(tally, from, w, tuple);
        to->s_diversity[at] = shoal_s_diversity(&to->space.attrs[c], tally);
        shoal_sensitive_groups_add(&to->groups[c], tally->n_present, n_rows,
                                   most_of_one(from, tally));
        if (from->is_generalised) {
            to->range_diversity[at] = shared_diversity(&to->confidence, from, &w->ranges[c], tally,
                                                       n_rows);
            continue;
        }
        to->range_diversity[at] = shoal_range_diversity(&w->ranges[c], tally);
        if (to->space.attrs[c].is_interval)
            to->least_variance = fmin(to->least_variance, variance_of(&to->space.attrs[c], tally));
        for (uint32_t i = 0; i < tally->n_present; i++) {
            uint32_t code = tally->present[i];
            double confidence = shoal_disclosure_confidence(&w->ranges[c], tally, code) /
                                tally->counts[code];
            if (confidence > to->confidence) to->confidence = confidence;
        }
    }
}

static shoal_status set_up(shoal_protection *to, workspace *w, shoal_error *err)
{
    size_t n = to->space.n_attrs;
    w->n_columns = to->space.n_attrs;
    w->sources = shoal_alloc_zero(n, sizeof *w->sources);
    w->ranges = shoal_alloc_zero(n, sizeof *w->ranges);
    w->tallies = shoal_alloc_zero(n, sizeof *w->tallies);
    to->s_diversity = shoal_alloc(to->n_groups * n, sizeof *to->s_diversity);
    to->range_diversity = shoal_alloc(to->n_groups * n, sizeof *to->range_diversity);
    to->groups = shoal_alloc_zero(n, sizeof *to->groups);
    if (w->sources == NULL || w->ranges == NULL || w->tallies == NULL || to->s_diversity == NULL ||
        to->range_diversity == NULL || to->groups == NULL)
        return shoal_fail_memory(err);
    for (uint32_t c = 0; c < n; c++) {
        SHOAL_RETURN_IF_ERROR(shoal_sensitive_ranges_make(&w->ranges[c], &to->space.attrs[c], err));
        if (!shoal_tally_init(&w->tallies[c], to->space.attrs[c].n_codes))
            return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

shoal_status shoal_protection_measure(shoal_protection *out, const shoal_table *original,
                                      shoal_sensitive_origin origin, const uint32_t *group_of_entry,
                                      const shoal_tuples *tuples, const shoal_lines *lines,
                                      shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_protection made = { .n_groups = tuples->n_tuples -
                                          (tuples->exempt_tuple != SHOAL_NO_CODE),
                              .least_variance = NAN };
    workspace w = { .lines = lines };
    bool is_known = true, failed = false;
    SHOAL_RETURN_IF_ERROR(shoal_space_make_role(&made.space, original, SHOAL_ROLE_SENSITIVE,
                                                SHOAL_MISSING_OWN_CATEGORY, err));
    if (made.space.n_attrs == 0) goto done;
    SHOAL_GOTO_IF_ERROR(set_up(&made, &w, err), out);
    for (uint32_t c = 0; is_known && c < w.n_columns; c++)
        is_known = read_source(&w.sources[c], &made.space.attrs[c], original, origin, lines->n,
                               &failed);
    if (failed || (is_known && !sort_rows(&w, group_of_entry, tuples->n_tuples))) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t t = 0, g = 0; is_known && t < tuples->n_tuples; t++)
        if (t != tuples->exempt_tuple) measure_group(&made, g++, &w, t);
    if (!is_known) shoal_protection_clear(&made);
done:
    *out = made;
    made = (shoal_protection){ 0 };
out:
    clear(&w);
    shoal_protection_clear(&made);
    return status;
}

static double worst_confidence(const shoal_measure_view *view)
{
    return view->protection->confidence;
}

const shoal_measure_row shoal_measure_row_dc = {
    .info = {
        .name = "dc",
        .help = "disclosure confidence of the worst row",
        .label = "dc",
        .decimals = 6,
        .unit = "share",
        .needs = SHOAL_MEASURE_NEEDS_SENSITIVE,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 230,
              .names = "dc|disclosure-confidence",
              .title = "how strongly a group links a row to its sensitive range",
              .text = "The maximum over rows: the rows of its group with a value in the "
                      "sensitive range of its own value, weighted by their closeness.",
              .formula = "dc(u) / f(u) = sum over x in SR(u) of f(x) pc(u,x) / |G|",
              .reading = "In [0,1], lower is better.",
              .source = "Loukides: doctoral thesis, definition 5.1.3" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, dc),
    .value = worst_confidence,
};
