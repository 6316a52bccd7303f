// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/simulate.h"

#include <string.h>

#define STEPS_MAX 200000
/* Minimum number of intervals of a run without a given length: enough for a picture. */
#define TURNS_MIN 8
#define BURST_NS 1000000ull
/* A run that sleeps and has no length given. */
#define SLEEPY_RUN_NS 60000000000ull
#define NEVER UINT64_MAX

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
	uint64_t seed;
	bool slept, turned;
	bool endless; /* percentages are those of a run without end */
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

/* Schedules; a flexible group without counters starts the timer. */
static void schedule(struct simulator *s)
{
	s->sched.sibling_idle = s->sibling_idle_ns && s->now_ns >= s->sibling_idle_ns;
	schedule__run(&s->sched, s->task_runs);
	if (s->timer_ns == NEVER && (s->sched.rotate[0] || s->sched.rotate[1]))
		s->timer_ns = s->now_ns + s->plan->machine.mux_ns;
}

/* An order in which all groups fit is permanent: earlier states do not matter in the long run. */
static void settle(struct simulator *s)
{
	size_t i;

	for (i = 0; i < s->plan->event_cnt; i++) {
		struct sim_event *se = &s->sim->events[i];

		se->enabled_ns = se->running_ns = se->zero_ns = 0;
	}
	s->end_ns = s->now_ns + s->plan->machine.mux_ns;
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
	schedule__rotate(&s->sched);
	s->timer_ns = s->now_ns + s->plan->machine.mux_ns;
	schedule(s);
	if (s->endless && !s->sched.rotate[0] && !s->sched.rotate[1])
		settle(s);
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

		if (group->ctx == PLAN_CTX_TASK && !s->task_runs)
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
	if (group->broken)
		return SIM_GROUP_BROKEN;
	if (s->sched.error[ev->group])
		return SIM_PINNED_ERROR;
	if (se->running_ns == se->enabled_ns)
		return SIM_COUNTED;
	return se->running_ns ? SIM_TURNS : SIM_NOT_COUNTED;
}

void sim__run(struct sim *sim, const struct plan *plan, const struct sim_run *run)
{
	struct simulator s = { .sim = sim,
			       .plan = plan,
			       .timer_ns = NEVER,
			       .sibling_idle_ns = run->sibling_idle_ns,
			       .task_runs = true,
			       .seed = 0x9e3779b97f4a7c15ull };
	size_t steps = 0, i;

	memset(sim, 0, sizeof(*sim));
	for (i = 0; i < PLAN_EVENTS_MAX; i++)
		sim->groups[i].stuck = sim->groups[i].blocker = -1;
	schedule__init(&s.sched, plan);
	s.end_ns = run->run_ns;
	if (!s.end_ns)
		s.end_ns = run->busy < 1 ? SLEEPY_RUN_NS : full_turn(plan) * plan->machine.mux_ns;
	s.endless = !run->run_ns && run->busy >= 1;
	set_sleep(&s, run);
	schedule(&s);
	while (s.now_ns < s.end_ns && steps++ < STEPS_MAX) {
		uint64_t next_ns = s.end_ns;

		next_ns = s.timer_ns < next_ns ? s.timer_ns : next_ns;
		next_ns = s.flip_ns < next_ns ? s.flip_ns : next_ns;
		account(&s, next_ns - s.now_ns);
		keep_step(&s, next_ns - s.now_ns);
		s.now_ns = next_ns;
		if (s.now_ns == s.end_ns)
			break;
		if (s.now_ns == s.flip_ns) {
			flip(&s, run);
			schedule(&s);
		} else if (s.now_ns == s.timer_ns) {
			on_timer(&s);
		}
	}
	sim->run_ns = s.now_ns;
	sim->slept_through = s.slept && !s.turned;
	for (i = 0; i < plan->event_cnt; i++)
		sim->events[i].state = state_of(&s, i);
}

double sim_event__percent(const struct sim_event *ev)
{
	if (!ev->enabled_ns)
		return ev->state <= SIM_TURNS ? 100 : 0;
	return 100.0 * (double)ev->running_ns / (double)ev->enabled_ns;
}
