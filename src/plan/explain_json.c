// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* explain --json: prints the plan as one object. */
#include <string.h>

#include "plan/explanation.h"
#include "plan/pmc_names.h"
#include "plan/quirks.h"
#include "plan/reason.h"

static void put_str(struct strbuf *out, const char *s)
{
	strbuf__put_json(out, s, strlen(s));
}

static void put_bool(struct strbuf *out, const char *key, bool val)
{
	strbuf__printf(out, ",\"%s\":%s", key, val ? "true" : "false");
}

static void put_counters(const struct model *model, uint64_t counters, struct strbuf *out)
{
	const char *comma = "";
	int i;

	strbuf__putc(out, '[');
	for (i = 0; i < 64; i++) {
		if (!(counters & COUNTER_BIT(i)))
			continue;
		strbuf__printf(out, "%s\"", comma);
		pmc_names__put_one(model, i, out);
		strbuf__putc(out, '"');
		comma = ",";
	}
	strbuf__putc(out, ']');
}

static void put_machine(const struct explanation *ex, struct strbuf *out)
{
	const struct plan_machine *machine = &ex->plan.machine;

	strbuf__puts(out, "\"pmu\":");
	put_str(out, machine->model->name);
	strbuf__puts(out, ",\"title\":");
	put_str(out, machine->model->title);
	strbuf__puts(out, ",\"kernel\":\"");
	explain__put_kernel(machine->kernel, out);
	strbuf__putc(out, '"');
	put_bool(out, "ht", machine->ht);
	put_bool(out, "nmi_watchdog", machine->watchdog);
	put_bool(out, "tfa", machine->tfa);
	strbuf__puts(out, ",\"counters\":");
	put_counters(machine->model, quirks__general(machine) | machine->model->fixed, out);
	strbuf__printf(out, ",\"turn_ms\":%g", (double)machine->mux_ns / 1e6);
	strbuf__puts(out, ",\"sibling\":");
	put_counters(machine->model, machine->sibling_corrupting, out);
	strbuf__puts(out, ",\"sibling_other\":");
	put_counters(machine->model, machine->sibling_other, out);
	strbuf__printf(out, ",\"sibling_busy\":%u", ex->sibling_busy);
	strbuf__puts(out, ",\"settled_ms\":");
	if (ex->sim.settled_ns)
		strbuf__printf(out, "%.6g", (double)ex->sim.settled_ns / 1e6);
	else
		strbuf__puts(out, "null");
}

static void put_event(const struct explanation *ex, size_t at, struct strbuf *out)
{
	const struct plan_event *ev = &ex->plan.events[at];
	const struct sim_event *se = &ex->sim.events[at];
	const struct plan_group *group = &ex->plan.groups[ev->group];
	struct strbuf reason = STRBUF_INIT;

	strbuf__puts(out, "{\"event\":");
	put_str(out, ev->name);
	strbuf__printf(out, ",\"group\":%d", ev->group);
	strbuf__printf(out, ",\"context\":\"%s\"", group->ctx == PLAN_CTX_CPU ? "cpu" : "task");
	put_bool(out, "pinned", group->pinned);
	put_bool(out, "hardware", ev->is_hw);
	put_bool(out, "watchdog", ev->is_watchdog);
	strbuf__puts(out, ",\"counters\":");
	put_counters(ex->plan.machine.model, ev->counters, out);
	strbuf__puts(out, ",\"used\":");
	put_counters(ex->plan.machine.model, se->counters_used, out);
	strbuf__printf(out, ",\"state\":\"%s\",\"percent\":", sim_state__name(se->state));
	if (!sim_state__has_percent(se->state))
		strbuf__puts(out, "null");
	else
		strbuf__printf(out, "%.2f", sim_event__percent(se));
	strbuf__printf(out, ",\"enabled_ms\":%.6g,\"running_ms\":%.6g",
		       (double)se->enabled_ns / 1e6, (double)se->running_ns / 1e6);
	put_bool(out, "reads_zero", se->zero_ns > 0);
	reason__put(&ex->plan, &ex->sim, at, &reason);
	strbuf__puts(out, ",\"reason\":");
	strbuf__put_json(out, strbuf__cstr(&reason), reason.len);
	strbuf__putc(out, '}');
	strbuf__free(&reason);
}

/* Puts one interval: the counter of each event, null if it is on none, true if it needs none. */
static void put_step(const struct explanation *ex, const struct sim_step *step, struct strbuf *out)
{
	size_t i;

	strbuf__printf(out, "{\"start_ms\":%.6g,\"ms\":%.6g", (double)step->start_ns / 1e6,
		       (double)step->len_ns / 1e6);
	put_bool(out, "task_runs", step->task_runs);
	strbuf__puts(out, ",\"counters\":[");
	for (i = 0; i < ex->plan.event_cnt; i++) {
		const struct plan_event *ev = &ex->plan.events[i];

		if (i)
			strbuf__putc(out, ',');
		if (ev->refusal || step->state[ev->group] != GROUP_ON) {
			strbuf__puts(out, "null");
		} else if (step->counter[i] < 0) {
			strbuf__puts(out, "true");
		} else {
			strbuf__putc(out, '"');
			pmc_names__put_one(ex->plan.machine.model, step->counter[i], out);
			strbuf__putc(out, '"');
		}
	}
	strbuf__puts(out, "]}");
}

static void put_runs(const struct explanation *ex, struct strbuf *out)
{
	struct strbuf run = STRBUF_INIT;
	const char *comma = "";
	size_t i;

	strbuf__puts(out, ",\"runs\":[");
	for (i = 0; i < ex->regroup.run_cnt; i++) {
		strbuf__reset(&run);
		explain__put_run(ex, i, &run);
		strbuf__puts(out, i ? "," : "");
		strbuf__put_json(out, strbuf__cstr(&run), run.len);
	}
	strbuf__puts(out, "],\"never\":[");
	for (i = 0; i < ex->plan.event_cnt; i++) {
		if (ex->regroup.run[i] != REGROUP_NEVER)
			continue;
		strbuf__puts(out, comma);
		put_str(out, ex->plan.events[i].name);
		comma = ",";
	}
	strbuf__putc(out, ']');
	strbuf__free(&run);
}

void explain_json__put(const struct explanation *ex, struct strbuf *out)
{
	size_t i;

	strbuf__putc(out, '{');
	put_machine(ex, out);
	strbuf__puts(out, ",\"events\":[");
	for (i = 0; i < ex->plan.event_cnt; i++) {
		strbuf__puts(out, i ? "," : "");
		put_event(ex, i, out);
	}
	strbuf__puts(out, "],\"timeline\":[");
	for (i = 0; i < ex->sim.step_cnt; i++) {
		strbuf__puts(out, i ? "," : "");
		put_step(ex, &ex->sim.steps[i], out);
	}
	strbuf__putc(out, ']');
	put_runs(ex, out);
	strbuf__puts(out, ",\"notes\":[");
	for (i = 0; i < ex->note_cnt; i++) {
		strbuf__puts(out, i ? "," : "");
		put_str(out, ex->notes[i]);
	}
	strbuf__puts(out, "]}\n");
}
