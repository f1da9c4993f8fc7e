/* SPDX-License-Identifier: Apache-2.0 */
/* risk_internal.h - functions shared by the files that measure the risk of a table. */
#ifndef SHOAL_RISK_INTERNAL_H
#define SHOAL_RISK_INTERNAL_H

#include "published/record_units.h"
#include "risk/class_risk.h"

/*
 * Fill risk->columns and risk->pairs for risk->k. End with shoal_risk_clear(), also after a
 * failure.
 */
SHOAL_NODISCARD shoal_status shoal_risk_of_columns(shoal_risk *risk,
                                                   const shoal_record_units *records,
                                                   uint32_t threads, shoal_error *err);

#endif
