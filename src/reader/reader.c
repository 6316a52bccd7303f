// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The calling side: which reader is asked, for how long, and when it is replaced. */
#include "reader/reader.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "reader/host.h"
#include "reader/lost_time.h"
#include "reader/message.h"
#include "util/log.h"
#include "util/mono.h"

/* Memory of a reader: of files of root or of the caller, and of other users' files. */
#define TRUSTED_MEM_MAX (1ull << 30)
#define OTHERS_MEM_MAX (192ull << 20)
/*
 * Address space: the program itself takes about 50 MiB. Files of root may be mapped, see
 * sym/dwarf_file.c.
 */
#define TRUSTED_MAP_MAX (64ull << 30)
#define OTHERS_MAP_MAX (384ull << 20)
/* A reader that has worked for this long is replaced: CPU time is limited for its whole life. */
#define SERVED_MAX_NS 300000000000ull
/*
 * On a busy machine a reader has this many times its limit, until it has had half of it as CPU
 * time.
 */
#define BUSY_MAX 3
#define LOOK_NS 20000000ull
/* An answer that will be here soon is not slept for (see worker.c). */
#define SPIN_NS 50000ull
/* A request without an answer waits so long for room on its way to the reader. */
#define TELL_NS 10000000ull
/* The part of an answer that is received with its head. */
#define FIRST_PART_SZ 16384u

struct reader {
	int sock; /* -1: there is none */
	uint32_t host_nr; /* its host, of those that there have been */
	pid_t pid;
	uid_t owner;
	uint32_t place; /* in shared.pids */
	uint64_t generation;
	uint64_t serial; /* of the last request */
	bool is_fast; /* the last answer came within SPIN_NS */
	uint64_t served_ns;
	uint64_t used_at; /* number of the last call */
};

/* The readers of one purpose. */
struct pool {
	pthread_mutex_t lock; /* held during a call */
	struct reader readers[READER_OWNERS_MAX];
	uint64_t call_cnt;
};

#define NO_READER                                                                                  \
	{                                                                                          \
		.sock = -1                                                                         \
	}
#define POOL_INIT                                                                                  \
	{                                                                                          \
		PTHREAD_MUTEX_INITIALIZER, { NO_READER, NO_READER, NO_READER }, 0                  \
	}

static struct pool pools[READER_PURPOSE_CNT] = { POOL_INIT, POOL_INIT, POOL_INIT, POOL_INIT };

static struct {
	pthread_mutex_t lock; /* protects the members */
	int host; /* negative: not started */
	uint32_t host_nr; /* hosts that were started */
	bool has_failed; /* it could not be started */
	bool has_warned; /* a reader could not be started */
	uint64_t generation; /* of the last reader */
	uint32_t pids[READERS_MAX]; /* the host's, and one for each place in pools; 0: none */
	uint32_t *shown_pids, *shown_cnt; /* copies; NULL: there are none */
} shared = { .lock = PTHREAD_MUTEX_INITIALIZER, .host = -1 };

bool reader__is_trusted(uid_t owner)
{
	const char *caller = geteuid() ? NULL : getenv("SUDO_UID");

	return owner == READER_NO_OWNER || owner == 0 || owner == geteuid() ||
	       (caller && *caller && owner == (uid_t)strtoul(caller, NULL, 10));
}

/* Copies one id to where the ids are shown. shared.lock is held. */
static void show_pid(uint32_t place)
{
	if (!shared.shown_pids)
		return;
	__atomic_store_n(&shared.shown_pids[place], shared.pids[place], __ATOMIC_RELAXED);
	if (*shared.shown_cnt <= place)
		__atomic_store_n(shared.shown_cnt, place + 1, __ATOMIC_RELAXED);
}

static void set_pid(uint32_t place, pid_t pid)
{
	shared.pids[place] = (uint32_t)pid;
	show_pid(place);
}

