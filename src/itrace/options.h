/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --itrace: what is made of a processor's trace, by perf's letters (perf-script(1)). */
#ifndef BPFPERF_ITRACE_OPTIONS_H
#define BPFPERF_ITRACE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "itrace/wire.h"

/* Frames of a callchain, when `g` has no number. */
#define ITRACE_CHAIN_DEFAULT 16
#define ITRACE_CHAIN_MAX 1024
/* Branches before a sample, when `l` has no number. */
#define ITRACE_LAST_DEFAULT 64
#define ITRACE_LAST_MAX 1024

struct itrace_options {
	bool is_set; /* the trace is decoded */
	bool is_default; /* no letters were given */
	uint32_t want; /* bits by enum itrace_kind */
	uint64_t period;
	enum itrace_period period_kind;
	uint32_t chain_max; /* frames of the callchain of an instruction's sample; 0: none */
	uint32_t last_max; /* branches before the sample of an instruction; 0: none */
	uint64_t skip_cnt; /* samples that are left out at the begin */
	bool wants_stacks; /* the calls and returns are needed, whether or not they are printed */
};

/*
 * Parses the letters, for struct opt.set with `opts` a struct itrace_options; NULL or "" are perf's
 * default: branches, and instructions each 100 us with callchains. 0, or -EINVAL, logged.
 */
int itrace_options__parse(void *opts, const char *letters);
/* For a format that shows calls as slices: by default, the calls and returns alone. */
void itrace_options__want_slices(struct itrace_options *o);

/* Row for a command's table: the offset of the struct itrace_options. */
/* clang-format off */
#define ITRACE_OPT(at)                                                                             \
	{ .long_name = "itrace", .arg = "LETTERS", .type = OPT_OPTCALL, .off = at,                 \
	  .help = "decode the processor's trace (Intel PT, CoreSight): i[PERIOD] instructions, "   \
		  "b branches, "                                                                   \
		  "c calls, r returns, w ptwrite, p power, x transactions, e gaps, g[N] callchains, l[N] last branches (bi100usg)",      \
	  .set = itrace_options__parse }
/* clang-format on */

#endif
