// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpfperf report: a recording, summed up. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "decode/perf_callchain.h"
#include "machine/replay_machine.h"
#include "decode/replay_losses.h"
#include "decode/read_group.h"
#include "cmd/report_opts.h"
#include "decode/stack_dump.h"
#include "data/recording.h"
#include "decode/perf_sample.h"
#include "decode/print.h"
#include "decode/sample_text.h"
#include "machine/tasks.h"
#include "event/event.h"
#include "profile/hist_names.h"
#include "sink/hist_text.h"
#include "sink/out.h"
#include "sink/resolver.h"
#include "sink/sink.h"
#include "source/file.h"
#include "sym/sym.h"
#include "util/err.h"
#include "util/log.h"
#include "util/stop_signals.h"

struct report {
	struct report_opts *opts;
	struct recording *rec;
	struct out out;
	struct tasks *tasks;
	struct sym *sym;
	const struct sink_ops *ops; /* NULL: the text of perf report */
	/* One of both: */
	struct sink *sink;
	struct event_list events; /* of the sink, by the recording's index */
	struct hist hist;
	struct hist_names names;
	struct printer *printer; /* with HIST_TRACE */
	struct strbuf trace, swapped;
	bool has_begun; /* the events are known */
	struct stack_dump *stacks;
	struct perf_callchain chain;
	uint64_t first_ns, last_ns;
	struct replay_losses gaps;
	uint64_t lost_samples; /* by records of them */
	struct read_group group;
	uint16_t cpumode; /* of the sample at hand */
};

static uint64_t time_of(void *ctx, const struct perf_event_header *hdr)
{
	struct report *r = ctx;

	return perf_sample__time(&r->rec->attrs, r->rec->swap, hdr);
}

/* The recording's events as a sink knows them: those that came since, of a pipe. */
static int add_events(struct report *r)
{
	const struct attrs *attrs = &r->rec->attrs;
	struct event *ev;

	while (r->events.cnt < attrs->cnt) {
		const struct recorded_event *from = &attrs->events[r->events.cnt];

		ev = event__new(from->attr.type == PERF_TYPE_TRACEPOINT ? EVENT_TRACEPOINT
									: EVENT_RAW,
				from->name);
		if (!ev || event_list__push(&r->events, ev))
			return -ENOMEM;
	}
	return 0;
}

static int begin(struct report *r)
{
	const struct attrs *attrs = &r->rec->attrs;
	bool has_chains = false, are_tracepoints = attrs->cnt;
	size_t i;

	r->has_begun = true;
	for (i = 0; i < attrs->cnt; i++) {
		has_chains |= !!(attrs->events[i].attr.sample_type &
				 (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER));
		are_tracepoints &= attrs->events[i].attr.type == PERF_TYPE_TRACEPOINT;
	}
	report_opts__complete(r->opts, has_chains, are_tracepoints);
	if (r->ops)
		return 0;
	if (hist__has_key(&r->opts->hist, HIST_TRACE)) {
		r->printer = resolver__new_recorded_printer(r->sym, r->rec->tracing.printk_formats);
		if (!r->printer)
			return -ENOMEM;
	}
	hist__init(&r->hist, &r->opts->hist);
	hist_names__init(&r->names, &r->hist, r->sym, hist__has_key(&r->opts->hist, HIST_SRCLINE));
	return hist__set_events(&r->hist, (uint32_t)attrs->cnt);
}

static int to_sink(struct report *r, const struct perf_sample *s, const char *comm)
{
	struct sample sample = {
		.time_ns = s->time_ns,
		.period = s->period,
		.cpu = s->cpu,
		.pid = (int32_t)s->pid,
		.tid = (int32_t)s->tid,
		.comm = comm,
	};
	int err = add_events(r);

	if (err)
		return err;
	sample.event = r->events.events[s->event->idx];
	sample.chain = perf_callchain__split(&r->chain);
	return sink__sample(r->sink, &sample);
}

static int name_frame(struct report *r, const struct perf_sample *s, uint16_t i)
{
	/* perf before 6.3 names what was inlined in stacks alone that it has unwound itself. */
	return hist_names__frame(&r->names, (int32_t)s->pid, r->chain.addrs[i],
				 r->chain.is_kernel[i], r->opts->inlined || i >= r->chain.unwound);
}

static int name_chain(struct report *r, const struct perf_sample *s)
{
	uint16_t i;
	int err = 0;

	hist_names__begin(&r->names);
	/* Who asked for nothing of the callers has each sample's address alone. */
	if ((!s->callchain.cnt && !s->user_stack_sz) ||
	    (!r->opts->hist.has_chains && !r->opts->hist.children))
		return 0;
	/*
	 * What addr2line says depends on what it was asked before: perf asks in the chain's order.
	 */
	for (i = r->chain.cnt; r->opts->hist.is_caller && i > r->chain.unwound && !err; i--)
		err = name_frame(r, s, i - 1);
	hist_names__begin(&r->names);
	for (i = 0; i < r->chain.cnt && !err; i++)
		err = name_frame(r, s, i);
	return err;
}

