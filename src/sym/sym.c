// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/sym.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sym/dso.h"
#include "sym/kallsyms.h"
#include "sym/maps.h"
#include "sym/proc_maps.h"
#include "util/u64map.h"

/* A place: the dso's index above the offset in it. */
#define PLACE_OFF_BITS 48
#define PLACE_OFF_MASK ((1ULL << PLACE_OFF_BITS) - 1)

/* Processes that ended and are still known, for what arrives after their end. */
#define DEAD_MAX 1024

struct proc {
	int32_t pid;
	uint32_t life; /* counts exits, so that a pid that is used again is told apart */
	bool dead;
	struct maps *maps; /* NULL: no memory for it */
};

struct sym {
	struct kallsyms kernel;
	struct dsos dsos;
	struct proc *procs;
	uint32_t proc_cnt, proc_cap;
	uint32_t *free_procs; /* indexes to use again; as many as procs */
	uint32_t free_cnt;
	struct u64map by_pid;
	struct {
		uint32_t proc, life;
	} dead[DEAD_MAX];
	uint64_t dead_cnt; /* in all; the ring's position */
};

struct sym *sym__new(void)
{
	struct sym *sym = calloc(1, sizeof(*sym));

	if (sym && dsos__init(&sym->dsos)) {
		free(sym);
		sym = NULL;
	}
	if (!sym)
		errno = ENOMEM;
	return sym;
}

void sym__free(struct sym *sym)
{
	uint32_t i;

	if (!sym)
		return;
	for (i = 0; i < sym->proc_cnt; i++)
		maps__put(sym->procs[i].maps);
	free(sym->procs);
	free(sym->free_procs);
	u64map__free(&sym->by_pid);
	dsos__free(&sym->dsos);
	kallsyms__free(&sym->kernel);
	free(sym);
}

static int grow_procs(struct sym *sym)
{
	uint32_t cap = sym->proc_cap ? sym->proc_cap * 2 : 128, *free_procs;
	struct proc *procs;

	procs = realloc(sym->procs, cap * sizeof(*procs));
	if (!procs)
		return -ENOMEM;
	sym->procs = procs;
	free_procs = realloc(sym->free_procs, cap * sizeof(*free_procs));
	if (!free_procs)
		return -ENOMEM;
	sym->free_procs = free_procs;
	sym->proc_cap = cap;
	return 0;
}

static struct proc *find_proc(struct sym *sym, int32_t pid)
{
	uint32_t i = u64map__get(&sym->by_pid, (uint32_t)pid);

	return i == U64MAP_NONE ? NULL : &sym->procs[i];
}

/* The process with these mappings (their reference is taken over), whatever it had before. */
static struct proc *set_proc(struct sym *sym, int32_t pid, struct maps *maps)
{
	struct proc *proc = find_proc(sym, pid);
	uint32_t i, *slot;

	if (proc) {
		maps__put(proc->maps);
		proc->maps = maps;
		proc->dead = false;
		return proc;
	}
	if (!sym->free_cnt && sym->proc_cnt == sym->proc_cap && grow_procs(sym))
		goto fail;
	slot = u64map__slot(&sym->by_pid, (uint32_t)pid);
	if (!slot)
		goto fail;
	if (sym->free_cnt) {
		i = sym->free_procs[--sym->free_cnt];
	} else {
		i = sym->proc_cnt++;
		sym->procs[i].life = 0;
	}
	*slot = i;
	proc = &sym->procs[i];
	proc->pid = pid;
	proc->dead = false;
	proc->maps = maps;
	return proc;
fail:
	maps__put(maps);
	return NULL;
}

static void forget_proc(struct sym *sym, uint32_t i)
{
	uint32_t *slot = u64map__slot(&sym->by_pid, (uint32_t)sym->procs[i].pid);

	if (!slot)
		return;
	*slot = U64MAP_NONE;
	maps__put(sym->procs[i].maps);
	sym->procs[i].maps = NULL;
	sym->procs[i].life++;
	sym->free_procs[sym->free_cnt++] = i;
}

static int64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static enum dso_kind kind_of(const struct sym_map *map)
{
	if (!strcmp(map->path, "[vdso]"))
		/* Below 4 GiB is the vdso of the 32-bit ABI, which is another one. */
		return map->addr >> 32 || sizeof(long) == 4 ? DSO_VDSO : DSO_OTHER;
	/* "//anon" and the like are the kernel's words for what has no path. */
	return map->path[0] == '/' && map->path[1] != '/' && map->ino ? DSO_FILE : DSO_OTHER;
}

static void insert_map(struct sym *sym, struct proc *proc, const struct sym_map *map)
{
	struct dso_site site = { proc->pid, map->addr, map->addr + map->len };
	struct dso like = {
		.kind = kind_of(map),
		.path = (char *)map->path,
		.maj = map->maj,
		.min = map->min,
		.ino = map->ino,
		.mapped_real_ns = now_ns(CLOCK_REALTIME),
	};
	struct map m = { .start = map->addr, .end = map->addr + map->len, .pgoff = map->pgoff };

	if (map->time_ns)
		like.mapped_real_ns -= now_ns(CLOCK_MONOTONIC) - (int64_t)map->time_ns;
	if (like.kind != DSO_FILE) {
		like.maj = like.min = 0;
		like.ino = 0;
		/* The vdso counts from its start; what has no file, by its own addresses. */
		m.pgoff = like.kind == DSO_VDSO ? 0 : map->addr;
		if (!map->path[0] || !strncmp(map->path, "//", 2))
			like.path = "[anon]";
	}
	m.dso = dsos__intern(&sym->dsos, &like, &site);
	/* Without memory the addresses stay unnamed; the recording goes on. */
	if (proc->maps)
		maps__insert(&proc->maps, &m);
}

