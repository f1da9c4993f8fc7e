/* SPDX-License-Identifier: Apache-2.0 */
/* engine_reply.c - answers and errors as JSON text; and reading of requests. */
#include "engine.h"

/* Options of the command that messages name, and what the page calls them. */
static const struct {
    const char *option, *control;
} controls[] = {
    { "-k", "k" },
    { "--qid", "the role quasi-identifier" },
    { "--sensitive", "the role sensitive" },
    { "--class", "the role class" },
    { "--entity", "the role person" },
    { "--null", "Missing values" },
    { "--delimiter", "Separator" },
    { "--no-header", "First line has names (off)" },
    { "--on-missing", "Values that a hierarchy lacks" },
    { "--hierarchy", "the hierarchy of the column" },
    { "--numeric", "the type number" },
    { "--categorical", "the type category" },
    { "--date", "the type date" },
    { "--format", "format: of the column, in an imported plan," },
    { "--encoding", "Encoding" },
    { "--missing", "Missing values count as" },
    { "--suppression-limit", "Rows that may be suppressed" },
    { "--max-level", "Level limit" },
    { "--population", "Population table" },
};

/* A shoal_spell_fn: "--null" becomes the name of the control; what follows the option stays. */
static void spell_control(char *word, size_t size, shoal_word_kind kind, void *payload)
{
    (void)payload;
    if (kind == SHOAL_WORD_SOURCE) {
        snprintf(word, size, "the table");
        return;
    }
    size_t length = strcspn(word, " =");
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        if (strlen(controls[i].option) != length || strncmp(word, controls[i].option, length) != 0)
            continue;
        char rest[128];
        snprintf(rest, sizeof rest, "%s", word + length);
        snprintf(word, size, "%s%s", controls[i].control, rest);
        return;
    }
}

static json_t *error_json(shoal_status status, shoal_error *err)
{
    shoal_error_spell(err, spell_control, NULL);
    return json_pack("{s:s, s:o, s:o, s:s, s:o, s:I, s:I}", "status", shoal_status_name(status),
                     "message", engine_text(err->message, strlen(err->message)), "fix",
                     engine_text(err->fix, strlen(err->fix)), "file", err->file, "column",
                     engine_text(err->column, strlen(err->column)), "row", (json_int_t)err->row,
                     "line", (json_int_t)err->line);
}

char *engine_reply(json_t *answer, shoal_status status, shoal_error *err)
{
    json_t *reply = status == SHOAL_OK
                        ? json_pack("{s:o}", "answer", answer != NULL ? answer : json_null())
                        : json_pack("{s:o}", "error", error_json(status, err));
    if (status != SHOAL_OK) json_decref(answer);
    char *text = reply != NULL ? json_dumps(reply, JSON_COMPACT) : NULL;
    json_decref(reply);
    return text;
}

shoal_status engine_take_json(json_t **out, char *text, shoal_error *err)
{
    *out = text != NULL ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    shoal_string_free(text);
    return *out != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

json_t *engine_text(const char *text, size_t length)
{
    json_t *plain = json_stringn(text, length);
    if (plain != NULL || length > 4096) return plain != NULL ? plain : json_string("?");
    char shown[4097];
    for (size_t i = 0; i < length; i++) shown[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    return json_stringn(shown, length);
}

const char *engine_string(const json_t *request, const char *key, const char *fallback)
{
    const char *text = json_string_value(json_object_get(request, key));
    return text != NULL ? text : fallback;
}

uint64_t engine_number(const json_t *request, const char *key, uint64_t fallback)
{
    const json_t *value = json_object_get(request, key);
    return json_is_integer(value) && json_integer_value(value) >= 0
               ? (uint64_t)json_integer_value(value)
               : fallback;
}
