// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/hist_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sym/sym.h"
#include "util/array.h"
#include "util/path.h"
#include "util/strbuf.h"

void hist_names__init(struct hist_names *n, struct hist *hist, struct sym *sym, bool srclines)
{
	*n = (struct hist_names){ .hist = hist, .sym = sym, .srclines = srclines };
}

void hist_names__free(struct hist_names *n)
{
	u64map__free(&n->user_at);
	u64map__free(&n->kernel_at);
	u64map__free(&n->lines);
	free(n->known);
	free(n->funcs);
	free(n->frames);
	*n = (struct hist_names){ 0 };
}

/* A function of a place, and the line there: 1 + a text, or 0. */
struct hist_named {
	uint32_t func, line;
};

/* The function in a mapping of this size, for HIST_DSO_SIZE. UINT32_MAX: no memory. */
static uint32_t in_map(struct hist_names *n, uint32_t func, uint64_t map_sz)
{
	return map_sz && func != UINT32_MAX ? hist__func_in_map(n->hist, func, map_sz) : func;
}

/* 0: unknown, or not asked for. */
static uint64_t map_size(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel)
{
	struct sym_mapping mapping = { .sz = 0 };

	if (hist__has_key(&n->hist->cfg, HIST_DSO_SIZE))
		sym__mapping(n->sym, is_kernel, pid, addr, &mapping);
	return mapping.sz;
}

/* Appends a function to the callchain, or an address in it. */
static int push_frame(struct hist_names *n, uint32_t func, uint64_t addr, uint32_t line,
		      uint64_t map_sz)
{
	func = in_map(n, func, map_sz);
	if (func != UINT32_MAX && (line || n->hist->cfg.has_addresses))
		func = hist__func_at(n->hist, func, addr, line);
	if (func == UINT32_MAX ||
	    array__reserve((void **)&n->frames, &n->frame_cap, n->frame_cnt + 1, sizeof(func)))
		return -ENOMEM;
	n->frames[n->frame_cnt++] = func;
	return 0;
}

static uint32_t add_text(struct hist_names *n, const char *text)
{
	return texts__add_escaped(&n->hist->texts, text, strlen(text));
}

/* A file has the last part of its path as name; executable memory without a file is JIT code. */
static uint32_t dso_text(struct hist_names *n, const struct sym_frame *f, int32_t pid)
{
	bool has_path = n->hist->cfg.has_addresses;
	char jit[32];

	if (!strcmp(f->module, "[anon]")) {
		snprintf(jit, sizeof(jit), has_path ? "/tmp/perf-%d.map" : "[JIT] tid %d", pid);
		return add_text(n, jit);
	}
	if (f->name && !strcmp(f->module, "[bpf]"))
		return add_text(n, f->name);
	return add_text(n, has_path ? f->module : path__base(f->module));
}

/* Puts "file.c:12", or the function with an offset in bytes if the line is unknown. */
static void put_srcline(struct strbuf *sb, const struct sym_frame *f)
{
	if (f->file && f->line)
		strbuf__printf(sb, "%s:%u", path__base(f->file), f->line);
	else if (f->name)
		strbuf__printf(sb, "%s+%llu", f->name, (unsigned long long)f->off);
	else
		strbuf__printf(sb, "%s[%llx]", f->module, (unsigned long long)f->off);
}

static uint32_t srcline_text(struct hist_names *n, const struct sym_frame *f)
{
	struct strbuf sb = STRBUF_INIT;
	uint32_t text;

	put_srcline(&sb, f);
	text = texts__add_escaped(&n->hist->texts, strbuf__cstr(&sb), sb.len);
	strbuf__free(&sb);
	return text;
}

/* Makes "file.c:12" for a chain, as perf has it. 0: it was not asked for, or no memory. */
static uint32_t chain_line(struct hist_names *n, const struct sym_frame *f)
{
	struct strbuf sb = STRBUF_INIT;
	uint32_t text;

	if (!n->hist->cfg.by_address)
		return 0;
	if (f->file && f->line)
		strbuf__printf(&sb, "%s:%u", path__base(f->file), f->line);
	else
		strbuf__puts(&sb, "??:0");
	text = texts__add_escaped(&n->hist->texts, strbuf__cstr(&sb), sb.len);
	strbuf__free(&sb);
	/* TEXTS_NONE + 1 is 0. */
	return text + 1;
}

/* Returns the function's index in the hist. UINT32_MAX: no memory. */
static uint32_t func_of(struct hist_names *n, const struct hist_place *p, const struct sym_frame *f,
			uint64_t place, bool is_kernel)
{
	bool has_sz = hist__has_key(&n->hist->cfg, HIST_SYM_SIZE);
	const struct hist_func func = {
		.name = add_text(n, f->name),
		.dso = p->dso,
		.sz = has_sz ? (uint32_t)sym__size(n->sym, is_kernel, place) : 0,
		.addr = (is_kernel ? place : sym__file_off(place)) - f->off,
		.is_inlined = f->is_inlined,
		.is_mapped = true,
		.level = is_kernel ? 'k' : '.',
		.origin = p->origin,
	};

	return func.name == TEXTS_NONE ? UINT32_MAX : hist__func(n->hist, &func);
}

