// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "profile/profile_locs.h"
#include "util/array.h"
#include "util/log.h"

const char *const profile_by_names[] = { [PROFILE_BY_COMM] = "comm",
					 [PROFILE_BY_PROCESS] = "process",
					 [PROFILE_BY_THREAD] = "thread",
					 [PROFILE_BY_CPU] = "cpu",
					 NULL };

void profile__init(struct profile *p, struct sym *sym, enum profile_by by)
{
	*p = (struct profile){ .sym = sym, .by = by };
}

void profile__free(struct profile *p)
{
	free(p->stacks);
	free(p->frames);
	free(p->locs);
	free(p->funcs);
	free(p->loc_funcs);
	free(p->loc_lines);
	u64map__free(&p->by_program);
	u64map__free(&p->by_hash);
	u64map__free(&p->by_addr[PROFILE_USER]);
	u64map__free(&p->by_addr[PROFILE_KERN]);
	u64map__free(&p->by_addr[PROFILE_NAMED]);
	u64map__free(&p->by_func);
	texts__free(&p->texts);
	profile_times__free(&p->times);
	*p = (struct profile){ 0 };
}

/* Makes room for `more` elements behind the cnt elements of an array with a capacity of *cap. */
#define RESERVE(arr, cnt, cap, more)                                                               \
	array__reserve((void **)(arr), cap, (cnt) + (more), sizeof(**(arr)))

int profile__add_event(struct profile *p, const struct profile_event *ev)
{
	uint32_t i;

	for (i = 0; i < p->event_cnt; i++) {
		const struct profile_event *e = &p->events[i];

		if (e->event == ev->event && e->name == ev->name && e->kind == ev->kind &&
		    e->old == ev->old)
			return (int)i;
	}
	if (i == PROFILE_MAX_EVENTS)
		return -E2BIG;
	p->events[i] = *ev;
	p->event_cnt++;
	return (int)i;
}

/* Clock events and time off the CPU are measured in nanoseconds. */
static bool is_in_ns(const struct sample *s)
{
	return s->kind == SAMPLE_OFF_CPU ||
	       (s->event && (!strncmp(s->event->name, "cpu-clock", 9) ||
			     !strncmp(s->event->name, "task-clock", 10)));
}

static int event_of(struct profile *p, const struct sample *s)
{
	struct profile_event ev = { .event = s->event, .kind = s->kind };
	const char *name = s->event ? s->event->name : "";
	uint32_t i;

	for (i = 0; i < p->event_cnt; i++)
		if (p->events[i].event == s->event && p->events[i].kind == s->kind &&
		    !p->events[i].old)
			return (int)i;
	ev.is_ns = is_in_ns(s);
	ev.name = texts__add_escaped(&p->texts, name, strlen(name));
	return ev.name == TEXTS_NONE ? -ENOMEM : profile__add_event(p, &ev);
}

int profile__expect(struct profile *p, const struct event *event, enum sample_kind kind)
{
	const struct sample s = { .event = event, .kind = kind };
	int idx = event_of(p, &s);

	return idx < 0 ? idx : 0;
}

int profile__put_group(struct profile *p, const struct sample *s, struct profile_stack *st)
{
	uint32_t *group = st->group;
	char label[512];
	int n;

	group[1] = TEXTS_NONE;
	group[0] = texts__add_escaped(&p->texts, s->comm, strlen(s->comm));
	if (group[0] == TEXTS_NONE)
		return -ENOMEM;
	st->comm = group[0];
	switch (p->by) {
	case PROFILE_BY_COMM:
		return 0;
	case PROFILE_BY_PROCESS:
		st->pid = s->pid;
		n = snprintf(label, sizeof(label), "%s-%d", profile__text(p, group[0]), s->pid);
		break;
	case PROFILE_BY_THREAD:
		st->pid = s->pid;
		st->tid = s->tid;
		n = snprintf(label, sizeof(label), "%s-%d/%d", profile__text(p, group[0]), s->pid,
			     s->tid);
		break;
	case PROFILE_BY_CPU:
		n = s->cpu == UINT32_MAX ? snprintf(label, sizeof(label), "CPU unknown")
					 : snprintf(label, sizeof(label), "CPU %03u", s->cpu);
		group[1] = group[0];
		break;
	default:
		return -EINVAL;
	}
	group[0] = texts__add(&p->texts, label, (size_t)n);
	return group[0] == TEXTS_NONE ? -ENOMEM : 0;
}

