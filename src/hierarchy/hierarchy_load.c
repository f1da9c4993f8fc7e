/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy_load.c - reads a hierarchy from text, a file or a folder: finds the file, its separator
 * and its format.
 *
 * The separator is the one that splits the first lines into the same number of fields (at least
 * two); if several do, the one with the same label at the end of all lines; then `;` before tab
 * before `,`.
 */
#define _POSIX_C_SOURCE 200809L /* fileno, st_mtim */
#define _DARWIN_C_SOURCE        /* st_mtimespec */
#include "hierarchy/hierarchy_text.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- separator ---- */

/* How well a separator fits: larger is better, 0 means that it splits nothing. */
static shoal_status score_delimiter(uint32_t *score, shoal_hierarchy_lines *lines, shoal_error *err)
{
    enum { SAMPLE = 200, CUTS = 1000, EVEN = 2000, ROOTED = 1 };
    uint32_t n_cut = 0, n_lines = 0;
    size_t n_fields = 0;
    bool is_even = true, is_rooted = true;
    shoal_text last = { 0 };
    for (; n_lines < SAMPLE; n_lines++) {
        bool more;
        shoal_status status = shoal_hierarchy_lines_next(&more, lines, err);
        if (status == SHOAL_ENOMEM) return status;
        if (status != SHOAL_OK) is_even = false; /* bad quotes, at least with this separator */
        if (status != SHOAL_OK || !more) break;
        n_cut += lines->n_fields > 1;
        if (n_lines == 0) {
            n_fields = lines->n_fields;
            last = lines->fields[n_fields - 1];
        }
        if (lines->n_fields != n_fields) is_even = false;
        if (!shoal_texts_equal(last, lines->fields[lines->n_fields - 1])) is_rooted = false;
    }
    *score = 0;
    if (n_cut > 0 || !is_even)
        *score = is_even && n_fields > 1 ? EVEN + (is_rooted ? ROOTED : 0) : CUTS + n_cut;
    return SHOAL_OK;
}

static shoal_status find_delimiter(char *out, const char *name, const char *text, size_t size,
                                   shoal_error *err)
{
    const char candidates[] = { ';', '\t', ',' };
    uint32_t best = 0;
    *out = ';';
    for (size_t i = 0; i < sizeof candidates; i++) {
        shoal_arena arena = { 0 };
        shoal_hierarchy_lines lines;
        uint32_t score = 0;
        shoal_hierarchy_lines_begin(&lines, name, text, size, candidates[i], &arena);
        shoal_status status = score_delimiter(&score, &lines, err);
        shoal_hierarchy_lines_end(&lines);
        shoal_arena_clear(&arena);
        if (status != SHOAL_OK) return status;
        if (score > best) best = score, *out = candidates[i];
    }
    return SHOAL_OK;
}

/* ---- text ---- */

/* Does the first record have two fields? Only then can it be a child,parent table. */
static shoal_status has_two_columns(bool *out, shoal_hierarchy_lines lines, shoal_error *err)
{
    bool more;
    lines.fields = NULL;
    lines.capacity = 0;
    shoal_status status = shoal_hierarchy_lines_next(&more, &lines, err);
    *out = lines.n_fields == 2;
    shoal_hierarchy_lines_end(&lines);
    return status;
}

static shoal_status check_text(const char *text, size_t size, const char *name, shoal_error *err)
{
    size_t n_text = 0;
    for (; n_text < size && (text[n_text] == '\n' || text[n_text] == '\r'); n_text++) continue;
    if (n_text == size)
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy '{file %s}': it is empty {fix} write one line per value",
                          name);
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy '{file %s}': it is UTF-16 {fix} save it as UTF-8", name);
    const char *nul = memchr(text, '\0', size);
    if (nul == NULL) return SHOAL_OK;
    uint64_t line = 1, count = 0;
    for (const char *p = text; p < nul; p++) line += *p == '\n';
    for (const char *p = nul; p < text + size; p++) count += *p == '\0';
    return shoal_fail(err, SHOAL_EDATA,
                      "hierarchy '{file %s}': line {line %" PRIu64 "}: a NUL byte, %" PRIu64
                      " in all {fix} save it as plain UTF-8 text",
                      name, line, count);
}

shoal_status shoal_hierarchy_parse(shoal_hierarchy **out, const char *text, size_t size,
                                   const char *name, shoal_error *err)
{
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, size -= 3;
    SHOAL_RETURN_IF_ERROR(check_text(text, size, name, err));
    char delimiter;
    SHOAL_RETURN_IF_ERROR(find_delimiter(&delimiter, name, text, size, err));

    shoal_status status;
    shoal_arena arena = { 0 };
    shoal_hierarchy_lines lines;
    bool is_parent_table = false;
    shoal_hierarchy_lines_begin(&lines, name, text, size, delimiter, &arena);
    SHOAL_GOTO_IF_ERROR(has_two_columns(&is_parent_table, lines, err), out);
    if (is_parent_table)
        SHOAL_GOTO_IF_ERROR(shoal_parent_table_detect(&is_parent_table, &lines, err), out);
    lines.at = text;
    lines.next_line = 1;
    status = is_parent_table ? shoal_parent_table_read(out, &lines, err)
                             : shoal_level_file_read(out, &lines, err);
out:
    shoal_hierarchy_lines_end(&lines);
    shoal_arena_clear(&arena);
    return status;
}

