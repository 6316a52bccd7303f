/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The pairs of events that `latency` knows by name, in one table. */
#ifndef BPFPERF_SPAN_PAIRS_H
#define BPFPERF_SPAN_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

#define PAIR_EVENTS_MAX 4
#define PAIR_FIELDS_MAX 4

/* An event that starts or ends a pair. */
struct pair_event {
	const char *name; /* as on the command line, patterns included; NULL: none */
	const char *key; /* fields that join it with the other side: "dev,sector" */
	const char *filter; /* NULL: all records */
	bool is_optional; /* kernels may lack it */
};

/* A name of --by that means a certain field here: "to.FIELD" or "from.FIELD". */
struct pair_field {
	const char *name, *is;
};

struct pair {
	const char *name; /* "block:queue"; the word before the colon names all of them */
	const char *help; /* the time from … to … */
	struct pair_event from[PAIR_EVENTS_MAX], to[PAIR_EVENTS_MAX];
	struct pair_field fields[PAIR_FIELDS_MAX];
	/* Without --by: the number by which rows are told apart, as "from.FIELD"; NULL: one row. */
	const char *own;
	/* format: the format file of the event with that field. NULL: as a number */
	void (*put_own)(struct strbuf *out, uint64_t own, const char *format);
	/* Fields of the end with the thread's id and name. NULL: its thread is the current one */
	const char *thread, *comm;
	bool own_is_function; /* … which is the address of one of the kernel's functions */
	bool is_of_task; /* both events are of the current task: both are filtered */
	bool is_of_ender; /* the task is that of the end, whatever was running at the start */
	bool is_of_woken; /* wakeups are of the task that is woken */
	bool stays; /* WIRE_SPAN_STAYS */
	bool stays_by_thread; /* … and the key is a thread's id */
	bool first; /* WIRE_SPAN_FIRST */
	bool counts_calls; /* WIRE_SPAN_CALL */
};

/* The table; ends with a NULL name. */
extern const struct pair known_pairs[];

/* Does the word of a command line name the pair? */
bool pair__is_named(const struct pair *pair, const char *word);
/*
 * Writes the pair of one system call, syscalls:NAME, with its texts in `texts`. Returns
 * false if the word is not of that form.
 */
bool pair__of_syscall(struct pair *pair, const char *word, struct strbuf texts[3]);
/*
 * Writes the pair of one function, from its call to its return: u:PATH:FUNC or f:FUNC, as probes
 * are named, arguments included. False if the word is not of that form, or a pattern.
 */
bool pair__of_function(struct pair *pair, const char *word, struct strbuf texts[3]);

#endif
