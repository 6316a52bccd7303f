// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/perf_ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/build_id_bit.h"
#include "data/proc_layout.h"

int perf_ring__map(struct perf_ring *r, int fd, size_t sz, bool overwrite)
{
	void *p;

	*r = (struct perf_ring){ .sz = sz, .overwrite = overwrite };
	r->page_sz = (size_t)sysconf(_SC_PAGESIZE);
	/* PROT_READ alone makes the ring overwrite. */
	p = mmap(NULL, r->page_sz + sz, overwrite ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED,
		 fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->page = p;
	r->data = (char *)p + r->page_sz;
	return 0;
}

void perf_ring__unmap(struct perf_ring *r)
{
	if (r->page)
		munmap(r->page, r->page_sz + r->sz);
	r->page = NULL;
}

static uint64_t u64_at(const struct perf_event_header *hdr, size_t off)
{
	uint64_t val = 0;

	if (hdr->size >= sizeof(*hdr) + off + sizeof(val))
		memcpy(&val, (const char *)(hdr + 1) + off, sizeof(val));
	return val;
}

static void count_aux(struct perf_ring *r, uint64_t flags)
{
	r->counts.aux_records++;
	r->counts.aux_truncated += !!(flags & PERF_AUX_FLAG_TRUNCATED);
	r->counts.aux_partial += !!(flags & PERF_AUX_FLAG_PARTIAL);
	r->counts.aux_collisions += !!(flags & PERF_AUX_FLAG_COLLISION);
	r->aux_stopped |= !!(flags & PERF_AUX_FLAG_TRUNCATED);
}

static void count(struct perf_ring *r, const struct perf_event_header *hdr)
{
	struct perf_ring_counts *c = &r->counts;

	c->records++;
	switch (hdr->type) {
	case PERF_RECORD_SAMPLE:
		c->samples++;
		r->last_sample = hdr;
		break;
	case PERF_RECORD_LOST:
		c->lost += u64_at(hdr, 8);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		c->lost += u64_at(hdr, 0);
		break;
	case PERF_RECORD_AUX:
		count_aux(r, u64_at(hdr, 16));
		break;
	default:
		c->throttled += proc_layout__is_throttle(hdr->type);
		break;
	}
}

/* True if the kernel could have written this header. */
static bool is_sound(const struct perf_event_header *hdr)
{
	return hdr->size >= sizeof(*hdr) && !(hdr->size & 7);
}

/* True if the record claims a build id that it cannot have. */
static bool is_false(const struct perf_ring *r, const struct perf_event_header *hdr)
{
	return r->no_build_ids && build_id_bit__is_set(hdr);
}

/*
 * Size of the contiguous whole records at `at`, within sz bytes, up to one that must be changed;
 * updates the counts.
 */
static size_t whole_records(struct perf_ring *r, const char *at, size_t sz)
{
	size_t done = 0;

	r->last_sample = NULL;
	while (sz - done >= sizeof(struct perf_event_header)) {
		const struct perf_event_header *hdr = (const void *)(at + done);

		if (!is_sound(hdr) || hdr->size > sz - done || is_false(r, hdr))
			break;
		count(r, hdr);
		done += hdr->size;
	}
	return done;
}

/*
 * Copies the record at offset off of the data, which may wrap around, and changes it if it must be
 * changed: user space may not write to the data. Returns its size; 0: no valid record.
 */
static size_t copy_record(struct perf_ring *r, size_t off, size_t left, char *buf)
{
	size_t first = r->sz - off;
	/* Records begin at multiples of 8, so a header is never split. */
	const struct perf_event_header *hdr = (const void *)(r->data + off);

	if (!is_sound(hdr) || hdr->size > left)
		return 0;
	first = first < hdr->size ? first : hdr->size;
	memcpy(buf, r->data + off, first);
	memcpy(buf + first, r->data, hdr->size - first);
	if (r->no_build_ids)
		build_id_bit__clear((void *)buf);
	count(r, (const void *)buf);
	return hdr->size;
}

int perf_ring__drain(struct perf_ring *r, perf_ring_fn fn, void *ctx)
{
	uint64_t head = ring__load_head(&r->page->data_head), left = head - r->at;
	char copy[UINT16_MAX + 1] __attribute__((aligned(8)));
	int err = 0;

	while (left && !err) {
		size_t off = (size_t)(r->at & (r->sz - 1)), sz, first = r->sz - off;

		sz = whole_records(r, r->data + off, left < first ? (size_t)left : first);
		if (sz) {
			err = fn(ctx, r->data + off, sz);
		} else {
			sz = copy_record(r, off, (size_t)left, copy);
			/* The kernel never writes this: the rest cannot be split into records. */
			err = sz ? fn(ctx, copy, sz) : -EBADMSG;
		}
		r->at += sz;
		left -= sz;
	}
	if (err == -EBADMSG) {
		r->at = head;
		err = 0;
	}
	ring__store_tail(&r->page->data_tail, r->at);
	return err;
}

struct dump {
	struct perf_ring *ring;
	perf_ring_fn fn;
	void *ctx;
};

static int deliver_record(void *ctx, const struct perf_event_header *hdr)
{
	struct dump *d = ctx;

	d->ring->last_sample = NULL;
	count(d->ring, hdr);
	return d->fn(d->ctx, hdr, hdr->size);
}

int perf_ring__dump(struct perf_ring *r, struct backward_copy *copy, perf_ring_fn fn, void *ctx)
{
	struct dump d = { .ring = r, .fn = fn, .ctx = ctx };
	uint64_t head = ring__load_head(&r->page->data_head);
	int err = backward__copy(copy, r->data, r->sz, head, r->at);

	r->at = head;
	return err ? err : backward__each(copy, deliver_record, &d);
}
