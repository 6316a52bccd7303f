// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/watching.h"

#include <errno.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "session/cpu_stats.h"
#include "session/kernel_btf.h"
#include "util/log.h"

int watching__check(const struct watching *w)
{
	if (!w->by_task || kernel_btf__have_types())
		return 0;
	log_error("watching tasks (-p, -t, CMD) needs the kernel's BTF "
		  "(/sys/kernel/btf/vmlinux), which this kernel has not; use -a, or give its "
		  "types by bpfperf --btf FILE");
	return -EOPNOTSUPP;
}

static int map_fd(const struct bpf_object *obj, const char *name)
{
	return bpf_object__find_map_fd_by_name(obj, name);
}

void watching__configure(const struct watching *w, struct bpf_object *obj)
{
	bpf_map__set_max_entries(bpf_object__find_map_by_name(obj, "cpu_stats"),
				 (__u32)cpu_stats__cpu_cnt());
	if (w->by_task)
		bpf_map__set_max_entries(bpf_object__find_map_by_name(obj, "tasks"),
					 targets__map_elems());
	bpf_program__set_autoload(bpf_object__find_program_by_name(obj, "follow_newtask"),
				  w->by_task);
	bpf_program__set_autoload(bpf_object__find_program_by_name(obj, "follow_exec"),
				  w->by_task && w->cmd_pid);
}

int watching__start_cpus(const struct watching *w, struct bpf_object *obj)
{
	const struct targets *t = w->targets;
	size_t cnt = t->cpus ? t->cpu_cnt : (size_t)cpu_stats__cpu_cnt(), i;
	struct wire_cpu_stats stats = { .watched = 1 };
	int fd = map_fd(obj, "cpu_stats");

	/* Without -C also those that may come online later: what they lose is counted. */
	for (i = 0; i < cnt; i++) {
		int cpu = t->cpus ? t->cpus[i] : (int)i;

		if (bpf_map_update_elem(fd, &cpu, &stats, BPF_ANY))
			return -errno;
	}
	return 0;
}

static int follow(struct bpf_object *obj, const char *name, struct bpf_link **link)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(obj, name);

	*link = bpf_program__attach(prog);
	/* A skeleton's own attach must not do it again. */
	bpf_program__set_autoattach(prog, false);
	return *link ? 0 : -errno;
}

int watching__start_tasks(struct watching *w, struct bpf_object *obj)
{
	int tasks_fd = map_fd(obj, "tasks"), err;

	if (!w->by_task)
		return 0;
	err = follow(obj, "follow_newtask", &w->links[0]);
	if (!err && w->cmd_pid)
		err = follow(obj, "follow_exec", &w->links[1]);
	if (!err && w->cmd_pid)
		err = targets__mark_tid(tasks_fd, w->cmd_pid, WIRE_TASK_ON_EXEC);
	return err ? err : targets__mark(w->targets, tasks_fd);
}

void watching__stop(struct watching *w)
{
	bpf_link__destroy(w->links[0]);
	bpf_link__destroy(w->links[1]);
	w->links[0] = w->links[1] = NULL;
}
