// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpfperf script: a recording, event by event. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "machine/replay_machine.h"
#include "decode/replay_losses.h"
#include "decode/read_group.h"
#include "sink/script_dump.h"
#include "cmd/script_filter.h"
#include "decode/stack_dump.h"
#include "data/perf_file.h"
#include "data/recording.h"
#include "decode/perf_sample.h"
#include "decode/print.h"
#include "machine/tasks.h"
#include "sink/out.h"
#include "sink/resolver.h"
#include "sink/script.h"
#include "source/file.h"
#include "sym/sym.h"
#include "util/log.h"
#include "util/stop_signals.h"

struct script_opts {
	const char *input;
	uint32_t fields;
	uint32_t more, less; /* of those that are printed without -F */
	bool dump, nanoseconds, no_callchain, inlined, no_inline;
	uint64_t max_stack;
	struct script_filter filter;
};

struct script {
	const struct script_opts *opts;
	struct recording *rec;
	struct out out;
	struct tasks *tasks;
	struct sym *sym;
	struct printer *printer; /* NULL until the first sample: a pipe's formats come before it */
	struct script_printer lines;
	struct stack_dump *stacks;
	uint64_t unwound[STACK_MAX];
	struct replay_losses gaps;
	struct read_group group;
	uint16_t cpumode; /* of the sample at hand */
};

static uint64_t time_of(void *ctx, const struct perf_event_header *hdr)
{
	struct script *sc = ctx;

	return perf_sample__time(&sc->rec->attrs, sc->rec->swap, hdr);
}

/* Once all events are known. */
static int begin(struct script *sc)
{
	struct script_config cfg = {
		.out = &sc->out,
		.sym = sc->sym,
		.fields = sc->opts->fields,
		.more = sc->opts->more,
		.less = sc->opts->less,
		.nanoseconds = sc->opts->nanoseconds,
		.no_callchain = sc->opts->no_callchain,
		.is_arm64 = recording__is_arm64(sc->rec),
		.max_stack = (uint32_t)(sc->opts->max_stack ?: STACK_DEFAULT),
		.inlined = sc->opts->inlined,
	};
	size_t i, len;

	sc->printer = resolver__new_recorded_printer(sc->sym, sc->rec->tracing.printk_formats);
	if (!sc->printer)
		return -ENOMEM;
	cfg.printer = sc->printer;
	for (i = 0; i < sc->rec->attrs.cnt; i++) {
		len = strlen(sc->rec->attrs.events[i].name);
		if (len > cfg.name_width)
			cfg.name_width = (unsigned int)len;
	}
	script_printer__init(&sc->lines, &cfg);
	return 0;
}

static int print_sample(void *ctx, const struct perf_sample *s)
{
	struct script *sc = ctx;
	struct script_sample sample = { .s = s, .cpumode = sc->cpumode };

	sample.comm = tasks__comm(sc->tasks, (int32_t)s->tid);
	if (!script_filter__passes(&sc->opts->filter, s, sample.comm))
		return 0;
	if (s->user_stack_sz && script_printer__wants_chain(&sc->lines, s)) {
		sample.unwound = sc->unwound;
		sample.unwound_cnt = stack_dump__unwind(sc->stacks, s, sc->unwound,
							sc->opts->max_stack ?: STACK_DEFAULT);
	}
	return script_printer__sample(&sc->lines, &sample);
}

static int on_sample(struct script *sc, const struct perf_event_header *hdr)
{
	struct perf_sample s;
	int err = perf_sample__parse(&s, &sc->rec->attrs, sc->rec->swap, hdr);

	if (err) {
		replay_losses__sample(&sc->gaps, err);
		return 0;
	}
	if (!sc->printer && begin(sc))
		return -ENOMEM;
	sc->cpumode = hdr->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	return read_group__each(&sc->group, &sc->rec->attrs, &s, print_sample, sc);
}

