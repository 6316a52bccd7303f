/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The fields of a tracepoint's records, made ready once so that each record
 * costs a few loads and conversions: what the typed formats share.
 */
#ifndef BPFPERF_DECODE_FIELD_PLAN_H
#define BPFPERF_DECODE_FIELD_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "event/tp_format.h"
#include "util/strbuf.h"

enum field_kind {
	FIELD_U8,
	FIELD_U16,
	FIELD_U32,
	FIELD_U64,
	FIELD_S8,
	FIELD_S16,
	FIELD_S32,
	FIELD_S64,
	FIELD_CHARS, /* text in the record itself */
	FIELD_DYN_CHARS, /* text behind a __data_loc */
	FIELD_U64S, /* an array of unsigned 8-byte numbers in the record itself */
	FIELD_OTHER, /* arrays, bool, sets, damaged ones: field__to_json() */
};

struct field_step {
	uint8_t kind; /* enum field_kind */
	uint16_t off, size; /* bytes into and of the record */
	uint32_t key, key_len; /* in keys: `"name":`, from the second on with a comma before it */
	const struct tp_field *field;
};

/* What a record says of a system call. */
enum field_syscall { SYSCALL_NONE, SYSCALL_ENTER, SYSCALL_EXIT };

struct field_plan {
	const struct tp_format *fmt;
	struct field_step *steps; /* all fields but the common ones, in order */
	size_t step_cnt;
	uint32_t fixed_sz; /* records of at least this many bytes hold every step's fixed part */
	struct strbuf keys;
	uint8_t syscall; /* enum field_syscall: of syscalls:* and raw_syscalls:* */
	uint16_t ret_off; /* SYSCALL_EXIT: where the s64 result is */
	uint32_t idx; /* 0, 1, … in the order of making: for what an owner keeps by plan */
};

/* Plans by tracepoint id. */
struct field_plans {
	struct field_plan **by_id;
	uint32_t cap;
	uint32_t cnt; /* of plans; the index of the next one */
};

/* The plan of `fmt` (which outlives it, and whose id is unique), made where there is none. NULL: no memory. */
struct field_plan *field_plans__make(struct field_plans *plans, const struct tp_format *fmt);
void field_plans__free(struct field_plans *plans);

static inline struct field_plan *field_plans__get(struct field_plans *plans,
						  const struct tp_format *fmt)
{
	if (fmt->id < plans->cap && plans->by_id[fmt->id])
		return plans->by_id[fmt->id];
	return field_plans__make(plans, fmt);
}

/* Appends all fields as a JSON object; values as field__to_json(). */
void field_plan__json(const struct field_plan *plan, const void *raw, uint32_t raw_sz,
		      struct strbuf *out);
/* Appends the value of one step as a cell of CSV (RFC 4180): numbers, text, and arrays as JSON text. */
void field_step__csv(const struct field_plan *plan, const struct field_step *step, const void *raw,
		     uint32_t raw_sz, struct strbuf *out);

/* The system call's number in the record; -1 where there is none. */
int64_t field_plan__syscall_nr(const struct field_plan *plan, const void *raw, uint32_t raw_sz);
/* "ENOENT" of a call that failed, NULL of one that did not, or is no SYSCALL_EXIT. Static storage. */
const char *field_plan__syscall_error(const struct field_plan *plan, const void *raw,
				      uint32_t raw_sz);

#endif
