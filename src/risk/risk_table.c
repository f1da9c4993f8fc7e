/* SPDX-License-Identifier: Apache-2.0 */
/* risk_table.c - the risks of a table: classes of its records, the three attackers, the share of
 * each column.
 *
 * Attackers (El Emam 2013): the prosecutor knows that a person is in the table; a record of a class
 * of f is at risk 1/f. The journalist knows only that a person is in the population; the risk is
 * 1/F, F being the persons of the population that the published tuple covers. The marketer tries to
 * match all records; the expected share of correct matches is the mean of 1/F. F is counted in a
 * population table, or 1/F is estimated from the sampling fraction (risk/pitman.c), or the table
 * counts as the whole population. The table is assumed to be part of its population, so F is at
 * least f; records for which the population table has fewer are counted.
 *
 * Rows of only `*` are left out of all rates and counted separately, unless requested: they
 * identify no person, and as a large class they would lower the mean of the others.
 */
#include "risk/risk_internal.h"
#include "risk/risk_population.h"
#include "risk/pitman.h"

#include <math.h>
#include <string.h>

static const double usual_thresholds[] = { 0.33, 0.2, 0.09, 0.05 };

/* ---- options ---- */

static shoal_status read_thresholds(shoal_risk *risk, const shoal_risk_options *o, shoal_error *err)
{
    const double *from = o->thresholds != NULL ? o->thresholds : usual_thresholds;
    risk->n_thresholds = o->thresholds != NULL ? o->n_thresholds
                                               : sizeof usual_thresholds / sizeof *usual_thresholds;
    if (risk->n_thresholds > SHOAL_RISK_THRESHOLDS)
        return shoal_fail(err, SHOAL_EINVAL, "risk: %zu thresholds {fix} use at most %d",
                          risk->n_thresholds, SHOAL_RISK_THRESHOLDS);
    for (size_t t = 0; t < risk->n_thresholds; t++) {
        if (!(from[t] > 0 && from[t] <= 1))
            return shoal_fail(
                err, SHOAL_EINVAL,
                "risk: threshold %zu is not above 0 and at most 1 {fix} write, for example, 0.2",
                t + 1);
        risk->thresholds[t] = from[t];
    }
    return SHOAL_OK;
}

static shoal_status read_options(shoal_risk *risk, shoal_risk_options *out,
                                 const shoal_risk_options *given, shoal_error *err)
{
    *out = (shoal_risk_options)SHOAL_RISK_OPTIONS_INIT;
    if (given == NULL || given->size == 0 || given->size > sizeof *out)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "risk: options not initialised, or made for a newer version of the library");
    memcpy(out, given, given->size);
    if (out->threads == 0) out->threads = 1;
    risk->k = out->k == 0 ? 2 : out->k;
    if (!(out->sampling_fraction >= 0 && out->sampling_fraction <= 1))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "risk: the sampling fraction is not above 0 and at most 1 {fix} write 0.1 for 10 %%");
    if (out->population != NULL && out->sampling_fraction > 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "risk: a population table and a sampling fraction cannot be combined "
                          "{fix} remove one of them");
    return read_thresholds(risk, out, err);
}

/* ---- attackers ---- */

static void count_classes(shoal_risk *risk, const shoal_record_classes *c)
{
    risk->n_classes = c->n_classes;
    for (uint32_t j = 0; j < c->n_classes; j++) {
        risk->n_records += c->n_records[j];
        if (j == 0 || c->size[j] < risk->min_class) risk->min_class = c->size[j];
        if (c->size[j] == 1) risk->n_unique += c->n_records[j];
        if (c->size[j] < risk->k) risk->rows_below_k += c->n_rows[j];
    }
    shoal_risk_fill_bins(risk->bins, c->n_records, c->size, c->n_classes);
}

