// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/kernel_rings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/array.h"
#include "util/err.h"
#include "util/log.h"

static int ioctl_ring(const struct kernel_ring *r, unsigned long request, unsigned long arg)
{
	return ioctl(r->fd, request, arg) ? -errno : 0;
}

/* Returns the ring of a CPU or thread; NULL: it has none yet. */
static struct kernel_ring *find_ring(const struct kernel_rings *rr, int cpu, pid_t tid, bool track)
{
	size_t i;

	for (i = 0; i < rr->cnt; i++) {
		struct kernel_ring *r = &rr->rings[i];

		if (r->track == track && r->cpu == cpu && (cpu >= 0 || r->tid == tid))
			return r;
	}
	return NULL;
}

static void explain_map(size_t sz, int err)
{
	if (err == -EPERM || err == -ENOMEM)
		log_error("cannot map a ring of %zu KiB: %s; give a smaller -m, or raise sysctl "
			  "kernel.perf_event_mlock_kb",
			  sz >> 10, err == -EPERM ? "more memory than you may lock" : "no memory");
	else
		log_error("cannot map a ring of %zu KiB: %s", sz >> 10, strerror(-err));
}

static int map_aux(struct kernel_ring *r, const struct kernel_rings_config *cfg)
{
	int err =
		aux_ring__map(&r->aux, r->ring.page, r->ring.sz, r->fd, cfg->aux_sz, cfg->snapshot);

	if (err)
		log_error("cannot map an AUX area of %zu KiB: %s; give another size by -m ,PAGES",
			  cfg->aux_sz >> 10, strerror(-err));
	return err;
}

static int new_ring(struct kernel_rings *rr, const struct kernel_ring_event *ev,
		    const struct kernel_rings_config *cfg)
{
	size_t sz = ev->track ? cfg->track_ring_sz : cfg->ring_sz;
	struct kernel_ring *r;
	int err;

	if (array__reserve((void **)&rr->rings, &rr->cap, rr->cnt + 1, sizeof(*rr->rings)))
		return -ENOMEM;
	r = &rr->rings[rr->cnt];
	*r = (struct kernel_ring){
		.fd = ev->fd,
		.cpu = ev->cpu,
		.tid = ev->cpu >= 0 ? -1 : ev->tid,
		.track = ev->track,
		.has_track = ev->track,
		.idx = (uint32_t)rr->cnt,
	};
	err = perf_ring__map(&r->ring, r->fd, sz, !ev->track && !ev->has_aux && cfg->overwrite);
	if (err)
		return err;
	r->ring.no_build_ids = cfg->no_build_ids && !r->ring.overwrite;
	rr->cnt++;
	return ev->has_aux ? map_aux(r, cfg) : 0;
}

static int share(const struct kernel_ring *r, int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd) ? -errno : 0;
}

static int give_ring(struct kernel_rings *rr, const struct kernel_ring_event *ev,
		     const struct kernel_rings_config *cfg)
{
	struct kernel_ring *r = find_ring(rr, ev->cpu, ev->tid, ev->track);
	int err = r ? share(r, ev->fd) : new_ring(rr, ev, cfg);

	if (r && err)
		log_error("%s cannot write to the ring of CPU %d: %s; record it by itself",
			  ev->name, ev->cpu, strerror(-err));
	if (r || !err)
		return err;
	r = !ev->track || cfg->overwrite ? NULL : find_ring(rr, ev->cpu, ev->tid, false);
	if (r && !share(r, ev->fd)) {
		r->has_track = true;
		return 0;
	}
	explain_map(ev->track ? cfg->track_ring_sz : cfg->ring_sz, err);
	return err;
}

static int give_rings(struct kernel_rings *rr, bool has_aux, const struct kernel_rings_config *cfg)
{
	size_t i;
	int err = 0;

	for (i = 0; i < rr->event_cnt && !err; i++)
		if (rr->events[i].has_aux == has_aux)
			err = give_ring(rr, &rr->events[i], cfg);
	return err;
}

/*
 * Polls one event per ring, since any event of a ring wakes its reader, and an event of each
 * thread, since it also reports the thread's end.
 */
static int watch_events(struct kernel_rings *rr)
{
	size_t i;
	int err = 0;

	for (i = 0; i < rr->event_cnt && !err; i++) {
		struct epoll_event ev = { .events = EPOLLIN, .data.fd = rr->events[i].fd };

		if (!rr->events[i].leads)
			continue;
		if (epoll_ctl(rr->epoll_fd, EPOLL_CTL_ADD, rr->events[i].fd, &ev))
			err = -errno;
		rr->alive_cnt++;
	}
	return err;
}

static const struct source_ops kernel_rings_ops;

