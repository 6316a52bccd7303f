// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * plan_measure PMU [SETS [SEED]]: what plan/ says of random sets of events and groups, against what
 * this kernel does with them. PMU: testpmu (the project's own, docs/testpmu.md), arm (PMUv3 of
 * the core that explain takes this CPU for, or Apple's PMU), or x86 (the model that host__find()
 * takes it for). The sets are those of SEED, a number, 0 where none is given. Each is counted by
 * perf/perf_counters over a task that spins; the state of each event must be the predicted one, and
 * its percentage within 3 points. Prints TAP; at least 98 of 100 sets must agree.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

#include "event/event.h"
#include "event/pmu.h"
#include "plan/host.h"
#include "plan/plan.h"
#include "plan/quirks.h"
#include "plan/simulate.h"
#include "kernel/checkup.h"
#include "perf/perf_counters.h"
#include "run/workload.h"
#include "stat/host_machine.h"
#include "util/fs.h"
#include "util/strbuf.h"

#include "plan_sets.h"

#define SYSFS "/sys/bus/event_source/devices/"
/* One turn more or less of these is under two points. */
#define TURNS 60
#define POINTS 3.0
/* Sets with a percentage that is farther off than this are counted, too. */
#define NEAR_POINTS 2.0

static enum sim_state state_of(const struct perf_counters *c, size_t at,
			       const struct counter_count *count)
{
	struct counter_refusal refusal = perf_counters__refusal(c, at);

	if (refusal.state == COUNTER_REFUSED)
		return SIM_NOT_SUPPORTED;
	if (refusal.state == COUNTER_GROUP_BROKEN)
		return SIM_GROUP_BROKEN;
	if (perf_counters__in_error(c, at))
		return SIM_PINNED_ERROR;
	if (!count->running_ns)
		return SIM_NOT_COUNTED;
	return count->running_ns == count->enabled_ns ? SIM_COUNTED : SIM_TURNS;
}

/* Counts the set over a task that spins. 0 or -errno. */
static int measure(struct bench *b, struct set *set)
{
	char ms[16], *argv[] = { b->self, "spin", ms, NULL };
	struct workload w = WORKLOAD_INIT;
	struct perf_counters *c = NULL;
	size_t i;
	int err;

	snprintf(ms, sizeof(ms), "%u", (unsigned int)(TURNS * b->machine.mux_ns / 1000000));
	err = workload__prepare(&w, argv);
	if (err)
		return err;
	c = perf_counters__open(&(struct perf_counters_config){
		.events = (const struct event *const *)set->list.events,
		.event_cnt = set->list.cnt,
		.tids = &w.pid,
		.tid_cnt = 1,
		.cgroup_fd = -1,
		.start = COUNTERS_ON_EXEC,
	});
	err = c ? workload__start(&w) : -errno;
	if (!err) {
		siginfo_t info;

		waitid(P_PID, (id_t)w.pid, &info, WEXITED | WSTOPPED | WNOWAIT);
		err = perf_counters__read(c);
		kill(w.pid, SIGKILL);
		waitid(P_PID, (id_t)w.pid, &info, WEXITED | WNOWAIT);
	}
	for (i = 0; i < set->list.cnt && !err; i++) {
		set->counts[i] = perf_counters__sum(c, i);
		set->states[i] = state_of(c, i, &set->counts[i]);
		if (set->counts[i].enabled_ns > set->enabled_ns)
			set->enabled_ns = set->counts[i].enabled_ns;
	}
	workload__ended(&w);
	workload__free(&w);
	perf_counters__free(c);
	return err;
}

static bool is_hw(const struct event *ev)
{
	return ev->type != PERF_TYPE_SOFTWARE;
}

static void make_plan(const struct bench *b, const struct set *set, struct plan *plan)
{
	int last = -1;
	size_t i;

	plan__init(plan, &b->machine);
	for (i = 0; i < set->list.cnt; i++) {
		const struct event *ev = set->list.events[i];
		struct plan_event *pe;

		if (ev->group < 0 || ev->group != last)
			plan__add_group(plan, PLAN_CTX_TASK)->pinned = ev->pinned;
		last = ev->group;
		if (!is_hw(ev)) {
			plan__add_sw(plan, ev->name);
			continue;
		}
		pe = plan__add_hw(plan, ev->name,
				  ev->type == raw_type(b) ? PERF_TYPE_RAW : ev->type, ev->config,
				  ev->config1);
		if (b->pmu == BENCH_TESTPMU)
			pe->counters = pe->real = ev->config >> 8 & 0xf;
	}
	plan__open(plan);
}

