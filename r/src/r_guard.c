/* SPDX-License-Identifier: Apache-2.0 */
/* r_guard.c - work for R, and callbacks during it: progress, interrupts, errors.
 *
 * The library calls r_guard_step() on the thread of R now and then. At most twenty times a second R
 * is asked for interrupts, and the callback is called. R may leave either by a jump, which must not
 * pass over the library: R_UnwindProtect() halts it, the library is told to stop and returns in
 * good order, what the call holds is freed, and only then R goes on to where it was going. But
 * where the library already had a valid result when the interrupt came, that result is kept, and
 * the jump is forgotten.
 */
#include "r_core.h"

#include <string.h>

void r_guard_begin(r_guard *g, SEXP callback, SEXP unwind)
{
    memset(g, 0, sizeof *g);
    g->callbacks = (shoal_callbacks)SHOAL_PROGRESS(r_guard_step, g);
    g->callback = callback;
    g->unwind = unwind;
}

static SEXP ask(void *payload)
{
    r_guard *g = payload;
    g->is_checking = true;
    R_CheckUserInterrupt();
    g->is_checking = false;
    if (g->callback == R_NilValue) return R_NilValue;
    SEXP phase = PROTECT(Rf_mkString(g->phase)), fraction = PROTECT(Rf_ScalarReal(g->fraction));
    SEXP call = PROTECT(Rf_lang3(g->callback, phase, fraction));
    SEXP answer = PROTECT(Rf_eval(call, R_GlobalEnv));
    g->stopped = Rf_asLogical(answer) == TRUE;
    UNPROTECT(4);
    return R_NilValue;
}

static void leave(void *payload, Rboolean is_jump)
{
    r_guard *g = payload;
    if (is_jump) longjmp(g->back, 1);
}

int r_guard_step(const char *phase, double fraction, void *payload)
{
    r_guard *g = payload;
    if (g->stopped) return 1;
    if (!shoal_pace_is_due(&g->pace, phase, g->callback != R_NilValue)) return 0;
    g->phase = phase;
    g->fraction = fraction;
    if (setjmp(g->back) == 0) {
        R_UnwindProtect(ask, g, leave, g, g->unwind);
    } else {
        g->jumped = g->stopped = true;
        g->interrupted = g->is_checking;
    }
    return g->stopped;
}

bool r_guard_succeeded(const r_guard *g, shoal_status status)
{
    return status == SHOAL_OK && (!g->jumped || (g->interrupted && g->has_result));
}

SEXP r_failure(const shoal_error *err)
{
    const char *names[] = { "status", "message", "fix", "file", "column", "row", "line", "" };
    shoal_error spelled = *err;
    shoal_error_spell_keywords(&spelled, "class", "an argument");
    SEXP made = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(made, 0, Rf_ScalarInteger((int)spelled.status));
    SET_VECTOR_ELT(made, 1, r_string(spelled.message));
    SET_VECTOR_ELT(made, 2, r_string(spelled.fix));
    SET_VECTOR_ELT(made, 3, r_string(spelled.file));
    SET_VECTOR_ELT(made, 4, r_string(spelled.column));
    SET_VECTOR_ELT(made, 5, Rf_ScalarReal((double)spelled.row));
    SET_VECTOR_ELT(made, 6, Rf_ScalarReal((double)spelled.line));
    Rf_setAttrib(made, R_ClassSymbol, PROTECT(Rf_mkString("shoal_failure")));
    UNPROTECT(2);
    return made;
}

SEXP r_guard_failure(const r_guard *g, SEXP handle, const shoal_error *err)
{
    bool jumped = g->jumped;
    SEXP unwind = PROTECT(g->unwind);
    SEXP made = PROTECT(jumped ? R_NilValue : r_failure(err));
    r_handle_free(handle); /* the guard is part of it */
    if (jumped) R_ContinueUnwind(unwind);
    UNPROTECT(2);
    return made;
}
