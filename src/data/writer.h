/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writes a perf.data file or pipe: open, add_attr for each event, begin, then
 * write, round and write_aux in the order of the records, finish, free.
 *
 * Records are gathered in blocks that a thread of the writer packs and writes,
 * so that whoever reads the rings is not held up by a disk. It is only where
 * 256 MiB wait to be written that write() waits, too: then rings fill, and the
 * kernel counts what is lost. Signals that ask for an end while it waits for
 * the reader of a pipe (util/stop_signals.h) do not change that, but the second
 * ends bpfperf at once, and a reader that takes nothing for ten seconds is given up.
 *
 * What survives: with each round() that is 50 ms or more after the last such one, or with the last
 * where none comes in this time, everything written so far is made part of the file: its size is
 * put into the header, by one store of 8 bytes. A recorder that is killed leaves a file that ends
 * there; a full disk, one that ends with its last complete round. Such a file has its features,
 * too, but those of the end (build ids, the times of its first and last sample): they stand before
 * the records, and only their table, which must stand behind the last record, is written again: as
 * the body of that FINISHED_ROUND record, which readers of a longer file pass over. Of this table
 * the first entry is the record's own head, under the feature bit 0, which means nothing to anyone.
 * Machines that crash lose what the kernel has not written back: there is no fsync().
 */
#ifndef BPFPERF_DATA_WRITER_H
#define BPFPERF_DATA_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

struct data_writer;
struct worker;

struct data_writer_opts {
	bool zstd; /* records are packed: PERF_RECORD_COMPRESSED, perf 5.2 and later */
	/*
	 * The command line, its first word the program, ended by NULL; NULL: as /proc/self/cmdline
	 * has it.
	 */
	char *const *argv;
	int level; /* of zstd, 1 to 22; 0: 1 */
	bool keep_old; /* a recording that is there stays, as FILE.old */
	bool use_clockid; /* times are of `clockid`, as in the attrs; else of perf's own clock */
	int clockid;
	/*
	 * The writer's thread (not owned), for one after another of them; NULL: each has its own.
	 */
	struct worker *worker;
};

/*
 * path (not owned) NULL or "-": the pipe form on stdout. A file that is there is emptied, or kept
 * as FILE.old, by begin(), not before; one that was not is gone again where begin() was not called.
 * 0, or -errno after one sentence; *wp is NULL then.
 */
int data_writer__open(struct data_writer **wp, const char *path,
		      const struct data_writer_opts *opts);
/*
 * One event more: attr (copied) with sample_id_all and ids as its records carry them, its ids
 * (copied), its name. A tracepoint's format is found in tracefs by its name "SYS:NAME", else by its
 * id. 0 or -errno after one sentence.
 */
int data_writer__add_attr(struct data_writer *w, const struct perf_event_attr *attr,
			  const uint64_t *ids, size_t ids_cnt, const char *name);
/* Header, events and features are written; the thread begins. 0 or -errno after one sentence. */
int data_writer__begin(struct data_writer *w);
/*
 * Whole records (copied), in this machine's order, sz bytes of them, each a multiple of 8. 0, or
 * -errno of the first failed write, which has been said; records after that are dropped.
 */
int data_writer__write(struct data_writer *w, const void *recs, size_t sz);
/*
 * Ends a round: no later record is older than the youngest one before the previous round, which is
 * the meaning of PERF_RECORD_FINISHED_ROUND. All that was written goes to the thread. As write().
 */
int data_writer__round(struct data_writer *w);
/*
 * PERF_RECORD_AUXTRACE (type 71) and the data behind it, in two parts as a ring's end may cut it
 * (sz2 0: one); never packed, as perf reads it from the file. The record's size field (the u64
 * behind its header) must be sz1 + sz2, rounded up to 8; what lacks is written as zeros. As
 * write().
 */
int data_writer__write_aux(struct data_writer *w, const struct perf_event_header *rec,
			   const void *data1, size_t sz1, const void *data2, size_t sz2);
/*
 * The build id of a file or, with is_kernel, of "[kernel.kallsyms]" or a module: of what samples
 * hit, or of all that is mapped. id_sz at most 20. Any time before finish(). 0 or -ENOMEM (said).
 */
int data_writer__add_build_id(struct data_writer *w, const char *path, bool is_kernel,
			      const void *id, size_t id_sz);
/* The times of the first and the last sample. Any time before finish(). */
void data_writer__set_sample_time(struct data_writer *w, uint64_t first_ns, uint64_t last_ns);
/* Bytes that have reached the file or pipe so far; may be called at any time. */
uint64_t data_writer__written(struct data_writer *w);
/*
 * Writes what is left, the features of the end, the sizes in the header. A pipe whose reader takes
 * nothing for ten seconds is given up: -ETIMEDOUT (said). 0 or the first error of its life.
 */
int data_writer__finish(struct data_writer *w);
/* NULL is fine. Without finish() before: what was not written is dropped. */
void data_writer__free(struct data_writer *w);

#endif
