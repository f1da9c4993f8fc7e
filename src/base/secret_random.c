/* SPDX-License-Identifier: Apache-2.0 */
/* secret_random.c - unpredictable random numbers from the system, for draws that protect
 * identities.
 *
 * The generator of rng.c repeats its numbers for a seed, and seeds are printed in reports. Cost: a
 * system call every 32 numbers.
 */
#define _DEFAULT_SOURCE /* getentropy */
#define _DARWIN_C_SOURCE
#include "base/base.h"

#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

static int (*source)(void *data, size_t size) = getentropy;

void shoal_secret_set_source(int (*fill)(void *data, size_t size))
{
    source = fill != NULL ? fill : getentropy;
}

static uint64_t next_word(shoal_secret *secret)
{
    if (secret->n_left == 0) {
        if (source(secret->words, sizeof secret->words) != 0) secret->failed = true;
        secret->n_left = SHOAL_SECRET_WORDS;
    }
    uint64_t word = secret->words[--secret->n_left];
    secret->words[secret->n_left] = 0; /* what was drawn is not left in memory */
    return word;
}

uint64_t shoal_secret_below(shoal_secret *secret, uint64_t bound)
{
    /* of 2^64; words from there on would favour small numbers */
    uint64_t remainder = (UINT64_MAX % bound + 1) % bound, word;
    do word = next_word(secret);
    while (remainder > 0 && word >= UINT64_MAX - remainder + 1 && !secret->failed);
    return word % bound;
}

void shoal_secret_shuffle(shoal_secret *secret, uint32_t *items, uint64_t n)
{
    for (uint64_t i = n; i > 1; i--) {
        uint64_t j = shoal_secret_below(secret, i);
        uint32_t item = items[i - 1];
        items[i - 1] = items[j];
        items[j] = item;
    }
}

shoal_status shoal_secret_check(const shoal_secret *secret, shoal_error *err)
{
    if (!secret->failed) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EIO,
        "no random numbers from the operating system {fix} allow the system call getrandom");
}
