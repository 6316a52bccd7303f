/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Reads a recording from begin to end: sorts records by time, passes process records to the
 * machine, and samples as struct sample to the caller. `script` and `report` share it.
 */
#ifndef BPFPERF_RUN_REPLAY_H
#define BPFPERF_RUN_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/deferred_chains.h"
#include "decode/perf_decoder.h"
#include "decode/presenter.h"
#include "decode/replay_losses.h"
#include "itrace/process.h"
#include "machine/machine.h"
#include "run/replay_filter.h"
#include "sym/sym.h"

struct itrace_options;
struct record;
struct recording;
struct replay_itrace;

/* All return 0, or another value that ends the reading. */
struct replay_ops {
	/* Called before the first sample, or at the end if there is none: the events are known. */
	int (*begin)(void *ctx);
	int (*sample)(void *ctx, const struct sample *s);
	/*
	 * A sample of another thread, file or function than those that cfg->filter selects. NULL:
	 * nothing to do.
	 */
	int (*passed_over)(void *ctx, const struct sample *s);
	/*
	 * Returns the parts of a sample that sample() needs: flags of enum sample_need; SAMPLE_DROP
	 * drops the sample.
	 */
	unsigned int (*needs)(void *ctx, const struct sample *s);
	/* Reports missing records in place. NULL: only the sum at the end is of interest. */
	int (*lost)(void *ctx, const struct lost *l);
	/*
	 * A record of processes, of code or of a loss, in place; begin() may follow it. NULL: not
	 * wanted.
	 */
	int (*record)(void *ctx, const struct record *rec);
	/* All records of a live recording up to now were passed on. NULL: nothing to do. */
	int (*round)(void *ctx);
};

struct replay_config {
	struct sym_options sym;
	bool inline_unwound; /* set sym.inlines, too, if samples may have copies of their stacks */
	enum perf_stack_form form;
	uint64_t max_stack; /* 0: STACK_DEFAULT */
	/* SAMPLE_NEEDS_LINES: name inlined functions in all callchains; in none at all. */
	bool inlined, no_inlined;
	bool branch_offs; /* SAMPLE_NEEDS_BRANCHES: by offsets in files that cannot be read */
	uint64_t max_blocks; /* SAMPLE_NEEDS_CODE: pieces of code of a sample; 0: all */
	bool with_lines; /* SAMPLE_NEEDS_LINES, SAMPLE_NEEDS_IP: the lines of the source, too */
	struct replay_filter *filter; /* NULL: all samples */
	bool completes_all; /* a sample that is passed over has the parts that needs() names, too */
	/* How a processor's trace is decoded; NULL or not set: it is not. */
	const struct itrace_options *itrace;
	const char *rest; /* the verb in warnings about missing records: "shown" */
};

struct replay {
	struct recording *rec;
	struct machine *machine;
	const struct replay_config *cfg; /* during replay__read() */
	struct perf_decoder decoder;
	struct presenter presenter;
	struct replay_losses losses;
	struct deferred_chains deferred; /* samples that wait for their user callchains */
	/* times of samples: of the first, or of a loss for ops->lost, and the latest */
	uint64_t first_ns, last_ns;
	const struct replay_ops *ops;
	void *ctx;
	struct program itrace_program; /* if a trace is decoded */
	int kcore_fd; /* 1 + that of /proc/kcore, which has the kernel's code; 0: none */
	struct replay_itrace *itrace; /* NULL: no trace is decoded */
	bool has_begun, has_decoder;
	bool has_mono_clock; /* times are of CLOCK_MONOTONIC */
};

/* Opens the machine of a zeroed replay. 0, or -ENOMEM (logged). */
int replay__init(struct replay *r);
/*
 * Opens the recording: NULL is perf.data, "-" stdin. Before its first byte is read, the process
 * gives up what only an output that is still to be opened would need (run/confine.h), but can start
 * the program that `itrace` asks for; NULL: none. 0, or -errno (logged).
 */
int replay__open(struct replay *r, const char *input, const struct itrace_options *itrace);
/*
 * Reads to the end and logs missing records. 0, the first other value of ops, or -errno (logged);
 * -EINVAL: the filter asks for what the recording lacks. Unless it is that, -ENOMEM or -E2BIG,
 * begin() has returned 0.
 */
int replay__read(struct replay *r, const struct replay_config *cfg, const struct replay_ops *ops,
		 void *ctx);
/*
 * Returns the events of the recording, by the index of its attrs; complete when begin() is called
 * for a file.
 */
const struct event_list *replay__events(const struct replay *r);
/* For begin(): a cut callchain keeps its outermost frames, not the innermost. */
void replay__keep_outermost(struct replay *r);
/* Passes a sample on that was made, not recorded: for run/replay_itrace.h. */
int replay__made_sample(struct replay *r, struct perf_sample *ps);
/* Passes on that records are missing here. */
int replay__lost(struct replay *r, const struct lost *lost);
/* Safe for a zeroed replay, and after an error. */
void replay__close(struct replay *r);

/* -EINVAL (logged) if `output` is the recording itself: opening would truncate it. */
int replay__check_output(const char *input, const char *output);

#endif
