// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Prints the plan of explain as tables, with its reasons and notes. */
#include <inttypes.h>
#include <string.h>

#include "plan/explanation.h"
#include "event/modifiers.h"
#include "plan/pmc_names.h"
#include "plan/quirks.h"
#include "plan/reason.h"

/* Number of intervals in the picture: as many as fit next to a name. */
#define PICTURE_STEPS 12

static size_t name_width(const struct explanation *ex)
{
	size_t width = strlen("event"), i;

	for (i = 0; i < ex->plan.event_cnt; i++) {
		size_t len = strlen(ex->plan.events[i].name);

		/* Members of a group are indented by two columns. */
		len += ex->plan.groups[ex->plan.events[i].group].cnt > 1 ? 2 : 0;
		width = len > width ? len : width;
	}
	return width < 60 ? width : 60;
}

static void pad(struct strbuf *out, size_t from, size_t width)
{
	size_t len = out->len - from;

	for (; len < width; len++)
		strbuf__putc(out, ' ');
}

static void trim(struct strbuf *out)
{
	while (out->len && out->buf[out->len - 1] == ' ')
		out->len--;
}

static void put_name(const struct explanation *ex, size_t at, size_t width, struct strbuf *out)
{
	const struct plan_event *ev = &ex->plan.events[at];
	size_t from = out->len;

	if (ex->plan.groups[ev->group].cnt > 1)
		strbuf__puts(out, "  ");
	strbuf__puts(out, ev->name);
	pad(out, from, width);
}

void explain__put_kernel(uint32_t kernel, struct strbuf *out)
{
	if (kernel == KERNEL_ANY) {
		strbuf__puts(out, "unknown");
		return;
	}
	strbuf__printf(out, "%u.%u", kernel >> 16, kernel >> 8 & 0xff);
	if (kernel >> 8 == (2 << 8 | 6))
		strbuf__printf(out, ".%u", kernel & 0xff);
	else if ((kernel & 0xff) != KERNEL_RELEASE)
		strbuf__printf(out, "-rc%u", kernel & 0xff);
}

/* Puts what the core's other thread and other cores are said to count. */
static void put_others(const struct explanation *ex, struct strbuf *out)
{
	const struct plan_machine *machine = &ex->plan.machine;
	const char *comma = "";
	size_t i;

	if (machine->northbridge) {
		strbuf__puts(out, "\nother cores count northbridge events on ");
		pmc_names__put(machine->model, machine->northbridge, out);
	}
	if (!machine->sibling_corrupting && !machine->sibling_other &&
	    !machine->sibling_offcore_cnt)
		return;
	strbuf__puts(out, "\nthe core's other thread counts ");
	if (machine->sibling_corrupting) {
		strbuf__puts(out, "events of the HT erratum on ");
		pmc_names__put(machine->model, machine->sibling_corrupting, out);
		comma = ", ";
	}
	if (machine->sibling_other) {
		strbuf__printf(out, "%sother events on ", comma);
		pmc_names__put(machine->model, machine->sibling_other, out);
		comma = ", ";
	}
	for (i = 0; i < machine->sibling_offcore_cnt; i++, comma = " and ")
		strbuf__printf(out, "%s%s%#" PRIx64, comma, i ? "" : "the off-core responses ",
			       machine->sibling_offcore[i]);
	if (ex->sibling_busy < 100)
		strbuf__printf(out, ", %u%% of the time", ex->sibling_busy);
}

static void put_machine(const struct explanation *ex, struct strbuf *out)
{
	const struct plan_machine *machine = &ex->plan.machine;
	const struct model *model = machine->model;

	strbuf__printf(out, "%s, kernel ", model->title);
	explain__put_kernel(machine->kernel, out);
	if (model->general != model->general_ht_off)
		strbuf__printf(out, ", hyper-threading %s", machine->ht ? "on" : "off");
	strbuf__printf(out, ", NMI watchdog %s", machine->watchdog ? "on" : "off");
	if (model->tfa)
		strbuf__printf(out, ", TFA %s", machine->tfa ? "on" : "off");
	strbuf__puts(out, "\ncounters ");
	pmc_names__put(model, quirks__general(machine) | model->fixed, out);
	strbuf__printf(out, "; turns every %g ms", (double)machine->mux_ns / 1e6);
	put_others(ex, out);
	strbuf__puts(out, "\n\n");
}