static int on_record(void *ctx, const struct record *rec)
{
	const struct perf_event_header *hdr = rec->hdr;
	struct script *sc = ctx;

	switch (hdr->type) {
	case PERF_RECORD_SAMPLE:
		return on_sample(sc, hdr);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		replay_losses__lost(&sc->gaps, sc->rec, hdr);
		break;
	case PERF_USER_FINISHED_ROUND:
		return sc->rec->is_live ? out__flush(&sc->out) : 0;
	default:
		tasks__on_record(sc->tasks, hdr, rec->time_ns);
		replay_machine__record(sc->sym, sc->rec, hdr, rec->time_ns);
		break;
	}
	return 0;
}

static int print_all(struct script *sc)
{
	static const struct file_source_ops ops = { .time_of = time_of, .record = on_record };
	const struct sym_options options = {
		.inlines = !sc->opts->no_inline &&
			   (sc->opts->inlined || replay_machine__may_unwind(sc->rec)),
		.lines = true,
		.as_addr2line = true,
	};
	struct file_stats stats;
	int err;

	sc->tasks = tasks__new();
	sc->sym = sym__new();
	sc->stacks = sc->sym ? stack_dump__new(sc->sym, sc->rec) : NULL;
	if (!sc->tasks || !sc->stacks) {
		log_error("no memory to read a recording");
		return -ENOMEM;
	}
	tasks__set_offline(sc->tasks);
	replay_machine__start(sc->sym, sc->rec, &options);
	err = file_source__read(sc->rec, &ops, sc, &stats);
	sc->gaps.late_cnt = stats.late;
	replay_losses__tell(&sc->gaps, sc->rec, "shown");
	return err;
}

static int run(void *opts, int cmd_argc, char **cmd_argv)
{
	struct script sc = { .opts = opts };
	const char *input = sc.opts->input ? sc.opts->input : "perf.data";
	int err, out_err;
	bool is_whole;

	stop_signals__catch();
	sc.rec = recording__open(input);
	if (!sc.rec)
		return EXIT_FAILED;
	if (out__open(&sc.out, NULL)) {
		recording__close(sc.rec);
		return EXIT_FAILED;
	}
	sc.out.stop_is_end = true;
	err = sc.opts->dump ? script_dump(sc.rec, &sc.out) : print_all(&sc);
	if (sc.opts->dump)
		replay_losses__tell(&sc.gaps, sc.rec, "shown");
	out_err = out__close(&sc.out);
	script_printer__free(&sc.lines);
	printer__free(sc.printer);
	stack_dump__free(sc.stacks);
	read_group__free(&sc.group);
	sym__free(sc.sym);
	tasks__free(sc.tasks);
	is_whole = !sc.rec->lacks_features;
	recording__close(sc.rec);
	/* Whoever closed the pipe has read enough. */
	if (out_err == -EPIPE)
		return EXIT_DONE;
	return err || out_err || !is_whole ? EXIT_FAILED : EXIT_DONE;
}

static int set_fields(void *opts, const char *arg)
{
	static const struct {
		const char *name;
		uint32_t field;
	} known[] = {
		{ "comm", SCRIPT_COMM },   { "pid", SCRIPT_PID },     { "tid", SCRIPT_TID },
		{ "cpu", SCRIPT_CPU },     { "time", SCRIPT_TIME },   { "period", SCRIPT_PERIOD },
		{ "event", SCRIPT_EVENT }, { "trace", SCRIPT_TRACE }, { "addr", SCRIPT_ADDR },
		{ "ip", SCRIPT_IP },       { "sym", SCRIPT_SYM },     { "symoff", SCRIPT_SYMOFF },
		{ "dso", SCRIPT_DSO },     { "iregs", SCRIPT_IREGS }, { "uregs", SCRIPT_UREGS }
	};
	struct script_opts *so = opts;
	const char *first = arg;
	uint32_t *to;
	size_t i, len;

	so->fields = so->more = so->less = 0;
	for (; *arg; arg += len + (arg[len] == ',')) {
		to = *arg == '+' ? &so->more : *arg == '-' ? &so->less : &so->fields;
		arg += to != &so->fields;
		len = strcspn(arg, ",");
		for (i = 0; i < sizeof(known) / sizeof(*known); i++)
			if (strlen(known[i].name) == len && !memcmp(known[i].name, arg, len))
				break;
		if (i == sizeof(known) / sizeof(*known)) {
			log_error("-F %.*s: there is no such field; choose from comm, pid, tid, "
				  "cpu, time, period, event, trace, addr, ip, sym, symoff, dso, "
				  "iregs, uregs",
				  (int)len, arg);
			return -EINVAL;
		}
		*to |= known[i].field;
	}
	if (so->fields && (so->more || so->less)) {
		log_error("-F %s: give a list of fields, or fields with + or - before each to "
			  "change the default",
			  first);
		return -EINVAL;
	}
	if (so->fields || so->more || so->less)
		return 0;
	log_error("-F needs a field: comm, pid, tid, cpu, time, period, event, trace, addr, ip, "
		  "sym, symoff, dso, iregs or uregs");
	return -EINVAL;
}

