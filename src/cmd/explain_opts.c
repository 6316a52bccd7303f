// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/explain_opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opt.h"
#include "util/log.h"

static const char *const choices[] = {
	[CHOICE_DEFAULT] = "", [CHOICE_OFF] = "off", [CHOICE_ON] = "on", NULL
};

static int add_spec(void *at, const char *arg)
{
	struct spec_list *list = at;

	if (list->cnt == SPECS_MAX) {
		log_error("events are given more than %d times; put them into one list", SPECS_MAX);
		return -EINVAL;
	}
	list->specs[list->cnt++] = arg;
	return 0;
}

int explain_opts__positional(void *opts, const char *arg)
{
	return add_spec(&((struct explain_opts *)opts)->events, arg);
}

/* Parses on, off, or the counter that the watchdog occupies. */
static int set_watchdog(void *opts, const char *arg)
{
	struct explain_opts *eo = opts;

	if (!strncasecmp(arg, "pmc", 3) && arg[3] >= '0' && arg[3] <= '9') {
		char *end;
		unsigned long n = strtoul(arg + 3, &end, 10);

		if (!*end && n < COUNTER_FIXED) {
			eo->watchdog = CHOICE_ON;
			eo->watchdog_counter = (int)n + 1;
			return 0;
		}
	}
	if (strcmp(arg, "on") && strcmp(arg, "off"))
		return log_error(
			       "--nmi-watchdog %s: give on, off, or the general counter it is on, such as PMC3",
			       arg),
		       -EINVAL;
	eo->watchdog = strcmp(arg, "on") ? CHOICE_OFF : CHOICE_ON;
	return 0;
}

/* Adds the counters of "0,2" to a mask; `option` is for the message. */
static int add_counters(uint64_t *mask, const char *option, const char *arg)
{
	const char *p = arg;
	char *end;

	for (; *p >= '0' && *p <= '9'; p = end + 1) {
		unsigned long n = strtoul(p, &end, 10);

		if (n >= COUNTER_FIXED)
			break;
		*mask |= COUNTER_BIT(n);
		if (!*end)
			return 0;
		if (*end != ',')
			break;
	}
	log_error("--%s %s: give numbers of general counters, as in 2 or 0,2", option, arg);
	return -EINVAL;
}

static int set_sibling(void *at, const char *arg)
{
	return add_counters(at, "sibling", arg);
}

static int set_sibling_other(void *at, const char *arg)
{
	return add_counters(at, "sibling-other", arg);
}

static int set_northbridge(void *at, const char *arg)
{
	return add_counters(at, "northbridge", arg);
}

static int set_sibling_offcore(void *opts, const char *arg)
{
	struct explain_opts *eo = opts;
	const char *p = arg;
	char *end;

	for (eo->sibling_offcore_cnt = 0; eo->sibling_offcore_cnt < 2; p = end + 1) {
		if (*p < '0' || *p > '9')
			break;
		eo->sibling_offcore[eo->sibling_offcore_cnt++] = strtoull(p, &end, 0);
		if (!*end)
			return 0;
		if (*end != ',')
			break;
	}
	log_error("--sibling-offcore %s: give one or two values of offcore_rsp, as in 0x10001",
		  arg);
	return -EINVAL;
}

static int set_percent(uint64_t *plus_1, const char *option, const char *arg)
{
	char *end;
	unsigned long val = strtoul(arg, &end, 10);

	if (end == arg || *end || *arg == '-' || val > 100) {
		log_error("--%s %s: give a percentage from 0 to 100", option, arg);
		return -EINVAL;
	}
	*plus_1 = val + 1;
	return 0;
}

static int set_busy(void *at, const char *arg)
{
	return set_percent(at, "busy", arg);
}

static int set_sibling_busy(void *at, const char *arg)
{
	return set_percent(at, "sibling-busy", arg);
}

#define AT(member) offsetof(struct explain_opts, member)

