/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file job.h
 * @brief One call: its specification, hierarchies given as text, limits, and how its tables are
 *     read.
 *
 * The command and the packages of other languages create a job, fill in its specification, load
 * their tables with it and then call the rest of the library.
 */
#ifndef SHOAL_JOB_H
#define SHOAL_JOB_H

#include <shoal/arrow.h>
#include <shoal/hierarchy.h>
#include <shoal/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Opens a file; for callers that need more than shoal_io_open_table(). */
typedef shoal_status (*shoal_open_fn)(shoal_table **out, const char *path,
                                      const shoal_csv_options *csv, void *payload,
                                      shoal_error *err);
/** Called for each table after it is loaded. */
typedef void (*shoal_loaded_fn)(const shoal_table *table, void *payload);

/** How the tables of a job are read. Zero is the default of every field; everything is borrowed. */
typedef struct shoal_job_options {
    size_t size;
    uint32_t threads;       /**< 0: those of the specification, or all processors; 1 after fork() */
    uint64_t memory_limit;  /**< bytes; 0: none */
    const char *needs_rows; /**< see shoal_load_options */
    bool encode_all;        /**< load every column */
    const shoal_callbacks *callbacks;
    shoal_open_fn open;     /**< of paths; NULL: shoal_io_open_table() */
    shoal_loaded_fn loaded; /**< may be NULL */
    void *open_payload;     /**< passed to both */
} shoal_job_options;

#define SHOAL_JOB_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .size = sizeof(shoal_job_options)                                                          \
    }

typedef struct shoal_job shoal_job;

/**
 * Create a job.
 * @param out   free with shoal_job_free()
 * @param plan  text in the form of a plan file; NULL: fill in the specification yourself
 * @return SHOAL_EINVAL with a message; SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_job_make(shoal_job **out, const char *plan,
                                                      shoal_error *err);
/** Free a job and its specification; NULL is allowed. */
SHOAL_API void shoal_job_free(shoal_job *job);
/** The specification, to be filled in or read; owned by the job. */
SHOAL_API shoal_spec *shoal_job_spec(shoal_job *job);
/** Set the options, instead of those that were set before; before tables are loaded. */
SHOAL_API void shoal_job_set(shoal_job *job, const shoal_job_options *options);
/** Threads of the job: at least one. */
SHOAL_API uint32_t shoal_job_threads(const shoal_job *job);
/** A hierarchy for a column: `size` bytes of a level file. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_job_add_hierarchy(shoal_job *job, const char *column,
                                                               const char *text, size_t size,
                                                               shoal_error *err);

/** Take ownership of the stream and load it with the roles and hierarchies of the job. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_job_load(shoal_table **out, const shoal_job *job,
                                                      struct ArrowArrayStream *stream,
                                                      bool need_roles, shoal_error *err);
/** The same for a file; `-` is standard input. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_job_load_file(shoal_table **out, const shoal_job *job,
                                                           const char *path, bool need_roles,
                                                           shoal_error *err);
/** The same for an open table, of which it takes ownership; every column needs a role. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_job_load_opened(shoal_table **out,
                                                             const shoal_job *job,
                                                             shoal_table *table, shoal_error *err);
/**
 * A population. Without a stream (NULL, or its release is NULL), the file that the specification
 * names, if a model needs it; else `*out` is unchanged.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_job_load_population(shoal_table **out,
                                                                 const shoal_job *job,
                                                                 struct ArrowArrayStream *stream,
                                                                 const shoal_table *original,
                                                                 bool by_person, shoal_error *err);

/**
 * Number of threads that a process may use. Threads do not survive fork(), but the pool that
 * expects them does: a child that waits for them would hang. So any process other than the first
 * caller gets 1.
 */
SHOAL_API uint32_t shoal_usable_threads(uint32_t wanted);

#ifdef __cplusplus
}
#endif

#endif
