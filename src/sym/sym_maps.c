// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Mappings of processes: at once, or when the first address of the process is asked for. */
#include <errno.h>
#include <string.h>

#include "sym/dso_image.h"
#include "sym/maps.h"
#include "sym/proc_maps.h"
#include "sym/sym_priv.h"
#include "util/log.h"
#include "util/mono.h"

/* The kernel's names for memory without a file, or of a file in memory. */
static bool is_anon(const char *path)
{
	static const char *const anon[] = { "//",        "[heap]", "[stack",        "[anon",
					    "/dev/zero", "/SYSV",  "/anon_hugepage" };
	size_t i;

	for (i = 0; i < sizeof(anon) / sizeof(*anon); i++)
		if (!strncmp(path, anon[i], strlen(anon[i])))
			return true;
	return !path[0];
}

/* The vDSO of a recording is ours if its id, or else its kernel, is ours. */
static enum dso_kind kind_of_vdso(const struct sym *sym, const struct sym_map *map)
{
	struct sym_build_id own;

	if (sym->options.offline && map->build_id) {
		if (dso_image__vdso_id(&own) && build_id__equal(&own, map->build_id))
			return DSO_VDSO;
		return DSO_FILE;
	}
	/* Below 4 GiB it is the vdso of the 32-bit ABI, which is a different one. */
	if (sym->kernel.foreign || !(map->addr >> 32 || sizeof(long) == 4))
		return DSO_OTHER;
	return DSO_VDSO;
}

static enum dso_kind kind_of(const struct sym *sym, const struct sym_map *map)
{
	if (map->is_data && (!sym->options.data || is_anon(map->path)))
		return DSO_OTHER;
	if (!strcmp(map->path, "[vdso]"))
		return kind_of_vdso(sym, map);
	if (is_anon(map->path))
		return DSO_ANON;
	/* Recorders before perf 3.16, and others, have no inodes. */
	return map->path[0] == '/' && (map->ino || map->build_id || sym->options.offline)
		       ? DSO_FILE
		       : DSO_OTHER;
}

uint32_t sym__code_dso(struct sym *sym)
{
	static const struct dso like = { .kind = DSO_CODE, .path = "[interpreter]" };
	const struct dso_site nowhere = { .pid = 0 };

	if (!sym->code_dso)
		sym->code_dso = dsos__intern(&sym->dsos, &like, &nowhere);
	return sym->code_dso;
}

/* Without memory the addresses stay unnamed; the recording goes on. */
static void insert(struct sym *sym, struct proc *proc, const struct map *m)
{
	size_t max = sym->options.offline ? MAPS_RECORDED_MAX : MAPS_MAX;

	if (!proc->maps || maps__insert(&proc->maps, m, max) != -ENOSPC || proc->is_full)
		return;
	proc->is_full = true;
	log_warn("process %d maps code at more than %zu places: functions in later ones have no "
		 "names",
		 proc->pid, max);
}

/* The mapping of an interpreted function in a recording (run/code_maps.h): its offset is a line. */
static bool insert_code(struct sym *sym, struct proc *proc, const struct sym_map *map)
{
	struct map m = { .start = map->addr, .end = map->addr + map->len };

	if (!sym->options.offline || !codes__is_recorded(map->path) ||
	    map->len > 1ull << CODES_LINE_BITS)
		return false;
	m.dso = sym__code_dso(sym);
	m.pgoff = codes__recorded(&sym->codes, map->path);
	insert(sym, proc, &m);
	return true;
}

