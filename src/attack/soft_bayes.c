/* SPDX-License-Identifier: Apache-2.0 */
/* soft_bayes.c - naive Bayes from parts of rows; see soft_bayes.h.
 *
 * P(bin | value) = (mass + bins * share of the bin) / (mass of the value + bins), P(value) = (mass
 * + 1) / (all + values). The share is that over all values, so that a feature that does not depend
 * on the values (all rows in one group) has the same P(bin | value) for each; smoothing by a
 * constant would let rare values differ, and a model that is fitted repeatedly would amplify that.
 */
#include "attack/soft_bayes.h"

#include <math.h>
#include <string.h>

enum { MOST_CODES = 256, BINS = 64 };

/* Codes in their order into bins of about the same number of rows. */
static void cut_bins(uint32_t *bin_of_code, const shoal_attribute *attr)
{
    uint64_t total = 0, passed = 0;
    for (uint32_t v = 0; v < attr->source->n_values; v++) total += attr->source->counts[v];
    for (uint32_t code = 0; code < attr->n_codes; code++) {
        uint32_t value = attr->value_of_code[code];
        uint64_t rows = value != SHOAL_NO_CODE ? attr->source->counts[value] : 0;
        bin_of_code[code] = (uint32_t)(((double)passed + (double)rows / 2) / (double)(total + 1) *
                                       BINS);
        passed += rows;
    }
}

bool shoal_soft_bayes_make(shoal_soft_bayes *out, const shoal_space *space, uint32_t n_values)
{
    *out = (shoal_soft_bayes){ .n_attrs = space->n_attrs, .n_values = n_values };
    out->n_bins = shoal_alloc(space->n_attrs, sizeof *out->n_bins);
    out->bin_of_code = shoal_alloc_zero(space->n_attrs, sizeof *out->bin_of_code);
    out->mass = shoal_alloc_zero(space->n_attrs, sizeof *out->mass);
    out->value_mass = shoal_alloc_zero(n_values, sizeof *out->value_mass);
    if (out->n_bins == NULL || out->bin_of_code == NULL || out->mass == NULL ||
        out->value_mass == NULL)
        return false;
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        const shoal_attribute *attr = &space->attrs[a];
        bool is_cut = attr->n_codes > MOST_CODES;
        out->n_bins[a] = is_cut ? BINS : attr->n_codes;
        out->bin_of_code[a] = shoal_alloc(attr->n_codes, sizeof **out->bin_of_code);
        out->mass[a] = shoal_alloc_zero((size_t)out->n_bins[a] * n_values, sizeof **out->mass);
        if (out->bin_of_code[a] == NULL || out->mass[a] == NULL) return false;
        for (uint32_t code = 0; code < attr->n_codes; code++) out->bin_of_code[a][code] = code;
        if (is_cut) cut_bins(out->bin_of_code[a], attr);
    }
    return true;
}

void shoal_soft_bayes_clear(shoal_soft_bayes *model)
{
    for (uint32_t a = 0; a < model->n_attrs; a++) {
        if (model->bin_of_code != NULL) shoal_free(model->bin_of_code[a]);
        if (model->mass != NULL) shoal_free(model->mass[a]);
    }
    shoal_free(model->n_bins);
    shoal_free(model->bin_of_code);
    shoal_free(model->mass);
    shoal_free(model->value_mass);
    *model = (shoal_soft_bayes){ 0 };
}

void shoal_soft_bayes_reset(shoal_soft_bayes *model)
{
    for (uint32_t a = 0; a < model->n_attrs; a++)
        for (size_t i = 0; i < (size_t)model->n_bins[a] * model->n_values; i++)
            model->mass[a][i] = 0;
    for (uint32_t v = 0; v < model->n_values; v++) model->value_mass[v] = 0;
}

/* The masses of one bin become logarithms; a bin without any mass is skipped. */
static void fit_bin(const shoal_soft_bayes *model, double *masses, double all, double n_bins)
{
    double here = 0;
    for (uint32_t v = 0; v < model->n_values; v++) here += masses[v];
    for (uint32_t v = 0; v < model->n_values; v++)
        masses[v] = here > 0
                        ? log((masses[v] + n_bins * here / all) / (model->value_mass[v] + n_bins))
                        : 0;
}

void shoal_soft_bayes_fit(shoal_soft_bayes *model)
{
    double all = 0;
    for (uint32_t v = 0; v < model->n_values; v++) all += model->value_mass[v];
    for (uint32_t a = 0; a < model->n_attrs; a++)
        for (uint32_t bin = 0; bin < model->n_bins[a]; bin++)
            fit_bin(model, model->mass[a] + (size_t)bin * model->n_values, all, model->n_bins[a]);
    for (uint32_t v = 0; v < model->n_values; v++)
        model->value_mass[v] = log((model->value_mass[v] + 1) / (all + model->n_values));
}

void shoal_soft_bayes_score(const shoal_soft_bayes *model, const uint32_t *codes, double *scores)
{
    for (uint32_t v = 0; v < model->n_values; v++) scores[v] = 0;
    for (uint32_t a = 0; a < model->n_attrs; a++) {
        if (codes[a] == SHOAL_NO_CODE) continue;
        const double *logs = model->mass[a] +
                             (size_t)model->bin_of_code[a][codes[a]] * model->n_values;
        for (uint32_t v = 0; v < model->n_values; v++) scores[v] += logs[v];
    }
}
