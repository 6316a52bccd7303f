// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/procs.h"

#include <errno.h>
#include <stdlib.h>

void procs__free(struct procs *procs)
{
	uint32_t i;

	for (i = 0; i < procs->cnt; i++) {
		maps__put(procs->procs[i].maps);
		later_maps__free(&procs->procs[i].later);
	}
	free(procs->procs);
	free(procs->free_procs);
	u64map__free(&procs->by_pid);
	*procs = (struct procs){ 0 };
}

static int grow(struct procs *procs)
{
	uint32_t cap = procs->cap ? procs->cap * 2 : 128, *free_procs;
	struct proc *bigger;

	bigger = realloc(procs->procs, cap * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	procs->procs = bigger;
	free_procs = realloc(procs->free_procs, cap * sizeof(*free_procs));
	if (!free_procs)
		return -ENOMEM;
	procs->free_procs = free_procs;
	procs->cap = cap;
	return 0;
}

struct proc *procs__find(struct procs *procs, int32_t pid)
{
	uint32_t i = u64map__get(&procs->by_pid, (uint32_t)pid);

	return i == U64MAP_NONE ? NULL : &procs->procs[i];
}

struct proc *procs__set(struct procs *procs, int32_t pid, struct maps *maps)
{
	struct proc *proc = procs__find(procs, pid);
	uint32_t i, *slot;

	procs->change_cnt++;
	if (proc) {
		maps__put(proc->maps);
		later_maps__empty(&proc->later);
		proc->maps = maps;
		proc->dead = proc->is_crowded = proc->is_full = false;
		proc->jit = proc->jit_parent = proc->dump = proc->program = 0;
		return proc;
	}
	if (!procs->free_cnt && procs->cnt == procs->cap && grow(procs))
		goto fail;
	slot = u64map__slot(&procs->by_pid, (uint32_t)pid);
	if (!slot)
		goto fail;
	if (procs->free_cnt) {
		i = procs->free_procs[--procs->free_cnt];
	} else {
		i = procs->cnt++;
		procs->procs[i].life = 0;
		procs->procs[i].later = (struct later_maps){ 0 };
	}
	*slot = i;
	proc = &procs->procs[i];
	proc->pid = pid;
	proc->dead = proc->is_crowded = proc->is_full = false;
	proc->maps = maps;
	proc->jit = proc->jit_parent = proc->dump = proc->program = 0;
	return proc;
fail:
	maps__put(maps);
	return NULL;
}

static void forget(struct procs *procs, uint32_t i)
{
	uint32_t *slot = u64map__slot(&procs->by_pid, (uint32_t)procs->procs[i].pid);

	if (!slot)
		return;
	*slot = U64MAP_NONE;
	maps__put(procs->procs[i].maps);
	procs->procs[i].maps = NULL;
	later_maps__empty(&procs->procs[i].later);
	procs->procs[i].life++;
	procs->free_procs[procs->free_cnt++] = i;
}

void procs__end(struct procs *procs, int32_t pid)
{
	struct proc *proc = procs__find(procs, pid);
	uint32_t at = procs->dead_cnt % PROCS_DEAD_MAX, old;

	if (!proc || proc->dead)
		return;
	procs->change_cnt++;
	if (procs->dead_cnt >= PROCS_DEAD_MAX) {
		old = procs->dead[at].proc;
		if (procs->procs[old].dead && procs->procs[old].life == procs->dead[at].life)
			forget(procs, old);
	}
	proc->dead = true;
	procs->dead[at].proc = (uint32_t)(proc - procs->procs);
	procs->dead[at].life = ++proc->life;
	procs->dead_cnt++;
}
