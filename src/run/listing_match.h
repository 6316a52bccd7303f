/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The arguments of bpfperf list: parts of names, globs, and words for whole kinds of events. */
#ifndef BPFPERF_RUN_LISTING_MATCH_H
#define BPFPERF_RUN_LISTING_MATCH_H

#include <stdbool.h>

/* The kind that an argument like "sw" stands for; NULL: it is no such word. */
const char *listing_match__kind(const char *word);
/* Matches a glob, a part of the name, or a kind. */
bool listing_match__name(const char *glob, const char *name, const char *kind);

#endif
