// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/script_opts.h"

#include <errno.h>
#include <stddef.h>

#include "decode/stack_dump.h"
#include "run/event_dumps.h"
#include "sink/branch_text.h"
#include "sink/formats.h"
#include "sink/script.h"
#include "sink/script_field_names.h"
#include "util/log.h"

#define SHOW_OPT(name, member, what)                                                               \
	{                                                                                          \
		.long_name = "show-" name "-events", .help = "print " what " among the samples",   \
		.type = OPT_FLAG, .off = offsetof(struct script_opts, show.member)                 \
	}

#define TRACE_OPT(name, member, what)                                                              \
	{                                                                                          \
		.long_name = name, .help = "--itrace: print the " what " alone", .type = OPT_FLAG, \
		.off = offsetof(struct script_opts, member)                                        \
	}

const struct opt script_opts[] = {
	{ 'i', "input", "FILE", "the recording; - is stdin (perf.data)", OPT_STR,
	  offsetof(struct script_opts, input), 0, 0, NULL, NULL },
	{ 'F', "fields", "FIELDS",
	  "print these fields, behind sw: or another type for its events: " SCRIPT_FIELD_NAMES,
	  OPT_CALL, offsetof(struct script_opts, choice), 0, 0, script_field_names__parse, NULL },
	{ 0, "header", NULL, "print the machine and the events of the recording first", OPT_FLAG,
	  offsetof(struct script_opts, header), 0, 0, NULL, NULL },
	{ 0, "header-only", NULL, "print the machine and the events of the recording alone",
	  OPT_FLAG, offsetof(struct script_opts, header_only), 0, 0, NULL, NULL },
	{ 'I', "show-info", NULL, "--header, --header-only: the parts of the machine, too",
	  OPT_FLAG, offsetof(struct script_opts, show_info), 0, 0, NULL, NULL },
	{ 0, "ns", NULL, "print times with nine decimals, not six", OPT_FLAG,
	  offsetof(struct script_opts, nanoseconds), 0, 0, NULL, NULL },
	{ 0, "reltime", NULL, "print times since the first sample", OPT_FLAG,
	  offsetof(struct script_opts, is_relative), 0, 0, NULL, NULL },
	{ 0, "deltatime", NULL, "print times since the sample before", OPT_FLAG,
	  offsetof(struct script_opts, is_delta), 0, 0, NULL, NULL },
	{ 'G', "hide-call-graph", NULL, "print no stacks, only the address of each sample",
	  OPT_FLAG, offsetof(struct script_opts, no_callchain), 0, 0, NULL, NULL },
	SHOW_OPT("mmap", mmaps, "mappings"),
	SHOW_OPT("task", tasks, "starts, names and ends of threads"),
	SHOW_OPT("switch", switches, "switches between tasks"),
	SHOW_OPT("namespace", namespaces, "namespaces of processes"),
	SHOW_OPT("cgroup", cgroups, "control groups"),
	SHOW_OPT("lost", lost, "losses of records"),
	SHOW_OPT("bpf", code, "BPF programs"),
	SHOW_OPT("text-poke", pokes, "changes of the kernel's code"),
	REPLAY_FILTER_OPTS(offsetof(struct script_opts, filter), 0),
	{ 0, "addr-range", "BYTES", "-S 0xADDR: all samples of as many bytes from there", OPT_U64,
	  offsetof(struct script_opts, filter.addr_range), 1, UINT64_MAX, NULL, NULL },
	{ 0, "inline", NULL, "name inlined functions in all callchains, not only in unwound ones",
	  OPT_FLAG, offsetof(struct script_opts, inlined), 0, 0, NULL, NULL },
	{ 0, "no-inline", NULL, "omit inlined functions", OPT_FLAG,
	  offsetof(struct script_opts, no_inline), 0, 0, NULL, NULL },
	REPLAY_FILES_OPTS(offsetof(struct script_opts, files)),
	{ 0, "show-kernel-path", NULL, "print the file of -k, and those of modules", OPT_FLAG,
	  offsetof(struct script_opts, files.kernel_paths), 0, 0, NULL, NULL },
	{ 0, "max-stack", "N", "number of innermost functions of a callchain (127)", OPT_U64,
	  offsetof(struct script_opts, max_stack), 1, STACK_MAX, NULL, NULL },
	{ 0, "stop-bt", "FUNCS", "end stacks at these functions", OPT_STR,
	  offsetof(struct script_opts, stop_bt), 0, 0, NULL, NULL },
	{ 0, "full-source-path", NULL,
	  "-F srcline: print the paths of sources, not their names alone", OPT_FLAG,
	  offsetof(struct script_opts, full_paths), 0, 0, NULL, NULL },
	{ 0, "max-blocks", "N", "-F brstackinsn: code between N + 1 branches of a sample (all)",
	  OPT_U64, offsetof(struct script_opts, max_blocks), 1, UINT32_MAX, NULL, NULL },
	{ 'o', "output", "FILE", "write to FILE (- is stdout); its suffix chooses the format",
	  OPT_STR, offsetof(struct script_opts, output), 0, 0, NULL, NULL },
	{ 0, "format", "F", FORMAT_HELP(SCRIPT_FORMATS), OPT_STR,
	  offsetof(struct script_opts, format), 0, 0, NULL, NULL },
	{ 0, "binary", "FILE", "autofdo, bolt: the program or library (that with most branches)",
	  OPT_STR, offsetof(struct script_opts, binary), 0, 0, NULL, NULL },
	EVENT_DUMPS_OPT(offsetof(struct script_opts, per_event_dump)),
	ITRACE_OPT(offsetof(struct script_opts, itrace)),
	TRACE_OPT("call-trace", call_trace, "functions that are called"),
	TRACE_OPT("call-ret-trace", call_ret_trace, "calls and returns"),
	{ 0, "graph-function", "FUNCS",
	  "--call-trace, --call-ret-trace: these and their callees alone", OPT_STR,
	  offsetof(struct script_opts, graph_functions), 0, 0, NULL, NULL },
	TRACE_OPT("insn-trace", insn_trace, "instructions"),
	{ 'D', "dump", NULL, "print every record in the order of the file, field by field",
	  OPT_FLAG, offsetof(struct script_opts, dump), 0, 0, NULL, NULL },
	OPT_END,
};

