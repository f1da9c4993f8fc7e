/* SPDX-License-Identifier: Apache-2.0 */
/* manifest_verify.c - checks a release against its manifest, from files alone.
 *
 * Digests first; then k and the models. With the original the check is the same that every release
 * passes (shoal_pipeline_recheck()); without it, or if rows were shuffled and their old order is
 * not stored, k and the models are counted in the release alone. What could not be checked is
 * reported as a finding, too. A file that changes during the check is an error, because the digest
 * would not be that of the checked text.
 */
#include "evidence/manifest.h"
#include "io/io_internal.h"
#include "table/growing.h"
#include "table/map_file.h"
#include "table/table_internal.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct checking {
    const shoal_manifest *manifest;
    const shoal_verify_request *request;
    shoal_verification *out;
    shoal_spec plan;
    shoal_model_spec *models; /* to check: those of the plan, and those guaranteed by the method */
    size_t n_models;
    shoal_table *files[SHOAL_SINK_N_PARTS]; /* opened, for their text */
    shoal_table *original, *released, *population;
    /* of these texts, when they were opened */
    shoal_digest digests[SHOAL_SINK_N_PARTS], original_digest;
    shoal_level_choice *levels;
    size_t n_levels;
    uint8_t *kept;
} checking;

static void find(checking *c, const char *check, shoal_finding_verdict verdict, const char *format,
                 ...) SHOAL_PRINTF(4, 5);
static void find(checking *c, const char *check, shoal_finding_verdict verdict, const char *format,
                 ...)
{
    if (c->out->n_findings == SHOAL_MOST_FINDINGS) return;
    shoal_finding *finding = &c->out->findings[c->out->n_findings++];
    va_list args;
    *finding = (shoal_finding){ .check = check, .verdict = verdict };
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
    if (verdict == SHOAL_FAILS) c->out->holds = false;
}

static const char *claimed_form(const checking *c)
{
    return shoal_json_text_at(c->manifest->root, "claims.form");
}
static bool is_shuffled(const checking *c)
{
    return json_is_true(shoal_json_at(c->manifest->root, "claims.shuffled"));
}

/* ---- files ---- */

static void compare_digest(checking *c, const char *check, const char *what, const char *claimed,
                           const shoal_digest *found)
{
    bool is_same = claimed != NULL && strcmp(claimed, found->sha256) == 0;
    find(c, check, is_same ? SHOAL_HOLDS : SHOAL_FAILS,
         is_same ? "%s matches the manifest (SHA-256)"
                 : "%s does not match the manifest (SHA-256 differs)",
         what);
}

/* Has a mapped file still the digest that was taken when it was opened? */
static shoal_status compare_text(const shoal_table *table, const shoal_digest *before,
                                 shoal_error *err)
{
    struct stat info;
    shoal_digest now;
    if (table == NULL || before->size == 0 || !shoal_table_has_file(table)) return SHOAL_OK;
    const shoal_text_source *text = shoal_table_text(table);
    /* reading beyond the end would be a fault */
    bool is_same = fstat(text->file->file, &info) == 0 &&
                   (uint64_t)info.st_size == text->file->size;
    if (is_same) shoal_digest_text(&now, text->original, text->original_size);
    if (is_same && strcmp(now.sha256, before->sha256) == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO,
                      "a file changed during verification {fix} run again when no other program "
                      "writes to it, or on a copy");
}

static shoal_status compare_texts(const checking *c, shoal_error *err)
{
    for (size_t p = 0; p < SHOAL_SINK_N_PARTS; p++)
        SHOAL_RETURN_IF_ERROR(compare_text(c->files[p], &c->digests[p], err));
    return compare_text(c->original, &c->original_digest, err);
}

static shoal_load_options load_options(const checking *c)
{
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.threads = c->request->threads;
    load.callbacks = c->request->callbacks;
    return load;
}

