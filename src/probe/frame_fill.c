// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/frame_fill.h"

#include <dwarf.h>

#include "probe/frame_walk.h"
#include "probe/type.h"

/* Bytes of a parameter that came in registers, at most: one bit of a word each. */
#define HOME_MAX 64
#define DEPTH_MAX 16
/* Structures of one value that are looked into: in DWARF with loops they multiply. */
#define VALUE_STRUCTS_MAX 32

bool frame_fill__can(const struct elf_file *elf)
{
	return frame_walk__can(elf);
}

/* A parameter's place in the frame. */
struct home {
	int64_t at; /* from the frame's beginning (CFA) on */
	uint64_t size;
	uint64_t bytes; /* as bits: those that are no padding */
};

/* The bytes of a value that have a part of it. */
struct parts {
	uint64_t off, bytes;
	int depth, struct_cnt;
};

static bool has_variants(Dwarf_Die *type)
{
	Dwarf_Die child;

	if (dwarf_child(type, &child))
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_variant_part)
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

static uint64_t ones(uint64_t cnt)
{
	return cnt >= HOME_MAX ? ~0ull : (1ull << cnt) - 1;
}

static bool add_part(void *ctx, const char *name, const struct type_member *m)
{
	struct parts *parts = ctx;
	const uint64_t base = parts->off;
	Dwarf_Die type = m->type;
	uint64_t size = m->bit_cnt ? (m->bit_off + m->bit_cnt + 7) / 8 : type__size(&type);

	(void)name;
	if (m->off > HOME_MAX || size > HOME_MAX || base + m->off + size > HOME_MAX)
		return true;
	parts->off += m->off;
	parts->depth++;
	if (parts->depth < DEPTH_MAX && type__strip(&type) && type__is_struct(&type) &&
	    parts->struct_cnt++ < VALUE_STRUCTS_MAX && !has_variants(&type))
		type__each_part(&type, add_part, parts);
	else
		parts->bytes |= ones(size) << parts->off;
	parts->depth--;
	parts->off = base;
	return false;
}

/* The bytes of a parameter of this type. */
static void set_bytes(struct home *home, Dwarf_Die *type)
{
	const struct type_member whole = { .type = *type };
	struct parts parts = { .off = 0 };

	home->size = type__size(type);
	if (home->size <= HOME_MAX)
		add_part(&parts, NULL, &whole);
	home->bytes = parts.bytes;
}

/* The bytes of the frame that a parameter has, or its address. false: it has none of its own. */
static bool home_of(const struct frame_walk *w, const struct loc *loc, Dwarf_Die *var,
		    struct home *home)
{
	const struct probe_regs *regs = w->sc.regs;
	const struct piece *p = &loc->pieces[0];
	const struct fetch_step *step = p->steps.at;
	size_t used = 1;
	Dwarf_Die type;
	uint64_t reg;
	int64_t add;

	if (loc->cnt != 1 || p->kind != PIECE_MEMORY || !p->steps.cnt || step[0].op != FETCH_REG ||
	    !loc__frame(&w->sc, &reg, &add) || add > FRAME_MAX || add < -FRAME_MAX ||
	    step[0].imm != probe_regs__off(regs, reg))
		return false;
	home->at = -add;
	if (p->steps.cnt > 1 && step[1].op == FETCH_ADD) {
		if ((int64_t)step[1].imm > FRAME_MAX || (int64_t)step[1].imm < -FRAME_MAX)
			return false;
		home->at += (int64_t)step[used++].imm;
	}
	home->size = regs->addr_sz;
	home->bytes = ones(home->size);
	if (used == p->steps.cnt) {
		if (!type__of(var, &type))
			return false;
		set_bytes(home, &type);
	}
	/* A parameter above the frame may be larger. */
	return home->size <= HOME_MAX || (home->at >= 0 && home->size <= FRAME_MAX);
}

/* The bytes of the home that a store writes, as bits. */
static uint64_t bytes_of(const struct frame_store *s, const struct home *home)
{
	const int64_t end = home->at + (int64_t)home->size;
	const int64_t from = s->at > home->at ? s->at : home->at;
	const int64_t to = s->at + s->size < end ? s->at + s->size : end;

	return from >= to ? 0 : (ones((uint64_t)(to - from)) << (from - home->at)) & home->bytes;
}

/*
 * The end of the instruction that writes the last byte of the home; 0: one is not written, or one
 * is written twice before.
 */
static uint64_t filled_at(const struct frame_walk *w, const struct home *home)
{
	uint64_t left = home->bytes, bytes;
	size_t i;

	for (i = 0; i < w->cnt; i++) {
		bytes = w->stores[i].is_change ? 0 : bytes_of(&w->stores[i], home);
		if (bytes & ~left)
			return 0;
		left &= ~bytes;
		if (bytes && !left)
			return w->stores[i].end;
	}
	return 0;
}

/* Is the home written behind the instruction that ends at `filled`, up to `end`? */
static bool is_written(const struct frame_walk *w, const struct home *home, uint64_t filled,
		       uint64_t end)
{
	size_t i;

	for (i = 0; i < w->cnt; i++) {
		const struct frame_store *s = &w->stores[i];

		if (s->end > filled && s->end <= end && s->at < home->at + (int64_t)home->size &&
		    home->at < s->at + s->size)
			return true;
	}
	return false;
}

/* Looks at each home. Returns where the last one is filled; 0: one of them is not, or no more. */
static uint64_t look(struct frame_walk *w, Dwarf_Die *func, uint64_t end)
{
	uint64_t last = 0, filled;
	struct home home;
	bool is_local;
	struct loc loc;
	Dwarf_Die var;

	if (dwarf_child(func, &var))
		return 0;
	do {
		if (dwarf_tag(&var) != DW_TAG_formal_parameter)
			continue;
		loc__of(&w->sc, &var, &loc, &is_local);
		if (!home_of(w, &loc, &var, &home)) {
			if (is_local)
				return 0;
			continue;
		}
		/* The caller has filled what is above the frame. */
		if (home.at >= 0 && is_written(w, &home, 0, end))
			return 0;
		/* An object without members has no bytes. */
		if (home.at >= 0 || !is_local || !home.bytes)
			continue;
		filled = filled_at(w, &home);
		/* A function that is called may have changed it. */
		if (filled <= w->call && end > w->call)
			return 0;
		if (!filled || (end && is_written(w, &home, filled, end)))
			return 0;
		last = filled > last ? filled : last;
	} while (!dwarf_siblingof(&var, &var));
	return last;
}

uint64_t frame_fill__end(const struct elf_file *elf, const struct scope *sc, Dwarf_Die *func)
{
	struct frame_walk w = { .sc = *sc, .entry = sc->pc };
	uint64_t end;

	frame_walk__run(&w, elf);
	if (!w.cnt)
		return 0;
	w.sc.at_entry = false;
	w.sc.pc = w.stores[w.cnt - 1].end;
	end = look(&w, func, 0);
	if (!end)
		return 0;
	w.sc.pc = end;
	return look(&w, func, end);
}
