// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpfperf report: sums up a recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/report_opts.h"
#include "data/cgroup_names.h"
#include "data/recording.h"
#include "machine/tasks.h"
#include "profile/hist_keys.h"
#include "run/confine.h"
#include "run/replay.h"
#include "run/replay_annotate.h"
#include "run/replay_instead.h"
#include "run/report_tasks.h"
#include "run/report_text.h"
#include "sink/branch_rows.h"
#include "sink/hist_sink.h"
#include "sink/mem_rows.h"
#include "sink/out.h"
#include "sink/read_values.h"
#include "sink/recording_text.h"
#include "sink/sink.h"
#include "util/err.h"
#include "util/log.h"
#include "util/stop_signals.h"

struct report {
	struct report_opts *opts;
	struct replay replay;
	struct out out;
	struct sink *sink;
	struct annotating code; /* for a page with --annotate */
	struct cgroup_names cgroups; /* for -s cgroup */
	struct read_values counts; /* for -T */
};

static bool is_stdio(const struct report *r)
{
	return r->sink->ops == &hist_sink;
}

/* The events of the recording are known: they decide the options that were not given. */
static int report_begin(void *ctx)
{
	struct report *r = ctx;
	const struct attrs *attrs = &r->replay.rec->attrs;
	bool has_chains = false, are_tracepoints = attrs->cnt;
	size_t i;

	for (i = 0; i < attrs->cnt; i++) {
		has_chains |= !!(attrs->events[i].attr.sample_type &
				 (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER));
		are_tracepoints &= attrs->events[i].attr.type == PERF_TYPE_TRACEPOINT;
	}
	report_opts__complete(r->opts, has_chains, are_tracepoints);
	if (branch_rows__check(&r->opts->lines.hist, attrs, r->replay.rec->path) ||
	    mem_rows__check(&r->opts->lines.hist, attrs, r->replay.rec->path))
		return -EINVAL;
	if (!has_chains && hist__has_key(&r->opts->lines.hist, HIST_PARENT)) {
		log_error("-s parent needs callchains, and %s has none; record with -g",
			  r->replay.rec->path);
		return -EINVAL;
	}
	if (r->opts->threads && !read_values__were_recorded(attrs)) {
		log_error("-T needs counts of threads, and %s has none; record with -s",
			  r->replay.rec->path);
		return -EINVAL;
	}
	r->opts->lines.facts.rec = r->replay.rec;
	r->opts->lines.facts.cgroups = &r->cgroups;
	replay_filter__name(&r->opts->filter, &r->opts->lines.only);
	if (is_stdio(r) && r->opts->lines.hist.is_caller)
		replay__keep_outermost(&r->replay);
	return sink__begin(r->sink);
}

static unsigned int report_needs(void *ctx, const struct sample *s)
{
	return sink__needs(((struct report *)ctx)->sink, s);
}

static int report_sample(void *ctx, const struct sample *s)
{
	struct report *r = ctx;
	int err = r->opts->annotate ? annotating__sample(&r->code, s) : 0;

	return err ? err : sink__sample(r->sink, s);
}

/* It counts in the totals, by which a share is measured, as in perf. */
static int report_passed_over(void *ctx, const struct sample *s)
{
	struct report *r = ctx;

	return is_stdio(r) && !r->opts->lines.is_relative ? hist_sink__count(r->sink, s) : 0;
}

static bool wants_records(const struct report_opts *o)
{
	return o->threads || hist__has_key(&o->lines.hist, HIST_CGROUP);
}

static int report_record(void *ctx, const struct record *rec)
{
	struct report *r = ctx;

	return cgroup_names__take(&r->cgroups, rec->hdr)
		       ?: read_values__add(&r->counts, r->replay.rec, rec->hdr);
}

static const char *last_comm(void *ctx, int32_t tid)
{
	return tasks__comm(ctx, tid);
}

static enum recording_header header_of(const struct report_opts *o)
{
	return recording_header__of(o->header || o->header_only, o->show_info);
}

