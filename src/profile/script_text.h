/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The text of `perf script`, taken apart: a line for each sample (thread, CPU, time, period,
 * event), and the lines of its callchain, each with address, function and file. It is what perf
 * prints by default, of any version, and what scripts for flame graphs expect.
 */
#ifndef BPFPERF_PROFILE_SCRIPT_TEXT_H
#define BPFPERF_PROFILE_SCRIPT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the text, not terminated. */
struct text_part {
	const char *at;
	size_t len;
};

struct script_frame {
	struct text_part name; /* without its offset; empty: unknown */
	struct text_part module; /* empty: unknown */
	uint64_t addr; /* of the process */
	uint64_t off; /* in the function, in bytes */
	bool is_kernel, is_inlined;
};

struct script_sample {
	struct text_part comm, event;
	int32_t pid, tid; /* pid -1: unknown */
	uint32_t cpu; /* UINT32_MAX: unknown */
	uint64_t time_ns; /* 0: unknown */
	uint64_t period; /* 1 if has_period is not set */
	bool has_period;
	struct text_part trace; /* the text of a tracepoint's record; empty: none */
	const struct script_frame *frames; /* innermost first */
	size_t frame_cnt;
};

/* Longer callchains are cut at their outer end. */
#define SCRIPT_FRAMES_MAX 16384

struct script_text {
	const char *at, *end;
	struct script_frame *frames; /* of the current sample */
	size_t cap;
	uint64_t odd_cnt; /* lines that are neither */
};

/* Returns whether a text begins as perf script's, behind lines with '#'. */
bool script_text__is(const char *text, size_t len);
/* The text outlives `t`. */
void script_text__begin(struct script_text *t, const char *text, size_t len);
/* Takes the next sample, which is valid until the next call. 1; 0 at the end; -ENOMEM. */
int script_text__next(struct script_text *t, struct script_sample *s);
/* Says how many lines were passed over so far, if any. */
void script_text__warn_odd(const struct script_text *t);
void script_text__free(struct script_text *t);

/* Returns whether a part is this text. */
bool text_part__is(const struct text_part *part, const char *text);
/* The last part of a path. */
struct text_part text_part__base(const struct text_part *path);

#endif
