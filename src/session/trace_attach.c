// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Attaches a trace session's programs to their tracepoints, on both paths. */
#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <linux/types.h>

#include "trace.skel.h"

#include "bpf/wire.h"
#include "kernel/bpf_error.h"
#include "kernel/features.h"
#include "kernel/kernel_btf.h"
#include "session/programs.h"
#include "session/syscall_path.h"
#include "session/trace_session_priv.h"
#include "session/user_data.h"
#include "util/log.h"

/*
 * From 6.19 on, the kernel copies the data behind pointers of system calls into the record after
 * programs ran: these would read stale bytes in its place.
 */
static bool has_user_data(const struct tp_format *fmt)
{
	return fmt->last_dyn >= 0 && strcmp(fmt->sys, "syscalls") == 0;
}

void trace_attach__set_knobs(struct trace_session *s)
{
	size_t i;

	for (i = 0; i < s->classic_cnt; i++)
		if (has_user_data(s->classic[i]->fmt))
			s->skel->rodata->has_empty_data = true;
	if (s->skel->rodata->has_empty_data && !s->only_locked)
		log_warn("data that arguments of system calls point to, such as file names, is "
			 "empty in their records%s",
			 feature__have(FEATURE_BTF) ? "" : ": to read it needs the kernel's BTF");
}

static void leave_empty(const struct tp_format *fmt, struct wire_tp_info *info)
{
	size_t i;

	for (i = 0; i < fmt->field_cnt; i++) {
		if (!(fmt->fields[i].flags & TP_FIELD_DYNAMIC))
			continue;
		if (!info->empty_cnt++)
			info->fixed_sz = fmt->fields[i].off;
	}
	info->dyn_off = 0;
}

int trace_attach__prepare(struct trace_session *s)
{
	bool cookies = feature__have(FEATURE_ATTACH_COOKIE);
	int err = 0;
	size_t i;

	for (i = 0; i < s->classic_cnt && !err; i++) {
		const struct tp_format *fmt = s->classic[i]->fmt;
		struct wire_tp_info info = { .id = fmt->id, .fixed_sz = fmt->fixed_sz };
		__u32 key = (__u32)i;

		if (fmt->last_dyn >= 0) {
			const struct tp_field *f = &fmt->fields[fmt->last_dyn];

			info.dyn_off = f->off;
			info.dyn_rel = !!(f->flags & TP_FIELD_REL);
		}
		if (has_user_data(fmt))
			leave_empty(fmt, &info);
		if (bpf_map_update_elem(bpf_map__fd(s->skel->maps.tp_infos), &key, &info, 0))
			err = -errno;
		s->atts[i].tp_id = fmt->id;
		s->atts[i].cookie = i;
		s->atts[i].prog_fd = bpf_program__fd(s->skel->progs.classic_tp);
	}
	if (err || cookies || !s->classic_cnt)
		return err;
	err = instances__load(&s->instances, s->skel->progs.classic_tp, s->classic_cnt);
	for (i = 0; i < s->classic_cnt && !err; i++)
		s->atts[i].prog_fd = s->instances.fds[i];
	return err;
}

int trace_attach__place_syscalls(struct trace_session *s, bool preemptible)
{
	int cnt;

	if (!syscall_path__choose(s->skel, preemptible))
		return 0;
	cnt = syscall_path__attachments(s->skel, s->atts + s->classic_cnt);
	if (cnt < 0)
		return cnt;
	s->syscall_att_cnt = (size_t)cnt;
	return 0;
}

/* Attaches the programs that are chosen; the skeleton owns the links. */
static int attach_programs(struct trace_bpf *skel)
{
	const struct bpf_object_skeleton *s = skel->skeleton;
	int i;

	for (i = 0; i < s->prog_cnt; i++) {
		const struct bpf_program *prog = *s->progs[i].prog;

		if (!bpf_program__autoload(prog) || !bpf_program__autoattach(prog))
			continue;
		*s->progs[i].link = kernel_btf__attach(prog);
		if (!*s->progs[i].link)
			return -errno;
	}
	return 0;
}

