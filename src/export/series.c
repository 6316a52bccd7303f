// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/series.h"

#include <errno.h>
#include <unistd.h>

#include "sink/out.h"
#include "sink/row_head.h"
#include "util/gzip.h"

int series__check(const struct export_config *cfg, enum store_data data)
{
	return cfg->url && !store__takes(cfg->url, data) ? -EINVAL : 0;
}

int series__open(struct series *s, const struct export_config *cfg, enum store_data data)
{
	struct store_config store = {
		.url = cfg->url,
		.data = data,
		.spool_dir = cfg->spool_dir,
		.spool_sz = cfg->spool_mib << 20,
		.resource = &s->resource,
	};
	int err = resource__read(&s->resource);

	gethostname(s->host, sizeof(s->host) - 1);
	return err ? err : store__open(&s->store, &store);
}

static void make_message(struct series *s, struct interval *iv,
			 void (*make)(void *ctx, struct series *s, const struct interval *iv),
			 void *ctx)
{
	const struct row_head head = {
		.batch = iv->batch,
		.begin_ns = iv->begin_real_ns,
		.end_ns = iv->end_real_ns,
		.host = s->host,
	};

	strbuf__reset(&s->msg);
	strbuf__reset(&s->head);
	if (s->store.is_rows) {
		row_head__put(&s->head, &head);
		row_head__put_labels(&s->head, s->resource.attrs, NULL);
	}
	make(ctx, s, iv);
	if (!s->store.is_rows)
		otlp_metrics__put_message(&s->metrics, s->host, &s->resource, &s->msg);
}

int series__send(struct series *s, struct interval *iv,
		 void (*make)(void *ctx, struct series *s, const struct interval *iv), void *ctx)
{
	struct out out;
	int err = store__begin_interval(&s->store, iv, &out);

	if (!err) {
		make_message(s, iv, make, ctx);
		out__begin(&out);
		err = gzip__put(&out.buf, s->msg.buf, s->msg.len, 6);
		err = out__close(&out) ? out.err : err;
	}
	return store__end_interval(&s->store, iv, err);
}

void series__close(struct series *s)
{
	if (s->store.spool.dir)
		store__finish(&s->store);
	store__free(&s->store);
	resource__free(&s->resource);
	otlp_metrics__free(&s->metrics);
	strbuf__free(&s->msg);
	strbuf__free(&s->head);
}
