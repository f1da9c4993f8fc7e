/* SPDX-License-Identifier: Apache-2.0 */
/* fail.c - the one way to report a failure: a format with places in braces becomes an error with
 * parts.
 *
 * Braces and conversions are read from the format alone, never from what the arguments hold: a
 * column may be called
 * "{fix}" or "a; b --qid". That is why the format is walked here, one conversion at a time, and not
 * given to vsnprintf() as a whole.
 */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text that is cut between characters ---- */

/* The most of `size` bytes that does not end in the middle of a UTF-8 character. */
static size_t whole_size(const char *text, size_t size)
{
    size_t tail = 0; /* bytes after the last one that begins a character */
    while (tail < 3 && tail < size && ((unsigned char)text[size - 1 - tail] & 0xC0) == 0x80) tail++;
    if (tail == size) return size;
    unsigned char first = (unsigned char)text[size - 1 - tail];
    size_t wanted = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    return tail < wanted ? size - 1 - tail : size;
}

typedef struct target {
    char *text;
    size_t size, used;
    bool is_full; /* something did not fit; nothing is added after it */
} target;

static void put(target *t, const char *bytes, size_t n)
{
    if (t->is_full) return;
    size_t room = t->size - 1 - t->used;
    if (n > room) {
        n = whole_size(bytes, room);
        t->is_full = true;
    }
    memcpy(t->text + t->used, bytes, n);
    t->used += n;
    t->text[t->used] = '\0';
}

static void put_text(target *t, const char *text)
{
    put(t, text, strlen(text));
}

/* ---- parts ---- */

typedef enum part_kind {
    PART_FILE,
    PART_COLUMN,
    PART_ROW,
    PART_LINE,
    PART_SOURCE,
    PART_OPTION,
    PART_TEXT
} part_kind;

/* What an opening brace is followed by. */
static const struct {
    const char *word;
    size_t skip; /* an option is written with its dashes */
    part_kind kind;
} parts[] = {
    { "{file ", 6, PART_FILE }, { "{column ", 8, PART_COLUMN }, { "{row ", 5, PART_ROW },
    { "{line ", 6, PART_LINE }, { "{source ", 8, PART_SOURCE }, { "{-", 1, PART_OPTION },
    { "{text ", 6, PART_TEXT },
};

static void add_term(shoal_error *err, shoal_word_kind kind, bool in_fix, size_t begin,
                     size_t length)
{
    if (err->n_terms == SHOAL_ERROR_TERMS) return;
    err->terms[err->n_terms++] = (shoal_error_term){ .kind = (uint8_t)kind,
                                                     .in_fix = in_fix,
                                                     .begin = (uint16_t)begin,
                                                     .length = (uint16_t)length };
}

static void keep_name(char *out, size_t size, const char *name, size_t length)
{
    if (out[0] != '\0') return; /* the first one is what it is about */
    target t = { .text = out, .size = size };
    put(&t, name, length);
}

static void keep_number(uint64_t *out, const char *digits)
{
    if (*out == 0) *out = strtoull(digits, NULL, 10);
}

/* ---- the walk through a format ---- */

typedef struct walk {
    shoal_error *err;
    target to; /* the message, from {fix} on the fix */
    bool in_fix;
    va_list args;
} walk;

static void begin_fix(walk *w)
{
    if (w->in_fix) return;
    while (!w->to.is_full && w->to.used > 0 && w->to.text[w->to.used - 1] == ' ')
        w->to.text[--w->to.used] = '\0';
    w->to = (target){ .text = w->err->fix, .size = sizeof w->err->fix };
    w->in_fix = true;
}

static void put_string(walk *w, const char *spec)
{
    const char *text = va_arg(w->args, const char *), *dot = strchr(spec, '.');
    if (text == NULL) text = "(null)";
    size_t most = dot != NULL ? strtoull(dot + 1, NULL, 10) : SIZE_MAX, n = 0;
    while (n < most && text[n] != '\0') n++; /* there may be no end before `most` */
    put(&w->to, text, n == most ? whole_size(text, n) : n);
}

