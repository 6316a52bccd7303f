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
#include "sym/ksyms.h"
#include "sym/maps.h"
#include "sym/proc_maps.h"
#include "sym/procs.h"
#include "util/u64map.h"

/* A place: the dso's index above the offset in it. */
#define PLACE_OFF_BITS 48
#define PLACE_OFF_MASK ((1ULL << PLACE_OFF_BITS) - 1)

struct sym {
	struct sym_options options;
	struct kallsyms kernel;
	struct ksyms ksyms;
	struct dsos dsos;
	struct procs procs;
	uint32_t jit_cnt; /* processes with a JIT compiler */
};

struct sym *sym__new(void)
{
	struct sym *sym = calloc(1, sizeof(*sym));

	if (sym && dsos__init(&sym->dsos)) {
		free(sym);
		sym = NULL;
	}
	if (!sym) {
		errno = ENOMEM;
		return NULL;
	}
	sym->dsos.ahead = sym->kernel.ahead = ahead__new();
	return sym;
}

void sym__free(struct sym *sym)
{
	if (!sym)
		return;
	procs__free(&sym->procs);
	dsos__free(&sym->dsos);
	ksyms__free(&sym->ksyms);
	kallsyms__free(&sym->kernel);
	free(sym);
}

void sym__configure(struct sym *sym, const struct sym_options *options)
{
	sym->options = *options;
	sym->dsos.raw_names = options->raw_names;
	sym->dsos.inlines = options->inlines;
	sym->dsos.lines = options->lines;
	sym->dsos.offline = options->offline;
	if (options->mem_max) {
		sym->dsos.mem_max = options->mem_max;
		sym->dsos.ahead_left = options->mem_max / 2;
	}
}

static int64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* The kernel's words for memory that is no file's, or of a file that is memory. */
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

static enum dso_kind kind_of(const struct sym_map *map)
{
	if (map->is_data)
		return DSO_OTHER;
	if (!strcmp(map->path, "[vdso]"))
		/* Below 4 GiB is the vdso of the 32-bit ABI, which is another one. */
		return map->addr >> 32 || sizeof(long) == 4 ? DSO_VDSO : DSO_OTHER;
	if (is_anon(map->path))
		return DSO_ANON;
	return map->path[0] == '/' && (map->ino || map->build_id) ? DSO_FILE : DSO_OTHER;
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

