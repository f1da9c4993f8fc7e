/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate_json.c - utility of a release as JSON: `shoal evaluate queries --json` and `classify
 * --json`. */
#include "report/json.h"

char *shoal_queries_json(const shoal_query_result *q, const shoal_queries *queries,
                         const char *workload, uint64_t seed)
{
    bool failed = false;
    json_t *object = json_object(), *curve = json_array();
    for (int i = 0; i <= 100; i++)
        if (json_array_append_new(curve, shoal_json_real_or_null(q->curve[i])) != 0) failed = true;
    shoal_json_set_text(object, "workload", workload, &failed);
    shoal_json_set_count(object, "seed", seed, &failed);
    shoal_json_set_count(object, "queries", q->n_queries, &failed);
    shoal_json_set_count(object, "redrawn", shoal_queries_n_redrawn(queries), &failed);
    shoal_json_set_count(object, "unanswered", q->n_unanswered, &failed);
    shoal_json_set_count(object, "unread_cells", q->n_unread, &failed);
    shoal_json_set_real(object, "are", q->average, &failed);
    shoal_json_set_real(object, "median", q->median, &failed);
    shoal_json_set(object, "curve", curve, &failed);
    return shoal_json_finish(object, failed);
}

static json_t *scores_json(const shoal_scores *s)
{
    return json_pack("{s:f, s:f, s:f}", "accuracy", s->accuracy, "balanced_accuracy",
                     s->balanced_accuracy, "auc", s->auc);
}

char *shoal_classify_json(const shoal_classify_result *c, uint64_t seed)
{
    bool failed = false;
    json_t *object = json_object(), *list = json_array();
    for (size_t i = 0; i < SHOAL_N_CLASSIFIERS; i++) {
        json_t *one = json_pack("{s:s, s:o, s:o}", "name", c->names[i], "original",
                                scores_json(&c->original[i]), "release",
                                scores_json(&c->released[i]));
        if (json_array_append_new(list, one) != 0) failed = true;
    }
    shoal_json_set_count(object, "rows", c->n_rows, &failed);
    shoal_json_set_count(object, "unlabelled", c->n_unlabelled, &failed);
    shoal_json_set_count(object, "labels", c->n_labels, &failed);
    shoal_json_set_count(object, "other_labels", c->n_other_labels, &failed);
    shoal_json_set_count(object, "other_rows", c->n_other_rows, &failed);
    shoal_json_set_count(object, "folds", c->folds, &failed);
    shoal_json_set_count(object, "seed", seed, &failed);
    shoal_json_set_count(object, "recoded_by_tuple", c->n_by_tuple, &failed);
    shoal_json_set(object, "baseline", scores_json(&c->baseline), &failed);
    shoal_json_set(object, "classifiers", list, &failed);
    return shoal_json_finish(object, failed);
}
