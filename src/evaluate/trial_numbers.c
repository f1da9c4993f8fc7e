/* SPDX-License-Identifier: Apache-2.0 */
/* trial_numbers.c - the numbers of a trial by name: what tables, CSV, JSON and data frames of a
 * frontier have in common.
 *
 * First the measures of loss that a frontier shows, then counts, then the measures of protection,
 * then risk, queries and time.
 */
#include <math.h>
#include <shoal/frontier.h>
#include <string.h>

typedef struct own_number {
    const char *name;
    double (*of)(const shoal_trial *trial);
    bool is_count;
} own_number;

static double groups(const shoal_trial *t)
{
    return (double)t->measures.n_groups;
}

static double suppressed_rows(const shoal_trial *t)
{
    return (double)t->measures.suppressed_rows;
}

static double risk_max(const shoal_trial *t)
{
    return t->risk_max;
}

static double risk_mean(const shoal_trial *t)
{
    return t->risk_mean;
}

static double average_error(const shoal_trial *t)
{
    return t->has_queries ? t->query_average : NAN;
}

static double median_error(const shoal_trial *t)
{
    return t->has_queries ? t->query_median : NAN;
}

static double seconds(const shoal_trial *t)
{
    return round(t->seconds * 1e6) / 1e6;
}

/* Fields of the trial: counts precede the measures of protection, the others follow them. */
static const own_number own[] = {
    { "groups", groups, true },      { "suppressed_rows", suppressed_rows, true },
    { "risk_max", risk_max, false }, { "risk_mean", risk_mean, false },
    { "are", average_error, false }, { "median_error", median_error, false },
    { "seconds", seconds, false },
};
enum { N_OWN = sizeof own / sizeof *own };

/* The number at a position: a field of the trial, or a measure. */
typedef struct place {
    const own_number *own;
    size_t measure;
} place;

/* Find the position among the measures of loss, or of protection, that a frontier shows. */
static bool find_measure(place *out, bool is_protection, size_t *number)
{
    for (size_t i = 0; i < shoal_measure_count(); i++) {
        const shoal_measure_info *info = shoal_measure_at(i);
        if (!info->in_frontier || (info->needs == SHOAL_MEASURE_NEEDS_SENSITIVE) != is_protection)
            continue;
        if ((*number)-- > 0) continue;
        *out = (place){ .measure = i };
        return true;
    }
    return false;
}

static bool find_own(place *out, bool is_count, size_t *number)
{
    for (size_t i = 0; i < N_OWN; i++) {
        if (own[i].is_count != is_count || (*number)-- > 0) continue;
        *out = (place){ .own = &own[i] };
        return true;
    }
    return false;
}

static bool find_place(place *out, size_t number)
{
    return find_measure(out, false, &number) || find_own(out, true, &number) ||
           find_measure(out, true, &number) || find_own(out, false, &number);
}

size_t shoal_trial_number_count(void)
{
    place at;
    size_t n = 0;
    while (find_place(&at, n)) n++;
    return n;
}

const char *shoal_trial_number_name(size_t number)
{
    place at;
    if (!find_place(&at, number)) return NULL;
    return at.own != NULL ? at.own->name : shoal_measure_at(at.measure)->name;
}

size_t shoal_trial_number_find(const char *name)
{
    place at;
    size_t n = 0;
    while (find_place(&at, n) && strcmp(shoal_trial_number_name(n), name) != 0) n++;
    return find_place(&at, n) ? n : SIZE_MAX;
}

double shoal_trial_number_of(const shoal_trial *trial, size_t number)
{
    place at;
    double value = NAN;
    if (!find_place(&at, number)) return NAN;
    if (at.own != NULL) return at.own->of(trial);
    return shoal_measure_value_at(&trial->measures, at.measure, &value) ? value : NAN;
}

bool shoal_trial_number_is_count(size_t number)
{
    place at;
    return find_place(&at, number) && at.own != NULL && at.own->is_count;
}