static void put_whole(walk *w, const char *spec)
{
    char digits[64];
    if (strstr(spec, "ll") != NULL)
        snprintf(digits, sizeof digits, spec, va_arg(w->args, unsigned long long));
    else if (strchr(spec, 'l') != NULL)
        snprintf(digits, sizeof digits, spec, va_arg(w->args, unsigned long));
    else if (strchr(spec, 'z') != NULL)
        snprintf(digits, sizeof digits, spec, va_arg(w->args, size_t));
    else
        snprintf(digits, sizeof digits, spec, va_arg(w->args, unsigned));
    put_text(&w->to, digits);
}

static void put_number(walk *w, const char *spec)
{
    char digits[400]; /* %f of the greatest number */
    snprintf(digits, sizeof digits, spec, va_arg(w->args, double));
    put_text(&w->to, digits);
}

/* Write the argument of the conversion at `at` (a '%'); returns what follows it. */
static const char *put_conversion(walk *w, const char *at)
{
    char spec[32];
    size_t n = 0, length = 1 + strspn(at + 1, "-+ #0123456789.*hlz");
    for (size_t i = 0; i <= length && n + 12 < sizeof spec; i++) {
        if (at[i] == '*')
            n += (size_t)snprintf(spec + n, sizeof spec - n, "%d", va_arg(w->args, int));
        else
            spec[n++] = at[i];
    }
    spec[n] = '\0';
    switch (at[length]) {
    case '%': put(&w->to, "%", 1); break;
    case 's': put_string(w, spec); break;
    case 'c': /* an int too */
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X': put_whole(w, spec); break;
    case 'e':
    case 'f':
    case 'g': put_number(w, spec); break;
    /* its argument has an unknown size: nothing after it can be written */
    default: return at + strlen(at);
    }
    return at + length + 1;
}

static void put_format(walk *w, const char *at, const char *end, bool converts);

static void put_part(walk *w, part_kind kind, const char *at, const char *end, bool converts)
{
    if (kind == PART_TEXT && converts) {
        const char *text = va_arg(w->args, const char *);
        put_format(w, text, text + strlen(text), false);
        return;
    }
    target *t = &w->to;
    size_t begin = t->used;
    put_format(w, at, end, converts);
    const char *text = t->text + begin;
    size_t length = t->used - begin;
    switch (kind) {
    case PART_FILE: keep_name(w->err->file, sizeof w->err->file, text, length); break;
    case PART_COLUMN: keep_name(w->err->column, sizeof w->err->column, text, length); break;
    case PART_ROW: keep_number(&w->err->row, text); break;
    case PART_LINE: keep_number(&w->err->line, text); break;
    case PART_SOURCE:
    case PART_OPTION:
        if (!t->is_full)
            add_term(w->err, kind == PART_OPTION ? SHOAL_WORD_OPTION : SHOAL_WORD_SOURCE, w->in_fix,
                     begin, length);
        break;
    case PART_TEXT: break;
    }
}

/* Write the place at `at` (an opening brace); returns what follows it. */
static const char *put_place(walk *w, const char *at, const char *end, bool converts)
{
    const char *close = memchr(at, '}', (size_t)(end - at));
    if (close != NULL && strncmp(at, "{fix}", 5) == 0) {
        begin_fix(w);
        return close + 1 + strspn(close + 1, " ");
    }
    for (size_t i = 0; close != NULL && i < sizeof parts / sizeof *parts; i++) {
        if (strncmp(at, parts[i].word, strlen(parts[i].word)) != 0) continue;
        put_part(w, parts[i].kind, at + parts[i].skip, close, converts);
        return close + 1;
    }
    put(&w->to, at, 1);
    return at + 1;
}

static void put_format(walk *w, const char *at, const char *end, bool converts)
{
    while (at < end) {
        size_t plain = 0;
        while (at + plain < end && at[plain] != '{' && !(converts && at[plain] == '%')) plain++;
        put(&w->to, at, plain);
        at += plain;
        if (at < end) at = *at == '{' ? put_place(w, at, end, converts) : put_conversion(w, at);
    }
}

/* ---- errors ---- */

