// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "span/hist.h"

#include <math.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/span_wire.h"
#include "util/array.h"
#include "util/partition.h"

uint64_t span_bucket__from(uint32_t bucket)
{
	uint32_t shift = bucket < 2 * WIRE_SPAN_SUBS ? 0 : bucket / WIRE_SPAN_SUBS - 1;

	return (uint64_t)(bucket - shift * WIRE_SPAN_SUBS) << shift;
}

uint64_t span_bucket__to(uint32_t bucket)
{
	return bucket + 1 < WIRE_SPAN_BUCKETS ? span_bucket__from(bucket + 1) : 0;
}

int span_hist__add(struct span_hist *h, uint32_t bucket, uint64_t cnt, uint64_t ns, uint64_t max_ns)
{
	size_t from = partition_point(0, h->cnt, i, h->at[i].bucket < bucket);

	if (from == h->cnt || h->at[from].bucket != bucket) {
		if (array__reserve((void **)&h->at, &h->cap, h->cnt + 1, sizeof(*h->at)))
			return -ENOMEM;
		memmove(&h->at[from + 1], &h->at[from], (h->cnt - from) * sizeof(*h->at));
		h->at[from] = (struct span_bucket){ .bucket = bucket };
		h->cnt++;
	}
	h->at[from].cnt += cnt;
	h->at[from].ns += ns;
	h->total += cnt;
	h->ns += ns;
	if (max_ns > h->max_ns)
		h->max_ns = max_ns;
	return 0;
}

void span_hist__free(struct span_hist *h)
{
	free(h->at);
	*h = (struct span_hist){};
}

uint64_t span_hist__quantile(const struct span_hist *h, double q)
{
	uint64_t rank = (uint64_t)ceil(q * (double)h->total), seen = 0, middle;
	size_t i;

	if (!h->total)
		return 0;
	rank = rank < 1 ? 1 : rank > h->total ? h->total : rank;
	for (i = 0; i + 1 < h->cnt; i++) {
		seen += h->at[i].cnt;
		if (seen >= rank)
			break;
	}
	if (h->at[i].cnt == 1)
		return h->at[i].ns;
	middle = span_bucket__from(h->at[i].bucket);
	middle += (span_bucket__to(h->at[i].bucket) - 1 - middle) / 2;
	return middle > h->max_ns ? h->max_ns : middle;
}

uint64_t span_hist__mean(const struct span_hist *h)
{
	return h->total ? h->ns / h->total : 0;
}
