// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/ended.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "why/names.h"

/* Waits of equally named threads at one place, as far as one name of wakers ended them. */
struct sums {
	struct why_cause *at;
	size_t cnt, cap;
	struct u64map by_key;
};

static bool is_for_an_end(const struct why_absence *a, const struct why_stack *s)
{
	return a->blocked == WHY_CHILD || (a->blocked == WHY_FUTEX && s && strstr(s->call, "join"));
}

static struct why_cause describe(struct why_timeline *tl, const struct why_absence *a,
				 const struct why_stack *s)
{
	const char *none = tl->stacks.none;

	s = why_kind__is_anywhere((enum why_kind)a->blocked) ? NULL : s;
	return (struct why_cause){
		.kind = (enum why_kind)a->blocked,
		.comm = why_names__get(tl, a->thread),
		.function = s ? s->function : none,
		.caller = s ? s->caller : none,
		.call = s ? s->call : none,
		.syscall = s ? s->syscall : none,
		.file = a->file == TEXTS_NONE ? none : texts__get(&tl->stacks.texts, a->file),
		.waiter_kind = WHY_UNKNOWN,
		.thread = a->thread,
		.place_percent = 100,
	};
}

static uint64_t key_of(const struct why_cause *k)
{
	uint64_t h = u64map__mix(k->kind ^ (uintptr_t)k->comm);

	h = u64map__mix(h ^ (uintptr_t)k->function);
	h = u64map__mix(h ^ (uintptr_t)k->caller);
	h = u64map__mix(h ^ (uintptr_t)k->file);
	return u64map__mix(h ^ (uintptr_t)k->call);
}

static int add(struct sums *sums, struct why_timeline *tl, const struct why_absence *a)
{
	const struct why_stack *s = why_stacks__describe(&tl->stacks, a->stack);
	struct why_cause k = describe(tl, a, s);
	uint32_t *slot;

	if (is_for_an_end(a, s))
		return 0;
	slot = u64map__slot(&sums->by_key, key_of(&k));
	if (!slot)
		return -ENOMEM;
	if (*slot == U64MAP_NONE) {
		if (array__reserve((void **)&sums->at, &sums->cap, sums->cnt + 1,
				   sizeof(*sums->at)))
			return -ENOMEM;
		*slot = (uint32_t)sums->cnt;
		sums->at[sums->cnt++] = k;
	}
	sums->at[*slot].ns += a->woken_ns - a->start_ns;
	sums->at[*slot].has_more_threads |= sums->at[*slot].thread != a->thread;
	return 0;
}

/* The threads of the name, by number: a byte of 1. NULL: no memory. */
static char *threads_named(struct why_timeline *tl, const char *name)
{
	char *is_named = calloc(tl->thread_cnt + 1, 1);
	size_t i;

	for (i = 0; is_named && i < tl->thread_cnt; i++)
		is_named[i] = tl->threads[i].is_target && why_names__get(tl, (uint32_t)i) == name;
	return is_named;
}

static uint32_t oldest_kept(const struct why_timeline *tl)
{
	return tl->absence_cnt > WHY_ABSENCES_MAX ? tl->absence_cnt - WHY_ABSENCES_MAX : 0;
}

int why_ended__find(struct why_ended *e, struct why_timeline *tl, const char *waker)
{
	struct sums sums = { .by_key = U64MAP_INIT };
	char *is_waker = threads_named(tl, waker);
	int err = is_waker ? 0 : -ENOMEM;
	uint32_t idx;
	size_t i;

	*e = (struct why_ended){ .waker = waker };
	for (idx = oldest_kept(tl); !err && idx < tl->absence_cnt; idx++) {
		const struct why_absence *a = why_timeline__absence(tl, idx);

		if (a->waker < tl->thread_cnt && is_waker[a->waker] && a->waker != a->thread)
			err = add(&sums, tl, a);
	}
	for (i = 0; i < sums.cnt; i++)
		if (sums.at[i].ns > e->wait.ns)
			e->wait = sums.at[i];
	free(is_waker);
	free(sums.at);
	u64map__free(&sums.by_key);
	return err;
}
