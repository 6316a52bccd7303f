// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/otlp_dict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "util/protobuf.h"

enum { MAPPING_START = 1, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE, MAPPING_ATTRIBUTES };
enum { LOCATION_MAPPING = 1, LOCATION_ADDRESS, LOCATION_LINES };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_NAME = 1, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };
enum { ATTRIBUTE_KEY = 1, ATTRIBUTE_VALUE, ATTRIBUTE_UNIT };
enum { VALUE_STRING = 1, VALUE_INT = 3 };
enum { STACK_LOCATIONS = 1 };

/* User addresses are offsets in a file, below this; kernel addresses are above. */
#define USER_END (1ull << 63)

static uint32_t add(struct otlp_dict *d, enum otlp_table table, const struct strbuf *sb)
{
	uint32_t idx = blobs__add(&d->tables[table], sb->buf, sb->len);

	d->failed |= idx == BLOBS_NONE;
	return idx == BLOBS_NONE ? 0 : idx;
}

int otlp_dict__init(struct otlp_dict *d, struct profile *p, bool no_symbols)
{
	int i;

	*d = (struct otlp_dict){ .p = p, .no_symbols = no_symbols };
	d->location_of = calloc((size_t)p->loc_cnt + 1, sizeof(*d->location_of));
	d->failed = !d->location_of;
	for (i = 0; i < OTLP_TABLES; i++)
		add(d, (enum otlp_table)i, &d->part);
	return d->failed ? -ENOMEM : 0;
}

void otlp_dict__free(struct otlp_dict *d)
{
	int i;

	for (i = 0; i < OTLP_TABLES; i++)
		blobs__free(&d->tables[i]);
	free(d->location_of);
	strbuf__free(&d->part);
	strbuf__free(&d->sub);
}

uint32_t otlp_dict__string(struct otlp_dict *d, const char *text)
{
	struct strbuf utf8 = STRBUF_INIT;
	uint32_t idx;

	/* Readers reject the whole message for one invalid string. */
	strbuf__put_utf8(&utf8, text, strlen(text));
	idx = add(d, OTLP_STRING, &utf8);
	strbuf__free(&utf8);
	return idx;
}

/* Adds the attribute with the value in d->sub. */
static uint32_t put_attr(struct otlp_dict *d, const char *key)
{
	uint32_t idx = otlp_dict__string(d, key);

	strbuf__reset(&d->part);
	protobuf__put_u64(&d->part, ATTRIBUTE_KEY, idx);
	protobuf__put_bytes(&d->part, ATTRIBUTE_VALUE, d->sub.buf, d->sub.len);
	return add(d, OTLP_ATTRIBUTE, &d->part);
}

uint32_t otlp_dict__attr(struct otlp_dict *d, const char *key, const char *text)
{
	struct strbuf utf8 = STRBUF_INIT;

	strbuf__put_utf8(&utf8, text, strlen(text));
	strbuf__reset(&d->sub);
	protobuf__put_bytes(&d->sub, VALUE_STRING, utf8.buf, utf8.len);
	strbuf__free(&utf8);
	return put_attr(d, key);
}

uint32_t otlp_dict__attr_u64(struct otlp_dict *d, const char *key, uint64_t v)
{
	strbuf__reset(&d->sub);
	/* A member of a oneof is written even if it is 0. */
	protobuf__put_varint(&d->sub, VALUE_INT << 3);
	protobuf__put_varint(&d->sub, v);
	return put_attr(d, key);
}

static uint32_t function_of(struct otlp_dict *d, const char *name, const char *file)
{
	uint32_t name_idx = otlp_dict__string(d, name), file_idx = otlp_dict__string(d, file);

	strbuf__reset(&d->part);
	protobuf__put_u64(&d->part, FUNCTION_NAME, name_idx);
	protobuf__put_u64(&d->part, FUNCTION_FILE, file_idx);
	return add(d, OTLP_FUNCTION, &d->part);
}

