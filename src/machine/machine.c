// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/machine.h"

#include <stdlib.h>

#include "data/recording.h"
#include "machine/machine_maps.h"
#include "machine/tasks.h"
#include "reader/reader.h"
#include "sym/sym.h"

struct machine *machine__new(const struct sym_options *options)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	/* Nothing of others has been read yet. Without readers there are no names (logged). */
	reader__start();
	m->versions = (struct u64map)U64MAP_INIT;
	brief__init(&m->brief);
	m->tasks = tasks__new();
	m->sym = sym__new();
	if (!m->tasks || !m->sym) {
		machine__free(m);
		return NULL;
	}
	if (options)
		sym__configure(m->sym, options);
	return m;
}

void machine__set_recording(struct machine *m, const struct recording *rec,
			    const struct sym_options *options)
{
	struct sym_options all = options ? *options : (struct sym_options){ 0 };

	all.offline = true;
	all.recorded_real_ns = rec->mtime_real_ns;
	sym__configure(m->sym, &all);
	m->recording = rec;
	tasks__set_offline(m->tasks);
}

void machine__settle_kernel(struct machine *m)
{
	if (!sym__knows_kernel(m->sym))
		machine_maps__set_kernel(m->sym, m->recording, NULL, 0);
}

void machine__free(struct machine *m)
{
	if (!m)
		return;
	tasks__free(m->tasks);
	sym__free(m->sym);
	throttle__free(&m->throttle);
	u64map__free(&m->versions);
	brief__free(&m->brief);
	free(m);
}

static void append(struct machine_subscriber **list, struct machine_subscriber *sub)
{
	while (*list)
		list = &(*list)->next;
	sub->next = NULL;
	*list = sub;
}

void machine__subscribe(struct machine *m, struct machine_subscriber *sub)
{
	append(&m->in_turn, sub);
}

void machine__subscribe_at_read(struct machine *m, struct machine_subscriber *sub)
{
	append(&m->at_read, sub);
}

int machine__add_names(struct machine *m)
{
	return tasks__scan(m->tasks);
}

void machine__add_maps(struct machine *m, bool only_pids, const int *pids, size_t pid_cnt)
{
	size_t i;

	m->has_maps = true;
	if (!only_pids) {
		sym__add_all_processes(m->sym);
		return;
	}
	for (i = 0; i < pid_cnt; i++)
		sym__add_process(m->sym, pids[i]);
}

static int publish(const struct machine_subscriber *sub, const struct proc_event *ev,
		   const struct record *rec, bool is_history)
{
	int err = 0;

	for (; sub && !err; sub = sub->next)
		if (!is_history || sub->wants_history)
			err = sub->fn(sub->ctx, ev, rec);
	return err;
}

int machine__add_history(struct machine *m, const struct perf_event_header *hdr)
{
	const struct record rec = { .kind = RECORD_PROC, .hdr = hdr };
	struct proc_event ev;

	proc_event__parse(hdr, &ev);
	return publish(m->in_turn, &ev, &rec, true);
}

static void count_version(struct machine *m, const struct proc_event *ev)
{
	uint32_t *version;

	if (!m->counts_versions)
		return;
	if (ev->kind != PROC_MMAP && ev->kind != PROC_EXEC && ev->kind != PROC_FORK)
		return;
	version = u64map__slot(&m->versions, (uint32_t)ev->pid);
	if (version)
		*version = *version == U64MAP_NONE ? 1 : *version + 1;
}

static int apply_live(struct machine *m, const struct proc_event *ev, uint64_t time_ns)
{
	int err = throttle__on_event(&m->throttle, ev, time_ns);

	m->lost_cnt += ev->kind == PROC_LOST;
	if (err || !m->has_maps)
		return err;
	machine_maps__on_event(m->sym, ev, time_ns);
	count_version(m, ev);
	return 0;
}

void machine__skip_brief(struct machine *m)
{
	m->skips_brief = true;
}

int machine__process(struct machine *m, const struct record *rec)
{
	struct proc_event ev;
	int err;

	proc_event__parse(rec->hdr, &ev);
	if (ev.kind == PROC_NOTHING)
		return 0;
	if (m->skips_brief && brief__skips(&m->brief, &ev, rec->time_ns, rec->settled_ns))
		return 0;
	err = publish(m->in_turn, &ev, rec, false);
	if (err)
		return err;
	tasks__on_event(m->tasks, &ev, rec->time_ns);
	if (!m->recording)
		return apply_live(m, &ev, rec->time_ns);
	machine_maps__on_recorded(m->sym, m->recording, &ev);
	return 0;
}

void machine__on_read(void *ctx, const struct record *rec)
{
	struct machine *m = ctx;
	struct proc_event ev;

	if (!m->at_read && !m->skips_brief)
		return;
	proc_event__parse(rec->hdr, &ev);
	if (m->skips_brief)
		brief__on_read(&m->brief, &ev, rec->time_ns);
	publish(m->at_read, &ev, rec, false);
}

void machine__on_sample_read(void *ctx, uint32_t tgid)
{
	struct machine *m = ctx;

	if (m->skips_brief)
		brief__on_sample(&m->brief, (int32_t)tgid);
}

uint32_t machine__maps_version(const struct machine *m, int32_t pid)
{
	uint32_t version = u64map__get(&m->versions, (uint32_t)pid);

	return version == U64MAP_NONE ? 0 : version;
}