/* ---- files ---- */

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

static bool is_same_state(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* A run reads each file once and keeps its tree, so it can only mix two states of one that is
 * written to during this read. */
static shoal_status read_file(shoal_buffer *out, const char *path, shoal_error *err)
{
    struct stat before, after;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return shoal_fail(err, SHOAL_EIO, "hierarchy '{file %s}': cannot be opened: %s", path,
                          strerror(errno));
    char piece[16384];
    int failure = fstat(fileno(file), &before) != 0 ? errno : 0;
    bool is_text = true; /* /dev/zero has no end */
    for (size_t n; is_text && !out->failed && (n = fread(piece, 1, sizeof piece, file)) > 0;) {
        shoal_buffer_add(out, piece, n);
        is_text = memchr(piece, '\0', n) == NULL;
    }
    if (failure == 0 && (ferror(file) || fstat(fileno(file), &after) != 0)) failure = errno;
    fclose(file);
    if (failure != 0)
        return shoal_fail(err, SHOAL_EIO, "hierarchy '{file %s}': cannot be read: %s", path,
                          strerror(failure));
    if (out->failed) return shoal_fail_memory(err);
    if (S_ISREG(before.st_mode) && !is_same_state(&before, &after))
        return shoal_fail(err, SHOAL_EIO,
                          "hierarchy '{file %s}': it changed while it was being read {fix} run "
                          "again when no other program writes to it",
                          path);
    return SHOAL_OK;
}

shoal_status shoal_hierarchy_load(shoal_hierarchy **out, const char *path, shoal_error *err)
{
    shoal_buffer text = { 0 };
    shoal_status status = read_file(&text, path, err);
    if (status == SHOAL_OK)
        status = shoal_hierarchy_parse(out, text.data != NULL ? text.data : "", text.size, path,
                                       err);
    shoal_buffer_clear(&text);
    return status;
}

/* ---- folders ---- */

/* Files of a folder that match a column: the exact name, and the first two names (by order) with
 * the right ending. */
typedef struct candidates {
    bool has_exact;
    char *least, *second;
} candidates;

static bool ends_in(const char *name, const char *tail)
{
    size_t n = strlen(name), n_tail = strlen(tail);
    return n >= n_tail && strcmp(name + n - n_tail, tail) == 0;
}

/* Keep the two least names, so that messages do not depend on the order of the folder. */
static bool keep_candidate(candidates *found, const char *name)
{
    if (found->second != NULL && strcmp(name, found->second) > 0) return true;
    char *copy = shoal_copy_text(name, strlen(name));
    if (copy == NULL) return false;
    shoal_free(found->second);
    found->second = NULL;
    if (found->least == NULL) {
        found->least = copy;
    } else if (strcmp(copy, found->least) < 0) {
        found->second = found->least;
        found->least = copy;
    } else {
        found->second = copy;
    }
    return true;
}

static shoal_status list_folder(candidates *found, const char *folder, const char *exact,
                                const char *tail, shoal_error *err)
{
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return shoal_fail(err, SHOAL_EIO, "cannot read the folder of hierarchies '{file %s}': %s",
                          folder, strerror(errno));
    shoal_status status = SHOAL_OK;
    for (const struct dirent *entry; status == SHOAL_OK && (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, exact) == 0)
            found->has_exact = true;
        else if (ends_in(entry->d_name, tail) && !keep_candidate(found, entry->d_name))
            status = shoal_fail_memory(err);
    }
    closedir(dir);
    return status;
}

static shoal_status choose_file(char **path, const candidates *found, const char *folder,
                                const char *exact, const char *column, shoal_error *err)
{
    if (!found->has_exact && found->second != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "hierarchies: column '{column %s}' has two files in '%s', %s and %s "
                          "{fix} remove one, or name one %s",
                          column, folder, found->least, found->second, exact);
    const char *name = found->has_exact ? exact : found->least;
    if (name == NULL) {
        *path = NULL;
        return SHOAL_OK;
    }
    shoal_buffer whole = { 0 };
    shoal_buffer_add(&whole, folder, strlen(folder));
    if (!ends_in(folder, "/")) shoal_buffer_add(&whole, "/", 1);
    shoal_buffer_add(&whole, name, strlen(name));
    if (whole.failed) {
        shoal_buffer_clear(&whole);
        return shoal_fail_memory(err);
    }
    *path = whole.data;
    return SHOAL_OK;
}

shoal_status shoal_hierarchy_find(char **path, const char *folder, const char *column,
                                  shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    candidates found = { 0 };
    shoal_buffer tail = { 0 };
    shoal_buffer_add(&tail, "_hierarchy_", 11);
    shoal_buffer_add(&tail, column, strlen(column));
    shoal_buffer_add(&tail, ".csv", 4);
    if (tail.failed) {
        status = shoal_fail_memory(err);
        goto out;
    }
    const char *exact = tail.data + 11;
    SHOAL_GOTO_IF_ERROR(list_folder(&found, folder, exact, tail.data, err), out);
    status = choose_file(path, &found, folder, exact, column, err);
out:
    shoal_free(found.least);
    shoal_free(found.second);
    shoal_buffer_clear(&tail);
    return status;
}
