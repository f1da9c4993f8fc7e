/* SPDX-License-Identifier: Apache-2.0 */
/* test_pipeline.c - what leaves the pipeline was verified; what was not verified, or not wholly
 * written, does not leave.
 *
 * Covers: arrow_sink.c, memory_sink.c, outcome.c, text_sink.c, promises.c, publish_step.c,
 * verify_memory.c, verify_step.c
 */
#include "arrow_streams.h"
#include "release_fixture.h"

#include <shoal/pipeline.h>

/* ---- one table for each form of release ---- */

static const char illness_levels[] = "flu;lung;*\ncough;lung;*\nulcer;gut;*\ncramp;gut;*\n";
static const char plain_levels[] = "flu;*\ncough;*\nulcer;*\ncramp;*\n";
static const char people[] =
    "age,illness,count,who\n20,flu,1,A\n22,ulcer,2,A\n24,cough,1,B\n26,cramp,3,B\n"
    "40,flu,1,C\n42,cramp,2,C\n44,cough,1,D\n46,ulcer,1,D\n";
static const int64_t ages[] = { 20, 22, 24, 26, 40, 42, 44, 46 };
static const char *const illnesses[] = { "flu", "ulcer", "cough", "cramp",
                                         "flu", "cramp", "cough", "ulcer" };
static const column arrow_columns[] = { { .name = "age", .format = "l", .values = ages },
                                        { .name = "illness", .format = "u", .texts = illnesses } };
static const batch arrow_batches[] = { { arrow_columns, 8, 0 } };

static const column_spec rows[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                    { "illness", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL,
                                      plain_levels, 0 } };
static const column_spec guarded[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                       { "illness", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL,
                                         illness_levels, 0 } };
static const column_spec counted[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                       { "illness", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL,
                                         NULL, 0 },
                                       { "count", SHOAL_ROLE_COUNT, SHOAL_TYPE_AUTO, NULL, 0 },
                                       { "who", SHOAL_ROLE_DROP, SHOAL_TYPE_AUTO, NULL, 0 } };
static const column_spec entities[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                        { "who", SHOAL_ROLE_ENTITY, SHOAL_TYPE_CATEGORICAL, NULL,
                                          0 } };

/* What is published, and a change of the same length that the verifier must see. */
typedef struct form {
    const char *name;
    const column_spec *columns; /* NULL: from Arrow */
    size_t n_columns;
    const char *algorithm;
    shoal_param params[2];
    const char *from, *to; /* text */
    shoal_sink_part part;  /* where it is */
} form;

static const form forms[] = {
    { "rows",
      rows,
      2,
      "mondrian",
      { { NULL, NULL } },
      "[20..22],f",
      "[21..22],f",
      SHOAL_SINK_RELEASE },
    { "mapping",
      counted,
      4,
      "mondrian",
      { { NULL, NULL } },
      "20,flu,1,0",
      "20,flu,2,0",
      SHOAL_SINK_RELEASE },
    { "buckets", rows, 2, "anatomy", { { "l", "2" } }, "20,1,A,1", "21,1,A,1", SHOAL_SINK_RELEASE },
    { "second table",
      rows,
      2,
      "anatomy",
      { { "l", "2" } },
      ",cramp,1",
      ",cough,1",
      SHOAL_SINK_BUCKETS },
    { "personal",
      guarded,
      2,
      "personalised",
      { { "breach", "0.4" }, { "guard", "value" } },
      "flu,1,A",
      "gut,1,A",
      SHOAL_SINK_RELEASE },
    { "batches", NULL, 2, "mondrian", { { NULL, NULL } }, NULL, NULL, SHOAL_SINK_RELEASE },
    { "passed on",
      rows,
      2,
      "mondrian",
      { { NULL, NULL } },
      "flu,1,A",
      "flu,1,B",
      SHOAL_SINK_RELEASE },
    { "sensitive",
      rows,
      2,
      "mondrian",
      { { NULL, NULL } },
      "flu,1,A",
      "gut,1,A",
      SHOAL_SINK_RELEASE },
};
enum { N_FORMS = sizeof forms / sizeof *forms };

