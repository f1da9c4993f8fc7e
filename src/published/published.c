/* SPDX-License-Identifier: Apache-2.0 */
/* published.c - read published texts against the original column; see published.h.
 *
 * Order of reading: a value of the column; a hierarchy label (the widest node with that label); `*`
 * (even if a value of the column is spelled `*`); an interval; a set. One exception: `[a..b]` in a
 * numeric column, where both ends are values of the column, is an interval even if a node has the
 * same label, because ranges of numbers are published in this form.
 *
 * Losses: an interval of a numeric column by its ends, clipped to the domain; a node by the
 * attribute's own measure; a set, and an interval in a text column, by the number of values in it.
 */
#include "published/published.h"
#include "hierarchy/kind.h"
#include "table/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static int compare_texts(shoal_text a, shoal_text b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter > 0 ? memcmp(a.data, b.data, shorter) : 0;
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

/* A value of the column against a text that is `number`; exact where two numbers are one double. */
static int compare_numbers(const shoal_column *column, uint32_t code, double number,
                           shoal_text text)
{
    if (column->numbers[code] != number) return column->numbers[code] < number ? -1 : 1;
    return shoal_format_compare(&column->format, column->values[code].data,
                                column->values[code].length, text.data, text.length);
}

static uint32_t find_label(const shoal_column *column, uint32_t n, shoal_text text)
{
    for (uint32_t v = 0; v < n; v++)
        if (compare_texts(column->values[v], text) == 0) return v;
    return SHOAL_NO_CODE;
}

uint32_t shoal_find_value(const shoal_table *original, const shoal_column *column, shoal_text text)
{
    if (shoal_table_is_null_text(original, text)) return column->null_code;
    uint32_t n = column->n_values - (column->null_code != SHOAL_NO_CODE);
    if (column->type == SHOAL_TYPE_ORDERED) return find_label(column, n, text);
    double number = 0;
    bool by_number = column->numbers != NULL;
    if (by_number && !shoal_read_scalar(text, &column->format, &number)) return SHOAL_NO_CODE;
    uint32_t low = 0, high = n;
    while (low < high) { /* least value that is not before the text */
        uint32_t middle = low + (high - low) / 2;
        bool is_before = by_number ? compare_numbers(column, middle, number, text) < 0
                                   : compare_texts(column->values[middle], text) < 0;
        if (is_before)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n) return SHOAL_NO_CODE;
    bool is_it = by_number ? compare_numbers(column, low, number, text) == 0
                           : compare_texts(column->values[low], text) == 0;
    return is_it ? low : SHOAL_NO_CODE;
}

/* The same by p->prefixes: sets have many members, and the texts of values lie all over the memory.
 * Of two texts of 8 bytes or less they decide. */
static uint32_t find_member(const shoal_published *p, const shoal_table *original, shoal_text text)
{
    const shoal_column *column = p->attr->source;
    if (p->prefixes == NULL || shoal_table_is_null_text(original, text))
        return shoal_find_value(original, column, text);
    uint64_t prefix = shoal_text_sort_key(text);
    uint32_t low = 0, high = column->n_values - (column->null_code != SHOAL_NO_CODE);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        shoal_text value = column->values[middle];
        int order = (p->prefixes[middle] > prefix) - (p->prefixes[middle] < prefix);
        if (order == 0)
            order = text.length > sizeof prefix
                        ? compare_texts(value, text)
                        : (value.length > text.length) - (value.length < text.length);
        if (order == 0) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SHOAL_NO_CODE;
}

/* ---- losses ---- */

