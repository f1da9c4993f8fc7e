/* SPDX-License-Identifier: Apache-2.0 */
/* intersection.c - several releases of overlapping persons: what is left when a person's groups are
 * intersected?
 *
 * A person is in one group of each release. An attacker who knows the quasi-identifiers of all
 * persons knows who shares all these groups: the remaining candidates. One who knows only the
 * person's own groups intersects their sensitive values: a single remaining value is the person's.
 * Persons who are in fewer than two releases are not attacked.
 *
 * Success: fewer than k candidates remain or, if a column is sensitive, one value. The control is
 * the same in the single release that discloses most.
 *
 * Cost: O(persons * releases), and the values of the groups for each distinct combination of
 * groups.
 */
#include "attack/attack_kind.h"
#include "published/released.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The different sensitive values of each group of one release, as sorted codes of the original. */
typedef struct group_values {
    uint64_t *begin; /* n_groups + 1 */
    uint32_t *values;
} group_values;

typedef struct crossing {
    const shoal_attack_view *view;
    shoal_numbering combined; /* of persons, by their groups in all releases */
    group_values *of_release;
    /* of each combination: the value, where one is left, or SHOAL_NO_CODE */
    uint32_t *only;
    bool *is_attacked; /* in two releases at least, of each combination */
    bool has_values;
} crossing;

/* ---- values of groups ---- */

static int by_code(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static shoal_status list_values(group_values *out, const shoal_attack_view *view,
                                const shoal_release_view *r, size_t column, shoal_error *err)
{
    uint32_t *codes = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_published_codes(&codes, view, r, column, err));
    out->begin = shoal_alloc((size_t)r->groups.n + 1, sizeof *out->begin);
    out->values = shoal_alloc((size_t)r->released->n_rows, sizeof *out->values);
    bool ok = out->begin != NULL && out->values != NULL;
    uint64_t used = 0;
    for (uint32_t g = 0; ok && g < r->groups.n; g++) {
        uint32_t n, *values = out->values + used;
        const uint32_t *rows = shoal_group_rows(r, g, &n);
        out->begin[g] = used;
        for (uint32_t i = 0; i < n; i++) values[i] = codes[rows[i]];
        qsort(values, n, sizeof *values, by_code);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < n; i++)
            if (i == 0 || values[i] != values[kept - 1]) values[kept++] = values[i];
        used += kept;
    }
    if (ok) out->begin[r->groups.n] = used;
    shoal_free(codes);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* Keep in `left` (n of them) the values that `other` has too; a generalised value (SHOAL_NO_CODE,
 * the last) matches any. */
static uint32_t intersect(uint32_t *left, uint32_t n, const uint32_t *other, uint64_t n_other)
{
    uint32_t kept = 0;
    if (n_other > 0 && other[n_other - 1] == SHOAL_NO_CODE) return n;
    if (n > 0 && left[n - 1] == SHOAL_NO_CODE) {
        memcpy(left, other, (size_t)n_other * sizeof *left);
        return (uint32_t)n_other;
    }
    for (uint32_t i = 0; i < n; i++)
        if (bsearch(&left[i], other, (size_t)n_other, sizeof *other, by_code) != NULL)
            left[kept++] = left[i];
    return kept;
}

/* ---- persons ---- */

static uint32_t group_of(const shoal_release_view *r, uint32_t person)
{
    uint32_t row = r->row_of[person];
    return row == SHOAL_NO_ROW ? r->groups.n : r->groups.ids[row];
}

static shoal_status combine(crossing *c, shoal_error *err)
{
    const shoal_attack_view *view = c->view;
    size_t n = view->request->n_releases;
    shoal_column *columns = shoal_alloc_zero(n, sizeof *columns);
    const shoal_column **pointers = shoal_alloc(n, sizeof *pointers);
    shoal_status status = SHOAL_OK;
    bool ok = columns != NULL && pointers != NULL;
    for (size_t r = 0; ok && r < n; r++) {
        uint32_t *codes = shoal_alloc(view->n_rows, sizeof *codes);
        columns[r] = (shoal_column){ .code_width = 4,
                                     .codes = codes,
                                     .n_values = view->releases[r].groups.n + 1 };
        pointers[r] = &columns[r];
        ok = codes != NULL;
        for (uint32_t i = 0; ok && i < view->n_rows; i++)
            codes[i] = group_of(&view->releases[r], i);
    }
    if (ok)
        status = shoal_numbering_make(&c->combined, pointers, n, view->n_rows, SHOAL_NUMBER_FIRST,
                                      view->threads, err);
    else
        status = shoal_fail_memory(err);
    for (size_t r = 0; columns != NULL && r < n; r++) shoal_free(columns[r].codes);
    shoal_free(columns);
    shoal_free(pointers);
    return status;
}

