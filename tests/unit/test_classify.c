/* SPDX-License-Identifier: Apache-2.0 */
/* test_classify.c - how unseen rows are recoded, by hand; cross-validation on tables whose answer
 * is known. Covers: class_labels.c, fold_writer.c, memory_release.c, recoder.c
 */
#include "evaluate/class_labels.h"
#include "evaluate/memory_release.h"
#include "evaluate/recoder.h"
#include "release_fixture.h"

#include <math.h>
#include <shoal/classify.h>

static const char jobs[] = "nurse;health;*\ndoctor;health;*\nclerk;office;*\nlawyer;office;*\n";
static const column_spec columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, jobs, 0 },
    { "town", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "rich", SHOAL_ROLE_CLASS, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

/* All columns as categories. */
static shoal_status open_categories(shoal_table **out, const char *csv, shoal_error *err)
{
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *table = NULL;
    shoal_status status = SHOAL_OK;
    options.delimiter = ',';
    SHOAL_RETURN_IF_ERROR(
        shoal_table_open_memory(&table, csv, strlen(csv), NULL, NULL, &options, err));
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        SHOAL_GOTO_IF_ERROR(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, err), out);
        SHOAL_GOTO_IF_ERROR(shoal_table_set_type(table, c, SHOAL_TYPE_CATEGORICAL, err), out);
    }
    SHOAL_GOTO_IF_ERROR(shoal_table_load(table, &load, err), out);
    *out = table;
    table = NULL;
out:
    shoal_table_free(table);
    return status;
}

/* ---- recoding ---- */

static const char people[] = "age,job,town,rich\n20,nurse,A,n\n22,doctor,A,n\n30,clerk,B,y\n32,"
                             "lawyer,B,y\n40,clerk,C,y\n42,nurse,C,n\n";
static const char published[] =
    "age,job,town,rich\n[20..22],health,A,n\n[20..22],health,A,n\n[30..40],office,B,y\n"
    "[30..40],office,B,y\n[30..40],office,C,y\n*,*,C,n\n";

typedef struct recoding {
    shoal_table *original, *released;
    shoal_space space;
    shoal_recoder recoder;
} recoding;

static shoal_status open_recoding(recoding *r, shoal_error *err)
{
    table_spec spec = { .text = people, .columns = columns, .n_columns = 4 };
    const uint32_t order[] = { 0, 1, 2 };
    *r = (recoding){ 0 };
    SHOAL_RETURN_IF_ERROR(open_table(&r->original, &spec, err));
    SHOAL_RETURN_IF_ERROR(open_categories(&r->released, published, err));
    SHOAL_RETURN_IF_ERROR(
        shoal_space_make_columns(&r->space, r->original, order, 3, r->original->missing, err));
    const shoal_column *list[] = { &r->released->columns[0], &r->released->columns[1],
                                   &r->released->columns[2] };
    shoal_recoder_source source = { .original = r->original,
                                    .space = &r->space,
                                    .n_quasi = 2,
                                    .released = list,
                                    .n_rows = r->released->n_rows };
    SHOAL_RETURN_IF_ERROR(shoal_recoder_make(&r->recoder, &source, err));
    return shoal_recoder_hold_out(&r->recoder, NULL, err);
}

static void close_recoding(recoding *r)
{
    shoal_recoder_clear(&r->recoder);
    shoal_space_clear(&r->space);
    shoal_table_free(r->released);
    shoal_table_free(r->original);
}

static void assert_text(const recoding *r, size_t column, uint32_t text, const char *expected)
{
    if (expected == NULL) {
        assert_int_equal(text, SHOAL_NO_CODE);
        return;
    }
    shoal_text value = r->released->columns[column].values[text];
    assert_int_equal(value.length, strlen(expected));
    assert_memory_equal(value.data, expected, value.length);
}

static void assert_recoded(const recoding *r, uint64_t row, bool by_tuple, const char *age,
                           const char *job, const char *town)
{
    uint32_t texts[3];
    assert_int_equal(shoal_recoder_recode(&r->recoder, row, texts), by_tuple);
    assert_text(r, 0, texts[0], age);
    assert_text(r, 1, texts[1], job);
    assert_text(r, 2, texts[2], town);
}

