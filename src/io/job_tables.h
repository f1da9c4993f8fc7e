/* SPDX-License-Identifier: Apache-2.0 */
/* job_tables.h - tables that are open already, loaded by a job. */
#ifndef SHOAL_IO_JOB_TABLES_H
#define SHOAL_IO_JOB_TABLES_H

#include <shoal/job.h>

/* Each takes the opened table over: it is in *out, or freed. */

SHOAL_NODISCARD shoal_status shoal_job_prepare(shoal_table **out, const shoal_job *job,
                                               shoal_table *table, bool need_roles,
                                               shoal_error *err);
/* `original` may be NULL, `parts` are SHOAL_PART_...; the column of counts is left out where the
 * table lacks it. */
SHOAL_NODISCARD shoal_status shoal_job_prepare_released(shoal_table **out, const shoal_job *job,
                                                        shoal_table *table,
                                                        const shoal_table *original, unsigned parts,
                                                        shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_job_prepare_population(shoal_table **out, const shoal_job *job,
                                                          shoal_table *table,
                                                          const shoal_table *original,
                                                          bool by_person, shoal_error *err);

#endif
