// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The live source on this kernel: processes are told of when they are read, rows do not pile up in
 * a flight recorder, and what is left in batches comes once.
 */
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "data/proc_layout.h"
#include "event/event.h"
#include "event/detach_lock.h"
#include "live_rings.h"
#include "kernel/bpf_error.h"
#include "kernel/limits.h"
#include "session/trace_session.h"
#include "source/live.h"
#include "tap.h"

#define CALLS 13

/* How often the end of a process was told of, and handed on. */
struct ends {
	pid_t pid;
	unsigned int read, handed_on;
};

static bool is_end_of(const struct record *rec, pid_t pid)
{
	const struct fork_record *r = (const void *)rec->hdr;

	return rec->kind == RECORD_PROC && r->hdr.type == PERF_RECORD_EXIT &&
	       r->pid == (uint32_t)pid;
}

static void on_read(void *ctx, const struct record *rec)
{
	struct ends *e = ctx;

	e->read += is_end_of(rec, e->pid);
}

static int on_process(void *ctx, const struct record *rec)
{
	struct ends *e = ctx;

	e->handed_on += is_end_of(rec, e->pid);
	return 0;
}

static void test_processes(void)
{
	struct ends e = { 0 };
	struct live_config cfg = { .overwrite = true, .task_read = on_read, .read_ctx = &e };
	struct live_source *src = live_rings__open(&cfg);

	if (!ok(src, "a flight recorder starts"))
		return;
	e.pid = fork();
	if (e.pid == 0)
		_exit(0);
	waitpid(e.pid, NULL, 0);
	ok(!live_source__drain(src, false, on_process, &e),
	   "a flight recorder hands on nothing before a dump");
	is_u64(e.handed_on, 0, "a flight recorder with an ended process polls well");
	is_u64(e.read, 1, "the end of the process is known at once");
	ok(!live_source__dump(src, on_process, &e), "a flight recorder dumps its records");
	is_u64(e.handed_on, 1, "the end of the process is handed on");
	is_u64(e.read, 1, "the end of the process is handed on once");
	live_source__free(src);
}

struct rows {
	uint64_t cnt, first;
};

static int on_row(void *ctx, const struct record *rec)
{
	struct rows *r = ctx;

	if (rec->kind == RECORD_COUNTERS && !r->cnt++)
		r->first = rec->time_ns;
	return 0;
}

static void test_rows(void)
{
	struct live_config cfg = { .overwrite = true };
	struct live_source *src = live_rings__open(&cfg);
	struct wire_rec row = { .sz = sizeof(row), .kind = WIRE_COUNTERS };
	uint32_t cpu = (uint32_t)sched_getcpu();
	struct rows r = { 0 };
	int err = 0;

	if (!ok(src, "a flight recorder with rows starts"))
		return;
	for (row.time_ns = 1; row.time_ns <= LIVE_ROWS_MAX + 17 && !err; row.time_ns++)
		err = live_source__add(src, cpu, &row);
	ok(!err, "a flight recorder takes rows");
	live_source__dump(src, on_row, &r);
	is_u64(r.cnt, LIVE_ROWS_MAX, "a flight recorder keeps so many rows of a CPU");
	is_u64(r.first, 18, "a flight recorder keeps the newest rows");
	live_source__free(src);
}

/* A process that makes its calls each time it is asked to. */
struct caller {
	pid_t pid;
	int ask[2], done[2];
};

static void answer(const struct caller *c)
{
	char byte;
	int i;

	while (read(c->ask[0], &byte, 1) == 1) {
		for (i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
		if (write(c->done[1], &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static bool start(struct caller *c)
{
	if (pipe(c->ask) || pipe(c->done))
		return false;
	c->pid = fork();
	if (c->pid == 0)
		answer(c);
	close(c->ask[0]);
	close(c->done[1]);
	return c->pid > 0;
}

static bool call(const struct caller *c)
{
	char byte = 0;

	return write(c->ask[1], &byte, 1) == 1 && read(c->done[0], &byte, 1) == 1;
}

static void end(const struct caller *c)
{
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
	close(c->ask[1]);
	close(c->done[0]);
}

static struct trace_session *begin(const struct trace_config *cfg, struct live_run *run)
{
	struct trace_session *s = trace_session__open(cfg);
	struct live_config live = { 0 };

	if (s && !trace_session__load(s) &&
	    !live_run__open_rings(run, &live, trace_session__rings_fd(s),
				  trace_session__flush_fd(s), trace_session__cpus(s)) &&
	    !trace_session__attach(s)) {
		detach_lock__release();
		trace_session__activate(s);
		return s;
	}
	trace_session__free(s);
	return NULL;
}

static int on_call(void *ctx, const struct record *rec)
{
	unsigned int *cnt = ctx;

	*cnt += rec->kind == RECORD_WIRE;
	return 0;
}

/* At the end of a recording a program may still be at work: the source looks again and again. */
static void test_rest(const struct caller *c)
{
	static struct live_run run;
	struct event_list events = { 0 };
	pid_t pid = c->pid;
	struct targets targets = { .pids = &pid, .pid_cnt = 1 };
	struct trace_config cfg = { .events = &events, .targets = &targets, .by_task = true };
	const struct timespec ms = { 0, 1000000 };
	struct trace_session *s = NULL;
	unsigned int cnt = 0, i;

	if (!event_list__add(&events, "syscalls:sys_enter_getppid"))
		s = begin(&cfg, &run);
	if (ok(s, "calls of the process are traced")) {
		/* Nothing is sent soon after. */
		live_source__drain(run.src, false, on_call, &cnt);
		ok(call(c), "the process makes its calls");
		live_source__drain(run.src, true, on_call, &cnt);
		is_u64(cnt, CALLS, "records that a CPU has gathered are read");
		for (i = 0; i < 53; i++) {
			nanosleep(&ms, NULL);
			live_source__drain(run.src, true, on_call, &cnt);
		}
		is_u64(cnt, CALLS,
		       "gathered records are read once, however often they are asked for");
		trace_session__deactivate(s);
	}
	live_source__free(run.src);
	trace_session__free(s);
	event_list__free(&events);
}

int main(void)
{
	struct caller c;

	if (geteuid())
		skip_all("needs root");
	if (access("/sys/kernel/tracing/events", R_OK))
		skip_all("tracefs is not mounted");
	bpf_error__init();
	limits__raise_files();
	test_processes();
	test_rows();
	if (ok(start(&c), "a process that makes calls starts")) {
		test_rest(&c);
		end(&c);
	}
	return done_testing();
}
