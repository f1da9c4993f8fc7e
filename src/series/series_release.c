/* SPDX-License-Identifier: Apache-2.0 */
/* series_release.c - the next release of a series: match, withdraw, insert, write, verify, store,
 * publish.
 *
 * Invariant: commit() of the sink is called at one place, after the text that the sink holds was
 * verified against the table (k, coverage, models, persons) and, slot by slot, against every
 * earlier release, and after the state that follows was written and synced beside the present one.
 * Whatever fails, abort() is called and the series is as it was.
 *
 * An example, k = 2. Release 1 publishes the records A (31) and B (33) as 31..33. For release 2 the
 * table has B and the new records C (30) and D (34). A was erased and leaves; B alone would make
 * the releases differ by one row, fewer than k, so B leaves, too, and is withdrawn. C and D become
 * the batch 30..34. The difference of the releases is A and B, which left, and C and D, which came.
 *
 * Cost: reading the state, the method on the new rows, writing and verifying the release.
 */
#define _POSIX_C_SOURCE 200809L /* getcwd, stat */
#include "pipeline/pipeline_run.h"
#include "series/invariance.h"
#include "series/series_next.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct release {
    shoal_change change;
    shoal_series_options options;
    const shoal_sink *sink;
    shoal_spec spec; /* the plan, with the threads of this release */
    char *settings;
    shoal_sink_text text; /* what the sink holds */
    shoal_table *released;
    shoal_outcome *outcome; /* of the verification; NULL with m-invariance */
    shoal_check_result check;
    shoal_invariance invariance; /* where m-invariance is asked for */
    uint8_t *kept;               /* of each row of the table: is it published? */
    bool is_verified;
    shoal_series_state next; /* the state after it; its pools are those of the state before */
} release;

/* Copies the options that an older caller has; newer ones keep their defaults. */
static shoal_status read_options(shoal_series_options *out, const shoal_series_options *given,
                                 shoal_error *err)
{
    *out = (shoal_series_options)SHOAL_SERIES_OPTIONS_INIT;
    if (given == NULL || given->size == 0 || given->size > sizeof *out)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "series: options not initialised, or made for a newer version of the library");
    memcpy(out, given, given->size);
    if (out->plan == NULL) return shoal_fail(err, SHOAL_EINVAL, "series: a release needs a plan");
    return SHOAL_OK;
}

/* The length of a phase is not known (-1): the callback only learns its name, and can stop the run.
 */
static shoal_status step(const release *r, const char *phase, shoal_error *err)
{
    if (!shoal_progress_stops(r->options.callbacks, phase, -1)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_ECANCELLED, "interrupted, nothing was written");
}

/* ---- what is to be published ---- */

/* A key is checked for before the search: without one the release could not be written. */
static shoal_status check_pseudonyms(const shoal_table *table, shoal_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_PSEUDONYM && table->columns[c].pseudonyms == NULL)
            return shoal_fail(err, SHOAL_EINVAL,
                              "column '{column %.200s}' is a pseudonym, but no key is given {fix} "
                              "create one with shoal key, and name it with {--key} FILE",
                              table->columns[c].name);
    return SHOAL_OK;
}

/* The first release defines the settings of the series, and its pools: slots are tuples of
 * quasi-identifiers or, with m-invariance, numbers of signatures. */
static shoal_status begin(release *r, shoal_error *err)
{
    shoal_change *c = &r->change;
    SHOAL_RETURN_IF_ERROR(shoal_series_settings_of(&r->settings, c->table, c->plan, err));
    SHOAL_RETURN_IF_ERROR(check_pseudonyms(c->table, err));
    if (c->state->settings != NULL)
        SHOAL_RETURN_IF_ERROR(shoal_series_settings_compare(c->state->settings, r->settings, err));
    SHOAL_RETURN_IF_ERROR(shoal_series_terms_read(&c->terms, r->settings, err));
    r->spec = *c->plan;
    r->spec.threads = c->threads;
    if (c->state->settings != NULL) return SHOAL_OK;
    if (!shoal_tuple_pool_init(&c->state->slots, c->terms.m > 0 ? 1 : c->terms.n_quasi) ||
        !shoal_tuple_pool_init(&c->state->values, c->terms.n_sensitive))
        return shoal_fail_memory(err);
    return SHOAL_OK;
}

