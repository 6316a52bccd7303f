// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The classes of the System V ABI for x86-64 (section 3.2.3), those of the procedure call standard
 * for arm64 (sections 5.9 and 6.8), and the stack of i386, as far as they concern C and C++.
 */
#include "probe/passed.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "probe/type.h"

#ifndef DW_CC_pass_by_reference
#define DW_CC_pass_by_reference 0x04
#define DW_CC_pass_by_value 0x05
#endif

/* The largest structure that may be in registers: four quadruple floats of arm64. */
#define FILL_MAX 64
#define DEPTH_MAX 16
/* Parts of one value that are looked at: in DWARF with loops they multiply with each level. */
#define FILL_PARTS_MAX 4096

/* Data that a structure has, by its bytes. */
struct fill {
	bool is_x86_64;
	uint64_t end; /* no data of a whole structure lies behind it */
	uint64_t ints, floats; /* bits: bytes that have data of the kind */
	uint64_t float_size; /* of the floats */
	bool is_mixed; /* they are of several sizes */
	bool has_x87, has_vector, has_empty;
	uint64_t base;
	int depth, part_cnt;
	bool failed;
};

static uint64_t bytes(uint64_t off, uint64_t size)
{
	return (size >= FILL_MAX ? ~0ull : (1ull << size) - 1) << off;
}

/* long double of x86: others of 16 bytes are in a vector. */
static bool is_x87(Dwarf_Die *type)
{
	const char *name = dwarf_diename(type);

	return name && (!strcmp(name, "long double") || !strcmp(name, "_Float64x") ||
			!strcmp(name, "__float80"));
}

static bool is_float128(Dwarf_Die *type)
{
	const char *name = dwarf_diename(type);

	return name && (!strcmp(name, "_Float128") || !strcmp(name, "__float128"));
}

/* Numbers of several parts, or of rules of their own. */
static bool is_of_other_kind(Dwarf_Die *type)
{
	unsigned int enc = type__encoding(type);

	return enc == DW_ATE_complex_float || enc == DW_ATE_imaginary_float ||
	       enc == DW_ATE_decimal_float;
}

static bool is_power(uint64_t size)
{
	return size && !(size & (size - 1));
}

static void fill_base(struct fill *fill, Dwarf_Die *type, uint64_t off, uint64_t size)
{
	if (!size || is_of_other_kind(type)) {
		fill->failed = true;
		return;
	}
	/* A packed structure is passed in memory. */
	fill->failed |= fill->is_x86_64 && is_power(size) && off % size;
	if (type__encoding(type) != DW_ATE_float) {
		fill->ints |= bytes(off, size);
		return;
	}
	if (fill->is_x86_64 && size > 8) {
		fill->failed |= !is_x87(type);
		fill->has_x87 = true;
		return;
	}
	fill->failed |= !is_power(size);
	fill->is_mixed |= fill->float_size && fill->float_size != size;
	fill->float_size = size;
	fill->floats |= bytes(off, size);
}

static void fill_type(struct fill *fill, const Dwarf_Die *type, uint64_t off);

static bool fill_member(void *ctx, const char *name, const struct type_member *m)
{
	struct fill *fill = ctx;
	uint64_t base = fill->base, size = (m->bit_off + m->bit_cnt + 7) / 8;

	(void)name;
	if (size > fill->end || m->off > fill->end || base + m->off > fill->end - size) {
		fill->failed = true;
	} else if (m->bit_cnt) {
		fill->ints |= bytes(base + m->off, size);
	} else {
		fill_type(fill, &m->type, base + m->off);
		fill->base = base;
	}
	return fill->failed;
}

static void fill_struct(struct fill *fill, Dwarf_Die *type, uint64_t off)
{
	const uint64_t ints = fill->ints, floats = fill->floats;

	/* A class may be declared only: its members are in another file. */
	if (dwarf_hasattr(type, DW_AT_declaration)) {
		fill->failed = true;
		return;
	}
	fill->base = off;
	type__each_part(type, fill_member, fill);
	fill->has_empty |= ints == fill->ints && floats == fill->floats && !fill->has_x87;
}

/* Marks the bytes that a value at `off` uses, by the kind of number that it is made of. */
static void fill_type(struct fill *fill, const Dwarf_Die *type, uint64_t off)
{
	Dwarf_Die t = *type, elem;
	uint64_t size, at, elem_size;

	if (fill->depth >= DEPTH_MAX || fill->part_cnt++ >= FILL_PARTS_MAX || !type__strip(&t)) {
		fill->failed = true;
		return;
	}
	size = type__size(&t);
	if (size > fill->end || off > fill->end - size) {
		fill->failed = true;
		return;
	}
	fill->depth++;
	if (type__is_struct(&t)) {
		fill_struct(fill, &t, off);
	} else if (type__is_vector(&t)) {
		fill->has_vector = fill->failed = true;
	} else if (dwarf_tag(&t) == DW_TAG_array_type && type__of(&t, &elem)) {
		elem_size = type__size(&elem);
		/* Compilers differ in how they pass a structure that ends with an open array. */
		fill->failed |= !size || !elem_size;
		for (at = 0; !fill->failed && at + elem_size <= size; at += elem_size)
			fill_type(fill, &elem, off + at);
	} else {
		fill_base(fill, &t, off, size);
	}
	fill->depth--;
}

