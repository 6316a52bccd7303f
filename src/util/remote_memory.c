// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/remote_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/log.h"
#include "util/mono.h"
#include "util/thread.h"

/* A page that has to be read from a disk comes earlier. */
#define LIMIT_NS 50000000ull
/* For root's and our own processes: the disk may be a slow one. */
#define OWN_LIMIT_NS 1000000000ull
/* Readings that are faster have not waited for the owner. */
#define FREE_NS 200000ull
/* An owner has this much, and of the time that passes one part in so many. */
#define LEFT_MAX_NS 100000000ull
#define SHARE 50
/* Owners that were slow; more of them are not read at all. Root's and our own are. */
#define OWNERS_MAX 32

enum state { IDLE, ASKED, DONE, LEFT_ALONE };

/* A thread that reads into memory of its own: the caller's may be gone when it is late. */
struct remote_reader {
	struct remote_reader *next; /* of those that were left alone */
	enum state state;
	pid_t pid;
	struct iovec parts[REMOTE_MEMORY_PARTS];
	size_t cnt, sz;
	char *buf;
	size_t cap;
	ssize_t got;
};

struct slow_owner {
	uid_t uid;
	bool is_refused;
	uint64_t left_ns, at_ns;
};

static struct {
	pthread_mutex_t call; /* one at a time */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool has_clock;
	struct remote_reader *reader, *left_alone;
	struct slow_owner owners[OWNERS_MAX];
	size_t owner_cnt;
} remote = { .call = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER };

static void *work(void *arg)
{
	struct remote_reader *r = arg;
	bool goes_on = true;

	while (goes_on) {
		struct iovec local;
		ssize_t got;

		pthread_mutex_lock(&remote.lock);
		while (r->state != ASKED)
			pthread_cond_wait(&remote.changed, &remote.lock);
		pthread_mutex_unlock(&remote.lock);
		local = (struct iovec){ r->buf, r->sz };
		got = process_vm_readv(r->pid, &local, 1, r->parts, r->cnt, 0);
		pthread_mutex_lock(&remote.lock);
		r->got = got < 0 ? -errno : got;
		goes_on = r->state == ASKED;
		if (goes_on)
			r->state = DONE;
		pthread_cond_broadcast(&remote.changed);
		pthread_mutex_unlock(&remote.lock);
	}
	return NULL;
}

static int init_clock(void)
{
	pthread_condattr_t attr;

	if (remote.has_clock)
		return 0;
	if (pthread_condattr_init(&attr))
		return -ENOMEM;
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	remote.has_clock = !pthread_cond_init(&remote.changed, &attr);
	pthread_condattr_destroy(&attr);
	return remote.has_clock ? 0 : -ENOMEM;
}

/* Makes a reader, unless there is one that waits, with room for sz bytes. */
static int prepare(size_t sz)
{
	struct remote_reader *r = remote.reader;
	pthread_t thread;
	char *bigger;
	int err = init_clock();

	if (err)
		return err;
	if (!r) {
		r = calloc(1, sizeof(*r));
		if (!r)
			return -ENOMEM;
		err = thread__start(&thread, work, r);
		if (err) {
			free(r);
			return err;
		}
		pthread_detach(thread);
		remote.reader = r;
	}
	bigger = r->cap < sz ? realloc(r->buf, sz) : r->buf;
	if (!bigger)
		return -ENOMEM;
	r->buf = bigger;
	r->cap = r->cap < sz ? sz : r->cap;
	return 0;
}

/* The user that may decide what the process does. false: it has ended. */
static bool read_owner(pid_t pid, uid_t *uid)
{
	char path[40], text[4096], *at;
	unsigned int real, effective;
	ssize_t len;
	int fd;

	/* The directory of a process that is not dumpable belongs to root, whoever runs it. */
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[len > 0 ? len : 0] = '\0';
	at = strstr(text, "\nUid:");
	if (!at || sscanf(at, " Uid: %u %u", &real, &effective) != 2)
		return false;
	*uid = real ? real : effective;
	return true;
}

