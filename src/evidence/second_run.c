/* SPDX-License-Identifier: Apache-2.0 */
/* second_run.c - makes a release again, from the plan in its manifest, and compares the two.
 *
 * The second release stays in memory. If rows were shuffled, the lines of both are compared as
 * multisets, because their order is drawn from the system's entropy each time. So are the two
 * tables of anatomy, which therefore cannot be reproduced.
 */
#include "evidence/manifest.h"

#include <stdlib.h>
#include <string.h>

typedef struct line {
    const char *text;
    size_t length;
} line;

static size_t count_lines(const shoal_sink_text *text)
{
    size_t n = 0;
    for (size_t i = 0; i < text->size; i++) n += text->data[i] == '\n';
    return n + (text->size > 0 && text->data[text->size - 1] != '\n');
}

static int by_text(const void *a, const void *b)
{
    const line *x = a, *y = b;
    size_t shorter = x->length < y->length ? x->length : y->length;
    int order = shorter > 0 ? memcmp(x->text, y->text, shorter) : 0;
    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

/* The lines of a text, sorted; NULL: memory is short. */
static line *sort_lines(const shoal_sink_text *text, size_t *n)
{
    line *lines = shoal_alloc(count_lines(text), sizeof *lines);
    const char *at = text->data, *end = text->data + text->size;
    *n = 0;
    while (lines != NULL && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL) stop = end;
        lines[(*n)++] = (line){ at, (size_t)(stop - at) };
        at = stop + (stop < end);
    }
    if (lines != NULL && *n > 0) qsort(lines, *n, sizeof *lines, by_text);
    return lines;
}

static shoal_status compare_sets(shoal_finding *out, const shoal_sink_text *published,
                                 const shoal_sink_text *made, shoal_error *err)
{
    size_t n_published = 0, n_made = 0, same = 0, i = 0, j = 0;
    line *a = sort_lines(published, &n_published), *b = sort_lines(made, &n_made);
    bool is_short = a == NULL || b == NULL;
    while (!is_short && i < n_published && j < n_made) {
        int order = by_text(&a[i], &b[j]);
        same += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    shoal_free(a);
    shoal_free(b);
    if (is_short) return shoal_fail_memory(err);
    bool is_same = same == n_published && same == n_made;
    out->verdict = is_same ? SHOAL_HOLDS : SHOAL_FAILS;
    snprintf(out->text, sizeof out->text,
             is_same ? "a rerun gives the same %zu lines in another order: they were shuffled"
                     : "a rerun gives %zu of the %zu lines",
             same, n_published);
    return SHOAL_OK;
}

/* Where two texts differ first, and in how many lines. */
static void compare_bytes(shoal_finding *out, const shoal_sink_text *published,
                          const shoal_sink_text *made)
{
    const char *a = published->data, *a_end = a + published->size, *b = made->data,
               *b_end = b + made->size;
    size_t number = 0, first = 0, n_differ = 0;
    while (a < a_end || b < b_end) {
        const char *a_stop = a < a_end ? memchr(a, '\n', (size_t)(a_end - a)) : NULL,
                   *b_stop = b < b_end ? memchr(b, '\n', (size_t)(b_end - b)) : NULL;
        a_stop = a_stop != NULL ? a_stop + 1 : a_end;
        b_stop = b_stop != NULL ? b_stop + 1 : b_end;
        number++;
        if (a_stop - a != b_stop - b || memcmp(a, b, (size_t)(a_stop - a)) != 0) {
            n_differ++;
            if (first == 0) first = number;
        }
        a = a_stop;
        b = b_stop;
    }
    out->verdict = n_differ == 0 ? SHOAL_HOLDS : SHOAL_FAILS;
    if (n_differ == 0)
        snprintf(out->text, sizeof out->text, "a rerun gives the same bytes");
    else
        snprintf(out->text, sizeof out->text,
                 "a rerun gives different bytes: %zu of %zu lines differ, the first is line %zu",
                 n_differ, number, first);
}

/* Why it may differ although nothing was tampered with. */
static void add_reasons(shoal_finding *out, const json_t *root)
{
    const char *version = shoal_json_text_at(root, "shoal");
    size_t used = strlen(out->text);
    if (out->verdict != SHOAL_FAILS) return;
    if (version != NULL && strcmp(version, shoal_version()) != 0)
        used += (size_t)snprintf(out->text + used, sizeof out->text - used,
                                 "; it was made with version %.20s, this is %s", version,
                                 shoal_version());
    if (used < sizeof out->text && json_is_true(shoal_json_at(root, "result.stopped_early")))
        snprintf(out->text + used, sizeof out->text - used,
                 "; its search was stopped early by a time limit or an interrupt, which cannot be "
                 "reproduced");
}

static shoal_status make_again(shoal_outcome **out, const shoal_second_run *r,
                               shoal_memory_sink *memory, shoal_error *err)
{
    shoal_spec spec = *r->plan;
    spec.threads = r->request->threads;
    spec.population_table = r->population;
    spec.levels = r->n_levels > 0 ? r->levels : NULL;
    spec.n_levels = r->n_levels;
    spec.skip_measures = true;
    spec.row_order = 0;
    const shoal_sink *sink = shoal_memory_sink_of(memory);
    return shoal_pipeline_run(out, r->table, &spec, r->request->callbacks, sink, err);
}

shoal_status shoal_second_run_compare(shoal_finding *out, const shoal_second_run *r,
                                      shoal_error *err)
{
    const json_t *root = r->manifest->root;
    shoal_memory_sink *memory = NULL;
    shoal_outcome *outcome = NULL;
    shoal_sink_text made = { 0 };
    if (strcmp(shoal_json_text_at(root, "claims.form"), "buckets") == 0) {
        out->verdict = SHOAL_NOT_CHECKED;
        snprintf(out->text, sizeof out->text,
                 "anatomy draws its groups at random from the operating system, which cannot be "
                 "reproduced");
        return SHOAL_OK;
    }
    SHOAL_RETURN_IF_ERROR(shoal_memory_sink_make(&memory, 0, err));
    shoal_status status = make_again(&outcome, r, memory, err);
    if (status == SHOAL_OK) {
        made.data = shoal_memory_sink_text(memory, SHOAL_SINK_RELEASE, &made.size);
        if (json_is_true(shoal_json_at(root, "claims.shuffled")))
            status = compare_sets(out, &r->claim->texts[0], &made, err);
        else
            compare_bytes(out, &r->claim->texts[0], &made);
        add_reasons(out, root);
    }
    shoal_outcome_free(outcome);
    shoal_memory_sink_free(memory);
    return status;
}
