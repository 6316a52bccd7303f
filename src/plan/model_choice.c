// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "plan/model_choice.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "event/names.h"
#include "event/pfm.h"
#include "event/pmu_model.h"
#include "plan/host.h"
#include "plan/pmc_names.h"
#include "plan/quirks.h"
#include "plan/uncore.h"
#include "util/array.h"
#include "util/log.h"
#include "util/suggest.h"

/* "PREFIX:N" and, with `more`, "PREFIX:N+M": true if the numbers are 1 … 31 and 0 … 15. */
static bool parse_counters(const char *name, const char *prefix, unsigned int *cnt,
			   unsigned int *more)
{
	size_t len = strlen(prefix);
	unsigned long n, m = 0;
	char *end;

	if (strncmp(name, prefix, len) || name[len] < '0' || name[len] > '9')
		return false;
	n = strtoul(name + len, &end, 10);
	if (more && *end == '+' && end[1] >= '0' && end[1] <= '9')
		m = strtoul(end + 1, &end, 10);
	if (*end || n < 1 || n > 31 || m > 15)
		return false;
	*cnt = (unsigned int)n;
	if (more)
		*more = (unsigned int)m;
	return true;
}

/* armv8:N and counters:N. NULL: it is neither. */
static const struct model *made_model(const char *name)
{
	unsigned int cnt, fixed_cnt;

	if (parse_counters(name, "armv8:", &cnt, NULL))
		return model__armv8(cnt);
	if (parse_counters(name, "counters:", &cnt, &fixed_cnt))
		return model__counters(cnt, fixed_cnt);
	return NULL;
}

static void offer_aliases(struct suggest *sg, const char *aliases)
{
	char *copy = strdup(aliases), *left = copy, *word;

	while (left && (word = strsep(&left, " ")))
		suggest__offer(sg, word);
	free(copy);
}

static void log_unknown(const char *name)
{
	struct strbuf near = STRBUF_INIT, shown = STRBUF_INIT;
	const struct model *const *m;
	struct suggest sg;

	if (suggest__init(&sg, name))
		return;
	for (m = models; *m; m++) {
		suggest__offer(&sg, (*m)->name);
		offer_aliases(&sg, (*m)->aliases ?: "");
	}
	for (m = uncore_models; *m; m++)
		suggest__offer(&sg, (*m)->name);
	strbuf__put_escaped(&shown, name, strlen(name));
	if (suggest__put(&sg, &near))
		strbuf__putc(&near, ' ');
	log_error(
		"--pmu %s: there is no such model; %s`bpfperf explain --pmu list` prints all, and "
		"armv8:N is any arm64 PMU with 1 to 31 counters, counters:N one of your own",
		strbuf__cstr(&shown), strbuf__cstr(&near));
	strbuf__free(&near);
	strbuf__free(&shown);
	suggest__free(&sg);
}

const struct model *model_choice__find(const char *name)
{
	const struct model *model = model__find(name);

	if (!model)
		model = made_model(name);
	if (!model)
		model = uncore__of_host(name);
	if (!model)
		log_unknown(name);
	return model;
}

static enum pmu_model_kind kind_of(const struct model *model)
{
	if (model->uncore)
		return PMU_MODEL_UNCORE;
	if (model->own_masks)
		return PMU_MODEL_MASKS;
	if (model->policy != POLICY_WEIGHT)
		return PMU_MODEL_ARM;
	return model->has_extra_regs ? PMU_MODEL_INTEL : PMU_MODEL_AMD;
}

void model_choice__use_names(const struct model *model)
{
	struct pmu_model pmu;

	pfm__use_pmus(model ? model->pfm : NULL);
	if (!model) {
		pmu_model__use(NULL);
		return;
	}
	pmu = (struct pmu_model){ .name = model->sysfs ?: "cpu",
				  .kind = kind_of(model),
				  .words = model->words,
				  .fields = model->uncore ? model->uncore->fields : NULL,
				  .hw = model->names->hw };
	pmu_model__use(&pmu);
}

void model_choice__note_names(const struct model *model)
{
	if (model->names_of && pfm__was_found())
		log_note("libpfm4 has no event names of %s: those of %s are taken; check the codes",
			 model->title, model->names_of);
}

static void see_name(void *ctx, const char *name)
{
	(void)name;
	*(bool *)ctx = true;
}

void model_choice__note_nameless(const struct model *model)
{
	bool has_names = false;

	/* An older libpfm4 lacks PMUs of newer CPUs. */
	if (model->uncore)
		pfm__each_name(see_name, &has_names);
	if (model->uncore && !has_names)
		log_note("libpfm4 has no event names of %s; --pmu %s takes their codes: "
			 "%s/%s=0x1/",
			 model->title, model->name, model->sysfs, model->uncore->fields->name);
}

static void put_counters(const struct model *model, struct strbuf *out)
{
	pmc_names__put(model, model->general | model->fixed, out);
	if (model->general != model->general_ht_off)
		strbuf__printf(out, " (PMC0-%d)", __builtin_popcountll(model->general_ht_off) - 1);
}

