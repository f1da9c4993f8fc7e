/* SPDX-License-Identifier: Apache-2.0 */
/* step_weights.c - see step_weights.h.
 *
 * Li et al. 2006, definition 5 (uniform, height, and weights "predefined" for each step); Pramanik
 * et al. 2016, definition 6 (koc-height); Sun et al. 2008, definitions 4 and 5 (priorities).
 */
#include "cost/step_weights.h"

#include <math.h>
#include <string.h>

/* ---- steps ---- */

/* `spec` is `name`, or `name:NUMBER`. False: it is something else. */
static bool is_scheme(const char *spec, const char *name, const char **number)
{
    size_t length = strlen(name);
    if (strncmp(spec, name, length) != 0 || (spec[length] != '\0' && spec[length] != ':'))
        return false;
    *number = spec[length] == ':' ? spec + length + 1 : NULL;
    return true;
}

static shoal_status read_exponent(double *out, const char *name, const char *number, double least,
                                  shoal_error *err)
{
    *out = 1;
    if (number == NULL || (shoal_parse_number(number, strlen(number), out) && *out >= least))
        return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EINVAL,
        "weights: the exponent of %s must be a number of at least %g {fix} write %s or %s:2", name,
        least, name, name);
}

static shoal_status read_list(shoal_step_weights *out, const char *spec, shoal_error *err)
{
    uint32_t n = 1;
    for (const char *at = spec; *at != '\0'; at++) n += *at == ',';
    out->scheme = SHOAL_WEIGHTS_LISTED;
    out->listed = shoal_alloc(n, sizeof *out->listed);
    if (out->listed == NULL) return shoal_fail_memory(err);
    for (const char *at = spec; out->n_listed < n; out->n_listed++) {
        size_t length = strcspn(at, ",");
        double *weight = &out->listed[out->n_listed];
        if (!shoal_parse_number(at, length, weight) || !(*weight > 0)) {
            shoal_step_weights_clear(out);
            return shoal_fail(err, SHOAL_EINVAL,
                              "weights: not a scheme, and not numbers above 0 {fix} write uniform, "
                              "height, height:BETA, koc-height, koc-height:GAMMA, or one weight "
                              "per step from the leaves upwards, such as 1,2,4");
        }
        at += length + 1;
    }
    return SHOAL_OK;
}

shoal_status shoal_step_weights_read(shoal_step_weights *out, const char *spec, shoal_error *err)
{
    const char *number = NULL;
    *out = (shoal_step_weights){ .scheme = SHOAL_WEIGHTS_UNIFORM, .exponent = 1 };
    if (spec == NULL || strcmp(spec, "uniform") == 0) return SHOAL_OK;
    if (is_scheme(spec, "height", &number)) {
        out->scheme = SHOAL_WEIGHTS_HEIGHT;
        return read_exponent(&out->exponent, "height", number, 1, err);
    }
    if (is_scheme(spec, "koc-height", &number)) {
        out->scheme = SHOAL_WEIGHTS_KOC_HEIGHT;
        return read_exponent(&out->exponent, "koc-height", number, 0, err);
    }
    return read_list(out, spec, err);
}

void shoal_step_weights_clear(shoal_step_weights *weights)
{
    shoal_free(weights->listed);
    *weights = (shoal_step_weights){ 0 };
}

/* Step `d` from the root of `height`. */
static double weight_of_step(const shoal_step_weights *weights, uint32_t d, uint32_t height)
{
    switch (weights->scheme) {
    case SHOAL_WEIGHTS_UNIFORM: return 1;
    case SHOAL_WEIGHTS_HEIGHT: return pow(d, -weights->exponent);
    case SHOAL_WEIGHTS_KOC_HEIGHT: return pow(d + 1.0, -weights->exponent);
    case SHOAL_WEIGHTS_LISTED: return weights->listed[height - d];
    }
    return 1;
}

void shoal_step_weights_sum(double *ascent, double *whole, uint32_t height,
                            const shoal_step_weights *weights)
{
    ascent[0] = whole[0] = 0;
    for (uint32_t d = 1; d <= height; d++) {
        ascent[d] = ascent[d - 1] + weight_of_step(weights, d, height);
        whole[d] = weights->scheme == SHOAL_WEIGHTS_KOC_HEIGHT ? d : ascent[d];
    }
}

