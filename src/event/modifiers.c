// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/modifiers.h"

#include <string.h>

#define LETTERS "ukhIGHpPSDWeb"
#define PRECISE_MAX 3

bool modifiers__are_letters(const char *s)
{
	return *s && !s[strspn(s, LETTERS)];
}

const char *modifiers__check(const char *s, const char **why)
{
	unsigned int precise = 0;
	const char *p;

	if (!*s) {
		*why = "modifiers are missing behind the ':'";
		return s;
	}
	for (p = s; *p; p++) {
		if (!strchr(LETTERS, *p))
			*why = "this is no modifier; there are " MODIFIERS_HELP;
		else if (*p == 'p' && ++precise > PRECISE_MAX)
			*why = "more than three p: no PMU is that precise";
		else if (*p != 'p' && memchr(s, *p, (size_t)(p - s)))
			*why = "this modifier is there twice";
		else
			continue;
		return p;
	}
	return NULL;
}

static void pick_ring(struct event *ev, bool *picked, bool *exclude)
{
	if (!*picked)
		ev->exclude_user = ev->exclude_kernel = ev->exclude_hv = true;
	*picked = true;
	*exclude = false;
}

static void pick_side(struct event *ev, bool *picked, bool *exclude)
{
	if (!*picked)
		ev->exclude_guest = ev->exclude_host = true;
	*picked = true;
	*exclude = false;
}

/* The modes selected by the letters so far. */
struct picked {
	bool ring; /* one of u k h */
	bool side; /* one of G H */
};

static void apply(struct event *ev, const char *s, struct picked *picked)
{
	for (; *s; s++) {
		switch (*s) {
		case 'u':
			pick_ring(ev, &picked->ring, &ev->exclude_user);
			ev->exclude_guest |= !picked->side;
			break;
		case 'k':
			pick_ring(ev, &picked->ring, &ev->exclude_kernel);
			break;
		case 'h':
			pick_ring(ev, &picked->ring, &ev->exclude_hv);
			break;
		case 'G':
			pick_side(ev, &picked->side, &ev->exclude_guest);
			break;
		case 'H':
			pick_side(ev, &picked->side, &ev->exclude_host);
			break;
		case 'I':
			ev->exclude_idle = true;
			break;
		case 'p':
			ev->precise_ip++;
			ev->exclude_guest |= !picked->side;
			break;
		case 'P':
			ev->precise_max = true;
			break;
		case 'S':
			ev->read_group = true;
			break;
		case 'D':
			ev->pinned = true;
			break;
		case 'W':
			ev->weak_group = true;
			break;
		case 'e':
			ev->exclusive = true;
			break;
		case 'b':
			ev->by_bpf = true;
			break;
		}
	}
}

void modifiers__apply(struct event *ev, const char *own, const char *of_group)
{
	struct picked picked = { false, false };

	apply(ev, own, &picked);
	apply(ev, of_group, &picked);
}