/* The values that a combination of groups leaves; `left` has room for those of any group. */
static void cross_values(crossing *c, uint32_t combination, uint32_t *left)
{
    uint32_t person = (uint32_t)c->combined.first[combination], n = 0;
    bool has_one = false;
    for (size_t r = 0; r < c->view->request->n_releases; r++) {
        uint32_t g = group_of(&c->view->releases[r], person);
        if (g == c->view->releases[r].groups.n) continue;
        const group_values *values = &c->of_release[r];
        const uint32_t *list = values->values + values->begin[g];
        uint64_t n_list = values->begin[g + 1] - values->begin[g];
        if (has_one)
            n = intersect(left, n, list, n_list);
        else
            memcpy(left, list, (size_t)n_list * sizeof *left);
        if (!has_one) n = (uint32_t)n_list;
        has_one = true;
    }
    c->only[combination] = n == 1 ? left[0] : SHOAL_NO_CODE;
}

static bool cross_all(crossing *c)
{
    const shoal_attack_view *view = c->view;
    uint32_t n = c->combined.n, *left = shoal_alloc(view->n_rows, sizeof *left);
    c->only = shoal_alloc(n, sizeof *c->only);
    c->is_attacked = shoal_alloc(n, sizeof *c->is_attacked);
    bool ok = left != NULL && c->only != NULL && c->is_attacked != NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        size_t n_in = 0;
        for (size_t r = 0; r < view->request->n_releases; r++)
            n_in += group_of(&view->releases[r], (uint32_t)c->combined.first[i]) !=
                    view->releases[r].groups.n;
        c->is_attacked[i] = n_in >= 2;
        c->only[i] = SHOAL_NO_CODE;
        if (c->has_values && n_in >= 2) cross_values(c, i, left);
    }
    shoal_free(left);
    return ok;
}

/* ---- success ---- */

typedef struct crossed {
    shoal_attack_case found;
    /* persons: few candidates; one value; and that is theirs */
    uint64_t n_below_k, n_one_value, n_right;
    uint32_t worst;
} crossed;

/* Persons whose group in one release has fewer than k rows or one value; the greatest such share of
 * a release. */
