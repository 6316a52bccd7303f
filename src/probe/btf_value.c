// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/btf_value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

/* Types lead to at most this many others: BTF of a file may have cycles. */
#define DEPTH_MAX 32
#define POINTER_SZ 8

/* Follows const and the like, and typedefs where these are asked for. NULL: void. */
static const struct btf_type *follow(const struct btf *btf, uint32_t *id, bool typedefs)
{
	const struct btf_type *t = btf__type_by_id(btf, *id);
	int i;

	for (i = 0; i < DEPTH_MAX && *id && t; i++) {
		if (!btf_is_mod(t) && !btf_is_type_tag(t) && !(typedefs && btf_is_typedef(t)))
			return t;
		*id = t->type;
		t = btf__type_by_id(btf, *id);
	}
	return NULL;
}

static const struct btf_type *strip(const struct btf *btf, uint32_t *id)
{
	return follow(btf, id, true);
}

static bool is_const(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);
	int i;

	for (i = 0; i < DEPTH_MAX && id && t && (btf_is_mod(t) || btf_is_type_tag(t)); i++) {
		if (btf_is_const(t))
			return true;
		t = btf__type_by_id(btf, t->type);
	}
	return false;
}

static bool is_char(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = strip(btf, &id);
	const char *name = t ? btf__name_by_offset(btf, t->name_off) : NULL;

	/* Compilers do not mark char: its name tells it from u8. */
	return t && btf_is_int(t) && t->size == 1 && name && !strcmp(name, "char");
}

static void put_name(const struct btf *btf, uint32_t id, struct strbuf *sb, int depth);

/* "const char", but "char *const": behind a pointer that it qualifies. */
static void put_qualified(const struct btf *btf, const struct btf_type *t, struct strbuf *sb,
			  int depth)
{
	const char *word = btf_is_const(t) ? "const" : btf_is_volatile(t) ? "volatile" : "";
	uint32_t id = t->type;
	const struct btf_type *inner = follow(btf, &id, false);
	bool behind = inner && btf_is_ptr(inner);

	if (!behind && *word)
		strbuf__printf(sb, "%s ", word);
	put_name(btf, t->type, sb, depth + 1);
	if (behind && *word)
		strbuf__printf(sb, "%s%s", sb->len && sb->buf[sb->len - 1] == '*' ? "" : " ", word);
}

static void put_name(const struct btf *btf, uint32_t id, struct strbuf *sb, int depth)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	if (depth > DEPTH_MAX || !t)
		return;
	if (!id) {
		strbuf__puts(sb, "void");
	} else if (btf_is_ptr(t)) {
		put_name(btf, t->type, sb, depth + 1);
		strbuf__puts(sb, sb->len && sb->buf[sb->len - 1] == '*' ? "*" : " *");
	} else if (btf_is_array(t)) {
		put_name(btf, btf_array(t)->type, sb, depth + 1);
		strbuf__printf(sb, "[%u]", btf_array(t)->nelems);
	} else if (btf_is_mod(t) || btf_is_type_tag(t)) {
		put_qualified(btf, t, sb, depth);
	} else if (btf_is_func_proto(t)) {
		strbuf__puts(sb, "function");
	} else {
		strbuf__printf(sb, "%s%s",
			       btf_is_struct(t) || (btf_is_fwd(t) && !btf_kflag(t)) ? "struct "
			       : btf_is_union(t) || btf_is_fwd(t)                   ? "union "
			       : btf_is_any_enum(t)                                 ? "enum "
										    : "",
			       t->name_off ? btf__name_by_offset(btf, t->name_off) : "(unnamed)");
	}
}

/* Makes the value itself of an address. */
static void load(struct btf_value *v, uint8_t size, bool is_signed)
{
	if (!v->is_addr)
		return;
	steps__add(&v->steps, FETCH_READ, size, is_signed, 0);
	v->is_addr = false;
}

/* Makes the value itself of a part of a structure in registers. */
static void settle(struct btf_value *v)
{
	if (v->reg_bits >= 64) {
		v->steps = v->high;
		v->reg_bits -= 64;
	}
	if (v->reg_bits / 8)
		steps__add(&v->steps, FETCH_SHIFT_RIGHT, 8, false, v->reg_bits / 8 * 8);
	v->reg_bits = 0;
}

static bool deref(const struct btf *btf, struct btf_value *v)
{
	uint32_t id = v->type;
	const struct btf_type *t = strip(btf, &id);

	if (!t || !btf_is_ptr(t))
		return false;
	settle(v);
	load(v, POINTER_SZ, false);
	v->is_addr = true;
	v->is_by_value = false;
	v->type = t->type;
	return true;
}

