/* SPDX-License-Identifier: Apache-2.0 */
/* decision_tree.c - a decision tree like C4.5: gain ratio, fractional rows for missing values,
 * pessimistic pruning.
 *
 * A node is split by the feature with the best gain ratio among those whose gain is at least
 * average. A category makes a branch for each value that occurs; a number makes two, split in the
 * middle between two values, with its gain reduced by log2(cuts tried) / rows. At least two
 * branches must have the weight of two rows. A row whose feature is missing goes into every branch,
 * weighted by the branch's share of the known rows; gains are multiplied by the share of known
 * rows. Afterwards a subtree is replaced by a leaf if the leaf's expected errors are not more (plus
 * a tenth of a row), where the errors of a leaf are the upper limit of their 75 % confidence
 * interval.
 *
 * Invariant while growing: the entries of the open nodes and leaves together have the weight of all
 * rows, except for shares below a thousandth of a row, which are dropped.
 *
 * Departs from C4.5 and from Weka's J48: (a) no subtree raising; (b) thresholds are between two
 * values; (c) entries of less than a thousandth of a row are dropped.
 *
 * Quinlan: C4.5: Programs for Machine Learning, 1993; Quinlan: Improved Use of Continuous
 * Attributes in C4.5, JAIR 1996. Cost: O(depth * features * rows log rows) time, O(rows) memory
 * beside the tree; no recursion.
 */
#include "evaluate/classifier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_FEATURE UINT32_MAX
static const double LEAST_ROWS = 2, LEAST_SHARE = 1e-3, PRUNE_SLACK = 0.1, SLIGHTLY = 1e-3;
static const double Z_OF_75_PERCENT = 0.6744897501960817, CONFIDENCE = 0.25;
enum { STACK = 256, CUTS_TO_ASK = 64 };

typedef struct node {
    uint32_t feature; /* NO_FEATURE: a leaf */
    double threshold; /* of a number: rows up to it go to the first child */
    uint32_t first_child, n_children;
    uint32_t category; /* of the parent's feature; children are sorted by it */
    double weight;     /* of the rows with a known feature at the parent */
} node;

typedef struct tree {
    uint32_t n_classes;
    node *nodes;
    double *counts; /* [node][class] */
    size_t n_nodes, node_room, count_room;
} tree;

/* A row, or a share of one. */
typedef struct entry {
    uint32_t row;
    double weight;
} entry;

/* A node that is not split yet. */
typedef struct open_node {
    uint32_t at;
    entry *entries;
    size_t n;
} open_node;

typedef struct keyed {
    double key;
    uint32_t label;
    double weight;
} keyed;

typedef struct growing {
    tree *tree;
    const shoal_samples *samples;
    open_node *open;
    size_t n_open, open_room;
    double *table;  /* [category][class] of one feature */
    uint32_t *seen; /* categories that occur */
    keyed *keys;    /* known numbers of one node */
    double *left;   /* [class] */
    bool is_stopped;
} growing;

/* A possible split of a node. */
typedef struct cut {
    uint32_t feature;
    double threshold, gain, ratio;
    bool is_valid;
} cut;

/* ---- information ---- */

static double n_log_n(double x)
{
    return x > 0 ? x * log2(x) : 0;
}

/* Weight times entropy of some class counts. */
static double impurity(const double *counts, uint32_t n_classes)
{
    double sum = 0, parts = 0;
    for (uint32_t c = 0; c < n_classes; c++) {
        sum += counts[c];
        parts += n_log_n(counts[c]);
    }
    return n_log_n(sum) - parts;
}

static double total(const double *counts, uint32_t n_classes)
{
    double sum = 0;
    for (uint32_t c = 0; c < n_classes; c++) sum += counts[c];
    return sum;
}

/* ---- cuts ---- */

