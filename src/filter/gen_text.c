// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Generates code for texts: their location, and the kernel's five ways to compare them. */
#include "filter/gen.h"

#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"

/*
 * A text at base + off: field_len bytes; or, if that is 0, r2 bytes at an address to which r4 must
 * still be added: settle().
 */
struct text {
	uint8_t base;
	int16_t off;
	uint16_t field_len;
};

/* bpf_probe_read_user_str() and bpf_probe_read_kernel_str(), 5.5. */
enum { HELPER_USER_STR = 114, HELPER_KERNEL_STR = 115 };

static void save_registers(struct code *c)
{
	code__store64(c, CODE_R10, c->spill_off, CODE_R1);
	code__store64(c, CODE_R10, (int16_t)(c->spill_off + 8), CODE_R3);
}

static void restore_registers(struct code *c)
{
	code__load(c, 8, CODE_R1, CODE_R10, c->spill_off);
	code__load(c, 8, CODE_R3, CODE_R10, (int16_t)(c->spill_off + 8));
}

/* Copies the text behind a pointer. Jumps to lf if it cannot be read. */
static void copy_text(struct gen *g, const struct filter_pred *pred, code_label lf)
{
	struct code *c = g->c;

	save_registers(c);
	code__load(c, 8, CODE_R4, CODE_R1, (int16_t)pred->off);
	code__mov(c, CODE_R1, CODE_R3);
	code__alu(c, BPF_ADD, CODE_R1, offsetof(struct patch_env, text));
	code__alu(c, BPF_MOV, CODE_R2, WIRE_SITE_TEXT);
	code__mov(c, CODE_R3, CODE_R4);
	code__insn(c, BPF_JMP | BPF_CALL, 0, 0, 0,
		   pred->where == FILTER_AT_USER_PTR ? HELPER_USER_STR : HELPER_KERNEL_STR);
	restore_registers(c);
	code__mov(c, CODE_R2, CODE_R0);
	/* Negative ones too. */
	code__if(c, BPF_JGT, CODE_R2, WIRE_SITE_TEXT, CODE_R5, lf);
	code__alu(c, BPF_MOV, CODE_R4, 0);
}

static struct text find_text(struct gen *g, const struct filter_pred *pred, code_label lf)
{
	switch (pred->where) {
	case FILTER_AT_DYNAMIC:
	case FILTER_AT_RELATIVE:
		gen__locate(g, pred);
		return (struct text){ CODE_R1, 0, 0 };
	case FILTER_AT_KERNEL_PTR:
	case FILTER_AT_USER_PTR:
		copy_text(g, pred, lf);
		return (struct text){ CODE_R3, offsetof(struct patch_env, text), 0 };
	case FILTER_AT_COMM:
		return (struct text){ CODE_R3, offsetof(struct patch_env, comm), pred->size };
	default:
		return (struct text){ CODE_R1, (int16_t)pred->off, pred->size };
	}
}

/* Adds r4, of at most `max`, to the address of the text, which is then in r4. Else jumps to lf. */
static void settle(struct gen *g, struct text *t, int max, code_label lf)
{
	struct code *c = g->c;

	code__if(c, BPF_JGT, CODE_R4, (uint64_t)max, CODE_R5, lf);
	code__alu_reg(c, BPF_ADD, CODE_R4, t->base);
	t->base = CODE_R4;
}

/* Jumps to lf unless the `len` bytes at base + off match. Uses r0 and r5. */
static void compare_bytes(struct gen *g, uint8_t base, int off, const char *bytes, size_t len,
			  code_label lf)
{
	size_t i, sz;

	for (i = 0; i < len; i += sz) {
		uint64_t want = 0;
		uint32_t want32;
		uint16_t want16;

		sz = len - i >= 8 ? 8 : len - i >= 4 ? 4 : len - i >= 2 ? 2 : 1;
		if (g->c->only_aligned)
			sz = 1;
		memcpy(&want, bytes + i, sz);
		memcpy(&want32, &want, sizeof(want32));
		memcpy(&want16, &want, sizeof(want16));
		want = sz == 8   ? want
		       : sz == 4 ? want32
		       : sz == 2 ? want16
				 : (unsigned char)bytes[i];
		code__load(g->c, (uint8_t)sz, CODE_R0, base, (int16_t)(off + (int)i));
		code__if(g->c, BPF_JNE, CODE_R0, want, CODE_R5, lf);
	}
}

/* Jumps to lf, in a form in which verifiers do not treat the following code as unreachable. */
static void fail(struct code *c, code_label lf)
{
	code__if(c, BPF_JNE, CODE_R10, 0, CODE_R5, lf);
}

