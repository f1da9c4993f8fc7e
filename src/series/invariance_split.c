/* SPDX-License-Identifier: Apache-2.0 */
/* invariance_split.c - the rows of each signature into groups that have each of its values once:
 * the last phase of Xiao and Tao (2007).
 *
 * A bucket is a matrix: a line of n places for each value of the signature, with rows and, in the
 * lines that are short of them, counterfeits. A column of the matrix is a group. The columns are
 * cut in two again and again: by the quasi-identifier whose parts lose least, each line sorted by
 * it. A line without counterfeits is cut near its middle, between two codes if it can be; one with
 * some, where the others are cut, as near as its places allow. In the end, among columns that were
 * cut last, two rows of a line change places as long as that loses less. Loss is that of boxes, as
 * everywhere.
 *
 * An example: the signature {flu, cold} with flu at the ages 50, 20 and cold at 24, 51. Lines
 * sorted by age and cut in the middle:
 *
 *     flu    20 | 50        groups {20 flu, 24 cold} and {50 flu, 51 cold}: 4 and 1 years wide
 *     cold   24 | 51
 *
 * Without the cold at 51 its place is a counterfeit: the second group publishes flu and cold for
 * one record, and is counted in the table of counterfeits.
 *
 * Invariant: some line has no counterfeit, so every group has a record.
 * Cost: O(rows * quasi-identifiers * log^2) for the cuts, O(rows * values of a signature *
 * quasi-identifiers) for a round of changes; 4 bytes for each row and quasi-identifier.
 */
#include "base/stable_sort.h"
#include "series/invariance.h"

#include <assert.h>
#include <string.h>

/* columns among which rows change places, and how often they are looked through */
enum { CHANGE_WIDTH = 32, CHANGE_ROUNDS = 6 };

typedef struct span {
    uint32_t from, to; /* columns */
} span;

typedef struct splitter {
    const shoal_signed_rows *rows;
    const shoal_space *space;
    uint32_t *codes; /* of each row, n_attrs of them */
    uint32_t *order; /* rows that have a signature, by signature, value and number */
    uint64_t n_order;
    uint32_t *lines; /* the matrix of one bucket */
    uint32_t n_lines, n_columns;
    uint32_t *half; /* one line, cut */
    span *todo;
    shoal_box boxes[2];
    uint32_t sorted_by; /* attribute, of by_code() */
} splitter;

static const uint32_t *codes_of(const splitter *s, uint32_t row)
{
    return s->codes + (size_t)row * s->space->n_attrs;
}

/* Ties keep the order of rows, since the sort is stable. */
/* ---- rows by signature ---- */

static int by_signature(const void *x, const void *y, void *payload)
{
    const shoal_signed_rows *rows = payload;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    if (rows->signatures[a] != rows->signatures[b])
        return rows->signatures[a] < rows->signatures[b] ? -1 : 1;
    return (rows->values[a] > rows->values[b]) - (rows->values[a] < rows->values[b]);
}

/* Codes of all rows are gathered once: the cuts compare them many times. */
static bool begin(splitter *s)
{
    const shoal_signed_rows *rows = s->rows;
    uint32_t n_attrs = s->space->n_attrs;
    s->codes = shoal_alloc((size_t)rows->n_rows * n_attrs, sizeof *s->codes);
    s->order = shoal_alloc((size_t)rows->n_rows, sizeof *s->order);
    for (size_t i = 0; i < 2; i++) {
        s->boxes[i].ranges = shoal_alloc(n_attrs, sizeof(shoal_range));
        s->boxes[i].words = shoal_alloc((size_t)s->space->n_words + 1, sizeof(uint64_t));
        if (s->boxes[i].ranges == NULL || s->boxes[i].words == NULL) return false;
    }
    if (s->codes == NULL || s->order == NULL) return false;
    for (uint32_t a = 0; a < n_attrs; a++) {
        const shoal_attribute *attr = &s->space->attrs[a];
        for (uint64_t row = 0; row < rows->n_rows; row++)
            s->codes[row * n_attrs + a] = attr->code_of_value[shoal_column_code(attr->source, row)];
    }
    for (uint64_t row = 0; row < rows->n_rows; row++)
        if (rows->signatures[row] != SHOAL_NO_CODE) s->order[s->n_order++] = (uint32_t)row;
    shoal_signed_rows compared = *rows; /* the sort wants a payload that may be written */
    shoal_stable_sort(s->order, (size_t)s->n_order, sizeof *s->order, by_signature, &compared);
    return true;
}

