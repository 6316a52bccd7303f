/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A perf.data file or pipe: its events, the data about its machine, and its records in file order,
 * unpacked and in this machine's byte order. All of its contents are untrusted: damage ends reading
 * with one sentence, and all records before it are handed on.
 */
#ifndef BPFPERF_DATA_RECORDING_H
#define BPFPERF_DATA_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "data/attrs.h"
#include "data/record.h"
#include "data/tracing_data.h"
#include "util/texts.h"
#include "util/u64map.h"

#define RECORDED_BUILD_ID_MAX_SZ 20

struct recorded_build_id {
	uint8_t sz; /* 0: none */
	uint8_t bytes[RECORDED_BUILD_ID_MAX_SZ];
};

struct recorded_dso {
	const char *path;
	struct recorded_build_id id;
	bool is_kernel;
};

/* Sections about the parts of the machine, which are kept as they are in the file. */
enum recorded_part {
	PART_CPUS,
	PART_NUMA_NODES,
	PART_CACHES,
	PART_MEMORY,
	PART_HYBRID,
	PART_CNT,
};

struct recorded_section {
	void *data; /* owned; NULL: there is none */
	size_t sz;
};

struct recording {
	const char *path; /* for messages; "stdin" */
	bool is_pipe; /* has the form for pipes, which a file may have, too */
	/* its writer may still run: the records of a round are handed on at its end */
	bool is_live;
	bool swap; /* recorded on a machine of the other byte order */
	bool is_cut; /* the recorder was killed: there are records but no data about the machine */
	/* damaged, or cut off after its records: the data that follows them is missing */
	bool lacks_features;
	/* a signal stopped reading (data/input.h) after read_sz bytes */
	bool is_stopped;
	/* its damage is not logged: the caller reads it twice, and logs it once */
	bool is_quiet;
	uint64_t read_sz;
	uint64_t sz; /* size of the file; 0: a pipe */
	struct attrs attrs;
	struct tracing_data tracing;
	char *hostname, *release, *version, *arch, *cpuid; /* owned; NULL: unknown */
	char *cpudesc, *cmdline; /* owned; NULL: unknown; cmdline has a space behind each word */
	uint32_t online_cpu_cnt, cpu_cnt; /* 0: unknown */
	uint32_t *sockets; /* owned; of each CPU */
	uint32_t socket_cnt;
	struct recorded_section sections[PART_CNT];
	uint64_t total_mem_kib; /* 0: unknown */
	uint32_t zstd_level, zstd_ratio; /* 0: not compressed */
	uint64_t package_cnt, package2_cnt; /* PERF_RECORD_COMPRESSED and COMPRESSED2, up to now */
	struct recorded_dso *dsos;
	size_t dso_cnt, dso_cap;
	struct texts texts; /* paths of dsos */
	struct u64map dso_of; /* path, in texts → the first dso with an id */
	uint32_t kernel_dso; /* 1 + the index of the first of the kernel with an id; 0: none */
	/* Times of the first and the last sample; last_ns 0: the recording does not say. */
	uint64_t first_ns, last_ns;
	/* One moment by CLOCK_REALTIME, and by the recording's clock; 0: it does not say. */
	uint64_t moment_real_ns, moment_ns;
	int64_t mtime_real_ns; /* CLOCK_REALTIME of the file's last modification; 0: a pipe */
	struct reader *reader; /* of several files, that of the last record */
	/* files of `perf record --threads`, whose records are in order; NULL: there is one */
	struct recording_parts *parts;
	uint64_t parts_sz; /* of those but the first one */
	char *dir_path; /* owned: `data` of the directory that was given; NULL: a file was given */
	/* Called before recording__next() changes events, formats or dsos; NULL: not called. */
	void (*before_change)(void *ctx);
	void *before_change_ctx;
};

/*
 * Opens `path` (NULL or "-": stdin; a directory of perf record: its `data`), and reads no more than
 * 16 bytes, by which a recording is known: only recording__read_headers() and recording__close()
 * may follow. NULL after one sentence.
 */
struct recording *recording__open_file(const char *path);
/* Reads the headers, as recording__open() does. 0, or -EIO after one sentence. */
int recording__read_headers(struct recording *rec);
/*
 * Opens `path` (NULL or "-": stdin) and reads the headers. The events and features of a file are
 * available then; those of a pipe arrive with its records. NULL after one sentence.
 */
struct recording *recording__open(const char *path);
void recording__close(struct recording *rec);
/*
 * True if recorded on arm64; a recording without its architecture is taken to be of this machine's.
 */
bool recording__is_arm64(const struct recording *rec);
/*
 * True if samples may contain copies of their stacks; always true for a pipe, since its events
 * arrive later.
 */
bool recording__may_have_stacks(const struct recording *rec);
/* True if each BPF program of the recording's time has its records (PERF_RECORD_KSYMBOL). */
bool recording__has_bpf_programs(const struct recording *rec);
/*
 * Reads the next record: 1; 0 at the end, or if signals stop reading; -errno after one sentence.
 * Perf's own records of events and features have been applied when they are handed on. Sets off,
 * kind and hdr, which is valid until the next call; time_ns is unchanged, since the caller
 * determines the time.
 */
int recording__next(struct recording *rec, struct record *raw);
/*
 * The bytes that follow the last record, of those not dropped yet: sets *data to up to 64 KiB, and
 * *left to the number of all. Returns the number at *data; 0: none, or they cannot be read.
 */
size_t recording__data(struct recording *rec, const uint8_t **data, uint64_t *left);
/* Drops the first sz of these bytes. */
void recording__drop_data(struct recording *rec, size_t sz);

/*
 * Applies one feature section (PERF_FEATURE_…), from a file's end or from a pipe's record. 0 or
 * -ENOMEM; damaged data is ignored.
 */
int recording__feature(struct recording *rec, unsigned int feature, const void *data, size_t sz);
/* Returns the socket of a CPU; -1: the recording does not say. */
int32_t recording__socket(const struct recording *rec, uint32_t cpu);
/* Applies one build-id record after its header: misc, and sz bytes. 0 or -ENOMEM. */
int recording__build_id(struct recording *rec, uint16_t misc, const void *data, size_t sz);
/*
 * Sets missing names of events and the formats of tracepoints; call it after events were added. 0
 * or -ENOMEM.
 */
int recording__complete_events(struct recording *rec);

/*
 * The file that a recording has a build-id for, by its path, or NULL: the kernel. NULL: there is
 * none.
 */
const struct recorded_dso *recording__dso(const struct recording *rec, const char *path);

#endif
