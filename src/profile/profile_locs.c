// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/profile_locs.h"

#include <errno.h>
#include <string.h>

#include "util/array.h"

/* Makes room for one more element in an array with 32-bit indexes. */
static int reserve(void **arr, uint32_t cnt, uint32_t *cap, size_t elem_sz)
{
	size_t wide = *cap;
	int err = array__reserve(arr, &wide, (size_t)cnt + 1, elem_sz);

	*cap = (uint32_t)wide;
	return err;
}

uint32_t profile_locs__at(struct profile *p, enum profile_space space, uint64_t addr)
{
	uint32_t *slot;

	if (p->finds_only)
		return u64map__get(&p->by_addr[space], addr);
	slot = u64map__slot(&p->by_addr[space], addr);
	if (!slot || *slot != U64MAP_NONE)
		return slot ? *slot : TEXTS_NONE;
	if (reserve((void **)&p->locs, p->loc_cnt, &p->loc_cap, sizeof(*p->locs)))
		return TEXTS_NONE;
	p->locs[p->loc_cnt] = (struct profile_loc){ .addr = addr, .space = (uint8_t)space };
	if (space == PROFILE_USER)
		sym__will_name(p->sym, addr);
	else if (space == PROFILE_KERN)
		sym__will_name_kernel(p->sym, addr);
	return *slot = p->loc_cnt++;
}

/* Returns the function with these texts, added if it is new. TEXTS_NONE: no memory. */
static uint32_t func_of(struct profile *p, uint32_t name, uint32_t module, bool kern, bool is_named,
			enum frame_kind kind)
{
	/* 31 bits of each text's index are enough: more texts do not fit into memory. */
	uint32_t *slot =
		u64map__slot(&p->by_func, (uint64_t)kern << 62 | (uint64_t)name << 31 | module);

	if (slot && *slot != U64MAP_NONE && p->funcs[*slot].kind == FRAME_INLINED)
		p->funcs[*slot].kind = kind;
	if (!slot || *slot != U64MAP_NONE)
		return slot ? *slot : TEXTS_NONE;
	if (name == TEXTS_NONE || module == TEXTS_NONE ||
	    reserve((void **)&p->funcs, p->func_cnt, &p->func_cap, sizeof(*p->funcs)))
		return TEXTS_NONE;
	p->funcs[p->func_cnt] = (struct profile_func){ name, module, kern, is_named, kind };
	return *slot = p->func_cnt++;
}

static int push_func(struct profile *p, uint32_t func, struct profile_line line)
{
	if (func == TEXTS_NONE ||
	    reserve((void **)&p->loc_funcs, p->loc_func_cnt, &p->loc_func_cap,
		    sizeof(*p->loc_funcs)) ||
	    reserve((void **)&p->loc_lines, p->loc_func_cnt, &p->loc_line_cap,
		    sizeof(*p->loc_lines)))
		return -ENOMEM;
	p->loc_lines[p->loc_func_cnt] = line;
	p->loc_funcs[p->loc_func_cnt++] = func;
	return 0;
}

static int push_frame(struct profile *p, const struct sym_frame *frame, bool kern)
{
	struct sym_result res = { frame->name,     frame->module, frame->off,
				  frame->func_off, frame->kind,   0 };
	struct profile_line line = { TEXTS_NONE, frame->line, frame->is_inlined };
	enum frame_kind kind = frame->is_inlined && !kern ? FRAME_INLINED : frame->kind;
	struct strbuf sb = STRBUF_INIT;
	uint32_t name, module;

	sym_result__put(&res, &sb);
	name = texts__add(&p->texts, strbuf__cstr(&sb), sb.len);
	strbuf__free(&sb);
	module = texts__add_escaped(&p->texts, res.module, strlen(res.module));
	if (frame->file)
		line.file = texts__add_escaped(&p->texts, frame->file, strlen(frame->file));
	return push_func(p, func_of(p, name, module, kern, frame->name != NULL, kind), line);
}

/* Returns the offset in a function, with or without a name. */
static uint64_t off_of(const struct sym_frame *frame)
{
	if (frame->name)
		return frame->off;
	return frame->func_off ? frame->func_off : PROFILE_NO_OFF;
}

static int look_up(struct profile *p, struct profile_loc *loc)
{
	bool kern = loc->space == PROFILE_KERN;
	struct sym_frame frames[SYM_FRAMES_MAX];
	size_t cnt;
	int err = 0;

	loc->func = p->loc_func_cnt;
	loc->func_cnt = 1;
	if (loc->space == PROFILE_NAMED) {
		const struct profile_line none = {
			.file = TEXTS_NONE,
			.is_inlined = p->funcs[loc->addr].kind == FRAME_INLINED,
		};

		return push_func(p, (uint32_t)loc->addr, none);
	}
	cnt = sym__frames(p->sym, kern, loc->addr, frames, SYM_FRAMES_MAX);
	loc->func_cnt = (uint16_t)cnt;
	loc->vaddr = frames[cnt - 1].addr;
	loc->func_off = off_of(&frames[cnt - 1]);
	while (cnt-- && !err)
		err = push_frame(p, &frames[cnt], kern);
	return err;
}

const uint32_t *profile__funcs(struct profile *p, uint32_t loc, uint16_t *cnt)
{
	struct profile_loc *l = &p->locs[loc];

	if (!l->func_cnt && look_up(p, l)) {
		l->func_cnt = 0;
		return NULL;
	}
	*cnt = l->func_cnt;
	return &p->loc_funcs[l->func];
}

int profile__look_up_all(struct profile *p)
{
	uint32_t i;
	uint16_t cnt;

	for (i = 0; i < p->loc_cnt; i++)
		if (!profile__funcs(p, i, &cnt))
			return -ENOMEM;
	return 0;
}

uint32_t profile__named_loc(struct profile *p, const char *name, const char *module, bool kern,
			    enum frame_kind kind)
{
	uint32_t func =
		func_of(p, texts__add_escaped(&p->texts, name, strlen(name)),
			texts__add_escaped(&p->texts, module, strlen(module)), kern, true, kind);

	return func == TEXTS_NONE ? TEXTS_NONE : profile_locs__at(p, PROFILE_NAMED, func);
}
