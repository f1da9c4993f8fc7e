/* SPDX-License-Identifier: Apache-2.0 */
/* transcode.c - Latin-1, Latin-9, Windows-1252 and UTF-16, to UTF-8 and back.
 *
 * By hand: the iconv of libc reads its tables from files, which the sandbox of the command hides,
 * and WebAssembly has none. The tables are those of the Unicode consortium's mapping files
 * (CP1252.TXT, 8859-15.TXT); the five bytes that Windows-1252 leaves open are not read. Cost:
 * O(size).
 */
#include "base/transcode.h"

#include <string.h>

enum { NONE = 0xffff, SAMPLE = 4096, BLOCK = 1 << 12 };

/* 0x80 to 0x9f of Windows-1252. */
static const uint16_t windows_1252[32] = {
    0x20ac, NONE,   0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, NONE,   0x017d, NONE,   NONE,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, NONE,   0x017e, 0x0178,
};
/* Where Latin-9 differs from Latin-1. */
static const struct {
    unsigned char byte;
    uint16_t character;
} latin_9[] = { { 0xa4, 0x20ac }, { 0xa6, 0x0160 }, { 0xa8, 0x0161 }, { 0xb4, 0x017d },
                { 0xb8, 0x017e }, { 0xbc, 0x0152 }, { 0xbd, 0x0153 }, { 0xbe, 0x0178 } };

/* ---- characters ---- */

/* Bytes of the UTF-8 character at `at`; 0: none, SIZE_MAX: the end cuts it off. */
static size_t read_utf8(const unsigned char *at, size_t size, uint32_t *out)
{
    size_t n = at[0] < 0x80                    ? 1
               : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
               : (at[0] & 0xf0) == 0xe0        ? 3
               : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                               : 0;
    if (n == 0) return 0;
    *out = n == 1 ? at[0] : at[0] & (0xffu >> (n + 1)); /* payload bits of the first byte */
    for (size_t i = 1; i < n; i++) {
        if (i == size) return SIZE_MAX;
        if ((at[i] & 0xc0) != 0x80) return 0;
        *out = *out << 6 | (at[i] & 0x3f);
    }
    bool is_overlong = (n == 3 && *out < 0x800) || (n == 4 && *out < 0x10000);
    return is_overlong || *out > 0x10ffff || (*out >= 0xd800 && *out < 0xe000) ? 0 : n;
}

static size_t write_utf8(char *out, uint32_t c)
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    for (size_t i = n; i-- > 1; c >>= 6) out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(first[n] | c);
    return n;
}

static bool is_wide(shoal_encoding encoding)
{
    return encoding == SHOAL_ENCODING_UTF_16LE || encoding == SHOAL_ENCODING_UTF_16BE;
}

static uint32_t read_unit(shoal_encoding encoding, const unsigned char *at)
{
    return encoding == SHOAL_ENCODING_UTF_16LE ? at[0] | (uint32_t)at[1] << 8
                                               : at[1] | (uint32_t)at[0] << 8;
}

/* Bytes of the UTF-16 character at `at`; 0: none. */
static size_t read_wide(shoal_encoding encoding, const unsigned char *at, size_t size,
                        uint32_t *out)
{
    if (size < 2) return 0;
    *out = read_unit(encoding, at);
    if (*out < 0xd800 || *out >= 0xe000) return 2;
    if (*out >= 0xdc00 || size < 4) return 0;
    uint32_t low = read_unit(encoding, at + 2);
    if (low < 0xdc00 || low >= 0xe000) return 0;
    *out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
    return 4;
}

/* The character of a byte, or NONE. */
static uint32_t read_byte(shoal_encoding encoding, unsigned char byte)
{
    if (encoding == SHOAL_ENCODING_WINDOWS_1252 && byte >= 0x80 && byte < 0xa0)
        return windows_1252[byte - 0x80];
    for (size_t i = 0; encoding == SHOAL_ENCODING_LATIN_9 && i < sizeof latin_9 / sizeof *latin_9;
         i++)
        if (latin_9[i].byte == byte) return latin_9[i].character;
    return byte;
}

