// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/stack_opts.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/opt_rules.h"
#include "profile/profile_kinds.h"
#include "session/stack_session.h"
#include "sink/sink.h"
#include "sink/formats.h"
#include "util/log.h"

/* Limit of an argument in microseconds: as nanoseconds it fits into 64 bits. */
#define MAX_US 9000000000000000

int stack_opts__event(void *opts, const char *arg)
{
	struct stack_opts *o = opts;
	int err = -ENOENT;
	size_t i;

	/* "--weight bytes": a field of the probes before it. */
	for (i = 0; o->sampler.profile.by_weight && i < o->sampler.events.cnt; i++)
		if (!event__weigh(o->sampler.events.events[i], arg))
			err = 0;
	return !err ? 0 : common_opts__event(&o->sampler.events, arg);
}

const struct opt stack_opts[] = {
	{ 'e', "event", "EVENT",
	  "sample these events, tracepoints too; default: cycles where there is a PMU, else cpu-clock",
	  OPT_CALL, 0, 0, 0, stack_opts__event, NULL },
	{ 'F', "freq", "HZ",
	  "samples per second and CPU (default 99; tracepoints: every occurrence)", OPT_U64,
	  offsetof(struct stack_opts, sampler.freq_hz), 1, 0, NULL, NULL },
	{ 'c', "count", "PERIOD", "take a sample every PERIOD events, instead of -F", OPT_U64,
	  offsetof(struct stack_opts, sampler.period), 1, INT64_MAX, NULL, NULL },
	{ 0, "off-cpu", NULL,
	  "record time asleep and runnable; with -e, -F or -c also time on the CPU", OPT_FLAG,
	  offsetof(struct stack_opts, sampler.off_cpu), 0, 0, NULL, NULL },
	{ 0, "wakers", NULL, "--off-cpu with the stack of the waking thread", OPT_FLAG,
	  offsetof(struct stack_opts, sampler.wakers), 0, 0, NULL, NULL },
	{ 0, "latency", NULL,
	  "count wall-clock time: a sample weighs 1/(threads of the target that run)", OPT_FLAG,
	  offsetof(struct stack_opts, sampler.latency), 0, 0, NULL, NULL },
	{ 0, "min-us", "N", "only times off the CPU of at least this many microseconds", OPT_U64,
	  offsetof(struct stack_opts, sampler.min_us), 1, MAX_US, NULL, NULL },
	{ 0, "max-us", "N", "only times off the CPU of at most this many microseconds", OPT_U64,
	  offsetof(struct stack_opts, sampler.max_us), 1, MAX_US, NULL, NULL },
	TARGET_OPTS,
	CMD_OPT,
	TASK_FILTER_OPTS,
	{ 0, "per-thread", NULL, "report each thread apart: --by thread", OPT_FLAG,
	  offsetof(struct stack_opts, per_thread), 0, 0, NULL, NULL },
	{ 0, "user", NULL, "user stacks only", OPT_FLAG, offsetof(struct stack_opts, sampler.user),
	  0, 0, NULL, NULL },
	{ 0, "kernel", NULL, "kernel stacks only", OPT_FLAG,
	  offsetof(struct stack_opts, sampler.kernel), 0, 0, NULL, NULL },
	{ 0, "max-depth", "N", "number of innermost functions of each stack (default 127)", OPT_U64,
	  offsetof(struct stack_opts, sampler.max_depth), 1, STACK_MAX_DEPTH, NULL, NULL },
	{ .long_name = "unwind",
	  .arg = "HOW",
	  .help = "user stacks: auto (default: by unwind tables, else frame pointers), fp, cfi",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct stack_opts, sampler.unwind),
	  .choices = unwind_modes },
	{ .long_name = "python",
	  .arg = "HOW",
	  .help = "functions of Python in user stacks: auto (default), off",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct stack_opts, sampler.interp.python),
	  .choices = interp_modes },
	{ .long_name = "ruby",
	  .arg = "HOW",
	  .help = "functions of Ruby in user stacks: auto (default), off",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct stack_opts, sampler.interp.ruby),
	  .choices = interp_modes },
	OUTPUT_OPTS,
	{ 0, "format", "F", FORMAT_HELP(STACK_FORMATS), OPT_STR,
	  offsetof(struct common_opts, format), 0, 0, NULL, NULL },
	{ 0, "flat", NULL, "list functions by their own time: --format flat", OPT_FLAG,
	  offsetof(struct stack_opts, flat), 0, 0, NULL, NULL },
	ZSTD_OPT,
	{ .long_name = "by",
	  .arg = "WHAT",
	  .help = "split stacks by comm (default), process, thread or cpu",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct stack_opts, sampler.profile.by),
	  .choices = profile_by_names },
	{ .long_name = "kinds",
	  .arg = "LIST",
	  .help = "only these kinds of functions: " PROFILE_KIND_NAMES,
	  .type = OPT_CALL,
	  .off = offsetof(struct stack_opts, sampler.profile.kinds),
	  .set = profile_kinds__set },
	{ 0, "weight", NULL, "count events (for clocks: time; for probes: a field), not samples",
	  OPT_FLAG, offsetof(struct stack_opts, sampler.profile.by_weight), 0, 0, NULL, NULL },
	{ 0, "diff", "FILE", "compare with a saved profile: .folded, .json or .html", OPT_STR,
	  offsetof(struct stack_opts, sampler.profile.old_path), 0, 0, NULL, NULL },
	{ 0, "top", NULL, "a live view on the terminal; ? shows its keys", OPT_FLAG,
	  offsetof(struct stack_opts, sampler.top), 0, 0, NULL, NULL },
	{ 0, "every", "SEC",
	  "a profile for each interval: of -o FILE with %t in its name, or --to (default 10s)",
	  OPT_SECONDS, offsetof(struct stack_opts, sampler.export.every_ns), 0, 0, NULL, NULL },
	{ 0, "to", "URL",
	  "send each interval to a store: http://HOST:4318 (OTLP), pprof+http:, clickhouse+http:",
	  OPT_STR, offsetof(struct stack_opts, sampler.export.url), 0, 0, NULL, NULL },
	{ 0, "spool", "DIR", "directory of messages that --to has not sent yet", OPT_STR,
	  offsetof(struct stack_opts, sampler.export.spool_dir), 0, 0, NULL, NULL },
	{ 0, "spool-size", "MIB", "largest size of the spool (default 64); the oldest is dropped",
	  OPT_U64, offsetof(struct stack_opts, sampler.export.spool_mib), 1, 1 << 20, NULL, NULL },
	{ .long_name = "symbols",
	  .arg = "WHERE",
	  .help = "names of user functions in --to: local (default); none: build ids and offsets",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct stack_opts, sampler.export.symbols),
	  .choices = export_symbols_names },
	{ 0, "metrics", "ADDR",
	  "show the run's own state to Prometheus: at HOST:PORT, :PORT or the /PATH of a socket",
	  OPT_STR, offsetof(struct stack_opts, sampler.export.metrics), 0, 0, NULL, NULL },
	{ 0, "schema", NULL, "print the tables and queries for clickhouse+http:, and end", OPT_FLAG,
	  offsetof(struct stack_opts, schema), 0, 0, NULL, NULL },
	{ 0, "no-inline", NULL, "omit inlined functions", OPT_FLAG,
	  offsetof(struct stack_opts, sampler.no_inline), 0, 0, NULL, NULL },
	{ 0, "no-demangle", NULL, "print names mangled, as the linker sees them", OPT_FLAG,
	  offsetof(struct stack_opts, sampler.no_demangle), 0, 0, NULL, NULL },
	{ 'i', "input", "FILE", "show a saved profile instead of sampling", OPT_STR,
	  offsetof(struct stack_opts, input), 0, 0, NULL, NULL },
	OPT_END,
};