static cut try_category(growing *g, uint32_t f, const open_node *o, double weight)
{
    uint32_t n_classes = g->tree->n_classes, n_seen = 0, n_big = 0;
    const uint32_t *categories = g->samples->features[f].categories;
    double *all = g->left, known = 0, within = 0, branches = 0;
    cut c = { .feature = f };
    memset(all, 0, n_classes * sizeof *all);
    for (size_t i = 0; i < o->n; i++) {
        uint32_t v = categories[o->entries[i].row], label = g->samples->labels[o->entries[i].row];
        if (v == SHOAL_NO_CATEGORY) continue;
        double *counts = g->table + (size_t)v * n_classes;
        bool is_new = true;
        for (uint32_t k = 0; k < n_classes && is_new; k++) is_new = counts[k] == 0;
        if (is_new) g->seen[n_seen++] = v;
        counts[label] += o->entries[i].weight;
        all[label] += o->entries[i].weight;
        known += o->entries[i].weight;
    }
    for (uint32_t i = 0; i < n_seen; i++) {
        double *counts = g->table + (size_t)g->seen[i] * n_classes, here = total(counts, n_classes);
        n_big += here >= LEAST_ROWS;
        within += impurity(counts, n_classes);
        branches += n_log_n(here);
        memset(counts, 0, n_classes * sizeof *counts); /* zero for the next feature */
    }
    if (n_big < 2) return c;
    double cut_info = (n_log_n(weight) - branches - n_log_n(weight - known)) / weight;
    c.gain = (impurity(all, n_classes) - within) / weight;
    c.is_valid = c.gain > 1e-9 && cut_info > 1e-9;
    c.ratio = c.is_valid ? c.gain / cut_info : 0;
    return c;
}

static int by_key(const void *x, const void *y)
{
    const keyed *a = x, *b = y;
    if (a->key != b->key) return a->key > b->key ? 1 : -1;
    if (a->label != b->label) return a->label > b->label ? 1 : -1;
    /* a total order: sums must not depend on the qsort of the C library */
    return (a->weight > b->weight) - (a->weight < b->weight);
}

static size_t sort_known(growing *g, uint32_t f, const open_node *o, double *known)
{
    size_t n = 0;
    *known = 0;
    for (size_t i = 0; i < o->n; i++) {
        double x = g->samples->features[f].numbers[o->entries[i].row];
        if (isnan(x)) continue;
        g->keys[n++] = (keyed){ x, g->samples->labels[o->entries[i].row], o->entries[i].weight };
        *known += o->entries[i].weight;
    }
    qsort(g->keys, n, sizeof *g->keys, by_key);
    return n;
}

/*
 * A threshold at least `low` and below `high`: the middle, or `low` where the middle of
 * neighbouring numbers is rounded to `high`, or their difference overflows. So a cut always
 * separates the two.
 */
static double between(double low, double high)
{
    double middle = low + (high - low) / 2; /* their sum could overflow */
    return middle >= low && middle < high ? middle : low;
}

static cut try_number(growing *g, uint32_t f, const open_node *o, double weight)
{
    uint32_t n_classes = g->tree->n_classes;
    /* the first row of the table is unused here */
    double known, below = 0, best_below = 0, *left = g->left, *right = g->table;
    size_t n = sort_known(g, f, o, &known), n_tried = 0;
    /* Quinlan's minimum for numbers: a tenth of the average class, between 2 and 25 rows. */
    double least = fmin(25, fmax(LEAST_ROWS, 0.1 * known / n_classes)), least_within = INFINITY;
    cut c = { .feature = f };
    memset(left, 0, n_classes * sizeof *left);
    for (size_t i = 0; i < n; i++) right[g->keys[i].label] += g->keys[i].weight;
    double before = impurity(right, n_classes);
    for (size_t i = 0; i + 1 < n; i++) {
        left[g->keys[i].label] += g->keys[i].weight;
        right[g->keys[i].label] -= g->keys[i].weight;
        below += g->keys[i].weight;
        if (g->keys[i].key == g->keys[i + 1].key || below < least - 1e-9 ||
            known - below < least - 1e-9)
            continue;
        if (++n_tried % CUTS_TO_ASK == 0 && (g->is_stopped = shoal_samples_stopped(g->samples)))
            break;
        double within = impurity(left, n_classes) + impurity(right, n_classes);
        if (within < least_within - 1e-9) {
            least_within = within;
            best_below = below;
            c.threshold = between(g->keys[i].key, g->keys[i + 1].key);
        }
    }
    memset(right, 0, n_classes * sizeof *right);
    if (n_tried == 0) return c;
    double branches = n_log_n(best_below) + n_log_n(known - best_below);
    double cut_info = (n_log_n(weight) - branches - n_log_n(weight - known)) / weight;
    c.gain = (before - least_within) / weight - log2((double)n_tried) / weight;
    c.is_valid = c.gain > 1e-9 && cut_info > 1e-9;
    c.ratio = c.is_valid ? c.gain / cut_info : 0;
    return c;
}

