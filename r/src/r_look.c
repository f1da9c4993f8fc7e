/* SPDX-License-Identifier: Apache-2.0 */
/* r_look.c - plans and hierarchies as texts, and which methods and models there are. */
#include "r_core.h"

#include <stdlib.h>

/* What one look holds. */
typedef struct look {
    r_owned owned;
    shoal_spec plan;
    shoal_hierarchy *hierarchy;
    const char **texts;
    size_t *lengths;
    char *answer;
    shoal_error err;
} look;

static void clear_look(void *object)
{
    look *l = object;
    shoal_spec_clear(&l->plan);
    shoal_hierarchy_free(l->hierarchy);
    free(l->texts);
    free(l->lengths);
    shoal_string_free(l->answer);
}

static SEXP begin(look **out)
{
    SEXP handle = r_handle_make(sizeof(look), clear_look, "shoal_look", R_NilValue);
    *out = R_ExternalPtrAddr(handle);
    (*out)->plan = (shoal_spec)SHOAL_SPEC_INIT;
    return handle;
}

static SEXP end(SEXP handle, look *l, shoal_status status)
{
    SEXP made = PROTECT(status == SHOAL_OK ? r_string(l->answer) : r_failure(&l->err));
    r_handle_free(handle);
    UNPROTECT(1);
    return made;
}

SEXP r_plan_read(SEXP text, SEXP name)
{
    look *l;
    SEXP handle = PROTECT(begin(&l)), plan = STRING_ELT(text, 0);
    shoal_status status = shoal_plan_parse(&l->plan, R_CHAR(plan), (size_t)LENGTH(plan),
                                           R_CHAR(STRING_ELT(name, 0)), &l->err);
    if (status == SHOAL_OK) l->answer = shoal_plan_json(&l->plan);
    SEXP made = end(handle, l, status);
    UNPROTECT(1);
    return made;
}

/* ---- hierarchies ---- */

/* The text of a level file. */
SEXP r_hierarchy_build(SEXP spec, SEXP values)
{
    look *l;
    SEXP handle = PROTECT(begin(&l));
    size_t n = (size_t)Rf_xlength(values);
    l->texts = calloc(n + 1, sizeof *l->texts);
    l->lengths = calloc(n + 1, sizeof *l->lengths);
    if (l->texts == NULL || l->lengths == NULL) Rf_error("out of memory");
    for (size_t i = 0; i < n; i++) {
        SEXP value = STRING_ELT(values, (R_xlen_t)i);
        l->texts[i] = R_CHAR(value);
        l->lengths[i] = (size_t)LENGTH(value);
    }
    shoal_values distinct = { .n_values = n, .texts = l->texts, .lengths = l->lengths };
    shoal_status status = shoal_hierarchy_build(&l->hierarchy, &distinct,
                                                R_CHAR(STRING_ELT(spec, 0)), &l->err);
    if (status == SHOAL_OK) status = shoal_hierarchy_to_levels(&l->answer, l->hierarchy, &l->err);
    SEXP made = end(handle, l, status);
    UNPROTECT(1);
    return made;
}

/* list(leaves, nodes, height, text of a level file) */
SEXP r_hierarchy_look(SEXP text, SEXP name)
{
    const char *names[] = { "leaves", "nodes", "height", "text", "" };
    look *l;
    SEXP handle = PROTECT(begin(&l)), levels = STRING_ELT(text, 0), made;
    shoal_status status = shoal_hierarchy_parse(&l->hierarchy, R_CHAR(levels),
                                                (size_t)LENGTH(levels), R_CHAR(STRING_ELT(name, 0)),
                                                &l->err);
    if (status == SHOAL_OK) status = shoal_hierarchy_to_levels(&l->answer, l->hierarchy, &l->err);
    if (status == SHOAL_OK) {
        made = PROTECT(Rf_mkNamed(VECSXP, names));
        SET_VECTOR_ELT(made, 0, Rf_ScalarInteger((int)shoal_hierarchy_n_leaves(l->hierarchy)));
        SET_VECTOR_ELT(made, 1, Rf_ScalarInteger((int)shoal_hierarchy_n_nodes(l->hierarchy)));
        SET_VECTOR_ELT(made, 2, Rf_ScalarInteger((int)shoal_hierarchy_height(l->hierarchy)));
        SET_VECTOR_ELT(made, 3, r_string(l->answer));
    } else {
        made = PROTECT(r_failure(&l->err));
    }
    r_handle_free(handle);
    UNPROTECT(2);
    return made;
}

/* ---- methods and models ---- */

SEXP r_registry(void)
{
    look *l;
    SEXP handle = PROTECT(begin(&l));
    l->answer = shoal_registry_json();
    SEXP made = end(handle, l, SHOAL_OK);
    UNPROTECT(1);
    return made;
}

/* A character matrix by columns: name, values, default, help of each parameter. */
SEXP r_algorithm_params(SEXP number)
{
    size_t algorithm = (size_t)Rf_asInteger(number) - 1, n = shoal_algorithm_n_params(algorithm);
    SEXP made = PROTECT(Rf_allocMatrix(STRSXP, (int)n, 4));
    for (size_t p = 0; p < n; p++) {
        const shoal_param_info *info = shoal_algorithm_param(algorithm, p);
        const char *const texts[] = { info->name, info->values, info->fallback, info->help };
        for (size_t t = 0; t < 4; t++)
            SET_STRING_ELT(made, (R_xlen_t)(p + t * n), Rf_mkCharCE(texts[t], CE_UTF8));
    }
    UNPROTECT(1);
    return made;
}

SEXP r_version(void)
{
    return r_string(shoal_version());
}
