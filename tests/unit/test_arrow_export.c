/* SPDX-License-Identifier: Apache-2.0 */
/* test_arrow_export.c - releases as Arrow streams: texts, nulls, sharing, rows left out, who frees
 * what. Covers: arrow_csv.c, arrow_share.c, arrow_take.c
 */
#include "arrow_streams.h"
#include "release_fixture.h"

#define TEXTS(...) ((const char *const[]){ __VA_ARGS__ })

/* What a test says of a release: the rows, the roles (one letter a column) and the groups. */
typedef struct scene {
    producer rows;
    const char *roles; /* q, o, s, i, d */
    const uint32_t *groups;
    shoal_missing missing;
    bool drop;
} scene;

static shoal_role role_of(char letter)
{
    switch (letter) {
    case 'q': return SHOAL_ROLE_QUASI;
    case 's': return SHOAL_ROLE_SENSITIVE;
    case 'i': return SHOAL_ROLE_IDENTIFIER;
    case 'd': return SHOAL_ROLE_DROP;
    default: return SHOAL_ROLE_OTHER;
    }
}

static shoal_status open_scene(shoal_table **out, scene *s, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_table *table = NULL;
    struct ArrowArrayStream stream = make_stream(&s->rows);
    SHOAL_RETURN_IF_ERROR(shoal_table_open_arrow(&table, &stream, err));
    SHOAL_GOTO_IF_ERROR(shoal_table_set_nulls(table, TEXTS(""), 1, s->missing, err), out);
    for (size_t c = 0; c < s->rows.n_columns; c++)
        SHOAL_GOTO_IF_ERROR(shoal_table_set_role(table, c, role_of(s->roles[c]), err), out);
    SHOAL_GOTO_IF_ERROR(shoal_table_load(table, NULL, err), out);
    *out = table;
    table = NULL;
out:
    shoal_table_free(table);
    return status;
}

/* The release as a stream; `table` may be freed only after it. */
static shoal_status export_scene(struct ArrowArrayStream *out, shoal_table **table, scene *s,
                                 shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_grouping *grouping = NULL;
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    options.drop_suppressed = s->drop;
    SHOAL_RETURN_IF_ERROR(open_scene(table, s, err));
    SHOAL_GOTO_IF_ERROR(group_rows(&grouping, *table, s->groups, err), out);
    status = shoal_release_export_arrow(out, *table, grouping, &options, err);
out:
    shoal_grouping_free(grouping); /* the stream does not need it */
    if (status != SHOAL_OK) {
        shoal_table_free(*table);
        *table = NULL;
    }
    return status;
}

/* The release read back, every column encoded as text where it can be. */
static shoal_status read_back(shoal_table **out, struct ArrowArrayStream *stream, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_table *table = NULL;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    load.encode_all = true;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_arrow(&table, stream, err));
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        SHOAL_GOTO_IF_ERROR(shoal_table_set_type(table, c, SHOAL_TYPE_CATEGORICAL, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_table_load(table, &load, err), out);
    *out = table;
    table = NULL;
out:
    shoal_table_free(table);
    return status;
}

/* The rows of a table as lines, values separated by blanks, missing ones as ~. */
static void print_table(shoal_buffer *out, const shoal_table *table)
{
    for (uint64_t row = 0; row < shoal_table_n_rows(table); row++) {
        for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
            size_t length;
            uint32_t code = shoal_table_code(table, c, row);
            const char *text = shoal_table_value(table, c, code, &length);
            if (c > 0) shoal_buffer_add(out, " ", 1);
            if (text == NULL)
                shoal_buffer_add(out, "#", 1); /* not encoded */
            else if (code == shoal_table_null_code(table, c))
                shoal_buffer_add(out, "~", 1);
            else
                shoal_buffer_add(out, text, length);
        }
        shoal_buffer_add(out, "\n", 1);
    }
}

