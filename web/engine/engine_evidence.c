/* SPDX-License-Identifier: Apache-2.0 */
/* engine_evidence.c - what goes with a release: its manifest, and the report for people, both the
 * library's. */
#include "engine.h"

#include <shoal/evidence.h>

static shoal_status make(shoal_manifest **out, engine_state *e, const json_t *request,
                         shoal_error *err)
{
    engine_release *release;
    ENGINE_RETURN_IF_ERROR(engine_release_of(&release, e, request, err));
    shoal_manifest_request asked = SHOAL_MANIFEST_REQUEST_INIT;
    asked.report = &release->report;
    asked.input_name = engine_string(request, "input", "table.csv");
    asked.names[SHOAL_SINK_RELEASE] = engine_string(request, "release", "release.csv");
    asked.names[SHOAL_SINK_BUCKETS] = engine_string(request, "second", "release-sensitive.csv");
    asked.plan_path = ENGINE_PLAN_PATH;
    asked.manifest_path = "/plan/manifest.json";
    asked.callbacks = &e->callbacks;
    for (size_t part = 0; part < SHOAL_SINK_N_PARTS; part++)
        asked.texts[part].data = shoal_memory_sink_text(release->sink, (shoal_sink_part)part,
                                                        &asked.texts[part].size);
    return shoal_manifest_make(out, &asked, err);
}

/* The manifest of the release "id", and the report in both editions. */
shoal_status engine_evidence(engine_state *e, const json_t *request, json_t **answer,
                             shoal_error *err)
{
    shoal_manifest *manifest = NULL;
    char *pages[2] = { NULL, NULL }, *text = NULL;
    shoal_status status = SHOAL_OK;
    ENGINE_GOTO_IF_ERROR(make(&manifest, e, request, err), out);
    text = shoal_manifest_text(manifest);
    if (text == NULL) ENGINE_GOTO_IF_ERROR(shoal_fail_memory(err), out);
    ENGINE_GOTO_IF_ERROR(
        shoal_manifest_html(&pages[0], manifest, SHOAL_EDITION_INTERNAL, NULL, err), out);
    ENGINE_GOTO_IF_ERROR(
        shoal_manifest_html(&pages[1], manifest, SHOAL_EDITION_EXTERNAL, NULL, err), out);
    *answer = json_pack("{s:s, s:s, s:s}", "manifest", text, "internal", pages[0], "external",
                        pages[1]);
    if (*answer == NULL) status = shoal_fail_memory(err);
out:
    shoal_string_free(pages[0]);
    shoal_string_free(pages[1]);
    shoal_string_free(text);
    shoal_manifest_free(manifest);
    return status;
}
