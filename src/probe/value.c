// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/value.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/enums.h"
#include "probe/value_pieces.h"
#include "probe/variant.h"

void value__of_steps(struct value *v, const struct steps *steps)
{
	memset(v, 0, sizeof(*v));
	v->loc.cnt = 1;
	v->loc.pieces[0].kind = steps->overflow ? PIECE_NONE : PIECE_VALUE;
	v->loc.pieces[0].steps = *steps;
}

/* Goes to what a pointer or a reference leads to. */
static bool deref(struct value *v, uint8_t addr_sz)
{
	Dwarf_Die type = v->type;

	if (!type__strip(&type) || (!type__is_pointer(&type) && !type__is_reference(&type)))
		return false;
	value__load(v, addr_sz, false);
	if (v->loc.pieces[0].kind == PIECE_VALUE)
		v->loc.pieces[0].kind = PIECE_MEMORY;
	v->has_type = type__of(&type, &v->type);
	return true;
}

static void deref_reference(struct value *v, uint8_t addr_sz)
{
	Dwarf_Die type = v->type;

	if (v->has_type && type__strip(&type) && type__is_reference(&type))
		deref(v, addr_sz);
}

static bool go_to_member(struct value *v, const char *name)
{
	struct type_member m;

	if (!v->has_type || !type__member(&v->type, name, &m))
		return false;
	value__narrow(v, m.off, m.bit_cnt ? m.bit_off + m.bit_cnt : 8 * type__size(&m.type));
	v->type = m.type;
	v->bits = (struct field_bits){ m.bit_off, m.bit_cnt };
	return true;
}

/* Appends the conditions under which the value is of this variant. */
static void add_tests(struct steps *s, const struct variant *var)
{
	size_t i;

	for (i = 0; i < var->value_cnt; i++)
		steps__add(s, var->is_other ? FETCH_IF_NOT : FETCH_IF, 8, false, var->values[i]);
}

/* The data of a variant of Rust's enums is absent while the value is another variant. */
static bool go_to_variant(struct value *v, const char *name)
{
	struct value discr = *v;
	struct variant var;

	if (!v->has_type || !variant__find(&v->type, name, &var))
		return false;
	value__narrow(v, var.member.off, 8 * type__size(&var.member.type));
	v->type = var.member.type;
	v->bits = (struct field_bits){ 0 };
	if (!var.value_cnt)
		return true;
	value__take_number(&discr, &var.discr);
	if (discr.loc.pieces[0].kind != PIECE_VALUE) {
		v->loc = discr.loc;
		return true;
	}
	add_tests(&discr.loc.pieces[0].steps, &var);
	value__put_before(v, &discr.loc.pieces[0].steps);
	return true;
}

static int no_member(struct value *v, const struct arg_part *part, struct arg_fault *fault)
{
	struct strbuf sb = STRBUF_INIT;
	int err;

	type__put_name(&v->type, &sb);
	err = arg_fault__set(fault, part->off, "%.80s has no member '%s' at a fixed place",
			     strbuf__cstr(&sb), part->name);
	strbuf__free(&sb);
	return err;
}

static int follow_index(struct value *v, const struct arg_part *part, uint8_t addr_sz,
			struct arg_fault *fault)
{
	Dwarf_Die type = v->type, elem;
	uint64_t sz;

	if (!type__strip(&type))
		return arg_fault__set(fault, part->off, "this is no array");
	if (type__is_pointer(&type)) {
		deref(v, addr_sz);
	} else if (dwarf_tag(&type) != DW_TAG_array_type || !type__of(&type, &v->type)) {
		return arg_fault__set(fault, part->off, "this is no array, and no pointer to one");
	}
	elem = v->type;
	sz = v->has_type ? type__size(&elem) : 0;
	if (!sz)
		return arg_fault__set(fault, part->off, "the size of an element is not known");
	if (v->loc.pieces[0].kind == PIECE_MEMORY && v->loc.cnt == 1)
		steps__add(&v->loc.pieces[0].steps, FETCH_ADD, 8, false, part->index * (int64_t)sz);
	else
		value__narrow(v, (uint64_t)part->index * sz, 8 * sz);
	return 0;
}

