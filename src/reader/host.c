// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "reader/host.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reader/message.h"
#include "reader/sandbox.h"
#include "reader/worker.h"
#include "util/hash.h"
#include "util/mono.h"

#define HOST_SOCK 3
/* The host does nothing else. */
#define ORDER_MAX_NS 10000000000ull

static const struct message_wait no_limit = { MESSAGE_NO_LIMIT, 0 };

static void on_child(int sig)
{
}

static void become_reader(const struct host_order *order, int sock, pid_t host)
{
	char begin;

	/* Until bpfperf knows its id, and has it excluded from what is traced. */
	if (message__receive_rest(sock, &begin, 1, &no_limit))
		_exit(1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The host may have ended before that. */
	if (getppid() != host)
		_exit(1);
	dup2(sock, HOST_SOCK);
	close(sock);
	/* A reader that is taken over does not know which keys collide in bpfperf. */
	hash_seed__renew();
	if (sandbox__enter_reader(order->mem_max, order->map_max))
		_exit(1);
	worker__serve(HOST_SOCK);
	_exit(0);
}

static int answer_order(const struct host_order *order, int sock)
{
	pid_t host = getpid(), pid = fork();
	struct host_answer answer = { pid < 0 ? -errno : pid };

	if (!pid)
		become_reader(order, sock, host);
	close(sock);
	return message__send(HOST_SOCK, &answer, sizeof(answer), NULL, 0, NULL, 0, &no_limit);
}

static void kill_child(pid_t pid)
{
	siginfo_t info;

	/* SIGCHLD is blocked: a child is not reaped before its number is looked at. */
	if (!waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT))
		kill(pid, SIGKILL);
}

/* Waits for an order, and reaps the readers that end meanwhile. */
static void wait_for_order(void)
{
	struct pollfd fd = { .fd = HOST_SOCK, .events = POLLIN };
	sigset_t mask;

	sigfillset(&mask);
	sigdelset(&mask, SIGCHLD);
	while (ppoll(&fd, 1, NULL, &mask) <= 0)
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
}

static void run_host(int sock_before)
{
	const struct sigaction act = { .sa_handler = on_child };
	const struct host_answer self = { getpid() };
	struct host_order order;
	uint32_t fd_cnt;
	int sock;

	/* bpfperf goes on meanwhile; signals that end it are not for its host. */
	if (message__send(sock_before, &self, sizeof(self), NULL, 0, NULL, 0, &no_limit))
		_exit(1);
	sandbox__enter_host(sock_before);
	sigaction(SIGCHLD, &act, NULL);
	for (;;) {
		wait_for_order();
		if (message__receive(HOST_SOCK, &order, sizeof(order), NULL, 0, NULL, &sock, 1,
				     &fd_cnt, &no_limit))
			break;
		if (order.ended)
			kill_child(order.ended);
		else if (!fd_cnt || answer_order(&order, sock))
			break;
	}
	_exit(0);
}

int host__fork(pid_t *host_pid)
{
	struct host_answer host = { 0 };
	int sock[2], err;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sock))
		return -errno;
	/* Forked twice: init reaps it, and no wait of bpfperf's sees it. */
	pid = fork();
	if (!pid) {
		pid = fork();
		if (pid)
			_exit(pid < 0);
		run_host(sock[1]);
	}
	err = pid < 0 ? -errno : 0;
	close(sock[1]);
	while (!err && waitpid(pid, NULL, 0) < 0)
		if (errno != EINTR)
			err = -errno;
	if (!err)
		err = message__receive_rest(sock[0], &host, sizeof(host),
					    &(struct message_wait){ mono_ns() + ORDER_MAX_NS, 0 });
	*host_pid = host.pid;
	if (!err)
		return sock[0];
	close(sock[0]);
	return err;
}

int host__begin(int sock)
{
	const struct message_wait wait = { mono_ns() + ORDER_MAX_NS, 0 };

	return message__send(sock, "", 1, NULL, 0, NULL, 0, &wait);
}

int host__order(int host, uint64_t mem_max, uint64_t map_max, pid_t *pid)
{
	struct host_order order;
	struct host_answer answer = { -ECHILD };
	const struct message_wait wait = { mono_ns() + ORDER_MAX_NS, 0 };
	int sock[2], err;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sock))
		return -errno;
	/* Its padding is sent, too. */
	memset(&order, 0, sizeof(order));
	order.mem_max = mem_max;
	order.map_max = map_max;
	err = message__send(host, &order, sizeof(order), NULL, 0, &sock[1], 1, &wait);
	close(sock[1]);
	if (!err)
		err = message__receive_rest(host, &answer, sizeof(answer), &wait);
	if (!err && answer.pid < 0)
		err = answer.pid;
	*pid = answer.pid;
	if (!err)
		return sock[0];
	close(sock[0]);
	return err;
}

void host__kill(int host, pid_t pid)
{
	struct host_order order;
	const struct message_wait wait = { mono_ns() + ORDER_MAX_NS, 0 };

	memset(&order, 0, sizeof(order));
	order.ended = pid;
	message__send(host, &order, sizeof(order), NULL, 0, NULL, 0, &wait);
}
