/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The functions of the kernel and of its modules in a file, for as long as this boot has these
 * modules. The kernel takes 20 to 40 ms to generate /proc/kallsyms; the file is mapped, and only
 * the pages of a lookup are read. The file belongs to root, which alone can read it.
 */
#ifndef BPFPERF_SYM_KALLSYMS_CACHE_H
#define BPFPERF_SYM_KALLSYMS_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/kmodules.h"
#include "sym/symtab.h"
#include "util/strbuf.h"

/* A mapped file. */
struct kallsyms_cache {
	void *map; /* NULL: none is open */
	size_t sz; /* bytes */
	uint64_t text; /* address of _text */
	struct symtab tab; /* in the mapping, not to be freed or changed */
	struct strbuf strings; /* in the mapping: name NUL module NUL */
};

/*
 * Opens the file in dir. 0, or -errno: there is none, it is of another boot, of other modules or of
 * another _text, or another user could have written it.
 */
int kallsyms_cache__open(struct kallsyms_cache *cache, const char *dir, uint64_t text,
			 const struct kmodules *modules);
/* NULL members are accepted; the mapping's names become invalid. */
void kallsyms_cache__close(struct kallsyms_cache *cache);
/*
 * Writes the file: the functions of tab (after symtab__finish()), whose names are "name NUL module
 * NUL" in strings, without those of pseudo-modules (kallsyms_cache__is_pseudo()). Creates dir if
 * its parent exists. 0 or -errno; a file that exists is replaced at once or not at all.
 */
int kallsyms_cache__write(const char *dir, uint64_t text, const struct kmodules *modules,
			  const struct symtab *tab, const struct strbuf *strings);
/* Pseudo-modules of kallsyms, for code that comes and goes: "[bpf]", "[__builtin__ftrace]". */
bool kallsyms_cache__is_pseudo(const char *module);

#endif
