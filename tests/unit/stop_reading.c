// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Signals that stop the reading of a recording: which, of a file and of a pipe, and what is handed
 * on.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/input.h"
#include "data/recording.h"
#include "perf_file_make.h"
#include "tap.h"
#include "util/stop_signals.h"

enum { TO_READ, TO_WRITE };

static bool is_default(int sig)
{
	struct sigaction act;

	return !sigaction(sig, NULL, &act) && act.sa_handler == SIG_DFL;
}

static void test_caught(void)
{
	int first = 0;

	signal(SIGHUP, SIG_IGN);
	/* A shell starts background commands with SIGINT ignored. */
	signal(SIGINT, SIG_IGN);
	stop_signals__catch();
	ok(!stop_signals__pending(), "no signal has come");
	raise(SIGHUP);
	is_s64(stop_signals__caught(NULL), 0,
	       "a signal that is ignored, as by nohup, stays ignored");
	raise(SIGINT);
	is_s64(stop_signals__caught(&first), 1, "one signal is caught");
	is_s64(first, SIGINT, "a caught signal: its number");
	ok(stop_signals__pending(), "a caught signal: pending");
	ok(is_default(SIGINT) && is_default(SIGTERM),
	   "a caught signal: the next one ends the program");
	signal(SIGHUP, SIG_DFL);

	stop_signals__catch();
	stop_signals__catch_up_to(2);
	raise(SIGTERM);
	ok(!is_default(SIGINT) && !is_default(SIGTERM) && !is_default(SIGHUP),
	   "the first of two leaves the second caught");
	raise(SIGHUP);
	is_s64(stop_signals__caught(&first), 2, "two signals: both are caught");
	is_s64(first, SIGTERM, "two signals: the first is still known");
	ok(is_default(SIGINT) && is_default(SIGTERM) && is_default(SIGHUP),
	   "two signals: no third is caught");

	stop_signals__catch();
	stop_signals__catch_up_to(2);
	raise(SIGINT);
	stop_signals__catch_up_to(1);
	ok(is_default(SIGINT), "where the second is not waited for, it is not caught");
}

struct seen {
	struct recording *rec;
	size_t cnt;
	int last; /* what recording__next() said in the end */
};

/*
 * A child reads fds[TO_READ] while the test writes to fds[TO_WRITE]; signals are caught from here
 * on.
 */
static void begin(struct seen *seen, const struct made *m, size_t sz, const int fds[2])
{
	char path[64];

	*seen = (struct seen){ 0 };
	sprintf(path, "/proc/self/fd/%d", fds[TO_READ]);
	stop_signals__catch();
	if (write(fds[TO_WRITE], m->p, sz) == (ssize_t)sz)
		seen->rec = recording__open(path);
}

static void begin_pipe(struct seen *seen, const struct made *m, size_t sz, int fds[2])
{
	if (pipe(fds))
		fds[TO_READ] = fds[TO_WRITE] = -1;
	begin(seen, m, sz, fds);
}

static void read_on(struct seen *seen)
{
	struct record raw;

	while ((seen->last = seen->rec ? recording__next(seen->rec, &raw) : -1) > 0)
		seen->cnt++;
}

static void end_pipe(struct seen *seen, const int fds[2])
{
	recording__close(seen->rec);
	close(fds[TO_READ]);
	if (fds[TO_WRITE] >= 0)
		close(fds[TO_WRITE]);
}

/* Counts the records of a kind that is read to its end. */
static size_t whole_cnt(const struct made *m)
{
	struct seen seen;
	int fds[2];

	begin_pipe(&seen, m, m->sz, fds);
	close(fds[TO_WRITE]);
	fds[TO_WRITE] = -1;
	read_on(&seen);
	is_s64(seen.last, 0, "%zu records, read to the end", seen.cnt);
	ok(seen.rec && !seen.rec->is_stopped, "a recording read to its end: not stopped");
	end_pipe(&seen, fds);
	return seen.cnt;
}