void sym__insert_map(struct sym *sym, struct proc *proc, const struct sym_map *map)
{
	struct dso_site site = { proc->pid, map->addr, map->addr + map->len };
	struct dso like = {
		.kind = kind_of(sym, map),
		.path = (char *)map->path,
		.maj = map->maj,
		.min = map->min,
		.ino = map->ino,
		.mapped_real_ns = (int64_t)real_ns(),
	};
	struct map m = { .start = map->addr,
			 .end = map->addr + map->len,
			 .pgoff = map->pgoff,
			 .is_shared = map->is_shared,
			 .is_own = map->is_own };

	if (insert_code(sym, proc, map))
		return;
	sym__note_dump(sym, proc, map, &site);
	if (map->build_id)
		like.want_id = *map->build_id;
	if (sym->options.offline)
		like.mapped_real_ns = sym->options.recorded_real_ns ? sym->options.recorded_real_ns
								    : like.mapped_real_ns;
	else if (map->time_ns)
		like.mapped_real_ns -= (int64_t)(mono_ns() - map->time_ns);
	/* A vDSO that is a file in a cache counts from its start, too. */
	if (like.kind == DSO_FILE && map->path[0] != '/')
		m.pgoff = 0;
	if (like.kind != DSO_FILE) {
		like.maj = like.min = 0;
		like.ino = 0;
		/*
		 * Offsets in the vdso count from its start; memory without a file uses its own
		 * addresses. In a recording the kernel's own mappings ("[uprobes]") have offsets,
		 * as perf prints them.
		 */
		const bool has_offs = map->is_data || sym->options.offline;

		m.pgoff = like.kind == DSO_VDSO             ? 0
			  : has_offs && !is_anon(map->path) ? map->pgoff
							    : map->addr;
		if (like.kind == DSO_ANON)
			like.path = "[anon]";
	}
	m.dso = dsos__intern(&sym->dsos, &like, &site);
	/* The kernel maps the program before its interpreter and libraries, and below them. */
	if (!proc->program && like.kind == DSO_FILE)
		proc->program = m.dso;
	insert(sym, proc, &m);
}

void sym__settle_maps(struct sym *sym, struct proc *proc)
{
	struct sym_map map;
	uint32_t at = 0;

	if (!proc->later.sz)
		return;
	while (later_maps__next(&proc->later, &at, &map))
		sym__insert_map(sym, proc, &map);
	later_maps__empty(&proc->later);
}

/*
 * Can the mapping wait? A file that is met for the first time cannot, since it may have to be
 * opened now, while its process lives; nor can a dump, which is looked for without an address.
 */
static bool can_wait(const struct sym *sym, const struct sym_map *map)
{
	struct dso like = { .kind = kind_of(sym, map),
			    .path = map->path,
			    .maj = map->maj,
			    .min = map->min,
			    .ino = map->ino };

	if (sym->options.offline || map->build_id || jit_dump__is(map->path))
		return false;
	return like.kind != DSO_FILE || dsos__knows(&sym->dsos, &like);
}

struct scan {
	struct sym *sym;
	struct proc *proc;
};

static void on_scanned_map(void *ctx, const struct sym_map *map)
{
	struct scan *scan = ctx;

	sym__insert_map(scan->sym, scan->proc, map);
}

int sym__read_maps(struct sym *sym, struct proc *proc)
{
	struct scan scan = { sym, proc };

	return proc_maps__read(proc->pid, on_scanned_map, &scan);
}

/*
 * Nothing has told of mappings that ended: a process that has too many has those that /proc tells.
 * Read anew after many more have come, or never, it costs each of these little.
 */
static void drop_ended(struct sym *sym, struct proc *proc)
{
	struct maps *before = proc->maps;

	if (sym->options.offline || !before || before->cnt + 2 <= MAPS_MAX || proc->is_crowded)
		return;
	proc->maps = maps__new();
	if (proc->maps && !sym__read_maps(sym, proc) && proc->maps->cnt) {
		proc->is_crowded = proc->maps->cnt > MAPS_MAX / 2;
		maps__put(before);
		return;
	}
	/* It has ended, or there is no memory. */
	maps__put(proc->maps);
	proc->maps = before;
	proc->is_crowded = true;
}

void sym__on_mmap(struct sym *sym, int32_t pid, const struct sym_map *map)
{
	struct proc *proc = sym__proc(sym, pid);

	if (!proc)
		return;
	sym->procs.change_cnt++;
	if (can_wait(sym, map) && later_maps__add(&proc->later, map))
		return;
	sym__settle_maps(sym, proc);
	drop_ended(sym, proc);
	sym__insert_map(sym, proc, map);
}
