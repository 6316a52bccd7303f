// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/listing.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>

#include "event/event.h"
#include "event/names.h"
#include "event/pmu.h"
#include "event/tracefs.h"
#include "perf/perf_probe.h"
#include "run/listing_match.h"
#include "stat/metric_names.h"
#include "util/log.h"
#include "util/strbuf.h"

bool listing__wants(struct listing *l, const char *name, const char *kind)
{
	bool wanted = !l->glob_cnt;
	size_t i;

	for (i = 0; i < l->glob_cnt; i++) {
		if (!listing_match__name(l->globs[i], name, kind))
			continue;
		l->matched[i] = true;
		wanted = true;
	}
	return wanted;
}

/* Returns whether a row of this kind can match. Avoids reading names that cannot. */
static bool is_kind_wanted(const struct listing *l, const char *kind)
{
	size_t i;

	for (i = 0; i < l->glob_cnt; i++) {
		const char *glob = l->globs[i], *word = listing_match__kind(glob);

		if (word ? !strcmp(word, kind) : !strchr(glob, ':') || !strcmp(kind, "tracepoint"))
			return true;
	}
	return !l->glob_cnt;
}

/* Reports what the list lacks; err: 0 or -errno. What does not exist is not missing. */
static void note_missing(struct listing *l, int err, const char *what)
{
	if (!err || err == -ENOENT)
		return;
	l->err = l->err ?: err;
	log_error("cannot list the events of %s: %s", what, strerror(-err));
}

/* Reports that the kernel cannot be asked about an event; err: 0 or -errno. */
static void note_unasked(struct listing *l, int err, const char *what)
{
	if (!err)
		return;
	l->err = l->err ?: err;
	log_error("cannot find out what %s can do: %s", what, strerror(-err));
}

static unsigned int ask(struct listing *l, const struct event *ev, const char *name)
{
	int err = 0;
	unsigned int can = perf_probe__event(ev, &err);

	note_unasked(l, err, name);
	return can;
}

static void add_names(struct listing *l, uint32_t type, enum event_kind kind, const char *kind_name)
{
	const struct event_name *en;

	if (!is_kind_wanted(l, kind_name))
		return;
	for (en = event_names; en->name; en++) {
		struct event ev = { .kind = kind, .type = en->type, .config = en->config };
		const char *const names[] = { en->name, en->alias };
		unsigned int can = 0;
		size_t i;
		bool probed = false;

		for (i = 0; i < 2 && en->type == type; i++) {
			if (!names[i] || !listing__wants(l, names[i], kind_name))
				continue;
			/* The dummy can be opened, but it never counts. */
			if (!probed &&
			    (type != PERF_TYPE_SOFTWARE || en->config != PERF_COUNT_SW_DUMMY))
				can = ask(l, &ev, names[i]);
			probed = true;
			l->row(l, l->ctx, names[i], kind_name, can);
		}
	}
}

static void add_caches(struct listing *l)
{
	char name[64];
	unsigned int i;

	if (!is_kind_wanted(l, "cache"))
		return;
	for (i = 0; !event_names__cache(i, name, sizeof(name)); i++) {
		struct event ev = { .config = 0 };

		if (listing__wants(l, name, "cache") &&
		    !event_names__lookup(name, &ev.kind, &ev.type, &ev.config))
			l->row(l, l->ctx, name, "cache", ask(l, &ev, name));
	}
}

static void add_raw(struct listing *l)
{
	struct event ev = { .kind = EVENT_HARDWARE,
			    .type = PERF_TYPE_HARDWARE,
			    .config = PERF_COUNT_HW_CPU_CYCLES };

	/* Raw codes are listed in the CPU's manual only; if cycles counts, they count as well. */
	if (is_kind_wanted(l, "raw") && listing__wants(l, "rNNN", "raw"))
		l->row(l, l->ctx, "rNNN", "raw", ask(l, &ev, "rNNN"));
}

static void add_pmu(struct listing *l, const char *pmu_name)
{
	struct pmu *pmu = pmu__load(pmu_name);
	char **aliases = NULL;
	size_t cnt = 0, i;

	if (!pmu)
		note_missing(l, -errno, pmu_name);
	else
		note_missing(l, pmu__aliases(pmu_name, &aliases, &cnt), pmu_name);
	for (i = 0; i < cnt; i++) {
		struct event *ev = pmu_event__of_alias(pmu, aliases[i]);
		struct strbuf name = STRBUF_INIT;

		/* An alias with terms that the user must specify is listed, too. */
		if (!ev && errno != EINVAL)
			note_missing(l, -errno, pmu_name);
		strbuf__printf(&name, "%s/%s/", pmu_name, aliases[i]);
		if (listing__wants(l, strbuf__cstr(&name), "pmu"))
			l->row(l, l->ctx, strbuf__cstr(&name), "pmu",
			       ev ? ask(l, ev, strbuf__cstr(&name)) : 0);
		strbuf__free(&name);
		event__free(ev);
	}
	pmu__free_names(aliases, cnt);
	pmu__free(pmu);
}

