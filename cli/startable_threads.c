/* SPDX-License-Identifier: Apache-2.0 */
/* startable_threads.c - how many threads the system lets us start.
 *
 * GCC's OpenMP library ends the process where a thread cannot be made (limits on processes, address
 * space or a control group). So as many as will be needed are started once beforehand, all at the
 * same time, and ended again: about 20 microseconds each.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <pthread.h>
#include <stdlib.h>

static void *wait_for_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

uint32_t cli_startable_threads(uint32_t wanted)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *threads = malloc(wanted * sizeof *threads);
    uint32_t n = 0;
    if (threads == NULL || wanted < 2) {
        free(threads);
        return 1;
    }
    pthread_mutex_lock(&gate);
    /* we are one, too */
    while (n + 1 < wanted && pthread_create(&threads[n], NULL, wait_for_gate, &gate) == 0) n++;
    pthread_mutex_unlock(&gate);
    for (uint32_t i = 0; i < n; i++) pthread_join(threads[i], NULL);
    free(threads);
    return n + 1 < wanted && n > 1 ? n : n + 1; /* where the end was reached, leave room for one */
}