/* The bytes of a character; 0: the encoding lacks it. */
static size_t write_other(unsigned char out[4], shoal_encoding encoding, uint32_t c)
{
    if (is_wide(encoding)) {
        uint32_t units[2] = { c, 0 };
        if (c >= 0x10000)
            units[0] = 0xd800 + ((c - 0x10000) >> 10), units[1] = 0xdc00 + ((c - 0x10000) & 0x3ff);
        for (int i = 0; i < 2; i++) {
            bool is_little = encoding == SHOAL_ENCODING_UTF_16LE;
            out[2 * i] = (unsigned char)(is_little ? units[i] : units[i] >> 8);
            out[2 * i + 1] = (unsigned char)(is_little ? units[i] >> 8 : units[i]);
        }
        return c >= 0x10000 ? 4 : 2;
    }
    /* most characters are their own byte */
    for (uint32_t byte = c < 256 ? c : 0x80; byte < 256; byte++)
        if (read_byte(encoding, (unsigned char)byte) == c) {
            out[0] = (unsigned char)byte;
            return 1;
        } else if (c < 0x80) {
            break;
        }
    return 0;
}

/* ---- texts ---- */

static bool is_utf8(const unsigned char *data, size_t size)
{
    uint32_t ignored;
    for (size_t at = 0, n; at < size; at += n) {
        n = read_utf8(data + at, size - at, &ignored);
        if (n == SIZE_MAX) return true;
        if (n == 0) return false;
    }
    return true;
}

/* UTF-16 without a mark: tables have mostly Latin letters, digits and separators, whose upper byte
 * is zero. */
static shoal_encoding detect_wide(const unsigned char *data, size_t size)
{
    size_t n_zero[2] = { 0, 0 }, n = size < SAMPLE ? size & ~(size_t)1 : SAMPLE;
    for (size_t i = 0; i < n; i++) n_zero[i & 1] += data[i] == 0;
    if (n >= 4 && n_zero[1] * 4 >= n && n_zero[0] * 8 < n_zero[1]) return SHOAL_ENCODING_UTF_16LE;
    return n >= 4 && n_zero[0] * 4 >= n && n_zero[1] * 8 < n_zero[0] ? SHOAL_ENCODING_UTF_16BE
                                                                     : SHOAL_ENCODING_UNSET;
}

shoal_encoding shoal_encoding_detect(const char *text, size_t size, bool *has_mark)
{
    const unsigned char *data = (const unsigned char *)text;
    bool is_little = size >= 2 && data[0] == 0xff && data[1] == 0xfe,
         is_big = size >= 2 && data[0] == 0xfe && data[1] == 0xff;
    *has_mark = is_little || is_big;
    if (*has_mark) return is_little ? SHOAL_ENCODING_UTF_16LE : SHOAL_ENCODING_UTF_16BE;
    shoal_encoding wide = detect_wide(data, size);
    if (wide != SHOAL_ENCODING_UNSET) return wide;
    if (is_utf8(data, size)) return SHOAL_ENCODING_UTF_8;
    for (size_t i = 0; i < size; i++)
        if (read_byte(SHOAL_ENCODING_WINDOWS_1252, data[i]) == NONE) return SHOAL_ENCODING_LATIN_1;
    return SHOAL_ENCODING_WINDOWS_1252;
}

bool shoal_decode(shoal_buffer *out, shoal_encoding encoding, const char *text, size_t size,
                  size_t *at)
{
    const unsigned char *data = (const unsigned char *)text;
    char block[BLOCK + 4];
    size_t used = 0, i = 0;
    if (is_wide(encoding) && size >= 2 && read_unit(encoding, data) == 0xfeff) i = 2;
    while (i < size) {
        uint32_t c = 0;
        size_t n = is_wide(encoding) ? read_wide(encoding, data + i, size - i, &c) : 1;
        if (!is_wide(encoding)) c = read_byte(encoding, data[i]);
        if (n == 0 || c == NONE) {
            *at = i;
            return false;
        }
        i += n;
        used += write_utf8(block + used, c);
        if (used < BLOCK && i < size) continue;
        shoal_buffer_add(out, block, used);
        used = 0;
    }
    return true;
}

int shoal_encode(shoal_encoding encoding, bool with_mark, const char *text, size_t size,
                 uint64_t *n_lacking, shoal_encoded_fn write, void *payload)
{
    const unsigned char *data = (const unsigned char *)text;
    unsigned char block[BLOCK + 4];
    size_t used = with_mark && is_wide(encoding) ? write_other(block, encoding, 0xfeff) : 0;
    *n_lacking = 0;
    for (size_t i = 0, n; i < size; i += n) {
        uint32_t c = 0;
        n = read_utf8(data + i, size - i, &c);
        size_t made = n == 0 || n == SIZE_MAX ? 0 : write_other(block + used, encoding, c);
        if (n == 0 || n == SIZE_MAX) n = 1;
        *n_lacking += made == 0;
        used += made;
        if (used < BLOCK) continue;
        int failure = write(block, used, payload);
        if (failure != 0) return failure;
        used = 0;
    }
    return used > 0 ? write(block, used, payload) : 0;
}
