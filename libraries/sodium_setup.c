/* SPDX-License-Identifier: Apache-2.0 */
/* sodium_setup.c - sodium_init() for the part of libsodium that is compiled here: SHA-256, BLAKE2b,
 * random bytes, hexadecimal text.
 *
 * The library's own prepares every cipher that it has, and so links them all. These parts have one
 * implementation each: what is left to do is to see that the system gives random bytes. It does not
 * guard against two first calls at once; neither would harm.
 */
#include <sodium.h>

#include <stdlib.h>

int sodium_init(void)
{
    static int is_done;
    if (is_done) return 1;
    randombytes_stir();
    is_done = 1;
    return 0;
}

void sodium_misuse(void)
{
    abort();
}
