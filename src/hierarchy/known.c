/* SPDX-License-Identifier: Apache-2.0 */
/* known.c - reads an embedded classification and finds the place of a value in it.
 *
 * A code belongs to the deepest group whose range holds it, of several the first; its other groups
 * are those above. Words are compared without regard to case, blanks and punctuation
 * (United-States, UNITED STATES); numbers among them without leading zeros. Invariant: a group
 * precedes the groups within it. Cost: O(length of the text) to read, O(ranges) per code, O(log
 * words) per word.
 */
#include "hierarchy/known.h"

#include <shoal/hierarchy.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 8, LONGEST_WORD = 100 };

/* ---- which there are ---- */

size_t shoal_known_count(void)
{
    return shoal_n_known_texts;
}
const char *shoal_known_name(size_t index)
{
    return index < shoal_n_known_texts ? shoal_known_texts[index].name : NULL;
}
const char *shoal_known_title(size_t index)
{
    return index < shoal_n_known_texts ? shoal_known_texts[index].title : NULL;
}
const char *shoal_known_source(size_t index)
{
    return index < shoal_n_known_texts ? shoal_known_texts[index].source : NULL;
}

size_t shoal_known_index(const char *name, size_t length)
{
    for (size_t i = 0; i < shoal_n_known_texts; i++)
        if (strlen(shoal_known_texts[i].name) == length &&
            memcmp(shoal_known_texts[i].name, name, length) == 0)
            return i;
    return SIZE_MAX;
}

/* ---- reading ---- */

/* The words of a text as they are compared; returns the length, 0 when nothing is left or it is too
 * long. */
static size_t make_key(char out[LONGEST_WORD], shoal_text text)
{
    size_t n = 0, first = 0;
    bool all_digits = true;
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.data[i];
        bool is_digit = c >= '0' && c <= '9';
        if (c >= 'A' && c <= 'Z') c = (unsigned char)(c + 32);
        if (!is_digit && !(c >= 'a' && c <= 'z') && c < 0x80) continue;
        if (n == LONGEST_WORD) return 0;
        all_digits = all_digits && is_digit;
        out[n++] = (char)c;
    }
    while (all_digits && first + 1 < n && out[first] == '0') first++;
    memmove(out, out + first, n - first);
    return n - first;
}

static int compare_keys(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_words(const void *a, const void *b)
{
    const shoal_known_word *one = a, *other = b;
    return compare_keys(one->key, one->length, other->key, other->length);
}

static bool add_words(shoal_known *known, const char *line, uint32_t group)
{
    while (line != NULL) {
        const char *bar = strchr(line, '|');
        char key[LONGEST_WORD];
        size_t length = make_key(
            key, (shoal_text){ line, bar != NULL ? (size_t)(bar - line) : strlen(line) });
        char *copy = shoal_arena_alloc(&known->arena, length + 1);
        if (copy == NULL) return false;
        memcpy(copy, key, length);
        known->words[known->n_words++] = (shoal_known_word){ copy, length, group };
        line = bar != NULL ? bar + 1 : NULL;
    }
    return true;
}

/* The range at the beginning of a line; returns what follows it. */
static const char *add_range(shoal_known *known, const char *line, uint32_t group)
{
    size_t length = strcspn(line, " "), dash = strcspn(line, "- ");
    shoal_text from = { line, dash }, to = from;
    if (dash < length) to = (shoal_text){ line + dash + 1, length - dash - 1 };
    known->ranges[known->n_ranges++] = (shoal_known_range){ from, to, group };
    return line + length + (line[length] == ' ');
}

static size_t count_words(const shoal_known_text *text)
{
    size_t n = 0;
    for (size_t i = 0; text->lines[i] != NULL; i++)
        for (const char *at = text->lines[i]; *at != '\0'; at++) n += *at == '|' || *at == '=';
    return n;
}

static bool reserve(shoal_known *known)
{
    size_t n_lines = 0, n_words = count_words(known->text);
    while (known->text->lines[n_lines] != NULL) n_lines++;
    known->groups = shoal_alloc(n_lines + 1, sizeof *known->groups);
    known->ranges = shoal_alloc(n_lines + 1, sizeof *known->ranges);
    known->words = shoal_alloc(n_words + 1, sizeof *known->words);
    return known->groups != NULL && known->ranges != NULL && known->words != NULL;
}

static bool read_lines(shoal_known *known)
{
    uint32_t open[MAX_DEPTH + 1]; /* the group that the next line of each depth belongs to */
    open[0] = SHOAL_NO_NODE;
    for (size_t i = 0; known->text->lines[i] != NULL; i++) {
        const char *line = known->text->lines[i];
        uint32_t depth = (uint32_t)strspn(line, " ");
        line += depth;
        if (*line == '=') {
            if (!add_words(known, line + 1, open[depth])) return false;
        } else if (*line == '+') {
            (void)add_range(known, line + 1, open[depth]);
        } else {
            const char *rest = known->kind != NULL ? add_range(known, line, known->n_groups) : line;
            const char *label = known->text->label_is_text ? rest : line;
            known->groups[known->n_groups] = (shoal_known_group){ { label, strlen(label) },
                                                                  open[depth],
                                                                  depth };
            open[depth + 1] = known->n_groups++;
        }
    }
    return true;
}

shoal_status shoal_known_open(shoal_known *out, const shoal_known_text *text, shoal_error *err)
{
    *out = (shoal_known){ .text = text, .kind = shoal_code_kind_find(text->match) };
    if (!reserve(out) || !read_lines(out)) {
        shoal_known_close(out);
        return shoal_fail_memory(err);
    }
    if (out->n_words > 0) qsort(out->words, out->n_words, sizeof *out->words, compare_words);
    return SHOAL_OK;
}

void shoal_known_close(shoal_known *known)
{
    shoal_free(known->groups);
    shoal_free(known->ranges);
    shoal_free(known->words);
    shoal_arena_clear(&known->arena);
    *known = (shoal_known){ 0 };
}

/* ---- finding ---- */

static bool find_word(shoal_known_place *out, const shoal_known *known, shoal_text value)
{
    char key[LONGEST_WORD];
    size_t length = make_key(key, value);
    shoal_known_word wanted = { key, length, 0 };
    if (length == 0 || known->n_words == 0) return false;
    const shoal_known_word *found = bsearch(&wanted, known->words, known->n_words,
                                            sizeof *known->words, compare_words);
    if (found != NULL) out->group = found->group;
    return found != NULL;
}

bool shoal_known_find(shoal_known_place *out, const shoal_known *known, shoal_text value)
{
    *out = (shoal_known_place){ .group = SHOAL_NO_NODE };
    if (known->kind == NULL) return find_word(out, known, value);
    if (!shoal_code_read(&out->code, known->kind, value)) return false;
    for (uint32_t i = 0; i < known->n_ranges; i++) {
        const shoal_known_range *range = &known->ranges[i];
        if (!shoal_code_lies_in(&out->code, known->kind, range->from, range->to)) continue;
        if (out->group == SHOAL_NO_NODE ||
            known->groups[range->group].depth > known->groups[out->group].depth)
            out->group = range->group;
    }
    return out->group != SHOAL_NO_NODE;
}
