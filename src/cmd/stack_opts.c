// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/stack_opts.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/opt_rules.h"
#include "perf/perf_probe.h"
#include "session/stack_session.h"
#include "sink/formats.h"
#include "util/fs.h"
#include "util/log.h"

/* Whose nanoseconds fit into 64 bits. */
#define MAX_US 9000000000000000

int stack_opts__event(void *opts, const char *arg)
{
	struct stack_opts *o = opts;

	return common_opts__event(&o->events, arg);
}

static int set_by(void *opts, const char *arg)
{
	struct stack_opts *o = opts;

	return profile__parse_by(arg, &o->profile.by);
}

static int set_unwind(void *opts, const char *arg)
{
	struct stack_opts *o = opts;

	o->has_unwind = true;
	return unwind_report__set(&o->unwind, arg);
}

const struct opt stack_opts[] = {
	{ 'e', "event", "EVENT",
	  "sample these events, tracepoints too; default: cycles where there is a PMU, else cpu-clock",
	  OPT_CALL, 0, 0, 0, stack_opts__event },
	{ 'F', "freq", "HZ", "samples per second and CPU (default 99; of tracepoints each one)",
	  OPT_U64, offsetof(struct stack_opts, freq_hz), 1, 0, NULL },
	{ 'c', "count", "PERIOD", "a sample each PERIOD events, in place of -F", OPT_U64,
	  offsetof(struct stack_opts, period), 1, INT64_MAX, NULL },
	{ 0, "off-cpu", NULL, "time asleep and runnable; with -e, -F or -c that on the CPU too",
	  OPT_FLAG, offsetof(struct stack_opts, off_cpu), 0, 0, NULL },
	{ 0, "wakers", NULL, "--off-cpu with the stack of who woke", OPT_FLAG,
	  offsetof(struct stack_opts, wakers), 0, 0, NULL },
	{ 0, "min-us", "N", "only absences of at least so many microseconds", OPT_U64,
	  offsetof(struct stack_opts, min_us), 1, MAX_US, NULL },
	{ 0, "max-us", "N", "only absences of at most so many microseconds", OPT_U64,
	  offsetof(struct stack_opts, max_us), 1, MAX_US, NULL },
	TARGET_OPTS,
	WHO_OPTS,
	{ 0, "per-thread", NULL, "each thread apart: --by thread", OPT_FLAG,
	  offsetof(struct stack_opts, per_thread), 0, 0, NULL },
	{ 0, "user", NULL, "user stacks only", OPT_FLAG, offsetof(struct stack_opts, user), 0, 0,
	  NULL },
	{ 0, "kernel", NULL, "kernel stacks only", OPT_FLAG, offsetof(struct stack_opts, kernel), 0,
	  0, NULL },
	{ 0, "max-depth", "N", "innermost functions of each stack (default 127)", OPT_U64,
	  offsetof(struct stack_opts, max_depth), 1, STACK_MAX_DEPTH, NULL },
	{ 0, "unwind", "HOW",
	  "user stacks: auto (default: by unwind tables, else frame pointers), fp, cfi", OPT_CALL,
	  0, 0, 0, set_unwind },
	OUTPUT_OPTS,
	{ 0, "format", "F", FORMAT_HELP(STACK_FORMATS), OPT_STR,
	  offsetof(struct common_opts, format), 0, 0, NULL },
	ZSTD_OPT,
	{ 0, "by", "WHAT", "split stacks by comm (default), process, thread or cpu", OPT_CALL, 0, 0,
	  0, set_by },
	{ 0, "weight", NULL, "count events (of the clocks: time), not samples", OPT_FLAG,
	  offsetof(struct stack_opts, profile.by_weight), 0, 0, NULL },
	{ 0, "diff", "FILE", "compare with a saved profile: .folded, .json or .html", OPT_STR,
	  offsetof(struct stack_opts, profile.old_path), 0, 0, NULL },
	{ 0, "top", NULL, "a live view on the terminal; ? shows its keys", OPT_FLAG,
	  offsetof(struct stack_opts, top), 0, 0, NULL },
	{ 0, "no-inline", NULL, "leave out functions that were inlined", OPT_FLAG,
	  offsetof(struct stack_opts, no_inline), 0, 0, NULL },
	{ 0, "no-demangle", NULL, "names as the linker knows them", OPT_FLAG,
	  offsetof(struct stack_opts, no_demangle), 0, 0, NULL },
	{ 'i', "input", "FILE", "show a saved profile in place of sampling", OPT_STR,
	  offsetof(struct stack_opts, input), 0, 0, NULL },
	OPT_END,
};

/* cycles where the machine can sample them, else the clock. */
static int choose_event(struct stack_opts *o)
{
	if (event_list__add(&o->events, "cycles"))
		return -EINVAL;
	if (perf_probe__event(o->events.events[0]) & PERF_CAN_SAMPLE)
		return 0;
	event_list__free(&o->events);
	memset(&o->events, 0, sizeof(o->events));
	return event_list__add(&o->events, "cpu-clock");
}

/* Can it be sampled at all? */
static int check_event(const struct event *ev)
{
	if (ev->kind == EVENT_TOOL) {
		log_error("%s is measured by bpfperf itself, there is nothing to sample; "
			  "`bpfperf stat -e %s` shows it",
			  ev->name, ev->name);
		return -EINVAL;
	}
	if (ev->kind == EVENT_TRACEPOINT && ev->exclude_kernel && !ev->exclude_user) {
		log_error("%s: tracepoints happen in the kernel, so that :u leaves nothing; for "
			  "user stacks alone give --user",
			  ev->name);
		return -EINVAL;
	}
	return 0;
}

