/* SPDX-License-Identifier: Apache-2.0 */
/* minimality.c - which originals can have given this release? The method is run again on
 * candidates.
 *
 * The strongest attacker: has the program, the plan, k and the seed, and knows the whole original
 * but for one thing. First the method is run on the original itself: if that does not give the
 * release, there is nothing to learn this way. Then, in turn: a cell: one generalised cell is open;
 * candidates are the values that the published cell covers; an assignment: which row of a group has
 * a person's quasi-identifiers, and so whose the sensitive values are, is open; candidates are rows
 * of the group, whose quasi-identifiers are exchanged. The method is run on each candidate; one
 * that does not give the release byte for byte is out. One of those left is drawn. The control
 * draws from all candidates. At most MOST_CANDIDATES for each, drawn, the truth among them.
 *
 * This covers minimality (a release is as wide as it must be), and whatever else a search order
 * leaks: groups that are closed cheapest first, ties by row number.
 *
 * Cost: a run of the method for each candidate, at most max_reruns.
 */
#include "attack/attack_kind.h"

#include <math.h>
#include <string.h>

enum { MOST_CANDIDATES = 8, MOST_DRAWS = 100000 };

/* A change of the original: a value for a cell, or the quasi-identifiers of another row. */
typedef struct change {
    uint32_t row;
    uint32_t from; /* whose quasi-identifiers it gets; SHOAL_NO_ROW: the cell alone */
    size_t column;
    shoal_text value; /* of the cell */
} change;

typedef struct rerunner {
    const shoal_attack_view *view;
    const shoal_release_view *release;
    shoal_rng rng;
    uint32_t n_runs;
    shoal_attack_case found;
    shoal_attack_case cells, assignments;
    uint64_t n_refined, n_pinned;
    double n_before, n_left;
} rerunner;

/* ---- an original with changes ---- */

static shoal_text raw_field(const shoal_table *table, uint32_t row, size_t column)
{
    const shoal_text_source *text = shoal_table_text(table);
    const char *at = shoal_table_record(table, row), *end = shoal_table_text_end(table);
    shoal_field field = { 0 };
    for (size_t c = 0; c <= column; c++) shoal_scan_field(&field, &at, end, text->delimiter);
    return (shoal_text){ field.begin, (size_t)(field.end - field.begin) };
}

static void write_value(shoal_buffer *out, shoal_text value, char delimiter)
{
    bool needs_quotes = memchr(value.data, delimiter, value.length) != NULL ||
                        memchr(value.data, '"', value.length) != NULL ||
                        memchr(value.data, '\n', value.length) != NULL ||
                        memchr(value.data, '\r', value.length) != NULL;
    if (!needs_quotes) {
        shoal_buffer_add(out, value.data, value.length);
        return;
    }
    shoal_buffer_add(out, "\"", 1);
    for (size_t i = 0; i < value.length; i++)
        shoal_buffer_add(out, value.data[i] == '"' ? "\"\"" : &value.data[i],
                         value.data[i] == '"' ? 2 : 1);
    shoal_buffer_add(out, "\"", 1);
}

/* One changed row; returns where the next record begins. */
static const char *write_row(shoal_buffer *out, const shoal_table *table, const change *by)
{
    const shoal_text_source *text = shoal_table_text(table);
    const char *at = shoal_table_record(table, by->row), *end = shoal_table_text_end(table);
    for (size_t c = 0; c < table->n_columns; c++) {
        shoal_field field;
        shoal_field_end kind = shoal_scan_field(&field, &at, end, text->delimiter);
        bool is_exchanged = by->from != SHOAL_NO_ROW && table->columns[c].role == SHOAL_ROLE_QUASI;
        shoal_text raw = is_exchanged
                             ? raw_field(table, by->from, c)
                             : (shoal_text){ field.begin, (size_t)(field.end - field.begin) };
        if (by->from == SHOAL_NO_ROW && c == by->column)
            write_value(out, by->value, text->delimiter);
        else
            shoal_buffer_add(out, raw.data, raw.length);
        /* the separator, or the end of the line */
        shoal_buffer_add(out, field.end, (size_t)(at - field.end));
        if (kind != SHOAL_FIELD_MORE) break;
    }
    return at;
}

/* `changes` are of ascending rows. */
static void write_changed(shoal_buffer *out, const shoal_table *table, const change *changes,
                          size_t n)
{
    const shoal_text_source *text = shoal_table_text(table);
    const char *at = text->data;
    for (size_t i = 0; i < n; i++) {
        const char *begin = text->data + text->row_offset[changes[i].row];
        shoal_buffer_add(out, at, (size_t)(begin - at));
        at = write_row(out, table, &changes[i]);
    }
    shoal_buffer_add(out, at, (size_t)(shoal_table_text_end(table) - at));
}

