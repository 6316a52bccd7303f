// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "cmd/stat_opts.h"
#include "export/stat_store.h"
#include "kernel/bpf_error.h"
#include "run/stat_run.h"
#include "sink/stat_printer.h"
#include "stat/hybrid.h"
#include "stat/stat.h"
#include "util/err.h"
#include "util/log.h"

static int open_output(struct stat_printer *p, const struct stat_opts *o)
{
	int err;

	if (o->log_fd) {
		p->out = (struct out){ .fd = (int)o->log_fd, .path = "the file of --log-fd" };
		if (fcntl(p->out.fd, F_GETFD) >= 0)
			return 0;
		log_error("--log-fd %d: there is no such open file", p->out.fd);
		return -EINVAL;
	}
	err = out__open(&p->out, o->common.output);
	if (err)
		return err;
	if (!o->append)
		out__begin(&p->out);
	else if (lseek(p->out.fd, 0, SEEK_END) < 0)
		log_warn("%s is written from its beginning: %s", p->out.path, strerror(errno));
	return 0;
}

/* Returns the thousands separator of the user's locale, without switching to the locale. */
static const char *thousands(const struct stat_opts *o)
{
	static char sep[16];
	locale_t loc;

	if (o->no_big_num)
		return "";
	loc = newlocale(LC_NUMERIC_MASK, "", (locale_t)0);
	if (!loc)
		return "";
	snprintf(sep, sizeof(sep), "%s", nl_langinfo_l(THOUSEP, loc));
	freelocale(loc);
	return sep;
}

static void set_style(struct stat_printer *p, const struct stat_opts *o)
{
	const struct targets *t = &o->common.targets;

	p->format = stat_format__find(o->json ? "json" : o->sep ? "csv" : "text");
	p->style = (struct stat_style){
		.sep = o->sep,
		.thousands = thousands(o),
		.intervals = o->interval_ms != 0,
		.names_summary = !o->no_csv_summary,
		.run_cnt = (unsigned int)o->run_cnt,
		.apart = stat_opts__apart(o),
		.metric_only = o->metric_only,
		.has_cgroups = o->cgroups.of_event != NULL,
		.with_reasons = log__verbosity() > 0,
	};
	p->counted_only = o->per_thread && !t->pid_cnt && !t->tid_cnt;
}

/* Puts 'make -j4' or process id '42', in the form of perf stat's heading. */
static void put_target_text(struct strbuf *sb, const struct stat_opts *o, int argc, char **argv)
{
	size_t i;

	if (o->common.targets.all_cpus) {
		strbuf__puts(sb, "'system wide");
	} else if (o->common.targets.pid_cnt) {
		strbuf__printf(sb, "process id '%s", o->common.targets.pid_list);
	} else if (o->common.targets.tid_cnt) {
		strbuf__printf(sb, "thread id '%s", o->common.targets.tid_list);
	} else if (o->common.targets.has_uid) {
		strbuf__printf(sb, "user id '%u", o->common.targets.uid);
	} else if (o->common.targets.cgroup) {
		strbuf__printf(sb, "cgroup '%s", o->common.targets.cgroup);
	} else if (argc) {
		for (i = 0; i < (size_t)argc; i++)
			strbuf__printf(sb, "%s%s", i ? " " : "'", argv[i]);
	} else if (o->common.targets.cpu_list) {
		strbuf__printf(sb, "'CPU(s) %s", o->common.targets.cpu_list);
	} else {
		strbuf__puts(sb, "'system wide");
	}
	strbuf__putc(sb, '\'');
}

