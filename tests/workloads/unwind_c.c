// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * unwind_c MODE [SEC [DEPTH]]: burns SEC seconds (decimal, 1) of the thread's CPU time, without
 * frame pointers. MODE is where:
 *
 *   calls     eleven functions of different frames deep
 *   sort      libc's qsort and memcpy
 *   deep      a recursion of DEPTH (200) calls
 *   signal    for the most part in a handler that interrupted the recursion anywhere
 *   altstack  the same on a stack of the handler's own
 *   thread    a recursion in a second thread
 *   kernel    system calls, from five calls deep
 *   jit       functions called by code of no file, which keeps a frame pointer; a getppid in each
 *   round
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

#include "workload.h"

#define NOINLINE __attribute__((noinline, noclone))
/* An instruction after a call keeps it from becoming a jump. */
#define KEEP() __asm__ volatile("" ::: "memory")

static volatile uint64_t sink;
static uint64_t end_ns, rounds;
static int depth_max = 200;

static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Some 20 us of nothing but arithmetic. */
NOINLINE void burn(uint64_t v)
{
	int i;

	for (i = 0; i < 20000; i++)
		v = v * 6364136223846793005ULL + 1442695040888963407ULL;
	sink = v;
	KEEP();
}

/* A chain of functions, each with a frame of its own size. */
#define LINK(name, next, words)                                                                    \
	NOINLINE uint64_t name(uint64_t v)                                                         \
	{                                                                                          \
		volatile uint64_t room[words];                                                     \
                                                                                                   \
		room[v % (words)] = v;                                                             \
		return next(v * 3 + 1) + room[v % (words)];                                        \
	}

NOINLINE uint64_t last_link(uint64_t v)
{
	burn(v);
	return v;
}
LINK(link_nine, last_link, 3)
LINK(link_eight, link_nine, 41)
LINK(link_seven, link_eight, 1)
LINK(link_six, link_seven, 600)
LINK(link_five, link_six, 7)
LINK(link_four, link_five, 2)
LINK(link_three, link_four, 1031)
LINK(link_two, link_three, 5)
LINK(link_one, link_two, 17)

static void calls(void)
{
	sink += link_one(sink);
}

static int compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void sort(void)
{
	static int v[1031];
	static char from[262144 + 7], to[262144 + 7];
	uint64_t seed = sink + rounds;
	size_t i;

	for (i = 0; i < sizeof(v) / sizeof(*v); i++)
		v[i] = (int)(seed = seed * 6364136223846793005ULL + 1442695040888963407ULL);
	qsort(v, sizeof(v) / sizeof(*v), sizeof(*v), compare);
	for (i = 0; i < 5; i++)
		memcpy(to, from, sizeof(from) - (seed & 7));
	sink = (uint64_t)v[seed % 1031] + (uint64_t)to[seed & 4095];
}

NOINLINE uint64_t recurse(int depth, uint64_t v);

/* One frame that is aligned, and one of a size that is not known before. */
NOINLINE uint64_t aligned(int depth, uint64_t v)
{
	_Alignas(64) volatile uint64_t big[16];

	big[v & 15] = v;
	return recurse(depth - 1, v + 1) + big[v & 15];
}

NOINLINE uint64_t variable(int depth, uint64_t v)
{
	volatile char *room = __builtin_alloca((v & 255) + 1);

	room[v & 255] = (char)v;
	return recurse(depth - 1, v + 1) + (uint64_t)room[v & 255];
}

NOINLINE uint64_t recurse(int depth, uint64_t v)
{
	if (depth <= 0) {
		burn(v);
		return v;
	}
	if (depth % 7 == 3)
		return aligned(depth, v) + 1;
	if (depth % 7 == 5)
		return variable(depth, v) + 2;
	return recurse(depth - 1, v * 3 + 1) ^ v;
}

static void deep(void)
{
	sink += recurse(depth_max, sink);
}

static void arm_timer(void)
{
	struct itimerval it = { .it_value = { .tv_usec = 503 } };

	setitimer(ITIMER_REAL, &it, NULL);
}

