/* SPDX-License-Identifier: Apache-2.0 */
/* message.c - errors, warnings and numbers for people. The fix of an error is on a line of its own,
 * so that it is easy to find. */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_has_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (no_colour != NULL && *no_colour != '\0') return false;
    if (terminal != NULL && strcmp(terminal, "dumb") == 0) return false;
    return isatty(fileno(stream)) != 0;
}

/* A fix for an input or output whose message has only the system's error. */
static const char *usual_fix(const char *message)
{
    if (strstr(message, strerror(ENOSPC)) != NULL || strstr(message, strerror(EDQUOT)) != NULL)
        return "free disk space, or choose another folder";
    if (strstr(message, strerror(EMFILE)) != NULL || strstr(message, strerror(ENFILE)) != NULL)
        return "raise the limit on open files (ulimit -n)";
    if (strstr(message, strerror(EIO)) != NULL) return "check the disk";
    return "check the path and its permissions";
}

void cli_print_error(const shoal_error *err)
{
    bool colour = cli_has_colour(stderr);
    fprintf(stderr, "%sshoal: error:%s ", colour ? "\033[1;31m" : "", colour ? "\033[0m" : "");
    cli_print_text(stderr, err->message);
    fputc('\n', stderr);
    const char *fix = err->fix[0] == '\0' && err->status == SHOAL_EIO ? usual_fix(err->message)
                                                                      : err->fix;
    if (*fix == '\0') return;
    fprintf(stderr, "%sfix:%s ", colour ? "\033[1m" : "", colour ? "\033[0m" : "");
    cli_print_text(stderr, fix);
    fputc('\n', stderr);
}

/* What a format makes: in `small`, or, where that is too little, in memory to free; cut where
 * memory is short. */
static char *spell(char *small, size_t size, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(small, size, format, args);
    char *text = length >= (int)size ? malloc((size_t)length + 1) : NULL;
    if (text != NULL) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text != NULL ? text : small;
}

/* The text may contain names of columns and files with line ends of their own: only the last line
 * that begins with the prefix is the fix. */
void cli_warn(const char *format, ...)
{
    static const char mark[] = "\nfix: ";
    bool colour = cli_has_colour(stderr);
    fprintf(stderr, "%sshoal: warning:%s ", colour ? "\033[1;33m" : "", colour ? "\033[0m" : "");
    char small[4096], *fix = NULL;
    va_list args;
    va_start(args, format);
    char *text = spell(small, sizeof small, format, args);
    va_end(args);
    for (char *next = strstr(format, mark) != NULL ? strstr(text, mark) : NULL; next != NULL;
         next = strstr(next + 1, mark))
        fix = next;
    if (fix != NULL) *fix = '\0';
    cli_print_text(stderr, text);
    fputc('\n', stderr);
    if (fix != NULL) {
        cli_print_text(stderr, fix + 1);
        fputc('\n', stderr);
    }
    if (text != small) free(text);
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

size_t cli_shown_length(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

void cli_print_text(FILE *stream, const char *text)
{
    bool is_control = false;
    for (size_t n; (n = shoal_text_next(text, &is_control)) > 0; text += n)
        fwrite(is_control ? "?" : text, 1, is_control ? 1 : n, stream);
}
