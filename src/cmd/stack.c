// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>
#include <stdio.h>

#include "cmd/commands.h"
#include "cmd/stack_opts.h"
#include "export/schema.h"
#include "kernel/bpf_error.h"
#include "kernel/limits.h"
#include "run/live_run.h"
#include "run/sampler_output.h"
#include "machine/machine.h"
#include "util/log.h"
#include "util/stop_signals.h"

static int exit_status(int err)
{
	return err == -EINVAL ? EXIT_USAGE : err ? EXIT_FAILED : EXIT_DONE;
}

/* -i: prints a saved profile in another format. 0, -EINVAL, or another -errno (logged). */
static int convert_profile(struct stack_opts *o)
{
	struct live_run run = { .workload = WORKLOAD_INIT };
	int err = 0;

	run.machine = machine__new(NULL);
	if (!run.machine) {
		log_error("out of memory");
		err = -ENOMEM;
	}
	stop_signals__catch();
	if (!err)
		err = sampler_output__open(&run, &o->sampler, NULL);
	if (!err)
		err = sampler_output__convert(&run, o->input);
	live_run__close(&run);
	return err;
}

static int print_schema(void)
{
	struct strbuf sb = STRBUF_INIT;
	int status;

	schema__put(&sb);
	status = fputs(strbuf__cstr(&sb), stdout) < 0 || fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
	strbuf__free(&sb);
	return status;
}

static int cmd_stack_run(void *opts, int argc, char **argv)
{
	struct stack_opts *o = opts;
	struct sampler_result res;
	int status = EXIT_USAGE;

	if (o->schema)
		return print_schema();
	bpf_error__init();
	limits__raise_files();
	if (!stack_opts__check(o, argc))
		status = exit_status(o->input ? convert_profile(o)
					      : sampler__run(&o->sampler, argc, argv, &res));
	event_list__free(&o->sampler.events);
	common_opts__free(&o->common);
	return status;
}

const struct command cmd_stack = {
	.name = "stack",
	.synopsis = "[OPTIONS] [EVENT] [-- CMD ARG...]",
	.summary = "Shows where time goes, by call stack.",
	.opts = stack_opts,
	.opts_sz = sizeof(struct stack_opts),
	.given_off = offsetof(struct stack_opts, common.given),
	.rules = stack_rules,
	.positional = stack_opts__event,
	.explain = stack_opts__explain,
	.takes_cmd = 1,
	.run = cmd_stack_run,
};
