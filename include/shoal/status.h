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
    SHOAL_ECANCELLED = -6, /**< the progress callback asked to stop */
    SHOAL_ENOMEM = -7,     /**< an allocation failed */
    SHOAL_EINTERNAL = -8   /**< a bug of the library, found by a check that is always on */
} shoal_status;

/** What a word of an error stands for, so that a caller can write it in a language of its own. */
typedef enum shoal_word_kind {
    SHOAL_WORD_OPTION = 0, /**< an option as the command writes it: "--missing", "-k 3" */
    SHOAL_WORD_SOURCE = 1  /**< the kind of input that was read, "csv", in place of its name */
} shoal_word_kind;

/** Where such a word is: `length` bytes from `begin` on, in the fix or else in the message. */
typedef struct shoal_error_term {
    uint8_t kind; /**< a shoal_word_kind */
    uint8_t in_fix;
    uint16_t begin, length;
} shoal_error_term;

/** So many terms are kept; further ones stay as the command writes them. */
enum { SHOAL_ERROR_TERMS = 8 };

/**
 * What went wrong, and what to do about it. Texts are UTF-8 if the names in them are, and are cut
 * between characters where they are too long. They never hold a cell's value.
 */
typedef struct shoal_error {
    shoal_status status;
    char message[1000]; /**< what and where, which limit: all there is to know, in words */
    char fix[1000];     /**< what to do about it; "" where nothing is known */
    char file[512];     /**< the file that is meant, or the name it was given; "" if none is */
    char column[256];   /**< the name of the column that is meant; "" if none is */
    uint64_t row;       /**< the first row that is meant, counted from 1; 0 if none is */
    uint64_t line;      /**< the first line of a file that is meant, counted from 1; 0 if none is */
    uint32_t n_terms;
    shoal_error_term terms[SHOAL_ERROR_TERMS]; /**< those of the message first, in its order */
} shoal_error;

/**
 * Fill `err` (may be NULL) and return `status`. `format` is that of printf (without
 * `%n`, wide characters and widths of strings), and has places in braces:
 *
 *     "column '{column %s}': row {row %u} is no number {fix} name what means missing with {--null}"
 *
 * `{fix}` ends the message and begins the fix; the spaces around it are dropped. `{file ...}`,
 * `{column ...}`, `{row ...}` and `{line ...}` are written as what they hold, and kept as parts of
 * the error. `{--option}`, `{-k %u}` and `{source ...}` are terms. `{text %s}` takes a string that
 * has such places itself, and is no data. Whatever else the arguments hold is written as it is.
 */
SHOAL_API shoal_status shoal_fail(shoal_error *err, shoal_status status, const char *format, ...)
    SHOAL_PRINTF(3, 4);

/**
 * Say where a failure happened that `err` tells of (may be NULL): the text and ": "
 * go before its message. A `{fix}` replaces the one there is; parts are added, those known stay.
 */
SHOAL_API shoal_status shoal_fail_in(shoal_error *err, shoal_status status, const char *format, ...)
    SHOAL_PRINTF(3, 4);

/** SHOAL_ENOMEM, with its usual words. */
SHOAL_API shoal_status shoal_fail_memory(shoal_error *err);

/** Change `word`, a term in a buffer of `size` bytes, or leave it as it is. */
typedef void (*shoal_spell_fn)(char *word, size_t size, shoal_word_kind kind, void *payload);

/**
 * Write the terms of an error in another way: options as keywords of a language, a source as the
 * name of a file.
 */
SHOAL_API void shoal_error_spell(shoal_error *err, shoal_spell_fn spell, void *payload);

/** "SHOAL_EDATA" for SHOAL_EDATA, and so on; never NULL. */
SHOAL_API const char *shoal_status_name(shoal_status status);

/** The exit code of the command for a status (0, 1, 2, 3, 4, 5 or 130). */
SHOAL_API int shoal_status_exit_code(shoal_status status);

/** The version of the library at run time, "MAJOR.MINOR.PATCH"; a static string. */
SHOAL_API const char *shoal_version(void);

/**
 * How many threads can run at once on this machine: the least of what the affinity mask of the
 * process, the CPU quota of its control group and OMP_NUM_THREADS allow; at least 1. What callers
 * give as `threads` where nothing was said.
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
 * Memory of that allocator: `block` NULL allocates, `size` 0 frees and returns NULL. NULL otherwise
 * means that memory is short; `block` is then as it was.
 */
SHOAL_API void *shoal_reallocate(void *block, size_t size);

/**
 * Called from time to time on the caller's thread with the phase ("read", "search", ...) and the
 * fraction done in [0,1], or a negative one where it is not known. A non-zero result stops the
 * work, which then fails with SHOAL_ECANCELLED.
 */
typedef int (*shoal_progress_fn)(const char *phase, double fraction, void *payload);

typedef struct shoal_grouping shoal_grouping;
typedef struct shoal_outcome shoal_outcome;

/**
 * Called once in shoal_pipeline_run(), when the groups are known and nothing is written yet.
 * @param with_bound  is the lower bound wanted? May be changed
 * @return anything but SHOAL_OK ends the run with it
 */
typedef shoal_status (*shoal_grouped_fn)(const shoal_grouping *grouping, bool *with_bound,
                                         void *payload, shoal_error *err);
/**
 * Called once in shoal_pipeline_run(), when the release was verified and measured, and before the
 * sink commits: the place to add a report to the sink.
 * @param outcome  borrowed, complete except for the time of the commit
 * @return anything but SHOAL_OK ends the run with it, and nothing is published
 */
typedef shoal_status (*shoal_verified_fn)(const shoal_outcome *outcome, void *payload,
                                          shoal_error *err);

/**
 * What a call tells its caller while it works. Every function may be NULL, and so may a pointer to
 * the whole. It is borrowed for the call. Begin with SHOAL_CALLBACKS_INIT.
 */
typedef struct shoal_callbacks {
    size_t size;                /**< set by SHOAL_CALLBACKS_INIT */
    shoal_progress_fn progress; /**< of every phase */
    void *payload;              /**< passed to all of them */
    shoal_grouped_fn grouped;   /**< of shoal_pipeline_run() */
    shoal_verified_fn verified; /**< of shoal_pipeline_run() */
    /**
     * Before a table is read whose rows must all be in memory: about how many bytes they take; see
     * shoal_load_options.needs_rows.
     */
    void (*need)(uint64_t n_bytes, void *payload);
    /**
     * Where an algorithm improves a valid grouping, its loss so far, in [0,1] (the weighted one
     * where there are priorities), is here whenever `progress` is called; below 0 until then.
     */
    double *loss_so_far;
} shoal_callbacks;

/** Callbacks that tell progress alone. */
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
