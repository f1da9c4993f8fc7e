/* SPDX-License-Identifier: Apache-2.0 */
/* classify.c - cross-validation of classifiers that are trained on a release and tested on held-out
 * rows.
 *
 * In each fold the classifiers are trained on the published rows that are not held out, and predict
 * the held-out rows of the original, recoded like the training rows (recoder.h); for comparison
 * they are trained and tested on original rows. An interval becomes its midpoint or, on request, a
 * category; a set or label over numbers the middle between its least and its greatest value.
 * Categories are published texts. `*` and unreadable texts are missing; so is a missing value,
 * unless missing is a category of its own.
 *
 * With options->anonymize the training part of each fold is anonymised on its own, so that the
 * held-out rows influence neither the training rows nor the groups and levels.
 *
 * Every row is held out once; scores are over all predictions. The six models of a fold are trained
 * in parallel, each by one thread.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "evaluate/class_labels.h"
#include "base/sized.h"
#include "evaluate/fold_writer.h"
#include "evaluate/memory_release.h"
#include "evaluate/recoder.h"
#include "evaluate/region.h"
#include "evaluate/scores.h"
#include "published/moved_rows.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { DEFAULT_FOLDS = 10, N = SHOAL_N_CLASSIFIERS, ROWS_TO_ASK = 256 };

static const shoal_classifier *const classifiers[N] = { &shoal_naive_bayes, &shoal_decision_tree,
                                                        &shoal_logistic_regression };

/* Features of some rows: the arrays that shoal_samples points to. */
typedef struct feature_table {
    uint32_t n_features;
    size_t n_rows;
    shoal_feature *features;
    double **numbers;
    uint32_t **categories;
} feature_table;

typedef struct trial {
    const shoal_table *original, *released;
    shoal_classify_options options;
    shoal_space space; /* quasi-identifiers, then sensitive columns */
    uint32_t n_quasi;
    shoal_domain *domains;  /* of each attribute */
    size_t n;               /* rows with a label */
    uint32_t *row_of;       /* row of the original, for each row with a label */
    uint32_t *labels;       /* of each row with a label */
    uint32_t *label_of_row; /* of each row of the original */
    uint32_t n_labels;
    shoal_class_labels label_set;   /* which labels are distinguished */
    uint32_t *fold_of;              /* of each row with a label */
    double *predictions[2 * N + 1]; /* original, released, baseline: [i][label] */
    uint64_t n_by_tuple;
} trial;

/* Training and test data of one fold. Rows are those of the feature tables. */
typedef struct fold_data {
    feature_table plain;               /* rows of the original */
    feature_table train, test;         /* rows of the release; rows of the original */
    uint32_t *plain_rows, *train_rows; /* training rows */
    size_t n_plain, n_train;
    uint32_t *train_labels; /* of each row of the release */
} fold_data;

/* ---- tables of features ---- */

static void features_clear(feature_table *f)
{
    for (uint32_t a = 0; a < f->n_features; a++) {
        if (f->numbers != NULL) shoal_free(f->numbers[a]);
        if (f->categories != NULL) shoal_free(f->categories[a]);
    }
    shoal_free(f->features);
    shoal_free(f->numbers);
    shoal_free(f->categories);
    *f = (feature_table){ 0 };
}

static bool is_number(const trial *t, uint32_t a)
{
    return t->space.attrs[a].is_interval && !t->options.numbers_as_categories;
}

