/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - configures, loads, queries and frees tables; sources open them (source.h). */
#include "table/order.h"
#include "table/dictionary.h"

/* ---- freeing ---- */

static void clear_encoding(shoal_column *column)
{
    shoal_free(column->codes);
    shoal_free(column->values);
    shoal_free(column->numbers);
    shoal_free(column->counts);
    column->pseudonyms = NULL; /* of the arena */
    column->codes = NULL;
    column->values = NULL;
    column->numbers = NULL;
    column->counts = NULL;
    column->n_values = 0;
    column->null_code = SHOAL_NO_CODE;
    column->type = column->asked_type;
    column->format = (shoal_format){ 0 };
    column->has_readings = false;
    column->is_encoded = false;
}

/* Back to the state before loading. */
void shoal_table_clear_rows(shoal_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++) clear_encoding(&table->columns[i]);
    shoal_free(table->weights);
    table->weights = NULL;
    table->source->kind->unload(table->source);
    table->n_rows = table->total = 0;
}

static void free_nulls(char **nulls, size_t n)
{
    for (size_t i = 0; nulls != NULL && i < n; i++) shoal_free(nulls[i]);
    shoal_free(nulls);
}

void shoal_table_free(shoal_table *table)
{
    if (table == NULL) return;
    if (table->source != NULL) shoal_table_clear_rows(table);
    for (size_t i = 0; i < table->n_columns; i++) {
        shoal_free(table->columns[i].name);
        shoal_free(table->columns[i].order);
        shoal_free(table->columns[i].sensitive_range);
        shoal_free(table->columns[i].level_weights);
        if (table->columns[i].hierarchy != NULL) shoal_hierarchy_free(table->columns[i].hierarchy);
    }
    shoal_free(table->columns);
    if (table->names != NULL) shoal_dictionary_clear(table->names);
    shoal_free(table->names);
    free_nulls(table->nulls, table->n_nulls);
    shoal_arena_clear(&table->arena);
    if (table->source != NULL) table->source->kind->free(table->source);
    shoal_free(table);
}

/* ---- properties of columns ---- */

uint32_t shoal_table_enter_name(shoal_table *table, size_t column)
{
    if (table->names == NULL) {
        table->names = shoal_alloc_zero(1, sizeof *table->names);
        if (table->names == NULL || !shoal_dictionary_init(table->names, table->n_columns))
            return SHOAL_NO_CODE;
    }
    const char *name = table->columns[column].name;
    size_t length = strlen(name);
    return shoal_dictionary_add(table->names, name, length, name + length, NULL);
}

static shoal_status check_column(const shoal_table *table, size_t column, shoal_error *err)
{
    if (column < table->n_columns) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "table: no column %zu {fix} use a number below %zu",
                      column, table->n_columns);
}

static shoal_status check_not_loaded(const shoal_table *table, shoal_error *err)
{
    if (!table->is_loaded) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EINVAL,
        "table: already loaded {fix} set roles, types and missing values before loading");
}

shoal_status shoal_table_set_role(shoal_table *table, size_t column, shoal_role role,
                                  shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_column(table, column, err));
    SHOAL_RETURN_IF_ERROR(check_not_loaded(table, err));
    if ((int)role < SHOAL_ROLE_UNSET || role > SHOAL_ROLE_PSEUDONYM)
        return shoal_fail(err, SHOAL_EINVAL, "table: unknown role %d", (int)role);
    table->columns[column].role = role;
    table->columns[column].role_rank = table->n_roles_given++;
    return SHOAL_OK;
}

shoal_status shoal_table_set_type(shoal_table *table, size_t column, shoal_type type,
                                  shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_column(table, column, err));
    SHOAL_RETURN_IF_ERROR(check_not_loaded(table, err));
    if ((int)type < SHOAL_TYPE_AUTO || type > SHOAL_TYPE_ORDERED)
        return shoal_fail(err, SHOAL_EINVAL, "table: unknown type %d", (int)type);
    table->columns[column].type = table->columns[column].asked_type = type;
    return SHOAL_OK;
}

