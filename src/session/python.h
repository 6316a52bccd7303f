/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Python's frames in user stacks (bpf/python.bpf.h): the builds of Python that are met, for the
 * programs, and the definitions of code objects that these send. The unwinder owns it.
 */
#ifndef BPFPERF_SESSION_PYTHON_H
#define BPFPERF_SESSION_PYTHON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_object;
struct python;

struct python_stats {
	uint64_t frames; /* in all walks */
	uint64_t codes; /* definitions that were sent */
	uint64_t unsent; /* definitions that found no room: their frames have no names */
};

/* Sets the sizes of the maps, between open and load; without this call there are no such frames. */
void python__configure(struct bpf_object *obj);
/* After load. NULL and errno; errno 0: python__configure() was not called. */
struct python *python__new(const struct bpf_object *obj);
void python__free(struct python *py);
/*
 * Returns the index of the build of Python that a file has, for the head of its table; 0: it has
 * none. For use by one thread, which need not be that of the other functions.
 */
uint32_t python__index(struct python *py, int fd, const char *path);
/*
 * Calls fn(ctx, def, sz) for each definition (struct python_def, python_wire.h) that has arrived.
 * 0 or -errno. NULL is accepted.
 */
int python__drain(struct python *py, int (*fn)(void *ctx, const void *def, size_t sz), void *ctx);
void python__stats(const struct python *py, struct python_stats *stats);

#endif
