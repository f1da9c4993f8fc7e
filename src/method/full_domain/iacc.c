/* SPDX-License-Identifier: Apache-2.0 */
/* iacc.c - IACc: levels as in iack.c, then as much suppression as limits on the class and the values allow.
 *
 * Groups are suppressed from the smallest size upward, all groups of a size at once, while every quasi-identifier keeps
 * D_N <= delta_D and |change of I_N| <= delta_C. The step that first exceeds a limit is undone. The k reached is the
 * size of the smallest group left, or of the suppressed rows, which are a group themselves.
 *
 *     sizes  1 1 1 1 | 2 2 | 3 | 5 5 | 9 ...
 *            suppressed ----> | limit exceeded: undone.      k reached: 5, or the 11 rows suppressed if fewer
 *
 * Without any limit it would not stop, so it stops at the k of the command and equals iack.
 *
 * Departs from the paper: (a) the k of the command is a minimum: if less is reached the run fails (SHOAL_EUNSAT); (b) k
 * is the size that is left, not the size suppressed last plus one; (c) if fewer than k rows are suppressed, the
 * smallest group left is suppressed too if the limits allow it; else one step fewer is taken.
 *
 * Li, Liu, Baig, Wong: Information based data anonymization for classification utility, Data & Knowledge Engineering
 * 70(12), 2011, Algorithm 2. Cost: O(classes * levels), and O(pairs of value and label) for each group size that is
 * tried.
 */
#include "method/full_domain/informed_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sized_group {
    uint32_t size, group;
} sized_group;

typedef struct iacc {
    shoal_informed informed;
    double delta_d, delta_c;
    sized_group *order; /* groups by ascending size */
    uint32_t n;
} iacc;

static int by_size(const void *x, const void *y)
{
    const sized_group *a = x, *b = y;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    return a->group < b->group ? -1 : a->group > b->group;
}

/* Are all quasi-identifiers within the limits with the groups suppressed now? An infinite D_N is within no limit. */
static bool bears(iacc *c)
{
    shoal_information changes;
    shoal_informed_changes(&c->informed, &changes);
    return changes.beta <= c->delta_d && changes.alpha <= c->delta_c;
}

static void suppress(iacc *c, uint32_t from, uint32_t to, bool back)
{
    for (uint32_t i = from; i < to; i++) shoal_informed_suppress(&c->informed, c->order[i].group, back);
}

static uint32_t end_of_size(const iacc *c, uint32_t from)
{
    uint32_t end = from;
    while (end < c->n && c->order[end].size == c->order[from].size) end++;
    return end;
}

/* Suppress as many groups, the smallest first, as the limits allow; returns their number. One group is always left. */
static uint32_t suppress_all_it_bears(iacc *c)
{
    for (uint32_t at = 0;;) {
        uint32_t end = end_of_size(c, at);
        if (end == c->n) return at;
        suppress(c, at, end, false);
        if (!bears(c)) {
            suppress(c, at, end, true);
            return at;
        }
        at = end;
    }
}

/*
 * The k whose suppression is that of the first `at` groups, or of one more if these have fewer than k rows. 0: none is
 * within the limits with k >= floor.
 */
static uint32_t judge_k(iacc *c, uint32_t at, uint32_t floor)
{
    uint64_t n_suppressed = 0;
    for (uint32_t i = 0; i < at; i++) n_suppressed += c->order[i].size;
    uint32_t k = at > 0 && c->order[at - 1].size >= floor ? c->order[at - 1].size + 1 : floor;
    if (c->order[at].size < k) return 0;
    if (n_suppressed == 0 || n_suppressed >= k) return k;
    suppress(c, at, at + 1, false);
    bool is_borne = at + 1 < c->n && bears(c);
    suppress(c, at, at + 1, true);
    return is_borne ? k : 0;
}

/* The parameter as given. */
static const char *limit_text(const iacc *c, const char *name)
{
    return shoal_problem_param(c->informed.problem, &shoal_algorithm_iacc, name);
}

/* Error: only n_suppressed groups, the smallest first, may be suppressed. */
static shoal_status fail_floor(const iacc *c, uint32_t n_suppressed, shoal_error *err)
{
    return shoal_fail(err, SHOAL_EUNSAT, "iacc: within delta_D = %s and delta_C = %s no more than k = %u is reached, and k = %u is asked for {fix} "
                                         "lower k, or allow more with {--param} delta_D=... and {--param} delta_C=...",
                      limit_text(c, "delta_D"), limit_text(c, "delta_C"), c->order[n_suppressed].size, c->informed.problem->k);
}