static int to_hist(struct report *r, const struct perf_sample *s, const char *comm,
		   uint16_t cpumode)
{
	struct hist_sample hs = {
		.event = s->event->idx,
		.comm = comm,
		.pid = (int32_t)s->pid,
		.tid = (int32_t)s->tid,
		.cpu = s->have & PERF_SAMPLE_CPU ? s->cpu : UINT32_MAX,
		.period = s->period,
	};
	struct hist_addr addr;
	int err = hist__set_events(&r->hist, (uint32_t)r->rec->attrs.cnt);

	if (!err)
		err = hist_names__self(&r->names, hs.pid, s->ip, cpumode == PERF_RECORD_MISC_KERNEL,
				       &addr);
	if (!err)
		err = name_chain(r, s);
	strbuf__reset(&r->trace);
	if (!err && r->printer)
		err = sample_text__put(r->printer, s, &r->swapped, &r->trace);
	if (err)
		return err;
	hs.trace = strbuf__cstr(&r->trace);
	hs.trace_len = r->trace.len;
	hs.self = addr.self;
	hs.srcline = addr.srcline;
	hs.level = addr.level;
	hs.frames = r->names.frames;
	hs.frame_cnt = (uint32_t)r->names.frame_cnt;
	return hist__add(&r->hist, &hs);
}

static int add_sample(void *ctx, const struct perf_sample *s)
{
	struct report *r = ctx;
	const char *comm = tasks__comm(r->tasks, (int32_t)s->tid);

	return r->ops ? to_sink(r, s, comm) : to_hist(r, s, comm, r->cpumode);
}

static int on_sample(struct report *r, const struct perf_event_header *hdr)
{
	struct perf_sample s;
	int err = perf_sample__parse(&s, &r->rec->attrs, r->rec->swap, hdr);

	if (err) {
		replay_losses__sample(&r->gaps, err);
		return 0;
	}
	if (!r->has_begun)
		err = begin(r);
	if (err)
		return err;
	if (!r->first_ns)
		r->first_ns = s.time_ns;
	r->last_ns = s.time_ns;
	r->cpumode = hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	perf_callchain__take(&r->chain, &s, r->cpumode, r->stacks,
			     r->opts->max_stack ?: STACK_DEFAULT,
			     !r->ops && r->opts->hist.is_caller);
	return read_group__each(&r->group, &r->rec->attrs, &s, add_sample, r);
}

static void on_lost(struct report *r, const struct perf_event_header *hdr)
{
	uint64_t cnt = replay_losses__lost(&r->gaps, r->rec, hdr);

	/* As perf has it: what LOST records told of, too, where it wrote sums of all. */
	if (hdr->type == PERF_RECORD_LOST_SAMPLES)
		r->lost_samples += cnt;
}

static int on_record(void *ctx, const struct record *rec)
{
	struct report *r = ctx;

	switch (rec->hdr->type) {
	case PERF_RECORD_SAMPLE:
		return on_sample(r, rec->hdr);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		on_lost(r, rec->hdr);
		break;
	default:
		tasks__on_record(r->tasks, rec->hdr, rec->time_ns);
		replay_machine__record(r->sym, r->rec, rec->hdr, rec->time_ns);
		break;
	}
	return 0;
}

static void tell(const struct report *r)
{
	replay_losses__tell(&r->gaps, r->rec, "summed up");
	if (r->hist.uprooted)
		log_warn("%llu samples are counted without their callers: different callchains "
			 "need more than %u MiB",
			 (unsigned long long)r->hist.uprooted, HIST_MAX_FRAMES / (1u << 18));
}

static const char *comm_of(void *ctx, int32_t tid)
{
	return tasks__comm(ctx, tid);
}

static int print(struct report *r)
{
	const struct hist_text_config cfg = { &r->out, comm_of, r->tasks };
	const struct lost lost = { .cnt = replay_losses__lost_cnt(&r->gaps),
				   .cpu = UINT32_MAX,
				   .cause = LOST_RING_FULL };
	struct profile_meta *meta = &r->opts->profile.meta;
	size_t i;

	if (r->ops) {
		meta->host = r->rec->hostname;
		meta->kernel = r->rec->release;
		meta->duration_ns = r->last_ns - r->first_ns;
		if (lost.cnt)
			sink__lost(r->sink, &lost);
		return sink__end(r->sink);
	}
	r->hist.lost = r->lost_samples;
	for (i = 0; i < r->hist.event_cnt; i++)
		r->hist.events[i].name = r->rec->attrs.events[i].name;
	return hist_text__print(&r->hist, &cfg);
}