/* Open a table of the release: at the given path, else in the folder of the manifest. */
static shoal_status open_part(checking *c, size_t part, shoal_error *err)
{
    const json_t *entry = json_array_get(shoal_json_at(c->manifest->root, "digests.release"), part);
    const char *name = shoal_json_text_at(entry, "name"), *given = c->request->releases[part];
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = load_options(c);
    csv.no_header = c->plan.no_header != 0;
    if (given == NULL && name == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "the manifest does not name the file of the release {fix} name it with "
                          "{--release} FILE");
    char *beside = given == NULL ? shoal_path_beside(shoal_base_name(name), c->manifest->path)
                                 : NULL;
    if (given == NULL && beside == NULL) return shoal_fail_memory(err);
    const char *path = given != NULL ? given : beside;
    shoal_status status = shoal_io_open_table(&c->files[part], path, &csv, err);
    if (status == SHOAL_EIO && given == NULL)
        shoal_fail_in(err, status,
                      "the release is not in the folder of the manifest {fix} name it with "
                      "{--release} FILE (the second table of anatomy with {--sensitive-table})");
    if (status == SHOAL_OK) status = shoal_table_complete_text(c->files[part], &load, err);
    if (status == SHOAL_OK) {
        const shoal_text_source *text = shoal_table_text(c->files[part]);
        shoal_digest_text(&c->digests[part], text->original, text->original_size);
        compare_digest(c, "release", part == 0 ? "the release" : "the second table",
                       shoal_json_text_at(entry, "sha256"), &c->digests[part]);
    }
    shoal_free(beside);
    return status;
}

/* Hierarchies that were built are built again, from the original; their digests are compared then.
 */
static shoal_status check_hierarchy(checking *c, const json_t *entry, shoal_error *err)
{
    const char *name = shoal_json_text_at(entry, "name"),
               *column = shoal_json_text_at(entry, "column");
    char *path = NULL;
    char what[200];
    shoal_digest digest;
    if (name == NULL || column == NULL) return SHOAL_OK;
    if (c->request->hierarchies != NULL)
        SHOAL_RETURN_IF_ERROR(shoal_hierarchy_find(&path, c->request->hierarchies, column, err));
    else if ((path = shoal_path_beside(name, c->manifest->path)) == NULL)
        return shoal_fail_memory(err);
    if (path == NULL || access(path, R_OK) != 0) {
        find(c, "hierarchy", SHOAL_NOT_CHECKED,
             "the hierarchy of '%.100s' was not found: name its folder with --hierarchies", column);
        shoal_string_free(path);
        return SHOAL_OK;
    }
    shoal_status status = shoal_digest_file(&digest, path, err);
    snprintf(what, sizeof what, "the hierarchy of '%.100s'", column);
    if (status == SHOAL_OK)
        compare_digest(c, "hierarchy", what, shoal_json_text_at(entry, "sha256"), &digest);
    shoal_string_free(path);
    return status;
}

static shoal_status check_files(checking *c, shoal_error *err)
{
    const json_t *hierarchies = shoal_json_at(c->manifest->root, "digests.hierarchies");
    size_t n_parts = json_array_size(shoal_json_at(c->manifest->root, "digests.release"));
    if (n_parts == 0 || n_parts > SHOAL_SINK_N_PARTS)
        return shoal_fail(err, SHOAL_EDATA,
                          "manifest '{file %.300s}': it names no release {fix} use the file "
                          "written by anonymize {--manifest}",
                          c->manifest->path);
    find(c, "manifest", c->manifest->is_intact ? SHOAL_HOLDS : SHOAL_FAILS,
         c->manifest->is_intact
             ? "the manifest is unchanged (SHA-256)"
             : "the manifest was changed after it was written (its own SHA-256 differs)");
    for (size_t p = 0; p < n_parts; p++) SHOAL_RETURN_IF_ERROR(open_part(c, p, err));
    for (size_t i = 0; i < json_array_size(hierarchies); i++)
        SHOAL_RETURN_IF_ERROR(check_hierarchy(c, json_array_get(hierarchies, i), err));
    return SHOAL_OK;
}