static void test_recoding(void **state)
{
    (void)state;
    shoal_error err;
    recoding r;
    assert_ok(open_recoding(&r, &err));
    assert_recoded(&r, 0, true, "[20..22]", "health", "A");
    assert_recoded(&r, 4, true, "[30..40]", "office", "C");
    /* Nothing but * covers 42 and nurse: 42 is known to no text, a nurse is published as health
     * elsewhere. */
    assert_recoded(&r, 5, false, NULL, "health", "C");
    /* Without rows 3 to 5 the town C is unknown; 40 and clerk are still covered by the tuple of
     * row 2. */
    const uint8_t held_out[] = { 0, 0, 0, 1, 1, 1 };
    assert_ok(shoal_recoder_hold_out(&r.recoder, held_out, &err));
    assert_recoded(&r, 4, true, "[30..40]", "office", NULL);
    assert_recoded(&r, 3, true, "[30..40]", "office", "B");
    /* Without the tuple's rows each value is alone: 30 and clerk have no text. */
    const uint8_t without[] = { 0, 0, 1, 1, 1, 1 };
    assert_ok(shoal_recoder_hold_out(&r.recoder, without, &err));
    assert_recoded(&r, 2, false, NULL, NULL, NULL);
    close_recoding(&r);
}

static shoal_status make_and_close(void)
{
    shoal_error err;
    recoding r;
    shoal_status status = open_recoding(&r, &err);
    close_recoding(&r);
    return status;
}

/* ---- parts of tables ---- */

static void test_take_rows(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL, *part = NULL;
    shoal_buffer text = { 0 };
    const uint32_t rows[] = { 1, 3, 5 };
    /* no last line end */
    table_spec spec = {
        .text = people, .size = sizeof people - 2, .columns = columns, .n_columns = 4
    };
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(shoal_table_take_rows(&part, &text, table, rows, 3, 1, &err));
    assert_string_equal(buffer_text(&text),
                        "age,job,town,rich\n22,doctor,A,n\n32,lawyer,B,y\n42,nurse,C,n\n");
    assert_int_equal(shoal_table_n_rows(part), 3);
    assert_int_equal(shoal_table_role(part, 1), SHOAL_ROLE_QUASI);
    assert_int_equal(shoal_table_role(part, 3), SHOAL_ROLE_CLASS);
    assert_int_equal(shoal_table_type(part, 0), SHOAL_TYPE_NUMERIC);
    assert_ptr_equal(shoal_table_hierarchy(part, 1), shoal_table_hierarchy(table, 1));
    shoal_table_free(part);
    shoal_table_free(table);
    shoal_buffer_clear(&text);
}

/* ---- cross-validation ---- */

/* 60 people; rich are those from 40 on, whatever else; the town is noise. A release in decades
 * keeps what matters. */
static char *write_people(bool is_released)
{
    static const char *const names[] = { "nurse", "doctor", "clerk", "lawyer" };
    shoal_buffer text = { 0 };
    shoal_buffer_print(&text, "age,job,town,rich\n");
    for (uint32_t i = 0; i < 60; i++) {
        uint32_t age = 20 + i % 40, low = age / 10 * 10;
        if (is_released)
            shoal_buffer_print(&text, "[%u..%u],%s,", low, low + 9,
                               i % 4 < 2 ? "health" : "office");
        else
            shoal_buffer_print(&text, "%u,%s,", age, names[i % 4]);
        shoal_buffer_print(&text, "T%u,%s\n", i * 7 % 5, age >= 40 ? "yes" : "no");
    }
    shoal_buffer_add(&text, "", 1);
    return text.data;
}

static shoal_status classify(shoal_classify_result *out, bool use_release,
                             const shoal_classify_options *options, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_table *table = NULL, *released = NULL;
    char *text = write_people(false), *release = write_people(true);
    table_spec spec = { .text = text, .columns = columns, .n_columns = 4 };
    if (text == NULL || release == NULL) {
        status = SHOAL_ENOMEM;
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(open_table(&table, &spec, err), out);
    if (use_release) SHOAL_GOTO_IF_ERROR(open_categories(&released, release, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_classify(out, table, released, options, err), out);
out:
    shoal_table_free(released);
    shoal_table_free(table);
    shoal_free(text);
    shoal_free(release);
    return status;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12)) fail_msg("%.15g instead of %.15g", value, expected);
}

