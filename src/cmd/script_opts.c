// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/script_opts.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "decode/stack_dump.h"
#include "sink/branch_text.h"
#include "sink/formats.h"
#include "sink/script.h"
#include "util/log.h"

static const struct {
	const char *name;
	uint32_t field;
} known[] = { { "comm", SCRIPT_COMM },
	      { "pid", SCRIPT_PID },
	      { "tid", SCRIPT_TID },
	      { "cpu", SCRIPT_CPU },
	      { "time", SCRIPT_TIME },
	      { "period", SCRIPT_PERIOD },
	      { "event", SCRIPT_EVENT },
	      { "trace", SCRIPT_TRACE },
	      { "addr", SCRIPT_ADDR },
	      { "ip", SCRIPT_IP },
	      { "sym", SCRIPT_SYM },
	      { "symoff", SCRIPT_SYMOFF },
	      { "dso", SCRIPT_DSO },
	      { "iregs", SCRIPT_IREGS },
	      { "uregs", SCRIPT_UREGS },
	      { "misc", SCRIPT_MISC },
	      { "data_src", SCRIPT_DATA_SRC },
	      { "weight", SCRIPT_WEIGHT },
	      { "ins_lat", SCRIPT_INS_LAT },
	      { "phys_addr", SCRIPT_PHYS_ADDR },
	      { "data_page_size", SCRIPT_DATA_PAGE_SZ },
	      { "code_page_size", SCRIPT_CODE_PAGE_SZ },
	      { "insn", SCRIPT_INSN },
	      { "insnlen", SCRIPT_INSN_LEN },
	      { "flags", SCRIPT_FLAGS },
	      { "brstack", SCRIPT_BRSTACK } };

static int set_fields(void *opts, const char *arg)
{
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
				  "iregs, uregs, misc, data_src, weight, ins_lat, phys_addr, "
				  "data_page_size, code_page_size, insn, insnlen, flags, brstack",
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

#define SHOW_OPT(name, member, what)                                                               \
	{                                                                                          \
		.long_name = "show-" name "-events", .help = "print " what " among the samples",   \
		.type = OPT_FLAG, .off = offsetof(struct script_opts, show.member)                 \
	}

const struct opt script_opts[] = {
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
		  "comm,pid,tid,cpu,time,period,event,trace,addr,ip,sym,symoff,dso,iregs,uregs,misc,"
		  "data_src,weight,ins_lat,phys_addr,data_page_size,code_page_size,"
		  "insn,insnlen,flags,brstack",
	  .type = OPT_CALL,
	  .set = set_fields },
	{ .long_name = "ns",
	  .help = "print times with nine decimals, not six",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, nanoseconds) },
	{ .long_name = "reltime",
	  .help = "print times since the first sample",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, is_relative) },
	{ .long_name = "deltatime",
	  .help = "print times since the sample before",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, is_delta) },
	{ .short_name = 'G',
	  .long_name = "hide-call-graph",
	  .help = "print no stacks, only the address of each sample",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, no_callchain) },
	SHOW_OPT("mmap", mmaps, "mappings"),
	SHOW_OPT("task", tasks, "starts, names and ends of threads"),
	SHOW_OPT("switch", switches, "switches between tasks"),
	SHOW_OPT("namespace", namespaces, "namespaces of processes"),
	SHOW_OPT("cgroup", cgroups, "control groups"),
	SHOW_OPT("lost", lost, "losses of records"),
	SHOW_OPT("bpf", code, "BPF programs"),
	REPLAY_FILTER_OPTS(offsetof(struct script_opts, filter), 0),
	{ .long_name = "inline",
	  .help = "name inlined functions in all callchains, not only in unwound ones",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, inlined) },
	{ .long_name = "no-inline",
	  .help = "omit inlined functions",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, no_inline) },
	REPLAY_FILES_OPTS(offsetof(struct script_opts, files)),
	{ .long_name = "max-stack",
	  .arg = "N",
	  .help = "number of innermost functions of a callchain (127)",
	  .type = OPT_U64,
	  .off = offsetof(struct script_opts, max_stack),
	  .min = 1,
	  .max = STACK_MAX },
	{ .short_name = 'o',
	  .long_name = "output",
	  .arg = "FILE",
	  .help = "write to FILE (- is stdout); its suffix chooses the format",
	  .type = OPT_STR,
	  .off = offsetof(struct script_opts, output) },
	{ .long_name = "format",
	  .arg = "F",
	  .help = FORMAT_HELP(SCRIPT_FORMATS),
	  .type = OPT_STR,
	  .off = offsetof(struct script_opts, format) },
	{ .long_name = "binary",
	  .arg = "FILE",
	  .help = "autofdo, bolt: the program or library (that with most branches)",
	  .type = OPT_STR,
	  .off = offsetof(struct script_opts, binary) },
	ITRACE_OPT(offsetof(struct script_opts, itrace)),
	{ .short_name = 'D',
	  .long_name = "dump",
	  .help = "print every record in the order of the file, field by field",
	  .type = OPT_FLAG,
	  .off = offsetof(struct script_opts, dump) },
	OPT_END,
};

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
	if (!o->dump || !o->format)
		return 0;
	log_error("-D prints the fields of every record, --format %s samples; omit one of them",
		  o->format);
	return -EINVAL;
}

int script_opts__check(const struct script_opts *o, const struct sink_ops *ops)
{
	const char *option = o->fields || o->more || o->less ? "-F"
			     : o->nanoseconds                ? "--ns"
			     : o->is_relative                ? "--reltime"
			     : o->is_delta                   ? "--deltatime"
			     : o->no_callchain               ? "-G"
			     : o->inlined                    ? "--inline"
			     : script_events__any(&o->show)  ? "--show-*-events"
							     : NULL;

	if (o->binary && ops != &autofdo_sink && ops != &bolt_sink) {
		log_error("--binary is for --format autofdo and bolt; --dsos selects samples for "
			  "the others");
		return -EINVAL;
	}
	if (ops == &script_sink || !option)
		return check_dump(o);
	log_error("%s is for --format text; --format %s has all fields", option, ops->name);
	return -EINVAL;
}
