// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Explains why an event of record could not be opened. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "event/event.h"
#include "host/sysctl.h"
#include "perf/sampling_priv.h"
#include "perf/perf_fd.h"
#include "util/log.h"

/* Returns a thread among the targets that belongs to another user; 0: there is none. */
static pid_t find_foreign(const struct sampling_config *cfg)
{
	struct stat st;
	char path[32];
	size_t i;

	for (i = 0; i < cfg->tid_cnt; i++) {
		snprintf(path, sizeof(path), "/proc/%d", cfg->tids[i]);
		if (stat(path, &st) == 0 && st.st_uid != geteuid())
			return cfg->tids[i];
	}
	return 0;
}

static void explain_denied(const struct event *ev, const struct sampling_config *cfg)
{
	pid_t foreign = find_foreign(cfg);
	long paranoid = 0;

	/* No level of the sysctl allows it. */
	if (foreign) {
		log_error("you may not record %s of task %d, which belongs to another user; run as "
			  "that user, as root, or with CAP_PERFMON",
			  ev->name, foreign);
		return;
	}
	sysctl__perf_event_paranoid(&paranoid);
	log_error("you may not record %s%s; run as root, or with CAP_PERFMON, or with sysctl "
		  "kernel.perf_event_paranoid=-1 (it is %ld)",
		  ev->name, !cfg->tid_cnt ? " on whole CPUs" : "", paranoid);
}

static void explain_extras(const struct event *ev, const struct sampling_how *how)
{
	if (how->branches || how->lbr)
		log_error("%s cannot be recorded with branches here: this CPU has no branch "
			  "records, or the kernel does not support them; omit -b, -j, "
			  "--call-graph lbr and such terms of the event",
			  ev->name);
	else
		log_error("%s cannot be recorded with -d, -W or these modifiers here: its PMU "
			  "has no such fields",
			  ev->name);
}

void sampling_events__explain(const struct event *ev, const struct sampling_config *cfg, int cpu,
			      int err)
{
	const struct sampling_how mine = ev ? sampling_attr__how(ev, &cfg->how) : cfg->how;
	const struct sampling_how *how = &mine;
	struct perf_sampling rate = { .freq_hz = how->freq_hz, .period = how->period };

	if (!ev) {
		log_error("the kernel cannot report process events: %s", strerror(-err));
		return;
	}
	if (ev->sampling.freq_hz || ev->sampling.period)
		rate = (struct perf_sampling){ .freq_hz = ev->sampling.freq_hz,
					       .period = ev->sampling.period };
	if (err == -EACCES || err == -EPERM)
		explain_denied(ev, cfg);
	else if (cfg->cgroup_fd >= 0 && err == -EBADF)
		log_error("-G: perf cannot observe this control group; give a group of v2, or of "
			  "the controller perf_event");
	else if (how->use_clockid && err == -EINVAL)
		log_error("%s cannot be recorded with times of this clock (-k): it cannot be read "
			  "where the samples are taken; choose mono or mono_raw",
			  ev->name);
	else if ((err == -EOPNOTSUPP || err == -EINVAL) &&
		 (how->branches || how->lbr || (how->weight && err == -EOPNOTSUPP)))
		explain_extras(ev, how);
	else if (err == -EOVERFLOW)
		log_error("%s asks for deeper callchains than sysctl kernel.perf_event_max_stack "
			  "allows; raise it, or lower max-stack",
			  ev->name);
	else
		perf_fd__explain(ev, &rate, cpu, err);
}
