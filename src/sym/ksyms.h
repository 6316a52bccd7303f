/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Kernel code that comes and goes while we record: BPF programs, probe trampolines
 * (records of symbols, since 5.1). The next program may get the memory of the last, so an
 * address of such code means something only at its time; as a *place* it is named later.
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
	struct ksym *all; /* every one that was met: a place holds its index */
	uint32_t cnt, cap;
	uint32_t *live; /* indexes of what is there now, by address, disjoint */
	uint32_t live_cnt;
	uint32_t *before; /* of what was there before the recording and is gone, by address */
	uint32_t before_cnt;
	struct texts names;
	uint64_t forgotten; /* more than KSYMS_MAX came */
};

#define KSYMS_MAX (1u << 16)

/* Zeroed is empty. */
void ksyms__free(struct ksyms *ks);
/* Code came to [addr, addr + len), or went from there. */
void ksyms__add(struct ksyms *ks, uint64_t addr, uint32_t len, const char *name);
void ksyms__remove(struct ksyms *ks, uint64_t addr, uint32_t len, const char *name);
/* The place of a kernel address at this point of the stream: itself, for most. */
uint64_t ksyms__place(const struct ksyms *ks, uint64_t addr);
/* The name of a place that is of such code, and the bytes into it; else NULL. */
const char *ksyms__find(const struct ksyms *ks, uint64_t place, uint64_t *off);

#endif