/* Does the method give the release for the original with these changes? */
static shoal_status gives_release(bool *out, rerunner *r, const change *changes, size_t n,
                                  shoal_error *err)
{
    const shoal_attack_request *request = r->view->request;
    const shoal_table *released = r->release->released;
    const shoal_text_source *source = shoal_table_text(released);
    shoal_buffer text = { 0 };
    char *made = NULL;
    size_t size = 0;
    write_changed(&text, &r->view->plain, changes, n);
    shoal_status status = text.failed ? shoal_fail_memory(err)
                                      : request->rerun(&made, &size, text.data, text.size,
                                                       request->rerun_payload, err);
    r->n_runs++;
    *out = status == SHOAL_OK && size == source->size && memcmp(made, source->data, size) == 0;
    shoal_free(made);
    shoal_buffer_clear(&text);
    return status == SHOAL_ENOMEM || status == SHOAL_ECANCELLED ? status : SHOAL_OK;
}

/* ---- targets ---- */

/* Candidates of one target; the truth is number 0 and needs no run. */
typedef struct candidates {
    change items[MOST_CANDIDATES][2];
    uint32_t n_changes, n;
} candidates;

/* Keep at most MOST_CANDIDATES - 1 of what is offered, all with the same chance. Returns the place,
 * or 0. */
static uint32_t draw_place(rerunner *r, candidates *c, uint32_t n_offered)
{
    if (c->n < MOST_CANDIDATES) return c->n++;
    uint64_t place = shoal_rng_below(&r->rng, n_offered);
    return place < MOST_CANDIDATES - 1 ? (uint32_t)place + 1 : 0;
}

static void list_values(rerunner *r, candidates *c, uint32_t row, uint32_t a)
{
    const shoal_attribute *attr = &r->view->space.attrs[a];
    const shoal_release_view *release = r->release;
    uint32_t truth = shoal_column_code(attr->source, row), n_offered = 0;
    uint32_t text = shoal_column_code(&release->released->columns[release->columns[a]],
                                      release->row_of[row]);
    *c = (candidates){ .n = 1, .n_changes = 1 };
    for (uint32_t v = 0; v < attr->source->n_values; v++) {
        if (v == truth ||
            !shoal_cover_holds(&release->covers[a].covers[text], attr->code_of_value[v]))
            continue;
        uint32_t place = draw_place(r, c, ++n_offered);
        if (place > 0)
            c->items[place][0] = (change){ row, SHOAL_NO_ROW, attr->column,
                                           attr->source->values[v] };
    }
}

static void list_rows(rerunner *r, candidates *c, uint32_t row)
{
    const shoal_release_view *release = r->release;
    const uint32_t *class_of_row = r->view->classes->class_of_row;
    uint32_t n, n_offered = 0;
    const uint32_t *rows = shoal_group_rows(release, release->groups.ids[release->row_of[row]], &n);
    *c = (candidates){ .n = 1, .n_changes = 2 };
    for (uint32_t i = 0; i < n; i++) {
        uint32_t other = release->origin_of[rows[i]];
        /* an exchange would change nothing */
        if (class_of_row[other] == class_of_row[row]) continue;
        uint32_t place = draw_place(r, c, ++n_offered);
        if (place == 0) continue;
        uint32_t first = row < other ? row : other, second = row < other ? other : row;
        c->items[place][0] = (change){ .row = first, .from = second };
        c->items[place][1] = (change){ .row = second, .from = first };
    }
}

/* Run the method on all candidates but the truth. */
static shoal_status try_candidates(rerunner *r, const candidates *c, shoal_attack_case *kind,
                                   shoal_error *err)
{
    uint32_t n_left = 1;
    for (uint32_t i = 1; i < c->n; i++) {
        bool is_left = false;
        SHOAL_RETURN_IF_ERROR(gives_release(&is_left, r, c->items[i], c->n_changes, err));
        n_left += is_left;
    }
    bool is_right = shoal_rng_below(&r->rng, n_left) == 0;
    kind->trials++;
    kind->successes += is_right;
    kind->control += 1 / (double)c->n;
    r->n_refined += n_left < c->n;
    r->n_pinned += n_left == 1;
    r->n_before += c->n;
    r->n_left += n_left;
    return SHOAL_OK;
}

