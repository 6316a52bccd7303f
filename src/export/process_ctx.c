// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/process_ctx.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fs.h"
#include "util/remote_memory.h"

/* A longer message is left alone: those of SDKs have some hundred bytes. */
#define MESSAGE_MAX 16384
#define KEY_MAX 256
#define VALUE_MAX 1024
/* Bytes of /proc/PID/maps that are looked at: 65,530 mappings have 1 GiB, if all names are long. */
#define MAPS_MAX_SZ (16u << 20)
/* A process may be changing its context at the moment. */
#define TRIES 3

#define SIGNATURE "OTEL_CTX"
#define VERSION 2

/* The beginning of the mapping. */
struct header {
	char signature[8];
	uint32_t version;
	uint32_t payload_sz;
	uint64_t published_at_ns; /* 0: it is being changed */
	uint64_t payload; /* address */
};

/* Fields of ProcessContext, Resource, KeyValue and AnyValue. */
enum { CONTEXT_RESOURCE = 1, CONTEXT_ATTRIBUTES };
enum { RESOURCE_ATTRIBUTES = 1 };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE };
enum { VALUE_STRING = 1, VALUE_BOOL, VALUE_INT, VALUE_DOUBLE };

enum { WIRE_VARINT, WIRE_64, WIRE_LEN, WIRE_32 = 5 };

struct bytes {
	const unsigned char *at, *end;
};

struct field {
	uint32_t nr;
	unsigned int wire;
	uint64_t num; /* WIRE_VARINT, WIRE_64 */
	struct bytes bytes; /* WIRE_LEN */
};

static bool get_varint(struct bytes *b, uint64_t *v)
{
	unsigned int shift;

	*v = 0;
	for (shift = 0; shift < 64 && b->at < b->end; shift += 7) {
		*v |= (uint64_t)(*b->at & 127) << shift;
		if (!(*b->at++ & 128))
			return true;
	}
	return false;
}

/* Reads the next field of a message. false: it is at its end, or damaged. */
static bool next_field(struct bytes *b, struct field *f)
{
	uint64_t tag;
	size_t sz;
	int i;

	if (!get_varint(b, &tag) || tag >> 3 > UINT32_MAX)
		return false;
	*f = (struct field){ .nr = (uint32_t)(tag >> 3), .wire = tag & 7 };
	if (f->wire == WIRE_VARINT)
		return get_varint(b, &f->num);
	if (f->wire == WIRE_LEN) {
		if (!get_varint(b, &f->num) || f->num > (uint64_t)(b->end - b->at))
			return false;
		f->bytes = (struct bytes){ b->at, b->at + f->num };
		b->at += f->num;
		return true;
	}
	sz = f->wire == WIRE_64 ? 8 : 4;
	if ((f->wire != WIRE_64 && f->wire != WIRE_32) || (size_t)(b->end - b->at) < sz)
		return false;
	for (i = (int)sz; i--;)
		f->num = f->num << 8 | b->at[i];
	b->at += sz;
	return true;
}

static bool find_field(struct bytes b, uint32_t nr, struct field *f)
{
	struct field next;
	bool found = false;

	*f = (struct field){ 0 };
	/* The last one holds. */
	while (next_field(&b, &next))
		if (next.nr == nr) {
			*f = next;
			found = true;
		}
	return found;
}

/* Appends a value as text. false: it is of another kind. */
static bool put_value(struct bytes value, struct strbuf *to)
{
	struct field f;
	double number;

	if (!next_field(&value, &f))
		return false;
	if (f.nr == VALUE_STRING && f.wire == WIRE_LEN) {
		if (f.bytes.end - f.bytes.at > VALUE_MAX || f.bytes.at == f.bytes.end)
			return false;
		strbuf__put_escaped(to, (const char *)f.bytes.at,
				    (size_t)(f.bytes.end - f.bytes.at));
	} else if (f.nr == VALUE_BOOL && f.wire == WIRE_VARINT) {
		strbuf__puts(to, f.num ? "true" : "false");
	} else if (f.nr == VALUE_INT && f.wire == WIRE_VARINT) {
		strbuf__printf(to, "%lld", (long long)f.num);
	} else if (f.nr == VALUE_DOUBLE && f.wire == WIRE_64) {
		memcpy(&number, &f.num, sizeof(number));
		strbuf__printf(to, "%.17g", number);
	} else {
		return false;
	}
	return true;
}

static bool has_key(const struct strbuf *attrs, size_t from, const char *key)
{
	while (from < attrs->len) {
		if (!strcmp(&attrs->buf[from], key))
			return true;
		from += strlen(&attrs->buf[from]) + 1;
		from += strlen(&attrs->buf[from]) + 1;
	}
	return false;
}

