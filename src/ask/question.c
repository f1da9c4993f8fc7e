/* SPDX-License-Identifier: Apache-2.0 */
/* question.c - questions from names and JSON: the way of other languages.
 *
 * The table below lists the options of all kinds; keys are the names of the fields. Texts are
 * borrowed from the parsed JSON, which the question keeps. */
#include "ask/answer.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef enum field_type {
    FLAG,
    COUNT,
    BIG_COUNT,
    REAL,
    TEXT,
    TEXTS,
    REALS,
    COUNTS,
    SETS
} field_type;

enum { MOST_LISTS = 16 }; /* more than fields with lists */

struct shoal_question_memory {
    json_t *root;
    void *lists[MOST_LISTS];
    size_t n_lists;
    bool is_short; /* memory was */
};

#define FIELD(name, type)                                                                          \
    {                                                                                              \
#name, type, offsetof(shoal_question, name), 0                                             \
    }
#define LIST(name, type)                                                                           \
    {                                                                                              \
#name, type, offsetof(shoal_question, name), offsetof(shoal_question, n_##name)            \
    }

static const struct field {
    const char *key;
    field_type type;
    size_t at, n_at;
} fields[] = {
    FIELD(by_person, FLAG),
    FIELD(allow_unread, FLAG),
    LIST(sets, SETS),
    FIELD(subsets, COUNT),
    LIST(thresholds, REALS),
    FIELD(sampling_fraction, REAL),
    FIELD(count_suppressed, FLAG),
    FIELD(workload, TEXT),
    LIST(columns, TEXTS),
    FIELD(dimensions, COUNT),
    FIELD(queries, BIG_COUNT),
    FIELD(folds, COUNT),
    FIELD(top_classes, COUNT),
    FIELD(numbers_as_categories, FLAG),
    LIST(only, TEXTS),
    FIELD(record_key, TEXT),
    FIELD(known, COUNT),
    FIELD(errors, REAL),
    FIELD(reruns, COUNT),
    FIELD(controls, FLAG),
    LIST(ks, COUNTS),
    LIST(algorithms, TEXTS),
    FIELD(vary, TEXT),
    LIST(values, TEXTS),
    FIELD(without_bound, FLAG),
    FIELD(bound_work, BIG_COUNT),
};

static const char *const kind_names[] = {
    [SHOAL_ASK_CHECK] = "check",     [SHOAL_ASK_SETS] = "sets",
    [SHOAL_ASK_MEASURE] = "measure", [SHOAL_ASK_RISK] = "risk",
    [SHOAL_ASK_QUERIES] = "queries", [SHOAL_ASK_CLASSIFY] = "classify",
    [SHOAL_ASK_ATTACK] = "attack",   [SHOAL_ASK_FRONTIER] = "frontier",
    [SHOAL_ASK_BOUND] = "bound",
};

/* Room that the question keeps; NULL when memory is short. */
static void *keep_list(struct shoal_question_memory *m, size_t count, size_t size)
{
    void *made = m->n_lists < MOST_LISTS ? shoal_asked_alloc(count + 1, size) : NULL;
    if (made != NULL)
        m->lists[m->n_lists++] = made;
    else
        m->is_short = true;
    return made;
}

static bool is_count(const json_t *value, double most)
{
    double number = json_number_value(value);
    return json_is_number(value) && number >= 0 && number <= most && floor(number) == number;
}

/* One value of a list; false: of another type. */
static bool set_item(void *list, size_t i, field_type type, const json_t *item)
{
    if (type == TEXTS) ((const char **)list)[i] = json_string_value(item);
    if (type == REALS) ((double *)list)[i] = json_number_value(item);
    if (type == COUNTS) ((uint32_t *)list)[i] = (uint32_t)json_number_value(item);
    return type == TEXTS    ? json_is_string(item)
           : type == COUNTS ? is_count(item, UINT32_MAX)
                            : json_is_number(item);
}

static size_t item_size(field_type type)
{
    return type == TEXTS ? sizeof(char *) : type == REALS ? sizeof(double) : sizeof(uint32_t);
}

