/* SPDX-License-Identifier: Apache-2.0 */
/* plan_yaml.c - reads a plan file (YAML, and therefore JSON) by schema into a shoal_spec.
 *
 * libcyaml checks keys, structure and words (plan_schema.c) and returns text; numbers are parsed
 * here, and must be complete. Paths in a plan are relative to the folder of the plan, so that a
 * plan can be moved together with its hierarchies. Aliases are refused: plans need none, and they
 * allow a small file to expand without limit.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/plan_yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_PLAN = 16 << 20 };

/* Arguments shared by the steps below. */
typedef struct reading {
    shoal_spec *plan;
    const plan_file *file;
    const char *text;
    size_t size;
    const char *name;
    shoal_error *err;
} reading;

/* ---- numbers ---- */

static bool parse_whole(const char *text, uint64_t most, uint64_t *out)
{
    uint64_t value = 0;
    if (text[0] == '\0') return false;
    for (; *text != '\0'; text++) {
        unsigned digit = (unsigned char)*text - '0';
        /* the next step would exceed `most` */
        if (digit > 9 || value > (most - digit) / 10) return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

static shoal_status fail_number(const reading *r, const char *key, const char *wanted)
{
    unsigned line = shoal_plan_key_line(r->text, r->size, 0, key);
    if (line == 0)
        return shoal_fail(r->err, SHOAL_EINVAL, "plan '{file %.300s}': %s must be {text %s}",
                          r->name, key, wanted);
    return shoal_fail(r->err, SHOAL_EINVAL,
                      "plan '{file %.300s}': line {line %u}: %s must be {text %s}", r->name, line,
                      key, wanted);
}

static shoal_status read_numbers(const reading *r)
{
    uint64_t value;
    shoal_spec *plan = r->plan;
    if (r->file->k != NULL) {
        if (!parse_whole(r->file->k, UINT32_MAX, &value) || value == 0)
            return fail_number(
                r, "k",
                "a whole number of at least 2 and below 2^32 {fix} write, for example, k: 10");
        plan->k = (uint32_t)value;
    }
    if (r->file->m_invariance != NULL) {
        if (!parse_whole(r->file->m_invariance, UINT32_MAX, &value) || value < 2)
            return fail_number(
                r, "m-invariance",
                "a whole number of at least 2 {fix} write, for example, m-invariance: 3");
        plan->m_invariance = (uint32_t)value;
    }
    if (r->file->seed != NULL) {
        if (!parse_whole(r->file->seed, UINT64_MAX, &plan->seed))
            return fail_number(r, "seed", "a whole number, 0 or more");
        plan->has_seed = 1;
    }
    if (r->file->threads != NULL) {
        if (!parse_whole(r->file->threads, 4096, &value) || value == 0)
            return fail_number(r, "threads", "a whole number from 1 to 4096");
        plan->threads = (uint32_t)value;
    }
    if (r->file->time_limit != NULL) {
        double seconds;
        if (!shoal_parse_number(r->file->time_limit, strlen(r->file->time_limit), &seconds) ||
            !(seconds > 0))
            return fail_number(r, "time-limit", "a number of seconds above 0");
        plan->time_limit = seconds;
    }
    if (r->file->suppression_limit != NULL) {
        double share;
        const char *text = r->file->suppression_limit;
        if (!shoal_parse_number(text, strlen(text), &share) || !(share >= 0 && share <= 1))
            return fail_number(r, "suppression-limit", "a share of the rows from 0 to 1");
        plan->suppression_limit = share;
    }
    return SHOAL_OK;
}

/* ---- other settings ---- */

/* Set a path field: relative paths are relative to the folder of the plan. */
static shoal_status set_path(const reading *r, const char **field, const char *path)
{
    const char *slash = strrchr(r->name, '/');
    if (path[0] == '/' || slash == NULL) return shoal_spec_set_string(field, path, r->err);
    shoal_buffer joined = { 0 };
    shoal_buffer_add(&joined, r->name, (size_t)(slash + 1 - r->name));
    shoal_buffer_add(&joined, path, strlen(path));
    shoal_status status = joined.failed ? shoal_fail_memory(r->err)
                                        : shoal_spec_set_string(field, joined.data, r->err);
    shoal_buffer_clear(&joined);
    return status;
}

static shoal_status read_delimiter(const reading *r, const char *text)
{
    if (strcmp(text, "tab") == 0) text = "\t";
    if (strlen(text) != 1 || text[0] == '"' || text[0] == '\n' || text[0] == '\r')
        return fail_number(r, "delimiter", "one character, such as \",\", \";\", \"|\" or tab");
    r->plan->delimiter = text[0];
    return SHOAL_OK;
}

static shoal_status read_input(const reading *r)
{
    const plan_file_input *input = r->file->input;
    if (input == NULL) return SHOAL_OK;
    if (input->delimiter != NULL) SHOAL_RETURN_IF_ERROR(read_delimiter(r, input->delimiter));
    r->plan->no_header = input->header == 2;
    if (input->encoding != NULL) r->plan->encoding = shoal_encoding_of_name(input->encoding);
    if (input->encoding != NULL && r->plan->encoding == SHOAL_ENCODING_UNSET)
        return fail_number(r, "encoding",
                           "utf-8, utf-16, utf-16le, utf-16be, windows-1252, latin-1 or latin-9");
    r->plan->missing = input->missing;
    for (unsigned i = 0; i < input->null_count; i++)
        SHOAL_RETURN_IF_ERROR(shoal_spec_add_null(r->plan, input->null[i], r->err));
    for (unsigned i = 0; i < input->nulls_count; i++)
        SHOAL_RETURN_IF_ERROR(shoal_spec_add_null(r->plan, input->nulls[i], r->err));
    return SHOAL_OK;
}

static shoal_status read_columns(const reading *r)
{
    for (unsigned i = 0; i < r->file->columns_count; i++) {
        const plan_file_column *from = &r->file->columns[i];
        size_t before = r->plan->n_columns;
        shoal_column_spec *to = shoal_spec_column_of(r->plan, from->name);
        if (to == NULL) return shoal_fail_memory(r->err);
        if (r->plan->n_columns == before)
            return shoal_fail(r->err, SHOAL_EINVAL,
                              "plan '{file %.300s}': column '{column %.300s}' is listed twice "
                              "{fix} keep one entry",
                              r->name, from->name);
        to->role = (shoal_role)from->role;
        to->type = from->type > 0 ? (shoal_type)(from->type - 1) : SHOAL_TYPE_AUTO;
        SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&to->ordered, from->ordered, r->err));
        SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&to->join, from->join, r->err));
        SHOAL_RETURN_IF_ERROR(
            shoal_spec_set_string(&to->sensitive_range, from->sensitive_range, r->err));
        SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&to->priority, from->priority, r->err));
        SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&to->weights, from->weights, r->err));
        SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&to->max_level, from->max_level, r->err));
        SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&to->format, from->format, r->err));
        SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&to->why, from->why, r->err));
        if (from->hierarchy == NULL) continue;
        if (shoal_hierarchy_recipe(from->hierarchy) != NULL)
            SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&to->hierarchy, from->hierarchy, r->err));
        else
            SHOAL_RETURN_IF_ERROR(set_path(r, &to->hierarchy, from->hierarchy));
    }
    return SHOAL_OK;
}

