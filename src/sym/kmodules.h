/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The modules of the running kernel and their addresses, from /proc/modules. */
#ifndef BPFPERF_SYM_KMODULES_H
#define BPFPERF_SYM_KMODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The functions of the module are in [start, end); from 6.4 on the range may contain foreign code:
 * the size is that of all its memory, whose parts are not contiguous.
 */
struct kmodule {
	uint64_t start, end;
	const char *name; /* without brackets */
};

struct kmodules {
	struct kmodule *all; /* ascending */
	size_t cnt, cap;
	char *text;
};

/*
 * A zeroed struct is empty, and stays empty if there are no modules or their addresses are hidden.
 * 0 or -ENOMEM.
 */
int kmodules__read(struct kmodules *modules, const char *path);
/* Finds the last module that begins at or before addr, if it contains addr; else NULL. */
const struct kmodule *kmodules__find(const struct kmodules *modules, uint64_t addr);
/* True if both are one module at one address. NULL equals only NULL. */
bool kmodule__is_same(const struct kmodule *a, const struct kmodule *b);
bool kmodules__equal(const struct kmodules *a, const struct kmodules *b);
void kmodules__free(struct kmodules *modules);

#endif