/* ---- the plan ---- */

/* Hierarchy files are looked for in another folder. */
static shoal_status move_hierarchies(checking *c, shoal_error *err)
{
    if (c->request->hierarchies == NULL) return SHOAL_OK;
    for (size_t i = 0; i < c->plan.n_columns; i++) {
        const char **file = &c->plan.columns[i].hierarchy;
        if (*file != NULL && shoal_hierarchy_recipe(*file) == NULL)
            SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(file, NULL, err));
    }
    return shoal_spec_set_string(&c->plan.hierarchies, c->request->hierarchies, err);
}

static shoal_status read_levels(checking *c, shoal_error *err)
{
    const json_t *list = shoal_json_at(c->manifest->root, "claims.levels");
    c->levels = shoal_alloc(json_array_size(list) + 1, sizeof *c->levels);
    if (c->levels == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        json_int_t height = json_integer_value(json_object_get(one, "height"));
        c->levels[i].column = shoal_json_text_at(one, "column");
        c->levels[i].level = (uint32_t)json_integer_value(json_object_get(one, "level"));
        c->levels[i].height = height < 0 ? SHOAL_NO_LEVEL : (uint32_t)height;
        if (c->levels[i].column == NULL)
            return shoal_fail(err, SHOAL_EDATA,
                              "manifest '{file %.300s}': a level has no column {fix} use the file "
                              "written by anonymize {--manifest}",
                              c->manifest->path);
    }
    c->n_levels = json_array_size(list);
    return SHOAL_OK;
}

static shoal_status read_plan(checking *c, shoal_error *err)
{
    char *text = shoal_json_take_text(json_incref(json_object_get(c->manifest->root, "plan")));
    if (text == NULL) return shoal_fail_memory(err);
    shoal_status status = shoal_plan_parse(&c->plan, text, strlen(text), c->manifest->path, err);
    if (status == SHOAL_EINVAL)
        status = shoal_fail_in(err, SHOAL_EDATA, "the plan in the manifest");
    shoal_string_free(text);
    SHOAL_RETURN_IF_ERROR(status);
    SHOAL_RETURN_IF_ERROR(move_hierarchies(c, err));
    SHOAL_RETURN_IF_ERROR(read_levels(c, err));
    c->models = shoal_alloc(c->plan.n_models + SHOAL_MAX_PROMISES, sizeof *c->models);
    if (c->models == NULL) return shoal_fail_memory(err);
    c->n_models = shoal_verified_models(c->models, &c->plan);
    return SHOAL_OK;
}

/* ---- the original ---- */

static bool has_role(const shoal_spec *plan, shoal_role role)
{
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == role) return true;
    return false;
}

static shoal_status open_original(checking *c, shoal_error *err)
{
    const char *claimed = shoal_json_text_at(c->manifest->root, "digests.input.sha256");
    shoal_load_options load = load_options(c);
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.delimiter = c->plan.delimiter;
    csv.encoding = c->plan.encoding;
    csv.no_header = c->plan.no_header != 0;
    SHOAL_RETURN_IF_ERROR(shoal_io_open_table(&c->original, c->request->original, &csv, err));
    SHOAL_RETURN_IF_ERROR(shoal_table_complete_text(c->original, &load, err));
    const shoal_text_source *text = shoal_table_text(c->original);
    shoal_digest_text(&c->original_digest, text->original, text->original_size);
    if (claimed != NULL)
        compare_digest(c, "input", "the original", claimed, &c->original_digest);
    else
        find(c, "input", SHOAL_NOT_CHECKED,
             "the release was made from a table in memory, which has no digest");
    SHOAL_RETURN_IF_ERROR(shoal_spec_prepare(&c->plan, c->original, true, &load, err));
    if (!has_role(&c->plan, SHOAL_ROLE_PSEUDONYM)) return SHOAL_OK;
    if (c->request->key != NULL)
        return shoal_table_set_pseudonyms(c->original, shoal_key_pseudonym, c->request->key, err);
    find(c, "pseudonym", SHOAL_NOT_CHECKED,
         "pseudonyms can be checked only with their key: name it with --key");
    return SHOAL_OK;
}

