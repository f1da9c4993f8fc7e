/* SPDX-License-Identifier: Apache-2.0 */
/* test_progress_line.c - what the progress bar says: share, speed, time left. */
#include "cli.h"
#include "test.h"

#define BAR_0 ".............................."
#define BAR_HALF "###############..............."
#define BAR_1 "##############################"

static void test_lines(void **state)
{
    (void)state;
    const struct {
        cli_pace pace;
        const char *line;
    } rows[] = {
        { { "verify", -1, 9, 100, false, 0, 0 }, "verify   ..." },
        { { "search", 0, 0, 100, false, 0, 0 }, "search   " BAR_0 "   0 %" },
        { { "write", 0.5, 2, 10000000, false, 0, 0 },
          "write    " BAR_HALF "  50 %  2.5M rows/s  2 s left" },
        /* too early to estimate */
        { { "write", 0.5, 0.4, 10000000, false, 0, 0 }, "write    " BAR_HALF "  50 %" },
        /* too little done */
        { { "search", 0.009, 60, 10000000, false, 0, 0 }, "search   " BAR_0 "   0 %" },
        { { "search", 0.01, 60, 10000000, false, 0, 0 },
          "search   " BAR_0 "   1 %  2k rows/s  1 h 39 min left" },
        { { "bound", 0.5, 100, 1000, false, 0, 0 },
          "bound    " BAR_HALF "  50 %  5 rows/s  1 min 40 s left" },
        { { "read", 0.5, 1, 1700000000, true, 0, 0 },
          "read     " BAR_HALF "  50 %  850.0 MB/s  1 s left" },
        { { "read", 0.5, 1, 4000000000, true, 0, 0 },
          "read     " BAR_HALF "  50 %  2.0 GB/s  1 s left" },
        { { "read", 0.5, 1, 8000, true, 0, 0 }, "read     " BAR_HALF "  50 %  4 kB/s  1 s left" },
        /* from a pipe */
        { { "read", 0.5, 1, 0, true, 0, 0 }, "read     " BAR_HALF "  50 %  1 s left" },
        { { "refine", 0.75, 10, 0, false, 0.5, 0.01234 },
          "refine   ######################........  75 %  loss 0.0123  10 s left" },
        { { "refine", 0.75, 10, 0, false, 0.5, 0 },
          "refine   ######################........  75 %  10 s left" },
        { { "write", 1, 4, 10000, false, 0, 0 }, "write    " BAR_1 " 100 %  2k rows/s  0 s left" },
        { { "write", 1.5, 4, 10000, false, 0, 0 },
          "write    " BAR_1 " 100 %  2k rows/s  0 s left" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[160];
        cli_progress_line(line, sizeof line, &rows[i].pace);
        assert_string_equal(line, rows[i].line);
    }
}

static void test_short_room(void **state)
{
    (void)state;
    char line[20];
    cli_progress_line(line, sizeof line, &(cli_pace){ "write", 0.5, 2, 10000000, false, 0, 0 });
    assert_string_equal(line, "write    ##########");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_short_room),
    };
    return cmocka_run_group_tests_name("progress_line", tests, NULL, NULL);
}
