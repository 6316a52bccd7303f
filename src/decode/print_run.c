// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Executes a print plan: the text of a record. */
#include "decode/print_put.h"
#include "util/digits.h"

/*
 * Returns the number of bytes from loc on: text may extend beyond its array, up to the end of the
 * record.
 */
static uint32_t text_span(const struct print_run *run, struct print_loc loc, const char **text)
{
	const uint8_t *data;
	uint32_t len = print_span(run->rec, loc, &data);

	*text = (const char *)data;
	if (loc.dynamic && len)
		len = run->rec->size - (uint32_t)(data - run->rec->data);
	return len;
}

/* A text within quotes: it ends at the first quote that has no backslash. */
static void put_quoted(struct strbuf *out, const char *text, size_t max)
{
	const size_t len = strnlen(text, max);
	size_t from = 0, i;

	for (i = 0; i < len; i++) {
		if (text[i] != '"' && text[i] != '\\')
			continue;
		strbuf__put_escaped(out, text + from, i - from);
		strbuf__putc(out, '\\');
		strbuf__putc(out, text[i]);
		from = i + 1;
	}
	strbuf__put_escaped(out, text + from, len - from);
}

static void put_string(const struct print_run *run, const struct print_op *op)
{
	const char *text;
	uint32_t len = text_span(run, op->loc, &text);

	/* An empty dynamic array prints nothing, not even its width. */
	if (op->loc.dynamic && !len)
		return;
	if (op->kind == PRINT_STR_PLAIN && op->conv)
		put_quoted(run->out, text, len);
	else if (op->kind == PRINT_STR_PLAIN)
		strbuf__put_escaped_cstr(run->out, text, len);
	else
		print_put__text(run, &run->plan->specs[op->spec], text, len);
}

/*
 * Returns the most that a hot op writes: a number, or a literal with the overrun of its block copy.
 */
static inline size_t room_for(const struct print_op *op)
{
	return op->kind == PRINT_LIT ? op->b + 16u : DIGITS_U64_MAX + 1;
}

/*
 * Runs consecutive hot ops: they write at *at, which has room up to `end`. Returns the first op
 * that is not hot, or that has no room.
 */
static inline const struct print_op *run_hot(const struct print_plan *plan,
					     const struct print_op *op, const struct print_op *last,
					     const struct print_rec *rec, char **at,
					     const char *end)
{
	char *p = *at;

	for (; op < last; op++) {
		if (op->kind > PRINT_JMP || (size_t)(end - p) < room_for(op))
			break;
		switch (op->kind) {
		case PRINT_LIT:
			p = digits__copy16(p, plan->pool + op->a, op->b);
			break;
		case PRINT_D32:
			p = digits__s64(p, (int32_t)print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_D64:
			p = digits__s64(p, (int64_t)print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_U32:
			p = digits__u64(p, (uint32_t)print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_U64:
			p = digits__u64(p, print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_X32:
			p = digits__hex(p, (uint32_t)print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_X64:
			p = digits__hex(p, print_val__eval(plan, &op->val, rec));
			break;
		case PRINT_JZ:
			if (!print_val__eval(plan, &op->val, rec))
				op = plan->ops + op->a - 1;
			break;
		case PRINT_JMP:
			op = plan->ops + op->a - 1;
			break;
		}
	}
	*at = p;
	return op;
}

/* Room that is reserved at once: most records fit into it. */
#define ROOM 512

void print_plan__run(const struct print_plan *plan, struct printer *pr, const struct print_rec *rec,
		     struct strbuf *out)
{
	const struct print_run run = { plan, pr, rec, out };
	const struct print_op *op = plan->ops, *end = op ? op + plan->op_cnt : NULL;

	while (op < end) {
		size_t room = op->kind <= PRINT_JMP ? room_for(op) : 0;
		char *at;

		if (strbuf__reserve(out, room < ROOM ? ROOM : room))
			return;
		at = out->buf + out->len;
		op = run_hot(plan, op, end, rec, &at, out->buf + out->cap);
		out->len = (size_t)(at - out->buf);
		if (op == end || op->kind <= PRINT_JMP)
			continue;
		if (op->kind == PRINT_STR || op->kind == PRINT_STR_PLAIN)
			put_string(&run, op);
		else
			print_op__run(&run, op);
		op++;
	}
}
