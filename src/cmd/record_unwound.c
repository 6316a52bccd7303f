// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/record_unwound.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "kernel/bpf_error.h"
#include "perf/sampling.h"
#include "kernel/features.h"
#include "kernel/limits.h"
#include "run/sampler.h"
#include "sink/sink.h"
#include "profile/profile.h"
#include "util/log.h"
#include "util/stop_signals.h"

/* Size of the label of an option, such as "--switch-output". */
#define OPT_LABEL_MAX 64

/* Properties that some events have. */
enum {
	HAVE_GROUP = 1 << 0,
	HAVE_FIELDS = 1 << 1, /* fields of a tracepoint */
	HAVE_OPTIONS = 1 << 2, /* terms that say how an event is sampled */
};

static unsigned int what_events_have(const struct event_list *events)
{
	unsigned int have = 0;
	size_t i;

	for (i = 0; i < events->cnt; i++) {
		const struct event *ev = events->events[i];

		have |= (ev->group >= 0 ? HAVE_GROUP : 0) |
			(ev->kind == EVENT_TRACEPOINT ? HAVE_FIELDS : 0) |
			(event__has_options(ev) ? HAVE_OPTIONS : 0);
	}
	return have;
}

/*
 * Options with the same meaning if BPF programs take the samples; any other one needs perf's rings.
 */
static const char *const both_know[] = {
	"event",
	"freq",
	"count",
	"g",
	"call-graph",
	"unwind",
	"python",
	"ruby",
	"all-cpus",
	"cpu",
	"pid",
	"tid",
	"include-self",
	"duration",
	"uid",
	"cgroup",
	"mmap-pages",
	"output",
	"compression-level",
	"period",
	"timestamp",
	"sample-cpu",
	"all-user",
	"all-kernel",
	"no-buildid",
	"quiet",
	"as-user",
	"dry-run",
	"verbose",
	"tail-synthesize",
	"realtime",
	"strict-freq",
	"no-buildid-cache",
	"exclude-perf",
	"buildid-all",
	"buildid-mmap",
	"timestamp-boundary",
	"threads",
	"debuginfod",
	"vmlinux",
	"aio",
	"affinity",
	"mmap-flush",
	"num-thread-synthesize",
	"proc-map-timeout",
	"sample-identifier",
};

static bool is_known_to_both(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(both_know) / sizeof(*both_know); i++)
		if (strcmp(both_know[i], name) == 0)
			return true;
	return false;
}

/*
 * Returns the first given option that only perf's own rings support, in the form of the command
 * line; NULL: none.
 */
static const char *option_for_rings(const struct record_opts *o, char *label, size_t sz)
{
	const struct opt *opt;
	char name[2] = "";

	for (opt = record_opts; opt->long_name || opt->short_name; opt++) {
		name[0] = opt->short_name;
		if (is_known_to_both(opt->long_name ? opt->long_name : name) ||
		    !opt_given__has(&o->common.given, opt->long_name ? opt->long_name : name))
			continue;
		if (opt->short_name)
			snprintf(label, sz, "-%c", opt->short_name);
		else
			snprintf(label, sz, "--%s", opt->long_name);
		return label;
	}
	return NULL;
}

/*
 * Returns the first request that only perf's own rings support; NULL: none. label: a buffer for it.
 */
static const char *needs_rings(const struct record_opts *o, char *label, size_t sz)
{
	unsigned int have = what_events_have(&o->events);

	if (o->dwarf)
		return "--call-graph dwarf";
	if (o->lbr)
		return "--call-graph lbr";
	if (option_for_rings(o, label, sz))
		return label;
	if (have & HAVE_GROUP)
		return "a group of events";
	if (have & HAVE_OPTIONS)
		return "call-graph, time, or another such term of an event";
	return o->events.cnt > PROFILE_MAX_EVENTS ? "more events than a profile holds" : NULL;
}

