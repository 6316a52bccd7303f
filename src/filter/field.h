/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Resolves a name of a filter, or of --sum, --hist and --by. Internal to filter/. */
#ifndef BPFPERF_FILTER_FIELD_H
#define BPFPERF_FILTER_FIELD_H

#include "filter/ast.h"

struct filter_parser;

enum filter_field_kind {
	FILTER_FIELD_NUMBER,
	FILTER_FIELD_TEXT,
	FILTER_FIELD_MASK, /* a cpumask_t or a bitmap of longs, in dynamic data */
};

struct filter_field {
	const char *name; /* from the format, or static storage */
	enum filter_field_kind kind;
	enum filter_where where;
	uint16_t off, size;
	bool is_signed;
	uint16_t absent_off; /* of the word with absent_bit, set if it is not there; 0: none */
	uint8_t absent_bit;
};

/*
 * Looks the name up in the kernel's order: a field of the event, then CPU, cpu, common_cpu, COMM,
 * comm, then the common fields. 0; -ENOENT if there is none; -EINVAL if its value cannot be
 * compared. Errors fill in the fault.
 */
int filter_field__find(struct filter_parser *p, const char *name, size_t len,
		       struct filter_field *field);

/*
 * The parts of the generated code's environment that reading the value needs: enum wire_patch_need.
 */
uint32_t filter_field__needs(enum filter_where where, uint16_t off);

#endif
