/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Deviations of a machine from its model's table: errata, hyper-threading, kernels with bugs. */
#ifndef BPFPERF_PLAN_QUIRKS_H
#define BPFPERF_PLAN_QUIRKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/assign.h"
#include "plan/plan.h"

/* The general counters of a thread on this machine: 8 or 4, depending on hyper-threading. */
uint64_t quirks__general(const struct plan_machine *machine);
/*
 * Sets how many `cycles` events the kernel accepts as one group. Only this number shows which
 * thread owns the other thread's counters with hyper-threading off (CPUID leaf 0xa follows the
 * firmware, and hypervisors report arbitrary values). Of AMD's family 15h it shows whether the
 * kernel uses its constraints. 0: it is not known.
 */
void quirks__set_group_size(struct plan_machine *machine, unsigned int cycles_cnt);

/*
 * Sets the counters that the kernel allows for `ev` (with a known code), and those that really
 * count it: by the model's rule, hyper-threading, TFA (5.1+), precise events, no_brs. A counter
 * forced on the watchdog is kept.
 */
void quirks__constrain(const struct plan_machine *machine, struct plan_event *ev);

/*
 * The counters that remain of ev->counters while the core's other thread counts the events given in
 * the machine (HT erratum, 4.1+). Group checks do not use it.
 */
uint64_t quirks__beside_sibling(const struct plan_machine *machine, const struct plan_event *ev);

/* The kernel's policy on this machine, for events that have the PMU to themselves. */
struct assign_how quirks__how(const struct plan_machine *machine);
/*
 * Stores the HT erratum's limits on the number of counters in use in *how, by kernel (4.1-rc1 …
 * -rc6: half the number of general ones, for counters of any kind; later: of general ones, while
 * any corrupting event is present). `corrupting`: one of the events to be placed is corrupting.
 */
void quirks__limit(const struct plan_machine *machine, bool corrupting, struct assign_how *how);
/* true if the HT erratum and the kernel's workaround for it exist on the machine. */
bool quirks__ht_erratum(const struct plan_machine *machine);

/* Findings of a simulated run, as far as the kernels' faults depend on it. */
struct quirks_seen {
	bool takes_turns; /* some event had counters for a part of the time */
	/* A list was rotated while none of its groups was on, and later one of them was. */
	bool rotates_empty;
};

/*
 * Known faults of the machine's kernel that may change the numbers of these events: sentences,
 * static storage, at most `max`. `plan` is opened. Returns their number.
 */
size_t quirks__notes(const struct plan *plan, const struct quirks_seen *seen, const char **notes,
		     size_t max);

#endif
