// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/jit_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader/files.h"
#include "sym/jit_dump.h"
#include "unwind/words.h"
#include "util/array.h"

#if defined(__aarch64__)
#define IS_ARM64 true
#else
#define IS_ARM64 false
#endif

/* Goes through all loads by address, and keeps those that cover the current one in a heap. */
struct placing {
	const struct jit_dump *dump;
	uint64_t base;
	size_t *heap; /* loads; the youngest is the first */
	size_t heap_cnt;
	struct unwind_segment *places;
	size_t cnt, cap;
};

/* Times may be equal; then the order in the dump counts. */
static bool is_younger(const struct placing *p, size_t a, size_t b)
{
	const struct jit_load *x = &p->dump->loads[a], *y = &p->dump->loads[b];

	return x->time_ns != y->time_ns ? x->time_ns > y->time_ns : x->off > y->off;
}

static void push(struct placing *p, size_t load)
{
	size_t i = p->heap_cnt++, up;

	for (; i; i = up) {
		up = (i - 1) / 2;
		if (!is_younger(p, load, p->heap[up]))
			break;
		p->heap[i] = p->heap[up];
	}
	p->heap[i] = load;
}

static void pop(struct placing *p)
{
	size_t last = p->heap[--p->heap_cnt], i = 0, down;

	for (;; i = down) {
		down = 2 * i + 1;
		if (down >= p->heap_cnt)
			break;
		if (down + 1 < p->heap_cnt && is_younger(p, p->heap[down + 1], p->heap[down]))
			down++;
		if (!is_younger(p, p->heap[down], last))
			break;
		p->heap[i] = p->heap[down];
	}
	p->heap[i] = last;
}

/* The load is what start..end has. */
static int place(struct placing *p, const struct jit_load *load, uint64_t start, uint64_t end)
{
	struct unwind_segment *s;

	if (start < p->base)
		start = p->base;
	if (start >= end || end - p->base > JIT_WORDS_SPAN)
		return 0;
	if (array__reserve((void **)&p->places, &p->cap, p->cnt + 1, sizeof(*p->places)))
		return -ENOMEM;
	s = &p->places[p->cnt++];
	s->off = start - p->base;
	s->sz = end - start;
	s->vaddr = load->off + (start - load->addr);
	return 0;
}

/* Places what is in memory up to `until`. */
static int place_until(struct placing *p, uint64_t *at, uint64_t until)
{
	const struct jit_load *top;
	uint64_t end;
	int err = 0;

	while (p->heap_cnt && *at < until && !err) {
		top = &p->dump->loads[p->heap[0]];
		end = top->addr + top->sz;
		if (end <= *at) {
			pop(p);
			continue;
		}
		end = end < until ? end : until;
		err = place(p, top, *at, end);
		*at = end;
	}
	*at = *at < until ? until : *at;
	return err;
}

static int place_loads(struct placing *p)
{
	uint64_t at = 0;
	size_t i;
	int err = 0;

	p->heap = calloc(p->dump->load_cnt + 1, sizeof(*p->heap));
	if (!p->heap)
		return -ENOMEM;
	for (i = 0; i < p->dump->load_cnt && !err; i++) {
		err = place_until(p, &at, p->dump->loads[i].addr);
		push(p, i);
	}
	if (!err)
		err = place_until(p, &at, UINT64_MAX);
	free(p->heap);
	return err;
}

static int make_words(const struct jit_dump *d, int fd, uint64_t base, struct strbuf *answer)
{
	struct placing p = { .dump = d, .base = base };
	struct unwind_table t;
	__u64 *words;
	size_t cnt;
	int err;

	if (!d->unwind_cnt)
		return -ENODATA;
	err = unwind_jit__read(&t, fd, jit_dump__machine(d, IS_ARM64), d->unwinds, d->unwind_cnt);
	if (err)
		return err;
	err = place_loads(&p);
	if (!err)
		err = unwind_words__place(&t, p.places, p.cnt, JIT_WORDS_MAX_SZ / sizeof(*words),
					  &words, &cnt);
	free(p.places);
	unwind_table__free(&t);
	if (err)
		return err;
	strbuf__add(answer, words, cnt * sizeof(*words));
	free(words);
	return 0;
}

static int run_words(struct reader_request *req, struct strbuf *answer)
{
	struct strbuf functions = STRBUF_INIT;
	struct jit_dump *d;
	uint64_t base;
	int err;

	if (req->sz != sizeof(base) || !req->fd_cnt)
		return -EINVAL;
	memcpy(&base, req->body, sizeof(base));
	err = jit_dump__run(req, false, &functions);
	d = err ? NULL : jit_dump__take(functions.buf, functions.len);
	strbuf__free(&functions);
	if (!err)
		err = d ? make_words(d, req->fds[0], base, answer) : -ENOMEM;
	jit_dump__free(d);
	return err;
}

const struct reader_op jit_words_op = { "jit unwind words", run_words };

int jit_words__read(int fd, uint64_t base, __u64 **words, size_t *cnt)
{
	struct strbuf answer = STRBUF_INIT;
	struct reader_call call = {
		.op = &jit_words_op,
		.purpose = READER_TABLES,
		.fds = &fd,
		.fd_cnt = 1,
		.body = &base,
		.sz = sizeof(base),
		.answer_max = JIT_WORDS_MAX_SZ,
		.missing = "unwind tables",
	};
	int err = reader__call_files(&call, &answer, NULL);

	*cnt = answer.len / sizeof(**words);
	if (!err && !*cnt)
		err = -EPROTO;
	if (err)
		strbuf__free(&answer);
	*words = (void *)answer.buf;
	return err;
}
