// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/flight.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "source/backward.h"
#include "source/perf_ring.h"
#include "source/ring_sample.h"
#include "util/mono.h"

/*
 * Longest wait for a program that began its output before the pause; a program needs some
 * microseconds.
 */
#define QUIET_NS 2000000ull

struct flight_ring {
	int cpu, fd;
	struct perf_event_mmap_page *page; /* then the data */
	uint64_t head; /* position where the last dump ended */
};

struct flight {
	struct flight_ring *rings;
	size_t cnt, ring_sz, page_sz;
	struct backward_copy copy; /* of one ring at a time */
};

static int open_ring(struct flight *f, struct flight_ring *r, int map_fd)
{
	struct perf_event_attr attr = ring_sample__attr();
	void *p;

	attr.write_backward = 1;
	/* No wakeups: the reader waits for a reason to dump. */
	attr.watermark = 1;
	attr.wakeup_watermark = UINT32_MAX;
	r->fd = (int)syscall(SYS_perf_event_open, &attr, -1, r->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (r->fd < 0)
		return -errno;
	/* PROT_READ alone is what makes a ring overwrite. */
	p = mmap(NULL, f->page_sz + f->ring_sz, PROT_READ, MAP_SHARED, r->fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->page = p;
	if (ioctl(r->fd, PERF_EVENT_IOC_ENABLE, 0) ||
	    bpf_map_update_elem(map_fd, &r->cpu, &r->fd, BPF_ANY))
		return -errno;
	return 0;
}

struct flight *flight__new(int map_fd, const int *cpus, size_t cpu_cnt, size_t ring_sz)
{
	struct flight *f = calloc(1, sizeof(*f));
	int err = -ENOMEM;
	size_t i;

	if (!f)
		return NULL;
	f->page_sz = (size_t)sysconf(_SC_PAGESIZE);
	f->ring_sz = ring_sz;
	f->rings = calloc(cpu_cnt, sizeof(*f->rings));
	if (!f->rings)
		goto fail;
	for (f->cnt = 0; f->cnt < cpu_cnt; f->cnt++)
		f->rings[f->cnt] = (struct flight_ring){ .cpu = cpus[f->cnt], .fd = -1 };
	for (i = 0, err = 0; i < cpu_cnt && !err; i++)
		err = open_ring(f, &f->rings[i], map_fd);
	if (!err)
		return f;
fail:
	flight__free(f);
	errno = -err;
	return NULL;
}

void flight__free(struct flight *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->cnt; i++) {
		if (f->rings[i].page)
			munmap(f->rings[i].page, f->page_sz + f->ring_sz);
		if (f->rings[i].fd >= 0)
			close(f->rings[i].fd);
	}
	backward_copy__free(&f->copy);
	free(f->rings);
	free(f);
}

/*
 * Waits until no program runs on the CPU: a program that found the ring open has then written its
 * output.
 */
static void wait_quiet(const struct batches *b, int cpu)
{
	uint64_t end = mono_ns() + QUIET_NS;

	while (!batches__is_quiet(b, (uint32_t)cpu) && mono_ns() < end)
		;
}

int flight__take(struct flight *f, size_t slot, const struct batches *batches,
		 int (*fn)(void *ctx, const struct perf_event_header *hdr), void *ctx)
{
	struct flight_ring *r = &f->rings[slot];
	uint64_t head;
	int err;

	if (ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1))
		return -errno;
	wait_quiet(batches, r->cpu);
	head = ring__load_head(&r->page->data_head);
	err = backward__copy(&f->copy, (const char *)r->page + f->page_sz, f->ring_sz, head,
			     r->head);
	r->head = head;
	if (ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0) && !err)
		err = -errno;
	return err ? err : backward__each(&f->copy, fn, ctx);
}
