// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/event.h"
#include "reader/reader.h"
#include "run/recorder_file.h"
#include "run/recorder_loop.h"
#include "run/recorder_rings.h"
#include "run/recorder_trigger.h"
#include "source/kernel_rings.h"
#include "session/prog_sync.h"
#include "run/ring_sizes.h"
#include "perf/cpu_watch.h"
#include "perf/sampling.h"
#include "target/cgroup.h"
#include "target/targets.h"
#include "target/threads.h"
#include "run/workload.h"
#include "util/err.h"
#include "util/fs.h"
#include "util/log.h"
#include "util/stop_signals.h"

struct recorder {
	const struct recorder_config *cfg;
	int argc;
	char **argv;
	struct workload workload;
	struct threads threads; /* threads to open events for; none: all tasks */
	struct threads processes; /* synthesized at the beginning of a file */
	int cgroup_fd;
	struct ring_sizes sizes;
	struct sampling_events *sampling;
	struct kernel_rings rings;
	struct recorder_file file;
	struct recorder_trigger trigger;
	struct cpu_watch watch; /* with whole_cpus */
	char **own_argv; /* for the file; the first element owns the text of all */
};

static int find_threads(struct recorder *rc)
{
	const struct targets *t = rc->cfg->targets;
	int err;

	if (rc->cfg->whole_cpus)
		return 0;
	if (rc->cfg->of_cmd)
		err = threads__add(&rc->threads, rc->workload.pid);
	else if (t->has_uid)
		err = threads__add_all(&rc->threads, &t->uid, t->include_self ? 0 : getpid());
	else
		err = threads__add_targets(&rc->threads, t);
	if (!err && !rc->threads.cnt) {
		log_error("there is no thread to record: all targets have exited");
		return -ESRCH;
	}
	return err ? err : threads__processes(&rc->threads, &rc->processes);
}

static bool reads_group(const struct event *ev)
{
	return ev->read_group;
}

static bool is_probe(const struct event *ev)
{
	return ev->probe;
}

static int open_events(struct recorder *rc)
{
	const struct recorder_config *o = rc->cfg;
	const struct targets *t = o->targets;
	struct sampling_config cfg = {
		.events = o->events,
		.how = o->how,
		.cgroup_fd = rc->cgroup_fd,
		.start = o->of_cmd && !o->delay_ms && !o->is_paused ? SAMPLING_ON_EXEC
								    : SAMPLING_STOPPED,
	};
	int *cpus = NULL, err;

	err = find_threads(rc);
	if (err)
		return err;
	cfg.tids = rc->threads.tids;
	cfg.tid_cnt = rc->threads.cnt;
	/* Rings of threads cannot take records of the threads that they start. */
	cfg.noinherit_cnt = rc->threads.noinherit_cnt;
	cfg.inherit = cfg.tid_cnt > cfg.noinherit_cnt && !o->per_thread && !o->no_inherit;
	if (!o->per_thread || t->cpus)
		err = targets__resolve_cpus(t, &cpus, &cfg.cpu_cnt);
	cfg.cpus = cpus;
	if (cfg.inherit && event_list__any(o->events, is_probe) && !o->quiet)
		log_warn("functions as events are recorded in the threads that exist at the start "
			 "alone: the kernel does not let children inherit them; use -a, or bpfperf "
			 "trace -o FILE.data");
	if (cfg.inherit && event_list__any(o->events, reads_group) && !o->quiet)
		log_note("groups with :S are sampled in the threads that exist at the start alone: "
			 "the kernel does not read groups that children inherit");
	rc->sizes = ring_sizes__choose(cfg.cpu_cnt ? cfg.cpu_cnt : cfg.tid_cnt, o->ring_sz,
				       o->aux_sz, o->snapshot_sz);
	cfg.ring_sz = rc->sizes.ring;
	cfg.track_ring_sz = rc->sizes.track;
	cfg.aux_sz = rc->sizes.aux;
	if (!err)
		err = sampling_events__open(&rc->sampling, &cfg);
	if (!err && o->triggers)
		err = recorder_trigger__open(&rc->trigger, o->triggers, &cfg);
	/* On one CPU alone the events are perf's, one for one. */
	if (!err && o->whole_cpus && cfg.cpu_cnt > 1)
		cpu_watch__open(&rc->watch, cpus, cfg.cpu_cnt);
	free(cpus);
	return err;
}

