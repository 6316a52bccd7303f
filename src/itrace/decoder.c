// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/decoder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "itrace/collect.h"
#include "itrace/info.h"
#include "itrace/job.h"
#include "itrace/process.h"
#include "util/array.h"
#include "util/log.h"
#include "util/present.h"

#define PROCESSES_MAX 32
/* Bytes that all processes together hold back, and a process at least. */
#define RINGS_SZ (1u << 20)
#define RING_MIN_SZ (256u << 10)
/* Items and frames of a chunk, at most: a process that sends more keeps to no rule. */
#define CHUNK_ITEMS_MAX (1u << 28)

/* Items of a queue that wait for those of others: items[from .. cnt). */
struct waiting {
	struct itrace_item *items;
	size_t from, cnt, cap;
	uint64_t last_ns; /* of the newest item */
	uint64_t rest_cnt; /* instructions since the last sample of earlier chunks */
	/* The last sample that was left out, since it had too few instructions. */
	struct itrace_item rest;
	bool has_rest, has_samples;
	uint64_t last_cbr; /* 1 + the core:bus ratio; 0: none yet */
	uint32_t chunks_left;
};

struct itrace_decoder {
	struct collect collect;
	struct job_plan plan;
	struct program program;
	struct process processes[PROCESSES_MAX];
	uint32_t process_cnt;
	struct waiting *queues; /* and a last one: what was lost while recording */
	uint32_t chunk; /* that is being read */
	uint64_t item_cnt; /* items and frames of it */
	uint32_t first; /* the queue of the oldest item, until `second_ns`, or UINT32_MAX */
	uint64_t second_ns; /* the oldest item of the other queues */
	struct itrace_sums sums;
};

static int start_all(struct itrace_decoder *d)
{
	uint32_t i;
	int err = 0;

	if (d->process_cnt > d->plan.chunk_cnt)
		d->process_cnt = (uint32_t)d->plan.chunk_cnt;
	d->program.step = d->process_cnt;
	d->program.job_fd = d->plan.job_fd;
	d->program.data_fd = d->plan.data_fd;
	d->program.images = d->collect.images;
	d->program.image_cnt = d->collect.image_cnt;
	for (i = 0; i < d->process_cnt && !err; i++)
		err = process__start(&d->processes[i], &d->program, i);
	if (err)
		log_error("cannot start %s: %s; raise `ulimit -u` or `ulimit -n`", d->program.name,
			  strerror(-err));
	return err;
}

/* The losses that the kernel marked, each a gap of unknown length. 0 or -ENOMEM. */
static int add_losses(struct itrace_decoder *d)
{
	struct waiting *w = &d->queues[d->collect.queue_cnt];
	struct collect_loss *l = d->collect.losses;
	const bool has_cpus = itrace_decoder__has_cpus(d);

	w->items = calloc(d->collect.loss_cnt + 1, sizeof(*w->items));
	if (!w->items)
		return -ENOMEM;
	for (; w->cnt < d->collect.loss_cnt; l++) {
		if (w->last_ns < l->time_ns)
			w->last_ns = l->time_ns;
		w->items[w->cnt++] = (struct itrace_item){
			.kind = ITRACE_ERROR,
			.gap = ITRACE_GAP_LOST,
			.time_ns = w->last_ns,
			.tid = has_cpus ? -1 : l->tid,
		};
		/* The area of a thread is of no CPU: that of the record is one of a moment. */
		if (!has_cpus)
			l->cpu = -1;
	}
	d->sums.gap_cnt[ITRACE_GAP_LOST] += w->cnt;
	return 0;
}

static void log_no_memory(void)
{
	log_error("no memory to decode the trace; end other programs, or omit --itrace");
}

