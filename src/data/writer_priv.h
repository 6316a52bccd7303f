/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Inside src/data/: the state of writing a recording. */
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
/* At most so many bytes of records wait to be written. */
#define QUEUE_MAX_SZ (256u << 20)
/* Blocks that are kept for their memory. */
#define SPARE_MAX 32
/* How long after one another rounds are made part of the file. */
#define SAVE_EVERY_NS 50000000ull

/* A piece that goes to the thread. */
struct block {
	struct block *next;
	size_t sz, cap;
	bool verbatim; /* never packed: AUX data */
	bool ends_round;
	uint8_t data[];
};

/* Size in 6.3; members that this machine's headers lack are 0. */
#define ATTR_MAX_SZ 136

struct written_event {
	union {
		struct perf_event_attr attr;
		char attr_bytes[ATTR_MAX_SZ];
	};
	uint64_t *ids; /* owned */
	size_t id_cnt;
	char *name; /* owned */
};

struct data_writer {
	int fd;
	bool owns_fd, is_pipe, may_block;
	bool is_new; /* the file was made by open() */
	bool is_begun, is_finished;
	const char *path; /* for messages; not owned */
	struct data_writer_opts opts;
	struct written_event *events;
	size_t event_cnt, event_cap;
	struct strbuf build_ids; /* records as the feature has them */
	uint64_t first_ns, last_ns; /* of samples; 0: not told */

	size_t attr_sz; /* of an event, as it is written */
	struct perf_file_header hdr; /* as it stands in the file */
	struct perf_file_section sections[PERF_FEATURE_WRITTEN_CNT]; /* of features, by number */
	struct block *cur; /* being filled; NULL: none */

	/* Between both sides, under the lock. */
	struct worker *worker; /* the thread: of the options, or owned; NULL until begin() */
	bool is_working; /* it has not been waited for */
	pthread_mutex_t lock;
	pthread_cond_t filled; /* by CLOCK_MONOTONIC */
	pthread_cond_t emptied;
	struct block *first, **last;
	struct block *spare; /* to be used again: the kernel need not clear new memory */
	size_t spare_cnt;
	size_t waiting_sz;
	bool is_ending; /* nothing follows what is in the queue */
	bool is_asked; /* the user wants an end */
	int err; /* the first, -errno; said */

	/* The thread's own, until it was joined. */
	struct deflate *deflate; /* NULL: not packed */
	struct strbuf packed;
	struct strbuf
		aux_index; /* where each AUXTRACE record is: entries of perf's auxtrace_index */
	uint64_t off; /* end of what was written, bytes from the file's start */
	uint64_t round_off; /* where the last FINISHED_ROUND begins */
	uint64_t saved_ns; /* when the header was last brought up to date */
	uint64_t written; /* bytes, read by others: atomic */
};

/* writer_open.c */

/* The mode that perf uses: the owner decides which users may read about the programs that ran. */
#define WRITER_FILE_MODE 0600

/*
 * Opens w->fd and finds what kind of file it is; NULL or "-": stdout. Waits until a named pipe has
 * a reader. 0 or -errno (logged).
 */
int writer_open__fd(struct data_writer *w, const char *path);

/* writer_io.c */

/* Bytes at w->off, which moves behind them. 0, or -errno after one sentence (-EPIPE: none). */
int writer_io__append(struct data_writer *w, const void *data, size_t sz);
/* A file's bytes, at any place. 0 or -errno, which is not said. */
int writer_io__patch(struct data_writer *w, uint64_t off, const void *data, size_t sz);
/* So many bytes at w->off are written: it moves. */
void writer_io__moved(struct data_writer *w, size_t sz);
/* One sentence with the remedy for an error of writing. Returns err. */
int writer_io__say(const struct data_writer *w, int err);

/* writer_thread.c */

/* The thread's job for this writer, until is_ending and an empty queue. */
void writer_thread__main(void *arg);
/*
 * A FINISHED_ROUND record, which is also the table of the features written so far, and the size of
 * what stands before it put into the header. 0 or -errno (said).
 */
int writer_thread__save(struct data_writer *w);

/* writer_head.c: what stands around the records. 0 or -errno (said). */

/* All that stands before the records, up to the first save. */
int writer_head__begin(struct data_writer *w);
/* All that stands behind them; afterwards the file is complete. */
int writer_head__end(struct data_writer *w);

/* writer_features.c */

/*
 * The section of a feature, nothing where there is none of it. 0 or -errno (said where tracefs is
 * missing).
 */
int writer_features__put(struct data_writer *w, unsigned int feature, struct strbuf *sb);

#endif
