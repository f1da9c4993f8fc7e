/* SPDX-License-Identifier: Apache-2.0 */
/* load_job.c - from options to a loaded table: what anonymize, check, measure and bound share.
 *
 * Flags fill a plan; the plan file is laid under it, so an option overrides the file. The library
 * does the rest (shoal_plan_prepare), so a plan means the same here as anywhere else.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* The option that names columns of a role or type. */
static cli_option_id option_named(const char *name)
{
    cli_option_id option = 0;
    while (option < OPT_COUNT && (cli_options[option].group != GROUP_ROLES ||
                                  strcmp(cli_options[option].name, name) != 0))
        option++;
    return option;
}

static shoal_status add_role(shoal_plan *plan, const char *name, cli_option_id option,
                             shoal_role role, shoal_error *err)
{
    if (*name == '\0')
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--%s has an empty column name {fix} write --%s a,b without a comma at the end",
            cli_options[option].name, cli_options[option].name);
    shoal_plan_column *column = shoal_plan_column_of(plan, name);
    if (column == NULL) return shoal_fail_memory(err);
    if (column->role != SHOAL_ROLE_UNSET && column->role != role)
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '%s' has two roles, --%s and --%s {fix} use only one of them",
                          name, shoal_role_option(column->role), cli_options[option].name);
    column->role = role;
    return SHOAL_OK;
}

static shoal_status add_type(shoal_plan *plan, const char *name, cli_option_id option,
                             shoal_type type, shoal_error *err)
{
    shoal_plan_column *column = shoal_plan_column_of(plan, name);
    if (column == NULL) return shoal_fail_memory(err);
    if (column->type != SHOAL_TYPE_AUTO && column->type != type)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "column '%s' has two types, the second from --%s {fix} use only one of them", name,
            cli_options[option].name);
    column->type = type;
    return SHOAL_OK;
}

static shoal_status read_columns(shoal_plan *plan, const cli_args *args, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    cli_list list;
    for (size_t i = 0; shoal_role_at(i) != SHOAL_ROLE_UNSET; i++) {
        shoal_role role = shoal_role_at(i);
        if (shoal_role_option(role) == NULL) continue;
        cli_option_id option = option_named(shoal_role_option(role));
        CLI_RETURN_IF_ERROR(cli_list_of(&list, args, option, err));
        for (size_t j = 0; j < list.n_items && status == SHOAL_OK; j++)
            status = add_role(plan, list.items[j], option, role, err);
        cli_list_clear(&list);
        CLI_RETURN_IF_ERROR(status);
    }
    for (size_t i = 0; shoal_type_at(i) != SHOAL_TYPE_AUTO; i++) {
        shoal_type type = shoal_type_at(i);
        if (type == SHOAL_TYPE_ORDERED) continue; /* --ordered says which order, too */
        cli_option_id option = option_named(shoal_type_name(type));
        CLI_RETURN_IF_ERROR(cli_list_of(&list, args, option, err));
        for (size_t j = 0; j < list.n_items && status == SHOAL_OK; j++)
            status = add_type(plan, list.items[j], option, type, err);
        cli_list_clear(&list);
        CLI_RETURN_IF_ERROR(status);
    }
    return SHOAL_OK;
}

/* Cut "NAME=VALUE" at its first `=` that no backslash protects; returns the value, or NULL. */
static char *cut_pair(char *text)
{
    char *to = text;
    for (char *at = text; *at != '\0'; at++) {
        if (*at == '\\' && (at[1] == '=' || at[1] == '\\')) {
            *to++ = *++at;
        } else if (*at == '=') {
            *to = '\0';
            return at + 1;
        } else {
            *to++ = *at;
        }
    }
    return NULL;
}

/* The text of a column that an option sets. */
static const char **field_of(shoal_plan_column *column, cli_option_id option)
{
    switch (option) {
    case OPT_SENSITIVE_RANGE: return &column->sensitive_range;
    case OPT_ORDERED: return &column->ordered;
    case OPT_JOIN: return &column->join;
    case OPT_WEIGHTS: return &column->weights;
    case OPT_MAX_LEVEL: return &column->max_level;
    case OPT_FORMAT: return &column->format;
    default: return &column->hierarchy;
    }
}

