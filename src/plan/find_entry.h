/* SPDX-License-Identifier: Apache-2.0 */
/* find_entry.h - the entry of a column in a plan that must not change. */
#ifndef SHOAL_FIND_ENTRY_H
#define SHOAL_FIND_ENTRY_H

#include "base/base.h"

#include <shoal/plan.h>

/* NULL when the plan has none (plan.c). */
shoal_column_spec *shoal_spec_find_entry(const shoal_spec *plan, const char *name);

#endif
