// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opt_rules.h"
#include "cmd/commands.h"
#include "cmd/list_match.h"
#include "event/event.h"
#include "event/names.h"
#include "event/event_suggest.h"
#include "event/pmu.h"
#include "event/probe_source.h"
#include "event/tracefs.h"
#include "perf/perf_probe.h"
#include "plan/host.h"
#include "plan/model_choice.h"
#include "probe/events.h"
#include "probe/place_text.h"
#include "sink/out.h"
#include "stat/metric_names.h"
#include "util/log.h"

struct list_opts {
	const char **globs; /* owned; the strings are argv's */
	size_t glob_cnt;
	const char *pmu; /* a model's name; NULL: this machine */
	bool json, raw_dump;
	struct opt_given given;
};

/* State of one run of the command. */
struct list {
	const struct list_opts *opts;
	struct out out;
	bool *matched; /* by glob: it matched something */
	const char *heading; /* heading of the section, until its first row is printed */
	int err; /* the first -errno for which events are missing from the list */
};

static bool is_wanted(struct list *list, const char *name, const char *kind)
{
	bool wanted = !list->opts->glob_cnt;
	size_t i;

	for (i = 0; i < list->opts->glob_cnt; i++) {
		if (!list_match__name(list->opts->globs[i], name, kind))
			continue;
		list->matched[i] = true;
		wanted = true;
	}
	return wanted;
}

/* Returns whether a row of this kind can match. Avoids reading names that cannot. */
static bool is_kind_wanted(const struct list *list, const char *kind)
{
	size_t i;

	for (i = 0; i < list->opts->glob_cnt; i++) {
		const char *glob = list->opts->globs[i], *word = list_match__kind(glob);

		if (word ? !strcmp(word, kind) : !strchr(glob, ':') || !strcmp(kind, "tracepoint"))
			return true;
	}
	return !list->opts->glob_cnt;
}

static void put_can(struct strbuf *sb, unsigned int can, const char *quote, const char *comma)
{
	static const char *const words[] = { "trace", "count", "sample" };
	const char *sep = "";
	size_t i;

	for (i = 0; i < 3; i++) {
		if (!(can & 1u << i))
			continue;
		strbuf__printf(sb, "%s%s%s%s", sep, quote, words[i], quote);
		sep = comma;
	}
}

static void put_row(struct list *list, const char *name, const char *kind, unsigned int can)
{
	struct strbuf *sb = &list->out.buf;

	if (list->opts->raw_dump) {
		strbuf__printf(sb, "%s ", name);
	} else if (list->opts->json) {
		strbuf__puts(sb, "{\"name\":");
		strbuf__put_json(sb, name, strlen(name));
		strbuf__printf(sb, ",\"kind\":\"%s\",\"can\":[", kind);
		put_can(sb, can, "\"", ",");
		strbuf__puts(sb, "]}\n");
	} else {
		if (list->heading && list->out.is_tty)
			strbuf__printf(sb, "%s:\n", list->heading);
		list->heading = NULL;
		strbuf__printf(sb, "%-46s  %-10s  ", name, kind);
		put_can(sb, can, "", " ");
		strbuf__puts(sb, can ? "\n" : "-\n");
	}
	out__commit(&list->out);
}

static void list_names(struct list *list, uint32_t type, enum event_kind kind,
		       const char *kind_name)
{
	const struct event_name *en;

	if (!is_kind_wanted(list, kind_name))
		return;
	for (en = event_names; en->name; en++) {
		struct event ev = { .kind = kind, .type = en->type, .config = en->config };
		const char *const names[] = { en->name, en->alias };
		unsigned int can = 0;
		size_t i;
		bool probed = false;

		for (i = 0; i < 2 && en->type == type; i++) {
			if (!names[i] || !is_wanted(list, names[i], kind_name))
				continue;
			/* The dummy can be opened, but it never counts. */
			if (!probed &&
			    (type != PERF_TYPE_SOFTWARE || en->config != PERF_COUNT_SW_DUMMY))
				can = perf_probe__event(&ev);
			probed = true;
			put_row(list, names[i], kind_name, can);
		}
	}
}

