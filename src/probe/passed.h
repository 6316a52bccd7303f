/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How calls pass a value of a type, by the calling convention. Runs in readers. */
#ifndef BPFPERF_PROBE_PASSED_H
#define BPFPERF_PROBE_PASSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "probe/regs.h"

#define PASSED_PARTS_MAX 4

enum passed_way {
	BY_REGISTERS, /* by its parts */
	BY_STACK, /* as an argument; results are in memory */
	BY_ADDRESS, /* of a copy: a register, or the stack, has it */
	BY_UNKNOWN,
};

/* A part of a value, and the kind of register that it takes. */
enum passed_part {
	PART_NONE, /* it has no data, and takes no register */
	PART_INT,
	PART_VECTOR,
};

struct passed {
	enum passed_way way;
	uint64_t size;
	Dwarf_Die type; /* without typedefs */
	enum passed_part parts[PASSED_PARTS_MAX];
	size_t part_cnt;
	uint32_t part_size; /* bytes of each, if there are several */
	/* On the stack, and for pairs of registers; 0: it cannot be told. */
	uint64_t align;
	bool is_struct; /* its alignment is type__align(), and not above */
	bool is_x87; /* a result of this type is on the floating-point stack */
};

struct passed passed__of(const struct probe_regs *regs, const Dwarf_Die *type);
/* Bytes to which an argument on the stack is aligned; 0: it cannot be told. */
uint64_t passed__align(const struct probe_regs *regs, const struct passed *p);
/* The number of parts of a kind. */
size_t passed__cnt(const struct passed *p, enum passed_part part);

#endif
