// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/off_before.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "decode/sample.h"
#include "decode/stack_dump.h"
#include "reader/reader.h"
#include "run/callstacks.h"
#include "sym/jit_map.h"
#include "sym/sym.h"
#include "util/array.h"
#include "util/mono.h"
#include "util/remote_memory.h"

/* Bytes of each user stack: twice the default of perf record --call-graph dwarf. */
#define COPY_SZ 16384

/* User stacks are unwound on these two architectures; others have the kernel stack alone. */
#if defined(__x86_64__) || defined(__aarch64__)
#define HAS_USER_STACKS true
#else
#define HAS_USER_STACKS false
#endif

#ifdef __aarch64__
#define IS_ARM64 true
#define REG_SP 31
#define REG_FP 29
#define REG_PC UNWIND_ARM64_PC
#else
#define IS_ARM64 false
#define REG_SP 7
#define REG_FP 6
#define REG_PC UNWIND_X86_64_PC
#endif

struct off_before_thread {
	struct stack_copy copy;
	int16_t kern_sz; /* bytes, or -errno */
	bool is_defined;
	uint32_t tid;
	uint64_t kern[]; /* followed by the copy of the user stack */
};

void off_before__init(struct off_before *b, struct callstacks *callstacks)
{
	*b = (struct off_before){ .by_tid = U64MAP_INIT, .callstacks = callstacks };
}

void off_before__free(struct off_before *b)
{
	while (b->cnt)
		free(b->at[--b->cnt]);
	free(b->at);
	u64map__free(&b->by_tid);
	stack_dump__free(b->dump);
	*b = (struct off_before){ .by_tid = U64MAP_INIT };
}

/* Copies the stack as far as it is mapped. Returns bytes; 0: it cannot be read. */
static size_t copy_stack(const struct stack_copy *copy, uint8_t *to)
{
	uint64_t sp = copy->regs[REG_SP];
	struct iovec remote[COPY_SZ / 4096 + 1];
	size_t cnt = 0, at = 0, sz;
	ssize_t n;

	/* A transfer ends before the first element that cannot be read whole. */
	while (at < COPY_SZ) {
		sz = 4096 - (sp + at) % 4096;
		if (sz > COPY_SZ - at)
			sz = COPY_SZ - at;
		remote[cnt++] = (struct iovec){ (void *)(uintptr_t)(sp + at), sz };
		at += sz;
	}
	n = remote_memory__read(copy->pid, remote, cnt, to);
	return n > 0 ? (size_t)n : 0;
}

static struct off_before_thread *copy_thread(const struct off_before *b,
					     const struct wire_before *before)
{
	size_t kern_sz = before->kern_sz > 0 ? (size_t)before->kern_sz : 0;
	size_t user_sz = HAS_USER_STACKS && before->has_regs && b->user_depth ? COPY_SZ : 0;
	struct off_before_thread *t = malloc(sizeof(*t) + kern_sz + user_sz), *smaller;

	if (!t)
		return NULL;
	*t = (struct off_before_thread){
		.copy = { .pid = (int32_t)before->tgid, .is_arm64 = IS_ARM64 },
		.kern_sz = before->kern_sz,
		.tid = before->tid,
	};
	memcpy(t->kern, before->kern, kern_sz);
	if (user_sz) {
		stack_dump__take_pt_regs(IS_ARM64, (const void *)before->regs, WIRE_REGS_MAX,
					 t->copy.regs);
		user_sz = copy_stack(&t->copy, (uint8_t *)t->kern + kern_sz);
	}
	t->copy.stack_sz = user_sz;
	smaller = realloc(t, sizeof(*t) + kern_sz + user_sz);
	t = smaller ? smaller : t;
	t->copy.stack = (uint8_t *)t->kern + kern_sz;
	return t;
}

int off_before__add(void *ctx, const struct wire_before *before)
{
	struct off_before *b = ctx;
	struct off_before_thread *t;
	uint32_t *slot;

	if (before->kern_sz > (int)(before->sz - offsetof(struct wire_before, kern)))
		return 0;
	if (array__reserve((void **)&b->at, &b->cap, b->cnt + 1, sizeof(*b->at)))
		return -ENOMEM;
	t = copy_thread(b, before);
	slot = t ? u64map__slot(&b->by_tid, before->tid) : NULL;
	if (!slot) {
		free(t);
		return -ENOMEM;
	}
	*slot = (uint32_t)b->cnt;
	b->at[b->cnt++] = t;
	return 0;
}

