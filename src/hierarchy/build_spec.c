/* SPDX-License-Identifier: Apache-2.0 */
/* build_spec.c - builds a hierarchy from a spec such as `intervals:5,10`: parses it, adds the
 * leaves, calls the builder.
 *
 * Does what all kinds need: checks that values are distinct, parses and sorts numbers and dates,
 * puts the missing value directly below the root, and checks that no label has two meanings. O(n
 * log n) for n values, plus the cost of the builder.
 */
#include "hierarchy/build.h"
#include "hierarchy/key_sort.h"
#include "table/format_guess.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_EXACT 9007199254740992.0 /* 2^53: up to here whole numbers differ as doubles */

typedef enum value_kind { TEXTS, NUMBERS, DATES } value_kind;

typedef struct build_kind {
    const char *name;
    value_kind wants;
    shoal_build_fn build;
    const char *form;
} build_kind;

static const build_kind kinds[] = {
    { "intervals", NUMBERS, shoal_build_intervals,
      "`intervals:5,10,20[,origin=0]`, each width a multiple of the previous one" },
    { "quantiles", NUMBERS, shoal_build_quantiles, "`quantiles:8`, from 2 to 1000000 quantiles" },
    { "mask", TEXTS, shoal_build_mask, "`mask[:left][,char=*]`" },
    { "prefix", TEXTS, shoal_build_prefix,
      "`prefix:3,2,1[,min=100]`, each length shorter than the previous one" },
    { "order", TEXTS, shoal_build_order,
      "`order:young=17|18;old=60|61`, each name and each value once" },
    { "dates", DATES, shoal_build_dates,
      "`dates:month,year,decade`, any of week, month, quarter, year, decade, century in this "
      "order" },
    { "rare", TEXTS, shoal_build_rare, "`rare:100`, a whole number of rows" },
    { "grid", TEXTS, shoal_build_grid, "`grid:100`, the minimum number of rows per cell" },
    { "degrees", NUMBERS, shoal_build_degrees,
      "`degrees:100`, the minimum number of rows per interval" },
    { "known", TEXTS, shoal_build_known, "`known:icd10`" },
    { "learn", TEXTS, shoal_build_learn, "`learn[:2]`, for a column of a table" },
};

/* ---- helpers of the builders ---- */

shoal_status shoal_builder_fail(const shoal_builder *builder, const char *why, shoal_error *err)
{
    return shoal_fail(err, SHOAL_EINVAL, "hierarchy spec: %s {fix} the form is %s", why,
                      builder->form);
}

shoal_status shoal_builder_climb(shoal_builder *builder, uint32_t *at, bool *is_known,
                                 uint32_t level, const char *label, size_t size, shoal_error *err)
{
    uint32_t above;
    bool is_new;
    SHOAL_RETURN_IF_ERROR(
        shoal_draft_add_copy(&above, &is_new, &builder->draft, level, label, size, err));
    builder->draft.nodes[*at].parent = above;
    *at = above;
    *is_known = !is_new;
    return SHOAL_OK;
}

bool shoal_next_piece(shoal_text *out, const char **rest, char separator)
{
    if (*rest == NULL) return false;
    const char *end = strchr(*rest, separator);
    *out = (shoal_text){ *rest, end != NULL ? (size_t)(end - *rest) : strlen(*rest) };
    *rest = end != NULL ? end + 1 : NULL;
    return true;
}

bool shoal_piece_is(shoal_text piece, const char *word)
{
    return piece.length == strlen(word) && memcmp(piece.data, word, piece.length) == 0;
}

bool shoal_piece_to_count(shoal_text piece, uint32_t *out)
{
    double number;
    if (!shoal_parse_number(piece.data, piece.length, &number)) return false;
    if (number != floor(number) || number < 1 || number > UINT32_MAX - 1) return false;
    *out = (uint32_t)number;
    return true;
}

void shoal_number_text(char out[40], double number, int digits)
{
    if (number == floor(number) && fabs(number) < 1e15) {
        snprintf(out, 40, "%.0f", number + 0.0); /* + 0.0: no "-0" */
        return;
    }
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, number);
    /* the decimal point of a locale may be several bytes: replace them by one point */
    for (const char *p = text; *p != '\0'; p++) {
        bool is_plain = strchr("0123456789+-e", *p) != NULL;
        if (is_plain)
            *out++ = *p;
        else if (out[-1] != '.')
            *out++ = '.';
    }
    *out = '\0';
}

