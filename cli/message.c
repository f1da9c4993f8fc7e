/* SPDX-License-Identifier: Apache-2.0 */
/* message.c - errors, warnings and numbers for people.
 *
 * A message reads "what, where, which limit; the fix". The part after the last "; " is printed on a
 * line of its own, so that the eye finds what to do.
 */
#include "cli.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

shoal_status cli_fail(shoal_error *err, shoal_status status, const char *format, ...)
{
    err->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

shoal_status cli_fail_memory(shoal_error *err)
{
    return cli_fail(err, SHOAL_ENOMEM, "out of memory; free some, or use a machine with more");
}

bool cli_has_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (no_colour != NULL && *no_colour != '\0') return false;
    if (terminal != NULL && strcmp(terminal, "dumb") == 0) return false;
    return isatty(fileno(stream)) != 0;
}

/* Where the name ends that begins with the quote at `at`; NULL: that is an apostrophe, or nothing closes it. */
static const char *end_of_name(const char *message, const char *at)
{
    if (at > message && at[-1] != ' ' && at[-1] != '(') return NULL;
    for (at = strchr(at + 1, '\''); at != NULL; at = strchr(at + 1, '\''))
        if (!isalnum((unsigned char)at[1])) return at;
    return NULL;
}

/* Where the fix begins in a message, or NULL. Names of columns and files stand in quotes, and may hold anything. */
static const char *find_fix(const char *message)
{
    const char *fix = NULL;
    for (const char *at = message; *at != '\0'; at++) {
        const char *end = *at == '\'' ? end_of_name(message, at) : NULL;
        if (end != NULL) at = end;
        else if (at[0] == ';' && at[1] == ' ') fix = at + 2;
    }
    return fix != NULL && *fix != '\0' ? fix : NULL;
}

void cli_print_error(const shoal_error *err)
{
    bool colour = cli_has_colour(stderr);
    const char *fix = find_fix(err->message);
    size_t length = fix != NULL ? (size_t)(fix - err->message) - 2 : strlen(err->message);
    fprintf(stderr, "%sshoal: error:%s ", colour ? "\033[1;31m" : "", colour ? "\033[0m" : "");
    char what[sizeof err->message];
    snprintf(what, sizeof what, "%.*s", (int)length, err->message);
    cli_print_text(stderr, what);
    fputc('\n', stderr);
    if (fix == NULL && err->status == SHOAL_EIO) fix = "check the path and its permissions";
    if (fix == NULL) return;
    fprintf(stderr, "%sfix:%s ", colour ? "\033[1m" : "", colour ? "\033[0m" : "");
    cli_print_text(stderr, fix);
    fputc('\n', stderr);
}

void cli_warn(const char *format, ...)
{
    bool colour = cli_has_colour(stderr);
    fprintf(stderr, "%sshoal: warning:%s ", colour ? "\033[1;33m" : "", colour ? "\033[0m" : "");
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

const char *cli_count(uint64_t number, char *buffer)
{
    char digits[24];
    int n_digits = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number), at = 0;
    for (int i = 0; i < n_digits; i++) {
        if (i > 0 && (n_digits - i) % 3 == 0) buffer[at++] = ',';
        buffer[at++] = digits[i];
    }
    buffer[at] = '\0';
    return buffer;
}

void cli_print_text(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        fputc((c < 0x20 && c != '\n') || c == 0x7f ? '?' : c, stream);
    }
}
