/* SPDX-License-Identifier: Apache-2.0 */
/* test_known.c - classifications that come with the library: each text is whole, and values find
 * their place in it. Covers: build_known.c, draft.c, known_code.c, known_guess.c
 */
#include "hierarchy/known.h"
#include "profile/known_guess.h"
#include "table/guess.h"
#include "test.h"

#include <stdio.h>

static shoal_error err;

static shoal_status build_over(shoal_hierarchy **out, const char *const *texts, size_t n,
                               const char *spec)
{
    size_t lengths[20];
    assert_true(n <= 20);
    for (size_t i = 0; i < n; i++) lengths[i] = strlen(texts[i]);
    return shoal_hierarchy_build(
        out, &(shoal_values){ .n_values = n, .texts = texts, .lengths = lengths }, spec, &err);
}

/* The labels above a value, from the lowest on, between " < ". */
static void path_of(char out[600], const char *value, const char *spec)
{
    shoal_hierarchy *tree = NULL;
    out[0] = '\0';
    shoal_status status = build_over(&tree, &value, 1, spec);
    if (status != SHOAL_OK) {
        snprintf(out, 600, "none");
        return;
    }
    for (uint32_t v = tree->parent[0]; v != tree->n_nodes - 1; v = tree->parent[v]) {
        size_t n = strlen(out);
        snprintf(out + n, 600 - n, "%s%s", n > 0 ? " < " : "", tree->labels[v]);
    }
    shoal_hierarchy_free(tree);
}

/* A classification, a value, and the labels above it. */
static const char *const places[][3] = {
    { "known:icd10", "C34.11",
      "C34.1- < C34.- < C30-C39 Cancer of respiratory organs < C00-C97 Malignant neoplasms < "
      "C00-D49 Neoplasms" },
    { "known:icd10", "c341",
      "C34.- < C30-C39 Cancer of respiratory organs < C00-C97 Malignant neoplasms < C00-D49 "
      "Neoplasms" },
    { "known:icd10", "C4A",
      "C43-C44 Cancer of skin < C00-C97 Malignant neoplasms < C00-D49 Neoplasms" },
    { "known:icd10", "R97",
      "R97 Abnormal tumour markers < R00-R99 Symptoms and abnormal findings" },
    { "known:icd10", "E11",
      "E08-E14 Diabetes mellitus < E00-E90 Endocrine, nutritional and metabolic diseases" },
    { "known:icd10", "M54.5",
      "M54.- < M50-M54 Other dorsopathies < M40-M54 Dorsopathies < M00-M99 Musculoskeletal "
      "system" },
    { "known:icd10", "U07.1",
      "U07.- < U00-U49 New diseases and emergency use < U00-U99 Special purposes" },
    { "known:icd10", "B10",
      "B10 Other human herpesviruses < A00-B99 Infectious and parasitic diseases" },
    { "known:icd10", "C3", "none" },
    { "known:icd10", "34C", "none" },
    { "known:icd10", "C34.123456", "none" },
    { "known:icd10", "C3.4", "none" },
    { "known:icd9cm", "250.83",
      "250.8- < 250.- < 249-259 Diabetes and other endocrine glands < 240-279 Endocrine, "
      "nutritional, metabolic and immunity disorders" },
    { "known:icd9cm", "38",
      "030-041 Other bacterial diseases < 001-139 Infectious and parasitic diseases" },
    { "known:icd9cm", "8.45",
      "008.4- < 008.- < 001-009 Intestinal infections < 001-139 Infectious and parasitic "
      "diseases" },
    { "known:icd9cm", "V57.89",
      "V57.8- < V57.- < V50-V59 Specific procedures and aftercare < V01-V91 Contact with health "
      "services" },
    { "known:icd9cm", "E885.9", "E885.- < E880-E888 Accidental falls < E000-E999 External causes" },
    { "known:icd9cm", "0", "none" },
    { "known:icd9cm", "2500000", "none" },
    { "known:icd9cm", "?", "none" },
    { "known:countries", "Kenya", "Eastern Africa < Sub-Saharan Africa < Africa" },
    { "known:countries", "ken", "Eastern Africa < Sub-Saharan Africa < Africa" },
    { "known:countries", "4", "Southern Asia < Asia" },
    { "known:countries", "004", "Southern Asia < Asia" },
    { "known:countries", "United-States", "Northern America < Americas" },
    { "known:countries", "C\xc3\xb4te d'Ivoire", "Western Africa < Sub-Saharan Africa < Africa" },
    { "known:countries", "Atlantis", "none" },
    { "known:countries", "--", "none" },
    { "known:us-states", "tx", "West South Central < South" },
    { "known:us-states", "6", "Pacific < West" },
    { "known:us-states", "District of Columbia", "South Atlantic < South" },
    { "known:languages", "deu", "Germanic < Indo-European languages" },
    { "known:languages", "Tamil", "Dravidian languages" },
    { "known:isco08", "2211", "221 Medical doctors < 22 Health professionals < 2 Professionals" },
    { "known:isco08", "0110",
      "011 Commissioned armed forces officers < 01 Commissioned armed forces officers < 0 Armed "
      "forces occupations" },
    { "known:isco08", "12345", "none" },
    { "known:soc2018", "29-1141",
      "29-114* < 29-1000 Healthcare diagnosing or treating practitioners < 29-0000 Healthcare "
      "practitioners and technical" },
    { "known:soc2018", "15-1132.00",
      "15-113* < 15-1200 Computer < 15-0000 Computer and mathematical" },
    { "known:soc2018", "1191XX", "11-91X* < 11-9000 Other management < 11-0000 Management" },
    { "known:soc2018", "29", "none" },
    { "known:nace2", "62.01",
      "62.0* < 62 Computer programming and consultancy < J Information and communication" },
    { "known:nace2", "J62.01",
      "62.0* < 62 Computer programming and consultancy < J Information and communication" },
    { "known:nace2", "1.11",
      "01.1* < 01 Crop and animal production < A Agriculture, forestry and fishing" },
    { "known:nace2", "35", "D Electricity, gas, steam and air conditioning supply" },
    { "known:nace2", "622110", "none" },
    { "known:naics", "622110",
      "62211* < 6221* < 622 Hospitals < 62 Health care and social assistance" },
    { "known:naics", "3MS", "31-33 Manufacturing" },
    { "known:naics", "9", "none" },
    { "known:life-stages", "0", "0-1 Infants < 0-18 Children and adolescents" },
    { "known:life-stages", "18.9", "13-18 Adolescents < 0-18 Children and adolescents" },
    { "known:life-stages", "19",
      "19-24 Young adults < 19-44 Younger adults < 19-64 Adults of working age" },
    { "known:life-stages", "103", "80+ Aged < 65+ Aged" },
    { "known:life-stages", "-1", "none" },
    { "known:life-stages", "151", "none" },
};

