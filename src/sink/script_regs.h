/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Registers of a sample in the form of `perf script -F iregs,uregs`. */
#ifndef BPFPERF_SINK_SCRIPT_REGS_H
#define BPFPERF_SINK_SCRIPT_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/perf_sample.h"
#include "util/strbuf.h"

/* mask: the registers (asm/perf_regs.h) in `regs`; abi: PERF_SAMPLE_REGS_ABI_*; 0: no registers. */
void script_regs__put(struct strbuf *out, bool is_arm64, uint64_t abi, uint64_t mask,
		      const struct perf_words *regs);

#endif