/* Finds a member, in anonymous members, too; *bits: from the structure's start. */
static bool find_member(const struct btf *btf, uint32_t id, const char *name, uint32_t *type,
			uint32_t *bits, uint32_t *bit_cnt, int depth)
{
	const struct btf_type *t = strip(btf, &id);
	const struct btf_member *m;
	uint32_t i, inner;

	if (!t || !btf_is_composite(t) || depth > DEPTH_MAX)
		return false;
	m = btf_members(t);
	for (i = 0; i < btf_vlen(t); i++, m++) {
		const char *its = btf__name_by_offset(btf, m->name_off);

		if (its && *its && !strcmp(its, name)) {
			*type = m->type;
			*bits = btf_member_bit_offset(t, i);
			*bit_cnt = btf_member_bitfield_size(t, i);
			return true;
		}
		if ((!its || !*its) &&
		    find_member(btf, m->type, name, type, &inner, bit_cnt, depth + 1)) {
			*bits = btf_member_bit_offset(t, i) + inner;
			return true;
		}
	}
	return false;
}

static int follow_member(const struct btf *btf, struct btf_value *v, const struct arg_part *part,
			 struct arg_fault *fault)
{
	struct strbuf sb = STRBUF_INIT;
	uint32_t type, bits, bit_cnt;
	int err;

	/* Both ways of writing are understood: the type says which one is meant. */
	deref(btf, v);
	if ((!v->is_addr && !v->is_by_value) ||
	    !find_member(btf, v->type, part->name, &type, &bits, &bit_cnt, 0)) {
		put_name(btf, v->type, &sb, 0);
		err = arg_fault__set(fault, part->off, "%.80s has no member '%s'",
				     strbuf__cstr(&sb), part->name);
		strbuf__free(&sb);
		return err;
	}
	if (!v->is_addr)
		bits = v->reg_bits += bits;
	else if (bits / 8)
		steps__add(&v->steps, FETCH_ADD, 8, false, bits / 8);
	v->type = type;
	v->bits = (struct field_bits){ bit_cnt ? bits % 8 : 0, bit_cnt };
	return 0;
}

static const char *member_of(const struct btf *btf, uint32_t id, uint32_t *nr, int depth)
{
	const struct btf_type *t = strip(btf, &id);
	const char *found = NULL;
	uint32_t i;

	if (!t || !btf_is_composite(t) || depth > DEPTH_MAX)
		return NULL;
	for (i = 0; i < btf_vlen(t) && !found; i++) {
		const char *its = btf__name_by_offset(btf, btf_members(t)[i].name_off);

		if (!its || !*its)
			found = member_of(btf, btf_members(t)[i].type, nr, depth + 1);
		else if (!(*nr)--)
			found = its;
	}
	return found;
}

const char *btf_value__member(const struct btf *btf, const struct btf_value *v, uint32_t nr)
{
	return member_of(btf, v->type, &nr, 0);
}

bool btf_value__has_members(const struct btf *btf, const struct btf_value *v)
{
	uint32_t id = v->type;
	const struct btf_type *t = v->is_by_value && id ? strip(btf, &id) : NULL;

	return t && btf_is_composite(t) && btf_value__member(btf, v, 0);
}

static int follow_index(const struct btf *btf, struct btf_value *v, const struct arg_part *part,
			struct arg_fault *fault)
{
	uint32_t id = v->type;
	const struct btf_type *t = strip(btf, &id);
	int64_t sz;

	if (t && btf_is_array(t) && v->is_addr)
		v->type = btf_array(t)->type;
	else if (!deref(btf, v))
		return arg_fault__set(fault, part->off, "this is no array, and no pointer to one");
	sz = btf__resolve_size(btf, v->type);
	if (sz <= 0)
		return arg_fault__set(fault, part->off, "the size of an element is not known");
	steps__add(&v->steps, FETCH_ADD, 8, false, part->index * sz);
	return 0;
}

int btf_value__follow(const struct btf *btf, struct btf_value *v, const struct arg_part *part,
		      struct arg_fault *fault)
{
	switch (part->kind) {
	case ARG_ARROW:
	case ARG_MEMBER:
		return follow_member(btf, v, part, fault);
	case ARG_INDEX:
		return follow_index(btf, v, part, fault);
	default:
		return deref(btf, v) ? 0 : arg_fault__set(fault, part->off, "this is no pointer");
	}
}

