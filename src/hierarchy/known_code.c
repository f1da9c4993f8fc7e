/* SPDX-License-Identifier: Apache-2.0 */
/* known_code.c - codes of diagnoses, occupations and industries: how they are written, compared and
 * shortened.
 *
 * A code is read leniently, as tables have it: in small letters, with or without the point (C34.1,
 * c341), with zeros lost to a spreadsheet (38 for the ICD-9 category 038). It is compared as text,
 * so ranges hold letters, too (C4A). Each kind is one row of the table below.
 */
#include "hierarchy/known.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_PREFIXES = 2 };

typedef bool (*read_fn)(shoal_known_code *out, shoal_text value);

struct shoal_code_kind {
    const char *name;
    read_fn read;
    /* lengths of the levels between values and groups, the longest first */
    size_t prefixes[MAX_PREFIXES];
    size_t mark_at; /* where labels have a mark between characters; 0: nowhere */
    char mark;
    const char *end; /* of a label, after the mark if nothing is in between */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static bool is_letter(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool add_character(shoal_known_code *out, char c)
{
    if (out->length == SHOAL_MAX_CODE) return false;
    out->key[out->length++] = c;
    out->key[out->length] = '\0';
    return true;
}

/* Letters in upper case and digits; any of `marks` is skipped, but not at the ends. *point: how
 * many characters precede the first mark. */
static bool read_plain(shoal_known_code *out, shoal_text value, const char *marks, size_t *point)
{
    *out = (shoal_known_code){ .length = 0 };
    *point = SIZE_MAX;
    bool is_marked = true;
    for (size_t i = 0; i < value.length; i++) {
        char c = value.data[i];
        if (c >= 'a' && c <= 'z') c = (char)(c - 32);
        if (is_digit(c) || is_letter(c)) {
            if (!add_character(out, c)) return false;
            is_marked = false;
        } else if (c != '\0' && strchr(marks, c) != NULL && !is_marked) {
            if (*point == SIZE_MAX) *point = out->length;
            is_marked = true;
        } else {
            return false;
        }
    }
    return !is_marked;
}

/* Put zeros before the first `length` characters, which should be `want`. */
static bool pad(shoal_known_code *code, size_t length, size_t want)
{
    size_t zeros = want > length ? want - length : 0;
    if (code->length + zeros > SHOAL_MAX_CODE) return false;
    memmove(code->key + zeros, code->key, code->length + 1);
    memset(code->key, '0', zeros);
    code->length += zeros;
    return true;
}

static size_t count_digits(const shoal_known_code *code, size_t from)
{
    size_t n = 0;
    for (size_t i = from; i < code->length; i++) n += is_digit(code->key[i]);
    return n;
}

/* C34, C34.1, C341, C34.11XA; German ones may end in + * or !. */
static bool read_icd10(shoal_known_code *out, shoal_text value)
{
    size_t point;
    if (value.length > 1 && strchr("+*!", value.data[value.length - 1]) != NULL) value.length--;
    if (value.length > 2 && value.data[value.length - 1] == '-') value.length--; /* C34.- */
    if (value.length > 2 && value.data[value.length - 1] == '.') value.length--;
    if (!read_plain(out, value, ".", &point) || out->length < 3 || out->length > 7) return false;
    if (point != SIZE_MAX && point != 3) return false;
    bool is_second = is_digit(out->key[1]) || out->key[1] == 'A';
    return is_letter(out->key[0]) && is_second &&
           (is_digit(out->key[2]) || out->key[2] == 'A' || out->key[2] == 'B');
}

/* Number of characters of the category: E909, else 250, V57. */
static size_t icd9_category(const shoal_known_code *code)
{
    return code->key[0] == 'E' ? 4 : 3;
}

/* 250, 250.83, 25083, V57.89, E909.1; 38 is 038. */
static bool read_icd9(shoal_known_code *out, shoal_text value)
{
    size_t point;
    if (!read_plain(out, value, ".", &point)) return false;
    size_t letters = out->key[0] == 'V' || out->key[0] == 'E',
           main = point != SIZE_MAX ? point : out->length;
    if (count_digits(out, letters) + letters != out->length) return false;
    if (letters == 0 && main < 3 && !pad(out, main, 3)) return false;
    size_t category = icd9_category(out);
    if (out->length < category || out->length > category + 2) return false;
    return strcmp(out->key, "000") > 0 &&
           (point == SIZE_MAX || letters == 0 || point == category) &&
           (point == SIZE_MAX || main <= 3 || letters > 0);
}

/* 2211; three, two or one digits are the code of a group. */
static bool read_isco(shoal_known_code *out, shoal_text value)
{
    size_t point;
    return read_plain(out, value, "", &point) && out->length <= 4 &&
           count_digits(out, 0) == out->length;
}

/* 29-1141, 291141, 29-1141.00, 1191XX, 111XXX. */
static bool read_soc(shoal_known_code *out, shoal_text value)
{
    size_t point;
    if (!read_plain(out, value, "-.", &point) || out->length < 6 || out->length > 8) return false;
    if (point != SIZE_MAX && point != 2 && point != 6) return false;
    return count_digits(out, 0) >= 2 && is_digit(out->key[0]) && is_digit(out->key[1]);
}

/* 62, 62.0, 62.01, 6201, J62.01; 1.11 is 01.11. */
static bool read_nace(shoal_known_code *out, shoal_text value)
{
    size_t point;
    if (value.length > 1 && is_letter(value.data[0]))
        value = (shoal_text){ value.data + 1, value.length - 1 };
    if (!read_plain(out, value, ".", &point) || count_digits(out, 0) != out->length) return false;
    if (point == 1 && !pad(out, 1, 2)) return false;
    return out->length >= 2 && out->length <= 5;
}

/* 62, 622, 622110; the survey's 3MS, 92811P1, 33641M1. */
static bool read_naics(shoal_known_code *out, shoal_text value)
{
    size_t point;
    return read_plain(out, value, "", &point) && out->length >= 2 && out->length <= 8 &&
           is_digit(out->key[0]);
}

/* A number of years, whole or not. */
static bool read_age(shoal_known_code *out, shoal_text value)
{
    double years;
    if (!shoal_parse_number(value.data, value.length, &years) || !(years >= 0 && years < 151))
        return false;
    out->length = (size_t)snprintf(out->key, sizeof out->key, "%03u", (unsigned)floor(years));
    return true;
}

static const shoal_code_kind kinds[] = {
    { .name = "icd10",
      .read = read_icd10,
      .prefixes = { 4, 3 },
      .mark_at = 3,
      .mark = '.',
      .end = "-" },
    /* E codes: one more */
    { .name = "icd9",
      .read = read_icd9,
      .prefixes = { 4, 3 },
      .mark_at = 3,
      .mark = '.',
      .end = "-" },
    { .name = "isco", .read = read_isco },
    { .name = "soc", .read = read_soc, .prefixes = { 5 }, .mark_at = 2, .mark = '-', .end = "*" },
    { .name = "nace", .read = read_nace, .prefixes = { 3 }, .mark_at = 2, .mark = '.', .end = "*" },
    { .name = "naics", .read = read_naics, .prefixes = { 5, 4 }, .end = "*" },
    { .name = "ages", .read = read_age },
};

const shoal_code_kind *shoal_code_kind_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    return NULL;
}

bool shoal_code_read(shoal_known_code *out, const shoal_code_kind *kind, shoal_text value)
{
    while (value.length > 0 && value.data[0] == ' ')
        value = (shoal_text){ value.data + 1, value.length - 1 };
    while (value.length > 0 && value.data[value.length - 1] == ' ') value.length--;
    return value.length > 0 && kind->read(out, value);
}

static bool age_lies_in(const shoal_known_code *code, shoal_text from, shoal_text to)
{
    double least = 0, greatest = 0, years = 0;
    return shoal_parse_number(code->key, code->length, &years) &&
           shoal_parse_number(from.data, from.length, &least) &&
           shoal_parse_number(to.data, to.length, &greatest) && least <= years && years <= greatest;
}

bool shoal_code_lies_in(const shoal_known_code *code, const shoal_code_kind *kind, shoal_text from,
                        shoal_text to)
{
    if (kind->read == read_age) return age_lies_in(code, from, to);
    if (code->length < from.length || from.length != to.length) return false;
    return memcmp(code->key, from.data, from.length) >= 0 &&
           memcmp(code->key, to.data, to.length) <= 0;
}

/* Characters that an E code of ICD-9 has more than others. */
static size_t longer_by(const shoal_known_code *code, const shoal_code_kind *kind)
{
    return kind->read == read_icd9 ? icd9_category(code) - 3 : 0;
}

size_t shoal_code_prefix(const shoal_known_code *code, const shoal_code_kind *kind, unsigned level)
{
    if (level >= MAX_PREFIXES || kind->prefixes[level] == 0) return 0;
    return kind->prefixes[level] + longer_by(code, kind);
}

void shoal_code_label(char out[SHOAL_MAX_CODE + 4], const shoal_known_code *code,
                      const shoal_code_kind *kind, size_t length)
{
    size_t mark_at = kind->mark_at > 0 ? kind->mark_at + longer_by(code, kind) : SIZE_MAX, n = 0;
    for (size_t i = 0; i < length; i++) {
        if (i == mark_at) out[n++] = kind->mark;
        out[n++] = code->key[i];
    }
    if (length == mark_at) out[n++] = kind->mark;
    out[n++] = kind->end[0];
    out[n] = '\0';
}