struct scan {
	struct sym *sym;
	struct proc *proc;
};

static void on_scanned_map(void *ctx, const struct sym_map *map)
{
	struct scan *scan = ctx;

	insert_map(scan->sym, scan->proc, map);
}

int sym__add_process(struct sym *sym, int32_t pid)
{
	struct scan scan = { sym, set_proc(sym, pid, maps__new()) };

	if (!scan.proc)
		return -ENOMEM;
	return proc_maps__read(pid, on_scanned_map, &scan);
}

int sym__add_all_processes(struct sym *sym)
{
	DIR *dir = opendir("/proc");
	struct dirent *de;

	if (!dir)
		return -errno;
	while ((de = readdir(dir)))
		if (isdigit((unsigned char)de->d_name[0]))
			sym__add_process(sym, atoi(de->d_name));
	closedir(dir);
	return 0;
}

/* A process nobody told of is read now, if it still is there. */
static struct proc *get_proc(struct sym *sym, int32_t pid)
{
	struct proc *proc = find_proc(sym, pid);

	if (!proc) {
		sym__add_process(sym, pid);
		proc = find_proc(sym, pid);
	}
	return proc;
}

void sym__on_mmap(struct sym *sym, int32_t pid, const struct sym_map *map)
{
	struct proc *proc = get_proc(sym, pid);

	if (proc)
		insert_map(sym, proc, map);
}

void sym__on_fork(struct sym *sym, int32_t pid, int32_t parent_pid)
{
	struct proc *parent;

	if (pid == parent_pid)
		return;
	parent = get_proc(sym, parent_pid);
	set_proc(sym, pid, parent ? maps__get(parent->maps) : maps__new());
}

void sym__on_exec(struct sym *sym, int32_t pid)
{
	set_proc(sym, pid, maps__new());
}

void sym__on_exit(struct sym *sym, int32_t pid)
{
	struct proc *proc = find_proc(sym, pid);
	uint32_t at = sym->dead_cnt % DEAD_MAX, old;

	if (!proc || proc->dead)
		return;
	if (sym->dead_cnt >= DEAD_MAX) {
		old = sym->dead[at].proc;
		if (sym->procs[old].dead && sym->procs[old].life == sym->dead[at].life)
			forget_proc(sym, old);
	}
	proc->dead = true;
	sym->dead[at].proc = (uint32_t)(proc - sym->procs);
	sym->dead[at].life = ++proc->life;
	sym->dead_cnt++;
}

uint64_t sym__place(struct sym *sym, int32_t pid, uint64_t addr)
{
	struct proc *proc = get_proc(sym, pid);
	struct dso_site site = { .pid = pid };
	const struct map *map;

	map = proc && proc->maps ? maps__find(proc->maps, addr) : NULL;
	if (!map)
		return addr & PLACE_OFF_MASK;
	site.start = map->start;
	site.end = map->end;
	dsos__want(&sym->dsos, map->dso, &site);
	return (uint64_t)map->dso << PLACE_OFF_BITS |
	       ((addr - map->start + map->pgoff) & PLACE_OFF_MASK);
}

void sym__kernel(struct sym *sym, uint64_t addr, struct sym_result *res)
{
	if (kallsyms__find(&sym->kernel, addr, &res->name, &res->module, &res->off))
		return;
	res->name = NULL;
	res->module = "[unknown]";
	res->off = addr;
}

void sym__name(struct sym *sym, uint64_t place, struct sym_result *res)
{
	struct dso *dso = sym->dsos.dsos[place >> PLACE_OFF_BITS];
	uint64_t file_off = place & PLACE_OFF_MASK;

	res->module = dso->path;
	res->name = dso__find(dso, file_off, &res->off);
	if (!res->name)
		res->off = file_off;
}

void sym__user(struct sym *sym, int32_t pid, uint64_t addr, struct sym_result *res)
{
	sym__name(sym, sym__place(sym, pid, addr), res);
}

void sym_result__put(const struct sym_result *res, struct strbuf *sb)
{
	const char *base;

	if (res->name) {
		strbuf__put_escaped(sb, res->name, strlen(res->name));
		return;
	}
	/* Bracketed names are no paths, and their offsets mean nothing to anyone else. */
	if (res->module[0] == '[') {
		strbuf__puts(sb, res->module);
		return;
	}
	base = strrchr(res->module, '/');
	base = base ? base + 1 : res->module;
	strbuf__putc(sb, '[');
	strbuf__put_escaped(sb, base, strlen(base));
	strbuf__puts(sb, "+0x");
	strbuf__put_hex(sb, res->off);
	strbuf__putc(sb, ']');
}