static void list_caches(struct list *list)
{
	char name[64];
	unsigned int i;

	if (!is_kind_wanted(list, "cache"))
		return;
	for (i = 0; !event_names__cache(i, name, sizeof(name)); i++) {
		struct event ev = { .config = 0 };

		if (is_wanted(list, name, "cache") &&
		    !event_names__lookup(name, &ev.kind, &ev.type, &ev.config))
			put_row(list, name, "cache", perf_probe__event(&ev));
	}
}

static void list_raw(struct list *list)
{
	struct event ev = { .kind = EVENT_HARDWARE,
			    .type = PERF_TYPE_HARDWARE,
			    .config = PERF_COUNT_HW_CPU_CYCLES };

	/* Raw codes are listed in the CPU's manual only; if cycles counts, they count as well. */
	if (is_kind_wanted(list, "raw") && is_wanted(list, "rNNN", "raw"))
		put_row(list, "rNNN", "raw", perf_probe__event(&ev));
}

/* Reports what the list lacks; err: 0 or -errno. What does not exist is not missing. */
static void note_missing(struct list *list, int err, const char *what)
{
	if (!err || err == -ENOENT)
		return;
	list->err = list->err ?: err;
	log_error("cannot list the events of %s: %s", what, strerror(-err));
}

static void list_pmu(struct list *list, const char *pmu_name)
{
	struct pmu *pmu = pmu__load(pmu_name);
	char **aliases = NULL;
	size_t cnt = 0, i;

	if (!pmu)
		note_missing(list, -errno, pmu_name);
	else
		note_missing(list, pmu__aliases(pmu_name, &aliases, &cnt), pmu_name);
	for (i = 0; i < cnt; i++) {
		struct event *ev = pmu_event__of_alias(pmu, aliases[i]);
		struct strbuf name = STRBUF_INIT;

		strbuf__printf(&name, "%s/%s/", pmu_name, aliases[i]);
		if (is_wanted(list, strbuf__cstr(&name), "pmu"))
			put_row(list, strbuf__cstr(&name), "pmu", ev ? perf_probe__event(ev) : 0);
		strbuf__free(&name);
		event__free(ev);
	}
	pmu__free_names(aliases, cnt);
	pmu__free(pmu);
}

static void list_pmus(struct list *list)
{
	char **names;
	size_t cnt, i;
	int err;

	if (!is_kind_wanted(list, "pmu"))
		return;
	err = pmu__names(&names, &cnt);
	if (err) {
		note_missing(list, err, "PMUs");
		return;
	}
	for (i = 0; i < cnt; i++)
		list_pmu(list, names[i]);
	pmu__free_names(names, cnt);
}

/* Also says whether this machine has some: of an address that this process has. */
static void list_breakpoints(struct list *list)
{
	static const char name[] = "mem:ADDR[/LEN][:rwx]";
	struct event ev = { .kind = EVENT_BREAKPOINT,
			    .type = PERF_TYPE_BREAKPOINT,
			    .config1 = (uintptr_t)&ev,
			    .config2 = HW_BREAKPOINT_LEN_1,
			    .bp_type = HW_BREAKPOINT_W,
			    .exclude_kernel = true,
			    .exclude_hv = true };

	if (is_kind_wanted(list, "breakpoint") && is_wanted(list, name, "breakpoint"))
		put_row(list, name, "breakpoint", perf_probe__event(&ev));
}

/* Functions are for record and stat alone; the kernel gives no other event of ftrace to perf. */
static void list_ftrace(struct list *list)
{
	unsigned int can = perf_probe__tracepoints() & ~(unsigned int)PERF_CAN_TRACE;

	if (tracefs__has_id("ftrace", "function") &&
	    is_wanted(list, "ftrace:function", "tracepoint"))
		put_row(list, "ftrace:function", "tracepoint", can);
	if (tracefs__has_id("ftrace", "print") && is_wanted(list, "ftrace:print", "tracepoint"))
		put_row(list, "ftrace:print", "tracepoint", 0);
}