/* Attaches raw tracepoints: a few microseconds each. */
static int attach_raw(struct trace_session *s)
{
	struct bpf_program *prog;
	int err;

	err = task_filter__start_tasks(&s->task_filter, s->skel->obj);
	if (err)
		return err;
	err = unwinder__start(s->unwinder, s->skel->obj, s->cfg.by_task ? s->cfg.targets : NULL);
	if (err)
		return err;
	bpf_object__for_each_program (prog, s->skel->obj) {
		const struct program desc = programs__describe(s->skel, prog);

		if (desc.role == PROGRAM_CLASSIC || desc.role == PROGRAM_ON_DEMAND ||
		    program__is_probe(&desc) || !bpf_program__autoload(prog))
			bpf_program__set_autoattach(prog, false);
	}
	return attach_programs(s->skel);
}

/* Watches that the programs of classic events run at all. */
static int start_witness(struct trace_session *s)
{
	int err =
		tp_witness__init(&s->witness, s->classic_cnt, bpf_map__fd(s->skel->maps.tp_infos));
	size_t i;

	for (i = 0; i < s->classic_cnt && !err; i++)
		if (!s->atts[i].err)
			tp_witness__watch(&s->witness, i, s->classic[i],
					  has_user_data(s->classic[i]->fmt));
	return err;
}

static int attach_classic(struct trace_session *s)
{
	const struct probe_programs progs = trace_probes__programs(&s->probes, s->skel);
	size_t i, skipped = 0, cnt = s->classic_cnt + s->syscall_att_cnt, probe_cnt;
	int err;

	probe_cnt = probe_links__events(s->cfg.events, &progs, s->atts + cnt);
	if (!(cnt + probe_cnt))
		return 0;
	err = detach_helper__start(&s->detach_helper, s->atts, cnt + probe_cnt,
				   feature__have(FEATURE_ATTACH_COOKIE), &s->skel->bss->active);
	if (!err)
		err = probe_links__check(s->cfg.events, s->atts + cnt, probe_cnt);
	if (err || !cnt)
		return err;
	for (i = s->classic_cnt; i < cnt; i++)
		if (s->atts[i].err) {
			log_error("cannot attach to raw_syscalls:*: %s", strerror(-s->atts[i].err));
			return s->atts[i].err;
		}
	for (i = 0; i < s->classic_cnt; i++) {
		const struct event *ev = s->classic[i];

		if (!s->atts[i].err) {
			s->attached_cnt++;
			continue;
		}
		if (!ev->from_glob) {
			log_error("cannot attach to %s: %s%s", ev->name, strerror(-s->atts[i].err),
				  s->atts[i].err == -EMFILE ? "; raise `ulimit -n`" : "");
			return s->atts[i].err;
		}
		log_info("%s: cannot be attached to: %s", ev->name, strerror(-s->atts[i].err));
		skipped++;
	}
	if (!s->attached_cnt) {
		log_error("none of the %zu tracepoints could be attached to; -v shows the reasons",
			  s->cfg.events->cnt);
		return -ENOENT;
	}
	if (skipped)
		log_warn("%zu of %zu tracepoints could not be attached to; -v names them", skipped,
			 s->cfg.events->cnt);
	return start_witness(s);
}

int trace_session__attach(struct trace_session *s)
{
	size_t raw_cnt = s->attached_cnt;
	int err;

	if (s->syscall_att_cnt)
		raw_cnt -= s->syscall_cnt;
	/* The program that faults user data in is attached before the programs that read it. */
	s->user_data = user_data__attach(s->skel);
	/*
	 * The detach helper is started before the raw programs are attached: it must not inherit
	 * their links.
	 */
	err = attach_classic(s);
	if (err)
		return err;
	err = attach_raw(s);
	if (err) {
		bpf_error__explain("attach to tracepoints", err);
		return err;
	}
	err = trace_probes__attach(&s->probes, s->cfg.events, s->skel);
	if (!err)
		log_info("%zu events by raw tracepoints, %zu by classic ones%s", raw_cnt,
			 s->attached_cnt - raw_cnt,
			 s->instances.cnt ? ", each by a program of its own" : "");
	return err;
}
