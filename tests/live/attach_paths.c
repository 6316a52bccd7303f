// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The two attach paths make the same bytes: both are attached to the same
 * events at once, a shell script forks, execs, sleeps and calls the kernel,
 * and for each thread and event the sequence of records of the hand-written
 * programs must equal that of the classic attachment, byte for byte.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>

#include "bpf/wire.h"
#include "event/event.h"
#include "event/detach_lock.h"
#include "kernel/bpf_error.h"
#include "session/cpus.h"
#include "session/raw_events.h"
#include "session/trace_session.h"
#include "run/workload.h"
#include "source/live.h"
#include "tap.h"

struct entry {
	uint16_t id;
	int32_t tid;
	uint32_t sz;
	const unsigned char *bytes;
	size_t seq;
};

/* One attach path and what came through it. */
struct path {
	struct trace_session *session;
	struct live_source *src;
	struct entry *entries;
	size_t cnt, cap;
	uint64_t missed;
};

static struct event_list events;
static struct targets targets;
static const struct tp_format *by_id[65536];

/* Bytes of the record that the format describes: the ring rounds up. */
static uint32_t described_sz(const struct tp_format *fmt, const unsigned char *entry)
{
	uint32_t end = fmt->fixed_sz;

	if (fmt->last_dyn >= 0) {
		uint32_t loc;

		memcpy(&loc, entry + fmt->fields[fmt->last_dyn].off, sizeof(loc));
		end = (loc & 0xffff) + (loc >> 16);
	}
	return end;
}

/* Bytes between fields are the kernel's leftovers on the classic path: no field describes them. */
static void clear_padding(const struct tp_format *fmt, unsigned char *entry)
{
	uint32_t at, i;

	for (at = 0; at < fmt->fixed_sz; at++) {
		for (i = 0; i < fmt->field_cnt; i++)
			if (at >= fmt->fields[i].off &&
			    at < (uint32_t)fmt->fields[i].off + fmt->fields[i].size)
				break;
		if (i == fmt->field_cnt)
			entry[at] = 0;
	}
}

static int collect(void *ctx, const struct record *rec)
{
	struct path *p = ctx;
	const struct wire_tp *tp = (const void *)rec->wire;
	const unsigned char *raw = (const unsigned char *)&tp->entry;
	unsigned char *copy;
	struct entry *e;

	if (rec->kind != RECORD_WIRE || rec->wire->kind != WIRE_TP)
		return 0;
	if (p->cnt == p->cap) {
		p->cap = p->cap ? 2 * p->cap : 4096;
		p->entries = realloc(p->entries, p->cap * sizeof(*p->entries));
	}
	e = &p->entries[p->cnt];
	e->id = tp->entry.type;
	e->tid = tp->entry.pid;
	e->sz = by_id[e->id] ? described_sz(by_id[e->id], raw) : 0;
	copy = memcpy(malloc(e->sz + 1), raw, e->sz);
	if (e->sz)
		clear_padding(by_id[e->id], copy);
	e->bytes = copy;
	e->seq = p->cnt++;
	return 0;
}

static void count_missed(void *ctx, const struct event *ev, uint64_t cnt)
{
	*(uint64_t *)ctx += cnt;
}

static bool open_path(struct path *p, bool only_classic, pid_t cmd_pid)
{
	struct trace_config cfg = {
		.events = &events,
		.targets = &targets,
		.by_task = true,
		.only_classic = only_classic,
		.cmd_pid = cmd_pid,
	};
	struct live_config live = { .ring_sz = 8u << 20 };
	int *cpus;

	memset(p, 0, sizeof(*p));
	p->session = trace_session__open(&cfg);
	if (!p->session || trace_session__load(p->session))
		return false;
	targets__resolve_cpus(&targets, &cpus, &live.cpu_cnt);
	live.cpus = cpus;
	live.rings_fd = trace_session__rings_fd(p->session);
	live.batches.cpus = trace_session__cpus(p->session)->at;
	live.batches.flush_fd = trace_session__flush_fd(p->session);
	p->src = live_source__new(&live);
	free(cpus);
	return p->src && trace_session__attach(p->session) == 0;
}

