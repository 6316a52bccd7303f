// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Readers (reader/reader.h): what they can and cannot do, tried from the inside, and what their
 * caller gets when they crash, hang or lie.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "call_trial.h"
#include "reader/reader.h"
#include "reader/sandbox.h"
#include "tap.h"
#include "util/mono.h"
#include "util/stop_signals.h"

#define SECOND 1000000000ull
#define SOCK 3

static int echo(struct reader_request *req, struct strbuf *answer)
{
	char buf[16];
	uint32_t i;
	ssize_t n;

	strbuf__add(answer, req->body, req->sz);
	for (i = 0; i < req->fd_cnt; i++) {
		n = pread(req->fds[i], buf, sizeof(buf), 0);
		if (n > 0)
			strbuf__add(answer, buf, (size_t)n);
	}
	return 0;
}

static int crash(struct reader_request *req, struct strbuf *answer)
{
	/* Signals are blocked: a fault is the kernel's to deliver. */
	__builtin_trap();
}

static int hang(struct reader_request *req, struct strbuf *answer)
{
	for (;;)
		__asm__ volatile("" ::: "memory");
	return 0;
}

/* An answer that nobody has asked for, before the answer. */
static int lie(struct reader_request *req, struct strbuf *answer)
{
	uint64_t junk[16];
	struct iovec iov = { junk, sizeof(junk) };
	const struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	memset(junk, 0xa5, sizeof(junk));
	return sendmsg(SOCK, &msg, 0) < 0 ? -errno : 0;
}

static int fail(struct reader_request *req, struct strbuf *answer)
{
	strbuf__puts(answer, "half of an answer");
	return -ENOEXEC;
}

__attribute__((unused)) static int eat(struct reader_request *req, struct strbuf *answer)
{
	size_t i;

	for (i = 0; i < 1024; i++)
		strbuf__reserve(answer, (i + 1) << 20);
	return 0;
}

/* A library cannot read a part, and its next call changes errno. */
static int unread(struct reader_request *req, struct strbuf *answer)
{
	char part[4];

	if (pread(req->fds[0], part, sizeof(part), 0) >= 0)
		return -EINVAL;
	errno = 0;
	return 0;
}

/* Notes that this reader was sent. */
static uint32_t notes;

static int note(struct reader_request *req, struct strbuf *answer)
{
	notes++;
	strbuf__puts(answer, "an answer that is not wanted");
	return 0;
}

static int count_notes(struct reader_request *req, struct strbuf *answer)
{
	strbuf__printf(answer, "%u", notes);
	return 0;
}

/* The answer: numbers of system calls that are not on the list, and did not fail with EPERM. */
static int try_calls(struct reader_request *req, struct strbuf *answer)
{
	call_trial__run(sandbox__allows, EPERM, answer);
	return 0;
}

/* Calls that are on the list with some arguments only, with others. */
static int try_args(struct reader_request *req, struct strbuf *answer)
{
	char path[] = "/etc/passwd", buf[256];
	void *code;

	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code != MAP_FAILED || errno != EPERM)
		strbuf__puts(answer, " mmap");
	code = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!mprotect(code, 4096, PROT_READ | PROT_EXEC) || errno != EPERM)
		strbuf__puts(answer, " mprotect");
	if (syscall(SYS_newfstatat, AT_FDCWD, path, buf, 0) != -1 || errno != EPERM)
		strbuf__puts(answer, " stat");
	if (fcntl(SOCK, F_SETFL, O_ASYNC) != -1 || errno != EPERM)
		strbuf__puts(answer, " fcntl");
	if (fcntl(4, F_GETFD) != -1 || fcntl(SOCK, F_GETFD) < 0)
		strbuf__puts(answer, " descriptors");
	/* A root directory that is empty but for the numbers of descriptors. */
	if (!geteuid() && !syscall(SYS_newfstatat, AT_FDCWD, path, buf, AT_EMPTY_PATH))
		strbuf__puts(answer, " root");
	return 0;
}

/* The reader is a fork from before the first call: ops are what they were then. */
static const struct reader_op op_echo = { "echo", echo }, op_crash = { "crash", crash },
			      op_hang = { "hang", hang }, op_lie = { "lie", lie },
			      op_fail = { "fail", fail }, op_calls = { "calls", try_calls },
			      op_args = { "args", try_args }, op_unread = { "unread", unread },
			      op_note = { "note", note }, op_count = { "count", count_notes };

#ifndef __SANITIZE_ADDRESS__
static const struct reader_op op_eat = { "eat", eat };
#endif

static struct strbuf answer;

static int call(const struct reader_op *op, uid_t owner, uint64_t *generation)
{
	const struct reader_call c = {
		.op = op,
		.purpose = READER_NAMES,
		.owner = owner,
		.body = "body",
		.sz = 4,
		.limit_ns = 60 * SECOND,
		.answer_max = 1 << 20,
	};

	return reader__call(&c, &answer, generation);
}