/* The order matters: what is covered is known only after matching, and withdrawing needs to know
 * which rows leave. The slot of each row of the table is the result. */
static shoal_status decide(release *r, shoal_error *err)
{
    shoal_change *c = &r->change;
    SHOAL_RETURN_IF_ERROR(step(r, "match", err));
    SHOAL_RETURN_IF_ERROR(shoal_change_match(c, err));
    SHOAL_RETURN_IF_ERROR(shoal_change_cover(c, err));
    SHOAL_RETURN_IF_ERROR(shoal_series_judge_make(&c->judge, &c->terms, &c->state->values, err));
    SHOAL_RETURN_IF_ERROR(shoal_change_withdraw(c, err));
    return shoal_change_insert(c, err);
}

/* ---- verification, from the text ---- */

/* The release by itself, as every release is verified: by its text, against the whole table. */
static shoal_status verify_alone(release *r, shoal_error *err)
{
    const shoal_change *c = &r->change;
    shoal_claim claim = SHOAL_CLAIM_INIT;
    r->kept = shoal_alloc((size_t)c->table->n_rows, 1);
    if (r->kept == NULL) return shoal_fail_memory(err);
    for (uint64_t row = 0; row < c->table->n_rows; row++)
        r->kept[row] = c->slots[row] != SHOAL_NO_CODE;
    claim.texts[SHOAL_SINK_RELEASE] = r->text;
    claim.kept = r->kept;
    claim.released = &r->released;
    SHOAL_RETURN_IF_ERROR(shoal_pipeline_recheck(&r->outcome, c->table, &r->spec, &claim, err));
    r->check = *shoal_outcome_check(r->outcome);
    return SHOAL_OK;
}

/* Is the content of a slot, as read from the text, compatible with its history? */
static shoal_status compare_slot(shoal_change *c, const shoal_slot_rows *rows, uint32_t slot,
                                 shoal_error *err)
{
    bool holds;
    c->scratch.n_now = 0;
    for (uint64_t i = rows->begin[slot]; i < rows->begin[slot + 1]; i++)
        if (!shoal_change_add_now(&c->scratch, rows->values[i], 1)) return shoal_fail_memory(err);
    if (!shoal_change_history(c, slot)) return shoal_fail_memory(err);
    if (c->scratch.n_now == 0 && c->scratch.n_history == 0) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_series_judge_slot(&holds, &c->judge, c->scratch.history,
                                                  c->scratch.n_history, c->scratch.now,
                                                  c->scratch.n_now, err));
    if (holds) return SHOAL_OK;
    /* the decisions above should have prevented this */
    return shoal_fail(
        err, SHOAL_EUNSAT,
        "internal error: the difference between this release and an earlier one does not satisfy k "
        "and the models; nothing was published {fix} please report this bug");
}

/* Against what the state has of all earlier releases, whatever was decided above. */
static shoal_status verify_series(release *r, shoal_error *err)
{
    shoal_change *c = &r->change;
    shoal_slot_rows rows = { 0 };
    uint32_t n_values = c->state->values.tuples.n_values;
    shoal_status status = shoal_slot_rows_read(&rows, c, r->released, err);
    if (status == SHOAL_OK && c->state->values.tuples.n_values != n_values)
        status = shoal_fail(err, SHOAL_EUNSAT,
                            "verify: the release has sensitive values that are not in the table "
                            "{fix} do not publish the release");
    for (uint32_t slot = 0; status == SHOAL_OK && slot < rows.n_slots; slot++)
        status = compare_slot(c, &rows, slot, err);
    shoal_slot_rows_clear(&rows);
    return status;
}

/* Digests identify releases, since files may be renamed. */
static bool is_of_series(const shoal_series_state *state, const char *sha256)
{
    for (uint32_t i = 0; i < state->n_releases; i++)
        if (strcmp(state->releases[i].sha256, sha256) == 0) return true;
    return false;
}

