/* SPDX-License-Identifier: Apache-2.0 */
/* attack_controls.h - invented persons on which attacks must find a planted leak, and nothing
 * without one.
 */
#ifndef SHOAL_ATTACK_CONTROLS_H
#define SHOAL_ATTACK_CONTROLS_H

#include "base/base.h"

enum { SHOAL_CONTROL_PERSONS = 600 };

/* Sorted by key, 0, 1, 2, ... An illness depends on sex: each has one that four of five have. */
typedef struct shoal_control_persons {
    uint32_t age[SHOAL_CONTROL_PERSONS];     /* 18..77 */
    uint32_t zip[SHOAL_CONTROL_PERSONS];     /* 0..39 */
    uint32_t sex[SHOAL_CONTROL_PERSONS];     /* 0 or 1 */
    uint32_t illness[SHOAL_CONTROL_PERSONS]; /* 0..2 */
    uint32_t visit[SHOAL_CONTROL_PERSONS];   /* different for all */
    uint32_t order[SHOAL_CONTROL_PERSONS];   /* a random order of the persons */
} shoal_control_persons;

/* What a row publishes of a person. Texts are those of the release. */
typedef struct shoal_control_row {
    const char *age, *zip, *sex;
    uint32_t person;
} shoal_control_row;

/* The header "key,age,zip,sex,illness", and a row below it. */
void shoal_control_head(shoal_buffer *out);
void shoal_control_line(shoal_buffer *out, const shoal_control_persons *persons,
                        const shoal_control_row *row);
/*
 * Write groups of `size` persons, taken in the order of `list`; of each the interval of its ages,
 * and `*` for the others.
 */
void shoal_control_groups(shoal_buffer *out, const shoal_control_persons *persons,
                          const uint32_t *list, uint32_t size);
/* Write all persons unchanged. */
void shoal_control_exact(shoal_buffer *out, const shoal_control_persons *persons);

#endif
