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
 * firmware, and hypervisors report arbitrary values).
 */
void quirks__set_group_size(struct plan_machine *machine, unsigned int cycles_cnt);

/*
 * Sets the counters that the kernel allows for `ev` (with a known code), and those that really
 * count it: by the model's rule, hyper-threading, TFA (5.1+), precise events. A counter forced on
 * the watchdog is kept.
 */
void quirks__constrain(const struct plan_machine *machine, struct plan_event *ev);

/*
 * The counters that remain of ev->counters while the core's other thread counts the events given in
 * the machine (HT erratum, 4.1+). Group checks do not use it.
 */
uint64_t quirks__beside_sibling(const struct plan_machine *machine, const struct plan_event *ev);

/*
 * Stores the HT erratum's limits on the number of counters in use in *how, by kernel (4.1-rc1 …
 * -rc6: half the number of general ones, for counters of any kind; later: of general ones, while
 * any corrupting event is present). `corrupting`: one of the events to be placed is corrupting.
 */
void quirks__limit(const struct plan_machine *machine, bool corrupting, struct assign_how *how);
/* true if the HT erratum and the kernel's workaround for it exist on the machine. */
bool quirks__ht_erratum(const struct plan_machine *machine);

/*
 * Known bugs of the machine's kernel that may change the numbers of these events: sentences, static
 * storage, at most `max`. takes_turns: some group has no counters for a part of the time. Returns
 * their number.
 */
size_t quirks__notes(const struct plan *plan, bool takes_turns, const char **notes, size_t max);

#endif
