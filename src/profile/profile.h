/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Samples summed up by call stack, the model of all sinks of `stack`. Stacks are compared by their
 * whole content, so none is lost to a hash collision. User addresses are compared by file and
 * offset, so exec, exit and address randomization do not split a stack.
 *
 * A profile holds several events at once, each with its samples and weights. The events of an older
 * profile, for a comparison, are kept next to the new ones.
 */
#ifndef BPFPERF_PROFILE_PROFILE_H
#define BPFPERF_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/sample.h"
#include "profile/profile_times.h"
#include "sym/sym.h"
#include "util/texts.h"
#include "util/u64map.h"

/*
 * Maximum number of events in a profile, the older profile's included: a set of events is a
 * uint64_t.
 */
#define PROFILE_MAX_EVENTS 64

/* Maximum number of frames in a stack that is read from a file; no capture has as many. */
#define PROFILE_MAX_DEPTH 16384

/* The group above the outermost function, by which stacks are split. */
enum profile_by {
	PROFILE_BY_COMM, /* the thread's name */
	PROFILE_BY_PROCESS, /* "name-PID" */
	PROFILE_BY_THREAD, /* "name-PID/TID" */
	PROFILE_BY_CPU, /* "CPU 003", then the thread's name */
};

/* Name of an event that is time off the CPU, if a file does not separate sleeping from runnable. */
#define PROFILE_OFF_CPU "off CPU"

struct profile_event {
	const struct event *event; /* NULL: the event was read from a file */
	uint32_t name; /* index into profile.texts; "" if a file has no name for it */
	bool is_ns; /* weights are nanoseconds, else counts */
	enum sample_kind kind;
	bool old; /* belongs to the older profile of a comparison */
	uint64_t samples, weight; /* totals */
	uint64_t truncated; /* samples with a cut stack */
};

struct profile_func {
	uint32_t name; /* index into profile.texts, as printed */
	uint32_t module; /* index into profile.texts: path, "[vdso]", … or "" */
	bool kern;
	bool is_named; /* false: no symbol was found, the name is made of the file's */
	uint8_t kind; /* enum frame_kind; FRAME_INLINED: it is so at all positions */
};

/* The source position of one function of a location. */
struct profile_line {
	uint32_t file; /* index into profile.texts; TEXTS_NONE: unknown */
	uint32_t line; /* 0: unknown */
	bool is_inlined; /* at this position the function was inlined into its caller */
};

/* The function's start is not known. */
#define PROFILE_NO_OFF UINT64_MAX

enum profile_space { PROFILE_USER, PROFILE_KERN, PROFILE_NAMED };

/* The location of a frame: one address and its functions, however many stacks contain it. */
struct profile_loc {
	/* a place (sym.h), a kernel address, or the function's index for PROFILE_NAMED */
	uint64_t addr;
	/* index of the outermost function in profile.loc_funcs; valid if func_cnt is not 0 */
	uint32_t func;
	/* number of functions here, inlined ones included; 0: not looked up yet */
	uint16_t func_cnt;
	uint8_t space; /* enum profile_space */
	/* Valid if func_cnt is not 0, and not for PROFILE_NAMED: */
	uint64_t vaddr; /* the file's own virtual address; without a file: the address */
	uint64_t func_off; /* offset in the outermost function, in bytes; or PROFILE_NO_OFF */
};

struct profile_stack {
	uint64_t hash;
	size_t at; /* index of the stack's first frame in profile.frames */
	/*
	 * Number of frames: kernel (with the waker and the state before it), then user; innermost
	 * first.
	 */
	uint16_t kern_cnt, user_cnt;
	bool truncated; /* the stack was deeper than its capture */
	uint8_t event; /* index into profile.events */
	uint32_t group[2]; /* indexes into profile.texts; the second one may be TEXTS_NONE */
	uint32_t owner; /* of profile.owners; 0: none */
	int32_t pid, tid; /* by process, by thread; 0: not told apart */
	uint32_t comm; /* with pid: index into profile.texts */
	uint64_t samples;
	uint64_t weight; /* number of events that the samples represent */
};

/* Facts about a recording for the reader of a profile. Strings are not owned. */
struct profile_meta {
	const char *command; /* command line of the workload, or NULL */
	const char *host, *kernel; /* name of the host and release of its kernel, or NULL */
	uint64_t freq_hz, period; /* one of them, or both are 0 */
	uint64_t begin_real_ns; /* CLOCK_REALTIME; 0: unknown */
	uint64_t duration_ns; /* 0: unknown */
	uint64_t lost[LOST_CAUSE_CNT];
	uint64_t throttled, throttled_ns; /* number and total time of the kernel's throttling */
};

/*
 * Control groups with the attributes that processes publish, for stores that keep the samples of
 * each apart. Owners are small numbers; 0 is unknown.
 */