static bool has_aux(const struct sampling_events *c)
{
	size_t i, cnt = 0;

	for (i = 0; i < c->set.cnt; i++)
		cnt += c->set.events[i].has_aux;
	return cnt;
}

/* The dummy, which is the last; the kernel may have refused parts of its attr. */
static const struct evsel *tracking_event(const struct sampling_events *sampling)
{
	return &sampling->set.events[sampling->set.cnt - 1];
}

static int open_rings(struct recorder *rc)
{
	const struct recorder_config *o = rc->cfg;
	struct kernel_rings_config cfg = {
		.ring_sz = rc->sizes.ring,
		.track_ring_sz = rc->sizes.track,
		.aux_sz = rc->sizes.aux,
		.overwrite = o->how.overwrite,
		/* Samples take the newest bytes, and the reader of the rings takes none. */
		.snapshot = o->snapshot || o->how.aux_sample_sz,
		.no_build_ids = !tracking_event(rc->sampling)->attr.build_id,
		.settle = prog_sync__all_cpus,
	};
	struct kernel_ring_event *events;
	int err;

	if (o->snapshot && !has_aux(rc->sampling)) {
		log_error("-S takes snapshots of AUX areas, and none of these events has one; "
			  "--overwrite works with all other events");
		return -EINVAL;
	}
	events = recorder_rings__events(rc->sampling, &cfg.event_cnt);
	if (!events)
		return -ENOMEM;
	cfg.events = events;
	err = kernel_rings__open(&rc->rings, &cfg);
	free(events);
	return err;
}

static char **own_argv(void)
{
	size_t len, i, cnt = 0;
	char *text = fs__read_file("/proc/self/cmdline", &len), **argv;

	for (i = 0; text && i < len; i++)
		cnt += !text[i];
	argv = calloc(cnt + 1, sizeof(*argv));
	for (i = cnt = 0; argv && text && i < len; i += strlen(text + i) + 1)
		argv[cnt++] = text + i;
	if (!argv)
		free(text);
	return argv;
}

static int make_file(struct recorder *rc)
{
	rc->own_argv = own_argv();
	rc->file = (struct recorder_file){
		.cfg = rc->cfg,
		.sampling = rc->sampling,
		.argv = rc->own_argv,
		.whole_cpus = !rc->threads.cnt,
		.pids = rc->processes.tids,
		.pid_cnt = rc->processes.cnt,
		.cmd_pid = rc->workload.pid,
		.rings = &rc->rings,
	};
	return recorder_file__start_worker(&rc->file);
}

static int recorder__open(struct recorder *rc)
{
	const struct targets *t = rc->cfg->targets;
	int err;

	rc->workload.user = rc->cfg->cmd_user;
	rc->workload.to_stderr = !strcmp(rc->cfg->output, "-");
	err = rc->argc ? workload__prepare(&rc->workload, rc->argv) : 0;
	if (!err && t->cgroup) {
		rc->cgroup_fd = cgroup__open_dir(t->cgroup);
		err = rc->cgroup_fd < 0 ? rc->cgroup_fd : 0;
	}
	if (!err)
		err = open_events(rc);
	if (!err)
		err = open_rings(rc);
	if (!err)
		err = make_file(rc);
	/*
	 * The writer's thread, shared by all files, exists; the previous recording still has its
	 * name.
	 */
	if (!err)
		err = sampling_events__filter(rc->sampling, t->include_self);
	return err ? err : recorder_file__begin(&rc->file);
}

static int recorder__record(struct recorder *rc)
{
	struct recorder_loop loop = {
		.cfg = rc->cfg,
		.sampling = rc->sampling,
		.rings = &rc->rings,
		.file = &rc->file,
		.workload = &rc->workload,
		.trigger = &rc->trigger,
	};
	int err, last;

	err = recorder_loop__run(&loop);
	sampling_events__disable(rc->sampling);
	reader__hurry();
	if (!rc->cfg->quiet)
		cpu_watch__report(&rc->watch);
	/* After a failed switch there is no file for the rest. */
	last = rc->file.w ? recorder_loop__finish(&loop) : 0;
	return err__keep_first(err, last);
}

