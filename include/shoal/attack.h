/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file attack.h  Attacks on a release, carried out and counted.
 *
 * Each attack reads published text and what the attacker is assumed to know; its success is counted
 * against the original. No result proves that a release is safe: an attack that fails says nothing
 * about other attacks, and attacks that were not run are listed with the reason.
 */
#ifndef SHOAL_ATTACK_H
#define SHOAL_ATTACK_H

#include <shoal/table.h>
#include <shoal/term.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHOAL_ATTACK_DETAILS 16 /**< maximum number of details per finding */

/**
 * Make a release from another original with the method, plan and seed of the attacked release:
 * possible for anyone who has this program.
 * @param text      receives the release as CSV; the caller frees it with shoal_string_free()
 * @param original  CSV text of a whole table, in the form of the original
 * @return any status but SHOAL_OK: no release can be made from this original; SHOAL_ENOMEM and
 *     SHOAL_ECANCELLED end the attack
 */
typedef shoal_status (*shoal_attack_rerun_fn)(char **text, size_t *size, const char *original,
                                              size_t original_size, void *payload,
                                              shoal_error *err);

/** What is attacked, and what the attacker knows. All pointers are borrowed. */
typedef struct shoal_attack_request {
    size_t size; /**< set by SHOAL_ATTACK_REQUEST_INIT */
    /**
     * Loaded with encode_all. Its roles define what the attacker may know (quasi-identifiers, with
     * their hierarchies) and what he wants to learn (sensitive columns).
     */
    const shoal_table *original;
    /** Loaded with encode_all, quasi-identifiers as categories; see shoal_plan_for_release(). */
    const shoal_table *const *releases;
    size_t n_releases;
    /** Persons who are not in the releases, loaded like the original; NULL: none. */
    const shoal_table *held_out;
    /** A column of original and releases that identifies a row; NULL: rows are matched by order. */
    const char *record_key;
    uint32_t k;     /**< guaranteed by the releases; 0: groups below 2 are counted */
    uint32_t known; /**< m, the number of quasi-identifiers that the attacker knows; 0: 3. All are
                       tried, too */
    double error_share;   /**< in 0..0.5: share of the attacker's knowledge that is wrong */
    uint32_t max_subsets; /**< of m quasi-identifiers; drawn at random if there are more; 0: 20 */
    uint64_t seed;
    uint32_t threads;        /**< 0 means one; the result does not depend on it */
    const char *const *only; /**< names of attacks; NULL: all */
    size_t n_only;
    shoal_attack_rerun_fn rerun; /**< NULL: the method is not run again */
    void *rerun_payload;
    uint32_t max_reruns; /**< how often it may be called; 0: never */
    const shoal_callbacks *callbacks;
    /**
     * The row of the original of each row of a single release, by which success is counted; NULL:
     * by record key or by order.
     */
    const uint32_t *origin_of;
} shoal_attack_request;

#define SHOAL_ATTACK_REQUEST_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_attack_request), .error_share = 0.1                                   \
    }

/** A detail of a finding. Its key is a term of shoal_attack_terms(). */
typedef struct shoal_attack_detail {
    const char *key; /**< static */
    double value;    /**< NaN: unknown */
} shoal_attack_detail;

/** One variant of an attack: a set of columns, a share of errors. */
typedef struct shoal_attack_case {
    char *label; /**< names of columns and options, never a value */
    uint64_t successes, trials;
    double control;
    double smallest, median; /**< rows that the attacker cannot distinguish; NaN: not computed */
} shoal_attack_case;

/** Result of one attack on one release. Rows are counted from 1. */
typedef struct shoal_attack_finding {
    const char *name; /**< of the attack; static */
    size_t release;   /**< number of the release, from 0; SIZE_MAX: all of them together */
    bool is_tried;
    char reason[240]; /**< not run: why, and what to supply; run: what was left out, or "" */
    uint64_t successes, trials;
    double rate;    /**< successes / trials */
    double control; /**< the rate without the information that the attack uses */
    /** 95 % Wilson interval of the rate; wider if it is the worst of several cases. */
    double low, high;
    bool is_above;      /**< low > control */
    uint64_t worst_row; /**< most exposed row of the original; 0: none */
    double seconds;
    shoal_attack_detail details[SHOAL_ATTACK_DETAILS];
    size_t n_details;
    shoal_attack_case *cases;
    size_t n_cases;
} shoal_attack_finding;

/** Results of all attacks; free with shoal_attack_clear(). */
typedef struct shoal_attack_result {
    uint64_t n_rows; /**< of the original */
    size_t n_releases;
    uint32_t k;
    uint64_t seed;
    shoal_attack_finding *findings; /**< by attack, then by release */
    size_t n_findings;
    double seconds;
} shoal_attack_result;

/**
 * Run the attacks. The same tables, request and seed give the same result (except seconds).
 * @param out  set only on success
 * @return SHOAL_EINVAL (no such attack, a column that a release lacks, options out of range),
 *     SHOAL_EDATA (the release of another table, a duplicate record key), SHOAL_ECANCELLED,
 *     SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_attack_run(shoal_attack_result *out,
                                                        const shoal_attack_request *request,
                                                        shoal_error *err);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_attack_clear(shoal_attack_result *result);

/** Results of an attack on generated tables: one with a leak that it must find, one without. */
typedef struct shoal_attack_control {
    const char *name;
    shoal_attack_finding planted; /**< on a table with the leak: must be above its control */
    shoal_attack_finding null;    /**< on a release with a single group: must not be */
} shoal_attack_control;

/** The controls of all attacks; free with shoal_attack_controls_clear(). */
typedef struct shoal_attack_controls {
    shoal_attack_control *controls; /**< one per attack, in the order of the registry */
    size_t n_controls;
} shoal_attack_controls;

/** Run every attack on its two controls. SHOAL_ENOMEM, SHOAL_EINTERNAL. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_attack_controls_run(shoal_attack_controls *out,
                                                                 uint64_t seed, uint32_t threads,
                                                                 shoal_error *err);
/** True if the attack finds its planted leak and nothing in the other table. */
SHOAL_API bool shoal_attack_control_holds(const shoal_attack_control *found);
/** Free what the controls own. */
SHOAL_API void shoal_attack_controls_clear(shoal_attack_controls *controls);

/** What an attack needs in addition to an original and a release; combined with |. */
typedef enum shoal_attack_need {
    SHOAL_ATTACK_NEEDS_SENSITIVE = 1, /**< a sensitive column */
    SHOAL_ATTACK_NEEDS_RELEASES = 2,  /**< at least two releases, attacked together */
    SHOAL_ATTACK_NEEDS_RERUN = 4,     /**< the method that made the release */
    SHOAL_ATTACK_NEEDS_ROWS = 8, /**< a known correspondence between rows of release and original */
} shoal_attack_need;

/** Number of attacks. */
SHOAL_API size_t shoal_attack_count(void);
/** The attack of that name, or SIZE_MAX. */
SHOAL_API size_t shoal_attack_find(const char *name);
/** Name of an attack, "linkage"; NULL if out of range. */
SHOAL_API const char *shoal_attack_name(size_t index);
/** A one-line description; NULL if out of range. */
SHOAL_API const char *shoal_attack_help(size_t index);
/** SHOAL_ATTACK_NEEDS_... combined. */
SHOAL_API unsigned shoal_attack_needs(size_t index);
/**
 * Its terms for `shoal explain`, the attack itself first, with citation; ends with a term without
 * names.
 */
SHOAL_API const shoal_term *shoal_attack_terms(size_t index);

#ifdef __cplusplus
}
#endif
#endif