void reader__show_pids(uint32_t *pids, uint32_t *cnt)
{
	uint32_t i;

	pthread_mutex_lock(&shared.lock);
	shared.shown_pids = pids;
	shared.shown_cnt = cnt;
	for (i = 0; i < READERS_MAX; i++)
		if (shared.pids[i])
			show_pid(i);
	pthread_mutex_unlock(&shared.lock);
}

static int start_host(void)
{
	pid_t pid = 0;

	if (shared.host < 0 && !shared.has_failed) {
		shared.host = host__fork(&pid);
		shared.host_nr++;
		set_pid(0, shared.host < 0 ? 0 : pid);
	}
	if (shared.host < 0 && !shared.has_failed) {
		/* Trying again for each file would cost more than it is worth. */
		shared.has_failed = true;
		log_error("cannot start the process that reads files: %s; see `ulimit -u -n`",
			  strerror(-shared.host));
	}
	return shared.host < 0 ? -EAGAIN : 0;
}

int reader__start(void)
{
	int err;

	pthread_mutex_lock(&shared.lock);
	err = start_host();
	pthread_mutex_unlock(&shared.lock);
	return err;
}

/* Ends a process that may be in any state. shared.lock is held. */
static void kill_reader(struct reader *r)
{
	if (r->sock < 0)
		return;
	/* With its host a reader has ended. */
	if (r->host_nr == shared.host_nr)
		host__kill(shared.host, r->pid);
	close(r->sock);
	r->sock = -1;
	set_pid(r->place, 0);
}

static int order_reader(struct reader *r)
{
	bool trusted = reader__is_trusted(r->owner);
	int i, err = -ECHILD;

	/* The host, too, may have ended: it is the first that is killed where memory ends. */
	for (i = 0; i < 2 && err == -ECHILD; i++) {
		err = start_host();
		if (err)
			break;
		err = host__order(shared.host, trusted ? TRUSTED_MEM_MAX : OTHERS_MEM_MAX,
				  trusted ? TRUSTED_MAP_MAX : OTHERS_MAP_MAX, &r->pid);
		if (err == -ECHILD || err == -ETIMEDOUT) {
			close(shared.host);
			shared.host = -1;
		}
	}
	if (err < 0)
		return err;
	r->sock = err;
	r->host_nr = shared.host_nr;
	set_pid(r->place, r->pid);
	err = host__begin(r->sock);
	if (err) {
		kill_reader(r);
		return err;
	}
	log_info("process %d reads files of user %d", (int)r->pid, (int)r->owner);
	r->generation = ++shared.generation;
	r->served_ns = 0;
	return 0;
}

static int begin_reader(struct reader *r)
{
	int err;

	pthread_mutex_lock(&shared.lock);
	err = order_reader(r);
	if (err && !shared.has_failed && !shared.has_warned) {
		shared.has_warned = true;
		log_warn("a process that reads files cannot be started: %s; names and stacks of "
			 "some files are missing: see `ulimit -u -n`",
			 strerror(-err));
	}
	pthread_mutex_unlock(&shared.lock);
	return err;
}

static void end_reader(struct reader *r)
{
	pthread_mutex_lock(&shared.lock);
	kill_reader(r);
	pthread_mutex_unlock(&shared.lock);
}

/* Returns the reader of the owner, which may be still to begin. */
static struct reader *get_reader(struct pool *pool, uid_t owner)
{
	struct reader *oldest = &pool->readers[0], *r;

	for (r = pool->readers; r < pool->readers + READER_OWNERS_MAX; r++) {
		if (r->used_at && r->owner == owner) {
			oldest = r;
			break;
		}
		if (r->used_at < oldest->used_at)
			oldest = r;
	}
	if (oldest->owner != owner || oldest->served_ns > SERVED_MAX_NS)
		end_reader(oldest);
	oldest->owner = owner;
	oldest->place = 1 + (uint32_t)(pool - pools) * READER_OWNERS_MAX +
			(uint32_t)(oldest - pool->readers);
	oldest->used_at = ++pool->call_cnt;
	return oldest;
}

