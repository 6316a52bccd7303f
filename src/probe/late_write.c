// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/late_write.h"

#include <elf.h>
#include <string.h>

#include "probe/code_insns.h"
#include "util/arm64_insn.h"
#include "util/x86_flow.h"
#include "util/x86_insn.h"
#include "util/x86_store.h"

#define CODE_MAX 512
/* Frames are smaller; sums of places farther off could overflow. */
#define FRAME_MAX (1ll << 32)
/* General registers by their DWARF numbers: 16 of x86-64, 31 of arm64. */
#define REGS_MAX 31

/* A place in a register, or in the frame. */
struct place {
	bool in_reg; /* else in the frame */
	uint8_t reg; /* DWARF number */
	bool by_frame_pointer; /* else by the stack pointer */
	int64_t disp;
	uint64_t size;
};

/* Code from the place of the probe on, as far as DWARF says that the variable is there. */
struct code {
	const uint8_t *bytes;
	size_t sz;
	bool is_whole; /* what is behind the code is behind the variable, too */
};

static bool is_reg(const struct scope *sc, const struct fetch_step *step, uint64_t dwarf_nr)
{
	return step->imm == probe_regs__off(sc->regs, dwarf_nr);
}

/* The place of a piece. false: it is in none of these. */
static bool place_of(const struct scope *sc, const struct piece *p, struct place *place)
{
	const struct fetch_step *step = p->steps.at;
	uint8_t i;

	if (!p->steps.cnt || step[0].op != FETCH_REG)
		return false;
	for (i = 0; p->kind == PIECE_VALUE && i < REGS_MAX && !place->in_reg; i++) {
		place->in_reg = is_reg(sc, step, i);
		place->reg = i;
	}
	if (p->kind == PIECE_VALUE)
		return place->in_reg;
	place->by_frame_pointer = is_reg(sc, step, sc->regs->fp_reg);
	place->disp = p->steps.cnt > 1 ? step[1].imm : 0;
	return p->kind == PIECE_MEMORY && p->steps.cnt < 3 && place->disp >= -FRAME_MAX &&
	       place->disp <= FRAME_MAX && (p->steps.cnt < 2 || step[1].op == FETCH_ADD) &&
	       (place->by_frame_pointer || is_reg(sc, step, sc->regs->sp_reg));
}

static bool overlaps(const struct place *place, bool by_frame_pointer, int64_t disp, uint64_t size)
{
	return by_frame_pointer == place->by_frame_pointer &&
	       disp < place->disp + (int64_t)place->size && place->disp < disp + (int64_t)size;
}

/* Is it the last instruction? A register's value may end where another one is written to it. */
static bool is_last(const struct code *code, size_t done)
{
	return code->is_whole && done == code->sz;
}

static bool x86_writes(const struct place *place, const struct x86_operands *o, bool last)
{
	/* General registers as instructions number them, by their DWARF numbers. */
	static const uint8_t numbers[] = { 0, 2, 1, 3, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15 };
	struct x86_store st;
	uint32_t bit, old;

	if (place->in_reg) {
		if (place->reg >= sizeof(numbers))
			return false;
		bit = old = 1u << numbers[place->reg];
		x86_flow__step(o, false, &old);
		return !last && !(old & bit);
	}
	x86_store__of(o, &st);
	return (st.kind == X86_STORE_MOVE || st.kind == X86_STORE_CHANGE) &&
	       overlaps(place, o->by_frame_pointer, o->disp, st.size);
}

static bool is_written_x86(const struct place *place, const struct code *code)
{
	struct x86_operands o;
	size_t done = 0, len;
	uint32_t flags;

	while (done < code->sz) {
		len = x86_insn__length(code->bytes + done, code->sz - done, true, &flags);
		if (!len || flags)
			return false;
		x86_operands__decode(code->bytes + done, len, true, &o);
		done += len;
		if (x86_writes(place, &o, is_last(code, done)))
			return true;
	}
	return false;
}

static bool arm64_writes(const struct place *place, const struct arm64_insn *i, bool last)
{
	const uint64_t bit = 1ull << place->reg;
	uint64_t old = bit;

	if (place->in_reg) {
		arm64_insn__follow(i, 0, &old);
		return !last && !(old & bit);
	}
	return i->kind == ARM64_STORE && (i->base == ARM64_SP || i->base == ARM64_FP) &&
	       overlaps(place, i->base == ARM64_FP, i->disp, (uint64_t)i->size * i->cnt);
}

static bool is_written_arm64(const struct place *place, const struct code *code)
{
	struct arm64_insn i;
	uint32_t word;
	size_t done;

	for (done = 0; code->sz - done >= sizeof(word); done += sizeof(word)) {
		memcpy(&word, code->bytes + done, sizeof(word));
		arm64_insn__decode(word, &i);
		if (i.kind == ARM64_BRANCH || i.kind == ARM64_BRANCH_BACK || i.kind == ARM64_CALL)
			return false;
		if (arm64_writes(place, &i, is_last(code, done + sizeof(word))))
			return true;
	}
	return false;
}

bool late_write__found(const struct elf_file *elf, const struct scope *sc, Dwarf_Die *var,
		       const struct loc *loc, uint64_t size)
{
	const bool is_arm64 = elf->machine == EM_AARCH64;
	uint8_t bytes[CODE_MAX];
	struct code code = { .bytes = bytes };
	uint64_t end;
	size_t i;

	if ((!is_arm64 && elf->machine != EM_X86_64) || size > INT32_MAX)
		return false;
	end = loc__end(sc, var);
	if (end <= sc->pc)
		return false;
	code.sz = code_insns__read(elf, sc->pc, bytes, sizeof(bytes));
	if (code.sz >= end - sc->pc) {
		code.sz = end - sc->pc;
		code.is_whole = true;
	}
	for (i = 0; i < loc->cnt; i++) {
		const struct piece *p = &loc->pieces[i];
		struct place place = { .size = p->size ?: size };

		if (place_of(sc, p, &place) &&
		    (is_arm64 ? is_written_arm64(&place, &code) : is_written_x86(&place, &code)))
			return true;
	}
	return false;
}