static bool is_by_reference(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word cc;

	if (dwarf_attr(type, DW_AT_calling_convention, &attr) && !dwarf_formudata(&attr, &cc) &&
	    (cc == DW_CC_pass_by_reference || cc == DW_CC_pass_by_value))
		return cc == DW_CC_pass_by_reference;
	return type__is_nontrivial(type);
}

static bool is_rust(const Dwarf_Die *die)
{
	Dwarf_Die d = *die, cu;

	return dwarf_diecu(&d, &cu, NULL, NULL) && dwarf_srclang(&cu) == DW_LANG_Rust;
}

/*
 * Rust promises no calling convention: its compiler passes members of a structure in registers of
 * their own. References with a length, which are two words, are passed as in C.
 */
static bool is_of_rust_alone(Dwarf_Die *type, uint64_t size)
{
	const char *name = dwarf_diename(type);

	return is_rust(type) && !(size == 16 && name && name[0] == '&');
}

/* Is the file by GCC? LLVM before 18 splits a number of 16 bytes, and does not align it. */
static bool is_by_gcc(const Dwarf_Die *die)
{
	Dwarf_Die d = *die, cu;
	Dwarf_Attribute attr;
	const char *producer;

	if (!dwarf_diecu(&d, &cu, NULL, NULL) || !dwarf_attr(&cu, DW_AT_producer, &attr))
		return false;
	producer = dwarf_formstring(&attr);
	return producer && !strncmp(producer, "GNU ", 4);
}

/* A pointer to a function of a class: two words, of which DWARF does not tell the size. */
static bool is_method_pointer(Dwarf_Die *type)
{
	Dwarf_Die to;

	return dwarf_tag(type) == DW_TAG_ptr_to_member_type && type__of(type, &to) &&
	       type__strip(&to) && dwarf_tag(&to) == DW_TAG_subroutine_type;
}

static void set_parts(struct passed *p, enum passed_part part, size_t cnt, uint32_t size)
{
	for (p->part_cnt = 0; p->part_cnt < cnt; p->part_cnt++)
		p->parts[p->part_cnt] = part;
	p->part_size = size;
}

static void classify_float(const struct probe_regs *regs, struct passed *p)
{
	set_parts(p, PART_VECTOR, 1, 0);
	if (p->size <= 8)
		return;
	p->align = 16;
	if (regs->machine == EM_X86_64 && is_x87(&p->type)) {
		p->way = BY_STACK;
		p->is_x87 = true;
	} else if (p->size != 16 || (regs->machine == EM_X86_64 && !is_float128(&p->type))) {
		p->way = BY_UNKNOWN;
	}
}

static void classify_base(const struct probe_regs *regs, struct passed *p)
{
	const char *name = dwarf_diename(&p->type);

	p->align = 8;
	/* The null pointer's own type has no size in DWARF. */
	if (!p->size)
		p->size = regs->addr_sz;
	set_parts(p, PART_INT, 1, 0);
	if (is_of_other_kind(&p->type)) {
		p->way = BY_UNKNOWN;
	} else if (type__encoding(&p->type) == DW_ATE_float) {
		classify_float(regs, p);
	} else if (is_method_pointer(&p->type)) {
		p->size = 2ull * regs->addr_sz;
		set_parts(p, PART_INT, 2, regs->addr_sz);
	} else if (p->size > 8) {
		/* A _BitInt of as many bytes is aligned to 8 on one machine, to 16 on the other. */
		if (p->size != 16 || (name && strstr(name, "_BitInt")))
			p->way = BY_UNKNOWN;
		p->align = regs->machine == EM_AARCH64 || is_by_gcc(&p->type) ? 16 : 0;
		set_parts(p, PART_INT, 2, 8);
	}
}

static void classify_eightbytes(struct passed *p, const struct fill *fill)
{
	size_t i;

	set_parts(p, PART_NONE, (size_t)(p->size + 7) / 8, 8);
	for (i = 0; i < p->part_cnt; i++) {
		if (fill->ints & bytes(8 * i, 8))
			p->parts[i] = PART_INT;
		else if (fill->floats & bytes(8 * i, 8))
			p->parts[i] = PART_VECTOR;
	}
	if (fill->has_x87) {
		p->way = p->parts[1] == PART_NONE ? BY_STACK : BY_UNKNOWN;
		p->is_x87 = p->parts[0] == PART_NONE;
	}
}