static shoal_status open_form(shoal_table **out, const form *f, shoal_error *err)
{
    static producer p;
    table_spec spec = { .text = people, .columns = f->columns, .n_columns = f->n_columns };
    if (f->columns != NULL) return open_table(out, &spec, err);
    p = (producer){ .batches = arrow_batches, .n_batches = 1, .n_columns = 2 };
    struct ArrowArrayStream stream = make_stream(&p);
    shoal_table *table = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_arrow(&table, &stream, err));
    shoal_status status = SHOAL_OK;
    for (size_t c = 0; status == SHOAL_OK && c < 2; c++)
        status = shoal_table_set_role(table, c, rows[c].role, err);
    if (status == SHOAL_OK) status = shoal_table_load(table, NULL, err);
    if (status == SHOAL_OK)
        *out = table;
    else
        shoal_table_free(table);
    return status;
}

/* ---- a sink that can be told to fail, or to lie ---- */

typedef struct spy {
    shoal_memory_sink *memory;
    shoal_sink inner;
    const form *form;
    size_t n_calls, fails_at; /* fails_at 0: never */
    bool tampers, shortens;   /* what is shown is altered, or lacks its end */
    char *altered[SHOAL_SINK_N_PARTS];
    int n_commits, n_aborts;
} spy;

static bool fails(spy *s)
{
    return ++s->n_calls == s->fails_at;
}

static shoal_status spy_open(void *payload, shoal_sink_part part, shoal_error *err)
{
    spy *s = payload;
    if (fails(s)) return shoal_fail(err, SHOAL_EIO, "told to fail");
    return s->inner.open(s->inner.payload, part, err);
}

static int spy_write(void *payload, shoal_sink_part part, const void *data, size_t size)
{
    spy *s = payload;
    return fails(s) ? ENOSPC : s->inner.write(s->inner.payload, part, data, size);
}

static shoal_status spy_view(void *payload, shoal_sink_part part, shoal_sink_text *out,
                             shoal_error *err)
{
    spy *s = payload;
    if (fails(s)) return shoal_fail(err, SHOAL_EIO, "told to fail");
    SHOAL_RETURN_IF_ERROR(s->inner.view(s->inner.payload, part, out, err));
    if (part != s->form->part) return SHOAL_OK;
    if (s->shortens) out->size -= 5;
    if (!s->tampers) return SHOAL_OK;
    free(s->altered[part]);
    s->altered[part] = malloc(out->size + 1);
    memcpy(s->altered[part], out->data, out->size);
    s->altered[part][out->size] = '\0';
    char *at = strstr(s->altered[part], s->form->from);
    if (at == NULL) fail_msg("%s: nothing to alter in:\n%s", s->form->name, s->altered[part]);
    memcpy(at, s->form->to, strlen(s->form->to));
    out->data = s->altered[part];
    return SHOAL_OK;
}

static shoal_status spy_take(void *payload, struct ArrowArrayStream *batches, shoal_error *err)
{
    spy *s = payload;
    if (!fails(s)) return s->inner.take(s->inner.payload, batches, err);
    batches->release(batches);
    return shoal_fail(err, SHOAL_EIO, "told to fail");
}

static int (*true_next)(struct ArrowArrayStream *, struct ArrowArray *);

/* The first row publishes what the last one does. */
static int altered_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    int code = true_next(stream, out);
    if (code != 0 || out->release == NULL) return code;
    int32_t *indices = (int32_t *)(uintptr_t)out->children[0]->buffers[1];
    indices[0] = indices[out->length - 1];
    return 0;
}

static int shortened_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    int code = true_next(stream, out);
    if (code == 0 && out->release != NULL) out->length--;
    return code;
}

