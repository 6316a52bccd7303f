/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A profile of some kinds of functions only: of Python's, say, or of the kernel's. */
#ifndef BPFPERF_PROFILE_PROFILE_KINDS_H
#define BPFPERF_PROFILE_PROFILE_KINDS_H

#include <stdint.h>

#include "sym/named.h"

struct profile;

/* Bits of a set of kinds: enum frame_kind (sym/named.h) of user functions, and the kernel's. */
#define PROFILE_KIND_KERNEL FRAME_KINDS

/* The names of all kinds. */
#define PROFILE_KIND_NAMES "native inlined jit python ruby kernel"

/*
 * Reads a list as "kernel,python" into a set at `kinds`, a uint32_t. 0, or -EINVAL (logged): it is
 * the `set` of an option (cli/opt.h).
 */
int profile_kinds__set(void *kinds, const char *list);
/*
 * Takes functions of other kinds out of all stacks; stacks that are equal then are summed up. Marks
 * as "[sleeping]" stay, and so do all samples: they count for the functions that are left. No
 * sample may be added after it. 0 or -ENOMEM: then the profile has no stacks.
 */
int profile_kinds__keep(struct profile *p, uint32_t kinds);

#endif
