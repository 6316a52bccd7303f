// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "target/targets.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "host/cpu_list.h"
#include "target/cgroup.h"
#include "target/comm_glob.h"
#include "util/fs.h"
#include "util/log.h"
#include "host/proc_task.h"

_Static_assert(CPU_LIST_MAX == WIRE_MAX_CPUS, "a list of CPUs has the CPUs of the programs");

/* Adds an id that is not in the list yet. */
static int add_id(pid_t **ids, size_t *cnt, pid_t id)
{
	pid_t *bigger;
	size_t i;

	for (i = 0; i < *cnt; i++)
		if ((*ids)[i] == id)
			return 0;
	bigger = realloc(*ids, (*cnt + 1) * sizeof(**ids));
	if (!bigger)
		return -ENOMEM;
	*ids = bigger;
	(*ids)[(*cnt)++] = id;
	return 0;
}

static int add_ids(pid_t **ids, size_t *cnt, const char *list, const char *opt)
{
	const char *p = list;
	long id;

	for (;;) {
		if (cpu_list__number(&p, INT_MAX, &id) || id == 0 || (*p && *p != ',')) {
			log_error("%s %s: not a comma list of ids, such as %s 1234,5678", opt, list,
				  opt);
			return -EINVAL;
		}
		if (add_id(ids, cnt, (pid_t)id))
			return -ENOMEM;
		if (!*p)
			return 0;
		p++;
	}
}

int targets__add_pids(struct targets *t, const char *list)
{
	t->pid_list = list;
	return add_ids(&t->pids, &t->pid_cnt, list, "-p");
}

int targets__add_tids(struct targets *t, const char *list)
{
	t->tid_list = list;
	return add_ids(&t->tids, &t->tid_cnt, list, "-t");
}

static int set_to_array(const bool *set, int **cpus, size_t *cnt)
{
	int *arr, i;
	size_t n = 0;

	arr = calloc(WIRE_MAX_CPUS, sizeof(*arr));
	if (!arr)
		return -ENOMEM;
	for (i = 0; i < WIRE_MAX_CPUS; i++)
		if (set[i])
			arr[n++] = i;
	*cpus = arr;
	*cnt = n;
	return 0;
}

int targets__set_cpus(struct targets *t, const char *list)
{
	bool set[WIRE_MAX_CPUS] = { false };

	if (cpu_list__parse(list, set)) {
		log_error("-C %s: not a list of CPUs, such as -C 0-3,7", list);
		return -EINVAL;
	}
	free(t->cpus);
	t->cpu_list = list;
	return set_to_array(set, &t->cpus, &t->cpu_cnt);
}

void targets__free(struct targets *t)
{
	free(t->cpus);
	free(t->pids);
	free(t->tids);
	memset(t, 0, sizeof(*t));
}

int targets__set_uid(struct targets *t, const char *user)
{
	const struct passwd *pw;
	unsigned long uid;
	char *end;

	t->has_uid = true;
	errno = 0;
	uid = strtoul(user, &end, 10);
	if (!errno && end != user && !*end && user[0] != '-' && uid <= UINT_MAX) {
		t->uid = (uid_t)uid;
		return 0;
	}
	pw = *user ? getpwnam(user) : NULL;
	if (pw) {
		t->uid = pw->pw_uid;
		return 0;
	}
	log_error("-u %s: there is no such user; give a name or a number", user);
	return -EINVAL;
}

bool targets__is_filtered(const struct targets *t, bool has_cmd)
{
	return targets__by_task(t, has_cmd) || t->comm || t->has_uid || t->cgroup;
}

bool targets__by_task(const struct targets *t, bool has_cmd)
{
	return t->pid_cnt || t->tid_cnt || (has_cmd && !t->all_cpus);
}

