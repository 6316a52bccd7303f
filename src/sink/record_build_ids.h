/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The build-ids of the files that were mapped as code while a recording was made, and the kernel's. */
#ifndef BPFPERF_SINK_RECORD_BUILD_IDS_H
#define BPFPERF_SINK_RECORD_BUILD_IDS_H

#include <stddef.h>
#include <stdint.h>

#include "util/texts.h"

struct data_writer;
struct proc_event;

/* Zeroed: none. */
struct record_build_ids {
	struct texts files; /* paths, each once */
	struct {
		unsigned char len, bytes[20]; /* len 0: the records did not tell */
		uint64_t ino; /* then: of the file */
	} * ids; /* by index in files */
	size_t cap;
};

/* Notes the file of a mapping of code; other events are ignored. */
void record_build_ids__note(struct record_build_ids *b, const struct proc_event *ev);
/*
 * Hands all of them to the writer; what the kernel did not tell (before 5.12, and of what was mapped
 * before) is read from the files, where they are still those (by their inode), about 30 µs each. 0 or -ENOMEM (said).
 */
int record_build_ids__write(const struct record_build_ids *b, struct data_writer *w);
void record_build_ids__free(struct record_build_ids *b);

#endif
