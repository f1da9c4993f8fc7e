/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_explain.c - `shoal explain`: what a model, a measure, a method or a word of a report means.
 *
 * Names are compared without regard to case, and `-`, `_` and blanks are equal, so keys of JSON
 * reports can be given unchanged. Several terms may be given; adjacent words that form one term are
 * read as one. An unknown term is an error that lists the nearest known ones.
 */
#include "explain.h"

#include "cli.h"

#include <ctype.h>
#include "json_build.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 80, WIDTH = 100, SUGGESTIONS = 3, MOST_NAMES = 500, MOST_TERMS = 30 };

static const struct {
    const char *name, *title;
} kinds[] = {
    [SHOAL_TERM_MODEL] = { "model", "Privacy models" },
    [SHOAL_TERM_MEASURE] = { "measure", "Measures" },
    [SHOAL_TERM_RISK] = { "risk", "Risk" },
    [SHOAL_TERM_ATTACK] = { "attack", "Attacks" },
    [SHOAL_TERM_METHOD] = { "method", "Methods (see also 'shoal algorithms')" },
    [SHOAL_TERM_WORD] = { "word", "Terms and rules" },
};

/* ---- finding ---- */

/* Lower case, `-` for `_` and blank. Cut to NAME_SIZE. */
static void fold(char *out, const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < NAME_SIZE; i++) {
        char c = (char)tolower((unsigned char)text[i]);
        out[n++] = c == '_' || c == ' ' ? '-' : c;
    }
    out[n] = '\0';
}

/* The next of "a|b|c", folded; false at the end. */
static bool next_name(char *out, const char **rest)
{
    if (**rest == '\0') return false;
    size_t length = strcspn(*rest, "|");
    fold(out, *rest, length);
    *rest += length;
    if (**rest == '|') (*rest)++;
    return true;
}

static bool has_name(const shoal_term *term, const char *folded)
{
    char name[NAME_SIZE];
    for (const char *rest = term->names; next_name(name, &rest);)
        if (strcmp(name, folded) == 0) return true;
    return false;
}

/* A term's own name comes before the by-names of others. */
static const shoal_term *find(const cli_terms *terms, const char *folded)
{
    for (int by_names = 0; by_names < 2; by_names++)
        for (size_t i = 0; i < terms->n; i++) {
            char own[NAME_SIZE];
            fold(own, terms->items[i]->names, strcspn(terms->items[i]->names, "|"));
            if (by_names ? has_name(terms->items[i], folded) : strcmp(own, folded) == 0)
                return terms->items[i];
        }
    return NULL;
}

/* ---- suggesting ---- */

typedef struct suggestions {
    char text[300];
    size_t n;
} suggestions;

static void suggest(suggestions *s, const char *name)
{
    size_t used = strlen(s->text);
    if (s->n == SUGGESTIONS || strstr(s->text, name) != NULL) return;
    snprintf(s->text + used, sizeof s->text - used, "%s%s", s->n > 0 ? ", " : "", name);
    s->n++;
}

/* Names that contain the word or are contained in it; then the one nearest in spelling. */
static void find_near(suggestions *s, const cli_terms *terms, const char *folded)
{
    static char names[MOST_NAMES][NAME_SIZE];
    const char *list[MOST_NAMES];
    size_t n = 0;
    for (size_t i = 0; i < terms->n; i++)
        for (const char *rest = terms->items[i]->names;
             n < MOST_NAMES && next_name(names[n], &rest); n++)
            list[n] = names[n];
    const char *nearest = cli_nearest(folded, list, n);
    if (nearest != NULL) suggest(s, nearest);
    for (size_t i = 0; i < n && strlen(folded) >= 3; i++)
        if (strstr(list[i], folded) != NULL ||
            (strlen(list[i]) >= 3 && strstr(folded, list[i]) != NULL))
            suggest(s, list[i]);
}

static shoal_status fail_unknown(const cli_terms *terms, const char *folded, shoal_error *err)
{
    suggestions s = { .text = "" };
    find_near(&s, terms, folded);
    if (s.n == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "there is no term '%s' {fix} 'shoal explain' lists them", folded);
    return shoal_fail(err, SHOAL_EINVAL,
                      "there is no term '%s' {fix} try %s, or 'shoal explain' for the list", folded,
                      s.text);
}

/* ---- printing ---- */

