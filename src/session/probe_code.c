// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * At a fetch point r1 is the entry, r2 the number of the code, r3 the probe's context. Calls of
 * helpers keep no register that may be used here, so all values are on the stack; a value is in r0
 * from one step to the next.
 */
#include "session/probe_code.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/probe_wire.h"
#include "bpf/wire.h"
#include "kernel/features.h"
#include "kernel/kernel_btf.h"
#include "session/probe_steps.h"
#include "util/array.h"

#define NOT_IN_MEMORY "<not in memory>"
#define NULL_TEXT "(null)"

static bool has_same(const struct probe_fetch *a, const struct probe *probe, bool at_return)
{
	const struct probe *b = a->probe;
	size_t i;

	if (a->at_return != at_return || b->field_cnt != probe->field_cnt ||
	    b->absent_off != probe->absent_off || b->in_kernel != probe->in_kernel)
		return false;
	for (i = 0; i < b->field_cnt; i++) {
		const struct fetch_field *x = &b->fields[i], *y = &probe->fields[i];

		if (x->kind != y->kind || x->off != y->off || x->size != y->size ||
		    x->at_return != y->at_return || x->literal != y->literal ||
		    x->step_cnt != y->step_cnt)
			return false;
		if (x->step_cnt && memcmp(x->steps, y->steps, x->step_cnt * sizeof(*x->steps)))
			return false;
	}
	return true;
}

int probe_code__add(struct probe_code *pc, const struct probe *probe, bool at_return)
{
	bool any = false;
	size_t i;

	for (i = 0; i < probe->field_cnt; i++)
		any |= probe->fields[i].at_return == at_return;
	if (!any)
		return 0;
	for (i = 0; i < pc->cnt; i++)
		if (has_same(&pc->fetches[i], probe, at_return))
			return (int)i + 1;
	if (array__reserve((void **)&pc->fetches, &pc->cap, pc->cnt + 1, sizeof(*pc->fetches)))
		return -ENOMEM;
	pc->fetches[pc->cnt++] = (struct probe_fetch){ probe, at_return };
	return (int)pc->cnt;
}

/*
 * r1 = where the next text begins, and the word of the field = that offset, without a length yet.
 * Jumps to `full` if there is no room.
 */
static void put_text_begin(struct fetcher *f, const struct fetch_field *field, code_label full)
{
	struct code *c = f->c;

	fetcher__load(f, CODE_R4, SLOT_END);
	fetcher__load(f, CODE_R1, SLOT_ENTRY);
	fetcher__store_at(f, 4, CODE_R1, (int16_t)field->off, CODE_R4);
	code__if(c, BPF_JGT, CODE_R4, WIRE_PROBE_TEXTS_END, CODE_R5, full);
	code__alu_reg(c, BPF_ADD, CODE_R1, CODE_R4);
}

/* Ends the text, which has r0 bytes with its NUL. */
static void put_text_end(struct fetcher *f, const struct fetch_field *field)
{
	struct code *c = f->c;

	fetcher__load(f, CODE_R4, SLOT_END);
	fetcher__load(f, CODE_R1, SLOT_ENTRY);
	code__mov(c, CODE_R2, CODE_R0);
	code__alu(c, BPF_LSH, CODE_R2, 16);
	code__alu_reg(c, BPF_OR, CODE_R2, CODE_R4);
	fetcher__store_at(f, 4, CODE_R1, (int16_t)field->off, CODE_R2);
	code__alu_reg(c, BPF_ADD, CODE_R4, CODE_R0);
	fetcher__store(f, SLOT_END, CODE_R4);
}

/* The field is a text that is known now. */
static void put_literal(struct fetcher *f, const struct fetch_field *field, const char *text,
			code_label full)
{
	struct code *c = f->c;
	size_t len = strlen(text) + 1, i;

	put_text_begin(f, field, full);
	for (i = 0; i < len; i++)
		code__insn(c, BPF_ST | BPF_MEM | BPF_B, CODE_R1, 0, (int16_t)i, text[i]);
	code__alu(c, BPF_MOV, CODE_R0, (int32_t)len);
	put_text_end(f, field);
}