static void fill(shoal_error *err, shoal_status status, const char *format, va_list args)
{
    err->status = status;
    err->message[0] = err->fix[0] = err->file[0] = err->column[0] = '\0';
    err->row = err->line = 0;
    err->n_terms = 0;
    walk w = { .err = err, .to = { .text = err->message, .size = sizeof err->message } };
    va_copy(w.args, args);
    put_format(&w, format, format + strlen(format), true);
    va_end(w.args);
}

shoal_status shoal_fail(shoal_error *err, shoal_status status, const char *format, ...)
{
    if (err == NULL) return status;
    va_list args;
    va_start(args, format);
    fill(err, status, format, args);
    va_end(args);
    return status;
}

shoal_status shoal_fail_memory(shoal_error *err)
{
    return shoal_fail(err, SHOAL_ENOMEM,
                      "out of memory {fix} free memory, or use a machine with more");
}

/* The message of `cause` after that of `err`, with its terms, as far as there is room. */
static void append_cause(shoal_error *err, const shoal_error *cause)
{
    target t = { .text = err->message, .size = sizeof err->message, .used = strlen(err->message) };
    put(&t, ": ", 2);
    size_t begin = t.used;
    put_text(&t, cause->message);
    for (uint32_t i = 0; i < cause->n_terms; i++) {
        const shoal_error_term *term = &cause->terms[i];
        if (!term->in_fix && begin + term->begin + term->length <= t.used)
            add_term(err, term->kind, false, begin + term->begin, term->length);
    }
}

static void take_fix(shoal_error *err, const shoal_error *from)
{
    memcpy(err->fix, from->fix, sizeof err->fix);
    for (uint32_t i = 0; i < from->n_terms; i++)
        if (from->terms[i].in_fix)
            add_term(err, from->terms[i].kind, true, from->terms[i].begin, from->terms[i].length);
}

shoal_status shoal_fail_in(shoal_error *err, shoal_status status, const char *format, ...)
{
    if (err == NULL) return status;
    shoal_error cause = *err, head;
    va_list args;
    va_start(args, format);
    fill(&head, status, format, args);
    va_end(args);
    *err = head;
    err->n_terms = 0;
    for (uint32_t i = 0; i < head.n_terms; i++)
        if (!head.terms[i].in_fix)
            add_term(err, head.terms[i].kind, false, head.terms[i].begin, head.terms[i].length);
    append_cause(err, &cause);
    take_fix(err, head.fix[0] != '\0' ? &head : &cause);
    if (cause.file[0] != '\0') memcpy(err->file, cause.file, sizeof err->file);
    if (cause.column[0] != '\0') memcpy(err->column, cause.column, sizeof err->column);
    if (cause.row != 0) err->row = cause.row;
    if (cause.line != 0) err->line = cause.line;
    return status;
}

/* ---- other ways to write terms ---- */

static void spell_text(shoal_error *err, const shoal_error *from, bool in_fix, shoal_spell_fn spell,
                       void *payload)
{
    const char *text = in_fix ? from->fix : from->message;
    target t = { .text = in_fix ? err->fix : err->message,
                 .size = in_fix ? sizeof err->fix : sizeof err->message };
    size_t at = 0;
    t.text[0] = '\0';
    for (uint32_t i = 0; i < from->n_terms; i++) {
        const shoal_error_term *term = &from->terms[i];
        if ((term->in_fix != 0) != in_fix) continue;
        char word[512];
        snprintf(word, sizeof word, "%.*s", (int)term->length, text + term->begin);
        spell(word, sizeof word, term->kind, payload);
        put(&t, text + at, term->begin - at);
        size_t begin = t.used;
        put_text(&t, word);
        if (!t.is_full) add_term(err, term->kind, in_fix, begin, t.used - begin);
        at = (size_t)term->begin + term->length;
    }
    put_text(&t, text + at);
}

void shoal_error_spell(shoal_error *err, shoal_spell_fn spell, void *payload)
{
    shoal_error from = *err;
    err->n_terms = 0;
    spell_text(err, &from, false, spell, payload);
    spell_text(err, &from, true, spell, payload);
}
