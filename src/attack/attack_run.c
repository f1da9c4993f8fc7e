/* SPDX-License-Identifier: Apache-2.0 */
/* attack_run.c - the registry of attacks, and all of them one after the other. */
#include "attack/attack_kind.h"

#include <stdio.h>
#include <string.h>

#define ADDRESS(row) &shoal_attack_kind_##row,
static const shoal_attack_kind *const kinds[] = { SHOAL_ATTACKS(ADDRESS) };
#undef ADDRESS

enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* ---- the registry ---- */

const shoal_attack_kind *shoal_attack_at(size_t index)
{
    return index < N_KINDS ? kinds[index] : NULL;
}

size_t shoal_attack_count(void)
{
    return N_KINDS;
}

size_t shoal_attack_find(const char *name)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (strcmp(kinds[i]->name, name) == 0) return i;
    return SIZE_MAX;
}

const char *shoal_attack_name(size_t index)
{
    return index < N_KINDS ? kinds[index]->name : NULL;
}

const char *shoal_attack_help(size_t index)
{
    return index < N_KINDS ? kinds[index]->help : NULL;
}

unsigned shoal_attack_needs(size_t index)
{
    return index < N_KINDS ? kinds[index]->needs : 0;
}

const shoal_term *shoal_attack_terms(size_t index)
{
    return index < N_KINDS ? kinds[index]->terms : NULL;
}

/* ---- the request ---- */

static shoal_status fail_unknown(const char *name, shoal_error *err)
{
    char all[300] = "";
    for (size_t i = 0; i < N_KINDS; i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", kinds[i]->name);
    }
    return shoal_fail(err, SHOAL_EINVAL, "unknown attack '%.60s' {fix} the attacks are %s", name,
                      all);
}

static shoal_status read_request(shoal_attack_request *out, const shoal_attack_request *given,
                                 shoal_error *err)
{
    *out = (shoal_attack_request)SHOAL_ATTACK_REQUEST_INIT;
    if (given == NULL || given->size == 0 || given->size > sizeof *out)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "attack: request not initialised, or made for a newer version of the library");
    memcpy(out, given, given->size);
    out->size = sizeof *out;
    if (!(out->error_share >= 0 && out->error_share <= 0.5))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "attack: the share of errors is not from 0 to 0.5 {fix} write 0.1 for 10 %%");
    for (size_t i = 0; i < out->n_only; i++)
        if (shoal_attack_find(out->only[i]) == SIZE_MAX) return fail_unknown(out->only[i], err);
    return SHOAL_OK;
}

static bool is_wanted(const shoal_attack_request *request, const char *name)
{
    for (size_t i = 0; i < request->n_only; i++)
        if (strcmp(request->only[i], name) == 0) return true;
    return request->n_only == 0;
}

/* ---- running ---- */

/* Why an attack cannot be tried on a release (SIZE_MAX: on all), or NULL. */
static const char *lack_of(const shoal_attack_kind *kind, const shoal_attack_view *view,
                           size_t release)
{
    const shoal_attack_request *request = view->request;
    if ((kind->needs & SHOAL_ATTACK_NEEDS_SENSITIVE) != 0 && view->n_sensitive == 0)
        return "no sensitive column";
    if ((kind->needs & SHOAL_ATTACK_NEEDS_RELEASES) != 0 && request->n_releases < 2)
        return "needs two or more releases with overlapping persons";
    if ((kind->needs & SHOAL_ATTACK_NEEDS_RERUN) != 0 &&
        (request->rerun == NULL || request->max_reruns == 0))
        return "needs --reruns N and the plan";
    size_t first = release == SIZE_MAX ? 0 : release,
           end = release == SIZE_MAX ? request->n_releases : release + 1;
    for (size_t i = first; (kind->needs & SHOAL_ATTACK_NEEDS_ROWS) != 0 && i < end; i++)
        if (view->releases[i].row_of == NULL) return "rows cannot be matched; give --record-key";
    return NULL;
}

static shoal_status attack(shoal_attack_finding *out, const shoal_attack_kind *kind,
                           const shoal_attack_view *view, size_t release, shoal_error *err)
{
    double start = shoal_seconds();
    const char *lack = lack_of(kind, view, release);
    *out = (shoal_attack_finding){ .name = kind->name, .release = release };
    if (lack != NULL) {
        shoal_finding_skip(out, "%s", lack);
        return SHOAL_OK;
    }
    shoal_status status = kind->run(out, view, release, err);
    out->seconds = shoal_seconds() - start;
    if (status != SHOAL_OK) shoal_finding_clear(out);
    return status;
}

static shoal_status attack_all(shoal_attack_result *result, const shoal_attack_view *view,
                               shoal_error *err)
{
    const shoal_attack_request *request = view->request;
    result->findings = shoal_alloc_zero(N_KINDS * request->n_releases, sizeof *result->findings);
    if (result->findings == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < N_KINDS; i++) {
        bool together = (kinds[i]->needs & SHOAL_ATTACK_NEEDS_RELEASES) != 0;
        if (!is_wanted(request, kinds[i]->name)) continue;
        for (size_t r = 0; r < (together ? 1 : request->n_releases); r++) {
            if (shoal_progress_stops(request->callbacks, kinds[i]->name, (double)i / N_KINDS))
                return shoal_fail(err, SHOAL_ECANCELLED, "attack: stopped on request");
            SHOAL_RETURN_IF_ERROR(attack(&result->findings[result->n_findings], kinds[i], view,
                                         together ? SIZE_MAX : r, err));
            result->n_findings++;
        }
    }
    return SHOAL_OK;
}

shoal_status shoal_attack_run(shoal_attack_result *out, const shoal_attack_request *given,
                              shoal_error *err)
{
    double start = shoal_seconds();
    shoal_attack_request request;
    shoal_attack_view view = { 0 };
    SHOAL_RETURN_IF_ERROR(read_request(&request, given, err));
    shoal_attack_result result = { .n_releases = request.n_releases,
                                   .k = request.k,
                                   .seed = request.seed };
    shoal_status status = shoal_attack_view_make(&view, &request, err);
    result.n_rows = view.n_rows;
    if (status == SHOAL_OK) status = attack_all(&result, &view, err);
    shoal_attack_view_clear(&view);
    result.seconds = shoal_seconds() - start;
    if (status == SHOAL_OK)
        *out = result;
    else
        shoal_attack_clear(&result);
    return status;
}

void shoal_attack_clear(shoal_attack_result *result)
{
    for (size_t i = 0; result->findings != NULL && i < result->n_findings; i++)
        shoal_finding_clear(&result->findings[i]);
    shoal_free(result->findings);
    *result = (shoal_attack_result){ 0 };
}
