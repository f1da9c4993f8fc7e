/* SPDX-License-Identifier: Apache-2.0 */
/* population_box.c - maps the values of a population to places among the codes of a table, and
 * boxes to stretches.
 *
 * Numbers: code c of the table is place 2c + 1; a number between codes c - 1 and c is place 2c, so
 * an interval includes all numbers between its ends, whether they occur in the table or not. Trees:
 * places are leaves. Sets: places are the values of the table. A missing value is placed by the
 * mode of the table; with wildcard and conservative it fits only `*`.
 *
 * Cost: O(values log values) per attribute.
 */
#include "privacy/population.h"

#include "classes/grouping.h"

#include <string.h>

shoal_status shoal_population_column(size_t *out, const shoal_table *population, const char *name,
                                     shoal_error *err)
{
    if (!population->is_loaded)
        return shoal_fail(err, SHOAL_EINVAL, "the population table is not loaded yet");
    for (size_t c = 0; c < population->n_columns; c++) {
        if (strcmp(population->columns[c].name, name) != 0) continue;
        if (!population->columns[c].is_encoded)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "column '{column %s}' of the population must be loaded as a quasi-identifier",
                name);
        *out = c;
        return SHOAL_OK;
    }
    return shoal_fail(err, SHOAL_EINVAL,
                      "the population has no quasi-identifier '{column %s}' {fix} use a table with "
                      "all quasi-identifiers under the same names",
                      name);
}

static int compare_texts(shoal_text a, shoal_text b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter > 0 ? memcmp(a.data, b.data, shorter) : 0;
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

/* Binary search for the value with that text; SHOAL_NO_CODE when there is none. The missing value
 * is not searched. */
static uint32_t find_text(const shoal_column *column, shoal_text text)
{
    uint32_t low = 0, high = column->n_values - (column->null_code != SHOAL_NO_CODE), n = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_texts(column->values[middle], text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && compare_texts(column->values[low], text) == 0 ? low : SHOAL_NO_CODE;
}

static uint32_t place_of_code(const shoal_attribute *attr, uint32_t code)
{
    return attr->is_interval ? 2 * code + 1 : code;
}

/* A value of the table against a number and its text: numbers beyond doubles differ by their digits
 * alone. */
static int compare_number(const shoal_column *column, uint32_t value, double number,
                          shoal_text text)
{
    if (column->numbers[value] != number) return column->numbers[value] < number ? -1 : 1;
    return shoal_format_compare(&column->format, column->values[value].data,
                                column->values[value].length, text.data, text.length);
}

static uint32_t place_of_number(const shoal_attribute *attr, double number, shoal_text text)
{
    uint32_t low = 0, high = attr->n_plain;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_number(attr->source, middle, number, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 2 * low + (low < attr->n_plain && compare_number(attr->source, low, number, text) == 0);
}

static uint32_t place_of_text(const shoal_attribute *attr, shoal_text text)
{
    if (attr->is_tree) {
        uint32_t leaf = shoal_tree_find_leaf(attr->tree, text.data, text.length);
        if (leaf != SHOAL_NO_NODE) return leaf;
    }
    uint32_t value = find_text(attr->source, text);
    if (value == SHOAL_NO_CODE || attr->code_of_value[value] >= attr->top_from)
        return SHOAL_NO_PLACE;
    return attr->code_of_value[value];
}

static uint32_t place_of_missing(const shoal_attribute *attr)
{
    uint32_t value = attr->source->null_code;
    if (value == SHOAL_NO_CODE || attr->code_of_value[value] >= attr->top_from)
        return SHOAL_NO_PLACE;
    return place_of_code(attr, attr->code_of_value[value]);
}

static shoal_status place_values(uint32_t **out, const shoal_attribute *attr,
                                 const shoal_column *column, shoal_error *err)
{
    if (attr->is_interval && (column->type != attr->source->type || column->numbers == NULL))
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %s}' is numeric or a date in the table but not in the "
                          "population {fix} use the same type in both",
                          column->name);
    uint32_t *places = shoal_alloc(column->n_values, sizeof *places);
    if (places == NULL) return shoal_fail_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++) {
        if (v == column->null_code)
            places[v] = place_of_missing(attr);
        else if (attr->is_interval)
            places[v] = place_of_number(attr, column->numbers[v], column->values[v]);
        else
            places[v] = place_of_text(attr, column->values[v]);
    }
    *out = places;
    return SHOAL_OK;
}

