/* SPDX-License-Identifier: Apache-2.0 */
/* risk_json.c - risks of a table, and of its original for comparison, as JSON: `shoal risk --json`.
 */
#include "report/json.h"

#include <math.h>

static double share(double part, double all)
{
    return all > 0 ? part / all : 0;
}

static json_t *above_json(const shoal_risk *r, const shoal_attack *a, size_t t)
{
    double n = (double)r->n_records;
    return json_pack("{s:I, s:o, s:I, s:o}", "records", (json_int_t)a->n_above[t], "share",
                     shoal_json_real_or_null(share((double)a->n_above[t], n)), "records_rounded",
                     (json_int_t)a->n_above_rounded[t], "share_rounded",
                     shoal_json_real_or_null(share((double)a->n_above_rounded[t], n)));
}

static json_t *thresholds_json(const shoal_risk *r)
{
    json_t *list = json_array();
    for (size_t t = 0; t < r->n_thresholds; t++) {
        json_t *one = json_pack("{s:o, s:I, s:I, s:o}", "threshold",
                                shoal_json_real_or_null(r->thresholds[t]), "least_class",
                                (json_int_t)shoal_risk_least_size(r->thresholds[t]),
                                "least_class_rounded", (json_int_t)floor(1 / r->thresholds[t]),
                                "prosecutor", above_json(r, &r->prosecutor, t));
        shoal_json_put(&one, "journalist",
                       shoal_risk_knows_population(r) ? above_json(r, &r->journalist, t)
                                                      : json_null());
        shoal_json_append(&list, one);
    }
    return list;
}

static json_t *attack_json(const shoal_attack *a)
{
    return json_pack("{s:o, s:o}", "highest", shoal_json_real_or_null(a->highest), "mean",
                     shoal_json_real_or_null(a->mean));
}

static json_t *population_json(const shoal_risk *r)
{
    static const char *const sources[] = { "none", "table", "estimate" };
    json_t *p = json_pack("{s:s, s:I}", "source", sources[r->source], "size",
                          (json_int_t)r->n_population);
    if (r->source == SHOAL_RISK_POPULATION) {
        shoal_json_put(&p, "k_map", json_integer((json_int_t)r->k_map));
        shoal_json_put(&p, "unique_records", json_integer((json_int_t)r->population_uniques));
        shoal_json_put(&p, "short_records", json_integer((json_int_t)r->short_records));
        shoal_json_put(&p, "unmatched_texts", json_integer((json_int_t)r->unmatched_texts));
    } else if (r->source == SHOAL_RISK_ESTIMATE) {
        bool has = r->has_estimate;
        shoal_json_put(&p, "estimator", json_string("pitman"));
        shoal_json_put(&p, "pitman_theta",
                       has ? shoal_json_real_or_null(r->pitman_theta) : json_null());
        shoal_json_put(&p, "pitman_alpha",
                       has ? shoal_json_real_or_null(r->pitman_alpha) : json_null());
        shoal_json_put(&p, "uniques",
                       has ? shoal_json_real_or_null(r->population_uniques) : json_null());
        shoal_json_put(&p, "unique_stays",
                       has ? shoal_json_real_or_null(r->unique_stays) : json_null());
        shoal_json_put(&p, "unique_stays_zayatz",
                       has ? shoal_json_real_or_null(r->unique_stays_zayatz) : json_null());
    }
    return p;
}

static json_t *bins_json(const shoal_risk *r)
{
    json_t *list = json_array();
    for (size_t b = 0; b < SHOAL_RISK_BINS; b++) {
        const shoal_risk_bin *bin = &r->bins[b];
        shoal_json_append(
            &list,
            json_pack("{s:I, s:o, s:I, s:I}", "from", (json_int_t)bin->low, "to",
                      bin->high > 0 ? json_integer((json_int_t)bin->high) : json_null(), "classes",
                      (json_int_t)bin->n_classes, "records", (json_int_t)bin->n_records));
    }
    return list;
}

