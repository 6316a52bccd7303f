// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * recordings: writes recordings made in memory into the current directory, for `bpfperf script`,
 * `report` and `stack -i`: made-N.data for each kind of perf_file_make.h (either byte order, file
 * or pipe, packed or not), regs-ARCH.data, cpus.data, branches.data, and demo.data: two processes
 * on three CPUs, with callchains, a group whose samples carry counts, a tracepoint, and losses.
 * tests/golden/recordings.sh prints them.
 */
#include <stdlib.h>

#include "demo_elf.h"
#include "perf_file_make.h"

#define PARENT 4241
#define CHILD 4250

#define KERN_PROG 0xffffffffc0001000
#define KERN_TEXT 0xffffffff81000000
#define KERN_OTHER 0xffffffff81234567

/* The events by their ids: a clock with a group, its member, a tracepoint. */
enum { CLOCK_ID = 501, FAULTS_ID, TP_ID };

#define BASE_TYPE                                                                                  \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)
#define ATTR_SZ PERF_ATTR_SIZE_VER6
#define MISC_MMAP_BUILD_ID (1 << 14)
#define MISC_COMM_EXEC (1 << 13)

struct place {
	uint32_t pid, tid, cpu;
	uint64_t time_ns;
};

static struct place at(uint32_t pid, uint32_t tid, uint32_t cpu, uint64_t ms)
{
	return (struct place){ pid, tid, cpu, 7000000000000ull + ms * 1000000 };
}

/* Ends a record that is no sample: what sample_id_all adds, of the clock. */
static void end_record(struct made *m, size_t from, struct place p)
{
	made_u32(m, p.pid);
	made_u32(m, p.tid);
	made_u64(m, p.time_ns);
	made_u32(m, p.cpu);
	made_u32(m, 0);
	made_u64(m, CLOCK_ID);
	made_end(m, from);
}

static void put_comm(struct made *m, struct place p, const char *name, bool is_exec)
{
	size_t from = made_begin(m, PERF_RECORD_COMM, is_exec ? MISC_COMM_EXEC : 0);

	made_u32(m, p.pid);
	made_u32(m, p.tid);
	made_text(m, name);
	end_record(m, from, p);
}

/* FORK and EXIT are alike. */
static void put_task(struct made *m, uint32_t type, struct place p, uint32_t parent)
{
	size_t from = made_begin(m, type, 0);

	made_u32(m, p.pid);
	made_u32(m, parent);
	made_u32(m, p.tid);
	made_u32(m, parent);
	made_u64(m, p.time_ns);
	end_record(m, from, p);
}

static void put_demo_map(struct made *m, struct place p)
{
	size_t from = made_begin(m, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | MISC_MMAP_BUILD_ID);

	made_u32(m, p.pid);
	made_u32(m, p.tid);
	made_u64(m, DEMO_MAPPED);
	made_u64(m, DEMO_MAP_SZ);
	made_u64(m, 0);
	made_bytes(m, "\24\0\0\0", 4);
	made_bytes(m, DEMO_BUILD_ID, DEMO_BUILD_ID_SZ);
	made_u32(m, 5);
	made_u32(m, 2);
	made_text(m, DEMO_PATH);
	end_record(m, from, p);
}

/* The kernel of the recording runs nowhere: its build-id is in the file's features. */
static void put_kernel_map(struct made *m)
{
	size_t from = made_begin(m, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);

	made_u32(m, UINT32_MAX);
	made_u32(m, 0);
	made_u64(m, KERN_TEXT);
	made_u64(m, 0x1000000);
	made_u64(m, KERN_TEXT);
	made_text(m, "[kernel.kallsyms]_text");
	end_record(m, from, at(UINT32_MAX, 0, 0, 0));
}

static void put_ksymbol(struct made *m)
{
	size_t from = made_begin(m, PERF_RECORD_KSYMBOL, 0);

	made_u64(m, KERN_PROG);
	made_u32(m, 0x100);
	made_u16(m, PERF_RECORD_KSYMBOL_TYPE_BPF);
	made_u16(m, 0);
	made_text(m, "bpf_prog_0123456789abcdef_demo");
	end_record(m, from, at(PARENT, PARENT, 0, 1));
}

static void put_lost(struct made *m, uint64_t cnt, struct place p)
{
	size_t from = made_begin(m, PERF_RECORD_LOST, 0);

	made_u64(m, CLOCK_ID);
	made_u64(m, cnt);
	end_record(m, from, p);
}

static void put_throttle(struct made *m, uint32_t type, struct place p)
{
	size_t from = made_begin(m, type, 0);

	made_u64(m, p.time_ns);
	made_u64(m, CLOCK_ID);
	made_u64(m, CLOCK_ID);
	end_record(m, from, p);
}

