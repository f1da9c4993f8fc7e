/* SPDX-License-Identifier: Apache-2.0 */
/* plan_yaml.h - a plan file as libcyaml returns it, and its errors as messages. */
#ifndef SHOAL_PLAN_YAML_H
#define SHOAL_PLAN_YAML_H

#include "io/io_internal.h"

#include <cyaml/cyaml.h>

/* ---- json_as_yaml.c ---- */

/* If the text is JSON, add it to `out` as YAML reads it; else false. */
bool shoal_json_as_yaml(shoal_buffer *out, const char *text, size_t size);

/* ---- plan_schema.c ---- */

typedef struct plan_file_input {
    char *delimiter, *encoding;
    int header; /* 1 true, 2 false; 0 not set (so in all fields below) */
    char **null;
    unsigned null_count;
    char **nulls; /* an older spelling */
    unsigned nulls_count;
    int missing; /* shoal_missing + 1 */
} plan_file_input;

typedef struct plan_file_column {
    char *name;
    int role; /* shoal_role */
    int type; /* shoal_type + 1 */
    char *hierarchy;
    char *ordered, *join;
    char *sensitive_range;
    char *priority, *weights, *max_level, *format;
    char *why;
} plan_file_column;

typedef struct plan_file_param {
    char *name;
    char *value;
} plan_file_param;

typedef struct plan_file_model {
    char *name;
    char *value;
    char *column;
} plan_file_model;

/* In the order of shoal_about. */
typedef struct plan_file_about {
    char *purpose, *recipients, *environment, *contact, *review_date, *earlier_releases;
} plan_file_about;

/* The file. Numbers are kept as text, because libcyaml reads 10x as 10 and 010 as 8. */
typedef struct plan_file {
    plan_file_input *input;
    plan_file_column *columns;
    unsigned columns_count;
    int rest; /* shoal_role */
    char *hierarchies;
    int on_missing; /* shoal_on_missing + 1 */
    int domain;     /* 1 hierarchy, 2 data */
    char *k;
    char *algorithm;
    plan_file_param *params;
    unsigned params_count;
    char *seed;
    char *threads;
    char *time_limit;
    int drop_suppressed; /* 1 true, 2 false */
    int suppressed;      /* 1 group, 2 exempt */
    plan_file_model *models;
    unsigned models_count;
    char *population;
    char *suppression_limit;
    int recoding; /* shoal_recode_model + 1 */
    char *priority, *weights;
    int row_order; /* 1 keep, 2 shuffle */
    int skip_rows; /* 1 detected, 2 none */
    char *series, *record_key;
    int pending;  /* shoal_pending + 1 */
    int erasures; /* shoal_erasures + 1 */
    char *m_invariance;
    plan_file_about *about;
} plan_file;

extern const cyaml_schema_value_t shoal_plan_schema;

/*
 * Append the keys allowed inside the top-level key `inside` (NULL: at the top), separated by
 * commas.
 */
void shoal_plan_list_keys(shoal_buffer *out, const char *inside);
/* Append the words allowed for the key `key`, separated by commas; nothing if it takes any text. */
void shoal_plan_list_values(shoal_buffer *out, const char *inside, const char *key);

/* ---- plan_complaint.c ---- */

/* What libcyaml reported before it failed. */
typedef struct plan_complaint {
    char what[300];        /* the first error message */
    char key[64];          /* the innermost mapping key of the backtrace */
    char outer[64];        /* the outermost */
    unsigned line, column; /* of the innermost frame; 0: none was given */
    bool several_documents;
    bool has_alias;
} plan_complaint;

/* A cyaml_log_fn_t that records messages in its context, a plan_complaint. */
void shoal_plan_hear(cyaml_log_t level, void *context, const char *format, va_list args);
/* Fail with one message: the file, the line, the error, the fix. */
shoal_status shoal_plan_explain(const plan_complaint *complaint, const char *text, size_t size,
                                const char *name, shoal_error *err);
/*
 * The line (from 1) on which `key` occurs as a key at or after byte `from`; 0 when it is not found.
 */
unsigned shoal_plan_key_line(const char *text, size_t size, size_t from, const char *key);

#endif
