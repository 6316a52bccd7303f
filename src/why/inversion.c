// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/inversion.h"

#include <string.h>

/* Shorter waits are not looked at: they are many, and of a scheduler that takes turns. */
#define MIN_NS 1000000

/* The time that an absence was ready to run in, within a wait. */
static uint64_t ready_within(const struct why_absence *held, const struct why_absence *wait)
{
	uint64_t begin = held->woken_ns > wait->start_ns ? held->woken_ns : wait->start_ns;
	uint64_t end = held->end_ns < wait->woken_ns ? held->end_ns : wait->woken_ns;

	return end > begin ? end - begin : 0;
}

static void look_at(struct why_inversion *inv, const struct why_index *ix, uint32_t idx,
		    uint64_t *longest_ns)
{
	const struct why_absence *wait = why_timeline__absence(ix->tl, idx), *held;
	uint32_t next, at = why_index__absence_before(ix, wait->waker, wait->woken_ns, &next);

	for (; (held = why_timeline__absence(ix->tl, at)) && held->end_ns > wait->start_ns;
	     at = held->prev) {
		uint64_t ns = ready_within(held, wait);

		if (!ns || held->prio <= wait->prio || held->instead == WHY_NONE ||
		    held->instead == WHY_SOME_THREAD || held->instead == wait->thread)
			continue;
		inv->ns += ns;
		if (ns <= *longest_ns)
			continue;
		*longest_ns = ns;
		inv->wait = idx;
		inv->held = at;
	}
}

void why_inversion__find(struct why_inversion *inv, const struct why_index *ix)
{
	uint64_t longest_ns = 0;
	uint32_t i;

	memset(inv, 0, sizeof(*inv));
	for (i = 0; i < ix->absence_at[ix->tl->thread_cnt]; i++) {
		const struct why_absence *a = why_timeline__absence(ix->tl, ix->absences[i]);

		if (a->blocked == WHY_FUTEX && a->waker != WHY_NONE &&
		    a->woken_ns - a->start_ns >= MIN_NS)
			look_at(inv, ix, ix->absences[i], &longest_ns);
	}
}
