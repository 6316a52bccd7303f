// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "filter/source.h"

#include <errno.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "filter/parser.h"
#include "util/log.h"

#define COMM_WORDS 2
#define NUMBER_WORDS 2

/* pid and tid, if the event has no fields of these names. */
static bool find_task_id(const struct tp_format *fmt, const char *name, size_t len,
			 struct value_source *src)
{
	static const struct filter_field fields[] = {
		{ .name = "pid",
		  .kind = FILTER_FIELD_NUMBER,
		  .where = FILTER_AT_FIELD,
		  .off = offsetof(struct patch_env, tgid),
		  .size = 4,
		  .is_signed = true },
		{ .name = "tid",
		  .kind = FILTER_FIELD_NUMBER,
		  .where = FILTER_AT_FIELD,
		  .off = offsetof(struct patch_env, tid),
		  .size = 4,
		  .is_signed = true },
	};
	size_t i;

	for (i = 0; i < 2; i++) {
		if (len != 3 || strncmp(name, fields[i].name, 3) != 0 ||
		    tp_format__field(fmt, fields[i].name))
			continue;
		src->field = fields[i];
		src->from = i ? FROM_TID : FROM_TGID;
		return true;
	}
	return false;
}

int value_source__find(const struct tp_format *fmt, const struct filter_env *env,
		       const char *option, const char *name, size_t len, struct value_source *src)
{
	struct filter_fault fault = FILTER_FAULT_INIT;
	struct filter_parser p = { name, 0, fmt, env, NULL, &fault, 0 };
	int err;

	src->from = FROM_ENTRY;
	if (find_task_id(fmt, name, len, src))
		return 0;
	err = filter_field__find(&p, name, len, &src->field);
	if (!err && src->field.kind == FILTER_FIELD_MASK)
		err = filter_parser__error(&p, 0, "%s is a set of CPUs; name a number or a text",
					   src->field.name);
	if (err)
		log_error("%s: %s", option, strbuf__cstr(&fault.text));
	filter_fault__free(&fault);
	/* The pointers of system calls point into the process's memory. */
	if (src->field.where == FILTER_AT_KERNEL_PTR && !strcmp(fmt->sys, "syscalls"))
		src->field.where = FILTER_AT_USER_PTR;
	return err ? -EINVAL : 0;
}

uint8_t value_source__words(const struct value_source *src)
{
	const struct filter_field *f = &src->field;

	if (src->from != FROM_ENTRY || f->kind != FILTER_FIELD_TEXT)
		return f->absent_off ? NUMBER_WORDS : 1;
	if (f->where == FILTER_AT_COMM || (f->where == FILTER_AT_FIELD && f->size <= 16))
		return COMM_WORDS;
	return SOURCE_TEXT_WORDS;
}

uint32_t value_source__needs(const struct value_source *src)
{
	switch (src->from) {
	case FROM_TGID:
	case FROM_TID:
		return WIRE_NEED_TASK;
	case FROM_THREAD:
		return WIRE_NEED_THREAD;
	case FROM_ENTRY:
		return filter_field__needs(src->field.where, src->field.off);
	default:
		return 0;
	}
}

/* The source in the form that gen_*.c expects: the location of a value. */
static struct filter_pred pred_of(const struct value_source *s)
{
	return (struct filter_pred){
		.where = s->field.where,
		.off = s->field.off,
		.size = s->field.size,
		.is_signed = s->field.is_signed,
	};
}

void value_source__load(struct gen *g, const struct value_source *src)
{
	const struct filter_pred pred = pred_of(src);
	int shift = 64 - 8 * pred.size;

	if (src->from == FROM_ONE) {
		code__alu(g->c, BPF_MOV, CODE_R4, 1);
		return;
	}
	if (src->from == FROM_THREAD) {
		code__load(g->c, 4, CODE_R4, CODE_R3, offsetof(struct patch_env, span.thread));
		return;
	}
	if (src->from == FROM_ENTRY)
		gen__load_number(g, &pred);
	else
		code__load(g->c, 4, CODE_R4, CODE_R3, (int16_t)pred.off);
	if (!pred.is_signed || !shift)
		return;
	code__alu(g->c, BPF_LSH, CODE_R4, shift);
	code__alu(g->c, BPF_ARSH, CODE_R4, shift);
}

void value_source__load_absent(struct gen *g, const struct value_source *src)
{
	const struct filter_field *f = &src->field;

	if (!f->absent_off) {
		code__alu(g->c, BPF_MOV, CODE_R4, 0);
		return;
	}
	code__load(g->c, 4, CODE_R4, CODE_R1, (int16_t)f->absent_off);
	code__alu(g->c, BPF_RSH, CODE_R4, f->absent_bit);
	code__alu(g->c, BPF_AND, CODE_R4, 1);
}

void value_source__store(struct gen *g, const struct value_source *src, int16_t to, uint8_t words)
{
	const struct filter_pred pred = pred_of(src);

	if (src->from == FROM_ENTRY && src->field.kind == FILTER_FIELD_TEXT) {
		gen__copy_text(g, &pred, to, 8u * words);
		return;
	}
	value_source__load(g, src);
	code__store64(g->c, CODE_R3, to, CODE_R4);
	if (words < NUMBER_WORDS)
		return;
	value_source__load_absent(g, src);
	code__store64(g->c, CODE_R3, (int16_t)(to + 8), CODE_R4);
}
