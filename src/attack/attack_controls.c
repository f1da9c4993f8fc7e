/* SPDX-License-Identifier: Apache-2.0 */
/* attack_controls.c - checks that each attack finds a planted leak, and nothing in a release of one
 * group.
 *
 * The table has 600 generated persons. The planted release is made by the attack's own row; the
 * null release has `*` everywhere, its rows in a random order, and no other column but the
 * sensitive one. Rows are matched by their key. For the attack that runs the method again, the
 * method publishes decades of ages; with the leak it also publishes a sum of all ages, each
 * weighted by its position, which only the true ages give.
 */
#include "attack/attack_kind.h"

#include <stdio.h>
#include <string.h>

/* A null control may be above by chance in one of this many runs; the number is large, so that a
 * failed control means something. */
enum { NULL_COMPARED = 1000 };

/* ---- writing releases ---- */

void shoal_control_head(shoal_buffer *out)
{
    shoal_buffer_print(out, "key,age,zip,sex,illness\n");
}

void shoal_control_line(shoal_buffer *out, const shoal_control_persons *persons,
                        const shoal_control_row *row)
{
    shoal_buffer_print(out, "%u,%s,%s,%s,i%u\n", row->person, row->age, row->zip, row->sex,
                       persons->illness[row->person]);
}

void shoal_control_groups(shoal_buffer *out, const shoal_control_persons *persons,
                          const uint32_t *list, uint32_t size)
{
    shoal_control_head(out);
    for (uint32_t begin = 0; begin < SHOAL_CONTROL_PERSONS; begin += size) {
        uint32_t least = UINT32_MAX, greatest = 0;
        char age[32];
        for (uint32_t i = begin; i < begin + size; i++) {
            if (persons->age[list[i]] < least) least = persons->age[list[i]];
            if (persons->age[list[i]] > greatest) greatest = persons->age[list[i]];
        }
        snprintf(age, sizeof age, least < greatest ? "[%u..%u]" : "%u", least, greatest);
        for (uint32_t i = begin; i < begin + size; i++) {
            const shoal_control_row row = { age, "*", "*", list[i] };
            shoal_control_line(out, persons, &row);
        }
    }
}

void shoal_control_exact(shoal_buffer *out, const shoal_control_persons *persons)
{
    shoal_control_head(out);
    for (uint32_t i = 0; i < SHOAL_CONTROL_PERSONS; i++)
        shoal_buffer_print(out, "%u,%u,z%02u,s%u,i%u\n", i, persons->age[i], persons->zip[i],
                           persons->sex[i], persons->illness[i]);
}

/* ---- the persons ---- */

static void shuffle(uint32_t *list, uint32_t n, shoal_rng *rng)
{
    for (uint32_t i = 0; i < n; i++) list[i] = i;
    for (uint32_t i = n; i-- > 1;) {
        uint32_t other = (uint32_t)shoal_rng_below(rng, i + 1), kept = list[i];
        list[i] = list[other];
        list[other] = kept;
    }
}

static void invent(shoal_control_persons *out, uint64_t seed)
{
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 0);
    for (uint32_t i = 0; i < SHOAL_CONTROL_PERSONS; i++) {
        out->age[i] = 18 + (uint32_t)shoal_rng_below(&rng, 60);
        out->zip[i] = (uint32_t)shoal_rng_below(&rng, 40);
        out->sex[i] = (uint32_t)shoal_rng_below(&rng, 2);
        out->illness[i] = shoal_rng_below(&rng, 5) == 0 ? 2 : out->sex[i];
    }
    shuffle(out->visit, SHOAL_CONTROL_PERSONS, &rng);
    shuffle(out->order, SHOAL_CONTROL_PERSONS, &rng);
}

static void write_original(shoal_buffer *out, const shoal_control_persons *persons)
{
    shoal_buffer_print(out, "key,age,zip,sex,illness,visit\n");
    for (uint32_t i = 0; i < SHOAL_CONTROL_PERSONS; i++)
        shoal_buffer_print(out, "%u,%u,z%02u,s%u,i%u,%u\n", i, persons->age[i], persons->zip[i],
                           persons->sex[i], persons->illness[i], persons->visit[i]);
}

