// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/hist_facts.h"

#include <string.h>

#include <linux/perf_event.h>

#include "profile/hist_entries.h"
#include "util/array.h"
#include "util/page_size.h"
#include "util/strbuf.h"

#define NSEC_PER_SEC 1000000000ull
/* Columns of a number, and of a time. */
#define NUMBER_WIDTH 12

enum kind {
	KIND_TEXT, /* 1 + an index into hist.texts; 0: none, which stands last */
	KIND_UP, /* a number, the smallest first */
	KIND_DOWN, /* a number, the largest first */
	KIND_FUNC, /* 1 + an index into hist.funcs */
};

static const struct {
	const char *heading;
	uint8_t width;
	enum kind kind;
} known[HIST_FACT_CNT] = {
	[HIST_PARENT - HIST_FACTS] = { "Parent symbol", 0, KIND_TEXT },
	[HIST_WEIGHT - HIST_FACTS] = { "Weight", NUMBER_WIDTH, KIND_DOWN },
	[HIST_LOCAL_WEIGHT - HIST_FACTS] = { "Local Weight", NUMBER_WIDTH, KIND_DOWN },
	[HIST_CGROUP - HIST_FACTS] = { "Cgroup", 0, KIND_TEXT },
	[HIST_SOCKET - HIST_FACTS] = { "Socket", 0, KIND_UP },
	[HIST_TIME - HIST_FACTS] = { "Time", NUMBER_WIDTH, KIND_UP },
	[HIST_INS_LAT - HIST_FACTS] = { "INSTR Latency", NUMBER_WIDTH, KIND_DOWN },
	[HIST_LOCAL_INS_LAT - HIST_FACTS] = { "Local INSTR Latency", NUMBER_WIDTH, KIND_DOWN },
	[HIST_SRCFILE - HIST_FACTS] = { "Source File", 0, KIND_TEXT },
	[HIST_ADDR - HIST_FACTS] = { "Address", 18, KIND_UP },
	[HIST_CODE_PAGE_SIZE - HIST_FACTS] = { "Code Page Size", 0, KIND_UP },
	[HIST_TRANSACTION - HIST_FACTS] = { "Transaction                ", 0, KIND_DOWN },
	[HIST_MEM - HIST_FACTS] = { "Memory access", 24, KIND_TEXT },
	[HIST_LOCKED - HIST_FACTS] = { "Locked", 0, KIND_TEXT },
	[HIST_TLB - HIST_FACTS] = { "TLB access", 22, KIND_TEXT },
	[HIST_SNOOP - HIST_FACTS] = { "Snoop", NUMBER_WIDTH, KIND_TEXT },
	[HIST_BLOCKED - HIST_FACTS] = { "Blocked", 10, KIND_TEXT },
	[HIST_SYM_DADDR - HIST_FACTS] = { "Data Symbol", 0, KIND_FUNC },
	[HIST_DSO_DADDR - HIST_FACTS] = { "Data Object", 0, KIND_TEXT },
	[HIST_SYM_IADDR - HIST_FACTS] = { "Code Symbol", 0, KIND_FUNC },
	[HIST_PHYS_DADDR - HIST_FACTS] = { "Data Physical Address", 22, KIND_UP },
	[HIST_DCACHELINE - HIST_FACTS] = { "Data Cacheline", 0, KIND_FUNC },
	[HIST_DATA_PAGE_SIZE - HIST_FACTS] = { "Data Page Size", 22, KIND_UP },
	[HIST_DSO_FROM - HIST_FACTS] = { "Source Shared Object", 0, KIND_TEXT },
	[HIST_DSO_TO - HIST_FACTS] = { "Target Shared Object", 0, KIND_TEXT },
	[HIST_SYM_FROM - HIST_FACTS] = { "Source Symbol", 0, KIND_FUNC },
	[HIST_SYM_TO - HIST_FACTS] = { "Target Symbol", 0, KIND_FUNC },
	[HIST_SRCLINE_FROM - HIST_FACTS] = { "From Source:Line", 0, KIND_TEXT },
	[HIST_SRCLINE_TO - HIST_FACTS] = { "To Source:Line", 0, KIND_TEXT },
	[HIST_MISPREDICT - HIST_FACTS] = { "Branch Mispredicted", 0, KIND_UP },
	[HIST_ABORT - HIST_FACTS] = { "Transaction abort", 0, KIND_UP },
	[HIST_IN_TX - HIST_FACTS] = { "Branch in transaction", 0, KIND_UP },
	[HIST_CYCLES - HIST_FACTS] = { "Basic Block Cycles", 0, KIND_DOWN },
};

