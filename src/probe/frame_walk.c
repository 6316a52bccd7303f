// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/frame_walk.h"

#include <elf.h>

#include "probe/code_insns.h"
#include "util/x86_flow.h"
#include "util/x86_insn.h"
#include "util/x86_store.h"

/* A walk through code of x86. */
struct x86_walk {
	struct frame_walk *w;
	bool is_64;
	uint32_t old; /* registers with a value that they had at the entry, as bits (x86_flow.h) */
};

bool frame_walk__can(const struct elf_file *elf)
{
	return elf->machine == EM_X86_64 || elf->machine == EM_386 || elf->machine == EM_AARCH64;
}

bool frame_walk__is_old_at(const struct frame_walk *w, int64_t at)
{
	size_t i = w->cnt;

	while (i > 0) {
		const struct frame_store *s = &w->stores[--i];

		if (at >= s->at && at - s->at < s->size)
			return !s->is_change;
	}
	return at >= 0;
}

bool frame_walk__may_call(struct frame_walk *w, uint64_t pc)
{
	if (w->call || pc - w->entry >= FRAME_CALL_WITHIN)
		return false;
	w->call = pc;
	return true;
}

/* The operand's place in the frame, from its beginning on. false: it is not known. */
static bool place_of(struct frame_walk *w, uint64_t pc, const struct x86_operands *o, int64_t *at)
{
	const struct probe_regs *regs = w->sc.regs;
	uint64_t reg;
	int64_t add;

	w->sc.pc = pc;
	w->sc.at_entry = pc == w->entry;
	if (!loc__frame(&w->sc, &reg, &add) || add > FRAME_MAX || add < -FRAME_MAX ||
	    reg != (o->by_frame_pointer ? regs->fp_reg : regs->sp_reg))
		return false;
	*at = o->disp - add;
	return true;
}

/* Notes what the instruction at pc writes. false: what follows is not certain. */
static bool note_store(struct x86_walk *x, uint64_t pc, const struct x86_operands *o, size_t len)
{
	struct frame_walk *w = x->w;
	struct x86_store st;
	int64_t at;

	x86_store__of(o, &st);
	if (st.kind == X86_STORE_NONE)
		return true;
	if (st.kind == X86_STORE_ELSEWHERE || w->cnt == FRAME_STORES_MAX)
		return false;
	/* A write by the other register is not one to a parameter, as far as compilers go. */
	if (!place_of(w, pc, o, &at))
		return true;
	w->stores[w->cnt++] = (struct frame_store){
		.at = at,
		.size = st.size,
		.is_change = st.kind == X86_STORE_CHANGE || !(x->old >> st.from & 1),
		.end = pc + len,
	};
	return true;
}

/* Follows the values of registers. */
static void follow(struct x86_walk *x, uint64_t pc, const struct x86_operands *o)
{
	int64_t at;
	bool is_old = o->has_modrm && o->mod < 3 && o->on_frame && place_of(x->w, pc, o, &at) &&
		      frame_walk__is_old_at(x->w, at);

	x86_flow__step(o, is_old, &x->old);
}

/* May the walk pass a branch? A profiler's call, and the loop that touches a large frame. */
static bool may_pass(struct frame_walk *w, uint32_t flags, uint64_t pc, const uint8_t *insn)
{
	if (flags & X86_INSN_CALL && !(flags & (X86_INSN_INTERRUPT | X86_INSN_SYSCALL)))
		return frame_walk__may_call(w, pc);
	return flags & X86_INSN_CONDITIONAL && insn[0] >> 4 == 7 && (int8_t)insn[1] < 0;
}

static void walk_x86(struct frame_walk *w, const struct elf_file *elf)
{
	struct x86_walk x = { w, elf->machine == EM_X86_64, X86_FLOW_ALL };
	const uint64_t entry = w->entry;
	struct x86_operands o;
	uint8_t code[FRAME_CODE_MAX];
	size_t sz = code_insns__read(elf, entry, code, sizeof(code)), done = 0, len;
	uint32_t flags;

	while (done < sz) {
		len = x86_insn__length(code + done, sz - done, x.is_64, &flags);
		if (!len || (flags && !may_pass(w, flags, entry + done, code + done)))
			return;
		x86_operands__decode(code + done, len, x.is_64, &o);
		if (!note_store(&x, entry + done, &o, len))
			return;
		follow(&x, entry + done, &o);
		done += len;
	}
}

void frame_walk__run(struct frame_walk *w, const struct elf_file *elf)
{
	if (elf->machine == EM_AARCH64)
		frame_walk__arm64(w, elf);
	else
		walk_x86(w, elf);
}
