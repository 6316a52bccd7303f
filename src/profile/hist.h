/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The samples of a recording, summed up for `report`: samples that agree in every sort key and in
 * their callchain are one row. The lines of the report are made from the rows at the end
 * (profile/hist_entries.h), so memory grows with the number of distinct rows and not with the
 * length of the recording.
 */
#ifndef BPFPERF_PROFILE_HIST_H
#define BPFPERF_PROFILE_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/texts.h"
#include "util/u64map.h"

/* The sort keys by which samples are separated, named like those of perf report -s. */
enum hist_key {
	HIST_COMM, /* the thread's name */
	HIST_PID, /* "PID:Command": the thread id, as perf's `pid` has it, and its last name */
	HIST_TID, /* the thread id again, as perf's `tid` */
	HIST_CPU,
	HIST_DSO, /* the file, or "[kernel.kallsyms]" */
	HIST_SYM, /* the function, by its file and address */
	HIST_SRCLINE, /* "file.c:12" */
	HIST_EVENT, /* the event's name */
	HIST_TRACE, /* the payload of a tracepoint's record, as text */
};

#define HIST_MAX_KEYS 9
_Static_assert(HIST_MAX_KEYS == HIST_TRACE + 1, "all of them may be asked for at once");

struct hist_config {
	enum hist_key keys[HIST_MAX_KEYS];
	uint32_t key_cnt;
	bool children; /* a function's share includes the functions that it calls */
	bool has_chains; /* callchains are printed below each entry */
	bool has_samples, has_period; /* columns with the numbers behind the own share */
	/* -F: without columns of shares that it does not name; sorted by those it has */
	bool is_by_fields, no_share;
	bool is_caller; /* chains begin at the outermost function, else at the innermost */
	bool is_fractal; /* percentages in a chain relate to the caller, else to the total */
	double min_percent; /* entries with a smaller share are not printed */
	double chain_min_percent; /* branches of chains with a smaller share are not printed */
};

/* A function, or an address without a known function. */
struct hist_func {
	uint32_t name; /* index into hist.texts; TEXTS_NONE: no name, addr is printed */
	uint32_t dso; /* index into hist.texts */
	uint64_t addr; /* where the function begins in its file, or the address */
	bool is_inlined;
	bool is_mapped; /* its file is known */
	/* 'k' kernel, '.' user; an unmapped address has the level of the frame before it */
	char level;
	uint32_t chain; /* index of the function that represents it in chains */
};

struct hist_event {
	const char *name; /* not owned; escaped when printed */
	uint64_t samples, period; /* totals of the row */
};

struct hist_row {
	uint64_t hash;
	uint32_t event, comm, self, srcline, trace, cpu;
	int32_t pid, tid;
	int32_t first_tid; /* thread id of the row's first sample */
	char level;
	uint32_t frame_cnt;
	/* index of the row's frames in hist.frames, in the order in which chains are printed */
	size_t at;
	uint64_t samples, period;
};

struct hist_sample {
	uint32_t event; /* index of the event */
	const char *comm;
	int32_t pid, tid;
	uint32_t cpu;
	uint32_t self, srcline; /* a function (hist__func()) and a text, or TEXTS_NONE */
	const char *trace; /* text of the record, for HIST_TRACE */
	size_t trace_len;
	char level; /* 'k', '.', …: the privilege level at which the sample was taken */
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
	/* samples without their callchain, since HIST_MAX_FRAMES was reached */
	uint64_t uprooted;
	uint64_t lost; /* lost samples, as reported by the kernel */
};

/*
 * Limit of the frames of all distinct callchains, 256 MiB; beyond it new samples are counted
 * without callers.
 */
#define HIST_MAX_FRAMES (64u << 20)

/* Initializes hist; cfg is copied. */
void hist__init(struct hist *h, const struct hist_config *cfg);
void hist__free(struct hist *h);
/* Makes room for cnt events; samples have event numbers from 0 on. 0 or -ENOMEM. */
int hist__set_events(struct hist *h, uint32_t cnt);
/* Returns the index of a function, which is added if it is new. UINT32_MAX: no memory. */
uint32_t hist__func(struct hist *h, const struct hist_func *func);
/* Adds one sample to the rows. 0 or -ENOMEM. */
int hist__add(struct hist *h, const struct hist_sample *s);
bool hist__has_key(const struct hist_config *cfg, enum hist_key key);

#endif
