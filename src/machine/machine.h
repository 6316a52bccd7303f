/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The processes of the machine that records are of: names of threads, mappings (sym/sym.h has
 * them), code of the kernel, throttling. It is the one receiver of process records:
 * machine__process() parses each of them once, gives the event to those that subscribed, then
 * applies it, so that what is decoded after the record sees the machine as it was then.
 */
#ifndef BPFPERF_MACHINE_MACHINE_H
#define BPFPERF_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/record.h"
#include "machine/proc_event.h"
#include "machine/throttle.h"
#include "util/u64map.h"

struct recording;
struct sym;
struct sym_options;
struct tasks;

/*
 * An event before it is applied, and its record, both valid during the call. 0; other values end
 * machine__process(), which returns them.
 */
typedef int (*machine_fn)(void *ctx, const struct proc_event *ev, const struct record *rec);

/* Memory is the subscriber's; it stays where it is until the machine is freed. */
struct machine_subscriber {
	machine_fn fn;
	void *ctx;
	bool wants_history; /* also events of what ran before, which were made from /proc */
	struct machine_subscriber *next; /* the machine's */
};

struct machine {
	struct tasks *tasks; /* names, over time */
	struct sym *sym; /* mappings and functions */
	struct throttle throttle;
	uint64_t lost_cnt; /* times that process records were lost */
	bool has_maps; /* live: machine__add_maps() was called, mappings are followed */
	const struct recording *recording; /* NULL: live */
	struct u64map versions; /* process → how often its mappings have changed */
	struct machine_subscriber *at_read, *in_turn;
};

/* This machine. options NULL: all are off. NULL and errno ENOMEM. */
struct machine *machine__new(const struct sym_options *options);
/*
 * Before the first record: the machine is that of a recording, which outlives it. /proc is not
 * read, and mappings are named by the recording's build ids. options NULL: all are off but the
 * recording's own.
 */
void machine__set_recording(struct machine *m, const struct recording *rec,
			    const struct sym_options *options);
/* NULL is accepted. */
void machine__free(struct machine *m);

/* Calls sub->fn for each event in its turn, in the order of subscribing. */
void machine__subscribe(struct machine *m, struct machine_subscriber *sub);
/*
 * Calls sub->fn when a record is taken off its ring, long before its turn; what fn returns is
 * ignored.
 */
void machine__subscribe_at_read(struct machine *m, struct machine_subscriber *sub);

/* Live: the names of all threads that run. 0 or -errno. */
int machine__add_names(struct machine *m);
/*
 * Live: mappings are followed from here on, and those of processes that run are read: of pids where
 * only_pids is set, else of all. The rings are open, so that nothing is missed between. A process
 * that is met later without this is read then.
 */
void machine__add_maps(struct machine *m, bool only_pids, const int *pids, size_t pid_cnt);
/*
 * Live: a record made from /proc (machine/synthesize.h), for the subscribers that want history;
 * names and mappings of before are read by the calls above. 0 or what a subscriber returned.
 */
int machine__add_history(struct machine *m, const struct perf_event_header *hdr);

/* A record of kind RECORD_PROC in its turn. 0, -ENOMEM, or what a subscriber returned. */
int machine__process(struct machine *m, const struct record *rec);
/*
 * For live_config.task_read, where machine__subscribe_at_read() was called; ctx is a struct
 * machine.
 */
void machine__on_read(void *ctx, const struct record *rec);

/* How often the mappings of a process have changed; live, with machine__add_maps(). */
uint32_t machine__maps_version(const struct machine *m, int32_t pid);

#endif
