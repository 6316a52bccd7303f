// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Programs that wait for another process or thread, through a pipe, a socket or wait(2). */
#include "culprit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

static unsigned int round_cnt;
static uint64_t cause_ns;

static void make_pipe(int fds[2])
{
	if (pipe(fds))
		die("pipe: %s", strerror(errno));
}

/* ping-pong: two processes that hand one byte to and fro. */
static int ping_fds[2], pong_fds[2];

PLACE void pong_answer(void *arg)
{
	unsigned int i;
	char c;

	(void)arg;
	for (i = 0; i < round_cnt; i++) {
		read_whole(ping_fds[0], &c, 1);
		write_whole(pong_fds[1], &c, 1);
	}
}

PLACE void ping_ask(char *c)
{
	write_whole(ping_fds[1], c, 1);
	read_whole(pong_fds[0], c, 1);
	STAY();
}

static void run_ping_pong(struct truth *truth, double seconds)
{
	uint64_t start_ns;
	unsigned int i;
	char c = 'x';
	pid_t pid;

	round_cnt = rounds(seconds, 20000);
	make_pipe(ping_fds);
	make_pipe(pong_fds);
	name_thread("ping");
	pid = child__start("pong", nth_cpu(0), pong_answer, NULL);
	pin(nth_cpu(1));
	start_ns = now_ns();
	for (i = 0; i < round_cnt; i++)
		ping_ask(&c);
	cause_ns = now_ns() - start_ns;
	child__join(pid);
	*truth = (struct truth){ "pipe", "ping_ask", "ping", cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "rounds=%u peer=pong peer_place=pong_answer",
		 round_cnt);
}

/* stage: three threads in a row, of which the middle one has all the work. */
#define ITEM_SZ 4096

static int raw_fds[2], done_fds[2];

PLACE void stage_source(void *arg)
{
	char item[ITEM_SZ] = { 0 };
	unsigned int i;

	(void)arg;
	for (i = 0; i < round_cnt; i++) {
		burn_ns(200 * US_NS);
		write_whole(raw_fds[1], item, sizeof(item));
	}
}

PLACE void stage_transform(char *item)
{
	item[0]++;
	burn_ns(4 * MS_NS);
}

PLACE void stage_middle(void *arg)
{
	char item[ITEM_SZ];
	uint64_t start_ns;
	unsigned int i;

	(void)arg;
	for (i = 0; i < round_cnt; i++) {
		read_whole(raw_fds[0], item, sizeof(item));
		start_ns = now_ns();
		stage_transform(item);
		cause_ns += now_ns() - start_ns;
		write_whole(done_fds[1], item, sizeof(item));
	}
}

PLACE void stage_sink(void *arg)
{
	char item[ITEM_SZ];
	unsigned int i;

	(void)arg;
	for (i = 0; i < round_cnt; i++) {
		read_whole(done_fds[0], item, sizeof(item));
		burn_ns(200 * US_NS);
	}
}

static void run_stage(struct truth *truth, double seconds)
{
	struct worker workers[] = {
		{ "source", -1, stage_source, NULL, 0 },
		{ "transform", -1, stage_middle, NULL, 0 },
		{ "sink", -1, stage_sink, NULL, 0 },
	};

	round_cnt = rounds(seconds, 260);
	make_pipe(raw_fds);
	make_pipe(done_fds);
	workers__start(workers, 3);
	workers__join(workers, 3);
	*truth = (struct truth){ "cpu", "stage_transform", "transform", cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "victim=sink victim_place=stage_sink items=%u",
		 round_cnt);
}

/* slow-log: a program that logs faster than its log is read. */
#define LINE_SZ 512

static int log_fds[2];

/* Takes 1.25 ms for a line, as a slow terminal or disk does. */
PLACE void log_drain(void *arg)
{
	char buf[LINE_SZ];
	ssize_t n;

	(void)arg;
	close(log_fds[1]);
	while ((n = read(log_fds[0], buf, sizeof(buf))) > 0)
		sleep_ns((uint64_t)n * 1250 * US_NS / LINE_SZ);
	STAY();
}

PLACE void log_line(const char *line)
{
	write_whole(log_fds[1], line, LINE_SZ);
	STAY();
}

