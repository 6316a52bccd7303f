/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Addresses of samples → functions of a hist: named at once, and each place only once. */
#ifndef BPFPERF_PROFILE_HIST_NAMES_H
#define BPFPERF_PROFILE_HIST_NAMES_H

#include "decode/sample.h"
#include "profile/hist.h"

struct sym;

struct hist_names {
	struct hist *hist;
	struct sym *sym;
	bool srclines; /* source lines of what was sampled */
	struct u64map user_at, kernel_at; /* place → index into `known` */
	struct hist_place *known;
	size_t known_cnt, known_cap;
	uint32_t *funcs; /* of the places, innermost first */
	size_t func_cnt, func_cap;
	uint32_t *frames; /* of the sample at hand */
	size_t frame_cnt, frame_cap;
};

/* What is known of a place, once. */
struct hist_place {
	uint32_t func; /* that the symbol table has there; UINT32_MAX: none */
	uint32_t dso; /* text */
	uint32_t srcline; /* text, or TEXTS_NONE */
	bool is_mapped;
	bool has_inlined; /* the two below were looked up */
	uint32_t inlined_cnt;
	size_t inlined; /* index into hist_names.funcs: the innermost, up to the one that holds all */
};

struct hist_addr {
	uint32_t self; /* function, or its address in the file */
	uint32_t srcline;
	char level;
};

/* sym and hist outlive it. */
void hist_names__init(struct hist_names *n, struct hist *hist, struct sym *sym, bool srclines);
void hist_names__free(struct hist_names *n);
/* Where a sample was taken, at this point of the stream. 0 or -ENOMEM. */
int hist_names__self(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel,
		     struct hist_addr *res);
/* Begins the sample's callchain. */
void hist_names__begin(struct hist_names *n);
/*
 * The next frame of it, to n->frames; with_inlined: and before it what was inlined there, where sym
 * reads that. 0 or -ENOMEM.
 */
int hist_names__frame(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel,
		      bool with_inlined);

#endif