/* One to four floats of one size are in a register each; all else is in those of integers. */
static void classify_arm64(struct passed *p, struct fill *fill)
{
	const uint64_t cnt = fill->float_size ? p->size / fill->float_size : 0;

	if (p->size > FILL_MAX || (p->size > 16 && fill->ints)) {
		p->way = BY_ADDRESS;
		return;
	}
	/* The versions of a compiler differ in whether parts without data count. */
	if (fill->failed || (fill->floats && !fill->ints && fill->has_empty))
		p->way = BY_UNKNOWN;
	else if (fill->floats == bytes(0, p->size) && !fill->ints && !fill->is_mixed && cnt <= 4)
		set_parts(p, PART_VECTOR, (size_t)cnt, (uint32_t)fill->float_size);
	else if (p->size > 16)
		p->way = BY_ADDRESS;
	else
		set_parts(p, PART_INT, (size_t)(p->size + 7) / 8, 8);
}

static void classify_struct(const struct probe_regs *regs, struct passed *p)
{
	struct fill fill = { .is_x86_64 = regs->machine == EM_X86_64, .end = p->size };

	p->is_struct = true;
	if (is_of_rust_alone(&p->type, p->size)) {
		/* Larger ones are in memory, at an address that the caller passes. */
		p->way = p->size > 16 ? BY_ADDRESS : BY_UNKNOWN;
		return;
	}
	if (is_by_reference(&p->type)) {
		p->way = BY_ADDRESS;
		return;
	}
	if (p->size <= FILL_MAX)
		fill_type(&fill, &p->type, 0);
	if (regs->machine == EM_AARCH64) {
		classify_arm64(p, &fill);
	} else if (p->size > 16) {
		/* A vector of the processor may be larger. */
		p->way = fill.has_vector ? BY_UNKNOWN : BY_STACK;
	} else {
		classify_eightbytes(p, &fill);
		if (fill.failed)
			p->way = BY_UNKNOWN;
	}
}

/* All arguments are on the stack; a result is in one register, or two, or a float, or in memory. */
static void classify_i386(const struct probe_regs *regs, struct passed *p)
{
	struct fill fill = { .end = p->size };

	p->way = BY_STACK;
	p->is_struct = type__is_struct(&p->type);
	if (p->is_struct && is_by_reference(&p->type)) {
		p->way = BY_ADDRESS;
	} else if (p->is_struct) {
		if (p->size <= FILL_MAX)
			fill_type(&fill, &p->type, 0);
		/* Compilers differ in whether one without data has room on the stack. */
		if (fill.failed || (p->size <= FILL_MAX && !fill.ints && !fill.floats))
			p->way = BY_UNKNOWN;
	} else if (is_of_other_kind(&p->type)) {
		p->way = BY_UNKNOWN;
	} else if (type__encoding(&p->type) == DW_ATE_float) {
		p->is_x87 = true;
	} else {
		p->way = p->size > 8 ? BY_UNKNOWN : BY_REGISTERS;
		set_parts(p, PART_INT, p->size > 4 ? 2 : 1, regs->addr_sz);
	}
	p->align = 4;
}

struct passed passed__of(const struct probe_regs *regs, const Dwarf_Die *type)
{
	struct passed p = { .way = BY_UNKNOWN, .type = *type };

	if (!type__strip(&p.type))
		return p;
	/* An array by value is of other languages than C. */
	if (dwarf_tag(&p.type) == DW_TAG_array_type)
		return p;
	p.way = BY_REGISTERS;
	p.size = type__size(&p.type);
	if (regs->machine == EM_386)
		classify_i386(regs, &p);
	else if (type__is_struct(&p.type))
		classify_struct(regs, &p);
	else
		classify_base(regs, &p);
	return p;
}

uint64_t passed__align(const struct probe_regs *regs, const struct passed *p)
{
	uint64_t align = p->align;

	if (p->is_struct) {
		/* arm64 looks at the members, and knows two alignments. */
		align = type__align(&p->type, regs->machine != EM_AARCH64);
		if (regs->machine == EM_AARCH64 && align > 16)
			align = 16;
		/* i386 aligns to words, and to more only what vectors need. */
		if (regs->machine == EM_386)
			align = align <= 8 ? p->align : 0;
	}
	return align && align < regs->addr_sz ? regs->addr_sz : align;
}

size_t passed__cnt(const struct passed *p, enum passed_part part)
{
	size_t cnt = 0, i;

	for (i = 0; i < p->part_cnt; i++)
		cnt += p->parts[i] == part;
	return cnt;
}
