/* SPDX-License-Identifier: Apache-2.0 */
/* test_series.c - a series of releases: what is published, kept, withdrawn and waits; its files,
 * its refusals, its recovery. Covers: series_check.c, series_compose.c, series_costs.c,
 * series_cover.c, series_folder.c, series_insert.c, series_json.c, series_match.c, series_next.c,
 * series_read.c, series_release.c, series_slot.c, series_state.c, series_terms.c, series_values.c,
 * tuple_pool.c
 */
#define _DEFAULT_SOURCE /* strsep */
#include "files.h"
#include "io/io_internal.h"
#include "series/series_state.h"

#include <math.h>
#include <shoal/io.h>
#include <shoal/shoal.h>

/* ---- a series in a folder ---- */

typedef struct fixture {
    folder folder;
    shoal_plan plan;
    bool with_anew;
} fixture;

static void set_role(shoal_plan *plan, const char *name, shoal_role role)
{
    shoal_plan_column *column = shoal_plan_column_of(plan, name);
    assert_non_null(column);
    column->role = role;
}

/* In memory where there is such a folder: everything is synced, hundreds of times. */
static folder make_fast_folder(void)
{
    folder f = { "/dev/shm/shoal-test-XXXXXX" };
    return access("/dev/shm", W_OK) == 0 && mkdtemp(f.path) != NULL ? f : make_folder();
}

static fixture begin(uint32_t k)
{
    shoal_error err;
    fixture f = { .folder = make_fast_folder(), .plan = SHOAL_PLAN_INIT };
    set_role(&f.plan, "age", SHOAL_ROLE_QUASI);
    set_role(&f.plan, "zip", SHOAL_ROLE_QUASI);
    set_role(&f.plan, "ill", SHOAL_ROLE_SENSITIVE);
    f.plan.k = k;
    f.plan.rest = SHOAL_ROLE_OTHER;
    assert_ok(shoal_plan_set_string(&f.plan.record_key, "id", &err));
    return f;
}

static void end(fixture *f)
{
    folder state = f->folder;
    strcat(state.path, "/s"); /* there is room: the path of a folder is short */
    if (access(state.path, F_OK) == 0) remove_folder(&state);
    shoal_plan_clear(&f->plan);
    remove_folder(&f->folder);
}

