/* SPDX-License-Identifier: Apache-2.0 */
/* attack_kind.h - one attack as a row of the registry, and the functions that attacks use to report
 * findings.
 *
 * To add an attack: write src/attack/NAME.c, ending in a shoal_attack_kind, and name it in
 * SHOAL_ATTACKS and in meson.build. Its terms explain it and the keys of its details.
 */
#ifndef SHOAL_ATTACK_KIND_H
#define SHOAL_ATTACK_KIND_H

#include "attack/attack_controls.h"
#include "attack/attack_view.h"

typedef struct shoal_attack_kind {
    const char *name;
    const char *help;        /* one line, no full stop */
    unsigned needs;          /* SHOAL_ATTACK_NEEDS_...; called only where they are met */
    const shoal_term *terms; /* itself first */
    /*
     * Attack release number `release`, or all of them (SIZE_MAX) with SHOAL_ATTACK_NEEDS_RELEASES.
     * It can report that it was not tried after all, by shoal_finding_skip().
     */
    shoal_status (*run)(shoal_attack_finding *out, const shoal_attack_view *view, size_t release,
                        shoal_error *err);
    /* Write a release of the control's persons that leaks what the attack looks for; NULL: the
     * method of the controls does. */
    void (*plant)(shoal_buffer *release, const shoal_control_persons *persons, size_t number);
} shoal_attack_kind;

/* In the order of the output. */
#define SHOAL_ATTACKS(ROW)                                                                         \
    ROW(linkage)                                                                                   \
    ROW(undeclared_columns)                                                                        \
    ROW(homogeneity)                                                                               \
    ROW(definetti)                                                                                 \
    ROW(classifier)                                                                                \
    ROW(downcoding)                                                                                \
    ROW(minimality)                                                                                \
    ROW(intersection)                                                                              \
    ROW(singling_out)                                                                              \
    ROW(row_order)

#define SHOAL_DECLARE_ATTACK(row) extern const shoal_attack_kind shoal_attack_kind_##row;
SHOAL_ATTACKS(SHOAL_DECLARE_ATTACK)
#undef SHOAL_DECLARE_ATTACK

const shoal_attack_kind *shoal_attack_at(size_t index);

/* ---- findings (finding.c) ---- */

/* Add a number; `key` is static. */
void shoal_finding_add(shoal_attack_finding *finding, const char *key, double value);
/* Add a case with a copy of the label. SHOAL_ENOMEM. */
SHOAL_NODISCARD shoal_status shoal_finding_add_case(shoal_attack_finding *finding,
                                                    const shoal_attack_case *found,
                                                    const char *label, shoal_error *err);
/* Record that it was not tried, and why. */
void shoal_finding_skip(shoal_attack_finding *finding, const char *format, ...) SHOAL_PRINTF(2, 3);
/* Record what a tried attack left out. */
void shoal_finding_note(shoal_attack_finding *finding, const char *format, ...) SHOAL_PRINTF(2, 3);
/*
 * Set the success, its interval and whether that is above the control. `n_compared`: this is the
 * worst of so many cases, so the interval holds for all of them at once (Bonferroni).
 */
void shoal_finding_conclude(shoal_attack_finding *finding, const shoal_attack_case *found,
                            size_t n_compared);
void shoal_finding_clear(shoal_attack_finding *finding);

/* Names of `n` columns of a table, joined by " + ", into a buffer. */
void shoal_join_names(shoal_buffer *out, const shoal_table *table, const size_t *columns, size_t n);

#endif
