// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The options of bpfperf strace: the letters of strace(1). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/common_opts.h"
#include "run/budget.h"
#include "run/strace_run.h"
#include "strace/call_set.h"
#include "strace/path_set.h"
#include "util/log.h"

struct strace_opts {
	struct common_opts common;
	struct strace_options run;
	struct path_set paths; /* -P */
	unsigned int t_cnt; /* -t, -tt, -ttt */
	unsigned int x_cnt, y_cnt; /* -x, -xx; -y, -yy */
	bool follow, follow_all; /* -f, accepted */
	bool only_successful, only_failed; /* -z, -Z */
	uint64_t str_sz, column, min_us;
	unsigned long a_column; /* -aCOLUMN */
	bool has_a_column;
};
_Static_assert(offsetof(struct strace_opts, common) == 0, "rows have offsets from there");

/* -a is the whole machine here, and -a40 the column of results in strace. */
static int set_all(void *opts, const char *arg)
{
	struct strace_opts *o = opts;
	char *end;

	if (!arg) {
		o->common.targets.all_cpus = true;
		return 0;
	}
	o->a_column = strtoul(arg, &end, 10);
	o->has_a_column = true;
	if (*arg && !*end && o->a_column <= 1000)
		return 0;
	log_error("-a%s: -a is the whole machine, -a40 the column of results; give one of them",
		  arg);
	return -EINVAL;
}

/* One letter more: it may be followed by more of its kind, as in -ttt. */
static int count_letter(unsigned int *cnt, char letter, const char *rest)
{
	++*cnt;
	for (; rest && *rest == letter; rest++)
		++*cnt;
	if (!rest || !*rest)
		return 0;
	log_error("-%c%s: give the letter once, or more often, such as -%c%c", letter, rest, letter,
		  letter);
	return -EINVAL;
}

static int add_t(void *opts, const char *arg)
{
	return count_letter(&((struct strace_opts *)opts)->t_cnt, 't', arg);
}

static int add_x(void *opts, const char *arg)
{
	return count_letter(&((struct strace_opts *)opts)->x_cnt, 'x', arg);
}

static int add_y(void *opts, const char *arg)
{
	return count_letter(&((struct strace_opts *)opts)->y_cnt, 'y', arg);
}

/* Returns the text behind NAME= or its short form; NULL: arg is another. */
static const char *value_of(const char *arg, const char *name, const char *letter)
{
	size_t len = strlen(name);

	if (strncmp(arg, name, len) == 0 && arg[len] == '=')
		return arg + len + 1;
	len = strlen(letter);
	return len && strncmp(arg, letter, len) == 0 && arg[len] == '=' ? arg + len + 1 : NULL;
}

static int set_decode_pids(void *opts, const char *arg)
{
	struct strace_opts *o = opts;

	o->run.printer.text.decode_pids = strcmp(arg, "comm") == 0;
	if (o->run.printer.text.decode_pids)
		return 0;
	log_error("--decode-pids=%s: only comm is known: a record has the ids of the program's own "
		  "namespace, and that may be gone when it is printed; give comm",
		  arg);
	return -EINVAL;
}

static int add_expr(void *opts, const char *arg)
{
	struct strace_opts *o = opts;
	const char *val;

	if ((val = value_of(arg, "trace", "t"))) {
		o->run.calls = val;
		return 0;
	}
	if ((val = value_of(arg, "status", "")))
		return call_status__parse(val, &o->run.status);
	if ((val = value_of(arg, "signal", "s")) || (val = value_of(arg, "signals", ""))) {
		o->run.no_signals = strcmp(val, "none") == 0 || strcmp(val, "!all") == 0;
		if (o->run.no_signals || strcmp(val, "all") == 0)
			return 0;
		log_error("-e signal=%s: choose from all and none", val);
		return -EINVAL;
	}
	if ((val = value_of(arg, "abbrev", "a"))) {
		o->run.printer.text.verbose = strcmp(val, "none") == 0;
		return 0;
	}
	if (strchr(arg, '=')) {
		log_error("-e %s: choose from trace= status= signal= abbrev=", arg);
		return -EINVAL;
	}
	o->run.calls = arg;
	return 0;
}

