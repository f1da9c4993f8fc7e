/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - a tree over classes that finds the cheapest remaining row by branch and bound.
 *
 * Classes are stored in tree order. A node is a run of places, with the least and greatest code of
 * each attribute:
 *
 *                     [ sex: F..M   age: 17..90  ... ]             node 0: all places
 *                    /                                \
 *      [ sex: F..F   age: 17..90 ]       [ sex: M..M   age: 17..90 ]
 *            /             \                   /             \
 *     [ 17..36 ]        [ 37..90 ]          ...               ...   leaves: up to BUCKET classes
 *
 * The loss of a cluster with one more row is a sum over attributes of a function of the row's code.
 * Over a line of codes (numbers in order, leaves depth-first) that function decreases towards the
 * cluster and increases after it. So its least value on a node's range is at the code nearest to
 * the cluster, and the sum of these is a lower bound for every class under the node: one look-up
 * per attribute. The search is depth-first, nearer child first, and skips nodes whose bound is not
 * below the best loss so far (on equality: unless the node has a lower class number). The answer is
 * exactly that of a scan.
 *
 * The tree is immutable; the remaining rows are a separate *state*. Each thread may have its own
 * state, take rows and put them back.
 *
 * Invariants: the ranges of a node cover all its classes; live[node] counts its classes with rows
 * left, least[node] is the lowest of their numbers.
 *
 * Cost, for c classes and q attributes: O(q c log c) to build. Memory besides the codes: 16 bytes
 * per class and 24 + 2q bytes per node, q rounded up to a multiple of 8 (24 + 8q where an attribute
 * has more than 256 codes); about one node per two classes. A query visits some tens of nodes on
 * real data, all of them in the worst case.
 */
#ifndef SHOAL_KERNEL_H
#define SHOAL_KERNEL_H

#include "search/scan.h"

typedef struct shoal_kernel_node {
    uint32_t begin, end; /* places begin..end-1 */
    uint32_t child;      /* the first of two consecutive children, or 0 for a leaf */
    uint32_t parent;
} shoal_kernel_node;

typedef struct shoal_kernel {
    const shoal_metric *metric;
    const shoal_classes *classes;
    uint32_t n_attrs, n_places, n_nodes, depth;
    uint32_t stride;    /* n_attrs rounded up to a multiple of 8; 0 where none has a table */
    uint32_t *codes;    /* of each place; NULL when all are in `bytes` */
    uint32_t *class_at; /* class of each place */
    uint32_t *place_of; /* the inverse */
    uint32_t *leaf_of;  /* leaf node of each place */
    shoal_kernel_node *nodes;
    shoal_range *ranges; /* of each node and attribute; NULL when all are in `narrow` */
    uint8_t *narrow;     /* per node `stride` lows, then highs, where there are tables; else NULL */
    uint8_t *bytes;      /* per place `stride` bytes of codes, 0 where there is no table; or NULL */
    /* of the attributes without a table, close together: see shoal_metric.untabled; or NULL */
    shoal_range *untabled_ranges; /* per node */
    uint32_t *untabled_codes;     /* per place */
    uint64_t *tags;               /* of each node: the tags of its classes, one bit each; or NULL */
} shoal_kernel;

/*
 * The first invariant, for SHOAL_INVARIANT() and tests: ranges cover all classes of a node, and
 * those of its children.
 */
bool shoal_kernel_ranges_cover(const shoal_kernel *kernel);

static inline shoal_range shoal_kernel_range(const shoal_kernel *kernel, uint32_t node,
                                             uint32_t attr)
{
    if (kernel->ranges != NULL) return kernel->ranges[(size_t)node * kernel->n_attrs + attr];
    const uint8_t *lo = kernel->narrow + (size_t)node * 2 * kernel->stride;
    return (shoal_range){ lo[attr], lo[kernel->stride + attr] };
}

/* The remaining rows, for one thread. */
typedef struct shoal_kernel_state {
    const shoal_kernel *kernel;
    uint32_t *left;  /* remaining rows of each place */
    uint32_t *live;  /* of each node: classes with rows left */
    uint32_t *least; /* of each node: lowest class number with rows left */
    uint8_t *narrow; /* as in the kernel; if `follows`, of the classes with rows left only */
    bool follows;    /* `narrow` is owned and kept up to date */
    uint64_t n_rows; /* total of `left` */
    struct shoal_kernel_step *stack; /* of the search */
    shoal_loss *table; /* where there are tables: 256 distances per attribute, a tuple as bytes */
    uint64_t n_evaluations, n_queries, n_bounds;
    /*
     * A query that has bounded so many nodes ends with the best so far, which may not be the best;
     * 0: none does. For wide tables, where bounds are weak.
     */
    uint64_t most_bounds;
} shoal_kernel_state;

/* The others: live[node], least[node] and n_rows are those of the rows left. */
bool shoal_kernel_counts_hold(const shoal_kernel_state *state);

/*
 * Build a kernel over the classes in `members` (`n_members` of them), or over all when it is NULL.
 * Class numbers in answers are those of `classes`. `metric` and `classes` must outlive the kernel.
 * Fails with SHOAL_ENOMEM only.
 */
SHOAL_NODISCARD shoal_status shoal_kernel_make(shoal_kernel **out, const shoal_metric *metric,
                                               const shoal_classes *classes,
                                               const uint32_t *members, uint32_t n_members,
                                               shoal_error *err);

