/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The maps of bpf/aggregate.bpf.h, seen from outside. */
#ifndef BPFPERF_SESSION_AGG_CELLS_H
#define BPFPERF_SESSION_AGG_CELLS_H

#include <stdint.h>

struct bpf_object;

struct agg_config {
	uint32_t mode; /* enum wire_agg_mode; 0: records are sent */
	unsigned int key_words; /* of WIRE_AGG_BY, event and bucket included */
	unsigned int event_cnt;
};

/* Before load: the maps' sizes. 0 or -errno. */
int agg_cells__configure(struct bpf_object *obj, const struct agg_config *cfg);
/*
 * One call for each key that was counted: its words (enum wire_agg_key, then what --by lists), how
 * many records, and the sum of their values, over all CPUs. 0, -errno, or what `fn` returned.
 */
int agg_cells__read(const struct bpf_object *obj, const struct agg_config *cfg,
		    int (*fn)(void *ctx, const uint64_t *key, uint64_t cnt, int64_t sum),
		    void *ctx);

#endif
