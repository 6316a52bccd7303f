// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/profile.h"

#include <unistd.h>

#include "event/event.h"
#include "sink/out.h"
#include "sink/profile_tree.h"
#include "sink/sink.h"
#include "tap.h"

extern const struct sink_ops folded_sink, tree_sink;

/* Functions whose addresses stacks are made of: far enough into them to be "called from". */
__attribute__((noinline)) static int outer(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 3;
}

__attribute__((noinline)) static int middle(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 5;
}

__attribute__((noinline)) static int inner(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 7;
}

#define AT(fn) ((uint64_t)(uintptr_t)(fn) + 2)

static struct sample sample_of(const char *comm, const uint64_t *user, uint16_t cnt)
{
	return (struct sample){
		.pid = getpid(),
		.tid = getpid(),
		.comm = comm,
		.period = 10,
		.chain.user = user,
		.chain.user_cnt = cnt,
	};
}

static void test_content(struct sym *sym)
{
	uint64_t a[] = { AT(inner), AT(middle), AT(outer) }, b[] = { AT(middle), AT(outer) };
	struct sample s = sample_of("one", a, 3);
	struct profile p;

	profile__init(&p, sym);
	profile__add(&p, &s);
	profile__add(&p, &s);
	is_u64(p.stack_cnt, 1, "the same stack is the same");
	is_u64(p.stacks[0].samples, 2, "counted twice");
	is_u64(p.stacks[0].period, 20, "periods are summed up");
	s.comm = "two";
	profile__add(&p, &s);
	is_u64(p.stack_cnt, 2, "another thread's name");
	s = sample_of("one", b, 2);
	profile__add(&p, &s);
	is_u64(p.stack_cnt, 3, "a shorter stack");
	s.chain.kern = b;
	s.chain.kern_cnt = 2;
	s.chain.user_cnt = 0;
	profile__add(&p, &s);
	is_u64(p.stack_cnt, 4, "the same addresses in the kernel");
	s.chain.truncated = true;
	profile__add(&p, &s);
	is_u64(p.stack_cnt, 5, "and cut");
	is_u64(p.samples, 6, "all samples");
	is_u64(p.period, 60, "all periods");
	profile__free(&p);
}

/* Two stacks whose hashes are the same are told apart by their content. */
static void test_collision(struct sym *sym)
{
	uint64_t a[] = { AT(inner) }, b[] = { AT(middle) };
	struct sample sa = sample_of("x", a, 1), sb = sample_of("x", b, 1);
	struct profile p;
	uint64_t key;

	profile__init(&p, sym);
	profile__add(&p, &sb);
	key = p.stacks[0].hash;
	profile__free(&p);

	profile__init(&p, sym);
	profile__add(&p, &sa);
	/* As if `a` had come to stand where `b` belongs, with its hash. */
	*u64map__slot(&p.by_hash, key) = 0;
	p.stacks[0].hash = key;
	profile__add(&p, &sb);
	is_u64(p.stack_cnt, 2, "a collision loses nothing");
	is_u64(p.stacks[0].samples, 1, "the first keeps its count");
	is_u64(p.stacks[1].samples, 1, "the second has its own");
	profile__add(&p, &sb);
	is_u64(p.stacks[1].samples, 2, "and is found again");
	profile__free(&p);
}

static void test_many(struct sym *sym)
{
	uint64_t kern[4] = { 0 };
	struct sample s = sample_of("many", NULL, 0);
	struct profile p;
	unsigned int i;

	profile__init(&p, sym);
	s.chain.kern = kern;
	s.chain.kern_cnt = 4;
	for (i = 0; i < 30000; i++) {
		kern[i % 4] = i % 10000 * 16 + 1;
		kern[(i + 1) % 4] = kern[(i + 2) % 4] = kern[(i + 3) % 4] = 1;
		profile__add(&p, &s);
	}
	is_u64(p.samples, 30000, "30,000 samples");
	is_u64(p.stack_cnt, 10000, "as many stacks as there are");
	profile__free(&p);
}

/* A sink's output for five samples. */
static char *print(struct sym *sym, const struct sink_ops *ops)
{
	uint64_t a[] = { AT(inner), AT(middle), AT(outer) }, b[] = { AT(outer) };
	uint64_t lost[] = { 1, 2, 3, AT(outer) };
	struct sink_config cfg = { .sym = sym };
	struct sample s = sample_of("a;b\n", a, 3);
	struct event event = { .name = "cpu-clock" };
	struct sink *sink;
	struct out out = { .fd = -1 };
	char *text;

	sink = sink__new(ops, &out, &cfg);
	sink__begin(sink);
	s.event = &event;
	sink__sample(sink, &s);
	sink__sample(sink, &s);
	s.chain.user = b;
	s.chain.user_cnt = 1;
	sink__sample(sink, &s);
	s.comm = "kthread";
	s.chain.user_cnt = 0;
	sink__sample(sink, &s);
	s.chain.user = lost;
	s.chain.user_cnt = 4;
	s.chain.truncated = true;
	sink__sample(sink, &s);
	sink__end(sink);
	text = strdup(strbuf__cstr(&out.buf));
	sink__free(sink);
	strbuf__free(&out.buf);
	return text;
}

static void test_folded(struct sym *sym)
{
	char *text = print(sym, &folded_sink);

	is_str(text,
	       "a:b\\n;outer 1\n"
	       "a:b\\n;outer;middle;inner 2\n"
	       "kthread 1\n"
	       "kthread;[truncated];outer;[unknown] 1\n",
	       "folded");
	free(text);
}

static void test_tree(struct sym *sym)
{
	char *text = print(sym, &tree_sink);

	is_str(text,
	       "# 5 samples of cpu-clock, 0 lost\n"
	       "# total      self   samples  thread, stack\n"
	       " 60.00%     0.00%         3  a;b\\n\n"
	       " 60.00%    20.00%         3    outer\n"
	       " 40.00%    40.00%         2      middle > inner\n"
	       " 40.00%    20.00%         2  kthread\n"
	       " 20.00%    20.00%         1    [truncated] > outer > [unknown]\n",
	       "tree");
	free(text);
}

int main(void)
{
	struct sym *sym = sym__new();

	test_content(sym);
	test_collision(sym);
	test_many(sym);
	test_folded(sym);
	test_tree(sym);
	is_s64(outer(1) + middle(1) + inner(1), 15, "the functions are used");
	sym__free(sym);
	return done_testing();
}
