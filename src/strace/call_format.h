/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How calls, signals and exits are written: one struct call_format_ops for each --format. */
#ifndef BPFPERF_STRACE_CALL_FORMAT_H
#define BPFPERF_STRACE_CALL_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "strace/call_printer.h"
#include "util/strbuf.h"

struct call_view;

struct call_format {
	const struct call_format_ops *ops;
	const struct printer_opts *opts; /* not owned */
	struct strbuf *out; /* not owned */
	struct strbuf text; /* a part that is put in quotes */
	uint64_t last_ns; /* time of the line before, for -r */
	int64_t second; /* the second that `date` has */
	char date[32];
	bool has_items; /* a list has been begun */
};

/* The task and the time of a line. */
struct call_line {
	uint32_t tgid, tid;
	uint64_t time_ns; /* CLOCK_MONOTONIC; of a call its entry, or else its return */
	bool many_threads; /* other threads have been printed and live */
	const char *name; /* of the thread; NULL: unknown */
	bool is_named; /* the thread has this name since this line */
};

/* Each function appends to f->out; end() completes what call(), signal() or exit() has begun. */
struct call_format_ops {
	const char *name;
	/* The first line of a file; NULL: none. */
	void (*begin)(struct call_format *f);
	/* result: the record of the return; NULL: the call does not return, or has not yet. */
	void (*call)(struct call_format *f, const struct call_line *l, struct call_view *v,
		     const struct wire_call *result, bool unfinished);
	void (*signal)(struct call_format *f, const struct call_line *l,
		       const struct wire_signal *rec);
	void (*exit)(struct call_format *f, const struct call_line *l, const struct wire_exit *rec);
	/* lines: the functions of the stack, made by printer_opts.put_stack; there are some. */
	void (*stack)(struct call_format *f, const struct strbuf *lines);
	void (*end)(struct call_format *f);
	/* Records were lost at this time. */
	void (*lost)(struct call_format *f, uint64_t time_ns, uint64_t cnt, const char *cause);
	/* The last line of a file; NULL: none. */
	void (*finish)(struct call_format *f);
};

extern const struct call_format_ops call_text, call_json, call_csv;

#endif
