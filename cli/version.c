/* SPDX-License-Identifier: Apache-2.0 */
/* version.c - `shoal --version --json`: the version, what was built in, and the libraries that run
 * below. */
#include "cli.h"
#include "json_build.h"

#include <shoal/io.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

enum { MOST_LIBRARIES = 16 };

static json_t *c_library(void)
{
#ifdef __GLIBC__
    return json_sprintf("glibc %s", gnu_get_libc_version());
#elif defined(__linux__)
    return json_string("musl");
#else
    return json_string("of the system");
#endif
}

static json_t *libraries(void)
{
    shoal_io_library found[MOST_LIBRARIES];
    size_t n = shoal_io_libraries(found, MOST_LIBRARIES);
    json_t *object = json_pack("{s:o, s:s}", "libc", c_library(), "jansson", jansson_version_str());
    for (size_t i = 0; i < n && i < MOST_LIBRARIES; i++)
        cli_json_put(&object, found[i].name, json_string(found[i].version));
    return object;
}

static json_t *features(void)
{
#ifdef _OPENMP
    int has_threads = 1, openmp = _OPENMP; /* year and month of its specification */
#else
    int has_threads = 0, openmp = 0;
#endif
#ifdef SHOAL_STATIC_PROGRAM
    int is_static = 1;
#else
    int is_static = 0;
#endif
    return json_pack("{s:b, s:i, s:b, s:b, s:[s, s], s:i}", "threads", has_threads, "openmp",
                     openmp, "sandbox", cli_sandbox_is_built(), "static", is_static, "compression",
                     "gzip", "zstd", "bits", (int)(8 * sizeof(void *)));
}

void cli_print_build(void)
{
    json_t *build = json_pack("{s:s, s:o, s:o, s:s}", "version", shoal_version(), "features",
                              features(), "libraries", libraries(), "compiler", __VERSION__);
    char *text = cli_json_text(build);
    puts(text != NULL ? text : "{}"); /* memory is short */
    free(text);
}
