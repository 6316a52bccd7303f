/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Access to the maps of bpf/aggregate.bpf.h. */
#ifndef BPFPERF_SESSION_AGG_CELLS_H
#define BPFPERF_SESSION_AGG_CELLS_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_object;

struct agg_config {
	uint32_t mode; /* enum wire_agg_mode; 0: records are sent */
	unsigned int key_words; /* words of a key with WIRE_AGG_BY, event and bucket included */
	unsigned int event_cnt;
	/* Plain counts (WIRE_AGG_ON alone): hits of probes are in counters of their own. */
	bool only_hits;
};

/* Sets the maps' sizes; called before load. Returns 0 or -errno. */
int agg_cells__configure(struct bpf_object *obj, const struct agg_config *cfg);
/*
 * Calls `fn` for each key that was counted, with the words of the key (enum wire_agg_key, then the
 * keys of --by), the number of records, and the sum of their values, over all CPUs. Returns 0,
 * -errno, or the value that `fn` returned.
 */
int agg_cells__read(const struct bpf_object *obj, const struct agg_config *cfg,
		    int (*fn)(void *ctx, const uint64_t *key, uint64_t cnt, int64_t sum),
		    void *ctx);

#endif
