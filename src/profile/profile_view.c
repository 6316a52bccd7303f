// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/profile_view.h"

#include <stdio.h>
#include <string.h>

/* The event is time off the CPU, both sleeping and runnable. */
static bool is_all_off(const struct profile *p, const struct profile_event *ev)
{
	return ev->kind == SAMPLE_OFF_CPU && !strcmp(profile__text(p, ev->name), PROFILE_OFF_CPU);
}

/* Checks whether an older event matches a new one. An unnamed event matches any. */
static bool is_same(const struct profile *p, const struct profile_event *old,
		    const struct profile_event *ev)
{
	if (!*profile__text(p, old->name) || !*profile__text(p, ev->name))
		return true;
	return old->kind == ev->kind &&
	       (old->name == ev->name || is_all_off(p, old) || is_all_off(p, ev));
}

/* Returns the set of new events that are off the CPU. */
static uint64_t off_events(const struct profile *p)
{
	uint64_t off = 0;
	uint32_t i;

	for (i = 0; i < p->event_cnt; i++)
		if (!p->events[i].old && p->events[i].kind == SAMPLE_OFF_CPU)
			off |= 1ull << i;
	return off;
}

/* Returns the set of the older profile's events that match the given ones. */
static uint64_t old_of(const struct profile *p, uint64_t events)
{
	bool lacks_off = off_events(p) & ~events;
	uint64_t old = 0;
	uint32_t i, o;

	for (o = 0; o < p->event_cnt; o++) {
		const struct profile_event *ev = &p->events[o];

		/* A part cannot be compared with the sum of all parts. */
		if (!ev->old || (lacks_off && is_all_off(p, ev)))
			continue;
		for (i = 0; i < p->event_cnt; i++)
			if (events >> i & 1 && is_same(p, ev, &p->events[i]))
				old |= 1ull << o;
	}
	return old;
}

static void set_name(const struct profile *p, struct profile_view *v)
{
	uint32_t first = (uint32_t)__builtin_ctzll(v->events ? v->events : 1);
	const char *name = v->events ? profile__text(p, p->events[first].name) : "";

	if (v->events & (v->events - 1))
		snprintf(v->name, sizeof(v->name), "on and off CPU");
	else
		snprintf(v->name, sizeof(v->name), "%s", *name ? name : "samples");
	snprintf(v->unit, sizeof(v->unit), "%s",
		 !v->by_weight ? "samples"
		 : v->is_ns    ? "ns"
			       : "events");
}

static void put_view(const struct profile *p, struct profile_view *v, uint64_t events,
		     bool by_weight, bool primary)
{
	uint32_t i;

	*v = (struct profile_view){ .events = events,
				    .old_events = old_of(p, events),
				    .by_weight = by_weight,
				    .is_ns = by_weight,
				    .primary = primary };
	for (i = 0; i < p->event_cnt; i++) {
		if (!(events >> i & 1))
			continue;
		v->has_off |= p->events[i].kind == SAMPLE_OFF_CPU;
		v->is_ns &= p->events[i].is_ns;
	}
	set_name(p, v);
}

/*
 * Returns the set of events measured in time if some are off the CPU: else there is nothing to add
 * up.
 */
static uint64_t timed_events(const struct profile *p)
{
	uint64_t timed = 0;
	bool has_off = false;
	uint32_t i;

	for (i = 0; i < p->event_cnt; i++) {
		if (p->events[i].old || !p->events[i].is_ns)
			continue;
		timed |= 1ull << i;
		has_off |= p->events[i].kind == SAMPLE_OFF_CPU;
	}
	return has_off ? timed : 0;
}