/*
 * Puts the waker's frames, outermost first, since the waker is drawn upside down above the sleeper;
 * then the state of the sleeping task.
 */
static uint32_t *put_waker(struct profile *p, const struct sample *s, uint32_t *to)
{
	const struct callchain *c = s->waker;
	uint16_t i;

	if (c) {
		*to++ = profile__named_loc(p, s->waker_comm, "", false, FRAME_NATIVE);
		for (i = c->user_cnt; i--;)
			*to++ = profile_locs__at(
				p, PROFILE_USER,
				sym__place(p->sym, s->waker_pid, callchain__user_in(c, i)));
		for (i = c->kern_cnt; i--;)
			*to++ = profile_locs__at(
				p, PROFILE_KERN,
				sym__kernel_place(p->sym, callchain__kernel_in(c, i)));
		*to++ = profile__named_loc(p, "[woken by]", "", true, FRAME_NATIVE);
	}
	if (s->state)
		*to++ = profile__named_loc(p, s->state, "", true, FRAME_NATIVE);
	return to;
}

/* Returns the number of frames that put_waker() puts. */
static uint16_t waker_cnt(const struct sample *s)
{
	uint16_t cnt = s->state != NULL;

	if (s->waker)
		cnt += (uint16_t)(s->waker->kern_cnt + s->waker->user_cnt + 2);
	return cnt;
}

/*
 * Appends the sample's frames behind those that are kept, so that a new stack need not be copied.
 */
static int put_frames(struct profile *p, const struct sample *s)
{
	const struct callchain *c = &s->chain;
	uint16_t i, extra = waker_cnt(s);
	uint32_t *to;

	/* One more: the array is there when the first stack has no frames. */
	if (RESERVE(&p->frames, p->frame_cnt, &p->frame_cap,
		    (size_t)extra + c->kern_cnt + c->user_cnt + 1))
		return -ENOMEM;
	to = put_waker(p, s, &p->frames[p->frame_cnt]);
	for (i = 0; i < extra; i++)
		if (p->frames[p->frame_cnt + i] == TEXTS_NONE)
			return -ENOMEM;
	for (i = 0; i < c->kern_cnt; i++) {
		uint64_t place = sym__kernel_place(p->sym, callchain__kernel_in(c, i));

		if ((*to++ = profile_locs__at(p, PROFILE_KERN, place)) == TEXTS_NONE)
			return -ENOMEM;
	}
	for (i = 0; i < c->user_cnt; i++) {
		uint64_t place = sym__place(p->sym, s->pid, callchain__user_in(c, i));

		if ((*to++ = profile_locs__at(p, PROFILE_USER, place)) == TEXTS_NONE)
			return -ENOMEM;
	}
	return 0;
}

static uint64_t hash_stack(const struct profile *p, const struct profile_stack *st)
{
	size_t i, n = profile_stack__depth(st);
	uint64_t h = (uint64_t)st->group[0] << 32 | (uint64_t)st->kern_cnt << 9 |
		     (uint64_t)st->truncated << 8 | st->event;

	h ^= u64map__mix((uint64_t)st->owner << 32 | st->group[1]);
	for (i = 0; i < n; i++)
		h = u64map__mix(h ^ p->frames[st->at + i]) + i;
	return h;
}

