/* SPDX-License-Identifier: Apache-2.0 */
/* measure_view.h - input of a utility measure: groups, their sizes, and the loss of each published
 * cell.
 *
 * A group is a distinct published tuple, whether it was made here or read from a file. The measures
 * are plain sums in a fixed order over this view, one measure per file; they never read a table.
 */
#ifndef SHOAL_MEASURE_VIEW_H
#define SHOAL_MEASURE_VIEW_H

#include "privacy/protection.h"

#define SHOAL_NO_GROUP UINT32_MAX

/*
 * Disclosure of sensitive values by the groups. Several sensitive columns are averaged within a
 * group (S-diversity, group diversity), and the worst one counts for the worst group (WGP).
 */
typedef struct shoal_protection_view {
    uint32_t n_groups, n_columns;
    const double *loss;            /* mean Q-diversity of the quasi-identifiers, of each group */
    const double *s_diversity;     /* n_groups x n_columns */
    const double *range_diversity; /* likewise */
    double confidence;             /* the greatest disclosure confidence of a row */
    double least_variance;         /* of a group's numbers; NaN where no column has numbers */
} shoal_protection_view;

typedef struct shoal_measure_view {
    uint32_t k;      /* the one asked for */
    uint64_t n_rows; /* of the original: rows left out of the release included */
    uint32_t n_groups;
    uint32_t n_attrs;
    const uint64_t *sizes; /* rows of each group */
    const double *loss;    /* n_groups x n_attrs, each in [0,1] */
    /* the group with `*` in every attribute, or SHOAL_NO_GROUP; so many of its rows are suppressed,
     * the others were generalised to the root */
    uint32_t star_group;
    uint64_t n_starred;
    uint64_t n_left_out; /* suppressed rows that are not in the release: they are in no group */
    const double *distortions;  /* of each attribute: the sum over its cells; see distortion.h */
    double genc;                /* generalisation cost: the sum over all cells; see genc.c */
    const bool *is_number;      /* is the attribute published as intervals? */
    const double *wid;          /* of each attribute; see record_distance.h */
    const double *domain_sizes; /* |D| of each attribute; see attribute.h */
    /* set if there are weights of levels or priorities; else NULL */
    const double *priorities;           /* factor of each attribute */
    const double *weighted_distortions; /* as `distortions`, weighted steps, without priorities */
    const double *root_costs;           /* weighted distortion of one cell at the root */
    /* cells that differ from their original, those of left-out rows included */
    uint64_t n_changed;
    /* rows of each group, suppressed ones not counted, with its most frequent class label; NULL
     * without labels */
    const uint64_t *majorities;
    double cm_before;                        /* the classification metric of the original */
    bool has_sse;                            /* microaggregation: sse_ratio is set */
    double sse_ratio;                        /* mean over numeric attributes of SSE/SST */
    const shoal_protection_view *protection; /* NULL without sensitive values */
} shoal_measure_view;

/* Suppressed rows, published as `*` or left out. */
static inline uint64_t shoal_view_n_suppressed(const shoal_measure_view *view)
{
    return view->n_left_out + (view->star_group == SHOAL_NO_GROUP ? 0 : view->n_starred);
}

/* gcp.c */
double shoal_measure_ncp_of_attr(const shoal_measure_view *view, uint32_t attr);
double shoal_measure_ncp(const shoal_measure_view *view);
double shoal_measure_gcp(const shoal_measure_view *view);
/* utility_measure.c */
double shoal_measure_um(const shoal_measure_view *view);
double shoal_measure_wgu(const shoal_measure_view *view);
/* classification_metric.c; needs majorities */
double shoal_measure_cm(const shoal_measure_view *view);
/* discernibility.c */
double shoal_measure_dm(const shoal_measure_view *view);
/* average_class_size.c */
double shoal_measure_cavg(const shoal_measure_view *view, uint32_t k);
/* Over all attributes. */
static inline double shoal_view_distortion(const shoal_measure_view *view)
{
    double sum = 0;
    for (uint32_t a = 0; a < view->n_attrs; a++) sum += view->distortions[a];
    return sum;
}
/* pramanik_loss.c; `weights` may be NULL: all 1 */
double shoal_measure_pramanik_loss(const shoal_measure_view *view, const double *weights);
/* Fraction of its domain that a cell covers: s / |D|, from its loss (s-1) / (|D|-1). */
static inline double shoal_view_share(const shoal_measure_view *view, uint32_t group, uint32_t attr)
{
    double size = view->domain_sizes[attr];
    double loss = view->loss[(size_t)group * view->n_attrs + attr];
    return size > 1 ? (loss * (size - 1) + 1) / size : 1;
}
/* modification_rate.c */
double shoal_measure_modification_rate(const shoal_measure_view *view);

/* Mean over groups of the mean S-diversity (mpm.c), and of one column. */
double shoal_measure_mpm(const shoal_protection_view *view);
double shoal_measure_mpm_of_column(const shoal_protection_view *view, uint32_t column);
/* Mean over groups of w_u * loss + (1 - w_u) * S-diversity (max_range_weighted.c). */
double shoal_measure_mr_wtd(const shoal_protection_view *view, double w_u);
/* Greatest range diversity of a group in any column (wgp.c), and in one. */
double shoal_measure_wgp(const shoal_protection_view *view);
double shoal_measure_wgp_of_column(const shoal_protection_view *view, uint32_t column);

#endif
