/* SPDX-License-Identifier: Apache-2.0 */
/* build_grid.c - places on the earth in a quadtree with a minimum number of rows per cell
 * (grid:100).
 *
 * A value is a latitude and a longitude in degrees with a comma, semicolon or blanks between
 * (`52.52,13.40`, `52,52; 13,40`, `(52.52 13.40)`). The whole earth is cut into four, each quarter
 * again, and so on; a cell with fewer rows than the minimum is no label, so that its places belong
 * to the next larger one. A label is the cell's ranges, `52.3828..52.7344 N, 13.3594..14.0625 E`;
 * south and west have a minus. Cells are half-open, so each place lies in one of a size. The cut
 * does not depend on the table, only which cells are large enough. O(n * levels).
 *
 * degrees:100 is the same for a latitude or a longitude that has a column of its own: -180 to 180
 * is halved, both halves again, and so on, so that cells of one level are as high as they are wide.
 * A label is an interval, `[52.03125..53.4375)`. The two columns together publish a box of the map.
 */
#include "hierarchy/label_counts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* a cell of level 16 is 300 m high */
enum { DEEPEST = 16, LONGEST_LABEL = 2 * SHOAL_FORMATTED_SIZE + 2 };

typedef struct spot {
    double north, east;
    bool is_line; /* degrees alone, in `east` */
} spot;

/* Degrees, also with a decimal comma if the two are not separated by a comma. */
static bool read_axis(double *out, const char *text, size_t length, bool may_have_comma)
{
    char plain[40];
    if (shoal_parse_number(text, length, out)) return true;
    if (!may_have_comma || length >= sizeof plain) return false;
    memcpy(plain, text, length);
    char *comma = memchr(plain, ',', length);
    if (comma != NULL) *comma = '.';
    return comma != NULL && shoal_parse_number(plain, length, out);
}

static bool read_spot(spot *out, const char *text, size_t length)
{
    if (length > 1 && text[0] == '(' && text[length - 1] == ')') text++, length -= 2;
    for (size_t at = 1; at + 1 < length; at++) {
        if (text[at] != ',' && text[at] != ';' && text[at] != ' ') continue;
        bool may_have_comma = text[at] != ',';
        if (!read_axis(&out->north, text, at, may_have_comma) ||
            !read_axis(&out->east, text + at + 1, length - at - 1, may_have_comma))
            continue;
        return fabs(out->north) <= 90 && fabs(out->east) <= 180;
    }
    return false;
}

/* The range of a cell of this depth that holds x, between -most and most. */
static void cut(double *low, double *high, double x, double most, uint32_t depth)
{
    double cells = ldexp(1, (int)depth), width = 2 * most / cells, at = floor((x + most) / width);
    if (at > cells - 1) at = cells - 1; /* the pole, the date line */
    *low = at * width - most;
    *high = (at + 1) * width - most;
}

static size_t label_line(char out[LONGEST_LABEL], const shoal_builder *b, double degrees,
                         uint32_t depth)
{
    char text[2][40];
    double ends[2];
    cut(&ends[0], &ends[1], degrees, 180, depth);
    for (int i = 0; i < 2; i++) shoal_number_text(text[i], ends[i], 8);
    size_t size = shoal_builder_range(b, out, text[0], text[1]);
    out[size++] = ends[1] < 180 ? ')' : ']';
    return size;
}

static size_t label_cell(char out[LONGEST_LABEL], const shoal_builder *b, const spot *where,
                         uint32_t depth)
{
    char text[4][40];
    double ends[4];
    if (where->is_line) return label_line(out, b, where->east, depth);
    cut(&ends[0], &ends[1], where->north, 90, depth);
    cut(&ends[2], &ends[3], where->east, 180, depth);
    for (int i = 0; i < 4; i++) shoal_number_text(text[i], ends[i], 8);
    return (size_t)snprintf(out, LONGEST_LABEL, "%.20s..%.20s N, %.20s..%.20s E", text[0], text[1],
                            text[2], text[3]);
}