/* The best gain ratio among gains that are at least average; ties to the first feature. */
static cut choose_cut(growing *g, cut *cuts, const open_node *o)
{
    cut best = { .feature = NO_FEATURE };
    double weight = total(g->tree->counts + (size_t)o->at * g->tree->n_classes, g->tree->n_classes),
           sum = 0;
    uint32_t n_valid = 0;
    for (uint32_t f = 0; f < g->samples->n_features; f++) {
        cuts[f] = g->samples->features[f].is_number ? try_number(g, f, o, weight)
                                                    : try_category(g, f, o, weight);
        n_valid += cuts[f].is_valid;
        sum += cuts[f].is_valid ? cuts[f].gain : 0;
    }
    for (uint32_t f = 0; f < g->samples->n_features; f++)
        if (cuts[f].is_valid && cuts[f].gain >= sum / n_valid - SLIGHTLY &&
            cuts[f].ratio > best.ratio)
            best = cuts[f];
    return best;
}

/* ---- growing ---- */

static bool add_nodes(tree *t, uint32_t n)
{
    void *nodes = t->nodes, *counts = t->counts;
    bool ok = t->n_nodes + n < UINT32_MAX &&
              shoal_reserve(&nodes, &t->node_room, t->n_nodes + n, sizeof *t->nodes);
    t->nodes = nodes;
    ok = ok &&
         shoal_reserve(&counts, &t->count_room, (t->n_nodes + n) * t->n_classes, sizeof *t->counts);
    t->counts = counts;
    if (!ok) return false;
    memset(t->counts + t->n_nodes * t->n_classes, 0, (size_t)n * t->n_classes * sizeof *t->counts);
    for (uint32_t i = 0; i < n; i++) t->nodes[t->n_nodes++] = (node){ .feature = NO_FEATURE };
    return true;
}

/*
 * The branch of a row: its category, or 0 up to and 1 above the threshold; SHOAL_NO_CATEGORY if the
 * feature is missing.
 */
static uint32_t branch_of(const shoal_samples *s, uint32_t feature, double threshold, uint32_t row)
{
    if (!s->features[feature].is_number) return s->features[feature].categories[row];
    double x = s->features[feature].numbers[row];
    return isnan(x) ? SHOAL_NO_CATEGORY : x > threshold;
}

/* Distribute the entries to the children; `slot` maps branches to children. Rows with a missing
 * feature go to all. */