/* ---- a bucket as a matrix ---- */

/* The number of columns of the matrix: the most frequent value has no counterfeits. */
static uint32_t most_frequent(const splitter *s, uint64_t from, uint64_t to)
{
    uint64_t most = 0;
    for (uint64_t first = from, i = from; i < to; i++) {
        if (s->rows->values[s->order[i]] != s->rows->values[s->order[first]]) first = i;
        if (i - first + 1 > most) most = i - first + 1;
    }
    return (uint32_t)most;
}

/* Lines begin with their rows in the order of the table; the rest of each is counterfeits. */
static bool fill_matrix(splitter *s, uint64_t from, uint64_t to)
{
    uint32_t signature = s->rows->signatures[s->order[from]];
    s->n_lines = shoal_signature_size(s->rows->pool, signature);
    s->n_columns = most_frequent(s, from, to);
    s->lines = shoal_alloc((size_t)s->n_lines * s->n_columns, sizeof *s->lines);
    s->half = shoal_alloc(s->n_columns, sizeof *s->half);
    s->todo = shoal_alloc((size_t)s->n_columns + 1, sizeof *s->todo);
    if (s->lines == NULL || s->half == NULL || s->todo == NULL) return false;
    memset(s->lines, 0xff, (size_t)s->n_lines * s->n_columns * sizeof *s->lines);
    uint64_t at = from;
    for (uint32_t line = 0; line < s->n_lines; line++) {
        uint32_t value = shoal_signature_value(s->rows->pool, signature, line), column = 0;
        for (; at < to && s->rows->values[s->order[at]] == value; at++)
            s->lines[(size_t)line * s->n_columns + column++] = s->order[at];
    }
    return true;
}

/* Buckets are made one after the other, so one matrix is in memory at a time. */
static void drop_matrix(splitter *s)
{
    shoal_free(s->lines);
    shoal_free(s->half);
    shoal_free(s->todo);
    s->lines = s->half = NULL;
    s->todo = NULL;
}

/* ---- cutting ---- */

/* Counterfeits behind all rows. */
static int by_code(const void *x, const void *y, void *payload)
{
    const splitter *s = payload;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    if (a == SHOAL_NO_CODE || b == SHOAL_NO_CODE)
        return (a == SHOAL_NO_CODE) - (b == SHOAL_NO_CODE);
    uint32_t i = codes_of(s, a)[s->sorted_by], j = codes_of(s, b)[s->sorted_by];
    return (i > j) - (i < j);
}

/* Rows of a part of a line, without its counterfeits. */
static uint32_t count_records(const uint32_t *line, uint32_t n)
{
    uint32_t records = 0;
    for (uint32_t i = 0; i < n; i++) records += line[i] != SHOAL_NO_CODE;
    return records;
}

/* How many of the records of a sorted line go left. `last`: the greatest code on the left, where a
 * line has no counterfeits. */
static uint32_t records_left(const splitter *s, const uint32_t *line, uint32_t n, uint32_t n_left,
                             uint32_t last)
{
    uint32_t records = count_records(line, n), n_right = n - n_left, left = 0;
    while (left < records && codes_of(s, line[left])[s->sorted_by] <= last) left++;
    if (left > n_left) left = n_left;
    /* the right side must have room for the others */
    return records > n_right && left < records - n_right ? records - n_right : left;
}

/* Where to cut a sorted line without counterfeits: between two codes if that is possible near the
 * middle, else in the middle. */
static uint32_t find_cut(const splitter *s, const uint32_t *line, uint32_t n)
{
    for (uint32_t away = 0; away <= n / 4; away++)
        for (int side = 0; side < 2; side++) {
            uint32_t at = side == 0 ? n / 2 - away : n / 2 + away;
            if (at > 0 && at < n &&
                codes_of(s, line[at - 1])[s->sorted_by] != codes_of(s, line[at])[s->sorted_by])
                return at;
        }
    return n / 2;
}

/* Sort all lines of the columns and put the counterfeits where they belong on either side. Returns
 * the first column on the right. */
