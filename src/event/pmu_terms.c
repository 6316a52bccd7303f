// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/event_options.h"
#include "event/pmu_terms.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/names.h"
#include "event/pfm.h"
#include "event/pmu_model.h"
#include "util/strbuf.h"
#include "util/suggest.h"

/* A term "key" or "key=value". */
struct pmu_term {
	char *key;
	char *val; /* NULL: no value */
	size_t off; /* offset of key in parent->text */
};

/* Takes the next term off *rest, which becomes NULL after the last. */
static struct pmu_term next_term(const char *terms, size_t off, char **rest)
{
	struct pmu_term term = { .key = *rest };
	char *comma = strchr(*rest, ','), *equal;

	term.off = off + (size_t)(term.key - terms);
	if (comma)
		*comma = '\0';
	*rest = comma ? comma + 1 : NULL;
	equal = strchr(term.key, '=');
	if (equal) {
		*equal = '\0';
		term.val = equal + 1;
	}
	return term;
}

/* true if one of the remaining user's terms in `rest` sets `key`. */
static bool is_given(const char *rest, const char *key)
{
	size_t len = strlen(key);

	for (; rest; rest = strchr(rest, ',')) {
		rest += *rest == ',';
		if (!strncmp(rest, key, len) && rest[len] == '=')
			return true;
	}
	return false;
}

/* Applies the terms of an alias; `rest` are the user's own terms that follow it. */
static int set_alias(const struct event_term *parent, const struct pmu *pmu, struct event *ev,
		     const struct pmu_term *alias, const char *rest)
{
	char *text = pmu__alias_terms(pmu, alias->key), *left = text, *term, *val;
	int err = 0;

	if (!text)
		return -ENOENT;
	while (!err && (term = strsep(&left, ","))) {
		val = term;
		term = strsep(&val, "=");
		if (val && !strcmp(val, "?")) {
			if (!is_given(rest, term))
				err = spec__error(parent->spec, parent->off + alias->off,
						  "%s/%s/ needs a value: %s/%s,%s=…/", pmu->name,
						  alias->key, pmu->name, alias->key, term);
			continue;
		}
		err = pmu__set_field(pmu, ev, term, val);
		if (err)
			err = spec__error(parent->spec, parent->off + alias->off,
					  "the kernel reports %s for %s/%s/, which is unknown; "
					  "write its bits as %s/config=…/",
					  term, pmu->name, alias->key, pmu->name);
	}
	if (!err)
		err = pmu__alias_unit(pmu, alias->key, ev);
	free(text);
	return err;
}

/* Reports an unknown term, with the PMU's names, the nearest first. */
static int log_unknown_term(const struct event_term *parent, const struct pmu *pmu,
			    const struct pmu_term *term)
{
	struct strbuf near = STRBUF_INIT, fields = STRBUF_INIT;
	struct suggest sg;
	char **aliases, globs[80] = "";
	size_t cnt, i;

	if (suggest__init(&sg, term->key))
		return -ENOENT;
	for (i = 0; i < pmu->format_cnt; i++) {
		suggest__offer(&sg, pmu->formats[i].name);
		strbuf__printf(&fields, "%s, ", pmu->formats[i].name);
	}
	if (!pmu__aliases(pmu->name, &aliases, &cnt)) {
		for (i = 0; i < cnt; i++)
			suggest__offer(&sg, aliases[i]);
		pmu__free_names(aliases, cnt);
	}
	if (pmu_model__name())
		pmu_model__suggest(&sg);
	else
		snprintf(globs, sizeof(globs), " '%s/*'", pmu->name);
	strbuf__puts(&fields, "config, config1, config2, name");
	if (suggest__put(&sg, &near))
		strbuf__putc(&near, ' ');
	spec__error(parent->spec, parent->off + term->off,
		    "PMU %s has no event or term '%s'; %s%s terms: %s; its events: %s%s", pmu->name,
		    term->key, strbuf__cstr(&near), near.len ? "Its" : "its", strbuf__cstr(&fields),
		    pmu_model__list(), globs);
	strbuf__free(&near);
	strbuf__free(&fields);
	suggest__free(&sg);
	return -ENOENT;
}