static double percent_of(const struct counter_count *count)
{
	return count->enabled_ns ? 100.0 * (double)count->running_ns / (double)count->enabled_ns
				 : 0;
}

/*
 * Is this the event's state? One with a refused leader is not opened: its group is broken, or it is
 * refused itself.
 */
static bool is_state(const struct plan *plan, const struct sim *sim, size_t at, enum sim_state is)
{
	if (plan->events[at].refusal == PLAN_LEADER_GONE)
		return is == SIM_GROUP_BROKEN || is == SIM_NOT_SUPPORTED;
	return is == sim->events[at].state;
}

/* Does each event do what was foretold? What does not is told. */
static bool agrees(const struct set *set, const struct plan *plan, const struct sim *sim, bool tell)
{
	bool good = true;
	size_t i;

	for (i = 0; i < set->list.cnt; i++) {
		double want = sim_event__percent(&sim->events[i]);
		double got = percent_of(&set->counts[i]);
		bool counts = set->states[i] <= SIM_NOT_COUNTED;

		if (is_state(plan, sim, i, set->states[i]) &&
		    (!counts || (got - want <= POINTS && want - got <= POINTS)))
			continue;
		good = false;
		if (tell)
			diag("  %s (event %zu): state %d, %.2f%%; foretold %d, %.2f%%",
			     set->list.events[i]->name, i, set->states[i], got,
			     sim->events[i].state, want);
	}
	return good;
}

/* Counts the set and foretells it: true where both are the same. */
static bool holds(struct bench *b, struct set *set, struct sim *sim, bool tell)
{
	static struct plan plan;
	struct sim_run run = { .busy = 1 };
	int err = measure(b, set);

	if (err) {
		diag("  %s", strerror(-err));
		return false;
	}
	make_plan(b, set, &plan);
	run.run_ns = set->enabled_ns;
	sim__run(sim, &plan, &run);
	return agrees(set, &plan, sim, tell);
}

/* One set: true where all is as foretold. *off: the farthest that a percentage was off. */
static bool try_set(struct bench *b, unsigned int nr, double *off)
{
	static struct sim sim;
	struct strbuf text = STRBUF_INIT;
	struct set set;
	bool good;
	size_t i;

	make_set(b, &set);
	show(&set, &text);
	good = holds(b, &set, &sim, true);
	*off = 0;
	for (i = 0; i < set.list.cnt && good; i++) {
		double points = percent_of(&set.counts[i]) - sim_event__percent(&sim.events[i]);

		points = points < 0 ? -points : points;
		if (set.states[i] <= SIM_NOT_COUNTED && points > *off)
			*off = points;
	}
	if (!good)
		diag("set %u is otherwise: %s", nr, strbuf__cstr(&text));
	strbuf__free(&text);
	event_list__free(&set.list);
	return good;
}

/*
 * A kernel that has just booted still calibrates its clocks: its timer's milliseconds and perf's
 * are not the same. Waits until a simple set, eleven like events, comes out evenly three times on
 * end.
 */
static bool settle(struct bench *b)
{
	static struct sim sim;
	unsigned int good = 0, tries;
	size_t i;

	for (tries = 0; tries < 60 && good < 3; tries++) {
		struct set set = { 0 };

		for (i = 0; i < 11; i++) {
			static const uint64_t codes[] = {
				[BENCH_TESTPMU] = 0xf00, [BENCH_X86] = 0xc4
			};

			event_list__push(&set.list, new_raw(raw_type(b), codes[b->pmu], 0));
		}
		good = holds(b, &set, &sim, false) ? good + 1 : 0;
		event_list__free(&set.list);
	}
	diag("clocks agree after %u tries", tries);
	return good == 3;
}