static shoal_status open_population(checking *c, shoal_error *err)
{
    shoal_spec plan = SHOAL_SPEC_INIT;
    shoal_load_options load = load_options(c);
    if (!shoal_spec_needs_population(&c->plan) || c->plan.population == NULL) return SHOAL_OK;
    shoal_status status = shoal_io_open_table(&c->population, c->plan.population, NULL, err);
    if (status == SHOAL_OK)
        status = shoal_spec_for_population(&plan, &c->plan, c->original, c->population, false, err);
    if (status == SHOAL_OK) status = shoal_spec_prepare(&plan, c->population, false, &load, err);
    shoal_spec_clear(&plan);
    return status;
}

/* One byte a row of the original, from the ranges of rows that are not in the release. */
static shoal_status find_kept(checking *c, shoal_error *err)
{
    const json_t *list = shoal_json_at(c->manifest->root, "claims.left_out_rows");
    uint64_t n_rows = shoal_table_n_rows(c->original);
    if (list == NULL) return SHOAL_OK;
    c->kept = shoal_alloc((size_t)n_rows, 1);
    if (c->kept == NULL) return shoal_fail_memory(err);
    memset(c->kept, 1, (size_t)n_rows);
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_int_t first = json_integer_value(json_array_get(json_array_get(list, i), 0)),
                   last = json_integer_value(json_array_get(json_array_get(list, i), 1));
        if (first < 1 || last < first || (uint64_t)last > n_rows)
            return shoal_fail(err, SHOAL_EDATA,
                              "manifest '{file %.300s}': 'left_out_rows' names rows that the "
                              "original does not have {fix} use the original of the release",
                              c->manifest->path);
        memset(c->kept + first - 1, 0, (size_t)(last - first + 1));
    }
    return SHOAL_OK;
}

/* ---- what is promised ---- */

static void find_models(checking *c, const shoal_models_result *found)
{
    for (size_t i = 0; i < found->n_models; i++) {
        const shoal_model_result *m = &found->models[i];
        find(c, "model", m->failing_groups == 0 ? SHOAL_HOLDS : SHOAL_FAILS, "%s%s%s: %.6g%s",
             m->name, *m->variant != '\0' ? " " : "", m->variant, m->achieved,
             m->failing_groups == 0 ? " in the worst group"
                                    : " in the worst group, which does not satisfy the model");
    }
}

static shoal_claim claim_of(const checking *c)
{
    shoal_claim claim = SHOAL_CLAIM_INIT;
    json_int_t k = json_integer_value(shoal_json_at(c->manifest->root, "claims.k"));
    for (size_t p = 0; p < SHOAL_SINK_N_PARTS; p++) {
        if (c->files[p] == NULL) continue;
        const shoal_text_source *text = shoal_table_text(c->files[p]);
        claim.texts[p] = (shoal_sink_text){ text->data, text->size, false };
    }
    claim.k = k > 0 && k < UINT32_MAX ? (uint32_t)k : 0;
    claim.kept = c->kept;
    return claim;
}

static shoal_spec spec_of(const checking *c)
{
    shoal_spec spec = c->plan;
    spec.threads = c->request->threads;
    spec.population_table = c->population;
    spec.levels = c->n_levels > 0 ? c->levels : NULL;
    spec.n_levels = c->n_levels;
    return spec;
}

