/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The fields of a tracepoint's records, prepared once so that each record costs few loads and
 * conversions. The typed formats share it.
 */
#ifndef BPFPERF_SINK_FIELD_PLAN_H
#define BPFPERF_SINK_FIELD_PLAN_H

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
	FIELD_DYN_CHARS, /* text in the data of a __data_loc */
	FIELD_U64S, /* an array of unsigned 8-byte numbers in the record itself */
	FIELD_OTHER, /* arrays, bool, cpumasks, corrupt fields: field__to_json() */
};

struct sample;

struct field_step {
	uint8_t kind; /* enum field_kind */
	uint16_t off, size; /* offset in the record and size, in bytes */
	/* in keys: `"name":`, with a comma in front from the second field on */
	uint32_t key, key_len;
	const struct tp_field *field;
};

/* The kind of a system call's record. */
enum field_syscall { SYSCALL_NONE, SYSCALL_ENTER, SYSCALL_EXIT };

struct field_plan {
	const struct tp_format *fmt;
	struct field_step *steps; /* all fields except the common ones, in order */
	size_t step_cnt;
	uint32_t fixed_sz; /* records of at least this size contain the fixed part of every step */
	struct strbuf keys;
	uint8_t syscall; /* enum field_syscall, for syscalls:* and raw_syscalls */
	uint16_t ret_off; /* SYSCALL_EXIT: offset of the s64 result */
	/* 0, 1, … in the order of creation: an index for data that an owner keeps for each plan */
	uint32_t idx;
};

/* Plans by tracepoint id. */
struct field_plans {
	struct field_plan **by_id;
	uint32_t cap;
	uint32_t cnt; /* number of plans; the index of the next one */
};

/*
 * Returns the plan of `fmt`, made if there is none. fmt outlives the plan and has a unique id.
 * NULL: no memory.
 */
struct field_plan *field_plans__make(struct field_plans *plans, const struct tp_format *fmt);
void field_plans__free(struct field_plans *plans);

static inline struct field_plan *field_plans__get(struct field_plans *plans,
						  const struct tp_format *fmt)
{
	if (fmt->id < plans->cap && plans->by_id[fmt->id])
		return plans->by_id[fmt->id];
	return field_plans__make(plans, fmt);
}

/* Appends all fields as a JSON object; values are formatted by field__to_json(). */
void field_plan__json(const struct field_plan *plan, const void *raw, uint32_t raw_sz,
		      struct strbuf *out);
/*
 * Appends the value of one step as a CSV cell (RFC 4180): numbers, text, and arrays as JSON text.
 */
void field_step__csv(const struct field_plan *plan, const struct field_step *step, const void *raw,
		     uint32_t raw_sz, struct strbuf *out);

/*
 * Returns the name of the system call in a sample of the plan's event ("openat"); NULL if it is
 * unknown, or the event is no system call. Static storage: equal calls have equal pointers.
 */
const char *field_plan__syscall_name(const struct field_plan *plan, const struct sample *s);
/*
 * Returns "ENOENT" for a failed call; NULL for a successful one, or if the record is no
 * SYSCALL_EXIT. Static storage.
 */
const char *field_plan__syscall_error(const struct field_plan *plan, const void *raw,
				      uint32_t raw_sz);

#endif
