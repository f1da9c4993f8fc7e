/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_plan.c - any bytes as a plan file: read or refused with a message, and what was read can be
 * merged and cleared.
 */
#include "io/plan_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "fuzz_plan: %s\n", what);
    abort();
}

/* What the rest of the library takes for granted. */
static void check_plan(const shoal_spec *plan)
{
    for (size_t i = 0; i < plan->n_columns; i++) {
        require(plan->columns[i].name != NULL, "a column without a name");
        require(plan->columns[i].role <= SHOAL_ROLE_UNDECIDED &&
                    plan->columns[i].type <= SHOAL_TYPE_ORDERED,
                "an unknown role or type");
        for (size_t j = 0; j < i; j++)
            require(strcmp(plan->columns[i].name, plan->columns[j].name) != 0, "a column twice");
    }
    for (size_t i = 0; i < plan->n_params; i++)
        require(plan->params[i].name != NULL && plan->params[i].value != NULL, "half a parameter");
    require(plan->time_limit >= 0, "a time limit below 0");
    require(plan->missing <= 1 + SHOAL_MISSING_CONSERVATIVE &&
                plan->on_missing <= 1 + SHOAL_ON_MISSING_OWN_LEAF,
            "an unknown mode");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_spec plan = SHOAL_SPEC_INIT, upper = SHOAL_SPEC_INIT;
    shoal_error err = { .message = "" };
    shoal_status status = shoal_plan_parse(&plan, (const char *)data, size, "folder/plan.yaml",
                                           &err);
    if (status == SHOAL_OK) {
        check_plan(&plan);
        require(shoal_spec_lay_under(&upper, &plan, &err) == SHOAL_OK,
                "cannot be laid under another");
        check_plan(&upper);
        require(upper.n_columns == plan.n_columns && upper.k == plan.k, "something was lost");
    } else {
        require(status == SHOAL_EINVAL &&
                    strncmp(err.message, "plan 'folder/plan.yaml': ", 25) == 0,
                "another failure");
    }
    shoal_spec_clear(&plan);
    shoal_spec_clear(&upper);
    return 0;
}
