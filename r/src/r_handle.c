/* SPDX-License-Identifier: Apache-2.0 */
/* r_handle.c - external pointers that free what they point to, and the fields of requests. */
#include "r_core.h"

#include <stdlib.h>
#include <string.h>

void r_handle_free(SEXP handle)
{
    r_owned *object = R_ExternalPtrAddr(handle);
    R_ClearExternalPtr(handle);
    if (object == NULL) return;
    object->clear(object);
    R_ReleaseObject(object->kept);
    free(object);
}

/* The pointer comes first: where R has no memory for it, there is nothing yet that could be lost.
 */
SEXP r_handle_make(size_t size, void (*clear)(void *object), const char *kind, SEXP kept)
{
    SEXP handle = PROTECT(R_MakeExternalPtr(NULL, Rf_install(kind), R_NilValue));
    R_RegisterCFinalizerEx(handle, r_handle_free, TRUE);
    r_owned *object = calloc(1, size);
    if (object == NULL) Rf_error("out of memory");
    object->clear = clear;
    object->kept = R_NilValue;
    R_SetExternalPtrAddr(handle, object);
    R_PreserveObject(kept);
    object->kept = kept;
    UNPROTECT(1);
    return handle;
}

void *r_handle_object(SEXP handle, const char *kind)
{
    bool is_one = TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrTag(handle) == Rf_install(kind);
    return is_one ? R_ExternalPtrAddr(handle) : NULL;
}

SEXP r_field(SEXP list, const char *name)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(names); i++)
        if (strcmp(R_CHAR(STRING_ELT(names, i)), name) == 0) return VECTOR_ELT(list, i);
    return R_NilValue;
}

const char *r_text(SEXP list, const char *name)
{
    SEXP value = r_field(list, name);
    return TYPEOF(value) == STRSXP && Rf_xlength(value) > 0 ? R_CHAR(STRING_ELT(value, 0)) : NULL;
}

double r_number(SEXP list, const char *name)
{
    SEXP value = r_field(list, name);
    return value == R_NilValue ? 0 : Rf_asReal(value);
}

bool r_flag(SEXP list, const char *name)
{
    return Rf_asLogical(r_field(list, name)) == TRUE;
}

SEXP r_string(const char *text)
{
    if (text == NULL) Rf_error("out of memory");
    return Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8));
}
