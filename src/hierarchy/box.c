/* SPDX-License-Identifier: Apache-2.0 */
/* box.c - least covers of tuples and their loss; see box.h. Every function is O(n_attrs + n_words).
 */
#include "hierarchy/box.h"
#include "hierarchy/kind.h"

#include <string.h>

void shoal_box_clear(const shoal_space *space, shoal_box box)
{
    for (uint32_t a = 0; a < space->n_attrs; a++) box.ranges[a] = SHOAL_EMPTY_RANGE;
    if (space->n_words > 0) memset(box.words, 0, space->n_words * sizeof *box.words);
}

static inline void widen(shoal_range *range, uint32_t lo, uint32_t hi)
{
    if (lo < range->lo) range->lo = lo;
    if (hi > range->hi) range->hi = hi;
}

void shoal_box_add(const shoal_space *space, shoal_box box, const uint32_t *codes)
{
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        const shoal_attribute *attr = &space->attrs[a];
        if (codes[a] == attr->wild_code) continue;
        widen(&box.ranges[a], codes[a], codes[a]);
        if (attr->n_words > 0 && codes[a] < attr->n_plain)
            box.words[attr->word_at + codes[a] / 64] |= (uint64_t)1 << (codes[a] % 64);
    }
}

void shoal_box_join(const shoal_space *space, shoal_box box, shoal_box other)
{
    for (uint32_t a = 0; a < space->n_attrs; a++)
        widen(&box.ranges[a], other.ranges[a].lo, other.ranges[a].hi);
    for (uint32_t w = 0; w < space->n_words; w++) box.words[w] |= other.words[w];
}

void shoal_box_copy(const shoal_space *space, shoal_box to, shoal_box from)
{
    memcpy(to.ranges, from.ranges, space->n_attrs * sizeof *to.ranges);
    if (space->n_words > 0) memcpy(to.words, from.words, space->n_words * sizeof *to.words);
}

static uint32_t count_members(const shoal_attribute *attr, const uint64_t *words)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < attr->n_words; w++)
        n += (uint32_t)__builtin_popcountll(words[attr->word_at + w]);
    return n;
}

double shoal_box_attr_loss(const shoal_space *space, shoal_box box, uint32_t a)
{
    const shoal_attribute *attr = &space->attrs[a];
    return shoal_cover_loss(attr, box.ranges[a], count_members(attr, box.words));
}

double shoal_box_loss(const shoal_space *space, shoal_box box)
{
    double sum = 0;
    for (uint32_t a = 0; a < space->n_attrs; a++) sum += shoal_box_attr_loss(space, box, a);
    return sum;
}

static double attr_loss_with(const shoal_space *space, shoal_box box, uint32_t a, uint32_t code)
{
    const shoal_attribute *attr = &space->attrs[a];
    if (code == attr->wild_code) return shoal_box_attr_loss(space, box, a);
    shoal_range range = box.ranges[a];
    widen(&range, code, code);
    uint32_t n_members = count_members(attr, box.words);
    if (attr->n_words > 0 && code < attr->n_plain)
        n_members += !(box.words[attr->word_at + code / 64] >> (code % 64) & 1);
    return shoal_cover_loss(attr, range, n_members);
}

double shoal_box_loss_with(const shoal_space *space, shoal_box box, const uint32_t *codes,
                           double limit)
{
    double sum = 0;
    for (uint32_t a = 0; a < space->n_attrs && sum <= limit; a++)
        sum += attr_loss_with(space, box, a, codes[a]);
    return sum;
}

bool shoal_box_covers(const shoal_space *space, shoal_box box, const uint32_t *codes)
{
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        const shoal_attribute *attr = &space->attrs[a];
        uint32_t code = codes[a];
        if (code == attr->wild_code) continue;
        if (code < box.ranges[a].lo || code > box.ranges[a].hi) return false;
        bool in_set = attr->n_words > 0 && code < attr->n_plain;
        if (in_set && !(box.words[attr->word_at + code / 64] >> (code % 64) & 1)) return false;
    }
    return true;
}
