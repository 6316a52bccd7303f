/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Internal to src/data/: the state of writing a recording. */
#ifndef BPFPERF_DATA_WRITER_PRIV_H
#define BPFPERF_DATA_WRITER_PRIV_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/perf_file.h"
#include "data/writer.h"
#include "util/strbuf.h"

struct deflate;
struct worker;

#define BLOCK_SZ (1u << 20)
/* Maximum size of the queued records, in bytes. */
#define QUEUE_MAX_SZ (256u << 20)
/* Number of free blocks kept for reuse. */
#define SPARE_MAX 32
/* Minimum interval between two rounds that become part of the file. */
#define SAVE_EVERY_NS 50000000ull

/* A piece of output passed to the thread. */
struct block {
	struct block *next;
	size_t sz, cap;
	bool verbatim; /* never packed: AUX data */
	bool ends_round;
	uint8_t data[];
};

/* Sizes in 6.3 and in 7.2; members missing in this machine's headers are 0. */
#define ATTR_SZ_CONFIG3 136
#define ATTR_MAX_SZ 144

struct written_event {
	union {
		struct perf_event_attr attr;
		char attr_bytes[ATTR_MAX_SZ];
	};
	uint64_t *ids; /* owned */
	size_t id_cnt;
	char *name; /* owned */
	const struct tp_format *fmt; /* NULL: that of tracefs */
	uint32_t member_cnt; /* of the group that it leads; 0: none */
};

struct data_writer {
	int fd;
	bool owns_fd, is_pipe, may_block;
	bool is_new; /* open() created the file */
	bool is_begun, is_finished;
	const char *path; /* for messages; not owned */
	struct data_writer_opts opts;
	struct written_event *events;
	size_t event_cnt, event_cap;
	struct strbuf build_ids; /* records in the format of the feature */
	uint64_t first_ns, last_ns; /* of samples; 0: unknown */

	size_t attr_sz; /* size of an event's attr as written */
	struct perf_file_header hdr; /* as written in the file */
	struct perf_file_section sections[PERF_FEATURE_WRITTEN_CNT]; /* of features, by number */
	struct block *cur; /* being filled; NULL: none */

	/* Shared by both sides, protected by the lock. */
	struct worker *worker; /* the thread: from the options, or owned; NULL until begin() */
	bool is_working; /* the thread has not been joined */
	pthread_mutex_t lock;
	pthread_cond_t filled; /* uses CLOCK_MONOTONIC */
	pthread_cond_t emptied;
	struct block *first, **last;
	struct block *spare; /* for reuse: the kernel need not clear new memory */
	size_t spare_cnt;
	size_t waiting_sz;
	bool is_ending; /* no more blocks will be queued */
	bool is_asked; /* the user asked for an end */
	int err; /* first error, -errno; logged */

	/* Used by the thread alone, until it is joined. */
	struct deflate *deflate; /* NULL: no packing */
	struct strbuf packed;
	struct strbuf
		aux_index; /* position of each AUXTRACE record: entries of perf's auxtrace_index */
	uint64_t off; /* end of the written data, bytes from the file's start */
	uint64_t round_off; /* where the last FINISHED_ROUND begins */
	uint64_t saved_ns; /* time of the last update of the header */
	uint64_t written; /* bytes; read by other threads: atomic */
};

/* writer_open.c */

/* The mode that perf uses: the owner decides which users may read about the programs that ran. */
#define WRITER_FILE_MODE 0600

/*
 * Opens w->fd and determines the kind of file; NULL or "-": stdout. Waits until a named pipe has a
 * reader. 0 or -errno (logged).
 */
int writer_open__fd(struct data_writer *w, const char *path);

/* writer_io.c */

/* Writes bytes at w->off and advances it. 0, or -errno after one sentence (-EPIPE: no sentence). */
int writer_io__append(struct data_writer *w, const void *data, size_t sz);
/* Writes bytes of a file at any offset. 0 or -errno, which is not logged. */
int writer_io__patch(struct data_writer *w, uint64_t off, const void *data, size_t sz);
/* Advances w->off by a number of bytes already written. */
void writer_io__moved(struct data_writer *w, size_t sz);
/* Prints one sentence with the remedy for an error of writing. Returns err. */
int writer_io__log(const struct data_writer *w, int err);

/* writer_thread.c */

/* The thread's job for this writer, until is_ending is set and the queue is empty. */
void writer_thread__main(void *arg);
/*
 * Writes a FINISHED_ROUND record, which also contains the table of the features written so far, and
 * puts the size of the data before it into the header. 0 or -errno (logged).
 */
int writer_thread__save(struct data_writer *w);

/* writer_head.c: the parts before and after the records. 0 or -errno (logged). */

/* Writes all parts before the records, up to the first save. */
int writer_head__begin(struct data_writer *w);
/* Writes all parts after the records; afterwards the file is complete. */
int writer_head__end(struct data_writer *w);

/* writer_features.c */

/*
 * Formats the section of a feature, empty if the feature is absent. 0 or -errno (logged if tracefs
 * is missing).
 */
int writer_features__put(struct data_writer *w, unsigned int feature, struct strbuf *sb);

#endif
