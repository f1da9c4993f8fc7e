/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster_bound.h - the loss of a cluster with one more class of a kernel, and a lower bound over
 * the classes under a node.
 */
#ifndef SHOAL_CLUSTER_BOUND_H
#define SHOAL_CLUSTER_BOUND_H

#include "search/lookup.h"

/*
 * Does the set have a member with a code in lo..hi? The first and the last word are masked to the
 * range.
 */
static inline bool has_member_in(const shoal_measure_line *line, const uint64_t *words, uint32_t lo,
                                 uint32_t hi)
{
    words += line->word_at;
    for (uint32_t w = lo / 64; w <= hi / 64 && w < line->n_words; w++) {
        uint64_t mask = words[w];
        if (w == lo / 64) mask &= ~(uint64_t)0 << (lo % 64);
        if (w == hi / 64) mask &= ~(uint64_t)0 >> (63 - hi % 64);
        if (mask != 0) return true;
    }
    return false;
}

/* Sets: one of the codes in `range` may be a member already, then it adds no loss. */
static inline shoal_loss set_bound(const shoal_measure_line *line, const shoal_cluster *cluster,
                                   uint32_t a, shoal_range range)
{
    if (range.lo >= line->top_from) return line->one;
    shoal_range own = cluster->ranges[a];
    if (own.lo <= own.hi && own.hi >= line->top_from) return line->one;
    return line->set_loss[cluster->n_members[a] +
                          !has_member_in(line, cluster->words, range.lo, range.hi)];
}

/*
 * The least loss of attribute `a` over candidates with codes in `range`: at the code nearest to the
 * cluster's own range. A wild code is the highest one, so it is in the range if it is its end; it
 * adds no loss.
 */
static inline shoal_loss attr_bound(const shoal_measure_line *line, const shoal_cluster *cluster,
                                    uint32_t a, shoal_range range)
{
    if (range.hi == line->wild_code) return cluster->losses[a];
    if (line->is_set) return set_bound(line, cluster, a, range);
    shoal_range own = cluster->ranges[a];
    /* no rows, or only wild codes so far */
    if (own.lo > own.hi) return range.lo >= line->top_from ? line->one : 0;
    if (range.lo > own.hi) return shoal_line_range(line, own.lo, range.lo);
    if (range.hi < own.lo) return shoal_line_range(line, range.hi, own.hi);
    return cluster->losses[a];
}

/* The codes of the class at a place. (Kernels with byte codes take them from the classes.) */
static inline const uint32_t *codes_at(const shoal_kernel *kernel, uint32_t place)
{
    if (kernel->codes != NULL) return kernel->codes + (size_t)place * kernel->n_attrs;
    return shoal_class_codes(kernel->classes, kernel->class_at[place]);
}

/*
 * Of eight attributes a byte of 1 where the node's range begins above the least of several members,
 * else 0; compilers make one vector instruction of the loop.
 */
static inline uint64_t begins_among_members(const uint8_t *lo, const uint8_t *lows,
                                            const uint8_t *several)
{
    uint8_t low[8], own[8], mask[8];
    uint64_t all;
    memcpy(low, lo, 8);
    memcpy(own, lows, 8);
    memcpy(mask, several, 8);
    for (int i = 0; i < 8; i++) mask[i] &= low[i] > own[i] ? UINT8_MAX : 0;
    memcpy(&all, mask, 8);
    return all & UINT64_C(0x0101010101010101);
}

/* Which of eight bytes in memory the lowest bit of their word is in. */
static inline uint32_t byte_of_lowest_bit(uint64_t word)
{
    uint32_t byte = (uint32_t)__builtin_ctzll(word) / 8;
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? byte : 7 - byte;
}

/*
 * What the look-up charges too much for sets: it takes the code of the node's range nearest to the
 * least member, so the least code of the range if that is above, but there may be another member.
 */
