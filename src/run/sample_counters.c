// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/sample_counters.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "perf/perf_counters.h"
#include "sink/sink.h"
#include "util/log.h"
#include "util/mono.h"

const char *const counters_by_names[] = {
	[COUNTERS_BY_CPU] = "cpu", [COUNTERS_BY_TASK] = "task", NULL
};

int counter_opts__add(void *opts, const char *arg)
{
	struct counter_opts *o = opts;
	int err = event_list__add(&o->events, arg);
	size_t i;

	for (i = 0; i < o->events.cnt && !err; i++) {
		if (o->events.events[i]->kind != EVENT_TOOL)
			continue;
		log_error("--counters: only `bpfperf stat` measures %s; records have counters of "
			  "the kernel, such as cpu-clock",
			  o->events.events[i]->name);
		return -EINVAL;
	}
	if (!err && o->events.cnt > WIRE_COUNTERS_MAX) {
		log_error("--counters: %zu are too many; at most %d go with each record",
			  o->events.cnt, WIRE_COUNTERS_MAX);
		return -EINVAL;
	}
	return err;
}

int sample_counters__init(struct sample_counters *rc, const struct counter_opts *opts)
{
	*rc = (struct sample_counters){ .opts = opts };
	return counter_values__init(&rc->values, opts->events.cnt, opts->by == COUNTERS_BY_TASK);
}

void sample_counters__free(struct sample_counters *rc)
{
	counter_values__free(&rc->values);
}

static struct wire_counter cell(const struct sample_counters *rc, size_t event, size_t cpu_idx)
{
	struct counter_count c = perf_counters__count(rc->counters, event, cpu_idx, 0);

	return (struct wire_counter){ c.value, c.enabled_ns, c.running_ns };
}

static int read_all(struct sample_counters *rc)
{
	int err = perf_counters__read(rc->counters);

	if (err)
		log_error("--counters: the counters cannot be read: %s", strerror(-err));
	return err;
}

int sample_counters__begin(struct sample_counters *rc, struct perf_counters *counters,
			   struct live_source *src)
{
	size_t i, k;
	int err;

	rc->counters = counters;
	rc->src = src;
	err = read_all(rc);
	for (i = 0; i < rc->values.cnt && !err; i++) {
		for (k = 0; k < perf_counters__cpu_cnt(counters, i) && !err; k++) {
			struct wire_counter at = cell(rc, i, k);

			err = counter_values__begin(
				&rc->values, (uint32_t)perf_counters__cpu(counters, i, k), i, &at);
		}
	}
	return err ? err : rc->opts->interval_ms ? sample_counters__read_rows(rc) : 0;
}

struct row {
	struct wire_rec head;
	struct wire_counter counters[WIRE_COUNTERS_MAX];
};

/* Returns the CPU of cell at[i] of counter i; INT_MAX behind the last one. */
static int cpu_at(const struct sample_counters *rc, size_t i, const size_t *at)
{
	return at[i] < perf_counters__cpu_cnt(rc->counters, i)
		       ? perf_counters__cpu(rc->counters, i, at[i])
		       : INT_MAX;
}

/*
 * Returns the lowest CPU from at[] on that any counter counts on: the CPUs of each ascend. INT_MAX:
 * none.
 */
static int next_cpu(const struct sample_counters *rc, const size_t *at)
{
	int first = INT_MAX;
	size_t i;

	for (i = 0; i < rc->values.cnt; i++)
		if (cpu_at(rc, i, at) < first)
			first = cpu_at(rc, i, at);
	return first;
}

/* Reads all counters of a CPU, zeros for a counter that does not count there; advances at[]. */
static void fill_row(const struct sample_counters *rc, int cpu, size_t *at, struct row *row)
{
	size_t i;

	memset(row->counters, 0, sizeof(row->counters));
	for (i = 0; i < rc->values.cnt; i++)
		if (cpu_at(rc, i, at) == cpu)
			row->counters[i] = cell(rc, i, at[i]++);
}

int sample_counters__read_rows(struct sample_counters *rc)
{
	size_t at[WIRE_COUNTERS_MAX] = { 0 };
	struct row row = {
		.head = { .kind = WIRE_COUNTERS,
			  .sz = (__u16)(sizeof(row.head) +
					rc->values.cnt * sizeof(row.counters[0])) },
	};
	int cpu, err = read_all(rc);

	row.head.time_ns = mono_ns();
	while (!err && (cpu = next_cpu(rc, at)) != INT_MAX) {
		fill_row(rc, cpu, at, &row);
		err = live_source__add(rc->src, (uint32_t)cpu, &row.head);
	}
	return err;
}

int sample_counters__row(struct sample_counters *rc, const struct record *rec, struct sink *sink)
{
	const struct row *at = (const void *)rec->wire;
	struct counter_growth counts[WIRE_COUNTERS_MAX];
	struct counter_row row = { .time_ns = rec->time_ns, .cpu = rec->cpu, .counters = counts };
	size_t i;

	for (i = 0; i < rc->values.cnt; i++)
		counts[i] =
			(struct counter_growth){ at->counters[i].value, at->counters[i].enabled_ns,
						 at->counters[i].running_ns };
	return sink__row(sink, &row);
}

void sample_counters__summary(const struct sample_counters *rc, uint64_t untraced_switches)
{
	if (untraced_switches)
		log_note("the kernel did not trace %llu switches to tasks: their counts include "
			 "that of the task that ran before on their CPU",
			 (unsigned long long)untraced_switches);
	if (rc->values.restarts)
		log_warn("the counts of a task started anew %llu times, and are incomplete: more "
			 "than %d tasks run; trace fewer, by -p, -t or CMD",
			 (unsigned long long)rc->values.restarts, WIRE_COUNTER_TASKS);
}
