// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The options of bpfperf latency. */
#include <errno.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/common_opts.h"
#include "export/span_store.h"
#include "run/latency_replay.h"
#include "run/latency_run.h"
#include "util/log.h"

struct latency_opts {
	struct common_opts common;
	struct latency_options run;
	struct latency_pairs pairs;
	struct pair_request request; /* --from, --to, --key */
	uint64_t min_us;
};
_Static_assert(offsetof(struct latency_opts, common) == 0, "rows have offsets from there");

static int add_pair(void *opts, const char *arg)
{
	return latency_pairs__add(&((struct latency_opts *)opts)->pairs, arg);
}

static int set_once(const char **at, const char *name, const char *arg)
{
	if (!*at) {
		*at = arg;
		return 0;
	}
	log_error("%s is given twice; one run measures one pair of them", name);
	return -EINVAL;
}

static int set_from(void *opts, const char *arg)
{
	return set_once(&((struct latency_opts *)opts)->request.from, "--from", arg);
}

/* No event has a name like the address of a store. */
static int set_to(void *opts, const char *arg)
{
	struct latency_opts *o = opts;

	return store__is_url(arg) ? set_once(&o->run.export.url, "--to URL", arg)
				  : set_once(&o->request.to, "--to EVENT", arg);
}

/* A filter belongs to the event before it. */
static int add_filter(void *opts, const char *arg)
{
	struct pair_request *r = &((struct latency_opts *)opts)->request;

	if (r->to)
		return set_once(&r->to_filter, "--filter of --to", arg);
	if (r->from)
		return set_once(&r->from_filter, "--filter of --from", arg);
	log_error("--filter %s: no event precedes it; give it behind --from EVENT or --to EVENT",
		  arg);
	return -EINVAL;
}

#define AT(member) offsetof(struct latency_opts, member)

/* clang-format off */
static const struct opt latency_opts[] = {
	{ 0, "from", "EVENT", "measure from this tracepoint ...", OPT_CALL, 0, 0, 0, set_from,
	  NULL },
	{ 0, "to", "EVENT|URL", "... to this one; or send each interval to this store", OPT_CALL, 0,
	  0, 0, set_to, NULL },
	{ 0, "key", "FIELD[=FIELD],...",
	  "the fields of both that are equal (default: thread, the current one)", OPT_STR,
	  AT(request.key), 0, 0, NULL, NULL },
	{ 0, "filter", "EXPR", "only records of the event before it that match", OPT_CALL, 0, 0, 0,
	  add_filter, NULL },
	TARGET_OPTS,
	CMD_OPT,
	TASK_FILTER_OPTS,
	{ 0, "by", "FIELD,...",
	  "a row for each value: fields of either event, comm, pid, tid, cpu, stack", OPT_STR,
	  AT(run.by), 0, 0, NULL, NULL },
	{ 0, "interval", "SEC", "print a table each SEC seconds (also 200ms), of that time",
	  OPT_SECONDS, AT(run.interval_ns), 0, 0, NULL, NULL },
	{ 0, "hist", NULL, "show each row's durations as bars, too", OPT_FLAG, AT(run.hist), 0, 0,
	  NULL, NULL },
	{ 0, "each", NULL, "print each duration as a record, with both events' fields", OPT_FLAG,
	  AT(run.each), 0, 0, NULL, NULL },
	{ 0, "min-us", "N", "print each duration of at least N microseconds", OPT_U64,
	  AT(min_us), 1, 1ull << 40, NULL, NULL },
	{ 'g', "call-graph", "SIDE",
	  "add the stacks of both ends to each duration: both (default), user, kernel",
	  OPT_OPTCALL, AT(run.callstack), 0, 0, callstack_opts__set, NULL },
	{ 'i', "input", "FILE", "measure in a recording that has the events", OPT_STR,
	  AT(run.input), 0, 0, NULL, NULL },
	COMMON_VALUE('o', "output", "FILE", "write to FILE; - is stdout", OPT_STR, output),
	COMMON_CALL('m', "mmap-pages", "SIZE", "ring size per CPU: pages, or with K, M, G",
		    common_opts__ring_sz),
	{ 0, "format", "F",
	  "text (default), json, csv, html or prometheus; with --each text, json, csv, perfetto "
	  "or perf; else by the suffix of -o FILE",
	  OPT_STR,
	  offsetof(struct common_opts, format), 0, 0, NULL, NULL },
	{ 0, "spool", "DIR", "directory of messages that --to URL has not sent yet", OPT_STR,
	  AT(run.export.spool_dir), 0, 0, NULL, NULL },
	{ 0, "lost-exit", NULL, "exit with status 3 when durations were lost", OPT_FLAG,
	  AT(run.lost_exit), 0, 0, NULL, NULL },
	OPT_END,
};
/* clang-format on */

