/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Processes of the machine that made the records: thread names, mappings (kept in sym/sym.h),
 * kernel code and throttling. machine__process() is the single receiver of process records: it
 * parses each one once, passes the event to the subscribers, then applies it. A later record is
 * therefore decoded with the state that the machine had when the record was made.
 */
#ifndef BPFPERF_MACHINE_MACHINE_H
#define BPFPERF_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/record.h"
#include "machine/brief.h"
#include "machine/proc_event.h"
#include "machine/throttle.h"
#include "util/u64map.h"

struct recording;
struct sym;
struct sym_options;
struct tasks;

/*
 * An event before it is applied, and its record; both are valid during the call. Returns 0; any
 * other value ends machine__process(), which returns that value.
 */
typedef int (*machine_fn)(void *ctx, const struct proc_event *ev, const struct record *rec);

/* The subscriber owns this memory, which must not move until the machine is freed. */
struct machine_subscriber {
	machine_fn fn;
	void *ctx;
	/* also receive events synthesized from /proc for tasks that ran before */
	bool wants_history;
	struct machine_subscriber *next; /* list link, owned by the machine */
};

struct machine {
	struct tasks *tasks; /* names, over time */
	struct sym *sym; /* mappings and functions */
	struct throttle throttle;
	uint64_t lost_cnt; /* how often process records were lost */
	bool has_maps; /* live: machine__add_maps() was called and mappings are tracked */
	const struct recording *recording; /* NULL: live */
	/* process → number of changes of its mappings, for machine__maps_version() */
	struct u64map versions;
	bool counts_versions; /* set by those that ask for them */
	struct machine_subscriber *at_read, *in_turn;
	struct brief brief;
	bool skips_brief; /* machine__skip_brief() was called */
};

/*
 * Creates the model of this machine. With options NULL all options are off. NULL and errno ENOMEM.
 */
struct machine *machine__new(const struct sym_options *options);
/*
 * Call before the first record: the machine is the one that made the recording, which must outlive
 * it. /proc is not read, and mappings are identified by the recording's build ids. With options
 * NULL only the recording's own options are on.
 */
void machine__set_recording(struct machine *m, const struct recording *rec,
			    const struct sym_options *options);
/* NULL is accepted. */
/*
 * Call before the first sample, when all that precedes the records is known: whether the recording
 * is of the running kernel, of which it may have no mapping.
 */
void machine__settle_kernel(struct machine *m);
void machine__free(struct machine *m);

/* Calls sub->fn for each event in time order, subscribers in the order of subscription. */
void machine__subscribe(struct machine *m, struct machine_subscriber *sub);
/*
 * Calls sub->fn when a record is taken off its ring, long before its turn in time order; the return
 * value of fn is ignored.
 */
void machine__subscribe_at_read(struct machine *m, struct machine_subscriber *sub);

/* Live: reads the names of all running threads. 0 or -errno. */
int machine__add_names(struct machine *m);
/*
 * Live: tracks mappings from now on and reads the mappings of running processes: of pids if
 * only_pids is set, else of all. Call it with the rings open, so that no mapping is missed in
 * between. The mappings of any other process are read when its first record arrives.
 */
void machine__add_maps(struct machine *m, bool only_pids, const int *pids, size_t pid_cnt);
/*
 * Live: takes a record made from /proc (machine/synthesize.h), for the subscribers that want
 * history; the calls above read the earlier names and mappings themselves. 0 or the value that a
 * subscriber returned.
 */
int machine__add_history(struct machine *m, const struct perf_event_header *hdr);

/*
 * Live: processes that begin and end without a sample and without a child, all of it between two
 * drains, are unknown to this machine and to the subscribers in turn. Only where samples alone show
 * processes. live_config needs machine__on_read() and machine__on_sample_read().
 */
void machine__skip_brief(struct machine *m);

/* Processes a record of kind RECORD_PROC in its turn. 0, -ENOMEM, or the value of a subscriber. */
int machine__process(struct machine *m, const struct record *rec);
/*
 * Callback for live_config.task_read, needed if machine__subscribe_at_read() or
 * machine__skip_brief() was called; ctx is a struct machine.
 */
void machine__on_read(void *ctx, const struct record *rec);
/* Callback for live_config.data_read; ctx is a struct machine. */
void machine__on_sample_read(void *ctx, uint32_t tgid);

/*
 * Number of changes of a process's mappings since counts_versions was set; live, after
 * machine__add_maps().
 */
uint32_t machine__maps_version(const struct machine *m, int32_t pid);

#endif
