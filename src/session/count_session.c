// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/count_session.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "count.skel.h"

#include "bpf/wire.h"
#include "event/event.h"
#include "kernel/bpf_error.h"
#include "kernel/features.h"
#include "kernel/kernel_btf.h"
#include "kernel/prog_info.h"
#include "session/detach_helper.h"
#include "session/emit_switch.h"
#include "session/hit_counts.h"
#include "session/probe_links.h"
#include "session/task_filter.h"
#include "util/log.h"

struct count_session {
	struct count_config cfg;
	struct targets targets;
	struct task_filter task_filter;
	struct count_bpf *skel;
	struct detach_helper detach_helper; /* holds the attachments that are no links */
	struct probe_links links;
	uint64_t missed_before; /* skipped runs before counting began */
	bool has_begun;
	struct hit_counts hits;
};

bool count_session__can(const struct event *ev)
{
	return ev->probe && !ev->probe->is_return && !ev->filter && !ev->exclude_user &&
	       !ev->exclude_kernel && feature__have(FEATURE_ATTACH_COOKIE) &&
	       kernel_btf__have_types();
}

static void set_knobs(struct count_session *s)
{
	struct count_bpf *skel = s->skel;

	task_filter__set_knobs(&s->task_filter, skel);
	skel->rodata->has_attach_cookie = true;
	skel->rodata->hit_stride = hit_counts__stride(s->cfg.events->cnt);
	task_filter__configure(&s->task_filter, skel->obj);
	hit_counts__configure(skel->obj, s->cfg.events->cnt);
}

static int choose(struct bpf_program *prog, const struct event_list *events, bool in_kernel)
{
	bpf_program__set_autoload(prog, false);
	return probe_links__are_needed(events, in_kernel)
		       ? probe_links__choose(prog, events, in_kernel)
		       : 0;
}

static int open_skel(struct count_session *s)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = kernel_btf__path());
	int err;

	s->skel = count_bpf__open_opts(&opts);
	err = kernel_btf__prepare(s->skel ? s->skel->obj : NULL);
	if (err)
		return err;
	set_knobs(s);
	err = choose(s->skel->progs.count_hit, s->cfg.events, false);
	return err ? err : choose(s->skel->progs.count_kernel_hit, s->cfg.events, true);
}

static int load(struct count_session *s)
{
	int err = count_bpf__load(s->skel);

	if (!err)
		err = bpf_error__check_mapped(s->skel->rodata, s->skel->bss);
	if (!err)
		err = hit_counts__map(&s->hits, s->skel->obj, s->cfg.events->cnt);
	if (!err)
		err = task_filter__start_cpus(&s->task_filter, s->skel->obj);
	if (err)
		bpf_error__explain("load the BPF programs", err);
	return err;
}

/* Attaches, by perf events, the probes for which this kernel has no links. */
static int attach_events(struct count_session *s, const struct probe_programs *progs)
{
	struct detach_attachment *atts = calloc(2 * s->cfg.events->cnt, sizeof(*atts));
	size_t cnt;
	int err = 0;

	if (!atts) {
		log_error("out of memory");
		return -ENOMEM;
	}
	cnt = probe_links__events(s->cfg.events, progs, atts);
	if (cnt)
		err = detach_helper__start(&s->detach_helper, atts, cnt, true,
					   &s->skel->bss->active);
	if (!err)
		err = probe_links__check(s->cfg.events, atts, cnt);
	free(atts);
	return err;
}

static int attach(struct count_session *s)
{
	const struct count_bpf *skel = s->skel;
	const struct probe_programs progs = {
		.user = { .hit = bpf_program__fd(skel->progs.count_hit), .hits_only = true },
		.kernel = { .hit = bpf_program__fd(skel->progs.count_kernel_hit),
			    .hits_only = true },
	};
	/* The detach helper must not inherit the links. */
	int err = attach_events(s, &progs);

	if (err)
		return err;
	err = task_filter__start_tasks(&s->task_filter, s->skel->obj);
	if (err) {
		bpf_error__explain("follow the tasks", err);
		return err;
	}
	return probe_links__attach(&s->links, s->cfg.events, &progs);
}

struct count_session *count_session__open(const struct count_config *cfg)
{
	struct count_session *s = calloc(1, sizeof(*s));
	int err;

	if (!s) {
		log_error("out of memory");
		return NULL;
	}
	s->cfg = *cfg;
	s->detach_helper = (struct detach_helper)WARDEN_INIT;
	s->targets = *cfg->targets;
	/* Whole CPUs are counted with all that they run, as perf events count them. */
	s->targets.include_self |= !cfg->by_task;
	s->task_filter = (struct task_filter){
		.targets = &s->targets,
		.by_task = cfg->by_task,
		.cmd_pid = cfg->cmd_pid,
	};
	err = task_filter__check(&s->task_filter);
	if (!err)
		err = open_skel(s);
	if (!err)
		err = load(s);
	if (!err)
		err = attach(s);
	if (!err)
		return s;
	count_session__free(s);
	errno = -err;
	return NULL;
}

static uint64_t missed_now(const struct count_session *s)
{
	return prog_info__missed(bpf_program__fd(s->skel->progs.count_hit)) +
	       prog_info__missed(bpf_program__fd(s->skel->progs.count_kernel_hit));
}

void count_session__switch(struct count_session *s, bool on)
{
	if (on && !s->has_begun)
		s->missed_before = missed_now(s);
	s->has_begun |= on;
	if (on)
		emit_switch__on(&s->skel->bss->active);
	else
		emit_switch__off(&s->skel->bss->active);
}

uint64_t count_session__hits(const struct count_session *s, size_t event, int cpu)
{
	return hit_counts__of(&s->hits, event, cpu);
}

uint64_t count_session__missed(const struct count_session *s)
{
	return s->has_begun ? missed_now(s) - s->missed_before : 0;
}

void count_session__free(struct count_session *s)
{
	if (!s)
		return;
	hit_counts__unmap(&s->hits);
	task_filter__stop(&s->task_filter);
	probe_links__free(&s->links);
	if (s->skel)
		count_bpf__destroy(s->skel);
	detach_helper__release(&s->detach_helper);
	free(s);
}
