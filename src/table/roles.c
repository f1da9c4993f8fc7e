/* SPDX-License-Identifier: Apache-2.0 */
/* roles.c - roles and types of columns by their rows. */
#include "table/role_rows.h"

#include <shoal/table.h>

typedef struct row {
    int value;
    const char *name, *option;
} row;

#define ROW(value, name, option) { value, name, option },
static const row roles[] = { SHOAL_ROLE_ROWS(ROW) };
static const row types[] = { SHOAL_TYPE_ROWS(ROW) };
#undef ROW

enum { N_ROLES = sizeof roles / sizeof *roles, N_TYPES = sizeof types / sizeof *types };

shoal_role shoal_role_at(size_t index)
{
    return index < N_ROLES ? (shoal_role)roles[index].value : SHOAL_ROLE_UNSET;
}

const char *shoal_role_name(shoal_role role)
{
    for (size_t i = 0; i < N_ROLES; i++)
        if (roles[i].value == (int)role) return roles[i].name;
    return "?";
}

const char *shoal_role_option(shoal_role role)
{
    for (size_t i = 0; i < N_ROLES; i++)
        if (roles[i].value == (int)role) return roles[i].option;
    return NULL;
}

shoal_type shoal_type_at(size_t index)
{
    return index < N_TYPES ? (shoal_type)types[index].value : SHOAL_TYPE_AUTO;
}

const char *shoal_type_name(shoal_type type)
{
    for (size_t i = 0; i < N_TYPES; i++)
        if (types[i].value == (int)type) return types[i].name;
    return "categorical"; /* what text is read as where no type was set */
}
