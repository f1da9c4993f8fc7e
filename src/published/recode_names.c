/* SPDX-License-Identifier: Apache-2.0 */
/* recode_names.c - names of the recoding models, and which of them publish one value for all rows
 * of a group. */
#include <shoal/release.h>

const char *shoal_recode_name(shoal_recode_model model)
{
    static const char *const names[] = { "local",        "node",         "interval", "set",
                                         "full-domain",  "mean",         "median",   "mode",
                                         "full-subtree", "set-partition" };
    return (int)model >= 0 && model < SHOAL_RECODE_COUNT ? names[model] : NULL;
}

bool shoal_recode_is_microaggregation(shoal_recode_model model)
{
    return model == SHOAL_RECODE_MEAN || model == SHOAL_RECODE_MEDIAN || model == SHOAL_RECODE_MODE;
}