/* Runs from the last record to the printed sums. */
static int report_end(struct report *r)
{
	const struct replay *replay = &r->replay;
	const struct lost lost = { .cnt = replay_losses__lost_cnt(&replay->losses),
				   .cpu = UINT32_MAX,
				   .cause = LOST_RING_FULL };
	struct profile_meta *meta = &r->opts->profile.meta;
	struct strbuf code = STRBUF_INIT;
	int err = 0, last;

	meta->host = replay->rec->hostname;
	meta->kernel = replay->rec->release;
	meta->duration_ns = replay->last_ns - replay->first_ns;
	r->opts->lines.lost_cnt = replay->losses.lost_samples_cnt;
	if (is_stdio(r))
		recording_text__put_header(replay->rec, header_of(r->opts), &r->out.buf);
	if (lost.cnt)
		sink__lost(r->sink, &lost);
	if (r->opts->annotate)
		err = annotating__put_page(&r->code, r->opts->annotate, r->opts->files.symfs,
					   &code);
	r->opts->profile.code = code.len ? strbuf__cstr(&code) : NULL;
	last = sink__end(r->sink);
	if (r->opts->threads && !last)
		last = read_values__print(&r->counts, &replay->rec->attrs, &r->out);
	strbuf__free(&code);
	return err__keep_first(err, last);
}

static int sum_up(struct report *r)
{
	const struct replay_ops ops = {
		.begin = report_begin,
		.needs = report_needs,
		.sample = report_sample,
		.passed_over = report_passed_over,
		.record = wants_records(r->opts) ? report_record : NULL,
	};
	struct report_opts *o = r->opts;
	struct replay_config cfg = {
		.filter = &o->filter,
		.completes_all = o->lines.hist.is_hierarchy,
		.itrace = &o->itrace,
		.sym.inlines = !o->no_inline && (!is_stdio(r) || o->lines.inlined ||
						 hist__has_lines(&o->lines.hist)),
		.sym.lines = is_stdio(r) || r->sink->ops->wants_lines || o->annotate,
		.sym.data = o->lines.hist.is_memory,
		.sym.raw_names = o->no_demangle,
		.sym.as_addr2line = is_stdio(r),
		.inline_unwound = !o->no_inline,
		.form = is_stdio(r) ? PERF_STACK_IN_ORDER : PERF_STACK_BY_SIDE,
		.max_stack = o->max_stack,
		.rest = "summed up",
	};
	int err, last;

	replay_files__use(&o->files, &cfg.sym);
	err = replay__read(&r->replay, &cfg, &ops, r);
	/*
	 * Samples before damage are summed up; a part of a report that memory cut is not printed.
	 */
	if (err == -ENOMEM || err == -E2BIG || err == -EINVAL)
		return err;
	out__begin(&r->out);
	last = report_end(r);
	return err__keep_first(err, last);
}

/* The format is chosen by name or by the file's suffix. */
static bool wants_stdio(const struct report_opts *o)
{
	const char *dot = o->output ? sink__suffix(o->output) : NULL;
	bool is_text = !dot || !strcmp(dot, ".txt");

	return o->stdio || (o->format ? !strcmp(o->format, "stdio") : is_text);
}

/* Has the output the page of a flame graph? */
static bool wants_page(const struct report_opts *o)
{
	const char *dot = o->output ? sink__suffix(o->output) : NULL;

	return !wants_stdio(o) && (o->format ? !strcmp(o->format, "flame") : !strcmp(dot, ".html"));
}

static bool annotates_text(const struct report_opts *o)
{
	return o->annotate && wants_stdio(o);
}

/* The layout of perf report is hist_sink. */
static int choose_format(const struct report_opts *o, const struct sink_ops **ops)
{
	*ops = &hist_sink;
	if (wants_stdio(o))
		return 0;
	*ops = sink__choose(report_sinks, o->format, o->output, &hist_sink);
	return *ops ? 0 : -EINVAL;
}

