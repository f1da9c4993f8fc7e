/* SPDX-License-Identifier: Apache-2.0 */
/* r_evidence.c - the manifest of a release, and its report as HTML. */
#include "r_core.h"

#include <stdlib.h>
#include <string.h>

/* Rows that are published, where some are left out; NULL where all are, or without memory (then
 * *failed). */
static uint8_t *find_kept(const r_release *r, bool *failed)
{
    if (shoal_job_spec(r->job)->drop_suppressed == 0) return NULL;
    uint64_t n_rows = shoal_grouping_n_rows(shoal_outcome_grouping(r->outcome));
    uint8_t *kept = malloc((size_t)n_rows + 1);
    *failed = kept == NULL;
    for (uint64_t row = 0; kept != NULL && row < n_rows; row++)
        kept[row] = shoal_grouping_group(shoal_outcome_grouping(r->outcome), row) !=
                    SHOAL_SUPPRESSED;
    return kept;
}

/* The text that is saved was written by R, from what was verified; it is verified once more, as
 * text. */
static shoal_status recheck(r_release *r, const shoal_manifest_request *request, shoal_error *err)
{
    bool failed = false;
    shoal_outcome *again = NULL;
    shoal_claim claim = SHOAL_CLAIM_INIT;
    uint8_t *kept = find_kept(r, &failed);
    if (failed) return shoal_fail_memory(err);
    for (size_t i = 0; i < SHOAL_SINK_N_PARTS; i++) claim.texts[i] = request->texts[i];
    claim.kept = kept;
    shoal_status status = shoal_pipeline_recheck(&again, r->table, r_release_spec(r), &claim, err);
    shoal_outcome_free(again);
    free(kept);
    return status;
}

static shoal_status make_manifest(r_release *r, shoal_manifest_request *request, const char *plan,
                                  shoal_error *err)
{
    shoal_manifest *manifest = NULL;
    shoal_plan whole = SHOAL_PLAN_INIT;
    shoal_status status = SHOAL_OK;
    GOTO_IF_ERROR(shoal_plan_parse(&whole, plan, strlen(plan), "the arguments", err), out);
    GOTO_IF_ERROR(
        shoal_pipeline_measure(r->outcome, r->table, r_release_spec(r), &r->callbacks, true, err),
        out);
    GOTO_IF_ERROR(recheck(r, request, err), out);
    request->plan = &whole;
    GOTO_IF_ERROR(shoal_manifest_make(&manifest, request, err), out);
    r->lent.text = shoal_manifest_text(manifest);
    if (r->lent.text == NULL) status = shoal_fail_memory(err);
out:
    shoal_manifest_free(manifest);
    shoal_plan_clear(&whole);
    return status;
}

static shoal_sink_text sink_text(SEXP request, const char *field)
{
    SEXP value = r_field(request, field);
    if (value == R_NilValue) return (shoal_sink_text){ 0 };
    return (shoal_sink_text){ R_CHAR(STRING_ELT(value, 0)), (size_t)LENGTH(STRING_ELT(value, 0)),
                              false };
}

/* `plan`, `first`, `second` and `path` of the request. */
SEXP r_release_manifest(SEXP handle, SEXP request, SEXP callback)
{
    SEXP failure = R_NilValue, unwind = PROTECT(R_MakeUnwindCont());
    r_release *r = r_release_of(handle, &failure);
    if (r != NULL) {
        shoal_manifest_request asked = SHOAL_MANIFEST_REQUEST_INIT;
        asked.report = &r->report;
        asked.texts[SHOAL_SINK_RELEASE] = sink_text(request, "first");
        asked.texts[SHOAL_SINK_BUCKETS] = sink_text(request, "second");
        asked.names[SHOAL_SINK_RELEASE] = "release.csv";
        asked.names[SHOAL_SINK_BUCKETS] = "sensitive.csv";
        asked.manifest_path = r_text(request, "path");
        asked.levels = r->levels;
        asked.n_levels = r->n_levels;
        asked.callbacks = &r->guard.callbacks;
        r_guard_begin(&r->guard, callback, unwind);
        failure = r_release_answer(r, make_manifest(r, &asked, r_text(request, "plan"), &r->err));
    }
    UNPROTECT(1);
    return failure;
}

static void clear_page(void *object)
{
    r_question *q = object;
    shoal_string_free(q->text);
}

SEXP r_manifest_html(SEXP text, SEXP is_external)
{
    SEXP handle = PROTECT(r_handle_make(sizeof(r_question), clear_page, "shoal_page", R_NilValue));
    r_question *q = R_ExternalPtrAddr(handle);
    shoal_manifest *manifest = NULL;
    SEXP first = STRING_ELT(text, 0);
    shoal_edition edition = Rf_asLogical(is_external) == TRUE ? SHOAL_EDITION_EXTERNAL
                                                              : SHOAL_EDITION_INTERNAL;
    shoal_status status = shoal_manifest_parse(&manifest, R_CHAR(first), (size_t)LENGTH(first),
                                               "manifest.json", &q->err);
    if (status == SHOAL_OK)
        status = shoal_manifest_html(&q->text, manifest, edition, NULL, &q->err);
    shoal_manifest_free(manifest);
    SEXP made = PROTECT(status == SHOAL_OK ? r_string(q->text) : r_failure(&q->err));
    r_handle_free(handle);
    UNPROTECT(2);
    return made;
}
