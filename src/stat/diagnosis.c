// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/diagnosis.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/sysctl.h"
#include "stat/expected.h"
#include "util/strbuf.h"

struct facts {
	const struct stat_table *table;
	const struct perf_counters *counters;
	const struct event *const *events;
	size_t cnt;
	const struct stat_how *how;
	bool has_asked; /* the plan was requested */
	struct stat_plan *plan; /* NULL: the machine is unknown */
};

/*
 * Puts a reason by the simulated scheduler, if it agrees with the counts; for groups that count on
 * the CPU's PMU.
 */
static bool put_planned(struct strbuf *sb, struct facts *f, size_t ev, const struct stat_row *row)
{
	if (!f->has_asked)
		f->plan = stat_plan__new(f->events, f->cnt, f->counters, f->how->by_cpu);
	f->has_asked = true;
	return f->plan && stat_plan__reason(f->plan, ev, row->running_ns != 0, sb);
}

static bool is_same_pmu(const struct event *a, const struct event *b)
{
	if (event__is_hw(a) && event__is_hw(b))
		return !a->pmu || !b->pmu || !strcmp(a->pmu, b->pmu);
	return a->pmu && b->pmu && !strcmp(a->pmu, b->pmu);
}

/*
 * Checks whether two events count together. A group with W that was refused is no group any more.
 */
static bool are_together(const struct facts *f, size_t a, size_t b)
{
	return a == b || (f->events[a]->group >= 0 && f->events[a]->group == f->events[b]->group &&
			  !perf_counters__refusal(f->counters, a).ungrouped &&
			  !perf_counters__refusal(f->counters, b).ungrouped);
}

/* Returns how many other events of the PMU count beside event `ev` and its group. */
static size_t rival_cnt(const struct facts *f, size_t ev)
{
	size_t i, n = 0;

	for (i = 0; i < f->cnt; i++)
		n += !are_together(f, i, ev) && is_same_pmu(f->events[i], f->events[ev]) &&
		     perf_counters__refusal(f->counters, i).state == COUNTER_COUNTS;
	return n;
}

static size_t group_sz(const struct facts *f, size_t ev)
{
	size_t i, n = 0;

	for (i = 0; i < f->cnt; i++)
		n += are_together(f, i, ev);
	return n;
}

/* Returns the event's position in its group, from 1 on. */
static size_t place_in_group(const struct facts *f, size_t ev)
{
	size_t i, n = 0;

	for (i = 0; i <= ev; i++)
		n += f->events[i]->group == f->events[ev]->group;
	return n;
}

static const char *pmu_name(const struct event *ev)
{
	return ev->pmu ? ev->pmu : "the CPU";
}

/* The NMI watchdog counts cycles, pinned, on every CPU. */
static bool has_watchdog(const struct event *ev)
{
	long on;

	return event__is_hw(ev) && !sysctl__nmi_watchdog(&on) && on == 1;
}

static void put_watchdog(struct strbuf *sb, const struct event *ev)
{
	if (has_watchdog(ev))
		strbuf__puts(sb, "; the NMI watchdog holds one (sysctl kernel.nmi_watchdog=0 "
				 "releases it)");
}

static void put_refused(struct strbuf *sb, const struct facts *f, size_t ev,
			const struct counter_refusal *r)
{
	const struct event *e = f->events[ev];

	if (!r->alone_too) {
		strbuf__printf(sb,
			       "as member %zu of its group the PMU of %s has no counter left for "
			       "it; alone it counts: make the group smaller, or end it with }:W",
			       place_in_group(f, ev), pmu_name(e));
		put_watchdog(sb, e);
		return;
	}
	switch (-r->err) {
	case ENOENT:
	case EOPNOTSUPP:
	case ENXIO:
		strbuf__puts(sb, event__is_hw(e)
					 ? "no PMU here has it; most virtual machines have none "
					   "at all (bpfperf list hw)"
					 : "this kernel does not have it");
		break;
	case EINVAL:
		if (!e->filter && event__is_hw(e) &&
		    stat_plan__refusal(f->events, f->cnt, ev, f->how->by_cpu, sb))
			break;
		strbuf__puts(sb, e->filter ? "the kernel refuses its --filter"
					   : "the PMU has no event with these terms or "
					     "modifiers");
		break;
	case EBUSY:
		strbuf__puts(sb,
			     "another user of perf holds the counter, alone or exclusively; end "
			     "its session");
		break;
	case ENODEV:
		strbuf__puts(sb, "its PMU counts on none of the requested CPUs");
		break;
	default:
		strbuf__printf(sb, "the kernel refuses it: %s", strerror(-r->err));
	}
}

