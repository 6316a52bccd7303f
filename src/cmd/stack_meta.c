// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/stack_meta.h"

#include <string.h>
#include <time.h>

#include "cmd/stack_opts.h"
#include "session/stack_session.h"

/* How often: what was asked for, else what the first event is sampled by. */
static void put_sampling(const struct stack_opts *o, struct profile_meta *meta)
{
	const struct stack_config cfg = {
		.default_hz = o->default_hz,
		.sampling = { o->freq_hz, o->period },
	};
	struct perf_sampling how;

	if (!o->events.cnt)
		return;
	how = stack_session__sampling(&cfg, o->events.events[0]);
	meta->freq_hz = how.freq_hz;
	meta->period = how.period;
}

void stack_meta__begin(struct stack_meta *m, struct stack_opts *o, char **argv)
{
	struct profile_meta *meta = &o->profile.meta;
	struct timespec now;

	for (; *argv; argv++) {
		if (m->command.len)
			strbuf__putc(&m->command, ' ');
		strbuf__put_escaped(&m->command, *argv, strlen(*argv));
	}
	if (m->command.len)
		meta->command = strbuf__cstr(&m->command);
	if (!uname(&m->uts)) {
		meta->host = m->uts.nodename;
		meta->kernel = m->uts.release;
	}
	put_sampling(o, meta);
	clock_gettime(CLOCK_REALTIME, &now);
	meta->begin_real_ns = (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

void stack_meta__free(struct stack_meta *m)
{
	strbuf__free(&m->command);
}
