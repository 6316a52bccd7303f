/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Resolves addresses of samples to functions of a hist, each place once, at the time of its first
 * sample.
 */
#ifndef BPFPERF_PROFILE_HIST_NAMES_H
#define BPFPERF_PROFILE_HIST_NAMES_H

#include "decode/sample.h"
#include "profile/hist.h"

struct sym;

struct hist_names {
	struct hist *hist;
	struct sym *sym;
	bool srclines; /* resolve the source lines of sampled addresses */
	struct u64map user_at, kernel_at; /* place → index into `known` */
	struct hist_place *known;
	size_t known_cnt, known_cap;
	uint32_t *funcs; /* the functions of all places, innermost first */
	size_t func_cnt, func_cap;
	uint32_t *frames; /* frames of the current sample's callchain */
	size_t frame_cnt, frame_cap;
};

/* A resolved place. */
struct hist_place {
	uint32_t func; /* function of the symbol table; UINT32_MAX: none */
	uint32_t dso; /* text of the file */
	uint32_t srcline; /* text of the source line, or TEXTS_NONE */
	bool is_mapped;
	bool has_inlined; /* the two members below are valid */
	uint32_t inlined_cnt;
	/*
	 * index into hist_names.funcs: the inlined functions from the innermost to the one that
	 * contains all
	 */
	size_t inlined;
};

struct hist_addr {
	uint32_t self; /* function of the address, or the address in the file if it has none */
	uint32_t srcline;
	char level;
};

/* Initializes n; sym and hist outlive it. */
void hist_names__init(struct hist_names *n, struct hist *hist, struct sym *sym, bool srclines);
void hist_names__free(struct hist_names *n);
/* Resolves the address of a sample with the mappings of the sample's time. 0 or -ENOMEM. */
int hist_names__self(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel,
		     struct hist_addr *res);
/* Begins the sample's callchain. */
void hist_names__begin(struct hist_names *n);
/*
 * Appends the next frame of the callchain to n->frames; with_inlined: preceded by the functions
 * inlined there, if sym reads debug information. 0 or -ENOMEM.
 */
int hist_names__frame(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel,
		      bool with_inlined);

#endif