shoal_status shoal_table_set_format(shoal_table *table, size_t column, const char *format,
                                    shoal_error *err)
{
    shoal_format read = { 0 };
    SHOAL_RETURN_IF_ERROR(check_column(table, column, err));
    SHOAL_RETURN_IF_ERROR(check_not_loaded(table, err));
    shoal_column *c = &table->columns[column];
    if (format != NULL && !shoal_format_parse(&read, format))
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %.100s}': unknown format {fix} write 1234.5 in the "
                          "format of the column, such as \"1.234,5\", \"1234 cm\" or \"$1,234.5\", "
                          "or a date as \"DD.MM.YYYY\", \"DD-Mon-YYYY\", \"MM/DD/YYYY hh:mm\" or, "
                          "for the years 1930 to 2029, \"DD.MM.YY from 1930\"",
                          c->name);
    shoal_type type = format == NULL                ? SHOAL_TYPE_AUTO
                      : shoal_format_is_date(&read) ? SHOAL_TYPE_DATE
                                                    : SHOAL_TYPE_NUMERIC;
    if (format != NULL && c->type != SHOAL_TYPE_AUTO && c->type != type)
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %.100s}' has the format of a %s but another type {fix} "
                          "remove the type or the format",
                          c->name, type == SHOAL_TYPE_DATE ? "date" : "number");
    c->has_format = format != NULL;
    c->asked_format = read;
    return SHOAL_OK;
}

const char *shoal_table_format(const shoal_table *table, size_t column)
{
    if (column >= table->n_columns) return NULL;
    const shoal_column *c = &table->columns[column];
    const shoal_format *format = c->is_encoded ? &c->format : &c->asked_format;
    return format->kind == SHOAL_FORMAT_NUMBER || format->kind == SHOAL_FORMAT_DATE ? format->spec
                                                                                    : NULL;
}

bool shoal_table_readings(const shoal_table *table, size_t column, const char *formats[2])
{
    if (column >= table->n_columns || !table->columns[column].has_readings) return false;
    for (size_t i = 0; i < 2; i++) formats[i] = table->columns[column].readings[i].spec;
    return true;
}

shoal_status shoal_table_set_hierarchy(shoal_table *table, size_t column,
                                       const shoal_hierarchy *hierarchy,
                                       shoal_on_missing on_missing, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_column(table, column, err));
    shoal_column *c = &table->columns[column];
    const shoal_hierarchy *before = c->hierarchy;
    c->hierarchy = hierarchy != NULL ? shoal_hierarchy_retain(hierarchy) : NULL;
    c->on_missing = on_missing;
    if (before != NULL) shoal_hierarchy_free(before); /* after retaining: it may be the same one */
    return SHOAL_OK;
}

/* Replace a text of a column by a copy of `spec`, or NULL. */
static shoal_status set_text(char **field, const char *spec, shoal_error *err)
{
    char *copy = spec == NULL ? NULL : shoal_copy_text(spec, strlen(spec));
    if (spec != NULL && copy == NULL) return shoal_fail_memory(err);
    shoal_free(*field);
    *field = copy;
    return SHOAL_OK;
}

shoal_status shoal_table_set_order(shoal_table *table, size_t column, const char *order,
                                   shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_table_set_type(table, column, SHOAL_TYPE_ORDERED, err));
    if (order != NULL && !shoal_order_is_sound(order))
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %.200s}': its order needs at least two labels, without "
                          "duplicates {fix} write low < middle < high, with blanks around <",
                          table->columns[column].name);
    return set_text(&table->columns[column].order, order, err);
}

shoal_status shoal_table_read_as(shoal_table *table, size_t column, const shoal_column *like,
                                 shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_table_set_type(table, column, like->type, err));
    bool has_format = like->format.kind == SHOAL_FORMAT_NUMBER ||
                      like->format.kind == SHOAL_FORMAT_DATE;
    SHOAL_RETURN_IF_ERROR(
        shoal_table_set_format(table, column, has_format ? like->format.spec : NULL, err));
    return like->type == SHOAL_TYPE_ORDERED ? shoal_table_set_order(table, column, like->order, err)
                                            : SHOAL_OK;
}

shoal_status shoal_table_set_sensitive_range(shoal_table *table, size_t column, const char *spec,
                                             shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_column(table, column, err));
    return set_text(&table->columns[column].sensitive_range, spec, err);
}

