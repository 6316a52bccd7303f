// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/type.h"

#include <dwarf.h>
#include <string.h>

#include "probe/code_file.h"

/* Damaged DWARF may have types that lead back to themselves. */
#define DEPTH_MAX 32
/* Members of one type that are looked at: with loops they multiply with each level. */
#define PARTS_MAX 4096

bool type__of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && code_file__follow(&attr, type);
}

bool type__is_wrapper(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* With -fdebug-types-section a type may be but a reference to its own unit. */
static void follow_signature(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Die whole;

	if (dwarf_attr(type, DW_AT_signature, &attr) && code_file__follow(&attr, &whole))
		*type = whole;
}

bool type__strip(Dwarf_Die *type)
{
	int i;

	for (i = 0; i < DEPTH_MAX; i++) {
		if (!type__is_wrapper(type)) {
			follow_signature(type);
			return true;
		}
		if (!type__of(type, type))
			return false;
	}
	return false;
}

static bool number_attr(Dwarf_Die *die, unsigned int name, Dwarf_Word *val)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, name, &attr) && !dwarf_formudata(&attr, val);
}

/* Elements of one dimension of an array; 0: unknown. */
static uint64_t count_of(Dwarf_Die *range)
{
	Dwarf_Word cnt;

	if (number_attr(range, DW_AT_count, &cnt))
		return cnt;
	return number_attr(range, DW_AT_upper_bound, &cnt) ? cnt + 1 : 0;
}

/* Elements of all dimensions of an array of C, which begin at 0; 0: unknown. */
static uint64_t element_cnt(Dwarf_Die *array)
{
	uint64_t cnt = 1, dim;
	Dwarf_Die child;

	if (dwarf_child(array, &child))
		return 0;
	do {
		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		dim = count_of(&child);
		if (__builtin_mul_overflow(cnt, dim, &cnt))
			return 0;
	} while (!dwarf_siblingof(&child, &child));
	return cnt;
}

/* libdw finds no types of packages. */
static uint64_t size_in_package(Dwarf_Die *type, int depth)
{
	Dwarf_Die t = *type, elem;
	Dwarf_Word sz;

	if (depth > DEPTH_MAX || !type__strip(&t))
		return 0;
	if (!dwarf_aggregate_size(&t, &sz))
		return sz;
	if (dwarf_tag(&t) != DW_TAG_array_type || !type__of(&t, &elem) ||
	    __builtin_mul_overflow(element_cnt(&t), size_in_package(&elem, depth + 1), &sz))
		return 0;
	return sz;
}

uint64_t type__size(Dwarf_Die *type)
{
	Dwarf_Word sz;

	return dwarf_aggregate_size(type, &sz) ? size_in_package(type, 0) : sz;
}

bool type__is_pointer(Dwarf_Die *type)
{
	return dwarf_tag(type) == DW_TAG_pointer_type;
}

bool type__is_reference(Dwarf_Die *type)
{
	const char *name = dwarf_diename(type);
	int tag = dwarf_tag(type);

	/* Rust's references are pointers of that name. */
	return tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type ||
	       (tag == DW_TAG_pointer_type && name && name[0] == '&');
}

