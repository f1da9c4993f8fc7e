/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - the progress bar, the clock, and what an interrupt does.
 *
 * The first interrupt (Ctrl-C, or SIGTERM) only sets a flag; the library calls the progress
 * callback regularly and stops with SHOAL_ECANCELLED, so temporary files are removed on the way
 * out. While the command only waits (for standard input, for the reader of a pipe) an interrupt
 * ends it at once, and so does a second one at any time: temporary files have no name where the
 * file system allows that, and elsewhere the next run removes them. The flag and the mode are the
 * command's only globals: a signal handler can reach nothing else.
 *
 * Files that are read are mapped. If another program truncates one, the system sends SIGBUS; the
 * command cannot continue then, so it prints what happened and exits.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double REDRAW_SECONDS = 0.1;

static volatile sig_atomic_t interrupts;
static volatile sig_atomic_t interrupt_mode = INTERRUPT_ENDS;
/* what is to be done after the search takes about so long */
static volatile sig_atomic_t finish_seconds;

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Print it with system calls only, and exit: this is called by a signal handler. */
static void end_at_once(const char *text, size_t size, int code)
{
    ssize_t ignored = write(STDERR_FILENO, text, size);
    (void)ignored;
    _exit(code);
}

/* Digits of a number, with nothing that a signal handler may not call. */
static size_t put_digits(char out[12], unsigned number)
{
    size_t n = 0, digits = 1;
    for (unsigned rest = number; rest >= 10; rest /= 10) digits++;
    for (n = digits; n > 0; number /= 10) out[--n] = (char)('0' + number % 10);
    return digits;
}

static void say_finishing(void)
{
    static const char before[] =
        "\nshoal: finishing with the best valid result so far, if there is one: about ",
                      after[] = " s; press Ctrl-C again to stop immediately\n";
    char text[sizeof before + 12 + sizeof after];
    size_t n = sizeof before - 1;
    memcpy(text, before, n);
    n += put_digits(text + n, (unsigned)finish_seconds);
    memcpy(text + n, after, sizeof after - 1);
    ssize_t ignored = write(STDERR_FILENO, text, n + sizeof after - 1);
    (void)ignored;
}

static void on_interrupt(int signal_number)
{
    static const char text[] = "\nshoal: interrupted, nothing was written\n";
    (void)signal_number;
    interrupts = interrupts + 1;
    if (interrupt_mode == INTERRUPT_ENDS || interrupts > 1) end_at_once(text, sizeof text - 1, 130);
    if (interrupt_mode != INTERRUPT_FINISHES) return;
    int before = errno;
    say_finishing();
    errno = before;
}

static void on_bus_error(int signal_number)
{
    static const char text[] =
        "\nshoal: error: a file changed while it was being read; nothing was written\n"
        "fix: wait until no program writes to it, then try again\n";
    (void)signal_number;
    end_at_once(text, sizeof text - 1, 1);
}

static bool is_ignored(int signal_number)
{
    struct sigaction before;
    return sigaction(signal_number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

void cli_signals_init(void)
{
    static const int interrupting[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU };
    /* a closed pipe and a limit on file sizes become errors like any other */
    static const int ignored[] = { SIGPIPE, SIGXFSZ };
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    action.sa_handler = on_interrupt;
    for (size_t i = 0; i < sizeof interrupting / sizeof *interrupting; i++)
        /* SIGHUP is ignored under nohup */
        if (interrupting[i] != SIGHUP || !is_ignored(SIGHUP))
            sigaction(interrupting[i], &action, NULL);
    action.sa_handler = on_bus_error;
    sigaction(SIGBUS, &action, NULL);
    action.sa_handler = SIG_IGN;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        sigaction(ignored[i], &action, NULL);
}

void cli_streams_init(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) /* takes the lowest free number: this one */
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void cli_interrupt_mode_set(cli_interrupt_mode mode)
{
    interrupt_mode = (sig_atomic_t)mode;
}

void cli_interrupt_finishes(double read_seconds)
{
    /* the release is written, read back and measured: each about as long as reading was */
    double seconds = 1 + 2 * read_seconds;
    finish_seconds = (sig_atomic_t)(seconds < 1e6 ? seconds : 1e6);
    interrupt_mode = INTERRUPT_FINISHES;
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
    return shoal_fail(err, SHOAL_ECANCELLED, "interrupted, nothing was written");
}

void cli_progress_init(cli_progress *progress, const cli_args *args)
{
    *progress = (cli_progress){ .callbacks = SHOAL_PROGRESS(cli_progress_step, progress) };
    progress->shown = isatty(STDERR_FILENO) && !cli_has(args, OPT_QUIET) &&
                      !cli_has(args, OPT_NO_PROGRESS);
}

/* Reading is counted in bytes, because the number of rows is not known yet; these phases in rows;
 * other phases in trials or queries. */
static bool goes_by_rows(const char *phase)
{
    static const char *const phases[] = { "search", "bound", "verify", "write" };
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (strcmp(phase, phases[i]) == 0) return true;
    return false;
}

static void draw(cli_progress *progress, double fraction, double now)
{
    char line[160];
    cli_pace pace = { .phase = progress->phase,
                      .fraction = fraction,
                      .seconds = now - progress->begun,
                      .from = progress->from };
    pace.is_bytes = strcmp(progress->phase, "read") == 0;
    if (pace.is_bytes)
        pace.amount = progress->bytes;
    else if (goes_by_rows(progress->phase))
        pace.amount = progress->rows;
    else if (strcmp(progress->phase, "refine") == 0)
        pace.loss = progress->loss;
    cli_progress_line(line, sizeof line, &pace);
    fprintf(stderr, "\r\033[K%s", line);
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
    if (new_phase) progress->begun = now;
    if (new_phase) progress->from = fraction > 0 ? fraction : 0;
    snprintf(progress->phase, sizeof progress->phase, "%s", phase);
    progress->last = now;
    draw(progress, fraction, now);
    return 0;
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->drawn) fputs("\r\033[K", stderr);
    progress->drawn = false;
}
