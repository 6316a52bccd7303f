// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/stat_probes.h"

#include <errno.h>
#include <stdlib.h>

#include "run/stat_run.h"
#include "session/count_session.h"
#include "target/targets.h"
#include "util/log.h"

/* Perf events of probes: the kernel releases them one after the other, in 0.02 to 0.2 s each. */
#define BY_PERF_MAX 200

/* The option that needs perf events for probes; NULL: none. */
static const char *option_of_perf(const struct stat_run_config *cfg)
{
	if (cfg->aggr == STAT_BY_THREAD)
		return "--per-thread";
	if (cfg->no_inherit)
		return "--no-inherit";
	if (cfg->user_read)
		return "--user-read";
	if (cfg->cgroups)
		return "--for-each-cgroup";
	return cfg->fit ? "--fit" : cfg->targets->has_uid ? "-u" : NULL;
}

/* Does the kernel count threads and children of tasks with them? */
static bool follows(const struct stat_run_config *cfg)
{
	return !cfg->by_cpu && !cfg->no_inherit && !cfg->user_read;
}

static int check_rest(size_t cnt, const char *option, const struct stat_run_config *cfg)
{
	if (cnt && follows(cfg))
		log_warn("probes%s%s are counted in the threads that exist at the start alone: the "
			 "kernel does not let children inherit them; use bpfperf trace --count",
			 option ? " with " : "", option ?: "");
	if (cnt <= BY_PERF_MAX)
		return 0;
	log_error("%zu functions are too many for perf events%s%s, of which the kernel needs 0.2 s "
		  "to release each: name %d at most, or use bpfperf trace --count",
		  cnt, option ? ", by which they are counted with " : "", option ?: "",
		  BY_PERF_MAX);
	return -EINVAL;
}

int stat_probes__choose(struct stat_probes *sp, const struct event *const *events, size_t cnt,
			const struct stat_run_config *cfg)
{
	const char *option = option_of_perf(cfg);
	size_t rest = 0, i;

	sp->is_counted = calloc(cnt + 1, sizeof(*sp->is_counted));
	sp->at = calloc(cnt + 1, sizeof(*sp->at));
	sp->list.events = calloc(cnt + 1, sizeof(struct event *));
	if (!sp->is_counted || !sp->at || !sp->list.events)
		return -ENOMEM;
	for (i = 0; i < cnt; i++) {
		if (!events[i]->probe)
			continue;
		if (events[i]->group >= 0 && follows(cfg)) {
			log_error("%s is in a group, which the kernel does not let children "
				  "inherit: count it outside of {…}, or give --no-inherit or -a",
				  events[i]->name);
			return -EINVAL;
		}
		if (option || events[i]->group >= 0 || !count_session__can(events[i])) {
			rest++;
			continue;
		}
		sp->is_counted[i] = true;
		sp->at[i] = sp->list.cnt;
		sp->list.events[sp->list.cnt++] = (struct event *)events[i];
	}
	if (sp->list.cnt)
		log_info("%zu probes counted by BPF, %zu by perf events", sp->list.cnt, rest);
	return check_rest(rest, option, cfg);
}

int stat_probes__open(struct stat_probes *sp, const struct stat_run_config *cfg, pid_t cmd_pid)
{
	const struct count_config how = {
		.events = &sp->list,
		.targets = cfg->targets,
		.by_task = !cfg->by_cpu,
		.cmd_pid = cfg->of_cmd ? cmd_pid : 0,
	};

	if (!sp->list.cnt)
		return 0;
	sp->session = count_session__open(&how);
	return sp->session ? 0 : -errno;
}

static uint64_t value(void *ctx, size_t event, int cpu)
{
	const struct stat_probes *sp = ctx;

	return count_session__hits(sp->session, sp->at[event], cpu);
}

struct counter_source stat_probes__source(struct stat_probes *sp)
{
	return (struct counter_source){ sp->is_counted, sp->session ? value : NULL, sp };
}

void stat_probes__switch(struct stat_probes *sp, bool on)
{
	if (sp->session)
		count_session__switch(sp->session, on);
}

void stat_probes__close(struct stat_probes *sp)
{
	uint64_t missed = sp->session ? count_session__missed(sp->session) : 0;

	if (missed)
		log_warn("%llu hits of functions, of all tasks, are not counted: another program "
			 "of BPF was running on the CPU",
			 (unsigned long long)missed);
	count_session__free(sp->session);
	sp->session = NULL;
}

void stat_probes__free(struct stat_probes *sp)
{
	stat_probes__close(sp);
	free(sp->is_counted);
	free(sp->at);
	free(sp->list.events);
	*sp = (struct stat_probes){ NULL };
}
