/* SPDX-License-Identifier: Apache-2.0 */
/* test_invariance.c - m-invariance in a series: signatures, who gets which, groups, what is
 * published, and what the verifier finds. Covers: invariance_assign.c, invariance_check.c,
 * invariance_read.c, invariance_release.c, invariance_signatures.c, invariance_split.c,
 * invariance_verify.c, invariance_write.c
 */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"
#include "series/invariance.h"
#include "test.h"

#include <math.h>
#include <shoal/shoal.h>
#include <stdlib.h>

/* ---- a series in memory ---- */

typedef struct memory_state {
    char *state, *next;
    size_t state_size, next_size;
    const char *file; /* what every path reads */
} memory_state;

/* Not secret, but different for different texts. */
static void hash(void *payload, void *out, size_t out_size, const void *data, size_t data_size)
{
    uint64_t h = 1469598103934665603u;
    (void)payload;
    for (size_t i = 0; i < data_size; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * 1099511628211u;
    for (size_t i = 0; i < out_size; i++)
        ((unsigned char *)out)[i] = (unsigned char)((h = h * 6364136223846793005u +
                                                         1442695040888963407u) >>
                                                    56);
}

static void digest(void *payload, char out[65], const void *data, size_t data_size)
{
    unsigned char bytes[32];
    hash(payload, bytes, sizeof bytes, data, data_size);
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

static shoal_status read_file(void *payload, char **out, size_t *size, const char *path,
                              shoal_error *err)
{
    (void)path;
    const char *text = ((memory_state *)payload)->file;
    *out = shoal_copy_text(text, strlen(text));
    *size = strlen(text);
    return *out != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status stage(void *payload, const shoal_series_bytes *state, const char *sha256,
                          const char *path, shoal_error *err)
{
    memory_state *s = payload;
    (void)sha256;
    (void)path;
    (void)err;
    s->next = malloc(state->size);
    assert_non_null(s->next);
    memcpy(s->next, state->data, s->next_size = state->size);
    return SHOAL_OK;
}

static shoal_status conclude(void *payload, bool is_published, shoal_error *err)
{
    memory_state *s = payload;
    (void)err;
    if (is_published) {
        free(s->state);
        s->state = s->next;
        s->state_size = s->next_size;
    } else {
        free(s->next);
    }
    s->next = NULL;
    return SHOAL_OK;
}

static void close_state(void *payload, bool is_empty)
{
    (void)payload;
    (void)is_empty;
}

typedef struct fixture {
    memory_state memory;
    shoal_plan plan;
    char *text, *counterfeits; /* of the newest release */
    /* the sink shows the first of these as the second: a release that went wrong */
    const char *from, *to;
    shoal_sink_part part; /* of that */
    bool with_anew;
    const char *after;
} fixture;

static void set_role(shoal_plan *plan, const char *name, shoal_role role)
{
    shoal_plan_column *column = shoal_plan_column_of(plan, name);
    assert_non_null(column);
    column->role = role;
}

static fixture begin(uint32_t m)
{
    shoal_error err;
    fixture f = { .plan = SHOAL_PLAN_INIT };
    set_role(&f.plan, "age", SHOAL_ROLE_QUASI);
    set_role(&f.plan, "zip", SHOAL_ROLE_QUASI);
    set_role(&f.plan, "disease", SHOAL_ROLE_SENSITIVE);
    f.plan.k = 2;
    f.plan.m_invariance = m;
    f.plan.rest = SHOAL_ROLE_DROP;
    assert_ok(shoal_plan_set_string(&f.plan.record_key, "id", &err));
    return f;
}

static void end(fixture *f)
{
    shoal_plan_clear(&f->plan);
    free(f->memory.state);
    free(f->text);
    free(f->counterfeits);
}

/* ---- a sink that may lie ---- */

static shoal_sink honest;
static fixture *liar;
static char lie[4000];

static shoal_status view(void *payload, shoal_sink_part part, shoal_sink_text *out,
                         shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(honest.view(payload, part, out, err));
    const char *at = liar->from != NULL && part == liar->part ? strstr(out->data, liar->from)
                                                              : NULL;
    if (at == NULL) return SHOAL_OK;
    snprintf(lie, sizeof lie, "%.*s%s%s", (int)(at - out->data), out->data, liar->to,
             at + strlen(liar->from));
    *out = (shoal_sink_text){ .data = lie, .size = strlen(lie) };
    return SHOAL_OK;
}

static shoal_status open_series(shoal_series **out, fixture *f, shoal_error *err)
{
    shoal_series_storage storage = SHOAL_SERIES_STORAGE_INIT;
    shoal_series_bytes bytes = { f->memory.state, f->memory.state_size };
    storage.payload = &f->memory;
    storage.hash = hash;
    storage.digest = digest;
    storage.read = read_file;
    storage.stage = stage;
    storage.conclude = conclude;
    storage.close = close_state;
    return shoal_series_make(out, &storage, f->memory.state != NULL ? &bytes : NULL, err);
}

static shoal_status try_release(shoal_series_result **result, fixture *f, const char *csv,
                                shoal_error *err)
{
    shoal_table *table = NULL;
    shoal_series *series = NULL;
    shoal_memory_sink *memory = NULL;
    shoal_series_options options = SHOAL_SERIES_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    size_t size;
    options.plan = &f->plan;
    options.with_anew = f->with_anew;
    options.after = &f->after;
    options.n_after = f->after != NULL;
    SHOAL_GOTO_IF_ERROR(shoal_table_open_memory(&table, csv, strlen(csv), NULL, NULL, NULL, err),
                        out);
    SHOAL_GOTO_IF_ERROR(shoal_plan_prepare(&f->plan, table, true, NULL, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_memory_sink_make(&memory, 0, err), out);
    SHOAL_GOTO_IF_ERROR(open_series(&series, f, err), out);
    honest = *shoal_memory_sink_of(memory);
    liar = f;
    shoal_sink sink = honest;
    sink.view = view;
    SHOAL_GOTO_IF_ERROR(shoal_series_release(result, series, table, &options, &sink, err), out);
    free(f->text);
    free(f->counterfeits);
    f->text = strdup(shoal_memory_sink_text(memory, SHOAL_SINK_RELEASE, &size));
    f->counterfeits = strdup(shoal_memory_sink_text(memory, SHOAL_SINK_BUCKETS, &size));
out:
    shoal_series_close(series);
    shoal_memory_sink_free(memory);
    shoal_table_free(table);
    return status;
}

static shoal_series_entry release(fixture *f, const char *csv)
{
    shoal_error err;
    shoal_series_result *result = NULL;
    assert_ok(try_release(&result, f, csv, &err));
    assert_int_equal(result->m, f->plan.m_invariance);
    shoal_series_entry entry = *result->entry;
    shoal_series_result_free(result);
    return entry;
}

static void assert_refused(fixture *f, const char *csv, shoal_status expected, const char *words)
{
    shoal_error err;
    shoal_series_result *result = NULL;
    assert_int_equal(try_release(&result, f, csv, &err), expected);
    if (strstr(err.message, words) == NULL && strstr(err.fix, words) == NULL)
        fail_msg("'%s' is not in: %s; %s", words, err.message, err.fix);
    shoal_series_result_free(result);
}

/* ---- signatures ---- */

static void test_signatures(void **state)
{
    (void)state;
    shoal_tuple_pool pool;
    assert_true(shoal_tuple_pool_init(&pool, 1));
    const uint32_t few[] = { 3, 70000 }, many[] = { 0, 3, 500 };
    assert_int_equal(shoal_signature_add(&pool, few, 2), 0);
    assert_int_equal(shoal_signature_add(&pool, many, 3), 1);
    assert_int_equal(shoal_signature_add(&pool, few, 2), 0);
    /* on every machine */
    assert_memory_equal(shoal_tuple_pool_text(&pool, 0, 0).data, "\3\0\0\0\x70\x11\1\0", 8);
    assert_int_equal(shoal_signature_size(&pool, 1), 3);
    assert_int_equal(shoal_signature_value(&pool, 1, 2), 500);
    assert_int_equal(shoal_signature_find(&pool, 1, 3), 1);
    assert_int_equal(shoal_signature_find(&pool, 1, 4), SHOAL_NO_CODE);
    assert_true(shoal_signature_holds(&pool, 1, 3, 501));
    assert_false(shoal_signature_holds(&pool, 1, 4, 501));
    assert_false(shoal_signature_holds(&pool, 1, 3, 500));
    shoal_text odd = { "abcde", 5 };
    const uint32_t twice[] = { 2, 2 };
    assert_false(shoal_signature_holds(&pool, shoal_tuple_pool_add(&pool, &odd), 1, UINT32_MAX));
    assert_false(shoal_signature_holds(&pool, shoal_signature_add(&pool, twice, 2), 2, 10));
    shoal_tuple_pool_clear(&pool);
}

/* ---- assignment ---- */

enum { MOST_ROWS = 60, MOST_VALUES = 9 };

typedef struct draw {
    uint32_t values[MOST_ROWS], signatures[MOST_ROWS];
    shoal_tuple_pool pool;
    shoal_signed_rows rows;
} draw;

/* Rows of random values; the first `n_kept` have the signature of the first m values, where they
 * fit. */
static void draw_rows(draw *d, uint64_t *seed, uint32_t m)
{
    *d = (draw){ 0 };
    assert_true(shoal_tuple_pool_init(&d->pool, 1));
    uint32_t n_values = m + (uint32_t)((*seed = *seed * 6364136223846793005u + 99991) >> 33) %
                                (MOST_VALUES - m),
             n = 0, first[MOST_VALUES];
    uint32_t n_rows = (uint32_t)((*seed = *seed * 6364136223846793005u + 99991) >> 33) % MOST_ROWS;
    for (uint32_t i = 0; i < m; i++) first[i] = i;
    for (uint32_t i = 0; i < n_rows; i++) {
        uint32_t r = (uint32_t)((*seed = *seed * 6364136223846793005u + 99991) >> 33);
        d->values[i] = r % 3 == 0 ? 0 : r / 3 % n_values; /* one value is frequent */
        d->signatures[i] = r / 100 % 3 == 0 && d->values[i] < m
                               ? shoal_signature_add(&d->pool, first, m)
                               : SHOAL_NO_CODE;
        n++;
    }
    d->rows = (shoal_signed_rows){ .m = m,
                                   .n_rows = n,
                                   .values = d->values,
                                   .n_values = n_values,
                                   .signatures = d->signatures,
                                   .pool = &d->pool };
}

/* Rows that can be in groups of m different values at most, by trying every number of groups. */
static uint64_t most_in_groups(const uint32_t *counts, uint32_t n_values, uint32_t m,
                               uint32_t n_rows)
{
    uint64_t best = 0;
    for (uint32_t g = 1; g <= n_rows; g++) {
        uint64_t n = 0;
        for (uint32_t v = 0; v < n_values; v++) n += counts[v] < g ? counts[v] : g;
        if (n >= (uint64_t)m * g && n > best) best = n;
    }
    return best;
}

static void test_assignment(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int round = 0; round < 3000; round++) {
        draw d;
        uint32_t m = 2 + (uint32_t)round % 4, fresh[MOST_VALUES] = { 0 }, n_fresh = 0,
                 before[MOST_ROWS], placed = 0;
        draw_rows(&d, &seed, m);
        memcpy(before, d.signatures, sizeof before);
        for (uint64_t i = 0; i < d.rows.n_rows; i++)
            if (before[i] == SHOAL_NO_CODE) fresh[d.values[i]]++, n_fresh++;
        assert_true(shoal_signed_rows_assign(&d.rows));
        for (uint32_t s = 0; s < d.pool.tuples.n_values; s++)
            assert_true(shoal_signature_holds(&d.pool, s, m, d.rows.n_values));
        for (uint64_t i = 0; i < d.rows.n_rows; i++) {
            if (before[i] != SHOAL_NO_CODE)
                assert_int_equal(d.signatures[i], before[i]);
            else
                placed += d.signatures[i] != SHOAL_NO_CODE;
            if (d.signatures[i] != SHOAL_NO_CODE)
                assert_int_not_equal(shoal_signature_find(&d.pool, d.signatures[i], d.values[i]),
                                     SHOAL_NO_CODE);
        }
        /* no row is held back that could be in a group with other new rows */
        assert_true(placed >= most_in_groups(fresh, d.rows.n_values, m, n_fresh));
        /* buckets of new rows alone need no counterfeits */
        for (uint32_t s = 0; s < d.pool.tuples.n_values; s++) {
            uint32_t counts[MOST_VALUES] = { 0 };
            bool is_new = true;
            for (uint64_t i = 0; i < d.rows.n_rows; i++)
                if (d.signatures[i] == s) {
                    counts[d.values[i]]++;
                    is_new = is_new && before[i] == SHOAL_NO_CODE;
                }
            for (uint32_t i = 1; is_new && i < shoal_signature_size(&d.pool, s); i++)
                assert_int_equal(counts[shoal_signature_value(&d.pool, s, i)],
                                 counts[shoal_signature_value(&d.pool, s, 0)]);
        }
        shoal_tuple_pool_clear(&d.pool);
    }
}

/* ---- two releases ---- */

/* Hospital microdata after Xiao and Tao (2007, table 1): between the two, five patients leave,
 * among them the only one with bronchitis, and five come. */
static const char first_table[] =
    "id,age,zip,disease\nalice,22,14,bronchitis\nandy,24,18,flu\ndavid,23,25,gastritis\ngary,41,20,"
    "flu\nhelen,36,27,gastritis\n"
    "jane,37,33,dyspepsia\nken,40,35,flu\nlinda,43,26,gastritis\npaul,52,33,dyspepsia\nsteve,56,34,"
    "gastritis\nbob,21,12,dyspepsia\n";
static const char second_table[] =
    "id,age,zip,disease\ndavid,23,25,gastritis\nemily,25,21,flu\ngary,41,20,flu\njane,37,33,"
    "dyspepsia\nlinda,43,26,gastritis\n"
    "mary,46,30,gastritis\nray,54,31,dyspepsia\nsteve,56,34,gastritis\ntom,60,44,gastritis\nvince,"
    "65,36,flu\nbob,21,12,dyspepsia\n";

static void test_hospital(void **state)
{
    (void)state;
    fixture f = begin(2);
    f.with_anew = true;
    shoal_series_entry e = release(&f, first_table);
    assert_string_equal(f.text, "age,zip,disease,group\n[21..40],[12..35],bronchitis,1\n[21..40],["
                                "12..35],dyspepsia,1\n[21..40],[12..35],flu,1\n"
                                "[23..24],[18..25],flu,2\n[23..24],[18..25],gastritis,2\n[36..41],["
                                "20..27],flu,3\n[36..41],[20..27],gastritis,3\n"
                                "[37..43],[26..33],dyspepsia,4\n[37..43],[26..33],gastritis,4\n[52."
                                ".56],[33..34],dyspepsia,5\n[52..56],[33..34],gastritis,5\n");
    assert_string_equal(f.counterfeits, "group,count\n");
    assert_int_equal(e.counterfeits, 0);
    assert_int_equal(e.min_records, 2);
    assert_true(fabs(e.gcp - e.gcp_anew) < 1e-12);
    /* ages lose (19 + 1 + 5 + 6 + 4) / 35 and zips (23 + 7 + 7 + 7 + 1) / 23, each once for each
     * record of its group */
    double age = (3 * 19 + 2 * (1 + 5 + 6 + 4)) / 35.0, zip = (3 * 23 + 2 * (7 + 7 + 7 + 1)) / 23.0;
    assert_true(fabs(e.gcp - (age + zip) / 22) < 1e-12);
    e = release(&f, second_table);
    /* Bob was among bronchitis, dyspepsia and flu, and is again, though no person has bronchitis
     * any more */
    assert_non_null(strstr(f.text, "21,12,bronchitis,1\n21,12,dyspepsia,1\n21,12,flu,1\n"));
    assert_string_equal(f.counterfeits, "group,count\n1,2\n");
    assert_int_equal(e.erased, 5);
    assert_int_equal(e.inserted, 5);
    assert_int_equal(e.published, 11);
    assert_int_equal(e.counterfeits, 2);
    assert_int_equal(e.min_records, 1);
    end(&f);
}

/* Signatures as sets of letters: a group is `[low..high]` of one age, so who is in it is known. */
static void test_records_that_return(void **state)
{
    (void)state;
    fixture f = begin(2);
    release(&f, "id,age,zip,disease\na,20,1,flu\nb,20,1,cold\nc,30,1,flu\nd,30,1,gout\n");
    const char *first = strdup(f.text);
    shoal_series_entry e = release(&f, "id,age,zip,disease\nc,30,1,flu\nd,30,1,gout\n");
    assert_int_equal(e.erased, 2);
    /* c and d may be in groups of one signature or of two */
    assert_int_equal(e.counterfeits, 2 * (strstr(f.text, "cold") != NULL));
    /* all are back, two with other quasi-identifiers: nothing is new, and nothing but the groups of
     * before can be published */
    e = release(&f, "id,age,zip,disease\na,20,1,flu\nb,20,1,cold\nc,30,1,flu\nd,30,1,gout\n");
    assert_string_equal(f.text, first);
    assert_int_equal(e.inserted, 0);
    /* b has flu now, which its signature has: it stays, and a counterfeit has its cold */
    e = release(&f, "id,age,zip,disease\na,20,1,flu\nb,20,1,flu\nc,30,1,flu\nd,30,1,gout\n");
    assert_int_equal(e.corrected, 0);
    assert_true(e.counterfeits > 0);
    /* b has the plague, which it lacks: b is new, and waits */
    e = release(&f, "id,age,zip,disease\na,20,1,flu\nb,20,1,plague\nc,30,1,flu\nd,30,1,gout\n");
    assert_int_equal(e.corrected, 1);
    assert_int_equal(e.pending, 1);
    assert_null(strstr(f.text, "plague"));
    free((char *)(uintptr_t)first);
    end(&f);
}

static void test_nothing_to_publish(void **state)
{
    (void)state;
    fixture f = begin(3);
    assert_refused(&f, "id,age,zip,disease\na,20,1,flu\nb,20,1,cold\nc,30,1,flu\nd,30,1,cold\n",
                   SHOAL_EUNSAT, "no group of 3 distinct");
    end(&f);
}

/* ---- refusals ---- */

static void test_refusals(void **state)
{
    (void)state;
    shoal_error err;
    fixture f = begin(2);
    f.plan.k = 3;
    assert_refused(&f, first_table, SHOAL_EINVAL, "k must be at most M");
    f.plan.k = 2;
    f.plan.m_invariance = 1;
    assert_refused(&f, first_table, SHOAL_EINVAL, "at least 2");
    f.plan.m_invariance = 2;
    f.plan.recoding = SHOAL_RECODE_SET + 1;
    assert_refused(&f, first_table, SHOAL_EINVAL, "--recoding");
    f.plan.recoding = 0;
    f.plan.pending = SHOAL_PENDING_STAR + 1;
    assert_refused(&f, first_table, SHOAL_EINVAL, "--pending");
    f.plan.pending = 0;
    f.plan.rest = SHOAL_ROLE_OTHER;
    assert_refused(&f, "id,age,zip,disease,note\na,20,1,flu,x\n", SHOAL_EINVAL,
                   "could be recognised by it");
    f.plan.rest = SHOAL_ROLE_DROP;
    assert_refused(&f, "id,age,zip,disease\na,20,1,1\nb,20,1,2\n", SHOAL_EINVAL, "--categorical");
    set_role(&f.plan, "person", SHOAL_ROLE_ENTITY);
    assert_refused(&f, "id,age,zip,disease,person\na,20,1,flu,x\n", SHOAL_EINVAL, "--entity");
    set_role(&f.plan, "person", SHOAL_ROLE_SENSITIVE);
    assert_refused(&f, "id,age,zip,disease,person\na,20,1,flu,x\n", SHOAL_EINVAL,
                   "the table has 2");
    set_role(&f.plan, "person", SHOAL_ROLE_DROP);
    assert_ok(shoal_plan_set_string(&f.plan.algorithm, "mondrian", &err));
    assert_refused(&f, "id,age,zip,disease,person\na,20,1,flu,x\n", SHOAL_EINVAL, "--algorithm");
    assert_ok(shoal_plan_set_string(&f.plan.algorithm, NULL, &err));
    assert_ok(shoal_plan_add_model(&f.plan, "l-diversity", "distinct:2", NULL, &err));
    assert_refused(&f, "id,age,zip,disease,person\na,20,1,flu,x\n", SHOAL_EINVAL, "l-diversity");
    end(&f);
    f = begin(2);
    release(&f, first_table);
    f.plan.m_invariance = 0;
    assert_refused(&f, second_table, SHOAL_EINVAL, "the settings differ from the");
    end(&f);
}

/* ---- the verifier ---- */

static void test_verifier(void **state)
{
    static const struct {
        const char *from, *to;
        shoal_sink_part part;
        const char *words;
    } lies[] = {
        { "21,12,flu,1", "21,12,gastritis,1", SHOAL_SINK_RELEASE, "a different signature" },
        { "21,12,flu,1", "21,12,dyspepsia,1", SHOAL_SINK_RELEASE, "duplicate value" },
        { "21,12,flu,1", "21,12,plague,1", SHOAL_SINK_RELEASE, "neither in the table" },
        { "21,12,flu,1", "22,12,flu,1", SHOAL_SINK_RELEASE, "two published tuples" },
        { "21,12,flu,1", "21,12,flu,7", SHOAL_SINK_RELEASE, "too few" },
        { "21,12,flu,1", "21,12,flu,x", SHOAL_SINK_RELEASE, "1, 2, 3" },
        { "21,12,dyspepsia,1\n", "", SHOAL_SINK_RELEASE, "of a record does not have its value" },
        { "21,12,bronchitis,1\n21,12,dyspepsia,1\n21,12,flu,1\n",
          "20,12,bronchitis,1\n20,12,dyspepsia,1\n20,12,flu,1\n", SHOAL_SINK_RELEASE, "cover" },
        { "disease,group", "disease,nothing,group", SHOAL_SINK_RELEASE, "" },
        { "1,2", "1,1", SHOAL_SINK_BUCKETS, "has wrong counts" },
        { "1,2\n", "", SHOAL_SINK_BUCKETS, "has wrong counts" },
        { "1,2\n", "1,2\n2,1\n", SHOAL_SINK_BUCKETS, "too many rows" },
    };
    (void)state;
    fixture f = begin(2);
    release(&f, first_table);
    size_t size = f.memory.state_size;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        shoal_error err;
        shoal_series_result *result = NULL;
        f.from = lies[i].from;
        f.to = lies[i].to;
        f.part = lies[i].part;
        shoal_status status = try_release(&result, &f, second_table, &err);
        if (status != SHOAL_EUNSAT && status != SHOAL_EDATA)
            fail_msg("lie %zu passes: %d", i, (int)status);
        if (strstr(err.message, lies[i].words) == NULL) fail_msg("lie %zu: %s", i, err.message);
        assert_int_equal(f.memory.state_size, size);
    }
    f.from = NULL;
    release(&f, second_table);
    end(&f);
}

static void test_check_and_after(void **state)
{
    (void)state;
    shoal_error err;
    fixture f = begin(2);
    shoal_series *series = NULL;
    shoal_series_audit audit;
    release(&f, first_table);
    char *published = strdup(f.text);
    f.memory.file = published;
    f.after = "r1.csv";
    release(&f, second_table);
    f.memory.file = "age,zip,disease,group\n";
    assert_refused(&f, second_table, SHOAL_EDATA, "not a release of this series");
    f.memory.file = published;
    assert_ok(open_series(&series, &f, &err));
    assert_ok(shoal_series_check(&audit, series, &f.after, 1, &err));
    assert_true(shoal_series_audit_satisfied(&audit));
    assert_int_equal(audit.m, 2);
    assert_int_equal(audit.number_of_file[0], 1);
    shoal_series_audit_clear(&audit);
    /* a state that lies, as if its seal were good */
    series->state.releases[0].groups--;
    assert_ok(shoal_series_check(&audit, series, &f.after, 1, &err));
    assert_int_equal(audit.n_other, 1);
    shoal_series_audit_clear(&audit);
    series->state.rows[0].key = series->state.rows[1].key;
    assert_ok(shoal_series_check(&audit, series, NULL, 0, &err));
    assert_int_equal(audit.failing_releases, 2);
    shoal_series_audit_clear(&audit);
    shoal_series_close(series);
    free(published);
    end(&f);
}

/* Signatures of two values in a series that promises three. */
static void test_damaged_state(void **state)
{
    (void)state;
    fixture f = begin(2);
    release(&f, first_table);
    char *at = NULL; /* the settings, as text */
    for (size_t i = 0; i + 14 < f.memory.state_size && at == NULL; i++)
        if (memcmp(f.memory.state + i, "m-invariance\t2", 14) == 0) at = f.memory.state + i;
    assert_non_null(at);
    at[13] = '3';
    f.plan.m_invariance = 3;
    assert_refused(&f, second_table, SHOAL_EDATA, "signatures");
    end(&f);
}

/* ---- memory ---- */

static shoal_status two_releases(fixture *f)
{
    shoal_series_result *result = NULL;
    free(f->memory.state);
    f->memory.state = NULL;
    shoal_status status = try_release(&result, f, first_table, NULL);
    shoal_series_result_free(result);
    result = NULL;
    if (status == SHOAL_OK) status = try_release(&result, f, second_table, NULL);
    shoal_series_result_free(result);
    return status;
}

static shoal_status check_series(fixture *f)
{
    shoal_series *series = NULL;
    shoal_series_audit audit = { 0 };
    SHOAL_RETURN_IF_ERROR(open_series(&series, f, NULL));
    shoal_status status = shoal_series_check(&audit, series, &f->after, 1, NULL);
    if (status == SHOAL_OK) assert_true(shoal_series_audit_satisfied(&audit));
    shoal_series_audit_clear(&audit);
    shoal_series_close(series);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    fixture f = begin(2);
    release(&f, first_table);
    f.memory.file = f.text;
    f.after = "r1.csv";
    assert_survives_allocation_failure(check_series(&f));
    f.after = NULL;
    f.with_anew = true;
    assert_survives_allocation_failure(two_releases(&f));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signatures),         cmocka_unit_test(test_assignment),
        cmocka_unit_test(test_hospital),           cmocka_unit_test(test_records_that_return),
        cmocka_unit_test(test_nothing_to_publish), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_verifier),           cmocka_unit_test(test_check_and_after),
        cmocka_unit_test(test_damaged_state),      cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
