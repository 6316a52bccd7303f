/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A program that does not run, as a process of which addresses are named. */
#ifndef BPFPERF_TESTS_SYM_PROGRAM_H
#define BPFPERF_TESTS_SYM_PROGRAM_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "sym/sym.h"

/* No process has this id. */
#define SYM_PROGRAM_PID (1 << 29)

/* Maps the program in that process; returns the address of its first byte. */
static inline uint64_t map_program_as(struct sym *sym, const char *path, int32_t pid)
{
	struct sym_map map = { .addr = 0x10000000, .len = 1 << 30, .path = path };
	struct stat st;

	if (stat(path, &st))
		exit(1);
	map.maj = major(st.st_dev);
	map.min = minor(st.st_dev);
	map.ino = st.st_ino;
	sym__on_exec(sym, pid);
	sym__on_mmap(sym, pid, &map);
	return map.addr;
}

static inline uint64_t map_program(struct sym *sym, const char *path)
{
	return map_program_as(sym, path, SYM_PROGRAM_PID);
}

#endif