/* `ordered`: the release in the order of the original; NULL: it is in that order. */
static shoal_status check_with_original(checking *c, const shoal_unshuffled *ordered,
                                        shoal_error *err)
{
    shoal_outcome *outcome = NULL;
    uint32_t l;
    shoal_claim claim = claim_of(c);
    if (ordered != NULL)
        claim.texts[0] = (shoal_sink_text){ ordered->text, ordered->text_size, false };
    shoal_spec spec = spec_of(c);
    shoal_error why = { 0 };
    shoal_status status = shoal_pipeline_recheck(&outcome, c->original, &spec, &claim, &why);
    if (status == SHOAL_EUNSAT || status == SHOAL_EDATA || status == SHOAL_EINVAL) {
        find(c, "coverage", SHOAL_FAILS, "%.380s", why.message);
        return SHOAL_OK;
    }
    if (status != SHOAL_OK) {
        if (err != NULL) *err = why;
        return status;
    }
    if (shoal_outcome_buckets(outcome, &l) != NULL) {
        find(c, "l", SHOAL_HOLDS,
             "no sensitive value has more than 1/%u of the rows of a group; quasi-identifiers "
             "equal those of the original",
             l);
    } else {
        find(c, "k", SHOAL_HOLDS, "every group has at least %u rows (smallest: %llu)", claim.k,
             (unsigned long long)shoal_outcome_check(outcome)->min_group);
        find(c, "coverage", SHOAL_HOLDS, "%s, and every other column is unchanged",
             shoal_recode_is_microaggregation(shoal_spec_recoding(&spec))
                 ? "every published value is the aggregate of its group"
                 : "every published value covers the original one");
    }
    find_models(c, shoal_outcome_models(outcome));
    shoal_outcome_free(outcome);
    return SHOAL_OK;
}

/* ---- the release alone ---- */

static shoal_status load_alone(checking *c, unsigned parts, shoal_error *err)
{
    const shoal_text_source *text = shoal_table_text(c->files[0]);
    shoal_spec plan = SHOAL_SPEC_INIT;
    shoal_load_options load = load_options(c);
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.no_header = c->plan.no_header != 0;
    csv.delimiter = text->delimiter;
    shoal_status status = shoal_spec_for_release(&plan, &c->plan, c->original, parts, err);
    if (status == SHOAL_OK)
        status = shoal_table_open_memory(&c->released, text->data, text->size, NULL, NULL, &csv,
                                         err);
    if (status == SHOAL_OK) status = shoal_spec_prepare(&plan, c->released, false, &load, err);
    shoal_spec_clear(&plan);
    return status;
}

/* Sensitive values are read with their hierarchies, which may be elsewhere; k is counted without
 * them. */
static shoal_status open_alone(checking *c, shoal_error *err)
{
    unsigned traits = shoal_algorithm_traits(shoal_algorithm_index(c->plan.algorithm));
    unsigned parts = traits & SHOAL_METHOD_GENERALISES_SENSITIVE
                         ? 0
                         : SHOAL_PART_SENSITIVE | SHOAL_PART_SENSITIVE_AS_IT_WAS;
    shoal_status status = load_alone(c, parts, err);
    if (status != SHOAL_EIO || parts == 0) return status;
    shoal_table_free(c->released);
    c->released = NULL;
    if (c->n_models > 0)
        find(c, "model", SHOAL_NOT_CHECKED,
             "hierarchies that models may need were not found: name their folder with "
             "--hierarchies");
    c->n_models = 0;
    return load_alone(c, 0, err);
}

