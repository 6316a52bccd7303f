// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_trial.h"

#include <errno.h>
#include <string.h>

#include "decode/print_plan.h"
#include "reader/reader.h"

/* A format takes about a millisecond. */
#define LIMIT_NS 5000000000ull

/* The request: sys, name and text, each with its NUL. */
static int try_format(struct reader_request *req, struct strbuf *answer)
{
	const char *sys = req->body, *name = sys + strlen(sys) + 1, *text = name + strlen(name) + 1;
	struct tp_format *fmt =
		tp_format__parse(sys, name, text, (size_t)(req->body + req->sz - text));
	struct print_plan *plan = fmt ? print_plan__new(fmt) : NULL;

	print_plan__free(plan);
	tp_format__free(fmt);
	return plan ? 0 : -EINVAL;
}

static const struct reader_op trial = { "print format", try_format };

bool print_trial(const struct tp_format *fmt)
{
	struct reader_call call = {
		.op = &trial,
		.purpose = READER_FORMATS,
		.owner = READER_NO_OWNER,
		.limit_ns = LIMIT_NS,
	};
	struct strbuf body = STRBUF_INIT, answer = STRBUF_INIT;
	int err;

	strbuf__add(&body, fmt->sys, strlen(fmt->sys) + 1);
	strbuf__add(&body, fmt->name, strlen(fmt->name) + 1);
	strbuf__add(&body, fmt->text, fmt->text_len);
	call.body = body.buf;
	call.sz = body.len;
	err = reader__call(&call, &answer, NULL);
	strbuf__free(&body);
	strbuf__free(&answer);
	return !err;
}