static void test_answers(void)
{
	struct reader_call c = { .op = &op_echo, .limit_ns = 60 * SECOND, .answer_max = 64 };
	uint64_t root = 0, other = 0, again = 0;
	char text[100] = "";
	int fds[2];

	is_s64(call(&op_echo, 0, &root), 0, "echo: the reader answers");
	is_str(strbuf__cstr(&answer), "body", "echo: the answer is the request's body");
	is_s64(call(&op_fail, 0, &again), -ENOEXEC, "fail: the op's error arrives");
	ok(again == root, "fail: the reader lives on");
	call(&op_echo, 65533, &other);
	ok(other && other != root, "files of two owners: each has its own process");
	call(&op_echo, 0, &again);
	ok(again == root, "files of two owners: the first one's process serves on");

	fds[0] = memfd_create("first", MFD_CLOEXEC);
	fds[1] = memfd_create("second", MFD_CLOEXEC);
	c.fds = fds;
	c.fd_cnt = 2;
	ok(write(fds[0], "one", 3) == 3 && write(fds[1], "two", 3) == 3, "two files are written");
	is_s64(reader__call(&c, &answer, NULL), 0, "descriptors: the reader answers");
	is_str(strbuf__cstr(&answer), "onetwo", "descriptors: the reader reads both files");
	close(fds[0]);
	close(fds[1]);

	c.fd_cnt = 0;
	c.body = text;
	c.sz = sizeof(text);
	is_s64(reader__call(&c, &answer, NULL), -EPROTO, "an answer above its bound is refused");
	c.answer_max = 100;
	is_s64(reader__call(&c, &answer, NULL), 0, "an answer at its bound is none too many");
	is_u64(answer.len, 100, "an answer at its bound is whole");
}

static void test_notes(void)
{
	struct reader_call c = { .op = &op_note, .purpose = READER_NAMES, .limit_ns = SECOND };
	uint64_t again = 0;
	int i;

	call(&op_echo, 0, &c.generation);
	for (i = 0; i < 3; i++)
		reader__tell(&c);
	is_s64(call(&op_count, 0, &again), 0, "requests without an answer: the next call has one");
	is_str(strbuf__cstr(&answer), "3", "requests without an answer: all are done before it");
	ok(again == c.generation, "requests without an answer: the reader lives on");
	c.generation += 1000;
	reader__tell(&c);
	call(&op_count, 0, NULL);
	is_str(strbuf__cstr(&answer), "3", "a request for a reader that is gone: no other does it");
}

static void test_sharing(void)
{
	struct reader_call c = { .op = &op_count, .purpose = READER_AHEAD, .owner = 65520 };
	uint64_t own = 0;

	c.limit_ns = 60 * SECOND;
	c.answer_max = 64;
	is_s64(reader__call(&c, &answer, &c.generation), 0, "a reader reads ahead");
	c.op = &op_note;
	reader__tell(&c);
	is_s64(call(&op_count, 65520, NULL), 0, "names are asked for while it is idle");
	is_str(strbuf__cstr(&answer), "1", "names while it is idle: it answers itself");
	call(&op_count, 65520, &own);
	ok(own && own != c.generation, "a call that depends on its reader's state has its own");
	call(&op_count, 65520, NULL);
	is_str(strbuf__cstr(&answer), "0", "a reader of names is there: it is asked from then on");
}

static void test_read_error(void)
{
	/* Nothing is mapped at 0: reading there fails with EIO. */
	int fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	const struct reader_call c = {
		.op = &op_unread,
		.fds = &fd,
		.fd_cnt = 1,
		.limit_ns = 60 * SECOND,
	};

	is_s64(reader__call(&c, &answer, NULL), -EIO,
	       "a library that cannot read a part: the caller gets an error, whatever errno is");
	close(fd);
}

static void test_faults(void)
{
	uint64_t before = 0, after = 0, begin_ns;
	struct reader_call c = { .op = &op_hang, .owner = 0, .purpose = READER_NAMES };

	call(&op_echo, 0, &before);
	is_s64(call(&op_crash, 0, NULL), -ECHILD, "crash: the caller gets an error");
	is_s64(call(&op_echo, 0, &after), 0, "crash: the next call has a reader");
	ok(after > before, "crash: the reader is a new one");

	c.limit_ns = SECOND / 20;
	begin_ns = mono_ns();
	is_s64(reader__call(&c, &answer, NULL), -ETIMEDOUT, "hang: the caller gets an error");
	ok(mono_ns() - begin_ns >= c.limit_ns, "hang: not before the time is up");
	is_s64(call(&op_echo, 0, NULL), 0, "hang: the next call has a reader");
	c.limit_ns = 60 * SECOND;

	is_s64(call(&op_lie, 0, NULL), -EPROTO, "lie: bytes that were not asked for are nonsense");
	is_s64(call(&op_echo, 0, NULL), 0, "lie: the next call has a reader");
	is_str(strbuf__cstr(&answer), "body", "lie: the next answer is right");
#ifndef __SANITIZE_ADDRESS__
	/* 512 MiB: too much for a user's file, not for root's. */
	is_s64(call(&op_eat, 65533, NULL), -ENOMEM, "eat: memory has a limit");
	is_s64(call(&op_echo, 65533, NULL), 0, "eat: the next call has a reader");
#endif
}

