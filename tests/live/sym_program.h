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

/* Maps the program; returns the address of its first byte. */
static inline uint64_t map_program(struct sym *sym, const char *path)
{
	struct sym_map map = { .addr = 0x10000000, .len = 1 << 30, .path = path };
	struct stat st;

	if (stat(path, &st))
		exit(1);
	map.maj = major(st.st_dev);
	map.min = minor(st.st_dev);
	map.ino = st.st_ino;
	sym__on_exec(sym, SYM_PROGRAM_PID);
	sym__on_mmap(sym, SYM_PROGRAM_PID, &map);
	return map.addr;
}

#endif
