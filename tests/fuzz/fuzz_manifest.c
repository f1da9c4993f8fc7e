/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_manifest.c - any bytes as a manifest: refused with a message, or a manifest that is verified
 * and makes a page in both editions.
 *
 * A folder of temporary files holds the table and the releases that manifests of the corpus were
 * written for, so that what they promise is checked.
 */
#define _DEFAULT_SOURCE
#include "original.h"

#include <shoal/evidence.h>
#include <unistd.h>

static const struct {
    const char *name, *text;
} files[] = {
    { "original.csv", "age,city,ill\n20,bern,flu\n21,bern,cough\n35,lyon,flu\n36,lyon,ache\n50,"
                      "riga,flu\n52,riga,cough\n70,kiev,ache\n71,kiev,flu\n" },
    { "release.csv", "age,city,ill\n[20..21],bern,flu\n[20..21],bern,cough\n[35..36],lyon,flu\n[35."
                     ".36],lyon,ache\n[50..52],riga,flu\n[50..52],riga,cough\n"
                     "[70..71],kiev,ache\n[70..71],kiev,flu\n" },
    { "buckets.csv", "age,city,group\n20,bern,1\n21,bern,2\n35,lyon,3\n36,lyon,4\n50,riga,4\n52,"
                     "riga,3\n70,kiev,1\n71,kiev,2\n" },
    { "second.csv", "group,ill,count\n1,ache,1\n1,flu,1\n2,cough,1\n2,flu,1\n3,cough,1\n3,flu,1\n4,"
                    "ache,1\n4,flu,1\n" },
    { "city.csv", "bern;west;*\nlyon;west;*\nriga;east;*\nkiev;east;*\n" },
};
static char folder[64];

static const char *path_of(const char *name)
{
    static char paths[4][128];
    static size_t turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void remove_files(void)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) remove(path_of(files[i].name));
    remove(folder);
}

static void make_files(void)
{
    snprintf(folder, sizeof folder, "/tmp/shoal-fuzz-XXXXXX");
    require(mkdtemp(folder) != NULL && atexit(remove_files) == 0, "no folder");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *file = fopen(path_of(files[i].name), "w");
        require(file != NULL && fputs(files[i].text, file) >= 0 && fclose(file) == 0, "no file");
    }
}

static void verify(const shoal_manifest *manifest, const shoal_verify_request *request)
{
    static shoal_verification found;
    shoal_error err = { 0 };
    shoal_status status = shoal_manifest_verify(&found, manifest, request, &err);
    require(status == SHOAL_OK || err.message[0] != '\0', "a failure without words");
    if (status != SHOAL_OK) return;
    bool fails = false;
    for (size_t i = 0; i < found.n_findings; i++)
        fails = fails || found.findings[i].verdict == SHOAL_FAILS;
    require(found.n_findings > 0 &&
                (found.n_findings == SHOAL_MOST_FINDINGS || found.holds == !fails),
            "another verdict than its findings");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_error err = { 0 };
    shoal_manifest *manifest = NULL;
    if (folder[0] == '\0') make_files();
    shoal_status status = shoal_manifest_parse(&manifest, (const char *)data, size,
                                               path_of("manifest.json"), &err);
    require_said(status, &err);
    if (status != SHOAL_OK) return 0;
    shoal_verify_request request = SHOAL_VERIFY_REQUEST_INIT;
    verify(manifest, &request); /* of files beside the manifest, which it names */
    request.hierarchies = folder;
    request.original = path_of("original.csv");
    request.releases[0] = path_of("release.csv");
    request.releases[1] = path_of("second.csv");
    verify(manifest, &request);
    request.releases[0] = path_of("buckets.csv");
    verify(manifest, &request);
    for (int edition = 0; edition < 2; edition++) {
        char *page = NULL;
        require(shoal_manifest_html(&page, manifest, (shoal_edition)edition, NULL, &err) ==
                    SHOAL_OK,
                "no page");
        require(strstr(page, "</html>") != NULL && strstr(page, "<script") == NULL,
                "half a page, or a script");
        shoal_string_free(page);
    }
    char *text = shoal_manifest_text(manifest);
    require(text != NULL, "no text");
    shoal_string_free(text);
    shoal_manifest_free(manifest);
    return 0;
}
