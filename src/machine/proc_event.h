/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the kernel's process records (FORK, COMM, EXIT, MMAP2, KSYMBOL) say of whole processes, and of code. */
#ifndef BPFPERF_MACHINE_PROC_EVENT_H
#define BPFPERF_MACHINE_PROC_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

enum proc_event_kind {
	PROC_NOTHING, /* of one thread only, or damaged, or no process record */
	PROC_FORK,
	PROC_EXEC,
	PROC_EXIT,
	PROC_MMAP, /* executable memory */
	PROC_MMAP_DATA, /* other memory */
	PROC_KSYMBOL, /* kernel code that came or went: BPF programs */
};

struct proc_event {
	enum proc_event_kind kind;
	int32_t pid;
	int32_t parent_pid; /* FORK */
	/* MMAP: bytes; the device and inode are 0 where the record brings a build id instead. */
	uint64_t addr, len, pgoff, ino;
	uint32_t maj, min;
	uint8_t build_id_sz;
	const uint8_t *build_id; /* points into the record; NULL: none */
	const char *path; /* points into the record */
	/* KSYMBOL: addr and len, and: */
	const char *name; /* points into the record */
	bool is_gone;
};

/* Parses a record of the process rings, bounds-checked. */
void proc_record__parse(const struct perf_event_header *hdr, struct proc_event *ev);

#endif
