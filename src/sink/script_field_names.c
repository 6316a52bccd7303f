// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_field_names.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "sink/script.h"
#include "util/log.h"

static const struct {
	const char *name;
	uint64_t field;
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
	      { "brstack", SCRIPT_BRSTACK },
	      { "brstacksym", SCRIPT_BRSTACKSYM },
	      { "brstackoff", SCRIPT_BRSTACKOFF },
	      { "brstackinsn", SCRIPT_BRSTACKINSN },
	      { "brstackinsnlen", SCRIPT_BRSTACKINSN_LEN },
	      { "callindent", SCRIPT_CALLINDENT },
	      { "srcline", SCRIPT_SRCLINE },
	      { "srccode", SCRIPT_SRCCODE },
	      { "synth", SCRIPT_SYNTH },
	      { "bpf-output", SCRIPT_BPF_OUTPUT },
	      { "tod", SCRIPT_TOD } };

/* Fields of perf that are not printed, and where the same is found. */
static const struct {
	const char *name, *instead;
} refused[] = {
	{ "ipc", "cycles of a trace are used for its times alone; brstackinsn has the cycles of "
		 "branch stacks" },
	{ "metric", "stat -M counts metrics; record has no groups of them" },
	{ "disasm", "insn has the bytes of an instruction, and report --annotate its text" },
	{ "brstackdisasm", "brstackinsn has the bytes of the instructions" },
};

/* Logs why there is no field of this name. */
static void log_unknown(const char *name, int len)
{
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		if (strlen(refused[i].name) != (size_t)len || memcmp(refused[i].name, name, len))
			continue;
		log_error("-F %s: not printed: %s", refused[i].name, refused[i].instead);
		return;
	}
	log_error("-F %.*s: there is no such field; choose from " SCRIPT_FIELD_NAMES, len, name);
}

/* The type before a colon; SCRIPT_TYPES: there is none. -EINVAL: logged. */
static int parse_type(const char **arg)
{
	static const char *const names[SCRIPT_TYPES] = {
		[PERF_TYPE_HARDWARE] = "hw",      [PERF_TYPE_SOFTWARE] = "sw",
		[PERF_TYPE_TRACEPOINT] = "trace", [PERF_TYPE_RAW] = "raw",
		[PERF_TYPE_BREAKPOINT] = "break", [PERF_TYPE_SYNTH] = "synth",
	};
	size_t len = strcspn(*arg, ":,");
	int i;

	if ((*arg)[len] != ':')
		return SCRIPT_TYPES;
	for (i = 0; i < SCRIPT_TYPES; i++)
		if (names[i] && strlen(names[i]) == len && !memcmp(names[i], *arg, len))
			break;
	if (i == SCRIPT_TYPES) {
		log_error("-F %s: there is no such type of events; choose from hw, sw, trace, "
			  "raw, break and synth",
			  *arg);
		return -EINVAL;
	}
	*arg += len + 1;
	return i;
}

static uint64_t find_field(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i].name) == len && !memcmp(known[i].name, name, len))
			return known[i].field;
	log_unknown(name, (int)len);
	return 0;
}

/* Adds the fields of a list, or changes, to a part. 0, or -EINVAL, logged. */
static int parse_fields(struct script_part *part, const char *arg)
{
	const char *first = arg;
	bool is_list = false, has_changes = false;
	uint64_t *set, field;
	size_t len;

	for (; *arg; arg += len + (arg[len] == ',')) {
		set = *arg == '+' ? &part->more : *arg == '-' ? &part->less : &part->fields;
		is_list |= set == &part->fields;
		has_changes |= set != &part->fields;
		arg += set != &part->fields;
		len = strcspn(arg, ",");
		field = find_field(arg, len);
		if (!field)
			return -EINVAL;
		*set |= field;
	}
	if (is_list && has_changes) {
		log_error("-F %s: give a list of fields, or fields with + or - before each to "
			  "change the default",
			  first);
		return -EINVAL;
	}
	if ((part->fields | part->more) & SCRIPT_LINES &&
	    ((part->fields && !(part->fields & SCRIPT_IP)) || part->less & SCRIPT_IP)) {
		log_error("-F %s: %s is the line of ip; add ip", first,
			  (part->fields | part->more) & SCRIPT_SRCLINE ? "srcline" : "srccode");
		return -EINVAL;
	}
	return 0;
}

/* The fields of one type of events: those of all types, changed, or others. */
static int parse_of_type(struct script_choice *to, int type, const char *arg)
{
	struct script_part *part = &to->types[type];
	int err;

	if (*arg != '+' && *arg != '-')
		*part = (struct script_part){ 0 };
	else if (!to->has_type[type])
		*part = to->all;
	to->has_type[type] = true;
	err = parse_fields(part, arg);
	if (err || type == PERF_TYPE_TRACEPOINT || !((part->fields | part->more) & SCRIPT_TRACE))
		return err;
	log_error("-F %s: trace is the record of a tracepoint; give it with trace: or without a "
		  "type",
		  arg);
	return -EINVAL;
}

int script_field_names__parse(void *choice, const char *arg)
{
	struct script_choice *to = choice;
	int type = parse_type(&arg), err, i;

	if (type < 0)
		return type;
	if (type < SCRIPT_TYPES)
		return parse_of_type(to, type, arg);
	/* Changes are added to those of an option before. */
	if (*arg != '+' && *arg != '-')
		*to = (struct script_choice){ 0 };
	err = parse_fields(&to->all, arg);
	for (i = 0; i < SCRIPT_TYPES && !err; i++)
		if (to->has_type[i])
			err = parse_fields(&to->types[i], arg);
	if (err || script_part__is_set(&to->all))
		return err;
	log_error("-F needs a field: " SCRIPT_FIELD_NAMES);
	return -EINVAL;
}