static shoal_status spy_lend(void *payload, struct ArrowArrayStream *out, shoal_error *err)
{
    spy *s = payload;
    if (fails(s)) return shoal_fail(err, SHOAL_EIO, "told to fail");
    SHOAL_RETURN_IF_ERROR(s->inner.lend(s->inner.payload, out, err));
    true_next = out->get_next;
    if (s->tampers) out->get_next = altered_next;
    if (s->shortens) out->get_next = shortened_next;
    return SHOAL_OK;
}

static shoal_status spy_commit(void *payload, shoal_error *err)
{
    spy *s = payload;
    if (fails(s)) return shoal_fail(err, SHOAL_EIO, "told to fail");
    s->n_commits++;
    return s->inner.commit(s->inner.payload, err);
}

static void spy_abort(void *payload)
{
    spy *s = payload;
    s->n_aborts++;
    s->inner.abort(s->inner.payload);
}

static shoal_sink spy_of(spy *s, shoal_memory_sink *memory)
{
    s->memory = memory;
    s->inner = *shoal_memory_sink_of(memory);
    return (shoal_sink){ .size = sizeof(shoal_sink),
                         .payload = s,
                         .names = { "first.csv", "second.csv" },
                         .open = spy_open,
                         .write = spy_write,
                         .view = spy_view,
                         .take = spy_take,
                         .lend = spy_lend,
                         .commit = spy_commit,
                         .abort = spy_abort };
}

/* Nothing can be had from it. */
static void assert_empty(const spy *s)
{
    size_t size;
    struct ArrowArrayStream stream;
    assert_int_equal(s->n_commits, 0);
    assert_true(s->n_aborts > 0);
    assert_null(shoal_memory_sink_text(s->memory, SHOAL_SINK_RELEASE, &size));
    assert_null(shoal_memory_sink_text(s->memory, SHOAL_SINK_BUCKETS, &size));
    assert_int_equal(shoal_memory_sink_stream(s->memory, &stream, NULL), SHOAL_EINVAL);
}

static void spy_clear(spy *s)
{
    for (size_t i = 0; i < SHOAL_SINK_N_PARTS; i++) free(s->altered[i]);
    shoal_memory_sink_free(s->memory);
}

static shoal_status run_form(shoal_outcome **out, const form *f, spy *s, shoal_error *err)
{
    shoal_table *table = NULL;
    shoal_memory_sink *memory = NULL;
    shoal_spec asked = SHOAL_SPEC_INIT;
    asked.k = 2;
    asked.algorithm = f->algorithm;
    asked.params = f->params;
    asked.n_params = (size_t)(f->params[0].name != NULL) + (f->params[1].name != NULL);
    s->form = f;
    SHOAL_RETURN_IF_ERROR(shoal_memory_sink_make(&memory, 0, err));
    shoal_sink sink = spy_of(s, memory);
    SHOAL_RETURN_IF_ERROR(open_form(&table, f, err));
    shoal_status status = shoal_pipeline_run(out, table, &asked, NULL, &sink, err);
    shoal_table_free(table);
    return status;
}

/* ---- tests ---- */

static void test_every_form_leaves_verified(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_FORMS; i++) {
        shoal_error err = { 0 };
        shoal_outcome *outcome = NULL;
        uint32_t l = 0;
        spy s = { 0 };
        size_t size;
        assert_ok(run_form(&outcome, &forms[i], &s, &err));
        assert_true(s.n_commits == 1 && s.n_aborts == 0);
        bool is_text = forms[i].columns != NULL;
        assert_true((shoal_memory_sink_text(s.memory, SHOAL_SINK_RELEASE, &size) != NULL) ==
                    is_text);
        assert_true((shoal_memory_sink_text(s.memory, SHOAL_SINK_BUCKETS, &size) != NULL) ==
                    (shoal_outcome_buckets(outcome, NULL) != NULL));
        assert_true((shoal_outcome_buckets(outcome, NULL) != NULL) ==
                    (strcmp(forms[i].algorithm, "anatomy") == 0));
        assert_true((shoal_outcome_personal(outcome, NULL) != NULL) ==
                    (strcmp(forms[i].algorithm, "personalised") == 0));
        assert_true((shoal_outcome_measures(outcome) != NULL) ==
                    !(shoal_outcome_buckets(outcome, NULL) != NULL));
        assert_true((shoal_outcome_buckets(outcome, NULL) != NULL)
                        ? shoal_outcome_buckets(outcome, &l)->min_group >= 2 && l == 2
                        : shoal_outcome_check(outcome)->min_group >= 2);
        assert_false((shoal_outcome_bound(outcome) != NULL));
        shoal_outcome_free(outcome);
        spy_clear(&s);
    }
    assert_int_equal(n_live_structures, 0);
}

