/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * /tmp/perf-PID.map: what JIT compilers (V8, the JVM's agents, .NET, LuaJIT, PHP) tell of the
 * functions they wrote to memory, a line each: address, size, name.
 */
#ifndef BPFPERF_SYM_JIT_MAP_H
#define BPFPERF_SYM_JIT_MAP_H

#include "sym/elf_syms.h"

/* At most so much of a map is read: 64 MiB hold a million functions. */
#define JIT_MAP_MAX_SZ (64u << 20)

/*
 * Opens the map of a living process: in the /tmp that the process sees, under the pid it has
 * there. Anyone can write to /tmp: only a regular file is taken that belongs to the process's
 * user or to root. -1 where there is none.
 */
int jit_map__open(int32_t pid);
/*
 * Opens the map that a process of a recording has left in our own /tmp: the process that has its
 * pid now is unrelated to it. Only a regular file is taken that is ours or root's. -1 where there
 * is none.
 */
int jit_map__open_recorded(int32_t pid);
/*
 * Reads a map, of sz bytes, into syms, which is empty. Where functions overlap, the one written
 * last is what lies there: the others are dropped. 0 or -errno.
 */
int jit_map__read(struct elf_syms *syms, int fd, size_t sz);

#endif