/* Allocate the features of n_rows rows, all missing; `n_categories[a]` of each attribute. */
static bool features_init(feature_table *f, const trial *t, size_t n_rows,
                          const uint32_t *n_categories)
{
    *f = (feature_table){ .n_features = t->space.n_attrs, .n_rows = n_rows };
    f->features = shoal_alloc_zero(f->n_features, sizeof *f->features);
    f->numbers = shoal_alloc_zero(f->n_features, sizeof *f->numbers);
    f->categories = shoal_alloc_zero(f->n_features, sizeof *f->categories);
    if (f->features == NULL || f->numbers == NULL || f->categories == NULL) return false;
    for (uint32_t a = 0; a < f->n_features; a++) {
        f->features[a].is_number = is_number(t, a);
        f->features[a].n_categories = n_categories[a];
        if (is_number(t, a)) {
            f->features[a].numbers = f->numbers[a] = shoal_alloc(n_rows, sizeof **f->numbers);
            if (f->numbers[a] == NULL) return false;
            for (size_t i = 0; i < n_rows; i++) f->numbers[a][i] = NAN;
        } else {
            f->features[a].categories = f->categories[a] = shoal_alloc(n_rows,
                                                                       sizeof **f->categories);
            if (f->categories[a] == NULL) return false;
            memset(f->categories[a], 0xff, n_rows * sizeof **f->categories);
        }
    }
    return true;
}

/* The original as features. */
static bool features_of_original(feature_table *f, const trial *t, uint32_t *n_categories)
{
    for (uint32_t a = 0; a < t->space.n_attrs; a++)
        n_categories[a] = t->space.attrs[a].source->n_values;
    if (!features_init(f, t, (size_t)t->original->n_rows, n_categories)) return false;
    bool null_is_value = t->original->missing == SHOAL_MISSING_OWN_CATEGORY;
    for (uint32_t a = 0; a < t->space.n_attrs; a++) {
        const shoal_column *column = t->space.attrs[a].source;
        for (uint64_t row = 0; row < t->original->n_rows; row++) {
            uint32_t code = shoal_column_code(column, row);
            bool is_null = code == column->null_code;
            if (is_number(t, a))
                f->numbers[a][row] = is_null ? NAN : column->numbers[code];
            else if (!is_null || null_is_value)
                f->categories[a][row] = code;
        }
    }
    return true;
}

/* The middle of a region of numbers; NaN if it has none. Halving first avoids overflow of low +
 * high. */
static double middle_of(const shoal_domain *domain, const shoal_region *region)
{
    const shoal_column *column = domain->attr->source;
    uint32_t n = column->n_values - (column->null_code != SHOAL_NO_CODE);
    if (n == 0) return NAN;
    if (region->has_ends) {
        double low = fmax(region->low, column->numbers[0]),
               high = fmin(region->high, column->numbers[n - 1]);
        return low / 2 + high / 2;
    }
    if (region->members == NULL || region->n_members == 0) return NAN;
    uint32_t last = region->members[region->n_members - 1];
    if (last >= n) return NAN; /* numbers and the missing value: no middle */
    return column->numbers[region->members[0]] / 2 + column->numbers[last] / 2;
}

/* The feature value of each text of a column: a number, or a category (the number of the text), or
 * missing. */
static bool value_texts(double *numbers, uint32_t *categories, const trial *t, uint32_t a,
                        const shoal_recoder_column *c)
{
    shoal_arena arena = { 0 };
    bool ok = true;
    for (uint32_t text = 0; ok && text < c->published.n_texts; text++) {
        const shoal_reading *r = &c->published.readings[text];
        bool is_null = r->kind == SHOAL_READ_VALUE && r->code == c->original->null_code;
        bool is_missing = c->says_nothing[text] ||
                          (is_null && t->original->missing != SHOAL_MISSING_OWN_CATEGORY);
        shoal_region region = { 0 };
        categories[text] = is_missing ? SHOAL_NO_CATEGORY : text;
        numbers[text] = NAN;
        if (is_missing || is_null || !is_number(t, a)) continue;
        ok = shoal_region_of_text(&region, &t->domains[a], &c->published, text, false, &arena);
        numbers[text] = middle_of(&t->domains[a], &region);
    }
    shoal_arena_clear(&arena);
    return ok;
}