int targets__resolve_cpus(const struct targets *t, int **cpus, size_t *cnt)
{
	bool set[WIRE_MAX_CPUS] = { false };
	size_t i;
	int err;

	if (t->cpus) {
		memset(set, 0, sizeof(set));
		for (i = 0; i < t->cpu_cnt; i++)
			set[t->cpus[i]] = true;
		return set_to_array(set, cpus, cnt);
	}
	err = cpu_list__online(set);
	if (err) {
		log_error("cannot read which CPUs are online: %s; is /sys mounted?",
			  strerror(-err));
		return err;
	}
	return set_to_array(set, cpus, cnt);
}

/* Returns the sentence about targets that exclude each other; NULL: they can be combined. */
static const char *find_conflict(const struct targets *t, unsigned int rules)
{
	bool ids = t->pid_cnt || t->tid_cnt;

	if (t->all_cpus && (ids || (t->has_uid && rules & TARGETS_ONE_KIND)))
		return "-a is all tasks, and -p, -t and -u choose some of them; give one";
	if (!(rules & TARGETS_ONE_KIND))
		return NULL;
	if (t->has_uid && ids)
		return "-u is all tasks of a user, and -p and -t choose single ones; give one";
	if (t->cgroup && (ids || t->has_uid || rules & TARGETS_PER_THREAD))
		return "-G is for whole control groups; omit -p, -t, -u and --per-thread";
	return NULL;
}

/* Checks the arguments of -G and --comm, by which BPF programs select tasks. */
static int check_filters(const struct targets *t, unsigned int rules)
{
	struct comm_glob glob;
	struct cgroup cg;
	int err = 0;

	if (t->cgroup && !(rules & TARGETS_CGROUP_DIR)) {
		err = cgroup__open(&cg, t->cgroup);
		cgroup__close(&cg);
	}
	if (!err && t->comm && (!*t->comm || comm_glob__compile(&glob, t->comm))) {
		log_error("--comm '%s': give the name of a thread, or a pattern of at most %d "
			  "characters",
			  t->comm, COMM_GLOB_MAX);
		err = -EINVAL;
	}
	return err;
}

/* Does each process of -p and each thread of -t exist? Returns 0, or -ESRCH after one sentence. */
static int check_tasks(const struct targets *t)
{
	size_t i;

	for (i = 0; i < t->pid_cnt; i++) {
		if (proc_task__process_runs(t->pids[i]))
			continue;
		log_error("-p %d: there is no such process; `ps -e` lists the processes",
			  t->pids[i]);
		return -ESRCH;
	}
	for (i = 0; i < t->tid_cnt; i++) {
		if (proc_task__runs(t->tids[i]))
			continue;
		log_error("-t %d: there is no such thread; `ps -eL` lists the threads", t->tids[i]);
		return -ESRCH;
	}
	return 0;
}

/* Is each CPU of -C online? Returns 0, or -EINVAL after one sentence. */
static int check_cpus(const struct targets *t)
{
	bool online[WIRE_MAX_CPUS] = { false };
	size_t i;

	if (!t->cpus || cpu_list__online(online))
		return 0;
	for (i = 0; i < t->cpu_cnt; i++) {
		if (online[t->cpus[i]])
			continue;
		log_error("-C: CPU %d is not online; /sys/devices/system/cpu/online lists the "
			  "online CPUs",
			  t->cpus[i]);
		return -EINVAL;
	}
	return 0;
}

int targets__check(const struct targets *t, unsigned int rules)
{
	const char *conflict = find_conflict(t, rules);
	int err;

	if (conflict) {
		log_error("%s", conflict);
		return -EINVAL;
	}
	if (check_filters(t, rules))
		return -EINVAL;
	err = check_tasks(t);
	return err ? err : check_cpus(t);
}

bool targets__all_gone(const struct targets *t)
{
	size_t i;

	if (!t->pid_cnt && !t->tid_cnt)
		return false;
	for (i = 0; i < t->pid_cnt; i++)
		if (proc_task__process_runs(t->pids[i]))
			return false;
	for (i = 0; i < t->tid_cnt; i++)
		if (proc_task__runs(t->tids[i]))
			return false;
	return true;
}