static void assert_stream(struct ArrowArrayStream *stream, const char *names, const char *expected)
{
    shoal_error err;
    shoal_table *back = NULL;
    shoal_buffer text = { 0 };
    assert_ok(read_back(&back, stream, &err));
    for (size_t c = 0; c < shoal_table_n_columns(back); c++)
        shoal_buffer_print(&text, "%s ", shoal_table_column_name(back, c));
    assert_string_equal(buffer_text(&text), names);
    text.size = 0;
    print_table(&text, back);
    assert_string_equal(buffer_text(&text), expected);
    shoal_buffer_clear(&text);
    shoal_table_free(back);
}

static void assert_release(scene *s, const char *names, const char *expected)
{
    shoal_error err;
    shoal_table *table = NULL;
    struct ArrowArrayStream stream;
    assert_ok(export_scene(&stream, &table, s, &err));
    assert_stream(&stream, names, expected);
    shoal_table_free(table);
    assert_int_equal(n_live_structures, 0);
}

/* ---- the texts ---- */

static const uint32_t two_groups[] = { 0, 0, 1, 1, SHOAL_SUPPRESSED, 1 };

/* Six rows in batches of 0, 4 and 2. */
#define PEOPLE                                                                                     \
    column words = { NULL, "u", .texts = TEXTS("flu", "cold", "gout") };                           \
    column first[] = { { "name", "u", .texts = TEXTS("Ann", "Bob", "Cid", "Dan") },                \
                       { "age", "i", .values = (int32_t[]){ 20, 24, 30, 31 } },                    \
                       { "job", "u", .texts = TEXTS("x", "x", "y", "y"), .offset = 2 },            \
                       { "ill", "c", .values = (int8_t[]){ 0, 0, 1, 0 }, .dictionary = &words,     \
                         .n_inner = 3 },                                                           \
                       { "pay", "g", .values = (double[]){ 1.5, 2, 3, 4 }, .present = "1101" } };  \
    column last[] = { { "name", "u", .texts = TEXTS("Eva", "Fay") },                               \
                      { "age", "i", .values = (int32_t[]){ 99, 35 } },                             \
                      { "job", "u", .texts = TEXTS("z", "y") },                                    \
                      { "ill", "c", .values = (int8_t[]){ 2, 1 }, .dictionary = &words,            \
                        .n_inner = 3 },                                                            \
                      { "pay", "g", .values = (double[]){ 5, 6.25 }, .offset = 9 } };              \
    batch batches[] = { { first, 0, 0 }, { first, 4, 0 }, { last, 2, 0 } };                        \
    scene s = { .rows = { .batches = batches, .n_batches = 3, .n_columns = 5 },                    \
                .roles = "iqqso",                                                                  \
                .groups = two_groups }

static void test_release_texts(void **state)
{
    (void)state;
    PEOPLE;
    assert_release(
        &s, "age job ill pay ",
        "[20..24] x flu 1.5\n[20..24] x flu 2\n[30..35] y cold ~\n[30..35] y flu 4\n* * gout 5\n"
        "[30..35] y cold 6.25\n");
}

static void test_rows_left_out(void **state)
{
    (void)state;
    PEOPLE;
    s.drop = true;
    assert_release(&s, "age job ill pay ",
                   "[20..24] x flu 1.5\n[20..24] x flu 2\n[30..35] y cold ~\n[30..35] y flu "
                   "4\n[30..35] y cold 6.25\n");
}