static void test_a_sink_that_fails_at_each_call(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_FORMS; i++) {
        shoal_status status = SHOAL_EIO;
        size_t n = 1;
        for (; status == SHOAL_EIO; n++) {
            shoal_error err = { 0 };
            shoal_outcome *outcome = NULL;
            spy s = { .fails_at = n };
            status = run_form(&outcome, &forms[i], &s, &err);
            if (status == SHOAL_OK)
                shoal_outcome_free(outcome);
            else
                assert_empty(&s);
            if (strstr(err.message, "cannot write") != NULL) /* the name is the sink's */
                assert_true(strncmp(err.message, "'first.csv': ", 13) == 0 ||
                            strncmp(err.message, "'second.csv': ", 14) == 0);
            spy_clear(&s);
        }
        assert_int_equal(status, SHOAL_OK);
        assert_true(n > 5); /* open, write or take, view or lend, commit were all made to fail */
    }
    assert_int_equal(n_live_structures, 0);
}

static void test_a_sink_that_lies(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * N_FORMS; i++) {
        shoal_error err = { 0 };
        shoal_outcome *outcome = NULL;
        spy s = { .tampers = i % 2 == 0, .shortens = i % 2 == 1 };
        shoal_status status = run_form(&outcome, &forms[i / 2], &s, &err);
        if (status != SHOAL_EUNSAT && status != SHOAL_EDATA)
            fail_msg("%s, %s: %s: %s", forms[i / 2].name,
                     s.tampers ? "altered" : "truncated compressed data", shoal_status_name(status),
                     err.message);
        assert_empty(&s);
        spy_clear(&s);
    }
    assert_int_equal(n_live_structures, 0);
}

/* ---- what was asked for ---- */

static shoal_status run_people(shoal_outcome **out, shoal_memory_sink *memory,
                               const table_spec *spec, const shoal_spec *asked,
                               const shoal_callbacks *callbacks, shoal_error *err)
{
    shoal_table *table = NULL;
    const shoal_sink *sink = shoal_memory_sink_of(memory);
    SHOAL_RETURN_IF_ERROR(open_table(&table, spec, err));
    shoal_status status = shoal_pipeline_run(out, table, asked, callbacks, sink, err);
    shoal_table_free(table);
    return status;
}

/* Run with levels that were learnt elsewhere, so that nothing but the check stands between a bad
 * grouping and the sink. */
static shoal_status apply(shoal_outcome **out, const table_spec *spec, uint32_t level,
                          const shoal_spec *asked, shoal_error *err)
{
    size_t size;
    shoal_memory_sink *memory = NULL;
    shoal_level_choice choice = { "age", level, SHOAL_NO_LEVEL };
    shoal_spec applied = *asked;
    applied.levels = &choice;
    applied.n_levels = 1;
    SHOAL_RETURN_IF_ERROR(shoal_memory_sink_make(&memory, 0, err));
    shoal_status status = run_people(out, memory, spec, &applied, NULL, err);
    assert_true((shoal_memory_sink_text(memory, SHOAL_SINK_RELEASE, &size) != NULL) ==
                (status == SHOAL_OK));
    shoal_memory_sink_free(memory);
    return status;
}

