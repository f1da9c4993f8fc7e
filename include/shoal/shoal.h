/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file shoal.h  Includes all of libshoal. For libshoal-io also include io.h, ask.h and evidence.h.
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