int script_opts__settle(struct script_opts *o)
{
	const uint64_t calls = SCRIPT_IP | SCRIPT_ADDR | SCRIPT_EVENT | SCRIPT_PERIOD;
	const char *option = o->call_trace       ? "--call-trace"
			     : o->call_ret_trace ? "--call-ret-trace"
			     : o->insn_trace     ? "--insn-trace"
						 : NULL;

	if (o->graph_functions && !o->call_trace && !o->call_ret_trace) {
		log_error("--graph-function is for --call-trace and --call-ret-trace; add one");
		return -EINVAL;
	}
	if (!option)
		return 0;
	if (o->itrace.is_set || o->call_trace + o->call_ret_trace + o->insn_trace > 1) {
		log_error("%s, the other options of traces and --itrace choose what is made of a "
			  "trace; give one of them",
			  option);
		return -EINVAL;
	}
	o->nanoseconds = true;
	if (!o->choice.all.fields) {
		o->choice.all.less |= o->insn_trace ? SCRIPT_EVENT | SCRIPT_PERIOD : calls;
		o->choice.all.more |= o->insn_trace ? SCRIPT_INSN : SCRIPT_CALLINDENT;
		o->choice.all.more |= o->call_ret_trace ? SCRIPT_FLAGS : 0;
	}
	return itrace_options__parse(&o->itrace, o->call_trace       ? "ce"
						 : o->call_ret_trace ? "cre"
								     : "i1ie");
}

static int check_dump(const struct script_opts *o)
{
	if (o->dump && script_events__any(&o->show)) {
		log_error("-D prints every record; omit --show-*-events");
		return -EINVAL;
	}
	if (o->dump && o->itrace.is_set) {
		log_error("-D prints the records of a recording, --itrace makes samples of its "
			  "trace; omit one of them");
		return -EINVAL;
	}
	if (o->per_event_dump && (o->dump || o->output)) {
		log_error("--per-event-dump writes the samples of each event to a file of its own; "
			  "omit %s",
			  o->dump ? "-D" : "-o");
		return -EINVAL;
	}
	if (!o->dump || !o->format)
		return 0;
	log_error("-D prints the fields of every record, --format %s samples; omit one of them",
		  o->format);
	return -EINVAL;
}

int script_opts__check(const struct script_opts *o, const struct sink_ops *ops)
{
	const char *option = script_choice__is_set(&o->choice) ? "-F"
			     : o->nanoseconds                  ? "--ns"
			     : o->is_relative                  ? "--reltime"
			     : o->is_delta                     ? "--deltatime"
			     : o->no_callchain                 ? "-G"
			     : o->inlined                      ? "--inline"
			     : o->stop_bt                      ? "--stop-bt"
			     : o->per_event_dump               ? "--per-event-dump"
			     : o->files.kernel_paths           ? "--show-kernel-path"
			     : o->header                       ? "--header"
			     : o->header_only                  ? "--header-only"
			     : script_events__any(&o->show)    ? "--show-*-events"
							       : NULL;

	if (o->binary && ops != &autofdo_sink && ops != &bolt_sink) {
		log_error("--binary is for --format autofdo and bolt; --dsos selects samples for "
			  "the others");
		return -EINVAL;
	}
	if (o->show_info && !o->header && !o->header_only) {
		log_error("-I is for the head of the text; give --header or --header-only, too");
		return -EINVAL;
	}
	if (o->full_paths && !(script_choice__asked(&o->choice) & SCRIPT_SRCLINE)) {
		log_error("--full-source-path is for -F srcline; add it, or omit "
			  "--full-source-path");
		return -EINVAL;
	}
	if (o->max_blocks && !(script_choice__asked(&o->choice) & SCRIPT_CODE)) {
		log_error("--max-blocks is for -F brstackinsn; add it, or omit --max-blocks");
		return -EINVAL;
	}
	if (ops == &script_sink || !option)
		return check_dump(o);
	log_error("%s is for --format text; --format %s has all fields", option, ops->name);
	return -EINVAL;
}
