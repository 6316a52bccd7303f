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
 * Fills *s from a WIRE_SAMPLE record (wire.h), of which all sz bytes are there, all but s->event; s
 * points into it (8-byte aligned) and tasks. max_depth: how many addresses were asked for, to tell a stack that was cut.
 * False where the record is damaged.
 */
bool stack_record__sample(const struct wire_rec *rec, uint32_t cpu, uint32_t max_depth,
			  struct tasks *tasks, struct sample *s);

/* Which of the session's events a record that gave a sample is of: an index. */
uint32_t stack_record__event(const struct wire_rec *rec);

#endif
