/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h - the terms of `shoal explain`: those of the library's rows, and general ones.
 *
 * To explain a model, a measure or a method: give its row a term. For a general word: a row in
 * explain_words.c.
 */
#ifndef SHOAL_CLI_EXPLAIN_H
#define SHOAL_CLI_EXPLAIN_H

#include <shoal/shoal.h>

enum { CLI_MOST_TERMS = 400 };

typedef struct cli_terms {
    const shoal_term *items[CLI_MOST_TERMS]; /* by kind, then by place */
    size_t n;
} cli_terms;

/* All terms, each once. */
void cli_terms_collect(cli_terms *out);

/* Terms of no single row, each list ended by a term without names. */
extern const shoal_term cli_risk_terms[];
extern const shoal_term cli_word_terms[];

#endif
