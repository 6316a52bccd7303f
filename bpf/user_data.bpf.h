/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The dynamic fields of system calls' records: from 6.19 on they hold the text (or the bytes) that
 * pointer arguments point to. The kernel fills them in after BPF programs ran, so the programs read
 * the memory themselves, following sys_fault_user() and syscall_put_data() of
 * kernel/trace/trace_syscalls.c.
 */
#ifndef BPFPERF_USER_DATA_BPF_H
#define BPFPERF_USER_DATA_BPF_H

#include "filter.bpf.h"

/* Records have dynamic fields. */
const volatile _Bool has_user_data = 0;
/* Maximum bytes of each dynamic field: the kernel's syscall_user_buf_size. */
const volatile __u32 user_data_sz = 63;
const volatile __u32 user_data_by_nr[WIRE_MAX_SYSCALLS] = {};

/* A word of 8 bytes that all equal c. */
#define EACH(c) ((c)*0x0101010101010101ull)

/*
 * Replaces each byte by a dot that the kernel's isprint(), which knows Latin-1, takes for
 * unprintable: below 0x20, 0x7f, 0x80 to 0x9f. The upper bit of each byte of `stays` marks a byte
 * that is kept; no sum carries beyond its byte.
 */
static __always_inline __u64 dots_for_unprintable(__u64 text)
{
	__u64 del = text ^ EACH(0x7f);
	__u64 stays = (text & EACH(0x60)) + EACH(0x60);

	stays &= ((del & EACH(0x7f)) + EACH(0x7f)) | del;
	stays = (stays >> 7 & EACH(1)) * 0xff;
	return (text & stays) | (EACH('.') & ~stays);
}

/* Copies the text at `from` with its NUL. Returns its bytes, 0: it cannot be read. */
static __noinline __u64 put_user_text(char *to, const void *from)
{
	__s64 got = bpf_probe_read_user_str(to, WIRE_DATA_READ + 1, from);
	__u32 max = user_data_sz, len, i;

	if (got <= 0 || got > WIRE_DATA_READ + 1)
		return 0;
	len = (__u32)got - 1;
	if (max > WIRE_DATA_MAX)
		max = WIRE_DATA_MAX;
	for (i = 0; i < WIRE_DATA_MAX; i += sizeof(__u64)) {
		if (i >= len || i >= max)
			break;
		*(__u64 *)(to + i) = dots_for_unprintable(*(__u64 *)(to + i));
	}
	if (len <= max) {
		to[len] = '\0';
		return len + 1;
	}
	to += max;
	to[0] = to[1] = to[2] = '.';
	to[3] = '\0';
	return max + 4;
}

/* Copies sz bytes from `from`. Returns the bytes of the field, 0: they cannot be read. */
static __noinline __u64 put_user_bytes(char *to, const void *from, __u64 sz)
{
	__u64 max = user_data_sz;

	/* The size stays in one register up to the helper, or old verifiers lose the bound. */
	barrier_var(sz);
	if (sz > WIRE_DATA_READ)
		sz = WIRE_DATA_READ;
	if (bpf_probe_read_user(to, (__u32)sz, from))
		return 0;
	return sz < max ? sz : max;
}

/*
 * Puts the dynamic fields of call nr behind the `fixed` bytes of its entry; `args` are the call's
 * arguments. Returns the new size of the entry.
 */
static __always_inline __u64 put_user_data(void *entry, const __u64 *args, __u64 fixed, __u32 nr)
{
	__u32 data = user_data_by_nr[nr & (WIRE_MAX_SYSCALLS - 1)], kind = WIRE_DATA_SZ(data), i;
	__u64 at = fixed + WIRE_DATA_CNT(data) * sizeof(__u32), len;

	for (i = 0; i < WIRE_DATA_FIELDS; i++) {
		const void *from;

		if (i >= WIRE_DATA_CNT(data))
			break;
		from = (const void *)args[WIRE_DATA_ARG(data, i)];
		at &= 1023;
		if (!user_data_sz || kind == WIRE_DATA_NONE)
			len = 0;
		else if (kind == WIRE_DATA_TEXT)
			len = put_user_text(entry + at, from);
		else
			len = put_user_bytes(entry + at, from, args[kind & 7]);
		/* Filters read an empty text up to its NUL. */
		if (!len)
			*(char *)(entry + at) = '\0';
		*(__u32 *)(entry + ((fixed + i * sizeof(__u32)) & 127)) = (__u32)(at | len << 16);
		at += len;
	}
	return at;
}

/* Faults the page of `at` in, if possible. May sleep. */
static __always_inline void bring_byte(const void *at)
{
	char c;

	if (bpf_probe_read_user(&c, sizeof(c), at))
		bpf_copy_from_user(&c, sizeof(c), at);
}

/* Faults in the memory that the record will copy from there; `sz` is that of put_user_data(). */
static __always_inline void bring_user_data(const void *from, __u32 kind, __u64 sz)
{
	const void *last = from + WIRE_DATA_READ - 1;
	char text[WIRE_DATA_READ + 1];

	if (kind != WIRE_DATA_TEXT) {
		if (!sz)
			return;
		if (sz < WIRE_DATA_READ)
			last = from + sz - 1;
	}
	bring_byte(from);
	/* The second page is touched only where the kernel would touch it, too. */
	if (!(((__u64)from ^ (__u64)last) >> 12))
		return;
	if (kind != WIRE_DATA_TEXT || bpf_probe_read_user_str(text, sizeof(text), from) < 0)
		bring_byte(last);
}

#endif
