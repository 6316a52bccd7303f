// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/simulate.h"

#include <string.h>

#define STEPS_MAX 200000
/* Minimum number of intervals of a run without a given length: enough for a picture. */
#define TURNS_MIN 8
#define BURST_NS 1000000ull
/* A run that does not repeat and has no length given. */
#define LONG_RUN_NS 60000000000ull
#define NEVER UINT64_MAX
/* How often the other thread of the core changes what it counts. */
#define SIBLING_NS 100000000ull
/* A run without end is given up as one that does not repeat. */
#define TURNS_MAX 20000

struct simulator {
	struct sim *sim;
	const struct plan *plan;
	struct schedule sched;
	uint64_t now_ns, end_ns;
	uint64_t timer_ns; /* when it comes; NEVER: it is off */
	uint64_t flip_ns; /* when the task goes to sleep or wakes */
	bool task_runs;
	uint64_t busy_ns, idle_ns; /* means */
	uint64_t sibling_idle_ns;
	uint64_t sibling_flip_ns; /* when the other thread changes; NEVER: it does not */
	uint64_t sibling_means_ns[2]; /* by whether it is quiet */
	bool sibling_quiet;
	uint64_t seed;
	bool slept, turned;
	bool endless; /* percentages are those of a run without end */
	/* A state of the past: when it comes back, what lies between repeats for ever. */
	struct schedule mark;
	uint64_t turn, next_mark, min_turns;
	bool empty[PLAN_CTX_CNT]; /* the list was rotated while none of its groups was on */
};

/* 0.5 … 1.5 of mean_ns (xorshift64*). */
static uint64_t jitter(struct simulator *s, uint64_t mean_ns)
{
	s->seed ^= s->seed >> 12;
	s->seed ^= s->seed << 25;
	s->seed ^= s->seed >> 27;
	return mean_ns / 2 +
	       (uint64_t)((double)mean_ns *
			  ((double)(s->seed * 0x2545f4914f6cdd1dull >> 11) * 0x1p-53));
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
	return b ? gcd(b, a % b) : a;
}

/*
 * Number of intervals after which all lists have their initial order: a common multiple of their
 * group counts.
 */
static uint64_t full_turn(const struct plan *plan)
{
	uint64_t a = plan->flexible_cnt[PLAN_CTX_CPU] ?: 1;
	uint64_t b = plan->flexible_cnt[PLAN_CTX_TASK] ?: 1;

	uint64_t turn = a / gcd(a, b) * b;

	return (TURNS_MIN + turn - 1) / turn * turn;
}

static void set_sleep(struct simulator *s, const struct sim_run *run)
{
	s->flip_ns = NEVER;
	if (run->busy >= 1)
		return;
	s->busy_ns = run->burst_ns ?: BURST_NS;
	if (run->busy <= 0) {
		/* Behaves as sleep(1): busy for a moment, idle, busy for a moment. */
		s->busy_ns = s->busy_ns * 2 > s->end_ns ? s->end_ns / 2 : s->busy_ns;
		s->idle_ns = s->end_ns - 2 * s->busy_ns;
		s->flip_ns = s->busy_ns;
		return;
	}
	s->idle_ns = (uint64_t)((double)s->busy_ns * (1 - run->busy) / run->busy);
	s->flip_ns = jitter(s, s->busy_ns);
}

static void flip(struct simulator *s, const struct sim_run *run)
{
	uint64_t mean_ns = s->task_runs ? s->idle_ns : s->busy_ns;

	s->task_runs = !s->task_runs;
	s->flip_ns = s->now_ns + (run->busy <= 0 ? mean_ns : jitter(s, mean_ns)) + 1;
}

static void set_sibling(struct simulator *s, const struct sim_run *run)
{
	s->sibling_idle_ns = run->sibling_idle_ns;
	s->sibling_flip_ns = NEVER;
	s->sibling_quiet = run->sibling_quiet >= 1;
	if (run->sibling_quiet <= 0 || run->sibling_quiet >= 1)
		return;
	s->sibling_means_ns[true] = (uint64_t)(2 * SIBLING_NS * run->sibling_quiet);
	s->sibling_means_ns[false] = 2 * SIBLING_NS - s->sibling_means_ns[true];
	s->sibling_flip_ns = jitter(s, s->sibling_means_ns[false]);
}

/* This thread is not told. */
static void flip_sibling(struct simulator *s)
{
	s->sibling_quiet = !s->sibling_quiet;
	s->sibling_flip_ns = s->now_ns + jitter(s, s->sibling_means_ns[s->sibling_quiet]) + 1;
}

static void look_at_sibling(struct simulator *s)
{
	s->sched.sibling_idle =
		s->sibling_quiet || (s->sibling_idle_ns && s->now_ns >= s->sibling_idle_ns);
}

/* A flexible group without counters starts the timer. */
static void start_timer(struct simulator *s)
{
	if (s->timer_ns == NEVER && (s->sched.rotate[0] || s->sched.rotate[1]))
		s->timer_ns = s->now_ns + s->plan->machine.mux_ns;
}

