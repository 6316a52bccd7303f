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
#include "cmd/stat_cmd.h"
#include "cmd/stat_open.h"
#include "cmd/stat_opts.h"
#include "cmd/stat_print.h"
#include "cmd/stat_run.h"
#include "sink/out.h"
#include "stat/stat.h"
#include "util/log.h"
#include "util/stop_signals.h"

static int open_output(struct stat_cmd *st)
{
	const struct stat_opts *o = st->opts;
	int err;

	if (o->log_fd) {
		st->out = (struct out){ .fd = (int)o->log_fd, .path = "the file of --log-fd" };
		if (fcntl(st->out.fd, F_GETFD) >= 0)
			return 0;
		log_error("--log-fd %d: there is no such open file", st->out.fd);
		return -EINVAL;
	}
	err = out__open(&st->out, o->common.output);
	if (err)
		return err;
	if (!o->append)
		out__begin(&st->out);
	else if (lseek(st->out.fd, 0, SEEK_END) < 0)
		log_warn("%s is written from its beginning: %s", st->out.path, strerror(errno));
	return 0;
}

/* The separator of the user's locale, without taking the rest of the locale on. */
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

static void set_style(struct stat_cmd *st)
{
	const struct stat_opts *o = st->opts;

	st->format = o->json ? &stat_json : o->sep ? &stat_csv : &stat_text;
	st->style = (struct stat_style){
		.sep = o->sep,
		.thousands = thousands(o),
		.intervals = o->interval_ms != 0,
		.run_cnt = (unsigned int)o->run_cnt,
		.apart = stat_opts__apart(o),
		.metric_only = o->metric_only,
	};
}

/* 'make -j4', process id '42', as perf stat's heading has it. */
static void name_whom(struct stat_cmd *st)
{
	const struct stat_opts *o = st->opts;
	struct strbuf *sb = &st->whom;
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
	} else if (st->argc) {
		for (i = 0; i < (size_t)st->argc; i++)
			strbuf__printf(sb, "%s%s", i ? " " : "'", st->argv[i]);
	} else if (o->common.targets.cpu_list) {
		strbuf__printf(sb, "'CPU(s) %s", o->common.targets.cpu_list);
	} else {
		strbuf__puts(sb, "'system wide");
	}
	strbuf__putc(sb, '\'');
}

/* Do the events give a metric at all? 0, or -EINVAL, and -ENOMEM. */
static int check_metrics(const struct stat_cmd *st)
{
	const struct event_list *events = &st->opts->events;
	struct stat_metric_column column;
	struct stat_row *rows;
	size_t i, cnt;

	if (!st->style.metric_only)
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

static void tell_reads(const struct stat_cmd *st)
{
	if (!st->opts->user_read)
		return;
	log_note("%llu reads in user space, %llu by read(2)%s%s",
		 (unsigned long long)st->reads.user, (unsigned long long)st->reads.by_read,
		 st->reads.why ? ": " : "", st->reads.why ? st->reads.why : "");
	if (!st->reads.user && !st->reads.by_read)
		log_note(
			"only counters of CPUs, outside of groups, are read in user space: give -a "
			"or -C");
}

static int run_all(struct stat_cmd *st)
{
	uint64_t i, runs;
	int err = 0, last;

	runs = st->opts->run_cnt * st->fit_cnt;
	st->is_kept_alive =
		runs > 1 && tp_keepalive__open(&st->keepalive, st->events, st->event_cnt);
	stat_print__begin(st);
	stop_signals__block();
	for (i = 0; i < runs && !err && !st->stopped; i++)
		err = stat_run__once(st, i % st->fit_cnt);
	stop_signals__unblock();
	/* Whom to count has ended between two runs. */
	if (err == -ESRCH && st->elapsed_s.n)
		err = 0;
	if (!err)
		err = stat_print__all(st);
	err = err ? err : st->read_err;
	tell_reads(st);
	last = out__close(&st->out);
	err = err ? err : last;
	/* The reader of a pipe that has seen enough is no failure. */
	return err == -EPIPE ? 0 : err;
}

static int exit_status(const struct stat_cmd *st)
{
	if (!st->argc || !st->ended_by_itself)
		return EXIT_DONE;
	return st->cmd_status;
}

static int cmd_stat_run(void *opts, int argc, char **argv)
{
	struct stat_opts *o = opts;
	struct stat_cmd st = { .opts = o, .argc = argc, .argv = argv };
	int status = EXIT_USAGE, err;

	err = stat_opts__check(o, argc > 0);
	if (!err)
		err = stat_opts__add_defaults(o, argc > 0);
	if (err)
		goto cleanup;
	name_whom(&st);
	set_style(&st);
	err = check_metrics(&st);
	if (!err)
		err = stat_open__prepare(&st);
	if (err == -ENOENT)
		err = -EINVAL;
	/* Early, so that nothing is overwritten for a mistyped name. */
	if (!err)
		err = argc ? workload__check(argv[0]) : 0;
	if (!err)
		err = open_output(&st);
	if (err) {
		status = err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
		goto cleanup;
	}
	status = run_all(&st) ? EXIT_FAILED : exit_status(&st);
cleanup:
	stat_run__free(&st);
	out__close(&st.out);
	strbuf__free(&st.whom);
	event_list__free(&o->events);
	targets__free(&o->common.targets);
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
