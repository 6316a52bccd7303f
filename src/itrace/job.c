// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/recording.h"
#include "itrace/etm_chunks.h"
#include "itrace/stream.h"
#include "util/array.h"
#include "util/log.h"
#include "util/stop_signals.h"

/*
 * Bytes of a chunk, at least: then it ends at the next PSB. The items of a chunk of each area may
 * wait for those of the others, and so they are smaller where there are many.
 */
#define CHUNK_MAX_SZ (32u << 10)
#define CHUNK_MIN_SZ (2u << 10)
#define CHUNKS_SZ (256u << 10)
/* Time may go back by less, where it is estimated. */
#define BACK_MAX_NS 1000000000u
/* perf pads the bytes of a record with zeros to a multiple of this. */
#define RECORD_ALIGN 8

/*
 * The newest chunk of a queue does not begin before the one before it. A time that goes back by far
 * is that of a damaged packet: mostly of the chunk before, which then begins where the one before
 * that does; else time begins anew.
 */
static void put_in_order(const struct job_plan *plan, struct itrace_chunk *c)
{
	if (c->start_ns >= c[-1].start_ns)
		return;
	if (!c->start_ns || c[-1].start_ns - c->start_ns < BACK_MAX_NS)
		c->start_ns = c[-1].start_ns;
	else if (c > plan->chunks + 1 && c[-2].queue == c->queue && c[-2].start_ns <= c->start_ns)
		c[-1].start_ns = c[-2].start_ns;
}

/* Begins a chunk at this offset of a stream, which ends the one before it, but the first. */
static int add_chunk(struct job_plan *plan, struct stream *s, uint64_t off)
{
	/* Bytes before the first PSB are not decoded. */
	uint64_t psb_off = off ? off : stream__next_psb(s, 0), tsc = 0;
	uint8_t head[STREAM_HEAD_SZ];
	struct itrace_chunk *c;

	if (array__reserve((void **)&plan->chunks, &plan->chunk_cap, plan->chunk_cnt + 1,
			   sizeof(*c)))
		return -ENOMEM;
	if (psb_off != UINT64_MAX)
		tsc = stream__tsc(head, stream__read(s, psb_off, head, sizeof(head)));
	stream__seek(s, off);
	c = &plan->chunks[plan->chunk_cnt++];
	*c = (struct itrace_chunk){
		.queue = s->queue,
		.start_ns = tsc ? itrace_job__ns(&plan->head, tsc) : 0,
		.aux_off = s->aux_off + off,
		.first_piece = s->first + (uint32_t)s->at,
		.skip = off - s->at_off,
		.sz = s->sz - off,
	};
	if (c > plan->chunks && c[-1].queue == s->queue)
		put_in_order(plan, c);
	if (off) {
		c[-1].sz -= c->sz;
		c[-1].tail_sz = c->sz < STREAM_HEAD_SZ ? (uint32_t)c->sz : STREAM_HEAD_SZ;
	}
	return 0;
}

/* Cuts a stream at PSBs. */
static int cut_stream(struct job_plan *plan, struct stream *s)
{
	uint64_t off = 0, sz = plan->chunk_sz;
	int err = add_chunk(plan, s, 0);

	/* After a signal, none of it is decoded. */
	while (!err && !stop_signals__caught(NULL) && s->sz - off > sz) {
		off = stream__next_psb(s, off + sz);
		if (off == UINT64_MAX)
			break;
		err = add_chunk(plan, s, off);
	}
	return err;
}

int job_plan__add_pieces(struct job_plan *plan, const struct collect_queue *q)
{
	size_t i;

	for (i = 0; i < q->piece_cnt; i++) {
		if (array__reserve((void **)&plan->pieces, &plan->piece_cap, plan->piece_cnt + 1,
				   sizeof(*plan->pieces)))
			return -ENOMEM;
		plan->pieces[plan->piece_cnt++] =
			(struct itrace_piece){ q->pieces[i].off, q->pieces[i].sz };
	}
	return 0;
}

/* Moves the begin of a stream that is not cut yet. */
static void drop_begin(struct job_plan *plan, struct stream *s, uint64_t sz)
{
	struct itrace_piece *piece;

	s->aux_off += sz;
	s->sz -= sz;
	for (; sz >= s->pieces->sz; s->first++, s->pieces++, s->cnt--)
		sz -= s->pieces->sz;
	piece = &plan->pieces[s->first];
	piece->off += sz;
	piece->sz -= sz;
}