static bool find_testpmu(struct bench *b)
{
	long type, mux_ms = 4;

	if (fs__read_long(SYSFS "testpmu/type", &type))
		return false;
	fs__read_long(SYSFS "testpmu/perf_event_mux_interval_ms", &mux_ms);
	b->type = (uint32_t)type;
	b->machine.model = model__matching(4);
	b->machine.mux_ns = (uint64_t)mux_ms * 1000000;
	return true;
}

static bool find_arm(struct bench *b)
{
	struct host host;
	char path[128];
	long type;

	if (host_machine__describe(&host, &b->machine) ||
	    b->machine.model->policy != POLICY_FIRST_FIT)
		return false;
	snprintf(path, sizeof(path), SYSFS "%s/type", host.pmu);
	if (!b->machine.model->fixed && !fs__read_long(path, &type))
		b->type = (uint32_t)type;
	diag("%s: %s, %d counters", host.pmu, b->machine.model->name,
	     __builtin_popcountll(b->machine.model->general));
	b->machine.watchdog = false;
	return true;
}

static bool find_x86(struct bench *b)
{
	struct host host;
	struct pmu *pmu;
	char path[128];
	long type;
	int size;

	if (host__find(&host) || host.kind != HOST_KNOWN)
		return false;
	b->machine.model = host.model;
	host__describe(&host, &b->machine);
	pmu = pmu__load(host.pmu);
	size = pmu ? checkup__group_size(pmu) : 0;
	pmu__free(pmu);
	quirks__set_group_size(&b->machine, size > 0 ? (unsigned int)size : 0);
	snprintf(path, sizeof(path), SYSFS "%s/type", host.pmu);
	if (strcmp(host.pmu, "cpu") && !fs__read_long(path, &type))
		b->type = (uint32_t)type;
	diag("%s, ht %d, watchdog %d, turns of %llu ns", host.model->name, b->machine.ht,
	     b->machine.watchdog, (unsigned long long)b->machine.mux_ns);
	return true;
}

static bool find_pmu(struct bench *b)
{
	switch (b->pmu) {
	case BENCH_ARM:
		return find_arm(b);
	case BENCH_X86:
		return find_x86(b);
	default:
		return find_testpmu(b);
	}
}

static void spin(long ms)
{
	struct timespec ts;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	while (ts.tv_sec * 1000 + ts.tv_nsec / 1000000 < ms);
	/* Once it has ended, its events are no longer in error. */
	raise(SIGSTOP);
}

int main(int argc, char **argv)
{
	unsigned int sets = argc > 2 ? (unsigned int)atoi(argv[2]) : 100, agreed = 0, near = 0, i;
	struct bench b = { .machine = { .watchdog_counter = -1, .drop_broken = true } };
	cpu_set_t one;
	double worst = 0, off;

	if (argc > 2 && !strcmp(argv[1], "spin")) {
		spin(atol(argv[2]));
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "arm"))
		b.pmu = BENCH_ARM;
	if (argc > 1 && !strcmp(argv[1], "x86"))
		b.pmu = BENCH_X86;
	if (argc > 3)
		seed += strtoull(argv[3], NULL, 0) * 0x2545f4914f6cdd1dull;
	b.machine.kernel = host__kernel();
	if (readlink("/proc/self/exe", b.self, sizeof(b.self) - 1) < 0 ||
	    !ok(find_pmu(&b), "there is a PMU")) {
		return done_testing();
	}
	/* 0 of a PMU that shares the CPU's context with another one, up to 6.1. */
	if (!b.machine.mux_ns)
		b.machine.mux_ns = PLAN_MUX_NS;
	/* Turns are a CPU's own: elsewhere the task would find another timer. */
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	ok(settle(&b), "the timer's clock and perf's agree");
	for (i = 0; i < sets; i++) {
		bool good = try_set(&b, i, &off);

		agreed += good;
		near += good && off <= NEAR_POINTS;
		worst = off > worst ? off : worst;
	}
	diag("%u of %u sets as foretold; percentages at most %.2f points off, of %u sets at most "
	     "%.0f",
	     agreed, sets, worst, near, NEAR_POINTS);
	ok(agreed * 100 >= sets * 98, "of %u sets %u are as foretold", sets, agreed);
	return done_testing();
}
