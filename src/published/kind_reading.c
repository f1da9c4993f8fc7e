/* SPDX-License-Identifier: Apache-2.0 */
/* kind_reading.c - published intervals and sets, read back by kind; see kind_reading.h.
 *
 * Losses: an interval of numbers or ordered labels by its ends, clipped to the domain; a set of
 * them by its least and greatest member; a set of categories, and an interval in a column of texts,
 * by the number of values in it.
 */
#include "published/kind_reading.h"

#include <math.h>

/* ---- numbers and ordered labels ---- */

/* A single number that is not a value of the column (a mean) is an interval of width 0. */
static bool parse_numbers(const shoal_attribute *attr, shoal_text text, shoal_interval *out)
{
    const shoal_format *format = &attr->source->format;
    double x;
    if (shoal_read_interval(text, format, out)) return true;
    if (!shoal_read_scalar(text, format, &x)) return false;
    *out = (shoal_interval){
        .low = x, .high = x, .low_text = text, .high_text = text, .format = format
    };
    return true;
}

/* `low..high`, two labels, the lower one first. */
static bool parse_labels(const shoal_attribute *attr, shoal_text text, shoal_interval *out)
{
    const shoal_column *column = attr->source;
    for (size_t at = 1; at + 2 < text.length; at++) {
        if (text.data[at] != '.' || text.data[at + 1] != '.') continue;
        shoal_text low_text = { text.data, at },
                   high_text = { text.data + at + 2, text.length - at - 2 };
        uint32_t low = shoal_find_label(column, low_text),
                 high = shoal_find_label(column, high_text);
        if (low == SHOAL_NO_CODE || high == SHOAL_NO_CODE || low > high) continue;
        *out = (shoal_interval){ .low = column->numbers[low],
                                 .high = column->numbers[high],
                                 .format = &column->format };
        return true;
    }
    return false;
}

