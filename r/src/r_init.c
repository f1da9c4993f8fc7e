/* SPDX-License-Identifier: Apache-2.0 */
/* r_init.c - the list of the entries. R code in R/ is what people call. */
#include "r_core.h"

#include <R_ext/Rdynload.h>

#define ENTRY(name, n_arguments)                                                                   \
    {                                                                                              \
#name, (DL_FUNC)(void (*)(void))name, n_arguments                                          \
    }

static const R_CallMethodDef entries[] = {
    ENTRY(r_anonymize, 2),        ENTRY(r_release_report, 3), ENTRY(r_release_columns, 1),
    ENTRY(r_release_groups, 1),   ENTRY(r_release_texts, 1),  ENTRY(r_release_request, 1),
    ENTRY(r_release_manifest, 3), ENTRY(r_manifest_html, 2),  ENTRY(r_ask, 2),
    ENTRY(r_profile, 2),          ENTRY(r_plan_read, 2),      ENTRY(r_hierarchy_build, 2),
    ENTRY(r_hierarchy_look, 2),   ENTRY(r_registry, 0),       ENTRY(r_algorithm_params, 1),
    ENTRY(r_version, 0),          { NULL, NULL, 0 },
};

void R_init_shoal(DllInfo *library); /* R looks it up by name */

void R_init_shoal(DllInfo *library)
{
    R_registerRoutines(library, NULL, entries, NULL, NULL);
    R_useDynamicSymbols(library, FALSE);
    /* R code names them by texts: the library is loaded by hand, see R/zzz.R */
    R_forceSymbols(library, FALSE);
}