/* Returns a reason to prefer perf's own rings if --unwind does not decide; NULL: there is none. */
static const char *prefers_rings(const struct record_opts *o)
{
	if (what_events_have(&o->events) & HAVE_FIELDS)
		return "the fields of tracepoints";
	if (o->all_kernel)
		return "--all-kernel";
	if (o->no_build_id)
		return "-B";
	return o->common.output && !strcmp(o->common.output, "-") ? "a pipe" : NULL;
}

void record_unwound__choose(struct record_opts *o)
{
	char label[OPT_LABEL_MAX];
	const char *why;

	if (!o->callchain || o->has_unwind)
		return;
	why = needs_rings(o, label, sizeof(label));
	if (!why)
		why = prefers_rings(o);
	if (!why && (!feature__have(FEATURE_BTF) || !feature__have(FEATURE_PERF_PROGS)))
		why = "no permission to load BPF programs, or no BTF";
	if (why)
		log_info("user stacks by frame pointer, in perf's own rings: %s", why);
	else
		o->unwind = UNWIND_AUTO;
}

/*
 * An event on an excluded side yields no sample, like in perf, rather than a sample of its caller.
 */
static void keep_to_side(struct record_opts *o)
{
	size_t i;

	for (i = 0; i < o->events.cnt; i++) {
		struct event *ev = o->events.events[i];

		if (ev->kind == EVENT_TRACEPOINT)
			continue;
		ev->exclude_kernel |= o->all_user;
		ev->exclude_user |= o->all_kernel;
	}
}

static void log_size(const char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISREG(st.st_mode))
		log_note("%.3f MB in %s", (double)st.st_size / 1e6, path);
}

/* Returns the sampler's config for these options. */
static struct sampler_config sampler_config(const struct record_opts *o)
{
	const struct targets *t = &o->common.targets;

	return (struct sampler_config){
		.events = o->events,
		.freq_hz = o->freq_hz,
		.default_hz = SAMPLING_DEFAULT_HZ,
		.period = o->period,
		.unwind = o->unwind,
		.interp = o->interp,
		.user = o->all_user,
		.kernel = o->all_kernel,
		.targets = t,
		/* If other tasks are named, CMD only limits the duration, like in perf. */
		.cmd_is_timer = t->pid_cnt || t->tid_cnt || t->cpus || t->has_uid || t->cgroup,
		.duration_ns = o->common.duration_ns,
		.cmd_user = o->common.cmd_user,
		.ring_sz = o->common.ring_sz,
		.ops = sink__choose(stack_sinks, "perf", NULL, NULL),
		.output = o->common.output,
		.recording.zstd_level = !o->zstd        ? 0
					: o->zstd_level ? (int)o->zstd_level
							: 1,
		.recording.keep_old = true,
		.log_output = true,
		.quiet = o->quiet,
	};
}

int record_unwound(struct record_opts *o, int argc, char **argv)
{
	char label[OPT_LABEL_MAX];
	const char *opt = needs_rings(o, label, sizeof(label));
	struct sampler_config cfg = sampler_config(o);
	struct sampler_result res;
	int err;

	if (opt) {
		log_error("%s needs the kernel's own samples, with stacks by frame pointer; omit "
			  "it, or omit --unwind",
			  opt);
		return EXIT_USAGE;
	}
	keep_to_side(o);
	/* SIGUSR2 has no effect, like in perf's recorder without --overwrite and the like. */
	stop_signals__block_usr2();
	bpf_error__init();
	limits__raise_files();
	if (sampler__check(&cfg) || common_opts__check_output(&o->common, cfg.ops))
		return EXIT_USAGE;
	err = sampler__run(&cfg, argc, argv, &res);
	if (res.has_recorded && !o->quiet)
		log_size(o->common.output);
	if (!err && res.cmd_ended)
		return res.cmd_status;
	return err == -EINVAL ? EXIT_USAGE : err ? EXIT_FAILED : EXIT_DONE;
}
