/* SPDX-License-Identifier: Apache-2.0 */
/* iacc.c - IACc: levels as in iack.c, then as much suppression as limits on the class and the
 * values allow.
 *
 * Groups are suppressed from the smallest size upward, all groups of a size at once, while every
 * quasi-identifier keeps D_N <= delta_D and |change of I_N| <= delta_C. The step that first exceeds
 * a limit is undone. The k reached is the size of the smallest group left, or of the suppressed
 * rows, which are a group themselves.
 *
 *     sizes  1 1 1 1 | 2 2 | 3 | 5 5 | 9 ...
 *            suppressed ----> | limit exceeded: undone.      k reached: 5, or the 11 rows
 * suppressed if fewer
 *
 * A limit in percent is a share of what the attribute can reach at most: D_N with one row left of
 * every value, H(C)/H(A') for I_N (section 4 of the paper). Without any limit it would not stop, so
 * it stops at the k of the command and equals iack.
 *
 * Departs from the paper: (a) a k of the command is a minimum: if less is reached the run fails
 * (SHOAL_EUNSAT); (b) k is the size that is left, not the size suppressed last plus one; (c) if
 * fewer than k rows are suppressed, the smallest group left is suppressed too if the limits allow
 * it; else one step fewer is taken; (d) where the limits allow no suppression and a row is alone in
 * its group, the run fails unless alone=publish. The paper assumes a table that exempts suppressed
 * rows (shoal_table_exempt_suppressed()).
 *
 * Li, Liu, Baig, Wong: Information based data anonymization for classification utility, Data &
 * Knowledge Engineering 70(12), 2011, Algorithm 2. Cost: O(classes * levels), and O(pairs of value
 * and label) for each group size that is tried.
 */
#include "method/full_domain/informed_levels.h"
#include "method/level_params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sized_group {
    uint32_t size, group;
} sized_group;

typedef struct iacc {
    shoal_informed informed;
    double *most_d, *most_c; /* limit of each attribute; infinite: none */
    sized_group *order;      /* groups by ascending size */
    uint32_t n;
    bool is_limited, publishes_alone;
} iacc;

static int by_size(const void *x, const void *y)
{
    const sized_group *a = x, *b = y;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    return a->group < b->group ? -1 : a->group > b->group;
}

/* Are all quasi-identifiers within the limits with the groups suppressed now? An infinite D_N is
 * within no limit. */
static bool bears(iacc *c)
{
    for (uint32_t a = 0; a < c->informed.lattice.n_attrs; a++) {
        shoal_informed_change change = shoal_informed_change_of(&c->informed, a);
        if (!(change.beta <= c->most_d[a] && change.alpha <= c->most_c[a])) return false;
    }
    return true;
}

static void suppress(iacc *c, uint32_t from, uint32_t to, bool back)
{
    for (uint32_t i = from; i < to; i++)
        shoal_informed_suppress(&c->informed, c->order[i].group, back);
}

static uint32_t end_of_size(const iacc *c, uint32_t from)
{
    uint32_t end = from;
    while (end < c->n && c->order[end].size == c->order[from].size) end++;
    return end;
}

/* Suppress as many groups, the smallest first, as the limits allow; returns their number. One group
 * is always left. */
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
 * The k whose suppression is that of the first `at` groups, or of one more if these have fewer than
 * k rows. 0: none is within the limits with k >= floor.
 */
