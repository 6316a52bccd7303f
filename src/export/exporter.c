// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/exporter.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

#include "export/intervals.h"
#include "sink/sink.h"
#include "util/log.h"

const char *const export_symbols_names[] = {
	[EXPORT_SYMBOLS_LOCAL] = "local", [EXPORT_SYMBOLS_NONE] = "none", NULL
};

int exporter__check(struct export_config *cfg, const char *output, const struct sink_ops **ops)
{
	const struct sink_ops *stores;

	if (cfg->url) {
		stores = store__format(cfg->url);
		if (!stores)
			return -EINVAL;
		*ops = stores;
		if (!cfg->every_ns)
			cfg->every_ns = EXPORT_EVERY_DEFAULT;
	}
	if (!cfg->every_ns)
		return 0;
	if (cfg->every_ns < EXPORT_EVERY_MIN) {
		log_error("--every: an interval has at least 100ms; give more");
		return -EINVAL;
	}
	if ((*ops)->opens_file) {
		log_error(
			"--every has a profile for each interval, and --format %s is a recording; "
			"give another format",
			(*ops)->name);
		return -EINVAL;
	}
	return cfg->url ? 0 : files__check(output);
}

static void put_fates(const struct exporter *e, struct strbuf *text, bool samples)
{
	const struct store *s = &e->store;
	const struct {
		const char *name;
		const struct spool_sum *sum;
	} fates[] = {
		{ "sent", &s->sender.counts.sent },
		{ "refused", &s->sender.counts.refused },
		{ "in_doubt", &s->sender.counts.in_doubt },
		{ "dropped", &s->dropped },
		{ "unwritten", &s->failed },
	};
	const char *name = samples ? "store_samples_total" : "store_messages_total";
	size_t i;

	metrics__put_head(text, name, "counter",
			  samples ? "Samples by the fate of their message."
				  : "Messages by their fate.");
	for (i = 0; i < sizeof(fates) / sizeof(*fates); i++)
		metrics__put(text, name, "fate", fates[i].name,
			     (double)(samples ? fates[i].sum->samples : fates[i].sum->messages));
}

static void put_store(struct exporter *e, struct strbuf *text)
{
	struct spool_sum left;

	sender__read(&e->store.sender);
	put_fates(e, text, false);
	put_fates(e, text, true);
	metrics__put_head(text, "store_retries_total", "counter",
			  "Attempts that failed and are made again.");
	metrics__put(text, "store_retries_total", NULL, NULL,
		     (double)e->store.sender.counts.retries);
	spool__sum(e->store.spool.dir, SPOOL_MSG, &left);
	metrics__put_head(text, "spool_messages", "gauge", "Messages that wait.");
	metrics__put(text, "spool_messages", NULL, NULL, (double)left.messages);
	metrics__put_head(text, "spool_bytes", "gauge", "Bytes of the messages that wait.");
	metrics__put(text, "spool_bytes", NULL, NULL, (double)left.bytes);
}

static void put_cost(struct strbuf *text)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	metrics__put_head(text, "cpu_seconds_total", "counter", "Time of bpfperf on CPUs.");
	metrics__put(text, "cpu_seconds_total", "mode", "user",
		     (double)ru.ru_utime.tv_sec + (double)ru.ru_utime.tv_usec / 1e6);
	metrics__put(text, "cpu_seconds_total", "mode", "kernel",
		     (double)ru.ru_stime.tv_sec + (double)ru.ru_stime.tv_usec / 1e6);
	metrics__put_head(text, "max_resident_bytes", "gauge", "Largest memory of bpfperf.");
	metrics__put(text, "max_resident_bytes", NULL, NULL, (double)ru.ru_maxrss * 1024);
}

/* For struct metrics. */
static void put_state(void *ctx, struct strbuf *text)
{
	struct exporter *e = ctx;
	const struct interval_totals *t = intervals__totals(e->intervals);
	size_t i;

	metrics__put_head(text, "start_time_seconds", "gauge", "Begin of the run, since 1970.");
	metrics__put(text, "start_time_seconds", NULL, NULL, (double)t->begin_real_ns / 1e9);
	metrics__put_head(text, "samples_total", "counter", "Samples that were taken.");
	metrics__put(text, "samples_total", NULL, NULL, (double)t->samples);
	metrics__put_head(text, "lost_total", "counter", "Samples that were lost, by cause.");
	for (i = 0; i < LOST_CAUSE_CNT; i++)
		metrics__put(text, "lost_total", "cause", lost_cause__name((enum lost_cause)i),
			     (double)t->lost[i]);
	metrics__put_head(text, "intervals_total", "counter", "Intervals that have ended.");
	metrics__put(text, "intervals_total", NULL, NULL, (double)t->intervals);
	put_cost(text);
	if (e->to_store)
		put_store(e, text);
}

int exporter__open(struct exporter *e, const struct export_config *cfg, const struct sink_ops *ops,
		   const char *pattern, uint64_t duration_ns, const struct sink_config *sink_cfg,
		   struct sink **sink)
{
	struct intervals_config conf = {
		.ops = ops,
		.every_ns = cfg->every_ns,
		.duration_ns = duration_ns,
		.resource = e->resource.attrs,
		.no_symbols = cfg->symbols == EXPORT_SYMBOLS_NONE,
		.skip_empty = cfg->url,
		.open = cfg->url ? store__begin_interval : files__begin_interval,
		.close = cfg->url ? store__end_interval : files__end_interval,
		.ctx = cfg->url ? (void *)&e->store : (void *)&e->files,
	};
	struct store_config store = {
		.url = cfg->url,
		.spool_dir = cfg->spool_dir,
		.spool_sz = cfg->spool_mib << 20,
		.resource = &e->resource,
	};
	char host[HOST_NAME_MAX + 1] = "";
	int err = resource__read(&e->resource);

	if (!gethostname(host, sizeof(host) - 1) && *host)
		store.host = host;
	e->files.pattern = pattern;
	e->files.has_ms = cfg->every_ns % 1000000000;
	if (!err && cfg->url) {
		err = store__open(&e->store, &store);
		e->to_store = true;
	}
	if (err)
		return err;
	*sink = intervals__new(&conf, sink_cfg);
	e->intervals = *sink;
	e->metrics = (struct metrics){ .fd = -1, .put = put_state, .ctx = e };
	return !*sink ? -ENOMEM : cfg->metrics ? metrics__open(&e->metrics, cfg->metrics) : 0;
}

int exporter__fd(const struct exporter *e)
{
	return e->to_store ? e->store.sender.fd : -1;
}

int exporter__on_report(void *ctx)
{
	struct exporter *e = ctx;

	sender__read(&e->store.sender);
	return 0;
}

void exporter__finish(struct exporter *e)
{
	if (e->to_store)
		store__finish(&e->store);
	else if (e->files.cnt)
		log_note("%llu files were written, the last is %s",
			 (unsigned long long)e->files.cnt, strbuf__cstr(&e->files.path));
}

void exporter__free(struct exporter *e)
{
	metrics__close(&e->metrics);
	if (e->to_store)
		store__free(&e->store);
	files__free(&e->files);
	resource__free(&e->resource);
}