/* Appends an attribute, unless it is damaged or of another kind. Returns how many. */
static size_t put_attr(struct bytes key_value, size_t from, struct strbuf *attrs)
{
	struct field key, value;
	struct strbuf text = STRBUF_INIT;
	size_t before = attrs->len;
	bool is_good;

	if (!find_field(key_value, KEY_VALUE_KEY, &key) || key.wire != WIRE_LEN ||
	    !find_field(key_value, KEY_VALUE_VALUE, &value) || value.wire != WIRE_LEN ||
	    key.bytes.at == key.bytes.end || key.bytes.end - key.bytes.at > KEY_MAX)
		return 0;
	strbuf__put_escaped(&text, (const char *)key.bytes.at,
			    (size_t)(key.bytes.end - key.bytes.at));
	is_good = !has_key(attrs, from, strbuf__cstr(&text));
	strbuf__puts(attrs, strbuf__cstr(&text));
	strbuf__putc(attrs, '\0');
	is_good = is_good && put_value(value.bytes, attrs);
	strbuf__putc(attrs, '\0');
	strbuf__free(&text);
	if (!is_good)
		attrs->len = before;
	return is_good;
}

/* Is it a text? A message begins with the tag of one of its first three fields: below a space. */
static bool is_text(struct bytes b)
{
	return b.at < b.end && b.at[0] > ' ';
}

/*
 * The first published form of the context is a Resource, whose first field is an attribute, which
 * begins with its key. In a ProcessContext the Resource is there instead, and an attribute where
 * the key would be.
 */
static bool is_bare_resource(struct bytes msg)
{
	struct field f, key;

	return next_field(&msg, &f) && f.nr == RESOURCE_ATTRIBUTES && f.wire == WIRE_LEN &&
	       find_field(f.bytes, KEY_VALUE_KEY, &key) && key.wire == WIRE_LEN &&
	       is_text(key.bytes);
}

static size_t put_attrs(struct bytes msg, uint32_t nr, size_t cnt, size_t from,
			struct strbuf *attrs)
{
	struct field f;

	while (cnt < PROCESS_CTX_ATTRS_MAX && next_field(&msg, &f))
		if (f.nr == nr && f.wire == WIRE_LEN)
			cnt += put_attr(f.bytes, from, attrs);
	return cnt;
}

bool process_ctx__parse(const unsigned char *msg, size_t sz, struct strbuf *attrs)
{
	struct bytes all = { msg, msg + sz };
	size_t cnt = 0, from = attrs->len;
	struct field f;

	if (is_bare_resource(all))
		return put_attrs(all, RESOURCE_ATTRIBUTES, 0, from, attrs);
	if (find_field(all, CONTEXT_RESOURCE, &f) && f.wire == WIRE_LEN)
		cnt = put_attrs(f.bytes, RESOURCE_ATTRIBUTES, 0, from, attrs);
	return put_attrs(all, CONTEXT_ATTRIBUTES, cnt, from, attrs);
}

static bool read_memory(int32_t pid, uint64_t addr, void *to, size_t sz)
{
	const struct iovec part = { (void *)(uintptr_t)addr, sz };

	return remote_memory__read(pid, &part, 1, to) == (ssize_t)sz;
}

/* Does the name behind the numbers of a line of /proc/PID/maps begin as the mapping's does? */
static bool is_named(const char *name)
{
	static const char *const names[] = { "[anon:" SIGNATURE, "[anon_shmem:" SIGNATURE,
					     "/memfd:" SIGNATURE };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Finds the mapping by its name. 0: there is none. */
static uint64_t find_mapping(int32_t pid)
{
	char path[64], buf[4096], *line = NULL;
	uint64_t addr = 0;
	size_t cap = 0, left = MAPS_MAX_SZ;
	int name_at;
	ssize_t len;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fs__open_lines(path, buf, sizeof(buf));
	while (f && !addr && (len = getline(&line, &cap, f)) > 0 && (size_t)len < left) {
		left -= (size_t)len;
		name_at = 0;
		sscanf(line, "%*s %*s %*s %*s %*s %n", &name_at);
		if (name_at && is_named(line + name_at))
			addr = strtoull(line, NULL, 16);
	}
	if (f)
		fclose(f);
	free(line);
	return addr;
}

bool process_ctx__read(int32_t pid, struct strbuf *attrs)
{
	uint64_t addr = find_mapping(pid);
	struct header h, again;
	unsigned char *msg;
	bool found = false;
	int tries;

	for (tries = 0; addr && tries < TRIES && !found; tries++) {
		if (!read_memory(pid, addr, &h, sizeof(h)) ||
		    memcmp(h.signature, SIGNATURE, sizeof(h.signature)) != 0 ||
		    h.version != VERSION || !h.payload_sz || h.payload_sz > MESSAGE_MAX)
			return false;
		if (!h.published_at_ns)
			continue;
		msg = malloc(h.payload_sz);
		if (!msg)
			return false;
		/* It is whole if it was not changed meanwhile. */
		if (read_memory(pid, h.payload, msg, h.payload_sz) &&
		    read_memory(pid, addr, &again, sizeof(again)) && !memcmp(&h, &again, sizeof(h)))
			found = process_ctx__parse(msg, h.payload_sz, attrs);
		free(msg);
	}
	return found;
}
