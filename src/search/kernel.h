/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - a tree over classes that answers "which remaining row is cheapest?" without looking at them all.
 *
 * Classes lie in tree order; a node is a run of places and knows, for each attribute, the least and greatest code in it:
 *
 *                     [ sex: F..M   age: 17..90  ... ]             node 0: all places
 *                    /                                \
 *      [ sex: F..F   age: 17..90 ]       [ sex: M..M   age: 17..90 ]
 *            /             \                   /             \
 *     [ 17..36 ]        [ 37..90 ]          ...               ...   leaves: up to BUCKET classes
 *
 * The loss of a cluster with one more row is a sum over attributes of a function of the row's code, and over
 * a line of codes (numbers in order, leaves depth-first) that function falls towards the cluster and rises
 * beyond it. So its least value on a node's range is at the code of the range nearest to the cluster, and the sum of
 * these is a lower bound for every class under the node: one look-up an attribute. Search goes depth-first, nearer
 * child first, and leaves out nodes whose bound is not below the best found so far (equal bounds: unless
 * the node holds a lower class number). The answer is exactly the one that a scan would give.
 *
 * The tree never changes; what is left of the classes is a *state* beside it. Each thread may have a
 * state of its own, take rows for a while and put them back.
 *
 * Invariants: a node's range covers all its classes; live[node] counts its classes with rows left, least[node] is
 * the lowest of their numbers.
 * Cost: O(c log c * q) to build; 16 bytes a class and 24 + 2q bytes a node, q rounded up to a multiple of 8 (24 + 8q where an
 * attribute has more than 256 codes), besides the codes, with about one node for two classes; a query looks at some tens of nodes on real data, at all of them in the worst case.
 */
#ifndef SHOAL_KERNEL_H
#define SHOAL_KERNEL_H

#include "search/scan.h"

typedef struct shoal_kernel_node {
    uint32_t begin, end; /* places */
    uint32_t child;      /* the first of two neighbours, or 0 for a leaf */
    uint32_t parent;
} shoal_kernel_node;

typedef struct shoal_kernel {
    const shoal_metric *metric;
    const shoal_classes *classes;
    uint32_t n_attrs, n_places, n_nodes, depth;
    uint32_t stride;     /* where the metric has tables: bytes of a place's codes, n_attrs padded to a multiple of 8; else 0 */
    uint32_t *codes;     /* of each place; NULL when they are in `bytes` */
    uint32_t *class_at;  /* class of each place, and back */
    uint32_t *place_of;
    uint32_t *leaf_of;   /* leaf node of each place */
    shoal_kernel_node *nodes;
    shoal_range *ranges; /* of each node and attribute; NULL when they are in `narrow` */
    uint8_t *narrow;     /* where the metric has tables: the ranges as bytes, `stride` lows of a node, then as many highs; else NULL */
    uint8_t *bytes;      /* and the codes of each place */
    uint64_t *tags;      /* of each node: the tags of its classes, one bit each; NULL when they have none */
} shoal_kernel;

/*
 * The first invariant, for SHOAL_INVARIANT() and tests: ranges cover all classes of a node, and
 * those of its children.
 */
bool shoal_kernel_ranges_cover(const shoal_kernel *kernel);

static inline shoal_range shoal_kernel_range(const shoal_kernel *kernel, uint32_t node, uint32_t attr)
{
    if (kernel->narrow == NULL) return kernel->ranges[(size_t)node * kernel->n_attrs + attr];
    const uint8_t *lo = kernel->narrow + (size_t)node * 2 * kernel->stride;
    return (shoal_range){ lo[attr], lo[kernel->stride + attr] };
}

/* What is left, seen by one thread. */
typedef struct shoal_kernel_state {
    const shoal_kernel *kernel;
    uint32_t *left;  /* rows of each place */
    uint32_t *live;  /* classes with rows left, of each node */
    uint32_t *least; /* lowest class number with rows left, of each node */
    uint8_t *narrow; /* ranges as bytes (see the kernel's): of the classes with rows left when they are followed, else the kernel's */
    bool follows;
    uint64_t n_rows; /* left in all */
    struct shoal_kernel_step *stack; /* of the search */
    shoal_loss *table; /* where the metric has tables: room for the distances from a tuple, 256 an attribute, and its codes as bytes */
    uint64_t n_evaluations, n_queries, n_bounds;
} shoal_kernel_state;

/* The others: live[node], least[node] and n_rows are those of the rows left. */
bool shoal_kernel_counts_hold(const shoal_kernel_state *state);

/*
 * Build over the classes named in `members` (`n_members` of them), or over all when it is NULL. Class
 * numbers in answers are those of `classes`, which must outlive the kernel.
 */
SHOAL_NODISCARD shoal_status shoal_kernel_make(shoal_kernel **out, const shoal_metric *metric, const shoal_classes *classes,
                                              const uint32_t *members, uint32_t n_members, shoal_error *err);

