// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/line_names.h"

#include <errno.h>
#include <stdlib.h>

#include "data/perf_sample.h"
#include "decode/perf_callchain.h"
#include "decode/sample.h"
#include "sym/sym.h"
#include "util/array.h"

enum side { SIDE_KERNEL, SIDE_USER, SIDE_OTHER };

void line_names__init(struct line_names *ln, struct sym *sym)
{
	*ln = (struct line_names){ .max_stack = UINT32_MAX };
	place_names__init(&ln->places, sym);
}

void line_names__free(struct line_names *ln)
{
	place_names__free(&ln->places);
	free(ln->lines.at);
	free(ln->branches.at);
	free(ln->slots);
	ln->slots = NULL;
	ln->lines = ln->branches = (struct named_lines){ 0 };
	ln->cap = ln->branch_cap = 0;
}

static enum side side_of(uint16_t cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL ? SIDE_KERNEL
	       : cpumode == PERF_RECORD_MISC_USER ? SIDE_USER
						  : SIDE_OTHER;
}

static enum side side_of_marker(uint64_t marker)
{
	return marker == PERF_CONTEXT_KERNEL ? SIDE_KERNEL
	       : marker == PERF_CONTEXT_USER ? SIDE_USER
					     : SIDE_OTHER;
}

/* Makes the line of a user address. 0 or -ENOMEM. */
static int name_line(struct line_names *ln, struct named_line *line, int32_t pid,
		     enum place_kind kind, bool with_off)
{
	struct sym *sym = ln->places.sym;
	uint64_t place = sym__place(sym, pid, line->addr);

	/* Nothing was mapped there. */
	if (!sym__file_idx(place))
		return 0;
	if (with_off)
		line->addr = sym__printed_off(sym, place);
	line->place = place_names__get(&ln->places, kind, place);
	return line->place ? 0 : -ENOMEM;
}

/* Makes it by the slot of the address, if that is still valid. */
static int name_again(struct line_names *ln, struct named_line *line, int32_t pid,
		      enum place_kind kind, bool with_off)
{
	const uint64_t addr = line->addr, change_cnt = sym__change_cnt(ln->places.sym);
	struct line_slot *slot;
	int err;

	if (!ln->slots)
		ln->slots = calloc(LINE_SLOTS, sizeof(*ln->slots));
	if (!ln->slots || addr & SYM_CODE)
		return name_line(ln, line, pid, kind, with_off);
	slot = &ln->slots[(addr ^ addr >> 13 ^ (uint32_t)pid) % LINE_SLOTS];
	if (slot->place && slot->addr == addr && slot->change_cnt == change_cnt &&
	    slot->epoch == ln->places.epoch && slot->pid == pid && slot->kind == kind &&
	    slot->with_off == with_off) {
		*line = (struct named_line){ slot->line_addr, slot->place };
		return 0;
	}
	err = name_line(ln, line, pid, kind, with_off);
	*slot = (struct line_slot){ .addr = addr,
				    .line_addr = line->addr,
				    .change_cnt = sym__change_cnt(ln->places.sym),
				    .place = line->place,
				    .epoch = ln->places.epoch,
				    .pid = pid,
				    .kind = (uint8_t)kind,
				    .with_off = with_off };
	return err;
}

/* Appends one address. An address of a file is printed as its offset, if with_off is set. */
static int append(struct line_names *ln, const struct sample *s, enum side side, uint64_t addr,
		  enum place_kind user_kind, bool with_off)
{
	struct named_line *line = &ln->lines.at[ln->lines.cnt++];
	struct sym *sym = ln->places.sym;

	*line = (struct named_line){ .addr = addr };
	if (side == SIDE_KERNEL) {
		line->place =
			place_names__get(&ln->places, PLACE_KERNEL, sym__kernel_place(sym, addr));
		return line->place ? 0 : -ENOMEM;
	}
	return side == SIDE_OTHER ? 0 : name_again(ln, line, s->pid, user_kind, with_off);
}