/* The kernel takes no more than this sysctl says. */
#define MAX_STACK "/proc/sys/kernel/perf_event_max_stack"

static int check_depth(struct stack_opts *o)
{
	long max = STACK_DEFAULT_DEPTH;

	if (!o->has_unwind)
		o->unwind = UNWIND_AUTO;
	o->user_depth =
		o->max_depth && o->max_depth < UNWIND_FRAMES_MAX ? o->max_depth : UNWIND_FRAMES_MAX;
	fs__read_long(MAX_STACK, &max);
	if (!o->max_depth)
		o->max_depth = max < STACK_DEFAULT_DEPTH ? (uint64_t)max : STACK_DEFAULT_DEPTH;
	if (max <= 0 || o->max_depth <= (uint64_t)max)
		return 0;
	log_error("--max-depth %llu: this kernel takes %ld functions of a stack; give less, or "
		  "`sysctl kernel.perf_event_max_stack=%llu` while nobody takes stacks",
		  (unsigned long long)o->max_depth, max, (unsigned long long)o->max_depth);
	return -EINVAL;
}

static int check_sampling(struct stack_opts *o)
{
	int err = check_depth(o);
	size_t i;

	if (err)
		return err;
	/* Both only: both are wanted, as without any. */
	if (!o->user && !o->kernel)
		o->user = o->kernel = true;
	o->off_cpu |= o->wakers;
	if (o->max_us && o->max_us < o->min_us) {
		log_error("no absence takes at least %llu us and at most %llu us; give a --max-us "
			  "above --min-us",
			  (unsigned long long)o->min_us, (unsigned long long)o->max_us);
		return -EINVAL;
	}
	/* Time off the CPU goes with time on it. */
	if (!o->events.cnt && o->off_cpu)
		err = o->freq_hz || o->period ? event_list__add(&o->events, "cpu-clock") : 0;
	else if (!o->events.cnt)
		err = choose_event(o);
	if (o->events.cnt > PROFILE_MAX_EVENTS) {
		log_error("a profile holds %d events at most, not %zu; give fewer",
			  PROFILE_MAX_EVENTS, o->events.cnt);
		return -EINVAL;
	}
	for (i = 0; i < o->events.cnt && !err; i++)
		err = check_event(o->events.events[i]);
	return err;
}

#define TOP_ALONE                                                                                  \
	"--top shows what is sampled now, on stdout; it goes with neither -i nor --format "        \
	"without -o FILE"

#define SPLIT_BEFORE                                                                               \
	": how stacks are split was decided when the profile was recorded; give -i without it"

#define NOT_CHOSEN                                                                                   \
	"-i shows a saved profile as it was recorded: whom (-p, -C, --comm), for how long and what " \
	"of stacks (--user, --max-depth, --no-inline) is said when sampling; give -i without"

#define SAMPLING "event|freq|count|off-cpu|wakers|EVENT|CMD"
#define CHOICE                                                                                     \
	"all-cpus|cpu|pid|tid|comm|uid|cgroup|include-self|duration|user|kernel|max-depth|"        \
	"unwind|no-inline|no-demangle"

const struct opt_rule stack_rules[] = {
	{ "input,top", NULL, TOP_ALONE },
	{ "input," SAMPLING, NULL,
	  "-i shows what a saved profile holds; it goes with neither events, -F, -c, --off-cpu nor "
	  "CMD" },
	{ "input,by", NULL, "--by" SPLIT_BEFORE },
	{ "input,per-thread", NULL, "--per-thread" SPLIT_BEFORE },
	{ "input,min-us|max-us", NULL, NOT_CHOSEN },
	{ "input," CHOICE, NULL, NOT_CHOSEN },
	{ "top,weight,SEVERAL_EVENTS", NULL,
	  "--top --weight adds up what an event counts, and several count different things; give "
	  "one -e, or no --weight" },
	{ "top", "TERMINAL",
	  "--top needs a terminal as stdout; elsewhere give -o FILE and no --top" },
	{ "top,format,TO_STDOUT", NULL, TOP_ALONE },
	{ "per-thread,by", NULL, "--per-thread is --by thread; give one of the two" },
	{ "freq,count", NULL, "give either -F or -c, not both" },
	{ "min-us|max-us", "off-cpu|wakers",
	  "--min-us and --max-us choose from time off the CPU; give --off-cpu too" },
	{ NULL, NULL, NULL },
};

static int check_rules(const struct stack_opts *o, int argc)
{
	const struct opt_fact facts[] = {
		{ "CMD", argc },
		{ "EVENT", o->events.cnt },
		{ "SEVERAL_EVENTS", o->events.cnt > 1 && !o->off_cpu && !o->wakers },
		{ "TO_STDOUT", !o->common.output || !strcmp(o->common.output, "-") },
		{ "TERMINAL", isatty(STDOUT_FILENO) },
		{ NULL, false },
	};

	return opt_rules__check(stack_rules, &o->common.given, facts);
}

int stack_opts__check(struct stack_opts *o, int argc)
{
	int err = check_rules(o, argc);

	if (o->per_thread)
		o->profile.by = PROFILE_BY_THREAD;
	/* With -i nothing is sampled. */
	if (!err && !o->input)
		err = check_sampling(o);
	return err ? err : targets__check(&o->common.targets, 0);
}

bool stack_opts__samples_cmd(const struct stack_opts *o)
{
	const struct targets *t = &o->common.targets;

	return !o->as_record ||
	       (!t->pid_cnt && !t->tid_cnt && !t->cpus && !t->has_uid && !t->cgroup);
}
