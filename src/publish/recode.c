/* SPDX-License-Identifier: Apache-2.0 */
/* recode.c - what a group publishes in each quasi-identifier, as text.
 *
 *     one value                   its text as it was
 *     several                     as their kind is spelled (kind_spelling.c)
 *     one known only as `*`, or a
 *     missing one beside others   `*`
 *     another model               the text that was made for the cell (recode_models.c)
 *
 * Texts are interned by an open hash of their bytes. Cells of ordered attributes come from few
 * ranges, so a small direct-mapped memory of the ranges seen last saves most of the spelling and
 * hashing.
 */
#include "publish/kind_spelling.h"
#include "publish/recode.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

/* ---- spelling one cell ---- */

static void add_text(shoal_buffer *out, shoal_text text)
{
    shoal_buffer_add(out, text.data, text.length);
}

static shoal_text null_text_of(const shoal_attribute *attr)
{
    const shoal_column *column = attr->source;
    if (column->null_code == SHOAL_NO_CODE) return (shoal_text){ "", 0 };
    return column->values[column->null_code];
}

void shoal_recode_cell(shoal_buffer *out, const shoal_grouping *grouping, uint32_t group,
                       uint32_t a)
{
    const shoal_attribute *attr = &grouping->space.attrs[a];
    shoal_range range = grouping->cells[(size_t)group * grouping->space.n_attrs + a];
    uint32_t n;
    const uint32_t *codes = shoal_cell_set(&grouping->sets, &grouping->space, group, a, &n);
    if (range.lo == SHOAL_CELL_TEXT)
        add_text(out, grouping->texts.items[range.hi].text);
    else if (range.lo == SHOAL_CELL_NODE)
        shoal_spell_node(out, attr->tree, range.hi);
    /* wildcard: no row of the group has a value */
    else if (range.lo > range.hi)
        add_text(out, null_text_of(attr));
    else if (range.hi >= attr->top_from)
        shoal_buffer_add(out, "*", 1);
    else if (range.lo == range.hi)
        add_text(out, shoal_text_of_code(attr, range.lo));
    else if (range.hi >= attr->n_plain)
        shoal_buffer_add(out, "*", 1);
    else
        shoal_kind_spelling_of(attr->kind)->cover(out, attr, range, codes, n);
}

/* ---- the dictionary of one attribute ---- */

enum { N_RECENT = 4096 };

typedef struct recent_range {
    shoal_range range;
    uint32_t text;
} recent_range;

/* State while one column is made. */
typedef struct maker {
    const shoal_grouping *grouping;
    shoal_recoded_column *column;
    uint32_t attr;
    shoal_buffer spelled;
    uint32_t *slots; /* text number + 1, or 0; at most half are taken */
    size_t n_slots;
    recent_range *recent;
} maker;

static uint64_t hash_text(const char *data, size_t length)
{
    return XXH3_64bits(data, length);
}

static bool grow_slots(maker *m)
{
    size_t n_slots = m->n_slots == 0 ? 256 : m->n_slots * 2;
    uint32_t *slots = shoal_alloc_zero(n_slots, sizeof *slots);
    if (slots == NULL) return false;
    for (uint32_t t = 0; t < m->column->n_texts; t++) {
        size_t at = hash_text(m->column->texts[t].data, m->column->texts[t].length) & (n_slots - 1);
        while (slots[at] != 0) at = (at + 1) & (n_slots - 1);
        slots[at] = t + 1;
    }
    shoal_free(m->slots);
    m->slots = slots;
    m->n_slots = n_slots;
    return true;
}

static bool append_text(shoal_recoded_column *column, const char *data, size_t length)
{
    size_t room = column->text_room;
    void *texts = column->texts, *loss = column->loss;
    if (!shoal_reserve(&texts, &room, (size_t)column->n_texts + 1, sizeof *column->texts))
        return false;
    column->texts = texts;
    if (room != column->text_room) {
        loss = shoal_resize(loss, room, sizeof *column->loss);
        if (loss == NULL) return false;
        column->loss = loss;
        column->text_room = room;
    }
    char *copy = shoal_arena_alloc(&column->arena, length + 1);
    if (copy == NULL) return false;
    memcpy(copy, data, length);
    copy[length] = '\0';
    column->loss[column->n_texts] = 0;
    column->texts[column->n_texts++] = (shoal_text){ copy, length };
    return true;
}

/* Number of a text, which is added if it is new. False if memory is short. */
static bool intern(maker *m, const char *data, size_t length, uint32_t *out)
{
    shoal_recoded_column *column = m->column;
    if ((size_t)column->n_texts * 2 >= m->n_slots && !grow_slots(m)) return false;
    size_t at = hash_text(data, length) & (m->n_slots - 1);
    for (; m->slots[at] != 0; at = (at + 1) & (m->n_slots - 1)) {
        shoal_text known = column->texts[m->slots[at] - 1];
        if (known.length == length && memcmp(known.data, data, length) == 0) {
            *out = m->slots[at] - 1;
            return true;
        }
    }
    if (!append_text(column, data, length)) return false;
    *out = column->n_texts - 1;
    m->slots[at] = column->n_texts;
    return true;
}

static bool intern_cell(maker *m, uint32_t group, uint32_t *out)
{
    m->spelled.size = 0;
    shoal_recode_cell(&m->spelled, m->grouping, group, m->attr);
    if (m->spelled.failed) return false;
    if (!intern(m, m->spelled.size > 0 ? m->spelled.data : "", m->spelled.size, out)) return false;
    /* A text may be both a value and the label of a wider node: a reader has to assume the wider
     * one. */
    double loss = shoal_grouping_cell_loss(m->grouping, group, m->attr);
    if (*out != SHOAL_TEXT_STAR && loss > m->column->loss[*out]) m->column->loss[*out] = loss;
    return true;
}

