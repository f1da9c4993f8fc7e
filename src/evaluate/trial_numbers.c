/* SPDX-License-Identifier: Apache-2.0 */
/* trial_numbers.c - the numbers of a trial by name, for the tables, CSV, JSON and data frames of a frontier. */
#include <math.h>
#include <shoal/frontier.h>

const char *shoal_trial_number_name(shoal_trial_number number)
{
    static const char *const names[SHOAL_TRIAL_N_NUMBERS] = {
        [SHOAL_TRIAL_GCP] = "gcp",
        [SHOAL_TRIAL_UM] = "um",
        [SHOAL_TRIAL_WGU] = "wgu",
        [SHOAL_TRIAL_DM] = "dm",
        [SHOAL_TRIAL_CAVG] = "cavg",
        [SHOAL_TRIAL_GROUPS] = "groups",
        [SHOAL_TRIAL_SUPPRESSED_ROWS] = "suppressed_rows",
        [SHOAL_TRIAL_MPM] = "mpm",
        [SHOAL_TRIAL_WGP] = "wgp",
        [SHOAL_TRIAL_RISK_MAX] = "risk_max",
        [SHOAL_TRIAL_RISK_MEAN] = "risk_mean",
        [SHOAL_TRIAL_ARE] = "are",
        [SHOAL_TRIAL_MEDIAN_ERROR] = "median_error",
        [SHOAL_TRIAL_SECONDS] = "seconds",
    };
    return number < SHOAL_TRIAL_N_NUMBERS ? names[number] : NULL;
}

double shoal_trial_number_of(const shoal_trial *t, shoal_trial_number number)
{
    const shoal_measures *m = &t->measures;
    switch (number) {
    case SHOAL_TRIAL_GCP: return m->gcp;
    case SHOAL_TRIAL_UM: return m->um;
    case SHOAL_TRIAL_WGU: return m->wgu;
    case SHOAL_TRIAL_DM: return m->dm;
    case SHOAL_TRIAL_CAVG: return m->cavg;
    case SHOAL_TRIAL_GROUPS: return (double)m->n_groups;
    case SHOAL_TRIAL_SUPPRESSED_ROWS: return (double)m->suppressed_rows;
    case SHOAL_TRIAL_MPM: return m->n_sensitive > 0 ? m->mpm : NAN;
    case SHOAL_TRIAL_WGP: return m->n_sensitive > 0 ? m->wgp : NAN;
    case SHOAL_TRIAL_RISK_MAX: return t->risk_max;
    case SHOAL_TRIAL_RISK_MEAN: return t->risk_mean;
    case SHOAL_TRIAL_ARE: return t->has_queries ? t->query_average : NAN;
    case SHOAL_TRIAL_MEDIAN_ERROR: return t->has_queries ? t->query_median : NAN;
    case SHOAL_TRIAL_SECONDS: return round(t->seconds * 1e6) / 1e6;
    case SHOAL_TRIAL_N_NUMBERS: break;
    }
    return NAN;
}

bool shoal_trial_number_is_count(shoal_trial_number number)
{
    return number == SHOAL_TRIAL_GROUPS || number == SHOAL_TRIAL_SUPPRESSED_ROWS;
}