	if (map->build_id)
		like.want_id = *map->build_id;
	if (sym->options.offline)
		like.mapped_real_ns = sym->options.recorded_real_ns ? sym->options.recorded_real_ns
								    : like.mapped_real_ns;
	else if (map->time_ns)
		like.mapped_real_ns -= now_ns(CLOCK_MONOTONIC) - (int64_t)map->time_ns;
	if (like.kind != DSO_FILE) {
		like.maj = like.min = 0;
		like.ino = 0;
		/* The vdso counts from its start; what has no file, by its own addresses. */
		m.pgoff = like.kind == DSO_VDSO                 ? 0
			  : map->is_data && !is_anon(map->path) ? map->pgoff
								: map->addr;
		if (like.kind == DSO_ANON)
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
	struct scan scan = { sym, procs__set(&sym->procs, pid, maps__new()) };

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
	struct proc *proc = procs__find(&sym->procs, pid);

	if (!proc && sym->options.offline) {
		proc = procs__set(&sym->procs, pid, maps__new());
	} else if (!proc) {
		sym__add_process(sym, pid);
		proc = procs__find(&sym->procs, pid);
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
	struct proc *parent, *child;
	struct maps *maps;
	uint32_t jit;

	if (pid == parent_pid)
		return;
	parent = get_proc(sym, parent_pid);
	maps = parent ? maps__get(parent->maps) : maps__new();
	jit = !parent ? 0 : parent->jit ? parent->jit : parent->jit_parent;
	child = procs__set(&sym->procs, pid, maps);
	if (child)
		child->jit_parent = jit;
}

void sym__on_exec(struct sym *sym, int32_t pid)
{
	procs__set(&sym->procs, pid, maps__new());
}

void sym__on_exit(struct sym *sym, int32_t pid)
{
	procs__end(&sym->procs, pid);
}

void sym__on_ksymbol(struct sym *sym, const struct sym_ksymbol *k)
{
	if (k->is_gone)
		ksyms__remove(&sym->ksyms, k->addr, k->len, k->name);
	else
		ksyms__add(&sym->ksyms, k->addr, k->len, k->name);
}

void sym__set_recorded_kernel(struct sym *sym, const struct sym_build_id *id, uint64_t text)
{
	kallsyms__set_recorded(&sym->kernel, id, text);
}

void sym__on_lost(struct sym *sym)
{
	if (!sym->options.offline)
		sym__add_all_processes(sym);
}

/* The dso of what JIT compilers write in this process, made when it is first met. */
static uint32_t jit_of(struct sym *sym, struct proc *proc)
{
	struct dso like = { .kind = DSO_JIT, .path = "[anon]", .pid = proc->pid };
	struct dso_site site = { .pid = proc->pid };

	if (proc->jit)
		return proc->jit;
	/* Each life of a pid has its own. */
	like.ino = ++sym->jit_cnt;
	like.jit_parent = proc->jit_parent;
	proc->jit = dsos__intern(&sym->dsos, &like, &site);
	if (proc->jit)
		dsos__want(&sym->dsos, proc->jit, &site);
	return proc->jit;
}

uint64_t sym__kernel_place(struct sym *sym, uint64_t addr)
{
	kallsyms__read_ahead(&sym->kernel);
	return ksyms__place(&sym->ksyms, addr);
}

uint64_t sym__place(struct sym *sym, int32_t pid, uint64_t addr)
{
	struct proc *proc = get_proc(sym, pid);
	struct dso_site site = { .pid = pid };
	const struct map *map;
	uint32_t dso;

	map = proc && proc->maps ? maps__find(proc->maps, addr) : NULL;
	if (!map)
		return addr & PLACE_OFF_MASK;
	site.start = map->start;
	site.end = map->end;
	dsos__want(&sym->dsos, map->dso, &site);
	dso = sym->dsos.dsos[map->dso]->kind == DSO_ANON ? jit_of(sym, proc) : map->dso;
	if (dso != map->dso)
		return (uint64_t)dso << PLACE_OFF_BITS | (addr & PLACE_OFF_MASK);
	return (uint64_t)dso << PLACE_OFF_BITS |
	       ((addr - map->start + map->pgoff) & PLACE_OFF_MASK);
}

void sym__kernel(struct sym *sym, uint64_t place, struct sym_result *res)
{
	res->module = "[bpf]";
	res->name = ksyms__find(&sym->ksyms, place, &res->off);
	if (res->name || kallsyms__find(&sym->kernel, place, &res->name, &res->module, &res->off))
		return;
	res->module = "[unknown]";
	res->off = place;
}

static uint32_t dso_of(const struct sym *sym, uint64_t place)
{
	uint64_t idx = place >> PLACE_OFF_BITS;

	return idx < sym->dsos.cnt ? (uint32_t)idx : 0;
}

void sym__will_name(struct sym *sym, uint64_t place)
{
	dsos__will_name(&sym->dsos, dso_of(sym, place), sym__file_off(place));
}

void sym__go_ahead(struct sym *sym)
{
	dsos__go_ahead(&sym->dsos);
}

uint64_t sym__file_off(uint64_t place)
{
	return place & PLACE_OFF_MASK;
}

void sym__name(struct sym *sym, uint64_t place, struct sym_result *res)
{
	uint32_t idx = dso_of(sym, place);

	res->module = sym->dsos.dsos[idx]->path;
	res->name = dsos__find(&sym->dsos, idx, sym__file_off(place), &res->off);
	if (!res->name)
		res->off = sym__file_off(place);
}

uint32_t sym__file_idx(uint64_t place)
{
	return (uint32_t)(place >> PLACE_OFF_BITS);
}

int sym__open_file(struct sym *sym, uint64_t place)
{
	return dsos__open_file(&sym->dsos, dso_of(sym, place));
}

char *sym__vdso(struct sym *sym, uint64_t place, size_t *sz)
{
	return dsos__vdso(&sym->dsos, dso_of(sym, place), sz);
}

/* As addr2line says it: all names, the last too. 0: it knows no line. */
static size_t add_plain(struct sym *sym, const struct sym_result *res,
			const struct inline_frame *found, size_t cnt, struct sym_frame *frames)
{
	size_t i;

	if (!cnt || !found[0].file)
		return 0;
	for (i = 0; i < cnt; i++) {
		const char *name = found[i].plain;

		frames[i] = (struct sym_frame){ .line = found[i].line };
		if (found[i].file)
			frames[i].file = dsos__kept(&sym->dsos, found[i].file);
		frames[i].name = name && !found[i].is_symbols ? dsos__demangled(&sym->dsos, name)
							      : res->name;
		frames[i].is_inlined = strcmp(frames[i].name, res->name) != 0;
	}
	return cnt;
}

/* Names and source positions of all frames of a place but the name of the last. 0: none known. */
static size_t add_inlines(struct sym *sym, uint64_t place, const struct sym_result *res,
			  struct sym_frame *frames, size_t max)
{
	struct inline_frame found[SYM_FRAMES_MAX];
	uint32_t idx = dso_of(sym, place);
	struct dso *dso = sym->dsos.dsos[idx];
	size_t cnt, i, kept = 0;
	uint64_t vaddr;

	if (!dso->inlines || !res->name ||
	    !dsos__vaddr(&sym->dsos, idx, sym__file_off(place), &vaddr))
		return 0;
	cnt = inlines__find(dso->inlines, vaddr, vaddr - res->off, sym->options.lines, found,
			    max < SYM_FRAMES_MAX ? max : SYM_FRAMES_MAX);
	if (sym->options.as_addr2line)
		return add_plain(sym, res, found, cnt, frames);
	for (i = 0; i < cnt; i++) {
		const struct inline_frame *f = &found[i];
		struct sym_frame *to = &frames[kept];

		/* What has no name is no function of the source. */
		if (!f->name && i + 1 < cnt)
			continue;
		kept++;
		*to = (struct sym_frame){ .line = f->line };
		if (f->file)
			to->file = dsos__kept(&sym->dsos, f->file);
		if (f->name)
			to->name = dsos__demangled(&sym->dsos, f->name);
	}
	return kept;
}

static void name_place(struct sym *sym, bool is_kernel, uint64_t place, struct sym_result *res)
{
	if (is_kernel)
		sym__kernel(sym, place, res);
	else
		sym__name(sym, place, res);
}

void sym__function(struct sym *sym, bool is_kernel, uint64_t place, struct sym_frame *frame)
{
	struct sym_result res;

	name_place(sym, is_kernel, place, &res);
	*frame = (struct sym_frame){ .name = res.name, .module = res.module, .off = res.off };
}

size_t sym__frames(struct sym *sym, bool is_kernel, uint64_t place, struct sym_frame *frames,
		   size_t max)
{
	struct sym_result res;
	size_t cnt = 0, i;

	name_place(sym, is_kernel, place, &res);
	if (!is_kernel && sym->options.inlines)
		cnt = add_inlines(sym, place, &res, frames, max);
	if (cnt && sym->options.as_addr2line) {
		for (i = 0; i < cnt; i++) {
			frames[i].module = res.module;
			frames[i].off = res.off;
		}
		return cnt;
	}
	/* The last is the function itself; the others were inlined into it. */
	if (!cnt)
		frames[cnt++] = (struct sym_frame){ .file = NULL };
	for (i = 0; i < cnt; i++) {
		frames[i].module = res.module;
		frames[i].off = res.off;
		frames[i].is_inlined = i + 1 < cnt;
	}
	frames[cnt - 1].name = res.name;
	return cnt;
}

const struct sym_build_id *sym__build_id(struct sym *sym, uint64_t place)
{
	return dsos__build_id(&sym->dsos, dso_of(sym, place));
}

void sym__stats(const struct sym *sym, struct sym_stats *stats)
{
	stats->mem_sz = sym->dsos.mem_sz;
	stats->evicted = sym->dsos.evicted;
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
