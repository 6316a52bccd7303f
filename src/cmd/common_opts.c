// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/common_opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/event.h"
#include "kernel/bpf_error.h"
#include "kernel/kernel_btf.h"
#include "probe/events.h"
#include "run/cmd_user.h"
#include "run/workload.h"
#include "sink/sink.h"
#include "util/log.h"

int common_opts__btf(const char *path)
{
	/* Before libbpf logs anything. */
	bpf_error__init();
	return kernel_btf__use(path);
}

/* A mistake in the list is reported when the option is handled. */
static void see_pids(const char *list)
{
	probe_events__of_process((pid_t)strtol(list, NULL, 10));
}

void common_opts__probes(void)
{
	probe_events__enable();
	command__peek(common_opts__pids, see_pids);
}

int common_opts__event(struct event_list *events, const char *arg)
{
	int err = event_list__add(events, arg);

	if ((err == -ENOENT || err == -EINVAL) && !workload__find(arg))
		log_note("%s is a program; to run it, put it after --, as in -- %s", arg, arg);
	return err;
}

int common_opts__cpus(void *opts, const char *arg)
{
	struct common_opts *o = opts;

	return targets__set_cpus(&o->targets, arg);
}

int common_opts__pids(void *opts, const char *arg)
{
	struct common_opts *o = opts;

	return targets__add_pids(&o->targets, arg);
}

int common_opts__tids(void *opts, const char *arg)
{
	struct common_opts *o = opts;

	return targets__add_tids(&o->targets, arg);
}

int common_opts__uid(void *opts, const char *arg)
{
	struct common_opts *o = opts;

	return targets__set_uid(&o->targets, arg);
}

int common_opts__as_user(void *opts, const char *arg)
{
	struct common_opts *o = opts;

	cmd_user__free(o->cmd_user);
	return cmd_user__find(&o->cmd_user, arg);
}

void common_opts__free(struct common_opts *o)
{
	targets__free(&o->targets);
	cmd_user__free(o->cmd_user);
}

/* Parses pages, or bytes with a suffix, like perf; rounds up to a power of two of pages. */
int common_opts__ring_sz(void *opts, const char *arg)
{
	struct common_opts *o = opts;
	size_t page = (size_t)sysconf(_SC_PAGESIZE), unit = page, sz = page;
	unsigned long long val;
	char *end;

	errno = 0;
	val = strtoull(arg, &end, 10);
	if (*end && !end[1] && strchr("BbKkMmGg", *end)) {
		unit = *end == 'B' || *end == 'b'   ? 1
		       : *end == 'K' || *end == 'k' ? 1u << 10
		       : *end == 'M' || *end == 'm' ? 1u << 20
						    : 1u << 30;
		end++;
	}
	if (errno || end == arg || *end || arg[0] == '-' || !val || val > (1ull << 30) / unit) {
		log_error("-m %s: give a number of pages, or a size such as 512K or 8M, of at "
			  "most 1G",
			  arg);
		return -EINVAL;
	}
	while (sz < val * unit)
		sz *= 2;
	o->ring_sz = sz;
	return 0;
}

int common_opts__zstd(void *opts, const char *arg)
{
	struct common_opts *o = opts;
	char *end;
	long level;

	if (arg && *arg == '=')
		arg++;
	level = arg ? strtol(arg, &end, 10) : 1;
	if (arg && (end == arg || *end || level < 1 || level > 22)) {
		log_error("-z %s: give a zstd level from 1 to 22; without a number it is 1", arg);
		return -EINVAL;
	}
	o->zstd_level = (int)level;
	return 0;
}

bool common_opts__is_binary_stdout(const struct common_opts *o, const struct sink_ops *ops)
{
	return ops->is_binary && (!o->output || !strcmp(o->output, "-"));
}

int common_opts__check_output(const struct common_opts *o, const struct sink_ops *ops)
{
	if (o->zstd_level && strcmp(ops->name, "perf")) {
		log_error(
			"-z compresses recordings; give --format perf or -o FILE.data, or omit -z");
		return -EINVAL;
	}
	if (common_opts__is_binary_stdout(o, ops) && isatty(STDOUT_FILENO)) {
		log_error("--format %s is binary, and stdout is a terminal; give -o FILE%s",
			  ops->name, ops->suffix);
		return -EINVAL;
	}
	return 0;
}
