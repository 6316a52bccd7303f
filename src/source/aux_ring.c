// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/aux_ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/perf_ring.h"

int aux_ring__map(struct aux_ring *a, struct perf_event_mmap_page *page, size_t ring_sz, int fd,
		  size_t sz, bool snapshot)
{
	void *p;

	page->aux_offset = (uint64_t)sysconf(_SC_PAGESIZE) + ring_sz;
	page->aux_size = sz;
	p = mmap(NULL, sz, snapshot ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		 (off_t)page->aux_offset);
	if (p == MAP_FAILED)
		return -errno;
	*a = (struct aux_ring){ .page = page, .data = p, .sz = sz, .snapshot = snapshot };
	return 0;
}

void aux_ring__unmap(struct aux_ring *a)
{
	if (a->page)
		munmap(a->data, a->sz);
	a->page = NULL;
}

/* Returns the sz bytes that end at head. */
static void cut(const struct aux_ring *a, uint64_t head, size_t sz, struct aux_data *d)
{
	size_t end = (size_t)(head & (a->sz - 1));

	*d = (struct aux_data){ .off = head - sz };
	if (sz <= end) {
		d->data1 = a->data + end - sz;
		d->sz1 = sz;
		return;
	}
	d->sz1 = sz - end;
	d->data1 = a->data + a->sz - d->sz1;
	d->data2 = a->data;
	d->sz2 = end;
}

bool aux_ring__read(struct aux_ring *a, struct aux_data *d)
{
	uint64_t head = ring__load_head(&a->page->aux_head), sz = head - a->at;

	if (!sz || sz > a->sz)
		return false;
	cut(a, head, (size_t)sz, d);
	a->at = head;
	a->bytes += sz;
	return true;
}

void aux_ring__done(struct aux_ring *a)
{
	ring__store_tail(&a->page->aux_tail, a->at);
}

static bool is_clear(const char *p, size_t sz)
{
	return !sz || (!*p && !memcmp(p, p + 1, sz - 1));
}

bool aux_ring__snapshot(struct aux_ring *a, size_t max, struct aux_data *d)
{
	uint64_t head = ring__load_head(&a->page->aux_head), sz;

	/* A PMU with an aux_head that exceeds the area counts bytes. */
	if (head <= a->sz && !a->wrapped)
		a->wrapped = head < a->at || !is_clear(a->data + head, a->sz - (size_t)head);
	if (a->wrapped)
		sz = a->sz;
	else
		sz = head - a->at < a->sz ? head - a->at : a->sz;
	if (max && sz > max)
		sz = max;
	if (!sz)
		return false;
	/* Start one area ahead, so that off is never below 0, just as for PMUs that count bytes. */
	cut(a, a->wrapped ? head + a->sz : head, (size_t)sz, d);
	a->at = head;
	a->bytes += sz;
	return true;
}