/* The mapping of a place; 0: it is in no file. The kernel and its modules are one. */
static uint32_t mapping_of(struct otlp_dict *d, const struct profile_loc *l)
{
	bool kern = l->space == PROFILE_KERN;
	const char *path = kern ? "[kernel.kallsyms]" : sym__path(d->p->sym, l->addr);
	const struct sym_build_id *id =
		kern ? sym__kernel_build_id(d->p->sym) : sym__build_id(d->p->sym, l->addr);
	char hex[2 * BUILD_ID_MAX_SZ + 1];
	uint32_t file, attr = 0;

	if (!path || !*path)
		return 0;
	file = otlp_dict__string(d, path);
	if (id && id->len)
		attr = otlp_dict__attr(d, "process.executable.build_id.gnu",
				       build_id__hex(id, hex));
	strbuf__reset(&d->part);
	protobuf__put_u64(&d->part, MAPPING_START, kern ? USER_END : 0);
	protobuf__put_u64(&d->part, MAPPING_LIMIT, kern ? UINT64_MAX : USER_END);
	protobuf__put_u64(&d->part, MAPPING_FILE, file);
	strbuf__reset(&d->sub);
	protobuf__put_varint(&d->sub, attr);
	if (attr)
		protobuf__put_bytes(&d->part, MAPPING_ATTRIBUTES, d->sub.buf, d->sub.len);
	return add(d, OTLP_MAPPING, &d->part);
}

/* Locations come by file and address: most are in the file of the one before. */
static uint32_t mapping_at(struct otlp_dict *d, const struct profile_loc *l)
{
	bool kern = l->space == PROFILE_KERN;
	uint32_t file = kern ? UINT32_MAX : sym__file_idx(l->addr);

	if (!d->has_last || file != d->last_file)
		d->last_mapping = mapping_of(d, l);
	d->last_file = file;
	d->has_last = true;
	return d->last_mapping;
}

static void put_line(struct otlp_dict *d, struct strbuf *loc, uint32_t func, uint32_t line)
{
	strbuf__reset(&d->sub);
	protobuf__put_u64(&d->sub, LINE_FUNCTION, func);
	protobuf__put_u64(&d->sub, LINE_LINE, line);
	protobuf__put_bytes(loc, LOCATION_LINES, d->sub.buf, d->sub.len);
}

/* Puts the lines of a location, innermost first. */
static void put_lines(struct otlp_dict *d, struct strbuf *msg, uint32_t loc)
{
	struct profile *p = d->p;
	uint32_t at, func;
	uint16_t cnt;

	if (!profile__funcs(p, loc, &cnt)) {
		d->failed = true;
		return;
	}
	for (at = p->locs[loc].func + cnt; at-- > p->locs[loc].func;) {
		const struct profile_func *f = &p->funcs[p->loc_funcs[at]];
		const struct profile_line *line = &p->loc_lines[at];

		/* A name that is made of the file's is for readers of text. */
		if (!f->is_named && p->locs[loc].space != PROFILE_NAMED)
			continue;
		func = function_of(d, profile__text(p, f->name),
				   line->file == TEXTS_NONE ? "" : profile__text(p, line->file));
		put_line(d, msg, func, line->line);
	}
}

/*
 * The mapping of a file begins at 0, so that the address is the offset in the file. A location that
 * has its name is a function, and needs none: the addresses of instructions would be a fourth of a
 * message, those of functions an eighth. Inlined functions differ by instruction. 0: no address.
 */
static uint64_t address_of(struct otlp_dict *d, uint32_t loc)
{
	const struct profile_loc *l = &d->p->locs[loc];
	uint64_t addr = l->space == PROFILE_KERN ? l->addr : sym__file_off(l->addr);
	uint16_t cnt;

	if ((l->space == PROFILE_USER && d->no_symbols) || !profile__funcs(d->p, loc, &cnt) ||
	    cnt > 1 || l->func_off == PROFILE_NO_OFF || l->func_off > addr)
		return addr;
	return d->p->funcs[d->p->loc_funcs[l->func]].is_named ? 0 : addr - l->func_off;
}

