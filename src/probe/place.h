/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A place where a function begins, with the fields that can be fetched there: what a reader finds
 * in a file, and sends.
 */
#ifndef BPFPERF_PROBE_PLACE_H
#define BPFPERF_PROBE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/probe.h"
#include "probe/arg.h"
#include "reader/answer.h"
#include "util/strbuf.h"

/* The printed form of a field. */
enum place_show {
	SHOW_DEC,
	SHOW_HEX,
	SHOW_BOOL,
	SHOW_ENUM,
	SHOW_FLOAT,
	SHOW_TEXT,
};

/* Always the text: the value cannot be fetched. */
enum place_literal {
	LITERAL_NONE,
	LITERAL_OPTIMIZED_OUT,
	LITERAL_VECTOR, /* in a register of floating point */
	LITERAL_LARGE, /* a number that a field has no room for */
	LITERAL_CNT,
};

struct place_enum {
	int64_t value;
	char *name;
};

struct place_field {
	char name[PROBE_NAME_MAX];
	char type[PROBE_NAME_MAX]; /* as it is written in the program's language */
	uint8_t show; /* enum place_show */
	uint8_t kind; /* enum fetch_kind */
	uint8_t literal; /* enum place_literal */
	uint8_t is_signed, at_return, may_be_absent;
	uint8_t has_other; /* the last of the enums is the name of all values without one */
	uint16_t size;
	struct fetch_step *steps;
	size_t step_cnt;
	struct place_enum *enums;
	size_t enum_cnt;
};

struct place {
	uint64_t vaddr, off; /* address in the file's own terms, and offset in the file */
	uint64_t sem_off; /* USDT: offset of the semaphore in the file; 0: none */
	char *name; /* as it is printed, scopes included */
	char *decl; /* where it is written, "FILE:LINE"; NULL: unknown, or not asked for */
	char *where; /* of an inlined copy, "FILE:LINE"; else NULL */
	uint8_t hit; /* enum hit_class */
	uint8_t pushed; /* bytes that a call has pushed at the first instruction */
	uint8_t is_go; /* its stack moves: a return cannot be probed */
	struct place_field *fields;
	size_t field_cnt;
};

struct places {
	struct place *at;
	size_t cnt, cap;
	uint8_t cut; /* there are more than PLACES_MAX */
	uint32_t refused; /* number of those left out: the kernel cannot probe them */
};

#define PLACES_MAX 20000

/* Appends an empty place. NULL: ENOMEM, or too many (cut is set). */
struct place *places__add(struct places *ps);
/* Appends a field that has the argument's name and moment, without a value. NULL: ENOMEM. */
struct place_field *place__begin_field(struct place *p, const struct arg *arg);
/* May a field or an enumerator have this name? Letters, digits, '_', shorter than `sz` bytes. */
bool place__is_name(const char *name, size_t sz);
void places__free(struct places *ps);

/* Appends places to a reader's answer. */
void places__put(const struct places *ps, struct strbuf *answer);
/*
 * Takes them out of it. -EPROTO: it is damaged, or a step could do harm. The places are empty then.
 */
int places__take(struct places *ps, struct answer *a);

/* The text of a literal. */
const char *place_literal__text(enum place_literal l);

#endif
