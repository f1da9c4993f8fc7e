/* SPDX-License-Identifier: Apache-2.0 */
/** @file term.h  What a model, a measure, a method or a word of a report means: what `shoal
 * explain` prints.
 *
 * The terms of a model, a measure or a method belong to its row: shoal_model_terms(),
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

/** One term. A list of terms is ended by one without names. */
typedef struct shoal_term {
    shoal_term_kind kind;
    unsigned
        place; /**< where the list of its kind has it, ascending; 0: behind those that have one */
    const char
        *names; /**< "gcp|global-certainty-penalty": its name first; keys of reports are names */
    const char *title;   /**< what it is, in a few words */
    const char *text;    /**< a few sentences */
    const char *formula; /**< or NULL */
    const char *reading; /**< how to read the number or choose the value; or NULL */
    const char *source;  /**< where it was defined: the citation; or NULL */
} shoal_term;

#ifdef __cplusplus
}
#endif
#endif