/* Formats, cuts, sharing of buffers; a dictionary without the entry of the row left out. */
static void test_structures(void **state)
{
    (void)state;
    shoal_error err;
    for (int drop = 0; drop < 2; drop++) {
        PEOPLE;
        s.drop = drop;
        shoal_table *table = NULL;
        struct ArrowArrayStream stream;
        struct ArrowSchema schema;
        struct ArrowArray array;
        assert_ok(export_scene(&stream, &table, &s, &err));
        assert_int_equal(stream.get_schema(&stream, &schema), 0);
        assert_string_equal(schema.format, "+s");
        assert_int_equal(schema.n_children, 4);
        assert_string_equal(schema.children[0]->format, "i");
        assert_string_equal(schema.children[0]->dictionary->format, "u");
        assert_string_equal(schema.children[2]->format, "c");
        assert_string_equal(schema.children[2]->dictionary->format, "u");
        assert_string_equal(schema.children[3]->format, "g");
        schema.release(&schema);
        assert_null(schema.release);

        static const int64_t lengths[2][3] = { { 0, 4, 2 }, { 0, 4, 1 } };
        for (size_t b = 0; b < 3; b++) {
            assert_int_equal(stream.get_next(&stream, &array), 0);
            const struct ArrowArray *source = &shoal_table_batches(table)->arrays[b];
            assert_int_equal(array.length, lengths[drop][b]);
            for (int64_t c = 0; c < 4; c++)
                assert_int_equal(array.children[c]->length, array.length);
            if (!drop)
                assert_ptr_equal(array.children[3]->buffers[1], source->children[4]->buffers[1]);
            if (!drop) assert_int_equal(array.children[3]->offset, source->children[4]->offset);
            if (drop && b == 2) { /* only "cold" is left */
                const struct ArrowArray *ill = array.children[2];
                assert_int_equal(ill->dictionary->length, 1);
                assert_memory_equal(ill->dictionary->buffers[2], "cold", 4);
                assert_int_equal(((const int8_t *)ill->buffers[1])[0], 0);
            }
            array.release(&array);
            assert_null(array.release);
        }
        assert_int_equal(stream.get_next(&stream, &array), 0);
        assert_null(array.release); /* the end, again and again */
        assert_int_equal(stream.get_next(&stream, &array), 0);
        assert_null(array.release);
        assert_null(stream.get_last_error(&stream));
        stream.release(&stream);
        assert_null(stream.release);
        shoal_table_free(table);
        assert_int_equal(n_live_structures, 0);
    }
}

/* Every layout, with nulls and offsets, whole and with rows left out. */
static void test_every_layout(void **state)
{
    (void)state;
    static const uint32_t groups[] = { SHOAL_SUPPRESSED, 0, SHOAL_SUPPRESSED, 0, 0 };
    column numbers = { NULL, "l", .values = (int64_t[]){ 70, 80, 90 }, .present = "101",
                       .offset = 1 };
    column long_words = { NULL, "vu",
                          .texts = TEXTS("a word of fourteen", "b", "and yet another word") };
    column c[] = { { "q", "i", .values = (int32_t[]){ 1, 1, 1, 1, 1, 1, 1 } },
                   { "b", "b", .values = (char[]){ 0, 0, 0, 1, 0, 1, 1 }, .present = "1101101" },
                   { "u", "u", .texts = TEXTS("-", "-", "one", "two", NULL, "", "five"),
                     .offset = 3 },
                   { "U", "U", .texts = TEXTS("-", "-", "one", "two", NULL, "", "five"),
                     .is_uncounted = true },
                   { "v", "vu",
                     .texts = TEXTS("-", "-", "left out, and quite long",
                                    "kept, and quite long as well", NULL, "in", "twelve bytes") },
                   { "n", "n", .values = NULL },
                   { "d", "S", .values = (uint16_t[]){ 9, 9, 0, 1, 2, 2, 9 }, .present = "1111110",
                     .dictionary = &numbers, .n_inner = 3 },
                   { "w", "l", .values = (int64_t[]){ 9, 9, 0, 2, 2, 1, 1 },
                     .dictionary = &long_words, .n_inner = 3 },
                   { "t", "tdD", .values = (int32_t[]){ 9, 9, 0, 1, 2, 3, 4 }, .offset = 4 } };
    batch b = { c, 5, 2 };
    scene s = { .rows = { .batches = &b, .n_batches = 1, .n_columns = 9 },
                .roles = "qoooooooo",
                .groups = groups };
    assert_release(
        &s, "q b u U v n d w t ",
        "* ~ one one left out, and quite long ~ 70 a word of fourteen 1970-01-01\n"
        "1 true two two kept, and quite long as well ~ ~ and yet another word 1970-01-02\n"
        "* false ~ ~ ~ ~ 90 and yet another word 1970-01-03\n"
        "1 ~ ~ ~ in ~ 90 b 1970-01-04\n"
        "1 true five five twelve bytes ~ ~ b 1970-01-05\n");
    s.drop = true;
    s.rows.next = 0;
    assert_release(
        &s, "q b u U v n d w t ",
        "1 true two two kept, and quite long as well ~ ~ and yet another word 1970-01-02\n"
        "1 ~ ~ ~ in ~ 90 b 1970-01-04\n"
        "1 true five five twelve bytes ~ ~ b 1970-01-05\n");
}

