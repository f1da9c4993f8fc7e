/* SPDX-License-Identifier: Apache-2.0 */
/* plan_complaint.c - turns the errors of libcyaml into one message with the fix.
 *
 * libcyaml reports through a callback: first the error ("Load: Invalid ENUM value: x"), then a backtrace from the inside
 * out ("in mapping field 'role' (line: 3, column: 9)"). Both are recorded and rephrased with the allowed keys or words;
 * unknown messages are passed on unchanged. The reported position is that of the last value read, so the line of a wrong
 * key is searched in the text from there.
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
    if (place != NULL && complaint->line == 0 && sscanf(place, "(line: %u, column: %u", &line, &column) == 2) {
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
    if (level == CYAML_LOG_WARNING) complaint->several_documents |= strstr(text, "documents after first") != NULL;
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
        if (in_comment || !starts || i < from || memcmp(text + i, key, n) != 0 || !is_word_end(text[i + n])) continue;
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
static void explain_shape(shoal_buffer *out, const plan_complaint *complaint, const char *expected)
{
    const char *got = strstr(expected, "got event: ");
    if (complaint->key[0] != '\0')
        shoal_buffer_print(out, "'%s' takes %s, ", complaint->key, event_in_words(expected));
    else
        shoal_buffer_print(out, "a plan is %s, ", event_in_words(expected));
    shoal_buffer_print(out, "not %s", got != NULL ? event_in_words(got + 11) : "this");
}

static void explain_key(shoal_buffer *out, const char *key, const char *inside)
{
    shoal_buffer keys = { 0 };
    shoal_plan_list_keys(&keys, inside);
    shoal_buffer_print(out, "unknown key '%s'; the keys are %s", key, keys.failed ? "" : keys.data);
    out->failed |= keys.failed;
    shoal_buffer_clear(&keys);
}

static void explain_word(shoal_buffer *out, const plan_complaint *complaint, const char *word, const char *inside)
{
    shoal_buffer words = { 0 };
    shoal_plan_list_values(&words, inside, complaint->key);
    shoal_buffer_print(out, "'%s' cannot be '%s'; it is one of %s", complaint->key, word,
                       words.data != NULL ? words.data : "its words");
    out->failed |= words.failed;
    shoal_buffer_clear(&words);
}

/* Write the error and the fix; *line is set where it can be found more precisely than by the backtrace. */
static void explain(shoal_buffer *out, const plan_complaint *complaint, const char *text, size_t size, unsigned *line)
{
    const char *what = complaint->what, *rest;
    const char *inside = complaint->outer[0] != '\0' ? complaint->outer : NULL;
    if ((rest = after(what, "Unexpected key: ")) != NULL) {
        explain_key(out, rest, inside);
        unsigned found = shoal_plan_key_line(text, size, place_of(complaint, text, size), rest);
        if (found > 0) *line = found;
    } else if ((rest = after(what, "Mapping field already seen: ")) != NULL) {
        shoal_buffer_print(out, "the key '%s' is given twice; keep one", rest);
        unsigned found = shoal_plan_key_line(text, size, place_of(complaint, text, size), rest);
        if (found > 0) *line = found;
    } else if ((rest = after(what, "Invalid ENUM value: ")) != NULL) {
        explain_word(out, complaint, rest, inside);
    } else if ((rest = after(what, "Missing required mapping field: ")) != NULL) {
        shoal_buffer_print(out, "an entry of '%s' lacks its key '%s'", inside != NULL ? inside : "the plan", rest);
    } else if ((rest = after(what, "Expecting ")) != NULL) {
        explain_shape(out, complaint, rest);
    } else if (after(what, "STRING length < ") != NULL) {
        shoal_buffer_print(out, "'%s' is empty; give it a value or leave the line out", complaint->key);
    } else if ((rest = after(what, "libyaml: ")) != NULL) {
        shoal_buffer_print(out, "not valid YAML%s: %s", complaint->line > 0 ? " at or after this line" : "", rest);
    } else if (after(what, "Insufficient entries") != NULL) {
        shoal_buffer_print(out, "'%s' is an empty list; fill it or leave the line out", complaint->key);
    } else {
        shoal_buffer_print(out, "%s%s%s", complaint->key, complaint->key[0] != '\0' ? ": " : "",
                           what[0] != '\0' ? what : "not a plan");
    }
}

shoal_status shoal_plan_explain(const plan_complaint *complaint, const char *text, size_t size, const char *name,
                                shoal_error *err)
{
    shoal_buffer words = { 0 };
    unsigned line = complaint->line;
    explain(&words, complaint, text, size, &line);
    shoal_status status;
    if (words.failed || words.data == NULL)
        status = shoal_fail_memory(err);
    else if (line > 0)
        status = shoal_fail(err, SHOAL_EINVAL, "plan '%.300s': line %u: %s", name, line, words.data);
    else
        status = shoal_fail(err, SHOAL_EINVAL, "plan '%.300s': %s", name, words.data);
    shoal_buffer_clear(&words);
    return status;
}