static const char decades[] =
    "20;2*;*\n22;2*;*\n24;2*;*\n26;2*;*\n40;4*;*\n42;4*;*\n44;4*;*\n46;4*;*\n";

/* Each decade has four rows of two persons. */
static void test_persons_are_counted(void **state)
{
    (void)state;
    shoal_error err = { 0 };
    shoal_outcome *outcome = NULL;
    column_spec columns[2] = { entities[0], entities[1] };
    columns[0].type = SHOAL_TYPE_CATEGORICAL;
    columns[0].levels = decades;
    table_spec spec = { .text = people, .columns = columns, .n_columns = 2 };
    shoal_spec asked = SHOAL_SPEC_INIT;
    asked.k = 2;
    assert_ok(apply(&outcome, &spec, 1, &asked, &err));
    assert_int_equal(shoal_outcome_models(outcome)->n_models, 1);
    assert_string_equal(shoal_outcome_models(outcome)->models[0].name, "persons");
    assert_true(shoal_outcome_models(outcome)->models[0].achieved == 2);
    shoal_outcome_free(outcome);
    asked.k = 3; /* rows enough, persons not */
    assert_fails(apply(&outcome, &spec, 1, &asked, &err), SHOAL_EUNSAT, "satisfy persons");
}

static void test_models_are_checked(void **state)
{
    (void)state;
    shoal_error err = { 0 };
    shoal_outcome *outcome = NULL;
    column_spec columns[2] = { rows[0], rows[1] };
    columns[0].type = SHOAL_TYPE_CATEGORICAL;
    columns[0].levels = decades;
    table_spec spec = { .text = people, .columns = columns, .n_columns = 2 };
    shoal_model_spec diverse = { "l-diversity", "distinct:4", NULL };
    shoal_spec asked = SHOAL_SPEC_INIT;
    asked.models = &diverse;
    asked.n_models = 1;
    /* without a k: one row is enough for a group */
    assert_ok(apply(&outcome, &spec, 1, &asked, &err));
    assert_true(shoal_outcome_models(outcome)->n_models == 1 &&
                shoal_outcome_models(outcome)->models[0].achieved == 4);
    assert_int_equal(shoal_outcome_check(outcome)->min_group, 4);
    shoal_outcome_free(outcome);
    diverse.value = "distinct:5";
    assert_fails(apply(&outcome, &spec, 1, &asked, &err), SHOAL_EUNSAT, "satisfy l-diversity");
    /* what a method promises is checked as what was asked for is */
    shoal_param params[] = { { "U", "0.01" }, { "P", "0.01" } };
    asked.n_models = 0;
    asked.algorithm = "upc";
    asked.params = params;
    asked.n_params = 2;
    assert_fails(apply(&outcome, &spec, 1, &asked, &err), SHOAL_EUNSAT, "group-loss");
}

/* ---- phases ---- */

typedef struct watcher {
    char phases[200];
    const char *stops_at;
    bool saw_groups, refuses, forbids_bound;
    double time_limit;      /* of the run; the whole of it passes in the phase `dawdles_in` */
    const char *dawdles_in; /* NULL: in none */
} watcher;

static int watch(const char *phase, double fraction, void *payload)
{
    watcher *w = payload;
    (void)fraction;
    size_t length = strlen(phase), end = strlen(w->phases);
    bool is_same = end > length && strncmp(w->phases + end - length - 1, phase, length) == 0;
    if (!is_same && end + length + 2 < sizeof w->phases) sprintf(w->phases + end, "%s ", phase);
    double from = shoal_seconds();
    while (w->dawdles_in != NULL && strcmp(phase, w->dawdles_in) == 0 &&
           shoal_seconds() < from + w->time_limit)
        continue;
    return w->stops_at != NULL && strcmp(phase, w->stops_at) == 0;
}

