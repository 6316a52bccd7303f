// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "annotate/counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sym/sym.h"
#include "util/array.h"

static bool is_same_addr(const struct addr_count *a, const struct addr_count *b)
{
	return a->place == b->place && a->event == b->event && a->is_kernel == b->is_kernel;
}

int addr_counts__add(struct addr_counts *c, const struct addr_count *sample)
{
	uint64_t key = u64map__mix(sample->place ^
				   u64map__mix((uint64_t)sample->event << 1 | sample->is_kernel));
	uint32_t *slot;

	while ((slot = u64map__slot(&c->by_key, key)) && *slot != U64MAP_NONE) {
		if (is_same_addr(&c->addrs[*slot], sample)) {
			c->addrs[*slot].samples += sample->samples;
			c->addrs[*slot].period += sample->period;
			return 0;
		}
		key++;
	}
	if (!slot || c->cnt >= UINT32_MAX - 2)
		return -ENOMEM;
	*slot = U64MAP_NONE;
	if (array__reserve((void **)&c->addrs, &c->cap, c->cnt + 1, sizeof(*c->addrs)))
		return -ENOMEM;
	*slot = (uint32_t)c->cnt;
	c->addrs[c->cnt++] = *sample;
	return 0;
}

void addr_counts__free(struct addr_counts *c)
{
	free(c->addrs);
	u64map__free(&c->by_key);
	*c = (struct addr_counts){ .cnt = 0 };
}

static int compare_addrs(const void *a, const void *b)
{
	const struct addr_count *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->is_kernel != y->is_kernel)
		return x->is_kernel ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static int compare_functions(const void *a, const void *b)
{
	const struct annotated *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	return x->start_place < y->start_place ? -1 : x->start_place > y->start_place;
}

/* "ns::f" is the name of ns::f(int), too. */
static bool has_name(const char *printed, const char *name)
{
	size_t len = strlen(name);

	if (!strcmp(name, ANNOTATE_ALL))
		return printed;
	return printed && !strncmp(printed, name, len) && (!printed[len] || printed[len] == '(');
}

static bool is_in(const struct annotated *f, const struct addr_count *addr, uint64_t start_place)
{
	return f->event == addr->event && f->is_kernel == addr->is_kernel &&
	       f->start_place == start_place;
}

struct annotated *addr_counts__find(struct addr_counts *c, struct sym *sym, const char *name,
				    size_t *cnt)
{
	struct annotated *found = NULL, *f;
	struct sym_frame frame;
	size_t cap = 0, i;

	*cnt = 0;
	if (c->cnt)
		qsort(c->addrs, c->cnt, sizeof(*c->addrs), compare_addrs);
	u64map__free(&c->by_key);
	for (i = 0; i < c->cnt; i++) {
		struct addr_count *addr = &c->addrs[i];

		sym__function(sym, addr->is_kernel, addr->place, &frame);
		if (!has_name(frame.name, name))
			continue;
		if (array__reserve((void **)&found, &cap, *cnt + 1, sizeof(*found))) {
			free(found);
			*cnt = 1;
			return NULL;
		}
		f = *cnt ? &found[*cnt - 1] : NULL;
		if (!f || !is_in(f, addr, addr->place - frame.off)) {
			f = &found[(*cnt)++];
			*f = (struct annotated){
				.name = frame.name,
				.module = frame.module,
				.event = addr->event,
				.is_kernel = addr->is_kernel,
				.is_native = frame.kind == FRAME_NATIVE,
				.start_place = addr->place - frame.off,
				.start_addr = frame.addr - frame.off,
				.sz = addr->is_kernel ? 0 : sym__size(sym, false, addr->place),
				.addrs = addr,
			};
		}
		f->addr_cnt++;
		f->samples += addr->samples;
		f->period += addr->period;
	}
	if (*cnt)
		qsort(found, *cnt, sizeof(*found), compare_functions);
	return found;
}
