// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/stack_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "stack.skel.h"

#include "bpf/wire.h"
#include "session/barrier.h"
#include "session/bpf_error.h"
#include "session/features.h"
#include "session/kernel_btf.h"
#include "util/log.h"

_Static_assert(STACK_MAX_DEPTH == WIRE_STACK_MAX, "both sides agree on the depth");

struct stack_session {
	struct stack_config cfg;
	struct stack_bpf *skel;
	struct bpf_link **links; /* one per CPU; each holds its perf event */
	size_t link_cnt;
};

static void set_knobs(struct stack_session *s)
{
	struct stack_bpf *skel = s->skel;
	const struct targets *t = s->cfg.targets;
	__u32 sz = s->cfg.max_depth * (__u32)sizeof(__u64);

	skel->rodata->self_tgid = t->include_self ? 0 : (__u32)getpid();
	skel->rodata->filter_tasks = s->cfg.by_task;
	skel->rodata->follow_children = t->tid_cnt == 0;
	skel->rodata->stack_kern_sz = s->cfg.kernel ? sz : 0;
	skel->rodata->stack_user_sz = s->cfg.user ? sz : 0;
	bpf_map__set_max_entries(skel->maps.cpu_stats, (__u32)libbpf_num_possible_cpus());
	if (s->cfg.by_task)
		bpf_map__set_max_entries(skel->maps.tasks, targets__map_elems());
	bpf_program__set_autoload(skel->progs.follow_newtask, s->cfg.by_task);
	bpf_program__set_autoload(skel->progs.follow_exec, s->cfg.by_task && s->cfg.cmd_pid);
}

struct stack_session *stack_session__open(const struct stack_config *cfg)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	struct stack_session *s = calloc(1, sizeof(*s));

	if (!s) {
		log_error("out of memory");
		return NULL;
	}
	s->cfg = *cfg;
	if (cfg->by_task && !feature__have(FEATURE_BTF)) {
		log_error("watching tasks (-p, -t, CMD) needs the kernel's BTF "
			  "(/sys/kernel/btf/vmlinux), which this kernel has not; use -a");
		goto fail;
	}
	opts.btf_custom_path = kernel_btf__path();
	s->skel = stack_bpf__open_opts(&opts);
	if (!s->skel) {
		log_error("cannot open the BPF programs: %s", strerror(errno));
		goto fail;
	}
	set_knobs(s);
	return s;
fail:
	stack_session__free(s);
	return NULL;
}

/* Every CPU whose samples are wanted: with -C those, else all there can ever be. */
static int watch_cpus(struct stack_session *s)
{
	const struct targets *t = s->cfg.targets;
	int fd = bpf_map__fd(s->skel->maps.cpu_stats), cnt = libbpf_num_possible_cpus();
	struct wire_cpu_stats stats = { .watched = 1 };
	__u32 cpu;
	size_t i;

	for (i = 0; i < (t->cpus ? t->cpu_cnt : (size_t)cnt); i++) {
		cpu = t->cpus ? (__u32)t->cpus[i] : (__u32)i;
		if (bpf_map_update_elem(fd, &cpu, &stats, BPF_ANY))
			return -errno;
	}
	return 0;
}

int stack_session__load(struct stack_session *s)
{
	int err = stack_bpf__load(s->skel);

	if (!err)
		err = watch_cpus(s);
	if (err)
		bpf_error__explain("load the BPF programs", err);
	return err;
}

/* Following comes before the events, so that these find the marks of their moment. */
static int attach_tasks(struct stack_session *s)
{
	int tasks_fd = bpf_map__fd(s->skel->maps.tasks), err = 0;

	if (!s->cfg.by_task)
		return 0;
	s->skel->links.follow_newtask = bpf_program__attach(s->skel->progs.follow_newtask);
	if (!s->skel->links.follow_newtask)
		return -errno;
	if (s->cfg.cmd_pid) {
		s->skel->links.follow_exec = bpf_program__attach(s->skel->progs.follow_exec);
		if (!s->skel->links.follow_exec)
			return -errno;
		err = targets__mark_tid(tasks_fd, s->cfg.cmd_pid, WIRE_TASK_ON_EXEC);
	}
	return err ? err : targets__mark(s->cfg.targets, tasks_fd);
}

/* A CPU that went offline since they were listed is no error. 0 or -errno (said). */
static int attach_cpu(struct stack_session *s, int cpu)
{
	int fd = perf_fd__open_sampling(s->cfg.event, &s->cfg.sampling, cpu), err;
	struct bpf_link *link;

	if (fd == -ENODEV && !s->cfg.targets->cpus)
		return 0;
	if (fd < 0) {
		perf_fd__explain(s->cfg.event, &s->cfg.sampling, cpu, fd);
		return fd;
	}
	link = bpf_program__attach_perf_event(s->skel->progs.take_stack, fd);
	if (!link) {
		err = -errno;
		close(fd);
		bpf_error__explain("attach to the sampling event", err);
		return err;
	}
	s->links[s->link_cnt++] = link;
	return 0;
}

int stack_session__attach(struct stack_session *s, const int *cpus, size_t cpu_cnt)
{
	int err = attach_tasks(s);
	size_t i;

	if (err) {
		bpf_error__explain("follow the watched tasks", err);
		return err;
	}
	s->links = calloc(cpu_cnt + 1, sizeof(*s->links));
	if (!s->links) {
		log_error("out of memory");
		return -ENOMEM;
	}
	for (i = 0; i < cpu_cnt && !err; i++)
		err = attach_cpu(s, cpus[i]);
	return err;
}

void stack_session__activate(struct stack_session *s)
{
	__atomic_store_n(&s->skel->bss->active, 1, __ATOMIC_RELEASE);
}

void stack_session__deactivate(struct stack_session *s)
{
	__atomic_store_n(&s->skel->bss->active, 0, __ATOMIC_RELEASE);
	barrier__all_cpus();
}

void stack_session__free(struct stack_session *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->link_cnt; i++)
		bpf_link__destroy(s->links[i]);
	free(s->links);
	if (s->skel)
		stack_bpf__destroy(s->skel);
	free(s);
}

int stack_session__rings_fd(const struct stack_session *s)
{
	return bpf_map__fd(s->skel->maps.rings);
}

int stack_session__stats_fd(const struct stack_session *s)
{
	return bpf_map__fd(s->skel->maps.cpu_stats);
}