static int open_all(struct itrace_decoder *d, const char *path, const struct itrace_options *o,
		    const struct sym_options *sym, int kcore_fd)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t i;
	int err;

	d->process_cnt = cpus < 1 ? 1 : cpus > PROCESSES_MAX ? PROCESSES_MAX : (uint32_t)cpus;
	for (i = 0; i < PROCESSES_MAX; i++)
		d->processes[i].fd = -1;
	d->program.ring_sz = RINGS_SZ / d->process_cnt;
	if (d->program.ring_sz < RING_MIN_SZ)
		d->program.ring_sz = RING_MIN_SZ;
	err = collect__read(&d->collect, path, sym, kcore_fd);
	if (!err)
		err = program__choose(&d->program, d->collect.info.unit);
	if (!err)
		err = job_plan__make(&d->plan, &d->collect, o, d->program.ring_sz);
	if (err)
		return err;
	d->queues = calloc(d->collect.queue_cnt + 1, sizeof(*d->queues));
	if (!d->queues || add_losses(d)) {
		log_no_memory();
		return -ENOMEM;
	}
	for (i = 0; i < d->plan.chunk_cnt; i++) {
		d->sums.captured_sz += d->plan.chunks[i].sz;
		d->queues[d->plan.chunks[i].queue].chunks_left++;
	}
	return start_all(d);
}

struct itrace_decoder *itrace_decoder__open(const char *path, const struct itrace_options *o,
					    const struct sym_options *sym,
					    const struct program *program, int kcore_fd)
{
	struct itrace_decoder *d = calloc(1, sizeof(*d));
	int err;

	if (!d) {
		log_no_memory();
		return NULL;
	}
	d->program = *program;
	err = open_all(d, path ? path : "perf.data", o, sym, kcore_fd);
	if (!err)
		return d;
	itrace_decoder__free(d);
	errno = -err;
	return NULL;
}

void itrace_decoder__free(struct itrace_decoder *d)
{
	size_t i;

	if (!d)
		return;
	for (i = 0; i < d->process_cnt; i++)
		process__end(&d->processes[i]);
	for (i = 0; d->queues && i <= d->collect.queue_cnt; i++)
		free(d->queues[i].items);
	free(d->queues);
	job_plan__free(&d->plan);
	collect__free(&d->collect);
	free(d);
}

/* Room for cnt more items of a queue. NULL: no memory. */
static struct itrace_item *room(struct waiting *w, size_t cnt)
{
	size_t cap;

	if (w->from == w->cnt) {
		w->from = w->cnt = 0;
	} else if (w->from > w->cnt / 2) {
		memmove(w->items, w->items + w->from, (w->cnt - w->from) * sizeof(*w->items));
		w->cnt -= w->from;
		w->from = 0;
	}
	cap = w->cap;
	if (array__reserve((void **)&w->items, &w->cap, w->cnt + cnt, sizeof(*w->items)))
		return NULL;
	if (w->cap != cap)
		present__make(w->items + w->cnt, (w->cap - w->cnt) * sizeof(*w->items));
	return w->items + w->cnt;
}

/* Is the sample made? Those at the ends of chunks add up to the period. */
static bool take_sample(const struct itrace_decoder *d, struct waiting *w, struct itrace_item *item)
{
	const struct itrace_job *h = &d->plan.head;

	item->period += w->rest_cnt;
	w->rest_cnt = 0;
	if (h->period_kind != ITRACE_EACH_INSN || item->period >= h->period) {
		w->has_samples = true;
		return true;
	}
	w->rest_cnt = item->period;
	w->rest = *item;
	w->has_rest = true;
	return false;
}

/* Each PSB repeats the ratio. */
static bool is_new_cbr(struct waiting *w, const struct itrace_item *item)
{
	bool is_new = w->last_cbr != 1 + item->to;

	w->last_cbr = 1 + item->to;
	return is_new;
}