static void put_text(feature_table *f, uint32_t a, size_t row, uint32_t text, const double *numbers,
                     const uint32_t *categories)
{
    if (f->numbers[a] != NULL)
        f->numbers[a][row] = text == SHOAL_NO_CODE ? NAN : numbers[text];
    else
        f->categories[a][row] = text == SHOAL_NO_CODE ? SHOAL_NO_CATEGORY : categories[text];
}

/* ---- one fold ---- */

/* Fill one feature of the training rows (published texts) and of the test rows (recoded texts). */
static bool fill_column(fold_data *d, const trial *t, uint32_t a, const shoal_recoder *r,
                        const uint32_t *test_texts, uint32_t fold)
{
    const shoal_recoder_column *c = &r->columns[a];
    double *numbers = shoal_alloc(c->published.n_texts, sizeof *numbers);
    uint32_t *categories = shoal_alloc(c->published.n_texts, sizeof *categories);
    bool ok = numbers != NULL && categories != NULL && value_texts(numbers, categories, t, a, c);
    for (uint64_t row = 0; ok && row < r->n_rows; row++)
        put_text(&d->train, a, (size_t)row, shoal_column_code(c->released, row), numbers,
                 categories);
    for (size_t i = 0; ok && i < t->n; i++)
        if (t->fold_of[i] == fold)
            put_text(&d->test, a, t->row_of[i], test_texts[i * r->n_columns + a], numbers,
                     categories);
    shoal_free(numbers);
    shoal_free(categories);
    return ok;
}

static bool fill_from_release(fold_data *d, trial *t, const shoal_recoder *r, uint32_t fold)
{
    uint32_t *texts = shoal_alloc(t->n * r->n_columns, sizeof *texts);
    uint32_t *n_categories = shoal_alloc(r->n_columns, sizeof *n_categories);
    bool ok = texts != NULL && n_categories != NULL;
    for (size_t i = 0; ok && i < t->n; i++)
        if (t->fold_of[i] == fold)
            t->n_by_tuple += shoal_recoder_recode(r, t->row_of[i], texts + i * r->n_columns);
    for (uint32_t a = 0; ok && a < r->n_columns; a++)
        n_categories[a] = r->columns[a].published.n_texts;
    features_clear(&d->train);
    features_clear(&d->test);
    ok = ok && features_init(&d->train, t, (size_t)r->n_rows, n_categories) &&
         features_init(&d->test, t, (size_t)t->original->n_rows, n_categories);
    for (uint32_t a = 0; ok && a < r->n_columns; a++) ok = fill_column(d, t, a, r, texts, fold);
    shoal_free(texts);
    shoal_free(n_categories);
    return ok;
}

/* Write training and test rows of a fold as CSV. */
static shoal_status write_fold(const trial *t, const fold_data *d, const shoal_recoder *r,
                               uint32_t fold, shoal_error *err)
{
    const shoal_classify_options *o = &t->options;
    if (o->write_folds == NULL) return SHOAL_OK;
    const shoal_column **texts = shoal_alloc(r->n_columns, sizeof *texts);
    uint32_t *held_out = shoal_alloc(t->n, sizeof *held_out);
    shoal_status status = texts == NULL || held_out == NULL ? shoal_fail_memory(err) : SHOAL_OK;
    if (status == SHOAL_OK) {
        for (uint32_t a = 0; a < r->n_columns; a++) texts[a] = r->columns[a].released;
        shoal_fold_part part = {
            .fold = fold,
            .name = "train",
            .features = d->train.features,
            .n_features = r->n_columns,
            .texts = texts,
            .rows = d->train_rows,
            .original_rows = d->plain_rows,
            .n_rows = d->n_train,
            .label = &t->original->columns[shoal_table_class_column(t->original)]
        };
        status = shoal_fold_write(&part, o->write_folds, o->write_payload, err);
        part.name = "test";
        part.features = d->test.features;
        part.rows = part.original_rows = held_out;
        part.n_rows = 0;
        for (size_t i = 0; i < t->n; i++)
            if (t->fold_of[i] == fold) held_out[part.n_rows++] = t->row_of[i];
        if (status == SHOAL_OK)
            status = shoal_fold_write(&part, o->write_folds, o->write_payload, err);
    }
    shoal_free(texts);
    shoal_free(held_out);
    return status;
}