static int number_field(struct btf_value *v, struct place_field *f, uint64_t sz, bool is_signed,
			enum place_show show)
{
	load(v, field_make__load_sz(&v->bits, sz), is_signed && !v->bits.cnt);
	return field_make__number(f, &v->steps, &v->bits, sz, is_signed, show);
}

static int add_enums(const struct btf *btf, const struct btf_type *t, struct place_field *f)
{
	uint32_t cnt = btf_vlen(t), i;

	if (cnt > FIELD_ENUMS_MAX)
		return 0;
	f->enums = calloc(cnt + 1, sizeof(*f->enums));
	if (!f->enums)
		return -ENOMEM;
	for (i = 0; i < cnt; i++) {
		bool wide = btf_is_enum64(t);
		const char *name = btf__name_by_offset(btf, wide ? btf_enum64(t)[i].name_off
								 : btf_enum(t)[i].name_off);

		f->enums[i].value = wide ? (int64_t)btf_enum64_value(&btf_enum64(t)[i])
					 : (int64_t)btf_enum(t)[i].val;
		f->enums[i].name = strdup(name ? name : "");
		f->enum_cnt++;
		if (!f->enums[i].name)
			return -ENOMEM;
	}
	return 0;
}

static int array_field(const struct btf *btf, struct btf_value *v, const struct btf_type *t,
		       struct place_field *f)
{
	uint32_t sz = btf_array(t)->nelems;

	if (!v->is_addr || !is_char(btf, btf_array(t)->type)) {
		v->is_addr = false;
		return number_field(v, f, 8, false, SHOW_HEX);
	}
	if (!sz || sz > FIELD_BYTES_MAX)
		return field_make__text(f, &v->steps);
	return field_make__bytes(f, &v->steps, (uint16_t)sz);
}

static int int_field(struct btf_value *v, const struct btf_type *t, enum arg_as as,
		     struct place_field *f)
{
	bool is_signed = (btf_int_encoding(t) & BTF_INT_SIGNED) && as != ARG_AS_UNSIGNED;

	return number_field(v, f, t->size, is_signed || as == ARG_AS_DEC,
			    as == ARG_AS_HEX                     ? SHOW_HEX
			    : btf_int_encoding(t) & BTF_INT_BOOL ? SHOW_BOOL
								 : SHOW_DEC);
}

int btf_value__to_field(const struct btf *btf, struct btf_value *v, enum arg_as as,
			struct place_field *f, uint32_t off, struct arg_fault *fault)
{
	struct strbuf name = STRBUF_INIT;
	uint32_t id = v->type;
	const struct btf_type *t = id ? strip(btf, &id) : NULL;
	int err;

	settle(v);
	if (v->type)
		put_name(btf, v->type, &name, 0);
	snprintf(f->type, sizeof(f->type), "%s", v->type ? strbuf__cstr(&name) : "unsigned long");
	strbuf__free(&name);
	if (as == ARG_AS_TEXT && (!t || btf_is_ptr(t) || (btf_is_int(t) && t->size == 8))) {
		load(v, POINTER_SZ, false);
		return field_make__text(f, &v->steps);
	}
	if (t && btf_is_int(t) && t->size > 8)
		return field_make__literal(f, LITERAL_LARGE);
	if (t && btf_is_int(t))
		return int_field(v, t, as, f);
	if (t && btf_is_any_enum(t)) {
		err = as == ARG_AS_HEX ? 0 : add_enums(btf, t, f);
		return err ? err
			   : number_field(v, f, t->size, btf_kflag(t),
					  f->enum_cnt ? SHOW_ENUM : SHOW_DEC);
	}
	if (t && btf_is_array(t))
		return array_field(btf, v, t, f);
	if (as == ARG_AS_TEXT)
		return arg_fault__set(fault, off, "%.60s is no text: leave out :str", f->type);
	if (t && btf_is_composite(t)) {
		/* Its address: members are asked for one by one. In a register: its bytes. */
		if (!v->is_addr && v->is_by_value && t->size < 8)
			v->bits = (struct field_bits){ 0, 8 * t->size };
		v->is_addr = false;
		return number_field(v, f, 8, false, SHOW_HEX);
	}
	if (t && btf_is_ptr(t) && as == ARG_AS_TYPE && is_const(btf, t->type) &&
	    is_char(btf, t->type)) {
		load(v, POINTER_SZ, false);
		return field_make__text(f, &v->steps);
	}
	return number_field(v, f, 8, as == ARG_AS_DEC,
			    as == ARG_AS_DEC || as == ARG_AS_UNSIGNED ? SHOW_DEC : SHOW_HEX);
}