static inline shoal_loss set_discount(const shoal_kernel *kernel, const uint8_t *narrow,
                                      uint32_t node, const shoal_cluster *cluster)
{
    const uint8_t *lo = narrow + (size_t)node * 2 * kernel->stride, *hi = lo + kernel->stride;
    shoal_loss sum = 0;
    for (uint32_t eight = 0; eight < kernel->stride; eight += 8) {
        uint64_t left = begins_among_members(lo + eight, cluster->lows + eight,
                                             cluster->several + eight);
        for (; left != 0; left &= left - 1) {
            uint32_t a = eight + byte_of_lowest_bit(left);
            uint8_t member = cluster->next_member[(size_t)a * 256 + lo[a]];
            const shoal_loss *table = cluster->table + (size_t)a * 256;
            if (member <= hi[a]) sum += table[lo[a]] - table[member];
        }
    }
    return sum;
}

static inline shoal_loss untabled_bound(const shoal_kernel *kernel, uint32_t node,
                                        const shoal_cluster *cluster)
{
    const shoal_metric *metric = kernel->metric;
    const shoal_range *ranges = kernel->untabled_ranges + (size_t)node * metric->n_untabled;
    shoal_loss sum = 0;
    for (uint32_t i = 0; i < metric->n_untabled; i++) {
        uint32_t a = metric->untabled[i];
        sum += attr_bound(&metric->lines[a], cluster, a, ranges[i]);
    }
    return sum;
}

/*
 * A lower bound of the cluster's loss with any class under the node; a partial sum is returned once
 * it is above `limit`.
 */
static inline shoal_loss cluster_bound(const shoal_kernel *kernel, const uint8_t *narrow,
                                       uint32_t node, const shoal_cluster *cluster,
                                       shoal_loss limit)
{
    shoal_loss sum = 0;
    if (shoal_cluster_has_table(cluster)) {
        bool has_sets = kernel->metric->has_tabled_sets;
        shoal_loss discount = has_sets ? set_discount(kernel, narrow, node, cluster) : 0;
        shoal_loss charged = limit < SHOAL_LOSS_MAX - discount ? limit + discount : SHOAL_LOSS_MAX;
        sum = look_up_nearest(kernel, narrow, node, cluster->table, cluster->lows, charged);
        if (sum <= charged) sum += untabled_bound(kernel, node, cluster);
        return sum - discount;
    }
    for (uint32_t a = 0; a < kernel->n_attrs && sum <= limit; a++)
        sum += attr_bound(&kernel->metric->lines[a], cluster, a,
                          shoal_kernel_range(kernel, node, a));
    return sum;
}

/* The loss of the cluster with the class at a place. */
static inline shoal_loss loss_at(const shoal_kernel *kernel, const shoal_cluster *cluster,
                                 uint32_t place, shoal_loss limit)
{
    const shoal_metric *metric = kernel->metric;
    if (!shoal_cluster_has_table(cluster))
        return shoal_cluster_with(cluster, metric, codes_at(kernel, place), limit);
    shoal_loss sum = look_up(kernel, place, cluster->table);
    const uint32_t *codes = kernel->untabled_codes + (size_t)place * metric->n_untabled;
    for (uint32_t i = 0; i < metric->n_untabled && sum < limit; i++) {
        uint32_t a = metric->untabled[i];
        sum += shoal_cluster_attr_with(cluster, &metric->lines[a], a, codes[i]);
    }
    return sum;
}

/*
 * The invariant of bounds, for SHOAL_INVARIANT(): no class of a leaf costs less. The ranges of
 * classes without rows do not matter.
 */
static inline bool cluster_bound_holds(const shoal_kernel *kernel, const uint8_t *narrow,
                                       uint32_t node, const shoal_cluster *cluster,
                                       shoal_loss bound)
{
    const shoal_kernel_node *n = &kernel->nodes[node];
    for (uint32_t p = n->begin; n->child == 0 && narrow == kernel->narrow && p < n->end; p++)
        if (loss_at(kernel, cluster, p, SHOAL_LOSS_MAX) < bound) return false;
    return true;
}

#endif
