/* SPDX-License-Identifier: Apache-2.0 */
/* join_columns.c - see join_columns.h.
 *
 * The text is written again with one more field in each record, before it is parsed: reading,
 * publishing and verifying then need no special case. Lines stay lines (except for texts with line
 * ends in them), so that messages name those of the file. Records that the reader is going to
 * refuse are not judged here: a row with too few or too many fields keeps the difference, and from
 * bad quotes on the text is copied unchanged.
 */
#include "table/growing.h"
#include "table/join_columns.h"

#include "base/temp_file.h"
#include "table/csv.h"
#include "table/guess.h"
#include "table/map_file.h"

#include <unistd.h>

enum { PIECE = 1 << 20 }; /* bytes that are written at once, and pages that are given back */

typedef struct joining {
    const shoal_table *table;
    const char *name;
    size_t parts[2];
    shoal_buffer text; /* what was made; with a file: what is not in it yet */
    size_t n_before;   /* bytes in the file */
    size_t body;       /* where the first record after the header begins */
    int file;          /* -1: all of it in memory */
    shoal_arena arena; /* values with doubled quotes */
} joining;

/* ---- names ---- */

/* Cut "a,b" in place. False: not two names. */
static bool cut_spec(char *spec, const char *names[2])
{
    char *to = spec;
    size_t n = 1;
    names[0] = spec;
    for (const char *at = spec; *at != '\0'; at++) {
        if (*at == '\\' && (at[1] == ',' || at[1] == '\\' || at[1] == ' ')) {
            *to++ = *++at;
        } else if (*at != ',') {
            *to++ = *at;
        } else {
            if (n == 2) return false;
            *to++ = '\0';
            names[n++] = to;
            while (at[1] == ' ') at++;
        }
    }
    *to = '\0';
    return n == 2 && *names[0] != '\0' && *names[1] != '\0' && strcmp(names[0], names[1]) != 0;
}

/* Find the parts. `*is_done`: there is nothing to join. */
static shoal_status find_parts(joining *j, bool *is_done, const char *const names[2],
                               shoal_error *err)
{
    const shoal_table *table = j->table;
    bool is_there = shoal_table_find_column(table, j->name) != SIZE_MAX;
    for (int i = 0; i < 2; i++) j->parts[i] = shoal_table_find_column(table, names[i]);
    *is_done = is_there;
    if (shoal_name_hint(names[0]) == SHOAL_HINT_LONGITUDE &&
        shoal_name_hint(names[1]) == SHOAL_HINT_LATITUDE)
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %.200s}' is joined from a longitude and a latitude in "
                          "the wrong order {fix} name the latitude first",
                          j->name);
    if (is_there && j->parts[0] == SIZE_MAX && j->parts[1] == SIZE_MAX) return SHOAL_OK;
    if (is_there && !shoal_table_text(table)->is_rewritten)
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %.200s}' cannot be joined: the table already has it, "
                          "and '%.200s', too {fix} choose another name for the joined column",
                          j->name, names[j->parts[0] == SIZE_MAX]);
    for (int i = 0; i < 2; i++)
        if (j->parts[i] == SIZE_MAX)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "the table has no column '{column %.200s}', from which '%.200s' is joined {fix} "
                "name two of its columns with {--join} %.200s=LATITUDE,LONGITUDE",
                names[i], j->name, j->name);
    if (shoal_table_has_batches(table))
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %.200s}' is joined from two columns, which is not "
                          "supported for data frames {fix} combine both into one text column "
                          "first, separated by a semicolon, and drop the two",
                          j->name);
    if (!shoal_table_text(table)->has_header)
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %.200s}' is joined from two columns, but a table "
                          "without a header has no names {fix} add a header line to the table",
                          j->name);
    return SHOAL_OK;
}

/* ---- text ---- */

static bool is_missing(joining *j, const shoal_field *field)
{
    shoal_text value = shoal_field_value(field, &j->arena);
    if (value.data == NULL) j->text.failed = true;
    return value.data != NULL && shoal_table_is_null_text(j->table, value);
}

/* Add the content of a quoted field, unquoted. */
static void add_escaped(shoal_buffer *out, const char *at, const char *end)
{
    for (const char *quote; at < end && (quote = memchr(at, '"', (size_t)(end - at))) != NULL;
         at = quote + 1) {
        shoal_buffer_add(out, at, (size_t)(quote - at) + 1);
        shoal_buffer_add(out, "\"", 1);
    }
    shoal_buffer_add(out, at, (size_t)(end - at));
}