static void write_null(shoal_buffer *out, const shoal_control_persons *persons)
{
    shoal_control_head(out);
    for (uint32_t i = 0; i < SHOAL_CONTROL_PERSONS; i++) {
        const shoal_control_row row = { "*", "*", "*", persons->order[i] };
        shoal_control_line(out, persons, &row);
    }
}

/* ---- a method to be run again ---- */

/* Publishes the planted column in the order of the keys, or in that of the null release. */
typedef struct control_method {
    const shoal_control_persons *persons;
    bool leaks;
} control_method;

static shoal_status run_method(char **text, size_t *size, const char *original,
                               size_t original_size, void *payload, shoal_error *err)
{
    const control_method *method = payload;
    shoal_buffer out = { 0 };
    const char *at = memchr(original, '\n', original_size), *end = original + original_size;
    uint32_t ages[SHOAL_CONTROL_PERSONS], n = 0;
    uint64_t sum = 0;
    for (at = at != NULL ? at + 1 : end; at < end && n < SHOAL_CONTROL_PERSONS; n++) {
        unsigned key, age = 0;
        if (sscanf(at, "%u,%u", &key, &age) != 2) break;
        ages[n] = age;
        sum += (uint64_t)age * (n + 1);
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        at = line_end != NULL ? line_end + 1 : end;
    }
    if (!method->leaks)
        write_null(&out, method->persons);
    else
        shoal_buffer_print(&out, "key,age,zip,sex,illness,sum\n");
    for (uint32_t i = 0; method->leaks && i < n; i++)
        shoal_buffer_print(&out, "%u,[%u..%u],*,*,i%u,%llu\n", i, ages[i] / 10 * 10,
                           ages[i] / 10 * 10 + 9, method->persons->illness[i],
                           (unsigned long long)sum);
    *text = out.failed ? NULL : shoal_copy_text(out.data, out.size);
    *size = out.size;
    shoal_buffer_clear(&out);
    return *text != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- running ---- */

static shoal_status set_roles(shoal_table *table, bool is_original, shoal_error *err)
{
    static const struct {
        const char *name;
        shoal_role role;
        shoal_type type;
    } roles[] = { { "key", SHOAL_ROLE_IDENTIFIER, SHOAL_TYPE_NUMERIC },
                  { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC },
                  { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL },
                  { "sex", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL },
                  { "illness", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL } };
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        shoal_role role = SHOAL_ROLE_OTHER;
        shoal_type type = SHOAL_TYPE_AUTO;
        for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
            if (strcmp(shoal_table_column_name(table, c), roles[i].name) == 0) {
                role = roles[i].role;
                type = !is_original && role == SHOAL_ROLE_QUASI ? SHOAL_TYPE_CATEGORICAL
                                                                : roles[i].type;
            }
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(table, c, role, err));
        SHOAL_RETURN_IF_ERROR(shoal_table_set_type(table, c, type, err));
    }
    return SHOAL_OK;
}

/* The text belongs to the caller. */
static shoal_status open_text(shoal_table **out, const shoal_buffer *text, bool is_original,
                              shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    csv.delimiter = ',';
    load.encode_all = true;
    if (text->failed) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(
        shoal_table_open_memory(out, text->data, text->size, NULL, NULL, &csv, err));
    SHOAL_RETURN_IF_ERROR(set_roles(*out, is_original, err));
    return shoal_table_load(*out, &load, err);
}

/* What is attacked: the original and two releases, of which most attacks see the first alone. */
typedef struct control_tables {
    shoal_buffer texts[3];
    shoal_table *tables[3];
    control_method method;
} control_tables;

