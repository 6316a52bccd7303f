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
#include <sys/resource.h>
#include <unistd.h>

#include "util/log.h"
#include "util/mono.h"
#include "util/proc_status.h"
#include "util/thread.h"

/* A page that has to be read from a disk comes earlier. */
#define LIMIT_NS 50000000ull
/* For root's and our own processes: the disk may be a slow one. */
#define OWN_LIMIT_NS 1000000000ull
/* A thread that has no CPU for so long does not read at all. */
#define BEGIN_LIMIT_NS 10000000000ull
/* Readings that are faster have not waited for the owner. */
#define FREE_NS 200000ull
/* An owner has this much, and of the time that passes one part in so many. */
#define LEFT_MAX_NS 100000000ull
#define SHARE 50
/* Owners that are slow at a time, beside root and ourselves; others are not read meanwhile. */
#define OWNERS_MAX 32

enum state { IDLE, ASKED, READING, DONE, LEFT_ALONE };

/* A thread that reads into memory of its own: the caller's may be gone when it is late. */
struct remote_reader {
	struct remote_reader *next; /* of those that were left alone */
	enum state state;
	pid_t pid;
	struct iovec parts[REMOTE_MEMORY_PARTS];
	size_t cnt, sz;
	char *buf;
	size_t cap;
	uint64_t begin_ns; /* of the reading, without the time until the thread has a CPU */
	uint64_t waited_ns; /* 0: it never slept, so it has waited for no page */
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
	struct slow_owner owners[OWNERS_MAX + 2];
	size_t owner_cnt;
	bool is_full_said, is_failure_said;
} remote = { .call = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER };

/* How often the thread has slept. */
static long sleeps_of_thread(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

static void read_once(struct remote_reader *r)
{
	struct iovec local = { r->buf, r->sz };
	long sleeps = sleeps_of_thread();
	ssize_t got = process_vm_readv(r->pid, &local, 1, r->parts, r->cnt, 0);

	r->got = got < 0 ? -errno : got;
	r->waited_ns = sleeps_of_thread() == sleeps ? 0 : mono_ns() - r->begin_ns;
}

static void *work(void *arg)
{
	struct remote_reader *r = arg;
	bool goes_on = true;

	/* The thread that asks is urgent, too. */
	thread__make_urgent();
	pthread_mutex_lock(&remote.lock);
	while (goes_on) {
		while (r->state != ASKED && r->state != LEFT_ALONE)
			pthread_cond_wait(&remote.changed, &remote.lock);
		if (r->state == LEFT_ALONE)
			break;
		r->state = READING;
		r->begin_ns = mono_ns();
		pthread_cond_broadcast(&remote.changed);
		pthread_mutex_unlock(&remote.lock);
		read_once(r);
		pthread_mutex_lock(&remote.lock);
		goes_on = r->state == READING;
		if (goes_on)
			r->state = DONE;
		pthread_cond_broadcast(&remote.changed);
	}
	pthread_mutex_unlock(&remote.lock);
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
			if (!remote.is_failure_said)
				log_warn("no thread to read memory of processes: %s; stacks, "
					 "arguments and attributes that they have in memory are "
					 "missing; raise the limit of processes (ulimit -u)",
					 strerror(-err));
			remote.is_failure_said = true;
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
	char path[40], text[4096];
	unsigned int real, effective;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[len > 0 ? len : 0] = '\0';
	if (!proc_status__uids(text, &real, &effective))
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

static void regain(struct slow_owner *o, uint64_t now_ns)
{
	o->left_ns += (now_ns - o->at_ns) / SHARE;
	o->left_ns = o->left_ns < LEFT_MAX_NS ? o->left_ns : LEFT_MAX_NS;
	o->at_ns = now_ns;
}

/* A new owner's place, or that of one that was slow long ago. NULL: too many are slow. */
static struct slow_owner *add_owner(uid_t uid)
{
	uint64_t now = mono_ns();
	struct slow_owner *o = NULL;
	size_t i;

	for (i = 0; i < remote.owner_cnt && !o; i++) {
		regain(&remote.owners[i], now);
		if (!remote.owners[i].is_refused && remote.owners[i].left_ns == LEFT_MAX_NS)
			o = &remote.owners[i];
	}
	/* Two places are kept for root and ourselves. */
	if (!o && remote.owner_cnt < OWNERS_MAX + 2 * (size_t)is_our_own(uid))
		o = &remote.owners[remote.owner_cnt++];
	if (o)
		*o = (struct slow_owner){ uid, false, LEFT_MAX_NS, now };
	return o;
}

static bool is_refused(uid_t uid)
{
	struct slow_owner *o = find_owner(uid);

	if (o) {
		regain(o, mono_ns());
		return o->is_refused || (!o->left_ns && !is_our_own(uid));
	}
	if (remote.owner_cnt < OWNERS_MAX || is_our_own(uid) || add_owner(uid))
		return false;
	if (!remote.is_full_said)
		log_warn("the memory of processes of %d users is read slowly: stacks, arguments "
			 "and attributes that those of others have in memory are missing",
			 OWNERS_MAX);
	remote.is_full_said = true;
	return true;
}

static void charge(uid_t uid, pid_t pid, uint64_t waited_ns, bool is_late)
{
	struct slow_owner *o = find_owner(uid);

	if (waited_ns < FREE_NS)
		return;
	if (!o)
		o = add_owner(uid);
	if (!o)
		return;
	o->left_ns -= waited_ns < o->left_ns ? waited_ns : o->left_ns;
	o->is_refused |= is_late;
	if (is_late || (!o->left_ns && !is_our_own(uid)))
		log_warn("the memory of process %d cannot be read in time: stacks, arguments and "
			 "attributes that processes of user %u have in memory are missing",
			 (int)pid, (unsigned int)uid);
}

/* Waits, with the lock, until the reader is in another state. false: it is not, at that time. */
static bool wait_while(const struct remote_reader *r, enum state state, uint64_t until_ns)
{
	const struct timespec until = { (time_t)(until_ns / 1000000000),
					(long)(until_ns % 1000000000) };
	int err = 0;

	while (r->state == state && !err)
		err = pthread_cond_timedwait(&remote.changed, &remote.lock, &until);
	return r->state != state;
}

/*
 * Has the reader read, and waits for it up to a limit, which begins with the reading. *waited_ns:
 * how long its owner had it wait.
 */
static ssize_t wait_for(struct remote_reader *r, void *to, uint64_t limit_ns, uint64_t *waited_ns)
{
	ssize_t got = -ETIMEDOUT;

	pthread_mutex_lock(&remote.lock);
	r->state = ASKED;
	pthread_cond_broadcast(&remote.changed);
	if (wait_while(r, ASKED, mono_ns() + BEGIN_LIMIT_NS))
		wait_while(r, READING, r->begin_ns + limit_ns);
	if (r->state == DONE) {
		got = r->got;
		*waited_ns = r->waited_ns;
		r->state = IDLE;
	} else {
		*waited_ns = limit_ns;
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
	uint64_t waited_ns;
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
	got = wait_for(r, to, is_our_own(uid) ? OWN_LIMIT_NS : LIMIT_NS, &waited_ns);
	charge(uid, pid, waited_ns, got == -ETIMEDOUT);
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