/* The fraction of rows below k that would reach k if a column or value were left out. */
static double avoided(const shoal_risk *r, uint64_t rows_without)
{
    return share((double)r->rows_below_k - (double)rows_without, (double)r->rows_below_k);
}

static json_t *columns_json(const shoal_risk *r, const shoal_table *table)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->n_columns; i++) {
        const shoal_column_risk *c = &r->columns[i];
        shoal_json_append(&list, json_pack("{s:o, s:I, s:o, s:I}", "name",
                                           shoal_json_column_name(table, c->column),
                                           "rows_below_k_without", (json_int_t)c->rows_without,
                                           "share_of_risk",
                                           shoal_json_real_or_null(avoided(r, c->rows_without)),
                                           "rows_below_k_alone", (json_int_t)c->rows_alone));
    }
    return list;
}

static json_t *pairs_json(const shoal_risk *r, const shoal_table *table)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->n_pairs; i++) {
        const shoal_pair_risk *p = &r->pairs[i];
        shoal_json_append(&list, json_pack("{s:[o, o], s:I, s:o}", "names",
                                           shoal_json_column_name(table, p->first),
                                           shoal_json_column_name(table, p->second),
                                           "rows_below_k_without", (json_int_t)p->rows_without,
                                           "share_of_risk",
                                           shoal_json_real_or_null(avoided(r, p->rows_without))));
    }
    return list;
}

static json_t *risk_json(const shoal_risk *r, const shoal_table *table, bool counts_suppressed)
{
    json_t *o = json_pack(
        "{s:I, s:I, s:b, s:s, s:s}", "rows", (json_int_t)r->n_rows, "suppressed_rows",
        (json_int_t)r->suppressed_rows, "suppressed_counted", counts_suppressed, "missing",
        shoal_missing_name(shoal_table_missing(table)), "unit", r->by_person ? "persons" : "rows");
    if (r->by_person) shoal_json_put(&o, "persons", json_integer((json_int_t)r->n_persons));
    shoal_json_put(&o, "records", json_integer((json_int_t)r->n_records));
    shoal_json_put(&o, "classes", json_integer((json_int_t)r->n_classes));
    shoal_json_put(&o, "min_class", json_integer((json_int_t)r->min_class));
    shoal_json_put(&o, "sample_uniques", json_integer((json_int_t)r->n_unique));
    shoal_json_put(&o, "sample_uniques_share",
                   shoal_json_real_or_null(share((double)r->n_unique, (double)r->n_records)));
    shoal_json_put(&o, "prosecutor", attack_json(&r->prosecutor));
    shoal_json_put(&o, "journalist",
                   shoal_risk_knows_population(r) ? attack_json(&r->journalist) : json_null());
    shoal_json_put(&o, "marketer",
                   shoal_risk_knows_population(r)
                       ? json_pack("{s:o}", "mean", shoal_json_real_or_null(r->marketer))
                       : json_null());
    shoal_json_put(&o, "population", population_json(r));
    shoal_json_put(&o, "thresholds", thresholds_json(r));
    shoal_json_put(&o, "class_sizes", bins_json(r));
    shoal_json_put(&o, "k", json_integer((json_int_t)r->k));
    shoal_json_put(&o, "rows_below_k", json_integer((json_int_t)r->rows_below_k));
    return o;
}

char *shoal_risk_json(const shoal_risk *after, const shoal_risk *before, const shoal_table *table,
                      bool counts_suppressed)
{
    json_t *object = risk_json(after, table, counts_suppressed);
    /* not for the original: its columns belong to another table */
    shoal_json_put(&object, "columns", columns_json(after, table));
    shoal_json_put(&object, "pairs", pairs_json(after, table));
    if (before != NULL)
        shoal_json_put(&object, "original", risk_json(before, table, counts_suppressed));
    return shoal_json_take_text(object);
}