/*
 * Before the task runs a CPU's events are enabled by one ioctl each, and each time all are placed;
 * a task's are enabled together, by its exec.
 */
static void enable(struct simulator *s)
{
	size_t i;

	look_at_sibling(s);
	for (i = 0; i < s->plan->group_cnt; i++) {
		if (s->plan->groups[i].ctx != PLAN_CTX_CPU)
			continue;
		s->sched.enabled_cnt = i + 1;
		schedule__run(&s->sched, false, false);
	}
	s->sched.enabled_cnt = s->plan->group_cnt;
	schedule__run(&s->sched, s->task_runs, false);
	start_timer(s);
}

/* Counts so far do not matter in the long run. */
static void forget(struct simulator *s)
{
	size_t i;

	for (i = 0; i < s->plan->event_cnt; i++) {
		struct sim_event *se = &s->sim->events[i];

		se->enabled_ns = se->running_ns = se->zero_ns = se->counters_used = 0;
	}
}

/* An order in which all groups fit is permanent. */
static void settle(struct simulator *s)
{
	forget(s);
	s->sim->settled_ns = s->now_ns;
	s->end_ns = s->now_ns + s->plan->machine.mux_ns;
}

/*
 * Ends a run without end when its state was there before: the time between was a number of whole
 * periods. Marks are set ever farther apart, so that one comes after whatever does not repeat.
 */
static void look_for_period(struct simulator *s)
{
	s->turn++;
	if (s->turn >= s->min_turns && schedule__equals(&s->sched, &s->mark)) {
		s->end_ns = s->now_ns;
		return;
	}
	if (s->turn == s->next_mark) {
		s->mark = s->sched;
		s->next_mark *= 2;
		forget(s);
	}
	s->end_ns = s->turn < TURNS_MAX ? s->now_ns + 2 * s->plan->machine.mux_ns : s->now_ns;
}

static void note_empty(struct simulator *s)
{
	enum plan_ctx ctx;
	size_t i;

	for (ctx = 0; ctx < PLAN_CTX_CNT; ctx++) {
		bool any_on = false;

		for (i = 0; i < s->plan->flexible_cnt[ctx]; i++)
			any_on |= s->sched.state[s->plan->flexible[ctx][i]] == GROUP_ON;
		s->empty[ctx] |= s->sched.rotate[ctx] && !any_on;
	}
}

static void on_timer(struct simulator *s)
{
	if (!s->sched.rotate[0] && !s->sched.rotate[1]) {
		s->timer_ns = NEVER;
		s->slept |= !s->task_runs;
		return;
	}
	s->turned = true;
	s->sim->rotation_cnt++;
	note_empty(s);
	look_at_sibling(s);
	schedule__rotate(&s->sched, s->task_runs);
	s->timer_ns = s->now_ns + s->plan->machine.mux_ns;
	if (!s->endless)
		return;
	if (!s->sched.rotate[0] && !s->sched.rotate[1])
		settle(s);
	else
		look_for_period(s);
}

static void keep_step(struct simulator *s, uint64_t len_ns)
{
	struct sim_step *step = &s->sim->steps[s->sim->step_cnt];

	if (s->sim->step_cnt == SIM_STEPS_MAX || !len_ns)
		return;
	step->start_ns = s->now_ns;
	step->len_ns = len_ns;
	step->task_runs = s->task_runs;
	memcpy(step->counter, s->sched.counter, sizeof(step->counter));
	memcpy(step->state, s->sched.state, sizeof(step->state));
	s->sim->step_cnt++;
}

/* Notes the events on the counters that this event could use. */
static void note_failure(struct simulator *s, size_t at)
{
	struct sim_group *sg = &s->sim->groups[at];
	size_t i;

	if (sg->stuck >= 0)
		return;
	sg->stuck = s->sched.stuck[at];
	for (i = 0; sg->stuck >= 0 && i < s->plan->event_cnt; i++) {
		int counter = s->sched.counter[i];

		if (counter < 0 || !(s->plan->events[sg->stuck].counters & COUNTER_BIT(counter)))
			continue;
		if (sg->holder_cnt < SIM_HOLDERS_MAX)
			sg->holders[sg->holder_cnt] = (uint8_t)i;
		sg->holder_cnt++;
	}
}

/* Finds the group of this list that failed: groups after it were not tried. */
static void note_blocker(struct simulator *s, size_t at)
{
	size_t i;

	for (i = 0; i < s->plan->group_cnt && s->sim->groups[at].blocker < 0; i++)
		if (s->sched.state[i] == GROUP_FAILED &&
		    s->plan->groups[i].ctx == s->plan->groups[at].ctx)
			s->sim->groups[at].blocker = (int)i;
}

static void account_groups(struct simulator *s, uint64_t len_ns)
{
	size_t i;

	for (i = 0; i < s->plan->group_cnt && len_ns; i++) {
		switch (s->sched.state[i]) {
		case GROUP_FAILED:
			s->sim->groups[i].failed_ns += len_ns;
			note_failure(s, i);
			break;
		case GROUP_ERROR:
			note_failure(s, i);
			break;
		case GROUP_BEHIND:
			s->sim->groups[i].behind_ns += len_ns;
			note_blocker(s, i);
			break;
		}
	}
}