static void test_lost_time(void)
{
	struct reader_call c = { .op = &op_hang, .owner = 65532, .limit_ns = SECOND / 2 };
	int i, err = 0;

	for (i = 0; i < 16 && err != -EDQUOT; i++)
		err = reader__call(&c, &answer, NULL);
	is_s64(err, -EDQUOT, "files of a user that take too long again and again are not read");
	ok(i > 1, "files of a user: one that takes too long does not exclude the others");
	is_s64(call(&op_echo, 65531, NULL), 0, "files of another user are still read");
	c.owner = 0;
	for (i = 0; i < 6; i++)
		err = reader__call(&c, &answer, NULL);
	is_s64(err, -ETIMEDOUT, "files of root are read, however long others took");
}

/* The line of /proc/PID/status that begins with key, without it. */
static const char *status_of(const char *pid, const char *key, char *line, size_t sz)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	f = fopen(path, "r");
	while (f && fgets(line, (int)sz, f))
		if (!strncmp(line, key, strlen(key))) {
			fclose(f);
			line[strcspn(line, "\n")] = '\0';
			return line + strlen(key) + 2;
		}
	if (f)
		fclose(f);
	return "";
}

/* Is it of another program? On a busy machine one may just be starting its readers. */
static bool is_foreign(const char *pid)
{
	char path[300], exe[PATH_MAX], own[PATH_MAX];
	ssize_t len, own_len = readlink("/proc/self/exe", own, sizeof(own));

	snprintf(path, sizeof(path), "/proc/%s/exe", pid);
	len = readlink(path, exe, sizeof(exe));
	return len > 0 && (len != own_len || memcmp(exe, own, (size_t)len) != 0);
}

static void test_privileges(void)
{
	static const char *const none[] = { "CapInh", "CapPrm", "CapEff", "CapAmb" };
	size_t readers = 0, hosts = 0, with_caps = 0, open_calls = 0, privileged = 0, i;
	DIR *dir = opendir("/proc");
	char line[256];
	struct dirent *de;

	call(&op_echo, 0, NULL);
	while (dir && (de = readdir(dir))) {
		const char *name = status_of(de->d_name, "Name", line, sizeof(line));
		bool is_reader = !strcmp(name, "bpfperf-reader");

		if ((!is_reader && strcmp(name, "bpfperf-readers") != 0) || is_foreign(de->d_name))
			continue;
		/* One that is just being forked has the name of its host. */
		readers += is_reader;
		hosts += !is_reader;
		for (i = 0; i < sizeof(none) / sizeof(*none); i++)
			with_caps += strtoull(status_of(de->d_name, none[i], line, sizeof(line)),
					      NULL, 16) != 0;
		privileged +=
			strcmp(status_of(de->d_name, "NoNewPrivs", line, sizeof(line)), "1") != 0;
		open_calls +=
			is_reader &&
			strcmp(status_of(de->d_name, "Seccomp", line, sizeof(line)), "2") != 0;
	}
	closedir(dir);
	ok(readers > 0, "a reader runs");
	ok(hosts > 0, "a host of readers runs");
	is_u64(with_caps, 0, "readers and hosts: none has a capability");
	is_u64(privileged, 0, "readers and hosts: none may gain privileges");
	is_u64(open_calls, 0, "readers: system calls of each are limited");
}

/* To be called last: the hurry does not end. */
static void test_hurry(void)
{
	struct reader_call c = { .op = &op_hang, .owner = 65400, .limit_ns = 60 * SECOND };
	uint64_t begin_ns = mono_ns();
	int i, late = 0;

	stop_signals__block();
	raise(SIGINT);
	is_s64(reader__call(&c, &answer, NULL), -ETIMEDOUT,
	       "a stop signal is pending: a file of a user that takes too long is not waited for");
	/* Each process takes its time to start, on a busy machine. */
	for (i = 0; i < 60; i++) {
		c.owner++;
		late += reader__call(&c, &answer, NULL) == -ETIMEDOUT;
	}
	is_s64(late, 60, "a hurry: nor is one of 60 users");
	ok(mono_ns() - begin_ns < 3 * SECOND, "a hurry: all of them together cost little");
	is_s64(call(&op_echo, 0, NULL), 0, "a hurry: files of root are read");
	stop_signals__unblock();
}

int main(void)
{
	/* Two hosts in a row: the second is forked by a process that has used the first. */
	is_s64(reader__start(), 0, "the host starts");
	reader__stop();
	test_answers();
	test_notes();
	test_sharing();
	test_read_error();
	test_faults();
	is_s64(call(&op_calls, 0, NULL), 0, "the reader survives all system calls");
	is_str(strbuf__cstr(&answer), "", "system calls that are not on the list fail with EPERM");
	is_s64(call(&op_args, 0, NULL), 0, "the reader survives arguments that are not allowed");
	is_str(strbuf__cstr(&answer), "", "arguments that are not allowed fail with EPERM");
	test_privileges();
	test_lost_time();
	test_hurry();
	reader__stop();
	strbuf__free(&answer);
	return done_testing();
}