static void test_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char path[600];
        path_of(path, places[i][1], places[i][0]);
        if (strcmp(path, places[i][2]) != 0)
            fail_msg("%s of %s: %s", places[i][1], places[i][0], path);
    }
}

/* Both spellings of a category are below it, and what is no code is left out. */
static void test_column(void **state)
{
    (void)state;
    static const char *const values[] = { "250", "250.83", "hello", "V57" };
    shoal_hierarchy *tree = NULL;
    char *levels = NULL;
    assert_ok(build_over(&tree, values, 4, "known:icd9cm"));
    assert_ok(shoal_hierarchy_to_levels(&levels, tree, &err));
    assert_string_equal(levels,
                        "250;250;250.-;249-259 Diabetes and other endocrine glands;240-279 "
                        "Endocrine, nutritional, metabolic and immunity disorders;*\n"
                        "250.83;250.8-;250.-;249-259 Diabetes and other endocrine glands;240-279 "
                        "Endocrine, nutritional, metabolic and immunity disorders;*\n"
                        "V57;V57;V57.-;V50-V59 Specific procedures and aftercare;V01-V91 Contact "
                        "with health services;*\n");
    assert_int_equal(shoal_hierarchy_find_leaf(tree, "hello", 5), UINT32_MAX);
    shoal_string_free(levels);
    shoal_hierarchy_free(tree);
    assert_fails(build_over(&tree, values + 2, 1, "known:icd9cm"), SHOAL_EDATA,
                 "none of the 1 values");
    assert_fails(build_over(&tree, values, 1, "known:icd11"), SHOAL_EINVAL,
                 "countries, icd10, icd9cm");
}

static void assert_words_differ(const shoal_known *known)
{
    for (uint32_t i = 0; i < known->n_words; i++) {
        assert_true(known->words[i].length > 0);
        if (i > 0 && known->words[i].group != known->words[i - 1].group &&
            known->words[i].length == known->words[i - 1].length &&
            memcmp(known->words[i].key, known->words[i - 1].key, known->words[i].length) == 0)
            fail_msg("%s: '%.*s' is in two groups", known->text->name, (int)known->words[i].length,
                     known->words[i].key);
    }
}

/* A range lies in that of the group above, unless a line with + widened it; its ends are read as
 * they are written. */
static void assert_ranges_nest(const shoal_known *known)
{
    for (uint32_t i = 0; i < known->n_ranges; i++) {
        const shoal_known_range *range = &known->ranges[i];
        assert_true(range->from.length > 0);
        assert_true(strcmp(known->text->match, "ages") == 0 ||
                    range->from.length == range->to.length);
        if (strcmp(known->text->match, "ages") != 0)
            assert_true(memcmp(range->from.data, range->to.data, range->from.length) <= 0);
        if (strcmp(known->text->match, "icd10") != 0 && strcmp(known->text->match, "icd9") != 0)
            continue;
        shoal_known_place place;
        assert_true(shoal_known_find(&place, known, range->from));
        uint32_t g = place.group; /* the group, or one within it that begins alike */
        while (g != range->group && g != SHOAL_NO_NODE) g = known->groups[g].parent;
        if (g != range->group)
            fail_msg("%s: %.*s is in another group", known->text->name, (int)range->from.length,
                     range->from.data);
    }
}

