// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/trace_probes.h"

#include <errno.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "bpf/probe_wire.h"
#include "bpf/wire.h"
#include "util/log.h"

/* The room of a call that has not returned, in its map. */
static void size_calls(struct trace_bpf *skel, uint32_t sz)
{
	skel->rodata->probe_call_sz = (sz + 7) & ~7u;
	bpf_map__set_value_size(skel->maps.probe_calls, skel->rodata->probe_call_sz);
	bpf_map__set_max_entries(skel->maps.probe_calls, WIRE_PROBE_CALLS);
}

int trace_probes__configure(struct trace_probes *tp, const struct event_list *events,
			    struct trace_bpf *skel)
{
	uint32_t max_sz = 0, entry_off = (uint32_t)sizeof(struct wire_rec) + skel->rodata->ext_sz;
	bool pairs = false, single = false;
	int err = 0;
	size_t i;

	tp->any = probe_links__are_needed(events);
	for (i = 0; i < events->cnt; i++) {
		const struct probe *p = events->events[i]->probe;

		if (!p)
			continue;
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
	if (single)
		err = probe_links__choose(skel->progs.uprobe_hit);
	if (pairs && !err)
		err = probe_links__choose(skel->progs.uprobe_begin);
	if (pairs && !err)
		err = probe_links__choose(skel->progs.uprobe_end);
	if (err || !tp->any)
		return err;
	bpf_map__set_max_entries(skel->maps.probe_sites, (__u32)events->cnt);
	if (pairs)
		size_calls(skel, entry_off + max_sz);
	probe_code__extras(&tp->code, entry_off);
	return 0;
}

int trace_probes__prepare(struct trace_probes *tp, const struct event_list *events,
			  struct trace_bpf *skel)
{
	__u32 key;

	for (key = 0; key < events->cnt; key++) {
		const struct probe *p = events->events[key]->probe;
		struct wire_site site;

		if (!p)
			continue;
		site = (struct wire_site){
			.id = events->events[key]->fmt->id,
			.fixed_sz = p->fixed_sz,
			.max_sz = p->max_sz,
			.fetch = (__u16)probe_code__add(&tp->code, p, false),
			.fetch_return = (__u16)probe_code__add(&tp->code, p, true),
		};
		if (bpf_map_update_elem(bpf_map__fd(skel->maps.probe_sites), &key, &site, 0))
			return -errno;
	}
	return 0;
}

int trace_probes__attach(struct trace_probes *tp, const struct event_list *events,
			 struct trace_bpf *skel)
{
	const struct probe_programs progs = {
		.hit = bpf_program__fd(skel->progs.uprobe_hit),
		.begin = bpf_program__fd(skel->progs.uprobe_begin),
		.end = bpf_program__fd(skel->progs.uprobe_end),
	};

	return tp->any ? probe_links__attach(&tp->links, events, &progs) : 0;
}

void trace_probes__free(struct trace_probes *tp)
{
	probe_links__free(&tp->links);
	probe_code__free(&tp->code);
}
