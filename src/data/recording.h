/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A perf.data file or pipe: its events, what it tells of its machine, and its
 * records in the order of the file, unpacked and in this machine's byte
 * order. Everything in it is taken to be hostile: whatever is damaged ends in
 * one sentence, and what stood before it is handed on.
 */
#ifndef BPFPERF_DATA_RECORDING_H
#define BPFPERF_DATA_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/attrs.h"
#include "data/record.h"
#include "data/tracing_data.h"
#include "util/texts.h"
#include "util/u64map.h"

#define RECORDED_BUILD_ID_MAX_SZ 20

struct recorded_build_id {
	uint8_t sz; /* 0: none */
	uint8_t bytes[RECORDED_BUILD_ID_MAX_SZ];
};

struct recorded_dso {
	const char *path;
	struct recorded_build_id id;
	bool is_kernel;
};

struct recording {
	const char *path; /* for messages; "stdin" */
	bool is_pipe; /* of the form for pipes, which a file may have, too */
	/* its writer may go on: records at the end of a round are handed on at once */
	bool is_live;
	bool swap; /* of a machine of the other byte order */
	bool is_cut; /* its recorder did not end: it has records but nothing of its machine */
	/* damaged, or cut off behind its records: what it told there is missing */
	bool lacks_features;
	/* a signal has ended it early (data/input.h): its first read_sz bytes were read */
	bool is_stopped;
	uint64_t read_sz;
	uint64_t sz; /* of the file; 0: a pipe */
	struct attrs attrs;
	struct tracing_data tracing;
	char *hostname, *release, *version, *arch; /* owned; NULL: not told */
	struct recorded_dso *dsos;
	size_t dso_cnt, dso_cap;
	struct texts texts; /* of dsos */
	int64_t mtime_real_ns; /* CLOCK_REALTIME when the file was written last; 0: a pipe */
	struct reader *reader;
	/*
	 * Called before recording__next() changes events, formats or dsos; NULL: no caller is told.
	 */
	void (*before_change)(void *ctx);
	void *before_change_ctx;
};

/*
 * Opens `path` (NULL or "-": stdin), reads the headers. Of a file its events
 * and features are there then; of a pipe they come with its records. NULL after
 * one sentence.
 */
struct recording *recording__open(const char *path);
void recording__close(struct recording *rec);
/* Whether it is of an arm64 machine; what does not say so is taken to be of one like this. */
bool recording__is_arm64(const struct recording *rec);
/* Whether samples may have copies of their stacks; of a pipe this is unknown before they come, so true. */
bool recording__may_have_stacks(const struct recording *rec);
/*
 * The next record: 1; 0 at the end, or where signals stop it; -errno after one sentence. Perf's own
 * records of events and features have been applied when they are handed on. Sets off, kind and hdr,
 * which is valid until the next call; the time is the caller's to find, and time_ns stays as it is.
 */
int recording__next(struct recording *rec, struct record *raw);

/*
 * One feature section (PERF_FEATURE_…), of a file's end or of a pipe's record. 0 or -ENOMEM; what
 * is damaged is left out.
 */
int recording__feature(struct recording *rec, unsigned int feature, const void *data, size_t sz);
/* One build-id record behind its header: misc, and sz bytes. 0 or -ENOMEM. */
int recording__build_id(struct recording *rec, uint16_t misc, const void *data, size_t sz);
/*
 * Names for events that nothing has named, formats for tracepoints: after events were added. 0 or
 * -ENOMEM.
 */
int recording__complete_events(struct recording *rec);

#endif
