// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format perf: a recording that `perf script` and `perf report` read. Each event has one attr; a
 * tracepoint's record is the sample's raw data; names and mappings of processes are the kernel's
 * own records, with a trailer made here.
 *
 * Samples arrive in the order of time, so any of them may end a round.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/record.h"
#include "data/record_layout.h"
#include "data/writer.h"
#include "event/event.h"
#include "machine/proc_event.h"
#include "sink/out.h"
#include "sink/perf_data.h"
#include "sink/profile_sink.h"
#include "sink/record_build_ids.h"
#include "sink/sink.h"
#include "util/fs.h"
#include "util/log.h"
#include "util/u64map.h"

#define RECORD_MAX_SZ 65528
/* Size of a round. Readers hold two rounds in memory to sort them. */
#define ROUND_SZ (1u << 20)

#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* The trailer that sample_id_all appends to each record that is no sample. */
struct trailer {
	int32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, zero;
	uint64_t id;
};

/* The fields that all samples begin with. */
struct sample_head {
	struct perf_event_header hdr;
	uint64_t id, ip;
	int32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, zero;
	uint64_t period;
};

struct perf_data {
	struct data_writer *w;
	struct u64map ids; /* address of a struct event → its id */
	uint64_t id_cnt;
	struct record_build_ids build_ids;
	uint64_t first_ns, last_ns; /* times of the first and the last sample */
	uint32_t chain_max; /* number of functions in a stack */
	uint64_t stacks, cut; /* samples with a stack, and those with missing outermost functions */
	size_t round_sz; /* bytes since the last round */
	uint64_t buf[RECORD_MAX_SZ / 8];
};

/* Returns the attr of an event as it was opened, without the parts that only bpfperf knows. */
static struct perf_event_attr attr_of(const struct sink *sink, const struct event *ev)
{
	bool stacks = sink->cfg.callstacks || sink->cfg.profile;
	const struct profile_config *profile = sink->cfg.profile;
	struct perf_event_attr attr = {
		.type = ev->type,
		.size = sizeof(attr),
		.config = ev->config,
		.config1 = ev->config1,
		.config2 = ev->config2,
		.sample_type = SAMPLE_TYPE | (stacks ? PERF_SAMPLE_CALLCHAIN : 0),
		.sample_period = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.exclude_user = ev->exclude_user,
		.exclude_kernel = ev->exclude_kernel,
		.exclude_hv = ev->exclude_hv,
		.exclude_idle = ev->exclude_idle,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.mmap = stacks,
		.mmap2 = stacks,
	};

	if (ev->kind == EVENT_TRACEPOINT && !profile)
		attr.sample_type |= PERF_SAMPLE_RAW;
	/* The weight of time off the CPU is nanoseconds as well. */
	if (ev->kind == EVENT_TOOL) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_CPU_CLOCK;
	}
	if (profile && ev->kind != EVENT_TRACEPOINT && profile->meta.freq_hz) {
		attr.freq = 1;
		attr.sample_freq = profile->meta.freq_hz;
	} else if (profile && profile->meta.period) {
		attr.sample_period = profile->meta.period;
	}
	return attr;
}

/* perf's name of a probe is "GROUP:FUNCTION"; records of the same function have different ids. */
static int add_probe(struct perf_data *pd, const struct event *ev,
		     const struct perf_event_attr *attr, uint64_t id)
{
	struct strbuf name = STRBUF_INIT;
	int err;

	strbuf__printf(&name, "%s:%s", ev->fmt->sys, ev->fmt->name);
	err = data_writer__add_attr(pd->w, attr, &id, 1, strbuf__cstr(&name));
	strbuf__free(&name);
	if (!err)
		data_writer__use_format(pd->w, ev->fmt);
	return err;
}

static int add_event(struct sink *sink, const struct event *ev)
{
	struct perf_data *pd = sink->priv;
	struct perf_event_attr attr = attr_of(sink, ev);
	uint64_t id = pd->id_cnt + 1;
	uint32_t *slot = u64map__slot(&pd->ids, (uintptr_t)ev);

	if (!slot)
		return -ENOMEM;
	*slot = (uint32_t)id;
	pd->id_cnt++;
	if (!ev->probe && !ev->is_made_up)
		return data_writer__add_attr(pd->w, &attr, &id, 1, ev->name);
	return add_probe(pd, ev, &attr, id);
}