NOINLINE void handler(int sig)
{
	int i;

	for (i = 0; i < 101; i++)
		sink += recurse(5, sink);
	/* Not before: what is interrupted shall get on. */
	arm_timer();
}

static void take_signals(int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags | SA_RESTART };
	stack_t alt = { .ss_size = 65536 };

	alt.ss_sp = malloc(alt.ss_size);
	sigaltstack(&alt, NULL);
	sigaction(SIGALRM, &sa, NULL);
	arm_timer();
}

static void interrupted(void)
{
	sink += recurse(9, sink);
}

NOINLINE void call_kernel(int depth)
{
	int i;

	if (depth)
		call_kernel(depth - 1);
	else
		for (i = 0; i < 211; i++)
			sink += (uint64_t)syscall(SYS_getppid);
	KEEP();
}

static void kernel(void)
{
	call_kernel(4);
}

typedef uint64_t (*jit_fn)(uint64_t v, uint64_t (*callee)(uint64_t));

/* frame pointer set up, callee(v) called, torn down: what engines for scripts emit. */
static jit_fn make_jit(void)
{
#if defined(__x86_64__)
	static const uint8_t code[] = {
		0x55, /* push %rbp */
		0x48, 0x89, 0xe5, /* mov %rsp,%rbp */
		0xff, 0xd6, /* call *%rsi */
		0x48, 0xff, 0xc0, /* inc %rax */
		0x5d, /* pop %rbp */
		0xc3, /* ret */
	};
#elif defined(__aarch64__)
	static const uint32_t code[] = {
		0xa9bf7bfd, /* stp x29, x30, [sp, #-16]! */
		0x910003fd, /* mov x29, sp */
		0xd63f0020, /* blr x1 */
		0x91000400, /* add x0, x0, #1 */
		0xa8c17bfd, /* ldp x29, x30, [sp], #16 */
		0xd65f03c0, /* ret */
	};
#endif
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		exit(1);
	memcpy(at, code, sizeof(code));
	__builtin___clear_cache((char *)at, (char *)at + sizeof(code));
	if (mprotect(at, 4096, PROT_READ | PROT_EXEC))
		exit(1);
	return (jit_fn)(uintptr_t)at;
}

static jit_fn jit_code;

NOINLINE uint64_t from_jit(uint64_t v)
{
	return v + (uint64_t)syscall(SYS_getppid) + link_nine(v);
}

static void jit(void)
{
	sink += jit_code(sink, from_jit);
}

static void run(void (*round)(void))
{
	while (cpu_ns() < end_ns) {
		round();
		rounds++;
	}
}

static void *thread(void *round)
{
	run(deep);
	return NULL;
}

static void in_thread(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
		exit(1);
	end_ns = 0;
}

static const struct mode {
	const char *name;
	void (*round)(void);
	int sa_flags; /* -1: no handler */
} modes[] = {
	{ "calls", calls, -1 },   { "sort", sort, -1 },
	{ "deep", deep, -1 },     { "signal", interrupted, 0 },
	{ "kernel", kernel, -1 }, { "altstack", interrupted, SA_ONSTACK },
	{ "jit", jit, -1 },       { "thread", in_thread, -1 },
};

int main(int argc, char **argv)
{
	double sec = argc > 2 ? strtod(argv[2], NULL) : 1;
	size_t i;

	end_ns = (uint64_t)(sec * 1e9);
	if (argc > 3)
		depth_max = (int)workload__count(argv[3]);
	jit_code = make_jit();
	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		if (argc < 2 || strcmp(argv[1], modes[i].name))
			continue;
		if (modes[i].sa_flags >= 0)
			take_signals(modes[i].sa_flags);
		run(modes[i].round);
		workload__say("pid=%d mode=%s rounds=%lu\n", (int)getpid(), argv[1],
			      (unsigned long)rounds);
		return 0;
	}
	fprintf(stderr,
		"usage: unwind_c calls|sort|deep|signal|altstack|thread|kernel|jit [SEC [DEPTH]]\n");
	return 2;
}
