/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The BPF programs of trace and their roles, in one table: whether a program sends records, and of
 * which events. Programs on one raw tracepoint are those of raw_events.c.
 */
#ifndef BPFPERF_SESSION_PROGRAMS_H
#define BPFPERF_SESSION_PROGRAMS_H

#include <stdbool.h>

#include "event/event.h"

struct bpf_program;
struct trace_bpf;

enum program_role {
	PROGRAM_UNKNOWN, /* not in the table: a test fails */
	PROGRAM_EVENT, /* sends records of one event */
	PROGRAM_SYSCALLS, /* sends records of syscalls:EVENT_*, for EVENT sys_enter or sys_exit */
	PROGRAM_CLASSIC, /* sends records of all events of the classic path */
	PROGRAM_UPROBE, /* sends records of all events that are functions of files */
	PROGRAM_KPROBE, /* sends records of all events that are functions of the kernel */
	PROGRAM_STATE, /* sends none: keeps state that other programs read */
	PROGRAM_ON_DEMAND, /* sends none, and is attached to nothing: user space runs it */
};

struct program {
	enum program_role role;
	const char *sys, *event; /* for PROGRAM_EVENT and PROGRAM_SYSCALLS; else NULL */
};

/* prog: of skel. */
struct program programs__describe(const struct trace_bpf *skel, const struct bpf_program *prog);

/* Does the program run where functions are probed? */
bool program__is_probe(const struct program *p);
bool program__sends(const struct program *p);
/* Does the program send the records of this event, which takes the classic path or a raw one? */
bool program__serves(const struct program *p, const struct event *ev, bool is_classic);

#endif