static int perf_begin(struct sink *sink)
{
	const struct perf_data_config *cfg = sink__extra(sink, PERF_DATA_EXTRA);
	const struct data_writer_opts opts = {
		.zstd = cfg && cfg->zstd_level != 0,
		.level = cfg ? cfg->zstd_level : 0,
		.keep_old = cfg && cfg->keep_old,
		.use_clockid = true,
		.clockid = CLOCK_MONOTONIC,
	};
	const struct profile_config *profile = sink->cfg.profile;
	struct perf_data *pd = sink->priv;
	size_t i;
	int err;

	if (profile && profile->old_path) {
		log_error("--diff: a recording cannot show differences; give another --format, or "
			  "omit --diff");
		return -EINVAL;
	}
	err = data_writer__open(&pd->w, sink->out->is_stdout ? "-" : sink->out->path, &opts);
	for (i = 0; i < sink->cfg.events->cnt && !err; i++)
		err = add_event(sink, sink->cfg.events->events[i]);
	for (i = 0; profile && i < 2 && !err; i++)
		if (profile->off_events[i])
			err = add_event(sink, profile->off_events[i]);
	return err;
}

/* Writes a record and its trailer. */
static int put_record(struct perf_data *pd, const struct perf_event_header *rec, size_t body_sz,
		      const struct trailer *t)
{
	struct perf_event_header hdr = *rec;
	char *to = (char *)pd->buf;

	hdr.size = (uint16_t)(body_sz + sizeof(*t));
	memcpy(to, rec, body_sz);
	memcpy(to, &hdr, sizeof(hdr));
	memcpy(to + body_sz, t, sizeof(*t));
	pd->round_sz += hdr.size;
	return data_writer__write(pd->w, pd->buf, hdr.size);
}

static int perf_start(struct sink *sink)
{
	struct perf_data *pd = sink->priv;
	long max;
	int err = data_writer__begin(pd->w);

	pd->chain_max = PERF_MAX_STACK_DEPTH;
	if (fs__read_long("/proc/sys/kernel/perf_event_max_stack", &max) == 0 &&
	    max > PERF_MAX_STACK_DEPTH)
		pd->chain_max = (uint32_t)max;
	return err;
}

static int perf_task(struct sink *sink, const struct proc_event *ev, const struct record *rec)
{
	struct perf_data *pd = sink->priv;
	size_t body_sz = record_layout__body_end(rec->hdr);
	struct trailer t = {
		.time_ns = rec->time_ns,
		.cpu = rec->cpu,
		.id = 1,
		.pid = ev->pid,
		.tid = ev->tid,
	};

	if (!proc_event__is_task(ev) || body_sz < sizeof(*rec->hdr) + 16 || body_sz > 60000 ||
	    body_sz & 7)
		return 0;
	record_build_ids__note(&pd->build_ids, ev);
	return put_record(pd, rec->hdr, body_sz, &t);
}

/*
 * Puts the callchain in the kernel's layout: a context marker before the addresses of each side,
 * and in total no more entries than the kernel's limit for perf. An entry of a broken frame that
 * looks like a marker would make perf drop the whole stack: the chain ends there.
 */
static uint64_t *put_chain(uint64_t *to, const struct callchain *c, uint32_t max)
{
	uint64_t *cnt = to++;
	uint32_t i;

	if (c->kern_cnt)
		*to++ = PERF_CONTEXT_KERNEL;
	for (i = 0; i < c->kern_cnt && max; i++, max--)
		*to++ = c->kern[i];
	if (c->user_cnt && max)
		*to++ = PERF_CONTEXT_USER;
	for (i = 0; i < c->user_cnt && max && callchain__user(c, i) < PERF_CONTEXT_MAX; i++, max--)
		*to++ = callchain__user(c, i);
	*cnt = (uint64_t)(to - cnt - 1);
	return to;
}

/*
 * Puts the size, the bytes and padding to a multiple of 8, which the size includes like the
 * kernel's.
 */
static uint64_t *put_raw(uint64_t *to, const void *raw, uint32_t sz)
{
	uint32_t padded = ((sz + 4 + 7) & ~7u) - 4;
	char *p = (char *)to;

	memcpy(p, &padded, 4);
	memcpy(p + 4, raw, sz);
	memset(p + 4 + sz, 0, padded - sz);
	return to + (padded + 4) / 8;
}

static int perf_lost(struct sink *sink, const struct lost *l)
{
	struct perf_data *pd = sink->priv;
	uint32_t id = l->event ? u64map__get(&pd->ids, (uintptr_t)l->event) : 1;
	struct {
		struct perf_event_header hdr;
		uint64_t id, cnt;
	} rec = { { PERF_RECORD_LOST, lost_cause__misc(l->cause), sizeof(rec) },
		  id == U64MAP_NONE ? 1 : id,
		  l->cnt };
	struct trailer t = { .time_ns = l->time_ns, .cpu = l->cpu, .id = rec.id };

	return put_record(pd, &rec.hdr, sizeof(rec), &t);
}