size_t shoal_builder_range(const shoal_builder *b, char *out, const char *low, const char *high)
{
    char from[SHOAL_FORMATTED_SIZE], to[SHOAL_FORMATTED_SIZE];
    shoal_format_write(from, &b->format, low, 0);
    shoal_format_write(to, &b->format, high, 0);
    return (size_t)sprintf(out, "[%s..%s", from, to);
}

/* ---- leaves ---- */

static shoal_status check_values(const shoal_values *values, shoal_error *err)
{
    if (values->n_values == 0)
        return shoal_fail(err, SHOAL_EDATA, "hierarchy: no values to build it from");
    if (values->n_values > UINT32_MAX - 2)
        return shoal_fail(err, SHOAL_EDATA, "hierarchy: %zu values {fix} use at most 4 billion",
                          values->n_values);
    for (size_t i = 0; i < values->n_values; i++)
        if (values->lengths[i] > 0 && memchr(values->texts[i], '\0', values->lengths[i]) != NULL)
            return shoal_fail(
                err, SHOAL_EDATA,
                "hierarchy: value %zu of %zu contains a NUL byte {fix} use plain text", i + 1,
                values->n_values);
    return SHOAL_OK;
}

/* Read the value as a number or date if the kind needs one; false when it is none. */
static bool read_number(double *out, const shoal_builder *b, size_t i, value_kind wants)
{
    *out = 0;
    return wants == TEXTS ||
           shoal_format_read(&b->format, b->values->texts[i], b->values->lengths[i], out);
}

/* List the values that become leaves in `items`, with numbers as sort keys; the missing value is
 * left out. */
static shoal_status list_leaves(shoal_keyed *items, uint32_t *n, double *numbers,
                                const shoal_builder *b, value_kind wants, shoal_error *err)
{
    const shoal_values *values = b->values;
    size_t n_bad = 0, first_bad = 0, n_large = 0;
    *n = 0;
    for (size_t i = 0; i < values->n_values; i++) {
        if (values->lengths[i] == 0) continue;
        if (!read_number(&numbers[i], b, i, wants) && n_bad++ == 0) first_bad = i;
        n_large += wants == NUMBERS && fabs(numbers[i]) >= MOST_EXACT;
        items[(*n)++] = (shoal_keyed){ shoal_number_key(numbers[i]), (uint32_t)i };
    }
    if (n_bad == 0 && n_large > 0)
        return shoal_fail(
            err, SHOAL_EDATA,
            "hierarchy: %zu of %zu values are 2^53 or more, where interval bounds would be rounded "
            "{fix} use no hierarchy (ranges are then exact), or use mask or prefix",
            n_large, values->n_values);
    if (n_bad == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EDATA,
                      "hierarchy: value %zu of %zu is not a %s; %zu such values {fix} correct "
                      "them, leave missing ones empty, or use another kind of hierarchy",
                      first_bad + 1, values->n_values,
                      wants == DATES ? "date (YYYY-MM-DD)" : "number", n_bad);
}

/* The format that was named, or the one that all values have. */
static shoal_status find_format(shoal_builder *b, value_kind wants, shoal_error *err)
{
    size_t n = b->values->n_values;
    shoal_format_guess guess;
    if (wants == DATES) shoal_format_parse(&b->format, "YYYY-MM-DD");
    if (wants == TEXTS) return SHOAL_OK;
    if (b->values->format != NULL)
        return shoal_format_parse(&b->format, b->values->format)
                   ? SHOAL_OK
                   : shoal_fail(err, SHOAL_EINVAL, "hierarchy: unknown format of values");
    shoal_text *texts = shoal_alloc(n, sizeof *texts);
    bool *is_null = shoal_alloc(n, sizeof *is_null);
    bool enough = texts != NULL && is_null != NULL;
    for (size_t i = 0; enough && i < n; i++) {
        texts[i] = (shoal_text){ b->values->texts[i], b->values->lengths[i] };
        is_null[i] = texts[i].length == 0;
    }
    if (enough) shoal_format_guess_find(&guess, &(shoal_value_list){ texts, is_null, (uint32_t)n });
    shoal_free(texts);
    shoal_free(is_null);
    if (!enough) return shoal_fail_memory(err);
    /* values that do not fit are reported later */
    if (guess.n == 0 || shoal_format_is_date(&guess.formats[0]) != (wants == DATES))
        return SHOAL_OK;
    if (guess.n == 2 && guess.formats[0].kind != SHOAL_FORMAT_PLAIN)
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy: ambiguous format, %s or %s {fix} set the format of the "
                          "column with {--format}, or format: in the plan",
                          guess.formats[0].spec, guess.formats[1].spec);
    b->format = guess.formats[0];
    return SHOAL_OK;
}