static shoal_status prepare(control_tables *t, const shoal_attack_kind *kind, bool is_null,
                            shoal_error *err)
{
    const shoal_control_persons *persons = t->method.persons;
    t->method.leaks = !is_null;
    write_original(&t->texts[0], persons);
    for (size_t i = 1; i < 3; i++) {
        char *made = NULL;
        size_t size = 0;
        if (is_null)
            write_null(&t->texts[i], persons);
        else if (kind->plant != NULL)
            kind->plant(&t->texts[i], persons, i - 1);
        else if (t->texts[0].failed)
            return shoal_fail_memory(err);
        else {
            SHOAL_RETURN_IF_ERROR(
                run_method(&made, &size, t->texts[0].data, t->texts[0].size, &t->method, err));
            shoal_buffer_add(&t->texts[i], made, size);
            shoal_free(made);
        }
    }
    for (size_t i = 0; i < 3; i++)
        SHOAL_RETURN_IF_ERROR(open_text(&t->tables[i], &t->texts[i], i == 0, err));
    return SHOAL_OK;
}

static shoal_status run_control(shoal_attack_finding *out, const shoal_attack_kind *kind,
                                control_tables *t, uint64_t seed, uint32_t threads,
                                shoal_error *err)
{
    shoal_attack_request request = SHOAL_ATTACK_REQUEST_INIT;
    shoal_attack_result result;
    request.original = t->tables[0];
    request.releases = (const shoal_table *const *)&t->tables[1];
    request.n_releases = (kind->needs & SHOAL_ATTACK_NEEDS_RELEASES) != 0 ? 2 : 1;
    request.record_key = "key";
    request.k = 5;
    request.seed = seed;
    request.threads = threads;
    request.only = &kind->name;
    request.n_only = 1;
    request.rerun = run_method;
    request.rerun_payload = &t->method;
    request.max_reruns = 200;
    SHOAL_RETURN_IF_ERROR(shoal_attack_run(&result, &request, err));
    *out = result.findings[0];
    result.n_findings = 0; /* taken over */
    const shoal_attack_case found = { .successes = out->successes,
                                      .trials = out->trials,
                                      .control = out->control };
    if (!t->method.leaks && out->is_tried) shoal_finding_conclude(out, &found, NULL_COMPARED);
    shoal_attack_clear(&result);
    return SHOAL_OK;
}

static shoal_status control(shoal_attack_finding *out, size_t kind,
                            const shoal_control_persons *persons, bool is_null, uint64_t seed,
                            uint32_t threads, shoal_error *err)
{
    control_tables t = { .method = { .persons = persons } };
    shoal_status status = prepare(&t, shoal_attack_at(kind), is_null, err);
    if (status == SHOAL_OK)
        status = run_control(out, shoal_attack_at(kind), &t, seed, threads, err);
    for (size_t i = 0; i < 3; i++) {
        shoal_table_free(t.tables[i]);
        shoal_buffer_clear(&t.texts[i]);
    }
    return status;
}

shoal_status shoal_attack_controls_run(shoal_attack_controls *out, uint64_t seed, uint32_t threads,
                                       shoal_error *err)
{
    shoal_attack_controls all = { 0 };
    shoal_status status = SHOAL_OK;
    shoal_control_persons *persons = shoal_alloc(1, sizeof *persons);
    all.controls = shoal_alloc_zero(shoal_attack_count(), sizeof *all.controls);
    if (persons == NULL || all.controls == NULL)
        status = shoal_fail_memory(err);
    else
        invent(persons, seed);
    while (status == SHOAL_OK && all.n_controls < shoal_attack_count()) {
        size_t i = all.n_controls++;
        all.controls[i].name = shoal_attack_name(i);
        status = control(&all.controls[i].planted, i, persons, false, seed, threads, err);
        if (status == SHOAL_OK)
            status = control(&all.controls[i].null, i, persons, true, seed, threads, err);
    }
    shoal_free(persons);
    if (status == SHOAL_OK)
        *out = all;
    else
        shoal_attack_controls_clear(&all);
    return status;
}

bool shoal_attack_control_holds(const shoal_attack_control *found)
{
    return found->planted.is_tried && found->planted.is_above && found->null.is_tried &&
           !found->null.is_above;
}

void shoal_attack_controls_clear(shoal_attack_controls *controls)
{
    for (size_t i = 0; i < controls->n_controls; i++) {
        shoal_finding_clear(&controls->controls[i].planted);
        shoal_finding_clear(&controls->controls[i].null);
    }
    shoal_free(controls->controls);
    *controls = (shoal_attack_controls){ 0 };
}
