// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Makes events of PMUs from their terms and aliases. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/names.h"
#include "event/pfm.h"
#include "event/pmu.h"
#include "event/pmu_model.h"
#include "event/pmu_terms.h"
#include "event/event_options.h"
#include "event/event_term.h"
#include "util/log.h"
#include "util/strbuf.h"
#include "util/suggest.h"

/* The parts of PMU/terms/mods. */
struct pmu_spec {
	char *pmu; /* owned; all other members point into it */
	char *terms;
	char *mods;
	size_t terms_off; /* offset in term->text */
};

static struct event *new_event(const struct pmu *pmu, const char *name)
{
	struct event *ev = event__new(EVENT_PMU, name);

	if (!ev)
		return NULL;
	ev->type = pmu->type;
	ev->system_wide = pmu->system_wide;
	ev->pmu = strdup(pmu->name);
	ev->cpus = pmu->cpus ? strdup(pmu->cpus) : NULL;
	if (ev->pmu && (ev->cpus || !pmu->cpus))
		return ev;
	event__free(ev);
	return NULL;
}

/* Adds one event of one PMU. `shown` is its name unless a term sets another. */
static int push_event(struct event_term *term, const char *pmu_name, const struct pmu_spec *ps,
		      const char *shown, bool from_glob)
{
	struct pmu *pmu = pmu__load(pmu_name);
	struct event *ev = NULL;
	int err;

	if (!pmu) {
		err = -errno;
		log_error("PMU %s cannot be read: %s", pmu_name, strerror(-err));
		return err;
	}
	ev = new_event(pmu, shown);
	if (ev)
		pmu__set_defaults(pmu, ev);
	err = ev ? pmu_terms__apply(term, pmu, ev, ps->terms, ps->terms_off) : -ENOMEM;
	pmu__free(pmu);
	if (err) {
		event__free(ev);
		return err;
	}
	term->mods = term->text + (ps->mods - ps->pmu);
	return event_term__push(term, ev, from_glob);
}

/* uncore_imc_3 matches uncore_imc, imc and globs: PMUs of one kind are numbered. */
static bool is_meant(const char *pmu, const char *pattern)
{
	size_t len = strlen(pattern);
	const char *names[] = { pmu, strncmp(pmu, "uncore_", 7) ? NULL : pmu + 7 };
	size_t i;

	for (i = 0; i < 2 && names[i]; i++) {
		if (!fnmatch(pattern, names[i], 0))
			return true;
		if (!strncmp(names[i], pattern, len)) {
			const char *number = names[i] + len + (names[i][len] == '_');

			if (*number && !number[strspn(number, "0123456789")])
				return true;
		}
	}
	return false;
}

/* True if a PMU has exactly that name; then only this one is used. */
static bool is_there(char *const *names, size_t cnt, const char *name)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Pushes the terms for each PMU that matches the name; *found counts the PMUs. */
static int push_matching(struct event_term *term, const struct pmu_spec *ps, char *const *names,
			 size_t cnt, size_t *found)
{
	size_t i;
	char *shown;
	int err = 0;

	for (i = 0; i < cnt && !err; i++) {
		if (!is_meant(names[i], ps->pmu))
			continue;
		if (asprintf(&shown, "%s/%s/%s", names[i], ps->terms, ps->mods) < 0)
			return -ENOMEM;
		err = push_event(term, names[i], ps, shown, true);
		free(shown);
		(*found)++;
	}
	return err;
}

/* cycles/name=…/: perf's own event names accept few terms. */
static int push_named(struct event_term *term, const struct pmu_spec *ps)
{
	enum event_kind kind;
	uint64_t config;
	uint32_t type;
	struct event *ev;
	int err;

	if (event_names__lookup(ps->pmu, &kind, &type, &config))
		return -ENOENT;
	ev = event__new(kind, term->text);
	if (!ev)
		return -ENOMEM;
	ev->type = type;
	ev->config = config;
	err = event_options__set_all(term, ps->terms_off, strlen(ps->terms), ev);
	if (err) {
		event__free(ev);
		return err;
	}
	term->mods = term->text + (ps->mods - ps->pmu);
	return event_term__push(term, ev, false);
}

static int log_unknown_pmu(const char *name, char *const *names, size_t cnt)
{
	struct strbuf near = STRBUF_INIT, shown = STRBUF_INIT;
	struct suggest sg;
	size_t i;

	if (suggest__init(&sg, name))
		return -ENOENT;
	for (i = 0; i < cnt; i++)
		suggest__offer(&sg, names[i]);
	strbuf__put_escaped(&shown, name, strlen(name));
	if (suggest__put(&sg, &near))
		strbuf__putc(&near, ' ');
	if (pmu_model__name())
		log_error("the PMU of --pmu is called '%s', and '%s' is none here; an event of "
			  "another PMU needs the --pmu of its model",
			  pmu_model__name(), strbuf__cstr(&shown));
	else
		log_error("this machine has no PMU '%s'; %s`bpfperf list pmu` shows the PMUs",
			  strbuf__cstr(&shown), strbuf__cstr(&near));
	strbuf__free(&near);
	strbuf__free(&shown);
	suggest__free(&sg);
	return -ENOENT;
}