static shoal_status try_targets(rerunner *r, shoal_error *err)
{
    const shoal_attack_view *view = r->view;
    candidates c;
    for (uint32_t draw = 0; draw < MOST_DRAWS && r->n_runs + 1 < view->request->max_reruns;
         draw++) {
        uint32_t row = (uint32_t)shoal_rng_below(&r->rng, view->n_rows),
                 a = (uint32_t)shoal_rng_below(&r->rng, view->space.n_attrs);
        if (r->release->row_of[row] == SHOAL_NO_ROW) continue;
        /* if one kind has no targets, the other is tried */
        bool is_cell = r->cells.trials <= r->assignments.trials || draw % 64 == 63;
        if (is_cell)
            list_values(r, &c, row, a);
        else
            list_rows(r, &c, row);
        if (c.n < 2 || r->n_runs + c.n - 1 > view->request->max_reruns) continue;
        SHOAL_RETURN_IF_ERROR(try_candidates(r, &c, is_cell ? &r->cells : &r->assignments, err));
        if (shoal_progress_stops(view->request->callbacks, "minimality", -1))
            return shoal_fail(err, SHOAL_ECANCELLED, "attack: stopped on request");
    }
    return SHOAL_OK;
}

/* ---- the attack ---- */

static shoal_status add_kind(shoal_attack_finding *out, rerunner *r, shoal_attack_case *kind,
                             const char *label, shoal_error *err)
{
    r->found.trials += kind->trials;
    r->found.successes += kind->successes;
    r->found.control += kind->control;
    if (kind->trials == 0) return SHOAL_OK;
    kind->control /= (double)kind->trials;
    kind->smallest = kind->median = NAN;
    return shoal_finding_add_case(out, kind, label, err);
}

static shoal_status rerun_method(shoal_attack_finding *out, const shoal_attack_view *view,
                                 size_t release, shoal_error *err)
{
    rerunner r = { .view = view, .release = &view->releases[release] };
    bool is_given = false;
    if (!shoal_table_has_text(&view->plain) || !shoal_table_has_text(r.release->released)) {
        shoal_finding_skip(out, "original and release are not text");
        return SHOAL_OK;
    }
    shoal_rng_init(&r.rng, view->request->seed, 40);
    SHOAL_RETURN_IF_ERROR(gives_release(&is_given, &r, NULL, 0, err));
    if (!is_given) {
        shoal_finding_skip(out, "a rerun on the original does not reproduce this release; check "
                                "plan, seed and row order");
        return SHOAL_OK;
    }
    SHOAL_RETURN_IF_ERROR(try_targets(&r, err));
    SHOAL_RETURN_IF_ERROR(add_kind(out, &r, &r.cells, "cells", err));
    SHOAL_RETURN_IF_ERROR(add_kind(out, &r, &r.assignments, "assignments", err));
    double n = (double)r.found.trials;
    r.found.control = n > 0 ? r.found.control / n : 0;
    shoal_finding_conclude(out, &r.found, 1);
    if (n == 0) shoal_finding_note(out, "not enough reruns for a single cell");
    shoal_finding_add(out, "reruns", r.n_runs);
    shoal_finding_add(out, "cells_refined", (double)r.n_refined);
    shoal_finding_add(out, "cells_pinned", (double)r.n_pinned);
    shoal_finding_add(out, "candidates_before", n > 0 ? r.n_before / n : NAN);
    shoal_finding_add(out, "candidates_left", n > 0 ? r.n_left / n : NAN);
    return SHOAL_OK;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_ATTACK,
      .place = 70,
      .names = "minimality|minimality-attack|reruns|candidates_before|candidates_left",
      .title = "candidates for the original that are excluded by rerunning the method",
      .text = "The attacker has the program, the plan, the seed, and the original except for one "
              "cell, or except for the order of the rows of a group. The method is run on each "
              "candidate; candidates that do not reproduce the release byte for byte are excluded. "
              "candidates_before and candidates_left are means; cells_refined have fewer "
              "candidates left than before, cells_pinned a single one.",
      .formula = "success: a remaining candidate, drawn at random, is correct; control: the same "
                 "for all candidates",
      .reading = "Worst-case attacker: an upper bound for weaker ones. A secret seed and shuffled "
                 "rows make the attack harder; choose a larger k if recipients may be hostile.",
      .source = "Wong, Fu, Wang, Pei: Minimality attack in privacy preserving data publishing, "
                "VLDB 2007; Cohen: Attacks on deidentification's defenses, "
                "USENIX Security 2022" },
    { .names = NULL },
};

const shoal_attack_kind shoal_attack_kind_minimality = {
    .name = "minimality",
    .help =
        "rerun the method on candidates to find which originals could have produced the release",
    .needs = SHOAL_ATTACK_NEEDS_RERUN | SHOAL_ATTACK_NEEDS_ROWS,
    .terms = terms,
    .run = rerun_method,
    .plant = NULL, /* the method of the controls leaks by itself */
};
