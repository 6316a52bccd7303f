// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/trace_probes.h"

#include <errno.h>
#include <stdlib.h>

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

/* Kinds of probes among the events: of files and of the kernel, single and in pairs. */
struct kinds {
	bool single[2], pairs[2];
	uint32_t max_sz; /* of a pair's record */
};

static int add_code(struct trace_probes *tp, const struct event_list *events, struct kinds *kinds)
{
	size_t i;

	for (i = 0; i < events->cnt; i++) {
		const struct probe *p = events->events[i]->probe;

		if (!p)
			continue;
		tp->any = true;
		*(p->is_pair ? &kinds->pairs[p->in_kernel] : &kinds->single[p->in_kernel]) = true;
		if (p->is_pair && p->max_sz > kinds->max_sz)
			kinds->max_sz = p->max_sz;
		if (probe_code__add(&tp->code, p, false) < 0 ||
		    probe_code__add(&tp->code, p, true) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* The programs of one kind. */
struct programs_of_kind {
	struct bpf_program *hit, *begin, *end, *session;
};

static struct programs_of_kind programs_of(const struct trace_probes *tp,
					   const struct trace_bpf *skel, bool in_kernel)
{
	struct programs_of_kind progs =
		in_kernel ? (struct programs_of_kind){ skel->progs.kprobe_hit,
						       skel->progs.kprobe_begin,
						       skel->progs.kprobe_end,
						       skel->progs.kprobe_session }
			  : (struct programs_of_kind){ skel->progs.uprobe_hit,
						       skel->progs.uprobe_begin,
						       skel->progs.uprobe_end,
						       skel->progs.uprobe_session };

	if (tp->only_hits)
		progs.hit = in_kernel ? skel->progs.kprobe_count : skel->progs.uprobe_count;
	return progs;
}

/* Chooses the programs of one kind. 0 or -errno (logged). */
static int choose(const struct trace_probes *tp, const struct trace_bpf *skel,
		  const struct event_list *events, const struct kinds *kinds, bool in_kernel)
{
	const struct programs_of_kind p = programs_of(tp, skel, in_kernel);
	int err = kinds->single[in_kernel] ? probe_links__choose(p.hit, events, in_kernel) : 0;

	if (err || !kinds->pairs[in_kernel])
		return err;
	if (probe_links__have_sessions(events, in_kernel)) {
		probe_links__choose_session(p.session, in_kernel);
		return 0;
	}
	err = probe_links__choose(p.begin, events, in_kernel);
	return err ? err : probe_links__choose(p.end, events, in_kernel);
}

int trace_probes__configure(struct trace_probes *tp, const struct event_list *events,
			    struct trace_bpf *skel)
{
	uint32_t entry_off = (uint32_t)sizeof(struct wire_rec) + skel->rodata->ext_sz;
	struct kinds kinds = { .max_sz = 0 };
	int err = add_code(tp, events, &kinds);

	if (err) {
		log_error("out of memory");
		return err;
	}
	if (!tp->any)
		return 0;
	err = choose(tp, skel, events, &kinds, false);
	if (!err)
		err = choose(tp, skel, events, &kinds, true);
	if (err)
		return err;
	bpf_map__set_max_entries(skel->maps.probe_sites, (__u32)events->cnt);
	if (kinds.pairs[0] || kinds.pairs[1])
		size_calls(skel, entry_off + kinds.max_sz);
	probe_code__extras(&tp->code, entry_off);
	return 0;
}

static struct wire_site site_of(struct trace_probes *tp, const struct event *ev, bool has_sessions)
{
	const struct probe *p = ev->probe;
	struct wire_site site = {
		.id = ev->fmt->id,
		.fixed_sz = p->fixed_sz,
		.max_sz = p->max_sz,
		.pushed = p->pushed,
		.fetch = (__u16)probe_code__add(&tp->code, p, false),
		.fetch_return = (__u16)probe_code__add(&tp->code, p, true),
	};

	/* The mark of what is not in memory is kept with the call, too. */
	site.only_time =
		p->is_pair && !site.fetch && site.fetch_return && !p->absent_off && has_sessions;
	return site;
}

int trace_probes__prepare(struct trace_probes *tp, const struct event_list *events,
			  struct trace_bpf *skel)
{
	const bool has_sessions[] = { probe_links__have_sessions(events, false),
				      probe_links__have_sessions(events, true) };
	struct wire_site *sites;
	__u32 *keys, cnt = 0, i;
	int err = -ENOMEM;

	if (!tp->any)
		return 0;
	sites = calloc(events->cnt, sizeof(*sites));
	keys = calloc(events->cnt, sizeof(*keys));
	for (i = 0; i < events->cnt && sites && keys; i++) {
		const struct event *ev = events->events[i];

		if (!ev->probe)
			continue;
		keys[cnt] = i;
		sites[cnt++] = site_of(tp, ev, has_sessions[ev->probe->in_kernel]);
	}
	/* All by one call (5.6). */
	if (cnt)
		err = bpf_map_update_batch(bpf_map__fd(skel->maps.probe_sites), keys, sites, &cnt,
					   NULL);
	free(sites);
	free(keys);
	return err;
}

static struct probe_program fds_of(const struct trace_probes *tp, const struct trace_bpf *skel,
				   bool in_kernel)
{
	const struct programs_of_kind p = programs_of(tp, skel, in_kernel);

	return (struct probe_program){
		.hit = bpf_program__fd(p.hit),
		.begin = bpf_program__fd(p.begin),
		.end = bpf_program__fd(p.end),
		.session = bpf_program__fd(p.session),
	};
}

struct probe_programs trace_probes__programs(const struct trace_probes *tp,
					     const struct trace_bpf *skel)
{
	return (struct probe_programs){ .user = fds_of(tp, skel, false),
					.kernel = fds_of(tp, skel, true) };
}

int trace_probes__attach(struct trace_probes *tp, const struct event_list *events,
			 struct trace_bpf *skel)
{
	const struct probe_programs progs = trace_probes__programs(tp, skel);

	return tp->any ? probe_links__attach(&tp->links, events, &progs) : 0;
}

void trace_probes__free(struct trace_probes *tp)
{
	probe_links__free(&tp->links);
	probe_code__free(&tp->code);
}