static void test_release_that_keeps_what_matters(void **state)
{
    (void)state;
    shoal_error err;
    shoal_classify_result one, three;
    shoal_classify_options options = SHOAL_CLASSIFY_OPTIONS_INIT;
    options.folds = 5;
    options.seed = 3;
    assert_ok(classify(&one, true, &options, &err));
    assert_int_equal(one.n_rows, 60);
    assert_int_equal(one.n_labels, 2);
    assert_int_equal(one.folds, 5);
    assert_int_equal(one.n_by_tuple, 60);
    assert_near(one.baseline.accuracy, 40.0 / 60); /* ages 20..39 occur twice, 40..59 once */
    assert_near(one.baseline.balanced_accuracy, 0.5);
    assert_string_equal(one.names[1], "decision-tree");
    assert_near(one.released[1].accuracy, 1); /* the decades part the labels exactly */
    assert_near(one.released[1].auc, 1);
    assert_true(one.released[0].accuracy > 0.9 && one.released[2].accuracy > 0.9);
    assert_true(one.original[1].accuracy > 0.9);
    options.threads = 3;
    assert_ok(classify(&three, true, &options, &err));
    assert_memory_equal(&one.original, &three.original, sizeof one.original);
    assert_memory_equal(&one.released, &three.released, sizeof one.released);
    options.numbers_as_categories = true;
    assert_ok(classify(&three, true, &options, &err));
    assert_near(three.released[1].accuracy, 1);
}

static void test_training_part_is_anonymised(void **state)
{
    (void)state;
    shoal_error err;
    shoal_classify_result result;
    shoal_spec method = SHOAL_SPEC_INIT;
    shoal_classify_options options = SHOAL_CLASSIFY_OPTIONS_INIT;
    method.algorithm = "mondrian";
    method.k = 4;
    options.folds = 4;
    options.anonymize = &method;
    assert_ok(classify(&result, false, &options, &err));
    assert_true(result.released[1].accuracy > result.baseline.accuracy);
    method.k = 60;
    /* three of four folds */
    assert_fails(classify(&result, false, &options, &err), SHOAL_EUNSAT, "45");
}

static int refuse(const void *data, size_t size, void *payload)
{
    (void)data, (void)size, (void)payload;
    return 5;
}

/* Row 1 is 20, nurse, T0, no; published in [20..29], health. Numbers are midpoints of what the
 * column has there. */
static void test_folds_as_text(void **state)
{
    (void)state;
    shoal_error err;
    shoal_classify_result result;
    shoal_buffer out = { 0 };
    shoal_classify_options options = SHOAL_CLASSIFY_OPTIONS_INIT;
    options.folds = 3;
    options.write_folds = write_to_buffer;
    options.write_payload = &out;
    assert_ok(classify(&result, true, &options, &err));
    const char *text = buffer_text(&out);
    assert_int_equal(strncmp(text, "fold,part,row,age,job,town,rich\n", 32), 0);
    size_t n_lines = 0, n_train = 0, n_test = 0;
    for (const char *at = text; *at != '\0'; at++) n_lines += *at == '\n';
    for (const char *at = text; (at = strstr(at, "train,1,24.5,health,T0,no\n")) != NULL; at++)
        n_train++;
    for (const char *at = text; (at = strstr(at, "test,1,24.5,health,T0,no\n")) != NULL; at++)
        n_test++;
    assert_int_equal(n_lines, 1 + 3 * 60);
    assert_int_equal(n_train, 2);
    assert_int_equal(n_test, 1);
    shoal_buffer_clear(&out);
    options.write_folds = refuse;
    assert_fails(classify(&result, true, &options, &err), SHOAL_EIO, "write");
}

static shoal_status make_labels(uint32_t top, uint64_t *counts, uint32_t n, shoal_class_labels *out,
                                shoal_error *err)
{
    char name[] = "code";
    const shoal_column column = {
        .name = name, .n_values = n + 1, .null_code = n, .counts = counts
    };
    return shoal_class_labels_make(out, &column, top, err);
}

static shoal_status make_labels_and_free(void)
{
    shoal_class_labels labels;
    uint64_t counts[] = { 5, 9, 1, 9, 7 };
    shoal_status status = make_labels(2, counts, 4, &labels, NULL);
    shoal_class_labels_clear(&labels);
    return status;
}

/* The most frequent labels keep their order, equals the lower code; the missing value is none; many
 * labels must be asked for. */
