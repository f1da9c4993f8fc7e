/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_build.c - building the tree; see kernel.h.
 *
 * Codes are packed into keys of whole words, one byte per code where the metric has tables, so that
 * splitting a run moves few bytes. A run of places is split on the attribute with the largest mean
 * loss over random pairs of its classes: its split raises bounds fastest. Numbers and sets are
 * split at the median code, trees at the border between two children of the run's lowest common
 * ancestor that is nearest to the median, so that the halves are covered by smaller nodes. The tree
 * is built level by level, without recursion; the nodes of a level are disjoint, so they are split
 * in parallel, and the random numbers of a node depend on its places only.
 *
 * An example: the places have (sex, age) = (F, 20) (M, 24) (F, 31) (M, 50), ages of width 73. Mean
 * losses over all six pairs: sex 4/6 = 0.67 (four pairs differ), age (4 + 11 + 30 + 7 + 26 + 19) /
 * 6 / 73 = 0.22. So the root is split by sex, into F: 20 31 and M: 24 50, and, if leaves
 * have one class, each of these by age.
 */
#include "base/invariant.h"
#include "search/kernel.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKET = 6, PAIRS = 48, PARALLEL_PLACES = 1 << 15, SHARES = 256 };

/* State of the build. */
typedef struct build {
    shoal_kernel *kernel;
    const shoal_classes *classes;
    uint64_t *keys; /* codes of each place, 8 or 32 bits each, padded to whole words */
    /* scratch for the right halves; each run uses the part at its own places */
    uint64_t *swap_keys;
    uint32_t *swap;
    size_t n_words; /* of a key */
    size_t node_room;
    uint32_t bucket; /* classes of a leaf */
    int threads;
} build;

/* Keys have byte codes where the metric has tables (stride > 0), else 32-bit codes. */
static inline uint32_t code_at(const build *b, uint32_t place, uint32_t attr)
{
    const uint64_t *key = b->keys + place * b->n_words;
    if (b->kernel->stride > 0) return ((const uint8_t *)key)[attr];
    uint32_t code; /* memcpy: keys are stored as 64-bit words */
    memcpy(&code, (const char *)key + attr * sizeof code, sizeof code);
    return code;
}

/* Least and greatest byte of each of the eight columns of one word of the keys. */
static void word_range(const build *b, const shoal_kernel_node *node, size_t word, uint8_t *lo_out,
                       uint8_t *hi_out)
{
    uint8_t lo[8], hi[8], now[8];
    const uint64_t *key = b->keys + node->begin * b->n_words + word;
    memset(lo, 0xff, 8);
    memset(hi, 0, 8);
    for (uint32_t p = node->begin; p < node->end; p++, key += b->n_words) {
        memcpy(now, key, 8);
        for (int i = 0; i < 8; i++) lo[i] = now[i] < lo[i] ? now[i] : lo[i];
        for (int i = 0; i < 8; i++) hi[i] = now[i] > hi[i] ? now[i] : hi[i];
    }
    memcpy(lo_out, lo, 8);
    memcpy(hi_out, hi, 8);
}

/* Ranges are exact, not merged from the parent: a split on one attribute narrows others, too. */
static void find_ranges(const build *b, uint32_t number)
{
    shoal_kernel *kernel = b->kernel;
    const shoal_kernel_node *node = &kernel->nodes[number];
    if (kernel->stride > 0) {
        uint8_t *narrow = kernel->narrow + (size_t)number * 2 * kernel->stride;
        for (size_t w = 0; w < b->n_words; w++)
            word_range(b, node, w, narrow + 8 * w, narrow + kernel->stride + 8 * w);
        return;
    }
    shoal_range *ranges = kernel->ranges + (size_t)number * kernel->n_attrs;
    for (uint32_t a = 0; a < kernel->n_attrs; a++) ranges[a] = SHOAL_EMPTY_RANGE;
    for (uint32_t p = node->begin; p < node->end; p++) {
        for (uint32_t a = 0; a < kernel->n_attrs; a++) {
            uint32_t code = code_at(b, p, a);
            if (code < ranges[a].lo) ranges[a].lo = code;
            if (code > ranges[a].hi) ranges[a].hi = code;
        }
    }
}