bool type__is_struct(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

unsigned int type__encoding(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word enc;

	if (dwarf_tag(type) != DW_TAG_base_type ||
	    !dwarf_attr_integrate(type, DW_AT_encoding, &attr) || dwarf_formudata(&attr, &enc))
		return 0;
	return (unsigned int)enc;
}

bool type__is_char(const Dwarf_Die *type)
{
	Dwarf_Die t = *type;
	unsigned int enc;

	if (!type__strip(&t) || type__size(&t) != 1)
		return false;
	enc = type__encoding(&t);
	return enc == DW_ATE_signed_char || enc == DW_ATE_unsigned_char || enc == DW_ATE_UTF;
}

bool type__is_const(const Dwarf_Die *type)
{
	Dwarf_Die t = *type;
	int i;

	for (i = 0; i < DEPTH_MAX && type__is_wrapper(&t); i++) {
		if (dwarf_tag(&t) == DW_TAG_const_type)
			return true;
		if (!type__of(&t, &t))
			return false;
	}
	return false;
}

/* Does the function take a reference to its own class, and is it written by the user? */
static bool is_copy_constructor(Dwarf_Die *func, const Dwarf_Die *class_type)
{
	Dwarf_Die param, type, to;
	int cnt = 0;

	if (dwarf_hasattr(func, DW_AT_artificial) || dwarf_hasattr(func, DW_AT_defaulted) ||
	    dwarf_child(func, &param))
		return false;
	do {
		if (dwarf_tag(&param) != DW_TAG_formal_parameter)
			continue;
		/* The first one is the object itself. */
		if (++cnt == 2 && type__of(&param, &type) && type__is_reference(&type) &&
		    type__of(&type, &to) && type__strip(&to))
			return to.addr == class_type->addr;
	} while (!dwarf_siblingof(&param, &param));
	return false;
}

static bool is_special(Dwarf_Die *func, const Dwarf_Die *class_type, const char *class_name)
{
	const char *name = dwarf_diename(func);

	if (dwarf_hasattr(func, DW_AT_virtuality))
		return true;
	if (!name || dwarf_hasattr(func, DW_AT_deleted))
		return false;
	if (name[0] == '~')
		return !dwarf_hasattr(func, DW_AT_defaulted);
	return class_name && !strncmp(name, class_name, strlen(name)) &&
	       is_copy_constructor(func, class_type);
}

/* left: members that may still be looked at. If they are too few, it may be anything. */
static bool is_nontrivial(Dwarf_Die *type, int depth, int *left)
{
	Dwarf_Die child, inner;
	const char *name = dwarf_diename(type);
	int tag;

	if (depth > DEPTH_MAX || !type__is_struct(type) || dwarf_child(type, &child))
		return false;
	do {
		tag = dwarf_tag(&child);
		if (tag == DW_TAG_subprogram && is_special(&child, type, name))
			return true;
		if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
			continue;
		if (dwarf_hasattr(&child, DW_AT_external) || !type__of(&child, &inner))
			continue;
		if (!(*left)-- || (type__strip(&inner) && is_nontrivial(&inner, depth + 1, left)))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

bool type__is_nontrivial(Dwarf_Die *type)
{
	int left = PARTS_MAX;
	Dwarf_Die t = *type;

	return type__strip(&t) && is_nontrivial(&t, 0, &left);
}

static void put_name(const Dwarf_Die *type, struct strbuf *sb, int depth);

/* "const char", but "char *const": behind a pointer that it qualifies. */
static void put_qualified(const Dwarf_Die *inner, const char *word, struct strbuf *sb, int depth)
{
	Dwarf_Die t = *inner;
	bool behind;

	while (dwarf_tag(&t) != DW_TAG_typedef && type__is_wrapper(&t) && depth++ < DEPTH_MAX)
		if (!type__of(&t, &t))
			break;
	behind = dwarf_tag(&t) == DW_TAG_pointer_type && !dwarf_diename(&t);
	if (!behind)
		strbuf__printf(sb, "%s ", word);
	put_name(inner, sb, depth + 1);
	if (behind)
		strbuf__printf(sb, "%s%s", sb->len && sb->buf[sb->len - 1] == '*' ? "" : " ", word);
}

static void put_name(const Dwarf_Die *type, struct strbuf *sb, int depth)
{
	Dwarf_Die t = *type, inner;
	const char *name;
	bool has_inner;
	int tag;

	follow_signature(&t);
	tag = dwarf_tag(&t);
	name = dwarf_diename(&t);
	has_inner = type__of(&t, &inner);

	if (depth > DEPTH_MAX)
		return;
	switch (tag) {
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
		if (has_inner)
			put_qualified(&inner, tag == DW_TAG_const_type ? "const" : "volatile", sb,
				      depth);
		else
			strbuf__puts(sb, tag == DW_TAG_const_type ? "const void" : "volatile void");
		return;
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		if (has_inner)
			put_name(&inner, sb, depth + 1);
		else
			strbuf__puts(sb, "void");
		return;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		if (name) {
			strbuf__puts(sb, name);
			return;
		}
		if (has_inner)
			put_name(&inner, sb, depth + 1);
		else
			strbuf__puts(sb, "void");
		if (sb->len && sb->buf[sb->len - 1] != '*')
			strbuf__putc(sb, ' ');
		strbuf__puts(sb, tag == DW_TAG_pointer_type     ? "*"
				 : tag == DW_TAG_reference_type ? "&"
								: "&&");
		return;
	case DW_TAG_array_type:
		if (has_inner)
			put_name(&inner, sb, depth + 1);
		strbuf__puts(sb, "[]");
		return;
	case DW_TAG_subroutine_type:
		strbuf__puts(sb, "function");
		return;
	case DW_TAG_structure_type:
		strbuf__puts(sb, "struct ");
		break;
	case DW_TAG_union_type:
		strbuf__puts(sb, "union ");
		break;
	case DW_TAG_enumeration_type:
		strbuf__puts(sb, "enum ");
		break;
	default:
		break;
	}
	strbuf__puts(sb, name ? name : "(unnamed)");
}

void type__put_name(const Dwarf_Die *type, struct strbuf *sb)
{
	put_name(type, sb, 0);
}

/* A computed place is that of a virtual base. */
bool type__read_member(Dwarf_Die *die, struct type_member *m)
{
	Dwarf_Word off = 0, bits = 0, first, storage;

	m->off = m->bit_off = m->bit_cnt = 0;
	m->align = type__asked_align(die);
	if (!type__of(die, &m->type))
		return false;
	if (dwarf_hasattr(die, DW_AT_data_member_location) &&
	    !number_attr(die, DW_AT_data_member_location, &off))
		return false;
	m->off = off;
	if (!number_attr(die, DW_AT_bit_size, &bits) || !bits || bits > 64)
		return !bits;
	m->bit_cnt = (uint32_t)bits;
	if (number_attr(die, DW_AT_data_bit_offset, &first)) {
		m->off = first / 8;
		m->bit_off = (uint32_t)(first % 8);
	} else if (number_attr(die, DW_AT_bit_offset, &first)) {
		/* DWARF 2 and 3 count from the highest bit of a unit of storage. */
		if (!number_attr(die, DW_AT_byte_size, &storage))
			storage = type__size(&m->type);
		if (storage * 8 < first + bits || storage > 8)
			return false;
		first = storage * 8 - first - bits;
		m->off += first / 8;
		m->bit_off = (uint32_t)(first % 8);
	}
	return true;
}

static bool find_member(Dwarf_Die *type, const char *name, struct type_member *m, int depth)
{
	struct type_member inner;
	Dwarf_Die child;
	const char *its;
	int tag;

	if (depth > DEPTH_MAX || !type__strip(type) || dwarf_child(type, &child))
		return false;
	do {
		tag = dwarf_tag(&child);
		if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
			continue;
		its = tag == DW_TAG_member ? dwarf_diename(&child) : NULL;
		if (its && !strcmp(its, name))
			return type__read_member(&child, m);
		if (its || !type__read_member(&child, &inner))
			continue;
		if (find_member(&inner.type, name, m, depth + 1)) {
			m->off += inner.off;
			return true;
		}
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

bool type__member(Dwarf_Die *type, const char *name, struct type_member *m)
{
	Dwarf_Die t = *type;

	return find_member(&t, name, m, 0);
}

bool type__each_part(Dwarf_Die *type,
		     bool (*fn)(void *ctx, const char *name, const struct type_member *m),
		     void *ctx)
{
	struct type_member m;
	Dwarf_Die child;
	int tag;

	if (dwarf_child(type, &child))
		return false;
	do {
		tag = dwarf_tag(&child);
		if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
			continue;
		/* One that is static lies elsewhere. */
		if (dwarf_hasattr(&child, DW_AT_external) || !type__read_member(&child, &m))
			continue;
		if (fn(ctx, tag == DW_TAG_member ? dwarf_diename(&child) : NULL, &m))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

bool type__each_member(Dwarf_Die *type,
		       bool (*fn)(void *ctx, const char *name, const struct type_member *m),
		       void *ctx)
{
	struct type_member m;
	Dwarf_Die child;
	const char *name;

	if (dwarf_child(type, &child))
		return false;
	do {
		if (dwarf_tag(&child) != DW_TAG_member)
			continue;
		name = dwarf_diename(&child);
		if (name && type__read_member(&child, &m) && fn(ctx, name, &m))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}