/* `covered[j]` is the size of class j in the population, at least its size in the table. */
static void measure_covered(shoal_risk *risk, const shoal_record_classes *c, const double *covered,
                            double *scratch)
{
    double sum = 0;
    for (uint32_t j = 0; j < c->n_classes; j++) {
        scratch[j] = 1 / covered[j];
        sum += covered[j];
    }
    shoal_attack_measure(&risk->journalist, c->n_records, scratch, c->n_classes, risk->thresholds,
                         risk->n_thresholds);
    risk->marketer = risk->journalist.mean;
    risk->journalist.mean = fmax(risk->marketer, c->n_classes > 0 ? (double)c->n_classes / sum : 0);
}

static shoal_status use_population(shoal_risk *risk, const shoal_risk_options *o,
                                   const shoal_table *table, const shoal_record_units *records,
                                   const shoal_record_classes *c, double *scratch, shoal_error *err)
{
    uint64_t *counts = shoal_alloc(c->n_classes, sizeof *counts);
    double *covered = shoal_alloc(c->n_classes, sizeof *covered);
    shoal_status status = counts == NULL || covered == NULL ? shoal_fail_memory(err) : SHOAL_OK;
    const shoal_released_records of = { table, records, c };
    if (status == SHOAL_OK)
        status = shoal_population_count(counts, &risk->unmatched_texts, &of, o->population,
                                        o->threads, err);
    if (status == SHOAL_OK) {
        risk->population_uniques = 0;
        for (uint32_t j = 0; j < c->n_classes; j++) {
            if (counts[j] < c->size[j]) risk->short_records += c->n_records[j];
            covered[j] = (double)(counts[j] < c->size[j] ? c->size[j] : counts[j]);
            if (j == 0 || covered[j] < risk->k_map) risk->k_map = covered[j];
            if (covered[j] <= 1) risk->population_uniques += (double)c->n_records[j];
        }
        measure_covered(risk, c, covered, scratch);
        risk->source = SHOAL_RISK_POPULATION;
        risk->n_population = (double)o->population->n_rows;
    }
    shoal_free(counts);
    shoal_free(covered);
    return status;
}

/* Risks of classes by their size in the sample; `counts` has the distinct sizes, ascending. */
static void estimate_risks(shoal_risk *risk, const shoal_pitman *model,
                           const shoal_size_count *counts, size_t n_counts, double *by_count,
                           const shoal_record_classes *c, double *scratch)
{
    double sum = 0;
    for (size_t i = 0; i < n_counts; i++) {
        by_count[i] = shoal_pitman_risk(model, (double)counts[i].size);
        sum += (double)counts[i].n_classes * shoal_pitman_size(model, (double)counts[i].size);
    }
    for (uint32_t j = 0; j < c->n_classes; j++) {
        size_t low = 0, high = n_counts - 1;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (counts[middle].size < c->size[j])
                low = middle + 1;
            else
                high = middle;
        }
        scratch[j] = by_count[low];
    }
    shoal_attack_measure(&risk->journalist, c->n_records, scratch, c->n_classes, risk->thresholds,
                         risk->n_thresholds);
    risk->marketer = risk->journalist.mean;
    risk->journalist.mean = fmax(risk->marketer, (double)c->n_classes / sum);
}

static shoal_status use_estimate(shoal_risk *risk, const shoal_risk_options *o,
                                 const shoal_record_units *records, const shoal_record_classes *c,
                                 double *scratch, shoal_error *err)
{
    shoal_pitman model;
    shoal_size_count *counts = NULL;
    size_t n_counts = 0;
    risk->source = SHOAL_RISK_ESTIMATE;
    risk->n_population = floor((double)risk->n_records / o->sampling_fraction + 0.5);
    /* classes overlap, so there is no sample of class sizes */
    if (records->has_wild) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_size_counts(&counts, &n_counts, c->size, c->n_classes, err));
    double *by_count = shoal_alloc(n_counts, sizeof *by_count);
    if (by_count != NULL && shoal_pitman_fit(&model, counts, n_counts, risk->n_population)) {
        estimate_risks(risk, &model, counts, n_counts, by_count, c, scratch);
        risk->has_estimate = true;
        risk->pitman_theta = model.theta;
        risk->pitman_alpha = model.alpha;
        risk->unique_stays = shoal_pitman_stays(&model);
        risk->unique_stays_zayatz = shoal_zayatz_stays(counts, n_counts, risk->n_population);
        risk->population_uniques = shoal_pitman_uniques(&model, (double)risk->n_unique);
    }
    shoal_status status = by_count == NULL ? shoal_fail_memory(err) : SHOAL_OK;
    shoal_free(by_count);
    shoal_free(counts);
    return status;
}

