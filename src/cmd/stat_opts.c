// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/stat_opts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opt_rules.h"
#include "session/event_filters.h"
#include "event/pmu.h"
#include "host/topology.h"
#include "util/log.h"

#define DELAY_MAX_MS 86400000u

static int add_event(void *opts, const char *arg)
{
	struct stat_opts *o = opts;

	o->first_term = o->events.term_cnt;
	return event_list__add(&o->events, arg);
}

static int add_filter(void *opts, const char *arg)
{
	struct stat_opts *o = opts;

	return event_filters__add(&o->events, o->first_term, arg);
}

/* Parses -d, -dd, -d -d: each adds one level. */
static int add_detail(void *opts, const char *arg)
{
	struct stat_opts *o = opts;

	if (arg && arg[strspn(arg, "d")]) {
		log_error("-d%s: give -d, -dd or -ddd", arg);
		return -EINVAL;
	}
	o->detail += 1 + (arg ? (unsigned int)strlen(arg) : 0);
	return 0;
}

static int set_separator(void *opts, const char *arg)
{
	struct stat_opts *o = opts;

	o->sep = strcmp(arg, "\\t") ? arg : "\t";
	if (*o->sep)
		return 0;
	log_error("-x needs a separator of columns, such as -x ,");
	return -EINVAL;
}

static int add_metrics(void *opts, const char *arg)
{
	struct stat_opts *o = opts;

	if (!*arg) {
		log_error("-M needs names of metrics; -M list prints those that this machine has");
		return -EINVAL;
	}
	if (o->metrics.len)
		strbuf__putc(&o->metrics, ',');
	strbuf__puts(&o->metrics, arg);
	return 0;
}

/* Parses --per-cache, --per-cache=l3, --per-cache=L3. */
static int set_cache(void *opts, const char *arg)
{
	struct stat_opts *o = opts;
	int level = arg && (*arg == 'l' || *arg == 'L') && isdigit((unsigned char)arg[1]) && !arg[2]
			    ? arg[1] - '0'
			    : 0;

	o->per_cache = true;
	o->cache_level = (unsigned int)level;
	if (!arg || level)
		return 0;
	log_error("--per-cache=%s: give a level such as l2, or none for the last level", arg);
	return -EINVAL;
}

static int check_cache(const struct stat_opts *o)
{
	if (!o->per_cache || topology__has_cache(0, (int)o->cache_level))
		return 0;
	if (o->cache_level)
		log_error("--per-cache=l%u: CPU 0 has no cache of this level; give a lower one, or "
			  "none for the last level",
			  o->cache_level);
	else
		log_error("--per-cache: the kernel lists no caches of CPU 0; use --per-die or "
			  "--per-core");
	return -EINVAL;
}

static int set_delay(void *opts, const char *arg)
{
	struct stat_opts *o = opts;
	char *end;

	o->is_paused = !strcmp(arg, "-1");
	o->delay_ms = o->is_paused ? 0 : strtoull(arg, &end, 10);
	if (o->is_paused || (isdigit((unsigned char)*arg) && !*end && o->delay_ms >= 1 &&
			     o->delay_ms <= DELAY_MAX_MS))
		return 0;
	log_error("-D %s: give milliseconds from 1 to %u, or -1 to begin when --control says "
		  "enable",
		  arg, DELAY_MAX_MS);
	return -EINVAL;
}

#define OFF(member) offsetof(struct stat_opts, member)