static int add_path(void *opts, const char *arg)
{
	return path_set__add(&((struct strace_opts *)opts)->paths, arg);
}

static int set_sort(void *opts, const char *arg)
{
	return summary__parse_sort(arg, &((struct strace_opts *)opts)->run.summary.sort);
}

static int set_columns(void *opts, const char *arg)
{
	((struct strace_opts *)opts)->run.summary.columns = arg;
	return summary__check_columns(arg);
}

#define RUN(member) offsetof(struct strace_opts, run.member)
#define FLAG(letter, name, help, member)                                                           \
	{                                                                                          \
		letter, name, NULL, help, OPT_FLAG, offsetof(struct strace_opts, member), 0, 0,    \
			NULL, NULL                                                                 \
	}

/* clang-format off */
static const struct opt strace_opts[] = {
	COMMON_CALL('p', "attach", "PID,...", "these processes and the children they create",
		    common_opts__pids),
	{ 'a', "all-cpus", "COLUMN", "all processes of the machine; -aCOLUMN: like --columns",
	  OPT_OPTCALL, 0, 0, 0, set_all, NULL },
	CMD_OPT,
	TASK_FILTER_OPTS,
	{ 'e', "expr", "EXPR",
	  "trace=SET, status=SET, signal=none, abbrev=none; SET alone is trace=SET",
	  OPT_CALL, 0, 0, 0, add_expr, NULL },
	{ 'P', "trace-path", "PATH", "only calls that name PATH or use a descriptor of it",
	  OPT_CALL, 0, 0, 0, add_path, NULL },
	FLAG('f', "follow-forks", "accepted: children are always followed", follow),
	FLAG('z', "successful-only", "only calls that succeed", only_successful),
	FLAG('Z', "failed-only", "only calls that fail", only_failed),
	{ 0, "filter", "EXPR",
	  "only calls with this result and arguments, such as 'ret > 100 && arg0 == 1'", OPT_STR,
	  RUN(filter), 0, 0, NULL, NULL },
	{ 0, "min-us", "N", "only calls that take at least N microseconds", OPT_U64,
	  offsetof(struct strace_opts, min_us), 1, 1ull << 40, NULL, NULL },
	{ 's', "string-limit", "SIZE", "bytes of a string (default 32)", OPT_U64,
	  offsetof(struct strace_opts, str_sz), 0, 4000, NULL, NULL },
	{ 0, "columns", "COLUMN", "align results to this column (default 40)", OPT_U64,
	  offsetof(struct strace_opts, column), 0, 1000, NULL, NULL },
	FLAG('v', "no-abbrev", "print structures in full", run.printer.text.verbose),
	{ 'x', "strings-in-hex", "x", "strings that are no text in hexadecimal; -xx: all strings",
	  OPT_OPTCALL, 0, 0, 0, add_x, NULL },
	{ 't', "absolute-timestamps", "tt",
	  "the time of day; -tt with microseconds, -ttt since 1970", OPT_OPTCALL,
	  0, 0, 0, add_t, NULL },
	FLAG('r', "relative-timestamps", "the time since the line before", run.printer.relative),
	FLAG('T', "syscall-times", "the duration of each call", run.printer.durations),
	{ 'y', "decode-fds", "y", "the path of each descriptor; -yy: addresses, too",
	  OPT_OPTCALL, 0, 0, 0, add_y, NULL },
	{ 0, "decode-pids", "comm", "the name of each thread behind its id", OPT_CALL, 0, 0, 0,
	  set_decode_pids, NULL },
	FLAG('Y', "decode-pids-comm", "like --decode-pids=comm",
	     run.printer.text.decode_pids),
	FLAG('k', "stack-trace", "the user stack of each call", run.stacks),
	FLAG('c', "summary-only", "count calls, errors and time in the kernel", run.counts),
	FLAG('C', "summary", "count, and print the calls too", run.counts_too),
	{ 'S', "summary-sort-by", "COLUMN", "sort -c by time, calls, errors, name, ...", OPT_CALL,
	  0, 0, 0, set_sort, NULL },
	{ 'U', "summary-columns", "COLUMN,...", "the columns of -c", OPT_CALL, 0, 0, 0, set_columns,
	  NULL },
	COMMON_VALUE(0, "duration", "SEC", "stop after this time (also 200ms, 5m)", OPT_SECONDS,
		     duration_ns),
	{ 0, "budget", "RATE",
	  "stop the call with the most records above this many per second (5M); 0: never", OPT_CALL,
	  RUN(budget), 0, 0, budget__parse, NULL },
	OUTPUT_OPTS,
	{ 0, "format", "F", "text (default), json, csv or perfetto", OPT_STR,
	  offsetof(struct common_opts, format), 0, 0, NULL, NULL },
	FLAG(0, "lost-exit", "exit with status 3 when records were lost", run.lost_exit),
	OPT_END,
};
/* clang-format on */

