/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The instruction of a sample in the form of `perf script -F flags,insn,insnlen`. */
#ifndef BPFPERF_SINK_SCRIPT_INSN_H
#define BPFPERF_SINK_SCRIPT_INSN_H

#include <stdint.h>

#include "util/strbuf.h"

struct perf_sample;

/* Bits of perf's flags (tools/perf/util/event.h), which itrace/wire.h has, too. */
enum script_insn_flag {
	SCRIPT_INSN_BRANCH = 1 << 0,
	SCRIPT_INSN_CALL = 1 << 1,
	SCRIPT_INSN_RETURN = 1 << 2,
	SCRIPT_INSN_CONDITIONAL = 1 << 3,
	SCRIPT_INSN_SYSCALL = 1 << 4,
	SCRIPT_INSN_ASYNC = 1 << 5,
	SCRIPT_INSN_INTERRUPT = 1 << 6,
	SCRIPT_INSN_TX_ABORT = 1 << 7,
	SCRIPT_INSN_BEGIN = 1 << 8,
	SCRIPT_INSN_END = 1 << 9,
	SCRIPT_INSN_IN_TX = 1 << 10,
	SCRIPT_INSN_VMENTRY = 1 << 11,
};

/* Puts the kind of branch, "call", "tr end  syscall", padded. */
void script_insn__put_flags(struct strbuf *out, uint32_t flags);
/* Puts " ilen: 2", and " insn: 74 e0". */
void script_insn__put_len(struct strbuf *out, const struct perf_sample *s);
void script_insn__put_bytes(struct strbuf *out, const struct perf_sample *s);

#endif