/* Reads the text at the address in r0; jumps to `absent` if it is not in memory. */
static void put_text(struct fetcher *f, const struct fetch_field *field, code_label absent,
		     code_label full)
{
	struct code *c = f->c;
	code_label some = code__label(c), end = code__label(c);

	code__if(c, BPF_JNE, CODE_R0, 0, CODE_R5, some);
	put_literal(f, field, NULL_TEXT, full);
	code__goto(c, end);
	code__bind(c, some);
	code__mov(c, CODE_R3, CODE_R0);
	put_text_begin(f, field, full);
	code__alu(c, BPF_MOV, CODE_R2, WIRE_PROBE_TEXT);
	fetcher__call(f, &fetch_reader_text);
	/* Negative values are errors; 5.10's verifier wants the bound that follows. */
	code__if(c, BPF_JGT, CODE_R0, WIRE_PROBE_TEXT, CODE_R5, absent);
	put_text_end(f, field);
	code__bind(c, end);
}

/* Reads SLOT_SAVED bytes at the address in r0, and ends them by a NUL. */
static void put_counted(struct fetcher *f, const struct fetch_field *field, code_label absent,
			code_label full)
{
	struct code *c = f->c;
	code_label fits = code__label(c), empty = code__label(c);

	code__mov(c, CODE_R3, CODE_R0);
	fetcher__load(f, CODE_R2, SLOT_SAVED);
	code__if(c, BPF_JLE, CODE_R2, WIRE_PROBE_TEXT - 1, CODE_R5, fits);
	code__alu(c, BPF_MOV, CODE_R2, WIRE_PROBE_TEXT - 1);
	code__bind(c, fits);
	/* A verifier of 5.10 knows bounds of what was masked, not of what was compared. */
	code__alu(c, BPF_AND, CODE_R2, WIRE_PROBE_TEXT - 1);
	fetcher__store(f, SLOT_SAVED, CODE_R2);
	put_text_begin(f, field, full);
	code__if(c, BPF_JEQ, CODE_R2, 0, CODE_R5, empty);
	fetcher__call(f, &fetch_reader_bytes);
	code__if(c, BPF_JNE, CODE_R0, 0, CODE_R5, absent);
	code__bind(c, empty);
	put_text_begin(f, field, full);
	fetcher__load(f, CODE_R0, SLOT_SAVED);
	code__alu(c, BPF_AND, CODE_R0, WIRE_PROBE_TEXT - 1);
	code__alu_reg(c, BPF_ADD, CODE_R1, CODE_R0);
	code__insn(c, BPF_ST | BPF_MEM | BPF_B, CODE_R1, 0, 0, 0);
	code__alu(c, BPF_ADD, CODE_R0, 1);
	put_text_end(f, field);
}

/* Reads bytes at the address in r0 into the record. */
static void put_bytes(struct fetcher *f, const struct fetch_field *field, code_label absent)
{
	struct code *c = f->c;

	code__mov(c, CODE_R3, CODE_R0);
	fetcher__load(f, CODE_R1, SLOT_ENTRY);
	code__alu(c, BPF_ADD, CODE_R1, field->off);
	code__alu(c, BPF_MOV, CODE_R2, field->size);
	fetcher__call(f, &fetch_reader_bytes);
	code__if(c, BPF_JNE, CODE_R0, 0, CODE_R5, absent);
}

static void put_number(struct fetcher *f, const struct fetch_field *field)
{
	fetcher__load(f, CODE_R1, SLOT_ENTRY);
	fetcher__store_at(f, (uint8_t)field->size, CODE_R1, (int16_t)field->off, CODE_R0);
}

