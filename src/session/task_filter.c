// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Sets the filters of CPUs and tasks that all BPF objects share. */
#include "session/task_filter.h"

#include <errno.h>
#include <stdio.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "host/pid_ns.h"
#include "kernel/kernel_btf.h"
#include "reader/reader.h"
#include "session/target_marks.h"
#include "util/log.h"

int task_filter__check(struct task_filter *w)
{
	const struct targets *t = w->targets;
	int err;

	w->cgroup.fd = -1;
	if (!pid_ns__has_proc()) {
		log_error("/proc has the ids of another pid namespace than bpfperf's, so that no "
			  "process could be found in it; mount -t proc proc /proc, or run bpfperf "
			  "in that namespace (nsenter -p)");
		return -EINVAL;
	}
	err = t->cgroup ? cgroup__open(&w->cgroup, t->cgroup) : 0;
	if (err)
		return err;
	if (t->comm)
		comm_glob__compile(&w->comm, t->comm);
	if ((!w->by_task && !t->comm) || kernel_btf__have_types())
		return 0;
	log_error("observing tasks (-p, -t, --comm, CMD) needs the kernel's BTF "
		  "(/sys/kernel/btf/vmlinux), which this kernel lacks; use -a, or give its types "
		  "by bpfperf --btf FILE");
	return -EOPNOTSUPP;
}

bool task_filter__may_have_self(const struct task_filter *w)
{
	const struct targets *t = w->targets;

	if (t->include_self)
		return false;
	/* CMD and its children are not bpfperf's other processes: the check would cost each hit. */
	return !w->by_task || !w->cmd_pid || t->pid_cnt || t->tid_cnt;
}

static int map_fd(const struct bpf_object *obj, const char *name)
{
	return bpf_object__find_map_fd_by_name(obj, name);
}

static bool marks_tasks(const struct task_filter *w)
{
	return w->by_task || w->targets->comm;
}

void task_filter__configure(const struct task_filter *w, struct bpf_object *obj)
{
	struct bpf_program *flush = bpf_object__find_program_by_name(obj, "flush_batch");

	bpf_map__set_max_entries(bpf_object__find_map_by_name(obj, "cpus"),
				 (__u32)cpus__possible());
	if (marks_tasks(w))
		bpf_map__set_max_entries(bpf_object__find_map_by_name(obj, "tasks"),
					 targets__map_elems());
	bpf_program__set_autoload(bpf_object__find_program_by_name(obj, "follow_newtask"),
				  marks_tasks(w));
	bpf_program__set_autoload(bpf_object__find_program_by_name(obj, "follow_exec"),
				  w->cmd_pid || w->targets->comm);
	/* An object that sends no records has none. */
	if (flush)
		bpf_program__set_autoload(flush, true);
}

/*
 * Returns the bytes after which a batch is sent: a ring must have room for many batches, so that a
 * burst fits.
 */
uint32_t task_filter__batch_sz(const struct task_filter *w)
{
	size_t sz = w->ring_sz / 4;

	return !sz || sz > WIRE_BATCH_SZ / 2 ? WIRE_BATCH_SZ / 2 : (uint32_t)sz;
}

/* /proc does not list idle tasks. Records print the name of all of them as "swapper". */
static void name_idle(struct task_filter *w)
{
	char comm[32];
	int cpu;

	for (cpu = 0; cpu < w->cpus.cnt; cpu++) {
		snprintf(comm, sizeof(comm), "swapper/%d", cpu);
		w->cpus.at[cpu].idle_named = comm_glob__matches(&w->comm, comm) ||
					     comm_glob__matches(&w->comm, "swapper");
	}
}

int task_filter__start_cpus(struct task_filter *w, struct bpf_object *obj)
{
	const struct targets *t = w->targets;
	int err = cpus__map(&w->cpus, map_fd(obj, "cpus"));
	__u32 zero = 0;
	size_t cnt, i;

	if (err)
		return err;
	/*
	 * Not before the load: it copies the variables to their map early, and maps them late. A
	 * reader that is started between would be traced.
	 */
	reader__show_pids(w->shown_pids, w->shown_cnt);
	if (w->cgroup.fd >= 0 &&
	    bpf_map_update_elem(map_fd(obj, "cgroup"), &zero, &w->cgroup.fd, BPF_ANY))
		return -errno;
	/* Without -C also CPUs that may come online later: their losses are counted. */
	cnt = t->cpus ? t->cpu_cnt : (size_t)w->cpus.cnt;
	for (i = 0; i < cnt; i++) {
		int cpu = t->cpus ? t->cpus[i] : (int)i;

		if (cpu < w->cpus.cnt)
			w->cpus.at[cpu].watched = 1;
	}
	if (t->comm)
		name_idle(w);
	return 0;
}

static int follow(struct bpf_object *obj, const char *name, struct bpf_link **link)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(obj, name);

	*link = bpf_program__attach(prog);
	/* The skeleton's own attach must skip this program. */
	bpf_program__set_autoattach(prog, false);
	return *link ? 0 : -errno;
}

int task_filter__start_tasks(struct task_filter *w, struct bpf_object *obj)
{
	int tasks_fd = map_fd(obj, "tasks"), err = 0;

	if (marks_tasks(w))
		err = follow(obj, "follow_newtask", &w->links[0]);
	if (!err && (w->cmd_pid || w->targets->comm))
		err = follow(obj, "follow_exec", &w->links[1]);
	if (!err && w->targets->comm)
		err = targets__mark_names(tasks_fd, &w->comm);
	if (err || !w->by_task)
		return err;
	if (w->cmd_pid)
		err = targets__mark_tid(tasks_fd, w->cmd_pid, WIRE_TASK_ON_EXEC);
	return err ? err : targets__mark(w->targets, tasks_fd);
}

void task_filter__stop(struct task_filter *w)
{
	reader__show_pids(NULL, NULL);
	bpf_link__destroy(w->links[0]);
	bpf_link__destroy(w->links[1]);
	w->links[0] = w->links[1] = NULL;
	cpus__unmap(&w->cpus);
	cgroup__close(&w->cgroup);
}

int task_filter__flush_fd(const struct bpf_object *obj)
{
	return bpf_program__fd(bpf_object__find_program_by_name(obj, "flush_batch"));
}
