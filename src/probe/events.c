// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/events.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/probe_source.h"
#include "event/tracefs.h"
#include "probe/find.h"
#include "probe/format.h"
#include "probe/kernel.h"
#include "probe/library.h"
#include "probe/spec.h"
#include "reader/reader.h"
#include "sym/root.h"
#include "util/fs.h"
#include "util/hash.h"
#include "util/log.h"
#include "util/path.h"
#include "util/u64map.h"

/*
 * Ids of made-up formats begin here: the kernel numbers its tracepoints from 1 on, and has some
 * thousand.
 */
#define FIRST_ID 20000
#define LAST_ID UINT16_MAX

static uint16_t next_id = FIRST_ID;

/* One term while its events are made. */
struct maker {
	struct event_term *term;
	const struct probe_spec *spec;
	const char *path; /* absolute */
	struct probe_file file; /* at path */
	bool is_pair;
	struct u64map keys; /* key_of() of the first keyed_cnt events of the list */
	size_t keyed_cnt;
	uint32_t pmu_type; /* by which perf_event_open() counts its probes; 0: there is none */
	/* Makes events of the places, or shows them. 0 or -errno (printed). */
	int (*use)(struct maker *m, struct find_answer *answer);
	void (*show)(void *ctx, const char *name, const struct place *place);
	void *ctx;
};

/* A sentence with a caret under the byte `at` of the term. */
#define fault(m, at, ...) spec__error((m)->term->spec, (m)->term->off + (at), __VA_ARGS__)

/* "probe_app": perf's name for a group of probes, of letters and digits. */
static void put_identifier(struct strbuf *sb, const char *text)
{
	for (; *text; text++)
		strbuf__putc(sb, isalnum((unsigned char)*text) ? *text : '_');
}

/* perf takes the file's name up to the first dot or dash. */
static void put_group(struct strbuf *sb, const char *path)
{
	const char *base = path__base(path);
	size_t i;

	strbuf__puts(sb, "probe_");
	for (i = 0; base[i] && base[i] != '.' && base[i] != '-'; i++)
		strbuf__putc(sb, isalnum((unsigned char)base[i]) ? base[i] : '_');
}

/* Equal for probes of one place. */
static uint64_t key_of(const struct probe *probe)
{
	const char *func = probe->in_kernel ? probe->func : "";

	return hash__table_bytes(probe->off, func, strlen(func));
}

/* Adds the events that have come since. false: no memory. */
static bool add_keys(struct maker *m, const struct event_list *list)
{
	uint32_t *slot;

	for (; m->keyed_cnt < list->cnt; m->keyed_cnt++) {
		const struct probe *probe = list->events[m->keyed_cnt]->probe;

		slot = probe ? u64map__slot(&m->keys, key_of(probe)) : NULL;
		if (probe && !slot)
			return false;
		if (slot)
			*slot = 1;
	}
	return true;
}

/* Was the place named before, with equal fields? */
static bool is_known(struct maker *m, const struct event *ev)
{
	const struct event_list *list = m->term->list;
	size_t i;

	/* Hardly any of thousands of functions is named twice. */
	if (add_keys(m, list) && u64map__get(&m->keys, key_of(ev->probe)) == U64MAP_NONE)
		return false;
	for (i = 0; i < list->cnt; i++)
		if (event__is_same_probe(list->events[i], ev))
			return true;
	return false;
}

/* Makes the event of a place that has its probe and its format; both are taken over. */
static int push(struct maker *m, struct probe *probe, struct tp_format *fmt, const char *name)
{
	struct event *ev = event__new(EVENT_TRACEPOINT, name);

	if (!ev) {
		tp_format__free(fmt);
		probe__free(probe);
		return -ENOMEM;
	}
	ev->fmt = fmt;
	ev->probe = probe;
	ev->type = PERF_TYPE_TRACEPOINT;
	ev->config = fmt->id;
	if (is_known(m, ev)) {
		event__free(ev);
		return 0;
	}
	return event_term__push(m->term, ev, false);
}

/* "u:app:handle", and "@FILE:LINE" or the like of one that is a copy. */
/* A deleted file has a path of numbers in /proc: it is shown by the name that it had. */
static const char *shown_path(const struct maker *m)
{
	return strstr(m->path, "/map_files/") ? m->spec->path : m->path;
}

static void put_name(const struct maker *m, const struct place *place, struct strbuf *sb)
{
	if (m->spec->kind == PROBE_SPEC_KERNEL) {
		strbuf__printf(sb, "f:%s%s", place->name, place->where ? place->where : "");
		return;
	}
	strbuf__printf(sb, "%s:%s:%s", m->spec->provider ? "usdt" : "u", path__base(shown_path(m)),
		       place->name);
	if (place->where)
		strbuf__printf(sb, "%s%s", place->where[0] == '+' ? "" : "@", place->where);
}

/* The number of a PMU of sysfs; 0: there is none. */
static uint32_t pmu_type(const char *name)
{
	char path[128];
	long type = 0;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	fs__read_long(path, &type);
	return (uint32_t)type;
}

