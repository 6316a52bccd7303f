// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
// The program that tests/unit/unwind_walk.c walks through: `unwind MODE` writes a thread id and
// spins for ever.
#include <pthread.h>
#include <signal.h>
#include <stdexcept>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile uint64_t sink;

static void ready()
{
	int32_t tid = (int32_t)syscall(SYS_gettid);

	if (write(STDOUT_FILENO, &tid, sizeof(tid)) != sizeof(tid))
		_exit(1);
}

static int compare(const void *a, const void *b)
{
	const int *x = (const int *)a, *y = (const int *)b;

	return (*x > *y) - (*x < *y);
}

static void sorting()
{
	static int v[4099];
	static char from[65536 + 7], to[65536 + 7];

	ready();
	for (uint64_t seed = 1;; seed++) {
		for (int &i : v)
			i = (int)(seed = seed * 6364136223846793005ULL + 1442695040888963407ULL);
		qsort(v, sizeof(v) / sizeof(*v), sizeof(*v), compare);
		memcpy(to, from, sizeof(from) - (seed & 7));
		sink += to[seed & 4095];
	}
}

// Frames of many sizes, among them one that aligns its stack and one of variable size.
__attribute__((noinline)) static uint64_t recurse(int depth, uint64_t v);

__attribute__((noinline)) static uint64_t aligned(int depth, uint64_t v)
{
	alignas(64) volatile uint64_t big[16];

	big[v & 15] = v;
	return recurse(depth - 1, v + 1) + big[v & 15];
}

__attribute__((noinline)) static uint64_t variable(int depth, uint64_t v)
{
	volatile char *room = (volatile char *)__builtin_alloca((v & 255) + 1);

	room[v & 255] = (char)v;
	return recurse(depth - 1, v + 1) + (uint64_t)room[v & 255];
}

__attribute__((noinline)) static uint64_t recurse(int depth, uint64_t v)
{
	if (depth <= 0)
		return v;
	if (depth % 7 == 3)
		return aligned(depth, v) + 1;
	if (depth % 7 == 5)
		return variable(depth, v) + 2;
	return recurse(depth - 1, v * 3 + 1) ^ v;
}

static void deep()
{
	ready();
	for (;;)
		sink += recurse(200, sink);
}

struct guard {
	~guard() { sink = sink + 1; }
};

__attribute__((noinline)) static void thrower(int depth)
{
	guard g;

	if (!depth)
		throw std::runtime_error("thrown");
	thrower(depth - 1);
	sink += 3;
}

static void throwing()
{
	ready();
	for (;;)
		try {
			thrower(11);
		} catch (const std::exception &e) {
			sink += strlen(e.what());
		}
}

static void handler(int)
{
	ready();
	for (;;)
		sink += recurse(5, sink);
}

static void in_signal(int flags)
{
	struct sigaction sa = {};
	stack_t alt = {};

	alt.ss_size = 65536;
	alt.ss_sp = malloc(alt.ss_size);
	sigaltstack(&alt, nullptr);
	sa.sa_handler = handler;
	sa.sa_flags = flags;
	sigaction(SIGALRM, &sa, nullptr);
	ualarm(1013, 0);
	for (;;)
		sink += recurse(9, sink);
}

static void *thread(void *)
{
	deep();
	return nullptr;
}

static void threads()
{
	pthread_t t;

	pthread_create(&t, nullptr, thread, nullptr);
	pthread_join(t, nullptr);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "sort"))
		sorting();
	else if (!strcmp(mode, "deep"))
		deep();
	else if (!strcmp(mode, "throw"))
		throwing();
	else if (!strcmp(mode, "signal"))
		in_signal(0);
	else if (!strcmp(mode, "altstack"))
		in_signal(SA_ONSTACK);
	else if (!strcmp(mode, "thread"))
		threads();
	return 2;
}