/* Models that can be counted in a release alone; the others are named. */
static shoal_status check_models_alone(checking *c, shoal_error *err)
{
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    shoal_models_result found = { 0 };
    size_t n = 0;
    for (size_t i = 0; i < c->n_models; i++) {
        shoal_model_spec model = c->models[i];
        unsigned traits = shoal_model_traits(shoal_model_find(model.name));
        if (traits & (SHOAL_MODEL_NEEDS_ORIGINAL | SHOAL_MODEL_NEEDS_POPULATION))
            find(c, "model", SHOAL_NOT_CHECKED, "%s needs the original: name it with --original",
                 model.name);
        else
            c->models[n++] = model;
    }
    c->n_models = n;
    if (n == 0) return SHOAL_OK;
    options.models = c->models;
    options.n_models = n;
    options.threads = c->request->threads;
    SHOAL_RETURN_IF_ERROR(shoal_check_models(&found, c->released, &options, err));
    find_models(c, &found);
    shoal_models_clear(&found);
    return SHOAL_OK;
}

static shoal_status check_alone(checking *c, shoal_error *err)
{
    shoal_check_result found;
    shoal_claim claim = claim_of(c);
    if (strcmp(claimed_form(c), "rows") != 0) {
        find(c, "coverage", SHOAL_NOT_CHECKED,
             "a release by %s can be checked only with its original: name it with --original",
             claimed_form(c));
        return SHOAL_OK;
    }
    SHOAL_RETURN_IF_ERROR(open_alone(c, err));
    SHOAL_RETURN_IF_ERROR(
        shoal_check(&found, c->released, claim.k > 0 ? claim.k : 1, c->request->threads, err));
    bool holds = shoal_check_satisfied(&found, NULL, claim.k);
    find(c, "k", holds ? SHOAL_HOLDS : SHOAL_FAILS,
         holds ? "every group has at least %u rows (smallest: %llu)"
               : "a group has fewer than %u rows (smallest: %llu)",
         claim.k, (unsigned long long)found.min_group);
    SHOAL_RETURN_IF_ERROR(check_models_alone(c, err));
    if (is_shuffled(c) && c->original != NULL)
        find(c, "coverage", SHOAL_NOT_CHECKED,
             "rows were shuffled, and cannot be matched with those of the original: --rerun "
             "reproduces the rows and compares them");
    else
        find(c, "coverage", SHOAL_NOT_CHECKED,
             "whether published values cover the original ones%s can be checked only with the "
             "original: name it with --original",
             has_role(&c->plan, SHOAL_ROLE_ENTITY) || has_role(&c->plan, SHOAL_ROLE_PSEUDONYM)
                 ? ", and the number of persons per group,"
                 : "");
    return SHOAL_OK;
}

/* ---- shuffled rows ---- */

/* Which row of the original a row belongs to is a guess, so what depends on more than its cells
 * cannot be checked: persons, pseudonyms, means. */
static bool can_unshuffle(const checking *c)
{
    shoal_spec spec = spec_of(c);
    return strcmp(claimed_form(c), "rows") == 0 && !has_role(&c->plan, SHOAL_ROLE_ENTITY) &&
           !has_role(&c->plan, SHOAL_ROLE_PSEUDONYM) &&
           !shoal_recode_is_microaggregation(shoal_spec_recoding(&spec)) &&
           (shoal_algorithm_traits(shoal_algorithm_index(c->plan.algorithm)) &
            SHOAL_METHOD_GENERALISES_SENSITIVE) == 0;
}

static uint64_t count_kept(const checking *c)
{
    uint64_t n = 0, n_rows = shoal_table_n_rows(c->original);
    for (uint64_t row = 0; row < n_rows; row++) n += c->kept == NULL || c->kept[row] != 0;
    return n;
}

