/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The kernel's event scheduler as a pure function: events and a machine in; counters, states and
 * percentages out. It neither opens nor measures events.
 */
#ifndef BPFPERF_PLAN_PLAN_H
#define BPFPERF_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/model.h"

struct event_list;

/* Maximum number of events in one plan, including the watchdog's. */
#define PLAN_EVENTS_MAX 128
/* Default interval of the kernel's rotation timer: one tick of HZ=250. */
#define PLAN_MUX_NS 4000000ull

/* The machine on which the events run. */
struct plan_machine {
	const struct model *model;
	uint32_t kernel; /* KERNEL() */
	bool ht; /* the core's other thread is online */
	/* it is offline, but enabled in the firmware: it keeps its counters all the same */
	bool ht_counters;
	bool tfa; /* the kernel keeps general counter 3 free for TSX (allow_tsx_force_abort = 0) */
	bool no_tsx; /* the CPU has neither RTM nor HLE: in_tx and in_tx_cp are ignored */
	/*
	 * The kernel is built without CONFIG_PERF_EVENTS_AMD_BRS: from 6.1 on it then does not use
	 * the constraints of AMD's family 15h. brs_known: somebody has found out.
	 */
	bool no_brs, brs_known;
	bool samples; /* the events are sampled, as record does */
	bool watchdog; /* the NMI watchdog counts cycles, pinned, on each CPU */
	int watchdog_counter; /* the only counter it can use; -1: chosen by the kernel */
	/*
	 * General counters on which the core's other thread counts corrupting events, and others.
	 */
	uint64_t sibling_corrupting, sibling_other;
	/* The other thread's values in off-core registers, where a core's threads share them. */
	uint64_t sibling_offcore[2];
	size_t sibling_offcore_cnt;
	uint64_t northbridge; /* general counters that other cores use for RULE_NORTHBRIDGE */
	/*
	 * The command closes the rest of a group that had a member refused, as bpfperf stat does;
	 * perf stat leaves it on the PMU, unread.
	 */
	bool drop_broken;
	uint64_t mux_ns; /* interval of the rotation timer; 0: PLAN_MUX_NS */
};

enum plan_ctx {
	PLAN_CTX_CPU, /* events of a CPU, for all its tasks */
	PLAN_CTX_TASK, /* events of a task */
	PLAN_CTX_CNT,
};

enum plan_refusal {
	PLAN_OPENS,
	PLAN_NO_EVENT, /* the PMU has no such event */
	PLAN_BLACKLISTED, /* the kernel refuses it (HT erratum) */
	PLAN_NO_COUNTER, /* no counter of the PMU can count it */
	PLAN_GROUP_FULL, /* no assignment exists together with the members before it */
	PLAN_LEADER_GONE, /* its group's leader was refused */
	PLAN_NEEDS_SLOTS, /* a topdown metric in a group that slots does not lead */
	PLAN_BAD_REGISTER, /* its config1 has bits that its extra register lacks */
	PLAN_PRECISE_COUNTS, /* a precise event that is counted, not sampled (4.10+) */
	PLAN_TOO_PRECISE, /* more p than the PMU takes */
	PLAN_NOT_PRECISE, /* PEBS or IBS do not have the event */
	PLAN_TX_ALONE, /* in_tx or in_tx_cp, and precise or with any=1 */
	PLAN_TOPDOWN_PLAIN, /* slots or a topdown metric with cmask and the like */
	PLAN_NOT_SAMPLED, /* a topdown metric that is to be sampled */
	PLAN_CPUS_ONLY, /* an event of an uncore PMU for a task */
	PLAN_ALL_MODES, /* such an event with u, k and the like */
	PLAN_REFUSED_HERE, /* this machine's kernel refuses it: it was tried (plan_event.absent) */
};

struct plan_event {
	const char *name; /* owned by the caller */
	bool is_hw; /* needs a counter of the model's PMU; else the kernel counts it in software */
	bool is_watchdog;
	/* opened with attr.disabled and not enabled since: ignored by group checks */
	bool disabled;
	uint64_t code, config1, config2;
	bool excludes; /* has a modifier such as u or k */
	bool is_raw; /* its code was given, not looked up by a generic name */
	int group; /* index of its plan_group */
	uint64_t counters; /* counters that the kernel allows; 0: none */
	uint64_t real; /* counters that really count it */
	const struct model_rule *rule; /* NULL: none, any general counter */
	unsigned int flags; /* enum rule_flag: the rule's, or the event's own (own_masks) */
	uint8_t precise; /* the number of p, 0-3 */
	bool no_event; /* model__code() had none */
	bool absent; /* set by the caller: this machine's kernel refuses it */
	/* opens, but the PMU does not say that it has it; it may read 0 */
	bool unlisted;
	enum plan_refusal refusal; /* after plan__open() */
};

/*
 * The unit of scheduling: one event, or a group written in {…}. Its events are first … first + cnt
 * - 1.
 */
struct plan_group {
	size_t first, cnt;
	enum plan_ctx ctx;
	bool pinned, exclusive, weak;
	bool is_hw; /* has a hardware event that opened */
	bool broken; /* a member was refused: no command reads the others */
	bool gone; /* broken, and therefore closed */
	bool braces; /* was written in {…} */
	const char *mods; /* the modifiers after the brace; NULL: none */
};

struct plan {
	struct plan_machine machine;
	struct plan_event events[PLAN_EVENTS_MAX];
	size_t event_cnt;
	struct plan_group groups[PLAN_EVENTS_MAX];
	size_t group_cnt;
	/*
	 * The lists of flexible hardware groups, which are rotated: group indexes in the order in
	 * which they are tried first.
	 */
	uint8_t flexible[PLAN_CTX_CNT][PLAN_EVENTS_MAX];
	size_t flexible_cnt[PLAN_CTX_CNT];
};

/* Makes an empty plan; on a machine with a watchdog its event is the first one. */
void plan__init(struct plan *plan, const struct plan_machine *machine);
/*
 * Adds a group in `ctx`; events are added to the last group. NULL: there are too many. Valid until
 * the plan is freed.
 */
struct plan_group *plan__add_group(struct plan *plan, enum plan_ctx ctx);
/*
 * Adds a hardware event by perf's type and config. `name` must outlive the plan. NULL: too many. An
 * event that the PMU lacks is added as well: plan__open() refuses it.
 */
struct plan_event *plan__add_hw(struct plan *plan, const char *name, uint32_t type, uint64_t config,
				uint64_t config1);
/* Adds an event that needs no counter of the PMU. NULL: too many. */
struct plan_event *plan__add_sw(struct plan *plan, const char *name);
/*
 * Adds all events of `list`, which must outlive the plan, with their groups and modifiers. 0, or
 * -E2BIG: more than PLAN_EVENTS_MAX.
 */
int plan__add_list(struct plan *plan, const struct event_list *list, enum plan_ctx ctx);
/*
 * Makes the events of that name stay disabled: `name` is what they were written as, or that without
 * modifiers and a PMU's terms. Before plan__open(). Returns their number.
 */
size_t plan__disable(struct plan *plan, const char *name);
/* True if event `at` or its group's leader was opened disabled: it never gets a counter. */
bool plan__is_disabled(const struct plan *plan, size_t at);
/*
 * Opens the events one by one, with the checks of perf_event_open() (plan/group.c), and builds the
 * lists. Call once, before any scheduling.
 */
void plan__open(struct plan *plan);

#endif