static shoal_status count_cells(shoal_label_counts *counts, const shoal_builder *b,
                                const spot *spots, shoal_error *err)
{
    for (uint32_t i = 0; i < b->n_leaves; i++)
        for (uint32_t depth = 1; depth <= DEEPEST; depth++) {
            char label[LONGEST_LABEL];
            size_t size = label_cell(label, b, &spots[i], depth);
            SHOAL_RETURN_IF_ERROR(
                shoal_label_counts_add(counts, depth, label, size, shoal_builder_rows(b, i), err));
        }
    return SHOAL_OK;
}

static shoal_status place_spots(shoal_builder *b, const shoal_label_counts *counts,
                                const spot *spots, uint32_t least, shoal_error *err)
{
    for (uint32_t i = 0; i < b->n_leaves; i++) {
        uint32_t at = i;
        uint64_t rows_below = 0;
        bool is_known = false;
        for (uint32_t depth = DEEPEST; depth > 0 && !is_known; depth--) {
            char label[LONGEST_LABEL];
            size_t size = label_cell(label, b, &spots[i], depth);
            uint64_t rows = shoal_label_counts_of(counts, depth, label, size);
            /* a larger cell with the same rows is less precise */
            if (rows < least || rows == rows_below) continue;
            rows_below = rows;
            SHOAL_RETURN_IF_ERROR(
                shoal_builder_climb(b, &at, &is_known, DEEPEST + 1 - depth, label, size, err));
        }
    }
    return SHOAL_OK;
}

static shoal_status read_spots(spot *spots, const shoal_builder *b, shoal_error *err)
{
    uint32_t n_bad = 0, first_bad = 0;
    for (uint32_t i = 0; i < b->n_leaves; i++)
        if (!read_spot(&spots[i], b->draft.nodes[i].label, b->draft.nodes[i].size) && n_bad++ == 0)
            first_bad = b->value_of_leaf[i];
    if (n_bad == 0) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EDATA,
        "hierarchy: value %u of %zu is not a latitude and longitude; %u such values {fix} write "
        "both in degrees, the latitude first: -90 to 90 and -180 to 180, such as 52.52,13.40",
        first_bad + 1, b->values->n_values, n_bad);
}

static shoal_status read_degrees(spot *spots, const shoal_builder *b, shoal_error *err)
{
    uint32_t n_bad = 0;
    for (uint32_t i = 0; i < b->n_leaves; i++) {
        spots[i] = (spot){ .east = b->numbers[i], .is_line = true };
        n_bad += !(fabs(b->numbers[i]) <= 180);
    }
    if (n_bad == 0) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EDATA,
        "hierarchy: %u of %zu values are not in degrees {fix} use -90 to 90 for a latitude, -180 "
        "to 180 for a longitude; use intervals:WIDTH,... for other coordinates",
        n_bad, b->values->n_values);
}

typedef shoal_status (*read_fn)(spot *spots, const shoal_builder *b, shoal_error *err);

static shoal_status build_cells(shoal_builder *b, const char *args, read_fn read, shoal_error *err)
{
    uint32_t least;
    if (!shoal_piece_to_count((shoal_text){ args, strlen(args) }, &least))
        return shoal_builder_fail(b, "invalid number of rows", err);
    shoal_label_counts counts = SHOAL_LABEL_COUNTS_INIT;
    spot *spots = shoal_alloc_zero(b->n_leaves, sizeof *spots);
    shoal_status status = spots != NULL ? read(spots, b, err) : shoal_fail_memory(err);
    if (status == SHOAL_OK) status = count_cells(&counts, b, spots, err);
    if (status == SHOAL_OK) status = place_spots(b, &counts, spots, least, err);
    shoal_label_counts_clear(&counts);
    shoal_free(spots);
    return status;
}

shoal_status shoal_build_grid(shoal_builder *b, const char *args, shoal_error *err)
{
    return build_cells(b, args, read_spots, err);
}

shoal_status shoal_build_degrees(shoal_builder *b, const char *args, shoal_error *err)
{
    return build_cells(b, args, read_degrees, err);
}
