/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which modules the running kernel has and where they are, from /proc/modules. */
#ifndef BPFPERF_SYM_KMODULES_H
#define BPFPERF_SYM_KMODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Its functions are in [start, end); from 6.4 on there may be code of others too: the size is that
 * of all its memory, whose parts are apart.
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
 * Zeroed is empty, as it stays where there are no modules, or their addresses are hidden. 0 or
 * -ENOMEM.
 */
int kmodules__read(struct kmodules *modules, const char *path);
/* The last that begins at or before addr, if addr is in it; else NULL. */
const struct kmodule *kmodules__find(const struct kmodules *modules, uint64_t addr);
/* Are both one module at one place? NULL equals only NULL. */
bool kmodule__is_same(const struct kmodule *a, const struct kmodule *b);
bool kmodules__equal(const struct kmodules *a, const struct kmodules *b);
void kmodules__free(struct kmodules *modules);

#endif
