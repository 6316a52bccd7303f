/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Parsed kernel records of processes, code and throttling. No other file parses these records:
 * sources pass them on whole, and machine__process() passes the parsed event to the subscribers.
 */
#ifndef BPFPERF_MACHINE_PROC_EVENT_H
#define BPFPERF_MACHINE_PROC_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

enum proc_event_kind {
	PROC_NOTHING, /* damaged, or not a process record */
	PROC_FORK, /* a process started */
	PROC_THREAD, /* a further thread of a process started */
	PROC_EXEC, /* a thread called exec and has a new name */
	PROC_COMM, /* a thread has a new name */
	PROC_EXIT, /* the first thread of a process ended */
	PROC_THREAD_EXIT, /* a further thread ended */
	PROC_MMAP, /* executable memory */
	PROC_MMAP_DATA, /* other memory */
	PROC_KSYMBOL, /* kernel code that was added or removed: BPF programs */
	PROC_THROTTLE, /* the kernel throttles a sampling event */
	PROC_UNTHROTTLE,
	/*
	 * A thread begins to run on the record's CPU, or a trace of it begins: pid and tid, or -1
	 * where the record's trailer alone has them.
	 */
	PROC_RUNS,
	PROC_LOST, /* process records were lost here */
};

struct proc_event {
	enum proc_event_kind kind;
	/* Not set for KSYMBOL, THROTTLE, UNTHROTTLE and LOST. */
	int32_t pid, tid;
	int32_t parent_pid, parent_tid; /* FORK, THREAD, EXIT, THREAD_EXIT */
	/* COMM, EXEC: at most comm_sz bytes, which may end with a NUL; points into the record. */
	const char *comm;
	size_t comm_sz;
	/* MMAP: bytes; device and inode are 0 if the record has a build id instead. */
	uint64_t addr, len, pgoff, ino, ino_generation;
	uint32_t maj, min;
	uint32_t prot, flags; /* of mmap(2); 0: the record does not say */
	bool is_kernel; /* the kernel's text or a module */
	bool has_file_id; /* the record identifies the file, by inode or build id */
	uint8_t build_id_sz;
	const uint8_t *build_id; /* points into the record; NULL: none */
	const char *path; /* points into the record */
	/* KSYMBOL: name, type (PERF_RECORD_KSYMBOL_TYPE_…) and flags, besides addr and len. */
	const char *name; /* points into the record */
	uint16_t type;
	bool is_gone;
	uint64_t id; /* THROTTLE, UNTHROTTLE: id of the event on its CPU */
};

/* True for events of processes or of code, which a recording keeps. */
static inline bool proc_event__is_task(const struct proc_event *ev)
{
	return ev->kind >= PROC_FORK && ev->kind <= PROC_KSYMBOL;
}

/* Parses a record, bounds-checked. */
void proc_event__parse(const struct perf_event_header *hdr, struct proc_event *ev);

#endif