static shoal_status write_header(const trial *t, shoal_error *err)
{
    const shoal_classify_options *o = &t->options;
    if (o->write_folds == NULL) return SHOAL_OK;
    const shoal_column **columns = shoal_alloc(t->space.n_attrs, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < t->space.n_attrs; a++) columns[a] = t->space.attrs[a].source;
    const shoal_column *labels = &t->original->columns[shoal_table_class_column(t->original)];
    shoal_status status = shoal_fold_write_header(columns, t->space.n_attrs, labels, o->write_folds,
                                                  o->write_payload, err);
    shoal_free(columns);
    return status;
}

/* The models of a fold, trained by several threads. The calling thread alone asks the progress
 * callback, also when no model is left to begin. */
typedef struct models_run {
    const trial *trial;
    const fold_data *data;
    uint32_t fold;
    shoal_status statuses[2 * N];
    atomic_int n_begun, n_done;
    atomic_bool is_stopped;
} models_run;

/* As shoal_samples.is_stopped. */
static bool is_run_stopped(void *payload)
{
    models_run *run = payload;
    const shoal_classify_options *o = &run->trial->options;
    if (omp_get_thread_num() == 0 &&
        shoal_progress_stops(o->callbacks, "classify", (double)run->fold / o->folds))
        run->is_stopped = true;
    return run->is_stopped;
}

/* Train one model and predict every held-out row. */
static shoal_status run_model(models_run *run, int which)
{
    bool is_plain = which < N, ok = true;
    const trial *t = run->trial;
    const fold_data *d = run->data;
    const shoal_classifier *classifier = classifiers[which % N];
    const feature_table *train = is_plain ? &d->plain : &d->train,
                        *test = is_plain ? &d->plain : &d->test;
    shoal_samples learn = { train->n_features, t->n_labels,
                            train->features,   is_plain ? t->label_of_row : d->train_labels,
                            is_run_stopped,    run };
    shoal_samples ask = {
        test->n_features, t->n_labels, test->features, t->label_of_row, NULL, NULL
    };
    void *model = NULL;
    SHOAL_RETURN_IF_ERROR(classifier->train(&model, &learn,
                                            is_plain ? d->plain_rows : d->train_rows,
                                            is_plain ? d->n_plain : d->n_train, NULL));
    for (size_t i = 0; ok && i < t->n && !(i % ROWS_TO_ASK == 0 && is_run_stopped(run)); i++)
        if (t->fold_of[i] == run->fold)
            ok = classifier->predict(model, &ask, t->row_of[i],
                                     t->predictions[which] + i * t->n_labels);
    classifier->free(model);
    return ok ? SHOAL_OK : SHOAL_ENOMEM;
}

static void run_some_models(models_run *run)
{
    const struct timespec moment = { .tv_nsec = 5000000 };
    for (int which; (which = atomic_fetch_add(&run->n_begun, 1)) < 2 * N;) {
        run->statuses[which] = run->is_stopped ? SHOAL_ECANCELLED : run_model(run, which);
        atomic_fetch_add(&run->n_done, 1);
    }
    while (omp_get_thread_num() == 0 && run->n_done < 2 * N && !is_run_stopped(run))
        nanosleep(&moment, NULL);
}

static shoal_status run_models(const trial *t, const fold_data *d, uint32_t fold, shoal_error *err)
{
    models_run run = { .trial = t, .data = d, .fold = fold };
#pragma omp parallel num_threads((int)t->options.threads)
    run_some_models(&run);
    if (run.is_stopped) return shoal_fail(err, SHOAL_ECANCELLED, "classify: stopped");
    for (int which = 0; which < 2 * N; which++) /* models have no other failure */
        if (run.statuses[which] != SHOAL_OK) return shoal_fail_memory(err);
    return SHOAL_OK;
}