static bool is_same(const struct profile *p, const struct profile_stack *a,
		    const struct profile_stack *b)
{
	size_t i, n = profile_stack__depth(a);

	if (a->hash != b->hash || a->group[0] != b->group[0] || a->group[1] != b->group[1] ||
	    a->kern_cnt != b->kern_cnt || a->user_cnt != b->user_cnt || a->event != b->event ||
	    a->truncated != b->truncated || a->owner != b->owner)
		return false;
	for (i = 0; i < n; i++)
		if (p->frames[a->at + i] != p->frames[b->at + i])
			return false;
	return true;
}

/* Returns the index of the stack. TEXTS_NONE: no memory, or it is not there. */
static uint32_t find_or_add(struct profile *p, const struct profile_stack *st)
{
	uint64_t key = st->hash;
	uint32_t *slot, idx;

	while ((idx = u64map__get(&p->by_hash, key)) != U64MAP_NONE) {
		if (is_same(p, &p->stacks[idx], st))
			return idx;
		key++;
	}
	if (p->finds_only)
		return TEXTS_NONE;
	slot = u64map__slot(&p->by_hash, key);
	if (!slot || RESERVE(&p->stacks, p->stack_cnt, &p->stack_cap, 1))
		return TEXTS_NONE;
	*slot = (uint32_t)p->stack_cnt;
	p->frame_cnt += profile_stack__depth(st);
	p->stacks[p->stack_cnt] = *st;
	p->stacks[p->stack_cnt].samples = p->stacks[p->stack_cnt].weight = 0;
	return (uint32_t)p->stack_cnt++;
}

/* Counts a stack; its frames are the last ones in profile.frames. Returns like find_or_add(). */
static uint32_t count(struct profile *p, struct profile_stack *st)
{
	struct profile_event *ev = &p->events[st->event];
	uint32_t kept;

	st->at = p->frame_cnt;
	st->hash = hash_stack(p, st);
	kept = find_or_add(p, st);
	if (kept == TEXTS_NONE)
		return TEXTS_NONE;
	p->stacks[kept].samples += st->samples;
	p->stacks[kept].weight += st->weight;
	ev->samples += st->samples;
	ev->weight += st->weight;
	ev->truncated += st->truncated ? st->samples : 0;
	return kept;
}

/* Counts the samples of each program, to know the one that the profile is of. */
static int count_program(struct profile *p, int32_t pid)
{
	uint64_t program = sym__program(p->sym, pid);
	uint32_t *cnt;

	if (!program)
		return 0;
	cnt = u64map__slot(&p->by_program, program);
	if (!cnt)
		return -ENOMEM;
	*cnt = *cnt == U64MAP_NONE ? 1 : *cnt + (*cnt < U64MAP_NONE - 1);
	if (*cnt > p->program_cnt) {
		p->program_cnt = *cnt;
		p->program = program;
	}
	return 0;
}

/* Time off the CPU ends with its sample. */
static int add_time(struct profile *p, uint32_t stack, const struct sample *s)
{
	uint64_t away_ns = s->kind == SAMPLE_OFF_CPU ? s->period : 0;

	return profile_times__add(&p->times, stack, s->time_ns > away_ns ? s->time_ns - away_ns : 0,
				  s->time_ns, s->period);
}

/* A text of a thread or a function, and a slot of each table that leads to an element. */
#define TEXT_SZ 32
#define SLOT_SZ 24

static size_t kept_sz(const struct profile *p)
{
	return p->stack_cnt * (sizeof(*p->stacks) + SLOT_SZ) + p->frame_cnt * sizeof(*p->frames) +
	       (size_t)p->loc_cnt * (sizeof(*p->locs) + SLOT_SZ) +
	       (size_t)p->texts.cnt * (TEXT_SZ + SLOT_SZ);
}

/* May more stacks be kept? The names of those that are not are added in time. 0 or -ENOMEM. */
static int check_room(struct profile *p)
{
	if (p->is_full || !p->sz_max || kept_sz(p) < p->sz_max)
		return 0;
	p->more_text = texts__add(&p->texts, PROFILE_MORE, strlen(PROFILE_MORE));
	p->more_loc = profile__named_loc(p, PROFILE_MORE, "", false, FRAME_NATIVE);
	if (p->more_text == TEXTS_NONE || p->more_loc == TEXTS_NONE)
		return -ENOMEM;
	p->is_full = true;
	return 0;
}

