/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_unpack.c - gzip, Zstandard and plain bytes: unpacked or refused; with a memory limit the
 * same bytes, in a file; and at reserved addresses. */
#define _GNU_SOURCE /* memfd_create */
#include "io/io_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All text of a descriptor; the text in the spill file, if there is one, is read into `out`. */
static shoal_status unpack(shoal_buffer *out, int fd, uint64_t memory_limit, shoal_error *err)
{
    shoal_input input = { .fd = fd,
                          .name = "fuzz",
                          .spill = -1,
                          .memory_limit = memory_limit,
                          .chunk = shoal_alloc(SHOAL_CHUNK_SIZE, 1) };
    lseek(fd, 0, SEEK_SET);
    shoal_status status = input.chunk != NULL ? shoal_input_fill(&input, 4, err)
                                              : shoal_fail_memory(err);
    if (status == SHOAL_OK)
        status = shoal_input_unpack(out, &input, shoal_input_compression(&input), err);
    if (status == SHOAL_OK && input.spill >= 0) {
        char part[4096];
        lseek(input.spill, 0, SEEK_SET);
        for (ssize_t n; (n = read(input.spill, part, sizeof part)) > 0;)
            shoal_buffer_add(out, part, (size_t)n);
    }
    if (input.spill >= 0) close(input.spill);
    shoal_free(input.chunk);
    return status;
}

/* The same step by step, into addresses that were reserved. */
static void compare_reserved(int fd, size_t size, shoal_status expected, const shoal_buffer *text)
{
    shoal_error err = { 0 };
    size_t most = (size_t)shoal_input_most_text(size);
    shoal_buffer out = { .data = shoal_pages_reserve(most) };
    shoal_input input = { .fd = fd,
                          .name = "fuzz",
                          .spill = -1,
                          .reserved = most,
                          .chunk = shoal_alloc(SHOAL_CHUNK_SIZE, 1) };
    lseek(fd, 0, SEEK_SET);
    if (out.data == NULL || input.chunk == NULL || shoal_input_fill(&input, 4, &err) != SHOAL_OK)
        abort();
    shoal_compression packing = shoal_input_compression(&input);
    if (packing != SHOAL_COMPRESSION_NONE) {
        shoal_status status = shoal_input_start(&input, packing, &err);
        while (status == SHOAL_OK && !input.is_unpacked)
            status = shoal_input_step(&out, &input, &err);
        if (status != expected ||
            (status == SHOAL_OK && (out.size != text->size ||
                                    (out.size > 0 && memcmp(out.data, text->data, out.size) != 0))))
            abort();
        shoal_input_end(&input);
    }
    shoal_pages_release(out.data, most);
    shoal_free(input.chunk);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_error err = { 0 };
    shoal_buffer all = { 0 }, few = { 0 };
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || shoal_write_all(fd, data, size) != 0) abort();
    shoal_status one = unpack(&all, fd, 0, &err), two = unpack(&few, fd, 1, &err);
    if (one != two) abort();
    if (one == SHOAL_OK &&
        (all.size != few.size || (all.size > 0 && memcmp(all.data, few.data, all.size) != 0)))
        abort();
    compare_reserved(fd, size, one, &all);
    shoal_buffer_clear(&all);
    shoal_buffer_clear(&few);
    close(fd);
    return 0;
}
