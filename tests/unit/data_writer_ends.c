// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * How a recording ends that has no room, or no reader, or that Ctrl-C ends while somebody is waited
 * for.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "data_writing.h"
#include "tap.h"

#define RECORDS 20011
#define SMALL (7 * ROUND_OF)
#define MANY 1500007 /* more than may wait to be written */

/* No room left, as a limit of the file's size has it: -EFBIG. */
static void check_full(void)
{
	struct rlimit limit = { 3000017, RLIM_INFINITY }, before;
	struct recording *rec;
	struct data_writer *w;
	unsigned int aux;
	bool is_same;
	uint32_t cnt;
	int err;

	snprintf(path, sizeof(path), "%s/full", dir);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
	w = open_writer(path, false);
	err = w ? write_records(w, RECORDS, false) : -1;
	if (w && !err)
		err = data_writer__finish(w);
	is_s64(err, -EFBIG, "full: the error is returned");
	data_writer__free(w);
	setrlimit(RLIMIT_FSIZE, &before);
	cnt = read_back(path, &is_same, &rec, &aux);
	ok(rec && is_same && cnt % ROUND_OF == 0, "full: whole rounds can be read: %u records",
	   cnt);
	ok(rec && rec->is_cut && !rec->lacks_features, "full: the header has all features");
	recording__close(rec);
}

/*
 * A small recording, with so many build-ids, each a record of 128 bytes behind the others. Its
 * bytes, or the error.
 */
static int64_t write_small(uint32_t build_ids)
{
	struct data_writer *w;
	struct stat st;
	uint32_t i;
	int err;

	unlink(path);
	w = open_writer(path, false);
	err = w ? write_records(w, SMALL, false) : -1;
	for (i = 0; i < build_ids && !err; i++)
		err = data_writer__add_build_id(w, "/usr/bin/demo", false, "12345678", 8);
	if (w && !err)
		err = data_writer__finish(w);
	data_writer__free(w);
	return err ? err : stat(path, &st) ? -errno : st.st_size;
}

/*
 * Room for the records, but not for what stands behind them: the last round, just written, is
 * there.
 */
static void check_full_at_end(void)
{
	struct rlimit limit, before;
	struct recording *rec;
	unsigned int aux;
	bool is_same;
	int64_t sz;

	snprintf(path, sizeof(path), "%s/end", dir);
	sz = write_small(0);
	ok(sz > 0, "full at the end: there is room for %lld bytes", (long long)sz);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	/* Also for what the header tells of once or twice more: it is by the time. */
	limit = (struct rlimit){ (rlim_t)sz + 20011, before.rlim_max };
	setrlimit(RLIMIT_FSIZE, &limit);
	is_s64(write_small(1009), -EFBIG, "full at the end: the error is returned");
	setrlimit(RLIMIT_FSIZE, &before);
	is_u64(read_back(path, &is_same, &rec, &aux), SMALL, "full at the end: all records");
	ok(rec && is_same && rec->is_cut && !rec->lacks_features,
	   "full at the end: the header has all features but those of the end");
	recording__close(rec);
}

static bool is_pending(void)
{
	sigset_t set;

	sigpending(&set);
	return sigismember(&set, SIGINT);
}

struct late_reader {
	char from[sizeof(path)];
	bool is_over; /* nothing more is written */
	uint32_t cnt;
	bool is_same;
};

/* Reads only once the writer that waits for it has taken notice of the signal. */
static void *read_late(void *arg)
{
	const struct timespec pause = { 0, 1000000 };
	struct late_reader *r = arg;
	struct recording *rec;
	unsigned int aux;

	while (is_pending() && !__atomic_load_n(&r->is_over, __ATOMIC_ACQUIRE))
		nanosleep(&pause, NULL);
	r->cnt = read_back(r->from, &r->is_same, &rec, &aux);
	recording__close(rec);
	return NULL;
}

/* stdout becomes a pipe, of which *fd is the end to read from. What it was. */
static int pipe_stdout(int *fd)
{
	int fds[2], saved = dup(1);

	fflush(stdout);
	if (pipe(fds))
		exit(1);
	/* Also what stands before the records. */
	fcntl(fds[1], F_SETPIPE_SZ, 1 << 20);
	dup2(fds[1], 1);
	close(fds[1]);
	*fd = fds[0];
	return saved;
}

