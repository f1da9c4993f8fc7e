/* SPDX-License-Identifier: Apache-2.0 */
/* invariant.h - what comments call an invariant, asserted.
 *
 * Two kinds. What costs next to nothing where it stands is a plain assert(), in the command too.
 * What walks a structure is SHOAL_INVARIANT(predicate): it is compiled everywhere, and evaluated in
 * the library that the tests are linked with (the files that contain the word are compiled once
 * more for it, with -DSHOAL_CHECK_INVARIANTS; see meson.build). The predicate's name says the
 * invariant, and an abort shows it. Predicates take memory from calloc(), not shoal_alloc(): tests
 * that let one allocation after the other fail must not see them. tests/unit/test_invariants.c
 * shows that they can fail.
 */
#ifndef SHOAL_INVARIANT_H
#define SHOAL_INVARIANT_H

#include <assert.h>

#ifdef SHOAL_CHECK_INVARIANTS
enum { SHOAL_CHECKS_INVARIANTS = 1 };
#else
enum { SHOAL_CHECKS_INVARIANTS = 0 };
#endif

#define SHOAL_INVARIANT(predicate)                                                                 \
    do {                                                                                           \
        if (SHOAL_CHECKS_INVARIANTS) assert(predicate);                                            \
    } while (0)

#endif
