/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_mapping.c - any bytes as a mapping of a counted table: refused with a message, or every
 * published tuple has k rows.
 *
 * After `~` the bytes are what is published alone: each line is put behind a line of the original,
 * so that inputs get as far as covering and k without guessing the columns before them.
 */
#include "base/base.h"

#include "original.h"
#include "published/mapping.h"
#include "table/table_settings.h"
#include "verify/verify.h"

enum { K = 2 };

static const char *const lines[] = {
    "20,1990-01-02,bern,cook,10,flu,1,0",        "20,1991-01-02,lyon,smith,20,flu,2,0",
    "31.5,1990-01-02,riga,cook,30,cough,3,0",    "31.5,,kiev,a|b,40,cough,1,0",
    "-4,2001-12-31,kiev,\"c, d\",55.5,ache,1,0", "20,1990-01-02,bern,cook,60,ache,2,0"
};

/* The mapping whose published columns are `data`: lines of it in turn, the first ones again where
 * there are too few. */
static void put_behind_original(shoal_buffer *out, const char *data, size_t size)
{
    const char *header = "age,born,city,job,pay,ill,n,n_before,released_age,released_born,released_"
                         "city,released_job\n";
    size_t at = 0;
    shoal_buffer_add(out, header, strlen(header));
    for (size_t line = 0; line < sizeof lines / sizeof *lines; line++) {
        if (at >= size) at = 0;
        const char *end = size > at ? memchr(data + at, '\n', size - at) : NULL;
        size_t length = end != NULL ? (size_t)(end - data) - at : size - at;
        shoal_buffer_print(out, "%s,", lines[line]);
        shoal_buffer_add(out, data + at, length);
        shoal_buffer_add(out, "\n", 1);
        at += length + 1;
    }
    require(!out->failed, "no memory");
}

static void try_mapping(const char *text, size_t size)
{
    const shoal_table *original = original_table(true);
    shoal_error err = { 0 };
    shoal_check_result found = { 0 };
    shoal_table *mapping = NULL;
    require(shoal_mapping_check(original, &err) == SHOAL_OK, "no mapping can be made");
    shoal_status status = shoal_mapping_open(&mapping, text, size, original, 1, &err);
    require_said(status, &err);
    if (status == SHOAL_OK) {
        status = shoal_verify_mapping(&found, original, mapping, K, 1, &err);
        require_said(status, &err);
        require(status != SHOAL_OK ||
                    (found.min_group >= K && found.n_rows == shoal_table_total(original) &&
                     found.uncovered_cells == 0),
                "let through with failures");
    }
    shoal_table_free(mapping);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || data[0] != '~') {
        try_mapping((const char *)data, size);
        return 0;
    }
    shoal_buffer text = { 0 };
    put_behind_original(&text, (const char *)data + 1, size - 1);
    try_mapping(text.data, text.size);
    shoal_buffer_clear(&text);
    return 0;
}
