/* SPDX-License-Identifier: Apache-2.0 */
/* format.h - how numbers and dates of a column are written: 1.234,5 EUR, 180 cm, 31.12.2026 18:30.
 *
 * A format is named by an example of it: the number 1234 or 1234.5 with the separators, the unit or
 * the currency of the column, or a date as YYYY, MM, DD, hh, mm, ss with the text between them;
 * more parts of dates are in format_date.c.
 */
#ifndef SHOAL_FORMAT_H
#define SHOAL_FORMAT_H

#include "base/base.h"

typedef enum shoal_format_kind {
    SHOAL_FORMAT_PLAIN = 0, /* a number as shoal_parse_number() reads it */
    SHOAL_FORMAT_ISO_DATE,  /* YYYY-MM-DD */
    SHOAL_FORMAT_NUMBER,
    SHOAL_FORMAT_DATE,
    SHOAL_FORMAT_LABELS /* of ordered categories: the place of a label depends on the column */
} shoal_format_kind;

enum { SHOAL_FORMAT_SIZE = 48, SHOAL_FORMATTED_SIZE = 112 };

/* Zero is a plain number. */
typedef struct shoal_format {
    shoal_format_kind kind;
    char decimal;                 /* numbers: '.' or ',' */
    char thousands;               /* '.', ',', ' ', '\'' or 0: none */
    uint8_t n_prefix, n_suffix;   /* bytes of `spec` before and behind the number or date */
    uint16_t first_year;          /* of two digits of a year: the first of a hundred; else 0 */
    char spec[SHOAL_FORMAT_SIZE]; /* as it is named */
} shoal_format;

/* Read the name of a format; false when it is none. */
bool shoal_format_parse(shoal_format *out, const char *spec);
/* Number of a text; days since 1970-01-01, with the time as a fraction, of a date. Numbers that are
 * not plain have at most 15 digits, so that a double has them exactly. */
bool shoal_format_read(const shoal_format *format, const char *text, size_t length, double *out);
bool shoal_format_is_date(const shoal_format *format);
/*
 * Write a plain number, digits with at most one point and a sign, in the format; of dates nothing
 * but the number itself counts. At most SHOAL_FORMATTED_SIZE bytes with the NUL; returns the
 * length.
 */
size_t shoal_format_write(char *out, const shoal_format *format, const char *plain, double number);
/* What a written date is rounded to, in days: a day, a minute or a second. */
double shoal_format_unit(const shoal_format *format);
/* Digits behind the decimal point of a number that is not plain. */
int shoal_format_decimals(const shoal_format *format, const char *text, size_t length);
/* As shoal_compare_decimals() for texts of the format; 0 unless numbers are plain. */
int shoal_format_compare(const shoal_format *format, const char *a, size_t a_length, const char *b,
                         size_t b_length);

#endif