static int open_output(struct report *r)
{
	struct sink_config cfg = {
		.sym = r->replay.machine->sym,
		.profile = &r->opts->profile,
		.extras = &r->opts->lines.extra,
	};
	const struct sink_ops *ops;
	int err = choose_format(r->opts, &ops);

	if (!err)
		err = replay__check_output(r->opts->input, r->opts->output);
	if (err)
		return err;
	err = out__open(&r->out, r->opts->output);
	r->out.stop_is_end = true;
	if (err)
		return err;
	if (ops->is_binary && r->out.is_tty) {
		log_error("--format %s is binary, and stdout is a terminal; give -o FILE%s",
			  ops->name, ops->suffix);
		return -EINVAL;
	}
	r->opts->lines.extra.kind = HIST_EXTRA;
	r->opts->lines.comm_of = last_comm;
	r->opts->lines.ctx = r->replay.machine->tasks;
	/* Profiles add events with their first sample; stdio prints all events of the recording. */
	if (ops == &hist_sink)
		cfg.events = replay__events(&r->replay);
	cfg.color = r->out.is_tty && out__may_color();
	r->sink = sink__new(ops, &r->out, &cfg);
	return r->sink ? 0 : -ENOMEM;
}

static int open_plain_output(struct report *r)
{
	int err = replay__check_output(r->opts->input, r->opts->output);

	return err ? err : out__open(&r->out, r->opts->output);
}

static int annotate(struct report *r)
{
	struct report_opts *o = r->opts;
	const struct replay_annotate what = { o->annotate, o->lines.hist.has_samples };
	struct replay_config cfg = {
		.filter = &o->filter,
		.itrace = &o->itrace,
		.sym.inlines = true,
		.sym.lines = true,
		.sym.raw_names = o->no_demangle,
		.rest = "counted",
	};

	replay_files__use(&o->files, &cfg.sym);
	return replay_annotate__run(&r->replay, &cfg, &what, &r->out);
}

/* Options that need what a text lacks. */
static int check_text_options(const struct report_opts *o)
{
	static const struct opt_rule rules[] = {
		{ "annotate|stats|tasks|mmaps|header|header-only|show-info|threads|itrace|pid|"
		  "tid|cpu|time|comms|dsos|symbols|percentage|kallsyms|vmlinux|symfs|inline|"
		  "no-inline|no-demangle|switch-on|switch-off|show-on-off-events|"
		  "max-stack|parent|ignore-callees|verbose|hide-unresolved|time-quantum|group|"
		  "no-group|branch-stack|"
		  "total-cycles|mem-mode",
		  NULL,
		  "the input is the text of perf script: its samples and names are as they are; omit "
		  "options that select samples or say how they are named" },
		{ NULL, NULL, NULL },
	};
	int err = opt_rules__check(rules, &o->given, NULL);

	if (!err && hist__needs_recording(&o->lines.hist)) {
		log_error("%s: the text of perf script does not say it reliably; give the "
			  "recording",
			  o->lines.hist.by_address                      ? "-g address"
			  : hist__has_key(&o->lines.hist, HIST_SRCLINE) ? "-s srcline"
									: "-s KEYS");
		err = -EINVAL;
	}
	return err;
}

static int report_on_text(struct report *r)
{
	struct report_text text = { .text = NULL };
	int err = is_stdio(r) ? report_text__open(&text, r->opts->input) : 0;

	report_opts__complete(r->opts, text.has_chains, false);
	if (!err && is_stdio(r)) {
		out__begin(&r->out);
		err = report_text__print(&text, &r->opts->lines.hist, r->opts->lines.is_quiet,
					 r->opts->lines.separator, &r->out);
	} else if (!err) {
		err = sink__begin(r->sink);
		if (!err)
			err = sink__load(r->sink, r->opts->input ? r->opts->input : "perf.data");
		if (!err)
			out__begin(&r->out);
		err = err ? err : sink__end(r->sink);
	}
	report_text__close(&text);
	/* The file is at fault, not an option. */
	return err == -EINVAL ? -EBADMSG : err;
}

