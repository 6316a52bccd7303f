// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/trace_opts.h"

#include <errno.h>
#include <string.h>

#include "run/budget.h"
#include "cli/opt_rules.h"
#include "session/event_filters.h"
#include "sink/formats.h"
#include "sink/sink.h"
#include "util/log.h"

int trace_opts__event(void *opts, const char *arg)
{
	struct trace_opts *o = opts;

	if (!arg[strspn(arg, " \t\n")]) {
		log_error("the name of an event is empty; give one, such as 'sched:*'; `bpfperf "
			  "list` shows them");
		return -EINVAL;
	}
	return common_opts__event(&o->events, arg);
}

static int add_filter(void *opts, const char *arg)
{
	struct trace_opts *o = opts;

	return event_filters__add(&o->events, o->events.term_cnt - 1, arg);
}

static const char *const clocks[] = {
	[TIME_MONO] = "mono", [TIME_REAL] = "real", [TIME_REL] = "rel", [TIME_DELTA] = "delta", NULL
};

bool trace_opts__callstacks(const struct trace_opts *o)
{
	return (o->callstack.kernel || o->callstack.user) && !agg_opts__any(&o->agg);
}

const struct opt trace_opts[] = {
	{ 'e', "event", "EVENT", "trace this event, like an argument", OPT_CALL, 0, 0, 0,
	  trace_opts__event, NULL },
	{ 0, "filter", "EXPR",
	  "only records of the preceding event that match: 'prev_prio < 120 && pid != 0'", OPT_CALL,
	  0, 0, 0, add_filter, NULL },
	TARGET_OPTS,
	CMD_OPT,
	TASK_FILTER_OPTS,
	{ 0, "per-thread", NULL, "report each thread apart, as records do: counts --by tid",
	  OPT_FLAG, offsetof(struct trace_opts, per_thread), 0, 0, NULL, NULL },
	{ 'g', "call-graph", "SIDE", "add a stack to each record: both (default), user, kernel",
	  OPT_OPTCALL, offsetof(struct trace_opts, callstack), 0, 0, callstack_opts__set, NULL },
	{ .long_name = "unwind",
	  .arg = "HOW",
	  .help = "user stacks of -g: auto (default: by unwind tables, else frame pointers), fp, "
		  "cfi",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct trace_opts, callstack.unwind),
	  .choices = unwind_modes },
	{ .long_name = "python",
	  .arg = "HOW",
	  .help = "functions of Python in user stacks of -g: auto (default), off",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct trace_opts, callstack.interp.python),
	  .choices = interp_modes },
	{ .long_name = "ruby",
	  .arg = "HOW",
	  .help = "functions of Ruby in user stacks of -g: auto (default), off",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct trace_opts, callstack.interp.ruby),
	  .choices = interp_modes },
	{ 0, "count", NULL, "count in the kernel, send no record", OPT_FLAG,
	  offsetof(struct trace_opts, agg.count), 0, 0, NULL, NULL },
	{ 0, "sum", "FIELD", "count, and add up this field", OPT_STR,
	  offsetof(struct trace_opts, agg.sum), 0, 0, NULL, NULL },
	{ 0, "hist", "FIELD", "count by powers of two of this field", OPT_STR,
	  offsetof(struct trace_opts, agg.hist), 0, 0, NULL, NULL },
	{ 0, "by", "FIELD,...", "count by these fields; also comm, pid, tid, cpu, stack", OPT_STR,
	  offsetof(struct trace_opts, agg.by), 0, 0, NULL, NULL },
	{ 0, "counters", "EVENT,...",
	  "add to each record the growth of these counters since the CPU's previous record",
	  OPT_CALL, offsetof(struct trace_opts, counters), 0, 0, counter_opts__add, NULL },
	{ .long_name = "counters-by",
	  .arg = "WHAT",
	  .help = "growth since the previous record of: cpu (default), task",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct trace_opts, counters.by),
	  .choices = counters_by_names },
	{ 0, "counter-interval", "MS",
	  "print the counters between the records, every MS milliseconds", OPT_U64,
	  offsetof(struct trace_opts, counters.interval_ms), 1, 86400000, NULL, NULL },
	{ 'c', "period", "N", "emit one record in N of each event, on each CPU", OPT_U64,
	  offsetof(struct trace_opts, agg.period), 1, 1ull << 62, NULL, NULL },
	{ 0, "overwrite", NULL,
	  "flight recorder: keep the newest records in the rings until a dump", OPT_FLAG,
	  offsetof(struct trace_opts, overwrite), 0, 0, NULL, NULL },
	{ 0, "trigger", "EVENT", "with --overwrite: dump when EVENT or EVENT:FILTER happens",
	  OPT_CALL, offsetof(struct trace_opts, triggers), 0, 0, triggers__add, NULL },
	{ 0, "max-events", "N", "stop after N records", OPT_U64,
	  offsetof(struct trace_opts, max_events), 1, 0, NULL, NULL },
	{ 0, "budget", "RATE",
	  "stop the busiest event above this many records per second (5M); 0: never", OPT_CALL,
	  offsetof(struct trace_opts, budget), 0, 0, budget__parse, NULL },
	OUTPUT_OPTS,
	{ 0, "format", "F", FORMAT_HELP(TRACE_FORMATS) "; else by the suffix of -o FILE", OPT_STR,
	  offsetof(struct common_opts, format), 0, 0, NULL, NULL },
	ZSTD_OPT,
	{ .long_name = "time",
	  .arg = "CLOCK",
	  .help = "mono (default), real, rel (since start), delta (since the line before)",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct trace_opts, time),
	  .choices = clocks },
	{ 0, "header", NULL, "begin text with comments: the start by both clocks, and the events",
	  OPT_FLAG, offsetof(struct trace_opts, header), 0, 0, NULL, NULL },
	{ 0, "lost-exit", NULL, "exit with status 3 when records were lost", OPT_FLAG,
	  offsetof(struct trace_opts, lost_exit), 0, 0, NULL, NULL },
	OPT_END,
};