/* Make room for n more nodes and their ranges. False when out of memory. */
static bool reserve_nodes(build *b, size_t n)
{
    shoal_kernel *kernel = b->kernel;
    if (kernel->n_nodes + n <= b->node_room) return true;
    size_t room = kernel->n_nodes + n < 64 ? 64 : (kernel->n_nodes + n) + (kernel->n_nodes + n) / 2;
    void *nodes = shoal_resize(kernel->nodes, room, sizeof *kernel->nodes), *ranges = NULL;
    if (nodes != NULL) kernel->nodes = nodes;
    if (nodes != NULL && kernel->stride > 0) {
        ranges = shoal_resize(kernel->narrow, room, 2 * kernel->stride);
        if (ranges != NULL) kernel->narrow = ranges;
    } else if (nodes != NULL) {
        ranges = shoal_resize(kernel->ranges, room * kernel->n_attrs, sizeof *kernel->ranges);
        if (ranges != NULL) kernel->ranges = ranges;
    }
    if (ranges != NULL) b->node_room = room;
    return ranges != NULL;
}

/* The loss of a pair in one attribute, as covered by the two codes alone. */
static shoal_loss pair_loss(const shoal_measure_line *line, uint32_t x, uint32_t y)
{
    if (x == y) return 0;
    if (line->is_set) return line->set_loss[2];
    return shoal_line_range(line, x < y ? x : y, x > y ? x : y);
}

/* Sum of the losses of n pairs of places in one attribute; `range` has all codes of the run. */
static uint64_t sum_of_pairs(const build *b, uint32_t attr, shoal_range range, const uint32_t *x,
                             const uint32_t *y, uint32_t n)
{
    const shoal_measure_line *line = &b->kernel->metric->lines[attr];
    uint64_t sum = 0;
    if (range.hi < line->n_plain && line->is_interval) {
        for (uint32_t i = 0; i < n; i++) {
            shoal_loss p = line->position[code_at(b, x[i], attr)],
                       q = line->position[code_at(b, y[i], attr)];
            sum += p > q ? p - q : q - p;
        }
    } else if (range.hi < line->n_plain && line->pair != NULL) {
        for (uint32_t i = 0; i < n; i++)
            sum +=
                line->pair[(size_t)code_at(b, x[i], attr) * line->n_plain + code_at(b, y[i], attr)];
    } else
        for (uint32_t i = 0; i < n; i++)
            sum += pair_loss(line, code_at(b, x[i], attr), code_at(b, y[i], attr));
    return sum;
}

/* Random numbers (splitmix64) of one node, seeded by its places, so that nodes can be split in any
 * order. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* The attribute with the largest loss over some pairs; n_attrs when all classes of the run have
 * equal codes. */
static uint32_t choose_attribute(const build *b, uint32_t node)
{
    const shoal_kernel *kernel = b->kernel;
    uint32_t begin = kernel->nodes[node].begin, end = kernel->nodes[node].end;
    uint32_t x[PAIRS], y[PAIRS], best = kernel->n_attrs;
    uint64_t most = 0, random = ((uint64_t)begin << 32) + end;
    uint32_t half = (end - begin) / 2, n_pairs = half < PAIRS ? half : PAIRS;
    /* a short run: fixed pairs, none twice */
    for (uint32_t i = 0; half <= PAIRS && i < n_pairs; i++) {
        x[i] = begin + i;
        y[i] = begin + i + half;
    }
    for (uint32_t i = 0; half > PAIRS && i < n_pairs; i++) {
        uint64_t draw = next_random(&random);
        /* a 32-bit fraction times the length */
        x[i] = begin + (uint32_t)((draw & UINT32_MAX) * (end - begin) >> 32);
        y[i] = begin + (uint32_t)((draw >> 32) * (end - begin) >> 32);
    }
    for (uint32_t a = 0; a < kernel->n_attrs; a++) {
        shoal_range range = shoal_kernel_range(kernel, node, a);
        if (range.lo == range.hi) continue;
        /* + 1: an attribute with several codes can be split even if no pair differs in it */
        uint64_t sum = 1 + sum_of_pairs(b, a, range, x, y, n_pairs);
        if (sum > most) {
            most = sum;
            best = a;
        }
    }
    return best;
}

/* For qsort(): ascending. */
static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

/* Count the places of each code (byte codes only). Two counters per code, because neighbours often
 * have the same code. */