static shoal_status release_to(char **text, shoal_series_result **result, const fixture *f,
                               const char *csv, const shoal_sink *other, shoal_error *err)
{
    shoal_table *table = NULL;
    shoal_series *series = NULL;
    shoal_memory_sink *memory = NULL;
    shoal_series_options options = SHOAL_SERIES_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    size_t size;
    options.plan = &f->plan;
    options.with_anew = f->with_anew;
    SHOAL_GOTO_IF_ERROR(shoal_table_open_memory(&table, csv, strlen(csv), NULL, NULL, NULL, err),
                        out);
    SHOAL_GOTO_IF_ERROR(shoal_plan_prepare(&f->plan, table, true, NULL, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_memory_sink_make(&memory, 0, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_series_open(&series, in_folder(&f->folder, "s"), true, err), out);
    const shoal_sink *sink = other != NULL ? other : shoal_memory_sink_of(memory);
    SHOAL_GOTO_IF_ERROR(shoal_series_release(result, series, table, &options, sink, err), out);
    const char *made = shoal_memory_sink_text(memory, SHOAL_SINK_RELEASE, &size);
    if (text != NULL && made != NULL) *text = strdup(made);
out:
    shoal_series_close(series);
    shoal_memory_sink_free(memory);
    shoal_table_free(table);
    return status;
}

static shoal_series_entry release(const fixture *f, const char *csv, const char *expected)
{
    shoal_error err;
    char *text = NULL;
    shoal_series_result *result = NULL;
    assert_ok(release_to(&text, &result, f, csv, NULL, &err));
    if (expected != NULL) assert_string_equal(text, expected);
    free(text);
    shoal_series_entry entry = *result->entry;
    shoal_series_result_free(result);
    return entry;
}

static shoal_status try_release(const fixture *f, const char *csv, shoal_error *err)
{
    shoal_series_result *result = NULL;
    shoal_status status = release_to(NULL, &result, f, csv, NULL, err);
    shoal_series_result_free(result);
    return status;
}

static const char january[] =
    "id,age,zip,ill,note\na,20,1,flu,x\nb,21,1,cold,y\nc,40,2,flu,z\nd,41,2,ulcer,\"v,w\"\n";
static const char january_out[] = "age,zip,ill,note\n[20..21],1,flu,x\n[20..21],1,cold,y\n[40..41],"
                                  "2,flu,z\n[40..41],2,ulcer,\"v,w\"\n";

/* ---- what is published ---- */

static void test_rows_keep_their_values(void **state)
{
    (void)state;
    fixture f = begin(2);
    shoal_series_entry e = release(&f, january, january_out);
    assert_int_equal(e.inserted, 4);
    assert_int_equal(e.groups, 2);
    assert_int_equal(e.min_group, 2);
    /* in another order, with another note; b is now 20, which [20..21] covers */
    e = release(
        &f, "id,age,zip,ill,note\nd,41,2,ulcer,new\na,20,1,flu,x\nc,40,2,flu,z\nb,20,1,cold,y\n",
        "age,zip,ill,note\n[40..41],2,ulcer,new\n[20..21],1,flu,x\n[40..41],2,flu,z\n[20..21],1,"
        "cold,y\n");
    assert_int_equal(e.inserted + e.erased + e.corrected + e.withdrawn + e.pending, 0);
    assert_int_equal(e.published, 4);
    end(&f);
}

static void test_what_is_new_waits_for_a_batch(void **state)
{
    (void)state;
    fixture f = begin(2);
    release(&f, january, NULL);
    char table[400];
    snprintf(table, sizeof table, "%se,60,3,flu,n\n", january);
    shoal_series_entry e = release(&f, table, january_out);
    assert_int_equal(e.pending, 1);
    assert_int_equal(e.withheld, 0);
    snprintf(table, sizeof table, "%se,60,3,flu,n\nf,61,3,cold,m\n", january);
    char expected[400];
    snprintf(expected, sizeof expected, "%s[60..61],3,flu,n\n[60..61],3,cold,m\n", january_out);
    e = release(&f, table, expected);
    assert_int_equal(e.pending, 0);
    assert_int_equal(e.inserted, 2);
    end(&f);
}

static void test_erasure_withdraws_the_rest(void **state)
{
    (void)state;
    fixture f = begin(2);
    release(&f, january, NULL);
    const char february[] =
        "id,age,zip,ill,note\na,20,1,flu,x\nc,40,2,flu,z\nd,41,2,ulcer,\"v,w\"\n";
    const char without[] = "age,zip,ill,note\n[40..41],2,flu,z\n[40..41],2,ulcer,\"v,w\"\n";
    shoal_series_entry e = release(&f, february, without);
    assert_int_equal(e.erased, 1);
    assert_int_equal(e.withdrawn, 1);
    assert_int_equal(e.withheld, 1);
    e = release(&f, february, without); /* a stays away */
    assert_int_equal(e.withdrawn, 0);
    assert_int_equal(e.withheld, 1);
    end(&f);
}

static void test_erasure_is_refused(void **state)
{
    (void)state;
    shoal_error err;
    fixture f = begin(2);
    release(&f, january, NULL);
    f.plan.erasures = SHOAL_ERASURES_REFUSE + 1;
    assert_fails(
        try_release(&f, "id,age,zip,ill,note\na,20,1,flu,x\nc,40,2,flu,z\nd,41,2,ulcer,w\n", &err),
        SHOAL_EUNSAT, "1 other rows must be withdrawn");
    /* a whole group may go */
    shoal_series_entry e = release(&f, "id,age,zip,ill,note\nc,40,2,flu,z\nd,41,2,ulcer,w\n", NULL);
    assert_int_equal(e.erased, 2);
    end(&f);
}

static void test_few_rows_are_withdrawn_of_a_large_group(void **state)
{
    (void)state;
    fixture f = begin(2);
    release(&f, "id,age,zip,ill\na,20,1,flu\nb,20,1,cold\nc,20,1,flu\nd,20,1,cold\ne,20,1,flu\n",
            NULL);
    shoal_series_entry e = release(
        &f, "id,age,zip,ill\nb,20,1,cold\nc,20,1,flu\nd,20,1,cold\ne,20,1,flu\n", NULL);
    assert_int_equal(e.withdrawn, 1); /* two leave, three stay */
    assert_int_equal(e.published, 3);
    assert_int_equal(e.inexact, 0);
    end(&f);
}

static void test_corrections(void **state)
{
    (void)state;
    fixture f = begin(2);
    release(&f, january, NULL);
    /* a and b have another illness: both leave [20..21], and come again as a batch, which cannot go
     * where they were */
    shoal_series_entry e = release(
        &f,
        "id,age,zip,ill,note\na,20,1,ulcer,x\nb,21,1,flu,y\nc,40,2,flu,z\nd,41,2,ulcer,\"v,w\"\n",
        NULL);
    assert_int_equal(e.corrected, 2);
    assert_int_equal(e.inserted, 2);
    assert_int_equal(e.published, 4);
    end(&f);
}

static void test_numbers_are_compared_as_numbers(void **state)
{
    (void)state;
    fixture f = begin(2);
    release(&f, "id,age,zip,ill\na,20,1,1.50\nb,20,1,100\nc,20,1,-0.25\n", NULL);
    shoal_series_entry e = release(&f, "id,age,zip,ill\na,20,1,1.5\nb,20,1,1e2\nc,20,1,-.250\n",
                                   NULL);
    assert_int_equal(e.corrected, 0);
    end(&f);
}

/* What waits may be published as `*`, and stays so. */
static void test_pending_as_stars(void **state)
{
    (void)state;
    fixture f = begin(2);
    f.plan.pending = SHOAL_PENDING_STAR + 1;
    release(&f, january, NULL);
    /* the two have the values of the slot of a and b in use there: with a gone, b withdrawn, the
     * slot may not take two others of the same illnesses */
    shoal_series_entry e = release(&f,
                                   "id,age,zip,ill,note\nb,21,1,cold,y\nc,40,2,flu,z\nd,41,2,ulcer,"
                                   "w\nn,20,1,flu,x\nm,21,1,ulcer,x\n",
                                   NULL);
    assert_int_equal(e.withdrawn, 1);
    assert_int_equal(e.pending, 0);
    assert_int_equal(e.published, 4);
    end(&f);
}

static int by_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Another order each time, of the same lines; the state knows the release that was published. */
static void test_shuffled_rows(void **state)
{
    (void)state;
    enum { ROWS = 40 };
    shoal_error err;
    fixture f = begin(2);
    char csv[ROWS * 20] = "id,age,zip,ill,note\n", *texts[2] = { NULL, NULL }, *lines[2][ROWS + 1];
    for (int i = 0; i < ROWS; i++)
        sprintf(csv + strlen(csv), "r%d,%d,1,%s,%d\n", i, 20 + i, i % 2 == 0 ? "flu" : "cold", i);
    f.plan.row_order = 2;
    for (int t = 0; t < 2; t++) {
        shoal_series_result *result = NULL;
        assert_ok(release_to(&texts[t], &result, &f, csv, NULL, &err));
        assert_int_equal(result->entry->size, strlen(texts[t]));
        shoal_series_result_free(result);
    }
    assert_string_not_equal(texts[0], texts[1]);
    put_text(in_folder(&f.folder, "r2.csv"), texts[1]);
    shoal_series *series = NULL;
    shoal_series_audit audit;
    char path[512];
    snprintf(path, sizeof path, "%s", in_folder(&f.folder, "r2.csv"));
    const char *file = path;
    assert_ok(shoal_series_open(&series, in_folder(&f.folder, "s"), false, &err));
    assert_ok(shoal_series_check(&audit, series, &file, 1, &err));
    assert_true(shoal_series_audit_satisfied(&audit));
    assert_int_equal(audit.number_of_file[0], 2);
    shoal_series_audit_clear(&audit);
    shoal_series_close(series);
    for (int t = 0; t < 2; t++) {
        char *at = texts[t];
        for (int i = 0; i <= ROWS; i++) lines[t][i] = strsep(&at, "\n");
        assert_string_equal(lines[t][0], "age,zip,ill,note");
        qsort(lines[t] + 1, ROWS, sizeof *lines[t], by_line);
    }
    for (int i = 0; i <= ROWS; i++) assert_string_equal(lines[0][i], lines[1][i]);
    free(texts[0]);
    free(texts[1]);
    end(&f);
}

static void test_persons(void **state)
{
    (void)state;
    fixture f = begin(2);
    set_role(&f.plan, "who", SHOAL_ROLE_ENTITY);
    release(&f,
            "id,who,age,zip,ill\na,1,20,1,flu\nb,2,20,1,cold\nc,3,20,1,flu\nd,1,20,1,cold\ne,4,50,"
            "2,flu\nf,5,51,2,cold\n",
            NULL);
    /* two visits of one person leave: one person is not two, nor is who would be left beside
     * another one who goes */
    shoal_series_entry e = release(
        &f, "id,who,age,zip,ill\nb,2,20,1,cold\nc,3,20,1,flu\ne,4,50,2,flu\nf,5,51,2,cold\n", NULL);
    assert_int_equal(e.erased, 2);
    assert_int_equal(e.withdrawn, 2);
    assert_int_equal(e.published, 2);
    end(&f);
}

/* ---- what is refused ---- */

static void test_refusals(void **state)
{
    (void)state;
    shoal_error err;
    fixture f = begin(2);
    assert_fails(try_release(&f, "id,age,zip,ill\na,20,1,flu\na,21,1,cold\n", &err), SHOAL_EDATA,
                 "the same record key");
    assert_fails(try_release(&f, "id,age,zip,ill\na,20,1,flu\n,21,1,cold\n", &err), SHOAL_EDATA,
                 "no record key");
    assert_fails(try_release(&f, "id,age,zip,ill\na,20,1,flu\n", &err), SHOAL_EUNSAT, "");
    /* a series without a release is none */
    assert_int_equal(access(in_folder(&f.folder, "s"), F_OK), -1);
    assert_ok(shoal_plan_add_model(&f.plan, "t-closeness", "0.3", NULL, &err));
    assert_fails(try_release(&f, january, &err), SHOAL_EINVAL, "t-closeness is not supported");
    shoal_plan_clear(&f.plan);
    remove_folder(&f.folder);
    f = begin(2);
    assert_ok(shoal_plan_set_string(&f.plan.algorithm, "anatomy", &err));
    assert_fails(try_release(&f, january, &err), SHOAL_EINVAL, "is not supported in");
    assert_ok(shoal_plan_set_string(&f.plan.algorithm, NULL, &err));
    release(&f, january, NULL);
    f.plan.k = 3;
    assert_fails(try_release(&f, january, &err), SHOAL_EINVAL, "'k 2' is now 'k 3'");
    f.plan.k = 2;
    assert_fails(try_release(&f, "id,age,zip,ill,note\na,x,1,flu,x\nb,21,1,cold,y\n", &err),
                 SHOAL_EINVAL, "age");
    end(&f);
}

/* ---- files ---- */

static void test_state_is_private_and_locked(void **state)
{
    (void)state;
    shoal_error err;
    struct stat info;
    fixture f = begin(2);
    release(&f, january, NULL);
    const char *path = in_folder(&f.folder, "s");
    shoal_series *first = NULL, *second = NULL;
    assert_int_equal(stat(in_folder(&f.folder, "s/state"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_ok(shoal_series_open(&first, path, false, &err));
    assert_fails(shoal_series_open(&second, path, false, &err), SHOAL_EIO, "in use");
    assert_int_equal(shoal_series_count(first), 1);
    assert_int_equal(shoal_series_at(first, 1)->published, 4);
    assert_null(shoal_series_at(first, 2));
    shoal_series_close(first);
    assert_int_equal(chmod(in_folder(&f.folder, "s/state"), 0644), 0);
    assert_fails(shoal_series_open(&first, path, false, &err), SHOAL_EINVAL,
                 "is readable by others");
    end(&f);
}

/* No byte of the state can be changed, and none be missing. */
static void test_state_is_sealed(void **state)
{
    (void)state;
    shoal_error err;
    fixture f = begin(2);
    release(&f, january, NULL);
    const char *path = in_folder(&f.folder, "s/state");
    char copy[512], folder_path[512];
    snprintf(copy, sizeof copy, "%s", path);
    snprintf(folder_path, sizeof folder_path, "%s", in_folder(&f.folder, "s"));
    size_t size;
    char *bytes = get_bytes(copy, &size);
    for (size_t i = 0; i < size; i += 1 + i / 40) {
        shoal_series *series = NULL;
        bytes[i] ^= 1;
        put_bytes(copy, bytes, size);
        bytes[i] ^= 1;
        assert_fails(shoal_series_open(&series, folder_path, false, &err), SHOAL_EDATA,
                     "is damaged, or was changed");
        put_bytes(copy, bytes, i);
        assert_fails(shoal_series_open(&series, folder_path, false, &err), SHOAL_EDATA,
                     "is damaged, or was changed");
    }
    free(bytes);
    end(&f);
}

/* Bytes that are sealed and wrong all the same: no crash, and no state. */
static void test_reading_wrong_bytes(void **state)
{
    (void)state;
    shoal_error err;
    fixture f = begin(2);
    release(&f, january, NULL);
    release(&f, "id,age,zip,ill,note\nc,40,2,flu,z\nd,41,2,ulcer,w\n", NULL);
    size_t size;
    char *bytes = get_bytes(in_folder(&f.folder, "s/state"), &size);
    size -= 100; /* where the release went (nowhere), its digest, the seal */
    shoal_series_state read = { 0 };
    assert_ok(shoal_series_state_read(&read, bytes, size, &err));
    assert_int_equal(read.n_releases, 2);
    assert_int_equal(read.n_pasts, 2);
    shoal_buffer again = { 0 };
    assert_true(shoal_series_state_write(&again, &read));
    assert_int_equal(again.size, size);
    assert_memory_equal(again.data, bytes, size);
    shoal_buffer_clear(&again);
    shoal_series_state_clear(&read);
    for (size_t i = 0; i < size; i++) {
        char *cut = malloc(i + 1);
        memcpy(cut, bytes, i);
        assert_int_not_equal(shoal_series_state_read(&read, cut, i, NULL), SHOAL_OK);
        free(cut);
        for (int bit = 0; bit < 8; bit += 7) {
            bytes[i] ^= (char)(1 << bit);
            /* a count or a text, perhaps */
            if (shoal_series_state_read(&read, bytes, size, NULL) == SHOAL_OK)
                shoal_series_state_clear(&read);
            bytes[i] ^= (char)(1 << bit);
        }
    }
    free(bytes);
    end(&f);
}

/* A state of version 1, which has three numbers less in each release. */
static void test_older_version(void **state)
{
    (void)state;
    shoal_error err;
    fixture f = begin(2);
    release(&f, january, NULL);
    release(&f, january, NULL);
    size_t size, length = 0, added = 24;
    char *bytes = get_bytes(in_folder(&f.folder, "s/state"), &size);
    size -= 100;
    for (size_t i = 0; i < 4; i++) length |= (size_t)(unsigned char)bytes[16 + i] << (8 * i);
    char *entries = bytes + 20 + length + 4, *after = entries + 2 * (168 + added);
    memmove(entries + 168, entries + 168 + added, 168);
    memmove(entries + 2 * 168, after, size - (size_t)(after - bytes));
    bytes[8] = 1;
    shoal_series_state read = { 0 };
    assert_int_not_equal(shoal_series_state_read(&read, bytes, size, &err), SHOAL_OK);
    assert_ok(shoal_series_state_read(&read, bytes, size - 2 * added, &err));
    assert_int_equal(read.n_releases, 2);
    assert_int_equal(read.n_rows, 4);
    assert_true(isnan(read.releases[1].gcp_anew));
    assert_int_equal(read.releases[1].published, 4);
    shoal_series_state_clear(&read);
    bytes[8] = 3;
    assert_int_equal(shoal_series_state_read(&read, bytes, size, &err), SHOAL_EDATA);
    free(bytes);
    end(&f);
}

/* ---- failures on the way ---- */

static shoal_memory_sink *broken;

static shoal_status no_commit(void *payload, shoal_error *err)
{
    (void)payload;
    return shoal_fail(err, SHOAL_EIO, "no room");
}

static void test_failed_commit_leaves_the_series_as_it_was(void **state)
{
    (void)state;
    shoal_error err;
    size_t size, again;
    fixture f = begin(2);
    release(&f, january, NULL);
    char *before = get_bytes(in_folder(&f.folder, "s/state"), &size);
    assert_ok(shoal_memory_sink_make(&broken, 0, &err));
    shoal_sink sink = *shoal_memory_sink_of(broken);
    sink.commit = no_commit;
    shoal_series_result *result = NULL;
    assert_fails(release_to(NULL, &result, &f,
                            "id,age,zip,ill,note\nc,40,2,flu,z\nd,41,2,ulcer,w\n", &sink, &err),
                 SHOAL_EIO, "no room");
    shoal_memory_sink_free(broken);
    char *after = get_bytes(in_folder(&f.folder, "s/state"), &again);
    assert_int_equal(again, size);
    assert_memory_equal(before, after, size);
    assert_int_equal(access(in_folder(&f.folder, "s/next"), F_OK), -1);
    free(before);
    free(after);
    end(&f);
}

/* A state that was staged, by a process that died: it counts where the release is where it should
 * be. */
static void test_recovery(void **state)
{
    (void)state;
    for (int is_there = 0; is_there < 2; is_there++) {
        shoal_error err;
        size_t size;
        shoal_digest digest;
        fixture f = begin(2);
        release(&f, january, NULL);
        shoal_series *series = NULL;
        assert_ok(shoal_series_open(&series, in_folder(&f.folder, "s"), false, &err));
        const char *target = in_folder(&f.folder, "r2.csv");
        put_text(target, is_there ? "the release" : "another program");
        shoal_digest_text(&digest, "the release", strlen("the release"));
        shoal_series_state next = series->state;
        shoal_series_entry second[2] = { next.releases[0], next.releases[0] };
        shoal_buffer bytes = { 0 };
        char path[512];
        snprintf(path, sizeof path, "%s", target);
        next.releases = second;
        next.n_releases = 2;
        assert_true(shoal_series_state_write(&bytes, &next));
        const shoal_series_bytes staged = { bytes.data, bytes.size };
        assert_ok(
            series->storage.stage(series->storage.payload, &staged, digest.sha256, path, &err));
        shoal_buffer_clear(&bytes);
        shoal_series_close(series);
        assert_ok(shoal_series_open(&series, in_folder(&f.folder, "s"), false, &err));
        assert_int_equal(shoal_series_count(series), is_there ? 2 : 1);
        shoal_series_close(series);
        assert_int_equal(access(in_folder(&f.folder, "s/next"), F_OK), -1);
        free(get_bytes(in_folder(&f.folder, "s/state"), &size));
        end(&f);
    }
}

/* ---- looking at it ---- */

static void test_check_and_json(void **state)
{
    (void)state;
    shoal_error err;
    fixture f = begin(2);
    release(&f, january, NULL);
    release(&f, "id,age,zip,ill,note\nc,40,2,flu,z\nd,41,2,ulcer,\"v,w\"\n", NULL);
    put_text(in_folder(&f.folder, "r1.csv"), january_out);
    put_text(in_folder(&f.folder, "other.csv"), "age,zip,ill,note\n");
    char first[512], other[512];
    snprintf(first, sizeof first, "%s", in_folder(&f.folder, "r1.csv"));
    snprintf(other, sizeof other, "%s", in_folder(&f.folder, "other.csv"));
    const char *files[] = { first, other };
    shoal_series *series = NULL;
    shoal_series_audit audit;
    assert_ok(shoal_series_open(&series, in_folder(&f.folder, "s"), false, &err));
    assert_ok(shoal_series_check(&audit, series, files, 1, &err));
    assert_true(shoal_series_audit_satisfied(&audit));
    assert_int_equal(audit.n_pairs, 1);
    assert_int_equal(audit.number_of_file[0], 1);
    shoal_series_audit_clear(&audit);
    assert_ok(shoal_series_check(&audit, series, files, 2, &err));
    assert_false(shoal_series_audit_satisfied(&audit));
    assert_int_equal(audit.n_unknown, 1);
    char *json = shoal_series_audit_json(&audit);
    assert_non_null(strstr(json, "\"unknown_files\": 1"));
    shoal_string_free(json);
    shoal_series_audit_clear(&audit);
    json = shoal_series_json(series);
    assert_non_null(strstr(json, "\"erased\": 2"));
    assert_null(strstr(json, "flu"));
    shoal_string_free(json);
    /* a state that lies, as if its seal were good: about a value, then about what left */
    uint32_t value = series->state.rows[0].value;
    series->state.rows[0].value = series->state.rows[1].value;
    assert_ok(shoal_series_check(&audit, series, files, 1, &err));
    assert_int_equal(audit.n_other, 1);
    shoal_series_audit_clear(&audit);
    series->state.rows[0].value = value;
    series->state.pasts[0].left = 3;
    assert_ok(shoal_series_check(&audit, series, files, 1, &err));
    assert_int_equal(audit.failing_releases, 1); /* one row is left, and one left */
    shoal_series_audit_clear(&audit);
    assert_ok(shoal_series_forget(series, &err));
    assert_int_equal(access(in_folder(&f.folder, "s"), F_OK), -1);
    end(&f);
}

/* ---- what it costs ---- */

static int add_bytes(const void *data, size_t size, void *payload)
{
    shoal_buffer_add(payload, data, size);
    return 0;
}

static int no_bytes(const void *data, size_t size, void *payload)
{
    (void)data;
    (void)size;
    (void)payload;
    return 5;
}

static shoal_status draw(const shoal_series *series)
{
    shoal_buffer text = { 0 };
    shoal_status status = shoal_series_plot_svg(series, add_bytes, &text, NULL);
    if (status == SHOAL_OK) status = shoal_series_plot_text(series, add_bytes, &text, NULL);
    if (status == SHOAL_OK && text.failed) status = SHOAL_ENOMEM;
    shoal_buffer_clear(&text);
    return status;
}

static void test_costs(void **state)
{
    (void)state;
    shoal_error err;
    fixture f = begin(2);
    shoal_series *series = NULL;
    shoal_buffer picture = { 0 };
    /* ten rows: four wait, three were withdrawn, three are published and lose a third each */
    shoal_series_entry e = {
        .rows = 10, .published = 3, .pending = 4, .withheld = 3, .gcp = 0.8, .gcp_anew = 0.2
    };
    shoal_series_parts parts;
    shoal_series_entry_parts(&parts, &e);
    assert_true(fabs(parts.waiting - 0.4) < 1e-12 && fabs(parts.withdrawn - 0.3) < 1e-12 &&
                fabs(parts.published - 0.1) < 1e-12);
    shoal_series_entry_parts(&parts, &(shoal_series_entry){ 0 });
    assert_true(parts.published == 0);
    release(&f, january, NULL);
    release(&f, "id,age,zip,ill,note\na,20,1,flu,x\nc,40,2,flu,z\nd,41,2,ulcer,w\ne,60,3,flu,x\n",
            NULL);
    assert_ok(shoal_series_open(&series, in_folder(&f.folder, "s"), false, &err));
    assert_ok(shoal_series_plot_svg(series, add_bytes, &picture, &err));
    assert_non_null(strstr(picture.data, "No release was compared with an independent one"));
    assert_null(strstr(picture.data, "counterfeits"));
    shoal_buffer_clear(&picture);
    series->state.releases[1].gcp_anew = 0.125;
    series->state.releases[1].counterfeits = 1;
    assert_ok(shoal_series_plot_svg(series, add_bytes, &picture, &err));
    assert_non_null(strstr(picture.data, "independent release (unsafe)"));
    assert_non_null(strstr(picture.data, "counterfeits"));
    shoal_buffer_clear(&picture);
    assert_int_equal(shoal_series_plot_svg(series, no_bytes, NULL, &err), SHOAL_EIO);
    assert_survives_allocation_failure(draw(series));
    shoal_series_close(series);
    end(&f);
    f = begin(2);
    assert_ok(shoal_series_open(&series, in_folder(&f.folder, "s"), true, &err));
    assert_int_equal(shoal_series_plot_svg(series, add_bytes, &picture, &err), SHOAL_EINVAL);
    assert_int_equal(shoal_series_plot_text(series, add_bytes, &picture, &err), SHOAL_EINVAL);
    shoal_series_close(series);
    end(&f);
}

/* The yardstick is of the whole table, whatever is published, and stays in the state. */
static void test_anew(void **state)
{
    (void)state;
    shoal_error err;
    fixture f = begin(2);
    shoal_series_result *result = NULL;
    f.with_anew = true;
    assert_ok(release_to(NULL, &result, &f, january, NULL, &err));
    assert_true(result->entry->gcp_anew == result->entry->gcp);
    shoal_series_result_free(result);
    /* one of four leaves and takes another along: anew, the three others would be one group */
    assert_ok(release_to(NULL, &result, &f,
                         "id,age,zip,ill,note\na,20,1,flu,x\nc,40,2,flu,z\nd,41,2,ulcer,w\n", NULL,
                         &err));
    assert_true(fabs(result->entry->gcp_anew - 1) < 1e-12);
    assert_true(result->entry->gcp < 1);
    shoal_series_result_free(result);
    f.with_anew = false;
    assert_ok(release_to(NULL, &result, &f, "id,age,zip,ill,note\nc,40,2,flu,z\nd,41,2,ulcer,w\n",
                         NULL, &err));
    assert_true(isnan(result->entry->gcp_anew));
    shoal_series_result_free(result);
    shoal_series *series = NULL;
    assert_ok(shoal_series_open(&series, in_folder(&f.folder, "s"), false, &err));
    assert_true(fabs(shoal_series_at(series, 2)->gcp_anew - 1) < 1e-12);
    assert_true(isnan(shoal_series_at(series, 3)->gcp_anew));
    char *json = shoal_series_json(series);
    assert_non_null(strstr(json, "\"gcp_anew\": 1.0"));
    shoal_string_free(json);
    shoal_series_close(series);
    end(&f);
}

/* ---- memory ---- */

static shoal_status two_releases(const fixture *f)
{
    shoal_series *series = NULL;
    shoal_status status = try_release(f, january, NULL);
    if (status == SHOAL_OK)
        status = try_release(f,
                             "id,age,zip,ill,note\na,20,1,flu,x\nc,40,2,flu,z\nd,41,2,cold,w\ne,60,"
                             "3,flu,x\nf,61,3,cold,y\n",
                             NULL);
    shoal_status opened = shoal_series_open(&series, in_folder(&f->folder, "s"), false, NULL);
    if (opened == SHOAL_OK) opened = shoal_series_forget(series, NULL);
    if (opened != SHOAL_OK) { /* no memory for that either: by hand */
        static const char *const names[] = { "s/key", "s/state", "s/next" };
        for (size_t i = 0; i < 3; i++) (void)unlink(in_folder(&f->folder, names[i]));
        (void)rmdir(in_folder(&f->folder, "s"));
        return opened == SHOAL_ENOMEM ? SHOAL_ENOMEM : status;
    }
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    fixture f = begin(2);
    assert_survives_allocation_failure(two_releases(&f));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_keep_their_values),
        cmocka_unit_test(test_what_is_new_waits_for_a_batch),
        cmocka_unit_test(test_erasure_withdraws_the_rest),
        cmocka_unit_test(test_erasure_is_refused),
        cmocka_unit_test(test_few_rows_are_withdrawn_of_a_large_group),
        cmocka_unit_test(test_corrections),
        cmocka_unit_test(test_numbers_are_compared_as_numbers),
        cmocka_unit_test(test_pending_as_stars),
        cmocka_unit_test(test_shuffled_rows),
        cmocka_unit_test(test_persons),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_state_is_private_and_locked),
        cmocka_unit_test(test_state_is_sealed),
        cmocka_unit_test(test_reading_wrong_bytes),
        cmocka_unit_test(test_older_version),
        cmocka_unit_test(test_failed_commit_leaves_the_series_as_it_was),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_check_and_json),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_anew),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
