/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Types of values, as DWARF describes them. Runs in readers. */
#ifndef BPFPERF_PROBE_TYPE_H
#define BPFPERF_PROBE_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "util/strbuf.h"

/* Follows typedefs, const and the like, to the type itself. false: it is void, or damaged. */
bool type__strip(Dwarf_Die *type);
/* The type of a variable, of a member or of a function's result; false: none. */
bool type__of(Dwarf_Die *die, Dwarf_Die *type);
/* Is it a typedef, const or the like, that type__strip() passes? */
bool type__is_wrapper(Dwarf_Die *type);
/* Bytes of a type; 0: unknown. */
uint64_t type__size(Dwarf_Die *type);
/*
 * Bytes to which a structure is aligned; 0: unknown. is_raised: also by what its own declaration
 * asks for, as alignas does.
 */
uint64_t type__align(const Dwarf_Die *type, bool is_raised);
/* DW_AT_alignment; 0: there is none. */
uint64_t type__asked_align(Dwarf_Die *die);
/* Is it a vector of the processor, as of __m128? */
bool type__is_vector(Dwarf_Die *type);
bool type__is_pointer(Dwarf_Die *type);
bool type__is_reference(Dwarf_Die *type);
bool type__is_struct(Dwarf_Die *type);
/* Is it one byte that is a letter? Of `type`, stripped or not. */
bool type__is_char(const Dwarf_Die *type);
/* Is the type, before it is stripped, constant? */
bool type__is_const(const Dwarf_Die *type);
/* DW_ATE_… of a base type; 0: it is none. */
unsigned int type__encoding(Dwarf_Die *type);
/*
 * Is it a class of C++ with a destructor, a copy constructor or virtual functions of its own, or
 * with a member of such a class? Calls pass the address of a copy.
 */
bool type__is_nontrivial(Dwarf_Die *type);
/* Appends the name as it is written in C: "const char *". */
void type__put_name(const Dwarf_Die *type, struct strbuf *sb);

/* A member of a structure. */
struct type_member {
	Dwarf_Die type;
	uint64_t off; /* bytes from the structure's start */
	/* A bit field: its first bit from `off` on, lowest first, and its width; else 0. */
	uint32_t bit_off, bit_cnt;
	uint64_t align; /* that its declaration asks for; 0: that of its type */
};

/* Reads where a member's DIE says that it lies. false: its place is not constant. */
bool type__read_member(Dwarf_Die *die, struct type_member *m);
/*
 * Finds a member by name, in anonymous members and base classes, too. false: there is none, or its
 * place is not constant.
 */
bool type__member(Dwarf_Die *type, const char *name, struct type_member *m);
/*
 * Calls fn for each direct member and base class, of which some have no name (NULL); it ends the
 * walk by true.
 */
bool type__each_part(Dwarf_Die *type,
		     bool (*fn)(void *ctx, const char *name, const struct type_member *m),
		     void *ctx);
/* Calls fn for each direct member that has a name; it ends the walk by true. */
bool type__each_member(Dwarf_Die *type,
		       bool (*fn)(void *ctx, const char *name, const struct type_member *m),
		       void *ctx);

#endif
