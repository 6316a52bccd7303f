/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A recording's samples summed up for `report`: those that are the same in
 * all that is asked for, and have the same callchain, are one row. What is
 * printed is made of the rows at the end (profile/hist_entries.h), so that memory
 * grows with what differs, not with the recording.
 */
#ifndef BPFPERF_PROFILE_HIST_H
#define BPFPERF_PROFILE_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/texts.h"
#include "util/u64map.h"

/* By what samples are told apart: the words of perf report -s. */
enum hist_key {
	HIST_COMM, /* the thread's name */
	HIST_PID, /* "PID:Command": the thread id, as perf's `pid` has it, and its last name */
	HIST_TID, /* the same under its own name */
	HIST_CPU,
	HIST_DSO, /* the file, or "[kernel.kallsyms]" */
	HIST_SYM, /* the function, told apart by file and address */
	HIST_SRCLINE, /* "file.c:12" */
	HIST_EVENT, /* the event's name */
	HIST_TRACE, /* what a tracepoint's record says */
};

#define HIST_MAX_KEYS 9
_Static_assert(HIST_MAX_KEYS == HIST_TRACE + 1, "all of them may be asked for at once");

struct hist_config {
	enum hist_key keys[HIST_MAX_KEYS];
	uint32_t key_cnt;
	bool children; /* a function's share has that of what it calls */
	bool has_chains; /* callchains are printed below each entry */
	bool is_caller; /* chains begin outermost, else innermost */
	bool is_fractal; /* a chain's percentages are of its caller, else of all */
	double min_percent; /* entries below are left out */
	double chain_min_percent; /* branches of chains below are left out */
};

/* A function, or an address that no function is known for. */
struct hist_func {
	uint32_t name; /* index into hist.texts; TEXTS_NONE: addr stands for it */
	uint32_t dso; /* index into hist.texts */
	uint64_t addr; /* where the function begins in its file, or the address */
	bool is_inlined;
	bool is_mapped; /* its file is known */
	char level; /* 'k' kernel, '.' user; of what is not mapped: as the frame before */
	uint32_t chain; /* index of the function that stands for it in chains */
};

struct hist_event {
	const char *name; /* not owned; escaped when printed */
	uint64_t samples, period; /* in all */
};

struct hist_row {
	uint64_t hash;
	uint32_t event, comm, self, srcline, trace, cpu;
	int32_t pid, tid;
	int32_t first_tid; /* of the first sample in it */
	char level;
	uint32_t frame_cnt;
	size_t at; /* of its frames in hist.frames, in the order chains are printed */
	uint64_t samples, period;
};

struct hist_sample {
	uint32_t event; /* index */
	const char *comm;
	int32_t pid, tid;
	uint32_t cpu;
	uint32_t self, srcline; /* a function (hist__func()) and a text, or TEXTS_NONE */
	const char *trace; /* with HIST_TRACE */
	size_t trace_len;
	char level; /* 'k', '.', … of where it was taken */
	uint64_t period;
	const uint32_t *frames; /* functions, innermost first */
	uint32_t frame_cnt;
};

struct hist {
	struct hist_config cfg;
	struct hist_event *events;
	uint32_t event_cnt;
	struct hist_func *funcs;
	size_t func_cnt, func_cap;
	struct hist_row *rows;
	size_t row_cnt, row_cap;
	uint32_t *frames;
	size_t frame_cnt, frame_cap;
	struct u64map by_func, by_row;
	struct texts texts;
	uint64_t uprooted; /* samples that lost their callchain: HIST_MAX_FRAMES were reached */
	uint64_t lost; /* samples that the kernel says it lost */
};

/* Of all callchains that differ, 256 MiB; then new ones are counted without their callers. */
#define HIST_MAX_FRAMES (64u << 20)

/* cfg is copied. */
void hist__init(struct hist *h, const struct hist_config *cfg);
void hist__free(struct hist *h);
/* Makes room for that many events, which come numbered from 0. 0 or -ENOMEM. */
int hist__set_events(struct hist *h, uint32_t cnt);
/* The index of a function, added where it is new. UINT32_MAX: no memory. */
uint32_t hist__func(struct hist *h, const struct hist_func *func);
/* Sums up one sample. 0 or -ENOMEM. */
int hist__add(struct hist *h, const struct hist_sample *s);
bool hist__has_key(const struct hist_config *cfg, enum hist_key key);

#endif