int value__follow(struct value *v, const struct arg_part *part, uint8_t addr_sz,
		  struct arg_fault *fault)
{
	if (!v->has_type)
		return arg_fault__set(fault, part->off,
				      "the type of this value is not known: the file has no DWARF "
				      "for it");
	deref_reference(v, addr_sz);
	switch (part->kind) {
	case ARG_ARROW:
	case ARG_MEMBER:
		/* Both ways of writing are understood: the type says which one is meant. */
		deref(v, addr_sz);
		if (!v->has_type || (!go_to_member(v, part->name) && !go_to_variant(v, part->name)))
			return no_member(v, part, fault);
		return 0;
	case ARG_INDEX:
		return follow_index(v, part, addr_sz, fault);
	default:
		if (!deref(v, addr_sz))
			return arg_fault__set(fault, part->off, "this is no pointer");
		return 0;
	}
}

static int set_literal(struct place_field *f, enum piece_kind kind)
{
	return field_make__literal(f,
				   kind == PIECE_VECTOR ? LITERAL_VECTOR : LITERAL_OPTIMIZED_OUT);
}

/* The steps of the value; false: it cannot be fetched, and the field says so. */
static bool has_steps(struct value *v, struct place_field *f)
{
	struct piece *p = &v->loc.pieces[0];

	if (v->loc.cnt == 1 && (p->kind == PIECE_VALUE || p->kind == PIECE_MEMORY) &&
	    !p->steps.overflow && p->steps.cnt)
		return true;
	set_literal(f, v->loc.cnt == 1 ? p->kind : PIECE_NONE);
	return false;
}

/* A number of sz bytes. */
static int number_field(struct value *v, struct place_field *f, uint64_t sz, bool is_signed,
			enum place_show show)
{
	value__load(v, field_make__load_sz(&v->bits, sz), is_signed && !v->bits.cnt);
	if (!has_steps(v, f))
		return 0;
	return field_make__number(f, &v->loc.pieces[0].steps, &v->bits, sz, is_signed, show);
}

/* A text at the address that the steps yield. */
static int text_field(struct value *v, struct place_field *f)
{
	return has_steps(v, f) ? field_make__text(f, &v->loc.pieces[0].steps) : 0;
}

/* A text of a length: both are members of a structure. */
static int counted_field(struct value *text, struct value *len, uint8_t addr_sz,
			 struct place_field *f)
{
	value__load(text, addr_sz, false);
	value__load(len, addr_sz, false);
	if (!has_steps(len, f) || !has_steps(text, f))
		return 0;
	return field_make__counted_text(f, &len->loc.pieces[0].steps, &text->loc.pieces[0].steps);
}

/* The longest way to a text from the structure that has it. */
#define TEXT_NAMES 6

/* Structures that are texts: members with the address, and with the length. */
static const struct {
	const char *type; /* how the type's name begins */
	const char *text[TEXT_NAMES], *len[TEXT_NAMES];
} texts[] = {
	{ "basic_string<char", { "_M_dataplus", "_M_p" }, { "_M_string_length" } },
	{ "basic_string_view<char", { "_M_str" }, { "_M_len" } },
	{ "&str", { "data_ptr" }, { "length" } },
	{ "string", { "str" }, { "len" } }, /* Go */
	/* Rust: since 1.83, and before */
	{ "String", { "vec", "buf", "inner", "ptr", "pointer", "pointer" }, { "vec", "len" } },
	{ "String", { "vec", "buf", "ptr", "pointer", "pointer" }, { "vec", "len" } },
};

static bool walk_names(struct value *v, const char *const *names, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt && names[i]; i++)
		if (!go_to_member(v, names[i]))
			return false;
	return true;
}

static bool find_counted(const struct value *v, Dwarf_Die *type, struct value *text,
			 struct value *len)
{
	const char *name = dwarf_diename(type);
	size_t i;

