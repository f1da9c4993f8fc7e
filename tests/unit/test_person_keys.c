/* SPDX-License-Identifier: Apache-2.0 */
/* test_person_keys.c - keys of persons with several rows are found by name, by the form of values
 * and by what they determine; places, schools, strata and products are not. Covers: keys_step.c,
 * profile_load.c
 */
#include "table/person_keys.h"
#include "test.h"

#include <shoal/shoal.h>

static shoal_error err;

/* Numbers that look random, the same in every run. */
static unsigned draw(unsigned seed, unsigned below)
{
    uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return (unsigned)((x ^ x >> 32) % below);
}

typedef void (*row_fn)(char *out, unsigned i);

/* The likely keys of a generated table, "name because, ...". */
static shoal_status find(char *out, const char *header, row_fn row, unsigned n, uint64_t memory)
{
    shoal_table *table = NULL;
    shoal_likely_key *found = NULL;
    size_t n_found = 0, at = 0;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.encode_all = memory == 0;
    load.memory_limit = memory;
    char *text = malloc(200 * (n + 1));
    assert_non_null(text);
    at += (size_t)sprintf(text, "%s\n", header);
    for (unsigned i = 0; i < n; i++) {
        row(text + at, i);
        at += strlen(text + at);
    }
    *out = '\0';
    shoal_status status = shoal_table_open_memory(&table, text, at, NULL, NULL, NULL, &err);
    if (status == SHOAL_OK) status = shoal_table_load(table, &load, &err);
    if (status == SHOAL_OK) status = shoal_person_keys_find(&found, &n_found, table, 1, &err);
    for (size_t i = 0; i < n_found && status == SHOAL_OK; i++)
        sprintf(out + strlen(out), "%s%s %s", i > 0 ? ", " : "",
                shoal_table_column_name(table, found[i].column), found[i].because);
    if (status == SHOAL_OK && n_found > 0) shoal_reallocate(found, 0);
    shoal_table_free(table);
    free(text);
    return status;
}

/* 60 persons, 20 rows each, in a random order: age, sex, place; what changes from row to row. */
static void person_row(char *out, unsigned i)
{
    unsigned p = draw(i, 60);
    sprintf(out, "%u,%u,%c,%u,%u,%u.%u\n", 500 + p, 20 + draw(p + 1000, 40),
            "mf"[draw(p + 2000, 2)], 10000 + draw(p + 3000, 12), draw(i + 70000, 4), 80 + i % 50,
            1 + i % 9);
}
static void place_row(char *out, unsigned i)
{
    unsigned z = draw(i, 100);
    sprintf(out, "%u,c%u,s%u,%c,%u,%c,%u\n", 10000 + z, z / 4, z / 20, "ur"[draw(z, 2)],
            20 + draw(i + 5000, 40), "mf"[draw(i + 6000, 2)], draw(i + 7000, 9));
}
/* Two coarsenings that do not depend on each other. */
static void school_row(char *out, unsigned i)
{
    unsigned s = draw(i, 90);
    sprintf(out, "%u,%c,%c,%u,%c,%u\n", 300 + s, "gr"[draw(s, 2)], "nsw"[draw(s + 900, 3)],
            10 + draw(i + 5000, 8), "mf"[draw(i + 6000, 2)], draw(i + 7000, 6));
}
/* A stratum is age, sex and region: no person. */
static void stratum_row(char *out, unsigned i)
{
    unsigned a = draw(i, 6), s = draw(i + 9000, 2), r = draw(i + 8000, 4);
    sprintf(out, "%u,%u,%c,r%u,%u\n", a * 8 + s * 4 + r, a, "mf"[s], r, draw(i + 5000, 9));
}
static void product_row(char *out, unsigned i)
{
    unsigned p = draw(i, 70);
    sprintf(out, "%u,b%u,k%u,%c,%u,%u\n", p, draw(p, 5), draw(p + 99, 4), "rgb"[draw(p + 77, 3)],
            draw(i + 600, 3), draw(i + 700, 4));
}
static void device_row(char *out, unsigned i)
{
    unsigned d = draw(i, 200);
    sprintf(out, "D%u,m%u,%c,r%u,%u\n", d, draw(d, 5), "ai"[draw(d + 500, 2)], draw(d + 800, 3),
            draw(i + 600, 24));
}
static void token_row(char *out, unsigned i)
{
    unsigned d = draw(i, 50);
    sprintf(out, "%08x-4a5b-%04x-9c1d-%08x,%u,%s\n", d * 2654435761u, d, d * 40503u + 7, i % 5,
            i % 3 ? "yes" : "no");
}

static const struct {
    const char *header, *keys;
    row_fn row;
} cases[] = {
    { "patient_id,age,sex,zip,test,bp", "patient_id column name", person_row },
    { "sj,age,sex,zip,test,bp", "sj determines other columns", person_row },
    { "kennung,alter,geschlecht,plz,befund,wert", "kennung determines other columns", person_row },
    { "cl,edad,sexo,barrio,prueba,valor", "cl determines other columns", person_row },
    { "a,b,c,d,e,f", "a determines other columns", person_row },
    { "plz,city,state,kind,age,sex,income", "", place_row },
    { "area,x,y,z,age,sex,income", "", place_row },
    { "school_id,form,district,age,sex,grade", "", school_row },
    { "einrichtung,form,kreis,alter,geschlecht,note", "", school_row },
    { "stratum,age,sex,region,score", "", stratum_row },
    { "product_id,brand,shelf,colour,payment,channel", "", product_row },
    { "thing,brand,shelf,colour,payment,channel", "", product_row },
    { "device_id,model,os,region,hour", "device_id column name", device_row },
    { "gadget,model,os,region,hour", "gadget determines other columns", device_row },
    { "number_outpatient,model,os,region,hour", "", device_row },
    { "customer_type_id,model,os,region,hour", "", device_row },
    { "ref,week,answer", "ref form of its values", token_row },
};

static void test_keys(void **state)
{
    (void)state;
    char found[1000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(find(found, cases[i].header, cases[i].row, 2000, 0));
        if (strcmp(found, cases[i].keys) != 0) fail_msg("%s: found '%s'", cases[i].header, found);
    }
}

static int keep_text(const void *data, size_t n, void *payload)
{
    char *text = payload;
    size_t before = strlen(text);
    memcpy(text + before, data, n);
    text[before + n] = '\0';
    return 0;
}

/* Census persons have one row each. */
static void test_census(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    shoal_likely_key *found = NULL;
    size_t n = 0;
    char *text = calloc(1 << 21, 1);
    assert_non_null(text);
    assert_ok(shoal_generate_census(4000, 3, 1, keep_text, text, &err));
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_ok(shoal_person_keys_find(&found, &n, table, 1, &err));
    assert_int_equal(n, 0);
    shoal_table_free(table);
    free(text);
}

static void test_few_rows(void **state)
{
    (void)state;
    char found[1000];
    assert_ok(find(found, "patient_id,age,sex,zip,test,bp", person_row, 5, 0));
    assert_string_equal(found, "");
}

static void test_short_memory(void **state)
{
    (void)state;
    char found[1000];
    assert_survives_allocation_failure(find(found, cases[1].header, person_row, 300, 0));
    assert_string_equal(found, cases[1].keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys), cmocka_unit_test(test_census),
                                        cmocka_unit_test(test_few_rows),
                                        cmocka_unit_test(test_short_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