static int add_place(struct maker *m, struct place *place)
{
	struct strbuf name = STRBUF_INIT, group = STRBUF_INIT, short_name = STRBUF_INIT;
	struct probe *probe = probe__new();
	struct tp_format *fmt = NULL;
	int err = -ENOMEM;

	if (next_id == LAST_ID) {
		err = fault(m, 0, "there are more than %d probes; name fewer", LAST_ID - FIRST_ID);
		goto cleanup;
	}
	if (!probe)
		goto cleanup;
	probe->in_kernel = m->spec->kind == PROBE_SPEC_KERNEL;
	probe->path = m->path ? strdup(m->path) : NULL;
	probe->func = strdup(place->name);
	probe->file = m->file;
	probe->off = place->off;
	probe->sem_off = place->sem_off;
	probe->hit = place->hit;
	probe->pushed = place->pushed;
	probe->pmu_type = m->pmu_type;
	probe->is_pair = m->is_pair;
	put_name(m, place, &name);
	if (probe->in_kernel)
		strbuf__puts(&group, "probe");
	else
		put_group(&group, shown_path(m));
	put_identifier(&short_name, place->name);
	if ((m->path && !probe->path) || !probe->func || strbuf__has_failed())
		goto cleanup;
	fmt = probe_format__make(probe, place, strbuf__cstr(&group), strbuf__cstr(&short_name),
				 next_id);
	if (!fmt && errno == E2BIG)
		err = fault(m, m->spec->args_at, "these arguments are too many for one record");
	if (!fmt)
		goto cleanup;
	next_id++;
	err = push(m, probe, fmt, strbuf__cstr(&name));
	probe = NULL;
cleanup:
	probe__free(probe);
	strbuf__free(&name);
	strbuf__free(&group);
	strbuf__free(&short_name);
	return err;
}

/* Says why there is no place. */
static int say_why(struct maker *m, const struct find_answer *answer)
{
	const struct probe_spec *spec = m->spec;

	switch (answer->status) {
	case FIND_BAD_ARG:
		return fault(m, spec->args_at + answer->fault.off, "%s", answer->fault.text);
	case FIND_IFUNC:
		return fault(m, spec->func_at,
			     "%s has several versions of %s, of which the dynamic linker chooses "
			     "one; name that one: see bpfperf list 'u:%s:*%s*'",
			     m->path, spec->func, spec->path, spec->func);
	case FIND_OTHER_MACHINE:
		if (spec->kind == PROBE_SPEC_KERNEL)
			return fault(m, spec->func_at,
				     "probes of functions are made for x86-64 and arm64 only");
		return fault(m, spec->path_at, "%s is not of this machine's architecture", m->path);
	case FIND_NO_DWARF:
		return fault(m, spec->func_at,
			     "%s has no DWARF, by which lines are found; compile it with -g, or "
			     "name a function",
			     m->path);
	case FIND_REFUSED:
		return fault(
			m, spec->func_at,
			"the kernel cannot probe the first instruction there, or would take it "
			"for another one, and the program would go wrong; name a place behind "
			"it (FUNC+OFF)");
	case FIND_WITHIN:
		return fault(m, spec->func_at,
			     "this is within an instruction, which a probe would change, so that "
			     "the program went wrong; it begins at %s",
			     answer->near ?: "?");
	case FIND_BEYOND:
		return fault(m, spec->func_at, "%s has %s bytes of code; give a smaller offset",
			     spec->func, answer->near ?: "fewer");
	default:
		break;
	}
	if (spec->kind == PROBE_SPEC_KERNEL)
		fault(m, spec->func_at, "the kernel has no function %s that can be probed%s%s",
		      spec->func, answer->near ? "; " : "", answer->near ? answer->near : "");
	else if (spec->provider && !strcmp(spec->provider, "*") && !strcmp(spec->func, "*"))
		fault(m, spec->func_at, "%s has no USDT probes", m->path);
	else if (spec->provider)
		fault(m, spec->func_at,
		      "%s has no probe %s:%s; bpfperf list 'usdt:%s:*:*' shows "
		      "those that it has",
		      m->path, spec->provider, spec->func, spec->path);
	else if (spec->source)
		fault(m, spec->func_at, "%s has no code of line %u of %s", m->path, spec->line,
		      spec->source);
	else if (spec->func)
		fault(m, spec->func_at, "%s has no function %s%s%s", m->path, spec->func,
		      answer->near ? "; " : "", answer->near ? answer->near : "");
	else
		fault(m, spec->func_at, "%s has no code at this address", m->path);
	return -ENOENT;
}

static int add_places(struct maker *m, struct find_answer *answer)
{
	int err = 0;
	size_t i;

	if (answer->status != FIND_OK || !answer->places.cnt)
		return say_why(m, answer);
	m->is_pair = answer->has_return;
	m->pmu_type = pmu_type(m->spec->kind == PROBE_SPEC_KERNEL ? "kprobe" : "uprobe");
	for (i = 0; i < answer->places.cnt && !err; i++)
		err = add_place(m, &answer->places.at[i]);
	return err;
}