/* The most frequent label of the training part, for every held-out row. */
static shoal_status run_baseline(const trial *t, uint32_t fold, shoal_error *err)
{
    uint64_t *counts = shoal_alloc_zero(t->n_labels, sizeof *counts);
    if (counts == NULL) return shoal_fail_memory(err);
    uint32_t best = 0;
    for (size_t i = 0; i < t->n; i++) counts[t->labels[i]] += t->fold_of[i] != fold;
    for (uint32_t c = 1; c < t->n_labels; c++)
        if (counts[c] > counts[best]) best = c;
    for (size_t i = 0; i < t->n; i++)
        if (t->fold_of[i] == fold) t->predictions[2 * N][i * t->n_labels + best] = 1;
    shoal_free(counts);
    return SHOAL_OK;
}

/* Rows of the original that are labelled and not held out. */
static void list_plain(fold_data *d, const trial *t, uint32_t fold)
{
    d->n_plain = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->fold_of[i] != fold) d->plain_rows[d->n_plain++] = t->row_of[i];
}

/* ---- a given release ---- */

static shoal_status released_columns(const shoal_column **out, const trial *t,
                                     const shoal_table *released, shoal_error *err)
{
    for (uint32_t a = 0; a < t->space.n_attrs; a++) {
        const char *name = t->space.attrs[a].source->name;
        size_t at = shoal_released_column(t->original, released, t->space.attrs[a].column);
        if (at == SIZE_MAX)
            return shoal_fail(err, SHOAL_EINVAL,
                              "classify: the release has no column '{column %s}'", name);
        out[a] = &released->columns[at];
        if (!out[a]->is_encoded || out[a]->type != SHOAL_TYPE_CATEGORICAL)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "classify: '{column %s}' of the release must be loaded as categorical", name);
    }
    return SHOAL_OK;
}

