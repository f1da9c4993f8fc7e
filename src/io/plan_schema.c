/* SPDX-License-Identifier: Apache-2.0 */
/* plan_schema.c - the keys and words of plan files, as schema tables of libcyaml.
 *
 * Text stays text even if it looks like another type (NO, 01234, 7.0). Words are matched exactly.
 * The tables are used to read a file and to list the allowed words in messages.
 */
#include "io/plan_yaml.h"
#include "table/role_rows.h"

#include <string.h>

enum {
    OPTIONAL_TEXT = CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER,
    OPTIONAL_WORD = CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT
};

#define WORD_FIELD(key, type, member, table)                                                       \
    CYAML_FIELD_ENUM(key, OPTIONAL_WORD, type, member, table, CYAML_ARRAY_LEN(table))
#define TEXT_FIELD(key, type, member)                                                              \
    CYAML_FIELD_STRING_PTR(key, OPTIONAL_TEXT, type, member, 1, CYAML_UNLIMITED)

/* May be empty: a field that is still to be filled in. */
#define ABOUT_FIELD(key, member)                                                                   \
    CYAML_FIELD_STRING_PTR(key, OPTIONAL_TEXT, plan_file_about, member, 0, CYAML_UNLIMITED)

static const cyaml_strval_t truth_words[] = { { "true", 1 }, { "false", 2 } };
static const cyaml_strval_t missing_words[] = {
    { "own-category", 1 + SHOAL_MISSING_OWN_CATEGORY },
    { "wildcard", 1 + SHOAL_MISSING_WILDCARD },
    { "conservative", 1 + SHOAL_MISSING_CONSERVATIVE },
};
#define ROLE_WORD(role, name, option) { name, role },
static const cyaml_strval_t role_words[] = { SHOAL_ROLE_ROWS(ROLE_WORD) };
#define TYPE_WORD(type, name, option) { name, 1 + type },
static const cyaml_strval_t type_words[] = { { "auto", 1 + SHOAL_TYPE_AUTO },
                                             SHOAL_TYPE_ROWS(TYPE_WORD) };
static const cyaml_strval_t rest_words[] = { { "keep", SHOAL_ROLE_OTHER },
                                             { "drop", SHOAL_ROLE_DROP } };
static const cyaml_strval_t row_order_words[] = { { "keep", 1 }, { "shuffle", 2 } };
static const cyaml_strval_t skip_rows_words[] = { { "detected", 1 }, { "none", 2 } };
static const cyaml_strval_t pending_words[] = { { "withhold", 1 }, { "star", 2 } };
static const cyaml_strval_t erasures_words[] = { { "withdraw", 1 }, { "refuse", 2 } };
static const cyaml_strval_t domain_words[] = { { "hierarchy", 1 }, { "data", 2 } };
static const cyaml_strval_t suppressed_words[] = { { "group", 1 }, { "exempt", 2 } };
static const cyaml_strval_t on_missing_words[] = {
    { "error", 1 + SHOAL_ON_MISSING_ERROR },
    { "top", 1 + SHOAL_ON_MISSING_TOP },
    { "own-leaf", 1 + SHOAL_ON_MISSING_OWN_LEAF },
};

static const cyaml_strval_t recoding_words[] = {
    { "local", 1 + SHOAL_RECODE_LOCAL },
    { "node", 1 + SHOAL_RECODE_NODE },
    { "interval", 1 + SHOAL_RECODE_INTERVAL },
    { "set", 1 + SHOAL_RECODE_SET },
    { "full-domain", 1 + SHOAL_RECODE_FULL_DOMAIN },
    { "mean", 1 + SHOAL_RECODE_MEAN },
    { "median", 1 + SHOAL_RECODE_MEDIAN },
    { "mode", 1 + SHOAL_RECODE_MODE },
    { "full-subtree", 1 + SHOAL_RECODE_FULL_SUBTREE },
    { "set-partition", 1 + SHOAL_RECODE_SET_PARTITION },
};

static const cyaml_schema_value_t any_text = { CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0,
                                                                  CYAML_UNLIMITED) };

