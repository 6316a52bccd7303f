// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/replay_annotate.h"

#include <errno.h>
#include <stdlib.h>

#include "annotate/annotate.h"
#include "annotate/capstone.h"
#include "annotate/counts.h"
#include "annotate/source_text.h"
#include "data/perf_sample.h"
#include "event/event.h"
#include "util/err.h"
#include "util/log.h"

struct annotating {
	struct replay *replay;
	struct addr_counts counts;
};

void replay_annotate__prepare(void)
{
	capstone__load();
}

static int annotate_begin(void *ctx)
{
	return 0;
}

/* The sample's own address suffices. */
static unsigned int annotate_needs(void *ctx, const struct sample *s)
{
	return SAMPLE_KEEP;
}

static int annotate_sample(void *ctx, const struct sample *s)
{
	struct annotating *a = ctx;
	struct sym *sym = a->replay->machine->sym;
	struct addr_count count = {
		.event = s->perf->event->idx,
		.is_kernel = s->perf->cpumode == PERF_RECORD_MISC_KERNEL,
		.samples = 1,
		.period = s->period,
	};

	/* A guest's addresses are in none of our files. */
	if (!count.is_kernel && s->perf->cpumode != PERF_RECORD_MISC_USER)
		return 0;
	count.place = count.is_kernel ? sym__kernel_place(sym, s->perf->ip)
				      : sym__place(sym, s->pid, s->perf->ip);
	return addr_counts__add(&a->counts, &count);
}

static int print(struct annotating *a, const struct replay_annotate *what,
		 const struct replay_config *cfg, struct out *out)
{
	struct source_texts sources = { .dir = cfg->sym.symfs };
	const struct annotate_config config = { a->replay->machine->sym, what->by_samples,
						&sources };
	const struct event_list *events = replay__events(a->replay);
	struct annotated *found;
	size_t cnt, i;
	int err = 0;

	found = addr_counts__find(&a->counts, config.sym, what->symbol, &cnt);
	if (cnt && !found)
		err = -ENOMEM;
	if (!cnt) {
		log_error("no sample is in a function %s; `bpfperf report -s sym --no-children` "
			  "lists the functions that have some",
			  what->symbol);
		err = -ENOENT;
	}
	for (i = 0; found && i < cnt && !err; i++) {
		if (i)
			strbuf__putc(&out->buf, '\n');
		/* If instructions are missing, a function is shown by its addresses. */
		annotate__put(&config, &found[i], events->events[found[i].event]->name, &out->buf);
		err = out__commit(out);
	}
	free(found);
	source_texts__free(&sources);
	return err;
}

int replay_annotate__run(struct replay *r, const struct replay_config *cfg,
			 const struct replay_annotate *what, struct out *out)
{
	static const struct replay_ops ops = {
		.begin = annotate_begin,
		.needs = annotate_needs,
		.sample = annotate_sample,
	};
	struct annotating a = { .replay = r };
	int err = replay__read(r, cfg, &ops, &a), last = 0;

	/* Samples before damage are counted. */
	if (err != -ENOMEM && err != -E2BIG && err != -EINVAL) {
		out__begin(out);
		last = print(&a, what, cfg, out);
	}
	addr_counts__free(&a.counts);
	return err__keep_first(err, last);
}
