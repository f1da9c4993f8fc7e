/* SPDX-License-Identifier: Apache-2.0 */
/* engine.c - what the WebAssembly module exports: memory, and one call that takes a name and a
 * request.
 *
 * The page gives `progress`, which is asked now and then; where the browser can suspend
 * WebAssembly, it lets the Worker read its messages meanwhile, so that Stop arrives in the middle
 * of a search.
 */
#include "engine.h"

#include <stdlib.h>
#include <time.h>

static engine_state state;

__attribute__((import_module("shoal"), import_name("progress"))) int32_t
engine_import_progress(const char *phase, double fraction, double loss);

double engine_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int engine_progress(const char *phase, double fraction, void *payload)
{
    engine_state *e = payload;
    if (engine_import_progress(phase, fraction, e->loss_so_far) != 0) e->is_stopped = true;
    return e->is_stopped;
}

void engine_forget_stop(engine_state *e)
{
    e->is_stopped = false;
    (void)engine_import_progress("again", -1, -1); /* the page forgets it too */
}

int engine_progress_only(const char *phase, double fraction, void *payload)
{
    (void)engine_progress(phase, fraction, payload);
    return 0;
}

__attribute__((export_name("engine_allocate"))) void *engine_allocate(size_t size);
void *engine_allocate(size_t size)
{
    return shoal_reallocate(NULL, size > 0 ? size : 1);
}

__attribute__((export_name("engine_release"))) void engine_free_block(void *block);
void engine_free_block(void *block)
{
    shoal_reallocate(block, 0);
}

/* Both texts end in NUL; the answer is freed with engine_release(). NULL: no memory. */
__attribute__((export_name("engine_call"))) char *engine_call(const char *name,
                                                              const char *request_text);
char *engine_call(const char *name, const char *request_text)
{
    shoal_error err = { 0 };
    json_t *answer = NULL, *request = json_loads(request_text, 0, NULL);
    engine_call_fn call = engine_find_call(name);
    shoal_status status;
    state.is_stopped = false;
    state.loss_so_far = -1;
    state.callbacks = (shoal_callbacks){ .size = sizeof state.callbacks,
                                         .progress = engine_progress,
                                         .payload = &state,
                                         .loss_so_far = &state.loss_so_far };
    state.watching = state.callbacks;
    state.watching.progress = engine_progress_only;
    if (request == NULL)
        status = shoal_fail(&err, SHOAL_EINTERNAL, "the request is no JSON, or memory is short");
    else if (call == NULL)
        status = shoal_fail(&err, SHOAL_EINTERNAL, "there is no call '%.40s'", name);
    else
        status = call(&state, request, &answer, &err);
    json_decref(request);
    return engine_reply(answer, status, &err);
}