static uint32_t cut_by(splitter *s, span columns, uint32_t attr)
{
    uint32_t n = columns.to - columns.from, n_left = n / 2, last = 0;
    s->sorted_by = attr;
    for (uint32_t i = 0; i < s->n_lines; i++) {
        uint32_t *line = s->lines + (size_t)i * s->n_columns + columns.from;
        shoal_stable_sort(line, n, sizeof *line, by_code, s);
        if (line[n - 1] == SHOAL_NO_CODE) continue;
        n_left = find_cut(s, line, n); /* some line is without counterfeits */
        last = codes_of(s, line[n_left - 1])[attr];
    }
    for (uint32_t i = 0; i < s->n_lines; i++) {
        uint32_t *line = s->lines + (size_t)i * s->n_columns + columns.from,
                 records = count_records(line, n);
        uint32_t left = records_left(s, line, n, n_left, last);
        memset(s->half, 0xff, n * sizeof *s->half);
        memcpy(s->half, line, left * sizeof *line);
        memcpy(s->half + n_left, line + left, (records - left) * sizeof *line);
        memcpy(line, s->half, n * sizeof *line);
    }
    return columns.from + n_left;
}

/*
 * A set has no more values than a group has rows: however many values a half has, the loss of its
 * groups is limited by that. Without this limit, cuts by columns of many values, which gain next to
 * nothing in the end, would come first.
 */
static double loss_of_box(const splitter *s, shoal_box box)
{
    double sum = 0;
    for (uint32_t a = 0; a < s->space->n_attrs; a++) {
        const shoal_attribute *attr = &s->space->attrs[a];
        double loss = shoal_box_attr_loss(s->space, box, a),
               most = attr->is_set ? (s->n_lines - 1) * attr->scale : 1;
        sum += loss < most ? loss : most;
    }
    return sum;
}

/* Loss of all records of these columns if they were one group. */
static double loss_of(const splitter *s, span columns, shoal_box box)
{
    uint64_t records = 0;
    shoal_box_clear(s->space, box);
    for (uint32_t i = 0; i < s->n_lines; i++)
        for (uint32_t c = columns.from; c < columns.to; c++) {
            uint32_t row = s->lines[(size_t)i * s->n_columns + c];
            if (row == SHOAL_NO_CODE) continue;
            shoal_box_add(s->space, box, codes_of(s, row));
            records++;
        }
    return (double)records * loss_of_box(s, box);
}

/* Depth-first with an explicit stack: a bucket may have many columns, so no recursion. */
static void cut(splitter *s)
{
    size_t n = 0;
    s->todo[n++] = (span){ 0, s->n_columns };
    while (n > 0) {
        span all = s->todo[--n];
        uint32_t middle = 0, best = 0, done = SHOAL_NO_CODE;
        double least = 0;
        if (all.to - all.from < 2) continue;
        for (uint32_t a = 0; a < s->space->n_attrs; a++) {
            middle = cut_by(s, all, done = a);
            /* the cut is real, so the loss of both sides is that of the rows as cut */
            double loss = loss_of(s, (span){ all.from, middle }, s->boxes[0]) +
                          loss_of(s, (span){ middle, all.to }, s->boxes[1]);
            if (a > 0 && loss >= least) continue;
            least = loss;
            best = a;
        }
        /* cutting by another attribute sorted the lines again: repeat the best cut */
        if (done != best) middle = cut_by(s, all, best);
        s->todo[n++] = (span){ all.from, middle };
        s->todo[n++] = (span){ middle, all.to };
    }
}

/* ---- changing places ---- */

/* Two columns of the matrix are two groups. */
static double loss_of_two(const splitter *s, uint32_t c, uint32_t d)
{
    return loss_of(s, (span){ c, c + 1 }, s->boxes[0]) +
           loss_of(s, (span){ d, d + 1 }, s->boxes[1]);
}

/* Exchange the rows of two groups line by line, as long as the sum of their losses falls. */
static bool change_two(splitter *s, uint32_t c, uint32_t d)
{
    bool has_changed = false;
    double loss = loss_of_two(s, c, d);
    for (uint32_t i = 0; i < s->n_lines; i++) {
        uint32_t *line = s->lines + (size_t)i * s->n_columns, first = line[c];
        if (line[c] == line[d]) continue;
        line[c] = line[d];
        line[d] = first;
        double changed = loss_of_two(s, c, d);
        /* by more than rounding, so that two exchanges cannot alternate forever */
        if (changed < loss - 1e-12) {
            loss = changed;
            has_changed = true;
        } else {
            line[d] = line[c];
            line[c] = first;
        }
    }
    return has_changed;
}

