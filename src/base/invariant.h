/* SPDX-License-Identifier: Apache-2.0 */
/* invariant.h - assertions of what comments call an invariant.
 *
 * There are two kinds. A check that costs next to nothing is a plain assert(), also in the command.
 * A check that walks a structure is SHOAL_INVARIANT(predicate): it is compiled everywhere, but
 * evaluated only in the library that the tests are linked with (the files that contain the word are
 * compiled a second time with -DSHOAL_CHECK_INVARIANTS; see meson.build). The name of the predicate
 * states the invariant and appears in the message of abort(). Predicates take memory from calloc(),
 * not shoal_alloc(), because tests make one allocation after the other fail and must not count
 * theirs. tests/unit/test_invariants.c shows that they can fail.
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
