/* SPDX-License-Identifier: Apache-2.0 */
/* release.h - a release as Python holds it: a capsule around this. */
#ifndef SHOAL_PYTHON_RELEASE_H
#define SHOAL_PYTHON_RELEASE_H

#include "core.h"

#define CAPSULE "shoal.release"

/* Bytes that grow as they are written. Zero-initialised is empty. */
typedef struct text_buffer {
    char *data;
    size_t size, capacity;
} text_buffer;

typedef struct release {
    job job;
    shoal_table *table, *population;
    shoal_plan_request request;
    shoal_grouping *grouping;
    shoal_report report;
    bool is_measured, is_bounded;
    bool was_interrupted;
    shoal_level_choice *levels; /* apply: learnt on another table; else NULL. Names are borrowed while the call lasts */
    size_t n_levels;
    char *csv; /* the table as CSV, for methods whose release is text (text_release.c); else NULL */
    size_t csv_size;
    text_buffer first, second; /* of such a release: its table, and the second one of a release by buckets */
} release;

/* One byte a row, 1 where it is published; *out stays NULL when all are. Free with free(). */
shoal_status release_kept(uint8_t **out, const release *r, shoal_error *err);
/* Verify the models, and persons, on `released`, which is loaded with sensitive columns. */
shoal_status release_verify(release *r, const shoal_table *released, const shoal_table *with_sensitive, shoal_error *err);
bool release_has_models(const release *r);

/* text_release.c */
shoal_status text_load(release *r, shoal_error *err);
shoal_status text_verify(release *r, shoal_error *err);

#endif