static bool deal_entries(growing *g, const open_node *o, const cut *c, open_node *children,
                         uint32_t n_children, const uint32_t *slot)
{
    double known = 0;
    tree *t = g->tree;
    size_t n_missing = 0;
    for (size_t i = 0; i < o->n; i++) {
        uint32_t branch = branch_of(g->samples, c->feature, c->threshold, o->entries[i].row);
        if (branch == SHOAL_NO_CATEGORY)
            n_missing++;
        else
            children[slot[branch]].n++;
    }
    for (uint32_t j = 0; j < n_children; j++) {
        children[j].entries = shoal_alloc(children[j].n + n_missing, sizeof(entry));
        if (children[j].entries == NULL) return false;
        children[j].n = 0;
    }
    for (int pass = 0; pass < 2; pass++) /* known entries first: they determine the shares */
        for (size_t i = 0; i < o->n; i++) {
            entry e = o->entries[i];
            uint32_t branch = branch_of(g->samples, c->feature, c->threshold, e.row);
            if ((branch == SHOAL_NO_CATEGORY) != (pass == 1)) continue;
            if (pass == 0) {
                open_node *child = &children[slot[branch]];
                child->entries[child->n++] = e;
                t->nodes[child->at].weight += e.weight;
                known += e.weight;
                continue;
            }
            for (uint32_t j = 0; j < n_children; j++) {
                double share = e.weight * t->nodes[children[j].at].weight / known;
                if (share >= LEAST_SHARE)
                    children[j].entries[children[j].n++] = (entry){ e.row, share };
            }
        }
    return true;
}

static void count_labels(tree *t, const shoal_samples *s, const open_node *o)
{
    double *counts = t->counts + (size_t)o->at * t->n_classes;
    for (size_t i = 0; i < o->n; i++) counts[s->labels[o->entries[i].row]] += o->entries[i].weight;
}

/* The branches that occur, ascending, in g->seen; the child of each in `slot`. */
static uint32_t list_branches(growing *g, const open_node *o, const cut *c, uint32_t *slot,
                              uint32_t n_branches)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < n_branches; b++) slot[b] = SHOAL_NO_CATEGORY;
    for (size_t i = 0; i < o->n; i++) {
        uint32_t branch = branch_of(g->samples, c->feature, c->threshold, o->entries[i].row);
        if (branch != SHOAL_NO_CATEGORY) slot[branch] = 0;
    }
    for (uint32_t b = 0; b < n_branches; b++)
        if (slot[b] == 0) {
            g->seen[n] = b;
            slot[b] = n++;
        }
    return n;
}

/* Split a node; its children become open nodes. */
static bool cut_node(growing *g, const open_node *o, const cut *c)
{
    const shoal_feature *feature = &g->samples->features[c->feature];
    uint32_t n_branches = feature->is_number ? 2 : feature->n_categories;
    uint32_t *slot = shoal_alloc(n_branches, sizeof *slot);
    if (slot == NULL) return false;
    uint32_t n = list_branches(g, o, c, slot, n_branches), first = (uint32_t)g->tree->n_nodes;
    void *open = g->open;
    bool ok = add_nodes(g->tree, n) &&
              shoal_reserve(&open, &g->open_room, g->n_open + n, sizeof *g->open);
    g->open = open;
    if (ok) {
        open_node *children = g->open + g->n_open;
        for (uint32_t j = 0; j < n; j++) {
            children[j] = (open_node){ .at = first + j };
            g->tree->nodes[first + j].category = g->seen[j];
        }
        g->n_open += n; /* from here on the list of open nodes owns their entries */
        node *parent = &g->tree->nodes[o->at];
        parent->feature = c->feature;
        parent->threshold = c->threshold;
        parent->first_child = first;
        parent->n_children = n;
        ok = deal_entries(g, o, c, children, n, slot);
        for (uint32_t j = 0; ok && j < n; j++) count_labels(g->tree, g->samples, &children[j]);
    }
    shoal_free(slot);
    return ok;
}

static bool is_worth_cutting(const tree *t, uint32_t at)
{
    const double *counts = t->counts + (size_t)at * t->n_classes;
    double sum = total(counts, t->n_classes), most = 0;
    for (uint32_t c = 0; c < t->n_classes; c++) most = fmax(most, counts[c]);
    return sum >= 2 * LEAST_ROWS && most < sum - 1e-9;
}

