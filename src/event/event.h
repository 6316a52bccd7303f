/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Resolved events of the command line: each is a tracepoint or an event for perf_event_open().
 * Opens nothing in the kernel.
 */
#ifndef BPFPERF_EVENT_EVENT_H
#define BPFPERF_EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/probe.h"
#include "event/tp_format.h"

enum event_kind {
	EVENT_TRACEPOINT,
	EVENT_SOFTWARE, /* PERF_TYPE_SOFTWARE */
	EVENT_HARDWARE, /* PERF_TYPE_HARDWARE and PERF_TYPE_HW_CACHE */
	EVENT_PMU, /* a PMU of sysfs: PMU/terms/ */
	EVENT_BREAKPOINT, /* mem:ADDR/LEN:rwx: the address is config1, the length config2 */
	EVENT_RAW, /* rNNN, and vendor names that libpfm4 encodes */
	/* measured by bpfperf, not by the kernel's counters: config is an enum event_tool */
	EVENT_TOOL,
};

/* All values are nanoseconds. */
enum event_tool {
	EVENT_TOOL_DURATION, /* elapsed time */
	EVENT_TOOL_USER, /* in user space */
	EVENT_TOOL_SYSTEM, /* in the kernel */
};

/* perf_event_attr.type of an EVENT_TOOL, which is not used by any PMU. */
#define EVENT_TYPE_TOOL UINT32_MAX

/* Bits of perf_event_attr.aux_action (6.13). */
#define EVENT_AUX_START_PAUSED 1
#define EVENT_AUX_PAUSE 2
#define EVENT_AUX_RESUME 4

/*
 * Bytes of stack in a sample, at most: the kernel takes multiples of 8 below 65535, and cuts what a
 * record has no room for.
 */
#define EVENT_STACK_MAX_SZ 65528

/* How the terms of an event say that it is sampled; UNSAID: as the options of the command say. */
enum event_choice { EVENT_UNSAID, EVENT_OFF, EVENT_ON };
enum event_chain {
	EVENT_CHAIN_UNSAID,
	EVENT_CHAIN_NO,
	EVENT_CHAIN_FP,
	EVENT_CHAIN_DWARF,
	EVENT_CHAIN_LBR
};

/* Terms of perf-record(1), which win over the options. */
struct event_sampling {
	uint64_t period, freq_hz; /* at most one; 0: not given */
	enum event_chain chain; /* call-graph */
	uint32_t stack_sz; /* stack-size: bytes of stack in a sample, with dwarf; 0: not given */
	uint16_t max_stack; /* max-stack: frames of a callchain; 0: not given */
	enum event_choice time, inherit;
	uint64_t branches; /* branch_type: PERF_SAMPLE_BRANCH_* */
	bool has_branches; /* it was given; branches 0: none */
};

struct event {
	enum event_kind kind;
	char *name; /* as printed: "sched:sched_switch", "cycles:u", "msr/tsc/" */
	struct tp_format *fmt; /* EVENT_TRACEPOINT: owned */
	/*
	 * EVENT_TRACEPOINT: owned; NULL: a tracepoint of the kernel. A probe's format is made up,
	 * with an id that no tracepoint has.
	 */
	struct probe *probe;
	bool is_made_up; /* its format is none of the kernel's, like that of a probe */
	/* matched by a pattern: if it cannot be opened it is skipped, which is not an error */
	bool from_glob;
	/*
	 * Index (0, 1, …) of the last term of the command line that named it: an option after an
	 * event, such as --filter, applies to all events of the last term.
	 */
	int term;

	/*
	 * Arguments of perf_event_open(); a tracepoint has type PERF_TYPE_TRACEPOINT and its id as
	 * config.
	 */
	uint32_t type;
	uint64_t config, config1, config2;
	uint32_t bp_type; /* EVENT_BREAKPOINT: HW_BREAKPOINT_R, W and X */

	/* EVENT_PMU: properties of the PMU and of the alias in sysfs; NULL if missing there. */
	char *pmu; /* "msr" */
	char *cpus; /* list of CPUs ("0,28") on which to open it, instead of all */
	bool system_wide; /* counts for a package or the machine: only per CPU, never for a task */
	char *unit; /* "Joules" */
	double scale; /* units per count; 1.0 by default */

