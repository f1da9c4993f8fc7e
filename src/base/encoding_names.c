/* SPDX-License-Identifier: Apache-2.0 */
/* encoding_names.c - the names of encodings. */
#include <shoal/encoding.h>

static const struct {
    const char *name;
    shoal_encoding encoding;
} names[] = {
    /* the first of an encoding is its name */
    { "utf-8", SHOAL_ENCODING_UTF_8 },
    { "utf8", SHOAL_ENCODING_UTF_8 },
    { "utf-16le", SHOAL_ENCODING_UTF_16LE },
    { "utf-16", SHOAL_ENCODING_UTF_16LE },
    { "utf16", SHOAL_ENCODING_UTF_16LE },
    { "utf-16be", SHOAL_ENCODING_UTF_16BE },
    { "windows-1252", SHOAL_ENCODING_WINDOWS_1252 },
    { "cp1252", SHOAL_ENCODING_WINDOWS_1252 },
    { "latin-1", SHOAL_ENCODING_LATIN_1 },
    { "latin1", SHOAL_ENCODING_LATIN_1 },
    { "iso-8859-1", SHOAL_ENCODING_LATIN_1 },
    { "latin-9", SHOAL_ENCODING_LATIN_9 },
    { "latin9", SHOAL_ENCODING_LATIN_9 },
    { "iso-8859-15", SHOAL_ENCODING_LATIN_9 },
};
enum { N_NAMES = sizeof names / sizeof *names };

const char *shoal_encoding_name(shoal_encoding encoding)
{
    for (size_t i = 0; i < N_NAMES; i++)
        if (names[i].encoding == encoding) return names[i].name;
    return NULL;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c == '_' ? '-' : c;
}

shoal_encoding shoal_encoding_of_name(const char *name)
{
    for (size_t i = 0; i < N_NAMES; i++) {
        size_t n = 0;
        while (name[n] != '\0' && lower(name[n]) == names[i].name[n]) n++;
        if (name[n] == '\0' && names[i].name[n] == '\0') return names[i].encoding;
    }
    return SHOAL_ENCODING_UNSET;
}