/*
 * Ctrl-C while 256 MiB wait for the reader: nothing is lost, and the signal is
 * still pending for sigwait().
 */
static void check_asked(const sigset_t *set)
{
	struct late_reader reader = { .cnt = 0 };
	struct data_writer *w;
	int fd, saved = pipe_stdout(&fd), err, sig;
	bool is_left;
	pthread_t thread;

	snprintf(reader.from, sizeof(reader.from), "/proc/self/fd/%d", fd);
	kill(getpid(), SIGINT);
	pthread_create(&thread, NULL, read_late, &reader);
	w = open_writer("-", false);
	err = w ? write_records(w, MANY, false) : -1;
	is_left = is_pending();
	__atomic_store_n(&reader.is_over, true, __ATOMIC_RELEASE);
	if (!err)
		err = data_writer__finish(w);
	data_writer__free(w);
	dup2(saved, 1);
	close(saved);
	pthread_join(thread, NULL);
	close(fd);
	is_s64(err, 0, "asked to end: what waits is written");
	is_u64(reader.cnt, MANY, "asked to end: all records came");
	ok(reader.is_same, "asked to end: byte for byte");
	ok(is_left, "asked to end: whoever waits for the signal finds it");
	if (is_left)
		sigwait(set, &sig);
}

/* Ctrl-C again, while the pipe is not read. */
static void check_asked_twice(void)
{
	const struct timespec pause = { 0, 1000000 };
	int fd, saved, status;
	struct data_writer *w;
	pid_t pid = fork();

	if (!pid) {
		saved = pipe_stdout(&fd);
		w = open_writer("-", false);
		if (w)
			write_records(w, MANY, false);
		dup2(saved, 1);
		_exit(1);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		kill(pid, SIGINT);
		nanosleep(&pause, NULL);
	}
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT,
	   "asked to end: the second signal ends it at once");
}

static void *read_fifo(void *arg)
{
	struct late_reader *r = arg;
	struct recording *rec;
	unsigned int aux;

	r->cnt = read_back(r->from, &r->is_same, &rec, &aux);
	recording__close(rec);
	return NULL;
}

/*
 * A named pipe without a reader: Ctrl-C, though it is blocked, ends the wait; otherwise a late
 * reader gets all data.
 */
static void check_fifo(const sigset_t *set)
{
	struct late_reader reader = { .cnt = 0 };
	const struct data_writer_opts opts = { 0 };
	struct data_writer *w;
	pthread_t thread;
	int sig;

	snprintf(path, sizeof(path), "%s/fifo", dir);
	snprintf(reader.from, sizeof(reader.from), "%s", path);
	mkfifo(path, 0600);
	kill(getpid(), SIGINT);
	is_s64(data_writer__open(&w, path, &opts), -EINTR,
	       "fifo: asked to end, it waits no longer");
	ok(is_pending(), "fifo: whoever waits for the signal finds it");
	sigwait(set, &sig);
	pthread_create(&thread, NULL, read_fifo, &reader);
	w = open_writer(path, false);
	is_s64(w ? write_records(w, SMALL, false) : -1, 0, "fifo: with a reader it is written");
	is_s64(w ? data_writer__finish(w) : -1, 0, "fifo: to its end");
	data_writer__free(w);
	pthread_join(thread, NULL);
	ok(reader.is_same && reader.cnt == SMALL, "fifo: all records come: %u", reader.cnt);
}

static void check_signals(void)
{
	sigset_t set, before;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	/* A shell starts background commands with SIGINT ignored; this one is in the foreground. */
	signal(SIGINT, SIG_DFL);
	check_fifo(&set);
	check_asked(&set);
	check_asked_twice();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int main(void)
{
	char cmd[64];

	if (!mkdtemp(dir))
		return 1;
	make_tracefs();
	check_full();
	check_full_at_end();
	check_signals();
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	if (system(cmd))
		diag("%s is left", dir);
	return done_testing();
}
