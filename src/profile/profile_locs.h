/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Inside of sink/profile: the locations of a profile, each once, and the functions they are in. */
#ifndef BPFPERF_PROFILE_PROFILE_LOCS_H
#define BPFPERF_PROFILE_PROFILE_LOCS_H

#include "profile/profile.h"

/* The location of an address, or, of PROFILE_NAMED, of a function; made where it is new. TEXTS_NONE: no memory. */
uint32_t profile_locs__at(struct profile *p, enum profile_space space, uint64_t addr);

#endif