const struct opt stat_opts[] = {
	{ 'e', "event", "EVENT,...", "count these events; {a,b} is a group", OPT_CALL, 0, 0, 0,
	  add_event, NULL },
	{ 0, "filter", "EXPR",
	  "for tracepoints of the preceding -e: count only records that match: 'prev_pid == 1'",
	  OPT_CALL, 0, 0, 0, add_filter, NULL },
	{ 0, "all-user", NULL, "count only user space", OPT_FLAG, OFF(all_user), 0, 0, NULL, NULL },
	{ 0, "all-kernel", NULL, "count only the kernel", OPT_FLAG, OFF(all_kernel), 0, 0, NULL,
	  NULL },
	{ 0, "group", NULL, "all events are one group, as {a,b}", OPT_FLAG, OFF(group), 0, 0, NULL,
	  NULL },
	{ 'd', "detailed", NULL, "count caches, too; -dd TLBs, -ddd prefetches", OPT_OPTCALL, 0, 0,
	  0, add_detail, NULL },
	{ 'a', "all-cpus", NULL, "all CPUs, also with CMD", OPT_FLAG, OFF(common.targets.all_cpus),
	  0, 0, NULL, NULL },
	{ 'C', "cpu", "LIST", "only these CPUs: 0-3,7", OPT_CALL, 0, 0, 0, common_opts__cpus,
	  NULL },
	{ 'p', "pid", "PID,...", "only these processes and the tasks they start", OPT_CALL, 0, 0, 0,
	  common_opts__pids, NULL },
	{ 't', "tid", "TID,...", "only these threads", OPT_CALL, 0, 0, 0, common_opts__tids, NULL },
	{ 'u', "uid", "USER", "only processes of this user and the tasks they start", OPT_CALL, 0,
	  0, 0, common_opts__uid, NULL },
	{ 'G', "cgroup", "PATH",
	  "only tasks of this cgroup and of those below; PATH,...: the first event in the first, ...",
	  OPT_STR, OFF(common.targets.cgroup), 0, 0, NULL, NULL },
	{ 0, "for-each-cgroup", "PATH,...", "count each event in each of these cgroups", OPT_STR,
	  OFF(each_cgroup), 0, 0, NULL, NULL },
	CMD_OPT,
	{ 0, "include-self", NULL,
	  "threads of bpfperf, too; counts of whole CPUs always include them", OPT_FLAG,
	  OFF(common.targets.include_self), 0, 0, NULL, NULL },
	{ 'i', "no-inherit", NULL, "exclude tasks that the targets start", OPT_FLAG,
	  OFF(no_inherit), 0, 0, NULL, NULL },
	{ 'A', "no-aggr", NULL, "print a row for each CPU", OPT_FLAG, OFF(no_aggr), 0, 0, NULL,
	  NULL },
	{ 0, "no-merge", NULL, "keep the counts of several PMUs apart (always on)", OPT_FLAG,
	  OFF(no_merge), 0, 0, NULL, NULL },
	{ 0, "per-thread", NULL, "print a row for each thread", OPT_FLAG, OFF(per_thread), 0, 0,
	  NULL, NULL },
	{ 0, "per-socket", NULL, "print a row for each socket", OPT_FLAG, OFF(per_socket), 0, 0,
	  NULL, NULL },
	{ 0, "per-die", NULL, "print a row for each die", OPT_FLAG, OFF(per_die), 0, 0, NULL,
	  NULL },
	{ 0, "per-core", NULL, "print a row for each core, with all its threads", OPT_FLAG,
	  OFF(per_core), 0, 0, NULL, NULL },
	{ 0, "per-node", NULL, "print a row for each memory node", OPT_FLAG, OFF(per_node), 0, 0,
	  NULL, NULL },
	{ 0, "per-cluster", NULL, "print a row for each cluster of cores", OPT_FLAG,
	  OFF(per_cluster), 0, 0, NULL, NULL },
	{ 0, "per-cache", "LEVEL",
	  "print a row for each cache of this level (l2; default: the last)", OPT_OPTCALL, 0, 0, 0,
	  set_cache, NULL },
	{ 0, "to", "URL", "send the counts of each -I as metrics to a collector: http://HOST:4318",
	  OPT_STR, offsetof(struct stat_opts, export.url), 0, 0, NULL, NULL },
	{ 0, "spool", "DIR", "directory of messages that --to has not sent yet", OPT_STR,
	  offsetof(struct stat_opts, export.spool_dir), 0, 0, NULL, NULL },
	{ 'I', "interval-print", "MS", "print the counts of every MS milliseconds", OPT_U64,
	  OFF(interval_ms), 1, 86400000, NULL, NULL },
	{ 0, "interval-count", "N", "stop after N intervals", OPT_U64, OFF(interval_cnt), 1, 0,
	  NULL, NULL },
	{ 0, "summary", NULL, "with -I: print the counts of all intervals at the end, too",
	  OPT_FLAG, OFF(summary), 0, 0, NULL, NULL },
	{ 0, "no-csv-summary", NULL, "with -x and --summary: no column with the word summary",
	  OPT_FLAG, OFF(no_csv_summary), 0, 0, NULL, NULL },
	{ 'D', "delay", "MS", "begin to count after this time; -1: when --control says enable",
	  OPT_CALL, 0, 0, 0, set_delay, NULL },
	{ 0, "control", "HOW", "take commands by fd:CTL[,ACK] or fifo:CTL[,ACK]", OPT_CALL,
	  OFF(control), 0, 0, recorder_control__set, NULL },
	{ 0, "duration", "SEC", "stop after this time (also 200ms, 5m)", OPT_SECONDS,
	  OFF(common.duration_ns), 0, 0, NULL, NULL },
	{ 0, "timeout", "MS", "stop after this time in milliseconds", OPT_U64, OFF(timeout_ms), 1,
	  9000000000000, NULL, NULL },
	{ 'r', "repeat", "N",
	  "run CMD N times: print mean and spread; 0: print each run, until Ctrl-C", OPT_U64,
	  OFF(run_cnt), 0, 1000000, NULL, NULL },
	{ 0, "table", NULL, "with -r: print the time of each run, too", OPT_FLAG, OFF(table), 0, 0,
	  NULL, NULL },
	{ 0, "pre", "COMMAND", "a command of the shell before each run", OPT_STR, OFF(pre), 0, 0,
	  NULL, NULL },
	{ 0, "post", "COMMAND", "a command of the shell after each run", OPT_STR, OFF(post), 0, 0,
	  NULL, NULL },
	{ 'n', "null", NULL, "count no events, print only the time", OPT_FLAG, OFF(null_run), 0, 0,
	  NULL, NULL },
	{ 0, "fit", NULL, "run CMD as often as needed to count all events without multiplexing",
	  OPT_FLAG, OFF(fit), 0, 0, NULL, NULL },
	{ 0, "user-read", NULL, "read counters of CPUs in user space where the kernel allows it",
	  OPT_FLAG, OFF(user_read), 0, 0, NULL, NULL },
	{ 0, "no-scale", NULL,
	  "print counts as they are, not extrapolated to the time a counter waited", OPT_FLAG,
	  OFF(no_scale), 0, 0, NULL, NULL },
	{ 'M', "metrics", "METRIC,...",
	  "print these metrics or groups of metrics; NAME=EXPRESSION defines one, list lists all",
	  OPT_CALL, 0, 0, 0, add_metrics, NULL },
	{ 0, "topdown", NULL, "print the metrics of top-down analysis that the PMU has", OPT_FLAG,
	  OFF(topdown), 0, 0, NULL, NULL },
	{ 0, "td-level", "N", "of top-down analysis, only levels up to N (default: all)", OPT_U64,
	  OFF(td_level), 0, 6, NULL, NULL },
	{ 0, "metric-file", "FILE", "more metrics for -M, as JSON of perf's pmu-events", OPT_STR,
	  OFF(metric_file), 0, 0, NULL, NULL },
	{ 0, "metric-only", NULL, "print only metrics, such as insn per cycle, in columns",
	  OPT_FLAG, OFF(metric_only), 0, 0, NULL, NULL },
	{ 'x', "field-separator", "SEP", "print CSV, with SEP between the columns", OPT_CALL, 0, 0,
	  0, set_separator, NULL },
	{ 'j', "json-output", NULL, "print JSON, an object per line", OPT_FLAG, OFF(json), 0, 0,
	  NULL, NULL },
	{ 'B', "big-num", NULL, "separate thousands as the locale does (default)", OPT_FLAG,
	  OFF(big_num), 0, 0, NULL, NULL },
	{ 0, "no-big-num", NULL, "do not separate thousands", OPT_FLAG, OFF(no_big_num), 0, 0, NULL,
	  NULL },
	{ 'o', "output", "FILE", "write to FILE; - is stdout", OPT_STR, OFF(common.output), 0, 0,
	  NULL, NULL },
	{ 0, "append", NULL, "append to FILE", OPT_FLAG, OFF(append), 0, 0, NULL, NULL },
	{ 0, "log-fd", "FD", "write to this open file descriptor; 2 is stderr, as in perf", OPT_U64,
	  OFF(log_fd), 1, 1048576, NULL, NULL },
	OPT_END,
};

