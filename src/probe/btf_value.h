/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A value of the kernel, by its BTF: what value.h is for programs. */
#ifndef BPFPERF_PROBE_BTF_VALUE_H
#define BPFPERF_PROBE_BTF_VALUE_H

#include "probe/arg.h"
#include "probe/field_make.h"
#include "probe/loc.h"
#include "probe/place.h"

struct btf;

struct btf_value {
	struct steps steps;
	struct steps high; /* bytes 8 to 15 of a structure in two registers */
	uint32_t reg_bits; /* bits in these registers before the value */
	bool is_addr; /* the steps yield the value's address, else the value */
	bool is_by_value; /* a structure that is passed itself, or one in it */
	uint32_t type; /* id; 0: void, or unknown */
	struct field_bits bits;
};

/* Goes to a member, an element, or to where a pointer leads. -EINVAL: *fault says why not. */
int btf_value__follow(const struct btf *btf, struct btf_value *v, const struct arg_part *part,
		      struct arg_fault *fault);
/* Is it a structure that is passed by value, which is shown by its members? */
bool btf_value__has_members(const struct btf *btf, const struct btf_value *v);
/*
 * The name of a member that has one, by a number from 0 on, those of anonymous members among them.
 * NULL: there is none with this number.
 */
const char *btf_value__member(const struct btf *btf, const struct btf_value *v, uint32_t nr);
/* Makes the field of the value. 0; -ENOMEM; -EINVAL: *fault says why not. */
int btf_value__to_field(const struct btf *btf, struct btf_value *v, enum arg_as as,
			struct place_field *f, uint32_t off, struct arg_fault *fault);

#endif
