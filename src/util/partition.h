/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Binary search in what is sorted: one loop for arrays of any type. */
#ifndef BPFPERF_UTIL_PARTITION_H
#define BPFPERF_UTIL_PARTITION_H

#include <stddef.h>

/*
 * The first index of from..to (`to`, if there is none) for which `before` does not hold. `before`
 * is an expression of `i`, a name for the index that the caller chooses; it holds for all indices
 * up to some place, and for none from there on.
 */
#define partition_point(from, to, i, before)                                                       \
	({                                                                                         \
		size_t from_ = (from), to_ = (to);                                                 \
		while (from_ < to_) {                                                              \
			const size_t i = from_ + (to_ - from_) / 2;                                \
			if (before)                                                                \
				from_ = i + 1;                                                     \
			else                                                                       \
				to_ = i;                                                           \
		}                                                                                  \
		from_;                                                                             \
	})

#endif