/* With --metric-only: checks that the events have metrics. 0, -EINVAL (logged), or -ENOMEM. */
static int check_metrics(const struct stat_opts *o)
{
	const struct event_list *events = &o->events;
	struct stat_metric_column column;
	struct stat_row *rows;
	size_t i, cnt;

	if (o->metric_only && o->metric_set.cnt > STAT_METRIC_COLUMNS) {
		log_error(
			"--metric-only has %d columns, and %zu metrics are wanted; give fewer, or "
			"omit --metric-only",
			STAT_METRIC_COLUMNS, o->metric_set.cnt);
		return -EINVAL;
	}
	if (!o->metric_only || o->metric_set.cnt)
		return 0;
	rows = calloc(events->cnt + 1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	for (i = 0; i < events->cnt; i++)
		rows[i] = (struct stat_row){ .ev = events->events[i],
					     .name = events->events[i]->name };
	cnt = stat_metric__columns(rows, events->cnt, &column, 1);
	free(rows);
	if (cnt)
		return 0;
	log_error("--metric-only: these events give no metric; omit --metric-only, or count events "
		  "that give one, such as cycles,instructions");
	return -EINVAL;
}

static void log_reads(const struct stat_run *st)
{
	if (!st->cfg->user_read)
		return;
	log_note("%llu reads in user space, %llu by read(2)%s%s",
		 (unsigned long long)st->reads.user, (unsigned long long)st->reads.by_read,
		 st->reads.why ? ": " : "", st->reads.why ? st->reads.why : "");
	if (!st->reads.user && !st->reads.by_read)
		log_note(
			"only counters of CPUs, outside of groups, are read in user space: give -a "
			"or -C");
}

static struct stat_run_config run_config(struct stat_opts *o, const char *target_text, bool has_cmd)
{
	return (struct stat_run_config){
		.events = o->cgroups.of_event ? &o->cgroups.events : &o->events,
		.cgroups = o->cgroups.of_event,
		.targets = &o->common.targets,
		.target_text = target_text,
		.of_cmd = stat_opts__of_cmd(o, has_cmd),
		.by_cpu = stat_opts__by_cpu(o, has_cmd),
		.no_inherit = o->no_inherit,
		.no_scale = o->no_scale,
		.user_read = o->user_read,
		.fit = o->fit,
		.metrics = o->metric_set.cnt ? &o->metric_set : NULL,
		.aggr = stat_opts__apart(o),
		.cache_level = o->cache_level,
		.run_cnt = o->run_cnt,
		.has_table = o->table,
		.forever = o->forever,
		.pre = o->pre,
		.post = o->post,
		.control = o->control.is_given ? &o->control : NULL,
		.is_paused = o->is_paused,
		.interval_ms = o->interval_ms,
		.interval_cnt = o->interval_cnt,
		.has_summary = o->summary,
		.delay_ms = o->delay_ms,
		.duration_ns = o->common.duration_ns,
		.cmd_user = o->common.cmd_user,
	};
}

/* Does everything that can fail before counting. 0 or -errno (logged). */
static int stat__open(struct stat_run *st, const struct stat_run_config *cfg,
		      struct stat_printer *p, const struct stat_opts *o, int argc, char **argv)
{
	int err = check_metrics(o);

	if (!err)
		err = stat_run__open(st, cfg, argc, argv);
	if (err == -ENOENT)
		err = -EINVAL;
	/* CMD is looked up before the output is opened, so that a mistyped name empties no file. */
	if (!err)
		err = argc ? workload__check(argv[0], o->common.cmd_user) : 0;
	return err ? err : open_output(p, o);
}

/* Runs to the end. Returns the exit status. */
static int stat__run(struct stat_run *st, struct stat_printer *p)
{
	int err = stat_run__go(st, p), last;

	log_reads(st);
	last = out__close(&p->out);
	err = err__keep_first(err, last);
	/* A pipe's reader that exits early is no failure. */
	if (err && err != -EPIPE)
		return EXIT_FAILED;
	return st->argc && st->cmd_has_exited ? st->cmd_status : EXIT_DONE;
}

static int cmd_stat_run(void *opts, int argc, char **argv)
{
	struct stat_opts *o = opts;
	struct stat_printer printer = { 0 };
	struct stat_run_config cfg;
	struct stat_run st = { 0 };
	struct series store = SERIES_INIT;
	struct strbuf target_text = STRBUF_INIT;
	int status = EXIT_USAGE, err;

	bpf_error__init();
	err = stat_opts__check(o, argc > 0);
	if (!err && o->group)
		err = event_list__join(&o->events);
	if (!err)
		err = stat_opts__add_defaults(o, argc > 0);
	if (!err)
		err = stat_hybrid__expand(&o->events);
	if (!err)
		err = stat_opts__add_metrics(o, argc > 0);
	if (err > 0)
		status = EXIT_DONE;
	stat_opts__set_modes(o);
	if (!err)
		err = stat_opts__spread(o);
	if (!err)
		err = series__check(&o->export, STORE_COUNTS);
	if (err)
		goto cleanup;
	put_target_text(&target_text, o, argc, argv);
	cfg = run_config(o, strbuf__cstr(&target_text), argc > 0);
	set_style(&printer, o);
	err = stat__open(&st, &cfg, &printer, o, argc, argv);
	if (!err && o->export.url) {
		stat_store__connect(&store, &printer);
		err = series__open(&store, &o->export, STORE_COUNTS);
	}
	if (err)
		status = err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
	else
		status = stat__run(&st, &printer);
cleanup:
	stat_run__free(&st);
	series__close(&store);
	out__close(&printer.out);
	strbuf__free(&target_text);
	stat_cgroups__free(&o->cgroups);
	recorder_control__close(&o->control);
	metric_set__free(&o->metric_set);
	strbuf__free(&o->metrics);
	event_list__free(&o->events);
	common_opts__free(&o->common);
	return status;
}

const struct command cmd_stat = {
	.name = "stat",
	.synopsis = "[OPTIONS] [-e EVENT,...] [[--] CMD ARG...]",
	.summary = "Counts events: per run, interval, CPU or thread.",
	.opts = stat_opts,
	.opts_sz = sizeof(struct stat_opts),
	.given_off = offsetof(struct stat_opts, common.given),
	.rules = stat_rules,
	.positional_is_cmd = 1,
	.takes_cmd = 1,
	.run = cmd_stat_run,
};
