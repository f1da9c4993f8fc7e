/* SPDX-License-Identifier: Apache-2.0 */
/* r_job.c - what R says of the tables of one call. */
#include "r_core.h"

shoal_status r_job_begin(shoal_job **job, r_guard *g, SEXP request, shoal_error *err)
{
    shoal_job_options options = SHOAL_JOB_OPTIONS_INIT;
    options.callbacks = &g->callbacks;
    RETURN_IF_ERROR(shoal_job_make(job, r_text(request, "plan"), err));
    shoal_job_set(*job, &options);
    SEXP texts = r_field(request, "hierarchies"), names = Rf_getAttrib(texts, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(texts); i++) {
        SEXP text = STRING_ELT(texts, i);
        RETURN_IF_ERROR(shoal_job_add_hierarchy(*job, R_CHAR(STRING_ELT(names, i)), R_CHAR(text),
                                                (size_t)LENGTH(text), err));
    }
    return SHOAL_OK;
}
