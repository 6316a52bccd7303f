/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The parts of a perf.data file besides the kernel's records: headers, perf's own records and the
 * numbers of the feature sections (the kernel's
 * tools/perf/Documentation/perf.data-file-format.txt).
 */
#ifndef BPFPERF_DATA_PERF_FILE_H
#define BPFPERF_DATA_PERF_FILE_H

#include <stdint.h>

#define PERF_FILE_MAGIC 0x32454c4946524550ULL /* "PERFILE2" */

/* A range of the file, in bytes. */
struct perf_file_section {
	uint64_t off, sz;
};

/* The pipe form ends after hdr_sz (16); the file form has all members (104). */
struct perf_file_header {
	uint64_t magic, hdr_sz;
	uint64_t attr_sz; /* size of one entry of attrs, including the section of its ids */
	struct perf_file_section attrs, data, event_types;
	uint64_t features[4]; /* bit by enum perf_feature */
};

#define PERF_PIPE_HEADER_SZ 16
#define PERF_FEATURE_CNT 256

/* Record types written by perf itself, not by the kernel. */
enum perf_user_type {
	PERF_USER_HEADER_ATTR = 64,
	PERF_USER_EVENT_TYPE = 65,
	PERF_USER_TRACING_DATA = 66, /* followed by the number of bytes in its u32, padded to 8 */
	PERF_USER_BUILD_ID = 67,
	PERF_USER_FINISHED_ROUND = 68,
	PERF_USER_ID_INDEX = 69,
	PERF_USER_AUXTRACE_INFO = 70,
	PERF_USER_AUXTRACE = 71, /* followed by the number of bytes in its u64 */
	PERF_USER_AUXTRACE_ERROR = 72,
	PERF_USER_THREAD_MAP = 73,
	PERF_USER_CPU_MAP = 74,
	PERF_USER_STAT_CONFIG = 75,
	PERF_USER_STAT = 76,
	PERF_USER_STAT_ROUND = 77,
	PERF_USER_EVENT_UPDATE = 78,
	PERF_USER_TIME_CONV = 79,
	PERF_USER_HEADER_FEATURE = 80,
	PERF_USER_COMPRESSED = 81,
	PERF_USER_FINISHED_INIT = 82,
	PERF_USER_COMPRESSED2 = 83, /* COMPRESSED with the size of the data before its padding */
};

enum perf_feature {
	/* unused by perf, which skips it; data/writer.h describes its use here */
	PERF_FEATURE_NONE = 0,
	PERF_FEATURE_TRACING_DATA = 1,
	PERF_FEATURE_BUILD_ID = 2,
	PERF_FEATURE_HOSTNAME = 3,
	PERF_FEATURE_OSRELEASE = 4,
	PERF_FEATURE_VERSION = 5,
	PERF_FEATURE_ARCH = 6,
	PERF_FEATURE_NRCPUS = 7,
	PERF_FEATURE_CPUDESC = 8,
	PERF_FEATURE_CPUID = 9,
	PERF_FEATURE_TOTAL_MEM = 10,
	PERF_FEATURE_CMDLINE = 11,
	PERF_FEATURE_EVENT_DESC = 12,
	PERF_FEATURE_CPU_TOPOLOGY = 13,
	PERF_FEATURE_NUMA_TOPOLOGY = 14,
	PERF_FEATURE_BRANCH_STACK = 15,
	PERF_FEATURE_PMU_MAPPINGS = 16,
	PERF_FEATURE_GROUP_DESC = 17,
	PERF_FEATURE_AUXTRACE = 18,
	PERF_FEATURE_CACHE = 20,
	PERF_FEATURE_SAMPLE_TIME = 21,
	PERF_FEATURE_MEM_TOPOLOGY = 22,
	PERF_FEATURE_CLOCKID = 23,
	PERF_FEATURE_DIR_FORMAT = 24,
	PERF_FEATURE_COMPRESSED = 27,
	PERF_FEATURE_CLOCK_DATA = 29,
	PERF_FEATURE_WRITTEN_CNT, /* every feature that is ever written has a lower number */
	PERF_FEATURE_HYBRID_TOPOLOGY = 30,
};

/* The form of PERF_USER_EVENT_UPDATE that names an event. */
#define PERF_EVENT_UPDATE_NAME 2

#endif
