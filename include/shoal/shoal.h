/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file shoal.h  Includes all of libshoal. For libshoal-io also include io.h, ask.h and evidence.h.
 *
 * How structures grow, so that a program keeps working with a later library of the same soname:
 *
 * - Options begin with `size`, which their SHOAL_..._INIT sets. They get new members at the end;
 * the library reads as much as the program knows.
 * - What the library makes and lends (shoal_outcome is opaque; shoal_answer, shoal_series_result
 * and the rows of registries are read in place) gets new members at the end. Do not copy it, and do
 *   not declare a variable of its type.
 * - All other structures, those that a function fills in for its caller among them, are fixed: new
 *   facts come by new functions. No function returns a structure by value, and none holds one that
 *   grows (tools/check_headers.sh).
 */
#ifndef SHOAL_SHOAL_H
#define SHOAL_SHOAL_H

#include <shoal/anonymize.h>
#include <shoal/arrow.h>
#include <shoal/attack.h>
#include <shoal/classify.h>
#include <shoal/encoding.h>
#include <shoal/evaluate.h>
#include <shoal/frontier.h>
#include <shoal/generate.h>
#include <shoal/hierarchy.h>
#include <shoal/measure.h>
#include <shoal/pipeline.h>
#include <shoal/plan.h>
#include <shoal/plot.h>
#include <shoal/privacy.h>
#include <shoal/profile.h>
#include <shoal/release.h>
#include <shoal/risk.h>
#include <shoal/series.h>
#include <shoal/spec.h>
#include <shoal/status.h>
#include <shoal/summary.h>
#include <shoal/table.h>
#include <shoal/term.h>

#endif