static size_t begin_sample(struct made *m, uint64_t id, uint64_t ip, struct place p,
			   uint64_t period)
{
	bool is_kernel = ip >> 63;
	size_t from = made_begin(m, PERF_RECORD_SAMPLE,
				 is_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);

	made_u64(m, id);
	made_u64(m, ip);
	made_u32(m, p.pid);
	made_u32(m, p.tid);
	made_u64(m, p.time_ns);
	made_u32(m, p.cpu);
	made_u32(m, 0);
	made_u64(m, period);
	return from;
}

/* depth functions of the file, innermost first, and before them, on request, two of the kernel. */
static void put_chain(struct made *m, bool has_kernel, int depth)
{
	int func;

	made_u64(m, (has_kernel ? 3 : 0) + 1 + (uint64_t)depth);
	if (has_kernel) {
		made_u64(m, PERF_CONTEXT_KERNEL);
		made_u64(m, KERN_PROG + 16);
		made_u64(m, KERN_OTHER);
	}
	made_u64(m, PERF_CONTEXT_USER);
	for (func = depth - 1; func >= 0; func--)
		made_u64(m, DEMO_AT(func, 32 + func));
}

/* The counts are those since the events were opened. */
static void put_clock(struct made *m, struct place p, bool has_kernel, int depth, uint64_t faults)
{
	uint64_t ip = has_kernel ? KERN_PROG + 16 : DEMO_AT(depth - 1, 32 + depth - 1);
	size_t from = begin_sample(m, CLOCK_ID, ip, p, 1000003);

	made_u64(m, 2);
	made_u64(m, p.time_ns - 7000000000000ull);
	made_u64(m, CLOCK_ID);
	made_u64(m, faults);
	made_u64(m, FAULTS_ID);
	put_chain(m, has_kernel, depth);
	made_end(m, from);
}

static void put_tracepoint(struct made *m, struct place p, uint64_t value)
{
	size_t from = begin_sample(m, TP_ID, KERN_OTHER, p, 1);

	put_chain(m, true, 2);
	made_u32(m, 36);
	made_u16(m, MADE_TP_ID);
	made_u16(m, 0);
	made_u32(m, p.tid);
	made_u64(m, value);
	made_u32(m, 28 | 5 << 16);
	made_u32(m, 11);
	made_u32(m, 22);
	made_bytes(m, "four\0\0\0\0", 8);
	made_end(m, from);
}

static void put_records(struct made *m)
{
	put_kernel_map(m);
	put_ksymbol(m);
	put_comm(m, at(PARENT, PARENT, 0, 1), "worker", true);
	put_demo_map(m, at(PARENT, PARENT, 0, 2));
	put_clock(m, at(PARENT, PARENT, 0, 3), false, 2, 5);
	put_clock(m, at(PARENT, PARENT, 0, 4), false, 3, 5);
	put_clock(m, at(PARENT, PARENT, 0, 5), true, 4, 9);
	put_tracepoint(m, at(PARENT, PARENT, 0, 6), 12345678901ull);
	put_task(m, PERF_RECORD_FORK, at(CHILD, CHILD, 2, 7), PARENT);
	put_clock(m, at(CHILD, CHILD, 2, 8), false, 3, 100);
	put_comm(m, at(CHILD, CHILD, 2, 9), "child \"c\"", false);
	put_clock(m, at(CHILD, CHILD, 2, 10), false, 4, 117);
	put_lost(m, 77, at(PARENT, PARENT, 0, 11));
	put_throttle(m, PERF_RECORD_THROTTLE, at(PARENT, PARENT, 0, 12));
	put_throttle(m, PERF_RECORD_UNTHROTTLE, at(PARENT, PARENT, 0, 13));
	put_tracepoint(m, at(CHILD, CHILD, 127, 14), 7);
	put_task(m, PERF_RECORD_EXIT, at(CHILD, CHILD, 127, 15), PARENT);
	made_end(m, made_begin(m, 68, 0));
}

/* The attr's first ATTR_SZ bytes. */
static void put_attr(struct made *m, struct perf_event_attr attr)
{
	_Static_assert(sizeof(attr) >= ATTR_SZ, "the attr has all that is written of it");
	attr.size = ATTR_SZ;
	attr.sample_period = 1;
	attr.sample_id_all = 1;
	made_bytes(m, &attr, ATTR_SZ);
}

static void put_text_feature(struct made *m, const char *text)
{
	char padded[64] = { 0 };

	strncpy(padded, text, sizeof(padded) - 1);
	made_u32(m, sizeof(padded));
	made_bytes(m, padded, sizeof(padded));
}

static void put_build_id(struct made *m, uint16_t misc, const char *id, const char *path)
{
	size_t from = made_begin(m, 0, misc);

	made_u32(m, UINT32_MAX);
	made_bytes(m, id, DEMO_BUILD_ID_SZ);
	made_u32(m, 0);
	made_text(m, path);
	made_end(m, from);
}

