/* SPDX-License-Identifier: Apache-2.0 */
/* homogeneity.c - what a person's group discloses about the sensitive value, compared with the
 * whole release.
 *
 * The attacker knows the group of a person and guesses its most frequent sensitive value (the
 * posterior); the control guesses that of the whole release (the prior). If all rows of a group
 * share the value, the guess is certain (homogeneity); if a value is far more frequent than in the
 * whole, the guess is better than without the release (skewness).
 *
 * Cost: O(rows) for each sensitive column, and 8 bytes a value.
 */
#include "attack/attack_kind.h"
#include "published/released.h"

#include <math.h>

/* The values of one sensitive column in all groups. */
typedef struct posterior {
    shoal_attack_case found;
    uint64_t n_half, n_nine_tenths, n_certain;
    double prior;        /* share of the most frequent value */
    double largest_gain; /* posterior minus prior of a value */
    uint32_t worst;      /* a row of the release with it */
} posterior;

static void look_at_group(posterior *p, const uint32_t *rows, uint32_t n, const uint32_t *codes,
                          const uint64_t *total, uint64_t n_rows, uint32_t *counts)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t count = ++counts[codes[rows[i]]];
        if (count > most) most = count;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t code = codes[rows[i]];
        double gain = (double)counts[code] / n - (double)total[code] / (double)n_rows;
        if (gain > p->largest_gain + 1e-12) {
            p->largest_gain = gain;
            p->worst = rows[i];
        }
    }
    for (uint32_t i = 0; i < n; i++) counts[codes[rows[i]]] = 0;
    p->found.successes += most; /* the guess is right for those who have the value */
    p->n_half += 2 * most > n ? n : 0;
    p->n_nine_tenths += 10 * (uint64_t)most > 9 * (uint64_t)n ? n : 0;
    p->n_certain += most == n ? n : 0;
}

/* The published values as codes of the release itself: generalised ones are values too. */
static shoal_status look_at_column(posterior *out, const shoal_release_view *r, size_t column,
                                   shoal_error *err)
{
    const shoal_column *values = &r->released->columns[column];
    uint64_t n_rows = r->released->n_rows, most = 0;
    uint32_t *counts = shoal_alloc_zero(values->n_values, sizeof *counts),
             *codes = shoal_alloc((size_t)n_rows, sizeof *codes);
    bool ok = counts != NULL && codes != NULL;
    *out = (posterior){ .found = { .trials = n_rows, .smallest = NAN, .median = NAN },
                        .worst = SHOAL_NO_ROW };
    for (uint64_t row = 0; ok && row < n_rows; row++) codes[row] = shoal_column_code(values, row);
    for (uint32_t g = 0; ok && g < r->groups.n; g++) {
        uint32_t n;
        const uint32_t *rows = shoal_group_rows(r, g, &n);
        look_at_group(out, rows, n, codes, values->counts, n_rows, counts);
    }
    for (uint32_t v = 0; ok && v < values->n_values; v++)
        if (values->counts[v] > most) most = values->counts[v];
    out->prior = out->found.control = (double)most / (double)n_rows;
    shoal_free(counts);
    shoal_free(codes);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

static double gain_of(const posterior *p)
{
    return (double)p->found.successes / (double)p->found.trials - p->found.control;
}

static shoal_status guess_in_groups(shoal_attack_finding *out, const shoal_attack_view *view,
                                    size_t release, shoal_error *err)
{
    const shoal_release_view *r = &view->releases[release];
    posterior worst = { .found = { .trials = 0 } };
    size_t n = 0;
    for (size_t s = 0; s < view->n_sensitive; s++) {
        posterior p;
        size_t column = shoal_released_column(&view->plain, r->released, view->sensitive[s]);
        if (column == SIZE_MAX || !r->released->columns[column].is_encoded) continue;
        SHOAL_RETURN_IF_ERROR(look_at_column(&p, r, column, err));
        SHOAL_RETURN_IF_ERROR(
            shoal_finding_add_case(out, &p.found, r->released->columns[column].name, err));
        if (n++ == 0 || gain_of(&p) > gain_of(&worst)) worst = p;
    }
    if (n == 0) {
        shoal_finding_skip(out, "the release has no sensitive column");
        return SHOAL_OK;
    }
    shoal_finding_conclude(out, &worst.found, n);
    if (worst.worst != SHOAL_NO_ROW && r->origin_of != NULL)
        out->worst_row = (uint64_t)r->origin_of[worst.worst] + 1;
    shoal_finding_add(out, "rows_above_half", (double)worst.n_half);
    shoal_finding_add(out, "rows_above_nine_tenths", (double)worst.n_nine_tenths);
    shoal_finding_add(out, "rows_certain", (double)worst.n_certain);
    shoal_finding_add(out, "prior", worst.prior);
    shoal_finding_add(out, "largest_gain", worst.largest_gain);
    return SHOAL_OK;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_ATTACK,
      .place = 30,
      .names = "homogeneity|skewness|posterior|prior|rows_above_half|rows_above_nine_tenths|rows_"
               "certain|largest_gain",
      .title = "the sensitive value inferred from the group of a person",
      .text = "The most frequent value of the group is guessed. rows_above_half, "
              "rows_above_nine_tenths and rows_certain count rows in groups where its share is "
              "above 0.5, above 0.9, or 1; prior is its share in the whole release, largest_gain "
              "the greatest share of a value in a group minus its share in the whole.",
      .formula =
          "success: the guess is correct; control: share of the most frequent value of the release",
      .reading = "Require l-diversity or t-closeness if it is too high. Similar values count as "
                 "different here.",
      .source = "Machanavajjhala et al.: l-diversity, ICDE 2006; Li, Li, Venkatasubramanian: "
                "t-closeness, ICDE 2007" },
    { .names = NULL },
};

/* Groups of persons with the same illness. */
static void plant(shoal_buffer *release, const shoal_control_persons *persons, size_t number)
{
    uint32_t list[SHOAL_CONTROL_PERSONS], n = 0;
    (void)number;
    for (uint32_t illness = 0; illness < 3; illness++)
        for (uint32_t i = 0; i < SHOAL_CONTROL_PERSONS; i++)
            if (persons->illness[persons->order[i]] == illness) list[n++] = persons->order[i];
    shoal_control_groups(release, persons, list, 6);
}

const shoal_attack_kind shoal_attack_kind_homogeneity = {
    .name = "homogeneity",
    .help = "guess a sensitive value from the group of a person, compared with guessing from the "
            "whole release",
    .needs = SHOAL_ATTACK_NEEDS_SENSITIVE,
    .terms = terms,
    .run = guess_in_groups,
    .plant = plant,
};
