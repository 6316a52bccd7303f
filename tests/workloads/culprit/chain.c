// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * chain: ten threads and processes hand a token on, by futex, pipe, eventfd and unix socket in
 * turn. Each works an amount of its own while it has the token, and waits otherwise: the critical
 * path is the sum of all work, in a known order.
 */
#include "culprit.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define MEMBER_CNT 10

enum link_kind { LINK_FUTEX, LINK_PIPE, LINK_EVENTFD, LINK_SOCKET, LINK_KINDS };

static const char *const link_names[LINK_KINDS] = { "futex", "pipe", "eventfd", "socket" };

/* Work of the members in ms: odd, and no two alike. */
static const unsigned int work_ms[MEMBER_CNT] = { 31, 157, 43, 97, 121, 67, 139, 83, 109, 53 };

/* The way of the token to one member. */
struct link {
	enum link_kind kind;
	uint32_t token; /* futex: laps that have come */
	int fds[2]; /* to read from, to write to */
};

/* One member, in memory that processes share. */
struct member {
	unsigned int nr;
	char name[16];
	struct link in; /* the way to this member */
	struct link *out;
	uint64_t cpu_ns, wall_ns; /* of its work */
};

struct chain {
	struct member members[MEMBER_CNT];
	struct link home; /* the way back to the start */
	unsigned int lap_cnt;
	volatile int done;
};

static struct chain *chain;

static void link__open(struct link *l, enum link_kind kind)
{
	int err = 0;

	l->kind = kind;
	switch (kind) {
	case LINK_PIPE:
		err = pipe(l->fds);
		break;
	case LINK_EVENTFD:
		l->fds[0] = l->fds[1] = eventfd(0, 0);
		err = l->fds[0] < 0;
		break;
	case LINK_SOCKET:
		err = socketpair(AF_UNIX, SOCK_STREAM, 0, l->fds);
		break;
	default:
		break;
	}
	if (err)
		die("%s: %s", link_names[kind], strerror(errno));
}

PLACE void chain_send(struct link *l)
{
	uint64_t one = 1;

	if (l->kind == LINK_FUTEX) {
		__atomic_add_fetch(&l->token, 1, __ATOMIC_RELEASE);
		syscall(SYS_futex, &l->token, FUTEX_WAKE, 1, NULL, NULL, 0);
		return;
	}
	write_whole(l->fds[1], &one, sizeof(one));
}

/* Waits until the token has come for the lap-th time, from 1. */
PLACE void chain_receive(struct link *l, uint32_t lap)
{
	uint32_t token;
	uint64_t one;

	if (l->kind != LINK_FUTEX) {
		read_whole(l->fds[0], &one, sizeof(one));
		return;
	}
	while ((token = __atomic_load_n(&l->token, __ATOMIC_ACQUIRE)) < lap)
		syscall(SYS_futex, &l->token, FUTEX_WAIT, token, NULL, NULL, 0);
}

PLACE void chain_work(uint64_t ns)
{
	burn_ns(ns);
}

PLACE void chain_member(void *arg)
{
	uint64_t start_ns, start_cpu_ns;
	struct member *m = arg;
	uint32_t lap;

	for (lap = 1; lap <= chain->lap_cnt; lap++) {
		chain_receive(&m->in, lap);
		start_ns = now_ns();
		start_cpu_ns = thread_cpu_ns();
		chain_work(work_ms[m->nr] * MS_NS);
		m->cpu_ns += thread_cpu_ns() - start_cpu_ns;
		m->wall_ns += now_ns() - start_ns;
		chain_send(m->out);
		STAY();
	}
}

/* Burns all the time, and no member waits for it. */
PLACE void chain_decoy(void *arg)
{
	(void)arg;
	while (!chain->done)
		burn_ns(1 * MS_NS);
}

static void set_up(void)
{
	struct member *m;
	unsigned int i;

	for (i = 0; i < MEMBER_CNT; i++) {
		m = &chain->members[i];
		m->nr = i;
		snprintf(m->name, sizeof(m->name), "chain-%u-%s", i, link_names[i % LINK_KINDS]);
		link__open(&m->in, (enum link_kind)(i % LINK_KINDS));
		m->out = i + 1 < MEMBER_CNT ? &chain->members[i + 1].in : &chain->home;
	}
	link__open(&chain->home, LINK_PIPE);
}

static void tell_truth(struct truth *truth, uint64_t wall_ns)
{
	uint64_t cpu_ns = 0, work_wall_ns = 0;
	const struct member *m;
	size_t n = 0;

	for (m = chain->members; m < chain->members + MEMBER_CNT; m++) {
		cpu_ns += m->cpu_ns;
		work_wall_ns += m->wall_ns;
	}
	*truth = (struct truth){ "chain", "chain_work", "chain-1-pipe", work_wall_ns, "" };
	n += (size_t)snprintf(truth->more, sizeof(truth->more),
			      "path_ms=%.1f path_cpu_ms=%.1f laps=%u order=",
			      (double)wall_ns / MS_NS, (double)cpu_ns / MS_NS, chain->lap_cnt);
	for (m = chain->members; m < chain->members + MEMBER_CNT; m++)
		n += (size_t)snprintf(truth->more + n, sizeof(truth->more) - n, "%s%s:%.1f",
				      m->nr ? "," : "", m->name, (double)m->cpu_ns / MS_NS);
}

/* Members 2, 5 and 8 are processes, which are forked before there are threads. */
static int is_process(unsigned int nr)
{
	return nr % 3 == 2;
}

static void run_members(struct truth *truth, double seconds, int decoy)
{
	struct worker workers[MEMBER_CNT];
	pid_t pids[MEMBER_CNT], decoy_pid = 0;
	unsigned int i, worker_cnt = 0;
	uint64_t start_ns;
	uint32_t lap;

	chain = shared_memory(sizeof(*chain));
	chain->lap_cnt = rounds(seconds, 1.2);
	set_up();
	if (decoy)
		decoy_pid = child__start("chain-decoy", -1, chain_decoy, NULL);
	for (i = 0; i < MEMBER_CNT; i++) {
		struct member *m = &chain->members[i];

		if (is_process(i))
			pids[i] = child__start(m->name, -1, chain_member, m);
		else
			workers[worker_cnt++] = (struct worker){ m->name, -1, chain_member, m, 0 };
	}
	workers__start(workers, worker_cnt);
	start_ns = now_ns();
	for (lap = 1; lap <= chain->lap_cnt; lap++) {
		chain_send(&chain->members[0].in);
		chain_receive(&chain->home, lap);
	}
	tell_truth(truth, now_ns() - start_ns);
	chain->done = 1;
	workers__join(workers, worker_cnt);
	for (i = 0; i < MEMBER_CNT; i++)
		if (is_process(i))
			child__join(pids[i]);
	if (decoy)
		child__join(decoy_pid);
}

static void run_chain(struct truth *truth, double seconds)
{
	run_members(truth, seconds, 0);
}

static void run_chain_decoy(struct truth *truth, double seconds)
{
	run_members(truth, seconds, 1);
}

const struct culprit chain_culprits[] = {
	{ "chain", "ten threads and processes hand a token on", run_chain },
	{ "chain-decoy", "chain, beside a process that burns for none of them", run_chain_decoy },
	{ 0 },
};
