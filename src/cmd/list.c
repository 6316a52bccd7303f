// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opt_rules.h"
#include "cmd/commands.h"
#include "event/event.h"
#include "event/event_suggest.h"
#include "event/probe_source.h"
#include "event/tracefs.h"
#include "kernel/hit_cost.h"
#include "perf/perf_probe.h"
#include "plan/model_choice.h"
#include "probe/events.h"
#include "probe/place_text.h"
#include "run/listing.h"
#include "sink/out.h"
#include "stat/host_machine.h"
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
	struct listing events;
	bool is_measured[2]; /* hits, by in_kernel */
	struct hit_costs hits[2];
};

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

static void put_row(struct listing *l, void *ctx, const char *name, const char *kind,
		    unsigned int can)
{
	struct list *list = ctx;
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
		if (l->heading && list->out.is_tty)
			strbuf__printf(sb, "%s:\n", l->heading);
		l->heading = NULL;
		strbuf__printf(sb, "%-46s  %-10s  ", name, kind);
		put_can(sb, can, "", " ");
		strbuf__puts(sb, can ? "\n" : "-\n");
	}
	out__commit(&list->out);
}

/* The costs of hits of all classes here, of programs or of the kernel. */
static void measure_hits(struct list *list, bool in_kernel)
{
	struct hit_meter meter;

	if (list->is_measured[in_kernel])
		return;
	list->is_measured[in_kernel] = true;
	hit_meter__open(&meter, !in_kernel, in_kernel);
	hit_meter__measure(&meter, ~0u, false, &list->hits[in_kernel]);
	hit_meter__close(&meter);
}

static void put_probe(void *ctx, const char *name, const struct place *p)
{
	const bool in_kernel = p->hit == HIT_KERNEL;
	struct list *list = ctx;
	uint32_t ns;

	measure_hits(list, in_kernel);
	ns = list->hits[in_kernel].ns[p->hit];
	if (list->opts->json)
		place_text__put_json(p, name, ns, &list->out.buf);
	else
		place_text__put(p, name, ns, &list->out.buf);
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
		list->events.matched[i] = true;
	}
	return EXIT_DONE;
}

/* A row of another CPU's event: its code and counters instead of uses. */
static void put_model_event(void *ctx, const char *name, uint64_t code, const char *counters)
{
	struct list *list = ctx;
	struct strbuf *sb = &list->out.buf;

	if (!listing__wants(&list->events, name, "pmu"))
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
	model_choice__note_nameless(model);
	return EXIT_DONE;
}

/* The model that --pmu names, host for this machine's CPU. NULL: none; reported. */
static const struct model *find_model(const char *name)
{
	const struct model *model;

	if (strcmp(name, "host"))
		return model_choice__find(name);
	model = host_machine__cpu();
	if (!model)
		log_error("this machine's CPU is none of the models; `bpfperf explain --pmu list` "
			  "prints them");
	return model;
}

/* Returns 0, or the exit status for a glob without a match. */
static int check_matched(const struct list *list)
{
	char why[512];
	size_t i;

	for (i = 0; i < list->opts->glob_cnt; i++) {
		if (list->events.matched[i])
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
	list.events = (struct listing){
		.globs = list.opts->globs,
		.glob_cnt = list.opts->glob_cnt,
		.matched = calloc(list.opts->glob_cnt + 1, sizeof(bool)),
		.ctx = &list,
		.row = put_row,
	};
	if (!list.events.matched || out__open(&list.out, NULL)) {
		free(list.events.matched);
		return EXIT_FAILED;
	}
	status = model ? list_model(&list, model) : list_probes(&list);
	if (!status && !model && !has_only_probes(list.opts))
		listing__run(&list.events);
	if (list.opts->raw_dump)
		strbuf__putc(&list.out.buf, '\n');
	err = out__close(&list.out);
	if (!status)
		status = check_matched(&list);
	/* A reader that closes the pipe early is no error. */
	if ((err && err != -EPIPE) || list.events.err)
		status = EXIT_FAILED;
	free(list.events.matched);
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