static bool grow(growing *g, cut *cuts)
{
    bool ok = true;
    while (ok && g->n_open > 0 &&
           !(g->is_stopped = g->is_stopped || shoal_samples_stopped(g->samples))) {
        open_node o = g->open[--g->n_open];
        if (is_worth_cutting(g->tree, o.at)) {
            cut best = choose_cut(g, cuts, &o);
            if (best.feature != NO_FEATURE) ok = cut_node(g, &o, &best);
        }
        shoal_free(o.entries);
    }
    return ok;
}

/* ---- pruning ---- */

/* Below one error: the exact limit of the binomial distribution for 0 errors, interpolated up to
 * that for 1. Else Wilson's limit with a continuity correction of one half, as in C4.5. */
double shoal_pessimistic_errors(double n, double e)
{
    if (e < 1) {
        double base = n * (1 - pow(CONFIDENCE, 1 / n));
        return e <= 0 ? base : base + e * (shoal_pessimistic_errors(n, 1) - base);
    }
    if (e + 0.5 >= n) return fmax(n, e);
    double z = Z_OF_75_PERCENT, f = (e + 0.5) / n;
    double high = (f + z * z / (2 * n) + z * sqrt(f / n - f * f / n + z * z / (4 * n * n))) /
                  (1 + z * z / n);
    return high * n;
}

/*
 * Children come after their parents in the array, so a backward pass prunes every subtree before
 * the one that contains it.
 */
static bool prune(tree *t)
{
    double *errors = shoal_alloc(t->n_nodes, sizeof *errors);
    if (errors == NULL) return false;
    for (size_t at = t->n_nodes; at-- > 0;) {
        const double *counts = t->counts + at * t->n_classes;
        double sum = total(counts, t->n_classes), most = 0, below = 0;
        for (uint32_t c = 0; c < t->n_classes; c++) most = fmax(most, counts[c]);
        errors[at] = sum > 0 ? shoal_pessimistic_errors(sum, sum - most) : 0;
        node *n = &t->nodes[at];
        if (n->feature == NO_FEATURE) continue;
        for (uint32_t j = 0; j < n->n_children; j++) below += errors[n->first_child + j];
        if (errors[at] <= below + PRUNE_SLACK)
            n->feature = NO_FEATURE;
        else
            errors[at] = below;
    }
    shoal_free(errors);
    return true;
}

/* ---- the classifier ---- */

static void tree_free(void *model)
{
    tree *t = model;
    if (t == NULL) return;
    shoal_free(t->nodes);
    shoal_free(t->counts);
    shoal_free(t);
}

static bool begin_growing(growing *g, const uint32_t *rows, size_t n)
{
    uint32_t most = 1;
    for (uint32_t f = 0; f < g->samples->n_features; f++)
        if (!g->samples->features[f].is_number && g->samples->features[f].n_categories > most)
            most = g->samples->features[f].n_categories;
    void *open = NULL;
    if (!add_nodes(g->tree, 1) || !shoal_reserve(&open, &g->open_room, 1, sizeof *g->open))
        return false;
    g->open = open;
    g->table = shoal_alloc_zero((size_t)most * g->tree->n_classes, sizeof *g->table);
    g->seen = shoal_alloc((size_t)most + 1, sizeof *g->seen);
    g->keys = shoal_alloc(n, sizeof *g->keys);
    g->left = shoal_alloc(g->tree->n_classes, sizeof *g->left);
    entry *entries = shoal_alloc(n, sizeof *entries);
    if (g->table == NULL || g->seen == NULL || g->keys == NULL || g->left == NULL ||
        entries == NULL) {
        shoal_free(entries);
        return false;
    }
    for (size_t i = 0; i < n; i++) entries[i] = (entry){ rows[i], 1 };
    g->open[g->n_open++] = (open_node){ 0, entries, n };
    count_labels(g->tree, g->samples, &g->open[0]);
    return true;
}