bool hist_facts__any(const struct hist_config *cfg)
{
	uint32_t i;

	for (i = 0; i < cfg->key_cnt; i++)
		if (hist_facts__has(cfg->keys[i]))
			return true;
	return false;
}

uint32_t hist_facts__add(struct hist *h, const struct hist_facts *facts)
{
	uint64_t key = 0;
	uint32_t *slot;
	size_t i;

	for (i = 0; i < HIST_FACT_CNT; i++)
		key = u64map__mix(key ^ facts->v[i]) + i;
	while ((slot = u64map__slot(&h->by_facts, key)) && *slot != U64MAP_NONE) {
		if (!memcmp(&h->facts[*slot], facts, sizeof(*facts)))
			return *slot;
		key++;
	}
	if (!slot || h->fact_cnt >= UINT32_MAX - 2)
		return UINT32_MAX;
	if (array__reserve((void **)&h->facts, &h->fact_cap, h->fact_cnt + 1, sizeof(*h->facts)))
		return UINT32_MAX;
	*slot = (uint32_t)h->fact_cnt;
	h->facts[h->fact_cnt] = *facts;
	return (uint32_t)h->fact_cnt++;
}

uint64_t hist_facts__get(const struct hist *h, uint32_t facts, enum hist_key key)
{
	return h->facts[facts].v[key - HIST_FACTS];
}

static const char *text_of(const struct hist *h, uint64_t v)
{
	return texts__get(&h->texts, (uint32_t)v - 1);
}

static const struct hist_func *func_of(const struct hist *h, uint64_t v)
{
	return &h->funcs[v - 1];
}

/* Functions by name, those without one last, by address. */
static int cmp_funcs(const struct hist *h, const struct hist_func *a, const struct hist_func *b)
{
	bool has_a = a->name != TEXTS_NONE, has_b = b->name != TEXTS_NONE;

	if (has_a != has_b)
		return has_a ? -1 : 1;
	if (has_a && a->name != b->name)
		return strcmp(texts__get(&h->texts, a->name), texts__get(&h->texts, b->name));
	return (a->addr > b->addr) - (a->addr < b->addr);
}

int hist_facts__cmp(const struct hist *h, enum hist_key key, uint32_t a, uint32_t b)
{
	uint64_t va = hist_facts__get(h, a, key), vb = hist_facts__get(h, b, key);
	enum kind kind = known[key - HIST_FACTS].kind;

	if (va == vb)
		return 0;
	if (kind == KIND_FUNC && va && vb)
		return cmp_funcs(h, func_of(h, va), func_of(h, vb));
	if (kind == KIND_TEXT && va && vb)
		return strcmp(text_of(h, va), text_of(h, vb));
	if (kind == KIND_TEXT)
		return va ? -1 : 1;
	return (va > vb) == (kind == KIND_UP) ? 1 : -1;
}

const char *hist_facts__heading(enum hist_key key)
{
	return known[key - HIST_FACTS].heading;
}

size_t hist_facts__width(enum hist_key key)
{
	return known[key - HIST_FACTS].width;
}

static void put_func(const struct hist_func *f, char level, const struct hist *h,
		     struct strbuf *out)
{
	strbuf__printf(out, "[%c] ", level);
	if (f->name == TEXTS_NONE)
		strbuf__printf(out, "%#.16llx", (unsigned long long)f->addr);
	else
		strbuf__puts(out, texts__get(&h->texts, f->name));
}

/* perf names no level of an address that is not mapped, and prints the last that it has tried. */
static char level_of(const struct hist_func *f)
{
	return f->level ? f->level : 'H';
}

