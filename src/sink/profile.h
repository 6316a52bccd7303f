/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Samples summed up by call stack: what the sinks of `stack` share. Stacks
 * are told apart by their whole content, so none is lost to a hash collision,
 * and user addresses by file and offset, so that a process that calls exec or
 * ends, or runs at other addresses than its sister, changes nothing.
 */
#ifndef BPFPERF_SINK_PROFILE_H
#define BPFPERF_SINK_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "decode/sample.h"
#include "sym/sym.h"
#include "util/strbuf.h"
#include "util/u64map.h"

struct profile_stack {
	uint64_t hash;
	size_t at; /* index of its first frame in profile.frames */
	uint16_t kern_cnt, user_cnt; /* frames: kernel addresses, then places, innermost first */
	uint16_t truncated; /* deeper than what was captured */
	uint32_t comm; /* index into profile.names */
	uint64_t samples;
	uint64_t period; /* events all its samples stand for */
};

struct profile {
	struct sym *sym; /* not owned */
	struct profile_stack *stacks;
	size_t stack_cnt, stack_cap;
	uint64_t *frames;
	size_t frame_cnt, frame_cap;
	struct u64map by_hash; /* of a stack → its index */
	struct strbuf *names; /* printed texts, each once: names of threads and of functions */
	uint32_t name_cnt, name_cap;
	struct u64map by_addr[2]; /* user place, kernel address → index into names */
	struct u64map by_text; /* hash of a text → index into names */
	uint64_t samples, period; /* in all */
};

/* Starts empty; sym outlives it and must be told of process events up to each sample. */
void profile__init(struct profile *p, struct sym *sym);
void profile__free(struct profile *p);
/* 0 or -ENOMEM. Looks user addresses up in the mappings of this moment; reads no symbols. */
int profile__add(struct profile *p, const struct sample *s);

/* The stack's frames by depth: 0 is the outermost (user before kernel). */
static inline size_t profile_stack__depth(const struct profile_stack *st)
{
	return (size_t)st->kern_cnt + st->user_cnt;
}

/*
 * The printed name of a frame, as an index into profile.names: the same text is the same index.
 * Each address is looked up once. U64MAP_NONE: no memory.
 */
uint32_t profile__frame_name(struct profile *p, const struct profile_stack *st, size_t depth);
/* The index of a text: the same text is the same index. U64MAP_NONE: no memory. */
uint32_t profile__intern(struct profile *p, const char *text);
/* The text of an index, control characters escaped. */
const char *profile__name(struct profile *p, uint32_t idx);

#endif
