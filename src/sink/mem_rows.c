// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/mem_rows.h"

#include <errno.h>

#include <linux/perf_event.h>

#include "data/perf_sample.h"
#include "profile/hist_names.h"
#include "sink/script_mem.h"
#include "util/log.h"
#include "util/strbuf.h"

void mem_rows__add_keys(struct hist_config *cfg)
{
	static const enum hist_key keys[] = {
		HIST_LOCAL_WEIGHT, HIST_MEM,       HIST_SYM,           HIST_DSO,
		HIST_SYM_DADDR,    HIST_DSO_DADDR, HIST_SNOOP,         HIST_TLB,
		HIST_LOCKED,       HIST_BLOCKED,   HIST_LOCAL_INS_LAT,
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		cfg->keys[cfg->key_cnt++] = keys[i];
}

int mem_rows__check(const struct hist_config *cfg, const struct attrs *attrs, const char *path)
{
	size_t i;

	if (!cfg->is_memory) {
		if (!hist__has_mem_key(cfg))
			return 0;
		log_error(
			"-s: mem, locked, tlb, snoop, blocked, symbol_daddr, dso_daddr, symbol_iaddr, "
			"phys_daddr, dcacheline and data_page_size are keys of accesses of memory; give "
			"--mem-mode, too");
		return -EINVAL;
	}
	for (i = 0; i < attrs->cnt; i++)
		if (attrs->events[i].attr.sample_type & (PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC))
			return 0;
	log_error("--mem-mode needs accesses of memory, and %s has none; record with -d", path);
	return -EINVAL;
}

/* 1 + the text of a part of data_src. 0: no memory. */
static uint64_t source_text(struct hist_names *names, enum hist_key key, uint64_t data_src)
{
	struct strbuf sb = STRBUF_INIT;
	uint32_t text;

	script_mem__put_part(&sb,
			     key == HIST_MEM      ? SCRIPT_MEM_LEVEL
			     : key == HIST_SNOOP  ? SCRIPT_MEM_SNOOP
			     : key == HIST_TLB    ? SCRIPT_MEM_TLB
			     : key == HIST_LOCKED ? SCRIPT_MEM_LOCK
						  : SCRIPT_MEM_BLOCK,
			     data_src);
	text = texts__add(&names->hist->texts, strbuf__cstr(&sb), sb.len);
	strbuf__free(&sb);
	return text == TEXTS_NONE ? 0 : 1 + (uint64_t)text;
}

/* 1 + the function that stands for an address; 0: no memory. */
static uint64_t place(struct hist_names *names, const struct sample *s, uint64_t addr)
{
	bool is_kernel = s->perf->cpumode == PERF_RECORD_MISC_KERNEL;
	uint32_t func = hist_names__data(names, s->pid, addr, is_kernel);

	return func == UINT32_MAX ? 0 : 1 + (uint64_t)func;
}

/* Returns false without memory. */
static bool set_key(struct hist_names *names, const struct sample *s, enum hist_key key,
		    uint64_t *v)
{
	const struct perf_sample *p = s->perf;
	struct hist *h = names->hist;

	switch (key) {
	case HIST_MEM:
	case HIST_LOCKED:
	case HIST_TLB:
	case HIST_SNOOP:
	case HIST_BLOCKED:
		*v = source_text(names, key, p->have & PERF_SAMPLE_DATA_SRC ? p->data_src : 0);
		return *v;
	case HIST_SYM_DADDR:
		*v = place(names, s, p->addr);
		return *v;
	case HIST_SYM_IADDR:
		*v = place(names, s, p->ip);
		return *v;
	case HIST_DCACHELINE:
		*v = 1 + (uint64_t)hist_names__line(names, s->pid, p->addr,
						    p->cpumode == PERF_RECORD_MISC_KERNEL);
		return *v <= UINT32_MAX;
	case HIST_DSO_DADDR:
		*v = place(names, s, p->addr);
		if (*v)
			*v = 1 + (uint64_t)h->funcs[*v - 1].dso;
		return *v;
	case HIST_PHYS_DADDR:
		*v = p->have & PERF_SAMPLE_PHYS_ADDR ? p->phys_addr : 0;
		return true;
	case HIST_DATA_PAGE_SIZE:
		*v = p->have & PERF_SAMPLE_DATA_PAGE_SIZE ? p->data_page_sz : 0;
		return true;
	default:
		return true;
	}
}

uint64_t mem_rows__weight(const struct sample *s)
{
	uint64_t weight = perf_sample__weight(s->perf);

	return weight ? weight : 1;
}

int mem_rows__set(struct hist_names *names, const struct sample *s, struct hist_sample *hs,
		  struct hist_facts *facts)
{
	const struct hist_config *cfg = &names->hist->cfg;
	uint32_t i;

	hs->period = mem_rows__weight(s);
	for (i = 0; i < cfg->key_cnt; i++)
		if (cfg->keys[i] >= HIST_MEMORY && cfg->keys[i] < HIST_BRANCH &&
		    !set_key(names, s, cfg->keys[i], &facts->v[cfg->keys[i] - HIST_FACTS]))
			return -ENOMEM;
	return 0;
}