bool stat_opts__by_cpu(const struct stat_opts *o, bool has_cmd)
{
	const struct targets *t = &o->common.targets;

	if (t->cgroup || o->each_cgroup)
		return true;
	return !o->per_thread && !t->has_uid && !targets__by_task(t, has_cmd);
}

bool stat_opts__of_cmd(const struct stat_opts *o, bool has_cmd)
{
	const struct targets *t = &o->common.targets;

	return has_cmd && !t->all_cpus && !t->pid_cnt && !t->tid_cnt && !t->has_uid && !t->cgroup;
}

enum aggr_mode stat_opts__apart(const struct stat_opts *o)
{
	return o->no_aggr       ? STAT_BY_CPU
	       : o->per_thread  ? STAT_BY_THREAD
	       : o->per_node    ? STAT_BY_NODE
	       : o->per_socket  ? STAT_BY_SOCKET
	       : o->per_die     ? STAT_BY_DIE
	       : o->per_core    ? STAT_BY_CORE
	       : o->per_cluster ? STAT_BY_CLUSTER
	       : o->per_cache   ? STAT_BY_CACHE
				: STAT_TOGETHER;
}

static int aggr_mode_cnt(const struct stat_opts *o)
{
	return o->no_aggr + o->per_thread + o->per_node + o->per_socket + o->per_die + o->per_core +
	       o->per_cluster + o->per_cache;
}