/* Passes the places on; a pattern may match more functions than there is room for. */
static int use_places(struct maker *m, struct find_answer *answer)
{
	if (answer->status == FIND_OK && answer->places.cut)
		log_warn("%s:%s: only the first %d functions are taken; give a narrower pattern",
			 m->path ? m->path : "f", m->spec->func, PLACES_MAX);
	return m->use(m, answer);
}

static int use_answer(struct maker *m, int err, struct find_answer *answer)
{
	if (err == -ENOEXEC)
		return fault(m, m->spec->path_at, "%s is neither a program nor a library", m->path);
	if (err == -ENOMEM) {
		log_error("out of memory");
		return err;
	}
	if (err)
		return fault(m, m->spec->path_at, "%s cannot be read: %s", m->path,
			     reader__why(err));
	if (answer->status == FIND_OK && answer->places.refused)
		log_warn("%s: left out of the pattern, because the kernel cannot probe the "
			 "instructions there: %u place%s",
			 m->path, answer->places.refused, answer->places.refused == 1 ? "" : "s");
	if (answer->status == FIND_OK && answer->missing)
		log_warn("%s: arguments and inlined copies are missing: %s", m->path,
			 answer->missing);
	return use_places(m, answer);
}

static int resolve_file(struct maker *m, int fd)
{
	const struct probe_spec *spec = m->spec;
	const struct find_want want = {
		.provider = spec->provider,
		.func = spec->func,
		.source = spec->source,
		.line = spec->line,
		.add = spec->add,
		.args = spec->args,
		.is_list = m->use != add_places,
	};
	struct find_answer answer;
	int err = find__ask(fd, m->path, &want, &answer);

	err = use_answer(m, err, &answer);
	find_answer__free(&answer);
	return err;
}

static int resolve_user(struct maker *m)
{
	char *path = library__find(m->spec->path);
	int fd, err;

	if (!path) {
		fault(m, m->spec->path_at,
		      "there is no program or library %s: a path has a '/', a library is found as "
		      "the dynamic linker finds it, a program by $PATH",
		      m->spec->path);
		return -ENOENT;
	}
	m->path = path;
	fd = root__open(-1, path);
	if (fd < 0) {
		err = fault(m, m->spec->path_at, "%s cannot be opened: %s", path, strerror(errno));
	} else {
		err = probe_file__get(&m->file, fd, path);
		if (!err)
			err = resolve_file(m, fd);
		close(fd);
	}
	free(path);
	return err;
}

static int resolve_kernel(struct maker *m)
{
	const struct probe_spec *spec = m->spec;
	const struct find_want want = { .func = spec->func,
					.args = spec->args,
					.add = spec->add,
					.is_list = m->use != add_places };
	struct find_answer answer;
	int err;

	err = probe_kernel__find(&want, &answer);
	if (err == -ENODEV)
		err = tracefs__require()
			      ?: fault(m, spec->func_at,
				       "the kernel does not tell which functions can be probed: it "
				       "needs CONFIG_DYNAMIC_FTRACE");
	else if (err == -ENOMEM)
		log_error("out of memory");
	else if (!err)
		err = use_places(m, &answer);
	find_answer__free(&answer);
	return err;
}

static int resolve_term(struct maker *m)
{
	struct probe_spec spec;
	int err = probe_spec__parse(&spec, m->term);

	m->spec = &spec;

	if (!err)
		err = spec.kind == PROBE_SPEC_KERNEL ? resolve_kernel(m) : resolve_user(m);
	probe_spec__free(&spec);
	return err;
}

static int resolve(struct event_term *term)
{
	struct maker m = { .term = term, .use = add_places };
	int err = resolve_term(&m);

	u64map__free(&m.keys);
	return err;
}

static int show_places(struct maker *m, struct find_answer *answer)
{
	struct strbuf name = STRBUF_INIT;
	size_t i;

	if (answer->status != FIND_OK || !answer->places.cnt)
		return say_why(m, answer);
	for (i = 0; i < answer->places.cnt; i++) {
		strbuf__reset(&name);
		put_name(m, &answer->places.at[i], &name);
		m->show(m->ctx, strbuf__cstr(&name), &answer->places.at[i]);
	}
	strbuf__free(&name);
	return 0;
}

int probe_events__each(const char *text,
		       void (*show)(void *ctx, const char *name, const struct place *place),
		       void *ctx)
{
	struct event_term term = { .spec = text, .text = (char *)text, .mods = "" };
	struct maker m = { .term = &term, .use = show_places, .show = show, .ctx = ctx };

	return resolve_term(&m);
}

void probe_events__of_process(pid_t pid)
{
	library__of_process(pid);
}

void probe_events__enable(void)
{
	probe_source__set(resolve);
}