static shoal_status make_recoder(shoal_recoder *out, const trial *t, const shoal_table *released,
                                 const uint32_t *original_row, shoal_error *err)
{
    const shoal_column **columns = shoal_alloc(t->space.n_attrs, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    shoal_status status = released_columns(columns, t, released, err);
    shoal_recoder_source source = { .original = t->original,
                                    .space = &t->space,
                                    .n_quasi = t->n_quasi,
                                    .released = columns,
                                    .n_rows = released->n_rows,
                                    .original_row = original_row };
    if (status == SHOAL_OK) status = shoal_recoder_make(out, &source, err);
    shoal_free(columns);
    return status;
}

static shoal_status use_release(fold_data *d, trial *t, shoal_recoder *r, uint32_t fold,
                                shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    uint8_t *held_out = shoal_alloc((size_t)t->original->n_rows, 1);
    if (held_out == NULL) return shoal_fail_memory(err);
    /* rows without a label are not used for training */
    memset(held_out, 1, (size_t)t->original->n_rows);
    for (size_t i = 0; i < d->n_plain; i++) held_out[d->plain_rows[i]] = 0;
    memcpy(d->train_rows, d->plain_rows, d->n_plain * sizeof *d->train_rows);
    memcpy(d->train_labels, t->label_of_row, (size_t)t->original->n_rows * sizeof *d->train_labels);
    d->n_train = d->n_plain;
    SHOAL_GOTO_IF_ERROR(shoal_recoder_hold_out(r, held_out, err), out);
    if (!fill_from_release(d, t, r, fold))
        status = shoal_fail_memory(err);
    else
        status = write_fold(t, d, r, fold, err);
out:
    shoal_free(held_out);
    return status;
}

/* ---- a release of the training part ---- */

/* What the training part of a fold is released from and as. */
typedef struct part_release {
    shoal_buffer text; /* of the part */
    shoal_memory_release release;
    shoal_table *released; /* points into the release */
} part_release;

static void part_release_clear(part_release *p)
{
    shoal_table_free(p->released);
    shoal_memory_release_clear(&p->release);
    shoal_buffer_clear(&p->text);
}

static shoal_status release_part(part_release *p, const trial *t, const fold_data *d,
                                 shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_table *part = NULL;
    shoal_spec spec = *t->options.anonymize;
    spec.recoding = 0; /* local */
    bool *wanted = shoal_alloc_zero(t->original->n_columns, sizeof *wanted);
    if (wanted == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < t->space.n_attrs; a++) wanted[t->space.attrs[a].column] = true;
    SHOAL_GOTO_IF_ERROR(shoal_table_take_rows(&part, &p->text, t->original, d->plain_rows,
                                              d->n_plain, t->options.threads, err),
                        out);
    SHOAL_GOTO_IF_ERROR(shoal_memory_release_make(&p->release, part, &spec, NULL, false, err), out);
    status = shoal_memory_release_open(&p->released, &p->release, part, wanted, t->options.threads,
                                       err);
out:
    shoal_table_free(part);
    shoal_free(wanted);
    return status;
}

static shoal_status use_part(fold_data *d, trial *t, uint32_t fold, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_recoder r = { 0 };
    part_release p = { 0 };
    SHOAL_GOTO_IF_ERROR(release_part(&p, t, d, err), out);
    for (size_t i = 0; i < d->n_plain; i++) {
        d->train_rows[i] = (uint32_t)i;
        d->train_labels[i] = t->label_of_row[d->plain_rows[i]];
    }
    d->n_train = d->n_plain;
    SHOAL_GOTO_IF_ERROR(make_recoder(&r, t, p.released, d->plain_rows, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_recoder_hold_out(&r, NULL, err), out);
    if (!fill_from_release(d, t, &r, fold))
        status = shoal_fail_memory(err);
    else
        status = write_fold(t, d, &r, fold, err);
out:
    shoal_recoder_clear(&r);
    part_release_clear(&p);
    return status;
}

/* ---- all folds ---- */

static shoal_status run_folds(trial *t, fold_data *d, shoal_recoder *r, shoal_error *err)
{
    const shoal_classify_options *o = &t->options;
    SHOAL_RETURN_IF_ERROR(write_header(t, err));
    for (uint32_t fold = 0; fold < o->folds; fold++) {
        if (shoal_progress_stops(o->callbacks, "classify", (double)fold / o->folds))
            return shoal_fail(err, SHOAL_ECANCELLED, "classify: stopped");
        list_plain(d, t, fold);
        SHOAL_RETURN_IF_ERROR(o->anonymize != NULL ? use_part(d, t, fold, err)
                                                   : use_release(d, t, r, fold, err));
        SHOAL_RETURN_IF_ERROR(run_models(t, d, fold, err));
        SHOAL_RETURN_IF_ERROR(run_baseline(t, fold, err));
    }
    return SHOAL_OK;
}

static shoal_status cross_validate(trial *t, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    fold_data d = { 0 };
    shoal_recoder r = { 0 };
    size_t n_rows = (size_t)t->original->n_rows;
    uint32_t *n_categories = shoal_alloc(t->space.n_attrs, sizeof *n_categories);
    d.plain_rows = shoal_alloc(t->n, sizeof *d.plain_rows);
    d.train_rows = shoal_alloc(t->n, sizeof *d.train_rows);
    d.train_labels = shoal_alloc(n_rows, sizeof *d.train_labels);
    bool ok = n_categories != NULL && d.plain_rows != NULL && d.train_rows != NULL &&
              d.train_labels != NULL && features_of_original(&d.plain, t, n_categories);
    if (!ok) status = shoal_fail_memory(err);
    if (ok && t->options.anonymize == NULL) status = make_recoder(&r, t, t->released, NULL, err);
    if (status == SHOAL_OK) status = run_folds(t, &d, &r, err);
    shoal_recoder_clear(&r);
    features_clear(&d.plain);
    features_clear(&d.train);
    features_clear(&d.test);
    shoal_free(n_categories);
    shoal_free(d.plain_rows);
    shoal_free(d.train_rows);
    shoal_free(d.train_labels);
    return status;
}

/* ---- labels, features, options ---- */

static shoal_status list_labels(trial *t, shoal_error *err)
{
    size_t column = shoal_table_class_column(t->original), n_rows = (size_t)t->original->n_rows;
    if (column == SIZE_MAX)
        return shoal_fail(err, SHOAL_EINVAL,
                          "classify: no class column {fix} write {--class} COLUMN");
    const shoal_column *c = &t->original->columns[column];
    t->row_of = shoal_alloc(n_rows, sizeof *t->row_of);
    t->labels = shoal_alloc(n_rows, sizeof *t->labels);
    t->label_of_row = shoal_alloc(n_rows, sizeof *t->label_of_row);
    t->fold_of = shoal_alloc(n_rows, sizeof *t->fold_of);
    if (t->row_of == NULL || t->labels == NULL || t->label_of_row == NULL || t->fold_of == NULL)
        return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(shoal_class_labels_make(&t->label_set, c, t->options.top_classes, err));
    t->n_labels = t->label_set.n;
    for (uint64_t row = 0; row < t->original->n_rows; row++) {
        uint32_t code = t->label_of_row[row] = shoal_column_code(c, row);
        if (code == c->null_code) continue;
        t->row_of[t->n] = (uint32_t)row;
        t->labels[t->n++] = t->label_of_row[row] = t->label_set.number_of[code];
    }
    if (t->n < t->options.folds)
        return shoal_fail(err, SHOAL_EDATA,
                          "classify: %zu rows with a label, but %u folds {fix} use fewer folds",
                          t->n, t->options.folds);
    return shoal_deal_folds(t->fold_of, t->labels, t->n, t->n_labels, t->options.folds,
                            t->options.seed, err);
}

static uint32_t list_role(uint32_t *columns, uint32_t n, const shoal_table *table, shoal_role role)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == role && table->columns[c].is_encoded)
            columns[n++] = (uint32_t)c;
    return n;
}