/* A check that does not use the state: the texts of two releases are compared, in both directions,
 * since rows that came and rows that left must each satisfy k and the models. */
static shoal_status compare_file(const release *r, const char *path, shoal_error *err)
{
    const shoal_change *c = &r->change;
    shoal_difference_result differences[2] = { { 0 }, { 0 } };
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    shoal_table *earlier = NULL;
    const shoal_series_storage *storage = &c->series->storage;
    char *text = NULL, sha256[65];
    size_t size;
    options.k = c->terms.k;
    options.models = c->terms.models;
    options.n_models = c->terms.n_models;
    options.threads = c->threads;
    SHOAL_RETURN_IF_ERROR(storage->read(storage->payload, &text, &size, path, err));
    shoal_status status = SHOAL_OK;
    storage->digest(storage->payload, sha256, text, size);
    if (!is_of_series(c->state, sha256))
        status = shoal_fail(err, SHOAL_EDATA,
                            "'{file %.400s}' is not a release of this series, or was modified "
                            "{fix} use the file as it was published",
                            path);
    if (status == SHOAL_OK)
        status = shoal_released_open_sensitive(&earlier, text, size, c->table, c->threads, err);
    if (status == SHOAL_OK)
        status = shoal_check_difference(&differences[0], r->released, earlier, &options, err);
    if (status == SHOAL_OK)
        status = shoal_check_difference(&differences[1], earlier, r->released, &options, err);
    if (status == SHOAL_OK && !(shoal_difference_satisfied(&differences[0]) &&
                                shoal_difference_satisfied(&differences[1])))
        status = shoal_fail(err, SHOAL_EUNSAT,
                            "the difference between this release and '{file %.400s}' does not "
                            "satisfy k and the models {fix} the recorded state does not match what "
                            "was published; do not continue the series",
                            path);
    for (int i = 0; i < 2; i++) shoal_difference_clear(&differences[i]);
    shoal_table_free(earlier);
    shoal_string_free(text);
    return status;
}

/* The sink shows the text that it would commit. */
static shoal_status verify(release *r, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(step(r, "verify", err));
    SHOAL_RETURN_IF_ERROR(r->sink->view(r->sink->payload, SHOAL_SINK_RELEASE, &r->text, err));
    return verify_alone(r, err);
}

/* ---- measures ---- */

/* Measures count a row that is not published as suppressed: it loses 1. */
static shoal_status measure(release *r, shoal_error *err)
{
    shoal_change *c = &r->change;
    shoal_measures measures;
    shoal_series_entry *e = &c->entry;
    SHOAL_RETURN_IF_ERROR(
        shoal_measure_release(&measures, c->table, r->released, c->terms.k, NULL, err));
    e->gcp = measures.gcp;
    shoal_measures_clear(&measures);
    e->rows = c->table->n_rows;
    e->published = r->check.n_rows;
    e->groups = r->check.n_groups;
    e->min_group = r->check.min_group;
    e->withheld = e->rows - e->published - e->pending;
    return SHOAL_OK;
}

/* Both write into the pools of the series, so they run one after the other. */
static shoal_status compare_and_remember(release *r, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(verify_series(r, err));
    return shoal_series_next_make(&r->next, &r->change, r->settings) ? SHOAL_OK
                                                                     : shoal_fail_memory(err);
}

/* What runs on one thread: two halves at once, neither of which calls back or writes what the other
 * reads. */
static shoal_status compare_and_measure(release *r, shoal_error *err)
{
    shoal_change *c = &r->change;
    const shoal_series_storage *storage = &c->series->storage;
    shoal_status status = SHOAL_OK, measured = SHOAL_OK;
    shoal_error own = { .status = SHOAL_OK };
#pragma omp parallel sections num_threads(c->threads)
    {
#pragma omp section
        status = compare_and_remember(r, err);
#pragma omp section
        {
            storage->digest(storage->payload, c->entry.sha256, r->text.data, r->text.size);
            measured = measure(r, &own);
        }
    }
    if (status == SHOAL_OK && measured != SHOAL_OK) {
        status = measured;
        if (err != NULL) *err = own;
    }
    for (size_t i = 0; status == SHOAL_OK && i < r->options.n_after; i++)
        status = compare_file(r, r->options.after[i], err);
    r->is_verified = status == SHOAL_OK;
    return status;
}

