// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/tracing_data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data/bytes.h"
#include "util/array.h"

static int push(struct tracing_data *td, struct tp_format *fmt)
{
	uint32_t *slot;

	if (array__reserve((void **)&td->fmts, &td->cap, td->cnt + 1, sizeof(*td->fmts)))
		return -ENOMEM;
	slot = u64map__slot(&td->by_id, fmt->id);
	if (!slot)
		return -ENOMEM;
	/* The printer finds formats by id: the first format of an id wins. */
	if (*slot != U64MAP_NONE)
		return -EEXIST;
	*slot = (uint32_t)td->cnt;
	td->fmts[td->cnt++] = fmt;
	return 0;
}

/* Adds one format file: its size, then its text. */
static int add_format(struct tracing_data *td, const char *sys, struct bytes *b)
{
	uint64_t sz = bytes__u64(b);
	const char *text = bytes__take(b, sz), *name, *end;
	struct tp_format *fmt;
	char buf[256];
	int err;

	if (!text)
		return -EBADMSG;
	if (sz < 6 || memcmp(text, "name: ", 6))
		return 0;
	name = text + 6;
	end = memchr(name, '\n', sz - 6);
	if (!end || (size_t)(end - name) >= sizeof(buf))
		return 0;
	memcpy(buf, name, (size_t)(end - name));
	buf[end - name] = '\0';
	fmt = tp_format__parse(sys, buf, text, sz);
	if (!fmt)
		return errno == ENOMEM ? -ENOMEM : 0;
	err = push(td, fmt);
	if (err)
		tp_format__free(fmt);
	return err == -EEXIST ? 0 : err;
}

static int add_system(struct tracing_data *td, struct bytes *b)
{
	const char *sys = bytes__text(b);
	uint32_t cnt = bytes__u32(b), i;
	int err = 0;

	if (!sys)
		return -EBADMSG;
	for (i = 0; i < cnt && !err && !b->bad; i++)
		err = add_format(td, sys, b);
	return err ? err : b->bad ? -EBADMSG : 0;
}

static int add_all(struct tracing_data *td, struct bytes *b)
{
	uint32_t cnt, i, sz;
	const char *text;
	int err;

	cnt = bytes__u32(b);
	for (i = 0; i < cnt && !b->bad; i++) {
		err = add_format(td, "ftrace", b);
		if (err)
			return err;
	}
	cnt = bytes__u32(b);
	for (i = 0; i < cnt && !b->bad; i++) {
		err = add_system(td, b);
		if (err)
			return err;
	}
	bytes__take(b, bytes__u32(b)); /* kallsyms: perf writes none */
	sz = bytes__u32(b);
	text = bytes__take(b, sz);
	if (!text)
		return -EBADMSG;
	if (sz && !td->printk_formats) {
		td->printk_formats = strndup(text, sz);
		if (!td->printk_formats)
			return -ENOMEM;
	}
	return 0;
}

int tracing_data__parse(struct tracing_data *td, const void *data, size_t sz)
{
	static const char magic[] = "\x17\x08\x44tracing";
	struct bytes b = bytes__of(data, sz, false);
	const void *head = bytes__take(&b, sizeof(magic) - 1);
	uint16_t one = 1;
	bool is_big;
	int i;

	if (!head || memcmp(head, magic, sizeof(magic) - 1) || !bytes__text(&b))
		return -EBADMSG;
	is_big = bytes__u8(&b);
	b.swap = td->swap = is_big == !!*(const uint8_t *)&one;
	bytes__u8(&b); /* size of a long */
	bytes__u32(&b); /* size of a page */
	/* "header_page" and "header_event" describe pages of trace.dat, not perf's records. */
	for (i = 0; i < 2; i++) {
		bytes__text(&b);
		bytes__take(&b, bytes__u64(&b));
	}
	return b.bad ? -EBADMSG : add_all(td, &b);
}

struct tp_format *tracing_data__find(const struct tracing_data *td, uint64_t id)
{
	uint32_t idx = u64map__get(&td->by_id, id);

	return idx == U64MAP_NONE ? NULL : td->fmts[idx];
}

void tracing_data__free(struct tracing_data *td)
{
	size_t i;

	for (i = 0; i < td->cnt; i++)
		tp_format__free(td->fmts[i]);
	free(td->fmts);
	free(td->printk_formats);
	u64map__free(&td->by_id);
	memset(td, 0, sizeof(*td));
}