static void test_nested_passes_through(void **state)
{
    (void)state;
    shoal_error err;
    static const uint32_t groups[] = { 0, SHOAL_SUPPRESSED, 0 };
    column inner = { "item", "l", .values = (int64_t[]){ 10, 20, 30, 40 } };
    column c[] = { { "q", "i", .values = (int32_t[]){ 1, 1, 1 } },
                   { "list", "+l", .values = (int32_t[]){ 0, 2, 2, 4 }, .child = &inner,
                     .n_inner = 4 } };
    batch b = { c, 3, 0 };
    scene s = { .rows = { .batches = &b, .n_batches = 1, .n_columns = 2 },
                .roles = "qo",
                .groups = groups };
    shoal_table *table = NULL;
    struct ArrowArrayStream stream;
    struct ArrowArray array, list, items;
    assert_ok(export_scene(&stream, &table, &s, &err));
    assert_int_equal(stream.get_next(&stream, &array), 0);
    list = *array.children[1]; /* moved out; everything else goes away before it is read */
    array.children[1]->release = NULL;
    array.release(&array);
    stream.release(&stream);
    shoal_table_free(table);
    assert_true(n_live_structures > 0);
    assert_int_equal(((const int32_t *)list.buffers[1])[3], 4);
    items = *list.children[0];
    list.children[0]->release = NULL;
    list.release(&list);
    assert_int_equal(((const int64_t *)items.buffers[1])[3], 40);
    items.release(&items);
    assert_int_equal(n_live_structures, 0);

    s.drop = true;
    s.rows.next = 0;
    assert_fails(export_scene(&stream, &table, &s, &err), SHOAL_EINVAL, "'list' has a nested type");
    static const uint32_t whole[] = { 0, 0, 0 };
    s.groups = whole; /* nothing to leave out */
    s.rows.next = 0;
    assert_ok(export_scene(&stream, &table, &s, &err));
    stream.release(&stream);
    shoal_table_free(table);
    assert_int_equal(n_live_structures, 0);
}

/* A moved dictionary and a moved quasi-identifier outlive everything too. */
static void test_quasi_outlives_table(void **state)
{
    (void)state;
    shoal_error err;
    PEOPLE;
    shoal_table *table = NULL;
    struct ArrowArrayStream stream;
    struct ArrowArray array, texts;
    assert_ok(export_scene(&stream, &table, &s, &err));
    assert_int_equal(stream.get_next(&stream, &array), 0);
    array.release(&array);
    assert_int_equal(stream.get_next(&stream, &array), 0);
    stream.release(&stream);
    shoal_table_free(table);
    texts = *array.children[0]->dictionary;
    array.children[0]->dictionary->release = NULL;
    int32_t index = ((const int32_t *)array.children[0]->buffers[1])[0];
    array.release(&array);
    const int32_t *offsets = texts.buffers[1];
    assert_int_equal(offsets[index + 1] - offsets[index], 8);
    assert_memory_equal((const char *)texts.buffers[2] + offsets[index], "[20..24]", 8);
    texts.release(&texts);
    assert_int_equal(n_live_structures, 0);
}

