// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_ask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/print_plan.h"
#include "reader/answer.h"
#include "reader/reader.h"

/* A format takes about a millisecond. */
#define LIMIT_NS 5000000000ull
/* Plans with long tables of names have some KiB. */
#define ANSWER_MAX (1 << 20)

void print_ask__put(const struct print_plan *plan, struct strbuf *sb)
{
	strbuf__add(sb, &plan->fixed_sz, sizeof(plan->fixed_sz));
	answer__put_array(sb, plan->ops, plan->op_cnt, sizeof(*plan->ops));
	answer__put_array(sb, plan->insns, plan->insn_cnt, sizeof(*plan->insns));
	answer__put_array(sb, plan->syms, plan->sym_cnt, sizeof(*plan->syms));
	answer__put_array(sb, plan->specs, plan->spec_cnt, sizeof(*plan->specs));
	answer__put_array(sb, plan->pool, plan->pool_len, 1);
}

/* The request: sys, name and text, each with its NUL. */
static int compile(struct reader_request *req, struct strbuf *answer)
{
	const char *sys = req->body, *name = sys + strlen(sys) + 1, *text = name + strlen(name) + 1;
	struct tp_format *fmt =
		tp_format__parse(sys, name, text, (size_t)(req->body + req->sz - text));
	struct print_plan *plan = fmt ? print_plan__new(fmt) : NULL;
	int err = plan ? 0 : -errno;

	if (plan)
		print_ask__put(plan, answer);
	print_plan__free(plan);
	tp_format__free(fmt);
	return err;
}

static const struct reader_op compile_op = { "print format", compile };

/* Takes an array of at most UINT32_MAX elements. */
static void *take_array(struct answer *a, size_t elem_sz, uint32_t *cnt)
{
	size_t n;
	void *array = answer__take_array(a, elem_sz, &n);

	*cnt = (uint32_t)n;
	return array;
}

/* Literals are copied in blocks of 16 bytes: so many follow the pool. */
static void take_pool(struct answer *a, struct print_plan *plan)
{
	char *bigger;

	plan->pool = take_array(a, 1, &plan->pool_len);
	bigger = realloc(plan->pool, plan->pool_len + 16);
	if (!bigger) {
		a->is_bad = true;
		return;
	}
	plan->pool = bigger;
	memset(plan->pool + plan->pool_len, 0, 16);
}

struct print_plan *print_ask__take(const void *answer, size_t sz)
{
	struct answer a = answer__of(answer, sz);
	struct print_plan *plan = calloc(1, sizeof(*plan));

	if (!plan)
		return NULL;
	answer__take(&a, &plan->fixed_sz, sizeof(plan->fixed_sz));
	plan->ops = take_array(&a, sizeof(*plan->ops), &plan->op_cnt);
	plan->insns = take_array(&a, sizeof(*plan->insns), &plan->insn_cnt);
	plan->syms = take_array(&a, sizeof(*plan->syms), &plan->sym_cnt);
	plan->specs = take_array(&a, sizeof(*plan->specs), &plan->spec_cnt);
	take_pool(&a, plan);
	if (!a.is_bad && a.at == a.end && print_plan__is_sound(plan))
		return plan;
	print_plan__free(plan);
	return NULL;
}

struct print_plan *print_ask(const struct tp_format *fmt)
{
	struct reader_call call = {
		.op = &compile_op,
		.purpose = READER_FORMATS,
		.owner = READER_NO_OWNER,
		.limit_ns = LIMIT_NS,
		.answer_max = ANSWER_MAX,
	};
	struct strbuf body = STRBUF_INIT, answer = STRBUF_INIT;
	struct print_plan *plan = NULL;

	strbuf__add(&body, fmt->sys, strlen(fmt->sys) + 1);
	strbuf__add(&body, fmt->name, strlen(fmt->name) + 1);
	strbuf__add(&body, fmt->text, fmt->text_len);
	call.body = body.buf;
	call.sz = body.len;
	if (!reader__call(&call, &answer, NULL))
		plan = print_ask__take(answer.buf, answer.len);
	strbuf__free(&body);
	strbuf__free(&answer);
	return plan;
}