static void run_slow_log(struct truth *truth, double seconds)
{
	char line[LINE_SZ];
	uint64_t start_ns;
	unsigned int i;
	pid_t pid;

	round_cnt = rounds(seconds, 800);
	make_pipe(log_fds);
	/* One page: the log is read line by line from the start. */
	if (fcntl(log_fds[0], F_SETPIPE_SZ, 4096) < 0)
		die("F_SETPIPE_SZ: %s", strerror(errno));
	memset(line, '.', sizeof(line));
	line[LINE_SZ - 1] = '\n';
	name_thread("worker");
	pid = child__start("logger", -1, log_drain, NULL);
	close(log_fds[0]);
	for (i = 0; i < round_cnt; i++) {
		burn_ns(100 * US_NS);
		start_ns = now_ns();
		log_line(line);
		cause_ns += now_ns() - start_ns;
	}
	close(log_fds[1]);
	child__join(pid);
	*truth = (struct truth){ "pipe", "log_line", "worker", cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "lines=%u peer=logger peer_place=log_drain",
		 round_cnt);
}

/* socket-peer: a client of a name server that takes 20 ms for an answer. */
static int server_fd;

PLACE void resolver_lookup(void)
{
	sleep_ns(20 * MS_NS);
}

PLACE void resolver_answer(void *arg)
{
	struct sockaddr_in peer;
	socklen_t peer_sz;
	unsigned int i;
	char buf[64];
	ssize_t n;

	(void)arg;
	for (i = 0; i < round_cnt; i++) {
		peer_sz = sizeof(peer);
		n = recvfrom(server_fd, buf, sizeof(buf), 0, (struct sockaddr *)&peer, &peer_sz);
		if (n < 0)
			die("recvfrom: %s", strerror(errno));
		resolver_lookup();
		if (sendto(server_fd, buf, (size_t)n, 0, (struct sockaddr *)&peer, peer_sz) != n)
			die("sendto: %s", strerror(errno));
	}
}

WRAPPER void receive(int fd, void *buf, size_t sz)
{
	if (recv(fd, buf, sz, 0) != (ssize_t)sz)
		die("recv: %s", strerror(errno));
	STAY();
}

PLACE void resolve_name(int fd)
{
	char buf[64] = "example.org";

	if (send(fd, buf, sizeof(buf), 0) != sizeof(buf))
		die("send: %s", strerror(errno));
	receive(fd, buf, sizeof(buf));
	STAY();
}

static void run_socket_peer(struct truth *truth, double seconds)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	socklen_t addr_sz = sizeof(addr);
	uint64_t start_ns;
	unsigned int i;
	pid_t pid;
	int fd;

	round_cnt = rounds(seconds, 50);
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server_fd = socket(AF_INET, SOCK_DGRAM, 0);
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (server_fd < 0 || fd < 0 || bind(server_fd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    getsockname(server_fd, (struct sockaddr *)&addr, &addr_sz) ||
	    connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		skip("no UDP on the loopback device (%s); bring it up", strerror(errno));
	name_thread("client");
	pid = child__start("resolver", -1, resolver_answer, NULL);
	for (i = 0; i < round_cnt; i++) {
		burn_ns(1 * MS_NS);
		start_ns = now_ns();
		resolve_name(fd);
		cause_ns += now_ns() - start_ns;
	}
	child__join(pid);
	*truth = (struct truth){ "socket", "resolve_name", "client", cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more),
		 "queries=%u peer=resolver peer_place=resolver_lookup", round_cnt);
}

/* slow-child: a process that waits for a child, which has the work. */
PLACE void child_work(void *arg)
{
	burn_ns(*(uint64_t *)arg);
}

PLACE void parent_wait(pid_t pid)
{
	child__join(pid);
	STAY();
}

static void run_slow_child(struct truth *truth, double seconds)
{
	uint64_t work_ns = (uint64_t)(seconds * 1100 * MS_NS), start_ns;
	pid_t pid;

	name_thread("parent");
	burn_ns(20 * MS_NS);
	start_ns = now_ns();
	pid = child__start("slow-child", -1, child_work, &work_ns);
	parent_wait(pid);
	cause_ns = now_ns() - start_ns;
	*truth = (struct truth){ "child", "child_work", "slow-child", cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more),
		 "child_cpu_ms=%.1f victim=parent victim_place=parent_wait",
		 (double)work_ns / MS_NS);
}

/* poll-loop: a thread that looks for work each 10 ms instead of being woken for it. */
WRAPPER void poll_once(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	if (poll(&pfd, 1, 10))
		die("poll: %s", strerror(errno));
	STAY();
}

PLACE void poll_for_work(int fd)
{
	poll_once(fd);
	STAY();
}