static int set_time(void *opts, const char *arg)
{
	struct script_opts *so = opts;

	return script_filter__set_time(&so->filter, arg);
}

static int set_pids(void *opts, const char *arg)
{
	struct script_opts *so = opts;

	return script_filter__set_ids(&so->filter.pids, "--pid", arg);
}

static int set_tids(void *opts, const char *arg)
{
	struct script_opts *so = opts;

	return script_filter__set_ids(&so->filter.tids, "--tid", arg);
}

static const struct opt script_opt_table[] = {
	{ .short_name = 'i',
	  .long_name = "input",
	  .arg = "FILE",
	  .help = "the recording; - is stdin (perf.data)",
	  .type = OPT_STR,
	  .off = offsetof(struct script_opts, input) },
	{ .short_name = 'F',
	  .long_name = "fields",
	  .arg = "FIELDS",
	  .help = "print these fields: "
		  "comm,pid,tid,cpu,time,period,event,trace,addr,ip,sym,symoff,dso,iregs,uregs",
	  .type = OPT_CALL,
	  .set = set_fields },
	{ .long_name = "ns",
	  .help = "print times with nine decimals, not six",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, nanoseconds) },
	{ .short_name = 'G',
	  .long_name = "hide-call-graph",
	  .help = "print no stacks, only the address of each sample",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, no_callchain) },
	{ .long_name = "time",
	  .arg = "FROM,TO",
	  .help = "only samples between these seconds of the recording's clock; either may be "
		  "omitted",
	  .type = OPT_CALL,
	  .set = set_time },
	{ .long_name = "pid",
	  .arg = "PID,...",
	  .help = "only samples of these processes",
	  .type = OPT_CALL,
	  .set = set_pids },
	{ .long_name = "tid",
	  .arg = "TID,...",
	  .help = "only samples of these threads",
	  .type = OPT_CALL,
	  .set = set_tids },
	{ .long_name = "comms",
	  .arg = "NAME,...",
	  .help = "only samples of threads with these names",
	  .type = OPT_STR,
	  .off = offsetof(struct script_opts, filter.comms) },
	{ .long_name = "inline",
	  .help = "name inlined functions in all callchains, not only in unwound ones",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, inlined) },
	{ .long_name = "no-inline",
	  .help = "omit inlined functions",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, no_inline) },
	{ .long_name = "max-stack",
	  .arg = "N",
	  .help = "number of innermost functions of a callchain (127)",
	  .type = OPT_U64,
	  .off = offsetof(struct script_opts, max_stack),
	  .min = 1,
	  .max = STACK_MAX },
	{ .short_name = 'D',
	  .long_name = "dump",
	  .help = "print every record in the order of the file, field by field",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, dump) },
	OPT_END,
};

const struct command cmd_script = {
	.name = "script",
	.synopsis = "[OPTIONS]",
	.summary = "Prints a recording (perf.data), event by event.",
	.opts = script_opt_table,
	.opts_sz = sizeof(struct script_opts),
	.run = run,
};
