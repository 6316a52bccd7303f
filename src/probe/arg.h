/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The arguments that the user asks for: "req->url:str, len, buf[0]:x, $ret, duration". Texts only;
 * types come later.
 */
#ifndef BPFPERF_PROBE_ARG_H
#define BPFPERF_PROBE_ARG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROBE_NAME_MAX 64
#define PROBE_ARGS_MAX 64
#define PROBE_PARTS_MAX 16

enum arg_root {
	ARG_NAMED, /* a parameter or variable of the function */
	ARG_NUMBERED, /* arg1 …: by the calling convention */
	ARG_RETURN, /* $ret */
	ARG_DURATION, /* duration */
};

/* A step from one value to another. */
enum arg_part_kind {
	ARG_MEMBER, /* .name */
	ARG_ARROW, /* ->name */
	ARG_INDEX, /* [n] */
	ARG_DEREF, /* *: after all other parts */
};

struct arg_part {
	enum arg_part_kind kind;
	char name[PROBE_NAME_MAX];
	int64_t index;
	uint32_t off; /* where it begins in the list: for carets */
};

/* How the user wants the value to be shown. */
enum arg_as {
	ARG_AS_TYPE, /* by its type */
	ARG_AS_TEXT, /* :str */
	ARG_AS_HEX, /* :x */
	ARG_AS_DEC, /* :d */
	ARG_AS_UNSIGNED, /* :u */
};

struct arg {
	char name[PROBE_NAME_MAX]; /* of the field */
	enum arg_root root;
	char var[PROBE_NAME_MAX]; /* ARG_NAMED */
	uint32_t number; /* ARG_NUMBERED: from 0 */
	struct arg_part parts[PROBE_PARTS_MAX];
	size_t part_cnt;
	enum arg_as as;
	uint32_t off; /* where it begins in the list */
};

struct arg_list {
	struct arg *args;
	size_t cnt;
	bool has_return; /* one of them is known at the function's return only */
};

/* An error in the list: a sentence, and the offset of its caret. */
struct arg_fault {
	uint32_t off;
	char text[240];
};

/*
 * Parses the text between the parentheses. 0; -EINVAL with *fault filled in; -ENOMEM. Free it in
 * any case.
 */
int arg_list__parse(struct arg_list *list, const char *text, struct arg_fault *fault);
void arg_list__free(struct arg_list *list);
/* Fills in the fault. Returns -EINVAL. */
int arg_fault__set(struct arg_fault *fault, uint32_t off, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
