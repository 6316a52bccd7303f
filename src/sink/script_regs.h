/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Registers of a sample as `perf script -F iregs,uregs` prints them. */
#ifndef BPFPERF_SINK_SCRIPT_REGS_H
#define BPFPERF_SINK_SCRIPT_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/perf_sample.h"
#include "util/strbuf.h"

/* mask: which registers (asm/perf_regs.h) `regs` holds; abi: PERF_SAMPLE_REGS_ABI_*; 0: there are none. */
void script_regs__put(struct strbuf *out, bool is_arm64, uint64_t abi, uint64_t mask,
		      const struct perf_words *regs);

#endif