/* The value is not in memory: a text says so, for other fields a bit does. */
static void put_absent(struct fetcher *f, const struct fetch_field *field, code_label full)
{
	struct code *c = f->c;
	unsigned int i;

	if (field->kind == FETCH_TEXT || field->kind == FETCH_TEXT_LEN) {
		put_literal(f, field, NOT_IN_MEMORY, full);
		return;
	}
	fetcher__load(f, CODE_R0, SLOT_ABSENT);
	code__mov64(c, CODE_R1, 1ull << field->absent_bit);
	code__alu_reg(c, BPF_OR, CODE_R0, CODE_R1);
	fetcher__store(f, SLOT_ABSENT, CODE_R0);
	fetcher__load(f, CODE_R1, SLOT_ENTRY);
	code__alu(c, BPF_MOV, CODE_R0, 0);
	for (i = 0; i < field->size; i += field->kind == FETCH_BYTES ? 1 : field->size)
		fetcher__store_at(f, field->kind == FETCH_BYTES ? 1 : (uint8_t)field->size, CODE_R1,
				  (int16_t)(field->off + i), CODE_R0);
}

static void put_field(struct fetcher *f, const struct fetch_field *field)
{
	struct code *c = f->c;
	code_label absent = code__label(c), full = code__label(c);
	size_t i;

	if (field->literal) {
		put_literal(f, field, field->literal, full);
	} else {
		for (i = 0; i < field->step_cnt; i++)
			fetcher__step(f, &field->steps[i], absent);
		if (field->kind == FETCH_NUMBER)
			put_number(f, field);
		else if (field->kind == FETCH_BYTES)
			put_bytes(f, field, absent);
		else if (field->kind == FETCH_TEXT)
			put_text(f, field, absent, full);
		else
			put_counted(f, field, absent, full);
	}
	if (code__is_used(c, absent)) {
		code__goto(c, full);
		code__bind(c, absent);
		put_absent(f, field, full);
	}
	/* A text without room is empty: its word has no length. */
	code__bind(c, full);
}

/* The code of one probe: from r1 and r3 to r0 = the size of the entry. */
static void put_fetch(struct fetcher *f, const struct probe *p, bool at_return)
{
	struct code *c = f->c;
	size_t i;

	fetcher__store(f, SLOT_ENTRY, CODE_R1);
	fetcher__store(f, SLOT_CONTEXT, CODE_R3);
	code__load(c, 2, CODE_R4, CODE_R1,
		   (int16_t)((int)offsetof(struct wire_rec, sz) - (int)f->entry_off));
	fetcher__store(f, SLOT_END, CODE_R4);
	code__alu(c, BPF_MOV, CODE_R0, 0);
	fetcher__store(f, SLOT_SAVED, CODE_R0);
	if (p->absent_off && at_return && p->is_pair)
		code__load(c, 4, CODE_R0, CODE_R1, (int16_t)p->absent_off);
	fetcher__store(f, SLOT_ABSENT, CODE_R0);
	for (i = 0; i < p->field_cnt; i++)
		if (p->fields[i].at_return == at_return)
			put_field(f, &p->fields[i]);
	if (p->absent_off) {
		fetcher__load(f, CODE_R1, SLOT_ENTRY);
		fetcher__load(f, CODE_R0, SLOT_ABSENT);
		fetcher__store_at(f, 4, CODE_R1, (int16_t)p->absent_off, CODE_R0);
	}
	fetcher__load(f, CODE_R0, SLOT_END);
}

static int put_fetches(const void *arg, struct code *c, size_t back)
{
	const struct probe_code *pc = arg;
	struct fetcher f = { c, pc->entry_off, false };
	code_label next;
	size_t i;

	if (!fetcher__has_room(&f))
		return -E2BIG;
	for (i = 0; i < pc->cnt && !c->err; i++) {
		next = code__label(c);
		code__if(c, BPF_JNE, CODE_R2, i + 1, CODE_R5, next);
		f.in_kernel = pc->fetches[i].probe->in_kernel;
		put_fetch(&f, pc->fetches[i].probe, pc->fetches[i].at_return);
		patch_code__jump_back(c, back);
		code__bind(c, next);
	}
	code__alu(c, BPF_MOV, CODE_R0, 0);
	patch_code__jump_back(c, back);
	return c->err;
}

