// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The options of bpfperf why. */
#include <errno.h>

#include "cmd/commands.h"
#include "cmd/common_opts.h"
#include "run/why_replay.h"
#include "run/why_run.h"
#include "util/log.h"

struct why_opts {
	struct common_opts common;
	struct why_options run;
};
_Static_assert(offsetof(struct why_opts, common) == 0, "rows have offsets from there");

#define AT(member) offsetof(struct why_opts, member)

/* clang-format off */
static const struct opt why_opts[] = {
	TARGET_OPTS,
	CMD_OPT,
	TASK_FILTER_OPTS,
	{ 0, "from", "EVENT", "a request begins with this tracepoint, on its thread ...", OPT_STR,
	  AT(run.from), 0, 0, NULL, NULL },
	{ 0, "to", "EVENT", "... and ends with this one: only requests are explained", OPT_STR,
	  AT(run.to), 0, 0, NULL, NULL },
	{ 'F', "freq", "HZ", "samples of running threads per second and CPU (default 997)",
	  OPT_U64, AT(run.freq_hz), 1, 0, NULL, NULL },
	{ 'i', "input", "FILE", "explain a recording of sched:sched_switch and sched:sched_waking",
	  OPT_STR, AT(run.input), 0, 0, NULL, NULL },
	OUTPUT_OPTS,
	{ 0, "format", "F", "text (default), json or html; else by the suffix of -o FILE",
	  OPT_STR, offsetof(struct common_opts, format), 0, 0, NULL, NULL },
	{ 0, "lost-exit", NULL, "exit with status 3 when records were lost", OPT_FLAG,
	  AT(run.lost_exit), 0, 0, NULL, NULL },
	OPT_END,
};
/* clang-format on */

#define LIVE "all-cpus|cpu|comm|uid|cgroup|include-self|duration|freq|mmap-pages|CMD"

static const struct opt_rule why_rules[] = {
	CMD_RULE,
	{ "input," LIVE, NULL,
	  "-i explains a recording; of its options -p, -t, --from, --to, -o and --format apply" },
	{ "from", "to", "--from EVENT needs --to EVENT, with which a request ends" },
	{ "to", "from", "--to EVENT needs --from EVENT, with which a request begins" },
	{ NULL, NULL, NULL },
};

static int check(struct why_opts *o, int argc)
{
	const struct targets *t = &o->common.targets;
	const struct opt_fact facts[] = { { "CMD", argc }, { NULL, false } };
	int err = opt_rules__check(why_rules, &o->common.given, facts);

	if (err)
		return err;
	if (!argc && !o->run.input && !t->pid_cnt && !t->tid_cnt && !t->cgroup && !t->comm &&
	    !t->has_uid && !t->all_cpus) {
		log_error("no target is given; give -p PID, -t TID, -G CGROUP or -- CMD, or -a for "
			  "all threads");
		return -EINVAL;
	}
	o->run.ring_sz = o->common.ring_sz;
	o->run.targets = t;
	o->run.cmd_user = o->common.cmd_user;
	o->run.duration_ns = o->common.duration_ns;
	o->run.output = o->common.output;
	o->run.format = o->common.format;
	/* Tasks of a recording need not be there any more. */
	return o->run.input ? 0 : targets__check(t, 0);
}

static int cmd_why_run(void *opts, int argc, char **argv)
{
	struct why_opts *o = opts;
	int status = EXIT_USAGE;

	if (!check(o, argc))
		status = o->run.input ? why_replay(&o->run) : why_run(&o->run, argc, argv);

	common_opts__free(&o->common);
	return status;
}

const struct command cmd_why = {
	.name = "why",
	.synopsis = "[OPTIONS] [-- CMD ARG...]",
	.summary = "Shows where wall-clock time went, and what it waited for.",
	.opts = why_opts,
	.opts_sz = sizeof(struct why_opts),
	.given_off = offsetof(struct why_opts, common.given),
	.rules = why_rules,
	.takes_cmd = 1,
	.run = cmd_why_run,
};