/* ---- missing values ---- */

static int64_t count_nulls(scene *s, size_t c)
{
    shoal_error err;
    shoal_table *table = NULL;
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    int64_t n = 0;
    s->rows.next = 0;
    assert_ok(export_scene(&stream, &table, s, &err));
    assert_int_equal(stream.get_next(&stream, &array), 0);
    const struct ArrowArray *child = array.children[c];
    for (int64_t i = 0; i < child->length; i++)
        n += !shoal_arrow_is_valid(child->buffers[0], child->offset + i);
    assert_int_equal(n, child->null_count);
    array.release(&array);
    stream.release(&stream);
    shoal_table_free(table);
    return n;
}

static void test_missing_values(void **state)
{
    (void)state;
    static const uint32_t groups[] = { 0, 0, 1, 1 }, mixed[] = { 0, 1, 0, 1 };
    column c[] = { { "a", "u", .texts = TEXTS(NULL, "", "v", "v") },
                   { "b", "u", .texts = TEXTS("", "", "v", "v") } };
    batch b = { c, 4, 0 };
    scene s = { .rows = { .batches = &b, .n_batches = 1, .n_columns = 2 },
                .roles = "qq",
                .groups = groups };
    /* both rows of the group, or they could be distinguished */
    assert_int_equal(count_nulls(&s, 0), 2);
    assert_int_equal(count_nulls(&s, 1), 0); /* no nulls came, none go */
    s.groups = mixed;
    assert_int_equal(count_nulls(&s, 0), 0); /* `*` beside values */
    s.missing = SHOAL_MISSING_WILDCARD;
    assert_int_equal(count_nulls(&s, 0), 2); /* published as it was */
    s.missing = SHOAL_MISSING_CONSERVATIVE;
    s.groups = groups;
    assert_int_equal(count_nulls(&s, 0), 0);
}

/* ---- against CSV, and the check ---- */

static void test_same_as_csv_release_and_verified(void **state)
{
    (void)state;
    enum { MANY = 900 };
    shoal_error err;
    shoal_rng rng;
    shoal_rng_init(&rng, 3, 0);
    int32_t ages[MANY];
    int8_t jobs[MANY];
    shoal_buffer text = { 0 }, released_text = { 0 }, printed = { 0 }, printed_csv = { 0 };
    column words = { NULL, "u", .texts = TEXTS("cook", "clerk", "miner", "smith") };
    shoal_buffer_print(&text, "age,job\n");
    for (int i = 0; i < MANY; i++) {
        ages[i] = 20 + (int32_t)shoal_rng_below(&rng, 60);
        jobs[i] = (int8_t)shoal_rng_below(&rng, 4);
        shoal_buffer_print(&text, "%d,%s\n", ages[i], words.texts[jobs[i]]);
    }
    column c[] = { { "age", "i", .values = ages },
                   { "job", "c", .values = jobs, .dictionary = &words, .n_inner = 4 } };
    batch b = { c, MANY, 0 };
    scene s = { .rows = { .batches = &b, .n_batches = 1, .n_columns = 2 }, .roles = "qq" };
    column_spec specs[] = { { "age", SHOAL_ROLE_QUASI, 0, NULL, 0 },
                            { "job", SHOAL_ROLE_QUASI, 0, NULL, 0 } };
    table_spec spec = { .text = text.data, .size = text.size, .columns = specs, .n_columns = 2 };
    shoal_table *arrow = NULL, *csv = NULL, *released = NULL, *released_csv = NULL;
    shoal_grouping *grouping = NULL, *grouping_csv = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 5;
    options.algorithm = "mondrian";
    assert_ok(open_scene(&arrow, &s, &err));
    assert_ok(open_table(&csv, &spec, &err));
    assert_ok(shoal_anonymize(&grouping, arrow, &options, NULL, &err));
    assert_ok(shoal_anonymize(&grouping_csv, csv, &options, NULL, &err));

    struct ArrowArrayStream stream;
    assert_ok(shoal_release_export_arrow(&stream, arrow, grouping, NULL, &err));
    assert_ok(read_back(&released, &stream, &err));
    assert_ok(write_release(&released_text, csv, grouping_csv, NULL, &err));
    assert_ok(
        shoal_released_open(&released_csv, released_text.data, released_text.size, csv, 1, &err));
    print_table(&printed, released);
    print_table(&printed_csv, released_csv);
    assert_string_equal(buffer_text(&printed), buffer_text(&printed_csv));

    shoal_check_result found;
    assert_ok(shoal_verify(&found, arrow, released, 5, NULL, 1, &err));
    assert_true(found.min_group >= 5);

    /* the other way round */
    assert_ok(shoal_release_export_arrow(&stream, csv, grouping_csv, NULL, &err));
    shoal_table_free(released);
    assert_ok(read_back(&released, &stream, &err));
    assert_ok(shoal_verify(&found, csv, released, 5, NULL, 1, &err));
    shoal_grouping_free(grouping);
    shoal_grouping_free(grouping_csv);
    shoal_table_free(arrow);
    shoal_table_free(csv);
    shoal_table_free(released);
    shoal_table_free(released_csv);
    shoal_buffer_clear(&text);
    shoal_buffer_clear(&released_text);
    shoal_buffer_clear(&printed);
    shoal_buffer_clear(&printed_csv);
    assert_int_equal(n_live_structures, 0);
}