static void add_name(joining *j)
{
    const char special[] = { '"', '\r', '\n', shoal_table_text(j->table)->delimiter, '\0' };
    size_t length = strlen(j->name), n_quotes = strpbrk(j->name, special) != NULL;
    shoal_buffer_add(&j->text, "\"", n_quotes);
    add_escaped(&j->text, j->name, j->name + length);
    shoal_buffer_add(&j->text, "\"", n_quotes);
}

static void add_pair(joining *j, const shoal_field parts[2])
{
    for (int i = 0; i < 2; i++)
        if (is_missing(j, &parts[i])) {
            /* means missing here, too */
            shoal_buffer_add(&j->text, parts[i].begin, (size_t)(parts[i].end - parts[i].begin));
            return;
        }
    for (int i = 0; i < 2; i++) {
        const shoal_field *part = &parts[i];
        shoal_buffer_add(&j->text, i == 0 ? "\"" : ";", 1);
        if (part->is_quoted)
            shoal_buffer_add(&j->text, part->begin + 1, (size_t)(part->end - part->begin) - 2);
        else
            add_escaped(&j->text, part->begin, part->end);
    }
    shoal_buffer_add(&j->text, "\"", 1);
}

/* Write the record at *at with its new field, behind the last column or where it ends before that.
 * False: its quotes are bad. */
static bool join_record(joining *j, const char **at, const char *end, bool is_header)
{
    const shoal_text_source *source = shoal_table_text(j->table);
    static const char none[] = "";
    const char *begin = *at, *place = NULL;
    shoal_field parts[2] = { { .begin = none, .end = none }, { .begin = none, .end = none } };
    shoal_field_end kind = SHOAL_FIELD_MORE;
    for (size_t column = 0; kind == SHOAL_FIELD_MORE; column++) {
        shoal_field field;
        kind = shoal_scan_field(&field, at, end, source->delimiter);
        if (kind > SHOAL_FIELD_LAST) return false;
        for (int i = 0; i < 2; i++)
            if (column == j->parts[i]) parts[i] = field;
        if (column < j->table->n_columns) place = field.end;
    }
    shoal_buffer_add(&j->text, begin, (size_t)(place - begin));
    shoal_buffer_add(&j->text, &source->delimiter, 1);
    if (is_header)
        add_name(j);
    else
        add_pair(j, parts);
    shoal_buffer_add(&j->text, place, (size_t)(*at - place));
    shoal_arena_clear(&j->arena);
    return true;
}

static shoal_status check_written(const joining *j, int failure, shoal_error *err)
{
    if (failure == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO,
                      "the table with the joined column '{column %.200s}' exceeds the memory "
                      "limit, and cannot be stored in a temporary file: %s {fix} set TMPDIR to a "
                      "folder on a larger disk, or raise {--memory-limit}",
                      j->name, strerror(failure));
}

static shoal_status write_piece(joining *j, shoal_error *err)
{
    if (j->text.failed) return shoal_fail_memory(err);
    if (j->file < 0) return SHOAL_OK;
    int failure = shoal_write_all(j->file, j->text.data, j->text.size);
    j->n_before += j->text.size;
    j->text.size = 0;
    return check_written(j, failure, err);
}

static shoal_status join_text(joining *j, const shoal_load_options *options, shoal_error *err)
{
    const shoal_table *table = j->table;
    const shoal_text_source *source = shoal_table_text(table);
    const char *at = source->data + source->head, *end = shoal_table_text_end(table),
               *seen = source->data;
    shoal_buffer_add(&j->text, source->data, source->head);
    bool is_sound = join_record(j, &at, end, true);
    j->body = j->text.size;
    while (at < end && is_sound) {
        const char *line = at;
        at = shoal_csv_skip_blank_lines(at, end);
        shoal_buffer_add(&j->text, line, (size_t)(at - line));
        const char *record = at;
        if (at < end) is_sound = join_record(j, &at, end, false);
        if (!is_sound) at = record;
        if (at - seen < PIECE) continue;
        SHOAL_RETURN_IF_ERROR(write_piece(j, err));
        /* the reading that counts comes after */
        SHOAL_RETURN_IF_ERROR(shoal_csv_report(options, 0, err));
        if (source->is_map) shoal_pages_forget(seen, (size_t)(at - seen));
        seen = at;
    }
    shoal_buffer_add(&j->text, at, (size_t)(end - at)); /* from bad quotes on */
    return write_piece(j, err);
}