static double share_alone(const crossing *c, size_t release)
{
    const shoal_release_view *r = &c->view->releases[release];
    uint64_t n_told = 0, n_persons = 0;
    for (uint32_t i = 0; i < c->view->n_rows; i++) {
        if (!c->is_attacked[c->combined.ids[i]]) continue;
        uint32_t g = group_of(r, i), size;
        n_persons++;
        if (g == r->groups.n) continue;
        shoal_group_rows(r, g, &size);
        const group_values *values = &c->of_release[release];
        bool has_one = c->has_values && values->begin[g + 1] - values->begin[g] == 1 &&
                       values->values[values->begin[g]] != SHOAL_NO_CODE;
        n_told += size < c->view->k || has_one;
    }
    return n_persons > 0 ? (double)n_told / (double)n_persons : 0;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool score(crossed *out, const crossing *c, size_t column)
{
    const shoal_attack_view *view = c->view;
    const shoal_column *truth = c->has_values ? &view->plain.columns[column] : NULL;
    uint64_t *sizes = shoal_alloc(view->n_rows, sizeof *sizes), least = UINT64_MAX;
    uint32_t n = 0;
    *out = (crossed){ .found = { .smallest = NAN, .median = NAN }, .worst = SHOAL_NO_ROW };
    for (uint32_t i = 0; sizes != NULL && i < view->n_rows; i++) {
        uint32_t id = c->combined.ids[i];
        if (!c->is_attacked[id]) continue;
        uint64_t size = c->combined.begin[id + 1] - c->combined.begin[id];
        bool is_few = size < view->k, is_one = c->has_values && c->only[id] != SHOAL_NO_CODE;
        sizes[n++] = size;
        out->n_below_k += is_few;
        out->n_one_value += is_one;
        out->n_right += is_one && c->only[id] == shoal_column_code(truth, i);
        out->found.successes += is_few || is_one;
        if ((is_few || is_one) && size < least) out->worst = i;
        if ((is_few || is_one) && size < least) least = size;
    }
    out->found.trials = n;
    if (n > 0) {
        qsort(sizes, n, sizeof *sizes, by_size);
        out->found.smallest = (double)sizes[0];
        out->found.median = (double)sizes[n / 2];
    }
    for (size_t r = 0; sizes != NULL && r < view->request->n_releases; r++)
        out->found.control = fmax(out->found.control, share_alone(c, r));
    bool ok = sizes != NULL;
    shoal_free(sizes);
    return ok;
}

static void crossing_clear(crossing *c)
{
    for (size_t r = 0; c->of_release != NULL && r < c->view->request->n_releases; r++) {
        shoal_free(c->of_release[r].begin);
        shoal_free(c->of_release[r].values);
    }
    shoal_free(c->of_release);
    shoal_free(c->only);
    shoal_free(c->is_attacked);
    shoal_numbering_clear(&c->combined);
}

/* With the values of one sensitive column (SIZE_MAX: with candidates alone). */
static shoal_status cross_column(crossed *out, const shoal_attack_view *view, size_t column,
                                 shoal_error *err)
{
    crossing c = { .view = view, .has_values = column != SIZE_MAX };
    shoal_status status = SHOAL_OK;
    c.of_release = shoal_alloc_zero(view->request->n_releases, sizeof *c.of_release);
    if (c.of_release == NULL) return shoal_fail_memory(err);
    for (size_t r = 0; c.has_values && r < view->request->n_releases; r++)
        SHOAL_GOTO_IF_ERROR(list_values(&c.of_release[r], view, &view->releases[r], column, err),
                            out);
    SHOAL_GOTO_IF_ERROR(combine(&c, err), out);
    if (!cross_all(&c) || !score(out, &c, column)) status = shoal_fail_memory(err);
out:
    crossing_clear(&c);
    return status;
}

static bool is_in_all(const shoal_attack_view *view, size_t column)
{
    for (size_t r = 0; r < view->request->n_releases; r++)
        if (shoal_released_column(&view->plain, view->releases[r].released, column) == SIZE_MAX)
            return false;
    return true;
}

static shoal_status intersect_groups(shoal_attack_finding *out, const shoal_attack_view *view,
                                     size_t release, shoal_error *err)
{
    crossed worst, one;
    size_t n = 0;
    (void)release;
    for (size_t s = 0; s < view->n_sensitive; s++) {
        const char *name = view->plain.columns[view->sensitive[s]].name;
        if (!is_in_all(view, view->sensitive[s])) {
            shoal_finding_note(out, "'%.60s' is not in every release", name);
            continue;
        }
        SHOAL_RETURN_IF_ERROR(cross_column(&one, view, view->sensitive[s], err));
        SHOAL_RETURN_IF_ERROR(shoal_finding_add_case(out, &one.found, name, err));
        if (n++ == 0 || one.found.successes > worst.found.successes) worst = one;
    }
    if (n == 0) SHOAL_RETURN_IF_ERROR(cross_column(&worst, view, SIZE_MAX, err));
    if (worst.found.trials == 0) {
        shoal_finding_skip(out, "no person is in two of the releases");
        return SHOAL_OK;
    }
    shoal_finding_conclude(out, &worst.found, n);
    if (worst.worst != SHOAL_NO_ROW) out->worst_row = (uint64_t)worst.worst + 1;
    shoal_finding_add(out, "smallest_candidates", worst.found.smallest);
    shoal_finding_add(out, "median_candidates", worst.found.median);
    shoal_finding_add(out, "persons_below_k", (double)worst.n_below_k);
    shoal_finding_add(out, "persons_with_one_value", n > 0 ? (double)worst.n_one_value : NAN);
    shoal_finding_add(out, "one_value_right", n > 0 ? (double)worst.n_right : NAN);
    return SHOAL_OK;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_ATTACK,
      .place = 80,
      .names = "intersection|composition|releases|persons_below_k|persons_with_one_value|one_value_"
               "right",
      .title = "candidates that remain when the groups of several releases are intersected",
      .text = "A person is in one group of each release; the remaining candidates are in all of "
              "these groups, the remaining values occur in all of them. persons_below_k have fewer "
              "than k candidates left, persons_with_one_value a single sensitive value, which is "
              "correct for one_value_right of them.",
      .formula = "success: fewer than k candidates or one value left; control: the same in the "
                 "single release with the most successes",
      .reading = "Two releases that each satisfy k may satisfy far less together. Publish a table "
                 "once, or use a series.",
      .source = "Ganta, Kasiviswanathan, Smith: Composition attacks and auxiliary information in "
                "data privacy, KDD 2008" },
    { .names = NULL },
};

/* Two groupings that have nothing to do with each other. */
static void plant(shoal_buffer *release, const shoal_control_persons *persons, size_t number)
{
    uint32_t list[SHOAL_CONTROL_PERSONS];
    for (uint32_t i = 0; i < SHOAL_CONTROL_PERSONS; i++) list[i] = i;
    shoal_control_groups(release, persons, number == 0 ? list : persons->order, 6);
}

const shoal_attack_kind shoal_attack_kind_intersection = {
    .name = "intersection",
    .help = "intersect the groups of a person in several releases",
    .needs = SHOAL_ATTACK_NEEDS_RELEASES | SHOAL_ATTACK_NEEDS_ROWS,
    .terms = terms,
    .run = intersect_groups,
    .plant = plant,
};