static void count_codes(const build *b, const shoal_kernel_node *node, uint32_t attr,
                        shoal_range range, uint32_t *tally)
{
    uint32_t other[256], p = node->begin;
    size_t size = (range.hi - range.lo + 1) * sizeof *tally;
    memset(tally + range.lo, 0, size);
    memset(other + range.lo, 0, size);
    for (; p + 1 < node->end; p += 2) {
        tally[code_at(b, p, attr)]++;
        other[code_at(b, p + 1, attr)]++;
    }
    if (p < node->end) tally[code_at(b, p, attr)]++;
    for (uint32_t code = range.lo; code <= range.hi; code++) tally[code] += other[code];
}

/* The median code of the run, from the tally for byte codes, else from a sample. */
static uint32_t median_code(const build *b, const shoal_kernel_node *node, uint32_t attr,
                            shoal_range range, const uint32_t *tally)
{
    enum { SAMPLE = 101 };
    uint32_t sample[SAMPLE], n = node->end - node->begin;
    if (b->kernel->stride > 0) {
        uint32_t code = range.lo;
        for (uint32_t below = tally[code]; below <= n / 2; below += tally[code]) code++;
        return code;
    }
    uint32_t n_sample = n < SAMPLE ? n : SAMPLE;
    for (uint32_t i = 0; i < n_sample; i++)
        sample[i] = code_at(b, node->begin + (uint32_t)((uint64_t)i * n / n_sample), attr);
    qsort(sample, n_sample, sizeof *sample, by_number);
    return sample[n_sample / 2];
}

/* Number of places of the run with a code below the border. */
static uint64_t count_below(const build *b, const shoal_kernel_node *node, uint32_t attr,
                            shoal_range range, const uint32_t *tally, uint32_t border)
{
    uint64_t below = 0;
    if (b->kernel->stride > 0)
        for (uint32_t code = range.lo; code < border; code++) below += tally[code];
    else
        for (uint32_t p = node->begin; p < node->end; p++) below += code_at(b, p, attr) < border;
    return below;
}

/* The border of the split: codes below it go left. It is in lo+1..hi of the run's range, so neither
 * half is empty. */
static uint32_t choose_border(const build *b, const shoal_kernel_node *node, uint32_t attr,
                              shoal_range range)
{
    const shoal_measure_line *line = &b->kernel->metric->lines[attr];
    uint32_t tally[256];
    if (b->kernel->stride > 0) count_codes(b, node, attr, range, tally);
    uint32_t median = median_code(b, node, attr, range, tally);
    uint32_t border = median > range.lo ? median : range.lo + 1;
    if (!line->is_tree || range.lo + 1 == range.hi) return border;
    if (range.hi >= line->n_plain) return range.lo < line->n_plain ? line->n_plain : border;
    uint32_t cover = shoal_tree_cover(line->tree, range.lo, range.hi), child = median;
    while (line->tree->parent[child] != cover) child = line->tree->parent[child];
    uint32_t before = line->tree->first[child], after = line->tree->last[child] + 1;
    bool can_precede = before > range.lo, can_follow = after <= range.hi;
    if (!can_precede || !can_follow) return can_precede ? before : can_follow ? after : border;
    uint64_t below = count_below(b, node, attr, range, tally, before),
             through = count_below(b, node, attr, range, tally, after);
    /* the border that divides the run more evenly */
    return below + through >= node->end - node->begin ? before : after;
}

/* Stable partition: classes with codes below the border first; returns the first place of the
 * others. */
static uint32_t partition(const build *b, const shoal_kernel_node *node, uint32_t attr,
                          uint32_t border)
{
    uint32_t *classes = b->kernel->class_at, *swap = b->swap + node->begin;
    size_t w = b->n_words;
    uint64_t *keys = b->keys, *swap_keys = b->swap_keys + node->begin * w;
    uint32_t at = node->begin, n_right = 0;
    /* without branches: each class is written to both halves, and only one of the two positions
     * advances */
    for (uint32_t p = node->begin; p < node->end; p++) {
        bool is_left = code_at(b, p, attr) < border;
        uint32_t c = classes[p];
        classes[at] = c;
        swap[n_right] = c;
        if (w == 1)
            keys[at] = swap_keys[n_right] = keys[p];
        else
            for (size_t i = 0; i < w; i++) {
                uint64_t word = keys[p * w + i];
                keys[at * w + i] = word;
                swap_keys[n_right * w + i] = word;
            }
        at += is_left;
        n_right += !is_left;
    }
    memcpy(classes + at, swap, n_right * sizeof *swap);
    memcpy(keys + at * w, swap_keys, n_right * w * sizeof *keys);
    return at;
}

