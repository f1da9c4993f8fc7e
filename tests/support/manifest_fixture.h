/* SPDX-License-Identifier: Apache-2.0 */
/* manifest_fixture.h - a release of invented persons in a folder, with its manifest: what tests of
 * evidence start from.
 */
#ifndef SHOAL_TEST_MANIFEST_FIXTURE_H
#define SHOAL_TEST_MANIFEST_FIXTURE_H

#include "files.h"

#include <shoal/evidence.h>
#include <shoal/shoal.h>

/* Values that occur nowhere else: a report that shows one has it from here. */
static inline char *make_people(void)
{
    static const char *const towns[] = { "Vorbach", "Quellmund", "Xanten-Ost", "Ymir" };
    static const char *const diseases[] = { "Zoster", "Pellagra", "Kuru" };
    char *text = malloc(1 << 14);
    assert_non_null(text);
    int at = sprintf(text, "name,age,town,disease,note,group\n");
    for (int i = 0; i < 48; i++)
        at += sprintf(text + at, "Person<%d>&Co,%d,%s,%s,remark %d,%s\n", 7000 + i, 31000 + 137 * i,
                      towns[i % 4], diseases[i % 3], 9000 + i, i % 2 ? "one" : "two");
    return text;
}

#define PEOPLE_PLAN                                                                                \
    "k: 4\nalgorithm: mondrian\nseed: 987654321\ncolumns:\n"                                       \
    "  - {name: name, role: identifier}\n  - {name: age, role: quasi, why: \"<b>known</b>\"}\n"    \
    "  - {name: town, role: quasi}\n  - {name: disease, role: sensitive}\n"                        \
    "  - {name: note, role: other}\n  - {name: group, role: class}\n"                              \
    "about: {purpose: \"Tests & more\", contact: \"\"}\n"

/* One run: its inputs, and what is added to its files. */
typedef struct people_run {
    folder folder;
    shoal_plan plan;
    shoal_report report;
    shoal_file_sink *files;
    bool skip_evaluation;
} people_run;

static inline shoal_status add_manifest(const shoal_outcome *outcome, void *payload,
                                        shoal_error *err)
{
    people_run *r = payload;
    shoal_manifest *manifest = NULL;
    shoal_manifest_request e = SHOAL_MANIFEST_REQUEST_INIT;
    const shoal_sink *sink = shoal_file_sink_of(r->files);
    char path[200];
    snprintf(path, sizeof path, "%s/m.json", r->folder.path);
    r->report.outcome = outcome;
    e.report = &r->report;
    e.names[SHOAL_SINK_RELEASE] = "somewhere/release.csv";
    e.input_name = "people.csv";
    e.manifest_path = path;
    e.skip_evaluation = r->skip_evaluation;
    shoal_sink_text *release = &e.texts[SHOAL_SINK_RELEASE];
    shoal_status status = sink->view(sink->payload, SHOAL_SINK_RELEASE, release, err);
    if (status == SHOAL_OK) status = shoal_manifest_make(&manifest, &e, err);
    char *text = status == SHOAL_OK ? shoal_manifest_text(manifest) : NULL;
    if (status == SHOAL_OK)
        status = text != NULL ? shoal_file_sink_add(r->files, path, text, strlen(text), err)
                              : shoal_fail_memory(err);
    shoal_string_free(text);
    shoal_manifest_free(manifest);
    return status;
}

/* people.csv, release.csv and m.json into the folder, replacing what is there. */
static inline shoal_status publish_people(people_run *r, const char *plan, shoal_error *err)
{
    shoal_table *table = NULL;
    shoal_outcome *outcome = NULL;
    char input[200], output[200];
    snprintf(input, sizeof input, "%s/people.csv", r->folder.path);
    snprintf(output, sizeof output, "%s/release.csv", r->folder.path);
    r->plan = (shoal_plan)SHOAL_PLAN_INIT;
    r->files = NULL;
    shoal_status status = shoal_plan_parse(&r->plan, plan, strlen(plan), "plan", err);
    if (status == SHOAL_OK) status = shoal_io_open_table(&table, input, NULL, err);
    if (status == SHOAL_OK) status = shoal_plan_prepare(&r->plan, table, true, NULL, err);
    if (status == SHOAL_OK) status = shoal_file_sink_make(&r->files, output, NULL, true, err);
    if (status == SHOAL_OK) {
        const shoal_sink *sink = shoal_file_sink_of(r->files);
        r->report = (shoal_report){
            .size = sizeof(shoal_report), .plan = &r->plan, .table = table, .threads = 1
        };
        r->report.algorithm = r->plan.algorithm;
        shoal_callbacks callbacks = SHOAL_CALLBACKS_INIT;
        callbacks.verified = add_manifest;
        callbacks.payload = r;
        status = shoal_pipeline_run(&outcome, table, &r->plan, &callbacks, sink, err);
    }
    shoal_outcome_free(outcome);
    shoal_file_sink_free(r->files);
    shoal_plan_clear(&r->plan);
    shoal_table_free(table);
    return status;
}

#endif
