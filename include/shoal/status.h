/* SPDX-License-Identifier: Apache-2.0 */
/** @file status.h  Results of calls, error messages, the allocator, the progress callback. */
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

/** The result of a call. Numbers never change; new ones are only appended. */
typedef enum shoal_status {
    SHOAL_OK = 0,
    SHOAL_EIO = -1,        /**< a file could not be read or written */
    SHOAL_EINVAL = -2,     /**< an argument, option or plan is wrong */
    SHOAL_EUNSAT = -3,     /**< a privacy constraint is not met or cannot be met */
    SHOAL_EDATA = -4,      /**< the table or a hierarchy is malformed */
    SHOAL_EBUDGET = -5,    /**< time or memory budget reached; the best valid result was kept */
    SHOAL_ECANCELLED = -6, /**< the progress callback asked to stop */
    SHOAL_ENOMEM = -7,     /**< an allocation failed */
    SHOAL_EINTERNAL = -8   /**< a bug of the library, found by a check that is always on */
} shoal_status;

/**
 * What went wrong. Owned by the caller; meaningful only after a call that failed. The message is
 * NUL-terminated and never contains the value of a cell.
 */
typedef struct shoal_error {
    shoal_status status;
    char message[1000];
} shoal_error;

/** "SHOAL_EDATA" for SHOAL_EDATA, and so on; a static string, never NULL. */
SHOAL_API const char *shoal_status_name(shoal_status status);

/** The exit code of the command for a status (0, 1, 2, 3, 4, 5 or 130). */
SHOAL_API int shoal_status_exit_code(shoal_status status);

/** The version of the library at run time, "MAJOR.MINOR.PATCH"; a static string. */
SHOAL_API const char *shoal_version(void);

/**
 * malloc, realloc and free in one: `block` NULL allocates, `size` 0 frees (and returns NULL). Sizes
 * are bytes. Must be callable from several threads at once.
 */
typedef void *(*shoal_alloc_fn)(void *payload, void *block, size_t size);

/**
 * Replace the allocator of the whole library, its only global state. Call it while nothing of the
 * library is allocated; NULL restores malloc and free of the C library. `payload` is passed to
 * `fn`.
 */
SHOAL_API void shoal_set_allocator(shoal_alloc_fn fn, void *payload);

/**
 * Called from time to time on the caller's thread with the phase ("read", "search", ...) and the
 * fraction done in [0,1], or a negative one where it is not known. A non-zero result stops the
 * work, which then fails with SHOAL_ECANCELLED.
 */
typedef int (*shoal_progress_fn)(const char *phase, double fraction, void *payload);

#ifdef __cplusplus
}
#endif
#endif
