/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The layouts that programs on functions (bpf/probe.bpf.c) and the loader share. The including
 * side defines the types (vmlinux.h or linux/types.h).
 */
#ifndef BPFPERF_PROBE_WIRE_H
#define BPFPERF_PROBE_WIRE_H

/*
 * Immediates that the loader replaces by code (session/probe_code.c): fetch_point() of probe.bpf.c,
 * enter() and leave() of probe.bpf.h, weight_point() of stack.bpf.c.
 */
#define WIRE_FETCH_PLACEHOLDER 0x7e57f119
#define WIRE_ENTER_PLACEHOLDER 0x7e57f11a
#define WIRE_LEAVE_PLACEHOLDER 0x7e57f11b
#define WIRE_WEIGHT_PLACEHOLDER 0x7e57f11c
/* is_return() and session_cookie() of probe.bpf.c */
#define WIRE_IS_RETURN_PLACEHOLDER 0x7e57f11d
#define WIRE_COOKIE_PLACEHOLDER 0x7e57f11e

/* A place where a probe is put, by attach cookie. */
struct wire_site {
	__u16 id; /* of the event: the common_type of its records */
	__u16 fixed_sz; /* bytes of its record before texts */
	__u16 max_sz; /* bytes of its record at most */
	/* Generated code that fills the record in, at entry and at return; 0: there is none. */
	__u16 fetch, fetch_return;
	/* Sessions: the time of its beginning is all that is kept of a call. */
	__u16 only_time;
	__u16 pushed; /* bytes that a call has pushed at its entry, and its return takes off */
};

/* Texts of a record: the longest, its NUL included, and where the last one may begin. */
#define WIRE_PROBE_TEXT 1024
#define WIRE_PROBE_TEXTS_END 6144

/* A call that has not returned. The stack pointer tells calls of a recursive function apart. */
struct wire_probe_key {
	__u64 sp;
	__u32 tid;
	__u32 site;
};

/* Calls that have not returned, at a time. */
#define WIRE_PROBE_CALLS 16384

#endif