/* Split the run of a node; returns the first place of its right half, or 0 when it stays a leaf. */
static uint32_t split_run(const build *b, uint32_t number)
{
    const shoal_kernel_node *node = &b->kernel->nodes[number];
    if (node->end - node->begin <= b->bucket) return 0;
    uint32_t attr = choose_attribute(b, number);
    /* the classes differ only in columns that are not attributes */
    if (attr == b->kernel->n_attrs) return 0;
    uint32_t border = choose_border(b, node, attr, shoal_kernel_range(b->kernel, number, attr));
    return partition(b, node, attr, border);
}

/* The children of a level are appended in the order of their parents, so that node numbers, and
 * with them all results, do not depend on threads. Until then `child` holds the first place of the
 * right half. */
static bool add_children(build *b, uint32_t first, uint32_t end)
{
    shoal_kernel *kernel = b->kernel;
    uint32_t n = 0;
    for (uint32_t node = first; node < end; node++) n += kernel->nodes[node].child != 0 ? 2 : 0;
    if (!reserve_nodes(b, n)) return false;
    for (uint32_t node = first; node < end; node++) {
        shoal_kernel_node *it = &kernel->nodes[node];
        if (it->child == 0) continue;
        uint32_t middle = it->child;
        it->child = kernel->n_nodes;
        kernel->nodes[kernel->n_nodes++] = (shoal_kernel_node){ .begin = it->begin,
                                                                .end = middle,
                                                                .parent = node };
        kernel->nodes[kernel->n_nodes++] = (shoal_kernel_node){ .begin = middle,
                                                                .end = it->end,
                                                                .parent = node };
    }
    return true;
}

/* Build level by level, the nodes of a level in parallel. Children have higher numbers than their
 * parents. */
static bool build_tree(build *b)
{
    shoal_kernel *kernel = b->kernel;
    int threads = kernel->n_places >= PARALLEL_PLACES ? b->threads : 1;
    if (!reserve_nodes(b, 1)) return false;
    kernel->nodes[kernel->n_nodes++] = (shoal_kernel_node){ .begin = 0, .end = kernel->n_places };
    for (uint32_t first = 0, end = 1; first < end; first = end, end = kernel->n_nodes) {
        /* one node at a time while nodes are few and large */
        int share = 1 + (int)((end - first) / SHARES);
#pragma omp parallel for num_threads(threads) schedule(dynamic, share) if (threads > 1)
        for (uint32_t node = first; node < end; node++) {
            find_ranges(b, node);
            /* a place until add_children() replaces it by a node */
            kernel->nodes[node].child = split_run(b, node);
        }
        if (!add_children(b, first, end)) return false;
        kernel->depth++;
    }
    kernel->depth--;
    return true;
}

/* The reverse tables, once places no longer move. */
static void finish(shoal_kernel *kernel)
{
    for (uint32_t p = 0; p < kernel->n_places; p++) kernel->place_of[kernel->class_at[p]] = p;
    for (uint32_t node = 0; node < kernel->n_nodes; node++)
        for (uint32_t p = kernel->nodes[node].begin;
             kernel->nodes[node].child == 0 && p < kernel->nodes[node].end; p++)
            kernel->leaf_of[p] = node;
}

/* Byte codes: the kernel takes over the keys; wider codes are copied without padding. */
static bool keep_codes(build *b)
{
    shoal_kernel *kernel = b->kernel;
    size_t n = kernel->n_places, m = kernel->n_attrs;
    if (kernel->stride > 0) {
        kernel->bytes = (uint8_t *)b->keys;
        b->keys = NULL;
        return true;
    }
    kernel->codes = shoal_alloc(n * m, sizeof *kernel->codes);
    if (kernel->codes == NULL) return false;
    for (size_t p = 0; p < n; p++)
        memcpy(kernel->codes + p * m, b->keys + p * b->n_words, m * sizeof *kernel->codes);
    return true;
}

/* Ranges and codes of the attributes without a table, close together: they are read with each node
 * and place. */
