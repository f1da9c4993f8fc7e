/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_manifest.c - any bytes as a manifest: refused with a message, or a manifest that is verified and makes a page in both editions. */
#include "original.h"

#include <shoal/evidence.h>

/* Files that it names are looked for in a folder that does not exist, so nothing is read. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_error err = { 0 };
    shoal_manifest *manifest = NULL;
    shoal_status status = shoal_manifest_parse(&manifest, (const char *)data, size, "/nonexistent/folder/manifest.json", &err);
    require_said(status, &err);
    if (status != SHOAL_OK) return 0;
    static shoal_verification found;
    shoal_verify_request request = SHOAL_VERIFY_REQUEST_INIT;
    status = shoal_manifest_verify(&found, manifest, &request, &err);
    require(status == SHOAL_OK || err.message[0] != '\0', "a failure without words");
    for (int edition = 0; edition < 2; edition++) {
        char *page = NULL;
        require(shoal_manifest_html(&page, manifest, (shoal_edition)edition, NULL, &err) == SHOAL_OK, "no page");
        require(strstr(page, "</html>") != NULL && strstr(page, "<script") == NULL, "half a page, or a script");
        shoal_string_free(page);
    }
    char *text = shoal_manifest_text(manifest);
    require(text != NULL, "no text");
    shoal_string_free(text);
    shoal_manifest_free(manifest);
    return 0;
}