static bool has_reader(const struct pool *pool, uid_t owner)
{
	const struct reader *r;

	for (r = pool->readers; r < pool->readers + READER_OWNERS_MAX; r++)
		if (r->used_at && r->owner == owner && r->sock >= 0)
			return true;
	return false;
}

/*
 * Locks the pool that is to be asked. What is needed now is asked of the reader that reads ahead,
 * if that one is there and idle, but no other: starting one takes longer than most answers. A
 * reader with a state is asked for by its purpose.
 */
static struct pool *lock_pool(const struct reader_call *call, bool has_state)
{
	struct pool *pool = &pools[call->purpose], *ahead = &pools[READER_AHEAD];

	pthread_mutex_lock(&pool->lock);
	if (call->purpose != READER_NAMES || has_state || has_reader(pool, call->owner) ||
	    pthread_mutex_trylock(&ahead->lock))
		return pool;
	if (!has_reader(ahead, call->owner)) {
		pthread_mutex_unlock(&ahead->lock);
		return pool;
	}
	pthread_mutex_unlock(&pool->lock);
	return ahead;
}

/* status: MESSAGE_NO_ANSWER or 0. */
static int send_request(struct reader *r, const struct reader_call *call, int status,
			uint64_t until_ns)
{
	const struct message head = { ++r->serial, call->op, call->sz, status, call->fd_cnt };
	const struct message_wait wait = { until_ns, 0 };

	return message__send(r->sock, &head, sizeof(head), call->body, call->sz, call->fds,
			     call->fd_cnt, &wait);
}

