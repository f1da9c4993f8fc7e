/* SPDX-License-Identifier: Apache-2.0 */
/* column_costs.h - what quasi-identifiers cost, from a plan to its table: priorities, weights of
 * levels, largest levels. */
#ifndef SHOAL_COLUMN_COSTS_H
#define SHOAL_COLUMN_COSTS_H

#include <shoal/plan.h>

/*
 * After the roles were set. SHOAL_EINVAL for a column that is no quasi-identifier, or a wrong
 * text.
 */
SHOAL_NODISCARD shoal_status shoal_spec_set_costs(const shoal_spec *plan, shoal_table *table,
                                                  shoal_error *err);
/* After loading, when hierarchies are there: do the weights fit their levels? */
SHOAL_NODISCARD shoal_status shoal_spec_check_weights(const shoal_table *table, shoal_error *err);

#endif
