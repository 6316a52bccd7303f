// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Compilers use the stack pointer and the frame pointer of arm64 side by side, of which call frame
 * information knows one. Both are followed from the entry on, where the frame begins at the stack
 * pointer.
 */
#include <string.h>

#include "probe/code_insns.h"
#include "probe/frame_walk.h"
#include "util/arm64_insn.h"

struct arm64_walk {
	struct frame_walk *w;
	uint64_t old; /* registers with a value that they had at the entry, as bits */
	/* Places in the frame to which the stack and the frame pointer point. */
	int64_t sp, fp;
	bool has_sp, has_fp;
};

/* The place of the memory operand. false: it is not known. */
static bool place_of(const struct arm64_walk *a, const struct arm64_insn *i, int64_t *at)
{
	if (!(i->base == ARM64_SP && a->has_sp) && !(i->base == ARM64_FP && a->has_fp))
		return false;
	*at = (i->base == ARM64_SP ? a->sp : a->fp) + i->disp;
	return true;
}

/* Notes what the instruction at pc writes. false: what follows is not certain. */
static bool note_store(struct arm64_walk *a, uint64_t pc, const struct arm64_insn *i)
{
	struct frame_walk *w = a->w;
	int64_t at;
	size_t k;

	if (i->kind == ARM64_ELSEWHERE)
		return false;
	if (i->kind != ARM64_STORE)
		return true;
	if (!place_of(a, i, &at) || w->cnt + i->cnt > FRAME_STORES_MAX)
		return false;
	for (k = 0; k < i->cnt; k++)
		w->stores[w->cnt++] = (struct frame_store){
			.at = at + (int64_t)(k * i->size),
			.size = i->size,
			.is_change = !(a->old >> i->regs[k] & 1),
			.end = pc + sizeof(uint32_t),
		};
	return true;
}

static void move_pointers(struct arm64_walk *a, const struct arm64_insn *i)
{
	const bool from_sp = i->a == ARM64_SP && a->has_sp, from_fp = i->a == ARM64_FP && a->has_fp;
	const bool is_known = i->is_sum && (from_sp || from_fp);
	const int64_t sum = (from_sp ? a->sp : a->fp) + i->disp;
	size_t k;

	if (i->kind == ARM64_LOAD || i->kind == ARM64_STORE) {
		a->sp += i->base == ARM64_SP ? i->base_add : 0;
		a->fp += i->base == ARM64_FP ? i->base_add : 0;
		for (k = 0; i->kind == ARM64_LOAD && k < i->cnt; k++)
			a->has_fp &= i->regs[k] != ARM64_FP;
	} else if (i->kind == ARM64_OTHER && i->rule != ARM64_KEEP) {
		if (i->to == ARM64_SP && i->is_sum) {
			a->has_sp = is_known;
			a->sp = sum;
		} else if (i->to == ARM64_FP) {
			a->has_fp = is_known;
			a->fp = sum;
		}
		a->has_sp &= !i->changes_sp;
	}
	a->has_sp &= a->sp < FRAME_MAX && a->sp > -FRAME_MAX;
	a->has_fp &= a->fp < FRAME_MAX && a->fp > -FRAME_MAX;
}

static void follow(struct arm64_walk *a, const struct arm64_insn *i)
{
	uint64_t old_in_memory = 0;
	int64_t at;
	size_t k;

	if (i->kind == ARM64_LOAD && place_of(a, i, &at))
		for (k = 0; k < i->cnt; k++)
			if (frame_walk__is_old_at(a->w, at + (int64_t)(k * i->size)))
				old_in_memory |= 1ull << i->regs[k];
	arm64_insn__follow(i, old_in_memory, &a->old);
	move_pointers(a, i);
}

void frame_walk__arm64(struct frame_walk *w, const struct elf_file *elf)
{
	struct arm64_walk a = { .w = w, .old = ARM64_ALL, .has_sp = true };
	const uint64_t entry = w->entry;
	uint8_t code[FRAME_CODE_MAX];
	size_t sz = code_insns__read(elf, entry, code, sizeof(code)), done;
	struct arm64_insn insn;
	uint32_t word;

	for (done = 0; sz - done >= sizeof(word); done += sizeof(word)) {
		memcpy(&word, code + done, sizeof(word));
		arm64_insn__decode(word, &insn);
		/* The loop that touches a large frame is passed. */
		if (insn.kind == ARM64_BRANCH ||
		    (insn.kind == ARM64_CALL && !frame_walk__may_call(w, entry + done)) ||
		    !note_store(&a, entry + done, &insn))
			return;
		follow(&a, &insn);
	}
}