/* Header, three events, records, and the features tracing data, build-ids, host name, release. */
static void put_file(struct made *m, const struct made *data)
{
	static const uint64_t ids[] = { CLOCK_ID, FAULTS_ID, TP_ID };
	static const struct perf_event_attr attrs[] = {
		{ .type = PERF_TYPE_SOFTWARE,
		  .config = PERF_COUNT_SW_CPU_CLOCK,
		  .sample_type = BASE_TYPE | PERF_SAMPLE_READ,
		  .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID },
		{ .type = PERF_TYPE_SOFTWARE,
		  .config = PERF_COUNT_SW_PAGE_FAULTS,
		  .sample_type = BASE_TYPE | PERF_SAMPLE_READ,
		  .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID },
		{ .type = PERF_TYPE_TRACEPOINT,
		  .config = MADE_TP_ID,
		  .sample_type = BASE_TYPE | PERF_SAMPLE_RAW },
	};
	static struct made features[4];
	const size_t attrs_off = 104, entry = ATTR_SZ + 16, ids_off = attrs_off + 3 * entry;
	const size_t data_off = ids_off + sizeof(ids);
	size_t off = data_off + data->sz + 4 * 16, i;

	made_tracing_data(&features[0]);
	put_build_id(&features[1], PERF_RECORD_MISC_KERNEL, "kernel-of-elsewhere!",
		     "[kernel.kallsyms]");
	put_build_id(&features[1], PERF_RECORD_MISC_USER, DEMO_BUILD_ID, DEMO_PATH);
	put_text_feature(&features[2], "box");
	put_text_feature(&features[3], "6.1.0-demo");
	made_u64(m, 0x32454c4946524550ULL);
	made_u64(m, 104);
	made_u64(m, entry);
	made_section(m, attrs_off, 3 * entry);
	made_section(m, data_off, data->sz);
	made_section(m, 0, 0);
	made_u64(m, 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4);
	for (i = 0; i < 3; i++)
		made_u64(m, 0);
	for (i = 0; i < 3; i++) {
		put_attr(m, attrs[i]);
		made_section(m, ids_off + 8 * i, 8);
	}
	made_bytes(m, ids, sizeof(ids));
	made_bytes(m, data->p, data->sz);
	for (i = 0; i < 4; i++) {
		made_section(m, off, features[i].sz);
		off += features[i].sz;
	}
	for (i = 0; i < 4; i++)
		made_bytes(m, features[i].p, features[i].sz);
}

/* One sample with an address, a branch, and registers in user space and at the interrupt. */
static void put_regs_sample(struct made *m)
{
	size_t from = made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	uint64_t i;

	made_u64(m, CLOCK_ID);
	made_u64(m, 0x400123);
	made_u32(m, PARENT);
	made_u32(m, PARENT);
	made_u64(m, 7000000000003ull);
	made_u64(m, 0x7ffc00001234);
	made_u64(m, 1); /* one branch: from, to, flags */
	made_u64(m, 0x400100);
	made_u64(m, 0x400123);
	made_u64(m, 1);
	made_u64(m, PERF_SAMPLE_REGS_ABI_64);
	for (i = 0; i < 3; i++)
		made_u64(m, 0x4000 + i);
	made_u64(m, PERF_SAMPLE_REGS_ABI_64);
	for (i = 0; i < 3; i++)
		made_u64(m, 0x5000 + i);
	made_end(m, from);
}

/* A file of one event and its samples. */
static void put_small_file(struct made *m, const struct perf_event_attr *attr,
			   const struct made *data, const char *arch)
{
	static struct made feature;
	const size_t entry = ATTR_SZ + 16, ids_off = 104 + entry, data_off = ids_off + 8;
	size_t i;

	feature.sz = 0;
	put_text_feature(&feature, arch);
	made_u64(m, 0x32454c4946524550ULL);
	made_u64(m, 104);
	made_u64(m, entry);
	made_section(m, 104, entry);
	made_section(m, data_off, data->sz);
	made_section(m, 0, 0);
	made_u64(m, 1 << 6); /* HEADER_ARCH */
	for (i = 0; i < 3; i++)
		made_u64(m, 0);
	put_attr(m, *attr);
	made_section(m, ids_off, 8);
	made_u64(m, CLOCK_ID);
	made_bytes(m, data->p, data->sz);
	made_section(m, data_off + data->sz + 16, feature.sz);
	made_bytes(m, feature.p, feature.sz);
}

/* A file of that sample; the names of registers depend on its architecture. */
static void put_regs_file(struct made *m, const char *arch)
{
	static const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_BRANCH_STACK |
			       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR,
		.branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
		.sample_regs_user = MADE_REGS,
		.sample_regs_intr = MADE_REGS,
	};
	static struct made data;

	data.sz = 0;
	put_regs_sample(&data);
	put_small_file(m, &attr, &data, arch);
}