static bool gather_untabled(shoal_kernel *kernel)
{
    const uint32_t n = kernel->metric->n_untabled, *attrs = kernel->metric->untabled;
    const size_t m = kernel->n_attrs;
    kernel->untabled_ranges = shoal_alloc((size_t)kernel->n_nodes * n,
                                          sizeof *kernel->untabled_ranges);
    kernel->untabled_codes = shoal_alloc((size_t)kernel->n_places * n,
                                         sizeof *kernel->untabled_codes);
    if (kernel->untabled_ranges == NULL || kernel->untabled_codes == NULL) return false;
    for (uint32_t i = 0; i < n; i++) {
        for (size_t node = 0; node < kernel->n_nodes; node++)
            kernel->untabled_ranges[node * n + i] = kernel->ranges[node * m + attrs[i]];
        for (size_t p = 0; p < kernel->n_places; p++)
            kernel->untabled_codes[p * n + i] = kernel->codes[p * m + attrs[i]];
    }
    return true;
}

/*
 * Where some attributes have tables and others have not, the tree was built by wide codes; those
 * with tables are also stored as bytes, for look-ups. Bytes of the others are 0.
 */
static bool add_bytes(shoal_kernel *kernel)
{
    const shoal_metric *metric = kernel->metric;
    const size_t m = kernel->n_attrs, stride = (m + 7) / 8 * 8;
    if (metric->has_tables || metric->n_tabled == 0) return true;
    kernel->bytes = shoal_alloc_zero(kernel->n_places, stride);
    kernel->narrow = shoal_alloc_zero(kernel->n_nodes, 2 * stride);
    if (kernel->bytes == NULL || kernel->narrow == NULL || !gather_untabled(kernel)) return false;
    for (size_t p = 0; p < kernel->n_places; p++)
        for (size_t a = 0; a < m; a++)
            if (metric->lines[a].is_tabled)
                kernel->bytes[p * stride + a] = (uint8_t)kernel->codes[p * m + a];
    for (size_t node = 0; node < kernel->n_nodes; node++)
        for (size_t a = 0; a < m; a++) {
            if (!metric->lines[a].is_tabled) continue;
            kernel->narrow[2 * node * stride + a] = (uint8_t)kernel->ranges[node * m + a].lo;
            kernel->narrow[(2 * node + 1) * stride + a] = (uint8_t)kernel->ranges[node * m + a].hi;
        }
    kernel->stride = (uint32_t)stride;
    return true;
}

/* Allocate the places and fill them with the classes in their order. */
static bool begin_build(build *b, const uint32_t *members)
{
    shoal_kernel *kernel = b->kernel;
    size_t n = kernel->n_places, m = kernel->n_attrs;
    b->n_words = kernel->metric->has_tables ? (m + 7) / 8 : (m + 1) / 2;
    if (kernel->metric->has_tables) kernel->stride = (uint32_t)(8 * b->n_words);
    kernel->class_at = shoal_alloc(n, sizeof *kernel->class_at);
    kernel->place_of = shoal_alloc(b->classes->n_classes, sizeof *kernel->place_of);
    kernel->leaf_of = shoal_alloc(n, sizeof *kernel->leaf_of);
    b->keys = shoal_alloc(n * b->n_words, sizeof *b->keys);
    b->swap = shoal_alloc(n, sizeof *b->swap);
    b->swap_keys = shoal_alloc(n * b->n_words, sizeof *b->swap_keys);
    if (kernel->class_at == NULL || kernel->place_of == NULL || kernel->leaf_of == NULL ||
        b->keys == NULL || b->swap == NULL || b->swap_keys == NULL)
        return false;
#pragma omp parallel for num_threads(b->threads) schedule(static) if (b->threads > 1)
    for (size_t p = 0; p < n; p++) {
        kernel->class_at[p] = members == NULL ? (uint32_t)p : members[p];
        const uint32_t *codes = shoal_class_codes(b->classes, kernel->class_at[p]);
        uint64_t *key = b->keys + p * b->n_words;
        key[b->n_words - 1] = 0; /* the padding must be 0 */
        if (kernel->stride == 0)
            memcpy(key, codes, m * sizeof *codes);
        else
            for (size_t a = 0; a < m; a++) ((uint8_t *)key)[a] = (uint8_t)codes[a];
    }
    return true;
}

static bool covers(shoal_range outer, shoal_range inner)
{
    return outer.lo <= inner.lo && inner.hi <= outer.hi;
}