static shoal_status see_groups(const shoal_grouping *grouping, bool *with_bound, void *payload,
                               shoal_error *err)
{
    watcher *w = payload;
    w->saw_groups = shoal_grouping_n_groups(grouping) > 0;
    if (w->forbids_bound) *with_bound = false;
    return w->refuses ? shoal_fail(err, SHOAL_EINVAL, "refused") : SHOAL_OK;
}

static shoal_status watched(watcher *w, shoal_outcome **outcome, shoal_error *err)
{
    size_t size;
    shoal_memory_sink *memory = NULL;
    table_spec spec = { .text = people, .columns = rows, .n_columns = 2 };
    shoal_spec asked = SHOAL_SPEC_INIT;
    asked.k = 2;
    asked.time_limit = w->time_limit;
    asked.with_bound = true;
    shoal_callbacks callbacks = SHOAL_PROGRESS(watch, w);
    callbacks.grouped = see_groups;
    SHOAL_RETURN_IF_ERROR(shoal_memory_sink_make(&memory, 0, err));
    shoal_status status = run_people(outcome, memory, &spec, &asked, &callbacks, err);
    assert_true((shoal_memory_sink_text(memory, SHOAL_SINK_RELEASE, &size) != NULL) ==
                (status == SHOAL_OK));
    shoal_memory_sink_free(memory);
    return status;
}

static void test_phases_and_stopping(void **state)
{
    (void)state;
    static const char *const phases[] = { "verify", "write" };
    shoal_error err = { 0 };
    shoal_outcome *outcome = NULL;
    watcher w = { .saw_groups = false };
    assert_ok(watched(&w, &outcome, &err));
    if (strcmp(w.phases, "search refine verify bound write ") != 0 &&
        strcmp(w.phases, "search refine write verify bound write ") != 0)
        fail_msg("%s", w.phases);
    assert_true(w.saw_groups && (shoal_outcome_bound(outcome) != NULL) &&
                shoal_outcome_bound(outcome)->bound > 0);
    shoal_outcome_free(outcome);
    for (size_t i = 0; i < 2; i++) {
        w = (watcher){ .stops_at = phases[i] };
        assert_fails(watched(&w, &outcome, &err), SHOAL_ECANCELLED, "");
    }
    /* when the bound is sought the release is ready */
    w = (watcher){ .stops_at = "bound" };
    assert_ok(watched(&w, &outcome, &err));
    assert_true(!(shoal_outcome_bound(outcome) != NULL) &&
                shoal_outcome_bound_left_out(outcome) == SHOAL_LEFT_OUT_BY_STOP);
    shoal_outcome_free(outcome);
    w = (watcher){ .refuses = true };
    assert_fails(watched(&w, &outcome, &err), SHOAL_EINVAL, "refused");
    w = (watcher){ .forbids_bound = true };
    assert_ok(watched(&w, &outcome, &err));
    assert_true((shoal_outcome_measures(outcome) != NULL) &&
                !(shoal_outcome_bound(outcome) != NULL));
    shoal_outcome_free(outcome);
}

/* The time limit is for search and bound together: what the first uses the second has not. A
 * release comes of it in any case. */
/* What the seconds, the columns and the groups of an outcome say, and what it says of others. */
static void test_what_an_outcome_tells(void **state)
{
    (void)state;
    static const char *const parts[] = { "encode", "search", "refine" };
    shoal_error err = { 0 };
    shoal_outcome *outcome = NULL;
    watcher w = { .saw_groups = false };
    assert_ok(watched(&w, &outcome, &err));
    double sum = 0;
    for (size_t i = 0; i < 3; i++) sum += shoal_outcome_seconds(outcome, parts[i]);
    assert_true(sum > 0 && sum <= shoal_outcome_seconds(outcome, "group"));
    assert_true(shoal_outcome_seconds(outcome, "verify") > 0);
    assert_true(shoal_outcome_seconds(outcome, "wait") == 0);
    assert_true(shoal_grouping_n_groups(shoal_outcome_grouping(outcome)) ==
                shoal_outcome_check(outcome)->n_groups);
    assert_null(shoal_outcome_buckets(outcome, NULL));
    assert_null(shoal_outcome_personal(outcome, NULL));
    assert_false(shoal_outcome_is_shuffled(outcome));
    assert_true(shoal_outcome_examined_columns(outcome));
    assert_null(shoal_outcome_unique_column(outcome, 100));
    assert_true(shoal_outcome_row_hints(outcome)->repeated_column == SIZE_MAX);
    shoal_outcome_free(outcome);
    shoal_outcome_free(NULL);
}

