// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/place_names.h"

#include <stdlib.h>
#include <string.h>

#include "sym/sym.h"
#include "util/array.h"

/* Functions of all places, 64 bytes each; beyond that all places are dropped. */
#define FRAMES_MAX (1u << 18)

void place_names__init(struct place_names *pn, struct sym *sym)
{
	*pn = (struct place_names){ .sym = sym };
}

static void forget(struct place_names *pn)
{
	int kind;

	while (pn->cnt)
		free(pn->at[--pn->cnt]);
	for (kind = 0; kind < PLACE_KINDS; kind++) {
		u64map__free(&pn->idx_of[kind]);
		pn->idx_of[kind] = (struct u64map)U64MAP_INIT;
	}
	pn->frame_cnt = 0;
	pn->epoch++;
}

void place_names__free(struct place_names *pn)
{
	forget(pn);
	free(pn->at);
	*pn = (struct place_names){ .sym = NULL };
}

void place_names__limit(struct place_names *pn)
{
	if (pn->frame_cnt > FRAMES_MAX)
		forget(pn);
}

/* The line of the innermost function there. */
static void add_line(struct place_names *pn, bool is_kernel, uint64_t place, struct sym_frame *to)
{
	struct sym_frame frames[SYM_FRAMES_MAX];

	sym__frames(pn->sym, is_kernel, place, frames, SYM_FRAMES_MAX);
	to->file = frames[0].file;
	to->line = frames[0].line;
}

static struct named_place *name(struct place_names *pn, enum place_kind kind, uint64_t place)
{
	struct sym_frame frames[SYM_FRAMES_MAX];
	struct named_place *np;
	size_t cnt = 1;

	if (kind == PLACE_USER_FRAMES)
		cnt = sym__frames(pn->sym, false, place, frames, SYM_FRAMES_MAX);
	else
		sym__function(pn->sym, kind == PLACE_KERNEL, place, frames);
	if (kind == PLACE_KERNEL)
		frames->path = sym__kernel_path(pn->sym, place, frames->module);
	if (kind != PLACE_USER_FRAMES && pn->with_lines)
		add_line(pn, kind == PLACE_KERNEL, place, frames);
	np = malloc(sizeof(*np) + cnt * sizeof(*frames));
	if (!np)
		return NULL;
	*np = (struct named_place){
		.idx = pn->cnt,
		.epoch = pn->epoch,
		.cnt = (uint32_t)cnt,
		.has_inlined = kind == PLACE_USER_FRAMES,
	};
	memcpy(np->frames, frames, cnt * sizeof(*frames));
	return np;
}

const struct named_place *place_names__get(struct place_names *pn, enum place_kind kind,
					   uint64_t place)
{
	uint32_t *slot = u64map__slot(&pn->idx_of[kind], place);
	struct named_place *np;

	if (!slot)
		return NULL;
	if (*slot != U64MAP_NONE)
		return pn->at[*slot];
	if (array__reserve((void **)&pn->at, &pn->cap, pn->cnt + 1, sizeof(*pn->at)))
		return NULL;
	np = name(pn, kind, place);
	if (!np)
		return NULL;
	*slot = pn->cnt;
	pn->at[pn->cnt++] = np;
	pn->frame_cnt += np->cnt;
	return np;
}
