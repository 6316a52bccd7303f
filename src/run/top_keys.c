// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/top_keys.h"

#include <errno.h>
#include <string.h>

#include "run/loop.h"
#include "run/off_cpu_live.h"
#include "sink/top.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/term.h"

#define TICK_NS 1000000000ull
/* The first rows are shown earlier. */
#define FIRST_TICK_NS 200000000ull

int top_keys__check(struct top_keys *st)
{
	size_t width, height;
	uint64_t now = mono_ns();
	bool changed = term__size(&width, &height);
	int key, err = 0;

	while ((key = term__key())) {
		if (top__key(st->top, key, height))
			return 1;
		changed = true;
	}
	if (now >= st->next_ns && !st->top->paused) {
		if (st->live)
			err = off_cpu_live__refresh(st->live);
		if (!err)
			err = top__tick(st->top);
		st->next_ns = now + TICK_NS;
		changed = true;
	}
	if (changed && !err)
		err = top__draw(st->top, &st->screen, width, height);
	if (changed && !err)
		err = term__write(&st->screen);
	return err;
}

int top_keys__begin(struct top_keys *st, struct sink *sink, struct loop *l)
{
	int err = term__enter();

	if (err) {
		log_error("--top cannot use this terminal: %s; run it in one, or give -o FILE "
			  "without --top",
			  strerror(-err));
		return err;
	}
	st->top = top__of(sink);
	loop__add_fd(l, term__fd(), NULL, NULL);
	st->next_ns = mono_ns() + FIRST_TICK_NS;
	return 0;
}

void top_keys__end(struct top_keys *st)
{
	term__leave();
	strbuf__free(&st->screen);
}