static bool wants_facts(const struct report_opts *o)
{
	return o->stats || o->tasks || o->mmaps || o->header_only;
}

/* Prints facts about the recording in place of a report. */
static int print_facts(struct report *r)
{
	const struct report_opts *o = r->opts;
	struct recording *rec = r->replay.rec;
	int err = 0;

	out__begin(&r->out);
	if (o->tasks || o->mmaps) {
		err = report_tasks__print(rec, header_of(o), o->mmaps, &r->out);
	} else if (o->stats) {
		err = recording_text__stats(rec, header_of(o), &r->out);
	} else {
		err = recording_text__put_header_alone(rec, header_of(o), &r->out.buf);
	}
	replay_losses__log(&r->replay.losses, rec, "shown");
	return err;
}

/* A report has a sink; other texts have none. */
static int open_for(struct report *r)
{
	return wants_facts(r->opts) || annotates_text(r->opts) ? open_plain_output(r)
							       : open_output(r);
}

static int read_and_print(struct report *r)
{
	int is_text, err;

	if (r->opts->annotate)
		replay_annotate__prepare();
	/* It starts processes, which must not hold a pipe open that bpfperf itself has left. */
	err = replay__init(&r->replay);
	if (err)
		return err;
	is_text = report_text__is(&r->opts->input);
	if (is_text < 0)
		return is_text;
	err = is_text ? check_text_options(r->opts) : 0;
	if (!err)
		err = open_for(r);
	if (is_text && !err)
		err = confine__to_reading(false);
	if (is_text && !err)
		err = report_on_text(r);
	if (is_text)
		return err;
	if (!err)
		err = replay__open(&r->replay, r->opts->input, &r->opts->itrace);
	if (!err)
		err = annotates_text(r->opts) ? annotate(r)
		      : wants_facts(r->opts)  ? print_facts(r)
					      : sum_up(r);
	return !err && r->replay.rec->lacks_features ? -EBADMSG : err;
}

static int cmd_report_run(void *opts, int cmd_argc, char **cmd_argv)
{
	struct report_opts *o = opts;
	const struct opt_fact facts[] = { { "STDIO", wants_stdio(o) },
					  { "PAGE", wants_page(o) },
					  { "SYM", hist__shows_functions(&o->lines.hist) },
					  { "ADDED", o->lines.hist.added_cnt },
					  { "NUMBERS", hist_keys__have_numbers(&o->lines.hist) },
					  { NULL, false } };
	struct report *r;
	int err, out_err;

	if (opt_rules__check(report_rules, &o->given, facts))
		return EXIT_USAGE;
	r = calloc(1, sizeof(*r));
	if (!r)
		return EXIT_FAILED;
	stop_signals__catch();
	r->opts = o;
	r->code.replay = &r->replay;
	/* perf weighs each sample by the number of events that it represents. */
	o->profile.by_weight = true;
	err = read_and_print(r);
	out_err = out__close(&r->out);
	sink__free(r->sink);
	annotating__free(&r->code);
	cgroup_names__free(&r->cgroups);
	read_values__free(&r->counts);
	replay__close(&r->replay);
	free(r);
	/* A reader that closes the pipe early is no error. */
	if (out_err == -EPIPE)
		return EXIT_DONE;
	return err == -EINVAL ? EXIT_USAGE : err || out_err ? EXIT_FAILED : EXIT_DONE;
}

const struct command cmd_report = {
	.name = "report",
	.synopsis = "[OPTIONS]",
	.summary = "Sums up a recording (perf.data).",
	.opts = report_opts,
	.opts_sz = sizeof(struct report_opts),
	.given_off = offsetof(struct report_opts, given),
	.rules = report_rules,
	.explain = replay_instead__of_report,
	.run = cmd_report_run,
};
