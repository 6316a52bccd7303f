// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The ring between a process that decodes a trace and bpfperf, by both sides of it. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "itrace/answer_ring.h"
#include "tap.h"
#include "tracedec/answer.h"

#define RING_SZ (3 * ITRACE_FRAME_MAX_SZ + 4096)
#define FULL_CHUNKS 17
#define FULL_ITEMS 20011
#define SMALL_CHUNKS 3001

static struct answer_ring ring;
static pid_t writer;
static int fds[2];
static struct itrace_item items[ITRACE_FRAME_MAX];

static void add_chunk(struct answer *a, uint32_t chunk, uint64_t cnt, uint64_t *nr)
{
	struct itrace_frame sums = { .decoded_sz = cnt + 1 };

	a->chunk = chunk;
	for (; cnt; cnt--)
		answer__add(a)->ip = ++*nr;
	answer__end_chunk(a, &sums);
}

/* Large chunks, then many of no, one or two items. */
static void write_all(struct answer *a)
{
	uint64_t nr = 0;
	uint32_t i;

	for (i = 0; i < FULL_CHUNKS; i++)
		add_chunk(a, i, FULL_ITEMS, &nr);
	for (; i < FULL_CHUNKS + SMALL_CHUNKS; i++)
		add_chunk(a, i, i % 3, &nr);
}

static void write_and_hang(struct answer *a)
{
	uint64_t nr = 0;

	add_chunk(a, 0, 7, &nr);
	raise(SIGSTOP);
}

/* Writes until the process ends, which it does where its reader has gone. */
static void write_forever(struct answer *a)
{
	uint64_t nr = 0;

	for (;;)
		add_chunk(a, 0, 1, &nr);
}

static void start(void (*write)(struct answer *a))
{
	struct answer a;
	int mem_fd;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		abort();
	mem_fd = answer_ring__make(&ring, fds[0], RING_SZ);
	writer = mem_fd < 0 ? -1 : fork();
	if (writer < 0)
		abort();
	if (!writer) {
		close(fds[0]);
		if (!ftruncate(mem_fd, 0) || errno != EPERM ||
		    answer__init(&a, fds[1], mem_fd, RING_SZ))
			_exit(2);
		write(&a);
		_exit(0);
	}
	close(mem_fd);
	close(fds[1]);
}

static int end(void)
{
	int status;

	close(fds[0]);
	answer_ring__free(&ring);
	waitpid(writer, &status, 0);
	return status;
}

/* Reads everything. Returns -EPIPE, when the writer has ended; sets what was wrong. */
static int read_all(uint64_t *item_cnt, uint32_t *chunk_cnt, uint32_t *wrong_cnt)
{
	struct itrace_frame f;
	uint64_t in_chunk = 0;
	uint32_t i;
	int err;

	*item_cnt = *chunk_cnt = *wrong_cnt = 0;
	while (!(err = answer_ring__wait(&ring, &f))) {
		answer_ring__take(&ring, &f, items);
		for (i = 0; i < f.cnt; i++)
			*wrong_cnt += items[i].ip != ++*item_cnt || items[i].period;
		in_chunk += f.cnt;
		*wrong_cnt += f.chunk != *chunk_cnt;
		if (!f.is_last)
			continue;
		*wrong_cnt += f.decoded_sz != in_chunk + 1;
		in_chunk = 0;
		++*chunk_cnt;
	}
	return err;
}

static uint64_t all_items(void)
{
	uint64_t cnt = FULL_CHUNKS * FULL_ITEMS;
	uint32_t i;

	for (i = FULL_CHUNKS; i < FULL_CHUNKS + SMALL_CHUNKS; i++)
		cnt += i % 3;
	return cnt;
}

static void check_order(const char *when)
{
	uint64_t item_cnt;
	uint32_t chunk_cnt, wrong_cnt;
	int err = read_all(&item_cnt, &chunk_cnt, &wrong_cnt), status;

	ok(err == -EPIPE && item_cnt == all_items() && chunk_cnt == FULL_CHUNKS + SMALL_CHUNKS,
	   "%s: each item and chunk arrives, then the end is told", when);
	ok(!wrong_cnt, "%s: items are in order, and each chunk has its sums", when);
	status = end();
	ok(WIFEXITED(status) && !WEXITSTATUS(status),
	   "%s: the writer ends well, and the ring's size is kept", when);
}

static void check_killed(void)
{
	uint64_t item_cnt;
	uint32_t chunk_cnt, wrong_cnt;
	int status, err;

	start(write_and_hang);
	waitpid(writer, &status, WUNTRACED);
	kill(writer, SIGKILL);
	waitpid(writer, &status, 0);
	err = read_all(&item_cnt, &chunk_cnt, &wrong_cnt);
	ok(err == -EPIPE && item_cnt == 7 && chunk_cnt == 1 && !wrong_cnt,
	   "a writer that was killed: what it wrote before arrives, then the end is told");
	end();
}

static void check_reader_gone(void)
{
	int status;

	start(write_forever);
	while (!__atomic_load_n(&ring.mem->wants_taken, __ATOMIC_SEQ_CST))
		sched_yield();
	status = end();
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1,
	   "a reader that has gone: its writer, which waits for room, ends");
}

/* The process may write anything, at any time. */
static void check_hostile(void)
{
	struct itrace_frame f;
	unsigned int seed = 17, i, j, frames = 0, refused = 0;
	int err;

	start(write_and_hang);
	for (i = 0; i < 3001; i++) {
		for (j = 0; j < RING_SZ / 4; j += 1 + (unsigned int)rand_r(&seed) % 64)
			((uint32_t *)ring.mem->bytes)[j] = (uint32_t)rand_r(&seed) % 2048;
		ring.mem->written = i % 2 ? UINT64_MAX - i : (uint64_t)rand_r(&seed) << 20;
		ring.mem->wants_taken = 1;
		err = answer_ring__wait(&ring, &f);
		refused += err == -EPIPE;
		if (err)
			/* Nothing is taken: the next one begins elsewhere. */
			f = (struct itrace_frame){ .cnt = (uint32_t)rand_r(&seed) %
							  (ITRACE_FRAME_MAX + 1) };
		answer_ring__take(&ring, &f, items);
		frames++;
	}
	ok(frames == 3001 && refused && refused < frames,
	   "a hostile writer: frames are read within the ring, and those of too many items are refused");
	kill(writer, SIGKILL);
	end();
}

int main(void)
{
	start(write_all);
	check_order("a reader that is as fast");
	start(write_all);
	while (!__atomic_load_n(&ring.mem->wants_taken, __ATOMIC_SEQ_CST))
		sched_yield();
	check_order("a reader that begins when the ring is full");
	check_killed();
	check_reader_gone();
	check_hostile();
	return done_testing();
}
