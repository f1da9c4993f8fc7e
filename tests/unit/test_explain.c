/* SPDX-License-Identifier: Apache-2.0 */
/* test_explain.c - the terms of `shoal explain`: whole, without doubles, and one for every method
 * and model. */
#include "explain.h"
#include "test.h"

#include <shoal/shoal.h>
#include <stdio.h>

static cli_terms terms;

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
    for (size_t t = 0; t < terms.n; t++)
        if (has_name(terms.items[t]->names, name)) return true;
    return false;
}

static void test_every_method(void **state)
{
    (void)state;
    assert_true(shoal_algorithm_count() > 0);
    for (size_t i = 0; i < shoal_algorithm_count(); i++)
        if (!is_explained(shoal_algorithm_name(i)))
            fail_msg("no term for the method %s", shoal_algorithm_name(i));
}

static void test_every_model(void **state)
{
    (void)state;
    assert_true(shoal_model_count() > 0);
    for (size_t i = 0; i < shoal_model_count(); i++) {
        char both[100];
        snprintf(both, sizeof both, "%s-%s", shoal_model_variant(i), shoal_model_name(i));
        if (!is_explained(*shoal_model_variant(i) != '\0' ? both : shoal_model_name(i)) &&
            !is_explained(shoal_model_name(i)))
            fail_msg("no term for the model %s %s", shoal_model_variant(i), shoal_model_name(i));
    }
}

/* And every number that it reports: the controls run all of them. */
static void test_every_attack(void **state)
{
    (void)state;
    shoal_error err;
    shoal_attack_controls controls;
    assert_true(shoal_attack_count() > 0);
    assert_ok(shoal_attack_controls_run(&controls, 1, 1, &err));
    for (size_t i = 0; i < controls.n_controls; i++) {
        const shoal_attack_finding *f = &controls.controls[i].planted;
        if (!is_explained(f->name)) fail_msg("no term for the attack %s", f->name);
        for (size_t d = 0; d < f->n_details; d++)
            if (!is_explained(f->details[d].key))
                fail_msg("no term for %s of the attack %s", f->details[d].key, f->name);
    }
    shoal_attack_controls_clear(&controls);
}

/* Methods and models that the manual and papers name, whether or not this version has them. */
static void test_known_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "shoal",
        "kmembers",
        "kmembers-p",
        "oka",
        "kaca",
        "dbca",
        "dbca-cm",
        "koc",
        "kmeans",
        "toc",
        "upc",
        "mondrian",
        "mondrian-relaxed",
        "infogain-mondrian",
        "incognito",
        "datafly",
        "samarati",
        "optimal",
        "iack",
        "iacc",
        "personalised",
        "anatomy",
        "k-anonymity",
        "distinct-l-diversity",
        "entropy-l-diversity",
        "recursive-l-diversity",
        "t-closeness",
        "t-closeness-ordered",
        "t-closeness-hierarchical",
        "alpha-k-anonymity",
        "p-sensitive-k-anonymity",
        "beta-likeness",
        "enhanced-beta-likeness",
        "delta-disclosure",
        "range-diversity",
        "delta-presence",
        "k-map",
        "person-level-k",
        "qid-sets",
        "gcp",
        "ncp",
        "um",
        "wgu",
        "dm",
        "cavg",
        "genc",
        "cm",
        "distortion",
        "modification_rate",
        "mpm",
        "wgp",
        "s-diversity",
        "lower_bound",
        "gap",
        "are",
        "prosecutor",
        "journalist",
        "marketer",
        "roles",
        "missing",
        "suppression",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!is_explained(names[i])) fail_msg("no term for %s", names[i]);
}

/* Each term has its own first name, a title and a text that ends in a full stop. */
static void test_terms_are_whole(void **state)
{
    (void)state;
    assert_true(terms.n < CLI_MOST_TERMS);
    for (size_t t = 0; t < terms.n; t++) {
        const shoal_term *term = terms.items[t];
        assert_true(term->title != NULL && term->text != NULL);
        size_t length = strlen(term->text), own = strcspn(term->names, "|");
        if (length < 10 || term->text[length - 1] != '.')
            fail_msg("%s: its text is no sentence", term->names);
        for (size_t u = 0; u < terms.n; u++) {
            const shoal_term *other = terms.items[u];
            if (other != term && strcspn(other->names, "|") == own &&
                memcmp(other->names, term->names, own) == 0)
                fail_msg("%s: two terms have this name", term->names);
        }
    }
}

/* By kind, then by place; one without a place behind the others of its kind. */
static void test_order(void **state)
{
    (void)state;
    for (size_t t = 1; t < terms.n; t++) {
        const shoal_term *a = terms.items[t - 1], *b = terms.items[t];
        assert_true(a->kind <= b->kind);
        if (a->kind == b->kind && b->place > 0 && !(a->place > 0 && a->place < b->place))
            fail_msg("place %u of %s, then %u of %s", (unsigned)a->place, a->names,
                     (unsigned)b->place, b->names);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method),    cmocka_unit_test(test_every_model),
        cmocka_unit_test(test_every_attack),    cmocka_unit_test(test_known_names),
        cmocka_unit_test(test_terms_are_whole), cmocka_unit_test(test_order),
    };
    cli_terms_collect(&terms);
    return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
