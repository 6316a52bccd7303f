/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The build-ids of the kernel and of all files that were mapped as code during a recording. */
#ifndef BPFPERF_SINK_RECORD_BUILD_IDS_H
#define BPFPERF_SINK_RECORD_BUILD_IDS_H

#include <stddef.h>
#include <stdint.h>

#include "util/texts.h"

struct data_writer;
struct proc_event;

/* A file of a mapping record that had no build-id: its inode, and a process that mapped it. */
struct record_mapped {
	uint64_t ino;
	int32_t pid;
};

/* Zero-initialized: no files. */
struct record_build_ids {
	struct texts files; /* paths, each once */
	struct {
		unsigned char len, bytes[20]; /* len 0: the mapping record had no build-id */
		/*
		 * If len is 0: the newest, and the one before it with another inode, of another
		 * root: that of a process that has ended cannot be read any more.
		 */
		struct record_mapped mapped[2];
	} * ids; /* indexed like files */
	size_t cap;
};

/* Notes the file of a mapping of code; other events are ignored. */
void record_build_ids__note(struct record_build_ids *b, const struct proc_event *ev);
/*
 * Passes all build-ids to the writer; those missing in mapping records (before 5.12, and mappings
 * older than the recording) are read from the files if their inode is unchanged, below bpfperf's
 * root or that of the process that mapped them, about 30 µs each.
 * 0 or -ENOMEM, logged.
 */
int record_build_ids__write(const struct record_build_ids *b, struct data_writer *w);
void record_build_ids__free(struct record_build_ids *b);

#endif
