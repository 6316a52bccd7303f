/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What a recording's process records tell the symbolizer: as cmd/sym_feed.h, of another day. */
#ifndef BPFPERF_CMD_RECORDED_FEED_H
#define BPFPERF_CMD_RECORDED_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

struct recording;
struct sym;
struct sym_options;

/* Before the first record: sym's options, with what the recording says of itself. NULL: none but that. */
void recorded_feed__start(struct sym *sym, const struct recording *rec,
			  const struct sym_options *options);
/* Whether samples may have copies of their stacks: of a pipe nobody knows before they come. */
bool recorded_feed__may_unwind(const struct recording *rec);
/* One record in its turn; others than those of processes and code are ignored. */
void recorded_feed__record(struct sym *sym, const struct recording *rec,
			   const struct perf_event_header *hdr, uint64_t time_ns);

#endif
