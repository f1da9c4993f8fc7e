/* SPDX-License-Identifier: Apache-2.0 */
/** @file status.h  Results of calls, error messages, the allocator, the progress callback. */
#ifndef SHOAL_STATUS_H
#define SHOAL_STATUS_H

#include <stdbool.h>
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
    SHOAL_ECANCELLED = -6, /**< a callback requested a stop */
    SHOAL_ENOMEM = -7,     /**< an allocation failed */
    SHOAL_EINTERNAL = -8   /**< a bug in the library, found by a check that is always on */
} shoal_status;

/** What a marked term in an error stands for, so that a caller can spell it in its own language. */
typedef enum shoal_word_kind {
    SHOAL_WORD_OPTION = 0, /**< an option as the command writes it: "--missing", "-k 3" */
    SHOAL_WORD_SOURCE = 1  /**< the kind of input that was read, "csv", in place of its name */
} shoal_word_kind;

/**
 * Position of such a term: `length` bytes starting at `begin`, in the fix or else in the message.
 */
typedef struct shoal_error_term {
    uint8_t kind; /**< a shoal_word_kind */
    uint8_t in_fix;
    uint16_t begin, length;
} shoal_error_term;

/** At most this many terms are recorded; any others keep the spelling of the command. */
enum { SHOAL_ERROR_TERMS = 8 };

/**
 * What went wrong, and how to fix it. Texts are UTF-8 if the names in them are; texts that are too
 * long are cut at a character boundary. They never contain a cell value.
 */
typedef struct shoal_error {
    shoal_status status;
    char message[1000]; /**< what, where and which limit: complete in itself */
    char fix[1000];     /**< how to fix it; "" if unknown */
    char file[512];     /**< the file concerned, or the name it was opened under; "": none */
    char column[256];   /**< name of the column concerned; "": none */
    uint64_t row;       /**< first row concerned, counted from 1; 0: none */
    uint64_t line;      /**< first line of a file concerned, counted from 1; 0: none */
    uint32_t n_terms;
    shoal_error_term terms[SHOAL_ERROR_TERMS]; /**< those of the message first, in order */
} shoal_error;

/**
 * Fill `err` (may be NULL) and return `status`. `format` is that of printf (without `%n`, wide
 * characters and widths of strings), and has markers in braces:
 *
 *     "column '{column %s}': row {row %u} is not a number {fix} mark missing values with {--null}"
 *
 * `{fix}` ends the message and begins the fix; the spaces around it are dropped. `{file ...}`,
 * `{column ...}`, `{row ...}` and `{line ...}` are replaced by their content, which is also stored
 * in the fields of the error. `{--option}`, `{-k %u}` and `{source ...}` are terms. `{text %s}`
 * takes a string that has such markers itself; it must not contain data. All other arguments are
 * written unchanged.
 */
SHOAL_API shoal_status shoal_fail(shoal_error *err, shoal_status status, const char *format, ...)
    SHOAL_PRINTF(3, 4);

/**
 * Add context to the failure recorded in `err` (may be NULL): the text and ": " are put before its
 * message. A `{fix}` replaces the existing one; fields that are still empty are filled in.
 */
SHOAL_API shoal_status shoal_fail_in(shoal_error *err, shoal_status status, const char *format, ...)
    SHOAL_PRINTF(3, 4);

/** SHOAL_ENOMEM with the standard message. */
SHOAL_API shoal_status shoal_fail_memory(shoal_error *err);

/** Rewrite `word`, a term in a buffer of `size` bytes, or leave it unchanged. */
typedef void (*shoal_spell_fn)(char *word, size_t size, shoal_word_kind kind, void *payload);

/**
 * Spell the terms of an error differently: options as keyword arguments, a source as a file name.
 */
SHOAL_API void shoal_error_spell(shoal_error *err, shoal_spell_fn spell, void *payload);

/** "SHOAL_EDATA" for SHOAL_EDATA, and so on; never NULL. */
SHOAL_API const char *shoal_status_name(shoal_status status);

