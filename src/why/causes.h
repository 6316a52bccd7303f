/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The steps of critical paths, summed up by what they have in common: the causes of the time. */
#ifndef BPFPERF_WHY_CAUSES_H
#define BPFPERF_WHY_CAUSES_H

#include "why/path.h"
#include "why/quota.h"

#define WHY_INSTEADS 3
#define WHY_CALLS 4

/* Samples in a system call. */
struct why_call {
	const char *name; /* NULL: there are no more */
	uint64_t cnt;
};

/* Texts are never NULL, equal ones have one address, and "" is one that is not known. */
struct why_cause {
	enum why_kind kind; /* of time on a CPU: what most samples were */
	const char *comm; /* name of the threads */
	const char *function, *caller, *call; /* struct why_stack */
	const char *file; /* blocked: the descriptor's file */
	/* Runnable: the tasks that had the CPU for longest, and how long; "": it was idle. */
	struct why_instead {
		const char *name; /* NULL: there are no more */
		uint64_t ns;
	} instead[WHY_INSTEADS];
	/* Blocked: the call it waits in; on a CPU: the one of most samples in the kernel. */
	const char *syscall;
	/* Threads that waited for this one meanwhile; WHY_UNKNOWN: none. */
	enum why_kind waiter_kind;
	const char *waiter_comm, *waiter_function, *waiter_caller, *waiter_call;
	uint64_t ns, step_cnt;
	uint64_t covered_ns; /* throttled: time of others that the limit would have taken, too */
	/*
	 * Woken, and the CPU was idle: the wait that the wakeup ended, which this delay is a part
	 * of, and which has the same file. WHY_USER: another task had the CPU, or the wait itself
	 * is short.
	 */
	enum why_kind after;
	uint64_t late_ns; /* of a group: its time of that kind */
	uint32_t thread; /* one of the threads, and whether there are more */
	bool has_more_threads;
	uint64_t sample_cnt, samples[WHY_SOFTIRQ + 1]; /* on a CPU, by kind */
	struct why_call calls[WHY_CALLS]; /* on a CPU: those that were seen first */
	uint64_t memory_samples; /* those that bring back swapped memory, or free some */
	double faults_per_s; /* page faults of the threads of this name, by time on a CPU */
	unsigned int place_percent; /* of a group: the part of its time at this place; else 100 */
};

/* Adds samples in a system call. */
void why_calls__add(struct why_call *calls, const char *name, uint64_t cnt);
/* The call that more than half of the samples in the kernel are in; otherwise none. */
const char *why_calls__most(const struct why_cause *k, const char *none);

/* A task that had the CPU while the threads of a cause were ready to run. */
struct why_owner {
	uint32_t cause;
	struct why_instead instead;
};

struct why_causes {
	struct why_cause *at; /* the longest first, once finished */
	size_t cnt, cap;
	struct u64map by_key, by_step; /* by texts, and by what steps have alike */
	struct why_owner *owners; /* of CPUs, until finish */
	size_t owner_cnt, owner_cap;
	struct u64map by_owner;
	uint64_t total_ns; /* of all steps */
	uint64_t hop_cnt; /* how often a path goes from a thread to the one that woke it … */
	uint64_t hops[WHY_KINDS]; /* … by what the woken thread waited for */
};

/* A path is summed up. */
struct why_summing {
	struct why_causes *causes;
	struct why_timeline *tl; /* has the names, and is the index's */
	const struct why_index *ix;
	uint32_t last_waiter; /* of the step before; WHY_NONE at first */
	struct why_quota quota;
};

void why_causes__init(struct why_causes *c);
void why_causes__free(struct why_causes *c);
/* A why_step_fn: adds the step of a path; ctx is a struct why_summing. 0 or -ENOMEM. */
int why_causes__add_step(void *ctx, const struct why_step *step);
/*
 * Adds all times off the CPU of all threads, on the path or not. total_ns stays 0. 0 or -ENOMEM.
 */
int why_causes__add_waits(struct why_causes *c, struct why_timeline *tl);
/* Is the cause the delay of an idle CPU after that wait? */
bool why_cause__is_delay_of(const struct why_cause *k, const struct why_cause *wait);
/* Called once all paths were added: splits and sorts. 0 or -ENOMEM. */
int why_causes__finish(struct why_causes *c);

#endif
