/* SPDX-License-Identifier: Apache-2.0 */
/* attack_json.c - results of attacks as JSON: `shoal attack --json`. */
#include "report/json.h"

static json_t *interval_json(const shoal_attack_finding *f)
{
    return json_pack("[f, f]", f->low, f->high);
}

static json_t *case_json(const shoal_attack_case *c, bool *failed)
{
    json_t *object = json_object();
    shoal_json_set_text(object, "case", c->label, failed);
    shoal_json_set_count(object, "successes", c->successes, failed);
    shoal_json_set_count(object, "trials", c->trials, failed);
    shoal_json_set_real(object, "rate",
                        c->trials > 0 ? (double)c->successes / (double)c->trials : 0, failed);
    shoal_json_set_real(object, "control", c->control, failed);
    shoal_json_set_real(object, "smallest", c->smallest, failed);
    shoal_json_set_real(object, "median", c->median, failed);
    return object;
}

static json_t *finding_json(const shoal_attack_finding *f, bool *failed)
{
    json_t *object = json_object(), *details = json_object(), *cases = json_array();
    shoal_json_set_text(object, "name", f->name, failed);
    shoal_json_set(object, "release",
                   f->release == SIZE_MAX ? json_null() : json_integer((json_int_t)f->release + 1),
                   failed);
    shoal_json_set(object, "tried", json_boolean(f->is_tried), failed);
    shoal_json_set_text(object, "reason", f->reason[0] != '\0' ? f->reason : NULL, failed);
    if (f->is_tried) {
        shoal_json_set_count(object, "successes", f->successes, failed);
        shoal_json_set_count(object, "trials", f->trials, failed);
        shoal_json_set_real(object, "rate", f->rate, failed);
        shoal_json_set_real(object, "control", f->control, failed);
        shoal_json_set(object, "wilson_interval", interval_json(f), failed);
        shoal_json_set(object, "above_control", json_boolean(f->is_above), failed);
        shoal_json_set(object, "worst_row",
                       f->worst_row > 0 ? json_integer((json_int_t)f->worst_row) : json_null(),
                       failed);
        shoal_json_set_real(object, "seconds", f->seconds, failed);
    }
    for (size_t i = 0; i < f->n_details; i++)
        shoal_json_set_real(details, f->details[i].key, f->details[i].value, failed);
    for (size_t i = 0; i < f->n_cases; i++)
        if (json_array_append_new(cases, case_json(&f->cases[i], failed)) != 0) *failed = true;
    shoal_json_set(object, "details", details, failed);
    shoal_json_set(object, "cases", cases, failed);
    return object;
}

json_t *shoal_json_attacks(const shoal_attack_result *result, bool *failed)
{
    json_t *object = json_object(), *list = json_array(), *left = json_array();
    for (size_t i = 0; i < result->n_findings; i++) {
        const shoal_attack_finding *f = &result->findings[i];
        if (json_array_append_new(list, finding_json(f, failed)) != 0) *failed = true;
        bool is_new = i == 0 || result->findings[i - 1].name != f->name ||
                      result->findings[i - 1].is_tried;
        if (!f->is_tried && is_new && json_array_append_new(left, json_string(f->name)) != 0)
            *failed = true;
    }
    shoal_json_set_count(object, "rows", result->n_rows, failed);
    shoal_json_set_count(object, "releases", result->n_releases, failed);
    shoal_json_set(object, "k", result->k > 0 ? json_integer(result->k) : json_null(), failed);
    shoal_json_set_count(object, "seed", result->seed, failed);
    shoal_json_set(object, "not_tried", left, failed);
    shoal_json_set(object, "attacks", list, failed);
    shoal_json_set_real(object, "seconds", result->seconds, failed);
    return object;
}

static json_t *control_json(const shoal_attack_control *c, bool *failed)
{
    json_t *object = json_object();
    shoal_json_set_text(object, "name", c->name, failed);
    shoal_json_set(object, "holds", json_boolean(shoal_attack_control_holds(c)), failed);
    shoal_json_set(object, "planted", finding_json(&c->planted, failed), failed);
    shoal_json_set(object, "null_control", finding_json(&c->null, failed), failed);
    return object;
}

char *shoal_attack_json(const shoal_attack_result *result, const shoal_attack_controls *controls)
{
    bool failed = false;
    json_t *object = result != NULL ? shoal_json_attacks(result, &failed) : json_object();
    if (controls != NULL) {
        json_t *list = json_array();
        for (size_t i = 0; i < controls->n_controls; i++)
            if (json_array_append_new(list, control_json(&controls->controls[i], &failed)) != 0)
                failed = true;
        shoal_json_set(object, "controls", list, &failed);
    }
    return shoal_json_finish(object, failed);
}
