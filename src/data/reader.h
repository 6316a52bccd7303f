/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Inside src/data/: the state of reading a recording, and perf's own records. */
#ifndef BPFPERF_DATA_READER_H
#define BPFPERF_DATA_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/input.h"

/* Feature sections and tracing data are a few MB at most; a larger one is damaged. */
#define SECTION_MAX_SZ (256u << 20)
#define RECORD_MAX_SZ (1u << 16)

struct inflate;
struct recording;

struct reader {
	int fd;
	bool owns_fd;
	struct input in;
	struct inflate *inflate; /* NULL: nothing packed was met yet */
	bool is_unpacking; /* records come from `inflate` until what it was fed is used up */
	size_t packed_sz; /* bytes of the input that it was fed */
	uint64_t after_sz; /* bytes that follow the record handed on: to be skipped */
	bool has_new_events; /* since they were last completed */
	uint64_t record[RECORD_MAX_SZ / 8];
};

/* One sentence: what is wrong with the file. -EBADMSG. */
int reader__say_damaged(const struct recording *rec, const char *what);
/* Reports an end that comes too early; 0 without a message where a signal has stopped reading. */
int reader__say_short(const struct recording *rec, const char *what);
/* One sentence. -ENOMEM. */
int reader__say_no_memory(const struct recording *rec);
/*
 * Applies a record of perf's own (an event, a name, a feature) to rec; before the first
 * of the kernel's, the events are completed. 0, or -errno after one sentence.
 */
int reader__apply(struct recording *rec, const struct perf_event_header *hdr);

#endif