/* Returns the last PSB of a stream from `from` on, but before `end`; UINT64_MAX: there is none. */
static uint64_t last_psb(struct stream *s, uint64_t from, uint64_t end)
{
	uint64_t last = UINT64_MAX, at = from;

	s->window_sz = 0;
	while ((at = stream__next_psb(s, at)) < end)
		last = at++;
	return last;
}

/* PSBs at the end of a snapshot that are looked for in the next one. */
#define COMMON_PSBS 4

/*
 * Finds a PSB that both streams have, the last of those in the first from `from` on. The last of
 * all may have lost its time, which makes it the only one, to the end of the snapshot.
 */
static bool find_common(struct stream *before, struct stream *s, uint64_t from, uint64_t *last,
			uint64_t *at)
{
	uint8_t head[STREAM_HEAD_SZ];
	size_t got;
	int i;

	*last = UINT64_MAX;
	for (i = 0; i < COMMON_PSBS; i++) {
		*last = last_psb(before, from, *last);
		if (*last == UINT64_MAX)
			return false;
		got = stream__read(before, *last, head, sizeof(head));
		*at = stream__tsc(head, got) ? stream__find(s, 0, head, got) : UINT64_MAX;
		if (*at != UINT64_MAX)
			return true;
	}
	return false;
}

/*
 * A snapshot begins with bytes that the one before has, too, unless more than the area's size came
 * since. From a PSB of both on they are left to this one: so packets that the first snapshot cut
 * off are whole.
 */
static void drop_common(struct job_plan *plan, struct stream *before, struct stream *s)
{
	struct itrace_chunk *c = &plan->chunks[plan->chunk_cnt - 1];
	uint64_t from = c->aux_off - before->aux_off, last, at, sz;

	if (!find_common(before, s, from, &last, &at))
		return;
	drop_begin(plan, s, at);
	sz = before->sz - last;
	if (last == from)
		plan->chunk_cnt--;
	c->sz -= sz;
	c->tail_sz = sz < STREAM_HEAD_SZ ? (uint32_t)sz : STREAM_HEAD_SZ;
}

/* Cuts the pieces of a queue: a stream ends where bytes are missing. */
static int cut_queue(struct job_plan *plan, const struct collect_queue *q, uint32_t queue,
		     uint8_t *window)
{
	uint32_t first = (uint32_t)plan->piece_cnt;
	struct stream s = { .queue = queue, .fd = plan->data_fd, .window = window }, before;
	size_t i, end, chunk;
	int err = job_plan__add_pieces(plan, q);

	for (i = 0; i < q->piece_cnt && !err; i = end) {
		before = s;
		s.first = first + (uint32_t)i;
		s.pieces = &plan->pieces[s.first];
		s.aux_off = q->pieces[i].aux_off;
		s.sz = q->pieces[i].sz;
		for (end = i + 1; end < q->piece_cnt; end++) {
			/* A record's size is padded; the next position tells by how much. */
			uint64_t pad = s.aux_off + s.sz - q->pieces[end].aux_off;

			if (pad >= RECORD_ALIGN || pad > q->pieces[end - 1].sz)
				break;
			plan->pieces[first + end - 1].sz -= pad;
			s.sz += q->pieces[end].sz - pad;
		}
		s.cnt = end - i;
		s.at = s.at_off = s.window_sz = 0;
		if (i && plan->head.is_snapshot) {
			drop_common(plan, &before, &s);
			s.at = s.at_off = s.window_sz = 0;
		}
		chunk = plan->chunk_cnt;
		err = cut_stream(plan, &s);
		/* Snapshots are not meant to have what is between them. */
		if (!err && i && !plan->head.is_snapshot && s.aux_off > before.aux_off + before.sz)
			plan->chunks[chunk].lost_sz = s.aux_off - (before.aux_off + before.sz);
	}
	return err;
}

static int by_time(const void *a, const void *b)
{
	const struct itrace_chunk *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->queue != y->queue)
		return x->queue < y->queue ? -1 : 1;
	if (x->first_piece != y->first_piece)
		return x->first_piece < y->first_piece ? -1 : 1;
	return x->skip < y->skip ? -1 : x->skip > y->skip;
}