/* The loss of an independent release, for comparison; it is not published. */
static shoal_status measure_anew(release *r, shoal_error *err)
{
    shoal_change *c = &r->change;
    shoal_memory_sink *memory = NULL;
    shoal_outcome *outcome = NULL;
    c->entry.gcp_anew = NAN;
    if (!r->options.with_anew) return SHOAL_OK;
    if (c->terms.m > 0) return shoal_invariance_anew(&c->entry.gcp_anew, &r->invariance, err);
    SHOAL_RETURN_IF_ERROR(shoal_memory_sink_make(&memory, 0, err));
    shoal_spec spec = r->spec;
    const shoal_sink *sink = shoal_memory_sink_of(memory);
    /* the loss does not depend on the order, and the shuffled one costs time */
    spec.row_order = 0;
    shoal_status status = shoal_pipeline_run(&outcome, c->table, &spec, NULL, sink, err);
    const shoal_measures *measures = status == SHOAL_OK ? shoal_outcome_measures(outcome) : NULL;
    if (measures != NULL) c->entry.gcp_anew = measures->gcp;
    shoal_outcome_free(outcome);
    shoal_memory_sink_free(memory);
    return status;
}

/* ---- publishing ---- */

/* In the order in which it will be seen; what reads the text in the order of the table ends here.
 */
static shoal_status finish_text(release *r, shoal_error *err)
{
    shoal_change *c = &r->change;
    const shoal_series_storage *storage = &c->series->storage;
    shoal_table_free(r->released);
    r->released = NULL;
    bool is_shuffled = c->plan->row_order == 2;
    if (is_shuffled) {
        SHOAL_RETURN_IF_ERROR(shoal_shuffle_release(r->sink, c->table, NULL, err));
        SHOAL_RETURN_IF_ERROR(r->sink->view(r->sink->payload, SHOAL_SINK_RELEASE, &r->text, err));
    }
    if (is_shuffled || c->terms.m > 0)
        storage->digest(storage->payload, c->entry.sha256, r->text.data, r->text.size);
    c->entry.size = r->text.size;
    return SHOAL_OK;
}

/* The path from the root: a command after a crash may run elsewhere. What goes into a pipe or a
 * device cannot be found again: no path. */
