// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/record_opts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "cli/opt_rules.h"
#include "cmd/record_parse.h"
#include "event/pmu.h"
#include "filter/filter.h"
#include "host/sysctl.h"
#include "util/log.h"

static int add_event(void *opts, const char *arg)
{
	struct record_opts *o = opts;

	o->first_term = o->events.term_cnt;
	return event_list__add(&o->events, arg);
}

/* Trace units record some ranges of addresses. */
static bool has_addr_filters(const struct event *ev)
{
	uint64_t cnt;

	return ev->pmu && !pmu__read_number(ev->pmu, "nr_addr_filters", 10, &cnt) && cnt;
}

static int add_filter(void *opts, const char *arg)
{
	struct record_opts *o = opts;
	char *filter;
	size_t i;

	if (!o->events.cnt) {
		log_error("--filter follows the event that it applies to: -e EVENT --filter EXPR");
		return -EINVAL;
	}
	for (i = 0; i < o->events.cnt; i++) {
		struct event *ev = o->events.events[i];

		if (ev->term < o->first_term)
			continue;
		if (ev->kind != EVENT_TRACEPOINT && !has_addr_filters(ev)) {
			log_error("--filter is for tracepoints and trace units, and %s is neither; "
				  "give it a -e of its own",
				  ev->name);
			return -EINVAL;
		}
		if (!ev->filter)
			filter = strdup(arg);
		else if (ev->kind == EVENT_TRACEPOINT)
			filter = filter__join(ev->filter, arg);
		else if (asprintf(&filter, "%s,%s", ev->filter, arg) < 0)
			filter = NULL;
		if (!filter)
			return -ENOMEM;
		free(ev->filter);
		ev->filter = filter;
	}
	return 0;
}

#define OFF(member) offsetof(struct record_opts, member)

