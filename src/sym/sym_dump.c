// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Processes with a JIT compiler that writes a dump (sym/jit_dump.h). */
#include "sym/dso_file.h"
#include "sym/sym_priv.h"

void sym__note_dump(struct sym *sym, struct proc *proc, const struct sym_map *map,
		    const struct dso_site *site)
{
	struct dso like = { .kind = DSO_DUMP,
			    .path = map->path,
			    .maj = map->maj,
			    .min = map->min,
			    .ino = map->ino };

	if (!jit_dump__is(map->path))
		return;
	proc->dump = dsos__intern(&sym->dsos, &like, site);
	sym->has_dump = sym->options.offline;
	if (sym->on_dump)
		sym->on_dump(sym->on_dump_ctx, proc->pid);
	if (proc->jit && !sym->options.offline)
		sym->dsos.dsos[proc->jit]->jit_dump = proc->dump;
}

void sym__tell_dumps(struct sym *sym, void (*fn)(void *ctx, int32_t pid), void *ctx)
{
	uint32_t i;

	sym->on_dump = fn;
	sym->on_dump_ctx = ctx;
	for (i = 0; fn && i < sym->procs.cnt; i++)
		if (sym->procs.procs[i].dump && !sym->procs.procs[i].dead)
			fn(ctx, sym->procs.procs[i].pid);
}

uint64_t sym__place_in_dump(struct sym *sym, const struct proc *proc, const struct map *map,
			    uint64_t addr)
{
	const struct dso *dso = map ? sym->dsos.dsos[map->dso] : NULL;
	const struct jit_dump *dump;
	uint64_t off;

	if (!proc->dump || !sym->options.offline ||
	    (dso && dso->kind == DSO_FILE && !dso_file__is_memfd(dso) && !jit_dump__is(dso->path)))
		return 0;
	dump = dsos__dump(&sym->dsos, proc->dump);
	if (!dump || !jit_dump__find(dump, addr, sym->now_ns, &off) || off > PLACE_OFF_MASK)
		return 0;
	return (uint64_t)proc->dump << PLACE_OFF_BITS | off;
}

const struct jit_dump *sym__jit_dump(struct sym *sym, int32_t pid, uint64_t *file)
{
	const struct proc *proc = procs__find(&sym->procs, pid);

	if (!proc || !proc->dump || !sym->options.offline)
		return NULL;
	*file = (uint64_t)proc->dump << PLACE_OFF_BITS;
	return dsos__dump(&sym->dsos, proc->dump);
}
