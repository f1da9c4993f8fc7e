/* SPDX-License-Identifier: Apache-2.0 */
/* explain_terms.c - gathers the terms of models, measures and methods from their rows, and the
 * general ones, in one order. */
#include "explain.h"

#include <limits.h>

static unsigned place_of(const shoal_term *term)
{
    return term->place > 0 ? term->place : UINT_MAX;
}

static bool is_before(const shoal_term *a, const shoal_term *b)
{
    return a->kind != b->kind ? a->kind < b->kind : place_of(a) < place_of(b);
}

/* Behind those that are before it or its equals, unless it is there: rows may share a term. */
static void insert(cli_terms *terms, const shoal_term *term)
{
    size_t at = terms->n;
    for (size_t i = 0; i < terms->n; i++)
        if (terms->items[i] == term) return;
    if (terms->n == CLI_MOST_TERMS) return;
    for (; at > 0 && is_before(term, terms->items[at - 1]); at--)
        terms->items[at] = terms->items[at - 1];
    terms->items[at] = term;
    terms->n++;
}

static void insert_list(cli_terms *terms, const shoal_term *list)
{
    for (; list != NULL && list->names != NULL; list++) insert(terms, list);
}

void cli_terms_collect(cli_terms *out)
{
    out->n = 0;
    for (size_t i = 0; i < shoal_model_count(); i++) insert_list(out, shoal_model_terms(i));
    for (size_t i = 0; i < shoal_measure_count(); i++) insert_list(out, shoal_measure_at(i)->terms);
    for (size_t i = 0; i < shoal_algorithm_count(); i++) insert_list(out, shoal_algorithm_terms(i));
    for (size_t i = 0; i < shoal_attack_count(); i++) insert_list(out, shoal_attack_terms(i));
    insert_list(out, cli_risk_terms);
    insert_list(out, cli_word_terms);
}