void line_names__begin(struct line_names *ln)
{
	place_names__limit(&ln->places);
}

/* Begins with the lines of a sample, at most cnt. 0 or -ENOMEM. */
static int start_sample(struct line_names *ln, size_t cnt)
{
	ln->lines.cnt = 0;
	return array__reserve((void **)&ln->lines.at, &ln->cap, cnt + 1, sizeof(*ln->lines.at));
}

const struct named_lines *line_names__chain(struct line_names *ln, const struct sample *s)
{
	const struct perf_words *words = &s->perf->callchain;
	const struct perf_callchain *unwound = s->perf->stack;
	enum place_kind kind = ln->inlined ? PLACE_USER_FRAMES : PLACE_USER;
	enum place_kind unwound_kind = ln->no_inlined ? PLACE_USER : PLACE_USER_FRAMES;
	enum side side = side_of(s->perf->cpumode);
	uint32_t left = ln->max_stack;
	uint64_t i, addr;
	int err = start_sample(ln, words->cnt + unwound->cnt);

	for (i = 0; i < words->cnt && left && !err; i++) {
		addr = perf_words__get(words, i);
		if (addr >= PERF_CONTEXT_MAX) {
			side = side_of_marker(addr);
			continue;
		}
		left--;
		err = append(ln, s, side, addr, kind, true);
	}
	for (i = 0; i < unwound->cnt && !err; i++)
		err = append(ln, s, SIDE_USER, unwound->addrs[i], unwound_kind, true);
	return err ? NULL : &ln->lines;
}

const struct named_lines *line_names__ip(struct line_names *ln, const struct sample *s)
{
	const struct perf_sample *ps = s->perf;
	int err = start_sample(ln, 2);

	if (!err)
		err = append(ln, s, side_of(ps->cpumode), ps->ip, PLACE_USER, false);
	/* A branch of a processor's trace has a second place. */
	if (!err && ps->event->is_made && ps->have & PERF_SAMPLE_ADDR)
		err = append(ln, s, ps->addr >> 63 ? SIDE_KERNEL : SIDE_USER, ps->addr, PLACE_USER,
			     false);
	return err ? NULL : &ln->lines;
}

int line_names__at(struct line_names *ln, const struct sample *s, struct named_line *line)
{
	if (!(line->addr >> 63))
		return name_again(ln, line, s->pid, PLACE_USER, false);
	line->place = place_names__get(&ln->places, PLACE_KERNEL,
				       sym__kernel_place(ln->places.sym, line->addr));
	return line->place ? 0 : -ENOMEM;
}

/* Names one side of a branch. */
static int name_side(struct line_names *ln, const struct sample *s, struct named_line *line)
{
	struct sym *sym = ln->places.sym;
	uint64_t place, vaddr;

	if (!ln->branch_offs || line->addr >> 63)
		return line_names__at(ln, s, line);
	place = sym__place(sym, s->pid, line->addr);
	if (sym__file_idx(place) && !sym__vaddr(sym, place, &vaddr))
		line->addr = sym__file_off(place);
	line->place =
		sym__file_idx(place) ? place_names__get(&ln->places, PLACE_USER, place) : NULL;
	return sym__file_idx(place) && !line->place ? -ENOMEM : 0;
}

const struct named_lines *line_names__branches(struct line_names *ln, const struct sample *s)
{
	const struct perf_words *words = &s->perf->branches;
	struct named_lines *to = &ln->branches;
	uint64_t i;

	if (array__reserve((void **)&to->at, &ln->branch_cap, words->cnt + 1, sizeof(*to->at)))
		return NULL;
	/* The third word of each has its flags. */
	for (i = to->cnt = 0; i < words->cnt; i++) {
		if (i % 3 == 2)
			continue;
		to->at[to->cnt] = (struct named_line){ .addr = perf_words__get(words, i) };
		if (name_side(ln, s, &to->at[to->cnt++]))
			return NULL;
	}
	return to;
}
