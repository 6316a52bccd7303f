// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Attributes that processes publish: both forms of the message, damaged ones, a running process. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "export/process_ctx.h"
#include "rnd.h"
#include "tap.h"
#include "util/protobuf.h"

enum value_kind { TEXT = 1, TRUTH, INTEGER, FLOATING, LIST };

static void put_value(struct strbuf *value, enum value_kind kind, const char *text)
{
	double number = strtod(text, NULL);
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	if (kind == TEXT)
		protobuf__put_bytes(value, kind, text, strlen(text));
	else if (kind == FLOATING)
		protobuf__put_fixed64(value, kind, bits);
	else if (kind == LIST)
		protobuf__put_bytes(value, kind, "", 0);
	else
		protobuf__put_u64(value, kind, (uint64_t)strtoll(text, NULL, 10));
}

static void put_attr(struct strbuf *to, uint32_t field, const char *key, enum value_kind kind,
		     const char *text)
{
	struct strbuf attr = STRBUF_INIT, value = STRBUF_INIT;

	put_value(&value, kind, text);
	protobuf__put_bytes(&attr, 1, key, strlen(key));
	protobuf__put_bytes(&attr, 2, value.buf, value.len);
	protobuf__put_bytes(to, field, attr.buf, attr.len);
	strbuf__free(&attr);
	strbuf__free(&value);
}

static void put_attrs(struct strbuf *to)
{
	put_attr(to, 1, "service.name", TEXT, "shop");
	put_attr(to, 1, "n", INTEGER, "-7");
	put_attr(to, 1, "list", LIST, "");
	put_attr(to, 1, "ok", TRUTH, "1");
	put_attr(to, 1, "half", FLOATING, "0.5");
	put_attr(to, 1, "service.name", TEXT, "again");
	put_attr(to, 1, "line\n", TEXT, "a\tb");
}

/* Compares the attributes of a message, with "|" in place of each NUL. */
static void check_reads(const struct strbuf *msg, const char *want, const char *name)
{
	struct strbuf attrs = STRBUF_INIT;
	size_t i;

	process_ctx__parse((const unsigned char *)msg->buf, msg->len, &attrs);
	for (i = 0; i < attrs.len; i++)
		if (!attrs.buf[i])
			attrs.buf[i] = '|';
	is_str(strbuf__cstr(&attrs), want, "%s", name);
	strbuf__free(&attrs);
}

#define ALL "service.name|shop|n|-7|ok|true|half|0.5|line\\n|a\\tb|"

/* Any prefix, and any byte changed: nothing is read beyond the message, and lists stay in pairs. */
static bool survives(const struct strbuf *msg)
{
	struct strbuf attrs = STRBUF_INIT;
	unsigned char *copy;
	size_t i, n, nuls;
	bool is_good = true;

	for (i = 0; i < 20000; i++) {
		n = i <= msg->len ? i : msg->len;
		copy = malloc(n + !n);
		memcpy(copy, msg->buf, n);
		if (i > msg->len)
			copy[rnd(n)] = (unsigned char)rnd(256);
		strbuf__reset(&attrs);
		process_ctx__parse(copy, n, &attrs);
		free(copy);
		nuls = 0;
		for (n = 0; n < attrs.len; n++)
			nuls += !attrs.buf[n];
		is_good &= nuls % 2 == 0 && nuls <= 2 * PROCESS_CTX_ATTRS_MAX;
	}
	strbuf__free(&attrs);
	return is_good;
}

/* The header of the mapping, as this process publishes it. */
struct header {
	char signature[8];
	uint32_t version, payload_sz;
	uint64_t published_at_ns;
	const void *payload;
};

static void check_process(const struct strbuf *msg)
{
	struct strbuf attrs = STRBUF_INIT;
	int fd = memfd_create("OTEL_CTX", MFD_CLOEXEC);
	struct header *h = NULL;

	if (fd >= 0 && !ftruncate(fd, 4096))
		h = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ok(h && h != MAP_FAILED && !process_ctx__read(getpid(), &attrs),
	   "a mapping without its signature has no attributes");
	*h = (struct header){ .version = 2,
			      .payload_sz = (uint32_t)msg->len,
			      .published_at_ns = 0,
			      .payload = msg->buf };
	memcpy(h->signature, "OTEL_CTX", 8);
	ok(!process_ctx__read(getpid(), &attrs), "a mapping that is being changed has none");
	h->published_at_ns = 1;
	ok(process_ctx__read(getpid(), &attrs) && !strcmp(attrs.buf, "service.name"),
	   "a process's attributes are read");
	h->payload = (void *)8;
	ok(!process_ctx__read(getpid(), &attrs), "an address without memory has none");
	h->payload = msg->buf;
	h->version = 3;
	ok(!process_ctx__read(getpid(), &attrs), "a version that is not known has none");
	munmap(h, 4096);
	close(fd);
	ok(!process_ctx__read(getpid(), &attrs), "a process without the mapping has none");
	strbuf__free(&attrs);
}

int main(void)
{
	struct strbuf bare = STRBUF_INIT, whole = STRBUF_INIT, many = STRBUF_INIT;
	char key[16];
	int i;

	put_attrs(&bare);
	protobuf__put_bytes(&whole, 1, bare.buf, bare.len);
	put_attr(&whole, 2, "more", TEXT, "x");
	check_reads(&bare, ALL, "a Resource is read");
	check_reads(&whole, ALL "more|x|", "a ProcessContext is read");
	for (i = 0; i < 1000; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		put_attr(&many, 1, key, TEXT, "v");
	}
	ok(survives(&bare) && survives(&whole) && survives(&many),
	   "damaged messages: pairs, and no more than there is room for");
	check_process(&whole);
	strbuf__free(&bare);
	strbuf__free(&whole);
	strbuf__free(&many);
	return done_testing();
}