uint32_t profile_view__list(const struct profile *p, bool by_weight, struct profile_view *views)
{
	uint64_t timed = timed_events(p);
	uint32_t cnt = 0, i;

	if (timed)
		put_view(p, &views[cnt++], timed, true, true);
	for (i = 0; i < p->event_cnt; i++)
		if (!p->events[i].old && !(timed >> i & 1))
			put_view(p, &views[cnt++], 1ull << i, by_weight, true);
	for (i = 0; i < p->event_cnt; i++) {
		const struct profile_event *ev = &p->events[i];

		if (ev->old)
			continue;
		/* Events of the time view get own views, other events their secondary value. */
		if (timed >> i & 1 && timed != 1ull << i)
			put_view(p, &views[cnt++], 1ull << i, true, false);
		if (timed >> i & 1)
			put_view(p, &views[cnt++], 1ull << i, false, false);
		else if (ev->weight != ev->samples)
			put_view(p, &views[cnt++], 1ull << i, !by_weight, false);
	}
	if (!cnt)
		put_view(p, &views[cnt++], 0, false, true);
	return cnt;
}

uint64_t profile_view__unmatched(const struct profile *p, const struct profile_view *views,
				 uint32_t cnt)
{
	uint64_t old = 0;
	uint32_t i;

	for (i = 0; i < p->event_cnt; i++)
		old |= (uint64_t)p->events[i].old << i;
	for (i = 0; i < cnt; i++)
		old &= ~views[i].old_events;
	return old;
}

void profile_view__put_value(const struct profile_view *view, uint64_t value, struct strbuf *sb)
{
	double v = (double)value;

	if (!view->is_ns)
		strbuf__put_u64(sb, value);
	else if (value < 1000)
		strbuf__printf(sb, "%.0f ns", v);
	else if (value < 1000000)
		strbuf__printf(sb, "%.1f us", v / 1e3);
	else if (value < 1000000000)
		strbuf__printf(sb, "%.1f ms", v / 1e6);
	else
		strbuf__printf(sb, "%.3f s", v / 1e9);
}

static void put_events(const struct profile *p, struct strbuf *sb)
{
	const char *sep = " of ", *waiting = NULL;
	uint32_t i;

	/* A name is printed once it is known whether it is the last one. */
	for (i = 0; i < p->event_cnt; i++) {
		const char *name = profile__text(p, p->events[i].name);

		if (p->events[i].old || !*name)
			continue;
		if (waiting) {
			strbuf__puts(sb, sep);
			strbuf__puts(sb, waiting);
			sep = ", ";
		}
		waiting = name;
	}
	if (!waiting)
		return;
	strbuf__puts(sb, *sep == ',' ? " and " : sep);
	strbuf__puts(sb, waiting);
}

static void put_lost(const struct profile *p, struct strbuf *sb)
{
	const char *sep = " (";
	size_t i;

	strbuf__printf(sb, ", %llu lost", (unsigned long long)profile__lost(p));
	for (i = 0; i < LOST_CAUSE_CNT; i++) {
		if (!p->meta.lost[i])
			continue;
		strbuf__printf(sb, "%s%llu %s", sep, (unsigned long long)p->meta.lost[i],
			       lost_cause__name((enum lost_cause)i));
		sep = ", ";
	}
	if (profile__lost(p))
		strbuf__putc(sb, ')');
}

void profile__put_summary(const struct profile *p, struct strbuf *sb)
{
	uint64_t samples = profile__samples(p);

	strbuf__printf(sb, "%llu sample%s", (unsigned long long)samples, samples == 1 ? "" : "s");
	put_events(p, sb);
	put_lost(p, sb);
	strbuf__printf(sb, ", %llu truncated", (unsigned long long)profile__truncated(p));
	if (p->meta.freq_hz)
		strbuf__printf(sb, ", %llu Hz", (unsigned long long)p->meta.freq_hz);
	if (p->meta.period)
		strbuf__printf(sb, ", every %llu", (unsigned long long)p->meta.period);
	if (p->meta.throttled)
		strbuf__printf(sb, ", throttled %llu times", (unsigned long long)p->meta.throttled);
	if (p->meta.duration_ns)
		strbuf__printf(sb, ", %.3f s", (double)p->meta.duration_ns / 1e9);
}