static shoal_status add_pair(shoal_plan *plan, char *text, cli_option_id option, shoal_error *err)
{
    if (option == OPT_WEIGHTS && strchr(text, '=') == NULL)
        return shoal_plan_set_string(&plan->weights, text, err);
    char *value = cut_pair(text);
    if (value == NULL || *text == '\0' || *value == '\0')
        return shoal_fail(err, SHOAL_EINVAL, "--%s: name or value missing {fix} write --%s %s",
                          cli_options[option].name, cli_options[option].name,
                          cli_options[option].argument);
    if (option == OPT_PARAM) return shoal_plan_set_param(plan, text, value, err);
    shoal_plan_column *column = shoal_plan_column_of(plan, text);
    if (column == NULL) return shoal_fail_memory(err);
    return shoal_plan_set_string(field_of(column, option), value, err);
}

static shoal_status read_repeated(shoal_plan *plan, const cli_args *args, cli_option_id option,
                                  shoal_error *err)
{
    cli_list list;
    CLI_RETURN_IF_ERROR(cli_list_of(&list, args, option, err));
    shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < list.n_items && status == SHOAL_OK; i++)
        status = option == OPT_NULL ? shoal_plan_add_null(plan, list.items[i], err)
                                    : add_pair(plan, list.items[i], option, err);
    cli_list_clear(&list);
    return status;
}

shoal_status cli_encoding(shoal_encoding *out, const cli_args *args, cli_option_id option,
                          shoal_error *err)
{
    const char *name = cli_value(args, option);
    *out = name != NULL ? shoal_encoding_of_name(name) : SHOAL_ENCODING_UNSET;
    if (name == NULL || *out != SHOAL_ENCODING_UNSET) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "--%s: unknown encoding {fix} use utf-8, utf-16, utf-16le, utf-16be, "
                      "windows-1252, latin-1 or latin-9",
                      cli_options[option].name);
}

shoal_status cli_csv_options(shoal_csv_options *out, const cli_args *args, shoal_error *err)
{
    *out = (shoal_csv_options)SHOAL_CSV_OPTIONS_INIT;
    out->no_header = cli_has(args, OPT_NO_HEADER);
    CLI_RETURN_IF_ERROR(cli_encoding(&out->encoding, args, OPT_ENCODING, err));
    const char *text = cli_value(args, OPT_DELIMITER);
    if (text == NULL) return SHOAL_OK;
    bool tab = strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0;
    if (!tab && (strlen(text) != 1 || strchr("\"\r\n", *text) != NULL))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--delimiter: not one character {fix} write --delimiter ';' or --delimiter tab");
    out->delimiter = tab ? '\t' : *text;
    return SHOAL_OK;
}

shoal_status cli_threads(uint32_t *out, const cli_args *args, shoal_error *err)
{
    uint64_t threads = shoal_processors();
    CLI_RETURN_IF_ERROR(cli_number(&threads, args, OPT_THREADS, 1, 4096, err));
    *out = cli_startable_threads((uint32_t)threads);
    if (*out < threads && cli_has(args, OPT_THREADS))
        cli_warn("only %u of %u threads could be started\n"
                 "fix: raise the limits on processes and memory (ulimit)",
                 *out, (unsigned)threads);
    return SHOAL_OK;
}

/* k has its own message because it has no default. */
static shoal_status read_k(shoal_plan *plan, const cli_args *args, shoal_error *err)
{
    uint64_t k = 0;
    if (!cli_has(args, OPT_K)) return SHOAL_OK;
    if (cli_number(&k, args, OPT_K, 2, UINT32_MAX - 2, err) != SHOAL_OK)
        return shoal_fail(err, SHOAL_EINVAL,
                          "k must be a whole number from 2 to %u {fix} write, for example, -k 10",
                          UINT32_MAX - 2);
    plan->k = (uint32_t)k;
    return SHOAL_OK;
}

