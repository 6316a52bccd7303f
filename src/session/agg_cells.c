// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Sizes the maps of aggregation, and reads their cells. */
#include "session/agg_cells.h"

#include <errno.h>
#include <stdlib.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/wire.h"
#include "session/cpus.h"
#include "session/hit_counts.h"

static uint32_t cell_cnt(const struct agg_config *cfg)
{
	return cfg->event_cnt * (cfg->mode & WIRE_AGG_HIST ? WIRE_AGG_BUCKETS : 1);
}

int agg_cells__configure(struct bpf_object *obj, const struct agg_config *cfg)
{
	struct bpf_map *table = bpf_object__find_map_by_name(obj, "agg_table");
	struct bpf_map *cells = bpf_object__find_map_by_name(obj, "agg_cells");
	int err;

	if (!(cfg->mode & WIRE_AGG_BY)) {
		err = cfg->only_hits ? hit_counts__configure(obj, cfg->event_cnt) : 0;
		return err ? err : bpf_map__set_max_entries(cells, cell_cnt(cfg));
	}
	err = bpf_map__set_key_size(table, cfg->key_words * (uint32_t)sizeof(uint64_t));
	return err ? err : bpf_map__set_max_entries(table, WIRE_AGG_KEYS_MAX);
}

struct cell_reader {
	int fd, cpu_cnt;
	struct wire_cell *by_cpu;
	struct hit_counts hits;
	int (*fn)(void *ctx, const uint64_t *key, uint64_t cnt, int64_t sum);
	void *ctx;
};

/* Sums up one map element over the CPUs; `key` is passed to fn. */
static int read_cell(struct cell_reader *r, const void *map_key, const uint64_t *key)
{
	uint64_t cnt = 0, sum = 0;
	int cpu, level;

	if (bpf_map_lookup_elem(r->fd, map_key, r->by_cpu))
		return -errno;
	for (cpu = 0; cpu < r->cpu_cnt; cpu++) {
		for (level = 0; level < WIRE_LEVELS; level++) {
			cnt += r->by_cpu[cpu].cnt[level];
			sum += (uint64_t)r->by_cpu[cpu].sum[level];
		}
	}
	if (r->hits.at)
		cnt += hit_counts__of(&r->hits, key[WIRE_KEY_EVENT], -1);
	return cnt ? r->fn(r->ctx, key, cnt, (int64_t)sum) : 0;
}

static int read_array(struct cell_reader *r, const struct agg_config *cfg)
{
	uint64_t per_event = cfg->mode & WIRE_AGG_HIST ? WIRE_AGG_BUCKETS : 1;
	uint32_t i;
	int err = 0;

	for (i = 0; i < cell_cnt(cfg) && !err; i++) {
		uint64_t key[WIRE_SITE_KEYS] = { i / per_event, i % per_event };

		err = read_cell(r, &i, key);
	}
	return err;
}

static int read_table(struct cell_reader *r)
{
	uint64_t key[WIRE_SITE_KEYS] = {}, *prev = NULL;
	int err = 0;

	while (!err && !bpf_map_get_next_key(r->fd, prev, key)) {
		err = read_cell(r, key, key);
		prev = key;
	}
	return err;
}

int agg_cells__read(const struct bpf_object *obj, const struct agg_config *cfg,
		    int (*fn)(void *ctx, const uint64_t *key, uint64_t cnt, int64_t sum), void *ctx)
{
	bool by = cfg->mode & WIRE_AGG_BY;
	struct cell_reader r = {
		.fd = bpf_object__find_map_fd_by_name(obj, by ? "agg_table" : "agg_cells"),
		.cpu_cnt = cpus__possible(),
		.fn = fn,
		.ctx = ctx,
	};
	int err;

	r.by_cpu = calloc((size_t)r.cpu_cnt, sizeof(*r.by_cpu));
	if (!r.by_cpu)
		return -ENOMEM;
	err = cfg->only_hits ? hit_counts__map(&r.hits, obj, cfg->event_cnt) : 0;
	if (!err)
		err = by ? read_table(&r) : read_array(&r, cfg);
	hit_counts__unmap(&r.hits);
	free(r.by_cpu);
	return err;
}