/* No item of a chunk is later than the next chunk of its queue. */
static int set_ends(struct job_plan *plan, size_t queue_cnt)
{
	uint64_t *next_ns = malloc((queue_cnt + 1) * sizeof(*next_ns));
	size_t i;

	if (!next_ns)
		return -ENOMEM;
	for (i = 0; i < queue_cnt; i++)
		next_ns[i] = UINT64_MAX;
	for (i = plan->chunk_cnt; i-- > 0;) {
		struct itrace_chunk *c = &plan->chunks[i];

		/* Chunks that begin at once do not tell when. */
		c->end_ns = next_ns[c->queue] > c->start_ns ? next_ns[c->queue] : UINT64_MAX;
		next_ns[c->queue] = c->start_ns;
	}
	free(next_ns);
	return 0;
}

static int cut_all(struct job_plan *plan, const struct collect *c)
{
	uint8_t *window = malloc(STREAM_WINDOW_SZ);
	size_t i;
	int err = window ? 0 : -ENOMEM;

	plan->chunk_sz = CHUNKS_SZ / (c->queue_cnt ? c->queue_cnt : 1);
	if (plan->chunk_sz > CHUNK_MAX_SZ)
		plan->chunk_sz = CHUNK_MAX_SZ;
	if (plan->chunk_sz < CHUNK_MIN_SZ)
		plan->chunk_sz = CHUNK_MIN_SZ;
	for (i = 0; i < c->queue_cnt && !err; i++)
		err = c->info.unit == ITRACE_UNIT_ETM
			      ? etm_chunks__cut(plan, c, (uint32_t)i)
			      : cut_queue(plan, &c->queues[i], (uint32_t)i, window);
	free(window);
	if (err)
		return err;
	if (plan->chunk_cnt)
		qsort(plan->chunks, plan->chunk_cnt, sizeof(*plan->chunks), by_time);
	return set_ends(plan, c->queue_cnt);
}

static int by_pid(const void *a, const void *b, void *ctx)
{
	const struct collect_space *spaces = ctx;
	const struct collect_space *x = &spaces[*(const uint32_t *)a];
	const struct collect_space *y = &spaces[*(const uint32_t *)b];

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x < y ? -1 : x > y;
}

static bool put(int fd, const void *data, size_t sz)
{
	const char *p = data;
	ssize_t n;

	for (; sz; p += n, sz -= (size_t)n) {
		n = write(fd, p, sz);
		if (n <= 0)
			return false;
	}
	return true;
}

static bool put_sections(int fd, const struct collect *c, const uint32_t *order)
{
	size_t i, n;

	for (i = 0; i < c->space_cnt; i++)
		for (n = 0; n < c->spaces[order[i]].cnt; n++) {
			const struct collect_map *m = &c->spaces[order[i]].maps[n];
			struct itrace_section s = { .off = m->pgoff,
						    .sz = m->len,
						    .vaddr = m->addr,
						    .image = m->image,
						    .space = (uint32_t)i };

			if (!put(fd, &s, sizeof(s)))
				return false;
		}
	return true;
}

/* The kernel's, which are in all spaces, come last. */
static bool put_kernel(int fd, const struct collect_kernel *k)
{
	size_t i;

	for (i = 0; i < k->map_cnt; i++) {
		struct itrace_section s = { .off = k->maps[i].pgoff,
					    .sz = k->maps[i].len,
					    .vaddr = k->maps[i].addr,
					    .image = k->maps[i].image,
					    .space = UINT32_MAX };

		if (!put(fd, &s, sizeof(s)))
			return false;
	}
	return true;
}

static bool put_spaces(int fd, const struct collect *c, const uint32_t *order)
{
	size_t i;

	for (i = 0; i < c->space_cnt; i++) {
		const struct collect_space *from = &c->spaces[order[i]];
		struct itrace_space s = { .from_ns = from->from_ns, .pid = from->pid };

		if (!put(fd, &s, sizeof(s)))
			return false;
	}
	return true;
}

static bool put_queues(int fd, const struct collect *c)
{
	size_t i;

	for (i = 0; i < c->queue_cnt; i++) {
		const struct collect_queue *from = &c->queues[i];
		uint32_t pid = u64map__get(&c->pid_of, (uint32_t)from->tid);
		struct itrace_queue q = { .pid = pid == U64MAP_NONE ? from->tid : (int32_t)pid,
					  .tid = from->tid,
					  .cpu = from->cpu,
					  .first_switch = (uint32_t)from->first_switch,
					  .switch_cnt = (uint32_t)from->switch_cnt };

		if (!put(fd, &q, sizeof(q)))
			return false;
	}
	return true;
}

