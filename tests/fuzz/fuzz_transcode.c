/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_transcode.c - any bytes as text of any encoding: what can be read comes back as the same
 * bytes. */
#include "base/transcode.h"

#include "original.h"

static int collect(const void *data, size_t size, void *payload)
{
    shoal_buffer_add(payload, data, size);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool has_mark;
    const char *text = (const char *)data;
    shoal_encoding found = shoal_encoding_detect(text, size, &has_mark);
    require(shoal_encoding_name(found) != NULL, "an encoding without a name");
    for (int e = SHOAL_ENCODING_UTF_16LE; e <= SHOAL_ENCODING_LATIN_9; e++) {
        shoal_buffer utf8 = { 0 }, back = { 0 };
        size_t at = 0;
        uint64_t n_lacking = 0;
        bool is_marked = size >= 2 &&
                         ((e == SHOAL_ENCODING_UTF_16LE && data[0] == 0xff && data[1] == 0xfe) ||
                          (e == SHOAL_ENCODING_UTF_16BE && data[0] == 0xfe && data[1] == 0xff));
        if (!shoal_decode(&utf8, (shoal_encoding)e, text, size, &at)) {
            require(at < size, "a place behind the end");
        } else {
            shoal_encode((shoal_encoding)e, is_marked, utf8.data != NULL ? utf8.data : "",
                         utf8.size, &n_lacking, collect, &back);
            require(n_lacking == 0 && back.size == size &&
                        (size == 0 || memcmp(back.data, data, size) == 0),
                    "other bytes came back");
        }
        shoal_buffer_clear(&utf8);
        shoal_buffer_clear(&back);
    }
    uint64_t ignored;
    shoal_buffer any = { 0 };
    /* bytes that are no UTF-8 */
    shoal_encode(SHOAL_ENCODING_WINDOWS_1252, false, text, size, &ignored, collect, &any);
    require(ignored <= size, "more characters than bytes");
    shoal_buffer_clear(&any);
    return 0;
}
