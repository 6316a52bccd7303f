// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/probe_steps.h"

#include <stddef.h>

#include <linux/types.h>

#include "bpf/wire.h"

/* Below r10, and below the bytes that the program and filters use. */
#define STACK_SZ (8 * SLOT_CNT)
#define STACK_END (-512)

/* bpf_probe_read_user() and its like, 5.5. */
const struct fetch_reader fetch_reader_bytes = { .kernel = 113, .user = 112 };
const struct fetch_reader fetch_reader_text = { .kernel = 115, .user = 114 };

bool fetcher__has_room(const struct fetcher *f)
{
	return f->c->spill_off - STACK_SZ >= STACK_END;
}

static int16_t slot(const struct fetcher *f, enum fetch_slot s)
{
	return (int16_t)(f->c->spill_off - STACK_SZ + 8 * (int)s);
}

void fetcher__load(struct fetcher *f, uint8_t reg, enum fetch_slot s)
{
	code__load(f->c, 8, reg, CODE_R10, slot(f, s));
}

void fetcher__store(struct fetcher *f, enum fetch_slot s, uint8_t reg)
{
	code__store64(f->c, CODE_R10, slot(f, s), reg);
}

void fetcher__store_at(struct fetcher *f, uint8_t size, uint8_t base, int16_t off, uint8_t src)
{
	static const uint8_t sizes[] = { [1] = BPF_B, [2] = BPF_H, [4] = BPF_W, [8] = BPF_DW };

	code__insn(f->c, (uint8_t)(BPF_STX | BPF_MEM | sizes[size]), base, src, off, 0);
}

static void call(struct code *c, int helper)
{
	code__insn(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

/*
 * Calls one of two helpers, by the address in r3: arguments of the kernel's functions lead to its
 * own memory, or to that of the program that called it.
 */
void fetcher__call(struct fetcher *f, const struct fetch_reader *reader)
{
	struct code *c = f->c;
	code_label own, end;

	if (!f->in_kernel) {
		call(c, reader->user);
		return;
	}
	own = code__label(c);
	end = code__label(c);
	/* The kernel's half of all addresses is the upper one. */
	code__if(c, BPF_JSLT, CODE_R3, 0, CODE_R5, own);
	call(c, reader->user);
	code__goto(c, end);
	code__bind(c, own);
	call(c, reader->kernel);
	code__bind(c, end);
}

/* r0 = memory at the address in r0; jumps to `absent` if it cannot be read. */
static void put_read(struct fetcher *f, const struct fetch_step *step, code_label absent)
{
	struct code *c = f->c;
	int shift = 64 - 8 * step->size;

	code__mov(c, CODE_R3, CODE_R0);
	code__mov(c, CODE_R1, CODE_R10);
	code__alu(c, BPF_ADD, CODE_R1, slot(f, SLOT_MEMORY));
	code__alu(c, BPF_MOV, CODE_R2, step->size);
	fetcher__call(f, &fetch_reader_bytes);
	code__if(c, BPF_JNE, CODE_R0, 0, CODE_R5, absent);
	code__load(c, step->size, CODE_R0, CODE_R10, slot(f, SLOT_MEMORY));
	if (!step->is_signed || !shift)
		return;
	code__alu(c, BPF_LSH, CODE_R0, shift);
	code__alu(c, BPF_ARSH, CODE_R0, shift);
}

static void put_add(struct code *c, int64_t imm)
{
	if (imm == (int32_t)imm) {
		code__alu(c, BPF_ADD, CODE_R0, (int32_t)imm);
		return;
	}
	code__mov64(c, CODE_R1, (uint64_t)imm);
	code__alu_reg(c, BPF_ADD, CODE_R0, CODE_R1);
}

void fetcher__step(struct fetcher *f, const struct fetch_step *step, code_label absent)
{
	struct code *c = f->c;

	switch (step->op) {
	case FETCH_REG:
		fetcher__load(f, CODE_R1, SLOT_CONTEXT);
		code__load(c, 8, CODE_R0, CODE_R1, (int16_t)step->imm);
		break;
	case FETCH_CONST:
		code__mov64(c, CODE_R0, (uint64_t)step->imm);
		break;
	case FETCH_ADD:
		put_add(c, step->imm);
		break;
	case FETCH_READ:
		put_read(f, step, absent);
		break;
	case FETCH_SHIFT_LEFT:
		code__alu(c, BPF_LSH, CODE_R0, (int32_t)step->imm);
		break;
	case FETCH_SHIFT_RIGHT:
		code__alu(c, step->is_signed ? BPF_ARSH : BPF_RSH, CODE_R0, (int32_t)step->imm);
		break;
	case FETCH_DURATION:
		fetcher__load(f, CODE_R1, SLOT_ENTRY);
		code__load(c, 8, CODE_R0, CODE_R1,
			   (int16_t)((int)offsetof(struct wire_rec, time_ns) - (int)f->entry_off));
		break;
	case FETCH_IF:
	case FETCH_IF_NOT:
		code__if(c, step->op == FETCH_IF ? BPF_JNE : BPF_JEQ, CODE_R0, (uint64_t)step->imm,
			 CODE_R5, absent);
		break;
	case FETCH_SAVE:
		fetcher__store(f, SLOT_SAVED, CODE_R0);
		break;
	default:
		fetcher__load(f, CODE_R1, SLOT_SAVED);
		code__alu_reg(c, BPF_ADD, CODE_R0, CODE_R1);
		break;
	}
}
