/* SPDX-License-Identifier: Apache-2.0 */
/* build_dates.c - dates by week, month, quarter, year, decade and century, any of them in ascending
 * order.
 *
 * Labels: `[2024-01-29..2024-02-04]`, `2024-02`, `2024-Q1`, `2024`, `[2020..2029]`, `[2000..2099]`.
 * All periods nest except weeks: a week (Monday to Sunday) is cut where the next larger period
 * ends, and its label shows the cut range. O(n * levels) after sorting.
 */
#include "hierarchy/build.h"

#include <stdio.h>

typedef struct period {
    const char *name;
    int months; /* length; 0 for the week */
} period;

static const period periods[] = { { "week", 0 },  { "month", 1 },    { "quarter", 3 },
                                  { "year", 12 }, { "decade", 120 }, { "century", 1200 } };

enum { N_PERIODS = sizeof periods / sizeof *periods };

/* A day of the calendar; `months` counts from January of year 0. */
typedef struct day {
    long number; /* since 1970-01-01 */
    int months;
    int of_month; /* from 1 */
} day;

/*
 * The inverse of shoal_parse_date(): days are counted from 0000-03-01, so that the leap day is the
 * last day of its year; 146097 days are an era of 400 years, 153 days are five months from March
 * on.
 */
static day day_of_number(long number)
{
    long n = number + 719468, era = (n >= 0 ? n : n - 146096) / 146097, in_era = n - era * 146097;
    long year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    long in_year = in_era - (365 * year + year / 4 - year / 100), m = (5 * in_year + 2) / 153;
    return (day){ number, (int)((year + era * 400) * 12 + m + 2),
                  (int)(in_year - (153 * m + 2) / 5 + 1) };
}

/* The number of the first day of a month. */
static long first_of_month(int months)
{
    /* months since March; + 1200 keeps them positive */
    long y = (months - 2 + 1200) / 12 - 100, m = (months - 2 + 1200) % 12;
    long era = (y >= 0 ? y : y - 399) / 400, in_era = y - era * 400;
    return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + (153 * m + 2) / 5 - 719468;
}

static shoal_status read_periods(int chosen[N_PERIODS], uint32_t *n, const shoal_builder *b,
                                 const char *args, shoal_error *err)
{
    shoal_text piece;
    int last = -1;
    *n = 0;
    while (shoal_next_piece(&piece, &args, ',')) {
        int at = 0;
        while (at < N_PERIODS && !shoal_piece_is(piece, periods[at].name)) at++;
        if (at == N_PERIODS) return shoal_builder_fail(b, "unknown period", err);
        if (at <= last)
            return shoal_builder_fail(b, "a period is not longer than the one before", err);
        chosen[(*n)++] = last = at;
    }
    return SHOAL_OK;
}

/* Label of the week of a day, cut to the larger period of `months` months (0: none, cut to the
 * years 0 to 9999). */
static int label_week(char out[64], day d, int months)
{
    int begin = months > 0 ? d.months - d.months % months : 0,
        end = months > 0 ? begin + months : 120000;
    /* 1970-01-01 was a Thursday; + 10 keeps the remainder positive before 1970 */
    long monday = d.number - (d.number % 7 + 10) % 7;
    long low = first_of_month(begin), high = first_of_month(end) - 1;
    day from = day_of_number(monday < low ? low : monday),
        to = day_of_number(monday + 6 > high ? high : monday + 6);
    return snprintf(out, 64, "[%04d-%02d-%02d..%04d-%02d-%02d]", from.months / 12,
                    from.months % 12 + 1, from.of_month, to.months / 12, to.months % 12 + 1,
                    to.of_month);
}

static int label_period(char out[64], day d, int months)
{
    int begin = (d.months - d.months % months), year = begin / 12;
    switch (months) {
    case 1: return snprintf(out, 64, "%04d-%02d", year, begin % 12 + 1);
    case 3: return snprintf(out, 64, "%04d-Q%d", year, begin % 12 / 3 + 1);
    case 12: return snprintf(out, 64, "%04d", year);
    default: return snprintf(out, 64, "[%04d..%04d]", year, year + months / 12 - 1);
    }
}

shoal_status shoal_build_dates(shoal_builder *b, const char *args, shoal_error *err)
{
    int chosen[N_PERIODS];
    uint32_t n;
    SHOAL_RETURN_IF_ERROR(read_periods(chosen, &n, b, args, err));
    for (uint32_t i = 0; i < b->n_leaves; i++) {
        day d = day_of_number((long)b->numbers[i]);
        uint32_t at = i;
        bool is_known = false;
        for (uint32_t level = 0; level < n && !is_known; level++) {
            char label[64];
            int months = periods[chosen[level]].months;
            int size = months > 0
                           ? label_period(label, d, months)
                           : label_week(label, d,
                                        level + 1 < n ? periods[chosen[level + 1]].months : 0);
            SHOAL_RETURN_IF_ERROR(
                shoal_builder_climb(b, &at, &is_known, level + 1, label, (size_t)size, err));
        }
    }
    return SHOAL_OK;
}