static void test_file(int sig)
{
	static struct made m;
	struct seen seen;
	int fd = memfd_create("made", 0);

	printf("# a file, signal %d\n", sig);
	made_kind(&m, 0);
	begin(&seen, &m, m.sz, (int[]){ fd, fd });
	raise(sig);
	read_on(&seen);
	is_s64(seen.last, 0, "a stop while reading: no error");
	is_u64(seen.cnt, 0, "a stop while reading: earlier records came");
	ok(seen.rec && seen.rec->is_stopped, "a stop while reading: it is reported");
	ok(is_default(sig), "a stop while reading: the next signal ends the program");
	recording__close(seen.rec);
	close(fd);
}

/* The writer gets it, too, and has something left to write. */
static void test_pipe_is_read_on(unsigned int kind, int sig)
{
	static struct made m;
	struct seen seen;
	size_t cnt, half;
	int fds[2];

	printf("# a pipe, %s, signal %d\n", kind & 4 ? "packed" : "plain", sig);
	made_kind(&m, kind);
	cnt = whole_cnt(&m);
	half = m.sz / 2;
	begin_pipe(&seen, &m, half, fds);
	raise(sig);
	ok(!is_default(sig), "a stop between pieces: one more is waited for");
	ok(write(fds[TO_WRITE], m.p + half, m.sz - half) == (ssize_t)(m.sz - half),
	   "a stop between pieces: the rest is written");
	close(fds[TO_WRITE]);
	fds[TO_WRITE] = -1;
	read_on(&seen);
	is_s64(seen.last, 0, "a stop between pieces: read to the end");
	is_u64(seen.cnt, cnt, "a stop between pieces: all records came");
	ok(seen.rec && !seen.rec->is_stopped, "a stop between pieces: not stopped");
	ok(is_default(sig), "a stop between pieces: the next signal ends the program");
	end_pipe(&seen, fds);
}

/* Two signals: whatever was read last, it ends in silence. */
static void test_pipe_is_stopped(unsigned int kind)
{
	int told = memfd_create("told", 0), err = dup(STDERR_FILENO);
	size_t sz, cnt, last = 0, fewer = 0, wrong = 0;
	static struct made m;
	struct stat st;

	printf("# a pipe, %s, stopped at each byte\n", kind & 4 ? "packed" : "plain");
	made_kind(&m, kind);
	cnt = whole_cnt(&m);
	dup2(told, STDERR_FILENO);
	for (sz = 16; sz <= m.sz; sz++) {
		struct seen seen;
		int fds[2];

		begin_pipe(&seen, &m, sz, fds);
		raise(SIGINT);
		raise(SIGINT);
		read_on(&seen);
		wrong += seen.last || !seen.rec->is_stopped || seen.rec->read_sz > sz;
		fewer += seen.cnt < last;
		last = seen.cnt;
		end_pipe(&seen, fds);
	}
	dup2(err, STDERR_FILENO);
	close(err);
	is_u64(wrong, 0, "a stop in each piece: no error, and the stop is reported");
	is_u64(fewer, 0, "a stop in each piece: a longer piece never has fewer records");
	is_u64(last, cnt, "a stop in each piece: the longest has all");
	ok(!fstat(told, &st) && !st.st_size, "a stop in each piece: no damage is reported");
	close(told);
}

/* Its writer may not have been sent it: after a while it ends all the same. */
static void test_term(void)
{
	static struct made m;
	struct seen seen;
	size_t cnt;
	int fds[2];

	printf("# a pipe that is not ended, SIGTERM\n");
	made_kind(&m, 2);
	cnt = whole_cnt(&m);
	begin_pipe(&seen, &m, m.sz, fds);
	raise(SIGTERM);
	read_on(&seen);
	is_s64(seen.last, 0, "a stop of a pipe: no error");
	is_u64(seen.cnt, cnt, "a stop of a pipe: earlier records came");
	ok(seen.rec && seen.rec->is_stopped, "a stop of a pipe: it is reported");
	end_pipe(&seen, fds);
}

int main(void)
{
	test_caught();
	test_file(SIGINT);
	test_file(SIGTERM);
	test_pipe_is_read_on(2, SIGINT);
	test_pipe_is_read_on(6, SIGHUP);
	test_pipe_is_stopped(2);
	test_pipe_is_stopped(6);
	test_term();
	return done_testing();
}