static void add_pmus(struct listing *l)
{
	char **names;
	size_t cnt, i;
	int err;

	if (!is_kind_wanted(l, "pmu"))
		return;
	err = pmu__names(&names, &cnt);
	if (err) {
		note_missing(l, err, "PMUs");
		return;
	}
	for (i = 0; i < cnt; i++)
		add_pmu(l, names[i]);
	pmu__free_names(names, cnt);
}

/* Also says whether this machine has some: of an address that this process has. */
static void add_breakpoints(struct listing *l)
{
	static const char name[] = "mem:ADDR[/LEN][:rwx]";
	struct event ev = { .kind = EVENT_BREAKPOINT,
			    .type = PERF_TYPE_BREAKPOINT,
			    .config1 = (uintptr_t)&ev,
			    .config2 = HW_BREAKPOINT_LEN_1,
			    .bp_type = HW_BREAKPOINT_W,
			    .exclude_kernel = true,
			    .exclude_hv = true };

	if (is_kind_wanted(l, "breakpoint") && listing__wants(l, name, "breakpoint"))
		l->row(l, l->ctx, name, "breakpoint", ask(l, &ev, name));
}

/* Functions are for record and stat alone; the kernel gives no other event of ftrace to perf. */
static void add_ftrace(struct listing *l, unsigned int can)
{
	can &= ~(unsigned int)PERF_CAN_TRACE;

	if (tracefs__has_id("ftrace", "function") &&
	    listing__wants(l, "ftrace:function", "tracepoint"))
		l->row(l, l->ctx, "ftrace:function", "tracepoint", can);
	if (tracefs__has_id("ftrace", "print") && listing__wants(l, "ftrace:print", "tracepoint"))
		l->row(l, l->ctx, "ftrace:print", "tracepoint", 0);
}

static void add_tracepoints(struct listing *l)
{
	unsigned int can;
	char **names;
	size_t cnt, i;
	int err;

	err = tracefs__glob("*", "*", &names, &cnt);
	if (err) {
		/* It was there a moment ago. */
		note_missing(l, err == -ENOENT ? -EIO : err, "tracefs");
		return;
	}
	can = perf_probe__tracepoints(&err);
	note_unasked(l, err, "tracepoints");
	add_ftrace(l, can);
	for (i = 0; i < cnt; i++)
		if (listing__wants(l, names[i], "tracepoint"))
			l->row(l, l->ctx, names[i], "tracepoint", can);
	tracefs__free_names(names, cnt);
}

/* Is the kind asked for by its word? Marks the globs that are one. */
static bool is_kind_named(struct listing *l, const char *kind)
{
	bool is_named = false;
	size_t i;

	for (i = 0; i < l->glob_cnt; i++) {
		const char *word = listing_match__kind(l->globs[i]);

		if (!word || strcmp(word, kind))
			continue;
		l->matched[i] = true;
		is_named = true;
	}
	return is_named;
}

static void put_metric(void *ctx, const char *name, bool is_group)
{
	struct listing *l = ctx;
	const char *kind = is_group ? "metricgroup" : "metric";

	if (is_kind_named(l, kind))
		l->row(l, l->ctx, name, kind, PERF_CAN_COUNT);
}

/* These are no events, and are listed by `stat -M list`, too: only where they are asked for. */
static void add_metrics(struct listing *l)
{
	bool wants_metrics = is_kind_named(l, "metric");

	if (is_kind_named(l, "metricgroup") || wants_metrics)
		note_missing(l, metric_names__each(put_metric, l), "metrics");
}

void listing__run(struct listing *l)
{
	char why[512];

	l->heading = "Hardware events";
	add_names(l, PERF_TYPE_HARDWARE, EVENT_HARDWARE, "hardware");
	l->heading = "Cache events";
	add_caches(l);
	l->heading = "Raw events, by the CPU's own code";
	add_raw(l);
	l->heading = "Software events";
	add_names(l, PERF_TYPE_SOFTWARE, EVENT_SOFTWARE, "software");
	l->heading = "Tool events, measured by bpfperf stat";
	add_names(l, EVENT_TYPE_TOOL, EVENT_TOOL, "tool");
	l->heading = "Events of the PMUs in sysfs";
	add_pmus(l);
	l->heading = "Metrics, printed by bpfperf stat -M";
	add_metrics(l);
	l->heading = "Breakpoints";
	add_breakpoints(l);
	l->heading = "Tracepoints";
	if (!is_kind_wanted(l, "tracepoint"))
		return;
	if (tracefs__check(why, sizeof(why)))
		log_warn("tracepoints are omitted: %s", why);
	else
		add_tracepoints(l);
}
