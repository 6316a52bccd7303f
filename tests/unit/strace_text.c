// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The text of system calls, of records made here: what strace prints, and what no kernel sends. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "strace/call_printer.h"
#include "strace/call_set.h"
#include "strace/printed_threads.h"
#include "strace/summary.h"
#include "tap.h"

static struct call_table *table;
static struct strbuf out;
static union {
	struct wire_call call;
	char bytes[8192];
} rec;

static void begin(int nr, int64_t ret)
{
	memset(&rec, 0, sizeof(rec));
	rec.call.head = (struct wire_rec){ .sz = sizeof(rec.call), .kind = WIRE_CALL, .tgid = 7 };
	rec.call.tid = 7;
	rec.call.nr = (uint16_t)nr;
	rec.call.ret = ret;
	rec.call.enter_ns = 1000;
	rec.call.head.time_ns = 2001000;
}

static void chunk(int fetch, int elem, const void *data, size_t sz)
{
	struct strace_chunk *c = (void *)(rec.bytes + rec.call.head.sz);

	*c = (struct strace_chunk){ .sz = (uint16_t)sz,
				    .step = (uint16_t)(sizeof(*c) + ((sz + 7) & ~7ul)),
				    .fetch = (uint8_t)fetch,
				    .elem = (uint8_t)elem };
	memcpy(c + 1, data, sz);
	rec.call.head.sz = (uint16_t)(rec.call.head.sz + c->step);
}

static const char *printed(struct printer_opts opts)
{
	struct call_printer *p;

	opts.text.str_sz = 32;
	opts.column = 40;
	out.len = 0;
	p = call_printer__new(table, &opts, &out);
	call_printer__record(p, &rec.call.head);
	call_printer__free(p);
	return strbuf__cstr(&out);
}

static void is_line(const char *want, const char *name)
{
	is_str(printed((struct printer_opts){ 0 }), want, "%s", name);
}

static void test_calls(void)
{
	struct printer_opts opts = { .durations = true, .all_pids = true };
	uint64_t iov[4] = { 0x1000, 2, 0x2000, 3 };

	begin(SYS_openat, 3);
	rec.call.args[0] = (uint64_t)AT_FDCWD;
	rec.call.args[1] = 0x1000;
	rec.call.args[2] = O_CLOEXEC;
	chunk(0, 0, "/etc/\001\"x", 9);
	is_line("openat(AT_FDCWD, \"/etc/\\1\\\"x\", O_RDONLY|O_CLOEXEC) = 3\n",
		"openat: a path is escaped");
	is_str(printed(opts),
	       "7     openat(AT_FDCWD, \"/etc/\\1\\\"x\", O_RDONLY|O_CLOEXEC) = 3 <0.002000>\n",
	       "openat: thread and duration");
	rec.call.head.sz = sizeof(rec.call);
	rec.call.ret = -ENOENT;
	is_line("openat(AT_FDCWD, 0x1000, O_RDONLY|O_CLOEXEC) = "
		"-1 ENOENT (No such file or directory)\n",
		"openat: a path that could not be read is an address");
	begin(SYS_close, 0);
	rec.call.args[0] = 3;
	is_line("close(3)                                = 0\n", "close: results are in column 40");
	begin(SYS_writev, 5);
	rec.call.args[0] = 1;
	rec.call.args[1] = 0x3000;
	rec.call.args[2] = 2;
	chunk(0, 0, iov, sizeof(iov));
	chunk(1, 0, "ab", 2);
	chunk(1, 1, "cde", 3);
	is_line("writev(1, [{iov_base=\"ab\", iov_len=2}, {iov_base=\"cde\", iov_len=3}], 2) = 5\n",
		"writev: its vector");
	begin(SYS_read, -512);
	rec.call.args[1] = 0x10;
	is_line("read(0, 0x10, 0)                        = "
		"? ERESTARTSYS (To be restarted if SA_RESTART is set)\n",
		"read: a call that will be restarted");
	begin(STRACE_CALLS - 1, -ENOSYS);
	is_line("syscall_0x3ff(0, 0, 0, 0, 0, 0)         = -1 ENOSYS (Function not implemented)\n",
		"an unknown call: its number");
}

