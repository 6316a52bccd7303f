/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The first instructions of a function, up to the first branch: what they write to its frame. Runs
 * in readers.
 */
#ifndef BPFPERF_PROBE_FRAME_WALK_H
#define BPFPERF_PROBE_FRAME_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/loc.h"
#include "sym/elf_file.h"

#define FRAME_STORES_MAX 96
/* Code that is looked at, in bytes. */
#define FRAME_CODE_MAX 1024
/* A profiler's call comes this near to the entry. */
#define FRAME_CALL_WITHIN 96
/* Frames are smaller; the sums of places farther off could overflow. */
#define FRAME_MAX (1ll << 32)

/* Bytes that were written, from the frame's beginning (CFA) on. */
struct frame_store {
	int64_t at;
	uint32_t size;
	bool is_change; /* of what was there, or to a value that came in no register */
	uint64_t end; /* address behind the instruction */
};

struct frame_walk {
	struct scope sc;
	uint64_t entry;
	struct frame_store stores[FRAME_STORES_MAX];
	size_t cnt;
	uint64_t call; /* address of the call that was passed; 0: none */
};

/* Can instructions of this machine be read? */
bool frame_walk__can(const struct elf_file *elf);
/* Walks from w->entry on. Stores behind an instruction that is not known are missing. */
void frame_walk__run(struct frame_walk *w, const struct elf_file *elf);
/* Does the memory have what the caller has put there, or into a register? */
bool frame_walk__is_old_at(const struct frame_walk *w, int64_t at);
/* May the walk pass the call at pc? Once, near to the entry. */
bool frame_walk__may_call(struct frame_walk *w, uint64_t pc);

/* The walks of machines, for frame_walk__run(). */
void frame_walk__arm64(struct frame_walk *w, const struct elf_file *elf);

#endif