static int look_up(struct hist_names *n, int32_t pid, uint64_t place, bool is_kernel,
		   struct hist_place *p)
{
	struct sym_frame frames[SYM_FRAMES_MAX], base;

	sym__function(n->sym, is_kernel, place, &base);
	*p = (struct hist_place){
		.func = UINT32_MAX,
		.dso = dso_text(n, &base, pid),
		.srcline = TEXTS_NONE,
		.srcfile = TEXTS_NONE,
		.is_mapped = strcmp(base.module, "[unknown]") != 0,
		.origin = '!',
	};
	if (n->hist->cfg.has_addresses && p->is_mapped)
		p->origin = sym__origin(n->sym, is_kernel, place);
	if (p->dso == TEXTS_NONE)
		return -ENOMEM;
	if (n->srclines) {
		sym__frames(n->sym, is_kernel, place, frames, SYM_FRAMES_MAX);
		p->srcline = srcline_text(n, &frames[0]);
		p->line = chain_line(n, &frames[0]);
		p->srcfile = add_text(
			n, frames[0].file && frames[0].line ? path__base(frames[0].file) : "");
	}
	if (!base.name)
		return 0;
	p->func = func_of(n, p, &base, place, is_kernel);
	return p->func == UINT32_MAX ? -ENOMEM : 0;
}

/* Resolved once for each place, and only on request, since reading debug information is slow. */
static int look_up_inlined(struct hist_names *n, uint64_t place, bool is_kernel,
			   struct hist_place *p)
{
	struct sym_frame frames[SYM_FRAMES_MAX];
	size_t cnt, i;
	struct hist_named *at;

	if (p->has_inlined)
		return 0;
	cnt = sym__frames(n->sym, is_kernel, place, frames, SYM_FRAMES_MAX);
	p->inlined = n->func_cnt;
	for (i = 0; i < cnt; i++) {
		if (array__reserve((void **)&n->funcs, &n->func_cap, n->func_cnt + 1,
				   sizeof(*n->funcs)))
			return -ENOMEM;
		at = &n->funcs[n->func_cnt++];
		at->line = chain_line(n, &frames[i]);
		at->func = func_of(n, p, &frames[i], place, is_kernel);
		if (at->func == UINT32_MAX)
			return -ENOMEM;
	}
	p->inlined_cnt = (uint32_t)cnt;
	p->has_inlined = true;
	return 0;
}

/* Returns the entry of a place, looked up if it is new. NULL: no memory. */
static struct hist_place *known_place(struct hist_names *n, int32_t pid, uint64_t place,
				      bool is_kernel)
{
	uint32_t *slot = u64map__slot(is_kernel ? &n->kernel_at : &n->user_at, place);

	if (!slot)
		return NULL;
	if (*slot != U64MAP_NONE)
		return &n->known[*slot];
	if (array__reserve((void **)&n->known, &n->known_cap, n->known_cnt + 1, sizeof(*n->known)))
		return NULL;
	if (look_up(n, pid, place, is_kernel, &n->known[n->known_cnt]))
		return NULL;
	*slot = (uint32_t)n->known_cnt;
	return &n->known[n->known_cnt++];
}

static uint64_t place_of(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel)
{
	return is_kernel ? sym__kernel_place(n->sym, addr) : sym__place(n->sym, pid, addr);
}

/* Returns a function that represents an address without a symbol. */
static uint32_t bare(struct hist_names *n, const struct hist_place *p, uint64_t addr,
		     bool is_kernel)
{
	const struct hist_func func = {
		.name = TEXTS_NONE,
		.dso = p->dso,
		.addr = addr,
		.is_mapped = p->is_mapped,
		.level = !p->is_mapped ? 0
			 : is_kernel   ? 'k'
				       : '.',
		.origin = p->origin,
	};

	return hist__func(n->hist, &func);
}

int hist_names__self(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel,
		     struct hist_addr *res)
{
	uint64_t place = place_of(n, pid, addr, is_kernel);
	const struct hist_place *p = known_place(n, pid, place, is_kernel);

	if (!p)
		return -ENOMEM;
	res->level = is_kernel ? 'k' : '.';
	res->srcline = p->srcline;
	res->srcfile = p->srcfile;
	res->self = p->func;
	res->addr = is_kernel || !p->is_mapped ? addr : sym__file_off(place);
	res->place = place;
	res->off = 0;
	if (p->func != UINT32_MAX)
		res->off = (uint32_t)((is_kernel ? place : sym__file_off(place)) -
				      n->hist->funcs[p->func].addr);
	else
		res->self = bare(n, p, res->addr, is_kernel);
	res->self = in_map(n, res->self, map_size(n, pid, addr, is_kernel));
	return res->self == UINT32_MAX ? -ENOMEM : 0;
}

