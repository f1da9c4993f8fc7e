/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_levels.c - any bytes as a levels file of the command: refused with a message, or levels that
 * a table takes or refuses. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "original.h"

#include "../../cli/cli.h"
#include "method/registry.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_error err = { 0 };
    cli_levels levels = { 0 };
    char path[64];
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no file");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    shoal_status status = cli_levels_read(&levels, path, &err);
    require_said(status, &err);
    if (status == SHOAL_OK) {
        shoal_grouping *grouping = NULL;
        shoal_spec options = SHOAL_SPEC_INIT;
        require(levels.n > 0, "no levels");
        for (size_t i = 0; i < levels.n; i++)
            require(levels.items[i].column == levels.names[i], "another name");
        options.k = 1;
        options.levels = levels.items;
        options.n_levels = levels.n;
        status = shoal_apply_levels(&grouping, original_table(false), &options, &err);
        require_said(status, &err);
        shoal_grouping_free(grouping);
    }
    cli_levels_clear(&levels);
    close(fd);
    return 0;
}
