// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Forgets what ended processes had, in runs that do not end. */
#include <stdlib.h>

#include "sym/maps.h"
#include "sym/sym_priv.h"

static void mark_maps(uint8_t *used, const struct maps *maps)
{
	struct maps_iter iter = { 0 };
	const struct map *map;

	while ((map = maps__next(maps, &iter)))
		used[map->dso] = 1;
}

static void mark_proc(uint8_t *used, const struct proc *proc)
{
	mark_maps(used, proc->maps);
	used[proc->jit] = used[proc->jit_parent] = used[proc->dump] = used[proc->program] = 1;
}

/* A process that has ended keeps its files as long as samples of it may come. */
static void mark_all(const struct sym *sym, uint8_t *used)
{
	uint32_t i, at;

	for (i = 0; i < sym->procs.cnt; i++)
		if (sym->procs.procs[i].maps)
			mark_proc(used, &sym->procs.procs[i]);
	mark_maps(used, sym->kernel_maps);
	mark_maps(used, sym->kernel_files);
	used[sym->code_dso] = 1;
	/* Names of a child's code may be in its parent's map, and so on. */
	for (i = 0; i < sym->dsos.cnt; i++)
		for (at = i; used[at] && at; at = sym->dsos.dsos[at]->jit_parent)
			used[sym->dsos.dsos[at]->jit_parent] = 1;
}

void sym__forget(struct sym *sym)
{
	uint8_t *used;

	ksyms__forget(&sym->ksyms);
	if (!dsos__is_sweep_due(&sym->dsos))
		return;
	used = calloc(sym->dsos.cnt, 1);
	if (!used)
		return;
	mark_all(sym, used);
	/* Facts about a process are looked for again. */
	if (dsos__sweep(&sym->dsos, used))
		sym->procs.change_cnt++;
	free(used);
}
