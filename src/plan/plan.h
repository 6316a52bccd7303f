/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The kernel's event scheduler as a pure function: events and a machine in; counters, states and
 * percentages out. Nothing is opened, nothing is measured.
 */
#ifndef BPFPERF_PLAN_PLAN_H
#define BPFPERF_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/model.h"

struct event_list;

/* The most events of one plan, the watchdog's included. */
#define PLAN_EVENTS_MAX 128
/* The kernel's timer for turns where sysfs does not say otherwise: one tick of HZ=250. */
#define PLAN_MUX_NS 4000000ull

/* The machine the events are to run on. */
struct plan_machine {
	const struct model *model;
	uint32_t kernel; /* KERNEL() */
	bool ht; /* the core's other thread is on */
	/* it is off, but the firmware has it on: it keeps its counters all the same */
	bool ht_counters;
	bool tfa; /* the kernel keeps general counter 3 free for TSX (allow_tsx_force_abort = 0) */
	bool watchdog; /* the NMI watchdog counts cycles, pinned, on each CPU */
	int watchdog_counter; /* the only counter it may be on; -1: where the kernel puts it */
	/*
	 * General counters on which the core's other thread counts corrupting events, and others.
	 */
	uint64_t sibling_corrupting, sibling_other;
	/*
	 * Whoever opens the events closes what is left of a group that had a member refused, as
	 * bpfperf stat does; perf stat leaves it on the PMU, unread.
	 */
	bool drop_broken;
	uint64_t mux_ns; /* the timer for turns; 0: PLAN_MUX_NS */
};

enum plan_ctx {
	PLAN_CTX_CPU, /* events of a CPU, whoever runs on it */
	PLAN_CTX_TASK, /* events of a task */
	PLAN_CTX_CNT,
};

enum plan_refusal {
	PLAN_OPENS,
	PLAN_NO_EVENT, /* the PMU has no such event */
	PLAN_BLACKLISTED, /* the kernel refuses it (HT erratum) */
	PLAN_NO_COUNTER, /* no counter of the PMU can have it */
	PLAN_GROUP_FULL, /* with the members before it there is no assignment */
	PLAN_LEADER_GONE, /* its group's leader was refused */
};

struct plan_event {
	const char *name; /* the caller's */
	bool is_hw; /* needs a counter of the model's PMU; else the kernel counts it in software */
	bool is_watchdog;
	/* opened with attr.disabled and not enabled since: no part in group checks */
	bool disabled;
	uint64_t code, config1;
	int group; /* index of its plan_group */
	uint64_t counters; /* what the kernel takes it to fit on; 0: nothing */
	uint64_t real; /* what it really counts on */
	const struct model_rule *rule; /* NULL: none, any general counter */
	bool precise;
	bool no_event; /* model__code() had none */
	enum plan_refusal refusal; /* after plan__open() */
};

/*
 * The unit of scheduling: one event, or what stood in {…}. Its events are first … first + cnt - 1.
 */
struct plan_group {
	size_t first, cnt;
	enum plan_ctx ctx;
	bool pinned, exclusive, weak;
	bool is_hw; /* has a hardware event that opened */
	bool broken; /* a member was refused: no command reads what is left of it */
	bool gone; /* broken, and closed for it */
	bool braces; /* was written in {…} */
	const char *mods; /* the modifiers behind the brace; NULL: none */
};

struct plan {
	struct plan_machine machine;
	struct plan_event events[PLAN_EVENTS_MAX];
	size_t event_cnt;
	struct plan_group groups[PLAN_EVENTS_MAX];
	size_t group_cnt;
	/*
	 * The lists of flexible hardware groups, which take turns: group indexes in the order in
	 * which they are tried first.
	 */
	uint8_t flexible[PLAN_CTX_CNT][PLAN_EVENTS_MAX];
	size_t flexible_cnt[PLAN_CTX_CNT];
};

/* An empty plan; where the machine has a watchdog, its event is there first. */
void plan__init(struct plan *plan, const struct plan_machine *machine);
/*
 * A new group in `ctx`; events are added to the last group. NULL: there are too many. Valid until
 * the plan is gone.
 */
struct plan_group *plan__add_group(struct plan *plan, enum plan_ctx ctx);
/*
 * A hardware event by perf's type and config. `name` must outlive the plan. NULL: too many. What
 * the PMU does not have is added as well: plan__open() refuses it.
 */
struct plan_event *plan__add_hw(struct plan *plan, const char *name, uint32_t type, uint64_t config,
				uint64_t config1);
/* An event that needs no counter of the PMU. NULL: too many. */
struct plan_event *plan__add_sw(struct plan *plan, const char *name);
/*
 * All events of `list`, which must outlive the plan, with their groups and modifiers. 0, or -E2BIG:
 * more than PLAN_EVENTS_MAX.
 */
int plan__add_list(struct plan *plan, const struct event_list *list, enum plan_ctx ctx);
/*
 * Opens the events one by one, as perf_event_open() checks them (plan/group.c), and makes the
 * lists. To be called once, before anything is scheduled.
 */
void plan__open(struct plan *plan);

#endif
