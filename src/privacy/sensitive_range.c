/* SPDX-License-Identifier: Apache-2.0 */
/* sensitive_range.c - parses the policy of a column into a range of codes for each value; see
 * sensitive_range.h.
 *
 * The thesis' policies P1 to P5 (its Table 6.2) are: value, map:10..15, map:10..15|16..17,
 * map:0..4=0..9|5..9=0..9|16..19 and map:0..9|10..15|16..19. Loukides, PhD thesis 2008,
 * Definition 5.1.1. Cost: O(codes + nodes of the hierarchy) per column.
 */
#include "privacy/sensitive_range.h"

#include <math.h>
#include <string.h>

static shoal_status fail_policy(const shoal_attribute *attr, const char *what, shoal_error *err)
{
    return shoal_fail(err, SHOAL_EINVAL,
                      "sensitive range of column '{column %s}': {text %s} {fix} "
                      "write value, width:W, level:J, or map:10..15|16..17 (of categories: "
                      "map:LABEL|LABEL)",
                      attr->source->name, what);
}

static shoal_range everything(const shoal_attribute *attr)
{
    return (shoal_range){ 0, attr->n_codes - 1 };
}

/* The range of codes of numbers in low..high, by binary search; empty when there are none. */
static shoal_range codes_between(const shoal_attribute *attr, double low, double high)
{
    const double *numbers = attr->source->numbers;
    uint32_t ends[2];
    for (int side = 0; side < 2; side++) { /* the first number >= low, the first one > high */
        uint32_t from = 0, to = attr->n_plain;
        while (from < to) {
            uint32_t middle = from + (to - from) / 2;
            if (side == 0 ? numbers[middle] < low : numbers[middle] <= high)
                from = middle + 1;
            else
                to = middle;
        }
        ends[side] = from;
    }
    return ends[0] < ends[1] ? (shoal_range){ ends[0], ends[1] - 1 } : SHOAL_EMPTY_RANGE;
}

/* ---- width:W ---- */

static shoal_status apply_width(shoal_sensitive_ranges *to, const char *text, shoal_error *err)
{
    double width;
    if (!to->attr->is_interval)
        return fail_policy(to->attr, "width needs numbers; name the column with {--numeric}", err);
    if (!shoal_parse_number(text, strlen(text), &width) || !(width >= 0))
        return fail_policy(to->attr, "the width is not a number of at least 0", err);
    for (uint32_t code = 0; code < to->attr->n_plain; code++) {
        double number = to->attr->source->numbers[code];
        to->of_code[code] = codes_between(to->attr, number - width / 2, number + width / 2);
    }
    return SHOAL_OK;
}

/* ---- level:J ---- */

/* The node `level` steps above a leaf, or the root. */
static uint32_t ancestor_above(const shoal_hierarchy *tree, uint32_t leaf, double level)
{
    uint32_t node = leaf, root = tree->n_nodes - 1;
    for (double step = 0; step < level && node != root; step++) node = tree->parent[node];
    return node;
}

static void apply_tree_level(shoal_sensitive_ranges *to, double level)
{
    const shoal_attribute *attr = to->attr;
    for (uint32_t code = 0; code < attr->n_codes; code++) {
        uint32_t root = attr->tree->n_nodes - 1,
                 node = code < attr->n_plain ? ancestor_above(attr->tree, code, level) : root;
        if (node == root)
            to->of_code[code] = everything(attr);
        else
            to->of_code[code] = (shoal_range){ attr->tree->first[node], attr->tree->last[node] };
    }
}