static uint32_t judge_k(iacc *c, uint32_t at, uint32_t floor)
{
    uint64_t n_suppressed = 0;
    for (uint32_t i = 0; i < at; i++) n_suppressed += c->order[i].size;
    uint32_t k = at > 0 && c->order[at - 1].size >= floor ? c->order[at - 1].size + 1 : floor;
    if (c->order[at].size < k) return 0;
    if (n_suppressed == 0 || n_suppressed >= k || c->informed.problem->frees_suppressed) return k;
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

/* Error: only n_suppressed groups, the smallest first, may be suppressed. The groups left may be
 * large enough all the same. */
static shoal_status fail_floor(const iacc *c, uint32_t n_suppressed, shoal_error *err)
{
    uint64_t n_rows = 0;
    for (uint32_t i = 0; i < n_suppressed; i++) n_rows += c->order[i].size;
    if (c->order[n_suppressed].size >= c->informed.problem->k)
        return shoal_fail(
            err, SHOAL_EUNSAT,
            "iacc: within delta_D = %s and delta_C = %s only %llu rows may be suppressed, fewer "
            "than k {fix} remove them with {--drop-suppressed}, exempt them with {--suppressed} "
            "exempt, or allow more with {--param} delta_D=... and {--param} delta_C=...",
            limit_text(c, "delta_D"), limit_text(c, "delta_C"), (unsigned long long)n_rows);
    return shoal_fail(
        err, SHOAL_EUNSAT,
        "iacc: within delta_D = %s and delta_C = %s the largest k is %u, but k = %u is required "
        "{fix} lower k, or allow more with {--param} delta_D=... and {--param} delta_C=...",
        limit_text(c, "delta_D"), limit_text(c, "delta_C"), c->order[n_suppressed].size,
        c->informed.problem->k);
}

/* Nothing is suppressed: error if the smallest group is one row and that was not requested. */
static shoal_status refuse_alone(const iacc *c, shoal_error *err)
{
    if (c->order[0].size > 1 || c->publishes_alone) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EUNSAT,
        "iacc: within delta_D = %s and delta_C = %s nothing may be suppressed, and rows would be "
        "published alone in their group: k is 1 {fix} allow more with {--param} delta_D=... and "
        "{--param} delta_C=..., or accept it with {--param} alone=publish",
        limit_text(c, "delta_D"), limit_text(c, "delta_C"));
}

/* Find k; afterwards no group is suppressed, because publishing does that. */
static shoal_status find_k(uint32_t *k, iacc *c, shoal_error *err)
{
    *k = c->informed.problem->k;
    if (!c->is_limited) return SHOAL_OK;
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
    if (*k == 0) return fail_floor(c, most, err);
    return at == 0 ? refuse_alone(c, err) : SHOAL_OK;
}

/* A limit as it was given: a number, or a share of the most that an attribute can reach. */
typedef struct limit {
    double value;
    bool is_share;
} limit;

static shoal_status read_limit(limit *out, const shoal_problem *problem, const char *name,
                               shoal_error *err)
{
    const char *text = shoal_problem_param(problem, &shoal_algorithm_iacc, name);
    size_t length = strlen(text);
    *out = (limit){ INFINITY, false };
    if (strcmp(text, "none") == 0) return SHOAL_OK;
    out->is_share = length > 0 && text[length - 1] == '%';
    if (shoal_parse_number(text, length - out->is_share, &out->value) && out->value >= 0) {
        if (out->is_share) out->value /= 100;
        return SHOAL_OK;
    }
    return shoal_fail(err, SHOAL_EINVAL,
                      "iacc: %s must be a number of at least 0, a percentage, or 'none' {fix} "
                      "write {--param} %s=0.1 or {--param} %s=10%%",
                      name, name, name);
}

/* D_N with one row left of every value. Negative when memory is short. */
static double greatest_divergence(const shoal_joint *before)
{
    uint32_t *one_each = shoal_alloc(before->n_values, sizeof *one_each);
    if (one_each == NULL) return -1;
    for (uint32_t v = 0; v < before->n_values; v++) one_each[v] = before->value_rows[v] > 0;
    double most = shoal_normalised_divergence(before->value_rows, one_each, before->n_values);
    shoal_free(one_each);
    return most;
}

/* H(C) / H(A'): the information in the class, normalised as I_N is. */
static double greatest_information(const shoal_joint *before)
{
    double entropy = shoal_entropy(before->value_rows, before->n_values);
    return entropy > 0 ? shoal_entropy(before->label_rows, before->n_labels) / entropy : 0;
}

/* The limits of each attribute. */
static bool set_limits(iacc *c, limit d, limit k)
{
    uint32_t n = c->informed.lattice.n_attrs;
    c->most_d = shoal_alloc(n, sizeof *c->most_d);
    c->most_c = shoal_alloc(n, sizeof *c->most_c);
    c->is_limited = isfinite(d.value) || isfinite(k.value);
    if (c->most_d == NULL || c->most_c == NULL) return false;
    for (uint32_t a = 0; a < n; a++) {
        double most = d.is_share ? greatest_divergence(&c->informed.before[a]) : 1;
        if (most < 0) return false;
        c->most_d[a] = d.value * most;
        c->most_c[a] = k.value * (k.is_share ? greatest_information(&c->informed.before[a]) : 1);
    }
    return true;
}