/* Columns that were cut last are neighbours, so only near ones are compared. */
static void change_places(splitter *s)
{
    for (uint32_t from = 0; from < s->n_columns; from += CHANGE_WIDTH) {
        uint32_t to = s->n_columns - from < CHANGE_WIDTH ? s->n_columns : from + CHANGE_WIDTH;
        bool has_changed = true;
        for (int round = 0; round < CHANGE_ROUNDS && has_changed; round++) {
            has_changed = false;
            for (uint32_t c = from; c < to; c++)
                for (uint32_t d = c + 1; d < to; d++)
                    has_changed = change_two(s, c, d) || has_changed;
        }
    }
}

/* ---- all of it ---- */

/* Groups and places of all buckets are counted first: one block for each array. */
static bool reserve_groups(shoal_signed_groups *out, const splitter *s)
{
    uint64_t n_groups = 0, n_places = 0;
    for (uint64_t from = 0, to; from < s->n_order; from = to) {
        uint32_t signature = s->rows->signatures[s->order[from]];
        for (to = from + 1; to < s->n_order && s->rows->signatures[s->order[to]] == signature;)
            to++;
        uint32_t n = most_frequent(s, from, to);
        n_groups += n;
        n_places += (uint64_t)n * shoal_signature_size(s->rows->pool, signature);
    }
    out->signatures = shoal_alloc((size_t)n_groups, sizeof *out->signatures);
    out->begin = shoal_alloc_zero((size_t)n_groups + 1, sizeof *out->begin);
    out->rows = shoal_alloc((size_t)n_places, sizeof *out->rows);
    out->ranges = shoal_alloc((size_t)n_groups * s->space->n_attrs, sizeof *out->ranges);
    out->words = shoal_alloc((size_t)n_groups * s->space->n_words + 1, sizeof *out->words);
    return out->signatures != NULL && out->begin != NULL && out->rows != NULL &&
           out->ranges != NULL && out->words != NULL;
}

static void add_groups(shoal_signed_groups *out, const splitter *s, uint32_t signature)
{
    for (uint32_t c = 0; c < s->n_columns; c++) {
        uint32_t g = out->n++;
        shoal_box box = { out->ranges + (size_t)g * s->space->n_attrs,
                          out->words + (size_t)g * s->space->n_words };
        (void)loss_of(s, (span){ c, c + 1 }, box);
        out->signatures[g] = signature;
        out->begin[g + 1] = out->begin[g] + s->n_lines;
        for (uint32_t i = 0; i < s->n_lines; i++)
            out->rows[out->begin[g] + i] = s->lines[(size_t)i * s->n_columns + c];
    }
}

/* Bucket after bucket, in the order of signatures. */
bool shoal_signed_groups_make(shoal_signed_groups *out, const shoal_signed_rows *rows,
                              const shoal_space *space)
{
    splitter s = { .rows = rows, .space = space };
    assert(rows->pool != NULL && space->n_attrs > 0);
    *out = (shoal_signed_groups){ 0 };
    bool ok = begin(&s) && reserve_groups(out, &s);
    for (uint64_t from = 0, to; ok && from < s.n_order; from = to) {
        uint32_t signature = rows->signatures[s.order[from]];
        for (to = from + 1; to < s.n_order && rows->signatures[s.order[to]] == signature;) to++;
        ok = fill_matrix(&s, from, to);
        if (ok) {
            cut(&s);
            change_places(&s);
            add_groups(out, &s, signature);
        }
        drop_matrix(&s);
    }
    for (size_t i = 0; i < 2; i++) {
        shoal_free(s.boxes[i].ranges);
        shoal_free(s.boxes[i].words);
    }
    shoal_free(s.codes);
    shoal_free(s.order);
    if (!ok) shoal_signed_groups_clear(out);
    return ok;
}

void shoal_signed_groups_clear(shoal_signed_groups *groups)
{
    shoal_free(groups->signatures);
    shoal_free(groups->begin);
    shoal_free(groups->rows);
    shoal_free(groups->ranges);
    shoal_free(groups->words);
    *groups = (shoal_signed_groups){ 0 };
}