/* Takes the cnt items behind w->cnt: order of time, sums. */
static void add(struct itrace_decoder *d, struct waiting *w, size_t cnt)
{
	struct itrace_item *item = w->items + w->cnt, *last = item + cnt;
	const uint64_t end_ns = d->plan.chunks[d->chunk].end_ns;

	for (; item < last; item++) {
		/* Time may go back by a little where it is estimated, and far on by damage. */
		if (item->time_ns > end_ns)
			item->time_ns = end_ns;
		if (item->time_ns < w->last_ns)
			item->time_ns = w->last_ns;
		w->last_ns = item->time_ns;
		if (item->kind == ITRACE_INSN && !take_sample(d, w, item))
			continue;
		if (item->kind == ITRACE_CBR && !is_new_cbr(w, item))
			continue;
		if (item->kind == ITRACE_PSB)
			item->to += d->plan.chunks[d->chunk].aux_off;
		if (item->kind == ITRACE_ERROR && item->gap < ITRACE_GAP_CNT)
			d->sums.gap_cnt[item->gap]++;
		if (item->kind == ITRACE_ERROR && item->gap == ITRACE_GAP_NO_CODE)
			d->sums.kernel_gap_cnt += item->is_kernel;
		w->items[w->cnt++] = *item;
	}
}

/* A queue without any sample has one of its instructions, if they are fewer than the period. */
static int end_queue(struct waiting *w)
{
	struct itrace_item *item;

	if (!w->has_rest || w->has_samples)
		return 0;
	item = room(w, 1);
	if (!item)
		return -ENOMEM;
	*item = w->rest;
	item->time_ns = w->last_ns;
	item->period = w->rest_cnt;
	w->cnt++;
	return 0;
}

static int read_frame(struct itrace_decoder *d, struct process *p, struct waiting *w,
		      struct itrace_frame *frame)
{
	struct itrace_item *items = NULL;
	int err = p->fd < 0 ? -EPIPE : answer_ring__wait(&p->ring, frame);

	if (err)
		return err;
	if (frame->chunk != d->chunk)
		return -EPIPE;
	d->item_cnt += frame->cnt + 1;
	if (d->item_cnt > CHUNK_ITEMS_MAX)
		return -EPIPE;
	if (frame->cnt) {
		items = room(w, frame->cnt);
		if (!items)
			return -ENOMEM;
	}
	answer_ring__take(&p->ring, frame, items);
	add(d, w, frame->cnt);
	return 0;
}

/* The process has ended: its chunk is a gap, and another process takes the next ones. */
static int replace(struct itrace_decoder *d, struct process *p, struct waiting *w,
		   struct itrace_frame *frame)
{
	const struct itrace_chunk *c = &d->plan.chunks[d->chunk];
	struct itrace_item *item = room(w, 1);
	int status = process__end(p);

	if (!item)
		return -ENOMEM;
	if (process__could_not_start(&d->program, status))
		return -ENOEXEC;
	*item = (struct itrace_item){ .kind = ITRACE_ERROR,
				      .gap = ITRACE_GAP_CRASH,
				      .time_ns = c->start_ns,
				      .period = c->sz,
				      .tid = d->collect.queues[c->queue].tid };
	add(d, w, 1);
	*frame = (struct itrace_frame){ .is_last = true, .skipped_sz = c->sz };
	return process__start(p, &d->program, d->chunk + d->process_cnt);
}

/* A gap for the bytes that are missing before a chunk, which is read next. 0 or -ENOMEM. */
static int add_jump(struct itrace_decoder *d, struct waiting *w, struct itrace_chunk *c)
{
	struct itrace_item *item = room(w, 1);

	if (!item)
		return -ENOMEM;
	*item = (struct itrace_item){ .kind = ITRACE_ERROR,
				      .gap = ITRACE_GAP_LOST,
				      .time_ns = c->start_ns,
				      .period = c->lost_sz,
				      .tid = d->collect.queues[c->queue].tid };
	add(d, w, 1);
	c->lost_sz = 0;
	return 0;
}

static int read_more(struct itrace_decoder *d)
{
	struct process *p = &d->processes[d->chunk % d->process_cnt];
	struct itrace_chunk *c = &d->plan.chunks[d->chunk];
	struct waiting *w = &d->queues[c->queue];
	struct itrace_frame frame;
	int err = c->lost_sz ? add_jump(d, w, c) : 0;

	if (!err)
		err = read_frame(d, p, w, &frame);
	d->first = UINT32_MAX;
	if (err == -EPIPE)
		err = replace(d, p, w, &frame);
	if (!err && frame.is_last) {
		d->sums.decoded_sz += frame.decoded_sz;
		d->sums.skipped_sz += frame.skipped_sz;
		w->rest_cnt += frame.insn_cnt;
		d->item_cnt = 0;
		d->chunk++;
		if (!--w->chunks_left)
			err = end_queue(w);
	}
	if (err && err != -ENOEXEC && err != -ECANCELED)
		log_error("no memory to decode the trace, or no process; make the recording "
			  "shorter");
	return err;
}