/* Find k; afterwards no group is suppressed, because publishing does that. */
static shoal_status find_k(uint32_t *k, iacc *c, shoal_error *err)
{
    *k = c->informed.problem->k;
    if (isinf(c->delta_d) && isinf(c->delta_c)) return SHOAL_OK;
    uint32_t most = suppress_all_it_bears(c), at = most;
    for (;;) {
        *k = judge_k(c, at, c->informed.problem->k);
        if (*k > 0 || at == 0) break;
        uint32_t size = c->order[at - 1].size, from = at;
        while (from > 0 && c->order[from - 1].size == size) from--;
        suppress(c, from, at, true);
        at = from;
    }
    suppress(c, 0, at, true);
    return *k > 0 ? SHOAL_OK : fail_floor(c, most, err);
}

static shoal_status read_limit(double *out, const shoal_problem *problem, const char *name, shoal_error *err)
{
    const char *text = shoal_problem_param(problem, &shoal_algorithm_iacc, name);
    *out = INFINITY;
    if (strcmp(text, "none") == 0) return SHOAL_OK;
    if (shoal_parse_number(text, strlen(text), out) && *out >= 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "iacc: %s must be a number, at least 0, or 'none' {fix} write {--param} %s=0.1", name, name);
}

static bool order_groups(iacc *c)
{
    c->n = c->informed.groups.n;
    c->order = shoal_alloc(c->n, sizeof *c->order);
    if (c->order == NULL) return false;
    for (uint32_t g = 0; g < c->n; g++) c->order[g] = (sized_group){ c->informed.groups.sizes[g], g };
    qsort(c->order, c->n, sizeof *c->order, by_size);
    return true;
}

static shoal_status run(shoal_parts *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    iacc c = { 0 };
    shoal_judge judge = { 0 };
    uint32_t k;
    SHOAL_RETURN_IF_ERROR(read_limit(&c.delta_d, problem, "delta_D", err));
    SHOAL_RETURN_IF_ERROR(read_limit(&c.delta_c, problem, "delta_C", err));
    SHOAL_GOTO_IF_ERROR(shoal_informed_make(&c.informed, problem, "iacc", err), out);
    if (!order_groups(&c)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(find_k(&k, &c, err), out);
    shoal_problem reached = *problem;
    reached.k = k;
    SHOAL_GOTO_IF_ERROR(shoal_judge_init(&judge, &c.informed.lattice, &reached, problem->classes->n_rows, SHOAL_NODE_GCP, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_informed_publish(out, &c.informed, &judge, err), out);
    if (!bears(&c)) /* more groups were suppressed than sizes require: some violate a model */
        status = shoal_fail(err, SHOAL_EUNSAT, "iacc: groups that miss a privacy model would have to be suppressed beyond delta_D = %s or "
                                               "delta_C = %s {fix} "
                                               "allow more, or ask for less", limit_text(&c, "delta_D"), limit_text(&c, "delta_C"));
out:
    shoal_free(c.order);
    shoal_judge_clear(&judge);
    shoal_informed_clear(&c.informed);
    return status;
}

static const shoal_param_info params[] = {
    { "delta_D", "number >= 0|none", "none", "the most that suppression may change the values of a quasi-identifier: D_N" },
    { "delta_C", "number >= 0|none", "none", "the most that it may change what a quasi-identifier tells of the class: I_N" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_iacc = {
    .name = "iacc",
    .summary = "the same levels, and the largest k that the distributions bear; needs --class (Li et al. 2011)",
    .keeps_levels = true,
    .run = run,
    .params = params,
    .uses_class = true,
    .wants_values = shoal_wants_values_if_constrained,
    .keeps_constraint = true,
    .terms = (const shoal_term[]){
        { .kind = SHOAL_TERM_METHOD, .place = 200,
          .names = "iacc",
          .title = "as iack, but the largest k within limits on what may change",
          .text = "Suppresses classes from the smallest upward while every column keeps its distribution and its information "
                  "within two given limits; answers the k it reached.",
          .reading = "k_reached is the answer: check that it is enough for you.",
          .source = "as iack" },
        { 0 },
    },
};