static void test_time_limit(void **state)
{
    (void)state;
    shoal_error err = { 0 };
    shoal_outcome *outcome = NULL;
    watcher w = { .time_limit = 3600 };
    assert_ok(watched(&w, &outcome, &err));
    assert_true((shoal_outcome_bound(outcome) != NULL) &&
                shoal_outcome_bound_left_out(outcome) == SHOAL_NOT_LEFT_OUT);
    shoal_outcome_free(outcome);
    /* the search has used it up: the bound does not even begin */
    w = (watcher){ .time_limit = 1e-9 };
    assert_ok(watched(&w, &outcome, &err));
    assert_true(!(shoal_outcome_bound(outcome) != NULL) && strstr(w.phases, "bound") == NULL &&
                shoal_outcome_seconds(outcome, "bound") == 0);
    assert_int_equal(shoal_outcome_bound_left_out(outcome), SHOAL_LEFT_OUT_BY_TIME);
    shoal_outcome_free(outcome);
    /* the bound is given up in its middle */
    w = (watcher){ .time_limit = 0.5, .dawdles_in = "bound" };
    assert_ok(watched(&w, &outcome, &err));
    assert_true(!(shoal_outcome_bound(outcome) != NULL) &&
                strstr(w.phases, "bound write ") != NULL &&
                shoal_outcome_bound_left_out(outcome) == SHOAL_LEFT_OUT_BY_TIME);
    shoal_outcome_free(outcome);
}

/* ---- the rest ---- */

static void test_measures_later(void **state)
{
    (void)state;
    shoal_error err = { 0 };
    shoal_outcome *outcome = NULL;
    shoal_table *table = NULL;
    shoal_memory_sink *memory = NULL;
    table_spec spec = { .text = people, .columns = rows, .n_columns = 2 };
    shoal_spec asked = SHOAL_SPEC_INIT;
    asked.k = 2;
    asked.skip_measures = true;
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(
        shoal_memory_sink_make(&memory, SHOAL_MEMORY_BATCHES_ONLY, &err)); /* text as batches */
    const shoal_sink *sink = shoal_memory_sink_of(memory);
    assert_ok(shoal_pipeline_run(&outcome, table, &asked, NULL, sink, &err));
    assert_false((shoal_outcome_measures(outcome) != NULL));
    assert_ok(shoal_pipeline_measure(outcome, table, &asked, NULL, false, &err));
    assert_true((shoal_outcome_measures(outcome) != NULL) &&
                !(shoal_outcome_bound(outcome) != NULL) &&
                shoal_outcome_measures(outcome)->n_rows == 8);
    assert_ok(shoal_pipeline_measure(outcome, table, &asked, NULL, true, &err));
    assert_true((shoal_outcome_bound(outcome) != NULL) &&
                shoal_outcome_bound(outcome)->bound <= shoal_outcome_measures(outcome)->gcp);
    shoal_outcome_free(outcome);
    shoal_table_free(table);
    struct ArrowArrayStream streams[2];
    struct ArrowArray batches[2];
    for (size_t i = 0; i < 2; i++) { /* as often as wanted, and after everything else is gone */
        assert_ok(shoal_memory_sink_stream(memory, &streams[i], &err));
        assert_int_equal(streams[i].get_next(&streams[i], &batches[i]), 0);
        streams[i].release(&streams[i]);
    }
    shoal_memory_sink_free(memory);
    assert_ptr_equal(batches[0].children[0]->buffers[1], batches[1].children[0]->buffers[1]);
    for (size_t i = 0; i < 2; i++) batches[i].release(&batches[i]);
}