/* A list of one value may be given as a scalar: R does not distinguish them. */
static bool read_list(void **out, size_t *n, struct shoal_question_memory *m, field_type type,
                      const json_t *value)
{
    *n = json_is_array(value) ? json_array_size(value) : 1;
    *out = keep_list(m, *n, item_size(type));
    for (size_t i = 0; *out != NULL && i < *n; i++)
        if (!set_item(*out, i, type, json_is_array(value) ? json_array_get(value, i) : value))
            return false;
    return *out != NULL;
}

static bool read_sets(void **out, size_t *n, struct shoal_question_memory *m, const json_t *value)
{
    size_t n_names = 0, at = 0;
    *n = json_array_size(value);
    for (size_t i = 0; i < *n; i++) n_names += json_array_size(json_array_get(value, i));
    shoal_column_set *sets = keep_list(m, *n, sizeof *sets);
    const char **names = keep_list(m, n_names, sizeof *names);
    *out = sets;
    if (sets == NULL || names == NULL || !json_is_array(value)) return false;
    for (size_t i = 0; i < *n; i++) {
        const json_t *set = json_array_get(value, i);
        sets[i] = (shoal_column_set){ names + at, json_array_size(set) };
        for (size_t j = 0; j < sets[i].n_names; j++)
            if ((names[at++] = json_string_value(json_array_get(set, j))) == NULL) return false;
    }
    return true;
}

/* False: a value of another type, or no memory. */
static bool set_field(shoal_question *q, const struct field *f, const json_t *value)
{
    char *at = (char *)q + f->at;
    switch (f->type) {
    case FLAG: *(bool *)at = json_is_true(value); return json_is_boolean(value);
    case COUNT: *(uint32_t *)at = (uint32_t)json_number_value(value); break;
    case BIG_COUNT: *(uint64_t *)at = (uint64_t)json_number_value(value); break;
    case REAL: *(double *)at = json_number_value(value); return json_is_number(value);
    case TEXT: *(const char **)at = json_string_value(value); return json_is_string(value);
    case SETS: return read_sets((void **)at, (size_t *)((char *)q + f->n_at), q->memory, value);
    case TEXTS:
    case REALS:
    case COUNTS:
        return read_list((void **)at, (size_t *)((char *)q + f->n_at), q->memory, f->type, value);
    }
    return is_count(value, f->type == COUNT ? UINT32_MAX : 9007199254740992.0);
}

static shoal_status set_options(shoal_question *q, shoal_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(q->memory->root, key, value)
    {
        size_t i = 0, n = sizeof fields / sizeof *fields;
        while (i < n && strcmp(fields[i].key, key) != 0) i++;
        if (i == n) return shoal_fail(err, SHOAL_EINVAL, "a question has no option '%.60s'", key);
        if (json_is_null(value) || set_field(q, &fields[i], value)) continue;
        if (q->memory->is_short) return shoal_fail_memory(err);
        return shoal_fail(err, SHOAL_EINVAL, "%s: invalid value {fix} see its documentation", key);
    }
    return SHOAL_OK;
}

shoal_status shoal_question_parse(shoal_question *q, const char *kind, const char *options,
                                  shoal_error *err)
{
    shoal_question_kind found = SHOAL_ASK_CHECK;
    while (found <= SHOAL_ASK_BOUND && strcmp(kind_names[found], kind) != 0) found++;
    if (found > SHOAL_ASK_BOUND)
        return shoal_fail(err, SHOAL_EINVAL, "unknown question '%.60s'", kind);
    q->kind = found;
    if (options == NULL) return SHOAL_OK;
    q->memory = shoal_asked_alloc(1, sizeof *q->memory);
    if (q->memory == NULL) return shoal_fail_memory(err);
    q->memory->root = json_loads(options, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(q->memory->root))
        return shoal_fail(err, SHOAL_EINVAL, "the options of a question are not a JSON object");
    return set_options(q, err);
}

void shoal_question_clear(shoal_question *q)
{
    if (q->memory != NULL) {
        json_decref(q->memory->root);
        for (size_t i = 0; i < q->memory->n_lists; i++) shoal_free(q->memory->lists[i]);
        shoal_free(q->memory);
    }
    *q = (shoal_question)SHOAL_QUESTION_INIT;
}