static double clip(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double interval_loss(const shoal_attribute *attr, const shoal_interval *interval)
{
    if (attr->n_plain == 0) return 0;
    double first = attr->position[0], last = attr->position[attr->n_plain - 1];
    double low = clip(attr->kind->position(attr, interval->low), first, last),
           high = clip(attr->kind->position(attr, interval->high), first, last);
    return (high - low) * attr->scale;
}

static shoal_status take_ends(shoal_published *p, const shoal_table *original,
                              shoal_reading *reading, shoal_error *err)
{
    (void)original;
    (void)err;
    reading->kind = SHOAL_READ_INTERVAL;
    reading->is_interval = true;
    reading->loss = interval_loss(p->attr, &reading->interval);
    return SHOAL_OK;
}

static double width_of_members(const shoal_published *p, const shoal_table *original,
                               const shoal_reading *reading, uint64_t n_unknown)
{
    (void)original;
    (void)n_unknown;
    uint32_t last = reading->members[reading->n_members - 1];
    /* numbers and the missing value (the last code): no interval covers both, so it loses as much
     * as `*` */
    if (last == p->attr->source->null_code) return 1;
    return shoal_cover_loss(p->attr, (shoal_range){ reading->members[0], last },
                            reading->n_members);
}

/* ---- categories ---- */

static bool parse_texts(const shoal_attribute *attr, shoal_text text, shoal_interval *out)
{
    return shoal_read_interval(text, &attr->source->format, out);
}

/* The column codes of values that are numbers inside the reading's interval. */
static uint32_t list_inside(const shoal_published *p, const shoal_reading *reading, uint32_t *codes)
{
    const shoal_column *column = p->attr->source;
    uint32_t n = 0;
    for (uint32_t v = 0; v < column->n_values; v++)
        if (shoal_interval_holds(&reading->interval, p->number_of_value[v], column->values[v]))
            codes[n++] = v;
    return n;
}

/* In a column of texts an interval is the set of the values that are numbers inside it. False if
 * memory is short. */
static bool take_values(shoal_published *p, shoal_reading *reading)
{
    uint32_t *codes = shoal_alloc(p->attr->source->n_values, sizeof *codes);
    if (codes == NULL) return false;
    uint32_t n = list_inside(p, reading, codes);
    bool ok = n == 0 || shoal_reading_keep(p, reading, codes, n);
    if (ok && n > 0) reading->kind = SHOAL_READ_SET;
    shoal_free(codes);
    return ok;
}

/* Loss of n values of a set. */
static double values_loss(const shoal_attribute *attr, uint64_t n)
{
    return n > 1 ? fmin(1, (double)(n - 1) * attr->scale) : 0;
}

static shoal_status take_members(shoal_published *p, const shoal_table *original,
                                 shoal_reading *reading, shoal_error *err)
{
    (void)original;
    if (!take_values(p, reading)) return shoal_fail_memory(err);
    if (reading->kind == SHOAL_READ_SET) reading->loss = values_loss(p->attr, reading->n_members);
    return SHOAL_OK;
}

static double members_loss(const shoal_published *p, const shoal_table *original,
                           const shoal_reading *reading, uint64_t n_unknown)
{
    (void)original;
    return values_loss(p->attr, reading->n_members + n_unknown);
}

/* ---- categories with a hierarchy ---- */

/* |D|, counted like the attribute does. */
static double count_domain(const shoal_attribute *attr, const shoal_table *original)
{
    double n = attr->top_from - attr->n_plain;
    if (!original->domain_is_data) return n + attr->tree->n_leaves;
    for (uint32_t leaf = 0; leaf < attr->tree->n_leaves; leaf++)
        n += attr->value_of_code[leaf] != SHOAL_NO_CODE;
    return n;
}

static double leaves_loss(const shoal_attribute *attr, const shoal_table *original, uint64_t n)
{
    double all = count_domain(attr, original);
    return n > 1 && all > 1 ? fmin(1, (double)(n - 1) / (all - 1)) : 0;
}

static uint64_t count_leaves_inside(const shoal_attribute *attr, const shoal_interval *interval)
{
    uint64_t n = 0;
    for (uint32_t leaf = 0; leaf < attr->tree->n_leaves; leaf++) {
        double x;
        shoal_text label = { attr->tree->labels[leaf], attr->tree->label_sizes[leaf] };
        n += shoal_read_scalar(label, &attr->source->format, &x) &&
             shoal_interval_holds(interval, x, label);
    }
    return n;
}

static shoal_status take_leaves(shoal_published *p, const shoal_table *original,
                                shoal_reading *reading, shoal_error *err)
{
    if (!take_values(p, reading)) return shoal_fail_memory(err);
    if (reading->kind != SHOAL_READ_SET) return SHOAL_OK;
    uint64_t n = original->domain_is_data ? reading->n_members
                                          : count_leaves_inside(p->attr, &reading->interval);
    reading->loss = leaves_loss(p->attr, original, n);
    return SHOAL_OK;
}

static double leaf_members_loss(const shoal_published *p, const shoal_table *original,
                                const shoal_reading *reading, uint64_t n_unknown)
{
    return leaves_loss(p->attr, original, reading->n_members + n_unknown);
}

/* ---- the rows ---- */

static const shoal_kind_reading rows[] = {
    { &shoal_kind_number, parse_numbers, take_ends, width_of_members },
    { &shoal_kind_order, parse_labels, take_ends, width_of_members },
    { &shoal_kind_tree, parse_texts, take_leaves, leaf_members_loss },
    { &shoal_kind_set, parse_texts, take_members, members_loss },
};

enum { N_ROWS = sizeof rows / sizeof *rows };

const shoal_kind_reading *shoal_kind_reading_at(size_t index)
{
    return index < N_ROWS ? &rows[index] : NULL;
}

const shoal_kind_reading *shoal_kind_reading_of(const shoal_kind *kind)
{
    size_t i = 0;
    if (kind->texts_of != NULL) kind = kind->texts_of;
    while (i + 1 < N_ROWS && rows[i].kind != kind) i++;
    return &rows[i];
}