/* How a kernel is built. Zero is the default of every field. */
typedef struct shoal_kernel_plan {
    const uint32_t *members; /* classes to build over; NULL: all */
    uint32_t n_members;
    uint32_t bucket;  /* most classes of a leaf, to divide them into neighbourhoods; 0: few, for
                         searches */
    uint32_t threads; /* 0: one */
} shoal_kernel_plan;

/* The same as planned. */
SHOAL_NODISCARD shoal_status shoal_kernel_make_planned(shoal_kernel **out,
                                                       const shoal_metric *metric,
                                                       const shoal_classes *classes,
                                                       const shoal_kernel_plan *plan,
                                                       shoal_error *err);
void shoal_kernel_free(shoal_kernel *kernel);

/*
 * Give each class one of 64 tags (0..63), such as its sensitive value: searches for classes with
 * certain tags then skip nodes without them. 8 bytes per node. False when out of memory.
 */
SHOAL_NODISCARD bool shoal_kernel_tag(shoal_kernel *kernel,
                                      uint32_t (*tag_of)(uint32_t class_index, const void *payload),
                                      const void *payload);

/*
 * Make a state with left[class number] remaining rows; `left` is copied. The kernel must outlive
 * it.
 */
SHOAL_NODISCARD shoal_status shoal_kernel_state_make(shoal_kernel_state *out,
                                                     const shoal_kernel *kernel,
                                                     const uint32_t *left, shoal_error *err);
/*
 * From now on keep the ranges of nodes those of their remaining classes, so that bounds stay tight
 * when the outermost classes are taken first. Only for kernels with byte codes, else it does
 * nothing. Taking rows costs a little more.
 */
SHOAL_NODISCARD shoal_status shoal_kernel_state_follow(shoal_kernel_state *state, shoal_error *err);
void shoal_kernel_state_clear(shoal_kernel_state *state);

/*
 * Take rows of a class (it must have them), or put them back. O(depth) when the class becomes empty
 * or is no longer empty, else O(1).
 */
void shoal_kernel_take(shoal_kernel_state *state, uint32_t class_index, uint32_t n_rows);
void shoal_kernel_put_back(shoal_kernel_state *state, uint32_t class_index, uint32_t n_rows);

static inline uint32_t shoal_kernel_left(const shoal_kernel_state *state, uint32_t class_index)
{
    return state->left[state->kernel->place_of[class_index]];
}

static inline const uint32_t *shoal_kernel_codes(const shoal_kernel *kernel, uint32_t class_index)
{
    return shoal_class_codes(kernel->classes, class_index);
}

/*
 * The class cheapest to add to the cluster among those with which it loses less than `limit`, ties
 * to the lower class; SHOAL_NO_CLASS when there is none. `*loss` is the cluster's loss with it.
 */
uint32_t shoal_kernel_cheapest(shoal_kernel_state *state, const shoal_cluster *cluster,
                               shoal_loss limit, shoal_loss *loss);

/* May the class be the answer? `with` is the cluster's loss with it. */
typedef bool (*shoal_allows_fn)(uint32_t class_index, shoal_loss with, void *payload);

/*
 * The same among the classes that `allows` accepts; it is called only for classes that would be the
 * best so far. Whole nodes without a class of `tags` (one bit each; ignored when the kernel has no
 * tags) are skipped, so `allows` must refuse classes with other tags.
 */
uint32_t shoal_kernel_cheapest_allowed(shoal_kernel_state *state, const shoal_cluster *cluster,
                                       shoal_loss limit, uint64_t tags, shoal_allows_fn allows,
                                       void *payload, shoal_loss *loss);

/*
 * The same answer as shoal_kernel_cheapest(), faster when it is near the class `near`, where the
 * search begins.
 */
uint32_t shoal_kernel_cheapest_from(shoal_kernel_state *state, const shoal_cluster *cluster,
                                    uint32_t near, shoal_loss limit, shoal_loss *loss);

/*
 * The class furthest from a tuple (by shoal_metric_pair()), ties to the lower class, or
 * SHOAL_NO_CLASS.
 */
uint32_t shoal_kernel_furthest(shoal_kernel_state *state, const uint32_t *codes);

/* A class and its distance. */
typedef struct shoal_neighbour {
    shoal_loss distance;
    uint32_t class_index;
} shoal_neighbour;

/*
 * The classes nearest to a tuple, by distance, then class number, until they have `n_rows`
 * remaining rows (or all classes, if these have fewer). `out` has room for n_rows entries; returns
 * how many were written.
 */
uint32_t shoal_kernel_nearest(shoal_kernel_state *state, const uint32_t *codes, uint32_t n_rows,
                              shoal_neighbour *out);

/* The same for a cluster: the classes cheapest to add to it; `distance` is its loss with them. */
uint32_t shoal_kernel_cheapest_rows(shoal_kernel_state *state, const shoal_cluster *cluster,
                                    uint32_t n_rows, shoal_neighbour *out);

/*
 * All classes within `radius` of a tuple (distance <= radius), in no particular order; returns room
 * + 1 if there are more than `room`.
 */
uint32_t shoal_kernel_within(shoal_kernel_state *state, const uint32_t *codes, shoal_loss radius,
                             shoal_neighbour *out, uint32_t room);

/* Likewise all classes with which the cluster loses less than `limit`; `distance` is that loss. */
uint32_t shoal_kernel_cheaper(shoal_kernel_state *state, const shoal_cluster *cluster,
                              shoal_loss limit, shoal_neighbour *out, uint32_t room);

/*
 * Remaining rows inside a box, at most `enough`: counting stops there. Members of sets count
 * as their ranges.
 */
uint64_t shoal_kernel_count(shoal_kernel_state *state, const shoal_range *box, uint64_t enough);

#endif
