/* SPDX-License-Identifier: Apache-2.0 */
/* risk_internal.h - what the files of the risk of a table share. */
#ifndef SHOAL_RISK_INTERNAL_H
#define SHOAL_RISK_INTERNAL_H

#include "published/record_units.h"
#include "risk/class_risk.h"

/* Fill risk->columns and risk->pairs; risk->k is set. What was made is freed by shoal_risk_clear(), also after a failure. */
SHOAL_NODISCARD shoal_status shoal_risk_of_columns(shoal_risk *risk, const shoal_record_units *records, uint32_t threads,
                                                  shoal_error *err);

#endif
