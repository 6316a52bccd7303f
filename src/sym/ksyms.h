/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Kernel code that is loaded and unloaded during a recording: BPF programs, probe trampolines
 * (ksymbol records, since 5.1). The next program may get the memory of the last, so an address of
 * such code has a meaning only at its time; it is converted to a *place*, which can be named later.
 */
#ifndef BPFPERF_SYM_KSYMS_H
#define BPFPERF_SYM_KSYMS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/texts.h"

struct ksym {
	uint64_t start;
	uint32_t len; /* bytes */
	uint32_t name; /* index into names */
};

struct ksyms {
	struct ksym *all; /* all symbols ever met; a place holds an index into it */
	uint32_t cnt, cap;
	uint32_t *live; /* indexes of the loaded code, by address, disjoint */
	uint32_t live_cnt;
	/* indexes of code that existed before the recording and was unloaded, by address */
	uint32_t *before;
	uint32_t before_cnt;
	struct texts names;
	uint64_t forgotten; /* number of symbols beyond KSYMS_MAX */
};

#define KSYMS_MAX (1u << 16)

/* A zeroed struct is empty. */
void ksyms__free(struct ksyms *ks);
/* Code was loaded at, or unloaded from, [addr, addr + len). */
void ksyms__add(struct ksyms *ks, uint64_t addr, uint32_t len, const char *name);
void ksyms__remove(struct ksyms *ks, uint64_t addr, uint32_t len, const char *name);
/* Forgets code that was unloaded; no place may be kept from before. */
void ksyms__forget(struct ksyms *ks);
/* The place of a kernel address at this point of the stream: for most, the address itself. */
uint64_t ksyms__place(const struct ksyms *ks, uint64_t addr);
/* The address that ksyms__place() made this place of. */
uint64_t ksyms__addr(const struct ksyms *ks, uint64_t place);
/* The name of a place in such code, and the offset into it in bytes; else NULL. */
const char *ksyms__find(const struct ksyms *ks, uint64_t place, uint64_t *off);
/* The size of that code in bytes; 0: it is none. */
uint32_t ksyms__size(const struct ksyms *ks, uint64_t place);

#endif