	for (i = 0; name && i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (strncmp(name, texts[i].type, strlen(texts[i].type)) != 0)
			continue;
		*text = *len = *v;
		if (walk_names(text, texts[i].text, TEXT_NAMES) &&
		    walk_names(len, texts[i].len, TEXT_NAMES))
			return true;
	}
	return false;
}

/* A number of more than 8 bytes has no field: it may lie in memory, or in two registers. */
static int large_field(const struct value *v, struct place_field *f)
{
	enum piece_kind kind = v->loc.pieces[0].kind;

	if (!v->loc.cnt || kind == PIECE_NONE || kind == PIECE_VECTOR)
		return set_literal(f, v->loc.cnt ? kind : PIECE_NONE);
	return field_make__literal(f, LITERAL_LARGE);
}

static int base_field(struct value *v, Dwarf_Die *type, enum arg_as as, struct place_field *f)
{
	unsigned int enc = type__encoding(type);
	bool is_signed = enc == DW_ATE_signed || enc == DW_ATE_signed_char;
	uint64_t sz = type__size(type);

	if (sz > 8)
		return large_field(v, f);
	if (enc == DW_ATE_float) {
		/* Its bits are fetched as they are. */
		return number_field(v, f, sz, false, as == ARG_AS_HEX ? SHOW_HEX : SHOW_FLOAT);
	}
	if (as == ARG_AS_UNSIGNED)
		is_signed = false;
	if (as == ARG_AS_DEC)
		is_signed = true;
	return number_field(v, f, sz, is_signed,
			    as == ARG_AS_HEX || enc == DW_ATE_complex_float ? SHOW_HEX
			    : enc == DW_ATE_boolean                         ? SHOW_BOOL
									    : SHOW_DEC);
}

static int array_field(struct value *v, Dwarf_Die *type, enum arg_as as, struct place_field *f)
{
	uint64_t sz = type__size(type);
	Dwarf_Die elem;

	if (v->loc.pieces[0].kind != PIECE_MEMORY || v->loc.cnt != 1)
		return set_literal(f, PIECE_NONE);
	if (as != ARG_AS_HEX && type__of(type, &elem) && type__is_char(&elem)) {
		if (!sz || sz > FIELD_BYTES_MAX)
			return text_field(v, f);
		if (!has_steps(v, f))
			return 0;
		return field_make__bytes(f, &v->loc.pieces[0].steps, (uint16_t)sz);
	}
	/* Its address: elements are asked for one by one. */
	v->loc.pieces[0].kind = PIECE_VALUE;
	return number_field(v, f, 8, false, SHOW_HEX);
}

/* The name of the variant that an enum of Rust is. m: its discriminant. */
static int variant_field(struct value *v, Dwarf_Die *type, const struct type_member *m,
			 struct place_field *f)
{
	Dwarf_Die number = m->type;
	uint64_t sz = type__size(&number);
	int64_t base;
	int err = variant__add_names(type, f, &base);

	if (err)
		return err;
	value__take_number(v, m);
	if (base)
		steps__add(&v->loc.pieces[0].steps, FETCH_ADD, 8, false,
			   (int64_t)(0 - (uint64_t)base));
	return number_field(v, f, sz, false, f->enum_cnt ? SHOW_ENUM : SHOW_DEC);
}

static int struct_field(struct value *v, Dwarf_Die *type, enum arg_as as, uint8_t addr_sz,
			struct place_field *f)
{
	struct value text, len;
	struct type_member m;

	if (find_counted(v, type, &text, &len))
		return counted_field(&text, &len, addr_sz, f);
	if (as != ARG_AS_HEX && variant__discriminant(type, &m))
		return variant_field(v, type, &m, f);
	if (v->loc.cnt != 1 || v->loc.pieces[0].kind != PIECE_MEMORY) {
		/* A small one in registers is shown as a number, if it is in one. */
		uint64_t sz = type__size(type);

		return v->loc.cnt == 1 && sz && sz <= 8 ? number_field(v, f, 8, false, SHOW_HEX)
							: set_literal(f, v->loc.pieces[0].kind);
	}
	v->loc.pieces[0].kind = PIECE_VALUE;
	return number_field(v, f, 8, false, SHOW_HEX);
}

