// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/replay_annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "annotate/capstone.h"
#include "annotate/page.h"
#include "annotate/rows.h"
#include "annotate/source_text.h"
#include "data/perf_sample.h"
#include "event/event.h"
#include "util/err.h"
#include "util/log.h"

/* A browser shows some ten thousand rows at once without a delay. */
#define PAGE_MAX_SZ (4u << 20)

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

int annotating__sample(struct annotating *a, const struct sample *s)
{
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

static int annotate_sample(void *ctx, const struct sample *s)
{
	return annotating__sample(ctx, s);
}

/* Finds the functions of this name. 0, -ENOMEM or -ENOENT (logged). */
static int find(struct annotating *a, const char *symbol, struct annotated **found, size_t *cnt)
{
	*found = addr_counts__find(&a->counts, a->replay->machine->sym, symbol, cnt);
	if (*cnt)
		return *found ? 0 : -ENOMEM;
	if (!strcmp(symbol, ANNOTATE_ALL))
		log_error("no sample is in a function that has a name");
	else
		log_error("no sample is in a function %s; `bpfperf report -s sym --no-children` "
			  "lists the functions that have some",
			  symbol);
	return -ENOENT;
}

/* The reason of the first function stands for all. */
static void log_bare(const struct annotated *first, int err, size_t cnt)
{
	if (!cnt)
		return;
	code_rows__log_missing(first, err);
	if (cnt > 1)
		log_warn("of %zu functions in all only the sampled addresses are shown; "
			 "`--annotate FUNC` says why for each",
			 cnt);
}

static int print(struct annotating *a, const struct replay_annotate *what,
		 const struct replay_config *cfg, struct out *out)
{
	struct source_texts sources = { .dir = cfg->sym.symfs };
	const struct annotate_config config = { a->replay->machine->sym, what->by_samples,
						&sources };
	const struct event_list *events = replay__events(a->replay);
	const bool is_one = strcmp(what->symbol, ANNOTATE_ALL) != 0;
	struct annotated *found;
	size_t cnt, i, bare = 0, bare_cnt = 0;
	int err = find(a, what->symbol, &found, &cnt), bare_err = 0, missing;

	for (i = 0; i < cnt && !err; i++) {
		if (i)
			strbuf__putc(&out->buf, '\n');
		/* If instructions are missing, a function is shown by its addresses. */
		missing = annotate__put(&config, &found[i], events->events[found[i].event]->name,
					&out->buf);
		if (missing && is_one)
			code_rows__log_missing(&found[i], missing);
		else if (missing && !bare_cnt++) {
			bare = i;
			bare_err = missing;
		}
		err = out__commit(out);
	}
	if (found)
		log_bare(&found[bare], bare_err, bare_cnt);
	free(found);
	source_texts__free(&sources);
	return err;
}

int annotating__put_page(struct annotating *a, const char *symbol, const char *symfs,
			 struct strbuf *json)
{
	struct source_texts sources = { .dir = symfs };
	const struct annotate_config config = { a->replay->machine->sym, false, &sources };
	const struct event_list *events = replay__events(a->replay);
	struct code_page page = { .cfg = &config, .sz_max = PAGE_MAX_SZ };
	size_t i;
	int err = find(a, symbol, &page.found, &page.found_cnt);

	page.event_cnt = events->cnt;
	page.event_names = calloc(events->cnt + 1, sizeof(*page.event_names));
	if (!err && !page.event_names)
		err = -ENOMEM;
	for (i = 0; i < events->cnt && !err; i++)
		page.event_names[i] = events->events[i]->name;
	if (!err)
		err = code_page__put(&page, json);
	if (!err && page.left_out)
		log_warn("the page has no instructions of the %zu functions with the fewest "
			 "samples: it holds %u MiB of them; select functions by -S, or files by -d",
			 page.left_out, PAGE_MAX_SZ >> 20);
	if (!err)
		log_bare(page.bare, page.bare_err, page.bare_cnt);
	free(page.event_names);
	free(page.found);
	source_texts__free(&sources);
	return err;
}

void annotating__free(struct annotating *a)
{
	addr_counts__free(&a->counts);
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
	annotating__free(&a);
	return err__keep_first(err, last);
}