/* Counts a stack if it is kept already. TEXTS_NONE: it is not. */
static uint32_t count_known(struct profile *p, const struct sample *s, struct profile_stack *st)
{
	uint32_t kept = TEXTS_NONE;

	p->finds_only = p->texts.finds_only = true;
	if (!profile__put_group(p, s, st) && !put_frames(p, s))
		kept = count(p, st);
	p->finds_only = p->texts.finds_only = false;
	return kept;
}

/* Counts it in the sum of those that are not kept. */
static uint32_t count_more(struct profile *p, const struct profile_stack *st)
{
	const struct profile_stack more = {
		.event = st->event,
		.group = { p->more_text, TEXTS_NONE },
		.comm = p->more_text,
		.user_cnt = 1,
		.samples = st->samples,
		.weight = st->weight,
	};

	p->more_cnt += st->samples;
	return profile__add_stack(p, &more, &p->more_loc);
}

/* Counts the stack of a sample this many times, with this weight. Sets *kept. 0 or -errno. */
static int count_sample(struct profile *p, const struct sample *s, uint64_t samples,
			uint64_t weight, uint32_t *kept)
{
	struct profile_stack st = {
		.kern_cnt = (uint16_t)(s->chain.kern_cnt + waker_cnt(s)),
		.user_cnt = s->chain.user_cnt,
		.truncated = s->chain.truncated || (s->waker && s->waker->truncated),
		.samples = samples,
		.weight = weight,
	};
	int event = event_of(p, s);

	*kept = TEXTS_NONE;
	if (event < 0)
		return event;
	st.event = (uint8_t)event;
	if (p->owners)
		st.owner = p->owners->of(p->owners->ctx, s->pid);
	if (check_room(p))
		return -ENOMEM;
	if (p->is_full) {
		*kept = count_known(p, s, &st);
		if (*kept == TEXTS_NONE)
			*kept = count_more(p, &st);
	} else if (!profile__put_group(p, s, &st) && !put_frames(p, s)) {
		*kept = count(p, &st);
	}
	return *kept == TEXTS_NONE ? -ENOMEM : 0;
}

int profile__add(struct profile *p, const struct sample *s)
{
	uint32_t kept;
	int err = count_sample(p, s, 1, s->period, &kept);

	if (!err && s->chain.user_cnt)
		err = count_program(p, s->pid);
	return !err && p->times.wanted ? add_time(p, kept, s) : err;
}

int profile__stack_of(struct profile *p, const struct sample *s, uint32_t *idx)
{
	return count_sample(p, s, 0, 0, idx);
}

uint32_t profile__add_stack(struct profile *p, const struct profile_stack *st, const uint32_t *locs)
{
	size_t n = profile_stack__depth(st);
	struct profile_stack copy = *st;

	if (RESERVE(&p->frames, p->frame_cnt, &p->frame_cap, n))
		return TEXTS_NONE;
	if (n)
		memcpy(&p->frames[p->frame_cnt], locs, n * sizeof(*locs));
	return count(p, &copy);
}

/*
 * Sums up the samples of all events but an older profile's; truncated: only samples with cut
 * stacks.
 */
static uint64_t sum_of(const struct profile *p, bool truncated)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < p->event_cnt; i++) {
		const struct profile_event *ev = &p->events[i];

		if (!ev->old)
			sum += truncated ? ev->truncated : ev->samples;
	}
	return sum;
}

uint64_t profile__samples(const struct profile *p)
{
	return sum_of(p, false);
}

uint64_t profile__truncated(const struct profile *p)
{
	return sum_of(p, true);
}

uint64_t profile__lost(const struct profile *p)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < LOST_CAUSE_CNT; i++)
		sum += p->meta.lost[i];
	return sum;
}
