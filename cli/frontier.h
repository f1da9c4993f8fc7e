/* SPDX-License-Identifier: Apache-2.0 */
/* frontier.h - reports of `shoal frontier`. */
#ifndef SHOAL_CLI_FRONTIER_H
#define SHOAL_CLI_FRONTIER_H

#include "cli.h"

/* A table and plots on `stream`. */
shoal_status frontier_print(const shoal_frontier *f, uint64_t seed, FILE *stream,
                            shoal_error *err) SHOAL_NODISCARD;
/* Files: CSV with one line per release; SVG with one panel per measure. */
shoal_status frontier_write_csv(const shoal_frontier *f, shoal_output *output,
                                shoal_error *err) SHOAL_NODISCARD;
shoal_status frontier_write_svg(const shoal_frontier *f, shoal_output *output,
                                shoal_error *err) SHOAL_NODISCARD;

#endif