static shoal_status add_leaf(shoal_builder *b, uint32_t value, shoal_error *err)
{
    uint32_t node;
    bool is_new;
    SHOAL_RETURN_IF_ERROR(shoal_draft_add(&node, &is_new, &b->draft, 0, b->values->texts[value],
                                          b->values->lengths[value], err));
    if (!is_new)
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy: value %u of %zu is listed twice {fix} list each value once",
                          value + 1, b->values->n_values);
    return SHOAL_OK;
}

static shoal_status lay_out_leaves(shoal_builder *b, value_kind wants, shoal_error *err)
{
    shoal_status status;
    size_t n = b->values->n_values;
    shoal_keyed *items = shoal_alloc(n, 2 * sizeof *items);
    double *numbers = shoal_alloc(n, sizeof *numbers);
    b->value_of_leaf = shoal_alloc(n, sizeof *b->value_of_leaf);
    b->numbers = shoal_alloc(n, sizeof *b->numbers);
    if (items == NULL || numbers == NULL || b->value_of_leaf == NULL || b->numbers == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(list_leaves(items, &b->n_leaves, numbers, b, wants, err), out);
    /* stable: texts have equal keys and keep their order */
    shoal_key_sort(items, items + n, b->n_leaves, NULL, NULL);
    for (uint32_t i = 0; i < b->n_leaves; i++) {
        b->value_of_leaf[i] = items[i].index;
        b->numbers[i] = numbers[items[i].index];
        SHOAL_GOTO_IF_ERROR(add_leaf(b, items[i].index, err), out);
    }
out:
    shoal_free(items);
    shoal_free(numbers);
    return status;
}

static shoal_status add_missing(shoal_builder *b, shoal_error *err)
{
    for (size_t i = 0; i < b->values->n_values; i++)
        if (b->values->lengths[i] == 0) SHOAL_RETURN_IF_ERROR(add_leaf(b, (uint32_t)i, err));
    return SHOAL_OK;
}

/* ---- entry point ---- */

const char *shoal_hierarchy_recipe(const char *text)
{
    if (strncmp(text, "build:", 6) == 0) return text + 6;
    return strncmp(text, "known:", 6) == 0 ? text : NULL;
}

static shoal_status find_kind(const build_kind **out, const char **args, const char *spec,
                              shoal_error *err)
{
    size_t n = strcspn(spec, ":");
    *args = spec[n] == ':' ? spec + n + 1 : "";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strlen(kinds[i].name) != n || memcmp(kinds[i].name, spec, n) != 0) continue;
        *out = &kinds[i];
        return SHOAL_OK;
    }
    return shoal_fail(
        err, SHOAL_EINVAL,
        "hierarchy spec: unknown kind {fix} use one of intervals:5,10 quantiles:8 mask prefix:3,2,1"
        " order:NAME=VALUE|VALUE;... dates:month,year rare:100 grid:100 degrees:100 known:NAME "
        "learn");
}

shoal_status shoal_built_labels_check(const shoal_hierarchy *tree, shoal_error *err)
{
    uint32_t one, other, n = shoal_tree_count_ambiguous(tree, &one, &other);
    if (n == 0) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EDATA,
        "hierarchy: %u labels of groups are also values or other groups, which would be ambiguous "
        "in a release {fix} choose other names, or another kind of hierarchy",
        n);
}

shoal_status shoal_hierarchy_build(shoal_hierarchy **out, const shoal_values *values,
                                   const char *spec, shoal_error *err)
{
    const build_kind *kind = NULL;
    const char *args = "";
    SHOAL_RETURN_IF_ERROR(find_kind(&kind, &args, spec, err));
    SHOAL_RETURN_IF_ERROR(check_values(values, err));

    shoal_status status;
    shoal_hierarchy *tree = NULL;
    shoal_builder b = { .form = kind->form, .values = values, .draft = SHOAL_DRAFT_INIT };
    SHOAL_GOTO_IF_ERROR(find_format(&b, kind->wants, err), out);
    SHOAL_GOTO_IF_ERROR(lay_out_leaves(&b, kind->wants, err), out);
    SHOAL_GOTO_IF_ERROR(kind->build(&b, args, err), out);
    SHOAL_GOTO_IF_ERROR(add_missing(&b, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_draft_finish(&tree, &b.draft, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_built_labels_check(tree, err), out);
    *out = tree;
    tree = NULL;
out:
    shoal_hierarchy_free(tree);
    shoal_draft_clear(&b.draft);
    shoal_free(b.value_of_leaf);
    shoal_free(b.numbers);
    return status;
}