/* No item that is still to come is older than this. */
static uint64_t complete_ns(const struct itrace_decoder *d)
{
	const struct itrace_chunk *c = &d->plan.chunks[d->chunk];
	uint64_t last;

	if (d->chunk >= d->plan.chunk_cnt)
		return UINT64_MAX;
	last = d->queues[c->queue].last_ns;
	if (last < c->start_ns)
		last = c->start_ns;
	if (d->chunk + 1 < d->plan.chunk_cnt && c[1].start_ns < last)
		last = c[1].start_ns;
	return last;
}

/* Finds the queue with the oldest item, and how long it stays that. */
static void choose_queue(struct itrace_decoder *d)
{
	uint64_t first_ns = UINT64_MAX;
	uint32_t i;

	d->first = UINT32_MAX;
	d->second_ns = UINT64_MAX;
	for (i = 0; i <= d->collect.queue_cnt; i++) {
		const struct waiting *w = &d->queues[i];
		uint64_t ns;

		if (w->from == w->cnt)
			continue;
		ns = w->items[w->from].time_ns;
		if (d->first == UINT32_MAX || ns < first_ns) {
			d->second_ns = first_ns;
			first_ns = ns;
			d->first = i;
		} else if (ns < d->second_ns) {
			d->second_ns = ns;
		}
	}
}

/* The CPU of a queue's next item. */
static int32_t cpu_of(const struct itrace_decoder *d, uint32_t queue)
{
	if (queue < d->collect.queue_cnt)
		return d->collect.queues[queue].cpu;
	return d->collect.losses[d->queues[queue].from].cpu;
}

int itrace_decoder__next(struct itrace_decoder *d, uint64_t until_ns,
			 const struct itrace_item **item, int32_t *cpu)
{
	struct waiting *w;
	uint64_t limit;
	int err;

	for (;;) {
		w = d->first == UINT32_MAX ? NULL : &d->queues[d->first];
		if (!w || w->from == w->cnt || w->items[w->from].time_ns > d->second_ns) {
			choose_queue(d);
			w = d->first == UINT32_MAX ? NULL : &d->queues[d->first];
		}
		limit = complete_ns(d);
		if (w && w->items[w->from].time_ns <= limit) {
			if (w->items[w->from].time_ns >= until_ns)
				return 0;
			*item = &w->items[w->from];
			*cpu = (*item)->cpu ? (*item)->cpu - 1 : cpu_of(d, d->first);
			w->from++;
			return 1;
		}
		if (limit >= until_ns || d->chunk >= d->plan.chunk_cnt)
			return 0;
		err = read_more(d);
		if (err)
			return err;
	}
}

bool itrace_decoder__has_cpus(const struct itrace_decoder *d)
{
	size_t i;

	for (i = 0; i < d->collect.queue_cnt; i++)
		if (d->collect.queues[i].cpu >= 0)
			return true;
	/* Each unit of CoreSight is that of a CPU. */
	return d->collect.info.unit == ITRACE_UNIT_ETM;
}

struct cbr_unit itrace_decoder__cbr_unit(const struct itrace_decoder *d)
{
	const struct itrace_job *h = &d->plan.head;

	if (!h->nom_freq)
		return (struct cbr_unit){ 0 };
	return (struct cbr_unit){ .khz = (uint32_t)(info__tsc_hz(h) / h->nom_freq / 1000),
				  .max_nonturbo = h->nom_freq };
}

const char *itrace_decoder__program(const struct itrace_decoder *d)
{
	return d->program.name;
}

const char *itrace_decoder__kernel_problem(const struct itrace_decoder *d)
{
	return d->collect.kernel.problem;
}

const struct itrace_sums *itrace_decoder__sums(const struct itrace_decoder *d)
{
	return &d->sums;
}
