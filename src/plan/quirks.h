/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Departures of a machine from its model's table: errata, hyper-threading, kernels with bugs. */
#ifndef BPFPERF_PLAN_QUIRKS_H
#define BPFPERF_PLAN_QUIRKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/assign.h"
#include "plan/plan.h"

/* The general counters a thread of this machine has: 8 or 4 of them by hyper-threading. */
uint64_t quirks__general(const struct plan_machine *machine);
/*
 * Sets how many `cycles` the kernel takes as one group. Only this shows which thread has the other
 * thread's counters where hyper-threading is off (CPUID leaf 0xa follows the firmware, and a
 * hypervisor reports anything).
 */
void quirks__set_group_size(struct plan_machine *machine, unsigned int cycles_cnt);

/*
 * Sets what the kernel takes `ev` (whose code is known) to fit on, and what it really counts on:
 * the model's rule, hyper-threading, TFA (5.1+), precise events. A counter that was forced on the
 * watchdog stays.
 */
void quirks__constrain(const struct plan_machine *machine, struct plan_event *ev);

/*
 * The counters that remain of ev->counters while the core's other thread counts what the machine
 * says it does (HT erratum, 4.1+). Group checks do not ask this.
 */
uint64_t quirks__beside_sibling(const struct plan_machine *machine, const struct plan_event *ev);

/*
 * The HT erratum's limits on how many counters may be in use, by kernel (4.1-rc1 … -rc6: half as
 * many as there are general ones, of any kind; later: of general ones, while any corrupting event
 * is there), into *how. `corrupting`: one of the events to be placed is such.
 */
void quirks__limit(const struct plan_machine *machine, bool corrupting, struct assign_how *how);
/* true where the HT erratum and the kernel's care for it are there at all. */
bool quirks__ht_erratum(const struct plan_machine *machine);

/*
 * Known faults of the machine's kernel that may make the numbers other than planned, for these
 * events: sentences, static storage, at most `max`. Returns their number.
 */
size_t quirks__notes(const struct plan *plan, const char **notes, size_t max);

#endif
