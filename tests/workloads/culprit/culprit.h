/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Programs with one cause of slowness each, which they know: `culprit NAME [SECONDS]`. A program
 * names its threads, has its cause in a function of its own, does amounts of work that are fixed
 * for SECONDS, and prints one line of truth at its end.
 */
#ifndef CULPRIT_H
#define CULPRIT_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* A place that a verdict can name: a symbol, with a frame of its own. */
#define PLACE __attribute__((noinline, noclone, used))

/*
 * A call of the C library, which has no frame pointers: where these are followed, the function that
 * calls it is missing, so that it is one of these and not the place.
 */
#define WRAPPER __attribute__((noinline, noclone, used)) static

/* An instruction behind a call keeps the call from becoming a jump. */
#define STAY() __asm__ volatile("" ::: "memory")

#define MS_NS 1000000ull
#define US_NS 1000ull

/* Facts that a program knows of itself at its end. */
struct truth {
	const char *cause; /* the kind of state that the time went to */
	const char *place; /* function */
	const char *thread; /* the thread in that function */
	uint64_t cause_ns; /* how long the cause took of wall-clock time */
	char more[640]; /* more pairs of key=value; "": none */
};

struct culprit {
	const char *name;
	const char *summary;
	/* Runs for about this many seconds and fills in the truth. */
	void (*run)(struct truth *truth, double seconds);
};

/* The programs, by file; each table ends with a name of NULL. */
extern const struct culprit lock_culprits[], io_culprits[], peer_culprits[], cpu_culprits[],
	memory_culprits[], limit_culprits[], softirq_culprits[], chain_culprits[];

/* A thread of this program. */
struct worker {
	const char *name; /* 15 characters at most */
	int cpu; /* the only one it runs on; -1: any */
	void (*run)(void *arg);
	void *arg;
	pthread_t id;
};

/* Prints a sentence and exits: with 77, the machine has not what the program needs; with 1. */
__attribute__((noreturn, format(printf, 1, 2))) void skip(const char *fmt, ...);
__attribute__((noreturn, format(printf, 1, 2))) void die(const char *fmt, ...);

/* Times in ns: wall clock, and the CPU time of this thread. */
uint64_t now_ns(void);
uint64_t thread_cpu_ns(void);

/* Waits ns, by a timer. */
void sleep_ns(uint64_t ns);

/* Returns a number of rounds: per_second for each second, 1 at least. */
unsigned int rounds(double seconds, double per_second);

/* Returns the nth CPU that this program may use, from 0; -1: there are not as many. */
int nth_cpu(unsigned int nth);
/* Pins this thread; -1 does nothing. */
void pin(int cpu);
/* Gives this thread its name. */
void name_thread(const char *name);

/* Starts threads, and waits for their ends. */
void workers__start(struct worker *workers, unsigned int cnt);
void workers__join(struct worker *workers, unsigned int cnt);

/*
 * Starts a process that calls run(arg) and exits; it ends when its parent does. Returns its pid.
 * child__join() waits for its end.
 */
pid_t child__start(const char *name, int cpu, void (*run)(void *arg), void *arg);
void child__join(pid_t pid);

/* Returns zeroed memory that children share. */
void *shared_memory(size_t sz);

/* Returns the descriptor of a new file without a name, on a disk; skips where there is none. */
int disk_file(void);
/* Returns the directory that such files are in. */
const char *disk_dir(void);

/* Reads and writes sz bytes whole; an error or the end of the file ends the program. */
void read_whole(int fd, void *buf, size_t sz);
void write_whole(int fd, const void *buf, size_t sz);

/*
 * Moves this process into a new group with a limit, and back and away at the end of the program,
 * whichever it is but SIGKILL. controller: cpu (limit: quota and period in us) or memory (bytes).
 * Skips where that cannot be done. Returns the path of the group.
 */
const char *enter_cgroup(const char *controller, uint64_t limit, uint64_t period);

/* Swaps to a new file of sz bytes until the program's end, whichever it is but SIGKILL. */
void swap_to_file(uint64_t sz);

/* Calls undo at the end of the program, last first; undo makes system calls only. */
void undo_at_end(void (*undo)(void));

/* Spends CPU time; inlined, so that the caller is the place of it. */
__attribute__((always_inline)) static inline void burn_ns(uint64_t ns)
{
	uint64_t end_ns = thread_cpu_ns() + ns;
	volatile unsigned int i;

	/* On some machines reading the clock takes 2 us: it shall be a small part. */
	do {
		for (i = 0; i < 40000; i++)
			;
	} while (thread_cpu_ns() < end_ns);
	STAY();
}

#endif
