// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/trace_probes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "bpf/probe_wire.h"
#include "bpf/wire.h"
#include "kernel/features.h"
#include "kernel/multi_link.h"
#include "util/log.h"

/* Files are attached one after the other. */
static int compare_paths(const void *a, const void *b)
{
	const struct event *x = *(struct event *const *)a, *y = *(struct event *const *)b;
	int diff = strcmp(x->probe->path, y->probe->path);

	if (!diff)
		diff = (int)x->probe->is_pair - (int)y->probe->is_pair;
	return diff ? diff : (x->fmt->id > y->fmt->id) - (x->fmt->id < y->fmt->id);
}

int trace_probes__init(struct trace_probes *tp, const struct event_list *events)
{
	size_t i;

	tp->cnt = 0;
	free(tp->events);
	tp->events = calloc(events->cnt + 1, sizeof(*tp->events));
	if (!tp->events)
		return -ENOMEM;
	for (i = 0; i < events->cnt; i++)
		if (events->events[i]->probe)
			tp->events[tp->cnt++] = events->events[i];
	if (tp->cnt)
		qsort(tp->events, tp->cnt, sizeof(*tp->events), compare_paths);
	return 0;
}

static void choose_program(struct bpf_program *prog, bool wanted)
{
	bpf_program__set_autoload(prog, wanted);
	if (wanted)
		bpf_program__set_expected_attach_type(
			prog, (enum bpf_attach_type)ATTACH_UPROBE_MULTI);
}

int trace_probes__configure(struct trace_probes *tp, struct trace_bpf *skel)
{
	uint32_t max_sz = 0, entry_off = (uint32_t)sizeof(struct wire_rec) + skel->rodata->ext_sz;
	bool pairs = false, single = false;
	size_t i;

	if (!tp->cnt)
		return 0;
	if (!feature__have(FEATURE_UPROBE_MULTI)) {
		log_error("probes need Linux 6.6 or later, which attaches many functions by one "
			  "link; use perf probe");
		return -EOPNOTSUPP;
	}
	for (i = 0; i < tp->cnt; i++) {
		const struct probe *p = tp->events[i]->probe;

		pairs |= p->is_pair;
		single |= !p->is_pair;
		if (p->is_pair && p->max_sz > max_sz)
			max_sz = p->max_sz;
		if (probe_code__add(&tp->code, p, false) < 0 ||
		    probe_code__add(&tp->code, p, true) < 0) {
			log_error("out of memory");
			return -ENOMEM;
		}
	}
	choose_program(skel->progs.uprobe_hit, single);
	choose_program(skel->progs.uprobe_begin, pairs);
	choose_program(skel->progs.uprobe_end, pairs);
	bpf_map__set_max_entries(skel->maps.probe_sites, (__u32)tp->cnt);
	if (pairs) {
		skel->rodata->probe_call_sz = (entry_off + max_sz + 7) & ~7u;
		bpf_map__set_value_size(skel->maps.probe_calls, skel->rodata->probe_call_sz);
		bpf_map__set_max_entries(skel->maps.probe_calls, WIRE_PROBE_CALLS);
	}
	probe_code__extras(&tp->code, entry_off);
	return 0;
}

int trace_probes__prepare(struct trace_probes *tp, struct trace_bpf *skel)
{
	__u32 key;

	for (key = 0; key < tp->cnt; key++) {
		const struct event *ev = tp->events[key];
		const struct wire_site site = {
			.id = ev->fmt->id,
			.fixed_sz = ev->probe->fixed_sz,
			.max_sz = ev->probe->max_sz,
			.fetch = (__u16)probe_code__add(&tp->code, ev->probe, false),
			.fetch_return = (__u16)probe_code__add(&tp->code, ev->probe, true),
		};

		if (bpf_map_update_elem(bpf_map__fd(skel->maps.probe_sites), &key, &site, 0))
			return -errno;
	}
	return 0;
}

static int add_link(struct trace_probes *tp, const struct bpf_program *prog,
		    const struct uprobe_multi *at)
{
	int fd = uprobe_multi__attach(bpf_program__fd(prog), at);

	if (fd < 0)
		return fd;
	tp->links[tp->link_cnt++] = fd;
	return 0;
}

/* The probes of one file and one kind: tp->events[from] up to tp->events[to]. */
static int attach_file(struct trace_probes *tp, struct trace_bpf *skel, size_t from, size_t to)
{
	const struct probe *first = tp->events[from]->probe;
	uint64_t *offs = calloc(3 * (to - from), sizeof(*offs));
	uint64_t *cookies = offs + (to - from), *sem_offs = cookies + (to - from);
	struct uprobe_multi at = {
		.path = first->path, .offs = offs, .cookies = cookies, .cnt = (uint32_t)(to - from)
	};
	int err = 0;
	size_t i;

	if (!offs)
		return -ENOMEM;
	for (i = from; i < to; i++) {
		offs[i - from] = tp->events[i]->probe->off;
		cookies[i - from] = i;
		sem_offs[i - from] = tp->events[i]->probe->sem_off;
		if (sem_offs[i - from])
			at.sem_offs = sem_offs;
	}
	if (first->is_pair) {
		err = add_link(tp, skel->progs.uprobe_begin, &at);
		at.at_return = true;
		at.sem_offs = NULL;
	}
	if (!err)
		err = add_link(tp, first->is_pair ? skel->progs.uprobe_end : skel->progs.uprobe_hit,
			       &at);
	free(offs);
	if (err)
		log_error("cannot attach to functions of %s: %s", first->path, strerror(-err));
	return err;
}

int trace_probes__attach(struct trace_probes *tp, struct trace_bpf *skel)
{
	size_t from = 0, to;
	int err = 0;

	if (!tp->cnt)
		return 0;
	tp->links = calloc(2 * tp->cnt, sizeof(*tp->links));
	if (!tp->links)
		return -ENOMEM;
	for (; from < tp->cnt && !err; from = to) {
		const struct probe *first = tp->events[from]->probe;

		for (to = from + 1; to < tp->cnt; to++)
			if (strcmp(tp->events[to]->probe->path, first->path) != 0 ||
			    tp->events[to]->probe->is_pair != first->is_pair)
				break;
		err = attach_file(tp, skel, from, to);
	}
	return err;
}

void trace_probes__free(struct trace_probes *tp)
{
	size_t i;

	for (i = 0; i < tp->link_cnt; i++)
		close(tp->links[i]);
	free(tp->links);
	free(tp->events);
	probe_code__free(&tp->code);
	*tp = (struct trace_probes){ NULL };
}
