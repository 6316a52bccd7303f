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
#include "session/watching.h"
#include "util/log.h"

_Static_assert(STACK_MAX_DEPTH == WIRE_STACK_MAX, "both sides agree on the depth");

struct stack_session {
	struct stack_config cfg;
	struct watching watching;
	struct stack_bpf *skel;
	struct bpf_link **links; /* one per CPU; each holds its perf event */
	size_t link_cnt;
};

static void set_knobs(struct stack_session *s)
{
	struct stack_bpf *skel = s->skel;
	__u32 sz = s->cfg.max_depth * (__u32)sizeof(__u64);

	watching__set_knobs(&s->watching, skel->rodata);
	skel->rodata->batch_sz = watching__batch_sz(&s->watching);
	/* Where tasks are marked, CMD is not until its exec. */
	skel->rodata->hide_cmd = s->cfg.cmd_pid && !s->cfg.by_task;
	skel->bss->hidden_tgid = (__u32)s->cfg.cmd_pid;
	skel->rodata->stack_kern_sz = s->cfg.kernel ? sz : 0;
	skel->rodata->stack_user_sz = s->cfg.user ? sz : 0;
	watching__configure(&s->watching, skel->obj);
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
	s->watching = (struct watching){
		.targets = cfg->targets,
		.by_task = cfg->by_task,
		.cmd_pid = cfg->cmd_pid,
		.ring_sz = cfg->ring_sz,
	};
	if (watching__check(&s->watching))
		goto fail;
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

int stack_session__load(struct stack_session *s)
{
	int err = stack_bpf__load(s->skel);

	if (!err)
		err = watching__start_cpus(&s->watching, s->skel->obj);
	if (err)
		bpf_error__explain("load the BPF programs", err);
	return err;
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
	int err = watching__start_tasks(&s->watching, s->skel->obj);
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
	watching__stop(&s->watching);
	if (s->skel)
		stack_bpf__destroy(s->skel);
	free(s);
}

int stack_session__rings_fd(const struct stack_session *s)
{
	return bpf_map__fd(s->skel->maps.rings);
}

int stack_session__flush_fd(const struct stack_session *s)
{
	return watching__flush_fd(s->skel->obj);
}

const struct cpus *stack_session__cpus(const struct stack_session *s)
{
	return &s->watching.cpus;
}