static const struct opt_rule strace_rules[] = {
	CMD_RULE,
	{ "summary-only,summary", NULL, "-c counts without lines, and -C prints both; omit one" },
	{ "successful-only,failed-only", NULL,
	  "-z prints calls that succeed, and -Z those that fail; omit both to print all" },
	{ "budget,summary-only", NULL, "-c sends no records that exceed --budget; omit one" },
	{ "stack-trace,summary-only", NULL,
	  "-c prints no calls that -k could add stacks to; use -C" },
	{ "trace-path,summary-only", NULL, "-c counts in the kernel, which knows no -P; use -C" },
	{ "filter,summary-only", NULL, "-c counts calls before --filter chooses; omit one" },
	{ "filter,summary", NULL, "-C counts calls before --filter chooses; omit one" },
	{ "summary-sort-by", "summary-only|summary", "-S sorts the table of -c; add -c" },
	{ "summary-columns", "summary-only|summary", "-U chooses columns of -c; add -c" },
	{ NULL, NULL, NULL },
};

/* Completes the options of the run. */
static int check(struct strace_opts *o, int argc)
{
	const struct opt_fact facts[] = { { "CMD", argc }, { NULL, false } };
	struct strace_options *r = &o->run;
	int err = opt_rules__check(strace_rules, &o->common.given, facts);

	if (err)
		return err;
	r->targets = &o->common.targets;
	r->cmd_user = o->common.cmd_user;
	r->duration_ns = o->common.duration_ns;
	r->ring_sz = o->common.ring_sz;
	r->output = o->common.output;
	r->format = o->common.format;
	r->min_ns = o->min_us * 1000;
	if (r->counts)
		r->budget = 0;
	else if (!opt_given__has(&o->common.given, "budget"))
		r->budget = BUDGET_DEFAULT;
	r->printer.column =
		opt_given__has(&o->common.given, "columns") ? (unsigned int)o->column : 40;
	if (o->has_a_column)
		r->printer.column = (unsigned int)o->a_column;
	r->printer.text.str_sz =
		opt_given__has(&o->common.given, "string-limit") ? (unsigned int)o->str_sz : 32;
	r->printer.text.hex = o->x_cnt > 1 ? 2 : (int)o->x_cnt;
	r->printer.text.paths = o->paths.cnt ? &o->paths : NULL;
	r->printer.text.fd_paths = o->y_cnt > 1 ? 2 : (int)o->y_cnt;
	r->printer.time = o->t_cnt > 3 ? PRINT_EPOCH : (enum print_time)o->t_cnt;
	r->printer.all_pids = r->output && strcmp(r->output, "-") != 0;
	if (o->only_successful)
		r->status = STATUS_SUCCESSFUL;
	if (o->only_failed)
		r->status = STATUS_FAILED;
	return targets__check(r->targets, 0);
}

static int cmd_strace_run(void *opts, int argc, char **argv)
{
	struct strace_opts *o = opts;
	int status = check(o, argc) ? EXIT_USAGE : strace_run(&o->run, argc, argv);

	path_set__free(&o->paths);
	common_opts__free(&o->common);
	return status;
}

const struct command cmd_strace = {
	.name = "strace",
	.synopsis = "[OPTIONS] [-p PID,... | [--] CMD ARG...]",
	.summary = "Shows system calls, one decoded line each.",
	.opts = strace_opts,
	.opts_sz = sizeof(struct strace_opts),
	.given_off = offsetof(struct strace_opts, common.given),
	.rules = strace_rules,
	.positional_is_cmd = 1,
	.takes_cmd = 1,
	.run = cmd_strace_run,
};