static bool is_our_own(uid_t uid)
{
	return !uid || uid == getuid();
}

static struct slow_owner *find_owner(uid_t uid)
{
	size_t i;

	for (i = 0; i < remote.owner_cnt; i++)
		if (remote.owners[i].uid == uid)
			return &remote.owners[i];
	return NULL;
}

static bool is_refused(uid_t uid)
{
	struct slow_owner *o = find_owner(uid);
	uint64_t now = mono_ns();

	if (!o)
		return remote.owner_cnt == OWNERS_MAX && !is_our_own(uid);
	o->left_ns += (now - o->at_ns) / SHARE;
	o->left_ns = o->left_ns < LEFT_MAX_NS ? o->left_ns : LEFT_MAX_NS;
	o->at_ns = now;
	return o->is_refused || !o->left_ns;
}

static void charge(uid_t uid, pid_t pid, uint64_t took_ns, bool is_late)
{
	struct slow_owner *o = find_owner(uid);

	if (took_ns < FREE_NS)
		return;
	if (!o && remote.owner_cnt < OWNERS_MAX) {
		o = &remote.owners[remote.owner_cnt++];
		*o = (struct slow_owner){ uid, false, LEFT_MAX_NS, mono_ns() };
	}
	if (o) {
		o->left_ns -= took_ns < o->left_ns ? took_ns : o->left_ns;
		o->is_refused |= is_late;
	}
	if (is_late)
		log_warn("the memory of process %d cannot be read in time: stacks, arguments and "
			 "attributes that processes of user %u have in memory are missing",
			 (int)pid, (unsigned int)uid);
}

/* Has the reader read, and waits for it up to a limit. */
static ssize_t wait_for(struct remote_reader *r, void *to, uint64_t limit_ns)
{
	uint64_t end = mono_ns() + limit_ns;
	const struct timespec until = { (time_t)(end / 1000000000), (long)(end % 1000000000) };
	ssize_t got = -ETIMEDOUT;
	int err = 0;

	pthread_mutex_lock(&remote.lock);
	r->state = ASKED;
	pthread_cond_broadcast(&remote.changed);
	while (r->state == ASKED && !err)
		err = pthread_cond_timedwait(&remote.changed, &remote.lock, &until);
	if (r->state == DONE) {
		got = r->got;
		r->state = IDLE;
	} else {
		r->state = LEFT_ALONE;
	}
	pthread_mutex_unlock(&remote.lock);
	if (got > 0)
		memcpy(to, r->buf, (size_t)got);
	return got;
}

static ssize_t read_of(uid_t uid, pid_t pid, const struct iovec *parts, size_t cnt, void *to)
{
	size_t sz = 0, i;
	uint64_t begin_ns;
	struct remote_reader *r;
	ssize_t got;

	for (i = 0; i < cnt; i++)
		sz += parts[i].iov_len;
	got = prepare(sz);
	if (got)
		return got;
	r = remote.reader;
	r->pid = pid;
	r->cnt = cnt;
	r->sz = sz;
	memcpy(r->parts, parts, cnt * sizeof(*parts));
	begin_ns = mono_ns();
	got = wait_for(r, to, is_our_own(uid) ? OWN_LIMIT_NS : LIMIT_NS);
	charge(uid, pid, mono_ns() - begin_ns, got == -ETIMEDOUT);
	if (got == -ETIMEDOUT) {
		r->next = remote.left_alone;
		remote.left_alone = r;
		remote.reader = NULL;
	}
	return got;
}

ssize_t remote_memory__read(pid_t pid, const struct iovec *parts, size_t cnt, void *to)
{
	ssize_t got = -ETIMEDOUT;
	uid_t uid;

	if (!cnt || cnt > REMOTE_MEMORY_PARTS)
		return -EINVAL;
	if (!read_owner(pid, &uid))
		return -ESRCH;
	pthread_mutex_lock(&remote.call);
	if (!is_refused(uid))
		got = read_of(uid, pid, parts, cnt, to);
	pthread_mutex_unlock(&remote.call);
	return got;
}