/* How a transaction ended (PERF_TXN_*), and the code of the program that aborted it. */
static void put_transaction(struct strbuf *out, uint64_t v)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} known_bits[] = {
		{ PERF_TXN_ELISION, "EL " },
		{ PERF_TXN_TRANSACTION, "TX " },
		{ PERF_TXN_SYNC, "SYNC " },
		{ PERF_TXN_ASYNC, "ASYNC " },
		{ PERF_TXN_RETRY, "RETRY " },
		{ PERF_TXN_CONFLICT, "CON " },
		{ PERF_TXN_CAPACITY_WRITE, "CAP-WRITE " },
		{ PERF_TXN_CAPACITY_READ, "CAP-READ " },
	};
	uint64_t code = (v & PERF_TXN_ABORT_MASK) >> PERF_TXN_ABORT_SHIFT;
	size_t i;

	for (i = 0; i < sizeof(known_bits) / sizeof(*known_bits); i++)
		strbuf__puts(out, v & known_bits[i].bit ? known_bits[i].name : "");
	if (v && !(v & (PERF_TXN_SYNC | PERF_TXN_ASYNC)))
		strbuf__puts(out, "NEITHER ");
	if (code)
		strbuf__printf(out, ":%llx", (unsigned long long)code);
}

void hist_facts__put(const struct hist *h, enum hist_key key, const struct hist_entry *e,
		     struct strbuf *out)
{
	uint64_t v = hist_facts__get(h, e->facts, key);

	switch (key) {
	case HIST_PARENT:
		strbuf__puts(out, v ? text_of(h, v) : "[other]");
		break;
	case HIST_CGROUP:
		strbuf__puts(out, v ? text_of(h, v) : "N/A");
		break;
	case HIST_MEM:
	case HIST_LOCKED:
	case HIST_TLB:
	case HIST_SNOOP:
	case HIST_BLOCKED:
	case HIST_DSO_DADDR:
		strbuf__puts(out, text_of(h, v));
		break;
	case HIST_SYM_DADDR:
	case HIST_SYM_IADDR:
		/* The level of an access is that of its sample. */
		put_func(func_of(h, v), e->level, h, out);
		break;
	case HIST_DCACHELINE:
		put_func(func_of(h, v), func_of(h, v)->level, h, out);
		break;
	case HIST_PHYS_DADDR:
		strbuf__printf(out, "[%c] %-#.16llx", e->level, (unsigned long long)v);
		break;
	case HIST_SRCFILE:
		strbuf__puts(out, v ? text_of(h, v) : "");
		break;
	case HIST_ADDR:
		strbuf__printf(out, "%-#18llx", (unsigned long long)(v ^ HIST_ADDR_KERNEL));
		break;
	case HIST_TRANSACTION:
		put_transaction(out, v);
		break;
	case HIST_CODE_PAGE_SIZE:
	case HIST_DATA_PAGE_SIZE:
		page_size__put(out, v);
		break;
	case HIST_INS_LAT:
	case HIST_WEIGHT:
		strbuf__put_u64(out, v * e->own.samples);
		break;
	case HIST_SOCKET:
		/* 0: unknown. */
		strbuf__printf(out, "%6.3d", (int)v - 1);
		break;
	case HIST_TIME:
		strbuf__printf(out, "%llu.%06llu", (unsigned long long)(v / NSEC_PER_SEC),
			       (unsigned long long)(v % NSEC_PER_SEC / 1000));
		break;
	case HIST_DSO_FROM:
	case HIST_DSO_TO:
		strbuf__puts(out, v ? text_of(h, v) : "[unknown]");
		break;
	case HIST_SRCLINE_FROM:
	case HIST_SRCLINE_TO:
		strbuf__puts(out, v ? text_of(h, v) : "??:0");
		break;
	case HIST_SYM_FROM:
	case HIST_SYM_TO:
		if (v)
			put_func(func_of(h, v), level_of(func_of(h, v)), h, out);
		break;
	case HIST_MISPREDICT:
		strbuf__puts(out, v == 1 ? "N" : v == 2 ? "Y" : "N/A");
		break;
	case HIST_ABORT:
		strbuf__puts(out, v ? "A" : ".");
		break;
	case HIST_IN_TX:
		strbuf__puts(out, v ? "T" : ".");
		break;
	case HIST_CYCLES:
		if (v)
			strbuf__put_u64(out, v);
		else
			strbuf__putc(out, '-');
		break;
	default:
		strbuf__put_u64(out, v);
		break;
	}
}
