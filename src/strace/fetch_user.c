// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/fetch_user.h"

#include <string.h>

#include "util/remote_memory.h"

static ssize_t read_memory(pid_t tid, uint64_t from, void *to, size_t sz)
{
	const struct iovec part = { (void *)from, sz };

	return sz ? remote_memory__read(tid, &part, 1, to) : 0;
}

/* Returns the bytes that a copy has, without the NUL's search. */
static size_t wanted_sz(const struct wire_call *rec, const struct strace_fetch *f)
{
	uint64_t n = 1;

	if (f->kind & STRACE_TEXT)
		return f->max_sz;
	if (f->cnt < STRACE_CHUNK)
		n = rec->args[f->cnt % CALL_ARGS];
	else if (f->cnt != STRACE_ONE)
		return 0;
	if (n > f->max_sz)
		n = f->max_sz;
	n *= f->elem_sz;
	return n < f->max_sz ? (size_t)n : f->max_sz;
}

static void add_chunk(struct wire_call *rec, __u8 fetch, size_t sz, bool failed)
{
	struct strace_chunk *c = (void *)rec + rec->head.sz;

	*c = (struct strace_chunk){
		.sz = (__u16)sz,
		.step = (__u16)(sizeof(*c) + ((sz + 7) & ~7ul)),
		.fetch = fetch,
		.failed = failed,
	};
	rec->head.sz = (__u16)(rec->head.sz + c->step);
}

static void read_one(struct wire_call *rec, const struct strace_fetch *f, __u8 i)
{
	char *to = (char *)rec + rec->head.sz + sizeof(struct strace_chunk);
	size_t sz = wanted_sz(rec, f), page = 4096;
	uint64_t from = rec->args[f->from % CALL_ARGS];
	ssize_t got;

	if (!sz || !from)
		return;
	got = read_memory((pid_t)rec->tid, from, to, sz);
	/* The memory may end with the page. */
	if (got < 0)
		got = read_memory((pid_t)rec->tid, from, to,
				  sz < page - from % page ? sz : page - from % page);
	if (got <= 0 || (size_t)got > sz)
		return;
	if (f->kind & STRACE_TEXT) {
		size_t len = strnlen(to, (size_t)got);

		got = len < (size_t)got ? (ssize_t)len + 1 : got;
	}
	add_chunk(rec, i, (size_t)got, false);
}

void fetch_user__complete(struct wire_call *rec, const struct strace_call *call,
			  const struct strace_thread *t)
{
	const size_t end = sizeof(*rec) + FETCH_USER_MAX;
	__u8 i;

	for (i = 0; i < call->entry_cnt && i < STRACE_ENTRIES; i++) {
		memcpy((char *)rec + rec->head.sz, &t->entry[i], sizeof(t->entry[i]));
		rec->head.sz = (__u16)(rec->head.sz + sizeof(t->entry[i]));
	}
	for (i = 0; i < call->fetch_cnt && i < STRACE_FETCHES; i++) {
		const struct strace_fetch *f = &call->fetch[i];

		/* Memory behind memory, and memory that the call writes, is not copied. */
		if (f->from >= STRACE_CHUNK || f->kind & (STRACE_EACH | STRACE_ON_SUCCESS))
			continue;
		if (rec->head.sz + sizeof(struct strace_chunk) + f->max_sz + 8 > end)
			return;
		read_one(rec, f, i);
	}
}