static bool whole_path(shoal_buffer *out, const char *path)
{
    char folder[4096];
    struct stat info;
    if (path == NULL || strcmp(path, "-") == 0 ||
        (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
        path = "";
    if (*path != '\0' && *path != '/' && getcwd(folder, sizeof folder) != NULL)
        shoal_buffer_print(out, "%s/", folder);
    shoal_buffer_print(out, "%s", path);
    return !out->failed;
}

/* Everything that can fail before the release is visible. */
static shoal_status stage(release *r, shoal_error *err)
{
    const shoal_change *c = &r->change;
    const shoal_series_storage *storage = &c->series->storage;
    shoal_buffer path = { 0 }, bytes = { 0 };
    bool is_made = whole_path(&path, r->options.path) &&
                   (c->terms.m == 0 ||
                    shoal_invariance_next(&r->next, &r->invariance, r->settings));
    if (is_made) r->next.releases[c->number - 1] = c->entry;
    is_made = is_made && shoal_series_state_write(&bytes, &r->next);
    shoal_status status = is_made ? step(r, "write", err) : shoal_fail_memory(err);
    /* or it is a release of two states of the file */
    if (status == SHOAL_OK) status = shoal_table_unchanged(c->table, c->threads, err);
    const shoal_series_bytes state = { bytes.data, bytes.size };
    if (status == SHOAL_OK)
        status = storage->stage(storage->payload, &state, c->entry.sha256,
                                path.data != NULL ? path.data : "", err);
    shoal_buffer_clear(&path);
    shoal_buffer_clear(&bytes);
    return status;
}

/* The only place where a release becomes visible. stage() before it wrote the next state beside the
 * current one; after a crash the storage compares digests to know which of them is valid. */
static shoal_status publish(release *r, shoal_error *err)
{
    shoal_change *c = &r->change;
    const shoal_series_storage *storage = &c->series->storage;
    SHOAL_RETURN_IF_ERROR(finish_text(r, err));
    shoal_status status = stage(r, err);
    if (status != SHOAL_OK) return status;
    assert(r->is_verified);
    status = r->sink->commit(r->sink->payload, err);
    bool is_published = status == SHOAL_OK;
    shoal_status concluded = storage->conclude(storage->payload, is_published,
                                               is_published ? err : NULL);
    if (is_published) shoal_series_next_take(c->state, &r->next);
    return is_published ? concluded : status;
}

/* ---- m-invariance ---- */

/* The file must be a release of this series by its digest, and its groups those of the state. */
static shoal_status compare_invariant_file(release *r, const char *path, shoal_error *err)
{
    shoal_change *c = &r->change;
    const shoal_series_storage *storage = &c->series->storage;
    char *text = NULL, sha256[65];
    size_t size;
    bool is_same = false;
    shoal_status status = SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(storage->read(storage->payload, &text, &size, path, err));
    storage->digest(storage->payload, sha256, text, size);
    for (uint32_t i = 1; i <= c->state->n_releases && status == SHOAL_OK && !is_same; i++)
        if (strcmp(c->state->releases[i - 1].sha256, sha256) == 0)
            status = shoal_invariance_check_text(&is_same, c, i, text, size, err);
    shoal_string_free(text);
    if (status != SHOAL_OK || is_same) return status;
    return shoal_fail(err, SHOAL_EDATA,
                      "'{file %.400s}' is not a release of this series, or was modified {fix} use "
                      "the file as it was published",
                      path);
}

/* What takes the place of verify() and measure(). */
static shoal_status verify_invariant(release *r, shoal_error *err)
{
    shoal_change *c = &r->change;
    shoal_sink_text counterfeits;
    SHOAL_RETURN_IF_ERROR(step(r, "verify", err));
    SHOAL_RETURN_IF_ERROR(r->sink->view(r->sink->payload, SHOAL_SINK_RELEASE, &r->text, err));
    SHOAL_RETURN_IF_ERROR(r->sink->view(r->sink->payload, SHOAL_SINK_BUCKETS, &counterfeits, err));
    for (size_t i = 0; i < r->options.n_after; i++)
        SHOAL_RETURN_IF_ERROR(compare_invariant_file(r, r->options.after[i], err));
    SHOAL_RETURN_IF_ERROR(shoal_invariance_verify(&r->invariance, &r->text, &counterfeits, err));
    r->check = r->invariance.check;
    r->kept = shoal_alloc((size_t)c->table->n_rows, 1);
    if (r->kept == NULL) return shoal_fail_memory(err);
    for (uint64_t row = 0; row < c->table->n_rows; row++)
        r->kept[row] = r->invariance.group_of_row[row] != 0;
    r->is_verified = true;
    return SHOAL_OK;
}

/* The steps of carry_out(), with groups of m distinct values instead of batches. */
static shoal_status carry_out_invariant(release *r, shoal_error *err)
{
    r->invariance.change = &r->change;
    SHOAL_RETURN_IF_ERROR(step(r, "match", err));
    SHOAL_RETURN_IF_ERROR(shoal_invariance_decide(&r->invariance, err));
    SHOAL_RETURN_IF_ERROR(shoal_invariance_write(&r->invariance, r->sink, err));
    SHOAL_RETURN_IF_ERROR(verify_invariant(r, err));
    SHOAL_RETURN_IF_ERROR(measure_anew(r, err));
    return publish(r, err);
}

/* ---- all of it ---- */

static void release_clear(release *r)
{
    shoal_series_next_drop(&r->next);
    shoal_invariance_clear(&r->invariance);
    shoal_change_clear(&r->change);
    shoal_free(r->settings);
    shoal_free(r->kept);
    shoal_table_free(r->released);
    shoal_outcome_free(r->outcome);
}

/* Every step before publish() leaves the series unchanged. */
static shoal_status carry_out(release *r, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(begin(r, err));
    if (r->change.terms.m > 0) return carry_out_invariant(r, err);
    SHOAL_RETURN_IF_ERROR(decide(r, err));
    SHOAL_RETURN_IF_ERROR(shoal_change_write(&r->change, r->sink, err));
    SHOAL_RETURN_IF_ERROR(verify(r, err));
    SHOAL_RETURN_IF_ERROR(compare_and_measure(r, err));
    SHOAL_RETURN_IF_ERROR(measure_anew(r, err));
    return publish(r, err);
}

/* A first release that failed leaves nothing: the pools of a new series have no settings. */
static void forget_pools(shoal_series_state *state)
{
    if (state->settings != NULL) return;
    shoal_series_state_clear(state);
}

/* What is handed out, with what it points to. */
typedef struct made_result {
    shoal_series_result result; /* first: the caller sees no more */
    shoal_series_entry entry;
    shoal_check_result check;
    shoal_outcome *outcome; /* NULL with m-invariance */
    shoal_models_result none;
    uint8_t *kept;
} made_result;

/* Takes over what it needs of the release. */
static void hand_out(made_result *made, release *r)
{
    made->entry = r->change.entry;
    made->check = r->check;
    made->outcome = r->outcome;
    made->kept = r->kept;
    made->result = (shoal_series_result){
        .number = r->change.number,
        .entry = &made->entry,
        .check = &made->check,
        .models = r->outcome != NULL ? shoal_outcome_models(r->outcome) : &made->none,
        .kept = made->kept,
        .m = r->change.terms.m,
        .counterfeit_groups = r->invariance.n_counterfeit_groups
    };
    r->outcome = NULL;
    r->kept = NULL;
}

/* The sink belongs to the caller: commit() is called at most once, abort() after any failure. */
shoal_status shoal_series_release(shoal_series_result **out, shoal_series *series,
                                  const shoal_table *table, const shoal_series_options *options,
                                  const shoal_sink *sink, shoal_error *err)
{
    double start = shoal_seconds();
    release r = { .sink = sink };
    shoal_status status = read_options(&r.options, options, err);
    if (status == SHOAL_OK && (!table->is_loaded || sink->write == NULL || sink->view == NULL))
        status = shoal_fail(err, SHOAL_EINVAL,
                            "series: the table must be loaded, and the sink must accept text");
    if (status == SHOAL_OK && r.options.plan->row_order == 2 && sink->rewrite == NULL)
        status = shoal_fail(err, SHOAL_EINVAL,
                            "series: this sink cannot shuffle rows {fix} remove {--row-order}");
    r.change = (shoal_change){ .series = series,
                               .state = &series->state,
                               .table = table,
                               .plan = r.options.plan,
                               .number = series->state.n_releases + 1,
                               .threads = r.options.threads > 0 ? r.options.threads : 1,
                               .callbacks = r.options.callbacks };
    made_result *made = shoal_alloc_zero(1, sizeof *made);
    if (status == SHOAL_OK && made == NULL) status = shoal_fail_memory(err);
    if (status == SHOAL_OK) status = carry_out(&r, err);
    if (status == SHOAL_OK) {
        hand_out(made, &r);
        made->result.seconds = shoal_seconds() - start;
        *out = &made->result;
    } else {
        shoal_free(made);
        sink->abort(sink->payload);
        forget_pools(&series->state);
    }
    release_clear(&r);
    return status;
}

void shoal_series_result_free(shoal_series_result *result)
{
    made_result *made = (made_result *)result; /* its first member */
    if (made == NULL) return;
    shoal_outcome_free(made->outcome);
    shoal_free(made->kept);
    shoal_free(made);
}
