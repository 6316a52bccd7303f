// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Samples whose user callchain comes later, in a record of its own: Linux 6.19 and newer. */
#include <stdlib.h>

#include "data/record_layout.h"
#include "perf_file_make.h"
#include "run/replay.h"
#include "tap.h"

#define KERNEL ((uint64_t)PERF_CONTEXT_KERNEL)
#define USER ((uint64_t)PERF_CONTEXT_USER)
#define DEFERRED ((uint64_t)-640)
#define IN_KERNEL 0xffffffff81000005

/* Text of all that the consumer sees: "TIME: WORD …" for each sample. */
static struct strbuf seen;

static int nothing(void *ctx)
{
	(void)ctx;
	return 0;
}

static int on_sample(void *ctx, const struct sample *s)
{
	const struct perf_words *w = &s->perf->callchain;
	uint64_t i, word;

	(void)ctx;
	strbuf__printf(&seen, "%s%d/%llu:", seen.len ? "; " : "", s->tid,
		       (unsigned long long)s->time_ns);
	for (i = 0; i < w->cnt; i++) {
		word = perf_words__get(w, i);
		if (word == KERNEL || word == USER || word == DEFERRED)
			strbuf__printf(&seen, " %c",
				       word == KERNEL ? 'K'
				       : word == USER ? 'U'
						      : 'D');
		else
			strbuf__printf(&seen, " %llx", (unsigned long long)word);
	}
	return 0;
}

static unsigned int needs(void *ctx, const struct sample *s)
{
	(void)ctx;
	(void)s;
	return SAMPLE_KEEP;
}

/* A count that does not grow would be no sample. */
static void put_sample(struct made *m, uint64_t time_ns, uint32_t tid, const uint64_t *chain,
		       size_t cnt)
{
	static uint64_t member[] = { 0, MADE_ID + 1 };

	member[0]++;
	made_chain_sample(m, time_ns, tid, member, chain, cnt);
}

static void put_open(struct made *m, uint64_t time_ns, uint32_t tid, uint64_t cookie)
{
	const uint64_t chain[] = { KERNEL, IN_KERNEL + time_ns, DEFERRED, cookie };

	put_sample(m, time_ns, tid, chain, 4);
}

static void put_user(struct made *m, uint64_t time_ns, uint32_t tid, uint64_t cookie, uint64_t cnt)
{
	size_t at = made_begin(m, RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);

	made_u64(m, cookie);
	made_u64(m, cnt);
	made_u64(m, 0x400111);
	made_u64(m, 0x400222);
	made_u64(m, 0x400333);
	made_trailer_of(m, time_ns, tid);
	made_end(m, at);
}

static void put_exit(struct made *m, uint64_t time_ns, uint32_t tid)
{
	size_t at = made_begin(m, PERF_RECORD_EXIT, 0);

	made_u32(m, 4243);
	made_u32(m, 1);
	made_u32(m, tid);
	made_u32(m, 1);
	made_u64(m, time_ns);
	made_trailer_of(m, time_ns, tid);
	made_end(m, at);
}

/* Replays the records; returns the samples that had to go without. */
static uint64_t replay_of(const struct made *data, bool is_pipe, size_t max_sz)
{
	static const struct replay_ops ops = { .begin = nothing,
					       .sample = on_sample,
					       .needs = needs };
	const struct replay_config cfg = { .form = PERF_STACK_AS_RECORDED, .rest = "shown" };
	int fd = memfd_create("made", 0), err;
	static struct made m;
	static struct replay r;
	char path[64];

	m.sz = 0;
	m.swap = data->swap;
	if (is_pipe)
		made_pipe(&m, data);
	else
		made_file(&m, data);
	strbuf__reset(&seen);
	sprintf(path, "/proc/self/fd/%d", fd);
	memset(&r, 0, sizeof(r));
	r.deferred.max_sz = max_sz;
	err = write(fd, m.p, m.sz) != (ssize_t)m.sz || replay__init(&r) ||
	      replay__open(&r, path, NULL) || replay__read(&r, &cfg, &ops, NULL);
	ok(!err, "the recording is read to its end");
	replay__close(&r);
	close(fd);
	return r.losses.deferred_cnt;
}