static const cyaml_schema_field_t input_fields[] = {
    TEXT_FIELD("delimiter", plan_file_input, delimiter),
    TEXT_FIELD("encoding", plan_file_input, encoding),
    WORD_FIELD("header", plan_file_input, header, truth_words),
    CYAML_FIELD_SEQUENCE("null", OPTIONAL_TEXT, plan_file_input, null, &any_text, 1,
                         CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE("nulls", OPTIONAL_TEXT, plan_file_input, nulls, &any_text, 1,
                         CYAML_UNLIMITED),
    WORD_FIELD("missing", plan_file_input, missing, missing_words),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t column_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, plan_file_column, name, 0, CYAML_UNLIMITED),
    WORD_FIELD("role", plan_file_column, role, role_words),
    WORD_FIELD("type", plan_file_column, type, type_words),
    TEXT_FIELD("format", plan_file_column, format),
    TEXT_FIELD("hierarchy", plan_file_column, hierarchy),
    TEXT_FIELD("ordered", plan_file_column, ordered),
    TEXT_FIELD("join", plan_file_column, join),
    TEXT_FIELD("sensitive-range", plan_file_column, sensitive_range),
    TEXT_FIELD("priority", plan_file_column, priority),
    TEXT_FIELD("weights", plan_file_column, weights),
    TEXT_FIELD("max-level", plan_file_column, max_level),
    TEXT_FIELD("why", plan_file_column, why),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t column_value = { CYAML_VALUE_MAPPING(
    CYAML_FLAG_DEFAULT, plan_file_column, column_fields) };

static const cyaml_schema_field_t param_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, plan_file_param, name, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("value", CYAML_FLAG_POINTER, plan_file_param, value, 0, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t param_value = { CYAML_VALUE_MAPPING(
    CYAML_FLAG_DEFAULT, plan_file_param, param_fields) };

static const cyaml_schema_field_t model_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, plan_file_model, name, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("value", CYAML_FLAG_POINTER, plan_file_model, value, 1, CYAML_UNLIMITED),
    TEXT_FIELD("column", plan_file_model, column),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t model_value = { CYAML_VALUE_MAPPING(
    CYAML_FLAG_DEFAULT, plan_file_model, model_fields) };

static const cyaml_schema_field_t about_fields[] = {
    ABOUT_FIELD("purpose", purpose),
    ABOUT_FIELD("recipients", recipients),
    ABOUT_FIELD("environment", environment),
    ABOUT_FIELD("contact", contact),
    ABOUT_FIELD("review-date", review_date),
    ABOUT_FIELD("earlier-releases", earlier_releases),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t top_fields[] = {
    CYAML_FIELD_MAPPING_PTR("input", OPTIONAL_TEXT, plan_file, input, input_fields),
    CYAML_FIELD_SEQUENCE("columns", OPTIONAL_TEXT, plan_file, columns, &column_value, 0,
                         CYAML_UNLIMITED),
    WORD_FIELD("rest", plan_file, rest, rest_words),
    TEXT_FIELD("hierarchies", plan_file, hierarchies),
    WORD_FIELD("on-missing", plan_file, on_missing, on_missing_words),
    WORD_FIELD("domain", plan_file, domain, domain_words),
    TEXT_FIELD("k", plan_file, k),
    TEXT_FIELD("algorithm", plan_file, algorithm),
    CYAML_FIELD_SEQUENCE("params", OPTIONAL_TEXT, plan_file, params, &param_value, 0,
                         CYAML_UNLIMITED),
    TEXT_FIELD("seed", plan_file, seed),
    TEXT_FIELD("threads", plan_file, threads),
    TEXT_FIELD("time-limit", plan_file, time_limit),
    WORD_FIELD("drop-suppressed", plan_file, drop_suppressed, truth_words),
    WORD_FIELD("suppressed", plan_file, suppressed, suppressed_words),
    CYAML_FIELD_SEQUENCE("models", OPTIONAL_TEXT, plan_file, models, &model_value, 0,
                         CYAML_UNLIMITED),
    TEXT_FIELD("population", plan_file, population),
    TEXT_FIELD("suppression-limit", plan_file, suppression_limit),
    WORD_FIELD("recoding", plan_file, recoding, recoding_words),
    TEXT_FIELD("priority", plan_file, priority),
    TEXT_FIELD("weights", plan_file, weights),
    WORD_FIELD("row-order", plan_file, row_order, row_order_words),
    WORD_FIELD("skip-rows", plan_file, skip_rows, skip_rows_words),
    TEXT_FIELD("series", plan_file, series),
    TEXT_FIELD("record-key", plan_file, record_key),
    WORD_FIELD("pending", plan_file, pending, pending_words),
    WORD_FIELD("erasures", plan_file, erasures, erasures_words),
    TEXT_FIELD("m-invariance", plan_file, m_invariance),
    CYAML_FIELD_MAPPING_PTR("about", OPTIONAL_TEXT, plan_file, about, about_fields),
    CYAML_FIELD_END,
};

const cyaml_schema_value_t shoal_plan_schema = { CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, plan_file,
                                                                     top_fields) };

/* The fields inside a top-level key; the top-level fields for NULL and for keys without fields. */
static const cyaml_schema_field_t *fields_inside(const char *inside)
{
    if (inside != NULL && strcmp(inside, "input") == 0) return input_fields;
    if (inside != NULL && strcmp(inside, "columns") == 0) return column_fields;
    if (inside != NULL && strcmp(inside, "params") == 0) return param_fields;
    if (inside != NULL && strcmp(inside, "models") == 0) return model_fields;
    if (inside != NULL && strcmp(inside, "about") == 0) return about_fields;
    return top_fields;
}

static void add_item(shoal_buffer *out, const char *item)
{
    shoal_buffer_print(out, "%s%s", out->size > 0 ? ", " : "", item);
}

void shoal_plan_list_keys(shoal_buffer *out, const char *inside)
{
    for (const cyaml_schema_field_t *field = fields_inside(inside); field->key != NULL; field++)
        add_item(out, field->key);
}

void shoal_plan_list_values(shoal_buffer *out, const char *inside, const char *key)
{
    for (const cyaml_schema_field_t *field = fields_inside(inside); field->key != NULL; field++)
        if (strcmp(field->key, key) == 0 && field->value.type == CYAML_ENUM)
            for (uint32_t i = 0; i < field->value.enumeration.count; i++)
                add_item(out, field->value.enumeration.strings[i].str);
}
