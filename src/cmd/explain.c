// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/explanation.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/explain_opts.h"
#include "stat/host_machine.h"
#include "event/event.h"
#include "plan/pmc_names.h"
#include "plan/host.h"
#include "plan/model_choice.h"
#include "plan/machine_check.h"
#include "plan/quirks.h"
#include "sink/out.h"
#include "util/log.h"

static bool is_host(const struct explain_opts *eo)
{
	return !eo->pmu || !strcmp(eo->pmu, "host");
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
	model_choice__describe(machine->model, machine);
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
					  .sibling_corrupting = eo->sibling,
					  .sibling_other = eo->sibling_other,
					  .sibling_offcore_cnt = eo->sibling_offcore_cnt,
					  .northbridge = eo->northbridge,
					  .samples = eo->record };
	memcpy(machine->sibling_offcore, eo->sibling_offcore, sizeof(eo->sibling_offcore));
	status = is_host(eo) ? use_host(machine) : use_model(eo->pmu, machine);
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
	machine->no_tsx = !chosen(eo->tsx, !machine->no_tsx);
	machine->no_brs = !chosen(eo->brs, !machine->no_brs);
	machine->brs_known |= eo->brs != CHOICE_DEFAULT;
	if (eo->mux_ms)
		machine->mux_ns = eo->mux_ms * 1000000;
	return machine_check__counters(machine) ? EXIT_USAGE : EXIT_DONE;
}

/* Disables the events of a list. 0, or an exit status. */
static int disable(struct plan *plan, const char *spec)
{
	char *copy = strdup(spec), *name = copy, *p;
	bool in_terms = false, more = true;

	if (!copy)
		return EXIT_FAILED;
	for (p = copy; more; p++) {
		in_terms ^= *p == '/';
		if (*p && (*p != ',' || in_terms))
			continue;
		more = *p;
		*p = '\0';
		if (!plan__disable(plan, name)) {
			log_error("--disabled %s: there is no such event in -e and --cpu-event",
				  name);
			free(copy);
			return EXIT_USAGE;
		}
		name = p + 1;
	}
	free(copy);
	return EXIT_DONE;
}

/* Adds the events, those of CPUs first. 0, or an exit status. */
static int add_events(const struct explain_opts *eo, const struct event_list *lists,
		      struct plan *plan)
{
	enum plan_ctx ctx;
	int status = EXIT_DONE;
	size_t i;

	for (ctx = 0; ctx < PLAN_CTX_CNT; ctx++) {
		size_t first = plan->event_cnt;

		if (plan__add_list(plan, &lists[ctx], eo->all_cpus ? PLAN_CTX_CPU : ctx)) {
			log_error("more than %d events are given; explain fewer at a time",
				  PLAN_EVENTS_MAX - 1);
			return EXIT_USAGE;
		}
		if (is_host(eo))
			host_machine__ask(plan, first, &lists[ctx]);
	}
	for (i = 0; i < eo->disabled.cnt && !status; i++)
		status = disable(plan, eo->disabled.specs[i]);
	return status;
}

/* Plans the events, simulates them and finds better groups. 0, or an exit status. */
static int explain__fill(const struct explain_opts *eo, const struct plan_machine *machine,
			 const struct event_list *lists, struct explanation *ex)
{
	struct sim_run run = { .run_ns = eo->run_ms * 1000000,
			       .burst_ns = eo->burst_ms * 1000000,
			       .busy = 1 };
	int status;

	if (eo->busy_plus_1)
		run.busy = (double)(eo->busy_plus_1 - 1) / 100;
	if (eo->sibling_busy_plus_1)
		run.sibling_quiet = 1 - (double)(eo->sibling_busy_plus_1 - 1) / 100;
	ex->sibling_busy =
		eo->sibling_busy_plus_1 ? (unsigned int)eo->sibling_busy_plus_1 - 1 : 100;
	plan__init(&ex->plan, machine);
	status = add_events(eo, lists, &ex->plan);
	if (status)
		return status;
	plan__open(&ex->plan);
	sim__run(&ex->sim, &ex->plan, &run);
	regroup__find(&ex->regroup, &ex->plan);
	ex->note_cnt = quirks__notes(&ex->plan, &ex->sim.seen, ex->notes, EXPLAIN_NOTES_MAX);
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

/* 0, or an exit status. */
static int parse(const struct spec_list *specs, struct event_list *list)
{
	int err = 0;
	size_t i;

	for (i = 0; i < specs->cnt && !err; i++)
		err = event_list__add(list, specs->specs[i]);
	if (!err)
		return EXIT_DONE;
	return err == -ENOENT || err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

static int explain__run(void *opts, int cmd_argc, char **cmd_argv)
{
	const struct explain_opts *eo = opts;
	struct event_list lists[PLAN_CTX_CNT] = { 0 };
	struct plan_machine machine;
	struct explanation *ex = NULL;
	int status;

	if (eo->pmu && !strcmp(eo->pmu, "list"))
		return print_models();
	if (!eo->events.cnt && !eo->cpu_events.cnt) {
		log_error("no event is given; give some, such as bpfperf explain -e "
			  "cycles,instructions --pmu skl");
		return EXIT_USAGE;
	}
	if (opt_rules__check(explain_rules, &eo->given, NULL))
		return EXIT_USAGE;
	status = set_up(eo, &machine);
	if (status)
		return status;
	status = parse(&eo->cpu_events, &lists[PLAN_CTX_CPU]);
	if (!status)
		status = parse(&eo->events, &lists[PLAN_CTX_TASK]);
	if (status)
		goto cleanup;
	ex = calloc(1, sizeof(*ex));
	if (!ex) {
		log_error("out of memory");
		status = EXIT_FAILED;
		goto cleanup;
	}
	model_choice__note_names(machine.model);
	status = explain__fill(eo, &machine, lists, ex);
	if (!status)
		status = print(eo, ex);
cleanup:
	free(ex);
	event_list__free(&lists[PLAN_CTX_CPU]);
	event_list__free(&lists[PLAN_CTX_TASK]);
	return status;
}

const struct command cmd_explain = {
	.name = "explain",
	.synopsis = "[OPTIONS] -e EVENT,...",
	.summary = "Predicts how the kernel will schedule counters, and why.",
	.opts = explain_opt_table,
	.opts_sz = sizeof(struct explain_opts),
	.given_off = offsetof(struct explain_opts, given),
	.rules = explain_rules,
	.positional = explain_opts__positional,
	.run = explain__run,
};
