/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h - the terms of `shoal explain`. To add one, add a row to the table of its kind. */
#ifndef SHOAL_CLI_EXPLAIN_H
#define SHOAL_CLI_EXPLAIN_H

#include <stddef.h>

typedef struct cli_term {
    const char *names;   /* "gcp|global certainty penalty", main name first; with report keys */
    const char *title;   /* what it is, in a few words */
    const char *text;    /* a few sentences */
    const char *formula; /* or NULL */
    const char *reading; /* how to read the number or choose the value; or NULL */
    const char *source;  /* where it was defined; or NULL */
} cli_term;

/* Terms of one kind, ended by a row without names. */
extern const cli_term cli_model_terms[];
extern const cli_term cli_measure_terms[];
extern const cli_term cli_risk_terms[];
extern const cli_term cli_method_terms[];
extern const cli_term cli_word_terms[];

#endif