#define TOP_ALONE                                                                                  \
	"--top shows live samples on stdout; it cannot be combined with -i, or with --format "     \
	"without -o FILE"

#define SPLIT_BEFORE                                                                               \
	": the split of stacks was fixed when the profile was recorded; give -i without it"

#define NOT_CHOSEN                                                                                 \
	"-i shows a saved profile as it was recorded: targets (-p, -C, --comm), duration and "     \
	"stacks (--user, --max-depth, --no-inline) are chosen when sampling; give -i without "     \
	"these options"

#define SAMPLING "event|freq|count|off-cpu|wakers|latency|EVENT|CMD"
#define CHOICE                                                                                     \
	"all-cpus|cpu|pid|tid|comm|uid|cgroup|include-self|duration|user|kernel|max-depth|"        \
	"unwind|python|ruby|no-inline|no-demangle"

const struct opt_rule stack_rules[] = {
	CMD_RULE,
	{ "input,top", NULL, TOP_ALONE },
	{ "input," SAMPLING, NULL,
	  "-i shows the content of a saved profile; it cannot be combined with events, -F, -c, "
	  "--off-cpu, --latency or CMD" },
	{ "input,by", NULL, "--by" SPLIT_BEFORE },
	{ "input,per-thread", NULL, "--per-thread" SPLIT_BEFORE },
	{ "input,min-us|max-us", NULL, NOT_CHOSEN },
	{ "input," CHOICE, NULL, NOT_CHOSEN },
	{ "kinds,top", NULL, "--top shows functions of all kinds; omit --kinds, or --top" },
	{ "to,top", NULL, "--top shows one profile, --to sends intervals; give one of the two" },
	{ "every,top", NULL, "--top shows one profile, --every makes many; give one of the two" },
	{ "top,weight,SEVERAL_EVENTS", NULL,
	  "--top --weight adds up the counts of one event, and several events count different "
	  "things; give one -e, or no --weight" },
	{ "top,latency,SEVERAL_EVENTS", NULL,
	  "--top --latency adds up the weights of one event, and several events count different "
	  "things; give one -e" },
	{ "latency,off-cpu|wakers", NULL,
	  "--latency divides time on the CPU among the threads that run, and time off the CPU is "
	  "divided among none; give --latency or --off-cpu" },
	{ "latency,weight", NULL,
	  "--latency counts the weights of samples as --weight does; omit --weight" },
	{ "top", "TERMINAL",
	  "--top needs a terminal as stdout; elsewhere give -o FILE and no --top" },
	{ "top,format,TO_STDOUT", NULL, TOP_ALONE },
	{ "flat,format", NULL, "--flat is --format flat; give one of the two" },
	{ "top,flat,TO_STDOUT", NULL, TOP_ALONE },
	{ "to,output|format|flat", NULL,
	  "--to sends the messages of its store; give files by another run: -o 'p-%t.pb.gz' "
	  "--every 10s" },
	{ "to|every,input", NULL, "-i shows a saved profile, which has no intervals" },
	{ "to|every,diff", NULL, "--diff compares one profile; give it without --every and --to" },
	{ "metrics", "to|every",
	  "--metrics shows the state of a run that goes on; give --every or --to" },
	{ "spool|spool-size|symbols", "to",
	  "--spool, --spool-size and --symbols are for --to; give --to URL" },
	{ "per-thread,by", NULL, "--per-thread is --by thread; give one of the two" },
	{ "freq,count", NULL, "give either -F or -c, not both" },
	{ "min-us|max-us", "off-cpu|wakers",
	  "--min-us and --max-us restrict time off the CPU; give --off-cpu, too" },
	{ NULL, NULL, NULL },
};

