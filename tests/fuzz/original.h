/* SPDX-License-Identifier: Apache-2.0 */
/* original.h - what fuzz targets share: a check that ends the run, and a small table of every type
 * to read other texts against.
 */
#ifndef SHOAL_FUZZ_ORIGINAL_H
#define SHOAL_FUZZ_ORIGINAL_H

#include "hierarchy/attribute.h"

#include <shoal/shoal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

/* A refusal says why. */
static inline void require_said(shoal_status status, const shoal_error *err)
{
    bool is_known = status == SHOAL_EDATA || status == SHOAL_EINVAL || status == SHOAL_EUNSAT;
    require(status == SHOAL_OK || (is_known && err->message[0] != '\0'), "an unexpected failure");
}

static inline void set_original_column(shoal_table *table, const char *name, shoal_role role,
                                       shoal_type type, const char *levels)
{
    shoal_error err;
    size_t c = shoal_table_find_column(table, name);
    bool ok = shoal_table_set_role(table, c, role, &err) == SHOAL_OK &&
              shoal_table_set_type(table, c, type, &err) == SHOAL_OK;
    if (ok && levels != NULL) {
        shoal_hierarchy *tree = NULL;
        ok = shoal_hierarchy_parse(&tree, levels, strlen(levels), name, &err) == SHOAL_OK &&
             shoal_table_set_hierarchy(table, c, tree, SHOAL_ON_MISSING_ERROR, &err) == SHOAL_OK;
        shoal_hierarchy_free(tree);
    }
    require(ok, "the original cannot be set up");
}

/* Made once; `n` is a count where `counted` is set and left out otherwise. */
static inline const shoal_table *original_table(bool counted)
{
    static shoal_table *made;
    static const char text[] = "age,born,city,job,pay,ill,n\n"
                               "20,1990-01-02,bern,cook,10,flu,1\n"
                               "20,1991-01-02,lyon,smith,20,flu,2\n"
                               "31.5,1990-01-02,riga,cook,30,cough,3\n"
                               "31.5,,kiev,a|b,40,cough,1\n"
                               "-4,2001-12-31,kiev,\"c, d\",55.5,ache,1\n"
                               "20,1990-01-02,bern,cook,60,ache,2\n";
    static const char cities[] = "bern;west;*\nlyon;west;*\nriga;east;*\nkiev;east;*\n"
                                 "oslo;north;*\n";
    shoal_error err;
    if (made != NULL) return made;
    shoal_status status = shoal_table_open_memory(&made, text, sizeof text - 1, NULL, NULL, NULL,
                                                  &err);
    require(status == SHOAL_OK, "the original cannot be opened");
    set_original_column(made, "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL);
    set_original_column(made, "born", SHOAL_ROLE_QUASI, SHOAL_TYPE_DATE, NULL);
    set_original_column(made, "city", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, cities);
    set_original_column(made, "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL);
    set_original_column(made, "pay", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_NUMERIC, NULL);
    set_original_column(made, "ill", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL,
                        "flu;lung;*\ncough;lung;*\nache;head;*\n");
    set_original_column(made, "n", counted ? SHOAL_ROLE_COUNT : SHOAL_ROLE_DROP, SHOAL_TYPE_AUTO,
                        NULL);
    require(shoal_table_load(made, NULL, &err) == SHOAL_OK, "the original cannot be loaded");
    return made;
}

#endif
