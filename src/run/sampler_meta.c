// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/sampler_meta.h"

#include <string.h>
#include <time.h>

#include "run/sampler.h"
#include "session/stack_session.h"

/* Notes the requested rate, else the rate of the first event. */
static void put_sampling(const struct sampler_config *cfg, struct profile_meta *meta)
{
	const struct stack_config sc = {
		.default_hz = cfg->default_hz,
		.sampling = { cfg->freq_hz, cfg->period },
	};
	struct perf_sampling how;

	if (!cfg->events.cnt)
		return;
	how = stack_session__sampling(&sc, cfg->events.events[0]);
	meta->freq_hz = how.freq_hz;
	meta->period = how.period;
}

void sampler_meta__begin(struct sampler_meta *m, struct sampler_config *cfg, char **argv)
{
	struct profile_meta *meta = &cfg->profile.meta;
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
	put_sampling(cfg, meta);
	clock_gettime(CLOCK_REALTIME, &now);
	meta->begin_real_ns = (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

void sampler_meta__free(struct sampler_meta *m)
{
	strbuf__free(&m->command);
}
