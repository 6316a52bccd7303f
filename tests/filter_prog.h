/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A filter as a program of its own that runs here: compiled, its memory, and the run. */
#ifndef BPFPERF_TESTS_FILTER_PROG_H
#define BPFPERF_TESTS_FILTER_PROG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "bpf_run.h"
#include "filter/ast.h"
#include "filter_oracle.h"
#include "filter_words.h"

/* Memory for a record and its environment, with room for all that generated code may read. */
struct filter_room {
	char entry[FILTER_ENTRY_MAX + 256];
	struct patch_env env;
	char behind[FILTER_ENTRY_MAX];
	char stack[16];
	/* Behind every pointer, unless NULL. */
	const char *kernel_text, *user_text;
};

/* A random record of this event and its environment; random, too, what memory held before. */
static void filter_prog__fill(struct filter_room *room, const struct tp_format *fmt)
{
	memset(room->entry, (int)rnd(2) * 0xa5, sizeof(room->entry));
	words__record(fmt, room->entry);
	words__comm(room->env.comm);
	room->env.cpu = (uint32_t)rnd(4);
	room->kernel_text = rnd(8) ? WORDS_PICK(words_texts) : NULL;
	room->user_text = rnd(8) ? WORDS_PICK(words_texts) : NULL;
}

/* r0 = 1 where the filter passes, else 0. 0 or -errno. */
static int filter_prog__make(struct code *c, const struct filter *f)
{
	code_label pass = code__label(c), reject = code__label(c);

	c->spill_off = -16;
	filter__compile(f, c, pass, reject);
	code__bind(c, pass);
	code__alu(c, BPF_MOV, CODE_R0, 1);
	code__insn(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	code__bind(c, reject);
	code__alu(c, BPF_MOV, CODE_R0, 0);
	code__insn(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	return code__finish(c);
}

static int64_t filter_prog__read_str(void *ctx, bool user, char *dst, uint32_t sz, uint64_t from)
{
	const struct filter_room *room = ctx;
	const char *text = user ? room->user_text : room->kernel_text;

	if (!text)
		return -14;
	return snprintf(dst, sz, "%s", text) + 1;
}

/* 1, 0, or -1 where the program did what it must not (*fault says what). */
static int filter_prog__run(const struct code *c, struct filter_room *room, const char **fault)
{
	const struct bpf_region regions[] = {
		{ room->entry, sizeof(room->entry), true },
		{ (char *)&room->env, sizeof(room->env) + sizeof(room->behind), false },
		{ room->stack, sizeof(room->stack), false },
		{ c->tables.buf, c->tables.len, true },
	};
	struct bpf_run r = {
		.insns = c->insns,
		.cnt = c->cnt,
		.regions = regions,
		.region_cnt = c->tables.len ? 4 : 3,
		.tables = c->tables.buf,
		.read_str = filter_prog__read_str,
		.ctx = room,
	};
	uint64_t res;

	r.reg[1] = (uint64_t)(uintptr_t)room->entry;
	r.reg[2] = 17;
	r.reg[3] = (uint64_t)(uintptr_t)&room->env;
	r.reg[10] = (uint64_t)(uintptr_t)(room->stack + sizeof(room->stack));
	r.written = 1u << 1 | 1u << 2 | 1u << 3 | 1u << 10;
	res = bpf_run__go(&r);
	*fault = r.fault;
	return r.fault ? -1 : (int)res;
}

/* The oracle's verdict on the record in the room. */
static bool filter_prog__want(const struct filter *f, const struct filter_room *room)
{
	const struct oracle o = {
		.f = f,
		.entry = room->entry,
		.comm = room->env.comm,
		.cpu = (int)room->env.cpu,
		.kernel_text = room->kernel_text,
		.user_text = room->user_text,
	};

	return oracle__passes(&o);
}

#endif