	/* Modifiers (perf's letters): u k h H G p P D I e S W b. */
	bool exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest, exclude_idle;
	bool pinned, exclusive;
	bool read_group; /* S: a sample contains the counts of its group */
	bool weak_group; /* W: split the group if the PMU refuses it */
	bool by_bpf; /* b: count in a BPF program */
	uint8_t precise_ip; /* 0–3 */
	bool precise_max; /* P: highest precision of the PMU; precise_ip is 0 then */
	/*
	 * Events with equal group >= 0 were written in one {…}, in order, leader first. -1: not in
	 * a group.
	 */
	int group;
	char *group_mods; /* leader only: the letters after the '}', or NULL */

	struct event_sampling sampling;
	/* Terms of perf for events beside one with an AUX area, its group's leader. */
	bool aux_output; /* aux-output: writes its samples into the area */
	uint8_t aux_action; /* aux-action: EVENT_AUX_* */
	uint32_t aux_sample_sz; /* aux-sample-size: bytes of the area in each sample; 0: default */

	char *filter; /* --filter of this event as written, or NULL */
};

struct event_list {
	struct event **events;
	size_t cnt, cap;
	int group_cnt; /* groups so far */
	int term_cnt; /* terms so far: event->term of the last one is term_cnt - 1 */
	/* bitmap by id of the tracepoints in the list without group and modifiers */
	uint64_t *tp_seen;
};

/*
 * Resolves one argument (a comma list of events, globs, groups) and appends to `list`, which starts
 * zeroed. 0; -ENOENT if a term matches no event (the sentence with the nearest names was printed:
 * the command's exit is 2); -EINVAL for bad grammar (printed, with a caret); -errno for tracefs
 * errors (printed). A tracepoint that is named twice is added once, unless modifiers or groups
 * differ. After an error the list keeps the events resolved before it; free it. From the first
 * tracepoint on the detach lock is held (detach_lock.h), until the loop of the run starts.
 */
int event_list__add(struct event_list *list, const char *spec);
/* Makes one group of all events, for --group. 0; -EINVAL: some are in groups already (logged). */
int event_list__join(struct event_list *list);
void event_list__free(struct event_list *list);
/* Is there an event of which `is` holds? */
bool event_list__any(const struct event_list *list, bool (*is)(const struct event *ev));

/*
 * Finds the event of this name without group and modifiers, or creates it (name is copied). NULL
 * and errno ENOMEM.
 */
struct event *event__new(enum event_kind kind, const char *name);
/* Gives it another name, which is copied. 0 or -ENOMEM; then it keeps its name. */
int event__set_name(struct event *ev, const char *name);
/* NULL is accepted. */
void event__free(struct event *ev);
/* Do its terms say how it is sampled, but for the rate? */
bool event__has_options(const struct event *ev);
/* true if it uses one of a CPU's PMU counters: hardware, cache, raw, and PMU/…/ of a core PMU. */
bool event__is_hw(const struct event *ev);
/* True if each occurrence is a sample unless -F or -c says otherwise: tracepoints, breakpoints. */
bool event__takes_each(const struct event *ev);
/*
 * True for ftrace:function, which only the kernel's own samples and counts know: BPF programs
 * cannot be attached to it.
 */
bool event__is_function(const struct event *ev);
/* True for cpu-clock and task-clock, which count nanoseconds. */
bool event__is_clock(const struct event *ev);
/*
 * Lets each hit of a probe count as much as this field of its record. -ENOENT: it is no probe, or
 * has no such number.
 */
int event__weigh(struct event *ev, const char *field);
/* Are both probes of one place, with the same fields fetched in the same way? */
bool event__is_same_probe(const struct event *a, const struct event *b);
/* Appends to the name that is printed. Returns 0 or -ENOMEM (logged). */
int event__extend_name(struct event *ev, const char *suffix);
/*
 * Name of the best event for profiling here: "cycles" if sysfs shows a PMU that supports it, else
 * "cpu-clock". Static storage.
 */
const char *event__default_profile(void);
/* Passes ownership of `ev` to the list: 0, or -ENOMEM (ev is freed). */
int event_list__push(struct event_list *list, struct event *ev);

#endif