static bool intern_groups(maker *m)
{
    const shoal_grouping *g = m->grouping;
    bool is_ordered = !m->column->attr->is_set;
    for (uint32_t i = 0; i < N_RECENT; i++) m->recent[i].text = SHOAL_NO_CODE;
    for (uint32_t group = 0; group < g->n_groups; group++) {
        shoal_range range = g->cells[(size_t)group * g->space.n_attrs + m->attr];
        recent_range
            *seen = &m->recent[(range.lo * 2654435761u ^ range.hi * 40503u) >> 7 & (N_RECENT - 1)];
        uint32_t *text = &m->column->text_of_group[group];
        if (is_ordered && seen->text != SHOAL_NO_CODE && seen->range.lo == range.lo &&
            seen->range.hi == range.hi) {
            *text = seen->text;
            continue;
        }
        if (!intern_cell(m, group, text)) return false;
        *seen = (recent_range){ range, *text };
    }
    return true;
}

/* ---- CSV quotes ---- */

static bool needs_quotes(shoal_text text, char delimiter, bool quote_empty)
{
    if (text.length == 0) return quote_empty;
    char first = text.data[0], last = text.data[text.length - 1];
    if (first == ' ' || first == '\t' || last == ' ' || last == '\t') return true;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        if (c == delimiter || c == '"' || c == '\r' || c == '\n') return true;
    }
    return false;
}

static bool quote_text(shoal_text *out, shoal_text text, shoal_arena *arena)
{
    size_t n_quotes = 2;
    for (size_t i = 0; i < text.length; i++) n_quotes += text.data[i] == '"';
    char *quoted = shoal_arena_alloc(arena, text.length + n_quotes);
    if (quoted == NULL) return false;
    size_t n = 0;
    quoted[n++] = '"';
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] == '"') quoted[n++] = '"';
        quoted[n++] = text.data[i];
    }
    quoted[n++] = '"';
    *out = (shoal_text){ quoted, n };
    return true;
}

bool shoal_quote_csv(shoal_text *out, shoal_text text, char delimiter, shoal_arena *arena)
{
    *out = text;
    return !needs_quotes(text, delimiter, false) || quote_text(out, text, arena);
}

static bool quote_texts(shoal_recoded_column *column, char delimiter, bool quote_empty)
{
    column->csv = shoal_alloc(column->n_texts, sizeof *column->csv);
    if (column->csv == NULL) return false;
    for (uint32_t t = 0; t < column->n_texts; t++) {
        column->csv[t] = column->texts[t];
        if (needs_quotes(column->texts[t], delimiter, quote_empty) &&
            !quote_text(&column->csv[t], column->texts[t], &column->arena))
            return false;
        if (column->csv[t].length > column->max_csv_length)
            column->max_csv_length = column->csv[t].length;
    }
    return true;
}

/* ---- all of it ---- */

static bool make_column(const shoal_grouping *grouping, uint32_t a, shoal_recoded_column *column,
                        char delimiter, bool quote_empty)
{
    maker m = { .grouping = grouping, .column = column, .attr = a };
    *column = (shoal_recoded_column){ .attr = &grouping->space.attrs[a] };
    column->text_of_group = shoal_alloc(grouping->n_groups, sizeof *column->text_of_group);
    m.recent = shoal_alloc(N_RECENT, sizeof *m.recent);
    uint32_t star;
    shoal_text null_text = null_text_of(column->attr);
    bool ok = column->text_of_group != NULL && m.recent != NULL && intern(&m, "*", 1, &star) &&
              intern(&m, null_text.data, null_text.length, &column->null_text);
    if (ok) column->loss[SHOAL_TEXT_STAR] = 1;
    ok = ok && intern_groups(&m) && quote_texts(column, delimiter, quote_empty);
    shoal_buffer_clear(&m.spelled);
    shoal_free(m.slots);
    shoal_free(m.recent);
    return ok;
}

shoal_status shoal_recoding_make(shoal_recoding *out, const shoal_grouping *grouping,
                                 char delimiter, bool quote_empty, uint32_t threads,
                                 shoal_error *err)
{
    shoal_recoding made = { .grouping = grouping, .n_attrs = grouping->space.n_attrs };
    made.columns = shoal_alloc_zero(made.n_attrs, sizeof *made.columns);
    if (made.columns == NULL) return shoal_fail_memory(err);
    bool ok = true;
#pragma omp parallel for num_threads(threads > 0 ? threads : 1) schedule(dynamic) reduction(&& : ok)
    for (uint32_t a = 0; a < made.n_attrs; a++)
        ok = make_column(grouping, a, &made.columns[a], delimiter, quote_empty) && ok;
    if (!ok) {
        shoal_recoding_clear(&made);
        return shoal_fail_memory(err);
    }
    *out = made;
    return SHOAL_OK;
}

void shoal_recoding_clear(shoal_recoding *recoding)
{
    for (uint32_t a = 0; a < recoding->n_attrs; a++) {
        shoal_recoded_column *column = &recoding->columns[a];
        shoal_free(column->texts);
        shoal_free(column->csv);
        shoal_free(column->loss);
        shoal_free(column->text_of_group);
        shoal_arena_clear(&column->arena);
    }
    shoal_free(recoding->columns);
    *recoding = (shoal_recoding){ 0 };
}
