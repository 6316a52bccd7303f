/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Frames of interpreters in user stacks (bpf/interp.bpf.h): the builds of interpreters that are
 * met, for the programs, and the definitions of code objects that these send. The unwinder owns it.
 */
#ifndef BPFPERF_SESSION_INTERP_H
#define BPFPERF_SESSION_INTERP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/interp_wire.h"

struct bpf_object;
struct interp;

struct interp_stats {
	uint64_t frames; /* in all walks */
	uint64_t codes; /* definitions that were sent */
	uint64_t unsent; /* definitions that found no room: their frames have no names */
};

/* Sets the sizes of the maps, between open and load; without this call there are no such frames. */
void interp__configure(struct bpf_object *obj);
/* Bits by enum interp_language (interp_wire.h). */
#define INTERP_LANGUAGES (1u << INTERP_PYTHON | 1u << INTERP_RUBY)
/*
 * Between interp__configure() and load: from here on builds of interpreters are taken. omit:
 * languages that are not wanted. NULL and errno; errno 0: interp__configure() was not called.
 */
struct interp *interp__new(struct bpf_object *obj, uint32_t omit);
/* After load; the other functions below need it. NULL is accepted. */
void interp__start(struct interp *in, const struct bpf_object *obj);
void interp__free(struct interp *in);
/*
 * Returns the index of the interpreter that a file has, for the head of its table; 0: it has
 * none. For use by one thread, which need not be that of the other functions.
 */
uint32_t interp__index(struct interp *in, int fd, const char *path);
/*
 * Calls fn(ctx, def, sz) for each definition (struct interp_def, interp_wire.h) that has arrived.
 * 0 or -errno. NULL is accepted.
 */
int interp__drain(struct interp *in, int (*fn)(void *ctx, const void *def, size_t sz), void *ctx);
void interp__stats(const struct interp *in, struct interp_stats *stats);

#endif