static int end_round(struct perf_data *pd)
{
	pd->round_sz = 0;
	return data_writer__round(pd->w);
}

static int perf_sample(struct sink *sink, const struct sample *s)
{
	struct perf_data *pd = sink->priv;
	bool stacks = sink->cfg.callstacks || sink->cfg.profile;
	const struct callchain *c = &s->chain;
	size_t sz = sizeof(struct sample_head) + s->raw_sz + 16 +
		    (3 + (size_t)c->kern_cnt + c->user_cnt) * 8;
	uint32_t id = u64map__get(&pd->ids, (uintptr_t)s->event);
	struct sample_head *head = (void *)pd->buf;
	uint64_t *to = pd->buf + sizeof(*head) / 8;
	bool is_user = !c->kern_cnt && c->user_cnt;
	int err;

	if (id == U64MAP_NONE)
		return 0;
	if (sz > RECORD_MAX_SZ)
		return perf_lost(sink, &(struct lost){ .time_ns = s->time_ns,
						       .cnt = 1,
						       .cpu = s->cpu,
						       .cause = LOST_OTHER,
						       .event = s->event });
	*head = (struct sample_head){
		.hdr = { .type = PERF_RECORD_SAMPLE,
			 .misc = is_user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL },
		.id = id,
		.ip = c->kern_cnt   ? c->kern[0]
		      : c->user_cnt ? callchain__user(c, 0)
				    : 0,
		.pid = s->pid,
		.tid = s->tid,
		.time_ns = s->time_ns,
		.cpu = s->cpu,
		.period = s->period,
	};
	if (stacks) {
		to = put_chain(to, c, pd->chain_max);
		pd->stacks += c->kern_cnt || c->user_cnt;
		pd->cut += c->truncated || c->kern_cnt + c->user_cnt > (int)pd->chain_max;
	}
	if (s->raw && !sink->cfg.profile)
		to = put_raw(to, s->raw, s->raw_sz);
	head->hdr.size = (uint16_t)((to - pd->buf) * 8);
	if (!pd->first_ns)
		pd->first_ns = s->time_ns;
	if (s->time_ns > pd->last_ns)
		pd->last_ns = s->time_ns;
	err = data_writer__write(pd->w, pd->buf, head->hdr.size);
	pd->round_sz += head->hdr.size;
	return !err && pd->round_sz >= ROUND_SZ ? end_round(pd) : err;
}

static int perf_flush(struct sink *sink)
{
	struct perf_data *pd = sink->priv;

	return pd->round_sz ? end_round(pd) : 0;
}

/* The format has no mark for cut stacks, so they are logged. */
static void log_cut(const struct perf_data *pd)
{
	if (pd->cut)
		log_warn("%llu of %llu stacks lack their outermost functions: they are deeper than "
			 "the capture limit, or than the %u functions that perf's readers accept "
			 "(sysctl kernel.perf_event_max_stack)",
			 (unsigned long long)pd->cut, (unsigned long long)pd->stacks,
			 pd->chain_max);
}

static int perf_end(struct sink *sink)
{
	struct perf_data *pd = sink->priv;
	int err = record_build_ids__write(&pd->build_ids, pd->w);

	log_cut(pd);
	data_writer__set_sample_time(pd->w, pd->first_ns, pd->last_ns);
	return err ? err : data_writer__finish(pd->w);
}

static void perf_free(struct sink *sink)
{
	struct perf_data *pd = sink->priv;

	data_writer__free(pd->w);
	u64map__free(&pd->ids);
	record_build_ids__free(&pd->build_ids);
}

static int perf_load(struct sink *sink, const char *path)
{
	log_error("%s holds no samples, only their sums; a recording cannot be made of it: give "
		  "another --format",
		  path);
	return -EINVAL;
}

const struct sink_ops perf_sink = {
	.name = "perf",
	.suffix = ".data",
	.is_binary = true,
	.opens_file = true,
	.only_addresses = true,
	.priv_sz = sizeof(struct perf_data),
	.begin = perf_begin,
	.start = perf_start,
	.sample = perf_sample,
	.task = perf_task,
	.lost = perf_lost,
	.flush = perf_flush,
	.load = perf_load,
	.end = perf_end,
	.free = perf_free,
};