static shoal_status list_features(trial *t, shoal_error *err)
{
    uint32_t *columns = shoal_alloc(t->original->n_columns, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    t->n_quasi = list_role(columns, 0, t->original, SHOAL_ROLE_QUASI);
    uint32_t n = list_role(columns, t->n_quasi, t->original, SHOAL_ROLE_SENSITIVE);
    shoal_status status = t->n_quasi == 0
                              ? shoal_fail(err, SHOAL_EINVAL,
                                           "classify: the table has no quasi-identifiers")
                              : shoal_space_make_columns(&t->space, t->original, columns, n,
                                                         t->original->missing, err);
    shoal_free(columns);
    SHOAL_RETURN_IF_ERROR(status);
    t->domains = shoal_alloc_zero(n, sizeof *t->domains);
    if (t->domains == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < n; a++)
        SHOAL_RETURN_IF_ERROR(
            shoal_domain_make(&t->domains[a], t->original, &t->space.attrs[a], err));
    return SHOAL_OK;
}

static shoal_status read_options(trial *t, const shoal_classify_options *given, shoal_error *err)
{
    t->options = (shoal_classify_options)SHOAL_CLASSIFY_OPTIONS_INIT;
    if (!shoal_read_sized(&t->options, sizeof t->options, given))
        return shoal_fail(err, SHOAL_EINVAL, "classify: options not initialised");
    if (t->options.folds == 0) t->options.folds = DEFAULT_FOLDS;
    if (t->options.threads == 0) t->options.threads = 1;
    if (t->options.folds < 2)
        return shoal_fail(err, SHOAL_EINVAL,
                          "classify: 1 fold leaves no training rows {fix} use at least 2");
    if ((t->released == NULL) != (t->options.anonymize != NULL))
        return shoal_fail(err, SHOAL_EINVAL,
                          "classify: neither a release nor options to anonymise training sets");
    if (!t->original->is_loaded)
        return shoal_fail(err, SHOAL_EINVAL, "classify: the table is not loaded");
    if (t->released != NULL && t->released->n_rows != t->original->n_rows)
        return shoal_fail(err, SHOAL_EINVAL,
                          "classify: the release has %llu rows, its original %llu {fix} publish "
                          "suppressed rows as * instead of removing them",
                          (unsigned long long)t->released->n_rows,
                          (unsigned long long)t->original->n_rows);
    return SHOAL_OK;
}

/* Test rows are excluded from training by their position; if rows were reordered, a classifier
 * would be tested with rows that it was trained on. */
static shoal_status refuse_moved(const trial *t, shoal_error *err)
{
    bool is_moved = false;
    if (t->released != NULL)
        SHOAL_RETURN_IF_ERROR(
            shoal_rows_moved(&is_moved, &t->space, t->original, t->released, err));
    if (!is_moved) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "classify: the rows of the release do not stand where they stand in the "
                      "original, so test rows cannot be kept out of the "
                      "training {fix} evaluate it as it was before its rows were shuffled "
                      "({--row-order} keep), or no release: each training "
                      "part is then anonymised by itself");
}