/* A row of columns, each as wide as the widest; NULL: the headings. */
static void put_row(const struct model *model, const struct model *host, const char *heading,
		    const size_t *widths, struct strbuf *out)
{
	struct strbuf counters = STRBUF_INIT;

	if (model)
		put_counters(model, &counters);
	else
		strbuf__puts(&counters, "counters");
	strbuf__printf(out, "%-*s  %-*s  %-*s  %s", (int)widths[0], model ? model->name : "model",
		       (int)widths[1], strbuf__cstr(&counters), (int)widths[2],
		       model ? model->title : "CPU",
		       model ? (model->uncore ? model->sysfs : model->aliases ?: "") : heading);
	strbuf__puts(out, model && model == host ? " (this machine)\n" : "\n");
	strbuf__free(&counters);
}

static void widen(size_t *width, size_t len)
{
	*width = len > *width ? len : *width;
}

static void put_list(const struct model *const *list, const struct model *host, const char *heading,
		     struct strbuf *out)
{
	size_t widths[3] = { 5, 8, 3 };
	struct strbuf counters = STRBUF_INIT;
	const struct model *const *m;

	for (m = list; *m; m++) {
		strbuf__reset(&counters);
		put_counters(*m, &counters);
		widen(&widths[0], strlen((*m)->name));
		widen(&widths[1], strlen(strbuf__cstr(&counters)));
		widen(&widths[2], strlen((*m)->title));
	}
	strbuf__free(&counters);
	put_row(NULL, host, heading, widths, out);
	for (m = list; *m; m++)
		put_row(*m, host, heading, widths, out);
}

void model_choice__put_all(const struct model *host, struct strbuf *out)
{
	put_list(models, host, "other names", out);
	strbuf__puts(out, "\nPMUs beside the cores':\n");
	put_list(uncore_models, NULL, "in sysfs", out);
}

struct names {
	char **names;
	size_t cnt, cap;
	int err;
};

static void add_name(void *ctx, const char *name)
{
	struct names *list = ctx;
	char *copy;

	list->err = list->err
			    ?: array__reserve((void **)&list->names, &list->cap, list->cnt + 1,
					      sizeof(*list->names));
	if (list->err)
		return;
	copy = list->names[list->cnt] = strdup(name);
	if (!copy) {
		list->err = -ENOMEM;
		return;
	}
	list->cnt++;
	for (; *copy; copy++)
		*copy = (char)tolower((unsigned char)*copy);
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/*
 * Sets code and config1 of an event that the kernel or libpfm4 names; libpfm4 wants a umask for
 * some.
 */
static int encode(const struct pmu *pmu, const char *name, struct plan_event *out)
{
	struct event *word = pmu_model__has_word(name) ? pmu_event__of_alias(pmu, name) : NULL;
	struct event ev = { 0 };

	if (word) {
		out->code = word->config;
		out->config1 = word->config1;
		event__free(word);
		return 0;
	}
	if (pfm__encode(name, &ev))
		return -ENOENT;
	out->code = ev.config;
	out->config1 = ev.config1;
	return 0;
}

void model_choice__describe(const struct model *model, struct plan_machine *machine)
{
	machine->model = model;
	machine->kernel = host__kernel();
	machine->ht = model->general != model->general_ht_off;
	machine->watchdog = model->has_watchdog;
}

/* Does the kernel take the event's bits for its register? Another CPU's names may have others. */
static bool is_taken(const struct plan_machine *machine, const struct plan_event *ev)
{
	const struct model_extra *extra = model__extra(machine->model, ev->code, machine->kernel);

	return !extra || model__takes(extra, ev->config1, machine->kernel);
}

static void put_event(const struct plan_machine *machine, const struct pmu *pmu, const char *name,
		      model_event_fn fn, void *ctx)
{
	struct plan_event ev = { .is_hw = true };
	struct strbuf counters = STRBUF_INIT;
	enum event_kind kind;
	uint64_t config;
	uint32_t type;

	/* -e takes a name of perf's ("itlb") for perf's event. */
	if (!event_names__lookup(name, &kind, &type, &config) || encode(pmu, name, &ev) ||
	    !model__announces(machine->model, ev.code) || !is_taken(machine, &ev))
		return;
	quirks__constrain(machine, &ev);
	pmc_names__put(machine->model, ev.counters, &counters);
	fn(ctx, name, ev.code, strbuf__cstr(&counters));
	strbuf__free(&counters);
}

int model_choice__each_event(const struct model *model, model_event_fn fn, void *ctx)
{
	const struct pmu_word *word;
	struct plan_machine machine = { 0 };
	struct pmu *pmu = pmu_model__load(pmu_model__name());
	struct names list = { .err = pmu ? 0 : -ENOMEM };
	size_t i;

	model_choice__describe(model, &machine);
	pfm__each_name(add_name, &list);
	for (word = model->words; word && word->name; word++)
		add_name(&list, word->name);
	if (list.cnt)
		qsort(list.names, list.cnt, sizeof(*list.names), cmp_names);
	for (i = 0; i < list.cnt && !list.err; i++)
		if (!i || strcmp(list.names[i], list.names[i - 1]))
			put_event(&machine, pmu, list.names[i], fn, ctx);
	for (i = 0; i < list.cnt; i++)
		free(list.names[i]);
	free(list.names);
	pmu__free(pmu);
	return list.err;
}