int kernel_rings__open(struct kernel_rings *rr, const struct kernel_rings_config *cfg)
{
	int err;

	*rr = (struct kernel_rings){
		.base = { &kernel_rings_ops },
		.settle = cfg->settle,
		.event_cnt = cfg->event_cnt,
		.epoll_fd = epoll_create1(EPOLL_CLOEXEC),
	};
	if (rr->epoll_fd < 0)
		return -errno;
	rr->events = calloc(cfg->event_cnt + 1, sizeof(*rr->events));
	if (!rr->events)
		return -ENOMEM;
	memcpy(rr->events, cfg->events, cfg->event_cnt * sizeof(*rr->events));
	/* An AUX area is mapped with the fd of its event, which therefore maps the ring, too. */
	err = give_rings(rr, true, cfg);
	if (!err)
		err = give_rings(rr, false, cfg);
	if (err)
		return err;
	err = watch_events(rr);
	if (err)
		log_error("cannot wait for rings: %s; raise `ulimit -n`", strerror(-err));
	return err;
}

void kernel_rings__free(struct kernel_rings *rr)
{
	size_t i;

	for (i = 0; i < rr->cnt; i++) {
		aux_ring__unmap(&rr->rings[i].aux);
		perf_ring__unmap(&rr->rings[i].ring);
	}
	/* ops: it was opened. */
	if (rr->base.ops && rr->epoll_fd >= 0)
		close(rr->epoll_fd);
	backward_copy__free(&rr->copy);
	free(rr->rings);
	free(rr->events);
	*rr = (struct kernel_rings){ 0 };
}

int kernel_rings__wait(struct kernel_rings *rr, int timeout_ms)
{
	struct epoll_event evs[16];
	int cnt = epoll_wait(rr->epoll_fd, evs, 16, timeout_ms), i;

	if (cnt < 0)
		return errno == EINTR ? 0 : -errno;
	for (i = 0; i < cnt; i++) {
		/*
		 * The task and all that inherited the event have ended: stop polling, which would
		 * report it forever.
		 */
		if (!(evs[i].events & (EPOLLHUP | EPOLLERR)))
			continue;
		if (epoll_ctl(rr->epoll_fd, EPOLL_CTL_DEL, evs[i].data.fd, NULL) == 0)
			rr->alive_cnt--;
	}
	return 0;
}

struct handing {
	const struct kernel_ring *ring;
	record_fn fn;
	void *ctx;
};

static int hand_on_batch(void *ctx, const void *recs, size_t sz)
{
	const struct handing *h = ctx;
	const struct record rec = { .kind = RECORD_BATCH, .ring = h->ring, .hdr = recs, .sz = sz };

	return h->fn(h->ctx, &rec);
}

static int hand_on_aux(const struct kernel_ring *ring, const struct aux_data *aux, record_fn fn,
		       void *ctx)
{
	const struct record rec = { .kind = RECORD_AUX, .ring = ring, .aux = aux };

	return fn(ctx, &rec);
}

/* Also DISABLE: on some kernels ENABLE alone does not restart the event. */
static void switch_aux(struct kernel_rings *rr, const struct kernel_ring *r, bool off, bool on)
{
	size_t i;

	for (i = 0; i < rr->event_cnt; i++) {
		const struct kernel_ring_event *ev = &rr->events[i];

		if (!ev->has_aux || (r && r->cpu != ev->cpu))
			continue;
		if (r && r->cpu < 0 && r->tid != ev->tid)
			continue;
		if (off)
			ioctl(ev->fd, PERF_EVENT_IOC_DISABLE, 0);
		if (on)
			ioctl(ev->fd, PERF_EVENT_IOC_ENABLE, 0);
	}
}

/* If records were lost, one of them may have reported that the event was stopped. */
static int drain_aux(struct kernel_rings *rr, struct kernel_ring *r, const struct handing *h,
		     bool running, bool has_lost)
{
	bool stopped = r->ring.aux_stopped || (has_lost && !r->aux.snapshot), has_data;
	struct aux_data data;
	int err = 0;

	has_data = !r->aux.snapshot && aux_ring__read(&r->aux, &data);
	if (has_data) {
		err = hand_on_aux(r, &data, h->fn, h->ctx);
		aux_ring__done(&r->aux);
	}
	/*
	 * The ring may still be full, in which case the kernel reported nothing: ENABLE does not
	 * change a running event.
	 */
	if (running && !err && (stopped || has_data))
		switch_aux(rr, r, stopped, true);
	r->ring.aux_stopped = false;
	return err;
}

/*
 * Also restarts AUX events that the kernel stopped because their area was full, including those
 * whose record about it was lost.
 */
