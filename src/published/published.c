/* SPDX-License-Identifier: Apache-2.0 */
/* published.c - read published texts against the original column; see published.h.
 *
 * Order of reading: a value of the column; a hierarchy label (the widest node with that label); `*`
 * (even if a value of the column is spelled `*`); an interval; a set. One exception: `[a..b]` in a
 * numeric column, where both ends are values of the column, is an interval even if a node has the
 * same label, because ranges of numbers are published in this form.
 *
 * Losses: a node by the attribute's own measure; intervals and sets by their kind (kind_reading.c).
 */
#include "published/published.h"
#include "published/kind_reading.h"
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

uint32_t shoal_find_label(const shoal_column *column, shoal_text text)
{
    uint32_t n = column->n_values - (column->null_code != SHOAL_NO_CODE);
    for (uint32_t v = 0; v < n; v++)
        if (compare_texts(column->values[v], text) == 0) return v;
    return SHOAL_NO_CODE;
}

uint32_t shoal_find_value(const shoal_table *original, const shoal_column *column, shoal_text text)
{
    if (shoal_table_is_null_text(original, text)) return column->null_code;
    uint32_t n = column->n_values - (column->null_code != SHOAL_NO_CODE);
    if (column->type == SHOAL_TYPE_ORDERED) return shoal_find_label(column, text);
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

/* ---- sets ---- */

static int by_code(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

bool shoal_reading_keep(shoal_published *p, shoal_reading *reading, uint32_t *codes, uint32_t n)
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
        ok = shoal_reading_keep(p, reading, list.codes, (uint32_t)list.n);
        if (ok) *loss = p->kind->set_loss(p, original, reading, list.n_unknown);
    }
    shoal_free(list.codes);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- intervals ---- */

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
    } else if (p->kind->parse_interval(attr, text, &reading->interval)) {
        SHOAL_RETURN_IF_ERROR(p->kind->take_interval(p, original, reading, err));
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
    bool has_prefixes = column->numbers == NULL;
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
        double *number = &p->number_of_value[v];
        if (p->attr->is_interval)
            *number = v == column->null_code ? NAN : column->numbers[v];
        else if (v == column->null_code || !shoal_read_scalar(text, &column->format, number))
            *number = NAN;
    }
    return true;
}

shoal_status shoal_published_read(shoal_published *out, const shoal_table *original,
                                  const shoal_attribute *attr, const shoal_text *texts,
                                  uint32_t n_texts, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_published p = { .attr = attr,
                          .kind = shoal_kind_reading_of(attr->kind),
                          .n_texts = n_texts };
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

/* Would no release spell it so? */
static bool is_misspelt(const shoal_published *p, const shoal_table *original, shoal_text text,
                        const shoal_reading *reading)
{
    if (shoal_table_is_null_text(original, text))
        return original->missing == SHOAL_MISSING_CONSERVATIVE;
    bool is_value = reading->code != SHOAL_NO_CODE &&
                    compare_texts(p->attr->source->values[reading->code], text) == 0;
    if (is_value || reading->node != SHOAL_NO_NODE) return false;
    return shoal_has_blanks_around(text) || (text.length == 2 && memcmp(text.data, "{}", 2) == 0);
}

shoal_status shoal_published_read_strictly(shoal_published *out, const shoal_table *original,
                                           const shoal_attribute *attr, const shoal_text *texts,
                                           uint32_t n_texts, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_published_read(out, original, attr, texts, n_texts, err));
    for (uint32_t t = 0; t < n_texts; t++)
        if (is_misspelt(out, original, texts[t], &out->readings[t]))
            out->readings[t] = (shoal_reading){ .kind = SHOAL_READ_NOTHING,
                                                .code = SHOAL_NO_CODE,
                                                .node = SHOAL_NO_NODE,
                                                .loss = 1,
                                                .wide_loss = 1 };
    return SHOAL_OK;
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
