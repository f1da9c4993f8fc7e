/* SPDX-License-Identifier: Apache-2.0 */
/* test_explain.c - the terms of `shoal explain`: whole, without doubles, and one for every method and model. */
#include "explain.h"
#include "test.h"

#include <shoal/shoal.h>
#include <stdio.h>

static const cli_term *const tables[] = { cli_model_terms, cli_measure_terms, cli_risk_terms, cli_method_terms, cli_word_terms };
enum { N_TABLES = sizeof tables / sizeof *tables };

/* Is `name` one of "a|b|c"? */
static bool has_name(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; *at != '\0';) {
        size_t here = strcspn(at, "|");
        if (here == length && memcmp(at, name, length) == 0) return true;
        at += here + (at[here] == '|');
    }
    return false;
}

static bool is_explained(const char *name)
{
    for (size_t t = 0; t < N_TABLES; t++)
        for (const cli_term *term = tables[t]; term->names != NULL; term++)
            if (has_name(term->names, name)) return true;
    return false;
}

static void test_every_method(void **state)
{
    (void)state;
    assert_true(shoal_algorithm_count() > 0);
    for (size_t i = 0; i < shoal_algorithm_count(); i++)
        if (!is_explained(shoal_algorithm_name(i)))
            fail_msg("cli/explain_methods.c has no term for the method %s", shoal_algorithm_name(i));
}

static void test_every_model(void **state)
{
    (void)state;
    assert_true(shoal_model_count() > 0);
    for (size_t i = 0; i < shoal_model_count(); i++) {
        char both[100];
        snprintf(both, sizeof both, "%s-%s", shoal_model_variant(i), shoal_model_name(i));
        if (!is_explained(*shoal_model_variant(i) != '\0' ? both : shoal_model_name(i)) && !is_explained(shoal_model_name(i)))
            fail_msg("cli/explain_models.c has no term for the model %s %s", shoal_model_variant(i), shoal_model_name(i));
    }
}

/* Methods and models that the manual and papers name, whether or not this version has them. */
static void test_known_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "shoal", "kmembers", "kmembers-p", "oka", "kaca", "dbca", "dbca-cm", "koc", "kmeans", "toc", "upc", "mondrian",
        "mondrian-relaxed", "infogain-mondrian", "incognito", "datafly", "samarati", "optimal", "iack", "iacc", "personalised",
        "anatomy", "k-anonymity", "distinct-l-diversity", "entropy-l-diversity", "recursive-l-diversity", "t-closeness",
        "t-closeness-ordered", "t-closeness-hierarchical", "alpha-k-anonymity", "p-sensitive-k-anonymity", "beta-likeness",
        "enhanced-beta-likeness", "delta-disclosure", "range-diversity", "delta-presence", "k-map", "person-level-k", "qid-sets",
        "gcp", "ncp", "um", "wgu", "dm", "cavg", "genc", "cm", "distortion", "modification_rate", "mpm", "wgp", "s-diversity",
        "lower_bound", "gap", "are", "prosecutor", "journalist", "marketer", "roles", "missing", "suppression",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!is_explained(names[i])) fail_msg("no term for %s", names[i]);
}

/* Each term has its own first name, a title and a text that ends in a full stop. */
static void test_terms_are_whole(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TABLES; t++)
        for (const cli_term *term = tables[t]; term->names != NULL; term++) {
            assert_true(term->title != NULL && term->text != NULL);
            size_t length = strlen(term->text), own = strcspn(term->names, "|");
            if (length < 10 || term->text[length - 1] != '.') fail_msg("%s: its text is no sentence", term->names);
            for (size_t u = 0; u < N_TABLES; u++)
                for (const cli_term *other = tables[u]; other->names != NULL; other++)
                    if (other != term && strcspn(other->names, "|") == own && memcmp(other->names, term->names, own) == 0)
                        fail_msg("%s: two terms have this name", term->names);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method),
        cmocka_unit_test(test_every_model),
        cmocka_unit_test(test_known_names),
        cmocka_unit_test(test_terms_are_whole),
    };
    return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
