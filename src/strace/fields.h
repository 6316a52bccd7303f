/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Structures as tables of members. */
#ifndef BPFPERF_STRACE_FIELDS_H
#define BPFPERF_STRACE_FIELDS_H

#include "strace/view.h"

enum field_kind {
	FIELD_DECIMAL,
	FIELD_SIGNED,
	FIELD_HEXADECIMAL,
	FIELD_POINTER,
	FIELD_DESCRIPTOR,
	FIELD_BITS, /* by names */
	FIELD_NAME, /* by names */
	FIELD_CHARS, /* text of at most as many bytes as the member has */
	FIELD_TEXT, /* a pointer to text, which is the copy number `part` of the argument */
	FIELD_BYTES, /* a pointer to bytes */
	FIELD_VERSION, /* KERNEL_VERSION(…) */
	FIELD_CLOCK,
};

struct field {
	const char *name; /* NULL ends a table */
	uint16_t off, sz; /* of the member; bytes */
	uint8_t kind; /* enum field_kind */
	uint8_t part;
	const struct names *names;
};

/* A row of a table: member m of type t, printed as kind k. */
#define FIELD(t, m, k, ...)                                                                        \
	{                                                                                          \
		.name = #m, .off = offsetof(t, m), .sz = sizeof(((t *)0)->m), .kind = FIELD_##k,   \
		__VA_ARGS__                                                                        \
	}
#define FIELDS_END                                                                                 \
	{                                                                                          \
		NULL, 0, 0, 0, 0, NULL                                                             \
	}

/* Returns the number that a member has; data has the whole member. */
uint64_t field__val(const struct field *f, const void *data);
/* Appends one member: "name=value". */
void field__put(struct call_view *v, unsigned int arg, const struct field *f, const void *data);
/*
 * Appends the members that are among sz bytes, with commas, and bytes behind them that are not 0.
 * Returns the end of the last member.
 */
size_t fields__put(struct call_view *v, unsigned int arg, const struct field *fields,
		   const void *data, size_t sz);
/* Appends bytes that no member describes, if they are not all 0. */
void fields__put_rest(struct call_view *v, const void *data, size_t at, size_t sz);

#endif
