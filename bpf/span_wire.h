/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Durations between two events, which BPF programs match and count (span.bpf.h): the layouts that
 * both sides share, and the arithmetic of the histogram's buckets.
 */
#ifndef BPFPERF_SPAN_WIRE_H
#define BPFPERF_SPAN_WIRE_H

/* Maximum number of pairs of a session. */
#define WIRE_SPAN_PAIRS 16
/* Maximum number of starts that wait for their end. */
#define WIRE_SPAN_STARTS 65536

/* Facts about the event at hand, which generated code stores in the environment. */
enum wire_span_flag {
	/* Its key is never used by two programs at once, and the entry of a key stays. */
	WIRE_SPAN_STAYS = 1,
	/* A second start with the key of one that waits does not replace it. */
	WIRE_SPAN_FIRST = 2,
	/* The start or the end is wanted only if its task is traced. */
	WIRE_SPAN_TASK = 4,
	/* The first field of --by is the number of a system call. */
	WIRE_SPAN_CALL = 8,
};
/* Added to the number of a system call of the kernel's 32-bit interface. */
#define WIRE_SPAN_COMPAT (1ull << 32)

/* Maximum number of starts that wait where their entries are kept. */
#define WIRE_SPAN_ENTRIES 16384

/* Words of wire_span.row. */
enum wire_span_word {
	WIRE_SPAN_PAIR,
	WIRE_SPAN_BUCKET,
	WIRE_SPAN_REST,
	WIRE_SPAN_STACK = WIRE_SPAN_REST,
};

/* Durations of one row and bucket on one CPU, by level like struct wire_cpu. */
struct wire_span_cell {
	__u64 cnt[4];
	__u64 ns[4];
	__u64 max_ns[4];
};

/* Accounts of a pair on one CPU, by level. */
struct wire_span_counts {
	__u64 starts[4], ends[4], matched[4];
	__u64 overwritten[4]; /* starts with the key of one that waited: one of the two is lost */
	__u64 without_start[4];
	__u64 refused[4]; /* starts that found no room */
	__u64 uncounted[4]; /* durations that found no row */
	__u64 gone[4]; /* starts of threads that ended */
};

/*
 * Accounts of a pair, which the loader sums up. While no program is running:
 *     starts = matched + overwritten + gone + refused + waiting
 *     ends = matched + without_start
 */
struct span_account {
	__u64 starts, ends, matched, overwritten, without_start, refused, gone;
	__u64 waiting; /* starts that had no end by now */
	__u64 uncounted; /* matched, but in no row */
};

/*
 * Buckets: each number below 128, then 64 of equal width for each power of two. The middle of a
 * bucket is at most 1/128 off each of its numbers.
 */
#define WIRE_SPAN_SUB_BITS 6
#define WIRE_SPAN_SUBS (1u << WIRE_SPAN_SUB_BITS)
#define WIRE_SPAN_BUCKETS ((64 - WIRE_SPAN_SUB_BITS + 1) * WIRE_SPAN_SUBS)

static inline __attribute__((always_inline)) __u32 wire_span_bucket(__u64 ns)
{
	__u64 v = ns >> WIRE_SPAN_SUB_BITS;
	__u32 shift = 0;

	if (v >> 32) {
		shift += 32;
		v >>= 32;
	}
	if (v >> 16) {
		shift += 16;
		v >>= 16;
	}
	if (v >> 8) {
		shift += 8;
		v >>= 8;
	}
	if (v >> 4) {
		shift += 4;
		v >>= 4;
	}
	if (v >> 2) {
		shift += 2;
		v >>= 2;
	}
	shift += v >> 1;
	return shift * WIRE_SPAN_SUBS + (__u32)(ns >> shift);
}

#endif
