/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The lines of /proc/kallsyms. Tables of functions are in sym/kallsyms.h. */
#ifndef BPFPERF_HOST_KALLSYMS_WALK_H
#define BPFPERF_HOST_KALLSYMS_WALK_H

#include <stdbool.h>
#include <stdint.h>

struct kallsym {
	uint64_t addr; /* 0: addresses are hidden */
	const char *name; /* valid during the call */
	bool is_module; /* of a module, not of the kernel itself */
};

/* 0: go on; other values end the walk. */
typedef int (*kallsym_fn)(void *ctx, const struct kallsym *sym);

/*
 * Calls fn for each symbol in the order of the file (NULL: /proc/kallsyms), which the kernel
 * generates while it is read: an early end saves time. Returns 0, the value fn returned, or -errno.
 */
int kallsyms_walk(const char *path, kallsym_fn fn, void *ctx);

#endif
