// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/stream.h"

#include <string.h>
#include <unistd.h>

#include "util/stop_signals.h"

#define PSB_SZ 16

void stream__seek(struct stream *s, uint64_t off)
{
	if (off < s->at_off)
		s->at_off = s->at = 0;
	while (s->at + 1 < s->cnt && off - s->at_off >= s->pieces[s->at].sz)
		s->at_off += s->pieces[s->at++].sz;
}

size_t stream__read(struct stream *s, uint64_t off, uint8_t *buf, size_t sz)
{
	size_t i, done = 0, n;
	ssize_t got;

	stream__seek(s, off);
	off -= s->at_off;
	for (i = s->at; i < s->cnt && done < sz && off <= s->pieces[i].sz; i++, off = 0) {
		n = s->pieces[i].sz - off;
		if (n > sz - done)
			n = sz - done;
		got = pread(s->fd, buf + done, n, (off_t)(s->pieces[i].off + off));
		if (got < 0)
			break;
		done += (size_t)got;
		if ((size_t)got < n)
			break;
	}
	return done;
}

static const uint8_t psb[PSB_SZ] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
				     2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 };

uint64_t stream__tsc(const uint8_t *p, size_t sz)
{
	size_t at = PSB_SZ;
	uint64_t tsc = 0;

	if (sz < PSB_SZ || memcmp(p, psb, PSB_SZ))
		return 0;
	while (at + 8 <= sz) {
		if (p[at] == 0x19) {
			memcpy(&tsc, p + at, 8);
			return tsc >> 8;
		}
		if (p[at] == 0x00)
			at += 1;
		else if (p[at] == 0x99)
			at += 2;
		else if (p[at] == 0x02 && p[at + 1] == 0x03)
			at += 4;
		else if (p[at] == 0x02 && (p[at + 1] == 0x73 || p[at + 1] == 0xc8))
			at += 7;
		else if (p[at] == 0x02 && p[at + 1] == 0x43)
			at += 8;
		else
			break;
	}
	return 0;
}

uint64_t stream__next_psb(struct stream *s, uint64_t off)
{
	const uint8_t *p;

	for (;;) {
		if (off < s->window_off || off + PSB_SZ > s->window_off + s->window_sz) {
			s->window_off = off;
			s->window_sz = stream__read(s, off, s->window, STREAM_WINDOW_SZ);
		}
		if (off + PSB_SZ > s->window_off + s->window_sz)
			return UINT64_MAX;
		p = memmem(s->window + (off - s->window_off), s->window_sz - (off - s->window_off),
			   psb, PSB_SZ);
		if (p)
			return s->window_off + (uint64_t)(p - s->window);
		/* It may have begun with the last bytes. */
		off = s->window_off + s->window_sz - PSB_SZ + 1;
	}
}

uint64_t stream__find(struct stream *s, uint64_t at, const uint8_t *bytes, size_t sz)
{
	const uint8_t *p;
	size_t got;

	s->window_sz = 0;
	while (!stop_signals__caught(NULL)) {
		got = stream__read(s, at, s->window, STREAM_WINDOW_SZ);
		p = memmem(s->window, got, bytes, sz);
		if (p)
			return at + (uint64_t)(p - s->window);
		if (got < STREAM_WINDOW_SZ)
			break;
		at += got - sz + 1;
	}
	return UINT64_MAX;
}
