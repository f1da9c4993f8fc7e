/* SPDX-License-Identifier: Apache-2.0 */
/* rng.c - xoshiro256** seeded by splitmix64: small, fast, the same on every machine.
 *
 * Blackman, Vigna: Scrambled linear pseudorandom number generators, ACM TOMS 47(4), 2021.
 * Not cryptographic: it is used to break ties and to draw samples.
 */
#include "base/base.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void shoal_rng_init(shoal_rng *rng, uint64_t seed, uint64_t task)
{
    uint64_t state = seed;
    state = splitmix(&state) ^ (task * 0xd1342543de82ef95u);
    for (int i = 0; i < 4; i++) rng->state[i] = splitmix(&state);
}

static uint64_t rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

uint64_t shoal_rng_next(shoal_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t shoal_rng_below(shoal_rng *rng, uint64_t bound)
{
    /* 2^64 mod bound; dropping that many values makes the remainder uniform */
    uint64_t reject = (0 - bound) % bound;
    uint64_t x;
    do x = shoal_rng_next(rng);
    while (x < reject);
    return x % bound;
}

double shoal_rng_unit(shoal_rng *rng)
{
    /* 53 bits: all that a double's mantissa holds */
    return (double)(shoal_rng_next(rng) >> 11) * 0x1.0p-53;
}

double shoal_rng_normal(shoal_rng *rng)
{
    /* Marsaglia's polar method; the second number of the pair is dropped so that no state is kept
     */
    for (;;) {
        double x = 2 * shoal_rng_unit(rng) - 1, y = 2 * shoal_rng_unit(rng) - 1, s = x * x + y * y;
        if (s > 0 && s < 1) return x * sqrt(-2 * log(s) / s);
    }
}