static shoal_status sum_up(shoal_classify_result *out, const trial *t, shoal_error *err)
{
    shoal_classify_result r = { .n_rows = t->n,
                                .n_unlabelled = t->original->n_rows - t->n,
                                .n_labels = t->n_labels,
                                .n_other_labels = t->label_set.n_other,
                                .n_other_rows = t->label_set.n_other_rows,
                                .folds = t->options.folds,
                                .n_by_tuple = t->n_by_tuple };
    for (int which = 0; which <= 2 * N; which++) {
        shoal_scores *scores = which == 2 * N ? &r.baseline
                               : which < N    ? &r.original[which]
                                              : &r.released[which - N];
        SHOAL_RETURN_IF_ERROR(
            shoal_scores_make(scores, t->predictions[which], t->labels, t->n, t->n_labels, err));
    }
    for (int i = 0; i < N; i++) r.names[i] = classifiers[i]->name;
    *out = r;
    return SHOAL_OK;
}

static void trial_clear(trial *t)
{
    for (uint32_t a = 0; t->domains != NULL && a < t->space.n_attrs; a++)
        shoal_domain_clear(&t->domains[a]);
    shoal_free(t->domains);
    shoal_space_clear(&t->space);
    shoal_free(t->row_of);
    shoal_free(t->labels);
    shoal_free(t->label_of_row);
    shoal_free(t->fold_of);
    shoal_class_labels_clear(&t->label_set);
    for (int i = 0; i <= 2 * N; i++) shoal_free(t->predictions[i]);
}

shoal_status shoal_classify(shoal_classify_result *out, const shoal_table *original,
                            const shoal_table *released, const shoal_classify_options *options,
                            shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    trial t = { .original = original, .released = released };
    SHOAL_RETURN_IF_ERROR(read_options(&t, options, err));
    SHOAL_GOTO_IF_ERROR(list_labels(&t, err), out);
    SHOAL_GOTO_IF_ERROR(list_features(&t, err), out);
    SHOAL_GOTO_IF_ERROR(refuse_moved(&t, err), out);
    for (int i = 0; i <= 2 * N; i++) {
        t.predictions[i] = shoal_alloc_zero(t.n * t.n_labels, sizeof **t.predictions);
        if (t.predictions[i] == NULL) {
            status = shoal_fail_memory(err);
            goto out;
        }
    }
    SHOAL_GOTO_IF_ERROR(cross_validate(&t, err), out);
    SHOAL_GOTO_IF_ERROR(sum_up(out, &t, err), out);
out:
    trial_clear(&t);
    return status;
}