/* Halves are adjacent and complete, and ranges cover those of the children and of the classes. */
static bool is_node_sound(const shoal_kernel *kernel, uint32_t node)
{
    const shoal_kernel_node *n = &kernel->nodes[node], *child = &kernel->nodes[n->child];
    if (n->child != 0 &&
        (child[0].begin != n->begin || child[0].end != child[1].begin || child[1].end != n->end))
        return false;
    for (uint32_t a = 0; a < kernel->n_attrs; a++) {
        shoal_range range = shoal_kernel_range(kernel, node, a);
        for (uint32_t i = 0; n->child != 0 && i < 2; i++)
            if (!covers(range, shoal_kernel_range(kernel, n->child + i, a))) return false;
        for (uint32_t p = n->begin; n->child == 0 && p < n->end; p++) {
            uint32_t code = shoal_class_codes(kernel->classes, kernel->class_at[p])[a];
            if (!covers(range, (shoal_range){ code, code })) return false;
        }
    }
    return true;
}

bool shoal_kernel_ranges_cover(const shoal_kernel *kernel)
{
    for (uint32_t node = 0; node < kernel->n_nodes; node++)
        if (!is_node_sound(kernel, node)) return false;
    return true;
}

shoal_status shoal_kernel_make(shoal_kernel **out, const shoal_metric *metric,
                               const shoal_classes *classes, const uint32_t *members,
                               uint32_t n_members, shoal_error *err)
{
    return shoal_kernel_make_planned(
        out, metric, classes, &(shoal_kernel_plan){ .members = members, .n_members = n_members },
        err);
}

/* `members` restricts the tree to some classes; numbers of classes stay those of `classes`. */
shoal_status shoal_kernel_make_planned(shoal_kernel **out, const shoal_metric *metric,
                                       const shoal_classes *classes, const shoal_kernel_plan *plan,
                                       shoal_error *err)
{
    build b = { .classes = classes,
                .bucket = plan->bucket > 0 ? plan->bucket : BUCKET,
                .threads = plan->threads > 0 ? (int)plan->threads : 1 };
    shoal_kernel *kernel = b.kernel = shoal_alloc_zero(1, sizeof *kernel);
    if (kernel == NULL) return shoal_fail_memory(err);
    kernel->metric = metric;
    kernel->classes = classes;
    kernel->n_attrs = metric->n_attrs;
    kernel->n_places = plan->members == NULL ? classes->n_classes : plan->n_members;
    bool ok = begin_build(&b, plan->members) && build_tree(&b) && keep_codes(&b) &&
              add_bytes(kernel);
    if (ok) finish(kernel);
    shoal_free(b.keys);
    shoal_free(b.swap);
    shoal_free(b.swap_keys);
    if (!ok) {
        shoal_kernel_free(kernel);
        return shoal_fail_memory(err);
    }
    SHOAL_INVARIANT(shoal_kernel_ranges_cover(kernel));
    *out = kernel;
    return SHOAL_OK;
}

/* Arrays of the representation that was not chosen are NULL. */
void shoal_kernel_free(shoal_kernel *kernel)
{
    if (kernel == NULL) return;
    shoal_free(kernel->codes);
    shoal_free(kernel->class_at);
    shoal_free(kernel->place_of);
    shoal_free(kernel->leaf_of);
    shoal_free(kernel->nodes);
    shoal_free(kernel->ranges);
    shoal_free(kernel->narrow);
    shoal_free(kernel->bytes);
    shoal_free(kernel->untabled_ranges);
    shoal_free(kernel->untabled_codes);
    shoal_free(kernel->tags);
    shoal_free(kernel);
}

/* A node has the tags of all classes below it, as bits. */
bool shoal_kernel_tag(shoal_kernel *kernel,
                      uint32_t (*tag_of)(uint32_t class_index, const void *payload),
                      const void *payload)
{
    kernel->tags = shoal_alloc_zero(kernel->n_nodes, sizeof *kernel->tags);
    if (kernel->tags == NULL) return false;
    for (uint32_t p = 0; p < kernel->n_places; p++)
        kernel->tags[kernel->leaf_of[p]] |= (uint64_t)1 << tag_of(kernel->class_at[p], payload);
    for (uint32_t node = kernel->n_nodes; node-- > 1;) /* parents come before their children */
        kernel->tags[kernel->nodes[node].parent] |= kernel->tags[node];
    return true;
}
