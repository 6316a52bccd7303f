/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Private to profile: its locations and their functions, each stored once. */
#ifndef BPFPERF_PROFILE_PROFILE_LOCS_H
#define BPFPERF_PROFILE_PROFILE_LOCS_H

#include "profile/profile.h"

/*
 * Returns the location of an address, or of a function for PROFILE_NAMED, added if it is new,
 * unless the profile finds only. TEXTS_NONE: no memory, or it is not there.
 */
uint32_t profile_locs__at(struct profile *p, enum profile_space space, uint64_t addr);

#endif
