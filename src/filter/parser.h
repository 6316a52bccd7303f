/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The state of parsing a filter. Internal to filter/. */
#ifndef BPFPERF_FILTER_PARSER_H
#define BPFPERF_FILTER_PARSER_H

#include "filter/ast.h"

struct filter_parser {
	const char *expr;
	size_t at; /* position of the remaining input */
	const struct tp_format *fmt;
	const struct filter_env *env;
	struct filter *f;
	struct filter_fault *fault;
	unsigned int depth;
};

/* Fills in the fault for position `off`. Returns -EINVAL. */
int filter_parser__error(struct filter_parser *p, size_t off, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void filter_parser__skip_blanks(struct filter_parser *p);

/*
 * Parses one predicate, FIELD OP VALUE, at p->at, and advances past it. Appends it to f->preds. 0
 * or -errno with the fault filled in.
 */
int filter_pred__parse(struct filter_parser *p);
/*
 * Returns whether the predicate compares COMM with "swapper", the name that records print for the
 * idle tasks, which the kernel calls swapper/0, swapper/1, ….
 */
bool filter_pred__names_idle(const struct filter_pred *pred);
/* Appends the comparison of the last predicate with the kernel's names. 0 or -ENOMEM. */
int filter_pred__add_idle(struct filter_parser *p);

/*
 * Parses a number in C's notation at p->at: 0x1f, 017, -3, 'c'. It must fit into 64 bits of that
 * sign; like the kernel, the comparison truncates it to the size of the field.
 */
int filter_number__parse(struct filter_parser *p, const char *field, bool is_signed, uint64_t *val);
/* Parses CPUS{0-3,7,8-15:1/2} at p->at: the bits, and their number. */
int filter_cpus__parse(struct filter_parser *p, uint64_t mask[FILTER_MASK_WORDS],
		       unsigned int *cnt);

#endif
