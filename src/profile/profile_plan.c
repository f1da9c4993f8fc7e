/* SPDX-License-Identifier: Apache-2.0 */
/* profile_plan.c - writes a commented plan for a table: every role is a proposal with its reason; k
 * is left out.
 *
 * The text is YAML that shoal_plan_load() can read. k is missing on purpose, because it has no
 * default. Column names are the only texts from the table; they are quoted, so that any name is
 * safe.
 */
#include "base/base.h"
#include "table/guess.h"
#include "profile/null_marks.h"
#include "profile/quasi_cost.h"
#include "table/table_internal.h"

#include <shoal/profile.h>
#include <string.h>

static void add(shoal_buffer *out, const char *text)
{
    shoal_buffer_add(out, text, strlen(text));
}

/* Read the UTF-8 code point at `text`; returns its number of bytes, 0 when it is not valid UTF-8.
 */
static unsigned read_code_point(const char *text, uint32_t *out)
{
    const unsigned char *at = (const unsigned char *)text;
    unsigned n = at[0] < 0x80                    ? 1
                 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                 : (at[0] & 0xf0) == 0xe0        ? 3
                 : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                 : 0;
    if (n == 0) return 0;
    /* payload bits of the first byte */
    uint32_t value = n == 1 ? at[0] : at[0] & (0xffu >> (n + 1));
    for (unsigned i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        value = value << 6 | (at[i] & 0x3f);
    }
    bool overlong = (n == 3 && value < 0x800) || (n == 4 && value < 0x10000);
    if (overlong || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return 0;
    *out = value;
    return n;
}

/* Characters that need no escape inside double quotes in YAML. */
static bool may_stand(uint32_t c)
{
    if (c < 0x7f) return c >= 0x20 && c != '"' && c != '\\';
    return c >= 0xa0 && c != 0x2028 && c != 0x2029 && c != 0xfeff && c != 0xfffe && c != 0xffff;
}

/* Add a text in double quotes. False, with nothing added, when it is not UTF-8, which YAML
 * requires. */
static bool add_quoted(shoal_buffer *out, const char *text)
{
    uint32_t c;
    for (const char *at = text; *at != '\0';) {
        unsigned n = read_code_point(at, &c);
        if (n == 0) return false;
        at += n;
    }
    add(out, "\"");
    for (const char *at = text; *at != '\0';) {
        unsigned n = read_code_point(at, &c);
        if (may_stand(c))
            shoal_buffer_add(out, at, n);
        else
            shoal_buffer_print(out, "\\u%04x", (unsigned)c);
        at += n;
    }
    add(out, "\"");
    return true;
}

/* Add a path inside a comment; characters that could end the line become `?`. */
static void add_plain(shoal_buffer *out, const char *text)
{
    uint32_t c;
    for (const char *at = text; *at != '\0';) {
        unsigned n = read_code_point(at, &c);
        if (n > 0 && (may_stand(c) || c == '"' || c == '\\'))
            shoal_buffer_add(out, at, n);
        else
            add(out, "?");
        at += n > 0 ? n : 1;
    }
}

static void add_head(shoal_buffer *out, const shoal_table *table, const char *input_path)
{
    add(out, "# Plan for ");
    add_plain(out, input_path != NULL ? input_path : "a table");
    shoal_buffer_print(out, ": %llu rows, %zu columns.\n",
                       (unsigned long long)shoal_table_n_rows(table), shoal_table_n_columns(table));
    add(out, "#\n"
             "# The roles below are suggestions, based on names and counts. Confirm each of them, "
             "set k, then run\n"
             "#     shoal anonymize ");
    add_plain(out, input_path != NULL ? input_path : "INPUT");
    add(out,
        " --plan THIS-FILE -o OUTPUT\n"
        "#\n"
        "# Roles: quasi       others may know it: generalised so that groups have at least k rows\n"
        "#        sensitive   must be protected: published unchanged\n"
        "#        class       published unchanged, used by methods that preserve classification\n"
        "#        identifier  identifies a person directly: dropped\n"
        "#        entity      identifies the person of several rows: dropped\n"
        "#        other       published unchanged\n"
        "#        drop        dropped\n"
        "#        undecided   no role inferred: an error until you choose one\n"
        "\n"
        "# Minimum number of rows per group (required): remove the # and write a number of at "
        "least 2\n"
        "# (5 to 25 is common; more for public data).\n"
        "# k: \n"
        "\n");
}

static void add_input(shoal_buffer *out, const shoal_table *table)
{
    char delimiter[2] = { shoal_table_separator(table), '\0' };
    add(out, "input: {delimiter: ");
    add_quoted(out, delimiter);
    shoal_encoding encoding = shoal_table_encoding(table);
    if (encoding != SHOAL_ENCODING_UTF_8)
        shoal_buffer_print(out, ", encoding: %s", shoal_encoding_name(encoding));
    add(out, shoal_table_has_names(table) ? ", header: true" : ", header: false");
    bool is_first = true;
    for (size_t i = 0; i < table->n_nulls; i++) {
        size_t before = out->size;
        add(out, is_first ? ", nulls: [" : ", ");
        if (add_quoted(out, table->nulls[i]))
            is_first = false;
        else
            out->size = before;
    }
    add(out, is_first ? "}\n\n" : "]}\n\n");
}

/* Rows of a spreadsheet that are no records. */
static void add_skipped(shoal_buffer *out, const shoal_table *table)
{
    if (table->sheet_rows[0] == '\0') return;
    shoal_buffer_print(out,
                       "# Left out, because they are not records: %s.\n"
                       "# Write skip-rows: none if they are.\n"
                       "skip-rows: detected\n\n",
                       table->sheet_rows);
}

static bool is_null(const shoal_table *table, const char *text)
{
    for (size_t i = 0; i < table->n_nulls; i++)
        if (strcmp(table->nulls[i], text) == 0) return true;
    return false;
}

/* List strings that often mean missing and occur in the table. They come from a fixed list, so no
 * value is disclosed. */
static void add_marks(shoal_buffer *out, const shoal_table *table)
{
    shoal_null_marks found;
    size_t n_nulls = 0, n_doubtful = 0;
    shoal_null_marks_find(&found, table);
    for (size_t m = 0; m < SHOAL_N_NULL_MARKS; m++) {
        if (!is_null(table, shoal_null_mark(m))) continue;
        shoal_buffer_print(out, "%s\"%s\"", n_nulls++ == 0 ? "# Treated as missing: " : ", ",
                           shoal_null_mark(m));
    }
    if (n_nulls > 0) add(out, ". Remove from nulls below what is a value.\n");
    for (size_t m = 0; m < SHOAL_N_NULL_MARKS; m++) {
        if (found.verdict[m] < SHOAL_MARK_DOUBTFUL) continue;
        if (n_doubtful++ == 0)
            add(out, "# Treated as values, but may mean missing. If they do, add them to nulls "
                     "below:\n");
        shoal_buffer_print(out, "#     \"%s\" in %zu column%s\n", shoal_null_mark(m),
                           found.n_columns[m], found.n_columns[m] == 1 ? "" : "s");
    }
}

static bool is_known_spec(const char *builder)
{
    return strncmp(builder, "known:", 6) == 0;
}

/* A mask, which needs text, and a classification that has every value are used; other builders are
 * only mentioned. */
static bool is_used(const shoal_column_profile *profile)
{
    if (profile->builder == NULL || profile->proposed != SHOAL_ROLE_QUASI) return false;
    return strcmp(profile->builder, "mask") == 0 ||
           (is_known_spec(profile->builder) && profile->builder_holds_all);
}

static void add_builder(shoal_buffer *out, const char *builder)
{
    shoal_buffer_print(out, "hierarchy: \"%s%s\"", is_known_spec(builder) ? "" : "build:", builder);
}

static void mention_builder(shoal_buffer *out, const shoal_column_profile *profile)
{
    add(out, "; suggested ");
    add_builder(out, profile->builder);
    if (is_known_spec(profile->builder) && !profile->builder_holds_all)
        add(out, " (some values are not in it: set on-missing)");
    if (strncmp(profile->builder, "intervals:", 10) == 0) add(out, " or \"known:life-stages\"");
}

static shoal_text trimmed(const shoal_table *table, size_t column, uint32_t code)
{
    shoal_text text;
    text.data = shoal_table_value(table, column, code, &text.length);
    while (text.length > 0 && text.data[0] == ' ') text.data++, text.length--;
    while (text.length > 0 && text.data[text.length - 1] == ' ') text.length--;
    return text;
}

/* Are two texts equal if ASCII case is ignored? */
static bool are_alike(shoal_text a, shoal_text b)
{
    if (a.length != b.length) return false;
    for (size_t i = 0; i < a.length; i++) {
        char x = a.data[i], y = b.data[i];
        if (x >= 'A' && x <= 'Z') x = (char)(x + 32);
        if (y >= 'A' && y <= 'Z') y = (char)(y + 32);
        if (x != y) return false;
    }
    return true;
}

/* For a categorical column: values that equal another one but for blanks around them and case. */
static uint32_t count_twins(const shoal_table *table, size_t column)
{
    enum { MOST_VALUES = 500 }; /* each is compared with all before it */
    uint32_t n = shoal_table_n_values(table, column), n_twins = 0,
             null_code = shoal_table_null_code(table, column);
    for (uint32_t i = 1; n <= MOST_VALUES && i < n; i++) {
        bool is_twin = false;
        for (uint32_t j = 0; j < i && i != null_code && !is_twin; j++)
            is_twin = j != null_code &&
                      are_alike(trimmed(table, column, i), trimmed(table, column, j));
        n_twins += is_twin;
    }
    return n_twins;
}

/* Add the line of a column. */
static shoal_status add_column(shoal_buffer *out, const shoal_table *table, size_t column,
                               shoal_error *err)
{
    shoal_column_profile profile;
    SHOAL_RETURN_IF_ERROR(shoal_profile_column(&profile, table, column, err));
    bool uses_builder = is_used(&profile);
    size_t before = out->size;
    add(out, "  - {name: ");
    if (!add_quoted(out, shoal_table_column_name(table, column))) {
        out->size = before;
        shoal_buffer_print(
            out, "  # column %zu has a name that is not UTF-8; set its role on the command line\n",
            column + 1);
        return SHOAL_OK;
    }
    shoal_buffer_print(out, ", role: %s", shoal_role_name(profile.proposed));
    /* the date format, added below, implies the type */
    bool is_open = profile.readings[0] != NULL && profile.type == SHOAL_TYPE_CATEGORICAL;
    if (profile.proposed == SHOAL_ROLE_QUASI && !is_open)
        shoal_buffer_print(out, ", type: %s",
                           uses_builder ? "categorical" : shoal_type_name(profile.type));
    if (profile.format != NULL && profile.proposed == SHOAL_ROLE_QUASI) {
        add(out, ", format: ");
        add_quoted(out, profile.format);
    }
    if (uses_builder) {
        add(out, ", ");
        add_builder(out, profile.builder);
    }
    shoal_buffer_print(out, "} # %s, %llu distinct, %llu missing; ", shoal_type_name(profile.type),
                       (unsigned long long)profile.n_distinct,
                       (unsigned long long)profile.n_missing);
    if (profile.looks_like != NULL) shoal_buffer_print(out, "looks like %s: ", profile.looks_like);
    add(out, profile.reason);
    if (profile.readings[0] != NULL)
        shoal_buffer_print(out, "; ambiguous: add format: \"%s\" or format: \"%s\"",
                           profile.readings[0], profile.readings[1]);
    if (profile.n_no_numbers > 0)
        shoal_buffer_print(out,
                           "; %s except for %llu row%s with other text, such as totals, a "
                           "second header or <5: correct them, or add the texts to nulls",
                           profile.are_dates ? "a date" : "numeric",
                           (unsigned long long)profile.n_no_numbers,
                           profile.n_no_numbers == 1 ? "" : "s");
    bool is_category = profile.type == SHOAL_TYPE_CATEGORICAL &&
                       (profile.proposed == SHOAL_ROLE_QUASI ||
                        profile.proposed == SHOAL_ROLE_SENSITIVE);
    uint32_t n_twins = is_category ? count_twins(table, column) : 0;
    if (n_twins > 0)
        shoal_buffer_print(out,
                           "; %u value%s another one except for blanks or capital letters, and "
                           "count%s as different: make them equal",
                           n_twins, n_twins == 1 ? " is" : "s are", n_twins == 1 ? "s" : "");
    if (profile.builder != NULL && !uses_builder) mention_builder(out, &profile);
    add(out, "\n");
    return SHOAL_OK;
}

/* The one column of a table that is a latitude or a longitude by its name and its values, or
 * SIZE_MAX. */
static shoal_status find_axis(size_t *out, const shoal_table *table, shoal_hint axis,
                              shoal_error *err)
{
    *out = SIZE_MAX;
    for (size_t c = 0, n = 0; c < shoal_table_n_columns(table); c++) {
        shoal_column_profile profile;
        if (shoal_name_hint(shoal_table_column_name(table, c)) != axis) continue;
        SHOAL_RETURN_IF_ERROR(shoal_profile_column(&profile, table, c, err));
        /* what build:grid can read */
        bool is_plain = profile.format == NULL || strcmp(profile.format, "1234,5") == 0;
        is_plain = is_plain && strpbrk(shoal_table_column_name(table, c), ",\\") == NULL;
        if (profile.builder == NULL || strncmp(profile.builder, "degrees:", 8) != 0 || !is_plain)
            continue;
        *out = n++ == 0 ? c : SIZE_MAX;
    }
    return SHOAL_OK;
}

/* A latitude and a longitude can be published as one place, whose cells have a least number of
 * rows; not in data frames (join_columns.c). */
static shoal_status add_place(shoal_buffer *out, const shoal_table *table, shoal_error *err)
{
    size_t axes[2];
    SHOAL_RETURN_IF_ERROR(find_axis(&axes[0], table, SHOAL_HINT_LATITUDE, err));
    SHOAL_RETURN_IF_ERROR(find_axis(&axes[1], table, SHOAL_HINT_LONGITUDE, err));
    if (axes[0] == SIZE_MAX || axes[1] == SIZE_MAX || !shoal_table_has_header(table))
        return SHOAL_OK;
    if (shoal_table_find_column(table, "place") != SIZE_MAX) return SHOAL_OK;
    shoal_buffer spec = { 0 };
    shoal_buffer_print(&spec, "%s,%s", shoal_table_column_name(table, axes[0]),
                       shoal_table_column_name(table, axes[1]));
    size_t before = out->size;
    add(out, "\n# Latitude and longitude can be published as one place, in cells of a grid with at "
             "least 100 rows each. Replace\n"
             "# their two lines by:\n"
             "#  - {name: place, role: quasi, join: ");
    bool is_said = !spec.failed && add_quoted(out, spec.data);
    if (is_said)
        add(out, ", hierarchy: \"build:grid:100\"}\n");
    else
        out->size = before; /* a name that is not UTF-8 */
    bool has_failed = spec.failed;
    shoal_buffer_clear(&spec);
    return has_failed ? shoal_fail_memory(err) : SHOAL_OK;
}

/* List the most costly quasi-identifiers, as a hint which to drop first. Only names of columns and
 * shares of the loss are written. */
static shoal_status add_costs(shoal_buffer *out, const shoal_table *table, shoal_error *err)
{
    enum { MOST_NAMED = 5 };
    shoal_quasi_costs costs;
    SHOAL_RETURN_IF_ERROR(shoal_quasi_costs_find(&costs, table, err));
    if (costs.n > SHOAL_MANY_QUASI)
        shoal_buffer_print(out,
                           "\n# %zu quasi-identifiers are many: few rows agree in all of them, so "
                           "the information loss will be high. Keep\n"
                           "# those that others can know.\n",
                           costs.n);
    if (costs.n_sampled > 0) {
        shoal_buffer_print(out,
                           "\n# The quasi-identifiers contain up to %.0f bits about a row; groups "
                           "of %d rows leave about %.0f. The most costly, by\n"
                           "# quick releases of %llu rows in groups of %u: the loss (gcp), %.4f "
                           "with all of them, would be without\n",
                           costs.bits, SHOAL_USUAL_K, costs.bits_left,
                           (unsigned long long)costs.n_sampled, costs.k, costs.loss);
        for (size_t i = 0; i < costs.n && (i < MOST_NAMED || costs.n > SHOAL_MANY_QUASI); i++) {
            shoal_buffer_print(out, "#     %.4f  ", costs.columns[i].rest);
            add_plain(out, shoal_table_column_name(table, costs.columns[i].column));
            add(out, "\n");
        }
    }
    shoal_quasi_costs_clear(&costs);
    return SHOAL_OK;
}

shoal_status shoal_profile_plan(char **out, const shoal_table *table, const char *input_path,
                                shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_buffer text = { 0 };
    add_head(&text, table, input_path);
    add_marks(&text, table);
    add_input(&text, table);
    add_skipped(&text, table);
    add(&text, "columns:\n");
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        SHOAL_GOTO_IF_ERROR(add_column(&text, table, c, err), out);
    SHOAL_GOTO_IF_ERROR(add_place(&text, table, err), out);
    SHOAL_GOTO_IF_ERROR(add_costs(&text, table, err), out);
    add(&text,
        "\n# Further settings, as on the command line:\n"
        "# rest: keep            columns not listed above: keep or drop\n"
        "# hierarchies: FOLDER   hierarchy files named after their columns, relative to this file\n"
        "# algorithm: NAME       see shoal algorithms\n"
        "# models:               privacy models besides k, see shoal explain models\n"
        "#   - {name: l-diversity, value: \"distinct:3\", column: A-SENSITIVE-COLUMN}\n"
        "#   - {name: t-closeness, value: 0.2}   # no column: all sensitive columns\n"
        "# seed: 1\n"
        "\n# For the report that is published with the release, see docs/report.md:\n"
        "# about:\n"
        "#   purpose: \"\" # what the release is for\n"
        "#   recipients: \"\" # who receives it\n"
        "#   environment: \"\" # where, and under which rules, it is used\n"
        "#   contact: \"\"\n"
        "#   review-date: 2030-01-31\n"
        "#   earlier-releases: \"\" # of the same persons; \"none\" if there are none\n");
    if (text.failed) SHOAL_GOTO_IF_ERROR(shoal_fail_memory(err), out);
    *out = text.data;
    text.data = NULL;
out:
    shoal_buffer_clear(&text);
    return status;
}
