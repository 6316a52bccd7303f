/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The events that the user asked for, resolved: each is a tracepoint or
 * an event that perf_event_open() takes. Opens nothing in the kernel.
 */
#ifndef BPFPERF_EVENT_EVENT_H
#define BPFPERF_EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/tp_format.h"

enum event_kind {
	EVENT_TRACEPOINT,
	EVENT_SOFTWARE, /* PERF_TYPE_SOFTWARE */
	EVENT_HARDWARE, /* PERF_TYPE_HARDWARE and PERF_TYPE_HW_CACHE */
	EVENT_PMU, /* a PMU of sysfs: PMU/terms/ */
	EVENT_RAW, /* rNNN, and vendor names that libpfm4 encodes */
	/* measured by bpfperf, not by the kernel's counters: config is an enum event_tool */
	EVENT_TOOL,
};

/* Nanoseconds, all of them. */
enum event_tool {
	EVENT_TOOL_DURATION, /* by the clock on the wall */
	EVENT_TOOL_USER, /* in user space */
	EVENT_TOOL_SYSTEM, /* in the kernel */
};

/* perf_event_attr.type of an EVENT_TOOL: no PMU has it. */
#define EVENT_TYPE_TOOL UINT32_MAX

struct event {
	enum event_kind kind;
	char *name; /* as printed: "sched:sched_switch", "cycles:u", "msr/tsc/" */
	struct tp_format *fmt; /* EVENT_TRACEPOINT: owned */
	bool from_glob; /* came from a pattern: one that cannot be had is skipped, not an error */
	/*
	 * Which term of the command line named it last (0, 1, …): what stands behind an
	 * event there, as --filter does, is meant for all events of the last term.
	 */
	int term;

	/* For perf_event_open(); of a tracepoint, type PERF_TYPE_TRACEPOINT and config its id. */
	uint32_t type;
	uint64_t config, config1, config2;

	/* EVENT_PMU: what sysfs says of the PMU and of the alias; NULL where it says nothing. */
	char *pmu; /* "msr" */
	char *cpus; /* list of CPUs ("0,28") to open it on, in place of all */
	bool system_wide; /* counts for a package or the machine: only per CPU, never for a task */
	char *unit; /* "Joules" */
	double scale; /* one count is so many units; 1.0 where none is given */

	/* Modifiers (perf's letters): u k h H G p P D I e S W b. */
	bool exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest, exclude_idle;
	bool pinned, exclusive;
	bool read_group; /* S: a sample carries the counts of its group */
	bool weak_group; /* W: split the group where the PMU refuses it */
	bool by_bpf; /* b: count in a BPF program */
	uint8_t precise_ip; /* 0–3 */
	bool precise_max; /* P: as precise as the PMU can; precise_ip is 0 then */
	/*
	 * Events with the same group >= 0 were written in one {…}, in order, leader first. -1:
	 * alone.
	 */
	int group;
	char *group_mods; /* of the leader: the letters behind the '}', or NULL */

	char *filter; /* --filter of this event as written, or NULL */
};

struct event_list {
	struct event **events;
	size_t cnt, cap;
	int group_cnt; /* groups so far */
	int term_cnt; /* terms so far: event->term of the last one is term_cnt - 1 */
	uint64_t *tp_seen; /* bitmap by id of the tracepoints that are there alone and unmodified */
};

/*
 * Resolves one argument (a comma list of events, globs, groups) and appends to `list`, which
 * starts zeroed. 0; -ENOENT when something matches nothing (the sentence with the nearest names
 * was printed: the command's exit is 2); -EINVAL for bad grammar (printed, with a caret); -errno
 * for tracefs troubles (printed). The same tracepoint asked for twice is there once, unless
 * modifiers or groups differ. After an error the list keeps what was resolved before it; free it.
 * From the first tracepoint on the detach lock is held (detach_lock.h), until the loop of the run
 * starts.
 */
int event_list__add(struct event_list *list, const char *spec);
void event_list__free(struct event_list *list);

/* An event of this name (copied), alone and unmodified. NULL and errno ENOMEM. */
struct event *event__new(enum event_kind kind, const char *name);
/* NULL is fine. */
void event__free(struct event *ev);
/*
 * true where it takes one of a CPU's PMU counters: hardware, cache, raw, and PMU/…/ of a core PMU.
 */
bool event__is_hw(const struct event *ev);
/* cpu-clock or task-clock: what it counts is nanoseconds. */
bool event__is_clock(const struct event *ev);
/*
 * Name of the event that profiles best here: "cycles" where sysfs shows a PMU that serves
 * it, else "cpu-clock". Static storage.
 */
const char *event__default_profile(void);
/* Hands `ev` over to the list: 0, or -ENOMEM (ev is freed). */
int event_list__push(struct event_list *list, struct event *ev);

#endif
