/* SPDX-License-Identifier: Apache-2.0 */
/* dataset.h - the tables that are measured, as `datasets.sh` lays them out: FOLDER/NAME/table.csv
 * and hierarchies/. */
#ifndef BENCH_DATASET_H
#define BENCH_DATASET_H

#include <shoal/shoal.h>

enum { N_KS = 6 };
extern const uint32_t bench_ks[N_KS]; /* 2, 5, 10, 25, 50, 100 */

/* Seconds of a clock that only goes forward. */
double bench_seconds(void);

/* Is there such a table? */
bool dataset_exists(const char *folder, const char *name);

/*
 * Read a table with the eight quasi-identifiers of Adult, age as a number, the others by their
 * hierarchies.
 * `*seconds` (may be NULL) receives the time of reading and encoding cells, hierarchies included.
 */
SHOAL_NODISCARD shoal_status dataset_open(shoal_table **out, const char *folder, const char *name,
                                          uint32_t threads, double *seconds, shoal_error *err);

/* The same with occupation as a sensitive column, and seven quasi-identifiers. */
SHOAL_NODISCARD shoal_status dataset_open_protected(shoal_table **out, const char *folder,
                                                    const char *name, uint32_t threads,
                                                    shoal_error *err);

/* Does the method need that? toc.sh and upc.sh measure such methods by what they are for. */
bool dataset_needs_sensitive(const char *algorithm);

#endif
