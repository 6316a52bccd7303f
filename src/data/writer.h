/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Writes a perf.data file or pipe: open, add_attr for each event, begin, then write, round and
 * write_aux in the order of the records, finish, free.
 *
 * Records are gathered in blocks that a thread of the writer packs and writes, so that a disk does
 * not delay the reader of the rings. write() waits only while 256 MiB are queued: then rings fill
 * up, and the kernel counts the lost records. Signals that ask for an end while it waits for the
 * reader of a pipe (util/stop_signals.h) do not change that, but the second one ends bpfperf at
 * once, and a reader that accepts no data for ten seconds is abandoned.
 *
 * Crash safety: all data written so far becomes part of the file with a round() that comes 50 ms or
 * more after the previous such one, or with the last round() if none comes in this time: a single
 * store of 8 bytes puts the size into the header. The file of a recorder that was killed ends
 * there; on a full disk it ends with the last complete round. Such a file has its features except
 * for those known at the end (build ids, the times of the first and last sample): the sections are
 * written before the records, and only their table, which must follow the last record, is written
 * again each time, as the body of that FINISHED_ROUND record, which readers of a longer file skip.
 * The table's first entry describes the FINISHED_ROUND header itself, under feature bit 0, which
 * perf does not use. If the machine crashes, data that the kernel has not written back is lost:
 * there is no fsync().
 */
#ifndef BPFPERF_DATA_WRITER_H
#define BPFPERF_DATA_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

struct tp_format;

struct data_writer;
struct worker;

struct data_writer_opts {
	bool zstd; /* pack records: PERF_RECORD_COMPRESSED, perf 5.2 and later */
	/*
	 * The command line, starting with the program's name, ended by NULL; NULL: take it from
	 * /proc/self/cmdline.
	 */
	char *const *argv;
	int level; /* zstd level, 1 to 22; 0: 1 */
	bool keep_old; /* keep an existing recording as FILE.old */
	bool use_clockid; /* times are of `clockid`, as in the attrs; else of perf's own clock */
	int clockid;
	/*
	 * The writer's thread (not owned), shared by consecutive writers; NULL: the writer starts
	 * its own.
	 */
	struct worker *worker;
};

/*
 * Opens path (not owned); NULL or "-": the pipe form on stdout. begin() empties an existing file,
 * or renames it to FILE.old, and not earlier; a new file is removed again if begin() was not
 * called. 0, or -errno after one sentence; *wp is NULL then.
 */
int data_writer__open(struct data_writer **wp, const char *path,
		      const struct data_writer_opts *opts);
/*
 * Adds an event: attr (copied) with sample_id_all and ids as in its records, its ids (copied), its
 * name. A tracepoint's format is found in tracefs by the name "SYS:NAME", else by its id. 0 or
 * -errno after one sentence.
 */
int data_writer__add_attr(struct data_writer *w, const struct perf_event_attr *attr,
			  const uint64_t *ids, size_t ids_cnt, const char *name);
/*
 * Gives the event that was added last a format that tracefs does not have, as those of probes; it
 * outlives the writer.
 */
void data_writer__use_format(struct data_writer *w, const struct tp_format *fmt);
/* Writes header, events and features, and starts the thread. 0 or -errno after one sentence. */
int data_writer__begin(struct data_writer *w);
/*
 * Writes whole records (copied), in this machine's byte order, sz bytes in total, each a multiple
 * of 8. 0, or the -errno of the first failed write (logged); later records are dropped.
 */
int data_writer__write(struct data_writer *w, const void *recs, size_t sz);
/*
 * Ends a round: no later record is older than the youngest one before the previous round, as
 * PERF_RECORD_FINISHED_ROUND guarantees. Passes all records written so far to the thread. Returns
 * like write().
 */
int data_writer__round(struct data_writer *w);
/*
 * Writes a PERF_RECORD_AUXTRACE (type 71) and its data, in two parts since a ring's end may split
 * it (sz2 0: one part); it is never packed, as perf reads it from the file. The record's size field
 * (the u64 after its header) must be sz1 + sz2, rounded up to 8; the padding is zero. Returns like
 * write().
 */
int data_writer__write_aux(struct data_writer *w, const struct perf_event_header *rec,
			   const void *data1, size_t sz1, const void *data2, size_t sz2);
/* The event added last is a group's leader, which has member_cnt events, itself among them. */
void data_writer__set_group(struct data_writer *w, size_t member_cnt);
/*
 * Adds the build id of a file or, with is_kernel, of "[kernel.kallsyms]" or a module: of dsos with
 * samples, or of all mapped ones. id_sz is at most 20. Call any time before finish(). 0 or -ENOMEM
 * (logged).
 */
int data_writer__add_build_id(struct data_writer *w, const char *path, bool is_kernel,
			      const void *id, size_t id_sz);
/* Sets the times of the first and the last sample. Call any time before finish(). */
void data_writer__set_sample_time(struct data_writer *w, uint64_t first_ns, uint64_t last_ns);
/* Number of bytes that have reached the file or pipe; may be called at any time. */
uint64_t data_writer__written(struct data_writer *w);
/*
 * Writes the queued data, the features known at the end, and the sizes in the header. A pipe whose
 * reader accepts no data for ten seconds is abandoned: -ETIMEDOUT (logged). 0 or the writer's first
 * error.
 */
int data_writer__finish(struct data_writer *w);
/* NULL is accepted. Without finish() before it, data not yet written is dropped. */
void data_writer__free(struct data_writer *w);

#endif
