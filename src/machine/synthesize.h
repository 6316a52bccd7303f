/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Records of what ran before a recording began, made from /proc in the kernel's own layouts: FORK,
 * COMM and MMAP2 for processes that run, MMAP for the kernel and its modules. All are of
 * time 0 and id 0, behind them room for the sample_id_all trailer, as perf record writes them.
 */
#ifndef BPFPERF_MACHINE_SYNTHESIZE_H
#define BPFPERF_MACHINE_SYNTHESIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A record, valid during the call. 0: go on. */
typedef int (*synthesize_fn)(void *ctx, const void *rec, size_t sz);

struct synthesize {
	size_t trailer_sz; /* bytes, as the sample_type of the events says */
	bool names_only; /* no mappings */
	bool mmap_data; /* mappings that are not code, too */
	/* a process whose mappings will have gone by the time of its first sample; 0: none */
	pid_t no_maps;
	synthesize_fn fn;
	void *ctx;
};

/* sample_id_all's size with these PERF_SAMPLE_* bits. */
size_t synthesize__trailer_sz(unsigned long long sample_type);

/*
 * The kernel's text, by /proc/kallsyms, and its modules, by /proc/modules; nothing where their
 * addresses are hidden. 0, or what fn returned.
 */
int synthesize__kernel(const struct synthesize *r);
/* A KSYMBOL record of a BPF program's function. 0, or what fn returned. */
int synthesize__bpf_function(const struct synthesize *r, uint64_t addr, uint32_t len,
			     const char *name);
/* A process with its threads and mappings; nothing where it is gone. 0, or what fn returned. */
int synthesize__process(const struct synthesize *r, pid_t pid);
/* All processes. 0, what fn returned, or -errno. */
int synthesize__all(const struct synthesize *r);

#endif
