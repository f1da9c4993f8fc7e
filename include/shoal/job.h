/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file job.h
 * @brief Tables of one call from a caller with data frames: a plan and hierarchies as text, tables
 *     as Arrow streams.
 *
 * Packages for other languages create a job, load their tables with it and then call the rest of
 * the library.
 */
#ifndef SHOAL_JOB_H
#define SHOAL_JOB_H

#include <shoal/arrow.h>
#include <shoal/hierarchy.h>
#include <shoal/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A hierarchy given as text. */
typedef struct shoal_job_hierarchy {
    const char *column;
    shoal_hierarchy *hierarchy;
} shoal_job_hierarchy;

/** Plan, hierarchies and threads of one call. Set the last three before loading tables. */
typedef struct shoal_job {
    shoal_plan plan;
    uint32_t threads; /**< those of the plan, or all processors; 1 after fork() */
    shoal_job_hierarchy *hierarchies;
    size_t n_hierarchies;
    bool encode_all; /**< load every column */
    const shoal_callbacks *callbacks;
} shoal_job;

/** An empty job. */
#define SHOAL_JOB_INIT                                                                             \
    {                                                                                              \
        .plan = SHOAL_PLAN_INIT                                                                    \
    }

/**
 * Number of threads that a process may use. Threads do not survive fork(), but the pool that
 * expects them does: a child that waits for them would hang. So any process other than the first
 * caller gets 1.
 */
SHOAL_API uint32_t shoal_usable_threads(uint32_t wanted);

/**
 * Read the plan, text in the form of a plan file, into an empty job.
 * @return SHOAL_EINVAL with a message
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_job_begin(shoal_job *job, const char *plan,
                                                       shoal_error *err);
/** A hierarchy for a column: `size` bytes of a level file. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_job_add_hierarchy(shoal_job *job, const char *column,
                                                               const char *text, size_t size,
                                                               shoal_error *err);
/** Free what a job owns; it is empty afterwards. */
SHOAL_API void shoal_job_clear(shoal_job *job);

/** Take ownership of the stream and load it with the plan's roles and the job's hierarchies. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_job_load(shoal_table **out, const shoal_job *job,
                                                      struct ArrowArrayStream *stream,
                                                      bool need_roles, shoal_error *err);
/** The same for an open table, of which it takes ownership; every column needs a role. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_job_load_opened(shoal_table **out,
                                                             const shoal_job *job,
                                                             shoal_table *table, shoal_error *err);
/**
 * A population. Without a stream (its release is NULL), the file that the plan names, if a model
 * needs it; else `*out` is unchanged.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_job_load_population(shoal_table **out,
                                                                 const shoal_job *job,
                                                                 struct ArrowArrayStream *stream,
                                                                 const shoal_table *original,
                                                                 bool by_person, shoal_error *err);

#ifdef __cplusplus
}
#endif

#endif