const struct opt record_opts[] = {
	{ 'e', "event", "EVENT,...",
	  "record these events; {a,b} is a group; default: cycles, else cpu-clock", OPT_CALL, 0, 0,
	  0, add_event, NULL },
	{ 0, "filter", "EXPR",
	  "for the preceding -e: only records that match, in the kernel; for trace units, only these addresses",
	  OPT_CALL, 0, 0, 0, add_filter, NULL },
	{ 'F', "freq", "HZ", "samples per second (default 4000); max: as many as the kernel allows",
	  OPT_CALL, 0, 0, 0, record_parse__freq, NULL },
	{ 'c', "count", "PERIOD", "take a sample every PERIOD events, instead of -F", OPT_U64,
	  OFF(period), 1, INT64_MAX, NULL, NULL },
	{ 'g', NULL, NULL, "record call stacks", OPT_FLAG, OFF(callchain), 0, 0, NULL, NULL },
	{ 0, "call-graph", "HOW", "record call stacks by fp, dwarf[,BYTES] or lbr", OPT_CALL, 0, 0,
	  0, record_parse__call_graph, NULL },
	{ .long_name = "unwind",
	  .arg = "HOW",
	  .help = "user stacks of -g: auto (default) or cfi: by unwind tables, in the kernel; fp",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct record_opts, unwind),
	  .choices = unwind_modes },
	{ .long_name = "python",
	  .arg = "HOW",
	  .help = "functions of Python in user stacks by unwind tables: auto (default), off",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct record_opts, interp.python),
	  .choices = interp_modes },
	{ .long_name = "ruby",
	  .arg = "HOW",
	  .help = "functions of Ruby in user stacks by unwind tables: auto (default), off",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct record_opts, interp.ruby),
	  .choices = interp_modes },
	TARGET_OPTS,
	CMD_OPT,
	{ 'u', "uid", "USER", "only processes of this user and the tasks they start", OPT_CALL, 0,
	  0, 0, common_opts__uid, NULL },
	{ 'G', "cgroup", "PATH", "only tasks of this control group and of the groups below it",
	  OPT_STR, OFF(common.targets.cgroup), 0, 0, NULL, NULL },
	{ 0, "per-thread", NULL,
	  "open a ring for each thread, not for each CPU; tasks that threads start are not recorded",
	  OPT_FLAG, OFF(per_thread), 0, 0, NULL, NULL },
	{ 'i', "no-inherit", NULL, "exclude tasks that the targets start", OPT_FLAG,
	  OFF(no_inherit), 0, 0, NULL, NULL },
	{ 'D', "delay", "MS",
	  "begin to record after this time, or record from one to another (10-20,30-40); -1: when "
	  "--control says enable",
	  OPT_CALL, 0, 0, 0, record_parse__delay, NULL },
	{ 'm', "mmap-pages", "SIZE[,AUX]",
	  "size of each ring, and of each AUX area: pages, or with K, M, G", OPT_CALL, 0, 0, 0,
	  record_parse__mmap, NULL },
	{ 'o', "output", "FILE", "write to FILE (default perf.data); - is a pipe", OPT_STR,
	  OFF(common.output), 0, 0, NULL, NULL },
	{ 'z', "compression-level", "LEVEL", "compress with zstd (default level 1)", OPT_OPTCALL, 0,
	  0, 0, record_parse__zstd, NULL },
	{ 0, "max-size", "SIZE", "stop when this much is written: 10M, 2G", OPT_CALL, 0, 0, 0,
	  record_parse__max_size, NULL },
	{ 0, "overwrite", NULL,
	  "overwrite the oldest records; write rings on SIGUSR2 to FILE.TIME, and at the end",
	  OPT_FLAG, OFF(overwrite), 0, 0, NULL, NULL },
	{ 0, "switch-output", "WHEN", "begin a new file on SIGUSR2 (signal), every 10M, every 30s",
	  OPT_OPTCALL, 0, 0, 0, record_parse__switch, NULL },
	{ 'S', "snapshot", "SIZE", "overwrite the AUX area; write it on SIGUSR2 and at the end",
	  OPT_OPTCALL, 0, 0, 0, record_parse__snapshot, NULL },
	{ 'b', "branch-any", NULL, "record the last branches taken", OPT_FLAG, OFF(branch_any), 0,
	  0, NULL, NULL },
	{ 'j', "branch-filter", "KIND,...",
	  "record the last branches of these kinds: any, any_call, u, k, ...", OPT_CALL, 0, 0, 0,
	  record_parse__branches, NULL },
	{ 'd', "data", NULL, "record data addresses and data sources", OPT_FLAG, OFF(data), 0, 0,
	  NULL, NULL },
	{ 0, "phys-data", NULL, "record physical addresses", OPT_FLAG, OFF(phys_data), 0, 0, NULL,
	  NULL },
	{ 'W', "weight", NULL, "record weights: the cost of an access", OPT_FLAG, OFF(weight), 0, 0,
	  NULL, NULL },
	{ 'P', "period", NULL, "record periods, also when all are equal", OPT_FLAG,
	  OFF(period_field), 0, 0, NULL, NULL },
	{ 'T', "timestamp", NULL, "record times (always on)", OPT_FLAG, OFF(time), 0, 0, NULL,
	  NULL },
	{ 0, "sample-cpu", NULL, "record CPUs, also for samples of a command", OPT_FLAG,
	  OFF(cpu_field), 0, 0, NULL, NULL },
	{ 'k', "clockid", "CLOCK", "record times of mono, mono_raw, real, boot or tai", OPT_CALL, 0,
	  0, 0, record_parse__clock, NULL },
	{ 0, "all-user", NULL, "sample only user space", OPT_FLAG, OFF(all_user), 0, 0, NULL,
	  NULL },
	{ 0, "all-kernel", NULL, "sample only the kernel", OPT_FLAG, OFF(all_kernel), 0, 0, NULL,
	  NULL },
	{ 'B', "no-buildid", NULL, "identify mapped files by device and inode, not by build-id",
	  OPT_FLAG, OFF(no_build_id), 0, 0, NULL, NULL },
	{ 0, "namespaces", NULL, "record the namespaces of processes", OPT_FLAG, OFF(namespaces), 0,
	  0, NULL, NULL },
	{ 0, "all-cgroups", NULL, "record the names of control groups", OPT_FLAG, OFF(all_cgroups),
	  0, 0, NULL, NULL },
	RECORD_MORE_OPTS(OFF(more)),
	{ 'q', "quiet", NULL, "no summary", OPT_FLAG, OFF(quiet), 0, 0, NULL, NULL },
	OPT_END,
};

bool record_opts__of_cmd(const struct record_opts *o, bool has_cmd)
{
	const struct targets *t = &o->common.targets;

	return has_cmd && !t->all_cpus && !t->cpus && !t->pid_cnt && !t->tid_cnt && !t->has_uid &&
	       !t->cgroup;
}

