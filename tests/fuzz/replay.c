/* SPDX-License-Identifier: Apache-2.0 */
/* replay.c - run a fuzz target without a fuzzer: every input of the archives given, and changed
 * copies of each.
 *
 * The changes come from a fixed seed, so a failure can be repeated: after a crash the input is in
 * the file `crash-PROGRAM` of the working folder.
 */
#define _DEFAULT_SOURCE
#include "base/base.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGES = 300, MAX_SIZE = 1 << 20, MAX_EDITS = 6 };

static size_t n_runs;
static char crash_path[256]; /* the input that is being run */
static uint8_t original[MAX_SIZE], changed[2 * MAX_SIZE];

/* Each input gets a block of just its size, so that a sanitizer sees any byte read behind it. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) exit(1);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    n_runs++;
}

/* One edit: change, insert, delete or repeat something. Returns the new size; `data` has room for
 * twice MAX_SIZE. */
static size_t edit(uint8_t *data, size_t size, shoal_rng *rng)
{
    static const char marks[] = "\"\"\n\r,;\t|\\:-*'0 \xff";
    size_t at = size > 0 ? shoal_rng_below(rng, size) : 0;
    size_t length = 1 + shoal_rng_below(rng, 20);
    uint8_t byte = shoal_rng_below(rng, 3) > 0
                       ? (uint8_t)marks[shoal_rng_below(rng, sizeof marks - 1)]
                       : (uint8_t)shoal_rng_below(rng, 256);
    switch (shoal_rng_below(rng, 4)) {
    case 0:
        if (size > 0) data[at] = byte;
        return size;
    case 1:
        memmove(data + at + 1, data + at, size - at);
        data[at] = byte;
        return size + 1;
    case 2:
        if (length > size - at) length = size - at;
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    default:
        if (length > size - at) length = size - at;
        memmove(data + at + length, data + at, size - at);
        return size + length;
    }
}

/*
 * Failing to save is no failure of the target. The file stays open: making it anew for each input
 * waits for the disk and allowed 300 runs a second.
 */
static void save(const uint8_t *data, size_t size)
{
    static int file = -1;
    if (file < 0) file = open(crash_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || pwrite(file, data, size, 0) != (ssize_t)size ||
        ftruncate(file, (off_t)size) != 0)
        return;
}

/* Run original[0..size) and changed copies of it. */
static void replay_input(size_t size)
{
    save(original, size);
    run(original, size);
    for (uint64_t change = 0; change < CHANGES; change++) {
        shoal_rng rng;
        shoal_rng_init(&rng, size, change);
        size_t n = size;
        memcpy(changed, original, size);
        for (uint64_t edits = 1 + shoal_rng_below(&rng, MAX_EDITS); edits > 0; edits--)
            n = edit(changed, n, &rng);
        save(changed, n);
        run(changed, n);
    }
}

/*
 * Every member of a tar archive, in its order. A member is a block with its name, in octal its size
 * at byte 124, and "ustar" at 257; then its bytes, filled up to whole blocks. Blocks of zeros end
 * the archive. Returns the number of members, 0 if it is damaged.
 */
static size_t replay_archive(FILE *file)
{
    enum { BLOCK = 512, SIZE_AT = 124, SIZE_LENGTH = 12, MAGIC_AT = 257 };
    size_t n_members = 0;
    char head[BLOCK];
    for (;;) {
        if (fread(head, 1, BLOCK, file) != BLOCK) return 0;
        if (head[0] == '\0') return n_members;
        char digits[SIZE_LENGTH + 1] = { 0 };
        memcpy(digits, head + SIZE_AT, SIZE_LENGTH);
        size_t size = strtoul(digits, NULL, 8);
        size_t filled = (size + BLOCK - 1) / BLOCK * BLOCK;
        if (memcmp(head + MAGIC_AT, "ustar", 5) != 0 || filled > sizeof original) return 0;
        if (fread(original, 1, filled, file) != filled) return 0;
        replay_input(size);
        n_members++;
    }
}

/* An archive, or, if its name does not end in .tar, one input. */
static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "replay: cannot open %s\n", path);
        return 1;
    }
    size_t length = strlen(path), n_inputs = 1;
    if (length > 4 && strcmp(path + length - 4, ".tar") == 0)
        n_inputs = replay_archive(file);
    else
        replay_input(fread(original, 1, sizeof original, file));
    fclose(file);
    if (n_inputs == 0) fprintf(stderr, "replay: %s is empty or no archive\n", path);
    return n_inputs == 0;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    snprintf(crash_path, sizeof crash_path, "crash-%.200s", slash != NULL ? slash + 1 : "replay");
    for (int i = 1; i < argc; i++) failed |= replay_file(argv[i]);
    if (!failed) remove(crash_path);
    printf("%zu inputs\n", n_runs);
    return failed;
}
