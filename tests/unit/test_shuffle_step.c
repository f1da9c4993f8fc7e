/* SPDX-License-Identifier: Apache-2.0 */
/* test_shuffle_step.c - shuffled rows are the verified rows, each once, or nothing is published;
 * the warnings about order and identifiers. Covers: row_hints.c
 */
#include "release_fixture.h"
#include "table/row_hints.h"

#include <shoal/pipeline.h>

static const column_spec columns[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                       { "name", SHOAL_ROLE_IDENTIFIER, SHOAL_TYPE_AUTO, NULL, 0 },
                                       { "note", SHOAL_ROLE_OTHER, SHOAL_TYPE_AUTO, NULL, 0 } };
static shoal_error err;

/* A memory sink whose rewriting is tampered with. */
typedef struct tampering {
    shoal_sink inner;
    const shoal_rewriter *asked;
    char change; /* 'd': a byte, 's': one record less, 0: nothing */
} tampering;

static shoal_status forward_open(void *p, shoal_sink_part part, shoal_error *e)
{
    return ((tampering *)p)->inner.open(((tampering *)p)->inner.payload, part, e);
}
static int forward_write(void *p, shoal_sink_part part, const void *data, size_t size)
{
    return ((tampering *)p)->inner.write(((tampering *)p)->inner.payload, part, data, size);
}
static shoal_status forward_view(void *p, shoal_sink_part part, shoal_sink_text *out,
                                 shoal_error *e)
{
    return ((tampering *)p)->inner.view(((tampering *)p)->inner.payload, part, out, e);
}
static shoal_status forward_commit(void *p, shoal_error *e)
{
    return ((tampering *)p)->inner.commit(((tampering *)p)->inner.payload, e);
}
static void forward_abort(void *p)
{
    ((tampering *)p)->inner.abort(((tampering *)p)->inner.payload);
}

static shoal_status fill(const shoal_sink_text *verified, shoal_write_fn write, void *write_payload,
                         void *payload, shoal_error *e)
{
    tampering *t = payload;
    return t->asked->fill(verified, write, write_payload, t->asked->payload, e);
}

static shoal_status check(const shoal_sink_text *verified, const shoal_sink_text *made,
                          void *payload, shoal_error *e)
{
    tampering *t = payload;
    shoal_sink_text altered = *made;
    char *copy = malloc(made->size);
    memcpy(copy, made->data, made->size);
    if (t->change == 'd') copy[made->size - 2] ^= 1;
    if (t->change == 's') altered.size -= 8;
    altered.data = copy;
    shoal_status status = t->asked->check(verified, &altered, t->asked->payload, e);
    free(copy);
    return status;
}

static shoal_status forward_rewrite(void *p, shoal_sink_part part, const shoal_rewriter *rewriter,
                                    shoal_error *e)
{
    tampering *t = p;
    t->asked = rewriter;
    return t->inner.rewrite(t->inner.payload, part, &(shoal_rewriter){ fill, check, t }, e);
}

static shoal_table *open_rows(const char *text)
{
    shoal_table *table = NULL;
    table_spec spec = { .text = text, .columns = columns, .n_columns = 3 };
    assert_ok(open_table(&table, &spec, &err));
    return table;
}

static shoal_status release(char change, bool *has_text)
{
    shoal_table *table = open_rows(
        "age,name,note\n20,a,\"x\n1\"\n21,b,y\n30,c,z\n31,d,\"q\"\"r\"\n");
    shoal_memory_sink *memory = NULL;
    shoal_outcome *outcome = NULL;
    shoal_spec asked = SHOAL_SPEC_INIT;
    size_t size = 0;
    asked.k = 2;
    asked.row_order = SHOAL_ROWS_SHUFFLED;
    shoal_status status = shoal_memory_sink_make(&memory, 0, &err);
    if (status == SHOAL_OK) {
        tampering t = { .inner = *shoal_memory_sink_of(memory), .change = change };
        shoal_sink sink = { .size = sizeof sink,
                            .payload = &t,
                            .open = forward_open,
                            .write = forward_write,
                            .view = forward_view,
                            .commit = forward_commit,
                            .abort = forward_abort,
                            .rewrite = forward_rewrite };
        status = shoal_pipeline_run(&outcome, table, &asked, NULL, &sink, &err);
    }
    if (status == SHOAL_OK) assert_true(shoal_outcome_is_shuffled(outcome));
    if (status == SHOAL_OK) shoal_outcome_free(outcome);
    const char *text = memory != NULL ? shoal_memory_sink_text(memory, SHOAL_SINK_RELEASE, &size)
                                      : NULL;
    *has_text = text != NULL;
    if (text != NULL)
        assert_true(strncmp(text, "age,note\n", 9) == 0 && strstr(text, "\"x\n1\"") != NULL);
    shoal_memory_sink_free(memory);
    shoal_table_free(table);
    return status;
}

static void test_tampered_rows_are_found(void **state)
{
    (void)state;
    bool has_text;
    assert_ok(release(0, &has_text));
    assert_true(has_text);
    assert_fails(release('d', &has_text), SHOAL_EUNSAT, "differ from the verified ones");
    assert_false(has_text);
    assert_fails(release('s', &has_text), SHOAL_EUNSAT, "differ from the verified ones");
    assert_false(has_text);
}

static shoal_row_hints hints_of(const char *text)
{
    shoal_row_hints hints;
    shoal_table *table = open_rows(text);
    assert_ok(shoal_row_hints_find(&hints, table, false, 1, &err));
    shoal_table_free(table);
    return hints;
}

/* Rows whose ages and names are given by i; `step` shuffles them. */
static char *rows_of(uint32_t step, bool repeats)
{
    static char text[8192];
    int at = snprintf(text, sizeof text, "age,name,note\n");
    for (uint32_t i = 0; i < 100; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%u,n%u,x\n", 5 + i * step % 101 / 4,
                       repeats ? i * step % 101 / 8 : i * 37 % 101);
    return text;
}

static void test_hints(void **state)
{
    (void)state;
    shoal_row_hints none = hints_of(rows_of(37, false));
    assert_true(none.n_rows == 100 && none.sorted_column == SIZE_MAX &&
                none.repeated_column == SIZE_MAX);
    /* 9 comes before 10: as numbers */
    assert_int_equal(hints_of(rows_of(1, false)).sorted_column, 0);
    assert_int_equal(hints_of(rows_of(100, false)).sorted_column, 0); /* falling */
    shoal_row_hints repeated = hints_of(rows_of(37, true));
    assert_int_equal(repeated.repeated_column, 1);
    assert_true(repeated.repeated_rows > 50);
    /* other ages; missing names */
    assert_true(hints_of("age,name,note\n1,a,x\n2,a,x\n3,,x\n3,,x\n").repeated_column == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tampered_rows_are_found),
                                        cmocka_unit_test(test_hints) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
