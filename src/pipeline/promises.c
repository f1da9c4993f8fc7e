/* SPDX-License-Identifier: Apache-2.0 */
/* promises.c - what the options of a search guarantee for its release: read from the parameters of
 * the method. */
#include "pipeline/promises.h"

#include "base/base.h"

#include <string.h>

const char *shoal_said_param(const shoal_spec *spec, const char *name)
{
    const char *value = NULL;
    for (size_t i = 0; i < spec->n_params; i++)
        if (strcmp(spec->params[i].name, name) == 0) value = spec->params[i].value;
    return value;
}

static double number_of(const shoal_spec *spec, const char *name)
{
    double number;
    const char *text = shoal_said_param(spec, name);
    return text != NULL && shoal_parse_number(text, strlen(text), &number) ? number : 0;
}

shoal_bucket_options shoal_promised_buckets(const shoal_spec *asked)
{
    shoal_bucket_options options = SHOAL_BUCKET_OPTIONS_INIT;
    double l = number_of(asked, "l");
    options.l = l > 0 && l < UINT32_MAX ? (uint32_t)l : 0;
    options.k = asked->k;
    return options;
}

shoal_personal_options shoal_promised_guarding(const shoal_spec *asked, const shoal_table *table)
{
    shoal_personal_options options = SHOAL_PERSONAL_OPTIONS_INIT;
    const char *guard_column = shoal_said_param(asked, "guard-column");
    if (guard_column != NULL && strcmp(guard_column, "none") != 0)
        options.guard_column = guard_column;
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        const char *name = shoal_table_column_name(table, c);
        bool is_guard = options.guard_column != NULL && strcmp(name, options.guard_column) == 0;
        if (shoal_table_role(table, c) == SHOAL_ROLE_SENSITIVE && !is_guard) options.column = name;
    }
    options.k = asked->k;
    options.breach = number_of(asked, "breach");
    options.guard = shoal_said_param(asked, "guard");
    return options;
}