static void list_tracepoints(struct list *list)
{
	char **names;
	size_t cnt, i;
	int err;

	err = tracefs__glob("*", "*", &names, &cnt);
	if (err) {
		note_missing(list, err, "tracefs");
		return;
	}
	list_ftrace(list);
	for (i = 0; i < cnt; i++)
		if (is_wanted(list, names[i], "tracepoint"))
			put_row(list, names[i], "tracepoint", perf_probe__tracepoints());
	tracefs__free_names(names, cnt);
}

static void put_probe(void *ctx, const char *name, const struct place *p)
{
	struct list *list = ctx;

	if (list->opts->json)
		place_text__put_json(p, name, &list->out.buf);
	else
		place_text__put(p, name, &list->out.buf);
	out__commit(&list->out);
}

/* Lists what the globs that name probes mean. Returns 0, or the exit status for an error. */
static int list_probes(struct list *list)
{
	size_t i;
	int err;

	for (i = 0; i < list->opts->glob_cnt; i++) {
		const char *glob = list->opts->globs[i];

		if (!probe_source__is_term(glob, strlen(glob)))
			continue;
		err = probe_events__each(glob, put_probe, list);
		if (err)
			return err == -ENOMEM ? EXIT_FAILED : EXIT_USAGE;
		list->matched[i] = true;
	}
	return EXIT_DONE;
}

static void put_metric(void *ctx, const char *name, bool is_group)
{
	const char *kind = is_group ? "metricgroup" : "metric";

	if (is_wanted(ctx, kind, kind))
		put_row(ctx, name, kind, PERF_CAN_COUNT);
}

/* These are no events, and are listed by `stat -M list`, too: only where they are asked for. */
static void list_metrics(struct list *list)
{
	if (list->opts->glob_cnt &&
	    (is_wanted(list, "metric", "metric") || is_wanted(list, "metricgroup", "metricgroup")))
		note_missing(list, metric_names__each(put_metric, list), "metrics");
}

static void list_all(struct list *list)
{
	char why[512];

	list->heading = "Hardware events";
	list_names(list, PERF_TYPE_HARDWARE, EVENT_HARDWARE, "hardware");
	list->heading = "Cache events";
	list_caches(list);
	list->heading = "Raw events, by the CPU's own code";
	list_raw(list);
	list->heading = "Software events";
	list_names(list, PERF_TYPE_SOFTWARE, EVENT_SOFTWARE, "software");
	list->heading = "Tool events, measured by bpfperf stat";
	list_names(list, EVENT_TYPE_TOOL, EVENT_TOOL, "tool");
	list->heading = "Events of the PMUs in sysfs";
	list_pmus(list);
	list->heading = "Metrics, printed by bpfperf stat -M";
	list_metrics(list);
	list->heading = "Breakpoints";
	list_breakpoints(list);
	list->heading = "Tracepoints";
	if (!is_kind_wanted(list, "tracepoint"))
		return;
	if (tracefs__check(why, sizeof(why)))
		log_warn("tracepoints are omitted: %s", why);
	else
		list_tracepoints(list);
}

/* A row of another CPU's event: its code and counters instead of uses. */
static void put_model_event(void *ctx, const char *name, uint64_t code, const char *counters)
{
	struct list *list = ctx;
	struct strbuf *sb = &list->out.buf;

	if (!is_wanted(list, name, "pmu"))
		return;
	if (list->opts->json) {
		strbuf__puts(sb, "{\"name\":");
		strbuf__put_json(sb, name, strlen(name));
		strbuf__printf(sb, ",\"kind\":\"pmu\",\"code\":\"0x%llx\",\"counters\":\"%s\"}\n",
			       (unsigned long long)code, counters);
	} else {
		strbuf__printf(sb, "%-46s  r%-9llx  %s\n", name, (unsigned long long)code,
			       counters);
	}
	out__commit(&list->out);
}

/* Lists the events of the CPU that --pmu names. Returns 0, or the exit status. */
static int list_model(struct list *list, const struct model *model)
{
	model_choice__use_names(model);
	if (model_choice__each_event(model, put_model_event, list)) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	model_choice__note_names(model);
	return EXIT_DONE;
}

