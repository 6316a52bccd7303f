/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The pieces in registers and memory that a value consists of. */
#ifndef BPFPERF_PROBE_VALUE_PIECES_H
#define BPFPERF_PROBE_VALUE_PIECES_H

#include "probe/value.h"

/* Narrows the value to the piece that has these bits from byte `off` on. */
void value__narrow(struct value *v, uint64_t off, uint64_t bits);
/* Makes the value itself of an address. */
void value__load(struct value *v, uint8_t size, bool is_signed);
/* Makes the value that of a member, a number of up to 8 bytes, without a sign. */
void value__take_number(struct value *v, const struct type_member *m);
/* Puts steps before those of each piece. */
void value__put_before(struct value *v, const struct steps *first);

#endif