/* Idle tasks on a CPU, on an unknown one, and on one that no machine has. */
static void put_cpus_file(struct made *m)
{
	static const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
	};
	static const uint32_t cpus[] = { 2, UINT32_MAX, UINT32_MAX - 1 };
	static struct made data;
	size_t i, from;

	for (i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		from = made_begin(&data, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		made_u64(&data, CLOCK_ID);
		made_u64(&data, 0x400123);
		made_u32(&data, 0);
		made_u32(&data, 0);
		made_u64(&data, 7000000000003ull + i);
		made_u32(&data, cpus[i]);
		made_u32(&data, 0);
		made_end(&data, from);
	}
	put_small_file(m, &attr, &data, "x86_64");
}

/* A sample with a branch stack, newest first: from, to and flags of each. */
static void put_branch_sample(struct made *m, uint64_t ip, const uint64_t (*branches)[3],
			      size_t cnt)
{
	size_t from = made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER), i;

	made_u64(m, CLOCK_ID);
	made_u64(m, ip);
	made_u32(m, PARENT);
	made_u32(m, PARENT);
	made_u64(m, 7000000000003ull);
	made_u32(m, 0);
	made_u32(m, 0);
	made_u64(m, cnt);
	for (i = 0; i < 3 * cnt; i++)
		made_u64(m, branches[i / 3][i % 3]);
	made_end(m, from);
}

/* Branches of a loop, to other functions, by the kernel, and by speculation alone. */
static void put_branches_file(struct made *m)
{
	enum { PREDICTED = 2, MISSED = 1, WRONG_PATH = 1 << 24 };
	static const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_BRANCH_STACK,
		.sample_id_all = 1,
		.branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
	};
	static const uint64_t loop[][3] = {
		{ DEMO_AT(DEMO_LEX, 0x40), DEMO_AT(DEMO_LEX, 0x10), PREDICTED },
		{ DEMO_AT(DEMO_LEX, 0x40), DEMO_AT(DEMO_LEX, 0x10), MISSED },
		{ DEMO_AT(DEMO_PARSE, 0x20), DEMO_AT(DEMO_LEX, 0), PREDICTED },
		{ DEMO_AT(DEMO_MAIN, 0x30), DEMO_AT(DEMO_PARSE, 0), PREDICTED },
		{ 0, 0, 0 },
	};
	static const uint64_t other[][3] = {
		{ DEMO_AT(DEMO_FIND, 0x80), DEMO_AT(DEMO_MAIN, 0x35), WRONG_PATH | PREDICTED },
		{ DEMO_AT(DEMO_FIND, 0x70), DEMO_AT(DEMO_MAIN, 0), PREDICTED },
		{ KERN_TEXT, DEMO_AT(DEMO_FIND, 0x24), PREDICTED },
		{ DEMO_AT(DEMO_FIND, 0x22), KERN_OTHER, PREDICTED },
		{ 0x400100, DEMO_AT(DEMO_FIND, 0), MISSED },
	};
	static struct made data;

	put_demo_map(&data, at(PARENT, PARENT, 0, 0));
	put_branch_sample(&data, DEMO_AT(DEMO_LEX, 0x12), loop, 5);
	put_branch_sample(&data, DEMO_AT(DEMO_LEX, 0x12), loop, 5);
	put_branch_sample(&data, DEMO_AT(DEMO_MAIN, 0x8), other, 5);
	put_small_file(m, &attr, &data, "x86_64");
}

static void save(const struct made *m, const char *path)
{
	FILE *f = fopen(path, "we");

	if (f && fwrite(m->p, m->sz, 1, f) == 1 && fclose(f) == 0)
		return;
	perror(path);
	exit(1);
}

int main(void)
{
	static const char *const arches[] = { "x86_64", "aarch64" };
	static struct made m, records;
	unsigned int kind;
	char path[32];

	for (kind = 0; kind < 8; kind++) {
		made_kind(&m, kind);
		snprintf(path, sizeof(path), "made-%u.data", kind);
		save(&m, path);
	}
	memset(&m, 0, sizeof(m));
	put_records(&records);
	put_file(&m, &records);
	save(&m, "demo.data");
	for (kind = 0; kind < 2; kind++) {
		memset(&m, 0, sizeof(m));
		put_regs_file(&m, arches[kind]);
		snprintf(path, sizeof(path), "regs-%s.data", arches[kind]);
		save(&m, path);
	}
	memset(&m, 0, sizeof(m));
	put_cpus_file(&m);
	save(&m, "cpus.data");
	memset(&m, 0, sizeof(m));
	put_branches_file(&m);
	save(&m, "branches.data");
	return demo_elf__write() ? 1 : 0;
}
