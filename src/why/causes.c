// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Time on a CPU is split by samples: all steps on a CPU of equally named threads that the same wait
 * depended on are one pool: its time is shared out in proportion to the samples in it.
 */
#include "why/causes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "why/names.h"

/* A pool is a cause without a function, which is split when all steps are known. */
#define POOL WHY_KINDS

void why_causes__init(struct why_causes *c)
{
	*c = (struct why_causes){
		.by_key = U64MAP_INIT,
		.by_step = U64MAP_INIT,
		.by_owner = U64MAP_INIT,
	};
}

void why_causes__free(struct why_causes *c)
{
	free(c->at);
	free(c->owners);
	u64map__free(&c->by_key);
	u64map__free(&c->by_step);
	u64map__free(&c->by_owner);
	why_causes__init(c);
}

/* The name of a soft interrupt, as in /proc/softirqs. */
static const char *softirq_name(unsigned int nr)
{
	static const char *const names[] = { "HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
					     "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };

	return nr < sizeof(names) / sizeof(names[0]) ? names[nr] : "?";
}

static uint64_t mix_text(uint64_t h, const char *text)
{
	return u64map__mix(h ^ (uintptr_t)text);
}

/* Threads of one name that did one thing are one cause. */
static uint64_t key_of(const struct why_cause *k, unsigned int kind)
{
	uint64_t h = u64map__mix((uint64_t)kind << 8 | (uint64_t)k->waiter_kind);

	h = mix_text(h ^ (uint64_t)k->after << 16, k->comm);
	h = mix_text(h, k->function);
	h = mix_text(h, k->caller);
	h = mix_text(h, k->call);
	h = mix_text(h, k->file);
	h = mix_text(h, k->waiter_function);
	return mix_text(h, k->waiter_call);
}

/* Finds or adds the cause. key: kind, or POOL. NULL: no memory. The pointer is valid until then. */
static struct why_cause *find(struct why_causes *c, const struct why_cause *k, unsigned int kind)
{
	uint32_t *slot = u64map__slot(&c->by_key, key_of(k, kind));
	struct why_cause *cause;

	if (!slot)
		return NULL;
	if (*slot == U64MAP_NONE) {
		if (array__reserve((void **)&c->at, &c->cap, c->cnt + 1, sizeof(*c->at)))
			return NULL;
		*slot = (uint32_t)c->cnt;
		c->at[c->cnt++] = *k;
	}
	cause = &c->at[*slot];
	cause->has_more_threads |= cause->thread != k->thread;
	return cause;
}

static void set_place(struct why_timeline *tl, struct why_cause *k, uint32_t stack)
{
	const struct why_stack *s = why_stacks__describe(&tl->stacks, stack);

	if (!s)
		return;
	k->function = s->function;
	k->caller = s->caller;
	k->call = s->call;
	k->syscall = s->syscall;
}

static void set_waiter(struct why_timeline *tl, struct why_cause *k, uint32_t waiter)
{
	const struct why_absence *a = why_timeline__absence(tl, waiter);
	const struct why_stack *s = a ? why_stacks__describe(&tl->stacks, a->stack) : NULL;

	/* That a thread waits for others to end says nothing about what they do. */
	if (!a || (a->blocked == WHY_FUTEX && s && strstr(s->call, "join")))
		return;
	k->waiter_kind = (enum why_kind)a->blocked;
	s = why_kind__is_anywhere(k->waiter_kind) ? NULL : s;
	k->waiter_comm = why_names__get(tl, a->thread);
	k->waiter_function = s ? s->function : k->waiter_function;
	k->waiter_caller = s ? s->caller : k->waiter_caller;
	k->waiter_call = s ? s->call : k->waiter_call;
}

static struct why_cause new_cause(struct why_timeline *tl, const struct why_step *step)
{
	const char *none = tl->stacks.none;
	struct why_cause k = {
		.kind = (enum why_kind)step->kind,
		.comm = why_names__get(tl, step->thread),
		.function = none,
		.caller = none,
		.call = none,
		.file = none,
		.syscall = none,
		.waiter_kind = WHY_UNKNOWN,
		.waiter_comm = none,
		.waiter_function = none,
		.waiter_caller = none,
		.waiter_call = none,
		.thread = step->thread,
		.place_percent = 100,
	};

	set_waiter(tl, &k, step->waiter);
	return k;
}

/* The wait that a step of an idle CPU's delay ended; WHY_USER: the step is not of that kind. */
static enum why_kind delayed(const struct why_step *step, const struct why_absence *a)
{
	bool is_idle = step->kind == WHY_WOKEN && a->instead == WHY_NONE;

	return is_idle && a->woken_ns > a->start_ns ? (enum why_kind)a->blocked : WHY_USER;
}

/* Steps that are alike in this have one cause: finding it by that is faster than by its texts. */
static uint64_t likeness(struct why_timeline *tl, const struct why_step *step)
{
	const struct why_absence *a = why_timeline__absence(tl, step->absence);
	const struct why_absence *waiter = why_timeline__absence(tl, step->waiter);
	bool is_on_cpu = why_kind__is_on_cpu((enum why_kind)step->kind);
	uint64_t h = mix_text(u64map__mix(step->kind), why_names__get(tl, step->thread));

	if (!is_on_cpu && a)
		h = u64map__mix(h ^ ((uint64_t)a->stack << 32 | a->file)) + delayed(step, a);
	if (waiter)
		h = mix_text(u64map__mix(h ^ waiter->stack), why_names__get(tl, waiter->thread)) +
		    waiter->blocked;
	return h;
}

static void set_absence(struct why_timeline *tl, struct why_cause *k, uint32_t stack, uint32_t file)
{
	if (!why_kind__is_anywhere(k->kind))
		set_place(tl, k, stack);
	if (!why_kind__is_blocked(k->kind))
		k->call = tl->stacks.none; /* it left the CPU anywhere */
	if (file != TEXTS_NONE && (why_kind__is_blocked(k->kind) || k->after != WHY_USER))
		k->file = texts__get(&tl->stacks.texts, file);
}

/* The cause of the step, or its pool, without a new one for each step. NULL: no memory. */
static struct why_cause *find_alike(struct why_causes *c, struct why_timeline *tl,
				    const struct why_step *step)
{
	uint32_t *slot = u64map__slot(&c->by_step, likeness(tl, step));
	const struct why_absence *a = why_timeline__absence(tl, step->absence);
	bool is_on_cpu = why_kind__is_on_cpu((enum why_kind)step->kind);
	struct why_cause k, *cause;

	if (!slot)
		return NULL;
	if (*slot != U64MAP_NONE) {
		cause = &c->at[*slot];
		cause->has_more_threads |= cause->thread != step->thread;
		return cause;
	}
	k = new_cause(tl, step);
	k.after = a && !is_on_cpu ? delayed(step, a) : WHY_USER;
	if (!is_on_cpu && a)
		set_absence(tl, &k, a->stack, a->file);
	cause = find(c, &k, is_on_cpu ? POOL : k.kind);
	if (cause)
		*slot = (uint32_t)(cause - c->at);
	return cause;
}

/* The part that a step on a CPU has of what ns the whole turn on the CPU had. */
static uint64_t part_of_turn(const struct why_timeline *tl, const struct why_step *step,
			     const struct why_absence *next, uint64_t part_ns)
{
	const struct why_absence *before = why_timeline__absence(tl, next->prev);
	uint64_t since = before ? before->end_ns : tl->threads[step->thread].begin_ns;
	uint64_t turn = next->start_ns - since, ns = step->end_ns - step->begin_ns;

	if (!part_ns || next->start_ns <= since)
		return 0;
	if (ns < turn)
		return (uint64_t)((double)part_ns * (double)ns / (double)turn);
	return part_ns < ns ? part_ns : ns;
}

static int add_part(struct why_causes *c, const struct why_cause *k, uint64_t ns)
{
	struct why_cause *cause = ns ? find(c, k, k->kind) : NULL;

	if (!ns)
		return 0;
	if (!cause)
		return -ENOMEM;
	cause->ns += ns;
	cause->step_cnt++;
	return 0;
}

/* Interrupts, and the hypervisor. *ns: the time of both in the step. */
static int add_interrupts(struct why_causes *c, struct why_timeline *tl,
			  const struct why_step *step, uint64_t *ns)
{
	const struct why_absence *next = why_timeline__absence(tl, step->absence);
	uint64_t interrupts_ns, stolen_ns;
	struct why_cause k;
	int err;

	*ns = 0;
	if (!next || !(next->interrupts_ns || why_absence__stolen_ns(next)))
		return 0;
	interrupts_ns = part_of_turn(tl, step, next, next->interrupts_ns);
	stolen_ns = part_of_turn(tl, step, next, why_absence__stolen_ns(next));
	if (stolen_ns > step->end_ns - step->begin_ns - interrupts_ns)
		stolen_ns = step->end_ns - step->begin_ns - interrupts_ns;
	*ns = interrupts_ns + stolen_ns;
	k = new_cause(tl, step);
	k.kind = WHY_STEAL;
	err = add_part(c, &k, stolen_ns);
	k.kind = next->softirq == WHY_HARD_IRQ ? WHY_IRQ : WHY_SOFTIRQ;
	if (k.kind == WHY_SOFTIRQ)
		k.function = why_names__intern(tl, softirq_name(next->softirq));
	return err ? err : add_part(c, &k, interrupts_ns);
}

static int add_samples(struct why_causes *c, struct why_timeline *tl, const struct why_step *step,
		       uint32_t idx)
{
	const struct why_cause pool = new_cause(tl, step);
	const struct why_sample *s;

	for (; (s = why_timeline__sample(tl, idx)) && s->time_ns > step->begin_ns; idx = s->prev) {
		const struct why_stack *stack = why_stacks__get(&tl->stacks, s->stack);
		enum why_kind kind = stack ? stack->facts.on_cpu : WHY_USER;
		struct why_cause k = pool, *cause;

		if (kind == WHY_SOFTIRQ)
			continue;
		set_place(tl, &k, s->stack);
		k.kind = WHY_USER;
		/* One function's own time, and the calls it makes, are one cause. */
		k.call = pool.call;
		cause = find(c, &k, WHY_USER);
		if (!cause)
			return -ENOMEM;
		cause->sample_cnt++;
		cause->samples[kind]++;
		cause->memory_samples += stack && (stack->facts.blocked == WHY_SWAP ||
						   stack->facts.blocked == WHY_RECLAIM);
		if (*k.syscall)
			why_calls__add(cause->calls, k.syscall, 1);
	}
	return 0;
}

static int add_on_cpu(struct why_causes *c, struct why_timeline *tl, const struct why_index *ix,
		      const struct why_step *step)
{
	uint32_t sample = why_index__sample_until(ix, step->thread, step->end_ns);
	const struct why_sample *last = why_timeline__sample(tl, sample);
	struct why_cause *pool;
	uint64_t interrupts_ns;
	int err = add_interrupts(c, tl, step, &interrupts_ns);

	pool = err ? NULL : find_alike(c, tl, step);
	if (!pool)
		return -ENOMEM;
	pool->ns += step->end_ns - step->begin_ns - interrupts_ns;
	pool->step_cnt++;
	if (!last || last->time_ns <= step->begin_ns)
		return 0;
	return add_samples(c, tl, step, sample);
}

static int add_owner(struct why_causes *c, uint32_t cause, const char *name, uint64_t ns)
{
	uint32_t *slot = u64map__slot(&c->by_owner, mix_text(u64map__mix(cause), name));

	if (!slot)
		return -ENOMEM;
	if (*slot == U64MAP_NONE) {
		if (array__reserve((void **)&c->owners, &c->owner_cap, c->owner_cnt + 1,
				   sizeof(*c->owners)))
			return -ENOMEM;
		*slot = (uint32_t)c->owner_cnt;
		c->owners[c->owner_cnt++] = (struct why_owner){ cause, { name, 0 } };
	}
	c->owners[*slot].instead.ns += ns;
	return 0;
}

static int add_off_cpu(struct why_summing *sum, const struct why_step *step)
{
	struct why_causes *c = sum->causes;
	struct why_timeline *tl = sum->tl;
	const struct why_absence *a = why_timeline__absence(tl, step->absence);
	struct why_cause *cause = find_alike(c, tl, step);
	uint64_t ns = step->end_ns - step->begin_ns, covered_ns;

	if (!cause)
		return -ENOMEM;
	covered_ns = why_quota__covered_ns(&sum->quota, step, (size_t)(cause - c->at));
	if (covered_ns)
		c->at[sum->quota.cause].covered_ns += covered_ns;
	cause->ns += ns;
	cause->step_cnt++;
	if (!a || why_kind__is_blocked(cause->kind))
		return 0;
	return add_owner(c, (uint32_t)(cause - c->at), why_names__get(tl, a->instead), ns);
}

static void count_hop(struct why_summing *sum, const struct why_step *step)
{
	const struct why_absence *a = why_timeline__absence(sum->tl, step->waiter);

	if (!a || step->waiter == sum->last_waiter)
		return;
	sum->last_waiter = step->waiter;
	sum->causes->hop_cnt++;
	sum->causes->hops[a->blocked]++;
}

int why_causes__add_step(void *ctx, const struct why_step *step)
{
	struct why_summing *sum = ctx;

	sum->causes->total_ns += step->end_ns - step->begin_ns;
	count_hop(sum, step);
	return why_kind__is_on_cpu((enum why_kind)step->kind)
		       ? add_on_cpu(sum->causes, sum->tl, sum->ix, step)
		       : add_off_cpu(sum, step);
}

static int add_wait(struct why_causes *c, struct why_timeline *tl, const struct why_wait *w)
{
	const struct why_step step = {
		.thread = w->thread,
		.waiter = WHY_NONE,
		.kind = (uint8_t)w->kind,
	};
	struct why_cause k = new_cause(tl, &step), *cause;

	set_absence(tl, &k, w->stack, w->file);
	cause = find(c, &k, k.kind);
	if (!cause)
		return -ENOMEM;
	cause->ns += w->ns;
	cause->step_cnt += w->cnt;
	if (why_kind__is_blocked(k.kind))
		return 0;
	return add_owner(c, (uint32_t)(cause - c->at), why_names__get(tl, w->instead), w->ns);
}

int why_causes__add_waits(struct why_causes *c, struct why_timeline *tl)
{
	size_t i;
	int err = 0;

	for (i = 0; i < tl->waits.cnt && !err; i++)
		err = add_wait(c, tl, &tl->waits.at[i]);
	return err;
}

/* Is the cause a part of that pool's time? */
static bool is_of_pool(const struct why_cause *k, const struct why_cause *pool)
{
	return k->sample_cnt && k->comm == pool->comm && k->waiter_kind == pool->waiter_kind &&
	       k->waiter_function == pool->waiter_function && k->waiter_call == pool->waiter_call;
}

static enum why_kind kind_of_samples(const struct why_cause *k)
{
	enum why_kind most = WHY_USER, kind;

	for (kind = WHY_USER; kind <= WHY_SPIN; kind++)
		if (k->samples[kind] > k->samples[most])
			most = kind;
	return most;
}

static void share_out(struct why_causes *c, struct why_cause *pool)
{
	uint64_t samples = 0;
	size_t i;

	for (i = 0; i < c->cnt; i++)
		if (is_of_pool(&c->at[i], pool))
			samples += c->at[i].sample_cnt;
	if (!samples)
		return;
	for (i = 0; i < c->cnt; i++) {
		struct why_cause *k = &c->at[i];
		double share = (double)k->sample_cnt / (double)samples;

		if (!is_of_pool(k, pool))
			continue;
		k->ns = (uint64_t)((double)pool->ns * share);
		k->step_cnt = pool->step_cnt;
		k->kind = kind_of_samples(k);
		/* The pool has no call. */
		k->syscall = why_calls__most(k, pool->syscall);
	}
	pool->ns = 0;
}

/* Keeps those that had the CPU for longest. */
static void set_insteads(struct why_causes *c)
{
	size_t i, k, more;

	for (i = 0; i < c->owner_cnt; i++) {
		struct why_instead *at = c->at[c->owners[i].cause].instead;

		for (k = 0; k < WHY_INSTEADS && at[k].ns >= c->owners[i].instead.ns; k++)
			;
		for (more = WHY_INSTEADS; more-- > k + 1;)
			at[more] = at[more - 1];
		if (k < WHY_INSTEADS)
			at[k] = c->owners[i].instead;
	}
}

static int compare(const void *a, const void *b)
{
	const struct why_cause *x = a, *y = b;

	return x->ns < y->ns ? 1 : x->ns > y->ns ? -1 : 0;
}

/* A delay is a part of the wait before it, unless the wait is next to nothing beside it. */
static void settle_delay(const struct why_causes *c, struct why_cause *k)
{
	uint64_t wait_ns = 0;
	size_t i;

	for (i = 0; i < c->cnt; i++)
		if (why_cause__is_delay_of(k, &c->at[i]))
			wait_ns += c->at[i].ns;
	if (wait_ns < k->ns / 4)
		k->after = WHY_USER;
}

bool why_cause__is_delay_of(const struct why_cause *k, const struct why_cause *wait)
{
	return k->after != WHY_USER && k->after == wait->kind && k->comm == wait->comm &&
	       k->function == wait->function && k->file == wait->file;
}

int why_causes__finish(struct why_causes *c)
{
	size_t i;

	for (i = 0; i < c->cnt; i++) {
		struct why_cause *k = &c->at[i];

		/* A pool has time and no samples of its own. */
		if (k->kind == WHY_USER && !k->sample_cnt)
			share_out(c, k);
	}
	set_insteads(c);
	if (c->cnt)
		qsort(c->at, c->cnt, sizeof(*c->at), compare);
	while (c->cnt && !c->at[c->cnt - 1].ns)
		c->cnt--;
	for (i = 0; i < c->cnt; i++)
		if (c->at[i].after != WHY_USER)
			settle_delay(c, &c->at[i]);
	u64map__free(&c->by_key);
	u64map__free(&c->by_step);
	u64map__free(&c->by_owner);
	free(c->owners);
	c->owners = NULL;
	return 0;
}
