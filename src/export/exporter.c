// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/exporter.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
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
	return *sink ? 0 : -ENOMEM;
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
	if (e->to_store)
		store__free(&e->store);
	files__free(&e->files);
	resource__free(&e->resource);
}