/* ---- the table ---- */

static void free_text(void *text)
{
    shoal_free(text);
}

/* Room for one more column, so that nothing fails once the text is the table's. */
static shoal_status add_column(shoal_table *table, const char *name, shoal_error *err)
{
    shoal_column *columns = shoal_resize(table->columns, table->n_columns + 1, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    table->columns = columns;
    char *copy = shoal_copy_text(name, strlen(name));
    if (copy == NULL) return shoal_fail_memory(err);
    columns[table->n_columns] = (shoal_column){ .name = copy, .null_code = SHOAL_NO_CODE };
    if (shoal_table_enter_name(table, table->n_columns) != SHOAL_NO_CODE) return SHOAL_OK;
    shoal_free(copy);
    return shoal_fail_memory(err);
}

/* The text that was made becomes the table's; `map` is of the file, if there is one. */
static void take_text(joining *j, shoal_table *table, shoal_file_map *map)
{
    shoal_text_source *source = shoal_table_own_text(table);
    /* where that fails, the larger block stays */
    char *trimmed = map == NULL ? shoal_resize(j->text.data, j->text.size, 1) : NULL;
    if (trimmed != NULL) j->text.data = trimmed;
    if (source->release_made != NULL) source->release_made(source->made_payload);
    source->data = map != NULL ? map->data : j->text.data;
    source->size = j->n_before + j->text.size;
    source->release_made = map != NULL ? shoal_file_map_release : free_text;
    source->made_payload = map != NULL ? (void *)map : j->text.data;
    source->is_map = map != NULL;
    source->body = j->body;
    table->n_columns++;
    source->n_joined++;
    if (map == NULL) j->text = (shoal_buffer){ 0 };
}

static shoal_status join(joining *j, shoal_table *table, const shoal_load_options *options,
                         shoal_error *err)
{
    const shoal_text_source *text = shoal_table_text(table);
    shoal_file_map *map = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_table_complete_text(table, options, err));
    if (text->file != NULL && text->n_joined == 0)
        SHOAL_RETURN_IF_ERROR(
            shoal_file_map_note(text->file, options->threads > 0 ? options->threads : 1, err));
    bool is_large = options->memory_limit > 0 &&
                    text->size > shoal_text_share(options->memory_limit);
    if (is_large) SHOAL_RETURN_IF_ERROR(check_written(j, shoal_temp_file_spill(&j->file), err));
    SHOAL_RETURN_IF_ERROR(join_text(j, options, err));
    if (is_large) {
        int file = j->file;
        j->file = -1; /* the map closes it */
        SHOAL_RETURN_IF_ERROR(shoal_file_map_take(&map, file, "TMPDIR", err));
    }
    shoal_status status = add_column(table, j->name, err);
    if (status == SHOAL_OK)
        take_text(j, table, map);
    else if (map != NULL)
        shoal_file_map_release(map);
    return status;
}

shoal_status shoal_table_join(shoal_table *table, const char *name, const char *spec,
                              const shoal_load_options *options, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    joining j = { .table = table, .name = name, .file = -1 };
    bool is_done = false;
    const char *names[2];
    shoal_load_options checked;
    SHOAL_RETURN_IF_ERROR(shoal_load_options_check(&checked, options, err));
    char *copy = shoal_copy_text(spec, strlen(spec));
    if (copy == NULL) return shoal_fail_memory(err);
    if (!cut_spec(copy, names))
        status = shoal_fail(
            err, SHOAL_EINVAL,
            "column '{column %.200s}' must be joined from exactly two columns {fix} write {--join} "
            "%.200s=LATITUDE,LONGITUDE; write a comma in a name as \\,",
            name, name);
    if (status == SHOAL_OK) status = find_parts(&j, &is_done, names, err);
    if (status == SHOAL_OK && !is_done) status = join(&j, table, &checked, err);
    for (int i = 0; i < 2 && status == SHOAL_OK; i++)
        if (j.parts[i] != SIZE_MAX) table->columns[j.parts[i]].is_joined = true;
    if (j.file >= 0) close(j.file);
    shoal_buffer_clear(&j.text);
    shoal_arena_clear(&j.arena);
    shoal_free(copy);
    return status;
}
