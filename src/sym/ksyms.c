// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/ksyms.h"
#include "util/partition.h"

#include <stdlib.h>
#include <string.h>

/*
 * No architecture has kernel addresses with this first byte. The lower bytes are index and offset.
 */
#define PLACE_TAG 0x5bULL
#define PLACE_TAG_SHIFT 56
#define PLACE_IDX_SHIFT 32
#define PLACE_IDX_MASK 0xffffffULL

/* Fewer symbols than this are not worth the time of ksyms__forget(). */
#define FORGET_MIN 4096

void ksyms__free(struct ksyms *ks)
{
	free(ks->all);
	free(ks->live);
	free(ks->before);
	texts__free(&ks->names);
	*ks = (struct ksyms){ 0 };
}

/* Number of entries in `list` that begin at or below addr. */
static uint32_t cnt_up_to(const struct ksyms *ks, const uint32_t *list, uint32_t cnt, uint64_t addr)
{
	return partition_point(0, cnt, i, ks->all[list[i]].start <= addr);
}

static uint32_t index_at(const struct ksyms *ks, const uint32_t *list, uint32_t cnt, uint64_t addr)
{
	uint32_t i = cnt_up_to(ks, list, cnt, addr);

	if (i && addr - ks->all[list[i - 1]].start < ks->all[list[i - 1]].len)
		return i - 1;
	return UINT32_MAX;
}

static bool grow_to(struct ksyms *ks, uint32_t cap)
{
	void *all, *live, *before;

	if (cap > KSYMS_MAX)
		return false;
	all = realloc(ks->all, cap * sizeof(*ks->all));
	ks->all = all ? all : ks->all;
	live = realloc(ks->live, cap * sizeof(*ks->live));
	ks->live = live ? live : ks->live;
	before = realloc(ks->before, cap * sizeof(*ks->before));
	ks->before = before ? before : ks->before;
	if (!all || !live || !before)
		return false;
	ks->cap = cap;
	return true;
}

static bool grow(struct ksyms *ks)
{
	return ks->cnt < ks->cap || grow_to(ks, ks->cap ? ks->cap * 2 : 64);
}

static void insert(const struct ksyms *ks, uint32_t *list, uint32_t *cnt, uint32_t idx)
{
	uint32_t at = cnt_up_to(ks, list, *cnt, ks->all[idx].start);

	memmove(list + at + 1, list + at, (*cnt - at) * sizeof(*list));
	list[at] = idx;
	++*cnt;
}

static void erase(uint32_t *list, uint32_t *cnt, uint32_t at)
{
	--*cnt;
	memmove(list + at, list + at + 1, (*cnt - at) * sizeof(*list));
}

/* Appends to `all`; UINT32_MAX if there is no room. */
static uint32_t push(struct ksyms *ks, uint64_t addr, uint32_t len, const char *name)
{
	uint32_t text = grow(ks) ? texts__add(&ks->names, name, strlen(name)) : TEXTS_NONE;

	if (text == TEXTS_NONE) {
		ks->forgotten++;
		return UINT32_MAX;
	}
	ks->all[ks->cnt] = (struct ksym){ addr, len, text };
	return ks->cnt++;
}

void ksyms__add(struct ksyms *ks, uint64_t addr, uint32_t len, const char *name)
{
	uint32_t idx, at;

	if (!len || addr + len < addr)
		return;
	/* Existing code that overlaps was unloaded without a record. */
	for (;;) {
		at = cnt_up_to(ks, ks->live, ks->live_cnt, addr + len - 1);
		if (!at || ks->all[ks->live[at - 1]].start + ks->all[ks->live[at - 1]].len <= addr)
			break;
		erase(ks->live, &ks->live_cnt, at - 1);
	}
	idx = push(ks, addr, len, name);
	if (idx != UINT32_MAX)
		insert(ks, ks->live, &ks->live_cnt, idx);
}