/* Numbers with a hierarchy: the interval of the numbers below the ancestor. */
static shoal_status apply_number_level(shoal_sensitive_ranges *to, double level, shoal_error *err)
{
    const shoal_attribute *attr = to->attr;
    const shoal_hierarchy *tree = attr->tree;
    shoal_status status = SHOAL_OK;
    uint32_t *leaf_of = shoal_alloc(attr->n_plain, sizeof *leaf_of);
    shoal_range *hull = shoal_alloc(tree->n_nodes, sizeof *hull);
    if (leaf_of == NULL || hull == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t node = 0; node < tree->n_nodes; node++) hull[node] = SHOAL_EMPTY_RANGE;
    for (uint32_t code = 0; code < attr->n_plain; code++) {
        shoal_text text = attr->source->values[attr->value_of_code[code]];
        uint32_t leaf = leaf_of[code] = shoal_tree_find_leaf(tree, text.data, text.length);
        if (leaf == SHOAL_NO_NODE) {
            status = fail_policy(attr, "some values of the column are not in the hierarchy", err);
            goto out;
        }
        if (code < hull[leaf].lo) hull[leaf].lo = code;
        if (code > hull[leaf].hi || hull[leaf].lo == code) hull[leaf].hi = code;
    }
    /* children come before their parents */
    for (uint32_t node = 0; node + 1 < tree->n_nodes; node++) {
        shoal_range *above = &hull[tree->parent[node]];
        if (hull[node].lo > hull[node].hi) continue;
        if (hull[node].lo < above->lo) above->lo = hull[node].lo;
        if (hull[node].hi > above->hi) above->hi = hull[node].hi;
    }
    for (uint32_t code = 0; code < attr->n_plain; code++) {
        uint32_t node = ancestor_above(tree, leaf_of[code], level);
        to->of_code[code] = node == tree->n_nodes - 1 ? everything(attr) : hull[node];
    }
out:
    shoal_free(leaf_of);
    shoal_free(hull);
    return status;
}

static shoal_status apply_level(shoal_sensitive_ranges *to, const char *text, shoal_error *err)
{
    double level;
    const shoal_attribute *attr = to->attr;
    if (!shoal_parse_number(text, strlen(text), &level) || !(level >= 0) || level != floor(level))
        return fail_policy(attr, "the level is not a whole number of at least 0", err);
    if (level == 0) return SHOAL_OK;
    if (attr->is_tree)
        apply_tree_level(to, level);
    else if (attr->is_set)
        for (uint32_t code = 0; code < attr->n_codes; code++) to->of_code[code] = everything(attr);
    else if (attr->tree == NULL)
        return fail_policy(attr, "level needs a hierarchy; set one, or use width", err);
    else
        return apply_number_level(to, level, err);
    return SHOAL_OK;
}

/* ---- map:... ---- */

static bool read_bound(const shoal_attribute *attr, const char *text, size_t size, double *out)
{
    return shoal_format_read(&attr->source->format, text, size, out);
}

/* "10..15", or one number. */
static bool read_numbers(const shoal_attribute *attr, const char *text, size_t size, double *low,
                         double *high)
{
    for (size_t at = 0; at + 2 <= size; at++)
        if (text[at] == '.' && text[at + 1] == '.')
            return read_bound(attr, text, at, low) &&
                   read_bound(attr, text + at + 2, size - at - 2, high) && *low <= *high;
    bool ok = read_bound(attr, text, size, low);
    *high = *low;
    return ok;
}

/* The codes of an entry and the codes of their range. False when it cannot be parsed. */
static bool read_entry(const shoal_attribute *attr, const char *text, size_t size,
                       shoal_range *from, shoal_range *stands_for)
{
    if (attr->is_tree) {
        uint32_t node = shoal_tree_find_node(attr->tree, text, size);
        if (node == SHOAL_NO_NODE) return false;
        *from = *stands_for = node == attr->tree->n_nodes - 1
                                  ? everything(attr)
                                  : (shoal_range){ attr->tree->first[node],
                                                   attr->tree->last[node] };
        return true;
    }
    double low, high, all_low, all_high;
    const char *equals = memchr(text, '=', size);
    size_t first = equals != NULL ? (size_t)(equals - text) : size;
    if (!read_numbers(attr, text, first, &low, &high)) return false;
    all_low = low;
    all_high = high;
    if (equals != NULL && !read_numbers(attr, equals + 1, size - first - 1, &all_low, &all_high))
        return false;
    *from = codes_between(attr, low, high);
    *stands_for = codes_between(attr, all_low, all_high);
    return all_low <= low && high <= all_high;
}

