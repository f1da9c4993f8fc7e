/* SPDX-License-Identifier: Apache-2.0 */
/* plan_complaint.c - turns the errors of libcyaml into one message with the fix.
 *
 * libcyaml reports through a callback: first the error ("Load: Invalid ENUM value: x"), then a
 * backtrace from the inside out ("in mapping field 'role' (line: 3, column: 9)"). Both are recorded
 * and rephrased with the allowed keys or words; unknown messages are passed on unchanged. The
 * reported position is that of the last value read, so the line of a wrong key is searched in the
 * text from there.
 */
#include "io/plan_yaml.h"

#include <stdio.h>
#include <string.h>

static const char *after(const char *text, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

static void copy_quoted(char *out, size_t size, const char *text)
{
    const char *end = strrchr(text, '\'');
    size_t n = end != NULL ? (size_t)(end - text) : 0;
    snprintf(out, size, "%.*s", (int)n, text);
}

/* Record one line of the backtrace. */
static void hear_frame(plan_complaint *complaint, const char *text)
{
    const char *place = strstr(text, "(line: ");
    unsigned line = 0, column = 0;
    if (place != NULL && complaint->line == 0 &&
        sscanf(place, "(line: %u, column: %u", &line, &column) == 2) {
        complaint->line = line;
        complaint->column = column;
    }
    const char *key = after(text, "  in mapping field '");
    if (key == NULL) return;
    if (complaint->key[0] == '\0') copy_quoted(complaint->key, sizeof complaint->key, key);
    copy_quoted(complaint->outer, sizeof complaint->outer, key);
}

void shoal_plan_hear(cyaml_log_t level, void *context, const char *format, va_list args)
{
    plan_complaint *complaint = context;
    char text[sizeof complaint->what];
    vsnprintf(text, sizeof text, format, args);
    text[strcspn(text, "\n")] = '\0';
    if (level == CYAML_LOG_WARNING)
        complaint->several_documents |= strstr(text, "documents after first") != NULL;
    if (level != CYAML_LOG_ERROR) return;
    const char *what = after(text, "Load: ");
    if (what == NULL)
        hear_frame(complaint, text);
    else if (complaint->what[0] == '\0')
        snprintf(complaint->what, sizeof complaint->what, "%s", what);
}

static bool is_word_end(char c)
{
    return c == ' ' || c == '\t' || c == ':' || c == '"' || c == '\'' || c == '\n' || c == '\r';
}

unsigned shoal_plan_key_line(const char *text, size_t size, size_t from, const char *key)
{
    size_t n = strlen(key);
    unsigned line = 1;
    bool in_comment = false;
    for (size_t i = 0; i + n < size; i++) {
        if (text[i] == '\n') {
            line++;
            in_comment = false;
        }
        if (text[i] == '#' && (i == 0 || is_word_end(text[i - 1]))) in_comment = true;
        bool starts = i == 0 || strchr(" \t\n{,\"'", text[i - 1]) != NULL;
        if (in_comment || !starts || i < from || memcmp(text + i, key, n) != 0 ||
            !is_word_end(text[i + n]))
            continue;
        size_t end = i + n;
        while (end < size && text[end] != ':' && text[end] != '\n' && is_word_end(text[end])) end++;
        if (end < size && text[end] == ':') return line;
    }
    return 0;
}

/* Offset in the text of the backtrace's line and column. */
static size_t place_of(const plan_complaint *complaint, const char *text, size_t size)
{
    size_t at = 0;
    for (unsigned line = 1; line < complaint->line && at < size; at++) line += (text[at] == '\n');
    size_t column = complaint->column > 0 ? complaint->column - 1 : 0;
    return at + column < size ? at + column : size;
}

static const char *event_in_words(const char *event)
{
    if (after(event, "MAPPING")) return "keys and values";
    if (after(event, "SEQUENCE")) return "a list";
    return "a single value";
}

/* "Expecting SEQUENCE, got event: SCALAR" */
static shoal_status explain_shape(const plan_complaint *complaint, const char *expected,
                                  shoal_error *err)
{
    const char *got = strstr(expected, "got event: "),
               *not_this = got != NULL ? event_in_words(got + 11) : "this";
    if (complaint->key[0] != '\0')
        return shoal_fail(err, SHOAL_EINVAL, "'{file %s}' must be %s, not %s", complaint->key,
                          event_in_words(expected), not_this);
    return shoal_fail(err, SHOAL_EINVAL, "a plan must be %s, not %s", event_in_words(expected),
                      not_this);
}

static shoal_status explain_key(const char *key, const char *inside, shoal_error *err)
{
    shoal_buffer keys = { 0 };
    shoal_plan_list_keys(&keys, inside);
    shoal_status status = keys.failed ? shoal_fail_memory(err)
                                      : shoal_fail(err, SHOAL_EINVAL,
                                                   "unknown key '%s' {fix} the keys are %s", key,
                                                   keys.data);
    shoal_buffer_clear(&keys);
    return status;
}

static shoal_status explain_word(const plan_complaint *complaint, const char *word,
                                 const char *inside, shoal_error *err)
{
    shoal_buffer words = { 0 };
    shoal_plan_list_values(&words, inside, complaint->key);
    shoal_status status = words.failed
                              ? shoal_fail_memory(err)
                              : shoal_fail(err, SHOAL_EINVAL,
                                           "'{file %s}' cannot be '%s' {fix} use one of %s",
                                           complaint->key, word,
                                           words.data != NULL ? words.data : "its words");
    shoal_buffer_clear(&words);
    return status;
}

/* What is wrong and what would be right. */
static shoal_status explain(const plan_complaint *complaint, shoal_error *err)
{
    const char *what = complaint->what, *rest;
    const char *inside = complaint->outer[0] != '\0' ? complaint->outer : NULL;
    if (complaint->has_alias)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "%s%saliases (*name) are not supported in plans {fix} write the value itself",
            complaint->key, complaint->key[0] != '\0' ? ": " : "");
    if ((rest = after(what, "Unexpected key: ")) != NULL) return explain_key(rest, inside, err);
    if ((rest = after(what, "Mapping field already seen: ")) != NULL)
        return shoal_fail(err, SHOAL_EINVAL, "the key '%s' is given twice {fix} keep one", rest);
    if ((rest = after(what, "Invalid ENUM value: ")) != NULL)
        return explain_word(complaint, rest, inside, err);
    if ((rest = after(what, "Missing required mapping field: ")) != NULL)
        return shoal_fail(err, SHOAL_EINVAL, "an entry of '%s' has no key '%s'",
                          inside != NULL ? inside : "the plan", rest);
    if ((rest = after(what, "Expecting ")) != NULL) return explain_shape(complaint, rest, err);
    if (after(what, "STRING length < ") != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "'{file %s}' is empty {fix} set a value or remove the line",
                          complaint->key);
    if ((rest = after(what, "libyaml: ")) != NULL)
        return shoal_fail(err, SHOAL_EINVAL, "not valid YAML%s: %s",
                          complaint->line > 0 ? " at or after this line" : "", rest);
    if (after(what, "Insufficient entries") != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "'{file %s}' is an empty list {fix} add an entry or remove the line",
                          complaint->key);
    return shoal_fail(err, SHOAL_EINVAL, "%s%s%s", complaint->key,
                      complaint->key[0] != '\0' ? ": " : "", what[0] != '\0' ? what : "not a plan");
}

/* The line of the error: for unknown keys it can be found more exactly than from the backtrace. 0:
 * not known. */
static unsigned line_of(const plan_complaint *complaint, const char *text, size_t size)
{
    const char *key = after(complaint->what, "Unexpected key: ");
    if (key == NULL) key = after(complaint->what, "Mapping field already seen: ");
    unsigned found = key == NULL
                         ? 0
                         : shoal_plan_key_line(text, size, place_of(complaint, text, size), key);
    return found > 0 ? found : complaint->line;
}

shoal_status shoal_plan_explain(const plan_complaint *complaint, const char *text, size_t size,
                                const char *name, shoal_error *err)
{
    shoal_status status = explain(complaint, err);
    unsigned line = line_of(complaint, text, size);
    if (status == SHOAL_ENOMEM) return status;
    if (line == 0) return shoal_fail_in(err, status, "plan '{file %.300s}'", name);
    return shoal_fail_in(err, status, "plan '{file %.300s}': line {line %u}", name, line);
}
