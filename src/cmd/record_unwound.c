// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/record_unwound.h"

#include <string.h>
#include <sys/stat.h>

#include "cmd/commands.h"
#include "run/flight_recorder.h"
#include "cmd/stack_opts.h"
#include "perf/sampling.h"
#include "kernel/features.h"
#include "profile/profile.h"
#include "util/log.h"

/* What some of the events have. */
enum {
	HAVE_FILTER = 1 << 0,
	HAVE_GROUP = 1 << 1,
	HAVE_FIELDS = 1 << 2, /* those of a tracepoint */
};

static unsigned int what_events_have(const struct event_list *events)
{
	unsigned int have = 0;
	size_t i;

	for (i = 0; i < events->cnt; i++) {
		const struct event *ev = events->events[i];

		have |= (ev->filter ? HAVE_FILTER : 0) | (ev->group >= 0 ? HAVE_GROUP : 0) |
			(ev->kind == EVENT_TRACEPOINT ? HAVE_FIELDS : 0);
	}
	return have;
}

/* For perf's own rings. */
struct reason {
	bool given;
	const char *what; /* NULL ends a table */
};

/* NULL where none is given. */
static const char *first_given(const struct reason *r)
{
	while (r->what && !r->given)
		r++;
	return r->what;
}

/* What only perf's own rings can carry. */
static const char *needs_rings(const struct record_opts *o)
{
	unsigned int have = what_events_have(&o->events);
	const struct reason reasons[] = {
		{ o->dwarf, "--call-graph dwarf" },
		{ o->lbr, "--call-graph lbr" },
		{ o->per_thread, "--per-thread" },
		{ o->no_inherit, "-i" },
		{ o->delay_ms, "-D" },
		{ o->max_sz, "--max-size" },
		{ o->overwrite, "--overwrite" },
		{ o->switch_output.on, "--switch-output" },
		{ o->snapshot, "-S" },
		{ o->branches || o->branch_any, "-b" },
		{ o->data || o->phys_data, "-d" },
		{ o->weight, "-W" },
		{ o->use_clockid, "-k" },
		{ o->namespaces, "--namespaces" },
		{ o->all_cgroups, "--all-cgroups" },
		{ have & HAVE_FILTER, "--filter" },
		{ have & HAVE_GROUP, "a group of events" },
		{ o->events.cnt > PROFILE_MAX_EVENTS, "so many events" },
		{ false, NULL },
	};

	return first_given(reasons);
}

/* What they carry better, where nobody asked for the others. */
static const char *prefers_rings(const struct record_opts *o)
{
	const struct reason reasons[] = {
		{ what_events_have(&o->events) & HAVE_FIELDS, "the fields of tracepoints" },
		{ o->all_kernel, "--all-kernel" },
		{ o->no_build_id, "-B" },
		{ o->common.output && !strcmp(o->common.output, "-"), "a pipe" },
		{ false, NULL },
	};

	return first_given(reasons);
}

void record_unwound__choose(struct record_opts *o)
{
	const char *why;

	if (!o->callchain || o->has_unwind)
		return;
	why = needs_rings(o);
	if (!why)
		why = prefers_rings(o);
	if (!why && (!feature__have(FEATURE_BTF) || !feature__have(FEATURE_PERF_PROGS)))
		why = "no leave to load BPF programs, or no BTF";
	if (why)
		log_info("user stacks by frame pointer, in perf's own rings: %s", why);
	else
		o->unwind = UNWIND_AUTO;
}

static void free_taken(struct record_opts *o)
{
	event_list__free(&o->events);
	targets__free(&o->common.targets);
}

/* As perf has it: what happens on the other side is no sample, not one of who called it. */
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

static void say_size(const char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISREG(st.st_mode))
		log_note("%.3f MB in %s", (double)st.st_size / 1e6, path);
}

int record_unwound(struct record_opts *o, int argc, char **argv)
{
	const char *opt = needs_rings(o);
	struct stack_opts so = {
		.common = o->common,
		.events = o->events,
		.freq_hz = o->freq_hz,
		.default_hz = SAMPLING_DEFAULT_HZ,
		.period = o->period,
		.unwind = o->unwind,
		.has_unwind = true,
		.user = o->all_user,
		.kernel = o->all_kernel,
		.quiet = o->quiet,
		.as_record = true,
	};
	int status;

	if (opt) {
		log_error("%s needs the kernel's own samples, whose stacks are by frame pointer; "
			  "leave it, or --unwind",
			  opt);
		free_taken(o);
		return EXIT_USAGE;
	}
	so.common.format = "perf";
	if (o->zstd)
		so.common.zstd_level = o->zstd_level ? (int)o->zstd_level : 1;
	keep_to_side(o);
	/* Does nothing, as without --overwrite and the like. */
	flight_recorder__block_signal();
	status = cmd_stack.run(&so, argc, argv);
	if (so.has_run && !o->quiet)
		say_size(o->common.output);
	return status;
}
