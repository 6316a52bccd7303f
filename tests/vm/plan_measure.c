// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * plan_measure PMU [SETS]: what plan/ says of random sets of events and groups, against what this
 * kernel does with them. PMU: testpmu (the project's own, docs/testpmu.md) or arm (PMUv3). The sets
 * come from a fixed seed. Each is counted by perf/perf_counters over a task that spins; the state
 * of each event must be the predicted one, and its percentage within 3 points. Prints TAP; at least
 * 98 of 100 sets must agree.
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
#include "plan/simulate.h"
#include "kernel/checkup.h"
#include "perf/perf_counters.h"
#include "run/workload.h"
#include "util/fs.h"
#include "util/strbuf.h"

#define SYSFS "/sys/bus/event_source/devices/"
/* 60 turns: one more or less of them is under two points. */
#define SPIN_MS "240"
#define POINTS 3.0
#define EVENTS_MAX 20

static uint64_t seed = 0x9e3779b97f4a7c15ull;

static uint32_t random_below(uint32_t end)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return (uint32_t)((seed * 0x2545f4914f6cdd1dull >> 32) % end);
}

struct bench {
	bool is_arm;
	uint32_t type; /* of testpmu */
	struct plan_machine machine;
	char self[256];
};

/* A set, and what became of it. */
struct set {
	struct event_list list;
	struct counter_count counts[EVENTS_MAX];
	enum sim_state states[EVENTS_MAX];
	uint64_t enabled_ns; /* of the event that was wanted longest */
};

static struct event *new_event(const struct bench *b)
{
	/* Raw codes that any PMUv3 takes: SW_INCR, L1I_CACHE_REFILL, L1D_CACHE, INST_RETIRED. */
	static const uint16_t codes[] = { 0x00, 0x01, 0x04, 0x08 };
	static const uint8_t masks[] = { 0xf, 0xf, 0xf, 0x1, 0x3, 0x4, 0x5, 0x6, 0xc, 0xe };
	struct event *ev;
	char name[32];

	if (random_below(9) == 0) {
		ev = event__new(EVENT_SOFTWARE, "task-clock");
		ev->type = PERF_TYPE_SOFTWARE;
		ev->config = PERF_COUNT_SW_TASK_CLOCK;
		return ev;
	}
	if (b->is_arm && random_below(3) == 0) {
		ev = event__new(EVENT_HARDWARE, "cycles");
		ev->type = PERF_TYPE_HARDWARE;
		ev->config = PERF_COUNT_HW_CPU_CYCLES;
		return ev;
	}
	ev = event__new(EVENT_RAW, "");
	ev->type = b->is_arm ? PERF_TYPE_RAW : b->type;
	ev->config = b->is_arm ? codes[random_below(4)]
			       : (uint64_t)masks[random_below(sizeof(masks))] << 8;
	snprintf(name, sizeof(name), b->is_arm ? "r%llx" : "on-%llx",
		 (unsigned long long)(b->is_arm ? ev->config : ev->config >> 8));
	free(ev->name);
	ev->name = strdup(name);
	return ev;
}

/* One to eight groups of one to four events (on arm64 of up to nine), some of them pinned. */
static void make_set(const struct bench *b, struct set *set)
{
	uint32_t groups = 1 + random_below(8), g;

	memset(set, 0, sizeof(*set));
	for (g = 0; g < groups && set->list.cnt < EVENTS_MAX; g++) {
		uint32_t cnt = random_below(2) ? 1 : 1 + random_below(b->is_arm ? 9 : 5), i;
		bool pinned = random_below(6) == 0;

		for (i = 0; i < cnt && set->list.cnt < EVENTS_MAX; i++) {
			struct event *ev = new_event(b);

			ev->group = cnt > 1 ? (int)g : -1;
			ev->pinned = pinned && !i;
			event_list__push(&set->list, ev);
		}
	}
}