/* Applies a name without a value: an event of sysfs, a field of one bit, rNNN, a vendor's name. */
static int set_bare_term(const struct event_term *parent, const struct pmu *pmu, struct event *ev,
			 const struct pmu_term *term, const char *rest)
{
	enum event_kind kind;
	struct event vendor = { 0 };
	uint64_t config;
	uint32_t type;
	int err;

	err = set_alias(parent, pmu, ev, term, rest);
	if (err == -ENOENT)
		err = pmu__set_field(pmu, ev, term->key, NULL);
	if (err != -ENOENT)
		return err;
	if (!event_names__lookup(term->key, &kind, &type, &config) && kind == EVENT_RAW) {
		ev->config = config;
		return 0;
	}
	if (!pmu->is_core || pfm__encode(term->key, &vendor) || vendor.type != PERF_TYPE_RAW)
		return -ENOENT;
	ev->config = vendor.config;
	ev->config1 = vendor.config1;
	ev->config2 = vendor.config2;
	return 0;
}

static int set_term(const struct event_term *parent, const struct pmu *pmu, struct event *ev,
		    const struct pmu_term *term, const char *rest)
{
	size_t at = parent->off + term->off, val_at = at + strlen(term->key) + 1;
	int err;

	if (!*term->key)
		return spec__error(parent->spec, at, "a term is missing here");
	if (term->val && !*term->val)
		return spec__error(parent->spec, val_at, "a value is missing here");
	if (term->val && !strcmp(term->key, "name"))
		return event__set_name(ev, term->val);
	if (!pmu__format(pmu, term->key)) {
		err = event_options__set(parent, at, ev, term->key, term->val);
		if (err != -ENOENT)
			return err;
	}
	if (term->val)
		err = pmu__set_field(pmu, ev, term->key, term->val);
	else
		err = set_bare_term(parent, pmu, ev, term, rest);
	switch (err) {
	case -ENOENT:
		if (term->val && pmu__has_alias(pmu->name, term->key))
			return spec__error(parent->spec, val_at - 1,
					   "%s is an event of %s, and takes no value: %s/%s/",
					   term->key, pmu->name, pmu->name, term->key);
		return log_unknown_term(parent, pmu, term);
	case -EDOM:
		return spec__error(
			parent->spec, at, "%s needs a value: %s=0…%#llx", term->key, term->key,
			(unsigned long long)pmu_format__max(pmu__format(pmu, term->key)));
	case -ERANGE:
		return spec__error(
			parent->spec, val_at, "%s takes 0…%#llx", term->key,
			(unsigned long long)pmu_format__max(pmu__format(pmu, term->key)));
	case -EINVAL:
		/* Errors of an alias were already printed. */
		if (!term->val)
			return err;
		return spec__error(parent->spec, val_at, "this is not a number (decimal or 0x…)");
	default:
		return err;
	}
}

int pmu_terms__apply(const struct event_term *parent, const struct pmu *pmu, struct event *ev,
		     const char *terms, size_t off)
{
	char *copy = strdup(terms), *rest = copy;
	int err = copy ? 0 : -ENOMEM;

	/* Taking a term off truncates copy; it matters only whether copy is empty at the start. */
	if (!err && !*copy)
		rest = NULL;
	while (!err && rest) {
		struct pmu_term term = next_term(copy, off, &rest);

		err = set_term(parent, pmu, ev, &term, rest);
	}
	free(copy);
	return err;
}

int pmu_terms__apply_alias(const struct event_term *parent, const struct pmu *pmu, struct event *ev,
			   const char *alias)
{
	struct pmu_term term = { .key = (char *)alias };

	return set_alias(parent, pmu, ev, &term, NULL);
}