/* The model that --pmu names, host for this machine's CPU. NULL: none; reported. */
static const struct model *find_model(const char *name)
{
	struct host host = { 0 };

	if (strcmp(name, "host"))
		return model_choice__find(name);
	if (host__find(&host) || !host.cpu)
		log_error("this machine's CPU is none of the models; `bpfperf explain --pmu list` "
			  "prints them");
	return host.cpu;
}

/* Returns 0, or the exit status for a glob without a match. */
static int check_matched(const struct list *list)
{
	char why[512];
	size_t i;

	for (i = 0; i < list->opts->glob_cnt; i++) {
		if (list->matched[i])
			continue;
		/* Without tracefs it is unknown whether there is such a tracepoint. */
		if (strchr(list->opts->globs[i], ':') && tracefs__check(why, sizeof(why)))
			return EXIT_FAILED;
		event_suggest__report(list->opts->globs[i]);
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

static bool has_only_probes(const struct list_opts *lo)
{
	size_t i;

	for (i = 0; i < lo->glob_cnt; i++)
		if (!probe_source__is_term(lo->globs[i], strlen(lo->globs[i])))
			return false;
	return lo->glob_cnt != 0;
}

static const struct opt_rule list_rules[] = {
	{ "raw-dump,json|pmu", NULL, "--raw-dump prints names alone; omit -j and --pmu" },
	{ NULL, NULL, NULL },
};

static int list__run(void *opts, int cmd_argc, char **cmd_argv)
{
	struct list list = { .opts = opts };
	const struct model *model = NULL;
	int status, err;

	if (opt_rules__check(list_rules, &list.opts->given, NULL)) {
		free(list.opts->globs);
		return EXIT_USAGE;
	}
	if (list.opts->pmu) {
		model = find_model(list.opts->pmu);
		if (!model) {
			free(list.opts->globs);
			return EXIT_USAGE;
		}
	}
	list.matched = calloc(list.opts->glob_cnt + 1, sizeof(*list.matched));
	if (!list.matched || out__open(&list.out, NULL)) {
		free(list.matched);
		return EXIT_FAILED;
	}
	status = model ? list_model(&list, model) : list_probes(&list);
	if (!status && !model && !has_only_probes(list.opts))
		list_all(&list);
	if (list.opts->raw_dump)
		strbuf__putc(&list.out.buf, '\n');
	err = out__close(&list.out);
	if (!status)
		status = check_matched(&list);
	/* A reader that closes the pipe early is no error. */
	if ((err && err != -EPIPE) || list.err)
		status = EXIT_FAILED;
	free(list.matched);
	free(list.opts->globs);
	return status;
}

static int add_glob(void *opts, const char *arg)
{
	struct list_opts *lo = opts;
	const char **moved = reallocarray(lo->globs, lo->glob_cnt + 1, sizeof(*moved));

	if (!moved)
		return -ENOMEM;
	lo->globs = moved;
	lo->globs[lo->glob_cnt++] = arg;
	return 0;
}

static const struct opt list_opt_table[] = {
	{ .long_name = "pmu",
	  .arg = "MODEL",
	  .help = "the events of a CPU, such as spr, zen4, graviton3, host, with their counters",
	  .type = OPT_STR,
	  .off = offsetof(struct list_opts, pmu) },
	{ .short_name = 'j',
	  .long_name = "json",
	  .help = "print one JSON object per line: name, kind, can",
	  .type = OPT_FLAG,
	  .off = offsetof(struct list_opts, json) },
	{ .long_name = "raw-dump",
	  .help = "print the names alone, in one line",
	  .type = OPT_FLAG,
	  .off = offsetof(struct list_opts, raw_dump) },
	OPT_END,
};

const struct command cmd_list = {
	.name = "list",
	.synopsis = "[OPTIONS] [GLOB…]",
	.summary = "Lists events that can be traced, counted and sampled on this machine.",
	.opts = list_opt_table,
	.opts_sz = sizeof(struct list_opts),
	.given_off = offsetof(struct list_opts, given),
	.rules = list_rules,
	.positional = add_glob,
	.run = list__run,
};