static shoal_status read_method(shoal_plan *plan, const cli_args *args, shoal_error *err)
{
    CLI_RETURN_IF_ERROR(read_k(plan, args, err));
    if (cli_has(args, OPT_ALGORITHM))
        CLI_RETURN_IF_ERROR(
            shoal_plan_set_string(&plan->algorithm, cli_value(args, OPT_ALGORITHM), err));
    CLI_RETURN_IF_ERROR(read_repeated(plan, args, OPT_PARAM, err));
    if (cli_has(args, OPT_PRIORITY))
        CLI_RETURN_IF_ERROR(
            shoal_plan_set_string(&plan->priority, cli_value(args, OPT_PRIORITY), err));
    CLI_RETURN_IF_ERROR(read_repeated(plan, args, OPT_WEIGHTS, err));
    CLI_RETURN_IF_ERROR(read_repeated(plan, args, OPT_MAX_LEVEL, err));
    if (cli_has(args, OPT_EFFORT))
        CLI_RETURN_IF_ERROR(shoal_plan_set_param(plan, "effort", cli_value(args, OPT_EFFORT), err));
    CLI_RETURN_IF_ERROR(cli_number(&plan->seed, args, OPT_SEED, 0, UINT64_MAX, err));
    plan->has_seed = cli_has(args, OPT_SEED);
    CLI_RETURN_IF_ERROR(cli_real(&plan->time_limit, args, OPT_TIME_LIMIT, err));
    if (cli_has(args, OPT_THREADS)) CLI_RETURN_IF_ERROR(cli_threads(&plan->threads, args, err));
    plan->drop_suppressed = cli_has(args, OPT_DROP_SUPPRESSED);
    plan->row_order = cli_choice(args, OPT_ROW_ORDER);
    plan->recoding = cli_choice(args, OPT_RECODING); /* choices are in the order of the enum */
    return SHOAL_OK;
}

static shoal_status read_table_flags(shoal_plan *plan, const cli_args *args, shoal_error *err)
{
    shoal_csv_options csv;
    CLI_RETURN_IF_ERROR(read_columns(plan, args, err));
    int rest = cli_choice(args, OPT_REST);
    plan->rest = rest == 0 ? 0 : rest == 1 ? SHOAL_ROLE_OTHER : SHOAL_ROLE_DROP;
    CLI_RETURN_IF_ERROR(cli_csv_options(&csv, args, err));
    plan->delimiter = csv.delimiter;
    plan->no_header = csv.no_header;
    plan->encoding = csv.encoding;
    CLI_RETURN_IF_ERROR(read_repeated(plan, args, OPT_NULL, err));
    /* choices are in the order of the enums */
    plan->missing = cli_choice(args, OPT_MISSING);
    plan->on_missing = cli_choice(args, OPT_ON_MISSING);
    plan->domain = cli_choice(args, OPT_DOMAIN);
    plan->skip_rows = cli_choice(args, OPT_SKIP_ROWS);
    plan->suppressed = cli_choice(args, OPT_SUPPRESSED);
    if (cli_has(args, OPT_HIERARCHIES))
        CLI_RETURN_IF_ERROR(
            shoal_plan_set_string(&plan->hierarchies, cli_value(args, OPT_HIERARCHIES), err));
    CLI_RETURN_IF_ERROR(read_repeated(plan, args, OPT_FORMAT, err));
    CLI_RETURN_IF_ERROR(read_repeated(plan, args, OPT_SENSITIVE_RANGE, err));
    CLI_RETURN_IF_ERROR(read_repeated(plan, args, OPT_ORDERED, err));
    CLI_RETURN_IF_ERROR(read_repeated(plan, args, OPT_JOIN, err));
    return read_repeated(plan, args, OPT_HIERARCHY, err);
}