/* Is it `const char *`, which leads to a text? Others may lead to room for one. */
static bool is_text_pointer(Dwarf_Die *type)
{
	Dwarf_Die to;

	return type__is_pointer(type) && type__of(type, &to) && type__is_const(&to) &&
	       type__is_char(&to);
}

static int typed_field(struct value *v, enum arg_as as, uint8_t addr_sz, struct place_field *f)
{
	Dwarf_Die type = v->type;
	int err;

	if (!type__strip(&type))
		return number_field(v, f, 8, as == ARG_AS_DEC,
				    as == ARG_AS_DEC ? SHOW_DEC : SHOW_HEX);
	switch (dwarf_tag(&type)) {
	case DW_TAG_base_type:
		return base_field(v, &type, as, f);
	case DW_TAG_enumeration_type:
		if (as == ARG_AS_HEX)
			return number_field(v, f, type__size(&type), false, SHOW_HEX);
		err = enums__add(&type, f);
		return err ? err
			   : number_field(v, f, type__size(&type), enums__are_signed(&type, f),
					  f->enum_cnt ? SHOW_ENUM : SHOW_DEC);
	case DW_TAG_array_type:
		return array_field(v, &type, as, f);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return struct_field(v, &type, as, addr_sz, f);
	default:
		if (as == ARG_AS_TYPE && is_text_pointer(&type)) {
			value__load(v, addr_sz, false);
			return text_field(v, f);
		}
		return number_field(v, f, addr_sz, as == ARG_AS_DEC,
				    as == ARG_AS_DEC || as == ARG_AS_UNSIGNED ? SHOW_DEC
									      : SHOW_HEX);
	}
}

int value__to_field(struct value *v, enum arg_as as, uint8_t addr_sz, struct place_field *f,
		    uint32_t off, struct arg_fault *fault)
{
	struct strbuf name = STRBUF_INIT;
	Dwarf_Die type;

	if (!v->has_type && v->raw_size) {
		snprintf(f->type, sizeof(f->type), "%sint%u_t", v->raw_signed ? "" : "u",
			 8u * v->raw_size);
		if (as != ARG_AS_TEXT)
			return number_field(v, f, v->raw_size, as == ARG_AS_DEC || v->raw_signed,
					    as == ARG_AS_HEX ? SHOW_HEX : SHOW_DEC);
		value__load(v, v->raw_size, false);
		return text_field(v, f);
	}
	if (!v->has_type) {
		snprintf(f->type, sizeof(f->type), "unsigned long");
		value__load(v, addr_sz, false);
		if (as == ARG_AS_TEXT)
			return text_field(v, f);
		return number_field(v, f, 8, as == ARG_AS_DEC,
				    as == ARG_AS_DEC || as == ARG_AS_UNSIGNED ? SHOW_DEC
									      : SHOW_HEX);
	}
	type__put_name(&v->type, &name);
	snprintf(f->type, sizeof(f->type), "%s", strbuf__cstr(&name));
	strbuf__free(&name);
	deref_reference(v, addr_sz);
	type = v->type;
	if (as != ARG_AS_TEXT || !type__strip(&type))
		return typed_field(v, as, addr_sz, f);
	if (type__is_pointer(&type)) {
		value__load(v, addr_sz, false);
		return text_field(v, f);
	}
	if (dwarf_tag(&type) == DW_TAG_array_type || type__is_struct(&type))
		return typed_field(v, ARG_AS_TYPE, addr_sz, f);
	if (type__encoding(&type) && type__size(&type) == 8)
		return text_field(v, f);
	return arg_fault__set(fault, off, "%.60s is no text: leave out :str", f->type);
}