static void close_path(struct path *p)
{
	size_t i;

	for (i = 0; i < p->cnt; i++)
		free((void *)p->entries[i].bytes);
	free(p->entries);
	live_source__free(p->src);
	trace_session__free(p->session);
}

/* By thread and event, then in the order they came. */
static int by_thread(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

/*
 * A thread's end is where bpfperf may have seen CMD end too, and stopped: what
 * comes after sched_process_exit is not compared.
 */
static size_t cut_after_exit(struct entry *e, size_t cnt, int exit_id)
{
	size_t i, j, kept = 0;

	for (i = 0; i < cnt; i++) {
		for (j = 0; j < i; j++)
			if (e[j].tid == e[i].tid && e[j].id == exit_id)
				break;
		if (j == i)
			e[kept++] = e[i];
	}
	return kept;
}

static void show(const char *what, const struct entry *e)
{
	uint32_t i;

	fprintf(stderr, "# %s: %s:", what, by_id[e->id]->name);
	for (i = 0; i < e->sz; i++)
		fprintf(stderr, " %02x", e->bytes[i]);
	fprintf(stderr, "\n");
}

/* How many entries are the same; the first that differs is shown. */
static size_t compare(struct path *raw, struct path *classic)
{
	size_t i;

	for (i = 0; i < raw->cnt && i < classic->cnt; i++) {
		const struct entry *a = &raw->entries[i], *b = &classic->entries[i];

		if (a->id == b->id && a->tid == b->tid && a->sz == b->sz &&
		    !memcmp(a->bytes, b->bytes, a->sz))
			continue;
		show("raw", a);
		show("classic", b);
		break;
	}
	return i;
}

/* One run of both paths. False: the kernel skipped programs, so nothing can be said. */
static bool run(struct path *raw, struct path *classic)
{
	static char script[] = "for i in 1 2 3; do sleep 0.01 & /bin/true; nice -n 5 /bin/echo x | "
			       "cat >/dev/null; done; wait; /bin/cat /proc/self/stat >/dev/null";
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", script, NULL };
	struct workload w = WORKLOAD_INIT;
	int status;

	if (workload__prepare(&w, argv) || !open_path(raw, false, w.pid) ||
	    !open_path(classic, true, w.pid)) {
		ok(false, "both paths attach");
		exit(1);
	}
	detach_lock__release();
	trace_session__activate(raw->session);
	trace_session__activate(classic->session);
	workload__start(&w);
	waitpid(w.pid, &status, 0);
	w.reaped = true;
	trace_session__deactivate(raw->session);
	trace_session__deactivate(classic->session);
	workload__free(&w);
	live_source__drain(raw->src, true, collect, raw);
	live_source__drain(classic->src, true, collect, classic);
	trace_session__missed(raw->session, count_missed, &raw->missed);
	trace_session__missed(classic->session, count_missed, &classic->missed);
	return !raw->missed && !classic->missed;
}

static void sort_path(struct path *p, int exit_id)
{
	p->cnt = cut_after_exit(p->entries, p->cnt, exit_id);
	qsort(p->entries, p->cnt, sizeof(*p->entries), by_thread);
}

static int id_of(const char *name)
{
	size_t i;

	for (i = 0; i < events.cnt; i++)
		if (!strcmp(events.events[i]->fmt->name, name))
			return events.events[i]->fmt->id;
	return -1;
}

/*
 * All of the script on one CPU: a thread that wakes another on another CPU may leave the wakeup to
 * that one's idle task, which is not watched.
 */
static void stay_on_one_cpu(void)
{
	cpu_set_t one;
	int cpu = sched_getcpu();

	CPU_ZERO(&one);
	CPU_SET(cpu < 0 ? 0 : cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static size_t program_cnt(void)
{
	size_t cnt = 0;
	__u32 id = 0;

	while (!bpf_prog_get_next_id(id, &id))
		cnt++;
	return cnt;
}

/*
 * Sessions are detached by a process of their own, which takes its time for 748 tracepoints, and
 * the kernel has room for 64 programs at each.
 */
static void await_detached(size_t before)
{
	int tries = 0;

	while (program_cnt() > before && ++tries < 1500)
		usleep(20000);
}

int main(void)
{
	static const char *const must_see[] = {
		"sched_switch",       "sched_waking",       "sched_wakeup",
		"sched_wakeup_new",   "sched_process_fork", "sched_process_exec",
		"sched_process_exit", "sched_process_wait", "sched_stat_runtime",
		"sys_enter",          "sys_exit",           "sys_enter_read",
		"sys_exit_read",      "sys_enter_execve",   "sys_exit_newfstatat",
		"sys_enter_mmap",
	};
	/*
	 * Compared when they happen, which the workload cannot ensure.
	 * docs/howto-add-raw-tracepoint.md
	 */
	static const char *const may_see[] = {
		"sched_migrate_task",
		"sched_process_free",
		"sched_wait_task",
		"sched_prepare_exec",
		"sched_stat_wait",
		"sched_stat_sleep",
		"sched_stat_iowait",
		"sched_stat_blocked",
		"sched_pi_setprio",
		"sched_process_hang",
		"sched_kthread_stop",
		"sched_kthread_stop_ret",
		"sched_wake_idle_without_ipi",
		"sched_kthread_work_queue_work",
		"sched_kthread_work_execute_start",
		"sched_kthread_work_execute_end",
		"sched_skip_vma_numa",
		"sched_move_numa",
		"sched_stick_numa",
		"sched_swap_numa",
		"sched_skip_cpuset_numa",
	};
	struct path raw, classic;
	size_t i, k, same, attached, classic_cnt, unlocked = 0;
	size_t before;
	int tries = 0;

	if (geteuid() != 0)
		skip_all("needs root");
	bpf_error__init();
	if (event_list__add(&events, "sched:*,raw_syscalls:*,syscalls:*"))
		skip_all("needs tracefs");
	for (i = 0; i < events.cnt; i++)
		by_id[events.events[i]->fmt->id] = events.events[i]->fmt;

	stay_on_one_cpu();
	before = program_cnt();
	/* The kernel skips classic programs while any other runs on their CPU: then once more. */
	while (!run(&raw, &classic) && ++tries < 20) {
		close_path(&raw);
		close_path(&classic);
		await_detached(before);
	}
	trace_session__counts(raw.session, &attached, &classic_cnt);
	for (i = 0; i < events.cnt; i++)
		unlocked += strcmp(events.events[i]->fmt->sys, "sched") == 0 &&
			    !raw_events__is_locked(events.events[i]->fmt);
	ok(classic_cnt == 0 || classic_cnt == unlocked,
	   "no event needs the classic path, but where tasks can be preempted (session/preempt.h)");
	sort_path(&raw, id_of("sched_process_exit"));
	sort_path(&classic, id_of("sched_process_exit"));
	ok(raw.cnt > 1000, "the raw path brought %zu records", raw.cnt);
	is_u64(raw.cnt, classic.cnt, "both paths brought as many records");
	same = compare(&raw, &classic);
	is_u64(same, classic.cnt, "all of them are the same bytes");
	for (k = 0; k < sizeof(must_see) / sizeof(must_see[0]); k++) {
		size_t seen = 0;

		for (i = 0; i < same; i++)
			seen += raw.entries[i].id == id_of(must_see[k]);
		ok(seen > 0, "%s was among them (%zu)", must_see[k], seen);
	}
	for (k = 0; k < sizeof(may_see) / sizeof(may_see[0]); k++) {
		size_t seen = 0;

		for (i = 0; i < same; i++)
			seen += raw.entries[i].id == id_of(may_see[k]);
		diag("%s: %zu compared", may_see[k], seen);
	}
	close_path(&raw);
	close_path(&classic);
	event_list__free(&events);
	return done_testing();
}