static void test_arguments(void **state)
{
    (void)state;
    shoal_error err = { 0 };
    shoal_outcome *outcome = NULL;
    shoal_table *table = NULL;
    spy s = { 0 };
    shoal_memory_sink *memory = NULL;
    shoal_spec asked = SHOAL_SPEC_INIT;
    asked.k = 2;
    assert_ok(open_form(&table, &forms[1], &err));
    assert_ok(shoal_memory_sink_make(&memory, SHOAL_MEMORY_BATCHES_ONLY, &err));
    shoal_sink sink = spy_of(&s, memory);
    assert_fails(shoal_pipeline_run(&outcome, table, &(shoal_spec){ 0 }, NULL, &sink, &err),
                 SHOAL_EINVAL, "not initialised");
    sink.commit = NULL;
    assert_fails(shoal_pipeline_run(&outcome, table, &asked, NULL, &sink, &err), SHOAL_EINVAL,
                 "has no such function");
    sink = spy_of(&s, memory);
    sink.write = NULL;
    assert_fails(shoal_pipeline_run(&outcome, table, &asked, NULL, &sink, &err), SHOAL_EINVAL,
                 "accepts only Arrow batches");
    assert_empty(&s);
    sink.size = sizeof sink + 1;
    assert_fails(shoal_pipeline_run(&outcome, table, &asked, NULL, &sink, &err), SHOAL_EINVAL,
                 "newer");
    shoal_table_free(table);
    spy_clear(&s);
}

static shoal_status run_and_clear(const form *f)
{
    shoal_error err;
    shoal_outcome *outcome = NULL;
    spy s = { 0 };
    shoal_status status = run_form(&outcome, f, &s, &err);
    if (status == SHOAL_OK) shoal_outcome_free(outcome);
    spy_clear(&s);
    return status;
}

/* The default method with a model: its penalties are made and freed in growers and pools. */
static shoal_status group_with_model(const shoal_table *table)
{
    shoal_grouping *grouping = NULL;
    shoal_model_spec diverse = { "l-diversity", "distinct:2", NULL };
    shoal_spec asked = SHOAL_SPEC_INIT;
    asked.k = 2;
    asked.threads = 1;
    asked.models = &diverse;
    asked.n_models = 1;
    shoal_status status = shoal_anonymize(&grouping, table, &asked, NULL, NULL);
    if (status == SHOAL_OK) shoal_grouping_free(grouping);
    return status;
}

static void test_allocation_failure_with_a_model(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    static const column_spec columns[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                           { "illness", SHOAL_ROLE_SENSITIVE,
                                             SHOAL_TYPE_CATEGORICAL, NULL, 0 } };
    table_spec spec = { .text = "age,illness\n1,a\n2,b\n4,a\n8,c\n9,c\n12,b\n13,a\n20,a\n",
                        .columns = columns,
                        .n_columns = 2 };
    assert_ok(open_table(&table, &spec, &err));
    assert_survives_allocation_failure(group_with_model(table));
    shoal_table_free(table);
}

static void test_allocation_failure(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_FORMS; i++)
        assert_survives_allocation_failure(run_and_clear(&forms[i]));
    assert_int_equal(n_live_structures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_leaves_verified),
        cmocka_unit_test(test_a_sink_that_fails_at_each_call),
        cmocka_unit_test(test_a_sink_that_lies),
        cmocka_unit_test(test_persons_are_counted),
        cmocka_unit_test(test_models_are_checked),
        cmocka_unit_test(test_phases_and_stopping),
        cmocka_unit_test(test_what_an_outcome_tells),
        cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_measures_later),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_allocation_failure),
        cmocka_unit_test(test_allocation_failure_with_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
