// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/span_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "bpf/span_wire.h"
#include "bpf/wire.h"
#include "session/cpus.h"
#include "session/trace_session_priv.h"

_Static_assert(sizeof(((struct wire_span_cell *)0)->cnt) == WIRE_LEVELS * sizeof(__u64),
	       "a member for each level");

/* Memory of the cells of all CPUs, which the kernel allocates at once. */
#define CELLS_SZ (32u << 20)
#define CELLS_MIN 4096u
#define CELLS_MAX 65536u

uint32_t span_maps__room(void)
{
	uint32_t each = (uint32_t)(sizeof(struct wire_span_cell) * (size_t)cpus__possible());
	uint32_t room = CELLS_SZ / each;

	return room < CELLS_MIN ? CELLS_MIN : room > CELLS_MAX ? CELLS_MAX : room;
}

static struct bpf_map *find(struct bpf_object *obj, const char *name)
{
	return bpf_object__find_map_by_name(obj, name);
}

int span_maps__configure(struct bpf_object *obj, const struct span_config *cfg)
{
	struct bpf_map *starts = find(obj, "span_starts"), *cells = find(obj, "span_cells");
	const uint32_t word = sizeof(__u64);
	int err = bpf_map__set_key_size(starts, cfg->match_words * word);

	/* A start has the fields where they lie in the row, and its entry if that is sent. */
	if (!err && !cfg->each)
		err = bpf_map__set_value_size(starts, (1 + cfg->row_words) * word);
	if (!err)
		err = bpf_map__set_max_entries(starts,
					       cfg->each ? WIRE_SPAN_ENTRIES : WIRE_SPAN_STARTS);
	if (!err)
		err = bpf_map__set_key_size(cells, cfg->row_words * word);
	return err ? err : bpf_map__set_max_entries(cells, span_maps__room());
}

static uint64_t sum_levels(const __u64 *by_level)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < WIRE_LEVELS; i++)
		sum += by_level[i];
	return sum;
}

static void add_cell(struct span_cell *sum, const struct wire_span_cell *c)
{
	int i;

	sum->cnt += sum_levels(c->cnt);
	sum->ns += sum_levels(c->ns);
	for (i = 0; i < WIRE_LEVELS; i++)
		if (c->max_ns[i] > sum->max_ns)
			sum->max_ns = c->max_ns[i];
}

int span_maps__read(const struct trace_session *s,
		    int (*fn)(void *ctx, const uint64_t *row, const struct span_cell *cell),
		    void *ctx)
{
	int fd = bpf_map__fd(s->skel->maps.span_cells), cpu_cnt = cpus__possible(), err = 0, cpu;
	struct wire_span_cell *by_cpu = calloc((size_t)cpu_cnt, sizeof(*by_cpu));
	uint64_t row[WIRE_SPAN_ROW] = {}, *prev = NULL;

	if (!by_cpu)
		return -ENOMEM;
	while (!err && !bpf_map_get_next_key(fd, prev, row)) {
		struct span_cell sum = {};

		if (bpf_map_lookup_elem(fd, row, by_cpu))
			err = -errno;
		for (cpu = 0; cpu < cpu_cnt && !err; cpu++)
			add_cell(&sum, &by_cpu[cpu]);
		if (!err && sum.cnt)
			err = fn(ctx, row, &sum);
		prev = row;
	}
	free(by_cpu);
	return err;
}

/* Counts the starts that wait, by their pair. */
static int count_waiting(const struct trace_session *s, struct span_account *accounts,
			 unsigned int cnt)
{
	int fd = bpf_map__fd(s->skel->maps.span_starts);
	uint64_t match[WIRE_SPAN_MATCH] = {}, *prev = NULL;
	union {
		uint64_t ns;
		struct wire_span all; /* more than a start has */
	} start;

	while (!bpf_map_get_next_key(fd, prev, match)) {
		if (!bpf_map_lookup_elem(fd, match, &start) && start.ns && match[0] < cnt)
			accounts[match[0]].waiting++;
		prev = match;
	}
	return 0;
}

int span_maps__accounts(const struct trace_session *s, struct span_account *accounts,
			unsigned int cnt)
{
	int fd = bpf_map__fd(s->skel->maps.span_counts), cpu_cnt = cpus__possible(), cpu;
	struct wire_span_counts *by_cpu = calloc((size_t)cpu_cnt, sizeof(*by_cpu));
	int err = by_cpu ? 0 : -ENOMEM;
	__u32 pair;

	memset(accounts, 0, cnt * sizeof(*accounts));
	for (pair = 0; pair < cnt && !err; pair++) {
		struct span_account *a = &accounts[pair];

		if (bpf_map_lookup_elem(fd, &pair, by_cpu))
			err = -errno;
		for (cpu = 0; cpu < cpu_cnt && !err; cpu++) {
			a->starts += sum_levels(by_cpu[cpu].starts);
			a->ends += sum_levels(by_cpu[cpu].ends);
			a->matched += sum_levels(by_cpu[cpu].matched);
			a->overwritten += sum_levels(by_cpu[cpu].overwritten);
			a->without_start += sum_levels(by_cpu[cpu].without_start);
			a->refused += sum_levels(by_cpu[cpu].refused);
			a->uncounted += sum_levels(by_cpu[cpu].uncounted);
			a->gone += sum_levels(by_cpu[cpu].gone);
		}
	}
	free(by_cpu);
	return err ? err : count_waiting(s, accounts, cnt);
}
