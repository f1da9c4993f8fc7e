/* SPDX-License-Identifier: Apache-2.0 */
/* census_hierarchies.c - the level files that belong to the census table.
 *
 * One file per column: value;parent;...;* on each line, one line per value that the generator can
 * produce. In a file each label has one parent and one level. For bands this holds because each
 * width is a proper multiple of the one before; for lists it is a property of census_tables.c.
 */
#include "generate/block_writer.h"
#include "generate/census_tables.h"

enum { MAX_WIDTHS = 4, ZIP_DIGITS = 5 };

/* Numbers in bands: "20-24", "20-29", ... */
typedef struct band_spec {
    uint32_t first, last;
    uint32_t (*next)(uint32_t number);
    uint32_t widths[MAX_WIDTHS]; /* ascending, each a multiple of the one before */
} band_spec;

static uint32_t next_number(uint32_t number)
{
    return number + 1;
}

static uint32_t next_income(uint32_t income)
{
    return census_next_income(income);
}

static void print_bands(shoal_buffer *out, const band_spec *spec)
{
    for (uint32_t v = spec->first; v <= spec->last; v = spec->next(v)) {
        shoal_buffer_print(out, "%u;", v);
        for (int i = 0; i < MAX_WIDTHS; i++) {
            uint32_t low = v / spec->widths[i] * spec->widths[i];
            shoal_buffer_print(out, "%u-%u;", low, low + spec->widths[i] - 1);
        }
        shoal_buffer_add(out, "*\n", 2);
    }
}

static void print_ages(shoal_buffer *out)
{
    print_bands(out, &(band_spec){ MIN_AGE, MAX_AGE, next_number, { 5, 10, 20, 40 } });
}

static void print_hours(shoal_buffer *out)
{
    print_bands(out, &(band_spec){ 0, MAX_HOURS, next_number, { 5, 10, 20, 40 } });
}

static void print_incomes(shoal_buffer *out)
{
    print_bands(out, &(band_spec){ 0, MAX_INCOME, next_income, { 1000, 5000, 25000, 100000 } });
}

/* 53711;5371*;537**;53***;5****;* */
static void print_zip(shoal_buffer *out, uint32_t code)
{
    char digits[ZIP_DIGITS];
    for (int d = ZIP_DIGITS - 1; d >= 0; d--, code /= 10) digits[d] = (char)('0' + code % 10);
    for (int kept = ZIP_DIGITS; kept > 0; kept--) {
        shoal_buffer_add(out, digits, ZIP_DIGITS);
        shoal_buffer_add(out, ";", 1);
        digits[kept - 1] = '*';
    }
    shoal_buffer_add(out, "*\n", 2);
}

static void print_zips(shoal_buffer *out)
{
    for (int a = 0; a < N_AREAS; a++) {
        const census_area *area = &shoal_census_areas[a];
        bool in_use[100] = { false };
        for (uint32_t r = 0; r < area->n_zips; r++) in_use[census_zip_code(area, r) % 100] = true;
        for (uint32_t last = 0; last < 100; last++)
            if (in_use[last]) print_zip(out, area->prefix * 100u + last);
    }
}

static void print_list(shoal_buffer *out, const census_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const census_path *path = census_path_of(list, i);
        for (int level = 0; path->level[level] != NULL; level++)
            shoal_buffer_print(out, "%s;", path->level[level]);
        shoal_buffer_add(out, "*\n", 2);
    }
}

/* Either a list of paths or a function. */
typedef struct census_hierarchy {
    census_list list;
    void (*print)(shoal_buffer *out);
} census_hierarchy;

#define LIST(name, table)                                                                          \
    {                                                                                              \
        .list = { name, table, sizeof *(table), sizeof(table) / sizeof *(table) }                  \
    }

static const census_hierarchy hierarchies[] = {
    { .list.column = "zip", .print = print_zips },
    { .list.column = "age", .print = print_ages },
    LIST("sex", shoal_census_sexes),
    LIST("race", shoal_census_races),
    LIST("marital-status", shoal_census_marital),
    LIST("education", shoal_census_education),
    LIST("native-country", shoal_census_countries),
    LIST("workclass", shoal_census_workclasses),
    LIST("occupation", shoal_census_occupations),
    { .list.column = "hours-per-week", .print = print_hours },
    { .list.column = "income", .print = print_incomes },
    LIST("disease", shoal_census_diseases),
    LIST("salary-class", shoal_census_salary_classes),
};

size_t shoal_census_n_hierarchies(void)
{
    return sizeof hierarchies / sizeof *hierarchies;
}

const char *shoal_census_hierarchy_column(size_t index)
{
    return index < shoal_census_n_hierarchies() ? hierarchies[index].list.column : NULL;
}

shoal_status shoal_census_hierarchy_write(size_t index, shoal_write_fn write, void *payload,
                                          shoal_error *err)
{
    if (index >= shoal_census_n_hierarchies())
        return shoal_fail(err, SHOAL_EINVAL,
                          "generate census: no hierarchy %zu {fix} use a number below %zu", index,
                          shoal_census_n_hierarchies());
    const census_hierarchy *h = &hierarchies[index];
    shoal_buffer text = { 0 };
    if (h->print != NULL)
        h->print(&text);
    else
        print_list(&text, &h->list);
    shoal_status status = text.failed
                              ? shoal_fail_memory(err)
                              : shoal_write_piece(text.data, text.size, write, payload, err);
    shoal_buffer_clear(&text);
    return status;
}
