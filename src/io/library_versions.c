/* SPDX-License-Identifier: Apache-2.0 */
/* library_versions.c - which libraries run below this one. */
#include <shoal/io.h>

#include <cyaml/cyaml.h>
#include <sodium.h>
#include <zlib.h>
#include <zstd.h>

size_t shoal_io_libraries(shoal_io_library *out, size_t capacity)
{
    const shoal_io_library all[] = {
        { "libcyaml", cyaml_version_str },
        { "libsodium", sodium_version_string() },
        { "libzstd", ZSTD_versionString() },
        { "zlib", zlibVersion() },
    };
    size_t n = sizeof all / sizeof *all;
    for (size_t i = 0; i < n && i < capacity; i++) out[i] = all[i];
    return n;
}