static bool has_modifiers(const struct event *ev)
{
	return ev->exclude_user || ev->exclude_kernel || ev->exclude_hv || ev->exclude_host ||
	       ev->exclude_guest || ev->exclude_idle || ev->precise_ip || ev->pinned ||
	       ev->exclusive;
}

static int check_events(const struct trace_opts *o)
{
	size_t i;

	if (!o->events.cnt) {
		log_error("no event is given; give some, such as bpfperf trace 'sched:*'; `bpfperf "
			  "list` shows them");
		return -EINVAL;
	}
	for (i = 0; i < o->events.cnt; i++) {
		const struct event *ev = o->events.events[i];

		if (ev->kind == EVENT_TRACEPOINT && has_modifiers(ev)) {
			log_error("%s: trace accepts tracepoints without modifiers; omit the text "
				  "after the name",
				  ev->name);
			return -EINVAL;
		}
		if (event__is_function(ev)) {
			log_error("%s takes no BPF program; `bpfperf record -e %s` records it",
				  ev->name, ev->name);
			return -EINVAL;
		}
		if (ev->kind == EVENT_TRACEPOINT)
			continue;
		log_error("%s is not a tracepoint; trace prints tracepoints, `bpfperf stack -e %s` "
			  "samples other events",
			  ev->name, ev->name);
		return -EINVAL;
	}
	return 0;
}

#define AGG "count|sum|hist|by"
#define NO_RECORDS                                                                                 \
	" applies to records, and --count, --sum, --hist and --by send no records; omit one"

const struct opt_rule trace_rules[] = {
	CMD_RULE,
	{ AGG ",max-events", NULL, "--max-events" NO_RECORDS },
	{ AGG ",call-graph", "BY_STACK",
	  "-g applies to records, and --count, --sum, --hist and --by send no records; "
	  "omit -g, or count --by stack" },
	{ AGG ",counters", NULL, "--counters" NO_RECORDS },
	{ AGG ",overwrite", NULL, "--overwrite" NO_RECORDS },
	{ AGG ",period", NULL, "-c" NO_RECORDS },
	{ AGG ",budget", NULL, "--budget" NO_RECORDS },
	{ "trigger", "overwrite", "--trigger is for a flight recorder; add --overwrite" },
	{ "trigger,period", NULL,
	  "-c drops records before a trigger sees them; omit -c or --trigger" },
	{ "per-thread,by", NULL,
	  "--per-thread counts by tid; add tid to the list of --by, and omit --per-thread" },
	{ "counters-by", "counters",
	  "--counters-by needs --counters EVENT,..., such as --counters page-faults" },
	{ "counter-interval", "counters",
	  "--counter-interval needs --counters EVENT,..., such as --counters page-faults" },
	{ NULL, NULL, NULL },
};

int trace_opts__check(struct trace_opts *o, int argc)
{
	int err = check_events(o);

	const struct opt_fact facts[] = { { "CMD", argc },
					  { "BY_STACK", agg_opts__by_stack(&o->agg) },
					  { NULL, false } };
	bool has_budget = opt_given__has(&o->common.given, "budget");

	/* Counting in the kernel floods no reader, and neither do rings in overwrite mode. */
	if (agg_opts__any(&o->agg) || (o->overwrite && !has_budget))
		o->budget = 0;
	else if (!has_budget)
		o->budget = BUDGET_DEFAULT;
	if (!err)
		err = opt_rules__check(trace_rules, &o->common.given, facts);
	if (!opt_given__has(&o->common.given, "unwind"))
		o->callstack.unwind = o->callstack.fp ? UNWIND_KERNEL : UNWIND_AUTO;
	if (o->per_thread && agg_opts__any(&o->agg))
		o->agg.by = "tid";
	return err ? err : targets__check(&o->common.targets, 0);
}

int trace_opts__check_output(const struct trace_opts *o, const struct sink_ops *ops)
{
	/* Formats that show counters between records show them with records, too. */
	if (o->counters.events.cnt && !agg_opts__any(&o->agg) && !ops->row) {
		log_error("--counters: the format %s has no place for counters; give --format text "
			  "or json, or omit --counters",
			  ops->name);
		return -EINVAL;
	}
	return common_opts__check_output(&o->common, ops);
}

void trace_opts__free(struct trace_opts *o)
{
	event_list__free(&o->events);
	event_list__free(&o->counters.events);
	triggers__free(&o->triggers);
	common_opts__free(&o->common);
}
