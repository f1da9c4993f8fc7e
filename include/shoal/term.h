/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file term.h  Definitions of models, measures, methods and report terms: the text of `shoal
 * explain`.
 *
 * The terms of a model, a measure or a method belong to its registry entry: shoal_model_terms(),
 * shoal_measure_info.terms, shoal_algorithm_terms(). All texts are static and owned by the library.
 */
#ifndef SHOAL_TERM_H
#define SHOAL_TERM_H

#ifdef __cplusplus
extern "C" {
#endif

/** Headings of the list of terms, in its order. */
typedef enum shoal_term_kind {
    SHOAL_TERM_MODEL,
    SHOAL_TERM_MEASURE,
    SHOAL_TERM_RISK,
    SHOAL_TERM_ATTACK,
    SHOAL_TERM_METHOD,
    SHOAL_TERM_WORD,
} shoal_term_kind;

/** One term. A list of terms ends with a term without names. */
typedef struct shoal_term {
    shoal_term_kind kind;
    unsigned place;      /**< position in the list of its kind, ascending; 0: after all others */
    const char *names;   /**< "gcp|global-certainty-penalty": main name first, then aliases; report
                            keys are names */
    const char *title;   /**< a short definition */
    const char *text;    /**< a few sentences */
    const char *formula; /**< or NULL */
    const char *reading; /**< how to read the number or choose the value; or NULL */
    const char *source;  /**< citation of the definition; or NULL */
} shoal_term;

#ifdef __cplusplus
}
#endif
#endif
