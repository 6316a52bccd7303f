/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The processes that decode a recording's trace, one for each CPU, and their items, put in order of
 * time.
 */
#ifndef BPFPERF_ITRACE_DECODER_H
#define BPFPERF_ITRACE_DECODER_H

#include <stdbool.h>
#include <stdint.h>

#include "data/synth_event.h"
#include "itrace/options.h"
#include "itrace/wire.h"

struct itrace_decoder;
struct program;
struct sym_options;

/* Sums of a whole recording, in bytes of its trace: decoded + skipped = captured. */
struct itrace_sums {
	uint64_t captured_sz, decoded_sz, skipped_sz;
	uint64_t gap_cnt[ITRACE_GAP_CNT];
	uint64_t kernel_gap_cnt; /* those of ITRACE_GAP_NO_CODE in the kernel's code */
};

/*
 * Reads the recording once, and starts to decode its trace by the program that was found
 * (itrace/process.h). kcore_fd: /proc/kcore, or -1. NULL and errno, logged: EINVAL: it cannot be
 * decoded by these options; ENOENT: there is no trace.
 */
struct itrace_decoder *itrace_decoder__open(const char *path, const struct itrace_options *o,
					    const struct sym_options *sym,
					    const struct program *program, int kcore_fd);
/* NULL is accepted. */
void itrace_decoder__free(struct itrace_decoder *d);
/*
 * Sets *item to the oldest one before until_ns, and *cpu to its CPU (-1: unknown); both are valid
 * until the next call. 1; 0: there is none before; -ECANCELED: a signal asks
 * for the end; or -errno, logged.
 */
int itrace_decoder__next(struct itrace_decoder *d, uint64_t until_ns,
			 const struct itrace_item **item, int32_t *cpu);
/* Does the trace know the CPU of its items? Else each AUX area was of one thread. */
bool itrace_decoder__has_cpus(const struct itrace_decoder *d);
struct cbr_unit itrace_decoder__cbr_unit(const struct itrace_decoder *d);
/* The name of the program that decodes, for messages. */
const char *itrace_decoder__program(const struct itrace_decoder *d);
/* Why the kernel's code is not known. NULL: it is, or nothing is known against it. */
const char *itrace_decoder__kernel_problem(const struct itrace_decoder *d);
const struct itrace_sums *itrace_decoder__sums(const struct itrace_decoder *d);

#endif
