// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/btf_subset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/hash.h"
#include "util/u64map.h"

enum keep {
	KEEP_MEMBERS = 1, /* of structs and unions */
	KEEP_POINTEES = 2, /* types behind pointers, and parameters */
};

struct kept {
	uint32_t id; /* in the image; its id in the subset is its index + 1 */
	uint32_t how; /* bits of enum keep */
};

struct subset {
	const struct btf_image *img;
	struct kept *kept;
	size_t cnt, cap;
	struct u64map index_of; /* by id in the image */
	uint32_t *todo; /* indexes of types to visit */
	size_t todo_cnt, todo_cap;
	struct u64map str_offs; /* offset in the image → in strs */
	struct strbuf types, strs;
	int err;
};

/* Keeps a type; one that was kept otherwise before is visited again. */
static void keep(struct subset *s, uint32_t id, uint32_t how)
{
	uint32_t *slot;

	if (!id || s->err)
		return;
	slot = id <= s->img->cnt ? u64map__slot(&s->index_of, id) : NULL;
	if (!slot) {
		s->err = id <= s->img->cnt ? -ENOMEM : -EINVAL;
		return;
	}
	if (*slot == U64MAP_NONE) {
		s->err = array__reserve((void **)&s->kept, &s->cap, s->cnt + 1, sizeof(*s->kept));
		if (s->err)
			return;
		s->kept[s->cnt] = (struct kept){ .id = id };
		*slot = (uint32_t)s->cnt++;
	} else if (!(how & ~s->kept[*slot].how)) {
		return;
	}
	s->kept[*slot].how |= how;
	s->err = array__reserve((void **)&s->todo, &s->todo_cap, s->todo_cnt + 1, sizeof(*s->todo));
	if (!s->err)
		s->todo[s->todo_cnt++] = *slot;
}

/* Keeps the types that one refers to. */
static void visit(struct subset *s, struct kept k)
{
	const struct btf_type *t = btf_image__type(s->img, k.id);
	const struct btf_array *array = (const void *)(t + 1);
	const struct btf_member *members = (const void *)(t + 1);
	const struct btf_param *params = (const void *)(t + 1);
	uint32_t i, vlen = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_TYPE_TAG:
		keep(s, t->type, k.how);
		break;
	case BTF_KIND_PTR:
		if (k.how & KEEP_POINTEES)
			keep(s, t->type, KEEP_POINTEES);
		break;
	case BTF_KIND_ARRAY:
		keep(s, array->type, k.how);
		keep(s, array->index_type, k.how);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (i = 0; i < vlen && k.how & KEEP_MEMBERS; i++)
			keep(s, members[i].type, KEEP_MEMBERS);
		break;
	case BTF_KIND_FUNC_PROTO:
		if (!(k.how & KEEP_POINTEES))
			break;
		keep(s, t->type, KEEP_POINTEES);
		for (i = 0; i < vlen; i++)
			keep(s, params[i].type, KEEP_POINTEES);
		break;
	default:
		break;
	}
}

/* Returns the id in the subset; 0: void, or dropped. */
static uint32_t new_id(const struct subset *s, uint32_t id)
{
	return u64map__get(&s->index_of, id) + 1;
}

_Static_assert(U64MAP_NONE + 1 == 0, "new_id() of a type that is not kept is void");

static void add_bytes(struct subset *s, struct strbuf *sb, const void *data, size_t sz)
{
	if (strbuf__reserve(sb, sz))
		s->err = -ENOMEM;
	else
		strbuf__add(sb, data, sz);
}

/* Returns the offset in the subset's strings of a name of the image. */
static uint32_t new_name(struct subset *s, uint32_t name_off)
{
	const char *name = btf_image__name(s->img, name_off);
	uint32_t *slot;

	if (!name_off || s->err)
		return 0;
	slot = name ? u64map__slot(&s->str_offs, name_off) : NULL;
	if (!slot) {
		s->err = name ? -ENOMEM : -EINVAL;
		return 0;
	}
	if (*slot == U64MAP_NONE) {
		*slot = (uint32_t)s->strs.len;
		add_bytes(s, &s->strs, name, strlen(name) + 1);
	}
	return *slot;
}

/*
 * The members, parameters or values behind the type. An element of any kind begins with its name;
 * is_typed: the id of a type follows.
 */
static void put_elements(struct subset *s, const struct btf_type *t, size_t elem_sz, bool is_typed)
{
	const char *at = (const void *)(t + 1);
	uint32_t words[sizeof(struct btf_enum64) / 4], i;

	_Static_assert(sizeof(struct btf_member) <= sizeof(words), "an element fits");
	for (i = 0; i < BTF_INFO_VLEN(t->info); i++, at += elem_sz) {
		memcpy(words, at, elem_sz);
		words[0] = new_name(s, words[0]);
		if (is_typed)
			words[1] = new_id(s, words[1]);
		add_bytes(s, &s->types, words, elem_sz);
	}
}

static void put_array(struct subset *s, const struct btf_type *t)
{
	struct btf_array array = *(const struct btf_array *)(const void *)(t + 1);

	array.type = new_id(s, array.type);
	array.index_type = new_id(s, array.index_type);
	add_bytes(s, &s->types, &array, sizeof(array));
}

/* Are elements kept that follow the type itself? */
static bool has_elements(const struct btf_type *t, uint32_t how)
{
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return how & KEEP_MEMBERS;
	case BTF_KIND_FUNC_PROTO:
		return how & KEEP_POINTEES;
	default:
		return true;
	}
}