static void show(const struct set *set, struct strbuf *out)
{
	size_t i;

	for (i = 0; i < set->list.cnt; i++) {
		const struct event *ev = set->list.events[i];
		bool opens = ev->group >= 0 && (!i || set->list.events[i - 1]->group != ev->group);
		bool closes = ev->group >= 0 && (i + 1 == set->list.cnt ||
						 set->list.events[i + 1]->group != ev->group);

		strbuf__printf(out, "%s%s%s%s%s", i ? "," : "", opens ? "{" : "", ev->name,
			       ev->pinned ? ":D" : "", closes ? "}" : "");
	}
}

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
	char *argv[] = { b->self, "spin", SPIN_MS, NULL };
	struct workload w = WORKLOAD_INIT;
	struct perf_counters *c = NULL;
	int err = workload__prepare(&w, argv);
	size_t i;

	if (err)
		return err;
	c = perf_counters__open(&(struct perf_counters_config){
		.events = (const struct event *const *)set->list.events,
		.event_cnt = set->list.cnt,
		.tids = &w.pid,
		.tid_cnt = 1,
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
		pe = plan__add_hw(plan, ev->name, b->is_arm ? ev->type : PERF_TYPE_RAW, ev->config,
				  0);
		if (!b->is_arm)
			pe->counters = pe->real = ev->config >> 8 & 0xf;
	}
	plan__open(plan);
}

static double percent_of(const struct counter_count *count)
{
	return count->enabled_ns ? 100.0 * (double)count->running_ns / (double)count->enabled_ns
				 : 0;
}

/* Does each event do what was foretold? What does not is told. */
static bool agrees(const struct set *set, const struct sim *sim, bool tell)
{
	bool good = true;
	size_t i;

	for (i = 0; i < set->list.cnt; i++) {
		double want = sim_event__percent(&sim->events[i]);
		double got = percent_of(&set->counts[i]);
		bool counts = set->states[i] <= SIM_NOT_COUNTED;

		if (set->states[i] == sim->events[i].state &&
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
	return agrees(set, sim, tell);
}

/* One set: true where all is as foretold. *worst: the farthest a percentage was off so far. */
static bool try_set(struct bench *b, unsigned int nr, double *worst)
{
	static struct sim sim;
	struct strbuf text = STRBUF_INIT;
	struct set set;
	bool good;
	size_t i;

	make_set(b, &set);
	show(&set, &text);
	good = holds(b, &set, &sim, true);
	for (i = 0; i < set.list.cnt && good; i++) {
		double off = percent_of(&set.counts[i]) - sim_event__percent(&sim.events[i]);

		off = off < 0 ? -off : off;
		if (set.states[i] <= SIM_NOT_COUNTED && off > *worst)
			*worst = off;
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
			struct event *ev = event__new(EVENT_RAW, "any");

			ev->type = b->is_arm ? PERF_TYPE_RAW : b->type;
			ev->config = b->is_arm ? 0 : 0xf00;
			event_list__push(&set.list, ev);
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
	struct pmu *pmu;
	int size;

	if (host__find(&host) || host.kind != HOST_ARM)
		return false;
	pmu = pmu__load(host.pmu);
	size = pmu ? checkup__group_size(pmu) : 0;
	pmu__free(pmu);
	diag("%s: %d counters", host.pmu, size);
	b->machine.model = size > 1 ? model__armv8((unsigned int)size - 1) : NULL;
	host__describe(&host, &b->machine);
	b->machine.watchdog = false;
	return b->machine.model != NULL;
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
	unsigned int sets = argc > 2 ? (unsigned int)atoi(argv[2]) : 100, agreed = 0, i;
	struct bench b = { .machine = { .watchdog_counter = -1, .drop_broken = true } };
	cpu_set_t one;
	double worst = 0;

	if (argc > 2 && !strcmp(argv[1], "spin")) {
		spin(atol(argv[2]));
		return 0;
	}
	b.is_arm = argc > 1 && !strcmp(argv[1], "arm");
	b.machine.kernel = host__kernel();
	if (readlink("/proc/self/exe", b.self, sizeof(b.self) - 1) < 0 ||
	    !ok(b.is_arm ? find_arm(&b) : find_testpmu(&b), "there is a PMU")) {
		return done_testing();
	}
	/* Turns are a CPU's own: elsewhere the task would find another timer. */
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	ok(settle(&b), "the timer's clock and perf's agree");
	for (i = 0; i < sets; i++)
		agreed += try_set(&b, i, &worst);
	diag("%u of %u sets as foretold; percentages at most %.2f points off", agreed, sets, worst);
	ok(agreed * 100 >= sets * 98, "of %u sets %u are as foretold", sets, agreed);
	return done_testing();
}