shoal_status cli_check_algorithm(const char *name, shoal_error *err)
{
    const char *names[128];
    char all[400] = "";
    size_t n_names = shoal_algorithm_count();
    if (n_names > 128) n_names = 128;
    for (size_t i = 0; i < n_names; i++) {
        names[i] = shoal_algorithm_name(i);
        if (strcmp(names[i], name) == 0) return SHOAL_OK;
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *nearest = cli_nearest(name, names, n_names);
    if (nearest != NULL)
        return shoal_fail(err, SHOAL_EINVAL, "there is no algorithm '%.60s' {fix} did you mean %s?",
                          name, nearest);
    return shoal_fail(err, SHOAL_EINVAL,
                      "there is no algorithm '%.60s' {fix} the algorithms are %s", name, all);
}

const char *cli_person_column(const shoal_plan *plan)
{
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == SHOAL_ROLE_ENTITY) return plan->columns[i].name;
    return NULL;
}

/* Is a class by a flag a quasi-identifier by the plan? */
static bool has_quasi_class(const shoal_plan *flags, const shoal_plan *plan)
{
    for (size_t i = 0; i < flags->n_columns; i++)
        for (size_t j = 0; flags->columns[i].role == SHOAL_ROLE_CLASS && j < plan->n_columns; j++)
            if (plan->columns[j].role == SHOAL_ROLE_QUASI &&
                strcmp(plan->columns[j].name, flags->columns[i].name) == 0)
                return true;
    return false;
}

/*
 * Under a memory limit large blocks are given back when they are freed. The C library would keep
 * them from the second on, for blocks to come, and what it keeps counts as used: a fifth of the
 * whole, or a third.
 */
static void give_memory_back(void)
{
#ifdef __GLIBC__
    enum { LARGE = 1 << 16 };
    mallopt(M_MMAP_THRESHOLD, LARGE);
    mallopt(M_TRIM_THRESHOLD, LARGE);
#endif
}

