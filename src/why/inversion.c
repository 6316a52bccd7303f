// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/inversion.h"

#include "why/timeline.h"

/* Shorter waits are not looked at: they are many, and of a scheduler that takes turns. */
#define MIN_NS 1000000
/* The holder's newest absences: one that leaves the CPU so often was not kept from it. */
#define HELD_MAX 1024

/* The time that an absence was ready to run in, within a wait. */
static uint64_t ready_within(const struct why_absence *held, const struct why_absence *wait)
{
	uint64_t begin = held->woken_ns > wait->start_ns ? held->woken_ns : wait->start_ns;
	uint64_t end = held->end_ns < wait->woken_ns ? held->end_ns : wait->woken_ns;

	return end > begin ? end - begin : 0;
}

void why_inversion__look_at(struct why_inversion *inv, const struct why_timeline *tl,
			    const struct why_absence *wait)
{
	const struct why_absence *held;
	unsigned int left = HELD_MAX;
	uint32_t at;

	if (wait->blocked != WHY_FUTEX || wait->waker == WHY_NONE ||
	    wait->woken_ns - wait->start_ns < MIN_NS)
		return;
	at = tl->threads[wait->waker].last_absence;
	for (; left-- && (held = why_timeline__absence(tl, at)) && held->end_ns > wait->start_ns;
	     at = held->prev) {
		uint64_t ns = ready_within(held, wait);

		if (!ns || held->prio <= wait->prio || held->instead == WHY_NONE ||
		    held->instead == WHY_SOME_THREAD || held->instead == wait->thread)
			continue;
		inv->ns += ns;
		if (ns <= inv->longest_ns)
			continue;
		inv->longest_ns = ns;
		inv->wait = *wait;
		inv->held = *held;
	}
}
