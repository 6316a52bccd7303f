/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The instruction in each program that the loader replaces by code generated for the session
 * (session/patch_code.c): filters, keys and values of aggregation, weights.
 */
#ifndef BPFPERF_PATCH_POINT_BPF_H
#define BPFPERF_PATCH_POINT_BPF_H

#include "knobs.bpf.h"

/*
 * The loader replaces the instruction in the middle by a jump to the generated code, which jumps
 * back behind it. Generated code gets
 *
 *     r1 = entry (map memory)   r2 = tracepoint id   r3 = environment (map memory)
 *
 * and returns r0 = 0 for "not wanted", else another value. It may use r0 to r5, and the stack below
 * the part that the program itself uses; it preserves r6 to r9.
 */
static __always_inline _Bool placed_code(void *entry, __u64 id, struct patch_env *env,
					 const int placeholder)
{
	__u64 verdict;

	asm volatile(
		"r1 = %[entry]\n"
		"r2 = %[id]\n"
		"r3 = %[env]\n"
		"r0 = %[placeholder]\n"
		"%[verdict] = r0\n"
		: [verdict] "=r"(verdict)
		: [entry] "r"(entry), [id] "r"(id), [env] "r"(env), [placeholder] "i"(placeholder)
		: "r0", "r1", "r2", "r3", "r4", "r5", "memory");
	return verdict != 0;
}

static __always_inline _Bool patch_point(void *entry, __u64 id, struct patch_env *env)
{
	return placed_code(entry, id, env, WIRE_PATCH_PLACEHOLDER);
}

/* A second point of this kind, for the code of starts of pairs (span.bpf.h). */
static __always_inline _Bool start_point(void *entry, __u64 id, struct patch_env *env)
{
	return placed_code(entry, id, env, WIRE_START_PLACEHOLDER);
}

/* Fills in the members that the knob patch_needs asks for. */
static __always_inline void fill_env(struct patch_env *env, __u32 tid, __u32 tgid)
{
	if (patch_needs & WIRE_NEED_CPU)
		env->cpu = bpf_get_smp_processor_id();
	if (patch_needs & WIRE_NEED_TASK) {
		env->tid = tid;
		env->tgid = tgid;
	}
	if (patch_needs & WIRE_NEED_COMM)
		bpf_get_current_comm(env->comm, sizeof(env->comm));
	if (patch_needs & WIRE_NEED_UID)
		env->uid = (__u32)bpf_get_current_uid_gid();
	if (patch_needs & WIRE_NEED_THREAD) {
		/* The id is known already, unless it is that of a namespace or of a woken task. */
		__u32 thread =
			pid_ns_inum || span_of_woken ? (__u32)bpf_get_current_pid_tgid() : tid;

		env->span.thread = thread ? thread : WIRE_COUNTER_IDLE | bpf_get_smp_processor_id();
	}
}

#endif