static void check(const struct made *data, size_t max_sz, uint64_t without, const char *want,
		  const char *name)
{
	is_u64(replay_of(data, false, max_sz), without, "%s: samples without a user part", name);
	is_str(strbuf__cstr(&seen), want, "%s: samples, in this order", name);
}

static void test_joined(bool swap)
{
	static const uint64_t whole[] = { USER, 0x400123 };
	static struct made m;

	m.sz = 0;
	m.swap = swap;
	put_open(&m, 0x102, 4245, 77);
	put_open(&m, 0x103, 4246, 78);
	put_open(&m, 0x104, 4245, 77);
	put_sample(&m, 0x105, 4245, whole, 2);
	put_user(&m, 0x106, 4245, 77, 3);
	put_user(&m, 0x107, 4246, 78, 2);
	/* Written once for each event that asked. */
	put_user(&m, 0x108, 4246, 78, 2);
	check(&m, 0, 0,
	      "4245/261: U 400123; "
	      "4245/258: K ffffffff81000107 U 400111 400222 400333; "
	      "4245/260: K ffffffff81000109 U 400111 400222 400333; "
	      "4246/259: K ffffffff81000108 U 400111 400222",
	      swap ? "the other byte order" : "joined");
	is_u64(replay_of(&m, true, 0), 0, "a pipe: each sample has its user part");
}

static void test_missing(void)
{
	static struct made m;

	m.sz = 0;
	put_open(&m, 0x102, 4245, 77);
	put_open(&m, 0x103, 4246, 78);
	put_open(&m, 0x104, 4247, 79);
	/* A later stay in the kernel has it: the record of the former was lost. */
	put_user(&m, 0x105, 4245, 88, 3);
	put_exit(&m, 0x106, 4246);
	check(&m, 0, 3,
	      "4245/258: K ffffffff81000107 D 4d; 4246/259: K ffffffff81000108 D 4e; "
	      "4247/260: K ffffffff81000109 D 4f",
	      "missing");
	put_user(&m, 0x107, 4247, 79, 1ULL << 61);
	check(&m, 0, 3,
	      "4245/258: K ffffffff81000107 D 4d; 4246/259: K ffffffff81000108 D 4e; "
	      "4247/260: K ffffffff81000109 D 4f",
	      "more addresses than the record has");
	put_user(&m, 0x108, 4247, 79, 1);
	check(&m, 1, 3,
	      "4245/258: K ffffffff81000107 D 4d; 4246/259: K ffffffff81000108 D 4e; "
	      "4247/260: K ffffffff81000109 D 4f",
	      "no room to wait");
}

/* Threads that share a bucket, taken in any order. */
static void test_buckets(void)
{
	static const uint32_t tids[] = { 5, 5 + DEFERRED_BUCKETS, 5 + 2 * DEFERRED_BUCKETS };
	const struct perf_event_header hdr = { .type = PERF_RECORD_SAMPLE, .size = sizeof(hdr) };
	static struct deferred_chains d;
	struct deferred_sample *held;
	uint64_t bad = 0, cookie;
	size_t i;

	for (cookie = 0; cookie < 9; cookie++)
		bad += deferred_chains__hold(&d, &hdr, tids[cookie % 3], cookie) != 0;
	for (i = 3; i--;) {
		for (cookie = i; cookie < 9; cookie += 3) {
			held = deferred_chains__take(&d, tids[i]);
			bad += !held || held->cookie != cookie;
			free(held);
			if (cookie == i && i)
				bad += deferred_chains__hold(&d, &hdr, tids[0], 9 + i) != 0;
		}
		bad += i && deferred_chains__take(&d, tids[i]) != NULL;
	}
	is_u64(bad, 0, "each thread's samples come in their order");
	for (i = 2; (held = deferred_chains__expire(&d, true)); i--) {
		bad += held->cookie != 9 + i;
		free(held);
	}
	is_u64(bad + i, 0, "the rest comes in order of arrival");
	is_u64(d.sz, 0, "nothing is left");
	deferred_chains__free(&d);
}

int main(void)
{
	test_joined(false);
	test_joined(true);
	test_missing();
	test_buckets();
	strbuf__free(&seen);
	return done_testing();
}
