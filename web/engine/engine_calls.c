/* SPDX-License-Identifier: Apache-2.0 */
/* engine_calls.c - the calls by name. */
#include "engine.h"

static const struct {
    const char *name;
    engine_call_fn call;
} calls[] = {
    { "describe", engine_describe },
    { "unpack", engine_unpack },
    { "text", engine_place },
    { "replace-text", engine_replace_text },
    { "open", engine_open },
    { "generate", engine_generate },
    { "columns", engine_columns },
    { "rows", engine_rows },
    { "read-plan", engine_read_plan },
    { "check-plan", engine_check_plan },
    { "build-hierarchy", engine_build_hierarchy },
    { "read-hierarchy", engine_read_hierarchy },
    { "known-hierarchies", engine_known_hierarchies },
    { "make-release", engine_make_release },
    { "find-bound", engine_find_bound },
    { "release-text", engine_release_text },
    { "drop-release", engine_drop_release },
    { "evidence", engine_evidence },
    { "risk", engine_risk },
    { "query-error", engine_query_error },
    { "distribution", engine_distribution },
    { "trial", engine_trial },
    { "knee", engine_knee },
};

engine_call_fn engine_find_call(const char *name)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0) return calls[i].call;
    return NULL;
}
