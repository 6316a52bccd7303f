/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Fields made of the steps that fetch a value: values of programs (value.h) and of the kernel
 * (btf_value.h) differ in how they are found, not in what becomes of them.
 */
#ifndef BPFPERF_PROBE_FIELD_MAKE_H
#define BPFPERF_PROBE_FIELD_MAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/loc.h"
#include "probe/place.h"

/* Enumerators beyond this number are printed as numbers. */
#define FIELD_ENUMS_MAX 256
/* Arrays of characters beyond this size are texts up to their NUL. */
#define FIELD_BYTES_MAX 256

/* A bit field in the bytes that are loaded for it. */
struct field_bits {
	uint32_t off, cnt; /* cnt 0: it is none */
};

/* The bytes to load for a number of `sz` bytes, or for its bits: 1, 2, 4 or 8. */
uint8_t field_make__load_sz(const struct field_bits *bits, uint64_t sz);
/*
 * Makes *f the number of `sz` bytes that the steps yield once they have loaded it; those of a bit
 * field get the steps that cut it out. 0 or -ENOMEM, as all below. Steps that are too many make it
 * a literal.
 */
int field_make__number(struct place_field *f, struct steps *steps, const struct field_bits *bits,
		       uint64_t sz, bool is_signed, enum place_show show);
/* A text at the address that the steps yield, up to its NUL. */
int field_make__text(struct place_field *f, const struct steps *steps);
/* A text of a length: `len` yields it, and its last step saves it. */
int field_make__counted_text(struct place_field *f, struct steps *len, const struct steps *text);
/* An array of `sz` characters at the address that the steps yield. */
int field_make__bytes(struct place_field *f, const struct steps *steps, uint16_t sz);
/* The value cannot be fetched. Returns 0. */
int field_make__literal(struct place_field *f, enum place_literal literal);

#endif
