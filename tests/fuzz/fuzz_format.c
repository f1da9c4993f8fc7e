/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_format.c - any bytes as the name of a format and, behind a line end, as a text in it.
 *
 * What a format reads it writes, and reads again as the same; the formats that are found for a text
 * read it.
 */
#include "table/format_guess.h"

#include "original.h"

#include <math.h>
#include <stdio.h>

static void write_and_read(const shoal_format *format, double number)
{
    char plain[64], text[SHOAL_FORMATTED_SIZE + 1];
    double again = 0;
    if (fabs(number) > 1e12) return; /* years of five digits, more digits than are written here */
    snprintf(plain, sizeof plain, "%.2f", number);
    size_t length = shoal_format_write(text, format, plain, number);
    require(length < SHOAL_FORMATTED_SIZE && text[length] == '\0', "too long");
    bool is_date = shoal_format_is_date(format);
    require(shoal_format_read(format, text, length, &again), "what was written cannot be read");
    double rounded =
        /* the last moment of a hundred years is rounded down */
        format->first_year > 0 ? shoal_format_unit(format) : shoal_format_unit(format) / 2;
    require(fabs(again - number) <= (is_date ? rounded + 1e-6 : 0.006),
            "what was written is another number");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char spec[SHOAL_FORMAT_SIZE * 2] = "";
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t n = end != NULL ? (size_t)(end - data) : size;
    memcpy(spec, data, n < sizeof spec - 1 ? n : sizeof spec - 1);
    shoal_text text = { end != NULL ? (const char *)end + 1 : "", end != NULL ? size - n - 1 : 0 };
    shoal_format format;
    double number;
    bool is_blank = strpbrk(spec, "\r\t") != NULL; /* a currency of blanks and signs */
    if (!is_blank && shoal_format_parse(&format, spec) &&
        shoal_format_read(&format, text.data, text.length, &number) && format.n_prefix == 0)
        write_and_read(&format, number);
    bool is_null = false;
    shoal_format_guess guess;
    shoal_format_guess_find(&guess, &(shoal_value_list){ &text, &is_null, 1 });
    for (unsigned i = 0; i < guess.n; i++) {
        require(shoal_format_read(&guess.formats[i], text.data, text.length, &number),
                "a format that does not read its text");
        write_and_read(&guess.formats[i], number);
    }
    return 0;
}