const struct opt explain_opt_table[] = {
	{ 'e', "event", "EVENT,...", "explain these events, with groups {a,b} and modifiers",
	  OPT_CALL, AT(events), 0, 0, add_spec, NULL },
	{ 0, "cpu-event", "EVENT,...", "events that somebody counts on the CPU at the time",
	  OPT_CALL, AT(cpu_events), 0, 0, add_spec, NULL },
	{ 0, "disabled", "EVENT,...", "events of -e and --cpu-event that stay disabled", OPT_CALL,
	  AT(disabled), 0, 0, add_spec, NULL },
	{ 0, "pmu", "MODEL",
	  "host (default), a model such as spr, zen4, graviton3, or list to print all models",
	  OPT_STR, AT(pmu), 0, 0, NULL, NULL },
	{ .long_name = "ht",
	  .arg = "on|off",
	  .help = "hyper-threading: the core has a second thread",
	  .type = OPT_CHOICE,
	  .off = AT(ht),
	  .choices = choices },
	{ 0, "nmi-watchdog", "on|off|PMCn",
	  "the NMI watchdog occupies a counter; PMCn: this counter", OPT_CALL, 0, 0, 0,
	  set_watchdog, NULL },
	{ 0, "kernel", "X.Y", "schedule as this kernel does; X.Y-rcN is accepted", OPT_STR,
	  AT(kernel), 0, 0, NULL, NULL },
	{ .long_name = "tfa",
	  .arg = "on|off",
	  .help = "Skylake: the kernel reserves PMC3 for TSX",
	  .type = OPT_CHOICE,
	  .off = AT(tfa),
	  .choices = choices },
	{ .long_name = "amd-brs",
	  .arg = "on|off",
	  .help = "family 15h: the kernel is built with CONFIG_PERF_EVENTS_AMD_BRS",
	  .type = OPT_CHOICE,
	  .off = AT(brs),
	  .choices = choices },
	{ .long_name = "tsx",
	  .arg = "on|off",
	  .help = "the CPU has transactions, so in_tx and in_tx_cp mean something",
	  .type = OPT_CHOICE,
	  .off = AT(tsx),
	  .choices = choices },
	{ 0, "sibling", "N,...", "counters on which the other thread counts events 0xd0-0xd3",
	  OPT_CALL, AT(sibling), 0, 0, set_sibling, NULL },
	{ 0, "sibling-other", "N,...", "counters on which the other thread counts other events",
	  OPT_CALL, AT(sibling_other), 0, 0, set_sibling_other, NULL },
	{ 0, "sibling-offcore", "VAL,...", "the other thread's values in shared off-core registers",
	  OPT_CALL, 0, 0, 0, set_sibling_offcore, NULL },
	{ 0, "sibling-busy", "PCT", "share of the time that the other thread counts them (100)",
	  OPT_CALL, AT(sibling_busy_plus_1), 0, 0, set_sibling_busy, NULL },
	{ 0, "northbridge", "N,...", "counters that other cores use for northbridge events",
	  OPT_CALL, AT(northbridge), 0, 0, set_northbridge, NULL },
	{ 0, "mux-interval", "MS", "interval between turns: the PMU's perf_event_mux_interval_ms",
	  OPT_U64, AT(mux_ms), 1, 86400000, NULL, NULL },
	{ 0, "record", NULL,
	  "the events are sampled, as record does: precise ones (:p) are allowed", OPT_FLAG,
	  AT(record), 0, 0, NULL, NULL },
	{ 'a', "all-cpus", NULL, "open the events for CPUs, not for a task", OPT_FLAG, AT(all_cpus),
	  0, 0, NULL, NULL },
	{ 0, "run-ms", "MS", "duration of the run; by default percentages are those of a long run",
	  OPT_U64, AT(run_ms), 1, 86400000, NULL, NULL },
	{ 0, "busy", "PCT", "share of the run that the task is on a CPU; 0: a moment at each end",
	  OPT_CALL, AT(busy_plus_1), 0, 0, set_busy, NULL },
	{ 0, "burst-ms", "MS", "with --busy: average time that the task runs at once (1)", OPT_U64,
	  AT(burst_ms), 1, 3600000, NULL, NULL },
	{ 'j', "json", NULL, "print one JSON object", OPT_FLAG, AT(json), 0, 0, NULL, NULL },
	OPT_END,
};

const struct opt_rule explain_rules[] = {
	{ "cpu-event,all-cpus", NULL,
	  "-a opens all events for CPUs; give them with -e, without --cpu-event" },
	{ "sibling-busy", "sibling|sibling-other|sibling-offcore",
	  "--sibling-busy is how long the other thread counts what --sibling, --sibling-other and "
	  "--sibling-offcore say; give one of them" },
	{ "burst-ms", "busy",
	  "--burst-ms is the time that a sleeping task runs at once; give --busy, too" },
	{ NULL, NULL, NULL },
};
