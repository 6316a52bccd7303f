// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/call_set.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"

#define CALL_CNT ((size_t)STRACE_ABIS * STRACE_CALLS)

static const struct {
	const char *name;
	unsigned int classes;
} classes[] = {
	{ "file", CLASS_FILE },      { "desc", CLASS_DESC },       { "network", CLASS_NETWORK },
	{ "net", CLASS_NETWORK },    { "process", CLASS_PROCESS }, { "memory", CLASS_MEMORY },
	{ "signal", CLASS_SIGNAL },  { "ipc", CLASS_IPC },         { "creds", CLASS_CREDS },
	{ "clock", CLASS_CLOCK },    { "pure", CLASS_PURE },       { "%stat", CLASS_STAT },
	{ "%statfs", CLASS_STATFS }, { "stat", CLASS_STAT },       { "lstat", CLASS_STAT },
	{ "fstat", CLASS_STAT },     { "statfs", CLASS_STATFS },   { "fstatfs", CLASS_STATFS },
};

/* Returns the class of %NAME; 0: unknown. */
static unsigned int class_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strcmp(classes[i].name, name) == 0)
			return classes[i].classes;
	return 0;
}

static void mark(struct call_table *t, size_t i)
{
	t->wire[i].flags |= STRACE_WANTED;
}

static int mark_class(struct call_table *t, const char *name)
{
	unsigned int want = class_of(name);
	size_t i;

	if (!want) {
		log_error("-e trace=%%%s: there is no such class; choose from %%file %%desc "
			  "%%network %%process %%memory %%signal %%ipc %%creds %%clock %%pure "
			  "%%stat %%statfs",
			  name);
		return -EINVAL;
	}
	for (i = 0; i < CALL_CNT; i++)
		if (t->calls[i].desc && t->calls[i].desc->classes & want)
			mark(t, i);
	return 0;
}

static int mark_regex(struct call_table *t, const char *text)
{
	regex_t re;
	size_t i;

	if (regcomp(&re, text, REG_EXTENDED | REG_NOSUB)) {
		log_error("-e trace=/%s: this is no regular expression; see regex(7)", text);
		return -EINVAL;
	}
	for (i = 0; i < CALL_CNT; i++)
		if (t->calls[i].name && !regexec(&re, t->calls[i].name, 0, NULL, 0))
			mark(t, i);
	regfree(&re);
	return 0;
}

static int mark_name(struct call_table *t, const char *name, bool may_be_missing)
{
	bool found = false;
	char *end;
	long nr = strtol(name, &end, 10);
	size_t i;

	if (*name && !*end && nr >= 0 && nr < STRACE_CALLS) {
		mark(t, (size_t)nr);
		return 0;
	}
	for (i = 0; i < CALL_CNT; i++) {
		if (!t->calls[i].name || strcmp(t->calls[i].name, name) != 0)
			continue;
		mark(t, i);
		found = true;
	}
	if (found || may_be_missing)
		return 0;
	log_error("-e trace=%s: there is no such system call; ?%s ignores that", name, name);
	return -EINVAL;
}

static int mark_word(struct call_table *t, const char *word)
{
	size_t i;

	if (strcmp(word, "all") == 0) {
		for (i = 0; i < CALL_CNT; i++)
			mark(t, i);
		return 0;
	}
	if (strcmp(word, "none") == 0)
		return 0;
	if (word[0] == '%')
		return mark_class(t, word + 1);
	if (word[0] == '/')
		return mark_regex(t, word + 1);
	/* Classes without % are an old spelling; a call's name comes first. */
	if (class_of(word) && !call_desc__find(word))
		return mark_class(t, word);
	return word[0] == '?' ? mark_name(t, word + 1, true) : mark_name(t, word, false);
}

int call_set__choose(struct call_table *t, const char *set)
{
	bool inverted = set && *set == '!';
	char *copy, *word, *rest;
	int err = 0;
	size_t i;

	if (!set)
		return mark_word(t, "all");
	copy = strdup(set + inverted);
	if (!copy) {
		log_error("out of memory");
		return -ENOMEM;
	}
	for (word = strtok_r(copy, ",", &rest); word && !err; word = strtok_r(NULL, ",", &rest))
		err = mark_word(t, word);
	free(copy);
	for (i = 0; inverted && i < CALL_CNT; i++)
		t->wire[i].flags ^= STRACE_WANTED;
	return err;
}

int call_status__parse(const char *set, unsigned int *status)
{
	static const char *const names[] = { "successful", "failed", "unfinished" };
	bool inverted = *set == '!';
	char copy[128], *word, *rest;
	size_t i;

	*status = 0;
	strncpy(copy, set + inverted, sizeof(copy) - 1);
	copy[sizeof(copy) - 1] = '\0';
	for (word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
		for (i = 0; i < 3 && strcmp(names[i], word) != 0; i++)
			;
		if (i < 3)
			*status |= 1u << i;
		else if (strcmp(word, "all") == 0)
			*status = STATUS_ALL;
		else if (strcmp(word, "none") != 0 && strcmp(word, "unavailable") != 0 &&
			 strcmp(word, "detached") != 0) {
			log_error("-e status=%s: choose from successful failed unfinished", word);
			return -EINVAL;
		}
	}
	if (inverted)
		*status ^= STATUS_ALL;
	return 0;
}