static bool is_regular(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* A shoal_open_fn: standard input may keep us waiting, and then an interrupt ends the command. */
static shoal_status open_path(shoal_table **out, const char *path, const shoal_csv_options *csv,
                              void *payload, shoal_error *err)
{
    cli_call *call = payload;
    struct stat info;
    cli_interrupt_mode_set(INTERRUPT_ENDS);
    CLI_RETURN_IF_ERROR(shoal_io_open_table(out, path, csv, err));
    cli_interrupt_mode_set(INTERRUPT_ASKS);
    if (call->table == NULL) /* else this is its population */
        call->progress.bytes = is_regular(path) && stat(path, &info) == 0 ? (uint64_t)info.st_size
                                                                          : 0;
    return SHOAL_OK;
}

static void note_rows(const shoal_table *table, void *payload)
{
    cli_call *call = payload;
    if (call->table == NULL) call->progress.rows = shoal_table_n_rows(table);
}

enum { WORTH_TELLING = 16 }; /* MB */

/* A shoal_progress_fn; `payload` is the call. */
static int step(const char *phase, double fraction, void *payload)
{
    return cli_progress_step(phase, fraction, &((cli_call *)payload)->progress);
}

/* A shoal_callbacks.need: print how much memory is needed, if it is much. */
static void tell_need(uint64_t n_bytes, void *payload)
{
    const cli_call *call = payload;
    if (call->is_quiet || n_bytes >> 20 < WORTH_TELLING) return;
    fprintf(stderr, "shoal: %s needs every row in memory: about %llu MB\n",
            call->options.needs_rows, (unsigned long long)(n_bytes >> 20) + 1);
}

/* How tables are read: threads, memory, progress. */
static shoal_status set_options(cli_call *call, const cli_args *args, shoal_error *err)
{
    shoal_job_options *o = &call->options;
    CLI_RETURN_IF_ERROR(cli_size(&o->memory_limit, args, OPT_MEMORY_LIMIT, err));
    if (o->memory_limit > 0) give_memory_back();
    if (call->plan->threads != 0)
        o->threads = cli_startable_threads(call->plan->threads);
    else
        CLI_RETURN_IF_ERROR(cli_threads(&o->threads, args, err));
    call->loading = call->progress.callbacks;
    call->loading.progress = step;
    call->loading.need = tell_need;
    call->loading.payload = call;
    o->callbacks = &call->loading;
    o->open = open_path;
    o->loaded = note_rows;
    o->open_payload = call;
    shoal_job_set(call->job, o);
    return SHOAL_OK;
}

shoal_status cli_call_init(cli_call *call, const cli_args *args, shoal_error *err)
{
    *call = (cli_call){ .options = SHOAL_JOB_OPTIONS_INIT };
    cli_progress_init(&call->progress, args);
    CLI_RETURN_IF_ERROR(shoal_job_make(&call->job, NULL, err));
    call->plan = shoal_job_spec(call->job);
    call->by_person = cli_has(args, OPT_ENTITY);
    call->is_quiet = cli_has(args, OPT_QUIET);
    CLI_RETURN_IF_ERROR(read_table_flags(call->plan, args, err));
    CLI_RETURN_IF_ERROR(read_method(call->plan, args, err));
    CLI_RETURN_IF_ERROR(cli_models_read(call->plan, args, err));
    CLI_RETURN_IF_ERROR(cli_series_read(call->plan, args, err));
    if (cli_has(args, OPT_PLAN)) {
        shoal_plan under = SHOAL_PLAN_INIT;
        shoal_status status = shoal_plan_load(&under, cli_value(args, OPT_PLAN), err);
        call->class_was_quasi = status == SHOAL_OK && has_quasi_class(call->plan, &under);
        if (status == SHOAL_OK) status = shoal_plan_lay_under(call->plan, &under, err);
        shoal_plan_clear(&under);
        CLI_RETURN_IF_ERROR(status);
    }
    if (call->plan->algorithm != NULL)
        CLI_RETURN_IF_ERROR(cli_check_algorithm(call->plan->algorithm, err));
    return set_options(call, args, err);
}

shoal_status cli_call_need_k(const cli_call *call, shoal_error *err)
{
    return shoal_plan_need_k(call->plan, err);
}

shoal_status cli_call_need_k_of_method(const cli_call *call, shoal_error *err)
{
    const char *algorithm = call->plan->algorithm;
    for (size_t i = 0; algorithm != NULL && i < shoal_algorithm_count(); i++)
        if (strcmp(shoal_algorithm_name(i), algorithm) == 0 && !shoal_algorithm_needs_k(i))
            return SHOAL_OK;
    return cli_call_need_k(call, err);
}

shoal_status cli_call_load(cli_call *call, const char *path, bool need_roles, shoal_error *err)
{
    double start = cli_seconds();
    shoal_table *table = NULL;
    shoal_job_set(call->job, &call->options);
    shoal_status status = shoal_job_load_file(&table, call->job, path, need_roles, err);
    call->read_seconds = cli_seconds() - start;
    call->table = table;
    return status;
}

void cli_call_clear(cli_call *call)
{
    cli_progress_end(&call->progress);
    shoal_table_free(call->table);
    shoal_job_free(call->job);
    call->table = NULL;
    call->job = NULL;
}

shoal_status cli_refuse_same_file(const char *input, const char *target, const char *what,
                                  shoal_error *err)
{
    if (input == NULL || target == NULL) return SHOAL_OK;
    /* `-` may be the same file behind a redirection; only a regular file can be destroyed by it. */
    if (strcmp(input, "-") == 0) input = "/dev/stdin";
    if (strcmp(target, "-") == 0) target = "/dev/stdout";
    if (!is_regular(input) || !shoal_io_same_file(input, target)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "%s names an input file {fix} choose another name for the output", what);
}

shoal_status cli_refuse_inputs(const cli_args *args, const char *target, const char *what,
                               shoal_error *err)
{
    static const cli_option_id are_read[] = { OPT_PLAN,     OPT_POPULATION,    OPT_ORIGINAL,
                                              OPT_HELD_OUT, OPT_WORKLOAD_FILE, OPT_SENSITIVE_TABLE,
                                              OPT_RELEASE,  OPT_LEVELS,        OPT_KEY,
                                              OPT_AFTER,    OPT_HIERARCHY };
    for (size_t i = 0; i < args->n_positional; i++)
        CLI_RETURN_IF_ERROR(cli_refuse_same_file(args->positional[i], target, what, err));
    for (size_t i = 0; i < args->n_given; i++)
        for (size_t r = 0; r < sizeof are_read / sizeof *are_read; r++) {
            const char *path = args->given[i].value;
            if (args->given[i].option != are_read[r]) continue;
            /* COLUMN=FILE */
            if (are_read[r] == OPT_HIERARCHY)
                path = strchr(path, '=') != NULL ? strchr(path, '=') + 1 : NULL;
            CLI_RETURN_IF_ERROR(cli_refuse_same_file(path, target, what, err));
        }
    return SHOAL_OK;
}

/* A shoal_spell_fn; `payload` is the name of the file. */
static void spell_source(char *word, size_t size, shoal_word_kind kind, void *payload)
{
    if (kind == SHOAL_WORD_SOURCE) snprintf(word, size, "'%.300s'", (const char *)payload);
}

/* "csv: row 3 ..." becomes "'people.csv': row 3 ...". */
static shoal_status name_file(shoal_status status, const char *path, shoal_error *err)
{
    if (status != SHOAL_EDATA) return status;
    char name[sizeof err->file];
    snprintf(name, sizeof name, "%s", strcmp(path, "-") == 0 ? "standard input" : path);
    shoal_error_spell(err, spell_source, name);
    return status;
}

static shoal_status set_nulls(shoal_table *table, const cli_args *args, shoal_error *err)
{
    cli_list nulls;
    CLI_RETURN_IF_ERROR(cli_list_of(&nulls, args, OPT_NULL, err));
    shoal_status status = SHOAL_OK;
    if (nulls.n_items > 0)
        status = shoal_table_set_nulls(table, (const char *const *)nulls.items, nulls.n_items,
                                       SHOAL_MISSING_OWN_CATEGORY, err);
    cli_list_clear(&nulls);
    return status;
}

shoal_status cli_load_column(shoal_table **out, size_t *column, const cli_args *args,
                             const char *path, cli_progress *progress, shoal_error *err)
{
    shoal_csv_options csv;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    const char *name = cli_value(args, OPT_COLUMN);
    CLI_RETURN_IF_ERROR(cli_csv_options(&csv, args, err));
    CLI_RETURN_IF_ERROR(cli_threads(&options.threads, args, err));
    const char *spec = cli_value(args, OPT_SPEC);
    /* learn compares with all other columns */
    options.encode_all = column == NULL || (spec != NULL && strncmp(spec, "learn", 5) == 0);
    options.callbacks = &progress->callbacks;

    shoal_table *table = NULL;
    shoal_status status = SHOAL_OK;
    cli_interrupt_mode_set(INTERRUPT_ENDS);
    CLI_RETURN_IF_ERROR(name_file(shoal_io_open_table(&table, path, &csv, err), path, err));
    cli_interrupt_mode_set(INTERRUPT_ASKS);
    CLI_GOTO_IF_ERROR(set_nulls(table, args, err), out);
    if (column != NULL) {
        *column = shoal_table_find_column(table, name);
        if (*column == SIZE_MAX) {
            status = shoal_fail(err, SHOAL_EINVAL,
                                "the table has no column '%.100s' {fix} check the name after "
                                "--column against the header",
                                name);
            goto out;
        }
        CLI_GOTO_IF_ERROR(shoal_table_set_role(table, *column, SHOAL_ROLE_QUASI, err), out);
        CLI_GOTO_IF_ERROR(shoal_table_set_type(table, *column, SHOAL_TYPE_CATEGORICAL, err), out);
    }
    status = column != NULL ? shoal_table_load(table, &options, err)
                            : shoal_profile_load(table, &options, !cli_has(args, OPT_NULL), err);
    CLI_GOTO_IF_ERROR(name_file(status, path, err), out);
    *out = table;
    table = NULL;
out:
    shoal_table_free(table);
    return status;
}
