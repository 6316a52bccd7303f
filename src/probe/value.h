/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A value of the probed program: its type, and where it is. From it follow members, elements and
 * what a pointer leads to, and at last the field of a record. Runs in readers.
 */
#ifndef BPFPERF_PROBE_VALUE_H
#define BPFPERF_PROBE_VALUE_H

#include "probe/arg.h"
#include "probe/field_make.h"
#include "probe/loc.h"
#include "probe/place.h"
#include "probe/type.h"

struct value {
	struct loc loc;
	bool has_type;
	Dwarf_Die type; /* as it was declared: typedefs and const are part of it */
	struct field_bits bits;
	uint8_t raw_size; /* without a type: bytes of a number; 0: unknown */
	bool raw_signed;
};

/* A whole value in registers or memory, without a type: a number of `size` bytes. */
void value__of_steps(struct value *v, const struct steps *steps);
/* Goes to a member, an element, or to where a pointer leads. -EINVAL: *fault says why not. */
int value__follow(struct value *v, const struct arg_part *part, uint8_t addr_sz,
		  struct arg_fault *fault);
/*
 * Makes the field of the value; as: how the user wants it. name and at_return of the field are
 * left as they are. 0; -ENOMEM; -EINVAL: *fault says why not.
 */
int value__to_field(struct value *v, enum arg_as as, uint8_t addr_sz, struct place_field *f,
		    uint32_t off, struct arg_fault *fault);

#endif