static void put_event(const struct explanation *ex, size_t at, size_t width, struct strbuf *out)
{
	const struct plan_event *ev = &ex->plan.events[at];
	const struct sim_event *se = &ex->sim.events[at];
	size_t from;

	put_name(ex, at, width, out);
	strbuf__puts(out, "  ");
	from = out->len;
	if (ev->is_hw)
		pmc_names__put(ex->plan.machine.model, ev->counters, out);
	else
		strbuf__putc(out, '-');
	pad(out, from, 12);
	strbuf__printf(out, "  %-15s", sim_state__text(se->state));
	if (sim_state__has_percent(se->state))
		strbuf__printf(out, " %7.2f%%", sim_event__percent(se));
	trim(out);
	strbuf__puts(out, "\n    ");
	reason__put(&ex->plan, &ex->sim, at, out);
	strbuf__putc(out, '\n');
}

static void put_events(const struct explanation *ex, size_t width, struct strbuf *out)
{
	size_t from = out->len, i;

	strbuf__puts(out, "event");
	pad(out, from, width);
	strbuf__printf(out, "  %-12s  expected\n", "counters");
	for (i = 0; i < ex->plan.event_cnt; i++)
		put_event(ex, i, width, out);
}

/* Puts the cell of one event in one interval. */
static void put_cell(const struct explanation *ex, size_t at, const struct sim_step *step,
		     struct strbuf *out)
{
	const struct plan_event *ev = &ex->plan.events[at];
	size_t from = out->len;

	if (ex->plan.groups[ev->group].ctx == PLAN_CTX_TASK && !step->task_runs)
		strbuf__putc(out, '~');
	else if (ev->refusal || step->state[ev->group] != GROUP_ON)
		strbuf__putc(out, '.');
	else if (step->counter[at] < 0)
		strbuf__putc(out, '*');
	else
		pmc_names__put_short(ex->plan.machine.model, step->counter[at], out);
	pad(out, from, 6);
}

/* Returns whether a task's event waits for its task in the part that is shown. */
static bool is_any_asleep(const struct explanation *ex, size_t cnt)
{
	size_t i, j;

	for (i = 0; i < ex->plan.group_cnt; i++)
		for (j = 0; j < cnt && ex->plan.groups[i].ctx == PLAN_CTX_TASK; j++)
			if (!ex->sim.steps[j].task_runs)
				return true;
	return false;
}

static void put_picture(const struct explanation *ex, size_t width, struct strbuf *out)
{
	size_t cnt = ex->sim.step_cnt < PICTURE_STEPS ? ex->sim.step_cnt : PICTURE_STEPS, from, i,
	       j;

	if (!cnt)
		return;
	strbuf__puts(
		out,
		"\nthe counter of each event, from that millisecond on (. waits, * needs none");
	strbuf__puts(out, is_any_asleep(ex, cnt) ? ", ~ task sleeps)\n" : ")\n");
	from = out->len;
	strbuf__puts(out, "ms");
	pad(out, from, width + 2);
	for (j = 0; j < cnt; j++) {
		from = out->len;
		strbuf__printf(out, "%.*g", 4, (double)ex->sim.steps[j].start_ns / 1e6);
		pad(out, from, 6);
	}
	trim(out);
	strbuf__putc(out, '\n');
	for (i = 0; i < ex->plan.event_cnt; i++) {
		put_name(ex, i, width + 2, out);
		for (j = 0; j < cnt; j++)
			put_cell(ex, i, &ex->sim.steps[j], out);
		trim(out);
		strbuf__putc(out, '\n');
	}
}

