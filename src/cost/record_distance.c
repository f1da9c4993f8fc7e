/* SPDX-License-Identifier: Apache-2.0 */
/* record_distance.c - makes the distance as a metric; see record_distance.h.
 *
 * A metric takes the losses of nodes from the attribute. So it is made from copies of the
 * attributes whose losses are replaced by distortions, as fractions of the distortion of `*`; that
 * distortion goes into the weight of the attribute, which is the cost of `*`.
 */
#include "cost/record_distance.h"

#include <math.h>
#include <string.h>

void shoal_wid(double *out, const uint32_t *n_steps, uint32_t n_attrs)
{
    uint32_t most = 0;
    for (uint32_t a = 0; a < n_attrs; a++)
        if (n_steps[a] > most) most = n_steps[a];
    double sum = 0;
    /* ratios to the greatest, so that no power overflows */
    for (uint32_t a = 0; a < n_attrs; a++) {
        out[a] = most == 0 ? 0 : pow((double)n_steps[a] / most, n_attrs);
        sum += out[a];
    }
    for (uint32_t a = 0; a < n_attrs; a++) out[a] = n_attrs > 1 && sum > 0 ? 1 - out[a] / sum : 1;
}

bool shoal_wid_of_ladders(double *out, const shoal_ladders *ladders)
{
    uint32_t *n_steps = shoal_alloc(ladders->n_attrs, sizeof *n_steps);
    if (n_steps == NULL) return false;
    for (uint32_t a = 0; a < ladders->n_attrs; a++) n_steps[a] = ladders->items[a].shape.height;
    shoal_wid(out, n_steps, ladders->n_attrs);
    shoal_free(n_steps);
    return true;
}

/* WHD from the deepest leaf below a node of the ladder to the node. */
static double climb_to(const shoal_ladder *ladder, uint32_t node)
{
    uint32_t deepest = ladder->deepest[node];
    return deepest == 0 ? 0 : shoal_whd(ladder, deepest, deepest, ladder->shape.depth[node]);
}

/* Fill the losses of the nodes of a tree as fractions of the root's loss; returns the latter. */
static double fill_climbs(double *loss, const shoal_ladders *ladders, uint32_t a,
                          const shoal_hierarchy *tree)
{
    const shoal_ladder *ladder = &ladders->items[a];
    for (uint32_t node = 0; node < tree->n_nodes; node++)
        loss[node] = climb_to(ladder, node < tree->n_leaves ? node : node + ladder->n_lifted);
    for (uint32_t node = 0; node + 1 < tree->n_nodes;
         /* children come first; with weights that decrease with depth a node may be cheaper than
          * its child */
         node++)
        if (loss[tree->parent[node]] < loss[node]) loss[tree->parent[node]] = loss[node];
    double whole = loss[tree->n_nodes - 1];
    for (uint32_t node = 0; whole > 0 && node < tree->n_nodes; node++) loss[node] /= whole;
    return whole;
}

/* A set of two or more values costs as much as `*`: there is no level between. */
static void flatten_sets(shoal_metric *metric)
{
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        shoal_measure_line *line = &metric->lines[a];
        for (uint32_t n = 2; line->is_set && n < line->n_plain + 2; n++)
            line->set_loss[n] = line->one;
    }
}

/* Replace the losses of `attrs`, a copy of the space's attributes; `losses` has room for the nodes
 * of all trees. */
static void replace_losses(shoal_attribute *attrs, double *weights, double *losses,
                           const shoal_ladders *ladders)
{
    for (uint32_t a = 0; a < ladders->n_attrs; a++) {
        const shoal_ladder *ladder = &ladders->items[a];
        if (attrs[a].is_set) weights[a] *= climb_to(ladder, ladder->shape.n_nodes - 1);
        if (!attrs[a].is_tree) continue;
        weights[a] *= fill_climbs(losses, ladders, a, attrs[a].tree);
        attrs[a].node_loss = losses;
        losses += attrs[a].tree->n_nodes;
    }
}

static size_t count_tree_nodes(const shoal_space *space)
{
    size_t n = 0;
    for (uint32_t a = 0; a < space->n_attrs; a++)
        if (space->attrs[a].is_tree) n += space->attrs[a].tree->n_nodes;
    return n;
}

/* Takes the ladders over. */
static shoal_status make_metric(shoal_metric *out, const shoal_space *space, shoal_ladders ladders,
                                bool uses_wid, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_attribute *attrs = shoal_alloc(space->n_attrs, sizeof *attrs);
    double *weights = shoal_alloc(space->n_attrs, sizeof *weights);
    double *losses = shoal_alloc(count_tree_nodes(space), sizeof *losses);
    bool ok = attrs != NULL && weights != NULL && losses != NULL;
    for (uint32_t a = 0; ok && a < space->n_attrs; a++) weights[a] = space->attrs[a].priority;
    if (!ok || (uses_wid && !shoal_wid_of_ladders(weights, &ladders))) {
        status = shoal_fail_memory(err);
        goto out;
    }
    memcpy(attrs, space->attrs, space->n_attrs * sizeof *attrs);
    replace_losses(attrs, weights, losses, &ladders);
    shoal_space ascending = { .attrs = attrs,
                              .n_attrs = space->n_attrs,
                              .n_words = space->n_words,
                              .missing = space->missing };
    SHOAL_GOTO_IF_ERROR(shoal_metric_make(out, &ascending, weights, err), out);
    flatten_sets(out);
out:
    shoal_free(attrs);
    shoal_free(weights);
    shoal_free(losses);
    shoal_ladders_clear(&ladders);
    return status;
}

shoal_status shoal_record_metric_make(shoal_metric *out, const shoal_space *space,
                                      shoal_weighting weighting, double exponent, bool uses_wid,
                                      shoal_error *err)
{
    shoal_ladders ladders;
    SHOAL_RETURN_IF_ERROR(shoal_ladders_make(&ladders, space, weighting, exponent, NULL, err));
    return make_metric(out, space, ladders, uses_wid, err);
}

shoal_status shoal_record_metric_make_weighted(shoal_metric *out, const shoal_space *space,
                                               const shoal_ascent_weights *weights, bool uses_wid,
                                               shoal_error *err)
{
    shoal_ladders ladders;
    SHOAL_RETURN_IF_ERROR(shoal_ladders_make_weighted(&ladders, space, weights, err));
    return make_metric(out, space, ladders, uses_wid, err);
}