static int drain(struct source *src, bool all, record_fn fn, void *ctx)
{
	struct kernel_rings *rr = (struct kernel_rings *)src;
	size_t i;
	int err = 0;

	for (i = 0; i < rr->cnt && !err; i++) {
		struct kernel_ring *r = &rr->rings[i];
		struct handing h = { .ring = r, .fn = fn, .ctx = ctx };
		uint64_t lost = r->ring.counts.lost;

		if (r->ring.overwrite)
			continue;
		err = perf_ring__drain(&r->ring, hand_on_batch, &h);
		if (!err && r->aux.page)
			err = drain_aux(rr, r, &h, !all, r->ring.counts.lost != lost);
	}
	return err;
}

static int pause_output(struct kernel_rings *rr, bool on)
{
	size_t i;
	int err = 0, last;

	for (i = 0; i < rr->cnt; i++) {
		if (!rr->rings[i].ring.overwrite)
			continue;
		last = ioctl_ring(&rr->rings[i], PERF_EVENT_IOC_PAUSE_OUTPUT, on);
		err = err__keep_first(err, last);
	}
	return err;
}

/* While events run, pause the output of all rings before reading the first one. */
static int dump(struct source *src, bool all, record_fn fn, void *ctx)
{
	struct kernel_rings *rr = (struct kernel_rings *)src;
	int err = 0, last;
	size_t i;

	if (!all) {
		err = pause_output(rr, true);
		/*
		 * Records are written with preemption off, so each one begun earlier is complete
		 * after this.
		 */
		rr->settle();
	}
	for (i = 0; i < rr->cnt && !err; i++) {
		struct handing h = { .ring = &rr->rings[i], .fn = fn, .ctx = ctx };

		if (rr->rings[i].ring.overwrite)
			err = perf_ring__dump(&rr->rings[i].ring, &rr->copy, hand_on_batch, &h);
	}
	last = all ? 0 : pause_output(rr, false);
	return err__keep_first(err, last);
}

static int rings_fd(const struct source *src)
{
	return ((const struct kernel_rings *)src)->epoll_fd;
}

static uint64_t delivered(const struct source *src)
{
	const struct kernel_rings *rr = (const struct kernel_rings *)src;

	return kernel_rings__counts(rr, false).records + kernel_rings__counts(rr, true).records;
}

static void free_rings(struct source *src)
{
	kernel_rings__free((struct kernel_rings *)src);
}

static const struct source_ops kernel_rings_ops = {
	.drain = drain,
	.dump = dump,
	.fd = rings_fd,
	.delivered = delivered,
	.free = free_rings,
};

int kernel_rings__snapshot(struct kernel_rings *rr, record_fn fn, void *ctx, size_t max,
			   bool running)
{
	struct aux_data data;
	size_t i;
	int err;

	switch_aux(rr, NULL, true, false);
	/* Read AUX records first: they announce the data. */
	err = drain(&rr->base, true, fn, ctx);
	for (i = 0; i < rr->cnt && !err; i++) {
		struct kernel_ring *r = &rr->rings[i];

		if (r->aux.page && aux_ring__snapshot(&r->aux, max, &data))
			err = hand_on_aux(r, &data, fn, ctx);
	}
	if (running)
		switch_aux(rr, NULL, false, true);
	return err;
}

struct perf_ring_counts kernel_rings__counts(const struct kernel_rings *rr, bool track)
{
	struct perf_ring_counts sum = { 0 };
	size_t i;

	for (i = 0; i < rr->cnt; i++) {
		const struct perf_ring_counts *c = &rr->rings[i].ring.counts;

		if (rr->rings[i].track != track)
			continue;
		sum.records += c->records;
		sum.samples += c->samples;
		sum.lost += c->lost;
		sum.throttled += c->throttled;
		sum.aux_records += c->aux_records;
		sum.aux_truncated += c->aux_truncated;
		sum.aux_collisions += c->aux_collisions;
		sum.aux_partial += c->aux_partial;
	}
	return sum;
}

uint64_t kernel_rings__aux_bytes(const struct kernel_rings *rr)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < rr->cnt; i++)
		sum += rr->rings[i].aux.bytes;
	return sum;
}

uint32_t kernel_rings__aux_idx(const struct kernel_rings *rr, int cpu, pid_t tid)
{
	const struct kernel_ring *r = find_ring(rr, cpu, tid, false);

	return r && r->aux.page ? r->idx : 0;
}

const struct perf_event_mmap_page *kernel_rings__aux_page(const struct kernel_rings *rr)
{
	size_t i;

	for (i = 0; i < rr->cnt; i++)
		if (rr->rings[i].aux.page)
			return rr->rings[i].aux.page;
	return NULL;
}
