// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/explain.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "stat/host_machine.h"
#include "event/event.h"
#include "plan/pmc_names.h"
#include "plan/host.h"
#include "plan/model_choice.h"
#include "plan/quirks.h"
#include "sink/out.h"
#include "util/log.h"

#define SPECS_MAX 64

/* on, off, or the machine's setting */
enum choice { CHOICE_DEFAULT, CHOICE_OFF, CHOICE_ON };
static const char *const choices[] = {
	[CHOICE_DEFAULT] = "", [CHOICE_OFF] = "off", [CHOICE_ON] = "on", NULL
};

struct explain_opts {
	const char *specs[SPECS_MAX];
	size_t spec_cnt;
	const char *pmu;
	const char *kernel;
	enum choice ht, watchdog, tfa;
	int watchdog_counter; /* the counter + 1, so that 0 is none */
	uint64_t sibling;
	uint64_t run_ms;
	uint64_t burst_ms;
	uint64_t busy_plus_1; /* percent + 1; 0: not given */
	bool all_cpus;
	bool json;
};

static int add_spec(void *opts, const char *arg)
{
	struct explain_opts *eo = opts;

	if (eo->spec_cnt == SPECS_MAX) {
		log_error("-e is given more than %d times; put the events into one list",
			  SPECS_MAX);
		return -EINVAL;
	}
	eo->specs[eo->spec_cnt++] = arg;
	return 0;
}

/* Parses on, off, or the counter that the watchdog occupies. */
static int set_watchdog(void *opts, const char *arg)
{
	struct explain_opts *eo = opts;

	if (!strncasecmp(arg, "pmc", 3) && arg[3] >= '0' && arg[3] <= '7' && !arg[4]) {
		eo->watchdog = CHOICE_ON;
		eo->watchdog_counter = arg[3] - '0' + 1;
		return 0;
	}
	if (strcmp(arg, "on") && strcmp(arg, "off"))
		return log_error(
			       "--nmi-watchdog %s: give on, off, or the counter it is on, PMC0 to PMC7",
			       arg),
		       -EINVAL;
	eo->watchdog = strcmp(arg, "on") ? CHOICE_OFF : CHOICE_ON;
	return 0;
}

static int set_sibling(void *opts, const char *arg)
{
	struct explain_opts *eo = opts;
	const char *p;

	for (p = arg; *p >= '0' && *p <= '7'; p += 2) {
		eo->sibling |= 1ull << (*p - '0');
		if (!p[1])
			return 0;
		if (p[1] != ',')
			break;
	}
	log_error("--sibling %s: give the general counters, 0 to 7, as in 2 or 0,2", arg);
	return -EINVAL;
}

static int set_busy(void *opts, const char *arg)
{
	struct explain_opts *eo = opts;
	char *end;
	unsigned long val = strtoul(arg, &end, 10);

	if (end == arg || *end || *arg == '-' || val > 100) {
		log_error("--busy %s: give a percentage from 0 to 100", arg);
		return -EINVAL;
	}
	eo->busy_plus_1 = val + 1;
	return 0;
}

/* Describes the host. 0, or an exit status. */
static int use_host(struct plan_machine *machine)
{
	struct host host;
	int err = host_machine__describe(&host, machine);

	if (!err)
		return EXIT_DONE;
	if (err == -ENODEV)
		log_error(
			"this machine has no PMU for the CPU's own events, like most virtual "
			"machines; name a model, such as --pmu spr or --pmu zen4: --pmu list prints "
			"all");
	else
		log_error("the number of counters of the PMU %s cannot be determined (%s); run as "
			  "root, or name a model: --pmu list prints all",
			  host.pmu, strerror(-err));
	return EXIT_FAILED;
}

/* Describes a model by name. 0, or an exit status. */
static int use_model(const char *name, struct plan_machine *machine)
{
	machine->model = model_choice__find(name);
	if (!machine->model)
		return EXIT_USAGE;
	machine->kernel = host__kernel();
	machine->ht = machine->model->general != machine->model->general_ht_off;
	machine->watchdog = machine->model->has_watchdog;
	model_choice__use_names(machine->model);
	return EXIT_DONE;
}