const char *shoal_table_sensitive_range(const shoal_table *table, size_t column)
{
    return column < table->n_columns ? table->columns[column].sensitive_range : NULL;
}

shoal_status shoal_table_set_level_weights(shoal_table *table, size_t column, const char *spec,
                                           shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_column(table, column, err));
    return set_text(&table->columns[column].level_weights, spec, err);
}

const char *shoal_table_level_weights(const shoal_table *table, size_t column)
{
    return column < table->n_columns ? table->columns[column].level_weights : NULL;
}

shoal_status shoal_table_set_priority(shoal_table *table, size_t column, double priority,
                                      shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_column(table, column, err));
    if (!(priority >= 0 && priority <= 1))
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %s}': its priority must be a number from 0 to 1",
                          table->columns[column].name);
    table->columns[column].unimportance = 1 - priority;
    return SHOAL_OK;
}

double shoal_table_priority(const shoal_table *table, size_t column)
{
    return column < table->n_columns ? 1 - table->columns[column].unimportance : 1;
}

shoal_status shoal_table_set_max_level(shoal_table *table, size_t column, uint32_t level,
                                       shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_column(table, column, err));
    table->columns[column].level_limit = level + 1; /* UINT32_MAX becomes 0 */
    return SHOAL_OK;
}

uint32_t shoal_table_max_level(const shoal_table *table, size_t column)
{
    return column < table->n_columns ? table->columns[column].level_limit - 1 : UINT32_MAX;
}

shoal_status shoal_table_set_nulls(shoal_table *table, const char *const *strings, size_t n,
                                   shoal_missing mode, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_not_loaded(table, err));
    char **copies = shoal_alloc_zero(n, sizeof *copies);
    bool enough = copies != NULL;
    for (size_t i = 0; enough && i < n; i++) {
        copies[i] = shoal_copy_text(strings[i], strlen(strings[i]));
        enough = copies[i] != NULL;
    }
    if (!enough) {
        free_nulls(copies, n);
        return shoal_fail_memory(err);
    }
    free_nulls(table->nulls, table->n_nulls);
    table->nulls = copies;
    table->n_nulls = n;
    table->missing = mode;
    return SHOAL_OK;
}

bool shoal_table_is_null_text(const shoal_table *table, shoal_text text)
{
    for (size_t i = 0; i < table->n_nulls; i++)
        if (strlen(table->nulls[i]) == text.length &&
            memcmp(table->nulls[i], text.data, text.length) == 0)
            return true;
    return false;
}

void shoal_table_exempt_suppressed(shoal_table *table, bool exempt)
{
    table->exempts_suppressed = exempt;
}

bool shoal_table_exempts_suppressed(const shoal_table *table)
{
    return table->exempts_suppressed;
}

void shoal_table_set_domain(shoal_table *table, bool data_only)
{
    table->domain_is_data = data_only;
}

/* ---- loading ---- */

enum { MAX_THREADS = 1024 }; /* more would fail to start on common systems */

shoal_status shoal_load_options_check(shoal_load_options *out, const shoal_load_options *given,
                                      shoal_error *err)
{
    *out = (shoal_load_options)SHOAL_LOAD_OPTIONS_INIT;
    if (given == NULL) return SHOAL_OK;
    if (given->size == 0 || given->size > sizeof *out)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "table: options not initialised, or made for a newer version of the library");
    memcpy(out, given, given->size);
    if (out->threads > MAX_THREADS) out->threads = MAX_THREADS;
    return SHOAL_OK;
}

shoal_status shoal_table_load(shoal_table *table, const shoal_load_options *options,
                              shoal_error *err)
{
    shoal_load_options checked;
    SHOAL_RETURN_IF_ERROR(shoal_load_options_check(&checked, options, err));
    if (table->is_loaded) return shoal_fail(err, SHOAL_EINVAL, "table: already loaded");
    if (table->exempts_suppressed && table->missing == SHOAL_MISSING_WILDCARD)
        return shoal_fail(err, SHOAL_EINVAL,
                          "{--suppressed} exempt and {--missing} wildcard cannot be combined {fix} "
                          "remove {--suppressed} exempt, or use {--missing} own-category");
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_COUNT) table->columns[c].type = SHOAL_TYPE_NUMERIC;
    table->memory_limit = checked.memory_limit;
    shoal_status status = table->source->kind->load(table, &checked, err);
    if (status == SHOAL_OK) status = shoal_take_line_counts(table, err);
    if (status != SHOAL_OK) {
        shoal_table_clear_rows(table);
        return status;
    }
    table->is_loaded = true;
    return SHOAL_OK;
}