struct profile_owners {
	uint32_t (*of)(void *ctx, int32_t pid);
	/* The path of the owner's control group; valid until the next call of `of`. */
	const char *(*cgroup)(void *ctx, uint32_t owner);
	/*
	 * Attributes that its processes publish: keys and values in turn, ended by NULL; valid
	 * until the next call of any of these.
	 */
	const char *const *(*attrs)(void *ctx, uint32_t owner);
	void *ctx;
};

struct profile {
	struct sym *sym; /* not owned */
	const struct profile_owners *owners; /* set before the first sample; NULL: none */
	enum profile_by by;
	struct profile_meta meta;
	struct profile_event events[PROFILE_MAX_EVENTS];
	uint32_t event_cnt;
	bool old_skipped; /* a file had an older profile, which was not added */
	struct profile_stack *stacks;
	size_t stack_cnt, stack_cap;
	uint32_t *frames; /* indexes into locs */
	size_t frame_cnt, frame_cap;
	struct profile_loc *locs;
	uint32_t loc_cnt, loc_cap;
	struct profile_func *funcs;
	uint32_t func_cnt, func_cap;
	/* indexes into funcs: the functions of each location in a row, outermost first */
	uint32_t *loc_funcs;
	struct profile_line *loc_lines; /* of each of loc_funcs */
	uint32_t loc_func_cnt, loc_func_cap, loc_line_cap;
	struct u64map by_program; /* program of a sample's process (a place) → number of samples */
	uint64_t program; /* the one with the most samples; 0: no sample is of a process */
	uint32_t program_cnt; /* its samples */
	struct u64map by_hash; /* hash of a stack → its index */
	struct u64map by_addr[3]; /* by enum profile_space: address → index into locs */
	struct u64map by_func; /* hash of a function → its index */
	struct texts texts;
	struct profile_times times; /* set times.wanted before the first sample */
	/*
	 * About so many bytes are kept of stacks and their texts while samples are added; set it
	 * before the first one, 0: no limit. Then stacks that are not kept yet are summed up, for
	 * each event, in one stack of the frame PROFILE_MORE.
	 */
	size_t sz_max;
	uint64_t more_cnt; /* samples of such stacks */
	uint32_t more_loc, more_text; /* of PROFILE_MORE, if is_full */
	bool is_full, finds_only;
};

/* Name of the frame and of the group of stacks that are not kept. */
#define PROFILE_MORE "[more stacks]"

/* The arguments of --by, by enum profile_by; NULL-terminated. */
extern const char *const profile_by_names[];
/*
 * Makes an empty profile; sym outlives it and must receive all process events before each sample.
 */
void profile__init(struct profile *p, struct sym *sym, enum profile_by by);
void profile__free(struct profile *p);
/*
 * Adds an event, so that the profile lists it even if it has no samples. Returns like
 * profile__add().
 */
int profile__expect(struct profile *p, const struct event *event, enum sample_kind kind);
/*
 * Adds a sample. User addresses are looked up in the current mappings; symbols are not read. 0,
 * -ENOMEM, or -E2BIG if there are more than PROFILE_MAX_EVENTS events.
 */
int profile__add(struct profile *p, const struct sample *s);
/* Finds the stack of a sample without counting it; a new one has no samples. Returns likewise. */
int profile__stack_of(struct profile *p, const struct sample *s, uint32_t *idx);

/*
 * Sets the group of a stack by p->by: of a sample only comm, pid, tid and cpu count. 0 or -ENOMEM.
 */
int profile__put_group(struct profile *p, const struct sample *s, struct profile_stack *st);
/* Adds an event that is read from a file. Returns its index, -ENOMEM or -E2BIG. */
int profile__add_event(struct profile *p, const struct profile_event *ev);
/* Returns a location that has only a name. TEXTS_NONE: no memory. */
uint32_t profile__named_loc(struct profile *p, const char *name, const char *module, bool kern,
			    enum frame_kind kind);
/*
 * Adds a stack that is read from a file: its frames (indexes into locs, innermost first, kernel
 * before user), and all members of st but hash and at. A stack with equal content is summed up.
 * Returns its index. TEXTS_NONE: no memory.
 */
uint32_t profile__add_stack(struct profile *p, const struct profile_stack *st,
			    const uint32_t *locs);

static inline size_t profile_stack__depth(const struct profile_stack *st)
{
	return (size_t)st->kern_cnt + st->user_cnt;
}

/*
 * Returns the functions of a location, outermost first: func_cnt indexes into profile.funcs, valid
 * until the next call. Each location is looked up once. NULL: no memory.
 */
const uint32_t *profile__funcs(struct profile *p, uint32_t loc, uint16_t *cnt);

/* Looks all locations up. 0 or -ENOMEM. */
int profile__look_up_all(struct profile *p);

/* Returns a text by its index, with control characters escaped. It lives as long as the profile. */
static inline const char *profile__text(const struct profile *p, uint32_t idx)
{
	return texts__get(&p->texts, idx);
}

/* Returns the number of samples, or of samples with a cut stack, without the older profile's. */
uint64_t profile__samples(const struct profile *p);
uint64_t profile__truncated(const struct profile *p);
uint64_t profile__lost(const struct profile *p);

#endif
