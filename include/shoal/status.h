/* SPDX-License-Identifier: Apache-2.0 */
/** @file status.h  How calls fail, where memory comes from, how long work is watched. */
#ifndef SHOAL_STATUS_H
#define SHOAL_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SHOAL_API __attribute__((visibility("default")))
#define SHOAL_NODISCARD __attribute__((warn_unused_result))
#define SHOAL_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#else
#define SHOAL_API
#define SHOAL_NODISCARD
#define SHOAL_PRINTF(format_at, args_at)
#endif

/** The result of a call. Numbers are pinned; new ones are only appended. */
typedef enum shoal_status {
    SHOAL_OK = 0,
    SHOAL_EIO = -1,        /**< a file could not be read or written */
    SHOAL_EINVAL = -2,     /**< the call, the flags or the plan are wrong */
    SHOAL_EUNSAT = -3,     /**< a privacy constraint is not met or cannot be met */
    SHOAL_EDATA = -4,      /**< the table or a hierarchy is broken */
    SHOAL_EBUDGET = -5,    /**< time or memory budget reached; the best valid result was kept */
    SHOAL_ECANCELLED = -6, /**< the progress callback asked to stop */
    SHOAL_ENOMEM = -7,     /**< an allocation failed */
    SHOAL_EINTERNAL = -8   /**< our own mistake, found by a check that is always on */
} shoal_status;

/** What went wrong, in words for a person. Never holds a cell's value. */
typedef struct shoal_error {
    shoal_status status;
    char message[1000];
} shoal_error;

/** "SHOAL_EDATA" for SHOAL_EDATA, and so on; never NULL. */
SHOAL_API const char *shoal_status_name(shoal_status status);

/** The exit code of the command for a status (0, 1, 2, 3, 4, 5 or 130). */
SHOAL_API int shoal_status_exit_code(shoal_status status);

/** The version of the library at run time, "MAJOR.MINOR.PATCH". */
SHOAL_API const char *shoal_version(void);

/**
 * How many threads can run at once on this machine: the least of what the affinity mask of the process, the CPU quota of its
 * control group and OMP_NUM_THREADS allow; at least 1. What callers give as `threads` where nothing was said.
 */
SHOAL_API uint32_t shoal_processors(void);

/**
 * malloc, realloc and free in one: `block` NULL allocates, `size` 0 frees (and returns NULL).
 * Must be callable from several threads at once.
 */
typedef void *(*shoal_alloc_fn)(void *payload, void *block, size_t size);

/** Replace the allocator. Call before anything else is live; NULL brings back the C library's. The only global. */
SHOAL_API void shoal_set_allocator(shoal_alloc_fn fn, void *payload);

/**
 * Called now and then on the caller's thread with the phase ("read", "search", ...) and the share done in
 * [0,1], or a negative share where it is not known. A non-zero return stops the work (SHOAL_ECANCELLED).
 */
typedef int (*shoal_progress_fn)(const char *phase, double fraction, void *payload);

#ifdef __cplusplus
}
#endif
#endif