static uint32_t location_of(struct otlp_dict *d, uint32_t loc)
{
	const struct profile_loc *l = &d->p->locs[loc];
	struct strbuf msg = STRBUF_INIT;

	if (d->location_of[loc])
		return d->location_of[loc];
	if (l->space != PROFILE_NAMED) {
		protobuf__put_u64(&msg, LOCATION_MAPPING, mapping_at(d, l));
		protobuf__put_u64(&msg, LOCATION_ADDRESS, address_of(d, loc));
	}
	if (!d->no_symbols || l->space != PROFILE_USER)
		put_lines(d, &msg, loc);
	d->location_of[loc] = add(d, OTLP_LOCATION, &msg);
	strbuf__free(&msg);
	return d->location_of[loc];
}

static int compare_locs(const void *a, const void *b, void *ctx)
{
	const struct profile *p = ctx;
	const struct profile_loc *x = &p->locs[*(const uint32_t *)a];
	const struct profile_loc *y = &p->locs[*(const uint32_t *)b];

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

void otlp_dict__add_locations(struct otlp_dict *d)
{
	struct profile *p = d->p;
	uint32_t *order = calloc((size_t)p->loc_cnt + 1, sizeof(*order)), cnt = 0, i;
	size_t s, f;

	if (!order) {
		d->failed = true;
		return;
	}
	for (s = 0; s < p->stack_cnt; s++)
		for (f = 0;
		     !p->events[p->stacks[s].event].old && f < profile_stack__depth(&p->stacks[s]);
		     f++)
			order[p->frames[p->stacks[s].at + f]] = 1;
	for (i = 0; i < p->loc_cnt; i++)
		if (order[i])
			order[cnt++] = i;
	qsort_r(order, cnt, sizeof(*order), compare_locs, p);
	for (i = 0; i < cnt; i++)
		location_of(d, order[i]);
	free(order);
}

static uint32_t truncated_of(struct otlp_dict *d)
{
	struct strbuf msg = STRBUF_INIT;

	if (!d->truncated) {
		put_line(d, &msg, function_of(d, "[truncated]", ""), 0);
		d->truncated = add(d, OTLP_LOCATION, &msg);
		strbuf__free(&msg);
	}
	return d->truncated;
}

uint32_t otlp_dict__stack(struct otlp_dict *d, const struct profile_stack *st)
{
	struct strbuf ids = STRBUF_INIT;
	size_t i, n = profile_stack__depth(st);
	uint32_t idx;

	for (i = 0; i < n; i++)
		protobuf__put_varint(&ids, location_of(d, d->p->frames[st->at + i]));
	if (st->truncated)
		protobuf__put_varint(&ids, truncated_of(d));
	strbuf__reset(&d->part);
	if (ids.len)
		protobuf__put_bytes(&d->part, STACK_LOCATIONS, ids.buf, ids.len);
	idx = add(d, OTLP_STACK, &d->part);
	strbuf__free(&ids);
	return idx;
}

int otlp_dict__compare_stacks(const void *a, const void *b, void *dict)
{
	const struct otlp_dict *d = dict;
	const struct profile_stack *x = &d->p->stacks[*(const uint32_t *)a];
	const struct profile_stack *y = &d->p->stacks[*(const uint32_t *)b];
	size_t nx = profile_stack__depth(x), ny = profile_stack__depth(y);

	while (nx && ny) {
		uint32_t p = d->location_of[d->p->frames[x->at + --nx]];
		uint32_t q = d->location_of[d->p->frames[y->at + --ny]];

		if (p != q)
			return p < q ? -1 : 1;
	}
	if (nx != ny)
		return nx < ny ? -1 : 1;
	/* The order is that of the profile, whatever qsort() does. */
	return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

void otlp_dict__put(const struct otlp_dict *d, struct strbuf *msg, size_t ends[OTLP_TABLES])
{
	const char *data;
	uint32_t i, table;
	size_t len;

	for (table = 0; table < OTLP_TABLES; table++) {
		for (i = 0; i < d->tables[table].cnt; i++) {
			data = blobs__get(&d->tables[table], i, &len);
			protobuf__put_bytes(msg, table + 1, data, len);
		}
		ends[table] = msg->len;
	}
}
