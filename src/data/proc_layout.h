/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The kernel's records of processes and of code, for writers and readers, in this machine's byte
 * order (perf_event_open(2)). Names end with a NUL and are padded to 8 bytes; the sample_id_all
 * trailer may follow them.
 */
#ifndef BPFPERF_DATA_PROC_LAYOUT_H
#define BPFPERF_DATA_PROC_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

/* Start or end of a thread. */
struct fork_record {
	struct perf_event_header hdr;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time_ns;
};

struct comm_record {
	struct perf_event_header hdr;
	uint32_t pid, tid;
	char comm[];
};

struct mmap_record {
	struct perf_event_header hdr;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	char path[];
};

struct mmap2_record {
	struct perf_event_header hdr;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	union {
		struct {
			uint32_t maj, min;
			uint64_t ino, ino_generation;
		};
		/* With PERF_RECORD_MISC_MMAP_BUILD_ID. */
		struct {
			uint8_t build_id_sz, reserved[3], build_id[20];
		};
	};
	uint32_t prot, flags;
	char path[];
};

struct ksymbol_record {
	struct perf_event_header hdr;
	uint64_t addr;
	uint32_t len;
	uint16_t type, flags;
	char name[];
};

/* A control group: its file handle, and its path below the root of the hierarchy. */
struct cgroup_record {
	struct perf_event_header hdr;
	uint64_t id;
	char path[];
};

/* Start or end of the throttling of a sampling event. */
struct throttle_record {
	struct perf_event_header hdr;
	uint64_t time_ns, id, stream_id;
};

/* Bytes were written into an AUX area: their position, and PERF_AUX_FLAG_*. */
struct aux_record {
	struct perf_event_header hdr;
	uint64_t off, sz, flags;
};

/* A piece of an AUX area, before its bytes (tools/lib/perf/include/perf/event.h). */
struct auxtrace_record {
	struct perf_event_header hdr;
	uint64_t sz, off, reference;
	uint32_t idx, tid, cpu, unused;
};

/* A trace of a thread begins on a CPU. */
struct itrace_start_record {
	struct perf_event_header hdr;
	uint32_t pid, tid;
};

static inline bool proc_layout__is_throttle(uint32_t type)
{
	return type == PERF_RECORD_THROTTLE;
}

#endif
