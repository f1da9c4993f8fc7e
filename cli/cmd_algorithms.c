/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_algorithms.c - `shoal algorithms`: the methods and their parameters, from the library's own
 * table. */
#include "cli.h"
#include "json_build.h"

#include <string.h>

static json_t *params_json(size_t algorithm)
{
    json_t *params = json_array();
    for (size_t i = 0; i < shoal_algorithm_n_params(algorithm); i++) {
        const shoal_param_info *p = shoal_algorithm_param(algorithm, i);
        cli_json_append(&params, json_pack("{s:s, s:s, s:s, s:s}", "name", p->name, "values",
                                           p->values, "default", p->fallback, "help", p->help));
    }
    return params;
}

static json_t *cost_json(size_t algorithm)
{
    const shoal_method_cost *cost = shoal_algorithm_cost(algorithm);
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:b}", "time", cost->time, "memory", cost->memory,
                     "bytes_per_row", (json_int_t)cost->row_bytes, "bytes_per_cell",
                     (json_int_t)cost->cell_bytes, "bytes_per_value", (json_int_t)cost->value_bytes,
                     "box_per_group", cost->has_boxes);
}

static char *algorithms_json(void)
{
    json_t *all = json_array();
    for (size_t i = 0; i < shoal_algorithm_count(); i++)
        cli_json_append(&all,
                        json_pack("{s:s, s:s, s:b, s:o, s:o}", "name", shoal_algorithm_name(i),
                                  "summary", shoal_algorithm_summary(i), "default", i == 0, "cost",
                                  cost_json(i), "params", params_json(i)));
    return cli_json_text(all);
}

shoal_status cli_algorithms(const cli_args *args, shoal_error *err)
{
    if (cli_has(args, OPT_JSON)) return cli_print_json(algorithms_json(), err);
    for (size_t i = 0; i < shoal_algorithm_count(); i++) {
        printf("%-18s %s%s\n", shoal_algorithm_name(i), shoal_algorithm_summary(i),
               i == 0 ? " (default)" : "");
        const shoal_method_cost *cost = shoal_algorithm_cost(i);
        printf("    time %s; memory %s\n", cost->time, cost->memory);
        for (size_t j = 0; j < shoal_algorithm_n_params(i); j++) {
            const shoal_param_info *p = shoal_algorithm_param(i, j);
            char form[80];
            snprintf(form, sizeof form, "%s=%s", p->name, p->values);
            printf("    %-24s %s (%s%s)\n", form, p->help,
                   strcmp(p->fallback, "required") == 0 ? "" : "default: ", p->fallback);
        }
    }
    puts("\nn rows, c distinct tuples, q quasi-identifiers, v distinct values, s of these in\n"
         "columns published as sets, h levels of a hierarchy; bytes: --json");
    return SHOAL_OK;
}