static bool chosen(enum choice choice, bool otherwise)
{
	return choice == CHOICE_DEFAULT ? otherwise : choice == CHOICE_ON;
}

/* Prepares the machine that the options describe. 0, or an exit status. */
static int set_up(const struct explain_opts *eo, struct plan_machine *machine)
{
	int status;

	*machine = (struct plan_machine){ .watchdog_counter = eo->watchdog_counter - 1,
					  .sibling_corrupting = eo->sibling };
	if (!eo->pmu || !strcmp(eo->pmu, "host"))
		status = use_host(machine);
	else
		status = use_model(eo->pmu, machine);
	if (status)
		return status;
	if (eo->kernel && kernel__parse(eo->kernel, &machine->kernel)) {
		log_error("--kernel %s: give a version such as 6.1, 4.1-rc3 or 2.6.32", eo->kernel);
		return EXIT_USAGE;
	}
	machine->ht = chosen(eo->ht, machine->ht);
	machine->ht_counters &= eo->ht == CHOICE_DEFAULT;
	machine->watchdog = chosen(eo->watchdog, machine->watchdog);
	machine->tfa = chosen(eo->tfa, machine->tfa);
	if (machine->watchdog_counter >= 0 &&
	    !(quirks__general(machine) & COUNTER_BIT(machine->watchdog_counter))) {
		log_error("--nmi-watchdog PMC%d: there are only %d general counters",
			  machine->watchdog_counter,
			  __builtin_popcountll(quirks__general(machine)));
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

/* Returns whether some group was without counters for a part of the time. */
static bool any_waits(const struct explanation *ex)
{
	size_t i;

	for (i = 0; i < ex->plan.group_cnt; i++)
		if (ex->sim.groups[i].failed_ns || ex->sim.groups[i].behind_ns)
			return true;
	return false;
}

/* Plans the events, simulates them and finds better groups. 0, or an exit status. */
static int explain__fill(const struct explain_opts *eo, const struct plan_machine *machine,
			 const struct event_list *list, struct explanation *ex)
{
	struct sim_run run = { .run_ns = eo->run_ms * 1000000,
			       .burst_ns = eo->burst_ms * 1000000,
			       .busy = 1 };

	if (eo->busy_plus_1)
		run.busy = (double)(eo->busy_plus_1 - 1) / 100;
	plan__init(&ex->plan, machine);
	if (plan__add_list(&ex->plan, list, eo->all_cpus ? PLAN_CTX_CPU : PLAN_CTX_TASK)) {
		log_error("more than %d events are given; explain fewer at a time",
			  PLAN_EVENTS_MAX - 1);
		return EXIT_USAGE;
	}
	plan__open(&ex->plan);
	sim__run(&ex->sim, &ex->plan, &run);
	regroup__find(&ex->regroup, &ex->plan);
	ex->note_cnt = quirks__notes(&ex->plan, any_waits(ex), ex->notes, EXPLAIN_NOTES_MAX);
	return EXIT_DONE;
}

static int print(const struct explain_opts *eo, const struct explanation *ex)
{
	struct out out;
	int err;

	if (out__open(&out, NULL))
		return EXIT_FAILED;
	(eo->json ? explain_json__put : explain_text__put)(ex, &out.buf);
	out__commit(&out);
	err = out__close(&out);
	return err && err != -EPIPE ? EXIT_FAILED : EXIT_DONE;
}

/* Prints the models; this machine's is marked. */
static int print_models(void)
{
	struct host host = { 0 };
	struct out out;
	int err;

	if (out__open(&out, NULL))
		return EXIT_FAILED;
	model_choice__put_all(host__find(&host) ? NULL : host.cpu, &out.buf);
	out__commit(&out);
	err = out__close(&out);
	return err && err != -EPIPE ? EXIT_FAILED : EXIT_DONE;
}

static int explain__run(void *opts, int cmd_argc, char **cmd_argv)
{
	const struct explain_opts *eo = opts;
	struct event_list list = { 0 };
	struct plan_machine machine;
	struct explanation *ex = NULL;
	int status, err = 0;
	size_t i;

	if (eo->pmu && !strcmp(eo->pmu, "list"))
		return print_models();
	if (!eo->spec_cnt) {
		log_error("no event is given; give some, such as bpfperf explain -e "
			  "cycles,instructions --pmu skl");
		return EXIT_USAGE;
	}
	if (eo->burst_ms && !eo->busy_plus_1) {
		log_error("--burst-ms is the time that a sleeping task runs at once; give --busy, "
			  "too");
		return EXIT_USAGE;
	}
	status = set_up(eo, &machine);
	if (status)
		return status;
	for (i = 0; i < eo->spec_cnt && !err; i++)
		err = event_list__add(&list, eo->specs[i]);
	if (err) {
		status = err == -ENOENT || err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
		goto cleanup;
	}
	ex = calloc(1, sizeof(*ex));
	if (!ex) {
		log_error("out of memory");
		status = EXIT_FAILED;
		goto cleanup;
	}
	model_choice__note_names(machine.model);
	status = explain__fill(eo, &machine, &list, ex);
	if (!status)
		status = print(eo, ex);
cleanup:
	free(ex);
	event_list__free(&list);
	return status;
}

static const struct opt explain_opt_table[] = {
	{ 'e', "event", "EVENT,...", "explain these events, with groups {a,b} and modifiers",
	  OPT_CALL, 0, 0, 0, add_spec, NULL },
	{ 0, "pmu", "MODEL",
	  "host (default), a model such as spr, zen4, graviton3, or list to print all models",
	  OPT_STR, offsetof(struct explain_opts, pmu), 0, 0, NULL, NULL },
	{ .long_name = "ht",
	  .arg = "on|off",
	  .help = "hyper-threading: the core has a second thread",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct explain_opts, ht),
	  .choices = choices },
	{ 0, "nmi-watchdog", "on|off|PMCn",
	  "the NMI watchdog occupies a counter; PMCn: this counter", OPT_CALL, 0, 0, 0,
	  set_watchdog, NULL },
	{ 0, "kernel", "X.Y", "schedule as this kernel does; X.Y-rcN is accepted", OPT_STR,
	  offsetof(struct explain_opts, kernel), 0, 0, NULL, NULL },
	{ .long_name = "tfa",
	  .arg = "on|off",
	  .help = "Skylake: the kernel reserves PMC3 for TSX",
	  .type = OPT_CHOICE,
	  .off = offsetof(struct explain_opts, tfa),
	  .choices = choices },
	{ 0, "sibling", "N,...", "counters on which the other thread counts events 0xd0-0xd3",
	  OPT_CALL, 0, 0, 0, set_sibling, NULL },
	{ 'a', "all-cpus", NULL, "open the events for CPUs, not for a task", OPT_FLAG,
	  offsetof(struct explain_opts, all_cpus), 0, 0, NULL, NULL },
	{ 0, "run-ms", "MS", "duration of the run; by default percentages are those of a long run",
	  OPT_U64, offsetof(struct explain_opts, run_ms), 1, 86400000, NULL, NULL },
	{ 0, "busy", "PCT", "share of the run that the task is on a CPU; 0: a moment at each end",
	  OPT_CALL, 0, 0, 0, set_busy, NULL },
	{ 0, "burst-ms", "MS", "with --busy: average time that the task runs at once (1)", OPT_U64,
	  offsetof(struct explain_opts, burst_ms), 1, 3600000, NULL, NULL },
	{ 'j', "json", NULL, "print one JSON object", OPT_FLAG, offsetof(struct explain_opts, json),
	  0, 0, NULL, NULL },
	OPT_END,
};

const struct command cmd_explain = {
	.name = "explain",
	.synopsis = "[OPTIONS] -e EVENT,...",
	.summary = "Predicts how the kernel will schedule counters, and why.",
	.opts = explain_opt_table,
	.opts_sz = sizeof(struct explain_opts),
	.positional = add_spec,
	.run = explain__run,
};
