/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Branches and instructions of a sample in the form of `perf script -F flags,insn,brstack`. */
#ifndef BPFPERF_SINK_SCRIPT_INSN_H
#define BPFPERF_SINK_SCRIPT_INSN_H

#include <stdint.h>

#include "util/strbuf.h"

struct perf_sample;

/* Puts the kind of branch, "call", "tr end  syscall", padded. */
void script_insn__put_flags(struct strbuf *out, uint32_t flags);
/* Puts " ilen: 2", and " insn: 74 e0". */
void script_insn__put_len(struct strbuf *out, const struct perf_sample *s);
void script_insn__put_bytes(struct strbuf *out, const struct perf_sample *s);
/* Puts the branches before the sample, the newest first. */
void script_insn__put_branches(struct strbuf *out, const struct perf_sample *s);

#endif