/* Splits a copy of term->text; the parts keep their offsets. */
static int split(const struct event_term *term, struct pmu_spec *ps)
{
	char *first, *second;

	ps->pmu = strdup(term->text);
	if (!ps->pmu)
		return -ENOMEM;
	first = strchr(ps->pmu, '/');
	second = strchr(first + 1, '/');
	if (first == ps->pmu)
		return spec__error(term->spec, term->off, "the name of a PMU is missing here");
	if (!second)
		return event_term__unclosed(term, term->text + (first - ps->pmu));
	*first = *second = '\0';
	ps->terms = first + 1;
	ps->terms_off = (size_t)(ps->terms - ps->pmu);
	ps->mods = second + 1;
	if (*ps->mods == ':' && ps->mods[1])
		ps->mods++;
	return *ps->mods ? event_term__fault(term, term->text + (ps->mods - ps->pmu)) : 0;
}

int pmu_event__resolve(struct event_term *term)
{
	struct pmu_spec ps = { 0 };
	size_t cnt = 0, found = 0;
	char **names = NULL;
	int err;

	err = split(term, &ps);
	if (err)
		goto cleanup;
	if (pmu__names(&names, &cnt))
		cnt = 0;
	if (pmu_model__is(ps.pmu) || is_there(names, cnt, ps.pmu)) {
		err = push_event(term, ps.pmu, &ps, term->text, false);
		goto cleanup;
	}
	err = push_matching(term, &ps, names, cnt, &found);
	if (found)
		goto cleanup;
	err = push_named(term, &ps);
	if (err == -ENOENT)
		err = log_unknown_pmu(ps.pmu, names, cnt);
cleanup:
	pmu__free_names(names, cnt);
	free(ps.pmu);
	return err;
}

static int push_alias(struct event_term *term, const char *pmu_name, const char *alias,
		      bool from_glob)
{
	struct pmu *pmu = pmu__load(pmu_name);
	struct event *ev;
	int err;

	if (!pmu)
		return -errno;
	ev = new_event(pmu, term->text);
	err = ev ? pmu_terms__apply_alias(term, pmu, ev, alias) : -ENOMEM;
	pmu__free(pmu);
	if (!err)
		return event_term__push(term, ev, from_glob);
	event__free(ev);
	return err;
}

/* True if the PMU has that event, and events of this machine are in use. */
static bool offers_alias(const char *pmu_name, const char *alias)
{
	struct pmu *pmu;
	bool is_core;

	if (!pmu__has_alias(pmu_name, alias))
		return false;
	if (!pfm__pmus())
		return true;
	pmu = pmu__load(pmu_name);
	is_core = pmu && pmu->is_core;
	pmu__free(pmu);
	return !is_core;
}

int pmu_event__resolve_alias(struct event_term *term, const char *alias)
{
	size_t cnt, found = 0, i;
	char **names;
	int err;

	if (pmu_model__has_word(alias))
		return push_alias(term, pmu_model__name(), alias, false);
	if (pmu__names(&names, &cnt))
		return -ENOENT;
	for (i = 0; i < cnt; i++)
		found += offers_alias(names[i], alias);
	err = found ? 0 : -ENOENT;
	for (i = 0; i < cnt && found && !err; i++)
		if (offers_alias(names[i], alias))
			err = push_alias(term, names[i], alias, found > 1);
	pmu__free_names(names, cnt);
	return err;
}

/* Parses the bits of "event=0x3c,umask=1", which is modified. */
static int set_fields(const struct pmu *pmu, struct event *ev, char *terms)
{
	char *key, *val;
	int err = 0;

	while (!err && (val = strsep(&terms, ","))) {
		key = strsep(&val, "=");
		err = pmu__set_field(pmu, ev, key, val);
	}
	return err;
}

struct event *pmu_event__of_alias(const struct pmu *pmu, const char *alias)
{
	char *terms = pmu__alias_terms(pmu, alias), *name;
	struct event *ev = NULL;

	if (!terms)
		return NULL;
	if (asprintf(&name, "%s/%s/", pmu->name, alias) >= 0) {
		ev = new_event(pmu, name);
		free(name);
	}
	if (!ev)
		errno = ENOMEM;
	if (ev && set_fields(pmu, ev, terms)) {
		event__free(ev);
		ev = NULL;
		errno = EINVAL;
	}
	free(terms);
	return ev;
}

const char *event__default_profile(void)
{
	const char *name = "cpu-clock";
	size_t cnt, i;
	char **names;

	if (pmu__names(&names, &cnt))
		return name;
	for (i = 0; i < cnt; i++) {
		struct pmu *pmu = pmu__load(names[i]);

		if (pmu && pmu->is_core)
			name = "cycles";
		pmu__free(pmu);
	}
	pmu__free_names(names, cnt);
	return name;
}