/* Returns the number of samples that found no room, by the kernel's count if it has one. */
static uint64_t lost_samples(const struct recorder *rc, const struct perf_ring_counts *seen)
{
	uint64_t lost = 0;
	size_t i;

	if (!rc->sampling->counts_lost || rc->cfg->how.overwrite)
		return seen->lost;
	for (i = 0; i + 1 < rc->sampling->set.cnt; i++)
		lost += sampling_events__lost(rc->sampling, i);
	return lost > seen->lost ? lost : seen->lost;
}

static void log_aux(const struct recorder *rc, const struct perf_ring_counts *seen)
{
	log_note("AUX: %llu bytes in %llu pieces; %llu truncated, %llu with collisions, %llu "
		 "partial",
		 (unsigned long long)kernel_rings__aux_bytes(&rc->rings),
		 (unsigned long long)seen->aux_records, (unsigned long long)seen->aux_truncated,
		 (unsigned long long)seen->aux_collisions, (unsigned long long)seen->aux_partial);
	if (seen->aux_truncated)
		log_note("AUX data was truncated for lack of room: give a larger -m ,PAGES");
}

static void log_summary(const struct recorder *rc, uint64_t lost)
{
	struct perf_ring_counts data = kernel_rings__counts(&rc->rings, false);
	struct perf_ring_counts track = kernel_rings__counts(&rc->rings, true);

	if (rc->cfg->quiet)
		return;
	log_note("%llu samples, %llu lost; %.3f MB in %s", (unsigned long long)data.samples,
		 (unsigned long long)lost, (double)recorder_file__written(&rc->file) / 1e6,
		 strcmp(rc->file.name, "-") == 0 ? "the pipe" : rc->file.name);
	if (lost && rc->cfg->how.overwrite)
		log_note("samples were lost because they came during a dump, which pauses the "
			 "rings: give a smaller -m");
	else if (lost)
		log_note("samples were lost because rings were full: give a larger -m");
	if (track.lost)
		log_note("%llu records of processes were lost: some samples may have no names",
			 (unsigned long long)track.lost);
	if (data.throttled)
		log_note("the kernel throttled sampling %llu times; give a lower -F",
			 (unsigned long long)data.throttled);
	if (kernel_rings__aux_page(&rc->rings))
		log_aux(rc, &data);
}

/* Ends the file, also after an error: the recorded part is kept. */
static int recorder__end(struct recorder *rc, int err)
{
	struct perf_ring_counts seen = kernel_rings__counts(&rc->rings, false);
	uint64_t lost = lost_samples(rc, &seen);
	int last = 0;

	/* After a failed switch there is no file. */
	if (!rc->file.w)
		return err;
	if (lost > seen.lost)
		last = recorder_file__write_lost(&rc->file, lost - seen.lost);
	if (!last)
		last = recorder_file__end(&rc->file,
					  rc->cfg->switch_output.on || rc->cfg->timed_name);
	if (!last)
		log_summary(rc, lost);
	return err__keep_first(err, last);
}

static void recorder__free(struct recorder *rc)
{
	recorder_file__free(&rc->file);
	recorder_trigger__free(&rc->trigger);
	kernel_rings__free(&rc->rings);
	sampling_events__free(rc->sampling);
	cpu_watch__close(&rc->watch);
	if (rc->cgroup_fd >= 0)
		close(rc->cgroup_fd);
	threads__free(&rc->threads);
	threads__free(&rc->processes);
	workload__free(&rc->workload);
	if (rc->own_argv)
		free(rc->own_argv[0]);
	free(rc->own_argv);
}

int recorder__run(const struct recorder_config *cfg, int argc, char **argv, int *status)
{
	struct recorder rc = {
		.cfg = cfg, .argc = argc, .argv = argv, .cgroup_fd = -1, .workload = WORKLOAD_INIT
	};
	int err;

	stop_signals__block();
	stop_signals__block_usr2();
	err = recorder__open(&rc);
	if (!err) {
		err = recorder__record(&rc);
		stop_signals__unblock();
		err = recorder__end(&rc, err);
		/* The command line is not at fault any more, which -EINVAL would mean. */
		if (err == -EINVAL)
			err = -EIO;
	}
	*status = workload__exit_status(&rc.workload);
	recorder__free(&rc);
	/* A pipe's reader that exits early is no failure. */
	return err == -EPIPE ? 0 : err;
}