shoal_status shoal_population_make_for(shoal_population **out, const shoal_table *population,
                                       const shoal_space *space, uint32_t threads, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    size_t *columns = shoal_alloc(space->n_attrs, sizeof *columns);
    uint32_t **places = shoal_alloc_zero(space->n_attrs, sizeof *places);
    if (columns == NULL || places == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        SHOAL_GOTO_IF_ERROR(
            shoal_population_column(&columns[a], population, space->attrs[a].source->name, err),
            out);
        SHOAL_GOTO_IF_ERROR(
            place_values(&places[a], &space->attrs[a], &population->columns[columns[a]], err), out);
    }
    status = shoal_population_make(out, population, columns, (const uint32_t *const *)places,
                                   space->n_attrs, threads, err);
out:
    for (uint32_t a = 0; places != NULL && a < space->n_attrs; a++) shoal_free(places[a]);
    shoal_free(places);
    shoal_free(columns);
    return status;
}

/* The stretch of a node over numbers: from its least leaf to its greatest one. */
static shoal_stretch stretch_of_numbers(const shoal_attribute *attr, uint32_t node)
{
    const shoal_hierarchy *tree = attr->tree;
    shoal_stretch s = { UINT32_MAX, 0, NULL };
    for (uint32_t leaf = tree->first[node]; leaf <= tree->last[node]; leaf++) {
        double number;
        if (!shoal_format_read(&attr->source->format, tree->labels[leaf], tree->label_sizes[leaf],
                               &number))
            continue;
        uint32_t place = place_of_number(
            attr, number, (shoal_text){ tree->labels[leaf], tree->label_sizes[leaf] });
        if (place < s.lo) s.lo = place;
        if (place > s.hi) s.hi = place;
    }
    return s;
}

static shoal_stretch stretch_of_node(const shoal_attribute *attr, uint32_t node)
{
    if (node == attr->tree->n_nodes - 1) return SHOAL_WHOLE_LINE;
    if (attr->is_interval) return stretch_of_numbers(attr, node);
    return (shoal_stretch){ attr->tree->first[node], attr->tree->last[node], NULL };
}

/* A set of all values is published as `*`. */
static shoal_stretch stretch_of_set(const shoal_attribute *attr, shoal_range range,
                                    const uint64_t *words)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < attr->n_words; w++) n += (uint32_t)__builtin_popcountll(words[w]);
    return n == attr->top_from ? SHOAL_WHOLE_LINE : (shoal_stretch){ range.lo, range.hi, words };
}

/* The stretch of one attribute as it is published. A group of missing values only publishes none:
 * everything fits. */
static shoal_stretch stretch_of(const shoal_attribute *attr, shoal_box box, uint32_t a)
{
    shoal_range range = box.ranges[a];
    if (range.lo == SHOAL_CELL_NODE) return stretch_of_node(attr, range.hi);
    if (range.lo > range.hi || range.hi >= attr->top_from) return SHOAL_WHOLE_LINE;
    if (range.lo == range.hi)
        return (shoal_stretch){ place_of_code(attr, range.lo), place_of_code(attr, range.lo),
                                NULL };
    if (range.hi >= attr->n_plain) return SHOAL_WHOLE_LINE;
    if (attr->is_tree)
        return stretch_of_node(attr, shoal_tree_cover(attr->tree, range.lo, range.hi));
    if (attr->is_set) return stretch_of_set(attr, range, box.words + attr->word_at);
    return (shoal_stretch){ place_of_code(attr, range.lo), place_of_code(attr, range.hi), NULL };
}

uint64_t shoal_population_in_box(const shoal_population *population, const shoal_space *space,
                                 shoal_box box, shoal_stretch *room)
{
    for (uint32_t a = 0; a < space->n_attrs; a++) room[a] = stretch_of(&space->attrs[a], box, a);
    return shoal_population_rows(population, room);
}