PLACE void poll_loop(void *arg)
{
	uint64_t start_ns;
	unsigned int i;
	int fds[2];

	(void)arg;
	make_pipe(fds);
	for (i = 0; i < round_cnt; i++) {
		start_ns = now_ns();
		poll_for_work(fds[0]);
		cause_ns += now_ns() - start_ns;
		burn_ns(1 * MS_NS);
	}
}

static void run_poll_loop(struct truth *truth, double seconds)
{
	struct worker poller = { "poller", -1, poll_loop, NULL, 0 };

	round_cnt = rounds(seconds, 100);
	workers__start(&poller, 1);
	workers__join(&poller, 1);
	*truth = (struct truth){ "poll", "poll_for_work", "poller", cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "polls=%u", round_cnt);
}

/* sleep: a thread that sleeps between attempts. */
PLACE void sleep_backoff(void)
{
	sleep_ns(10 * MS_NS);
	STAY();
}

PLACE void sleep_loop(void *arg)
{
	uint64_t start_ns;
	unsigned int i;

	(void)arg;
	for (i = 0; i < round_cnt; i++) {
		start_ns = now_ns();
		sleep_backoff();
		cause_ns += now_ns() - start_ns;
		burn_ns(1 * MS_NS);
	}
}

static void run_sleep(struct truth *truth, double seconds)
{
	struct worker sleeper = { "sleeper", -1, sleep_loop, NULL, 0 };

	round_cnt = rounds(seconds, 100);
	workers__start(&sleeper, 1);
	workers__join(&sleeper, 1);
	*truth = (struct truth){ "timer", "sleep_backoff", "sleeper", cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "sleeps=%u", round_cnt);
}

/* semaphore: a process waits for blocks that another one makes, and that never waits itself. */
static sem_t *blocks_made;

PLACE void compress_block(void)
{
	burn_ns(20 * MS_NS);
	sem_post(blocks_made);
	STAY();
}

PLACE void compressor(void *arg)
{
	unsigned int i;

	(void)arg;
	for (i = 0; i < round_cnt; i++)
		compress_block();
}

PLACE void await_block(void)
{
	while (sem_wait(blocks_made))
		STAY();
}

static void run_semaphore(struct truth *truth, double seconds)
{
	uint64_t start_ns;
	unsigned int i;
	pid_t pid;

	round_cnt = rounds(seconds, 50);
	blocks_made = shared_memory(sizeof(*blocks_made));
	sem_init(blocks_made, 1, 0);
	name_thread("archiver");
	start_ns = now_ns();
	pid = child__start("compressor", -1, compressor, NULL);
	for (i = 0; i < round_cnt; i++)
		await_block();
	cause_ns = now_ns() - start_ns;
	child__join(pid);
	*truth = (struct truth){ "user", "compress_block", "compressor", cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "victim=archiver victim_place=await_block");
}

/* stopped: a process stops its child by a signal, for most of the time. */
PLACE void stopped_job(void *arg)
{
	/* It stops when it has the CPU, which may be late on a busy machine. */
	setpriority(PRIO_PROCESS, 0, -15);
	burn_ns(*(uint64_t *)arg);
}

PLACE void pause_job(pid_t pid)
{
	kill(pid, SIGSTOP);
	sleep_ns(200 * MS_NS);
	kill(pid, SIGCONT);
	STAY();
}

static void run_stopped(struct truth *truth, double seconds)
{
	unsigned int i, pause_cnt = rounds(seconds, 4);
	uint64_t work_ns = 150 * MS_NS, start_ns;
	pid_t pid;

	name_thread("supervisor");
	pid = child__start("job", -1, stopped_job, &work_ns);
	for (i = 0; i < pause_cnt; i++) {
		start_ns = now_ns();
		pause_job(pid);
		cause_ns += now_ns() - start_ns;
		sleep_ns(20 * MS_NS);
	}
	child__join(pid);
	*truth = (struct truth){ "stopped", "pause_job", "supervisor", cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "victim=job");
}

const struct culprit peer_culprits[] = {
	{ "ping-pong", "two processes hand one byte to and fro", run_ping_pong },
	{ "stage", "a pipeline, of which one stage has the work", run_stage },
	{ "slow-log", "a program logs into a pipe that is read slowly", run_slow_log },
	{ "socket-peer", "a client waits for a server's answers", run_socket_peer },
	{ "slow-child", "a process waits for its child", run_slow_child },
	{ "poll-loop", "a thread polls where nothing comes", run_poll_loop },
	{ "sleep", "a thread sleeps between its steps", run_sleep },
	{ "semaphore", "a process waits for blocks that another one makes", run_semaphore },
	{ "stopped", "a process stops its child by a signal", run_stopped },
	{ 0 },
};
