/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * /tmp/perf-PID.map: JIT compilers (V8, the JVM's agents, .NET, LuaJIT, PHP) describe each function
 * that they wrote to memory in a line: address, size, name.
 */
#ifndef BPFPERF_SYM_JIT_MAP_H
#define BPFPERF_SYM_JIT_MAP_H

#include "sym/elf_syms.h"

/* Maximum size read of a map: 64 MiB hold a million functions. */
#define JIT_MAP_MAX_SZ (64u << 20)

/*
 * Opens the map of a living process: in the /tmp that the process sees, under the pid it has there.
 * Any user can write to /tmp, so the file must be a regular one that belongs to the process's user
 * or to root. -1 if there is none.
 */
int jit_map__open(int32_t pid);
/* The writer of a map, to be asked for while it lives. */
struct jit_owner {
	int32_t pid; /* in its innermost pid name space */
	unsigned int uid;
};

/* Reads the owner of a process's map. false: it has exited. */
bool jit_owner__read(struct jit_owner *owner, int32_t pid);
/*
 * Opens the map that a process has written at its end (Java: -XX:+DumpPerfMapAtExit), in the /tmp
 * below root_fd (-1: our own). The file must be a regular one that belongs to the owner or to root,
 * and must have been written since since_real_ns (CLOCK_REALTIME): an older one is of another
 * process that had the pid. -1 if there is none.
 */
int jit_map__open_final(const struct jit_owner *owner, int root_fd, int64_t since_real_ns);
/*
 * Opens the map that a process of a recording has left in our own /tmp: a process that has its pid
 * now is unrelated to it. The file must be a regular one that belongs to us or to root. -1 if there
 * is none.
 */
int jit_map__open_recorded(int32_t pid);
/*
 * Reads a map of sz bytes into syms, which is empty. Among overlapping functions the one written
 * last is in memory now: the others are dropped. 0 or -errno.
 */
int jit_map__read(struct elf_syms *syms, int fd, size_t sz);

#endif
