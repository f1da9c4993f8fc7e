/* SPDX-License-Identifier: Apache-2.0 */
/* shown_text.c - names of columns and files, made safe for terminals and shells; see
 * shoal/report.h.
 *
 * A name can contain any bytes. On a terminal a control character moves the cursor or changes
 * colours, and a bidirectional override reverses the characters after it; in a shell command a
 * quote or a dollar sign begins another command.
 */
#include "base/base.h"

#include <shoal/report.h>
#include <string.h>

/* Bytes of the UTF-8 character that begins here; 0 if none does. */
static size_t length_of(const unsigned char *at)
{
    size_t n = at[0] < 0x80   ? 1
               : at[0] < 0xC2 ? 0
               : at[0] < 0xE0 ? 2
               : at[0] < 0xF0 ? 3
               : at[0] < 0xF5 ? 4
                              : 0;
    for (size_t i = 1; i < n; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    return n;
}

/* C1, and what changes the direction of text or ends a line. */
static bool obeys(const unsigned char *at, size_t n)
{
    if (n == 1) return at[0] < 0x20 || at[0] == 0x7f;
    if (n == 2) return (at[0] == 0xC2 && at[1] < 0xA0) || (at[0] == 0xD8 && at[1] == 0x9C);
    bool is_mark = n == 3 && at[0] == 0xE2 && at[1] == 0x80 &&
                   (at[2] == 0x8E || at[2] == 0x8F || (at[2] >= 0xA8 && at[2] <= 0xAE));
    bool is_isolate = n == 3 && at[0] == 0xE2 && at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9;
    return is_mark || is_isolate;
}

size_t shoal_text_next(const char *text, bool *is_control)
{
    const unsigned char *at = (const unsigned char *)text;
    *is_control = false;
    if (at[0] == '\0') return 0;
    size_t n = length_of(at);
    *is_control = n == 0 || obeys(at, n); /* a terminal may take no UTF-8 for a control character */
    return n > 0 ? n : 1;
}

char *shoal_shell_quote(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
                                "@%+=:,./-";
    shoal_buffer out = { 0 };
    if (*text != '\0' && strspn(text, plain) == strlen(text)) {
        shoal_buffer_print(&out, "%s", text);
        return out.failed ? NULL : out.data;
    }
    shoal_buffer_add(&out, "'", 1);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            shoal_buffer_print(&out, "'\\''");
        else
            shoal_buffer_add(&out, text, 1);
    }
    shoal_buffer_print(&out, "'");
    if (!out.failed) return out.data;
    shoal_buffer_clear(&out);
    return NULL;
}
