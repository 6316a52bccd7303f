// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/span_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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

/* Memory of the places of all CPUs that are found without a search (struct wire_span_hot). */
#define HOT_SZ (8u << 20)
#define HOT_MIN 256u

static size_t hot_sz(const struct span_config *cfg)
{
	return offsetof(struct wire_span_hot, row) + cfg->row_words * sizeof(__u64);
}

static size_t slot_sz(const struct span_config *cfg)
{
	return offsetof(struct wire_span_slot, from) + cfg->row_words * sizeof(__u64);
}

/* Returns the number of a CPU's places, a power of two. */
static uint32_t hot_cnt(const struct span_config *cfg)
{
	uint32_t cnt = WIRE_SPAN_HOT;

	while (cnt > HOT_MIN && cnt * hot_sz(cfg) * (size_t)cpus__possible() > HOT_SZ)
		cnt /= 2;
	return cnt;
}

static struct bpf_map *find(struct bpf_object *obj, const char *name)
{
	return bpf_object__find_map_by_name(obj, name);
}

static int set_size(struct bpf_object *obj, const char *name, size_t value_sz, uint32_t cnt)
{
	int err = bpf_map__set_value_size(find(obj, name), (uint32_t)value_sz);

	return err ? err : bpf_map__set_max_entries(find(obj, name), cnt);
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
	if (!err)
		err = bpf_map__set_max_entries(cells, span_maps__room());
	if (!err)
		err = set_size(obj, "span_hot", hot_sz(cfg),
			       hot_cnt(cfg) * (uint32_t)cpus__possible());
	if (!err && cfg->stay_pairs && !cfg->each)
		err = set_size(obj, "span_slots", slot_sz(cfg), WIRE_SPAN_SLOTS);
	return err;
}

uint32_t span_maps__hot_mask(const struct span_config *cfg)
{
	return hot_cnt(cfg) - 1;
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

/* An array with elements that are read where they are. */
struct mapped {
	const uint8_t *at;
	size_t sz, cnt, elem_sz;
};

/* Returns 0 or -errno. */
static int mapped__open(struct mapped *m, const struct bpf_map *map)
{
	void *at;

	m->elem_sz = bpf_map__value_size(map);
	m->cnt = bpf_map__max_entries(map);
	m->sz = m->elem_sz * m->cnt;
	at = mmap(NULL, m->sz, PROT_READ, MAP_SHARED, bpf_map__fd(map), 0);
	if (at == MAP_FAILED)
		return -errno;
	m->at = at;
	return 0;
}

static const void *mapped__elem(const struct mapped *m, size_t i)
{
	return m->at + i * m->elem_sz;
}

static void mapped__close(struct mapped *m)
{
	munmap((void *)m->at, m->sz);
}

static int read_hot(const struct trace_session *s, span_maps_fn *fn, void *ctx)
{
	struct mapped m;
	int err = mapped__open(&m, s->skel->maps.span_hot);
	size_t i;

	if (err)
		return err;
	for (i = 0; i < m.cnt && !err; i++) {
		const struct wire_span_hot *hot = mapped__elem(&m, i);
		struct span_cell cell = { .cnt = __atomic_load_n(&hot->cnt, __ATOMIC_ACQUIRE) };

		cell.ns = hot->ns;
		cell.max_ns = hot->max_ns;
		if (cell.cnt)
			err = fn(ctx, (const uint64_t *)hot->row, &cell);
	}
	mapped__close(&m);
	return err;
}

static int read_cells(const struct trace_session *s, span_maps_fn *fn, void *ctx)
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

int span_maps__read(const struct trace_session *s, span_maps_fn *fn, void *ctx)
{
	int err = read_hot(s, fn, ctx);

	return err ? err : read_cells(s, fn, ctx);
}

/* Counts the starts in slots that wait. */
static int count_slots(const struct trace_session *s, struct span_account *accounts,
		       unsigned int cnt)
{
	struct mapped m;
	int err = mapped__open(&m, s->skel->maps.span_slots);
	size_t i;

	if (err)
		return err;
	for (i = 0; i < m.cnt; i++) {
		const struct wire_span_slot *slot = mapped__elem(&m, i);

		if (slot->claimed && slot->start_ns && slot->match[0] < cnt)
			accounts[slot->match[0]].waiting++;
	}
	mapped__close(&m);
	return 0;
}

/* Counts the starts that wait, by their pair. The entries that claim slots are of no pair. */
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
	return count_slots(s, accounts, cnt);
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