/* How a kernel is built. Zero is the default of every field. */
typedef struct shoal_kernel_plan {
    const uint32_t *members; /* classes to build over; NULL: all */
    uint32_t n_members;
    uint32_t bucket; /* most classes of a leaf, to divide them into neighbourhoods; 0: few, for
                        searches */
    uint32_t threads;        /* 0: one */
} shoal_kernel_plan;

/* The same as planned. */
SHOAL_NODISCARD shoal_status shoal_kernel_make_planned(shoal_kernel **out, const shoal_metric *metric,
                                                      const shoal_classes *classes,
                                                      const shoal_kernel_plan *plan, shoal_error *err);
void shoal_kernel_free(shoal_kernel *kernel);

/*
 * Give each class one of 64 tags (0..63), such as its sensitive value: searches for classes with certain tags then leave out the
 * nodes that have none. 8 bytes a node. False when memory is short.
 */
SHOAL_NODISCARD bool shoal_kernel_tag(shoal_kernel *kernel, uint32_t (*tag_of)(uint32_t class_index, const void *payload),
                                     const void *payload);

/* `left` has the rows left of each class (indexed by class number). */
SHOAL_NODISCARD shoal_status shoal_kernel_state_make(shoal_kernel_state *out, const shoal_kernel *kernel,
                                                    const uint32_t *left, shoal_error *err);
/*
 * From now on the ranges of nodes follow what is left, so that bounds stay tight while the outermost classes go first. Only where
 * the kernel has bytes, else nothing happens. Taking rows costs a little more.
 */
SHOAL_NODISCARD shoal_status shoal_kernel_state_follow(shoal_kernel_state *state, shoal_error *err);
void shoal_kernel_state_clear(shoal_kernel_state *state);

/* Take rows of a class out, or put them back. O(depth) when the class runs out or comes back, else O(1). */
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
 * The class cheapest to add to the cluster among those that make it lose less than `limit`, ties to the lower
 * class; SHOAL_NO_CLASS when there is none. `*loss` is the cluster's loss with it.
 */
uint32_t shoal_kernel_cheapest(shoal_kernel_state *state, const shoal_cluster *cluster, shoal_loss limit, shoal_loss *loss);

/* May a class be the answer? `with` is the cluster's loss with it. */
typedef bool (*shoal_allows_fn)(uint32_t class_index, shoal_loss with, void *payload);

/*
 * The same among the classes that are allowed. It is asked only of classes that would be the best so far. Classes whose tag is not
 * among `tags` (one bit each; of no matter when the kernel has no tags) are never allowed, and may not be asked about.
 */
uint32_t shoal_kernel_cheapest_allowed(shoal_kernel_state *state, const shoal_cluster *cluster, shoal_loss limit, uint64_t tags,
                                       shoal_allows_fn allows, void *payload, shoal_loss *loss);

/* The same answer, sooner when it lies near the class `near`: that is where the search begins. */
uint32_t shoal_kernel_cheapest_from(shoal_kernel_state *state, const shoal_cluster *cluster, uint32_t near, shoal_loss limit,
                                    shoal_loss *loss);

/* The class furthest from a tuple (by shoal_metric_pair), ties to the lower class, or SHOAL_NO_CLASS. */
uint32_t shoal_kernel_furthest(shoal_kernel_state *state, const uint32_t *codes);

/* A class and its distance. */
typedef struct shoal_neighbour {
    shoal_loss distance;
    uint32_t class_index;
} shoal_neighbour;

/*
 * The classes nearest to a tuple, by distance and then class number, until they hold `n_rows` rows left (or all do).
 * `out` has room for n_rows entries; returns how many were put there.
 */
uint32_t shoal_kernel_nearest(shoal_kernel_state *state, const uint32_t *codes, uint32_t n_rows, shoal_neighbour *out);

/* The same for a cluster: the classes cheapest to add to it, by its loss with them. */
uint32_t shoal_kernel_cheapest_rows(shoal_kernel_state *state, const shoal_cluster *cluster, uint32_t n_rows,
                                    shoal_neighbour *out);

/* Every class within `radius` of a tuple (distance <= radius), in no particular order; at most `room`, else returns room + 1. */
uint32_t shoal_kernel_within(shoal_kernel_state *state, const uint32_t *codes, shoal_loss radius, shoal_neighbour *out,
                             uint32_t room);

/* Every class that the cluster can take in for less than `limit`, likewise; `distance` is the cluster's loss with it. */
uint32_t shoal_kernel_cheaper(shoal_kernel_state *state, const shoal_cluster *cluster, shoal_loss limit,
                              shoal_neighbour *out, uint32_t room);

/* Rows left inside a box, stopping once `enough` are found. Sets of SET attributes count as their ranges. */
uint64_t shoal_kernel_count(shoal_kernel_state *state, const shoal_range *box, uint64_t enough);

#endif