/** The exit code of the command for a status (0, 1, 2, 3, 4, 5 or 130). */
SHOAL_API int shoal_status_exit_code(shoal_status status);

/** The version of the library at run time, "MAJOR.MINOR.PATCH"; a static string. */
SHOAL_API const char *shoal_version(void);

/**
 * Number of threads that can run at once on this machine: the minimum of the CPU affinity mask, the
 * CPU quota of the control group and OMP_NUM_THREADS; at least 1. The default for `threads` in the
 * command and the packages.
 */
SHOAL_API uint32_t shoal_processors(void);

/** Seconds of the monotonic clock, for measuring how long something takes. */
SHOAL_API double shoal_seconds(void);

/**
 * malloc, realloc and free in one: `block` NULL allocates, `size` 0 frees (and returns NULL).
 * Must be callable from several threads at once.
 */
typedef void *(*shoal_alloc_fn)(void *payload, void *block, size_t size);

/**
 * Replace the allocator of the whole library, its only global state. Call it while nothing of the
 * library is allocated; NULL restores malloc and free of the C library. `payload` is passed to
 * `fn`.
 */
SHOAL_API void shoal_set_allocator(shoal_alloc_fn fn, void *payload);

/**
 * Memory from that allocator: `block` NULL allocates, `size` 0 frees and returns NULL. Otherwise
 * NULL means out of memory; `block` is then unchanged.
 */
SHOAL_API void *shoal_reallocate(void *block, size_t size);

/**
 * Called regularly on the caller's thread with the phase ("read", "search", ...) and the fraction
 * done in [0,1], negative if unknown. A non-zero result stops the work, which then fails with
 * SHOAL_ECANCELLED.
 */
typedef int (*shoal_progress_fn)(const char *phase, double fraction, void *payload);

typedef struct shoal_grouping shoal_grouping;
typedef struct shoal_outcome shoal_outcome;

/**
 * Called once in shoal_pipeline_run(), when the groups are known and nothing is written yet.
 * @param with_bound  whether the lower bound is computed; may be changed
 * @return any status but SHOAL_OK ends the run with that status
 */
typedef shoal_status (*shoal_grouped_fn)(const shoal_grouping *grouping, bool *with_bound,
                                         void *payload, shoal_error *err);
/**
 * Called once in shoal_pipeline_run(), after the release is verified and measured and before the
 * sink commits: the place to add a report to the sink.
 * @param outcome  borrowed, complete except for the time of the commit
 * @return any status but SHOAL_OK ends the run with that status, and nothing is published
 */
typedef shoal_status (*shoal_verified_fn)(const shoal_outcome *outcome, void *payload,
                                          shoal_error *err);

/**
 * Callbacks of a long call. Every function may be NULL, and so may the pointer to the struct, which
 * is borrowed for the duration of the call. Initialise with SHOAL_CALLBACKS_INIT.
 */
typedef struct shoal_callbacks {
    size_t size;                /**< set by SHOAL_CALLBACKS_INIT */
    shoal_progress_fn progress; /**< called in every phase */
    void *payload;              /**< passed to all callbacks */
    shoal_grouped_fn grouped;   /**< shoal_pipeline_run() only */
    shoal_verified_fn verified; /**< shoal_pipeline_run() only */
    /**
     * Called before a table is read whose rows must all fit in memory, with their approximate size
     * in bytes; see shoal_load_options.needs_rows.
     */
    void (*need)(uint64_t n_bytes, void *payload);
    /**
     * While an algorithm improves a valid grouping, its current loss in [0,1] (weighted by
     * priorities, if any), updated before each `progress` call; negative before that.
     */
    double *loss_so_far;
} shoal_callbacks;

/** Callbacks with a progress function only. */
#define SHOAL_PROGRESS(function, its_payload)                                                      \
    {                                                                                              \
        .size = sizeof(shoal_callbacks), .progress = (function), .payload = (its_payload)          \
    }
#define SHOAL_CALLBACKS_INIT                                                                       \
    {                                                                                              \
        .size = sizeof(shoal_callbacks)                                                            \
    }

#ifdef __cplusplus
}
#endif
#endif