static void put_broken(struct strbuf *sb, const struct facts *f, size_t ev,
		       const struct counter_refusal *r)
{
	strbuf__printf(
		sb, "a group counts as a whole or not at all, and its member %zu, %s, is refused",
		place_in_group(f, r->event), f->events[r->event]->name);
}

/* Returns the multiplexing interval of the event's PMU in milliseconds; 0: unknown. */
static long rotation_ms(const struct event *ev)
{
	long ms;

	return sysctl__mux_interval_ms(ev->pmu ? ev->pmu : stat_plan__core_pmu(), &ms) ? 0 : ms;
}

static void put_fit(struct strbuf *sb, const struct facts *f)
{
	if (f->how->may_fit)
		strbuf__puts(sb, "; with --fit CMD is run until each has counted all the time");
}

/*
 * Returns the member of the group that event `ev` waits for: a software event needs no counter, but
 * waits with members that need one. Only the CPU's counters are scarce.
 */
static size_t waits_with(const struct facts *f, size_t ev)
{
	size_t i, best = ev;

	if (event__is_hw(f->events[ev]))
		return ev;
	for (i = 0; i < f->cnt; i++) {
		if (!are_together(f, i, ev))
			continue;
		if (event__is_hw(f->events[i]))
			return i;
		if (!f->events[best]->pmu && f->events[i]->pmu)
			best = i;
	}
	return best;
}

static void put_multiplexed(struct strbuf *sb, struct facts *f, size_t of,
			    const struct stat_row *row)
{
	size_t ev = waits_with(f, of);
	const struct event *e = f->events[ev];
	size_t rivals = rival_cnt(f, ev), sz = group_sz(f, ev);
	long ms = rotation_ms(e);

	if (!row->running_ns && ms && row->enabled_ns < 2000000ull * (uint64_t)ms) {
		strbuf__printf(sb,
			       "its turn never came: turns change every %ld ms of running, and the "
			       "targets ran for %.3f ms; count longer, or fewer events at once",
			       ms, (double)row->enabled_ns / 1e6);
		return;
	}
	if (event__is_hw(e) && put_planned(sb, f, of, row)) {
		put_fit(sb, f);
		return;
	}
	if (!rivals) {
		strbuf__printf(sb, "another user of perf holds counters of %s", pmu_name(e));
		put_watchdog(sb, e);
		return;
	}
	if (!row->running_ns)
		strbuf__puts(sb, "it never found a counter: ");
	if (sz > 1)
		strbuf__printf(sb, "its group of %zu shares", sz);
	else
		strbuf__puts(sb, "it shares");
	strbuf__printf(sb, " the counters of %s with %zu other event%s, in turns", pmu_name(e),
		       rivals, rivals == 1 ? "" : "s");
	if (ms)
		strbuf__printf(sb, " of %ld ms", ms);
	put_watchdog(sb, e);
	put_fit(sb, f);
}

static bool is_pinned(const struct facts *f, size_t ev)
{
	size_t i;

	/* The leader has the attributes of the group. */
	for (i = 0; i < ev && f->events[ev]->group >= 0; i++)
		if (f->events[i]->group == f->events[ev]->group)
			return f->events[i]->pinned;
	return f->events[ev]->pinned;
}

/* Checks whether the row counts in this run, at the same id and tasks as row `at`. */
static bool is_beside(const struct facts *f, size_t row, size_t at)
{
	ssize_t ev = stat_table__counter(f->table, row);
	struct counter_refusal r;

	if (ev < 0 || !stat_row__is_with(&f->table->rows[row], &f->table->rows[at]))
		return false;
	r = perf_counters__refusal(f->counters, (size_t)ev);
	return r.state == COUNTER_COUNTS && !r.machine_wide;
}

/*
 * The kernel reports the error state of an event only until its task has exited. After that the
 * times show it: the event was not enabled, while others were. Before that times differ, because
 * rows are not read at the same moment.
 */