static shoal_status read_method(const reading *r)
{
    const plan_file *file = r->file;
    if (file->algorithm != NULL)
        SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&r->plan->algorithm, file->algorithm, r->err));
    for (unsigned i = 0; i < file->params_count; i++)
        SHOAL_RETURN_IF_ERROR(
            shoal_spec_set_param(r->plan, file->params[i].name, file->params[i].value, r->err));
    if (file->hierarchies != NULL)
        SHOAL_RETURN_IF_ERROR(set_path(r, &r->plan->hierarchies, file->hierarchies));
    r->plan->rest = file->rest;
    r->plan->on_missing = file->on_missing;
    r->plan->domain = file->domain;
    r->plan->drop_suppressed = file->drop_suppressed == 1;
    r->plan->suppressed = file->suppressed;
    r->plan->recoding = file->recoding;
    r->plan->row_order = file->row_order;
    r->plan->skip_rows = file->skip_rows;
    r->plan->pending = file->pending;
    r->plan->erasures = file->erasures;
    if (file->series != NULL) SHOAL_RETURN_IF_ERROR(set_path(r, &r->plan->series, file->series));
    SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&r->plan->record_key, file->record_key, r->err));
    SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&r->plan->priority, file->priority, r->err));
    return shoal_spec_set_string(&r->plan->weights, file->weights, r->err);
}

static shoal_status read_models(const reading *r)
{
    for (unsigned i = 0; i < r->file->models_count; i++) {
        const plan_file_model *model = &r->file->models[i];
        SHOAL_RETURN_IF_ERROR(
            shoal_spec_add_model(r->plan, model->name, model->value, model->column, r->err));
    }
    return r->file->population != NULL ? set_path(r, &r->plan->population, r->file->population)
                                       : SHOAL_OK;
}

/* An empty text is one that was not stated. */
static shoal_status read_about(const reading *r)
{
    const plan_file_about *about = r->file->about;
    if (about == NULL) return SHOAL_OK;
    const char *const texts[SHOAL_N_ABOUT] = { about->purpose,     about->recipients,
                                               about->environment, about->contact,
                                               about->review_date, about->earlier_releases };
    for (size_t i = 0; i < SHOAL_N_ABOUT; i++)
        if (texts[i] != NULL && texts[i][0] != '\0')
            SHOAL_RETURN_IF_ERROR(shoal_spec_set_string(&r->plan->about[i], texts[i], r->err));
    return SHOAL_OK;
}