void ksyms__remove(struct ksyms *ks, uint64_t addr, uint32_t len, const char *name)
{
	uint32_t at = index_at(ks, ks->live, ks->live_cnt, addr), idx;

	if (at != UINT32_MAX) {
		erase(ks->live, &ks->live_cnt, at);
		return;
	}
	/*
	 * The code existed before the recording: until now its addresses were used as places
	 * unchanged.
	 */
	if (!len || addr + len < addr ||
	    index_at(ks, ks->before, ks->before_cnt, addr) != UINT32_MAX)
		return;
	idx = push(ks, addr, len, name);
	if (idx != UINT32_MAX)
		insert(ks, ks->before, &ks->before_cnt, idx);
}

/* Moves the code of one list. False: no memory. */
static bool move_all(struct ksyms *to, const struct ksyms *ks, const uint32_t *list, uint32_t cnt,
		     uint32_t *moved, uint32_t *moved_cnt)
{
	uint32_t i, idx;

	for (i = 0; i < cnt; i++) {
		const struct ksym *k = &ks->all[list[i]];

		idx = push(to, k->start, k->len, texts__get(&ks->names, k->name));
		if (idx == UINT32_MAX)
			return false;
		moved[(*moved_cnt)++] = idx;
	}
	return true;
}

void ksyms__forget(struct ksyms *ks)
{
	uint32_t kept = ks->live_cnt + ks->before_cnt;
	struct ksyms to = { .forgotten = ks->forgotten };

	if (ks->cnt < FORGET_MIN || ks->cnt < 2 * kept)
		return;
	while (to.cap < kept + 1)
		if (!grow_to(&to, to.cap ? to.cap * 2 : 64))
			break;
	if (to.cap > kept && move_all(&to, ks, ks->live, ks->live_cnt, to.live, &to.live_cnt) &&
	    move_all(&to, ks, ks->before, ks->before_cnt, to.before, &to.before_cnt)) {
		ksyms__free(ks);
		*ks = to;
	} else {
		ksyms__free(&to);
	}
}

uint64_t ksyms__place(const struct ksyms *ks, uint64_t addr)
{
	uint32_t at = ks->live_cnt ? index_at(ks, ks->live, ks->live_cnt, addr) : UINT32_MAX;

	if (at == UINT32_MAX)
		return addr;
	return PLACE_TAG << PLACE_TAG_SHIFT | (uint64_t)ks->live[at] << PLACE_IDX_SHIFT |
	       (addr - ks->all[ks->live[at]].start);
}

static const struct ksym *find_ksym(const struct ksyms *ks, uint64_t place, uint64_t *off)
{
	uint64_t idx = place >> PLACE_IDX_SHIFT & PLACE_IDX_MASK;
	uint32_t at;

	if (place >> PLACE_TAG_SHIFT == PLACE_TAG && idx < ks->cnt) {
		*off = (uint32_t)place;
		return &ks->all[idx];
	}
	at = index_at(ks, ks->before, ks->before_cnt, place);
	if (at == UINT32_MAX)
		return NULL;
	*off = place - ks->all[ks->before[at]].start;
	return &ks->all[ks->before[at]];
}

const char *ksyms__find(const struct ksyms *ks, uint64_t place, uint64_t *off)
{
	const struct ksym *ksym = find_ksym(ks, place, off);

	return ksym ? texts__get(&ks->names, ksym->name) : NULL;
}

uint32_t ksyms__size(const struct ksyms *ks, uint64_t place)
{
	uint64_t off;
	const struct ksym *ksym = find_ksym(ks, place, &off);

	return ksym ? ksym->len : 0;
}

uint64_t ksyms__addr(const struct ksyms *ks, uint64_t place)
{
	uint32_t idx = place >> PLACE_IDX_SHIFT & PLACE_IDX_MASK;

	if (place >> PLACE_TAG_SHIFT != PLACE_TAG || idx >= ks->cnt)
		return place;
	return ks->all[idx].start + (uint32_t)place;
}