static void set_counts(struct job_plan *plan, const struct collect *c)
{
	struct itrace_job *h = &plan->head;
	size_t i;

	h->image_cnt = (uint32_t)c->image_cnt;
	h->space_cnt = (uint32_t)c->space_cnt;
	for (i = 0; i < c->space_cnt; i++)
		h->section_cnt += (uint32_t)c->spaces[i].cnt;
	h->section_cnt += (uint32_t)c->kernel.map_cnt;
	h->poke_cnt = (uint32_t)c->kernel.poke_cnt;
	h->queue_cnt = (uint32_t)c->queue_cnt;
	h->switch_cnt = (uint32_t)c->run_cnt;
	h->piece_cnt = (uint32_t)plan->piece_cnt;
	h->chunk_cnt = (uint32_t)plan->chunk_cnt;
	h->etm_cnt = (uint32_t)c->etm_cnt;
}

/* Writes the arrays in the order of wire.h. */
static int put_job(struct job_plan *plan, const struct collect *c)
{
	uint32_t *order = calloc(c->space_cnt + 1, sizeof(*order));
	struct itrace_thread *threads = etm_chunks__threads(c, &plan->head.thread_cnt);
	int fd = plan->job_fd = memfd_create("job", MFD_CLOEXEC);
	size_t i;
	bool ok;

	if (!order || !threads || fd < 0) {
		free(order);
		free(threads);
		return -ENOMEM;
	}
	for (i = 0; i < c->space_cnt; i++)
		order[i] = (uint32_t)i;
	if (c->space_cnt)
		qsort_r(order, c->space_cnt, sizeof(*order), by_pid, c->spaces);
	set_counts(plan, c);
	ok = put(fd, &plan->head, sizeof(plan->head)) && put_sections(fd, c, order) &&
	     put_kernel(fd, &c->kernel) && put_spaces(fd, c, order) &&
	     put(fd, c->switches, c->run_cnt * sizeof(*c->switches)) && put_queues(fd, c) &&
	     put(fd, plan->pieces, plan->piece_cnt * sizeof(*plan->pieces)) &&
	     put(fd, plan->chunks, plan->chunk_cnt * sizeof(*plan->chunks)) &&
	     put(fd, c->etms, c->etm_cnt * sizeof(*c->etms)) &&
	     put(fd, threads, plan->head.thread_cnt * sizeof(*threads)) &&
	     put(fd, c->kernel.pokes, c->kernel.poke_cnt * sizeof(*c->kernel.pokes));
	free(order);
	free(threads);
	return ok ? 0 : -ENOMEM;
}

int job_plan__make(struct job_plan *plan, const struct collect *c, const struct itrace_options *o,
		   uint64_t ring_sz)
{
	int err;

	plan->head = c->info;
	plan->head.magic = ITRACE_MAGIC;
	plan->head.want = o->want;
	if (o->chain_max || o->wants_stacks)
		plan->head.want |= 1u << ITRACE_CALL | 1u << ITRACE_RETURN;
	if (o->last_max)
		plan->head.want |= 1u << ITRACE_BRANCH;
	plan->head.period = o->period;
	plan->head.period_kind = o->period_kind;
	plan->head.ring_sz = ring_sz;
	plan->job_fd = -1;
	plan->data_fd = open(c->rec->path, O_RDONLY | O_CLOEXEC);
	if (plan->data_fd < 0) {
		log_error("cannot read %s again: %s; give a file with -i", c->rec->path,
			  strerror(errno));
		return -EIO;
	}
	err = cut_all(plan, c);
	if (!err)
		err = put_job(plan, c);
	if (err)
		log_error("no memory to decode the trace of %s", c->rec->path);
	return err;
}

void job_plan__free(struct job_plan *plan)
{
	/* magic: it was made. */
	if (plan->head.magic && plan->job_fd >= 0)
		close(plan->job_fd);
	if (plan->head.magic && plan->data_fd >= 0)
		close(plan->data_fd);
	free(plan->chunks);
	free(plan->pieces);
}