/* Where entries overlap, the first one counts: they are applied from the last to the first. */
static shoal_status apply_map(shoal_sensitive_ranges *to, const char *text, shoal_error *err)
{
    if (to->attr->is_set) return fail_policy(to->attr, "a map needs numbers or a hierarchy", err);
    for (size_t end = strlen(text) + 1; end > 0;) {
        size_t begin = --end;
        while (begin > 0 && text[begin - 1] != '|') begin--;
        shoal_range from, stands_for;
        if (!read_entry(to->attr, text + begin, end - begin, &from, &stands_for))
            return fail_policy(
                to->attr,
                to->attr->is_tree
                    ? "an entry of the map is not a label of the column's hierarchy"
                    : "an entry of the map is not an interval, or is outside the range",
                err);
        for (uint32_t code = from.lo; code <= from.hi && from.lo <= from.hi; code++)
            to->of_code[code] = stands_for;
        end = begin;
    }
    return SHOAL_OK;
}

/* ---- entry point ---- */

static shoal_status apply_policy(shoal_sensitive_ranges *to, shoal_error *err)
{
    const char *spec = to->attr->source->sensitive_range;
    if (spec == NULL || strcmp(spec, "value") == 0) return SHOAL_OK;
    if (strncmp(spec, "width:", 6) == 0) return apply_width(to, spec + 6, err);
    if (strncmp(spec, "level:", 6) == 0) return apply_level(to, spec + 6, err);
    if (strncmp(spec, "map:", 4) == 0) return apply_map(to, spec + 4, err);
    return fail_policy(to->attr, "unknown kind of range", err);
}

static bool are_equal(shoal_range x, shoal_range y)
{
    return x.lo == y.lo && x.hi == y.hi;
}

/* Each range contains its own code, so it suffices that all codes of a range have the same range.
 */
static bool is_partition(const shoal_sensitive_ranges *ranges)
{
    for (uint32_t code = 0; code < ranges->attr->n_codes; code++) {
        shoal_range range = ranges->of_code[code];
        if (!are_equal(ranges->of_code[range.lo], range)) return false;
        if (code < range.hi && !are_equal(ranges->of_code[code + 1], range)) return false;
    }
    return true;
}

static void find_reaches(shoal_sensitive_ranges *ranges)
{
    uint32_t n = ranges->attr->n_codes;
    memcpy(ranges->reach, ranges->of_code, n * sizeof *ranges->reach);
    if (ranges->is_partition) return;
    for (uint32_t code = 0; code < n; code++)
        for (uint32_t other = ranges->of_code[code].lo; other <= ranges->of_code[code].hi;
             other++) {
            if (code < ranges->reach[other].lo) ranges->reach[other].lo = code;
            if (code > ranges->reach[other].hi) ranges->reach[other].hi = code;
        }
}

void shoal_sensitive_ranges_clear(shoal_sensitive_ranges *ranges)
{
    shoal_free(ranges->of_code);
    shoal_free(ranges->reach);
    *ranges = (shoal_sensitive_ranges){ 0 };
}

shoal_status shoal_sensitive_ranges_make(shoal_sensitive_ranges *out, const shoal_attribute *attr,
                                         shoal_error *err)
{
    shoal_sensitive_ranges made = { .attr = attr };
    made.of_code = shoal_alloc(attr->n_codes, sizeof *made.of_code);
    made.reach = shoal_alloc(attr->n_codes, sizeof *made.reach);
    if (made.of_code == NULL || made.reach == NULL) {
        shoal_sensitive_ranges_clear(&made);
        return shoal_fail_memory(err);
    }
    for (uint32_t code = 0; code < attr->n_codes; code++)
        made.of_code[code] = (shoal_range){ code, code };
    shoal_status status = apply_policy(&made, err);
    if (status != SHOAL_OK) {
        shoal_sensitive_ranges_clear(&made);
        return status;
    }
    made.is_partition = is_partition(&made);
    find_reaches(&made);
    *out = made;
    return SHOAL_OK;
}
