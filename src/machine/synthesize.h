/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Synthesizes records of tasks and code that existed before a recording began, from /proc in the
 * kernel's own layouts: FORK, COMM and MMAP2 for running processes, MMAP for the kernel and its
 * modules. Each has time 0 and id 0, and room for the sample_id_all trailer at its end, as perf
 * record writes them.
 */
#ifndef BPFPERF_MACHINE_SYNTHESIZE_H
#define BPFPERF_MACHINE_SYNTHESIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Receives a record, valid during the call. Returns 0 to go on. */
typedef int (*synthesize_fn)(void *ctx, const void *rec, size_t sz);

struct synthesize {
	size_t trailer_sz; /* bytes, determined by the sample_type of the events */
	bool names_only; /* no mappings */
	bool mmap_data; /* also mappings without code */
	/* a process that loses its mappings before its first sample; 0: none */
	pid_t no_maps;
	synthesize_fn fn;
	void *ctx;
};

/* Size of the sample_id_all trailer with these PERF_SAMPLE_* bits, in bytes. */
size_t synthesize__trailer_sz(unsigned long long sample_type);

/*
 * Synthesizes the kernel's text from /proc/kallsyms and its modules from /proc/modules; no record
 * if their addresses are hidden. 0, or the value that fn returned.
 */
int synthesize__kernel(const struct synthesize *r);
/* Synthesizes the KSYMBOL record of a BPF program's function. 0, or the value that fn returned. */
int synthesize__bpf_function(const struct synthesize *r, uint64_t addr, uint32_t len,
			     const char *name);
/*
 * Synthesizes a process with its threads and mappings; no record if it has exited. 0, or the value
 * that fn returned.
 */
int synthesize__process(const struct synthesize *r, pid_t pid);
/* Synthesizes all processes. 0, the value that fn returned, or -errno. */
int synthesize__all(const struct synthesize *r);

/*
 * Synthesizes a CGROUP record of each control group of the version 2 hierarchy. 0, or the value
 * that fn returned.
 */
int synthesize__cgroups(const struct synthesize *r);

#endif