static void test_top_labels(void **state)
{
    (void)state;
    shoal_error err;
    shoal_class_labels labels;
    uint64_t counts[SHOAL_MOST_LABELS + 2] = { 5, 9, 1, 9, 7 };
    assert_ok(make_labels(2, counts, 4, &labels, &err));
    assert_memory_equal(labels.number_of, ((uint32_t[]){ 2, 0, 2, 1 }), 16);
    assert_int_equal(labels.n, 3);
    assert_int_equal(labels.n_other, 2);
    assert_int_equal(labels.n_other_rows, 6);
    shoal_class_labels_clear(&labels);
    for (uint32_t top = 0; top <= 4; top += 4) { /* all */
        assert_ok(make_labels(top, counts, 4, &labels, &err));
        assert_memory_equal(labels.number_of, ((uint32_t[]){ 0, 1, 2, 3 }), 16);
        assert_int_equal(labels.n, 4);
        assert_int_equal(labels.n_other, 0);
        shoal_class_labels_clear(&labels);
    }
    assert_ok(make_labels(0, counts, SHOAL_MOST_LABELS, &labels, &err));
    shoal_class_labels_clear(&labels);
    assert_fails(make_labels(0, counts, SHOAL_MOST_LABELS + 1, &labels, &err), SHOAL_EINVAL,
                 "--top-classes 20");
    assert_fails(make_labels(1, counts, 1, &labels, &err), SHOAL_EDATA, "fewer than two labels");
    assert_survives_allocation_failure(make_labels_and_free());
}

static void test_refused(void **state)
{
    (void)state;
    shoal_error err;
    shoal_classify_result result;
    shoal_classify_options options = SHOAL_CLASSIFY_OPTIONS_INIT;
    assert_fails(classify(&result, false, &options, &err), SHOAL_EINVAL, "neither a release");
    options.folds = 1;
    assert_fails(classify(&result, true, &options, &err), SHOAL_EINVAL, "1 fold");
    options.folds = 61;
    assert_fails(classify(&result, true, &options, &err), SHOAL_EDATA, "61 folds");
    options.size = 1;
    assert_fails(classify(&result, true, &options, &err), SHOAL_EINVAL, "not initialised");
}

static int stop_at(const char *phase, double fraction, void *payload)
{
    size_t *left = payload;
    assert_string_equal(phase, "classify");
    assert_true(fraction >= 0 && fraction < 1);
    return --*left == 0;
}

/* Whenever it is asked to: between folds, while a model is trained, while rows are predicted; and
 * soon. */
static void test_stopped(void **state)
{
    (void)state;
    shoal_error err;
    shoal_classify_result result;
    shoal_classify_options options = SHOAL_CLASSIFY_OPTIONS_INIT;
    size_t left = SIZE_MAX;
    options.folds = 2;
    options.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(stop_at, &left);
    assert_ok(classify(&result, true, &options, &err));
    size_t n_asked = SIZE_MAX - left;
    assert_true(n_asked > 2 * 6); /* every model of a fold asks */
    for (size_t at = 1; at <= n_asked; at++) {
        left = at;
        assert_fails(classify(&result, true, &options, &err), SHOAL_ECANCELLED, "stopped");
        assert_int_equal(left, 0); /* it is not asked again */
    }
    options.threads = 3;
    left = 1;
    assert_fails(classify(&result, true, &options, &err), SHOAL_ECANCELLED, "stopped");
}

static shoal_status classify_small(bool use_release)
{
    shoal_error err;
    shoal_classify_result result;
    shoal_spec method = SHOAL_SPEC_INIT;
    shoal_classify_options options = SHOAL_CLASSIFY_OPTIONS_INIT;
    shoal_buffer out = { 0 };
    method.algorithm = "mondrian";
    method.k = 10;
    options.folds = 2;
    options.write_folds = write_to_buffer;
    options.write_payload = &out;
    if (!use_release) options.anonymize = &method;
    shoal_status status = classify(&result, use_release, &options, &err);
    bool failed = out.failed;
    shoal_buffer_clear(&out);
    return failed ? SHOAL_ENOMEM : status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    assert_survives_allocation_failure(make_and_close());
    assert_survives_allocation_failure(classify_small(true));
    assert_survives_allocation_failure(classify_small(false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recoding),
        cmocka_unit_test(test_take_rows),
        cmocka_unit_test(test_release_that_keeps_what_matters),
        cmocka_unit_test(test_training_part_is_anonymised),
        cmocka_unit_test(test_folds_as_text),
        cmocka_unit_test(test_top_labels),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