/*
 * The kernel's regex_match_full() and regex_match_front() of a text of r2 bytes; 0 bytes mean that
 * it ends at its NUL.
 */
static void match_start(struct gen *g, struct text *t, const struct pattern *p, code_label lt,
			code_label lf)
{
	code_label long_enough = code__label(g->c);
	struct code *c = g->c;

	settle(g, t, FILTER_LOC_MAX, lf);
	code__if(c, BPF_JEQ, CODE_R2, 0, CODE_R5, long_enough);
	code__if(c, BPF_JLT, CODE_R2, p->len, CODE_R5, lf);
	code__bind(c, long_enough);
	compare_bytes(g, t->base, t->off, p->text, p->len, lf);
	if (p->kind == PATTERN_FULL) {
		if (p->len)
			code__if(c, BPF_JEQ, CODE_R2, p->len, CODE_R5, lt);
		compare_bytes(g, t->base, t->off + p->len, "", 1, lf);
	}
	code__goto(c, lt);
}

/* Matches the start of a text in an array. */
static void match_start_in_array(struct gen *g, struct text *t, const struct pattern *p,
				 code_label lt, code_label lf)
{
	size_t nul = p->kind == PATTERN_FULL && p->len < t->field_len;

	if (p->len > t->field_len)
		fail(g->c, lf);
	else
		compare_bytes(g, t->base, t->off, p->text, p->len + nul, lf);
	code__goto(g->c, lt);
}

/*
 * The kernel's regex_match_end(): the bytes before the last one of the field, where a text without
 * an array has its NUL.
 */
static void match_end(struct gen *g, struct text *t, const struct pattern *p, code_label lt,
		      code_label lf)
{
	struct code *c = g->c;

	code__if(c, BPF_JLE, CODE_R2, p->len, CODE_R5, lf);
	code__alu_reg(c, BPF_ADD, CODE_R4, CODE_R2);
	code__alu(c, BPF_SUB, CODE_R4, p->len + 1);
	settle(g, t, FILTER_ENTRY_MAX - PATTERN_MAX, lf);
	compare_bytes(g, t->base, t->off, p->text, p->len, lf);
	code__goto(c, lt);
}

/* Layout of the automaton in the tables: for each byte, the accepting and the staying states. */
struct step {
	uint64_t accepts, stays;
};

static size_t add_automaton(struct code *c, const struct pattern_automaton *a)
{
	struct step steps[256];
	unsigned int i;

	for (i = 0; i < 256; i++)
		steps[i] = (struct step){ a->accepts[i], a->stays };
	return code__add_table(c, steps, sizeof(steps));
}

/* r0 = 1 if the state r5 is the last one. */
static void load_found(struct code *c, const struct pattern_automaton *a)
{
	code__mov(c, CODE_R0, CODE_R5);
	code__alu(c, BPF_RSH, CODE_R0, (int32_t)a->cnt);
	code__alu(c, BPF_AND, CODE_R0, 1);
}

/* One iteration of the loop: byte r2 of the text at r4; states in r5. Uses r0, r1. */
static void gen_step(struct code *c, const struct pattern_automaton *a, size_t table_off,
		     bool has_len, code_label out)
{
	code_label go = code__label(c);

	/* Exits follow a jump over them: verifiers check them first. */
	if (has_len) {
		code__if_reg(c, BPF_JLT, CODE_R2, CODE_R3, go);
		code__goto(c, out);
		code__bind(c, go);
	}
	code__mov(c, CODE_R0, CODE_R4);
	code__alu_reg(c, BPF_ADD, CODE_R0, CODE_R2);
	code__load(c, 1, CODE_R0, CODE_R0, 0);
	go = code__label(c);
	code__if(c, BPF_JNE, CODE_R0, 0, CODE_R1, go);
	code__goto(c, out);
	code__bind(c, go);
	code__alu(c, BPF_LSH, CODE_R0, 4);
	code__table(c, CODE_R1, table_off);
	code__alu_reg(c, BPF_ADD, CODE_R1, CODE_R0);
	code__load(c, 8, CODE_R0, CODE_R1, offsetof(struct step, accepts));
	code__load(c, 8, CODE_R1, CODE_R1, offsetof(struct step, stays));
	code__alu_reg(c, BPF_AND, CODE_R0, CODE_R5);
	code__alu(c, BPF_LSH, CODE_R0, 1);
	code__alu_reg(c, BPF_AND, CODE_R5, CODE_R1);
	code__alu_reg(c, BPF_OR, CODE_R5, CODE_R0);
	/* Found, or no match is possible any more. */
	go = code__label(c);
	if (a->stays >> a->cnt & 1) {
		load_found(c, a);
		code__if(c, BPF_JEQ, CODE_R0, 0, CODE_R1, go);
	} else {
		code__if(c, BPF_JNE, CODE_R5, 0, CODE_R1, go);
	}
	code__goto(c, out);
	code__bind(c, go);
}