#define LIVE                                                                                       \
	"all-cpus|cpu|comm|uid|cgroup|include-self|duration|interval|each|min-us|call-graph|"      \
	"mmap-pages|CMD"

static const struct opt_rule latency_rules[] = {
	CMD_RULE,
	{ "input," LIVE, NULL,
	  "-i measures in a recording; of the options of a run -p, -t, --from, --to, --key, "
	  "--filter, --by, --hist, -o and --format apply" },
	{ "call-graph", "each|min-us",
	  "-g adds stacks to durations as records; give --each or --min-us, too" },
	{ "spool", "to", "--spool is for --to; give --to URL" },
	{ "key", "from", "--key joins the events of --from and --to; give them" },
	{ NULL, NULL, NULL },
};

/* --to is the end of a pair, or a store: a rule by its name alone cannot know. */
static int check_to(struct latency_opts *o)
{
	const struct latency_options *run = &o->run;
	const char *url = run->export.url;

	if (o->request.from && !o->request.to)
		log_error("--from EVENT needs --to EVENT, with which the time ends");
	else if (o->request.to && !o->request.from)
		log_error("--to EVENT needs --from EVENT, with which the time begins");
	else if (run->export.spool_dir && !url)
		log_error("--spool is for a store; give --to URL");
	else if (url && run->input)
		log_error("--to %s takes the intervals of a live run; omit -i", url);
	else if (url && (o->common.output || o->common.format || run->hist))
		log_error("--to %s takes the place of the output; omit -o, --format and --hist",
			  url);
	else
		return url ? span_store__check(&o->run.export, run->each || o->min_us) : 0;
	return -EINVAL;
}

static int check(struct latency_opts *o, int argc)
{
	const struct opt_fact facts[] = { { "CMD", argc }, { NULL, false } };
	int err = opt_rules__check(latency_rules, &o->common.given, facts);

	if (!err)
		err = check_to(o);
	if (!err && o->request.from)
		err = latency_pairs__add_request(&o->pairs, &o->request);
	if (err)
		return err;
	if (!o->pairs.cnt) {
		log_error("no pair of events is given; give one, such as bpfperf latency syscalls, "
			  "or --from EVENT --to EVENT");
		return -EINVAL;
	}
	o->run.each |= o->min_us != 0;
	o->run.callstack.unwind = o->run.callstack.fp ? UNWIND_KERNEL : UNWIND_AUTO;
	if (o->run.export.url && !o->run.interval_ns)
		o->run.interval_ns = EXPORT_EVERY_DEFAULT;
	o->run.min_ns = o->min_us * 1000;
	o->run.ring_sz = o->common.ring_sz;
	o->run.targets = &o->common.targets;
	o->run.cmd_user = o->common.cmd_user;
	o->run.duration_ns = o->common.duration_ns;
	o->run.output = o->common.output;
	o->run.format = o->common.format;
	/* Tasks of a recording need not be there any more. */
	return o->run.input ? 0 : targets__check(o->run.targets, 0);
}

static int cmd_latency_run(void *opts, int argc, char **argv)
{
	struct latency_opts *o = opts;
	int status = EXIT_USAGE;

	if (!check(o, argc))
		status = o->run.input ? latency_replay(&o->run, &o->pairs)
				      : latency_run(&o->run, &o->pairs, argc, argv);

	latency_pairs__free(&o->pairs);
	common_opts__free(&o->common);
	return status;
}

const struct command cmd_latency = {
	.name = "latency",
	.synopsis = "[OPTIONS] PAIR... | --from EVENT --to EVENT [-- CMD ARG...]",
	.summary = "Shows how long it takes from one event to another.",
	.opts = latency_opts,
	.opts_sz = sizeof(struct latency_opts),
	.given_off = offsetof(struct latency_opts, common.given),
	.rules = latency_rules,
	.positional = add_pair,
	.takes_cmd = 1,
	.run = cmd_latency_run,
};