/* Records that no kernel sends: nothing is read beyond them. */
static void test_torn(void)
{
	struct strace_chunk *c;
	unsigned int nr, seed = 1, i;

	for (nr = 0; nr < STRACE_ABIS * STRACE_CALLS; nr++) {
		begin((int)nr, (int)(nr % 3) - 1);
		for (i = 0; i < 6; i++)
			rec.call.args[i] = seed = seed * 1103515245 + 12345;
		for (i = 0; i < STRACE_FETCHES; i++)
			chunk((int)i, 0, "\377\377\377\377\377\377\377\377", nr % 9);
		c = (void *)(rec.bytes + rec.call.head.sz);
		*c = (struct strace_chunk){ .sz = 60000, .step = 1, .fetch = (uint8_t)nr };
		rec.call.head.sz += sizeof(*c);
		printed((struct printer_opts){ .text.verbose = nr & 1 });
	}
	ok(true, "torn records of every call are printed");
}

static void test_sets(void)
{
	unsigned int status;

	ok(!call_set__choose(table, "%network,read"), "a class and a name are a set");
	ok(table->wire[SYS_socket].flags & STRACE_WANTED &&
		   table->wire[SYS_read].flags & STRACE_WANTED &&
		   !(table->wire[SYS_write].flags & STRACE_WANTED),
	   "the calls of a set are wanted, and no others");
	ok(call_set__choose(table, "no_such_call") == -EINVAL, "an unknown name is refused");
	ok(!call_set__choose(table, "?no_such_call"), "an unknown name after ? is ignored");
	ok(call_set__choose(table, "%nothing") == -EINVAL, "an unknown class is refused");
	ok(call_set__choose(table, "/(") == -EINVAL, "a wrong regular expression is refused");
	ok(!call_status__parse("!failed", &status) &&
		   status == (STATUS_SUCCESSFUL | STATUS_UNFINISHED),
	   "results are inverted by !");
	ok(call_status__parse("good", &status) == -EINVAL, "an unknown result is refused");
}

static void test_summary(void)
{
	struct summary_row rows[] = { { "read", { 3, 1, 1500, 100, 1000, 0 } },
				      { "write", { 1, 0, 4500, 4500, 4500, 0 } } };
	struct summary_opts opts = { .sort = SORT_TIME, .columns = "calls,errors,name" };

	out.len = 0;
	summary__print(&out, rows, 2, &opts);
	is_str(strbuf__cstr(&out),
	       "    calls    errors syscall\n"
	       "--------- --------- ----------------\n"
	       "        1           write\n"
	       "        3         1 read\n"
	       "--------- --------- ----------------\n"
	       "        4         1 total\n",
	       "the table of -c, by time");
}

/* Threads that come and go by the thousand take one place, and three that stay. */
static void test_threads(void)
{
	struct printed_threads ts = { .cnt = 0 };
	struct printed_thread *t;
	uint32_t tid;

	for (tid = 1; tid <= 3; tid++)
		printed_threads__get(&ts, tid)->exec_tid = 10 + tid;
	for (tid = 100; tid < 100103; tid++) {
		t = printed_threads__get(&ts, tid);
		if (t->begun || t->tid != tid)
			break;
		t->begun = calloc(1, sizeof(*t->begun));
		printed_threads__retire(&ts, t);
	}
	is_u64(tid, 100103, "a new thread has nothing of one that has ended");
	is_u64(ts.cnt, 4, "100,003 threads, one after the other, take one place");
	is_u64(ts.live_cnt, 3, "threads that have ended do not live");
	ok(!printed_threads__find(&ts, 100102), "a thread that has ended is not found");
	is_u64(printed_threads__find(&ts, 2)->exec_tid, 12, "one that lives is as it was");
	printed_threads__free(&ts);
}

int main(void)
{
	const struct fetch_limits limits = { .str_sz = 32 };

	table = call_table__new(&limits);
	ok(table != NULL, "the table of calls is made");
	test_calls();
	test_torn();
	test_sets();
	test_summary();
	test_threads();
	call_table__free(table);
	strbuf__free(&out);
	return done_testing();
}