static int sum_up(struct report *r)
{
	static const struct file_source_ops ops = { .time_of = time_of, .record = on_record };
	const struct hist_config *hist = &r->opts->hist;
	const struct sym_options options = {
		.inlines = !r->opts->no_inline &&
			   (r->ops || r->opts->inlined || hist__has_key(hist, HIST_SRCLINE) ||
			    replay_machine__may_unwind(r->rec)),
		.lines = !r->ops,
		.raw_names = r->opts->no_demangle,
		.as_addr2line = !r->ops,
	};
	struct file_stats stats;
	int err, last;

	replay_machine__start(r->sym, r->rec, &options);
	r->stacks = stack_dump__new(r->sym, r->rec);
	if (!r->stacks)
		return -ENOMEM;
	err = r->sink ? sink__begin(r->sink) : 0;
	if (err)
		return err;
	err = file_source__read(r->rec, &ops, r, &stats);
	r->gaps.late_cnt = stats.late;
	tell(r);
	/*
	 * What stood before damage is summed up all the same; no part of what would have been
	 * whole.
	 */
	if (err == -ENOMEM || err == -E2BIG)
		return err;
	last = r->has_begun ? 0 : begin(r);
	out__begin(&r->out);
	if (!last)
		last = print(r);
	return err__keep_first(err, last);
}

/* The format by its name or the file's ending; *ops NULL: that of perf report. */
static int choose_format(const struct report_opts *o, const struct sink_ops **ops)
{
	const char *dot = o->output ? strrchr(o->output, '.') : NULL;
	bool is_text = !dot || strchr(dot, '/') || !strcmp(dot, ".txt");

	*ops = NULL;
	if (o->stdio || (o->format ? !strcmp(o->format, "stdio") : is_text))
		return 0;
	*ops = sink__choose(report_sinks, o->format, o->output, NULL);
	return *ops ? 0 : -EINVAL;
}

/* The recording would be emptied for what is made of it. */
static int check_is_other(const struct report_opts *o)
{
	const char *input = o->input ? o->input : "perf.data";
	struct stat in, out;

	if (!o->output || stat(input, &in) || stat(o->output, &out) || !S_ISREG(out.st_mode) ||
	    in.st_dev != out.st_dev || in.st_ino != out.st_ino)
		return 0;
	log_error("-o %s is the recording itself; give another file", o->output);
	return -EINVAL;
}

static int open_output(struct report *r)
{
	struct sink_config cfg = { .sym = r->sym, .profile = &r->opts->profile };
	int err = choose_format(r->opts, &r->ops);

	if (!err)
		err = check_is_other(r->opts);
	if (err)
		return err;
	err = out__open(&r->out, r->opts->output);
	r->out.stop_is_end = true;
	if (err || !r->ops)
		return err;
	if (r->ops->is_binary && r->out.is_tty) {
		log_error("--format %s is binary, and stdout is a terminal; give -o FILE%s",
			  r->ops->name, r->ops->suffix);
		return -EINVAL;
	}
	cfg.color = r->out.is_tty && out__may_color();
	r->sink = sink__new(r->ops, &r->out, &cfg);
	return r->sink ? 0 : -ENOMEM;
}

static int run(void *opts, int cmd_argc, char **cmd_argv)
{
	struct report *r = calloc(1, sizeof(*r));
	struct report_opts *o = opts;
	int err = -ENOMEM, out_err;

	if (!r)
		return EXIT_FAILED;
	stop_signals__catch();
	r->opts = o;
	/* perf weighs samples by what each stands for. */
	o->profile.by_weight = true;
	r->tasks = tasks__new();
	r->sym = sym__new();
	if (!r->tasks || !r->sym) {
		log_error("no memory to read a recording");
		goto cleanup;
	}
	tasks__set_offline(r->tasks);
	err = open_output(r);
	if (err)
		goto cleanup;
	err = -EIO;
	r->rec = recording__open(o->input ? o->input : "perf.data");
	if (r->rec)
		err = sum_up(r);
	if (r->rec && r->rec->lacks_features && !err)
		err = -EBADMSG;
cleanup:
	out_err = out__close(&r->out);
	hist_names__free(&r->names);
	hist__free(&r->hist);
	printer__free(r->printer);
	strbuf__free(&r->trace);
	strbuf__free(&r->swapped);
	sink__free(r->sink);
	stack_dump__free(r->stacks);
	read_group__free(&r->group);
	event_list__free(&r->events);
	sym__free(r->sym);
	tasks__free(r->tasks);
	if (r->rec)
		recording__close(r->rec);
	free(r);
	/* Whoever closed the pipe has read enough. */
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
	.run = run,
};
