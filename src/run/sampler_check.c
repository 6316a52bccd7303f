// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Checks a sampler's config before anything is opened. */
#include <errno.h>
#include <string.h>

#include "perf/perf_probe.h"
#include "run/sampler.h"
#include "session/stack_session.h"
#include "util/fs.h"
#include "util/log.h"

/* Chooses cycles if the machine can sample them, else the clock, which alone is time. */
static int choose_event(struct sampler_config *cfg)
{
	if (cfg->latency)
		return event_list__add(&cfg->events, "cpu-clock");
	if (event_list__add(&cfg->events, "cycles"))
		return -EINVAL;
	if (perf_probe__event(cfg->events.events[0], NULL) & PERF_CAN_SAMPLE)
		return 0;
	event_list__free(&cfg->events);
	memset(&cfg->events, 0, sizeof(cfg->events));
	return event_list__add(&cfg->events, "cpu-clock");
}

/* Checks that the event can be sampled. */
static int check_event(const struct event *ev)
{
	if (ev->kind == EVENT_TOOL) {
		log_error("%s is measured by bpfperf itself, and cannot be sampled; `bpfperf stat "
			  "-e %s` shows it",
			  ev->name, ev->name);
		return -EINVAL;
	}
	if (event__is_function(ev)) {
		log_error("%s takes no BPF program; `bpfperf record -g -e %s` records it", ev->name,
			  ev->name);
		return -EINVAL;
	}
	if (ev->kind == EVENT_TRACEPOINT && ev->exclude_kernel && !ev->exclude_user) {
		log_error("%s: tracepoints happen in the kernel, so that :u excludes all of them; "
			  "for user stacks only give --user",
			  ev->name);
		return -EINVAL;
	}
	return 0;
}

/* The sums of such samples are not those of the event: the name says so in all formats. */
static int name_latency(struct event *ev)
{
	if (ev->kind == EVENT_TRACEPOINT) {
		log_error("%s: --latency divides the time of a sample among the threads that run, "
			  "and a tracepoint takes no time; give -e cpu-clock or another event of "
			  "a PMU",
			  ev->name);
		return -EINVAL;
	}
	return event__extend_name(ev, " latency");
}

/* The kernel's limit of stack depth. */
#define MAX_STACK "/proc/sys/kernel/perf_event_max_stack"

static int check_depth(struct sampler_config *cfg)
{
	long max = STACK_DEFAULT_DEPTH;

	cfg->user_depth = cfg->max_depth && cfg->max_depth < UNWIND_FRAMES_MAX ? cfg->max_depth
									       : UNWIND_FRAMES_MAX;
	fs__read_long(MAX_STACK, &max);
	if (!cfg->max_depth)
		cfg->max_depth = max < STACK_DEFAULT_DEPTH ? (uint64_t)max : STACK_DEFAULT_DEPTH;
	if (max <= 0 || cfg->max_depth <= (uint64_t)max)
		return 0;
	log_error("--max-depth %llu: this kernel captures %ld functions of a stack; give less, or "
		  "`sysctl kernel.perf_event_max_stack=%llu` while no stacks are captured",
		  (unsigned long long)cfg->max_depth, max, (unsigned long long)cfg->max_depth);
	return -EINVAL;
}

int sampler__check(struct sampler_config *cfg)
{
	int err = check_depth(cfg);
	size_t i;

	if (err)
		return err;
	/* Both options are equal to none: both sides are sampled. */
	if (!cfg->user && !cfg->kernel)
		cfg->user = cfg->kernel = true;
	cfg->off_cpu |= cfg->wakers;
	cfg->profile.by_weight |= cfg->latency;
	if (cfg->max_us && cfg->max_us < cfg->min_us) {
		log_error(
			"no time off the CPU has at least %llu us and at most %llu us; give a --max-us "
			"above --min-us",
			(unsigned long long)cfg->min_us, (unsigned long long)cfg->max_us);
		return -EINVAL;
	}
	/* Time off the CPU is combined with time on the CPU. */
	if (!cfg->events.cnt && cfg->off_cpu)
		err = cfg->freq_hz || cfg->period ? event_list__add(&cfg->events, "cpu-clock") : 0;
	else if (!cfg->events.cnt)
		err = choose_event(cfg);
	if (cfg->events.cnt > PROFILE_MAX_EVENTS) {
		log_error("a profile holds %d events at most, not %zu; give fewer",
			  PROFILE_MAX_EVENTS, cfg->events.cnt);
		return -EINVAL;
	}
	for (i = 0; i < cfg->events.cnt && !err; i++)
		err = check_event(cfg->events.events[i]);
	for (i = 0; i < cfg->events.cnt && !err && cfg->latency; i++)
		err = name_latency(cfg->events.events[i]);
	return err;
}