shoal_status shoal_table_unchanged(const shoal_table *table, uint32_t threads, shoal_error *err)
{
    if (!table->is_loaded) return SHOAL_OK;
    return table->source->kind->compare(table->source, threads > 0 ? threads : 1, err);
}

/* ---- queries ---- */

size_t shoal_table_n_columns(const shoal_table *table)
{
    return table->n_columns;
}

const char *shoal_table_column_name(const shoal_table *table, size_t column)
{
    return column < table->n_columns ? table->columns[column].name : NULL;
}

size_t shoal_table_find_column(const shoal_table *table, const char *name)
{
    uint32_t code = table->names != NULL ? shoal_dictionary_find(table->names, name, strlen(name))
                                         : SHOAL_NO_CODE;
    for (size_t i = 0; table->names == NULL && i < table->n_columns; i++)
        if (strcmp(table->columns[i].name, name) == 0) return i;
    return code != SHOAL_NO_CODE ? code : SIZE_MAX;
}

shoal_encoding shoal_table_encoding(const shoal_table *table)
{
    shoal_encoding encoding = shoal_table_has_text(table) ? shoal_table_text(table)->encoding
                                                          : SHOAL_ENCODING_UNSET;
    return encoding == SHOAL_ENCODING_UNSET ? SHOAL_ENCODING_UTF_8 : encoding;
}

bool shoal_table_has_mark(const shoal_table *table)
{
    return shoal_table_has_text(table) && shoal_table_text(table)->has_mark;
}

char shoal_table_delimiter(const shoal_table *table)
{
    return shoal_table_has_text(table) ? shoal_table_text(table)->delimiter : '\0';
}

shoal_role shoal_table_role(const shoal_table *table, size_t column)
{
    return column < table->n_columns ? table->columns[column].role : SHOAL_ROLE_UNSET;
}

shoal_type shoal_table_type(const shoal_table *table, size_t column)
{
    return column < table->n_columns ? table->columns[column].type : SHOAL_TYPE_AUTO;
}

const shoal_hierarchy *shoal_table_hierarchy(const shoal_table *table, size_t column)
{
    return column < table->n_columns ? table->columns[column].hierarchy : NULL;
}

shoal_missing shoal_table_missing(const shoal_table *table)
{
    return table->missing;
}

uint64_t shoal_table_n_rows(const shoal_table *table)
{
    return table->n_rows;
}

uint64_t shoal_table_total(const shoal_table *table)
{
    return table->total;
}

bool shoal_table_is_streamed(const shoal_table *table)
{
    return table->source->kind->is_streamed;
}

uint32_t shoal_table_n_values(const shoal_table *table, size_t column)
{
    return column < table->n_columns ? table->columns[column].n_values : 0;
}

const char *shoal_table_value(const shoal_table *table, size_t column, uint32_t code,
                              size_t *length)
{
    *length = 0;
    if (code >= shoal_table_n_values(table, column)) return NULL;
    *length = table->columns[column].values[code].length;
    return table->columns[column].values[code].data;
}

uint64_t shoal_table_value_count(const shoal_table *table, size_t column, uint32_t code)
{
    return code < shoal_table_n_values(table, column) ? table->columns[column].counts[code] : 0;
}

uint32_t shoal_table_code(const shoal_table *table, size_t column, uint64_t row)
{
    if (column >= table->n_columns || !table->columns[column].is_encoded || row >= table->n_rows)
        return SHOAL_NO_CODE;
    return shoal_column_code(&table->columns[column], row);
}

uint32_t shoal_table_null_code(const shoal_table *table, size_t column)
{
    return column < table->n_columns ? table->columns[column].null_code : SHOAL_NO_CODE;
}
