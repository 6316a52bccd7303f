/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What a recording's process records tell the symbolizer: as machine/sym_feed.h, of another day. */
#ifndef BPFPERF_MACHINE_REPLAY_MACHINE_H
#define BPFPERF_MACHINE_REPLAY_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

struct recording;
struct sym;
struct sym_options;

/* Before the first record: sym's options, with what the recording says of itself. NULL: none but that. */
void replay_machine__start(struct sym *sym, const struct recording *rec,
			   const struct sym_options *options);
/* Whether samples may have copies of their stacks: of a pipe nobody knows before they come. */
bool replay_machine__may_unwind(const struct recording *rec);
/* One record in its turn; others than those of processes and code are ignored. */
void replay_machine__record(struct sym *sym, const struct recording *rec,
			    const struct perf_event_header *hdr, uint64_t time_ns);

#endif