static int check_rules(const struct stack_opts *o, int argc)
{
	const struct opt_fact facts[] = {
		{ "CMD", argc },
		{ "EVENT", o->sampler.events.cnt },
		{ "SEVERAL_EVENTS",
		  o->sampler.events.cnt > 1 && !o->sampler.off_cpu && !o->sampler.wakers },
		{ "TO_STDOUT", !o->common.output || !strcmp(o->common.output, "-") },
		{ "TERMINAL", isatty(STDOUT_FILENO) },
		{ NULL, false },
	};

	return opt_rules__check(stack_rules, &o->common.given, facts);
}

bool stack_opts__explain(const char *name, size_t len)
{
	if (len != strlen("annotate") || memcmp(name, "annotate", len) != 0)
		return false;
	log_error(
		"stack counts functions, not instructions; for these run `bpfperf record -g`, then "
		"`bpfperf report --annotate '*' -o FILE.html`");
	return true;
}

/* Makes the sampler's config from the options that all live commands share. */
static void fill_sampler(struct stack_opts *o)
{
	struct sampler_config *cfg = &o->sampler;

	if (o->per_thread)
		cfg->profile.by = PROFILE_BY_THREAD;
	if (!opt_given__has(&o->common.given, "unwind"))
		cfg->unwind = UNWIND_AUTO;
	cfg->targets = &o->common.targets;
	cfg->duration_ns = o->common.duration_ns;
	cfg->cmd_user = o->common.cmd_user;
	cfg->ring_sz = o->common.ring_sz;
	cfg->output = o->common.output;
	cfg->recording.zstd_level = o->common.zstd_level;
}

/* Chooses the format before a file is created. 0, or -EINVAL, logged. */
static int choose_format(struct stack_opts *o)
{
	bool to_stdout = !o->common.output || !strcmp(o->common.output, "-");
	const struct sink_ops *fallback;

	fallback = sink__choose(stack_sinks, to_stdout && isatty(STDOUT_FILENO) ? "tree" : "folded",
				NULL, NULL);
	o->sampler.ops = sink__choose(stack_sinks, o->flat ? "flat" : o->common.format,
				      o->common.output, fallback);
	if (o->sampler.profile.kinds && o->sampler.ops && o->sampler.ops->only_addresses) {
		log_error("--kinds chooses functions of a profile, and --format %s is a recording "
			  "with all of them; give --kinds to the stack -i or report that shows it",
			  o->sampler.ops->name);
		return -EINVAL;
	}
	if (!o->sampler.ops ||
	    exporter__check(&o->sampler.export, o->common.output, &o->sampler.ops))
		return -EINVAL;
	return o->sampler.export.url ? 0 : common_opts__check_output(&o->common, o->sampler.ops);
}

int stack_opts__check(struct stack_opts *o, int argc)
{
	int err = check_rules(o, argc);

	fill_sampler(o);
	/* With -i nothing is sampled. */
	if (!err && !o->input)
		err = sampler__check(&o->sampler);
	if (!err)
		err = targets__check(&o->common.targets, 0);
	return err ? err : choose_format(o);
}
