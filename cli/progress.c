/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - the progress bar, the clock, and what an interrupt does.
 *
 * The first interrupt (Ctrl-C, or a polite kill) only raises a flag; the library asks the progress
 * callback now and then and stops with SHOAL_ECANCELLED, so temporary files are removed on the way
 * out. While the command holds no temporary file there is nothing to remove, and a wait (for standard
 * input) or a second interrupt ends it at once. The flag and the mode are the command's only globals:
 * a signal handler can reach nothing else.
 */
#include "cli.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };
static const double REDRAW_SECONDS = 0.1;

static volatile sig_atomic_t interrupts;
static volatile sig_atomic_t interrupt_mode = INTERRUPT_ENDS;

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupts = interrupts + 1;
    if (interrupt_mode == INTERRUPT_ENDS || (interrupt_mode == INTERRUPT_ASKS_THEN_ENDS && interrupts > 1)) {
        static const char text[] = "\nshoal: interrupted, nothing was written\n";
        ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
        (void)ignored;
        _exit(130);
    }
}

void cli_signals_init(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN; /* a closed pipe becomes EPIPE, an error like any other */
    sigaction(SIGPIPE, &action, NULL);
}

void cli_interrupt_mode_set(cli_interrupt_mode mode)
{
    interrupt_mode = (sig_atomic_t)mode;
}

bool cli_interrupt_take(void)
{
    bool was_asked = interrupts > 0;
    interrupts = 0;
    return was_asked;
}

shoal_status cli_check_interrupt(shoal_error *err)
{
    if (interrupts == 0) return SHOAL_OK;
    return cli_fail(err, SHOAL_ECANCELLED, "interrupted, nothing was written");
}

void cli_progress_init(cli_progress *progress, const cli_args *args)
{
    *progress = (cli_progress){ 0 };
    progress->shown =
        isatty(STDERR_FILENO) && !cli_has(args, OPT_QUIET) && !cli_has(args, OPT_NO_PROGRESS);
}

static void draw(cli_progress *progress, double fraction)
{
    char bar[BAR_WIDTH + 1];
    double share = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
    int full = (int)(share * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < full ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    if (fraction < 0) fprintf(stderr, "\r\033[K%-8s ...", progress->phase);
    else fprintf(stderr, "\r\033[K%-8s %s %3d %%", progress->phase, bar, (int)(share * 100));
    fflush(stderr);
    progress->drawn = true;
}

int cli_progress_step(const char *phase, double fraction, void *payload)
{
    cli_progress *progress = payload;
    if (interrupts > 0) return 1;
    if (!progress->shown) return 0;
    double now = cli_seconds();
    bool new_phase = strncmp(progress->phase, phase, sizeof progress->phase - 1) != 0;
    if (!new_phase && now - progress->last < REDRAW_SECONDS) return 0;
    snprintf(progress->phase, sizeof progress->phase, "%s", phase);
    progress->last = now;
    draw(progress, fraction);
    return 0;
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->drawn) fputs("\r\033[K", stderr);
    progress->drawn = false;
}