/* Follows frame pointers as the kernel does. Returns the number of addresses. */
static size_t follow_fp(const struct stack_copy *copy, uint64_t *addrs, size_t max)
{
	uint64_t fp = copy->regs[REG_FP], sp = copy->regs[REG_SP], frame[2];
	size_t cnt = 0;

	addrs[cnt++] = copy->regs[REG_PC];
	while (cnt < max && fp >= sp && !(fp % 8) && fp - sp + sizeof(frame) <= copy->stack_sz) {
		memcpy(frame, copy->stack + (fp - sp), sizeof(frame));
		if (!frame[1])
			break;
		addrs[cnt++] = frame[1];
		if (frame[0] <= fp)
			break;
		fp = frame[0];
	}
	return cnt;
}

/* Walks the user stack by tables. Returns the number of addresses; callers are return addresses. */
static size_t walk_tables(struct off_before *b, const struct stack_copy *copy, uint64_t *addrs,
			  size_t max)
{
	size_t cnt, i;

	if (!b->dump)
		b->dump = stack_dump__new(b->callstacks->sym, NULL);
	cnt = b->dump ? stack_dump__walk(b->dump, copy, addrs, max) : 0;
	/* A return address of 0 is the end. */
	if (cnt && addrs[cnt - 1] == UINT64_MAX)
		cnt--;
	for (i = 1; i < cnt; i++)
		addrs[i]++;
	return cnt;
}

/* Lets a thread of sym read the names before the end. */
static void announce(const struct off_before *b, const struct off_before_thread *t, uint64_t *user,
		     size_t cnt)
{
	const struct callchain chain = { .user = user, .user_cnt = (uint16_t)cnt };
	struct sym *sym = b->callstacks->sym;
	size_t i;

	for (i = 0; i < cnt; i++)
		sym__will_name(sym, sym__place(sym, t->copy.pid, callchain__user_in(&chain, i)));
}

static void define(struct off_before *b, const struct off_before_thread *t, uint64_t id)
{
	struct wire_stack_def def = { .head.kind = WIRE_STACK_DEF, .id = id };
	size_t kern_sz = t->kern_sz > 0 ? (size_t)t->kern_sz : 0, cnt = 0;
	uint64_t *user = (void *)&def.addrs[kern_sz / sizeof(uint64_t)];

	memcpy(def.addrs, t->kern, kern_sz);
	if (t->copy.stack_sz)
		cnt = b->by_fp ? follow_fp(&t->copy, user, b->user_depth)
			       : walk_tables(b, &t->copy, user, b->user_depth);
	def.kern_sz = t->kern_sz;
	def.user_sz = (__s16)(cnt * sizeof(uint64_t));
	def.head.sz =
		(__u16)(offsetof(struct wire_stack_def, addrs) + kern_sz + cnt * sizeof(uint64_t));
	if (!callstacks__define(b->callstacks, &def.head))
		announce(b, t, user, cnt);
}

static void define_once(struct off_before *b, struct off_before_thread *t)
{
	if (t->is_defined)
		return;
	t->is_defined = true;
	define(b, t, WIRE_STACK_BEFORE << 32 | t->tid);
}

/* Tables of other users' files may take long to read: they wait for the end, which has a limit. */
static bool is_trusted(int32_t pid)
{
	struct jit_owner owner;

	/* The directory /proc/PID of a process that is not dumpable belongs to root. */
	return jit_owner__read(&owner, pid) && reader__is_trusted(owner.uid);
}

void off_before__go_ahead(struct off_before *b, uint64_t until_ns)
{
	struct off_before_thread *t;

	while (b->looked_at < b->cnt && mono_ns() < until_ns) {
		t = b->at[b->looked_at++];
		if (is_trusted(t->copy.pid))
			define_once(b, t);
	}
}

bool off_before__define(struct off_before *b, uint64_t id)
{
	uint32_t i;

	if (id >> 32 != WIRE_STACK_BEFORE)
		return false;
	i = u64map__get(&b->by_tid, (uint32_t)id);
	if (i != U64MAP_NONE)
		define_once(b, b->at[i]);
	return true;
}