static bool is_in_run(const struct explanation *ex, size_t at, size_t run)
{
	return !ex->plan.events[at].is_watchdog && ex->regroup.run[at] == run;
}

/*
 * Returns the modifiers at the end of a name; NULL: it has none, or no place for them behind a
 * PMU's terms.
 */
static const char *own_mods(const char *name)
{
	const char *slash = strrchr(name, '/'), *colon = strrchr(name, ':');

	if (slash)
		return slash + 1;
	return colon && modifiers__are_letters(colon + 1) ? colon + 1 : NULL;
}

/*
 * An event of a group that was split has the group's modifiers and its own: each letter once but p,
 * and no W.
 */
static void put_member(const char *name, const char *mods, struct strbuf *out)
{
	const char *own = own_mods(name), *colon = own ? "" : ":";

	strbuf__puts(out, name);
	for (; mods && *mods; mods++) {
		if (*mods == 'W' || (*mods != 'p' && own && strchr(own, *mods)))
			continue;
		strbuf__printf(out, "%s%c", colon, *mods);
		colon = "";
	}
}

void explain__put_run(const struct explanation *ex, size_t run, struct strbuf *out)
{
	const char *comma = "";
	size_t i, j;

	for (i = 0; i < ex->plan.group_cnt; i++) {
		const struct plan_group *group = &ex->plan.groups[i];
		bool is_whole =
			group->braces && !ex->regroup.split[i] && is_in_run(ex, group->first, run);

		if (is_whole) {
			strbuf__printf(out, "%s{", comma);
			comma = "";
		}
		for (j = group->first; j < group->first + group->cnt; j++) {
			if (!is_in_run(ex, j, run))
				continue;
			strbuf__puts(out, comma);
			put_member(ex->plan.events[j].name, is_whole ? NULL : group->mods, out);
			comma = ",";
		}
		if (is_whole && group->mods)
			strbuf__printf(out, "}:%s", group->mods);
		else if (is_whole)
			strbuf__putc(out, '}');
	}
}

static bool all_counted(const struct explanation *ex)
{
	size_t i;

	for (i = 0; i < ex->plan.event_cnt; i++)
		if ((ex->sim.events[i].state != SIM_COUNTED &&
		     ex->sim.events[i].state != SIM_DISABLED) ||
		    ex->sim.events[i].zero_ns)
			return false;
	return true;
}

static void put_runs(const struct explanation *ex, struct strbuf *out)
{
	size_t i;

	if (all_counted(ex)) {
		strbuf__puts(out, "\nno event takes turns");
		if (ex->sim.settled_ns)
			strbuf__printf(out, " from %g ms on", (double)ex->sim.settled_ns / 1e6);
		strbuf__puts(out, ": one run counts all events all the time\n");
		return;
	}
	strbuf__printf(out, "\nwithout turns: %zu run%s%s\n", ex->regroup.run_cnt,
		       ex->regroup.run_cnt == 1 ? "" : "s", ex->regroup.exact ? "" : " or fewer");
	for (i = 0; i < ex->regroup.run_cnt; i++) {
		strbuf__puts(out, "  -e '");
		explain__put_run(ex, i, out);
		strbuf__puts(out, "'\n");
	}
	for (i = 0; i < ex->plan.event_cnt; i++)
		if (ex->regroup.run[i] == REGROUP_NEVER)
			strbuf__printf(out, "  never: %s\n", ex->plan.events[i].name);
}

void explain_text__put(const struct explanation *ex, struct strbuf *out)
{
	size_t width = name_width(ex), i;

	put_machine(ex, out);
	put_events(ex, width, out);
	put_picture(ex, width, out);
	put_runs(ex, out);
	for (i = 0; i < ex->note_cnt; i++)
		strbuf__printf(out, "%snote: %s\n", i ? "" : "\n", ex->notes[i]);
}
