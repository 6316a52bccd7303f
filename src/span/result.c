// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "span/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double span_quantiles[SPAN_QUANTILES] = { 0.5, 0.9, 0.99 };
const char *const span_quantile_names[SPAN_QUANTILES] = { "p50", "p90", "p99" };

void span_result__free(struct span_result *res)
{
	size_t i;

	for (i = 0; i < res->row_cnt; i++) {
		span_hist__free(&res->rows[i].hist);
		free(res->rows[i].texts);
		free(res->rows[i].own_name);
	}
	free(res->rows);
	memset(res, 0, sizeof(*res));
}

void span_key__put_number(struct strbuf *out, const struct agg_key *key)
{
	if (key->is_signed)
		strbuf__put_s64(out, key->num);
	else
		strbuf__put_u64(out, (uint64_t)key->num);
}

void span__put_ns(struct strbuf *out, uint64_t ns, int width)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double v = (double)ns;
	char text[40];
	size_t u = 0;
	int digits;

	while (v >= 999.95 && u + 1 < sizeof(units) / sizeof(units[0])) {
		v /= 1000;
		u++;
	}
	digits = !u || v >= 1000 ? 0 : v < 9.9995 ? 3 : v < 99.995 ? 2 : 1;
	snprintf(text, sizeof(text), "%.*f%s", digits, v, units[u]);
	strbuf__printf(out, "%*s", width, text);
}

static int by_time(const void *a, const void *b)
{
	const struct span_row *x = a, *y = b;

	if (x->hist.ns != y->hist.ns)
		return x->hist.ns > y->hist.ns ? -1 : 1;
	if (x->hist.total != y->hist.total)
		return x->hist.total > y->hist.total ? -1 : 1;
	return strcmp(x->name, y->name);
}

void span_result__finish(struct span_result *res)
{
	size_t i, k;

	for (i = 0; i < res->row_cnt; i++) {
		uint64_t ns = 0;

		for (k = 0; k < res->row_cnt; k++)
			if (res->rows[k].pair == res->rows[i].pair)
				ns += res->rows[k].hist.ns;
		res->rows[i].share = ns ? (double)res->rows[i].hist.ns / (double)ns : 0;
	}
	if (res->row_cnt)
		qsort(res->rows, res->row_cnt, sizeof(*res->rows), by_time);
}