static shoal_status check_shuffled(checking *c, shoal_error *err)
{
    const shoal_text_source *text = shoal_table_text(c->files[0]);
    shoal_unshuffled ordered = SHOAL_UNSHUFFLED_INIT;
    if (!can_unshuffle(c)) return check_alone(c, err);
    uint64_t n_kept = count_kept(c);
    shoal_status status = shoal_unshuffle(&ordered, c->original, text->data, text->size, c->kept,
                                          c->request->threads, err);
    if (status == SHOAL_EUNSAT && err != NULL) {
        find(c, "coverage", SHOAL_FAILS, "%.380s", err->message);
        return SHOAL_OK;
    }
    SHOAL_RETURN_IF_ERROR(status);
    if (ordered.n_rows != n_kept)
        find(c, "coverage", SHOAL_FAILS, "the release has %llu rows instead of %llu",
             (unsigned long long)ordered.n_rows, (unsigned long long)n_kept);
    else if (!ordered.is_tried)
        status = check_alone(c, err);
    else if (ordered.text == NULL)
        find(c, "coverage", SHOAL_FAILS,
             "in no order do the rows of the release cover those of the original, other columns "
             "being equal: %llu rows are left over",
             (unsigned long long)ordered.n_unmatched);
    else
        status = check_with_original(c, &ordered, err);
    shoal_string_free(ordered.text);
    return status;
}

/* ---- all of it ---- */

static shoal_status check_rerun(checking *c, shoal_error *err)
{
    shoal_claim claim = claim_of(c);
    shoal_second_run rerun = { c->manifest,   c->original, &c->plan,    &claim,
                               c->population, c->levels,   c->n_levels, c->request };
    shoal_finding found = { .check = "rerun" };
    if (!c->request->rerun) return SHOAL_OK;
    if (has_role(&c->plan, SHOAL_ROLE_PSEUDONYM) && c->request->key == NULL) {
        find(c, "rerun", SHOAL_NOT_CHECKED,
             "pseudonyms cannot be reproduced without their key: name it with --key");
        return SHOAL_OK;
    }
    SHOAL_RETURN_IF_ERROR(shoal_second_run_compare(&found, &rerun, err));
    find(c, "rerun", found.verdict, "%.390s", found.text);
    return SHOAL_OK;
}

static shoal_status carry_out(checking *c, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(read_plan(c, err));
    SHOAL_RETURN_IF_ERROR(check_files(c, err));
    if (c->request->original == NULL && c->request->rerun)
        return shoal_fail(err, SHOAL_EINVAL,
                          "{--rerun} needs the original {fix} name it with {--original} FILE");
    if (c->request->original != NULL) {
        SHOAL_RETURN_IF_ERROR(open_original(c, err));
        SHOAL_RETURN_IF_ERROR(open_population(c, err));
        SHOAL_RETURN_IF_ERROR(find_kept(c, err));
    }
    SHOAL_RETURN_IF_ERROR(c->original == NULL ? check_alone(c, err)
                          : is_shuffled(c)    ? check_shuffled(c, err)
                                              : check_with_original(c, NULL, err));
    return check_rerun(c, err);
}

shoal_status shoal_manifest_verify(shoal_verification *out, const shoal_manifest *manifest,
                                   const shoal_verify_request *given, shoal_error *err)
{
    shoal_verify_request request = SHOAL_VERIFY_REQUEST_INIT;
    if (given == NULL || given->size == 0 || given->size > sizeof request)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "verify: request not initialised, or made for a newer version of the library");
    memcpy(&request, given, given->size);
    *out = (shoal_verification){ .holds = true };
    checking c = { .manifest = manifest, .request = &request, .out = out, .plan = SHOAL_SPEC_INIT };
    shoal_status status = carry_out(&c, err);
    if (status == SHOAL_OK || status == SHOAL_EDATA) { /* what is wrong with a table may be that */
        shoal_error changed;
        shoal_status compared = compare_texts(&c, &changed);
        if (compared != SHOAL_OK && err != NULL) *err = changed;
        if (compared != SHOAL_OK) status = compared;
    }
    shoal_table_free(c.released);
    shoal_table_free(c.population);
    shoal_table_free(c.original);
    for (size_t p = 0; p < SHOAL_SINK_N_PARTS; p++) shoal_table_free(c.files[p]);
    shoal_free(c.models);
    shoal_spec_clear(&c.plan);
    shoal_free(c.levels);
    shoal_free(c.kept);
    return status;
}