#define FIT_RUNS "--fit runs a command again for each set of events; give CMD, and no -I"

const struct opt_rule stat_rules[] = {
	CMD_RULE,
	{ "to", "interval-print", "--to sends the counts of each interval; give -I MS, too" },
	{ "to,json-output|field-separator|output|log-fd|metric-only|summary", NULL,
	  "--to sends counts in place of printing them; give it without a format and a file" },
	{ "spool", "to", "--spool is for --to; give --to URL" },
	{ "json-output,field-separator", NULL, "-j and -x are two formats; give one" },
	{ "SEVERAL_RUNS", "CMD", "-r runs a command again; give CMD" },
	{ "SEVERAL_RUNS,interval-print", NULL,
	  "-r and -I cannot be combined; -r shows the mean of whole runs" },
	{ "FOREVER", "CMD", "-r runs a command again; give CMD" },
	{ "FOREVER,interval-print", NULL,
	  "-r and -I cannot be combined; -r shows the mean of whole runs" },
	{ "for-each-cgroup,cgroup", NULL,
	  "--for-each-cgroup names the control groups of all events; omit -G" },
	{ "CGROUP_LIST,fit|metric-only|to", NULL,
	  "a list of control groups cannot be combined with --fit, --metric-only and --to; give "
	  "one group with -G" },
	{ "table", "SEVERAL_RUNS", "--table shows the runs of -r; give -r N" },
	{ "table,json-output|field-separator", NULL, "--table is text; omit it, or -j and -x" },
	{ "PAUSED", "control", "-D -1 begins when --control says enable; give --control" },
	{ "all-user,all-kernel", NULL, "--all-user and --all-kernel exclude each other; give one" },
	{ "interval-count", "interval-print",
	  "--interval-count counts the intervals of -I; give -I" },
	{ "group", "event", "--group makes one group of the events of -e; give -e" },
	{ "summary", "interval-print", "--summary adds up the intervals of -I; give -I" },
	{ "no-csv-summary", "summary", "--no-csv-summary changes --summary; give --summary" },
	{ "per-thread,CMD", "pid|tid|uid|all-cpus",
	  "--per-thread shows threads that exist at the start; add -p, -t, -u or -a" },
	{ "SEVERAL_MODES", NULL,
	  "-A, --per-thread, --per-socket, --per-die, --per-cluster, --per-core, --per-cache and "
	  "--per-node split a count in different ways; give one" },
	{ "no-aggr", "cpu|WHOLE_CPUS",
	  "-A splits counts by CPU, and counts of tasks are not by CPU; add -a or -C" },
	{ "per-socket|per-die|per-core|per-node|per-cluster|per-cache", "cpu|WHOLE_CPUS",
	  "sockets, dies, clusters, cores, caches and nodes split counts of CPUs, not of tasks; add "
	  "-a or -C" },
	{ "append", "output", "--append adds to the file of -o; give -o" },
	{ "log-fd,output", NULL, "--log-fd and -o are two places to write to; give one" },
	{ "fit", "CMD", FIT_RUNS },
	{ "fit,interval-print", NULL, FIT_RUNS },
	{ "metric-only,null", NULL,
	  "--metric-only shows metrics of counts, and -n counts nothing; omit one" },
	{ "td-level", "topdown", "--td-level limits --topdown; give --topdown, too" },
	{ "metric-file", "metrics", "--metric-file has metrics for -M; give -M with their names" },
	{ "metrics|topdown,null", NULL,
	  "-M and --topdown need counts, and -n counts nothing; omit one" },
	{ "metrics|topdown,to", NULL,
	  "--to sends counts, not metrics of -M and --topdown; send their events, by -e" },
	{ "timeout,duration", NULL, "--timeout is --duration in milliseconds; give one" },
	{ NULL, NULL, NULL },
};

