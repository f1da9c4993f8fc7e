/* SPDX-License-Identifier: Apache-2.0 */
/* json_as_yaml.c - the strings of a plan in JSON, spelt as YAML reads them.
 *
 * Every JSON text would be a YAML text, if not for its strings: JSON escapes a character beyond
 * U+FFFF as two surrogates, which YAML refuses, and may contain as they are some control characters
 * that YAML refuses, or takes for ends of lines. Lines keep their numbers.
 */
#include "io/plan_yaml.h"

#include <stdio.h>
#include <string.h>

/* The number of an escape \uXXXX; 0 where there is none. */
static unsigned escape_at(const char *text, size_t size)
{
    unsigned code = 0;
    if (size < 6 || text[0] != '\\' || text[1] != 'u') return 0;
    for (size_t i = 2; i < 6; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = text[i] != '\0' ? strchr(digits, text[i]) : NULL;
        if (digit == NULL) return 0;
        code = code << 4 | ((unsigned)(digit - digits) & 0xf);
    }
    return code;
}

/* Bytes of an escaped character, which is added if it is a pair of surrogates; else 0 or 2. */
static size_t add_escape(shoal_buffer *out, const char *text, size_t size)
{
    unsigned high = escape_at(text, size), low = size > 6 ? escape_at(text + 6, size - 6) : 0;
    bool is_pair = high >= 0xD800 && high < 0xDC00 && low >= 0xDC00 && low < 0xE000;
    if (!is_pair) {
        shoal_buffer_add(out, text, size < 2 ? size : 2);
        return size < 2 ? size : 2;
    }
    unsigned code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    const char bytes[] = { (char)(0xF0 | code >> 18), (char)(0x80 | (code >> 12 & 0x3f)),
                           (char)(0x80 | (code >> 6 & 0x3f)), (char)(0x80 | (code & 0x3f)) };
    shoal_buffer_add(out, bytes, sizeof bytes);
    return 12;
}

/* Bytes of a character that YAML refuses or takes for an end of line, which is added as an escape;
 * else 0. */
static size_t add_control(shoal_buffer *out, const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t n = 0;
    if (at[0] == 0x7f) n = 1;
    if (size > 1 && at[0] == 0xC2 && at[1] < 0xA0) n = 2;
    if (size > 2 && at[0] == 0xE2 && at[1] == 0x80 && (at[2] == 0xA8 || at[2] == 0xA9)) n = 3;
    if (size > 2 && at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE) n = 3;
    if (n == 0) return 0;
    unsigned code = n == 1 ? at[0] : n == 2 ? at[1] : (at[0] & 0xfu) << 12;
    if (n == 3) code |= (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
    shoal_buffer_print(out, "\\u%04x", code);
    return n;
}

static bool is_json(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0') at++;
    return at < size && text[at] == '{';
}

bool shoal_json_as_yaml(shoal_buffer *out, const char *text, size_t size)
{
    bool is_quoted = false;
    if (!is_json(text, size)) return false;
    for (size_t i = 0, n; i < size && !out->failed; i += n) {
        n = 0;
        if (is_quoted && text[i] == '\\') n = add_escape(out, text + i, size - i);
        if (is_quoted && n == 0) n = add_control(out, text + i, size - i);
        if (n > 0) continue;
        if (text[i] == '"') is_quoted = !is_quoted;
        shoal_buffer_add(out, text + i, n = 1);
    }
    return true;
}