/* "buffer+0x10": the text of an address in a variable or a function. TEXTS_NONE: no memory. */
static uint32_t name_at(struct hist_names *n, const struct hist_func *f, uint64_t addr)
{
	struct strbuf sb = STRBUF_INIT;
	uint32_t text;

	strbuf__printf(&sb, "%s%c0x%llx", texts__get(&n->hist->texts, f->name),
		       addr < f->addr ? '-' : '+',
		       (unsigned long long)(addr < f->addr ? f->addr - addr : addr - f->addr));
	text = texts__add(&n->hist->texts, strbuf__cstr(&sb), sb.len);
	strbuf__free(&sb);
	return text;
}

uint32_t hist_names__data(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel)
{
	uint64_t place = place_of(n, pid, addr, is_kernel);
	const struct hist_place *p = known_place(n, pid, place, is_kernel);
	struct hist_func func = { .name = TEXTS_NONE,
				  .addr = addr,
				  .level = is_kernel ? 'k' : '.' };

	if (!p)
		return UINT32_MAX;
	func.dso = p->dso;
	func.is_mapped = p->is_mapped;
	if (p->func == UINT32_MAX)
		return hist__func(n->hist, &func);
	func.name = name_at(n, &n->hist->funcs[p->func], is_kernel ? place : sym__file_off(place));
	return func.name == TEXTS_NONE ? UINT32_MAX : hist__func(n->hist, &func);
}

/* The size of a line of the first cache, in bytes: that of this machine, as in perf. */
static uint64_t line_size(void)
{
	long sz = 0;

#ifdef _SC_LEVEL1_DCACHE_LINESIZE
	sz = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
#endif
	return sz > 0 ? (uint64_t)sz : 64;
}

uint32_t hist_names__line(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel)
{
	uint64_t place = place_of(n, pid, addr, is_kernel), off;
	const struct hist_place *p = known_place(n, pid, place, is_kernel);
	struct hist_func line = { .name = TEXTS_NONE };
	struct sym_mapping mapping;
	uint32_t *slot, unnamed;

	if (!p)
		return UINT32_MAX;
	sym__mapping(n->sym, is_kernel, pid, addr, &mapping);
	off = is_kernel || !p->is_mapped ? addr : sym__file_off(place);
	line.addr = off & ~(line_size() - 1);
	line.dso = p->dso;
	line.is_mapped = p->is_mapped;
	line.level = !p->is_mapped ? 'X' : mapping.is_shared ? 's' : is_kernel ? 'k' : '.';
	/* Memory of two processes is not one line, nor are those of two files with one name. */
	line.ip = is_kernel | (mapping.is_own ? (uint64_t)pid : sym__file_idx(place)) << 1;
	unnamed = hist__func(n->hist, &line);
	if (p->func == UINT32_MAX || unnamed == UINT32_MAX)
		return unnamed;
	slot = u64map__slot(&n->lines, unnamed);
	if (!slot || *slot != U64MAP_NONE)
		return slot ? *slot : UINT32_MAX;
	line.name = name_at(n, &n->hist->funcs[p->func], line.addr);
	if (line.name != TEXTS_NONE)
		*slot = hist__func(n->hist, &line);
	return *slot;
}

void hist_names__put_line(struct hist_names *n, bool is_kernel, uint64_t place, struct strbuf *out)
{
	struct sym_frame frames[SYM_FRAMES_MAX];
	struct strbuf line = STRBUF_INIT;

	sym__frames(n->sym, is_kernel, place, frames, SYM_FRAMES_MAX);
	put_srcline(&line, &frames[0]);
	strbuf__put_escaped(out, strbuf__cstr(&line), line.len);
	strbuf__free(&line);
}

void hist_names__begin(struct hist_names *n)
{
	n->frame_cnt = 0;
}

int hist_names__frame(struct hist_names *n, int32_t pid, uint64_t addr, bool is_kernel,
		      bool with_inlined)
{
	uint64_t place = place_of(n, pid, addr, is_kernel);
	struct hist_place *p = known_place(n, pid, place, is_kernel);
	uint64_t map_sz = map_size(n, pid, addr, is_kernel);
	uint32_t i;
	int err = 0;

	if (!p)
		return -ENOMEM;
	if (with_inlined && p->func != UINT32_MAX) {
		err = look_up_inlined(n, place, is_kernel, p);
		for (i = 0; i < p->inlined_cnt && !err; i++)
			err = push_frame(n, n->funcs[p->inlined + i].func, addr,
					 n->funcs[p->inlined + i].line, map_sz);
		return err;
	}
	return p->func == UINT32_MAX ? push_frame(n, bare(n, p, addr, is_kernel), addr, 0, map_sz)
				     : push_frame(n, p->func, addr, p->line, map_sz);
}