static void call_kernel(struct code *c, uint32_t id)
{
	code__insn(c, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, (int32_t)id);
}

/* Makes the program one that is not preempted, or refuses it while another one is. */
static int put_enter(const void *arg, struct code *c, size_t back)
{
	const struct probe_code *pc = arg;

	if (pc->disable_id) {
		call_kernel(c, pc->disable_id);
		code__alu(c, BPF_MOV, CODE_R0, 1);
	} else if (feature__have(FEATURE_CMPXCHG)) {
		code__alu(c, BPF_MOV, CODE_R0, 0);
		code__alu(c, BPF_MOV, CODE_R2, 1);
		code__insn(c, BPF_STX | BPF_ATOMIC | BPF_DW, CODE_R1, CODE_R2, 0, BPF_CMPXCHG);
		code__alu(c, BPF_XOR, CODE_R0, 1);
	} else {
		/* Kernels before 5.12 do not preempt programs of uprobes. */
		code__alu(c, BPF_MOV, CODE_R0, 1);
	}
	patch_code__jump_back(c, back);
	return c->err;
}

static int put_leave(const void *arg, struct code *c, size_t back)
{
	const struct probe_code *pc = arg;

	if (pc->disable_id)
		call_kernel(c, pc->enable_id);
	else if (feature__have(FEATURE_CMPXCHG))
		code__insn(c, BPF_ST | BPF_MEM | BPF_DW, CODE_R1, 0, 0, 0);
	code__alu(c, BPF_MOV, CODE_R0, 0);
	patch_code__jump_back(c, back);
	return c->err;
}

static int put_is_return(const void *arg, struct code *c, size_t back)
{
	(void)arg;
	call_kernel(c, kernel_btf__functions()->session_is_return);
	patch_code__jump_back(c, back);
	return c->err;
}

static int put_cookie(const void *arg, struct code *c, size_t back)
{
	(void)arg;
	call_kernel(c, kernel_btf__functions()->session_cookie);
	patch_code__jump_back(c, back);
	return c->err;
}

/* The kernel itself does not let programs of its functions nest. */
static int put_nothing(const void *arg, struct code *c, size_t back)
{
	code__alu(c, BPF_MOV, CODE_R0, 1);
	patch_code__jump_back(c, back);
	return c->err;
}

void probe_code__extras(struct probe_code *pc, uint32_t entry_off)
{
	pc->entry_off = entry_off;
	if (!pc->disable_id && feature__have(FEATURE_PREEMPT_DISABLE)) {
		pc->disable_id = kernel_btf__functions()->preempt_disable;
		pc->enable_id = kernel_btf__functions()->preempt_enable;
	}
	pc->at[0] = (struct patch_extra){ WIRE_FETCH_PLACEHOLDER, put_fetches, pc };
	pc->at[1] = (struct patch_extra){ WIRE_ENTER_PLACEHOLDER, put_enter, pc };
	pc->at[2] = (struct patch_extra){ WIRE_LEAVE_PLACEHOLDER, put_leave, pc };
	pc->at[3] = (struct patch_extra){ WIRE_IS_RETURN_PLACEHOLDER, put_is_return, pc };
	pc->at[4] = (struct patch_extra){ WIRE_COOKIE_PLACEHOLDER, put_cookie, pc };
	pc->extras = (struct patch_extras){ pc->at, PROBE_EXTRAS_CNT };
	memcpy(pc->kernel_at, pc->at, sizeof(pc->at));
	pc->kernel_at[1] = (struct patch_extra){ WIRE_ENTER_PLACEHOLDER, put_nothing, pc };
	pc->kernel_at[2] = (struct patch_extra){ WIRE_LEAVE_PLACEHOLDER, put_nothing, pc };
	pc->kernel_extras = (struct patch_extras){ pc->kernel_at, PROBE_EXTRAS_CNT };
}

void probe_code__free(struct probe_code *pc)
{
	free(pc->fetches);
	*pc = (struct probe_code){ NULL };
}
