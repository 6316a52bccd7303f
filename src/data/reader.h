/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Internal to src/data/: the state of reading a recording, and perf's own records. */
#ifndef BPFPERF_DATA_READER_H
#define BPFPERF_DATA_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/input.h"

/* Feature sections and tracing data have a few MB at most; a larger one is damaged. */
#define SECTION_MAX_SZ (256u << 20)
#define RECORD_MAX_SZ (1u << 16)

struct inflate;
struct record;
struct recording;

struct reader {
	int fd;
	bool owns_fd;
	char *path; /* of a file that is one of several, owned; NULL: that of the recording */
	struct input in;
	struct inflate *inflate; /* NULL: no packed record so far */
	bool is_unpacking; /* records come from `inflate` until its input is used up */
	size_t packed_sz; /* bytes of the file that were passed to inflate */
	uint64_t after_sz; /* bytes to skip after the current record */
	bool has_new_events; /* events were added since the last completion */
	uint64_t record[RECORD_MAX_SZ / 8];
};

/* The name for messages of the file that is being read. */
const char *reader__path(const struct recording *rec);
/* recording__next() of the file that is being read. */
int reader__next(struct recording *rec, struct record *raw);
/* Reports in one sentence how the file is damaged. Returns -EBADMSG. */
int reader__log_damaged(const struct recording *rec, const char *what);
/* Reports an end that comes too early; 0 without a message if a signal stopped reading. */
int reader__log_short(const struct recording *rec, const char *what);
/* Reports in one sentence that memory ran out. Returns -ENOMEM. */
int reader__log_no_memory(const struct recording *rec);
/*
 * Applies one of perf's own records (an event, a name, a feature) to rec; the events are completed
 * before the first record of the kernel. 0, or -errno after one sentence.
 */
int reader__apply(struct recording *rec, const struct perf_event_header *hdr);

#endif