/* CPU time that the reader has had, in ns. */
static uint64_t cpu_ns(const struct reader *r)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(r->pid, &clock) || clock_gettime(clock, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

/* Returns the time at which a call that began at begin_ns ends, if it may take `rounds` limits. */
static uint64_t end_of(const struct reader_call *call, uint64_t begin_ns, uint64_t rounds)
{
	uint64_t end_ns = begin_ns + rounds * call->limit_ns;

	return call->is_linear ? end_ns : lost_time__end(call->owner, begin_ns, end_ns);
}

/*
 * Receives the head of the answer, and what has arrived of the rest. A reader that had little of
 * the CPU, since the machine is busy, may take longer. It is looked again and again whether there
 * is a hurry now.
 */
static int receive_head(struct reader *r, const struct reader_call *call, uint64_t begin_ns,
			struct message *head, struct strbuf *answer)
{
	uint64_t cpu_before_ns = cpu_ns(r), now_ns = begin_ns, end_ns, last_ns;
	struct message_wait wait = { begin_ns, begin_ns + (r->is_fast ? SPIN_NS : 0) };
	size_t room = call->answer_max < FIRST_PART_SZ ? call->answer_max : FIRST_PART_SZ;
	int err;

	strbuf__reset(answer);
	/* The answer's end is found without a look behind it. */
	if (strbuf__reserve(answer, room + 1))
		return -ENOMEM;
	for (;;) {
		end_ns = end_of(call, begin_ns, 1);
		last_ns = now_ns < end_ns ? end_ns : end_of(call, begin_ns, BUSY_MAX);
		wait.until_ns = now_ns + LOOK_NS < last_ns ? now_ns + LOOK_NS : last_ns;
		err = message__receive(r->sock, head, sizeof(*head), answer->buf, room,
				       &answer->len, NULL, 0, NULL, &wait);
		if (err != -ETIMEDOUT)
			break;
		now_ns = mono_ns();
		end_ns = end_of(call, begin_ns, 1);
		/* Nearly all of its time: interrupts have some, too. */
		if (now_ns >= end_ns && (now_ns >= end_of(call, begin_ns, BUSY_MAX) ||
					 cpu_ns(r) - cpu_before_ns >= (end_ns - begin_ns) / 8 * 7))
			break;
	}
	r->is_fast = mono_ns() - begin_ns < SPIN_NS;
	return err;
}

/* *status is what the op returned. */
static int receive_answer(struct reader *r, const struct reader_call *call, uint64_t begin_ns,
			  struct strbuf *answer, int *status)
{
	struct message_wait wait = { 0, 0 };
	struct message head;
	int err = receive_head(r, call, begin_ns, &head, answer);

	if (err)
		return err;
	if (head.serial != r->serial || head.op != call->op || head.sz > call->answer_max ||
	    head.sz < answer->len || head.status > 0 || head.status < -4095 ||
	    (head.status && head.sz))
		return -EPROTO;
	if (strbuf__reserve(answer, head.sz - answer->len + 1))
		return -ENOMEM;
	wait.until_ns = end_of(call, mono_ns(), 1);
	err = message__receive_rest(r->sock, answer->buf + answer->len, head.sz - answer->len,
				    &wait);
	answer->len = err ? 0 : head.sz;
	*status = head.status;
	return err;
}

int reader__call(const struct reader_call *call, struct strbuf *answer, uint64_t *generation)
{
	uint64_t begin_ns;
	struct pool *pool;
	struct reader *r;
	int err, status = 0;

	if (!lost_time__add(call->owner, 0))
		return -EDQUOT;
	pool = lock_pool(call, generation || call->generation);
	begin_ns = mono_ns();
	if (end_of(call, begin_ns, 1) == begin_ns) {
		pthread_mutex_unlock(&pool->lock);
		return -ETIMEDOUT;
	}
	r = get_reader(pool, call->owner);
	err = 0;
	if (call->generation && (r->sock < 0 || call->generation != r->generation))
		err = -ESTALE;
	else if (r->sock < 0)
		err = begin_reader(r);
	if (err)
		goto cleanup;
	if (generation)
		*generation = r->generation;
	err = send_request(r, call, 0, begin_ns + call->limit_ns);
	if (!err)
		err = receive_answer(r, call, begin_ns, answer, &status);
	r->served_ns += mono_ns() - begin_ns;
	/* Nothing is known of its state. */
	if (err || status == -ENOMEM)
		end_reader(r);
	if (err)
		answer->len = 0;
	if (err)
		lost_time__add(call->owner, mono_ns() - begin_ns);
	else if (!call->is_linear)
		lost_time__answer(call->owner, begin_ns);
cleanup:
	pthread_mutex_unlock(&pool->lock);
	return err ? err : status;
}

void reader__tell(const struct reader_call *call)
{
	struct pool *pool = &pools[call->purpose];
	struct reader *r;

	pthread_mutex_lock(&pool->lock);
	for (r = pool->readers; r < pool->readers + READER_OWNERS_MAX; r++)
		if (r->sock >= 0 && r->generation == call->generation)
			break;
	/* Nothing is known of its state. */
	if (r < pool->readers + READER_OWNERS_MAX &&
	    send_request(r, call, MESSAGE_NO_ANSWER, mono_ns() + TELL_NS))
		end_reader(r);
	pthread_mutex_unlock(&pool->lock);
}

const char *reader__why(int err)
{
	switch (err) {
	case -ETIMEDOUT:
		return "reading it takes too long";
	case -ECHILD:
		return "the process that read it has crashed";
	case -EPROTO:
		return "the process that read it has answered nonsense";
	case -EDQUOT:
		return "files of its owner have taken too long";
	case -ENOMEM:
		return "reading it takes too much memory";
	default:
		return strerror(-err);
	}
}

void reader__stop(void)
{
	size_t i, j;

	for (i = 0; i < READER_PURPOSE_CNT; i++) {
		pthread_mutex_lock(&pools[i].lock);
		for (j = 0; j < READER_OWNERS_MAX; j++)
			end_reader(&pools[i].readers[j]);
		pthread_mutex_unlock(&pools[i].lock);
	}
	pthread_mutex_lock(&shared.lock);
	if (shared.host >= 0)
		close(shared.host);
	shared.host = -1;
	set_pid(0, 0);
	pthread_mutex_unlock(&shared.lock);
}
