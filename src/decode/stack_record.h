/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Records of bpf/stack.bpf.c → samples. */
#ifndef BPFPERF_DECODE_STACK_RECORD_H
#define BPFPERF_DECODE_STACK_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/sample.h"

struct tasks;
struct wire_rec;

/*
 * Fills *s from a WIRE_SAMPLE record (wire.h) of sz bytes, except s->event; s points into the
 * record (8-byte aligned) and into tasks. max_depth: the requested number of addresses, to detect a
 * cut stack. False if the record is corrupt.
 */
bool stack_record__sample(const struct wire_rec *rec, uint32_t cpu, uint32_t max_depth,
			  struct tasks *tasks, struct sample *s);

/*
 * Returns the index of the session's event that a record belongs to; the record has yielded a
 * sample.
 */
uint32_t stack_record__event(const struct wire_rec *rec);

#endif
