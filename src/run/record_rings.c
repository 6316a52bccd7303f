// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/record_rings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "session/prog_sync.h"
#include "perf/sampling.h"
#include "util/array.h"
#include "util/err.h"
#include "util/log.h"

static int ioctl_ring(const struct record_ring *r, unsigned long request, unsigned long arg)
{
	return ioctl(r->fd, request, arg) ? -errno : 0;
}

/* The ring of a cell; NULL: it has none yet. */
static struct record_ring *find(struct record_rings *rr, int cpu, pid_t tid, bool track)
{
	size_t i;

	for (i = 0; i < rr->cnt; i++) {
		struct record_ring *r = &rr->rings[i];

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

static int map_aux(struct record_ring *r, const struct record_rings_config *cfg)
{
	int err =
		aux_ring__map(&r->aux, r->ring.page, r->ring.sz, r->fd, cfg->aux_sz, cfg->snapshot);

	if (err)
		log_error("cannot map an AUX area of %zu KiB: %s; give another size by -m ,PAGES",
			  cfg->aux_sz >> 10, strerror(-err));
	return err;
}

static int new_ring(struct record_rings *rr, const struct evsel *ce, size_t cell,
		    const struct record_rings_config *cfg)
{
	bool track = !ce->ev;
	size_t sz = track ? cfg->track_ring_sz : cfg->ring_sz;
	struct record_ring *r;
	int err;

	if (array__reserve((void **)&rr->rings, &rr->cap, rr->cnt + 1, sizeof(*rr->rings)))
		return -ENOMEM;
	r = &rr->rings[rr->cnt];
	*r = (struct record_ring){
		.fd = ce->fds[cell],
		.cpu = ce->cpus[cell / ce->tid_cnt],
		.tid = ce->cpus[0] >= 0 ? -1 : ce->tids[cell % ce->tid_cnt],
		.track = track,
		.has_told = track,
		.idx = (uint32_t)rr->cnt,
	};
	err = perf_ring__map(&r->ring, r->fd, sz, !track && !ce->has_aux && cfg->overwrite);
	if (err)
		return err;
	rr->cnt++;
	return ce->has_aux ? map_aux(r, cfg) : 0;
}

static int share(const struct record_ring *r, int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd) ? -errno : 0;
}

static int give_ring(struct record_rings *rr, const struct evsel *ce, size_t cell,
		     const struct record_rings_config *cfg)
{
	int cpu = ce->cpus[cell / ce->tid_cnt], fd = ce->fds[cell], err;
	pid_t tid = ce->tids[cell % ce->tid_cnt];
	struct record_ring *r = find(rr, cpu, tid, !ce->ev);

	if (r)
		err = share(r, fd);
	else
		err = new_ring(rr, ce, cell, cfg);
	if (r && err)
		log_error("%s cannot write to the ring of CPU %d: %s; record it by itself",
			  ce->name, cpu, strerror(-err));
	if (r || !err)
		return err;
	r = ce->ev || cfg->overwrite ? NULL : find(rr, cpu, tid, false);
	if (r && !share(r, fd)) {
		r->has_told = true;
		return 0;
	}
	explain_map(ce->ev ? cfg->ring_sz : cfg->track_ring_sz, err);
	return err;
}

static int give_rings(struct record_rings *rr, const struct evsel *ce,
		      const struct record_rings_config *cfg)
{
	size_t i;
	int err = 0;

	for (i = 0; i < ce->cpu_cnt * ce->tid_cnt && !err; i++)
		if (ce->fds[i] >= 0)
			err = give_ring(rr, ce, i, cfg);
	return err;
}

int record_rings__watch(struct record_rings *rr, int fd)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(rr->epoll_fd, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

/* Any event of a ring is woken for it; each thread's, since it tells also of the thread's end. */
static int watch_cells(struct record_rings *rr, const struct sampling_events *c)
{
	size_t i, j;
	int err = 0;

	for (i = 0; i < c->set.cnt; i++) {
		const struct evsel *ce = &c->set.events[i];

		if (ce->leader != i)
			continue;
		for (j = 0; j < ce->cpu_cnt * ce->tid_cnt && !err; j++) {
			if (ce->fds[j] < 0)
				continue;
			err = record_rings__watch(rr, ce->fds[j]);
			rr->alive_cnt++;
		}
	}
	return err;
}

int record_rings__open(struct record_rings *rr, struct sampling_events *c,
		       const struct record_rings_config *cfg)
{
	size_t i;
	int err = 0;

	*rr = (struct record_rings){ .sampling = c };
	rr->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (rr->epoll_fd < 0)
		return -errno;
	/* An AUX area is mapped with its event: these own the rings. */
	for (i = 0; i < c->set.cnt && !err; i++)
		if (c->set.events[i].has_aux)
			err = give_rings(rr, &c->set.events[i], cfg);
	for (i = 0; i < c->set.cnt && !err; i++)
		if (!c->set.events[i].has_aux)
			err = give_rings(rr, &c->set.events[i], cfg);
	if (err)
		return err;
	err = watch_cells(rr, c);
	if (err)
		log_error("cannot wait for rings: %s; raise `ulimit -n`", strerror(-err));
	return err;
}

void record_rings__free(struct record_rings *rr)
{
	size_t i;

	for (i = 0; i < rr->cnt; i++) {
		aux_ring__unmap(&rr->rings[i].aux);
		perf_ring__unmap(&rr->rings[i].ring);
	}
	if (rr->epoll_fd > 0)
		close(rr->epoll_fd);
	backward_copy__free(&rr->copy);
	free(rr->rings);
	*rr = (struct record_rings){ 0 };
}

int record_rings__wait(struct record_rings *rr, int timeout_ms)
{
	struct epoll_event evs[16];
	int cnt = epoll_wait(rr->epoll_fd, evs, 16, timeout_ms), i;

	if (cnt < 0)
		return errno == EINTR ? 0 : -errno;
	for (i = 0; i < cnt; i++) {
		/* Its task has ended, with all that inherited it: it would be told again and again. */
		if (!(evs[i].events & (EPOLLHUP | EPOLLERR)))
			continue;
		if (epoll_ctl(rr->epoll_fd, EPOLL_CTL_DEL, evs[i].data.fd, NULL) == 0)
			rr->alive_cnt--;
	}
	return 0;
}

struct taking {
	struct record_ring *ring;
	const struct record_taker *taker;
};

static int on_recs(void *ctx, const void *recs, size_t sz)
{
	struct taking *t = ctx;

	return t->taker->recs(t->taker->ctx, t->ring, recs, sz);
}

/* DISABLE as well: ENABLE alone does not start it again on each kernel. */
static void switch_aux(struct record_rings *rr, const struct record_ring *r, bool off, bool on)
{
	const struct sampling_events *c = rr->sampling;
	size_t i, j;

	for (i = 0; i < c->set.cnt; i++) {
		const struct evsel *ce = &c->set.events[i];

		for (j = 0; ce->has_aux && j < ce->cpu_cnt * ce->tid_cnt; j++) {
			if (ce->fds[j] < 0 || (r && r->cpu != ce->cpus[j / ce->tid_cnt]))
				continue;
			if (r && r->cpu < 0 && r->tid != ce->tids[j % ce->tid_cnt])
				continue;
			if (off)
				ioctl(ce->fds[j], PERF_EVENT_IOC_DISABLE, 0);
			if (on)
				ioctl(ce->fds[j], PERF_EVENT_IOC_ENABLE, 0);
		}
	}
}

/* Where records were lost, one of them may have told that the event was stopped. */
static int drain_aux(struct record_rings *rr, struct record_ring *r, const struct record_taker *t,
		     bool running, bool has_lost)
{
	bool stopped = r->ring.aux_stopped || (has_lost && !r->aux.snapshot), has_data;
	struct aux_data data;
	int err = 0;

	has_data = !r->aux.snapshot && aux_ring__read(&r->aux, &data);
	if (has_data) {
		err = t->aux(t->ctx, r, &data);
		aux_ring__done(&r->aux);
	}
	/* The ring may still be full, and has told nothing then: of an event that runs ENABLE changes nothing. */
	if (running && !err && (stopped || has_data))
		switch_aux(rr, r, stopped, true);
	r->ring.aux_stopped = false;
	return err;
}

int record_rings__drain(struct record_rings *rr, const struct record_taker *t, bool running)
{
	size_t i;
	int err = 0;

	for (i = 0; i < rr->cnt && !err; i++) {
		struct record_ring *r = &rr->rings[i];
		struct taking taking = { .ring = r, .taker = t };
		uint64_t lost = r->ring.counts.lost;

		if (r->ring.overwrite)
			continue;
		err = perf_ring__drain(&r->ring, on_recs, &taking);
		if (!err && r->aux.page)
			err = drain_aux(rr, r, t, running, r->ring.counts.lost != lost);
	}
	return err;
}

static int pause_output(struct record_rings *rr, bool on)
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

int record_rings__dump(struct record_rings *rr, const struct record_taker *t, bool running)
{
	int err = 0, last;
	size_t i;

	if (running) {
		err = pause_output(rr, true);
		/* Who had begun to write before has ended: records are written with preemption off. */
		prog_sync__all_cpus();
	}
	for (i = 0; i < rr->cnt && !err; i++) {
		struct taking taking = { .ring = &rr->rings[i], .taker = t };

		if (rr->rings[i].ring.overwrite)
			err = perf_ring__dump(&rr->rings[i].ring, &rr->copy, on_recs, &taking);
	}
	last = running ? pause_output(rr, false) : 0;
	return err__keep_first(err, last);
}

int record_rings__snapshot(struct record_rings *rr, const struct record_taker *t, size_t max,
			   bool running)
{
	struct aux_data data;
	size_t i;
	int err;

	switch_aux(rr, NULL, true, false);
	/* The AUX records that tell of it come before the data. */
	err = record_rings__drain(rr, t, false);
	for (i = 0; i < rr->cnt && !err; i++) {
		struct record_ring *r = &rr->rings[i];

		if (r->aux.page && aux_ring__snapshot(&r->aux, max, &data))
			err = t->aux(t->ctx, r, &data);
	}
	if (running)
		switch_aux(rr, NULL, false, true);
	return err;
}

struct perf_ring_counts record_rings__counts(const struct record_rings *rr, bool track)
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

uint64_t record_rings__aux_bytes(const struct record_rings *rr)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < rr->cnt; i++)
		sum += rr->rings[i].aux.bytes;
	return sum;
}

const struct perf_event_mmap_page *record_rings__aux_page(const struct record_rings *rr)
{
	size_t i;

	for (i = 0; i < rr->cnt; i++)
		if (rr->rings[i].aux.page)
			return rr->rings[i].aux.page;
	return NULL;
}
