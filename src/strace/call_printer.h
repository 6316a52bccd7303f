/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Records of system calls, signals and exits as lines of text. */
#ifndef BPFPERF_STRACE_CALL_PRINTER_H
#define BPFPERF_STRACE_CALL_PRINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strace/call.h"
#include "strace/view.h"
#include "util/strbuf.h"

enum print_time {
	PRINT_NO_TIME,
	PRINT_SECONDS, /* -t: time of day */
	PRINT_MICROS, /* -tt */
	PRINT_EPOCH, /* -ttt */
};

struct call_format_ops;

struct printer_opts {
	struct text_opts text;
	const struct call_format_ops *format; /* NULL: text */
	enum print_time time;
	bool relative; /* -r */
	bool durations; /* -T */
	bool all_pids; /* each line begins with its thread, as in strace -f -o FILE */
	/* -k: appends the lines of a call's stack; NULL: no stacks */
	void (*put_stack)(void *ctx, const struct wire_call *rec, struct strbuf *out);
	void *stack_ctx;
	unsigned int column; /* -a: results are aligned there */
	int64_t mono_to_real_ns;
};

struct call_printer;
struct fd_names;

/* Creates a printer, which appends to out. NULL and errno ENOMEM. */
struct call_printer *call_printer__new(const struct call_table *table,
				       const struct printer_opts *opts, struct strbuf *out);
/* NULL is accepted. */
void call_printer__free(struct call_printer *p);
/* Prints the first line of a file, if the format has one. */
void call_printer__begin(struct call_printer *p);
/* Prints that records were lost; time_ns: CLOCK_MONOTONIC. */
void call_printer__lost(struct call_printer *p, uint64_t time_ns, uint64_t cnt, const char *cause);
/* Prints a record; records of other kinds are ignored. Returns the number of lines. */
int call_printer__record(struct call_printer *p, const struct wire_rec *rec);
/* Prints a call that has not returned at the end. */
void call_printer__unfinished(struct call_printer *p, const struct strace_thread *t);
/* Prints the last line of a file, if the format has one. */
void call_printer__finish(struct call_printer *p);
/* Prints the calls that were sent at their entry and have not returned. */
void call_printer__end(struct call_printer *p);

#endif