static bool has_cgroup_list(const struct stat_opts *o)
{
	return o->each_cgroup ||
	       (o->common.targets.cgroup && strchr(o->common.targets.cgroup, ','));
}

static int check_rules(const struct stat_opts *o, bool has_cmd)
{
	const struct opt_fact facts[] = {
		{ "CMD", has_cmd },
		{ "SEVERAL_RUNS", o->run_cnt > 1 },
		{ "FOREVER", opt_given__has(&o->common.given, "repeat") && !o->run_cnt },
		{ "PAUSED", o->is_paused },
		{ "CGROUP_LIST", has_cgroup_list(o) },
		{ "SEVERAL_MODES", aggr_mode_cnt(o) > 1 },
		{ "WHOLE_CPUS", stat_opts__by_cpu(o, has_cmd) },
		{ NULL, false },
	};

	return opt_rules__check(stat_rules, &o->common.given, facts);
}

int stat_opts__check(struct stat_opts *o, bool has_cmd)
{
	int err = check_rules(o, has_cmd);

	if (!err)
		err = check_cache(o);
	if (err)
		return err;
	if (o->each_cgroup)
		o->common.targets.cgroup = o->each_cgroup;
	o->forever = opt_given__has(&o->common.given, "repeat") && !o->run_cnt;
	if (!o->run_cnt)
		o->run_cnt = 1;
	if (o->timeout_ms)
		o->common.duration_ns = o->timeout_ms * 1000000;
	return targets__check(&o->common.targets, TARGETS_ONE_KIND | TARGETS_CGROUP_DIR |
							  (o->per_thread ? TARGETS_PER_THREAD : 0));
}

/* Few PMUs count stalls; those that do list the events in sysfs. */
static int add_stalls(struct stat_opts *o)
{
	static const char *const names[] = { "stalled-cycles-frontend", "stalled-cycles-backend" };
	size_t i;
	int err = 0;

	for (i = 0; i < 2 && !err; i++)
		if (pmu__has_alias("cpu", names[i]))
			err = event_list__add(&o->events, names[i]);
	return err;
}

int stat_opts__add_defaults(struct stat_opts *o, bool has_cmd)
{
	static const char *const details[] = {
		"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
		("L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,"
		 "iTLB-load-misses"),
		"L1-dcache-prefetches,L1-dcache-prefetch-misses",
	};
	unsigned int i;
	int err = 0;

	if (o->null_run)
		return 0;
	if (!o->events.cnt && !o->topdown && !o->metrics.len) {
		err = event_list__add(
			&o->events,
			stat_opts__by_cpu(o, has_cmd)
				? "cpu-clock,context-switches,cpu-migrations,page-faults,"
				  "cycles"
				: "task-clock,context-switches,cpu-migrations,"
				  "page-faults,cycles");
		if (!err)
			err = add_stalls(o);
		if (!err)
			err = event_list__add(&o->events, "instructions,branches,branch-misses");
	}
	for (i = 0; i < o->detail && i < 3 && !err; i++)
		err = event_list__add(&o->events, details[i]);
	return err;
}

int stat_opts__add_metrics(struct stat_opts *o, bool has_cmd)
{
	unsigned int levels = o->td_level ? (unsigned int)o->td_level : TOPDOWN_ALL;

	if (!o->topdown && !o->metrics.len)
		return 0;
	return metric_set__choose(&o->metric_set, strbuf__cstr(&o->metrics),
				  o->topdown ? levels : 0, o->metric_file,
				  stat_opts__by_cpu(o, has_cmd), &o->events);
}

void stat_opts__set_modes(struct stat_opts *o)
{
	size_t i;

	for (i = 0; i < o->events.cnt && (o->all_user || o->all_kernel); i++) {
		struct event *ev = o->events.events[i];

		/* In place of its own modifiers, as in perf: both together count nothing. */
		ev->exclude_user = o->all_kernel;
		ev->exclude_kernel = o->all_user;
		ev->exclude_hv |= o->all_user;
	}
}

int stat_opts__spread(struct stat_opts *o)
{
	if (!has_cgroup_list(o))
		return 0;
	return stat_cgroups__spread(&o->cgroups, o->common.targets.cgroup, o->each_cgroup != NULL,
				    &o->events);
}
