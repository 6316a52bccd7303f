/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Samples summed up by call stack: what the sinks of `stack` share. Stacks
 * are told apart by their whole content, so none is lost to a hash collision,
 * and user addresses by file and offset, so that a process that calls exec or
 * ends, or runs at other addresses than its sister, changes nothing.
 *
 * A profile holds several events at once, each with its samples and their
 * weights; those of an older profile that it is compared with stand beside.
 */
#ifndef BPFPERF_PROFILE_PROFILE_H
#define BPFPERF_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/sample.h"
#include "sym/sym.h"
#include "util/texts.h"
#include "util/u64map.h"

/* Events that one profile may have, those of the older one included: sets of them are a uint64_t. */
#define PROFILE_MAX_EVENTS 64

/* Frames of a stack that is read from a file; far more than any capture has. */
#define PROFILE_MAX_DEPTH 16384

/* By what the stacks are split, above the outermost function. */
enum profile_by {
	PROFILE_BY_COMM, /* the thread's name */
	PROFILE_BY_PROCESS, /* "name-PID" */
	PROFILE_BY_THREAD, /* "name-PID/TID" */
	PROFILE_BY_CPU, /* "CPU 003", then the thread's name */
};

/* The name of an event that is all time off the CPU, where a file does not tell asleep from runnable. */
#define PROFILE_OFF_CPU "off CPU"

struct profile_event {
	const struct event *event; /* NULL: read from a file */
	uint32_t name; /* index into profile.texts; "" where a file does not say */
	bool is_ns; /* weights are nanoseconds, else counts */
	enum sample_kind kind;
	bool old; /* of the profile that this one is compared with */
	uint64_t samples, weight; /* in all */
	uint64_t truncated; /* samples whose stacks were cut */
};

struct profile_func {
	uint32_t name; /* index into profile.texts, as printed */
	uint32_t module; /* index into profile.texts: path, "[vdso]", … or "" */
	bool kern;
};

enum profile_space { PROFILE_USER, PROFILE_KERN, PROFILE_NAMED };

/* Where a frame is: an address, met once or many times, and what it is called. */
struct profile_loc {
	uint64_t addr; /* a place (sym.h), a kernel address, or of PROFILE_NAMED the function */
	uint32_t func; /* index into profile.loc_funcs of the outermost; valid where func_cnt */
	uint16_t func_cnt; /* functions here, inlined ones included; 0: not looked up yet */
	uint8_t space; /* enum profile_space */
};

struct profile_stack {
	uint64_t hash;
	size_t at; /* index of its first frame in profile.frames */
	/* Frames: kernel, with the waker and the state before it, then user, innermost first. */
	uint16_t kern_cnt, user_cnt;
	bool truncated; /* deeper than what was captured */
	uint8_t event; /* index into profile.events */
	uint32_t group[2]; /* indexes into profile.texts; the second may be TEXTS_NONE */
	uint64_t samples;
	uint64_t weight; /* events all its samples stand for */
};

/* What a recording was, for whoever reads the profile later. Strings are not owned. */
struct profile_meta {
	const char *command; /* what was run, or NULL */
	const char *host, *kernel; /* or NULL */
	uint64_t freq_hz, period; /* one of them, or neither */
	uint64_t begin_real_ns; /* CLOCK_REALTIME; 0: unknown */
	uint64_t duration_ns; /* 0: unknown */
	uint64_t lost[LOST_CAUSE_CNT];
	uint64_t throttled,
		throttled_ns; /* times that the kernel held sampling back, and for how long */
};

struct profile {
	struct sym *sym; /* not owned */
	enum profile_by by;
	struct profile_meta meta;
	struct profile_event events[PROFILE_MAX_EVENTS];
	uint32_t event_cnt;
	struct profile_stack *stacks;
	size_t stack_cnt, stack_cap;
	uint32_t *frames; /* indexes into locs */
	size_t frame_cnt, frame_cap;
	struct profile_loc *locs;
	uint32_t loc_cnt, loc_cap;
	struct profile_func *funcs;
	uint32_t func_cnt, func_cap;
	uint32_t *loc_funcs; /* indexes into funcs: of each location in a row, outermost first */
	uint32_t loc_func_cnt, loc_func_cap;
	struct u64map by_hash; /* of a stack → its index */
	struct u64map by_addr[3]; /* by space: address → index into locs */
	struct u64map by_func; /* hash of a function → its index */
	struct texts texts;
};

/* --by WORD: comm process thread cpu. 0, or -EINVAL after one sentence. */
int profile__parse_by(const char *word, enum profile_by *by);
/* Starts empty; sym outlives it and must be told of process events up to each sample. */
void profile__init(struct profile *p, struct sym *sym, enum profile_by by);
void profile__free(struct profile *p);
/*
 * An event whose samples may come, so that the profile tells of it also where none does. As
 * profile__add().
 */
int profile__expect(struct profile *p, const struct event *event, enum sample_kind kind);
/*
 * Looks user addresses up in the mappings of this moment; reads no symbols. 0, -ENOMEM, or
 * -E2BIG where there are more than PROFILE_MAX_EVENTS events.
 */
int profile__add(struct profile *p, const struct sample *s);

/* For what is read from a file. The event's index, made where it is new; -ENOMEM or -E2BIG. */
int profile__add_event(struct profile *p, const struct profile_event *ev);
/* A location that is a name alone. TEXTS_NONE: no memory. */
uint32_t profile__named_loc(struct profile *p, const char *name, const char *module, bool kern);
/*
 * A stack as read: its frames (indexes into locs, innermost first, kernel before user), and all
 * of st but hash and at. Summed up with one of the same content. 0 or -ENOMEM.
 */
int profile__add_stack(struct profile *p, const struct profile_stack *st, const uint32_t *locs);

static inline size_t profile_stack__depth(const struct profile_stack *st)
{
	return (size_t)st->kern_cnt + st->user_cnt;
}

/*
 * The functions of a location, outermost first: func_cnt indexes into profile.funcs, valid until
 * the next call. Each location is looked up once. NULL: no memory.
 */
const uint32_t *profile__funcs(struct profile *p, uint32_t loc, uint16_t *cnt);

/* A text by its index, control characters escaped. Lives as long as the profile. */
static inline const char *profile__text(const struct profile *p, uint32_t idx)
{
	return texts__get(&p->texts, idx);
}

/* Samples in all, and those whose stacks were cut, without the older profile's. */
uint64_t profile__samples(const struct profile *p);
uint64_t profile__truncated(const struct profile *p);
uint64_t profile__lost(const struct profile *p);

#endif
