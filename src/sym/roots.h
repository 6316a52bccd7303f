/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Roots of processes that differ from ours: containers, chroots. They are held open, so that the
 * files of a process that has ended are still found as it saw them.
 */
#ifndef BPFPERF_SYM_ROOTS_H
#define BPFPERF_SYM_ROOTS_H

#include <stdint.h>

#define ROOTS_MAX 64

struct roots {
	struct {
		uint64_t dev, ino, mnt_ns;
		int fd;
	} roots[ROOTS_MAX]; /* index 0 is our root, with fd -1 */
	uint8_t cnt;
};

void roots__init(struct roots *roots);
void roots__free(struct roots *roots);
/*
 * Finds or opens the root of a living process and returns its index; 0 for our root, or if it
 * cannot be opened.
 */
uint8_t roots__of_process(struct roots *roots, int32_t pid);

/* Adds a directory as a root. Returns its index; 0: it cannot be opened (logged). */
uint8_t roots__open_dir(struct roots *roots, const char *path);

#endif