static shoal_status read_file(const reading *r)
{
    SHOAL_RETURN_IF_ERROR(read_about(r));
    SHOAL_RETURN_IF_ERROR(read_input(r));
    SHOAL_RETURN_IF_ERROR(read_columns(r));
    SHOAL_RETURN_IF_ERROR(read_method(r));
    SHOAL_RETURN_IF_ERROR(read_models(r));
    return read_numbers(r);
}

static void *cyaml_alloc(void *payload, void *block, size_t size)
{
    (void)payload;
    /* cyaml requests one more entry at a time: grow geometrically */
    size_t room = 4096;
    while (room < size && room <= SIZE_MAX / 2) room *= 2;
    if (size > 0) return shoal_resize(block, size < 4096 || room < size ? size : room, 1);
    shoal_free(block);
    return NULL;
}

shoal_status shoal_plan_parse(shoal_spec *plan, const char *text, size_t size, const char *name,
                              shoal_error *err)
{
    plan_complaint complaint = { .line = 0 };
    plan_file *file = NULL;
    cyaml_config_t config = { .log_fn = shoal_plan_hear,
                              .log_ctx = &complaint,
                              .mem_fn = cyaml_alloc,
                              .log_level = CYAML_LOG_WARNING,
                              .flags = CYAML_CFG_NO_ALIAS };
    shoal_buffer json = { 0 };
    bool is_json = shoal_json_as_yaml(&json, text, size);
    if (json.failed) {
        shoal_buffer_clear(&json);
        return shoal_fail_memory(err);
    }
    cyaml_err_t result = cyaml_load_data((const uint8_t *)(is_json ? json.data : text),
                                         is_json ? json.size : size, &config, &shoal_plan_schema,
                                         (cyaml_data_t **)&file, NULL);
    shoal_buffer_clear(&json);
    /* libyaml has no words for short memory, and cyaml writes (null) instead */
    bool has_no_words = result == CYAML_ERR_LIBYAML_PARSER &&
                        strstr(complaint.what, "(null)") != NULL;
    if (result == CYAML_ERR_OOM || result == CYAML_ERR_LIBYAML_PARSER_INIT || has_no_words)
        return shoal_fail_memory(err);
    if (result == CYAML_ERR_ALIAS) complaint.has_alias = true;
    if (result != CYAML_OK) return shoal_plan_explain(&complaint, text, size, name, err);

    shoal_status status = SHOAL_OK;
    reading r = {
        .plan = plan, .file = file, .text = text, .size = size, .name = name, .err = err
    };
    if (complaint.several_documents)
        status = shoal_fail(err, SHOAL_EINVAL,
                            "plan '{file %.300s}': several documents (---) {fix} keep one", name);
    else if (file != NULL) /* a file of comments alone is empty */
        status = read_file(&r);
    cyaml_free(&config, &shoal_plan_schema, file, 0);
    return status;
}

static shoal_status fail_size(const char *path, shoal_error *err)
{
    return shoal_fail(err, SHOAL_EINVAL,
                      "plan '{file %s}': larger than 16 MiB {fix} check that it is a plan", path);
}

/* Until its end, or until it is too large. */
static shoal_status read_plan(shoal_buffer *text, shoal_input *input, shoal_error *err)
{
    shoal_status status = shoal_input_start(input, SHOAL_COMPRESSION_NONE, err);
    while (status == SHOAL_OK && !input->is_unpacked && text->size <= LARGEST_PLAN)
        status = shoal_input_step(text, input, err);
    shoal_input_end(input);
    return status;
}

static shoal_status load_descriptor(shoal_spec *plan, int fd, const char *path, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    struct stat info;
    shoal_buffer text = { 0 };
    shoal_input input = {
        .fd = fd, .name = path, .spill = -1, .chunk = shoal_alloc(SHOAL_CHUNK_SIZE, 1)
    };
    if (input.chunk == NULL) SHOAL_GOTO_IF_ERROR(shoal_fail_memory(err), out);
    if (fstat(fd, &info) == 0 && info.st_size > LARGEST_PLAN)
        SHOAL_GOTO_IF_ERROR(fail_size(path, err), out);
    SHOAL_GOTO_IF_ERROR(read_plan(&text, &input, err), out);
    if (text.size > LARGEST_PLAN) /* or without end, as /dev/zero is */
        SHOAL_GOTO_IF_ERROR(fail_size(path, err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_plan_parse(plan, text.data != NULL ? text.data : "", text.size, path, err), out);
out:
    shoal_buffer_clear(&text);
    shoal_free(input.chunk);
    return status;
}

shoal_status shoal_plan_load(shoal_spec *plan, const char *path, shoal_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return shoal_fail(err, SHOAL_EIO, "cannot open plan '{file %s}': %s", path,
                          strerror(errno));
    shoal_status status = load_descriptor(plan, fd, path, err);
    close(fd);
    if (status != SHOAL_OK) shoal_spec_clear(plan);
    return status;
}