/* ---- priorities ---- */

void shoal_priorities(double *out, const uint32_t *order, const double *w, uint32_t n_attrs)
{
    for (uint32_t j = 0; j < n_attrs; j++)
        out[order[j]] = j == 0 ? 1 : 1 - (w == NULL ? 1 : w[j]) * j / (n_attrs - 1.0);
}

/* One entry of a text. */
typedef struct entry {
    uint32_t attr;
    double number;  /* 1 if there is none */
    char separator; /* before the number: ':' or '='; 0: there is none */
} entry;

static shoal_status read_entry(entry *out, const char *const *names, uint32_t n, const char *text,
                               size_t length, shoal_error *err)
{
    *out = (entry){ .number = 1 };
    /* the whole text first: a name may contain a colon or an equals sign */
    for (int part = 0; part < 2; part++) {
        for (out->attr = 0; out->attr < n; out->attr++)
            if (strlen(names[out->attr]) == length && memcmp(names[out->attr], text, length) == 0)
                return SHOAL_OK;
        size_t cut = length;
        while (cut > 0 && text[cut - 1] != ':' && text[cut - 1] != '=') cut--;
        if (cut == 0 || part == 1) break;
        if (!shoal_parse_number(text + cut, length - cut, &out->number) ||
            !(out->number >= 0 && out->number <= 1))
            return shoal_fail(err, SHOAL_EINVAL,
                              "priorities: a number after ':' or '=' must be from 0 to 1");
        out->separator = text[cut - 1];
        length = cut - 1;
    }
    return shoal_fail(err, SHOAL_EINVAL, "priorities: '{column %.*s}' is not a quasi-identifier",
                      (int)(length < 200 ? length : 200), text);
}

static shoal_status check_entry(const entry *e, const uint32_t *order, uint32_t n_before, char form,
                                shoal_error *err)
{
    for (uint32_t i = 0; i < n_before; i++)
        if (order[i] == e->attr)
            return shoal_fail(err, SHOAL_EINVAL, "priorities: a quasi-identifier is named twice");
    if (n_before > 0 && (form == '=') != (e->separator == '='))
        return shoal_fail(err, SHOAL_EINVAL,
                          "priorities: names with and without numbers {fix} name all "
                          "quasi-identifiers, most important first, or write each as NAME=NUMBER");
    return SHOAL_OK;
}

/* `order` and `w` have room for n. */
static shoal_status read_entries(double *out, uint32_t *order, double *w, const char *const *names,
                                 uint32_t n, const char *text, shoal_error *err)
{
    uint32_t n_read = 0;
    char form = 0;
    for (bool more = true; more; n_read++) {
        size_t length = strcspn(text, ",");
        entry e;
        SHOAL_RETURN_IF_ERROR(read_entry(&e, names, n, text, length, err));
        SHOAL_RETURN_IF_ERROR(check_entry(&e, order, n_read, form, err));
        form = e.separator == '=' ? '=' : ':';
        order[n_read] = e.attr;
        w[n_read] = e.number;
        more = text[length] == ',';
        text += length + 1;
    }
    for (uint32_t i = 0; i < n; i++) out[i] = 1;
    if (form == '=') {
        for (uint32_t i = 0; i < n_read; i++) out[order[i]] = w[i];
        return SHOAL_OK;
    }
    if (n_read < n)
        return shoal_fail(err, SHOAL_EINVAL,
                          "priorities: %u of %u quasi-identifiers are named {fix} name all of "
                          "them, most important first",
                          n_read, n);
    shoal_priorities(out, order, w, n);
    return SHOAL_OK;
}

shoal_status shoal_priorities_read(double *out, const char *const *names, uint32_t n,
                                   const char *text, shoal_error *err)
{
    uint32_t *order = shoal_alloc(n, sizeof *order);
    double *w = shoal_alloc(n, sizeof *w);
    shoal_status status = order != NULL && w != NULL
                              ? read_entries(out, order, w, names, n, text, err)
                              : shoal_fail_memory(err);
    shoal_free(order);
    shoal_free(w);
    return status;
}
