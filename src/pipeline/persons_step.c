/* SPDX-License-Identifier: Apache-2.0 */
/* persons_step.c - counts persons, and households, of the groups of a finished release with its
 * original.
 *
 * Only the original identifies the person of a row, by the position of the row; so it is first
 * checked that every cell covers that of the original at the same position. Cost: that of the
 * verifier.
 */
#include "base/base.h"

#include <shoal/pipeline.h>

shoal_status shoal_pipeline_persons(shoal_models_result *out, const shoal_table *original,
                                    const shoal_table *released, uint32_t k, uint32_t threads,
                                    shoal_error *err)
{
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    shoal_check_result ignored;
    shoal_status status = shoal_verify(&ignored, original, released, 1, NULL, threads, err);
    if (status == SHOAL_EUNSAT)
        return shoal_fail(
            err, SHOAL_EDATA,
            "persons cannot be counted, because the rows of the release do not match those of the "
            "original {fix} keep all rows and their order ({--row-order} keep)");
    SHOAL_RETURN_IF_ERROR(status);
    options.k = k;
    options.threads = threads;
    status = shoal_verify_models(out, original, released, &options, NULL, err);
    return status == SHOAL_EUNSAT ? SHOAL_OK : status; /* that it does not hold is an answer */
}
