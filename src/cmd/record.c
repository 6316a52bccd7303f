// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpfperf record: samples of perf events into a file that perf reads, too. */
#include <errno.h>

#include "cmd/commands.h"
#include "cmd/record_opts.h"
#include "cmd/record_unwound.h"
#include "kernel/limits.h"
#include "run/recorder.h"
#include "util/log.h"

static struct recorder_config recorder_config(struct record_opts *o, bool has_cmd)
{
	return (struct recorder_config){
		.events = &o->events,
		.how = record_opts__how(o),
		.targets = &o->common.targets,
		.of_cmd = record_opts__of_cmd(o, has_cmd) || (o->per_thread && has_cmd),
		.whole_cpus = record_opts__whole_cpus(o, has_cmd),
		.per_thread = o->per_thread,
		.no_inherit = o->no_inherit,
		.is_paused = o->is_paused,
		.no_synthesis = o->more.no_synthesis,
		.timed_name = o->more.timed_name,
		.max_files = o->more.max_files,
		.max_samples = o->more.max_events,
		.triggers = o->more.triggers.cnt ? &o->more.triggers : NULL,
		.control = o->more.control.is_given ? &o->more.control : NULL,
		.delay_ms = o->delay_ms,
		.ranges = o->ranges,
		.range_cnt = o->range_cnt,
		.duration_ns = o->common.duration_ns,
		.cmd_user = o->common.cmd_user,
		.max_sz = o->max_sz,
		.output = o->common.output,
		.zstd = o->zstd,
		.zstd_level = (int)o->zstd_level,
		.switch_output = o->switch_output,
		.snapshot = o->snapshot,
		.snapshot_sz = o->snapshot_sz,
		.ring_sz = o->common.ring_sz,
		.aux_sz = o->aux_sz,
		.quiet = o->quiet,
	};
}

static int record__exit_status(int err, int cmd_status)
{
	if (err)
		return err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
	return cmd_status;
}

static int cmd_record_run(void *opts, int argc, char **argv)
{
	struct record_opts *o = opts;
	struct recorder_config cfg;
	int status, err, cmd_status = 0;

	if (o->more.is_verbose)
		log__set_verbosity(log__verbosity() + 1);
	record_unwound__choose(o);
	err = record_opts__check(o, argc > 0);
	if (!err && o->more.realtime)
		err = record_more__set_realtime(&o->more);
	if (!err && o->more.dry_run) {
		status = EXIT_DONE;
	} else if (err) {
		status = err == -ENOMEM || err == -EPERM ? EXIT_FAILED : EXIT_USAGE;
	} else if (o->unwind != UNWIND_KERNEL) {
		status = record_unwound(o, argc, argv);
	} else {
		limits__raise_files();
		cfg = recorder_config(o, argc > 0);
		err = recorder__run(&cfg, argc, argv, &cmd_status);
		status = record__exit_status(err, cmd_status);
	}
	recorder_control__close(&o->more.control);
	event_list__free(&o->events);
	event_list__free(&o->more.triggers);
	common_opts__free(&o->common);
	return status;
}

const struct command cmd_record = {
	.name = "record",
	.synopsis = "[OPTIONS] [-e EVENT,...] [[--] CMD ARG...]",
	.summary = "Records samples into a file: perf.data.",
	.opts = record_opts,
	.opts_sz = sizeof(struct record_opts),
	.given_off = offsetof(struct record_opts, common.given),
	.rules = record_rules,
	.explain = record_more__explain,
	.positional_is_cmd = 1,
	.takes_cmd = 1,
	.run = cmd_record_run,
};
