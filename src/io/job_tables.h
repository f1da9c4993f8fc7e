/* SPDX-License-Identifier: Apache-2.0 */
/* job_tables.h - a job, and opening and loading its tables. */
#ifndef SHOAL_IO_JOB_TABLES_H
#define SHOAL_IO_JOB_TABLES_H

#include <shoal/job.h>

/* A hierarchy given as text. */
typedef struct shoal_job_hierarchy {
    const char *column;
    shoal_hierarchy *hierarchy;
} shoal_job_hierarchy;

struct shoal_job {
    shoal_spec spec;
    shoal_job_options options;
    shoal_job_hierarchy *hierarchies;
    size_t n_hierarchies;
};

/* SHOAL_EINVAL unless the specification names a quasi-identifier. */
SHOAL_NODISCARD shoal_status shoal_job_need_quasi(const shoal_job *job, shoal_error *err);
/* How the first table of the job is written; others have their own delimiter and encoding. */
shoal_csv_options shoal_job_csv(const shoal_job *job);
SHOAL_NODISCARD shoal_status shoal_job_open(shoal_table **out, const shoal_job *job,
                                            const char *path, const shoal_csv_options *csv,
                                            shoal_error *err);
/* "csv: row 3 ..." becomes "'people.csv': row 3 ...": a call may read two files. The status is
 * handed on; `path` may be NULL. */
shoal_status shoal_job_name_file(shoal_status status, const char *path, shoal_error *err);

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
