/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Reads the fields of a tracepoint record by type, never beyond the record. */
#ifndef BPFPERF_DECODE_FIELD_H
#define BPFPERF_DECODE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/tp_format.h"
#include "util/strbuf.h"

/*
 * Reads a number, sign-extended if the field is signed; pointers and bool are numbers. 0; -EINVAL:
 * an array or a struct; -ERANGE: not in the record.
 */
int field__get_u64(const struct tp_field *f, const void *raw, uint32_t raw_sz, uint64_t *val);

/*
 * Returns the field's bytes: the array itself, the data of a __data_loc or __rel_loc, or the
 * number. NULL if it is not completely in the record.
 */
const void *field__data(const struct tp_field *f, const void *raw, uint32_t raw_sz, uint32_t *len);

/* Is the value missing from this record of a probe, because it was not in memory? */
bool field__is_absent(const struct tp_format *fmt, const struct tp_field *f, const void *raw,
		      uint32_t raw_sz);

/*
 * Appends the value as JSON:
 *   integer, pointer      number, in full up to 64 bits
 *   bool                  true, false
 *   double, float         number; string if it is none, or infinite
 *   char[N], char[]       string, up to the first NUL
 *   other arrays          array of numbers (of bool: true, false)
 *   cpumask_t             string: "0-3,7"
 *   anything else         string of its bytes in hexadecimal
 * A value that was not in memory is the string "<not in memory>".
 * A field that is outside a truncated or corrupt record is null.
 */
void field__to_json(const struct tp_format *fmt, const struct tp_field *f, const void *raw,
		    uint32_t raw_sz, struct strbuf *out);

#endif
