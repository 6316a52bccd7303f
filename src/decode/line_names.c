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
	ln->lines = (struct named_lines){ 0 };
	ln->cap = 0;
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

/* Appends one address. An address of a file is printed as its offset, if with_off is set. */
static int append(struct line_names *ln, const struct sample *s, enum side side, uint64_t addr,
		  enum place_kind user_kind, bool with_off)
{
	struct named_line *line = &ln->lines.at[ln->lines.cnt++];
	struct sym *sym = ln->places.sym;
	uint64_t place;

	*line = (struct named_line){ .addr = addr };
	if (side == SIDE_KERNEL) {
		line->place =
			place_names__get(&ln->places, PLACE_KERNEL, sym__kernel_place(sym, addr));
		return line->place ? 0 : -ENOMEM;
	}
	if (side == SIDE_OTHER)
		return 0;
	place = sym__place(sym, s->pid, addr);
	/* Nothing was mapped there. */
	if (!sym__file_idx(place))
		return 0;
	if (with_off)
		line->addr = sym__printed_off(sym, place);
	line->place = place_names__get(&ln->places, user_kind, place);
	return line->place ? 0 : -ENOMEM;
}

/* Begins with the lines of a sample, at most cnt. 0 or -ENOMEM. */
static int start_sample(struct line_names *ln, size_t cnt)
{
	place_names__limit(&ln->places);
	ln->lines.cnt = 0;
	return array__reserve((void **)&ln->lines.at, &ln->cap, cnt + 1, sizeof(*ln->lines.at));
}

const struct named_lines *line_names__chain(struct line_names *ln, const struct sample *s)
{
	const struct perf_words *words = &s->perf->callchain;
	const struct perf_callchain *unwound = s->perf->stack;
	enum place_kind kind = ln->inlined ? PLACE_USER_FRAMES : PLACE_USER;
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
		err = append(ln, s, SIDE_USER, unwound->addrs[i], PLACE_USER_FRAMES, true);
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
