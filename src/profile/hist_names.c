// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/hist_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	free(n->known);
	free(n->funcs);
	free(n->frames);
	*n = (struct hist_names){ 0 };
}

static int push(uint32_t **arr, size_t *cnt, size_t *cap, uint32_t value)
{
	if (array__reserve((void **)arr, cap, *cnt + 1, sizeof(**arr)))
		return -ENOMEM;
	(*arr)[(*cnt)++] = value;
	return 0;
}

static uint32_t add_text(struct hist_names *n, const char *text)
{
	return texts__add_escaped(&n->hist->texts, text, strlen(text));
}

/* A file has the last part of its path as name; executable memory without a file is JIT code. */
static uint32_t dso_text(struct hist_names *n, const struct sym_frame *f, int32_t pid)
{
	char jit[32];

	if (!strcmp(f->module, "[anon]")) {
		snprintf(jit, sizeof(jit), "[JIT] tid %d", pid);
		return add_text(n, jit);
	}
	if (f->name && !strcmp(f->module, "[bpf]"))
		return add_text(n, f->name);
	return add_text(n, path__base(f->module));
}

/* Makes "file.c:12", or the function with an offset in bytes if the line is unknown. */
static uint32_t srcline_text(struct hist_names *n, const struct sym_frame *f)
{
	struct strbuf sb = STRBUF_INIT;
	uint32_t text;

	if (f->file && f->line)
		strbuf__printf(&sb, "%s:%u", path__base(f->file), f->line);
	else if (f->name)
		strbuf__printf(&sb, "%s+%llu", f->name, (unsigned long long)f->off);
	else
		strbuf__printf(&sb, "%s[%llx]", f->module, (unsigned long long)f->off);
	text = texts__add_escaped(&n->hist->texts, strbuf__cstr(&sb), sb.len);
	strbuf__free(&sb);
	return text;
}

/* Returns the function's index in the hist. UINT32_MAX: no memory. */
static uint32_t func_of(struct hist_names *n, const struct hist_place *p, const struct sym_frame *f,
			uint64_t addr, bool is_kernel)
{
	const struct hist_func func = {
		.name = add_text(n, f->name),
		.dso = p->dso,
		.addr = addr - f->off,
		.is_inlined = f->is_inlined,
		.is_mapped = true,
		.level = is_kernel ? 'k' : '.',
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
		.is_mapped = strcmp(base.module, "[unknown]") != 0,
	};
	if (p->dso == TEXTS_NONE)
		return -ENOMEM;
	if (n->srclines) {
		sym__frames(n->sym, is_kernel, place, frames, SYM_FRAMES_MAX);
		p->srcline = srcline_text(n, &frames[0]);
	}
	if (!base.name)
		return 0;
	p->func = func_of(n, p, &base, is_kernel ? place : sym__file_off(place), is_kernel);
	return p->func == UINT32_MAX ? -ENOMEM : 0;
}

/* Resolved once for each place, and only on request, since reading debug information is slow. */
static int look_up_inlined(struct hist_names *n, uint64_t place, bool is_kernel,
			   struct hist_place *p)
{
	struct sym_frame frames[SYM_FRAMES_MAX];
	size_t cnt, i;
	uint32_t func;

	if (p->has_inlined)
		return 0;
	cnt = sym__frames(n->sym, is_kernel, place, frames, SYM_FRAMES_MAX);
	p->inlined = n->func_cnt;
	for (i = 0; i < cnt; i++) {
		func = func_of(n, p, &frames[i], is_kernel ? place : sym__file_off(place),
			       is_kernel);
		if (func == UINT32_MAX || push(&n->funcs, &n->func_cnt, &n->func_cap, func))
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
	res->self = p->func;
	if (p->func == UINT32_MAX)
		res->self = bare(n, p, is_kernel || !p->is_mapped ? addr : sym__file_off(place),
				 is_kernel);
	return res->self == UINT32_MAX ? -ENOMEM : 0;
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
	uint32_t i, func;
	int err = 0;

	if (!p)
		return -ENOMEM;
	if (with_inlined && p->func != UINT32_MAX) {
		err = look_up_inlined(n, place, is_kernel, p);
		for (i = 0; i < p->inlined_cnt && !err; i++)
			err = push(&n->frames, &n->frame_cnt, &n->frame_cap,
				   n->funcs[p->inlined + i]);
		return err;
	}
	func = p->func != UINT32_MAX ? p->func : bare(n, p, addr, is_kernel);
	return func == UINT32_MAX ? -ENOMEM : push(&n->frames, &n->frame_cnt, &n->frame_cap, func);
}