static void test_csv_table(void **state)
{
    (void)state;
    shoal_error err;
    static const uint32_t groups[] = { 0, SHOAL_SUPPRESSED, 0 };
    static const column_spec specs[] = { { "name", SHOAL_ROLE_IDENTIFIER, 0, NULL, 0 },
                                         { "age", SHOAL_ROLE_QUASI, 0, NULL, 0 } };
    table_spec spec = {
        .text =
            "name,note,age,more,last\nAnn,\"a \"\"b\"\"\",17,,x\nBob,,20,\"k,l\",y\nCid,c,24,m,z\n",
        .columns = specs,
        .n_columns = 2
    };
    shoal_table *table = NULL;
    shoal_grouping *grouping = NULL;
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    struct ArrowArrayStream stream;
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(group_rows(&grouping, table, groups, &err));
    assert_ok(shoal_release_export_arrow(&stream, table, grouping, &options, &err));
    assert_stream(&stream, "note age more last ",
                  "a \"b\" [17..24] ~ x\n~ * k,l y\nc [17..24] m z\n");
    options.drop_suppressed = true;
    assert_ok(shoal_release_export_arrow(&stream, table, grouping, &options, &err));
    assert_stream(&stream, "note age more last ", "a \"b\" [17..24] ~ x\nc [17..24] m z\n");
    options.size = 0;
    assert_fails(shoal_release_export_arrow(&stream, table, grouping, &options, &err), SHOAL_EINVAL,
                 "not initialised");
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* More rows than one batch of a CSV table has. */
static void test_long_csv_table(void **state)
{
    (void)state;
    enum { LONG = 70000 };
    shoal_error err;
    shoal_buffer text = { 0 };
    uint32_t *groups = calloc(LONG, sizeof *groups);
    static const column_spec specs[] = { { "a", SHOAL_ROLE_QUASI, 0, NULL, 0 } };
    shoal_buffer_print(&text, "a,n\n");
    for (int i = 0; i < LONG; i++) shoal_buffer_print(&text, "x,%d\n", i);
    table_spec spec = { .text = text.data, .size = text.size, .columns = specs, .n_columns = 1 };
    shoal_table *table = NULL, *back = NULL;
    shoal_grouping *grouping = NULL;
    struct ArrowArrayStream stream;
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(group_rows(&grouping, table, groups, &err));
    assert_ok(shoal_release_export_arrow(&stream, table, grouping, NULL, &err));
    assert_ok(read_back(&back, &stream, &err));
    assert_int_equal(shoal_table_batches(back)->n_arrays, 2);
    assert_int_equal(back->n_rows, LONG);
    for (uint64_t row = 0; row < LONG; row += 777) {
        char expected[16];
        size_t length;
        snprintf(expected, sizeof expected, "%u", (unsigned)row);
        const char *found = shoal_table_value(back, 1, shoal_table_code(back, 1, row), &length);
        assert_int_equal(length, strlen(expected));
        assert_memory_equal(found, expected, length);
    }
    shoal_grouping_free(grouping);
    shoal_table_free(table);
    shoal_table_free(back);
    shoal_buffer_clear(&text);
    free(groups);
}

/* ---- memory ---- */

static shoal_status export_and_read_back(bool drop)
{
    PEOPLE;
    s.drop = drop;
    shoal_table *table = NULL, *back = NULL;
    struct ArrowArrayStream stream;
    shoal_status status = export_scene(&stream, &table, &s, NULL);
    if (status == SHOAL_OK) status = read_back(&back, &stream, NULL);
    shoal_table_free(back);
    shoal_table_free(table);
    assert_int_equal(n_live_structures, 0);
    return status;
}

static shoal_status export_csv_and_read_back(void)
{
    static const uint32_t groups[] = { 0, 0 };
    static const column_spec specs[] = { { "age", SHOAL_ROLE_QUASI, 0, NULL, 0 } };
    table_spec spec = { .text = "note,age\n\"a \"\"b\"\"\",17\nc,24\n",
                        .columns = specs,
                        .n_columns = 1 };
    shoal_table *table = NULL, *back = NULL;
    shoal_grouping *grouping = NULL;
    struct ArrowArrayStream stream;
    shoal_status status = open_table(&table, &spec, NULL);
    if (status == SHOAL_OK) status = group_rows(&grouping, table, groups, NULL);
    if (status == SHOAL_OK)
        status = shoal_release_export_arrow(&stream, table, grouping, NULL, NULL);
    if (status == SHOAL_OK) status = read_back(&back, &stream, NULL);
    shoal_grouping_free(grouping);
    shoal_table_free(back);
    shoal_table_free(table);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    assert_survives_allocation_failure(export_and_read_back(false));
    assert_survives_allocation_failure(export_and_read_back(true));
    assert_survives_allocation_failure(export_csv_and_read_back());
}

/* A batch that failed for want of memory can be asked for again. */
static void test_failed_batch_again(void **state)
{
    (void)state;
    shoal_error err;
    PEOPLE;
    shoal_table *table = NULL;
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    assert_ok(export_scene(&stream, &table, &s, &err));
    assert_int_equal(stream.get_next(&stream, &array), 0);
    array.release(&array);
    budget none = { .left = 0 };
    shoal_set_allocator(budget_alloc, &none);
    assert_int_equal(stream.get_next(&stream, &array), ENOMEM);
    shoal_set_allocator(NULL, NULL);
    assert_null(array.release);
    assert_non_null(stream.get_last_error(&stream));
    assert_int_equal(stream.get_next(&stream, &array), 0);
    assert_int_equal(array.length, 4);
    array.release(&array);
    stream.release(&stream);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_release_texts),
        cmocka_unit_test(test_rows_left_out),
        cmocka_unit_test(test_structures),
        cmocka_unit_test(test_every_layout),
        cmocka_unit_test(test_nested_passes_through),
        cmocka_unit_test(test_quasi_outlives_table),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_same_as_csv_release_and_verified),
        cmocka_unit_test(test_csv_table),
        cmocka_unit_test(test_long_csv_table),
        cmocka_unit_test(test_allocation_failure),
        cmocka_unit_test(test_failed_batch_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