static bool is_given_up(const struct facts *f, size_t ev, size_t at)
{
	const struct stat_row *rows = f->table->rows;
	size_t i;

	if (stat_table__in_error(f->table, at))
		return true;
	if (rows[at].running_ns || !is_pinned(f, ev) ||
	    !stat_table__is_over(f->table, f->counters, at))
		return false;
	for (i = 0; i < f->table->cnt; i++)
		if (is_beside(f, i, at) && rows[i].enabled_ns > rows[at].enabled_ns)
			return true;
	return false;
}

static void put_idle(struct strbuf *sb, const struct facts *f, size_t ev)
{
	if (!f->how->has_begun)
		strbuf__puts(sb, "counting had not begun: the run ended before the delay of -D");
	else if (perf_counters__tid(f->counters, ev, 0) > 0 &&
		 perf_counters__cpu(f->counters, ev, 0) >= 0)
		strbuf__puts(sb, "the targets did not run on these CPUs meanwhile");
	else
		strbuf__puts(sb, "no target ran meanwhile");
}

static void stat_diagnosis__explain(struct strbuf *sb, struct facts *f, size_t ev, size_t at)
{
	const struct stat_row *row = &f->table->rows[at];
	struct counter_refusal r = perf_counters__refusal(f->counters, ev);

	switch (r.state) {
	case COUNTER_REFUSED:
		put_refused(sb, f, ev, &r);
		return;
	case COUNTER_GROUP_BROKEN:
		put_broken(sb, f, ev, &r);
		return;
	case COUNTER_NO_TASK:
		strbuf__puts(sb, "all threads to be counted had exited");
		return;
	case COUNTER_COUNTS:
	case COUNTER_SKIPPED:
		break;
	}
	if (is_given_up(f, ev, at)) {
		strbuf__puts(sb, "pinned, but no counter was free for it when it was to begin, and "
				 "the kernel gave it up for good");
		put_watchdog(sb, f->events[ev]);
	} else if (!row->enabled_ns && !row->thread) {
		put_idle(sb, f, ev);
	} else if (row->running_ns < row->enabled_ns) {
		put_multiplexed(sb, f, ev, row);
	} else if (r.ungrouped) {
		strbuf__puts(sb, "counted alone: its group was refused");
	} else if (r.machine_wide) {
		strbuf__printf(sb, "its PMU, %s, cannot count single tasks: all tasks are counted",
			       pmu_name(f->events[ev]));
	}
}

int stat_diagnosis__fill(struct stat_diagnosis *why, struct stat_table *table,
			 const struct perf_counters *counters, const struct event *const *events,
			 size_t event_cnt, const struct stat_how *how)
{
	struct facts facts = {
		.table = table, .counters = counters, .events = events, .cnt = event_cnt, .how = how
	};
	size_t i;

	if (!why->texts)
		why->texts = calloc(table->cnt ? table->cnt : 1, sizeof(*why->texts));
	if (!why->shown)
		why->shown = calloc(table->cnt ? table->cnt : 1, sizeof(*why->shown));
	if (!why->texts || !why->shown)
		return -ENOMEM;
	why->cnt = table->cnt;
	for (i = 0; i < table->cnt; i++) {
		struct strbuf sb = STRBUF_INIT;
		ssize_t ev = stat_table__counter(table, i);

		/* A row of another run keeps the reason of its own run. */
		if (ev < 0 || perf_counters__refusal(counters, (size_t)ev).state == COUNTER_SKIPPED)
			continue;
		stat_diagnosis__explain(&sb, &facts, (size_t)ev, i);
		free(why->texts[i]);
		why->texts[i] = sb.len ? strdup(strbuf__cstr(&sb)) : NULL;
		table->rows[i].why = why->texts[i];
		strbuf__free(&sb);
	}
	stat_plan__free(facts.plan);
	return 0;
}

bool stat_diagnosis__is_shown(const struct stat_diagnosis *why, size_t row)
{
	return row < why->cnt && why->shown[row];
}

void stat_diagnosis__set_shown(struct stat_diagnosis *why, size_t row)
{
	if (row < why->cnt)
		why->shown[row] = true;
}

void stat_diagnosis__free(struct stat_diagnosis *why)
{
	size_t i;

	for (i = 0; i < why->cnt; i++)
		free(why->texts[i]);
	free(why->texts);
	free(why->shown);
	why->texts = NULL;
	why->shown = NULL;
	why->cnt = 0;
}
