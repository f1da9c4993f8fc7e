/* SPDX-License-Identifier: Apache-2.0 */
/* format_date.h - how dates are written: the part of format.h for days, months and times. */
#ifndef SHOAL_FORMAT_DATE_H
#define SHOAL_FORMAT_DATE_H

#include "base/format.h"

/* Is `format->spec` the name of a format of dates? Sets the other fields. */
bool shoal_date_format_parse(shoal_format *format);
/* The text from `at` to `end`, without blanks around it. */
bool shoal_date_format_read(const shoal_format *f, const char *at, const char *end, double *out);
/* Round to `unit` days and write; see shoal_format_write(). */
size_t shoal_date_format_write(char *out, const shoal_format *format, double number, double unit);

#endif
