// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/read_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader/answer.h"
#include "reader/files.h"
#include "unwind/file.h"
#include "unwind/words.h"

/* A browser's table takes 4 MiB; see MEM_MAX of session/unwinder.c for all of them. */
#define ANSWER_MAX (64u << 20)

/* The head of an answer with a table; rows and rules follow as arrays. */
struct table_head {
	uint64_t base;
	struct unwind_segment segments[UNWIND_SEGMENTS_MAX];
	uint16_t segment_cnt;
	uint16_t machine;
};

static void put_table(struct strbuf *answer, struct unwind_table *t)
{
	struct table_head head;

	memset(&head, 0, sizeof(head));
	head.base = t->base;
	memcpy(head.segments, t->segments, sizeof(head.segments));
	head.segment_cnt = t->segment_cnt;
	head.machine = t->machine;
	strbuf__add(answer, &head, sizeof(head));
	answer__put_array(answer, t->rows, t->row_cnt, sizeof(*t->rows));
	answer__put_array(answer, t->rules, t->rule_cnt, sizeof(*t->rules));
	unwind_table__free(t);
}

static int run_table(struct reader_request *req, struct strbuf *answer)
{
	struct unwind_table t;
	int err = unwind_file__read(&t, req->fds[0]);

	if (!err)
		put_table(answer, &t);
	return err;
}

/* The request: the machine, then the functions. */
static int run_jit(struct reader_request *req, struct strbuf *answer)
{
	struct unwind_table t;
	struct unwind_jit *functions;
	uint64_t machine;
	size_t sz;
	int err;

	if (req->sz < sizeof(machine))
		return -EINVAL;
	memcpy(&machine, req->body, sizeof(machine));
	sz = req->sz - sizeof(machine);
	/* The body has no alignment that counts. */
	functions = malloc(sz + 1);
	if (!functions)
		return -ENOMEM;
	memcpy(functions, req->body + sizeof(machine), sz);
	err = unwind_jit__read(&t, req->fds[0], (uint16_t)machine, functions,
			       sz / sizeof(*functions));
	free(functions);
	if (!err)
		put_table(answer, &t);
	return err;
}

static int run_words(struct reader_request *req, struct strbuf *answer)
{
	struct unwind_table t;
	int err = unwind_file__read(&t, req->fds[0]);
	__u64 *words;
	size_t cnt;

	if (err)
		return err;
	words = unwind_words__make(&t, &cnt);
	unwind_table__free(&t);
	if (!words)
		return -ENOMEM;
	strbuf__add(answer, words, cnt * sizeof(*words));
	free(words);
	return 0;
}

static const struct reader_op table_op = { "unwind table", run_table },
			      words_op = { "unwind words", run_words },
			      jit_op = { "jit unwind table", run_jit };

static int ask(const struct reader_op *op, int fd, const struct strbuf *body, struct strbuf *answer)
{
	struct reader_call call = {
		.op = op,
		.purpose = READER_TABLES,
		.fds = &fd,
		.fd_cnt = 1,
		.body = body ? body->buf : NULL,
		.sz = body ? body->len : 0,
		.answer_max = ANSWER_MAX,
		.missing = "unwind tables",
	};

	return reader__call_files(&call, answer, NULL);
}

/* Lookups rely on the order of rows, and on the rules that they name. */
static bool is_sound(const struct unwind_table *t)
{
	size_t i;

	if (!t->row_cnt || !t->rule_cnt || t->segment_cnt > UNWIND_SEGMENTS_MAX)
		return false;
	for (i = 0; i < t->row_cnt; i++)
		if ((t->rows[i] & UNWIND_RULE_MASK) >= t->rule_cnt ||
		    (i && t->rows[i - 1] >= t->rows[i]))
			return false;
	return true;
}

/* Takes a table out of the answer, if there is one (err is 0). */
static int take_table(struct strbuf *answer, int err, struct unwind_table *t)
{
	struct table_head head;
	struct answer a;

	memset(t, 0, sizeof(*t));
	a = answer__of(answer->buf, answer->len);
	answer__take(&a, &head, sizeof(head));
	t->base = head.base;
	memcpy(t->segments, head.segments, sizeof(t->segments));
	t->segment_cnt = head.segment_cnt;
	t->machine = head.machine;
	t->rows = answer__take_array(&a, sizeof(*t->rows), &t->row_cnt);
	t->rules = answer__take_array(&a, sizeof(*t->rules), &t->rule_cnt);
	t->row_cap = t->row_cnt;
	t->rule_cap = t->rule_cnt;
	strbuf__free(answer);
	if (!err && (a.is_bad || !is_sound(t)))
		err = -EPROTO;
	if (err)
		unwind_table__free(t);
	return err;
}

int read_table(int fd, struct unwind_table *t)
{
	struct strbuf answer = STRBUF_INIT;
	int err = ask(&table_op, fd, NULL, &answer);

	return take_table(&answer, err, t);
}

int read_table__jit(int fd, uint16_t machine, const struct unwind_jit *functions, size_t cnt,
		    struct unwind_table *t)
{
	struct strbuf answer = STRBUF_INIT, body = STRBUF_INIT;
	uint64_t wide = machine;
	int err;

	strbuf__add(&body, &wide, sizeof(wide));
	strbuf__add(&body, functions, cnt * sizeof(*functions));
	err = ask(&jit_op, fd, &body, &answer);
	strbuf__free(&body);
	return take_table(&answer, err, t);
}

int read_table__words(int fd, __u64 **words, size_t *cnt)
{
	struct strbuf answer = STRBUF_INIT;
	int err = ask(&words_op, fd, NULL, &answer);

	*cnt = answer.len / sizeof(**words);
	if (!err && !*cnt)
		err = -EPROTO;
	if (err)
		strbuf__free(&answer);
	/* The answer is all words: a copy of them would take as much memory once more. */
	*words = (void *)answer.buf;
	return err;
}
