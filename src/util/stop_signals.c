// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/stop_signals.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define SIGNAL_CNT (sizeof(signals) / sizeof(*signals))

/* Any thread may catch a signal, and any may read the counts: they are atomic. */
static int caught_cnt, first_caught, enough = 1;

void stop_signals__fill(sigset_t *set)
{
	struct sigaction hup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

void stop_signals__block(void)
{
	sigset_t set;

	stop_signals__fill(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

void stop_signals__drop_pending(void)
{
	const struct timespec none = { 0, 0 };
	sigset_t set;

	stop_signals__fill(&set);
	while (sigtimedwait(&set, NULL, &none) > 0)
		;
}

void stop_signals__unblock(void)
{
	sigset_t set;

	stop_signals__drop_pending();
	stop_signals__fill(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void fill_usr2(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGUSR2);
}

void stop_signals__block_usr2(void)
{
	sigset_t set;

	fill_usr2(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

int stop_signals__open_usr2(void)
{
	sigset_t set;

	fill_usr2(&set);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool stop_signals__took_usr2(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == sizeof(info);
}

bool stop_signals__pending(void)
{
	sigset_t set, pending;
	size_t i;

	if (stop_signals__caught(NULL))
		return true;
	stop_signals__fill(&set);
	sigpending(&pending);
	for (i = 0; i < SIGNAL_CNT; i++)
		if (sigismember(&set, signals[i]) == 1 && sigismember(&pending, signals[i]) == 1)
			return true;
	return false;
}

int stop_signals__take(sigset_t *before)
{
	const struct timespec none = { 0, 0 };
	sigset_t set;
	int sig;

	stop_signals__fill(&set);
	sig = sigtimedwait(&set, NULL, &none);
	if (sig <= 0)
		return 0;
	pthread_sigmask(SIG_UNBLOCK, &set, before);
	return sig;
}

void stop_signals__put_back(int sig, const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
	kill(getpid(), sig);
}

/* No SA_RESTART: a call that waits has to check whether it goes on. */
static void set_handler(void (*fn)(int sig))
{
	struct sigaction act = { .sa_handler = fn };
	size_t i;

	stop_signals__fill(&act.sa_mask);
	for (i = 0; i < SIGNAL_CNT; i++)
		if (sigismember(&act.sa_mask, signals[i]) == 1)
			sigaction(signals[i], &act, NULL);
}

static void on_signal(int sig)
{
	int none = 0;

	__atomic_compare_exchange_n(&first_caught, &none, sig, false, __ATOMIC_SEQ_CST,
				    __ATOMIC_SEQ_CST);
	if (__atomic_add_fetch(&caught_cnt, 1, __ATOMIC_SEQ_CST) >=
	    __atomic_load_n(&enough, __ATOMIC_SEQ_CST))
		set_handler(SIG_DFL);
}

void stop_signals__catch(void)
{
	caught_cnt = first_caught = 0;
	enough = 1;
	set_handler(on_signal);
}

void stop_signals__catch_up_to(int cnt)
{
	__atomic_store_n(&enough, cnt, __ATOMIC_SEQ_CST);
	if (stop_signals__caught(NULL) >= cnt)
		set_handler(SIG_DFL);
}

int stop_signals__caught(int *first)
{
	int cnt = __atomic_load_n(&caught_cnt, __ATOMIC_SEQ_CST);

	if (first)
		*first = __atomic_load_n(&first_caught, __ATOMIC_SEQ_CST);
	return cnt;
}