static void test_texts_are_whole(void **state)
{
    (void)state;
    assert_true(shoal_known_count() >= 10);
    assert_null(shoal_known_name(shoal_known_count()));
    assert_null(shoal_known_title(shoal_known_count()));
    assert_null(shoal_known_source(shoal_known_count()));
    for (size_t i = 0; i < shoal_known_count(); i++) {
        shoal_known known;
        shoal_hierarchy *tree = NULL;
        uint32_t one, other;
        assert_ok(shoal_known_open(&known, &shoal_known_texts[i], &err));
        assert_true((known.kind == NULL) == (strcmp(known.text->match, "words") == 0));
        assert_true(strlen(shoal_known_title(i)) > 10 && strlen(shoal_known_source(i)) > 5);
        assert_words_differ(&known);
        assert_ranges_nest(&known);
        assert_ok(shoal_hierarchy_known(&tree, shoal_known_name(i), &err));
        assert_true(shoal_tree_is_sound(tree));
        if (shoal_tree_count_ambiguous(tree, &one, &other) > 0)
            fail_msg("%s: '%s' twice", known.text->name, tree->labels[one]);
        shoal_hierarchy_free(tree);
        shoal_known_close(&known);
    }
    shoal_hierarchy *tree = NULL;
    assert_fails(shoal_hierarchy_known(&tree, "nothing", &err), SHOAL_EINVAL, "the names are");
}

static void test_recipes(void **state)
{
    (void)state;
    assert_string_equal(shoal_hierarchy_recipe("build:mask"), "mask");
    assert_string_equal(shoal_hierarchy_recipe("known:icd10"), "known:icd10");
    assert_null(shoal_hierarchy_recipe("trees/known.csv"));
}

/* ---- guesses ---- */

static void assert_guess(const char *name, const char *values, const char *expected, bool all)
{
    char text[2000];
    size_t n = (size_t)snprintf(text, sizeof text, "%s,n\n", name), n_values = 1;
    for (const char *at = values; *at != '\0'; at++) {
        if (at == values || at[-1] == ' ') n_values += at != values;
        if (*at == ' ')
            n += (size_t)snprintf(text + n, sizeof text - n, ",1\n");
        else
            text[n++] = *at, text[n] = '\0';
    }
    snprintf(text + n, sizeof text - n, ",1\n");
    shoal_table *table = NULL;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    const char *spec;
    bool holds_all;
    options.encode_all = true;
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    assert_ok(shoal_table_load(table, &options, &err));
    assert_ok(shoal_known_guess(&spec, &holds_all, table, 0, n_values, &err));
    if (strcmp(spec != NULL ? spec : "", expected) != 0)
        fail_msg("%s (%s): %s", name, values, spec != NULL ? spec : "none");
    assert_int_equal(holds_all, all);
    shoal_table_free(table);
}

static void test_guesses(void **state)
{
    (void)state;
    assert_guess("x", "Kenya France Japan Peru Chad", "known:countries", true);
    assert_guess("x", "Kenya France Japan Peru Chad Nowhere", "known:countries", false);
    assert_guess("x", "Kenya France Japan what else", "", false);
    assert_guess("x", "Kenya France", "", false);
    assert_guess("state", "CA DE TX", "known:us-states", true);
    assert_guess("country", "CA DE CO", "known:countries", true);
    /* languages and countries have more names */
    assert_guess("x", "CA DE CO AR MT", "known:us-states", true);
    assert_guess("diag_1", "250.83 414 786 V57 38", "known:icd9cm", true);
    assert_guess("number_diagnoses", "1 2 3 4 5 6 7 8 9", "", false);
    assert_guess("amount", "250 414 786 401 38", "", false);
    assert_guess("x", "C34.1 J45 I10 E11 M54.5", "known:icd10", true);
    assert_guess("occupation", "29-1141 15-1252 11-1021", "known:soc2018", true);
    assert_guess("isco", "2211 5120 9111", "known:isco08", true);
    assert_guess("naics_code", "622110 111110 928110", "known:naics", true);
    assert_guess("age", "17 18 19 20 21 22", "", false);
}

static shoal_status build_and_free(const char *spec)
{
    static const char *const values[] = { "250.83", "C34.1", "Kenya", "622110" };
    static const size_t lengths[] = { 6, 5, 5, 6 };
    shoal_hierarchy *tree = NULL;
    shoal_status status = shoal_hierarchy_build(
        &tree, &(shoal_values){ .n_values = 4, .texts = values, .lengths = lengths }, spec, NULL);
    shoal_hierarchy_free(tree);
    return status;
}

static shoal_status show_and_free(const char *name)
{
    shoal_hierarchy *tree = NULL;
    shoal_status status = shoal_hierarchy_known(&tree, name, NULL);
    shoal_hierarchy_free(tree);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    assert_survives_allocation_failure(build_and_free("known:icd10"));
    assert_survives_allocation_failure(build_and_free("known:countries"));
    assert_survives_allocation_failure(show_and_free("life-stages"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),          cmocka_unit_test(test_column),
        cmocka_unit_test(test_texts_are_whole), cmocka_unit_test(test_recipes),
        cmocka_unit_test(test_guesses),         cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