/* Steps the automaton through the text. */
static void match_automaton(struct gen *g, struct text *t, const struct pattern *p, code_label lt,
			    code_label lf)
{
	code_label loop = code__label(g->c), out = code__label(g->c);
	int32_t turns =
		t->field_len && t->field_len < FILTER_TEXT_MAX ? t->field_len : FILTER_TEXT_MAX;
	struct pattern_automaton a;
	struct code *c = g->c;
	size_t table_off;

	pattern__compile(p, &a);
	table_off = add_automaton(c, &a);
	if (!t->field_len)
		settle(g, t, FILTER_LOC_MAX, lf);
	else
		code__mov(c, CODE_R4, t->base);
	code__alu(c, BPF_ADD, CODE_R4, t->off);
	save_registers(c);
	/* Pass the value through memory, so that the verifier does not know r5. */
	code__alu(c, BPF_MOV, CODE_R5, 1);
	code__store64(c, CODE_R3, offsetof(struct patch_env, scratch), CODE_R5);
	code__load(c, 8, CODE_R5, CODE_R3, offsetof(struct patch_env, scratch));
	if (!t->field_len)
		code__mov(c, CODE_R3, CODE_R2);
	code__alu(c, BPF_MOV, CODE_R2, 0);
	code__bind(c, loop);
	gen_step(c, &a, table_off, !t->field_len, out);
	code__alu(c, BPF_ADD, CODE_R2, 1);
	code__if(c, BPF_JLT, CODE_R2, (uint64_t)turns, CODE_R0, loop);
	code__bind(c, out);
	restore_registers(c);
	load_found(c, &a);
	code__if(c, BPF_JNE, CODE_R0, 0, CODE_R2, lt);
	code__goto(c, lf);
}

void gen__text(struct gen *g, const struct filter_pred *pred, code_label lt, code_label lf)
{
	bool invert = (pred->op == FILTER_NE) != pred->pattern.invert;
	code_label found = invert ? lf : lt, missed = invert ? lt : lf;
	const struct pattern *p = &pred->pattern;
	/* A text that cannot be read fails every comparison. */
	struct text t = find_text(g, pred, lf);

	if (pattern__is_searched(p, t.field_len != 0))
		match_automaton(g, &t, p, found, missed);
	else if (p->kind == PATTERN_END)
		match_end(g, &t, p, found, missed);
	else
		(t.field_len ? match_start_in_array : match_start)(g, &t, p, found, missed);
}

void gen__copy_text(struct gen *g, const struct filter_pred *at, int16_t to, uint32_t sz)
{
	code_label done = code__label(g->c);
	struct code *c = g->c;
	int16_t i;

	code__alu(c, BPF_MOV, CODE_R4, 0);
	for (i = 0; i < (int16_t)sz; i += 8)
		code__store64(c, CODE_R3, (int16_t)(to + i), CODE_R4);
	if (at->where == FILTER_AT_COMM) {
		for (i = 0; i < 16; i += 8) {
			code__load(c, 8, CODE_R4, CODE_R3,
				   (int16_t)(offsetof(struct patch_env, comm) + i));
			code__store64(c, CODE_R3, (int16_t)(to + i), CODE_R4);
		}
		code__bind(c, done);
		return;
	}
	/* r4 = the text's address. */
	if (at->where == FILTER_AT_KERNEL_PTR || at->where == FILTER_AT_USER_PTR) {
		code__load(c, 8, CODE_R4, CODE_R1, (int16_t)at->off);
	} else if (at->where == FILTER_AT_FIELD) {
		code__mov(c, CODE_R4, CODE_R1);
		code__alu(c, BPF_ADD, CODE_R4, at->off);
		/* A text that fills its array has no NUL. */
		if (at->size < sz)
			sz = at->size + 1u;
	} else {
		gen__locate(g, at);
		code__if(c, BPF_JGT, CODE_R4, FILTER_LOC_MAX, CODE_R5, done);
		code__alu_reg(c, BPF_ADD, CODE_R4, CODE_R1);
	}
	save_registers(c);
	code__mov(c, CODE_R1, CODE_R3);
	code__alu(c, BPF_ADD, CODE_R1, to);
	code__alu(c, BPF_MOV, CODE_R2, (int32_t)sz);
	code__mov(c, CODE_R3, CODE_R4);
	code__insn(c, BPF_JMP | BPF_CALL, 0, 0, 0,
		   at->where == FILTER_AT_USER_PTR ? HELPER_USER_STR : HELPER_KERNEL_STR);
	restore_registers(c);
	code__bind(c, done);
}