static double clip(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double interval_loss(const shoal_attribute *attr, const shoal_interval *interval)
{
    if (attr->n_plain == 0) return 0;
    double first = attr->position[0], last = attr->position[attr->n_plain - 1];
    return (clip(interval->high, first, last) - clip(interval->low, first, last)) * attr->scale;
}

/* Domain size |D| of a column that is not numeric, counted like the attribute does. */
static double domain_size(const shoal_published *p, const shoal_table *original)
{
    const shoal_attribute *attr = p->attr;
    if (attr->is_set) return attr->n_plain;
    double n = attr->top_from - attr->n_plain;
    if (!original->domain_is_data) return n + attr->tree->n_leaves;
    for (uint32_t leaf = 0; leaf < attr->tree->n_leaves; leaf++)
        n += attr->value_of_code[leaf] != SHOAL_NO_CODE;
    return n;
}

static double count_loss(const shoal_published *p, const shoal_table *original, uint64_t n_values)
{
    if (p->attr->is_set && n_values >= 1) return fmin(1, (double)(n_values - 1) * p->attr->scale);
    double all = domain_size(p, original);
    return n_values > 1 && all > 1 ? fmin(1, (double)(n_values - 1) / (all - 1)) : 0;
}

/* ---- sets ---- */

static int by_code(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* Keep a copy of the codes, each once, in the reading. */
static bool keep_members(shoal_published *p, shoal_reading *reading, uint32_t *codes, uint32_t n)
{
    uint32_t kept = 0;
    qsort(codes, n, sizeof *codes, by_code);
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || codes[i] != codes[i - 1]) codes[kept++] = codes[i];
    uint32_t *copy = shoal_arena_alloc(&p->arena, kept * sizeof *copy);
    if (copy == NULL) return false;
    memcpy(copy, codes, kept * sizeof *copy);
    reading->members = copy;
    reading->n_members = kept;
    return true;
}

typedef struct member_list {
    uint32_t *codes;
    size_t n, room;
    uint64_t n_unknown; /* members that are not values of the column; they count for the loss */
} member_list;

static bool add_code(member_list *list, uint32_t code)
{
    void *codes = list->codes;
    if (!shoal_reserve(&codes, &list->room, list->n + 1, sizeof *list->codes)) return false;
    list->codes = codes;
    list->codes[list->n++] = code;
    return true;
}

static bool list_members(member_list *list, const shoal_table *original, const shoal_published *p,
                         shoal_text inside, char separator)
{
    shoal_buffer scratch = { 0 };
    shoal_text rest = inside, member;
    bool ok = true;
    list->n = 0;
    list->n_unknown = 0;
    while (ok && shoal_next_member(&rest, separator, &scratch, &member)) {
        uint32_t code = find_member(p, original, member);
        if (code == SHOAL_NO_CODE)
            list->n_unknown++;
        else
            ok = add_code(list, code);
    }
    ok = ok && !scratch.failed;
    shoal_buffer_clear(&scratch);
    return ok;
}

static double set_loss(const shoal_published *p, const shoal_table *original,
                       const shoal_reading *reading, uint64_t n_unknown)
{
    const double *numbers = p->attr->source->numbers;
    if (!p->attr->is_interval) return count_loss(p, original, reading->n_members + n_unknown);
    uint32_t last = reading->members[reading->n_members - 1];
    /* numbers and the missing value (the last code): no interval covers both, so it loses as much
     * as `*` */
    if (last == p->attr->source->null_code) return 1;
    return (numbers[last] - numbers[reading->members[0]]) * p->attr->scale;
}

/* Read `{A|B}`, else `{A, B}`: members and `*loss`. It is not a set if none of its members is a
 * value of the column. */
static shoal_status read_set(shoal_published *p, const shoal_table *original, shoal_text text,
                             shoal_reading *reading, double *loss, shoal_error *err)
{
    shoal_text inside;
    if (!shoal_open_set(text, &inside)) return SHOAL_OK;
    member_list list = { 0 };
    bool ok = list_members(&list, original, p, inside, '|');
    if (ok && list.n == 0) ok = list_members(&list, original, p, inside, ',');
    if (ok && list.n > 0 && list.n <= UINT32_MAX) {
        ok = keep_members(p, reading, list.codes, (uint32_t)list.n);
        if (ok) *loss = set_loss(p, original, reading, list.n_unknown);
    }
    shoal_free(list.codes);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- intervals ---- */

/*
 * In a text column (for example ages with a hierarchy) an interval is the set of the values that
 * are numbers inside it.
 */
static shoal_status read_interval_of_texts(shoal_published *p, const shoal_table *original,
                                           shoal_reading *reading, shoal_error *err)
{
    const shoal_column *column = p->attr->source;
    uint64_t n_leaves = 0;
    uint32_t n = 0, *codes = shoal_alloc(column->n_values, sizeof *codes);
    if (codes == NULL) return shoal_fail_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++)
        if (shoal_interval_holds(&reading->interval, p->number_of_value[v], column->values[v]))
            codes[n++] = v;
    bool count_leaves = p->attr->is_tree && !original->domain_is_data;
    for (uint32_t leaf = 0; count_leaves && leaf < p->attr->tree->n_leaves; leaf++) {
        double x;
        shoal_text label = { p->attr->tree->labels[leaf], p->attr->tree->label_sizes[leaf] };
        n_leaves += shoal_read_scalar(label, &column->format, &x) &&
                    shoal_interval_holds(&reading->interval, x, label);
    }
    bool ok = n == 0 || keep_members(p, reading, codes, n);
    if (ok && n > 0) {
        reading->kind = SHOAL_READ_SET;
        reading->loss = count_loss(p, original, count_leaves ? n_leaves : n);
    }
    shoal_free(codes);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* `low..high`, two labels of an ordered column, the lower one first. */
static bool read_labels(const shoal_column *column, shoal_text text, shoal_interval *out)
{
    uint32_t n = column->n_values - (column->null_code != SHOAL_NO_CODE);
    for (size_t at = 1; at + 2 < text.length; at++) {
        if (text.data[at] != '.' || text.data[at + 1] != '.') continue;
        shoal_text low_text = { text.data, at },
                   high_text = { text.data + at + 2, text.length - at - 2 };
        uint32_t low = find_label(column, n, low_text), high = find_label(column, n, high_text);
        if (low == SHOAL_NO_CODE || high == SHOAL_NO_CODE || low > high) continue;
        *out = (shoal_interval){ .low = column->numbers[low],
                                 .high = column->numbers[high],
                                 .format = &column->format };
        return true;
    }
    return false;
}

/* A single number that is not a value of the column (a mean) is an interval of width 0. */
static bool read_as_interval(const shoal_attribute *attr, shoal_text text, shoal_interval *out)
{
    const shoal_format *format = &attr->source->format;
    double x;
    if (attr->source->type == SHOAL_TYPE_ORDERED) return read_labels(attr->source, text, out);
    if (shoal_read_interval(text, format, out)) return true;
    if (!attr->is_interval || !shoal_read_scalar(text, format, &x)) return false;
    *out = (shoal_interval){
        .low = x, .high = x, .low_text = text, .high_text = text, .format = format
    };
    return true;
}

/* Is the text `[a..b]`, with ends that are values of a numeric column? */
static bool is_own_range(const shoal_attribute *attr, const shoal_table *original, shoal_text text)
{
    shoal_text low, high;
    return attr->is_interval && shoal_split_range(text, &attr->source->format, &low, &high) &&
           shoal_find_value(original, attr->source, low) != SHOAL_NO_CODE &&
           shoal_find_value(original, attr->source, high) != SHOAL_NO_CODE;
}

/* ---- one text ---- */

static void read_label(const shoal_attribute *attr, shoal_text text, shoal_reading *reading)
{
    reading->is_all = text.length == 1 && text.data[0] == '*';
    if (attr->tree != NULL)
        reading->node = shoal_tree_find_node(attr->tree, text.data, text.length);
    if (reading->node != SHOAL_NO_NODE && reading->node == attr->tree->n_nodes - 1)
        reading->is_all = true;
}

static double label_loss(const shoal_attribute *attr, const shoal_reading *reading)
{
    if (reading->is_all) return 1;
    return reading->node != SHOAL_NO_NODE ? shoal_node_loss(attr, reading->node) : 0;
}

/* In conservative mode a missing value could be any value, so it loses as much as `*`. */
static double value_loss(const shoal_table *original, const shoal_column *column, uint32_t code)
{
    return code == column->null_code && original->missing == SHOAL_MISSING_CONSERVATIVE ? 1 : 0;
}

/* A text that is a value of the column. If it is also a label or a set, it covers that as well. */
static shoal_status read_value(shoal_published *p, const shoal_table *original, shoal_text text,
                               shoal_reading *reading, shoal_error *err)
{
    double as_set = 0;
    SHOAL_RETURN_IF_ERROR(read_set(p, original, text, reading, &as_set, err));
    reading->kind = SHOAL_READ_VALUE;
    reading->loss = value_loss(original, p->attr->source, reading->code);
    reading->wide_loss = fmax(reading->loss, fmax(as_set, label_loss(p->attr, reading)));
    return SHOAL_OK;
}

static shoal_status read_interval(shoal_published *p, const shoal_table *original,
                                  shoal_reading *reading, shoal_error *err)
{
    if (!p->attr->is_interval) return read_interval_of_texts(p, original, reading, err);
    reading->kind = SHOAL_READ_INTERVAL;
    reading->is_interval = true;
    reading->loss = interval_loss(p->attr, &reading->interval);
    return SHOAL_OK;
}

static shoal_status read_text(shoal_published *p, const shoal_table *original, shoal_text text,
                              shoal_reading *reading, shoal_error *err)
{
    const shoal_attribute *attr = p->attr;
    *reading = (shoal_reading){
        .kind = SHOAL_READ_NOTHING, .node = SHOAL_NO_NODE, .loss = 1, .wide_loss = 1
    };
    reading->code = find_member(p, original, text);
    read_label(attr, text, reading);
    bool is_star = text.length == 1 && text.data[0] == '*';
    if (reading->code != SHOAL_NO_CODE && !is_star)
        return read_value(p, original, text, reading, err);
    bool is_label = reading->is_all || reading->node != SHOAL_NO_NODE;
    if (is_label && !is_own_range(attr, original, text)) {
        reading->kind = reading->is_all ? SHOAL_READ_ALL : SHOAL_READ_NODE;
        reading->loss = label_loss(attr, reading);
    } else if (read_as_interval(attr, text, &reading->interval)) {
        SHOAL_RETURN_IF_ERROR(read_interval(p, original, reading, err));
    } else {
        SHOAL_RETURN_IF_ERROR(read_set(p, original, text, reading, &reading->loss, err));
        if (reading->n_members > 0) reading->kind = SHOAL_READ_SET;
    }
    reading->wide_loss = reading->loss;
    return SHOAL_OK;
}

/* ---- a column of them ---- */

static bool prepare(shoal_published *p)
{
    const shoal_column *column = p->attr->source;
    p->readings = shoal_alloc(p->n_texts, sizeof *p->readings);
    p->leaf_of_value = shoal_alloc(column->n_values, sizeof *p->leaf_of_value);
    p->number_of_value = shoal_alloc(column->n_values, sizeof *p->number_of_value);
    /* its values are in the order of their texts */
    bool has_prefixes = column->numbers == NULL && column->type != SHOAL_TYPE_ORDERED;
    if (has_prefixes) p->prefixes = shoal_alloc(column->n_values, sizeof *p->prefixes);
    if (p->readings == NULL || p->leaf_of_value == NULL || p->number_of_value == NULL ||
        (has_prefixes && p->prefixes == NULL))
        return false;
    for (uint32_t v = 0; has_prefixes && v < column->n_values; v++)
        p->prefixes[v] = shoal_text_sort_key(column->values[v]);
    const shoal_hierarchy *tree = p->attr->tree;
    for (uint32_t v = 0; v < column->n_values; v++) {
        shoal_text text = column->values[v];
        p->leaf_of_value[v] = tree == NULL ? SHOAL_NO_NODE
                                           : shoal_tree_find_leaf(tree, text.data, text.length);
        bool is_ordered = column->type == SHOAL_TYPE_ORDERED && v != column->null_code;
        bool is_number = v != column->null_code &&
                         shoal_read_scalar(text, &column->format, &p->number_of_value[v]);
        if (!is_number) p->number_of_value[v] = is_ordered ? column->numbers[v] : NAN;
    }
    return true;
}

shoal_status shoal_published_read(shoal_published *out, const shoal_table *original,
                                  const shoal_attribute *attr, const shoal_text *texts,
                                  uint32_t n_texts, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_published p = { .attr = attr, .n_texts = n_texts };
    if (!prepare(&p)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t t = 0; t < n_texts; t++)
        SHOAL_GOTO_IF_ERROR(read_text(&p, original, texts[t], &p.readings[t], err), out);
    *out = p;
    p = (shoal_published){ 0 };
out:
    shoal_published_clear(&p);
    return status;
}

void shoal_published_clear(shoal_published *published)
{
    shoal_free(published->readings);
    shoal_free(published->leaf_of_value);
    shoal_free(published->number_of_value);
    shoal_free(published->prefixes);
    shoal_arena_clear(&published->arena);
    *published = (shoal_published){ 0 };
}

static bool has_member(const shoal_reading *reading, uint32_t code)
{
    uint32_t low = 0, high = reading->n_members;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (reading->members[middle] < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < reading->n_members && reading->members[low] == code;
}

bool shoal_published_covers(const shoal_published *published, uint32_t text, uint32_t code)
{
    const shoal_reading *reading = &published->readings[text];
    if (reading->is_all || reading->code == code) return true;
    if (reading->is_interval &&
        shoal_interval_holds(&reading->interval, published->number_of_value[code],
                             published->attr->source->values[code]))
        return true;
    if (reading->node != SHOAL_NO_NODE) {
        const shoal_hierarchy *tree = published->attr->tree;
        uint32_t leaf = published->leaf_of_value[code];
        if (leaf != SHOAL_NO_NODE && leaf >= tree->first[reading->node] &&
            leaf <= tree->last[reading->node])
            return true;
    }
    return reading->n_members > 0 && has_member(reading, code);
}