/* Words of `text` in lines of WIDTH, each line indented. */
static void print_wrapped(const char *text, size_t indent, size_t column)
{
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (column + 1 + length > WIDTH && column > indent) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        fwrite(text, 1, length, stdout);
        column += length;
        text += length;
        while (*text == ' ') text++;
    }
    putchar('\n');
}

static void print_part(const char *label, const char *text)
{
    if (text == NULL) return;
    printf("  %-10s", label);
    print_wrapped(text, 12, 12);
}

static void print_term(const shoal_term *term)
{
    const char *bold = cli_has_colour(stdout) ? "\033[1m" : "", *plain = *bold ? "\033[0m" : "";
    printf("%s%.*s%s (%s): ", bold, (int)strcspn(term->names, "|"), term->names, plain,
           kinds[term->kind].name);
    puts(term->title);
    printf("  ");
    print_wrapped(term->text, 2, 2);
    print_part("formula", term->formula);
    print_part("reading", term->reading);
    print_part("source", term->source);
}

static void print_list(const cli_terms *terms)
{
    for (size_t i = 0; i < terms->n; i++) {
        const shoal_term *term = terms->items[i];
        if (i == 0 || terms->items[i - 1]->kind != term->kind)
            printf("%s%s\n", i > 0 ? "\n" : "", kinds[term->kind].title);
        printf("  %-26.*s %s\n", (int)strcspn(term->names, "|"), term->names, term->title);
    }
}

static json_t *or_null(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

static json_t *term_json(const shoal_term *term)
{
    char name[NAME_SIZE];
    json_t *names = json_array();
    snprintf(name, sizeof name, "%.*s", (int)strcspn(term->names, "|"), term->names);
    for (const char *at = term->names; *at != '\0';) {
        size_t length = strcspn(at, "|");
        cli_json_append(&names, json_stringn(at, length));
        at += length + (at[length] == '|');
    }
    return json_pack("{s:s, s:o, s:s, s:s, s:s, s:o, s:o, s:o}", "term", name, "names", names,
                     "kind", kinds[term->kind].name, "title", term->title, "text", term->text,
                     "formula", or_null(term->formula), "reading", or_null(term->reading), "source",
                     or_null(term->source));
}

static char *list_json(const cli_terms *terms)
{
    json_t *list = json_array();
    for (size_t i = 0; i < terms->n; i++) cli_json_append(&list, term_json(terms->items[i]));
    return cli_json_text(list);
}

/* The words from `first` on, `n` of them, as one name: "k anonymity" may be given as two. */
static void join_words(char *out, const cli_args *args, size_t first, size_t n)
{
    char joined[NAME_SIZE] = "";
    for (size_t i = 0; i < n; i++) {
        size_t used = strlen(joined);
        snprintf(joined + used, sizeof joined - used, "%s%s", i > 0 ? "-" : "",
                 args->positional[first + i]);
    }
    fold(out, joined, strlen(joined));
}

/* The terms that were asked for, each of as many words as make one. */
static shoal_status find_all(const shoal_term **found, size_t *n_found, const cli_terms *terms,
                             const cli_args *args, shoal_error *err)
{
    char word[NAME_SIZE];
    for (size_t first = 0; first < args->n_positional;) {
        const shoal_term *term = NULL;
        size_t n = args->n_positional - first;
        for (; n > 0 && term == NULL; n--) {
            join_words(word, args, first, n);
            term = find(terms, word);
            if (term != NULL) first += n;
        }
        if (term == NULL) return fail_unknown(terms, word, err);
        found[(*n_found)++] = term;
    }
    return SHOAL_OK;
}

static char *found_json(const shoal_term *const *found, size_t n)
{
    if (n == 1) return cli_json_text(term_json(found[0]));
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) cli_json_append(&list, term_json(found[i]));
    return cli_json_text(list);
}

shoal_status cli_explain(const cli_args *args, shoal_error *err)
{
    const shoal_term *found[MOST_TERMS];
    size_t n = 0;
    cli_terms terms;
    cli_terms_collect(&terms);
    bool as_json = cli_has(args, OPT_JSON);
    if (args->n_positional == 0) {
        if (as_json) return cli_print_json(list_json(&terms), err);
        print_list(&terms);
        return SHOAL_OK;
    }
    CLI_RETURN_IF_ERROR(find_all(found, &n, &terms, args, err));
    if (as_json) return cli_print_json(found_json(found, n), err);
    for (size_t i = 0; i < n; i++) {
        if (i > 0) putchar('\n');
        print_term(found[i]);
    }
    return SHOAL_OK;
}
