/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Functions of a file by name, from its symbol tables. Runs in readers. */
#ifndef BPFPERF_PROBE_SYMBOLS_H
#define BPFPERF_PROBE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/pattern.h"
#include "util/strbuf.h"
#include "util/suggest.h"

struct found_symbol {
	uint64_t vaddr;
	uint64_t size; /* bytes of code; 0: unknown */
	bool is_global; /* other files may call it by this name, or by another one */
	const char *name; /* as it is printed; in `names` */
};

struct found_symbols {
	struct found_symbol *at; /* sorted by address; each address once */
	size_t cnt, cap;
	struct strbuf names;
	bool has_ifunc; /* a match is chosen at run time: its symbol is that of the choice */
};

/*
 * Finds all functions that match, in the file, in its debug file (-1: none), and in what stripped
 * files have. near: NULL, or gets names that are near, if there is no match. 0; -ENOEXEC; -ENOMEM.
 */
int found_symbols__read(struct found_symbols *found, int fd, int debug_fd,
			const struct func_pattern *pattern, struct suggest *near);
void found_symbols__free(struct found_symbols *found);

#endif