static shoal_status tree_train(void **model, const shoal_samples *s, const uint32_t *rows, size_t n,
                               shoal_error *err)
{
    tree *t = shoal_alloc_zero(1, sizeof *t);
    growing g = { .tree = t, .samples = s };
    cut *cuts = shoal_alloc(s->n_features, sizeof *cuts);
    if (t != NULL) t->n_classes = s->n_classes;
    bool ok = t != NULL && cuts != NULL && begin_growing(&g, rows, n) && grow(&g, cuts) && prune(t);
    for (size_t i = 0; i < g.n_open; i++) shoal_free(g.open[i].entries);
    shoal_free(g.open);
    shoal_free(g.table);
    shoal_free(g.seen);
    shoal_free(g.keys);
    shoal_free(g.left);
    shoal_free(cuts);
    if (ok && !g.is_stopped)
        *model = t;
    else
        tree_free(t);
    if (ok && g.is_stopped) return shoal_fail(err, SHOAL_ECANCELLED, "classify: stopped");
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* The child of a branch, or SHOAL_NO_CATEGORY if training had none. */
static uint32_t find_child(const tree *t, const node *n, uint32_t branch)
{
    uint32_t low = 0, high = n->n_children;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->nodes[n->first_child + middle].category < branch)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_there = low < n->n_children && t->nodes[n->first_child + low].category == branch;
    return is_there ? n->first_child + low : SHOAL_NO_CATEGORY;
}

typedef struct visit {
    uint32_t at;
    double weight;
} visit;

static void add_leaf(const tree *t, visit v, double *p)
{
    const double *counts = t->counts + (size_t)v.at * t->n_classes;
    double sum = total(counts, t->n_classes);
    for (uint32_t c = 0; c < t->n_classes; c++)
        p[c] += sum > 0 ? v.weight * counts[c] / sum : v.weight / t->n_classes;
}

/* Follow a row from a node to the next leaf or missing feature. */
static visit descend(const tree *t, const shoal_samples *s, uint32_t row, visit v, bool *is_divided)
{
    for (;;) {
        const node *n = &t->nodes[v.at];
        *is_divided = false;
        if (n->feature == NO_FEATURE) return v;
        uint32_t branch = branch_of(s, n->feature, n->threshold, row);
        *is_divided = branch == SHOAL_NO_CATEGORY;
        if (*is_divided) return v;
        uint32_t child = find_child(t, n, branch);
        if (child == SHOAL_NO_CATEGORY) return v; /* a category without training rows here */
        v.at = child;
    }
}

static bool tree_predict(const void *model, const shoal_samples *s, uint32_t row, double *p)
{
    const tree *t = model;
    visit here[STACK], *stack = here, v = { 0, 1 };
    size_t n = 0, room = STACK;
    bool ok = true, is_divided;
    for (uint32_t c = 0; c < t->n_classes; c++) p[c] = 0;
    stack[n++] = v;
    while (ok && n > 0) {
        v = descend(t, s, row, stack[--n], &is_divided);
        const node *at = &t->nodes[v.at];
        if (!is_divided) {
            add_leaf(t, v, p);
            continue;
        }
        if (n + at->n_children > room) { /* replace the array on the stack by a growing block */
            visit *more = shoal_alloc((n + at->n_children) * 2, sizeof *more);
            ok = more != NULL;
            if (ok) memcpy(more, stack, n * sizeof *more);
            if (stack != here) shoal_free(stack);
            stack = ok ? more : here;
            room = (n + at->n_children) * 2;
        }
        double known = 0;
        for (uint32_t j = 0; j < at->n_children; j++) known += t->nodes[at->first_child + j].weight;
        for (uint32_t j = 0; ok && j < at->n_children; j++)
            stack[n++] = (visit){ at->first_child + j,
                                  v.weight * t->nodes[at->first_child + j].weight / known };
    }
    if (stack != here) shoal_free(stack);
    return ok;
}

const shoal_classifier shoal_decision_tree = { "decision-tree", tree_train, tree_predict,
                                               tree_free };