static shoal_status measure_attackers(shoal_risk *risk, const shoal_risk_options *o,
                                      const shoal_table *table, const shoal_record_units *records,
                                      const shoal_record_classes *c, shoal_error *err)
{
    double *scratch = shoal_alloc(c->n_classes, sizeof *scratch);
    if (scratch == NULL) return shoal_fail_memory(err);
    for (uint32_t j = 0; j < c->n_classes; j++) scratch[j] = 1 / (double)c->size[j];
    shoal_attack_measure(&risk->prosecutor, c->n_records, scratch, c->n_classes, risk->thresholds,
                         risk->n_thresholds);
    risk->journalist = risk->prosecutor;
    risk->marketer = risk->prosecutor.mean;
    risk->n_population = (double)risk->n_records;
    risk->k_map = (double)risk->min_class;
    risk->population_uniques = (double)risk->n_unique;
    shoal_status status = SHOAL_OK;
    if (o->population != NULL)
        status = use_population(risk, o, table, records, c, scratch, err);
    else if (o->sampling_fraction > 0)
        status = use_estimate(risk, o, records, c, scratch, err);
    shoal_free(scratch);
    return status;
}

/* ---- all of it ---- */

static shoal_status measure(shoal_risk *risk, const shoal_risk_options *o, const shoal_table *table,
                            const shoal_record_units *records, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_record_classes classes = { 0 };
    uint32_t *all = shoal_alloc(records->n_columns, sizeof *all);
    if (all == NULL) return shoal_fail_memory(err);
    for (uint32_t i = 0; i < records->n_columns; i++) all[i] = i;
    SHOAL_GOTO_IF_ERROR(
        shoal_record_units_classes(&classes, records, all, records->n_columns, o->threads, err),
        out);
    count_classes(risk, &classes);
    SHOAL_GOTO_IF_ERROR(measure_attackers(risk, o, table, records, &classes, err), out);
    if (shoal_progress_stops(o->callbacks, "risk", -1)) {
        status = shoal_fail(err, SHOAL_ECANCELLED, "risk: stopped on request");
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(shoal_risk_of_columns(risk, records, o->threads, err), out);
out:
    shoal_record_classes_clear(&classes);
    shoal_free(all);
    return status;
}

shoal_status shoal_risk_measure(shoal_risk *out, const shoal_table *table,
                                const shoal_risk_options *options, shoal_error *err)
{
    shoal_risk risk = { 0 };
    shoal_risk_options o;
    shoal_record_units records;
    SHOAL_RETURN_IF_ERROR(read_options(&risk, &o, options, err));
    SHOAL_RETURN_IF_ERROR(
        shoal_record_units_make(&records, table, !o.count_suppressed, o.threads, err));
    risk.n_rows = records.n_rows;
    risk.suppressed_rows = records.suppressed_rows;
    risk.by_person = records.person != NULL;
    risk.n_persons = records.n_persons;
    shoal_status status = measure(&risk, &o, table, &records, err);
    shoal_record_units_clear(&records);
    if (status == SHOAL_OK)
        *out = risk;
    else
        shoal_risk_clear(&risk);
    return status;
}

uint64_t shoal_risk_least_size(double threshold)
{
    double size = floor(1 / threshold);
    while (1 / size > threshold) size++; /* floor may be one too small */
    return (uint64_t)size;
}

bool shoal_risk_knows_population(const shoal_risk *risk)
{
    return risk->source != SHOAL_RISK_ESTIMATE || risk->has_estimate;
}

void shoal_risk_clear(shoal_risk *risk)
{
    shoal_free(risk->columns);
    shoal_free(risk->pairs);
    *risk = (shoal_risk){ 0 };
}
