/* SPDX-License-Identifier: Apache-2.0 */
/* spelling.c - read intervals and sets; see spelling.h.
 *
 * The separator of an interval may also be part of its numbers (`-5--3`, `1...5`), so every place where it
 * stands is tried until both sides are numbers. Texts are short; the cost is O(length^2) at worst.
 */
#include "release/spelling.h"

#include <math.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static shoal_text trim(shoal_text text)
{
    while (text.length > 0 && is_blank(text.data[0])) text.data++, text.length--;
    while (text.length > 0 && is_blank(text.data[text.length - 1])) text.length--;
    return text;
}

static shoal_text slice(shoal_text text, size_t begin, size_t end)
{
    return (shoal_text){ text.data + begin, end - begin };
}

bool shoal_read_scalar(shoal_text text, shoal_type type, double *out)
{
    text = trim(text);
    if (type == SHOAL_TYPE_DATE) return shoal_parse_date(text.data, text.length, out);
    return shoal_parse_number(text.data, text.length, out);
}

/* Both sides of some `separator` in the text are scalars. */
static bool split_at(shoal_text text, const char *separator, shoal_type type, shoal_text *left, shoal_text *right)
{
    size_t n = strlen(separator);
    for (size_t at = 1; at + n < text.length; at++) {
        double low, high;
        if (memcmp(text.data + at, separator, n) != 0) continue;
        *left = slice(text, 0, at);
        *right = slice(text, at + n, text.length);
        if (shoal_read_scalar(*left, type, &low) && shoal_read_scalar(*right, type, &high)) return true;
    }
    return false;
}

static bool split_any(shoal_text text, bool in_brackets, shoal_type type, shoal_text *left, shoal_text *right)
{
    if (!in_brackets) return split_at(text, "-", type, left, right);
    return split_at(text, "..", type, left, right) || split_at(text, ",", type, left, right) ||
           split_at(text, "-", type, left, right);
}

/* `<50` and its like; false when the text is not of this form. */
static bool read_half_line(shoal_text text, shoal_type type, shoal_interval *out)
{
    if (text.length < 2 || (text.data[0] != '<' && text.data[0] != '>')) return false;
    bool is_below = text.data[0] == '<', is_open = text.data[1] != '=';
    double end;
    if (!shoal_read_scalar(slice(text, is_open ? 1 : 2, text.length), type, &end)) return false;
    if (is_below) *out = (shoal_interval){ -INFINITY, end, true, is_open };
    else *out = (shoal_interval){ end, INFINITY, is_open, true };
    return true;
}

bool shoal_read_interval(shoal_text text, shoal_type type, shoal_interval *out)
{
    text = trim(text);
    if (text.length < 2) return false;
    if (read_half_line(text, type, out)) return true;
    char first = text.data[0], last = text.data[text.length - 1];
    bool in_brackets = strchr("[](", first) != NULL && strchr("[])", last) != NULL;
    shoal_interval read = { 0 };
    shoal_text left, right;
    if (in_brackets) {
        read.low_open = first != '[';
        read.high_open = last != ']';
        text = slice(text, 1, text.length - 1);
    }
    if (!split_any(text, in_brackets, type, &left, &right)) return false;
    if (!shoal_read_scalar(left, type, &read.low) || !shoal_read_scalar(right, type, &read.high)) return false;
    if (read.low > read.high) return false;
    *out = read;
    return true;
}

bool shoal_split_range(shoal_text text, shoal_type type, shoal_text *low, shoal_text *high)
{
    if (text.length < 2 || text.data[0] != '[' || text.data[text.length - 1] != ']') return false;
    return split_at(slice(text, 1, text.length - 1), "..", type, low, high);
}

bool shoal_open_set(shoal_text text, shoal_text *inside)
{
    if (text.length < 2 || text.data[0] != '{' || text.data[text.length - 1] != '}') return false;
    *inside = slice(text, 1, text.length - 1);
    return true;
}

bool shoal_next_member(shoal_text *rest, char separator, shoal_buffer *scratch, shoal_text *member)
{
    if (rest->data == NULL) return false;
    size_t at = 0;
    scratch->size = 0;
    for (; at < rest->length && rest->data[at] != separator; at++) {
        if (separator == '|' && rest->data[at] == '\\' && at + 1 < rest->length) at++;
        shoal_buffer_add(scratch, rest->data + at, 1);
    }
    if (scratch->failed) return false;
    *member = (shoal_text){ scratch->size > 0 ? scratch->data : "", scratch->size };
    if (separator != '|') *member = trim(*member);
    if (at == rest->length) rest->data = NULL; /* that was the last */
    else *rest = slice(*rest, at + 1, rest->length);
    return true;
}