static void account(struct simulator *s, uint64_t len_ns)
{
	size_t i;

	account_groups(s, len_ns);
	for (i = 0; i < s->plan->event_cnt; i++) {
		const struct plan_event *ev = &s->plan->events[i];
		const struct plan_group *group = &s->plan->groups[ev->group];
		struct sim_event *se = &s->sim->events[i];
		int counter = s->sched.counter[i];

		if ((group->ctx == PLAN_CTX_TASK && !s->task_runs) || plan__is_disabled(s->plan, i))
			continue;
		se->enabled_ns += len_ns;
		if (ev->refusal || s->sched.state[ev->group] != GROUP_ON)
			continue;
		se->running_ns += len_ns;
		if (counter < 0)
			continue;
		se->counters_used |= COUNTER_BIT(counter);
		if (!(ev->real & COUNTER_BIT(counter)))
			se->zero_ns += len_ns;
	}
}

static enum sim_state state_of(const struct simulator *s, size_t at)
{
	const struct plan_event *ev = &s->plan->events[at];
	const struct plan_group *group = &s->plan->groups[ev->group];
	const struct sim_event *se = &s->sim->events[at];

	if (ev->refusal)
		return SIM_NOT_SUPPORTED;
	if (plan__is_disabled(s->plan, at))
		return SIM_DISABLED;
	if (group->broken)
		return SIM_GROUP_BROKEN;
	if (s->sched.error[ev->group])
		return SIM_PINNED_ERROR;
	if (se->running_ns == se->enabled_ns)
		return SIM_COUNTED;
	return se->running_ns ? SIM_TURNS : SIM_NOT_COUNTED;
}

/* A list was rotated with no group on: did another order bring one on? */
static bool was_stuck_empty(const struct simulator *s)
{
	size_t i;

	for (i = 0; i < s->plan->event_cnt; i++) {
		const struct plan_group *group = &s->plan->groups[s->plan->events[i].group];

		if (s->empty[group->ctx] && group->is_hw && !group->pinned &&
		    s->sim->events[i].running_ns)
			return true;
	}
	return false;
}

static void start(struct simulator *s, const struct sim_run *run)
{
	size_t i;

	for (i = 0; i < PLAN_EVENTS_MAX; i++)
		s->sim->groups[i].stuck = s->sim->groups[i].blocker = -1;
	schedule__init(&s->sched, s->plan);
	s->min_turns = s->next_mark = full_turn(s->plan);
	s->end_ns = run->run_ns;
	s->endless = !run->run_ns && run->busy >= 1 && !run->sibling_idle_ns &&
		     (run->sibling_quiet <= 0 || run->sibling_quiet >= 1);
	if (!s->end_ns)
		s->end_ns = s->endless ? s->min_turns * s->plan->machine.mux_ns : LONG_RUN_NS;
	set_sleep(s, run);
	set_sibling(s, run);
	enable(s);
	s->mark = s->sched;
}

/* The time of the next change has come. */
static void step(struct simulator *s, const struct sim_run *run)
{
	if (s->now_ns == s->sibling_flip_ns) {
		flip_sibling(s);
	} else if (s->now_ns == s->flip_ns) {
		flip(s, run);
		look_at_sibling(s);
		schedule__switch(&s->sched, s->task_runs);
		start_timer(s);
	} else if (s->now_ns == s->timer_ns) {
		on_timer(s);
	}
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void sim__run(struct sim *sim, const struct plan *plan, const struct sim_run *run)
{
	struct simulator s = { .sim = sim,
			       .plan = plan,
			       .timer_ns = NEVER,
			       .task_runs = true,
			       .seed = 0x9e3779b97f4a7c15ull };
	size_t steps = 0, i;

	memset(sim, 0, sizeof(*sim));
	start(&s, run);
	while (s.now_ns < s.end_ns && steps++ < STEPS_MAX) {
		uint64_t next_ns =
			min(min(s.end_ns, s.timer_ns), min(s.flip_ns, s.sibling_flip_ns));

		account(&s, next_ns - s.now_ns);
		keep_step(&s, next_ns - s.now_ns);
		s.now_ns = next_ns;
		if (s.now_ns < s.end_ns)
			step(&s, run);
	}
	sim->run_ns = s.now_ns;
	sim->slept_through = s.slept && !s.turned;
	sim->seen.rotates_empty = was_stuck_empty(&s);
	for (i = 0; i < plan->event_cnt; i++) {
		sim->events[i].state = state_of(&s, i);
		sim->seen.takes_turns |= sim->events[i].state == SIM_TURNS;
	}
}

bool sim_state__has_percent(enum sim_state state)
{
	return state == SIM_COUNTED || state == SIM_TURNS || state == SIM_NOT_COUNTED;
}

double sim_event__percent(const struct sim_event *ev)
{
	if (!ev->enabled_ns)
		return ev->state <= SIM_TURNS ? 100 : 0;
	return 100.0 * (double)ev->running_ns / (double)ev->enabled_ns;
}
