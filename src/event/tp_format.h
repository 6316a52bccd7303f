/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A tracepoint's record layout: the fields of its tracefs `format` file. Only the fields are parsed
 * here, in one pass, so that 2,000 formats take milliseconds; the print format is kept as text, and
 * decode/ compiles it when the first record of the event is printed.
 */
#ifndef BPFPERF_EVENT_TP_FORMAT_H
#define BPFPERF_EVENT_TP_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tp_field_flag {
	TP_FIELD_SIGNED = 1 << 0,
	TP_FIELD_ARRAY = 1 << 1, /* fixed-size array inside the record */
	TP_FIELD_STRING = 1 << 2, /* bytes that are text: char[N] or __data_loc char[]; not u8[] */
	TP_FIELD_DYNAMIC =
		1 << 3, /* __data_loc: a u32 holding offset | len << 16, from the record's start */
	/* __rel_loc (5.17+): like DYNAMIC, but relative to the end of this u32 */
	TP_FIELD_REL = 1 << 4,
	TP_FIELD_POINTER = 1 << 5,
	TP_FIELD_COMMON = 1 << 6, /* one of the common_* fields at the start of every record */
};

struct tp_field {
	char *name;
	char *type; /* as written: "pid_t", "__data_loc char[]", "unsigned long[6]" */
	uint16_t off; /* bytes from the record's start */
	uint16_t size; /* bytes in the fixed part of the record (4 for DYNAMIC) */
	uint16_t elem_size; /* bytes of one array element, never 0 for an array; else size */
	uint16_t flags; /* enum tp_field_flag */
};

struct tp_format {
	char *sys, *name;
	uint16_t id; /* common_type of its records */
	struct tp_field *fields;
	size_t field_cnt;
	/*
	 * The end of the last fixed field: max(off + size). The kernel's struct may be up to 7
	 * bytes longer (trailing padding, which the format file does not show), and dynamic data
	 * begins after it: trust the __data_loc words, not this.
	 */
	uint16_t fixed_sz;
	int last_dyn; /* index of the last dynamic field, whose data ends the record; -1: none */
	char *text; /* the whole format file, followed by sys, name and the fields' strings */
	size_t text_len;
};

/* Parses `text` (copied). NULL and errno EINVAL if it is not a format file. */
struct tp_format *tp_format__parse(const char *sys, const char *name, const char *text, size_t len);
/* Reads and parses the format file of SYS:NAME. NULL and errno. */
struct tp_format *tp_format__read(const char *sys, const char *name);
void tp_format__free(struct tp_format *fmt);
/* Size of a C type by its name, if it is equal on all 64-bit kernels; 0: unknown. */
unsigned int tp_format__type_size(const char *type, size_t len);
const struct tp_field *tp_format__field(const struct tp_format *fmt, const char *name);

/*
 * Values of a probe that were not in memory are marked in the record: such formats have a field
 * __absent, with a bit for each field behind it. Is it this field?
 */
bool tp_field__is_marks(const struct tp_field *f);
/* Returns the field __absent of a field of the format, and its bit there; NULL: it has none. */
const struct tp_field *tp_format__marks(const struct tp_format *fmt, const struct tp_field *f,
					unsigned int *bit);

#endif