bool record_opts__whole_cpus(const struct record_opts *o, bool has_cmd)
{
	const struct targets *t = &o->common.targets;

	if (t->cgroup || t->all_cpus)
		return true;
	if (t->pid_cnt || t->tid_cnt || t->has_uid || (o->per_thread && has_cmd))
		return false;
	return t->cpus || !has_cmd;
}

/* A device or a named pipe: FILE.TIME would rename it. */
static bool is_no_file(const char *path)
{
	struct stat st;

	return path && !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

#define THREADS_WANTED "--per-thread needs threads: -p, -t, -u or CMD, without -a"
#define FILES_WANTED                                                                               \
	"--overwrite, --switch-output and --timestamp-filename write files; give -o FILE"
#define FILES_RENAMED                                                                              \
	"--overwrite and --switch-output rename the files that they write, and -o names a device " \
	"or a pipe; give -o FILE"

const struct opt_rule record_rules[] = {
	CMD_RULE,
	{ "user-callchains,kernel-callchains", NULL,
	  "--user-callchains and --kernel-callchains exclude each other; give one" },
	{ "user-callchains|kernel-callchains", "g|call-graph",
	  "--user-callchains and --kernel-callchains choose among callchains; give -g" },
	{ "freq,count", NULL, "-F and -c both set how often samples are taken; give one" },
	{ "per-thread,all-cpus", NULL, THREADS_WANTED },
	{ "per-thread,INHERIT", NULL,
	  "--per-thread is for threads without their children; omit inherit of the event" },
	{ "per-thread", "pid|tid|uid|cgroup|CMD", THREADS_WANTED },
	{ "switch-max-files", "switch-output|switch-output-event",
	  "--switch-max-files limits the files of --switch-output; give both" },
	{ "timestamp-filename,PIPE", NULL, FILES_WANTED },
	{ "PAUSED", "control", "-D -1 begins when --control says enable; give --control" },
	{ "overwrite|switch-output|switch-output-event,PIPE", NULL, FILES_WANTED },
	{ "overwrite|switch-output|switch-output-event,NO_FILE", NULL, FILES_RENAMED },
	{ "PIPE,TERMINAL", NULL, "-o - writes binary data, and stdout is a terminal; give a pipe" },
	{ "all-user,all-kernel", NULL, "--all-user and --all-kernel exclude each other; give one" },
	{ "AUX_SAMPLE_SZ", "aux-sample",
	  "aux-sample-size=N of an event is for --aux-sample; give it, too" },
	{ "STACK_SIZE", NULL,
	  "stack-size=N of an event is for copies of stacks; give it call-graph=dwarf, too" },
	{ "aux-sample,snapshot", NULL,
	  "--aux-sample takes the newest bytes at each sample, -S on SIGUSR2; give one" },
	{ "snapshot,overwrite", NULL, "-S is for AUX areas, --overwrite for rings; give one" },
	{ "snapshot,SNAPSHOT_TOO_LARGE", NULL,
	  "-S asks for more than the AUX area holds; raise -m ,PAGES" },
	{ NULL, NULL, NULL },
};

static bool has_aux_sample_sz(const struct event *ev)
{
	return ev->aux_sample_sz;
}

/* Does the event say that its stacks are not copied, and how much of them? */
static bool has_vain_stack_sz(const struct event *ev)
{
	return ev->sampling.stack_sz && ev->sampling.chain &&
	       ev->sampling.chain != EVENT_CHAIN_DWARF;
}

static bool has_stack_sz_alone(const struct event *ev)
{
	return ev->sampling.stack_sz && !ev->sampling.chain;
}

static bool inherits(const struct event *ev)
{
	return ev->sampling.inherit == EVENT_ON;
}

static bool copies_stacks(const struct event *ev)
{
	return ev->sampling.chain == EVENT_CHAIN_DWARF;
}

static int check_rules(const struct record_opts *o, bool has_cmd)
{
	const struct opt_fact facts[] = {
		{ "CMD", has_cmd },
		{ "PAUSED", o->is_paused },
		{ "PIPE", o->common.output && !strcmp(o->common.output, "-") },
		{ "NO_FILE", is_no_file(o->common.output) },
		{ "TERMINAL", isatty(STDOUT_FILENO) },
		{ "AUX_SAMPLE_SZ", event_list__any(&o->events, has_aux_sample_sz) },
		{ "STACK_SIZE",
		  event_list__any(&o->events, has_vain_stack_sz) ||
			  (!o->dwarf && event_list__any(&o->events, has_stack_sz_alone)) },
		{ "INHERIT", !o->common.targets.cpus && event_list__any(&o->events, inherits) },
		{ "SNAPSHOT_TOO_LARGE", o->aux_sz && o->snapshot_sz > o->aux_sz },
		{ NULL, false },
	};

	return opt_rules__check(record_rules, &o->common.given, facts);
}

/* Limits -F to the kernel's maximum, like perf record. */
static int fit_freq(struct record_opts *o)
{
	long max = 0;

	if (sysctl__max_sample_rate(&max) || max <= 0)
		return 0;
	if (o->freq_max) {
		o->freq_hz = (uint64_t)max;
		log_info("-F max: %ld samples per second", max);
	} else if (o->freq_hz > (uint64_t)max && o->more.strict_freq) {
		log_error("-F %llu is more than this kernel allows: %ld; raise sysctl "
			  "kernel.perf_event_max_sample_rate, or omit --strict-freq",
			  (unsigned long long)o->freq_hz, max);
		return -EINVAL;
	} else if (o->freq_hz > (uint64_t)max) {
		log_warn("-F %llu is more than this kernel allows: %ld is used; raise sysctl "
			 "kernel.perf_event_max_sample_rate",
			 (unsigned long long)o->freq_hz, max);
		o->freq_hz = (uint64_t)max;
	}
	return 0;
}

int record_opts__check(struct record_opts *o, bool has_cmd)
{
	int err;

	if (opt_given__has(&o->common.given, "unwind"))
		o->callchain = o->has_unwind = true;
	err = check_rules(o, has_cmd);
	if (!err && !o->events.cnt)
		err = event_list__add(&o->events, event__default_profile());
	if (!err)
		err = record_more__group(&o->more, &o->events);
	if (err)
		return err;
	/* It implies files that are begun on demand, like in perf. */
	o->switch_output.on |= o->more.triggers.cnt != 0;
	if (o->branch_any)
		o->branches |= PERF_SAMPLE_BRANCH_ANY;
	if (fit_freq(o))
		return -EINVAL;
	if (!o->common.output)
		o->common.output = "perf.data";
	return targets__check(&o->common.targets,
			      TARGETS_ONE_KIND | (o->per_thread ? TARGETS_PER_THREAD : 0));
}

struct sampling_how record_opts__how(const struct record_opts *o)
{
	const struct sampling_how *more = &o->more.how;

	return (struct sampling_how){
		.freq_hz = o->freq_hz,
		.period = o->period,
		.callchain = o->callchain,
		.user_stack_sz = o->dwarf ? (uint32_t)o->user_stack_sz : 0,
		.lbr = o->lbr,
		/* perf records these with copies of stacks, too. */
		.addr = o->data || o->dwarf,
		.data_src = o->data || o->dwarf,
		.phys_addr = o->phys_data,
		.weight = o->weight,
		.period_field = o->period_field,
		.cpu = o->cpu_field,
		.branches = o->branches,
		.all_user = o->all_user,
		.all_kernel = o->all_kernel,
		.use_clockid = o->use_clockid,
		.clockid = o->clockid,
		.overwrite = o->overwrite,
		/* perf unwinds by .eh_frame, which is not in the mappings of code. */
		.mmap_data = o->data || o->dwarf || event_list__any(&o->events, copies_stacks),
		.namespaces = o->namespaces,
		.cgroups = o->all_cgroups,
		.no_build_id = o->no_build_id,
		.no_bpf = more->no_bpf,
		.switches = more->switches,
		.raw = more->raw,
		.transaction = more->transaction,
		.data_page_sz = more->data_page_sz,
		.code_page_sz = more->code_page_sz,
		.user_regs = more->user_regs,
		.intr_regs = more->intr_regs,
		.user_callchains = more->user_callchains,
		.kernel_callchains = more->kernel_callchains,
		.no_samples = more->no_samples,
		.thread_counts = more->thread_counts,
		.running_time = more->running_time,
		.no_buffering = more->no_buffering,
		.aux_sample_sz = more->aux_sample_sz,
	};
}
