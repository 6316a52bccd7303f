// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Alignment of types: DWARF has it only where a declaration asks for one. */
#include <dwarf.h>

#include "probe/type.h"

#define DEPTH_MAX 16
/* Parts of one type that are looked at: in DWARF with loops they multiply with each level. */
#define PARTS_MAX 4096
/* No base type of these machines is aligned to more. */
#define BASE_MAX 16

struct walk {
	uint64_t align; /* of the structure's parts so far */
	int depth, part_cnt;
	bool failed;
};

uint64_t type__asked_align(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word align;

	return dwarf_attr(die, DW_AT_alignment, &attr) && !dwarf_formudata(&attr, &align) ? align
											  : 0;
}

bool type__is_vector(Dwarf_Die *type)
{
	return dwarf_tag(type) == DW_TAG_array_type && dwarf_hasattr(type, DW_AT_GNU_vector);
}

/* One that is asked for. Compilers differ in whether a lower one holds, which matters above 8. */
static uint64_t raise_to(struct walk *w, uint64_t align, uint64_t asked)
{
	w->failed |= asked && asked < align && align > 8;
	return asked > align ? asked : align;
}

static uint64_t align_of(struct walk *w, const Dwarf_Die *type, bool is_raised);

static bool add_part(void *ctx, const char *name, const struct type_member *m)
{
	struct walk *w = ctx;
	uint64_t before = w->align, align = raise_to(w, align_of(w, &m->type, true), m->align);

	(void)name;
	w->failed |= m->bit_cnt && align > 8;
	w->align = align > before ? align : before;
	return w->failed;
}

/* Follows typedefs and the like, and returns the highest alignment that they ask for. */
static uint64_t strip(struct walk *w, Dwarf_Die *type)
{
	uint64_t asked = 0, align;
	int i;

	for (i = 0; i < DEPTH_MAX && type__is_wrapper(type); i++) {
		align = type__asked_align(type);
		asked = align > asked ? align : asked;
		/* An atomic structure of 16 bytes is aligned to them, whatever is in it. */
		w->failed |= dwarf_tag(type) == DW_TAG_atomic_type && type__size(type) > 8;
		if (!type__of(type, type))
			break;
	}
	w->failed |= type__is_wrapper(type) || !type__strip(type);
	return asked;
}

static uint64_t base_align(struct walk *w, Dwarf_Die *type)
{
	const int tag = dwarf_tag(type);
	uint64_t align = type__size(type);

	if (tag == DW_TAG_ptr_to_member_type || tag == DW_TAG_unspecified_type)
		return 8;
	if (type__encoding(type) == DW_ATE_complex_float)
		align /= 2;
	w->failed |= !align || align > BASE_MAX || (align & (align - 1));
	return align;
}

static uint64_t align_of(struct walk *w, const Dwarf_Die *type, bool is_raised)
{
	Dwarf_Die t = *type, elem;
	uint64_t align = 0, asked;

	if (w->depth >= DEPTH_MAX || w->part_cnt++ >= PARTS_MAX) {
		w->failed = true;
		return 0;
	}
	asked = strip(w, &t);
	if (w->failed)
		return 0;
	w->depth++;
	if (type__is_struct(&t)) {
		w->failed |= dwarf_hasattr(&t, DW_AT_declaration);
		w->align = 1;
		type__each_part(&t, add_part, w);
		align = is_raised ? raise_to(w, w->align, type__asked_align(&t)) : w->align;
	} else if (dwarf_tag(&t) != DW_TAG_array_type) {
		align = base_align(w, &t);
	} else if (!type__is_vector(&t) && type__of(&t, &elem)) {
		align = align_of(w, &elem, true);
	} else {
		w->failed = true;
	}
	w->depth--;
	return is_raised ? raise_to(w, align, asked) : align;
}

uint64_t type__align(const Dwarf_Die *type, bool is_raised)
{
	struct walk w = { .depth = 0 };
	uint64_t align = align_of(&w, type, is_raised);

	return w.failed || (align & (align - 1)) ? 0 : align;
}
