/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Roots other than ours that processes live below: containers, chroots. Held open, so that the
 * files of a process that ended are still found as it saw them.
 */
#ifndef BPFPERF_SYM_ROOTS_H
#define BPFPERF_SYM_ROOTS_H

#include <stdint.h>

#define ROOTS_MAX 64

struct roots {
	struct {
		uint64_t dev, ino, mnt_ns;
		int fd;
	} roots[ROOTS_MAX]; /* 0 is ours, with fd -1 */
	uint8_t cnt;
};

void roots__init(struct roots *roots);
void roots__free(struct roots *roots);
/*
 * The index of a living process's root, opened where it is new; 0 for ours, or where it cannot be
 * had.
 */
uint8_t roots__of_process(struct roots *roots, int32_t pid);

#endif