static void put_type(struct subset *s, struct kept k)
{
	const struct btf_type *t = btf_image__type(s->img, k.id);
	struct btf_type head = *t;

	head.name_off = new_name(s, t->name_off);
	if (!has_elements(t, k.how))
		head.info &= ~0xffffu;
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_TYPE_TAG:
	case BTF_KIND_PTR:
	case BTF_KIND_FUNC_PROTO:
		/* A type that something else keeps is void here as well: pointers look alike. */
		if (BTF_INFO_KIND(t->info) != BTF_KIND_PTR || k.how & KEEP_POINTEES)
			head.type = new_id(s, t->type);
		else
			head.type = 0;
		break;
	default:
		break;
	}
	add_bytes(s, &s->types, &head, sizeof(head));
	if (!BTF_INFO_VLEN(head.info) && BTF_INFO_KIND(t->info) != BTF_KIND_INT &&
	    BTF_INFO_KIND(t->info) != BTF_KIND_ARRAY)
		return;
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
		add_bytes(s, &s->types, t + 1, sizeof(uint32_t));
		break;
	case BTF_KIND_ARRAY:
		put_array(s, t);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		put_elements(s, t, sizeof(struct btf_member), true);
		break;
	case BTF_KIND_ENUM:
		put_elements(s, t, sizeof(struct btf_enum), false);
		break;
	case BTF_KIND_ENUM64:
		put_elements(s, t, sizeof(struct btf_enum64), false);
		break;
	case BTF_KIND_FUNC_PROTO:
		put_elements(s, t, sizeof(struct btf_param), true);
		break;
	default:
		break;
	}
}

/*
 * A set of the first characters of names: the kernel has some 30,000 named types, of which nearly
 * none is looked for, and a comparison of the whole name with all others would take longest.
 */
#define FIRST_SZ 8
#define FIRST_BITS 12
struct firsts {
	uint64_t bits[(1 << FIRST_BITS) / 64];
};

static uint32_t first_hash(const char *text)
{
	uint64_t key = 0;
	int i;

	for (i = 0; i < FIRST_SZ && text[i]; i++)
		key = key << 8 | (unsigned char)text[i];
	return (uint32_t)(hash__mix(key) >> (64 - FIRST_BITS));
}

static void firsts__add(struct firsts *f, const char *text)
{
	uint32_t h = first_hash(text);

	f->bits[h / 64] |= 1ull << h % 64;
}

static bool firsts__may_have(const struct firsts *f, const char *text)
{
	uint32_t h = first_hash(text);

	return f->bits[h / 64] >> h % 64 & 1;
}

/* Keeps a type that has one of the names. */
static void match(struct subset *s, const struct btf_names *names, const struct firsts *firsts,
		  const struct btf_type *t, uint32_t id)
{
	uint32_t kind = BTF_INFO_KIND(t->info);
	struct btf_name *name;
	const char *text;

	if (!t->name_off ||
	    (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION && kind != BTF_KIND_ENUM &&
	     kind != BTF_KIND_ENUM64 && kind != BTF_KIND_TYPEDEF && kind != BTF_KIND_FUNC))
		return;
	text = btf_image__name(s->img, t->name_off);
	if (!text || !firsts__may_have(firsts, text))
		return;
	name = btf_names__find(names, text);
	if (!name)
		return;
	if ((kind == BTF_KIND_TYPEDEF || kind == BTF_KIND_FUNC) && !name->named_id)
		name->named_id = id;
	if (name->is_root && kind != BTF_KIND_FUNC)
		keep(s, id, KEEP_MEMBERS | (kind == BTF_KIND_TYPEDEF ? KEEP_POINTEES : 0));
}

static void keep_roots(struct subset *s, const struct btf_names *names)
{
	struct firsts firsts = { { 0 } };
	const char *at = s->img->types;
	uint32_t id;
	size_t i;

	for (i = 0; i < names->cnt; i++)
		firsts__add(&firsts, names->at[i].text);
	for (id = 1; id <= s->img->cnt; id++) {
		const struct btf_type *t = (const void *)at;

		match(s, names, &firsts, t, id);
		at += btf_image__type_sz(t);
	}
}

/* Puts header, types and strings together. */
static int join(const struct subset *s, struct strbuf *out)
{
	const struct btf_header hdr = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(hdr),
		.type_len = (uint32_t)s->types.len,
		.str_off = (uint32_t)s->types.len,
		.str_len = (uint32_t)s->strs.len,
	};
	size_t sz = sizeof(hdr) + s->types.len + s->strs.len;

	strbuf__reset(out);
	if (strbuf__reserve(out, sz))
		return -ENOMEM;
	strbuf__add(out, &hdr, sizeof(hdr));
	strbuf__add(out, s->types.buf, s->types.len);
	strbuf__add(out, s->strs.buf, s->strs.len);
	return 0;
}

int btf_subset__make(const struct btf_image *img, struct btf_names *names, struct strbuf *out)
{
	struct subset s = {
		.img = img,
		.index_of = U64MAP_INIT,
		.str_offs = U64MAP_INIT,
		.types = STRBUF_INIT,
		.strs = STRBUF_INIT,
	};
	size_t i;

	btf_names__sort(names);
	add_bytes(&s, &s.strs, "", 1);
	keep_roots(&s, names);
	while (s.todo_cnt && !s.err)
		visit(&s, s.kept[s.todo[--s.todo_cnt]]);
	for (i = 0; i < s.cnt && !s.err; i++)
		put_type(&s, s.kept[i]);
	if (!s.err)
		s.err = join(&s, out);
	u64map__free(&s.index_of);
	u64map__free(&s.str_offs);
	strbuf__free(&s.types);
	strbuf__free(&s.strs);
	free(s.kept);
	free(s.todo);
	return s.err;
}
