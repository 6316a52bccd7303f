/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A parsed filter. Internal to filter/, and to the tests' evaluator. */
#ifndef BPFPERF_FILTER_AST_H
#define BPFPERF_FILTER_AST_H

#include "filter/filter.h"
#include "filter/pattern.h"

/* Maximum number of bytes of an entry that a filter reads: WIRE_ENTRY_MAX. */
#define FILTER_ENTRY_MAX 8192
/*
 * Maximum number of bytes of a text that are searched for a pattern with a `*` or `[` inside. The
 * kernel copies the same number of a text behind a pointer (USTRING_BUF_SIZE); each byte costs the
 * verifier one iteration.
 */
#define FILTER_TEXT_MAX 1024
/* Largest offset of dynamic data, so that the compared text ends within FILTER_ENTRY_MAX. */
#define FILTER_LOC_MAX (FILTER_ENTRY_MAX - FILTER_TEXT_MAX)
#define FILTER_MASK_WORDS 16 /* 1024 CPUs */
/* Maximum numbers of predicates in a filter, and of nested parentheses. */
#define FILTER_PRED_MAX 512
#define FILTER_DEPTH_MAX 128

enum filter_op {
	FILTER_EQ,
	FILTER_NE,
	FILTER_LT,
	FILTER_LE,
	FILTER_GT,
	FILTER_GE,
	FILTER_AND, /* & */
	FILTER_GLOB, /* ~ */
};

/* The location of the compared value. */
enum filter_where {
	FILTER_AT_FIELD, /* off, size */
	FILTER_AT_DYNAMIC, /* __data_loc word at off */
	FILTER_AT_RELATIVE, /* __rel_loc word at off */
	FILTER_AT_KERNEL_PTR, /* the pointer at off */
	FILTER_AT_USER_PTR,
	FILTER_AT_COMM, /* the current task's name */
	FILTER_AT_CPU, /* the CPU it runs on */
};

enum filter_pred_kind {
	FILTER_NUMBER, /* value op val */
	FILTER_TEXT, /* pattern, inverted if op is FILTER_NE */
	FILTER_RANGE, /* val <= value < end, inverted if op is FILTER_NE */
	FILTER_CPU_IN, /* a number against `mask` of two or more CPUs */
	FILTER_MASK, /* a mask against `mask` */
	FILTER_NEVER, /* accepted by the kernel, but never true */
};

struct filter_pred {
	enum filter_pred_kind kind;
	enum filter_where where;
	enum filter_op op;
	uint16_t off, size;
	/* Offset of the word with absent_bit, which is set if the value is not there; 0: none. */
	uint16_t absent_off;
	uint8_t absent_bit;
	bool is_signed;
	uint64_t val, end;
	struct pattern pattern;
	uint64_t mask[FILTER_MASK_WORDS];
};

struct filter_node {
	enum { FILTER_NODE_PRED, FILTER_NODE_AND, FILTER_NODE_OR } kind;
	bool invert;
	uint32_t a, b; /* nodes; a of FILTER_NODE_PRED: the predicate */
};

struct filter {
	struct filter_pred *preds;
	size_t pred_cnt, pred_cap;
	struct filter_node *nodes;
	size_t node_cnt, node_cap;
	uint32_t root;
	unsigned int cpu_cnt;
	char *hint; /* owned, or NULL */
};

#endif