static shoal_status refuse_nothing_asked(const shoal_problem *problem, limit d, limit k,
                                         shoal_error *err)
{
    if (problem->k > 1 || isfinite(d.value) || isfinite(k.value)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "iacc: k or a limit is required {fix} write {-k K}, or {--param} delta_D=... "
                      "or {--param} delta_C=...");
}

static bool order_groups(iacc *c)
{
    c->n = c->informed.groups.n;
    c->order = shoal_alloc(c->n, sizeof *c->order);
    if (c->order == NULL) return false;
    for (uint32_t g = 0; g < c->n; g++)
        c->order[g] = (sized_group){ c->informed.groups.sizes[g], g };
    qsort(c->order, c->n, sizeof *c->order, by_size);
    return true;
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    iacc c = { 0 };
    shoal_judge judge = { 0 };
    uint32_t k;
    limit divergence, information;
    SHOAL_RETURN_IF_ERROR(read_limit(&divergence, problem, "delta_D", err));
    SHOAL_RETURN_IF_ERROR(read_limit(&information, problem, "delta_C", err));
    SHOAL_RETURN_IF_ERROR(refuse_nothing_asked(problem, divergence, information, err));
    SHOAL_RETURN_IF_ERROR(shoal_param_word(&c.publishes_alone, problem, &shoal_algorithm_iacc,
                                           "alone", "publish", "refuse", err));
    SHOAL_GOTO_IF_ERROR(shoal_informed_make(&c.informed, problem, "iacc", err), out);
    if (!order_groups(&c) || !set_limits(&c, divergence, information)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(find_k(&k, &c, err), out);
    shoal_problem reached = *problem;
    reached.k = k;
    SHOAL_GOTO_IF_ERROR(shoal_judge_init(&judge, &c.informed.lattice, &reached,
                                         problem->classes->n_rows, SHOAL_NODE_GCP, err),
                        out);
    SHOAL_GOTO_IF_ERROR(
        shoal_informed_publish(out, &c.informed, &judge, &shoal_algorithm_iacc, err), out);
    if (!bears(&c)) /* more groups were suppressed than sizes require: some violate a model */
        status = shoal_fail(
            err, SHOAL_EUNSAT,
            "iacc: suppressing the groups that do not satisfy a privacy model exceeds delta_D = %s "
            "or delta_C = %s {fix} raise the limits, or relax the model",
            limit_text(&c, "delta_D"), limit_text(&c, "delta_C"));
out:
    shoal_free(c.order);
    shoal_free(c.most_d);
    shoal_free(c.most_c);
    shoal_judge_clear(&judge);
    shoal_informed_clear(&c.informed);
    return status;
}

static const shoal_param_info params[] = {
    { "delta_D", "number >= 0|percent|none", "none",
      "maximum change of the value distribution of a quasi-identifier by suppression: D_N, or 10% "
      "of the D_N with one row left of each value" },
    { "delta_C", "number >= 0|percent|none", "none",
      "maximum change of the information of a quasi-identifier about the class: I_N, or 10% of "
      "H(C)/H(A)" },
    SHOAL_SMALL_PARAM,
    { "alone", "refuse|publish", "refuse",
      "where the limits allow no suppression and rows are alone in their group: k is 1" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_iacc = {
    .name = "iacc",
    .summary = "the levels of iack, with the largest k within limits on distributions; needs "
               "--class (Li et al. 2011)",
    .keeps_levels = true,
    .cost = { .time = "O(c q h + v log n)",
              .memory = "O(n q + v)",
              .row_bytes = 190,
              .cell_bytes = 20,
              .value_bytes = 150 },
    .run = run,
    .params = params,
    .k_is_optional = true,
    .uses_class = true,
    .wants_values = shoal_wants_values_if_constrained,
    .keeps_constraint = true,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 200,
              .names = "iacc",
              .title = "like iack, but with the largest k within limits on changes",
              .text = "Suppresses classes from the smallest upward while every column keeps its "
                      "distribution and its information within two given limits; reports the k "
                      "that it reached. -k, the minimum, is optional; k = 1 is refused unless "
                      "alone=publish.",
              .reading = "Check that k_reached is sufficient.",
              .source = "as iack" },
            { 0 },
        },
};
