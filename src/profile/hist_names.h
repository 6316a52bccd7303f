/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Resolves addresses of samples to functions of a hist, each place once, at the time of its first
 * sample.
 */
#ifndef BPFPERF_PROFILE_HIST_NAMES_H
#define BPFPERF_PROFILE_HIST_NAMES_H

#include "decode/sample.h"
#include "profile/hist.h"

struct hist_named;
struct strbuf;
struct sym;

struct hist_names {
	struct hist *hist;
	struct sym *sym;
	bool srclines; /* resolve the source lines of sampled addresses */
	struct u64map user_at, kernel_at; /* place → index into `known` */
	struct u64map lines; /* cache line, a function without a name → the one with its name */
	struct hist_place *known;
	size_t known_cnt, known_cap;
	/* the functions of all places, innermost first, and with cfg.by_address their lines */
	struct hist_named *funcs;
	size_t func_cnt, func_cap;
	uint32_t *frames; /* frames of the current sample's callchain */
	size_t frame_cnt, frame_cap;
};

/* A resolved place. */
struct hist_place {
	uint32_t func; /* function of the symbol table; UINT32_MAX: none */
	uint32_t dso; /* text of the file */
	uint32_t srcline; /* text of the source line, or TEXTS_NONE */
	uint32_t line; /* 1 + the text of the line in chains; 0: not asked for */
	uint32_t srcfile; /* text of the source file; "": unknown; TEXTS_NONE: not asked for */
	bool is_mapped;
	char origin; /* of its name; '!': none, or not asked for */
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
	uint32_t srcline, srcfile;
	uint64_t addr; /* in the file */
	uint64_t place;
	uint32_t off; /* in the function, in bytes; 0 without a function */
	char level;
};

/* Initializes n; sym and hist outlive it. */
void hist_names__init(struct hist_names *n, struct hist *hist, struct sym *sym, bool srclines);
void hist_names__free(struct hist_names *n);
/* Resolves the address of a sample with the mappings of the sample's time. 0 or -ENOMEM. */
int hist_names__self(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel,
		     struct hist_addr *res);
/*
 * Resolves an address of data, or of code, that is a row of its own, like in perf's memory mode.
 * Returns a function with the name there and this address; UINT32_MAX: no memory.
 */
uint32_t hist_names__data(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel);
/*
 * Resolves the cache line of an address of data, by the name that its first sample has there.
 * Returns a function, or UINT32_MAX, likewise; its level is 'X' where nothing is mapped, and 's'
 * where processes share a file.
 */
uint32_t hist_names__line(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel);
/* Puts the source line of a place, "file.c:12", or the function and the offset there: "main+12". */
void hist_names__put_line(struct hist_names *n, bool is_kernel, uint64_t place, struct strbuf *out);
/* Begins the sample's callchain. */
void hist_names__begin(struct hist_names *n);
/*
 * Appends the next frame of the callchain to n->frames; with_inlined: preceded by the functions
 * inlined there, if sym reads debug information. 0 or -ENOMEM.
 */
int hist_names__frame(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel,
		      bool with_inlined);

#endif
