// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/stack_record.h"

#include <stddef.h>
#include <sys/mman.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "machine/proc_event.h"
#include "machine/tasks.h"
#include "tap.h"

static struct wire_stack record_of(int kern, int user)
{
	struct wire_stack r = {
		.head = { .kind = WIRE_SAMPLE, .tgid = 10, .time_ns = 12345 },
		.tid = 11,
		.period = 1000,
		.kern_sz = (__s16)(kern * 8),
		.user_sz = (__s16)(user * 8),
	};
	int i, cnt = (kern > 0 ? kern : 0) + (user > 0 ? user : 0);

	for (i = 0; i < cnt; i++)
		r.addrs[i] = 100 + (uint64_t)i;
	r.head.sz = (__u16)(offsetof(struct wire_stack, addrs) + (size_t)cnt * 8);
	return r;
}

static void test_stack(void)
{
	struct tasks *tasks = tasks__new();
	struct wire_stack r = record_of(2, 3);
	struct sample s;

	ok(stack_record__sample(&r.head, 7, 127, tasks, &s), "a stack record is parsed");
	is_u64(s.time_ns, 12345, "a stack: time");
	is_u64(s.cpu, 7, "a stack: CPU");
	is_s64(s.pid, 10, "a stack: pid");
	is_s64(s.tid, 11, "a stack: tid");
	is_u64(s.period, 1000, "a stack: period");
	is_u64(s.chain.kern_cnt, 2, "a stack: kernel addresses");
	is_u64(s.chain.user_cnt, 3, "a stack: user addresses");
	is_u64(s.chain.kern[1], 101, "the second of the kernel");
	is_u64(s.chain.user[0], 102, "the first of the user");
	ok(!s.chain.truncated, "a stack: whole, not truncated");
	ok(stack_record__sample(&r.head, 7, 3, tasks, &s) && s.chain.truncated,
	   "a stack: cut at 3");

	r = record_of(-1, 2);
	ok(stack_record__sample(&r.head, 7, 127, tasks, &s), "an error in place of a size");
	is_u64(s.chain.kern_cnt, 0, "an error in place of a size: no stack of that side");
	is_u64(s.chain.user[0], 100, "an error in place of a size: the other side is there");

	r = record_of(2, 3);
	r.user_sz += 8;
	ok(!stack_record__sample(&r.head, 7, 127, tasks, &s), "more addresses than bytes");
	r = record_of(2, 3);
	r.kern_sz = 9;
	ok(!stack_record__sample(&r.head, 7, 127, tasks, &s), "half an address");
	r = record_of(2, 3);
	r.head.sz -= 8;
	ok(!stack_record__sample(&r.head, 7, 127, tasks, &s), "more data than record");
	r = record_of(2, 3);
	r.head.kind = WIRE_TP;
	ok(!stack_record__sample(&r.head, 7, 127, tasks, &s), "a record of another kind");
	r = record_of(0, 0);
	r.head.sz = 30;
	ok(!stack_record__sample(&r.head, 7, 127, tasks, &s), "shorter than its head");
	tasks__free(tasks);
}

struct ring_mmap {
	struct perf_event_header hdr;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t maj, min;
	uint64_t ino, gen;
	uint32_t prot, flags;
	char path[8];
	uint64_t time_ns;
};

static void test_mmap(void)
{
	struct ring_mmap r = {
		.hdr = { PERF_RECORD_MMAP2, 0, sizeof(r) },
		.pid = 5,
		.addr = 0x1000,
		.len = 0x2000,
		.ino = 77,
		.maj = 8,
		.prot = PROT_EXEC,
		.path = "/a",
	};
	struct proc_event ev;

	proc_event__parse(&r.hdr, &ev);
	is_s64(ev.kind, PROC_MMAP, "a mapping: its kind");
	is_s64(ev.pid, 5, "a mapping: its process");
	is_u64(ev.len, 0x2000, "a mapping: its size");
	is_u64(ev.ino, 77, "a mapping: its inode");
	is_str(ev.path, "/a", "a mapping: its path");
	r.hdr.misc = PERF_RECORD_MISC_MMAP_BUILD_ID;
	proc_event__parse(&r.hdr, &ev);
	is_u64(ev.ino, 0, "a mapping with a build id has no inode");
	r.prot = PROT_READ;
	proc_event__parse(&r.hdr, &ev);
	is_s64(ev.kind, PROC_MMAP_DATA, "a mapping of data: its kind");
	r.prot = PROT_EXEC;
	memset(r.path, 'x', sizeof(r.path));
	r.time_ns = UINT64_MAX;
	proc_event__parse(&r.hdr, &ev);
	is_s64(ev.kind, PROC_NOTHING, "a mapping whose path has no end is refused");
	r.hdr.size = offsetof(struct ring_mmap, path);
	proc_event__parse(&r.hdr, &ev);
	is_s64(ev.kind, PROC_NOTHING, "without a path");
}

struct ring_fork {
	struct perf_event_header hdr;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time_ns, id_time_ns;
};

static void test_processes(void)
{
	struct ring_fork r = {
		.hdr = { PERF_RECORD_FORK, 0, sizeof(r) }, .pid = 5, .ppid = 4, .tid = 5
	};
	struct {
		struct perf_event_header hdr;
		uint32_t pid, tid;
		char comm[16];
		uint64_t time_ns;
	} c = { .hdr = { PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, sizeof(c) }, .pid = 6 };
	struct proc_event ev;

	proc_event__parse(&r.hdr, &ev);
	ok(ev.kind == PROC_FORK && ev.pid == 5 && ev.parent_pid == 4, "a fork: both processes");
	r.ppid = 5;
	proc_event__parse(&r.hdr, &ev);
	is_s64(ev.kind, PROC_THREAD, "a fork of a thread is no process");
	r.hdr.type = PERF_RECORD_EXIT;
	proc_event__parse(&r.hdr, &ev);
	ok(ev.kind == PROC_EXIT && ev.pid == 5, "an exit: the process");
	r.tid = 9;
	proc_event__parse(&r.hdr, &ev);
	is_s64(ev.kind, PROC_THREAD_EXIT, "an exit of a thread is no process's");
	r.hdr.size = 16;
	proc_event__parse(&r.hdr, &ev);
	is_s64(ev.kind, PROC_NOTHING, "a short record");

	proc_event__parse(&c.hdr, &ev);
	ok(ev.kind == PROC_EXEC && ev.pid == 6, "an exec: the process");
	c.hdr.misc = 0;
	proc_event__parse(&c.hdr, &ev);
	is_s64(ev.kind, PROC_COMM, "a new name is no exec");
}

int main(void)
{
	test_stack();
	test_mmap();
	test_processes();
	return done_testing();
}
