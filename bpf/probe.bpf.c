// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Any function: programs on uprobes and kprobes. A record's fields are fetched by code that the
 * loader generates from the types of the function's arguments (session/probe_code.c).
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "emit.bpf.h"
#include "hits.bpf.h"
#include "probe.bpf.h"

/* Places by attach cookie; the loader sets max_entries. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wire_site);
} probe_sites SEC(".maps");

/* Records of calls that have not returned; the loader sets value_size and max_entries. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(struct wire_probe_key));
	__uint(value_size, sizeof(struct wire_tp));
} probe_calls SEC(".maps");

/* value_size of probe_calls */
const volatile __u32 probe_call_sz = sizeof(struct wire_tp);

/*
 * Fills in fields of the entry, and returns its size. The head of the record has the size so far,
 * where texts will begin, and at a return the duration of the call in place of the time.
 */
static __always_inline __u64 fetch_point(void *entry, __u64 fetch, void *ctx)
{
	__u64 sz;

	asm volatile("r1 = %[entry]\n"
		     "r2 = %[fetch]\n"
		     "r3 = %[ctx]\n"
		     "r0 = %[placeholder]\n"
		     "%[sz] = r0\n"
		     : [sz] "=r"(sz)
		     : [entry] "r"(entry), [fetch] "r"(fetch), [ctx] "r"(ctx),
		       [placeholder] "i"(WIRE_FETCH_PLACEHOLDER)
		     : "r0", "r1", "r2", "r3", "r4", "r5", "memory");
	return sz;
}

/* Bounds the size of an entry, in the register that is used. */
static __always_inline __u64 bound(__u64 sz)
{
	barrier_var(sz);
	if (sz > WIRE_ENTRY_MAX)
		sz = WIRE_ENTRY_MAX;
	return sz;
}

/* Fetches the fields that are known at the beginning of a call. */
static __always_inline __u64 fetch_begin(void *ctx, struct slot *s, void *entry,
					 const struct wire_site *site)
{
	s->rec->sz = site->fixed_sz;
	return site->fetch ? fetch_point(entry, site->fetch, ctx) : site->fixed_sz;
}

static __always_inline void hit(void *ctx)
{
	__u32 idx = site_index(ctx);
	struct wire_site *site = bpf_map_lookup_elem(&probe_sites, &idx);
	struct slot s;
	void *entry;
	__u64 sz;

	if (!site || !wanted(&s) || !enter(s.cpu))
		return;
	entry = reserve_large(ctx, &s, site->max_sz);
	if (entry) {
		sz = fetch_begin(ctx, &s, entry, site);
		commit(ctx, &s, site->id, bound(sz));
	}
	leave(s.cpu);
}

/* Counts a call whose beginning found no room among those that have not returned. */
static __noinline int refuse_call(struct wire_cpu *c)
{
	__sync_fetch_and_add(&c->produced_refused, 1);
	return count_loss(c, -E2BIG, 1);
}

/* Keeps a call until it returns. false: it is not kept. */
static __always_inline _Bool begin_call(void *ctx, const struct wire_site *site,
					struct wire_probe_key *key)
{
	_Bool kept = 0;
	struct slot s;
	void *entry;

	if (!wanted(&s) || !enter(s.cpu))
		return 0;
	entry = reserve_large(ctx, &s, site->max_sz);
	if (entry) {
		s.rec->sz = (__u16)fetch_begin(ctx, &s, entry, site);
		key->tid = (__u32)bpf_get_current_pid_tgid();
		s.rec->time_ns = bpf_ktime_get_ns();
		kept = !bpf_map_update_elem(&probe_calls, key, s.rec, BPF_ANY);
		if (!kept)
			refuse_call(s.cpu);
		drop(&s);
	}
	leave(s.cpu);
	return kept;
}

static __always_inline void begin(void *ctx, __u64 sp)
{
	struct wire_probe_key key = { .site = site_index(ctx) };
	struct wire_site *site = bpf_map_lookup_elem(&probe_sites, &key.site);

	if (!site)
		return;
	key.sp = sp + site->pushed;
	begin_call(ctx, site, &key);
}

/* Functions of i386 with a large result take the address of it, of four bytes, off the stack. */
#define I386_WORD 4

static __always_inline void *find_call(const struct wire_site *site, struct wire_probe_key *key)
{
	void *begun = bpf_map_lookup_elem(&probe_calls, key);

	if (begun || site->pushed != I386_WORD)
		return begun;
	key->sp -= I386_WORD;
	return bpf_map_lookup_elem(&probe_calls, key);
}

static __always_inline void end(void *ctx, __u64 sp)
{
	struct wire_probe_key key = { .sp = sp, .site = site_index(ctx) };
	struct wire_site *site = bpf_map_lookup_elem(&probe_sites, &key.site);
	struct wire_rec *begun;
	struct slot s;
	void *entry;
	__u64 sz, now;

	key.tid = (__u32)bpf_get_current_pid_tgid();
	begun = site ? find_call(site, &key) : NULL;
	if (!begun)
		return;
	now = bpf_ktime_get_ns();
	if (!wanted(&s) || !enter(s.cpu))
		goto out;
	entry = reserve_large(ctx, &s, site->max_sz);
	if (entry) {
		bpf_probe_read_kernel(s.rec, probe_call_sz, begun);
		sz = s.rec->sz;
		s.rec->time_ns = now - s.rec->time_ns;
		if (site->fetch_return)
			sz = fetch_point(entry, site->fetch_return, ctx);
		commit(ctx, &s, site->id, bound(sz));
	}
	leave(s.cpu);
out:
	bpf_map_delete_elem(&probe_calls, &key);
}

/*
 * Programs of sessions are called at both ends of a call. The loader puts calls of the kernel's
 * functions here that tell which end it is, and where eight bytes of the call are kept.
 */
static __always_inline _Bool is_return(void *ctx)
{
	__u64 yes;

	asm volatile("r1 = %[ctx]\n"
		     "r0 = %[placeholder]\n"
		     "%[yes] = r0\n"
		     : [yes] "=r"(yes)
		     : [ctx] "r"(ctx), [placeholder] "i"(WIRE_IS_RETURN_PLACEHOLDER)
		     : "r0", "r1", "r2", "r3", "r4", "r5", "memory");
	return yes != 0;
}

static __always_inline __u64 *session_cookie(void *ctx)
{
	__u64 *cookie;

	asm volatile("r1 = %[ctx]\n"
		     "r0 = %[placeholder]\n"
		     "%[cookie] = r0\n"
		     : [cookie] "=r"(cookie)
		     : [ctx] "r"(ctx), [placeholder] "i"(WIRE_COOKIE_PLACEHOLDER)
		     : "r0", "r1", "r2", "r3", "r4", "r5", "memory");
	return cookie;
}

/* The end of a call of which the time alone is known. */
static __always_inline void end_timed(void *ctx, const struct wire_site *site)
{
	__u64 *cookie = session_cookie(ctx), now = bpf_ktime_get_ns(), begun = *cookie;
	struct slot s;
	void *entry;
	__u64 sz;

	if (!wanted(&s) || !enter(s.cpu))
		return;
	entry = reserve_large(ctx, &s, site->max_sz);
	if (entry) {
		s.rec->sz = site->fixed_sz;
		s.rec->time_ns = now - begun;
		sz = fetch_point(entry, site->fetch_return, ctx);
		commit(ctx, &s, site->id, bound(sz));
	}
	leave(s.cpu);
}

/* Calls that are not wanted return without the program. */
static __always_inline int session(void *ctx, __u64 sp)
{
	struct wire_probe_key key = { .site = site_index(ctx) };
	struct wire_site *site = bpf_map_lookup_elem(&probe_sites, &key.site);
	struct slot s;

	if (!site)
		return 1;
	if (is_return(ctx)) {
		if (site->only_time)
			end_timed(ctx, site);
		else
			end(ctx, sp);
		return 0;
	}
	if (!site->only_time) {
		key.sp = sp + site->pushed;
		return !begin_call(ctx, site, &key);
	}
	if (!wanted(&s))
		return 1;
	*session_cookie(ctx) = bpf_ktime_get_ns();
	return 0;
}

SEC("kprobe")
int uprobe_hit(void *ctx)
{
	hit(ctx);
	return 0;
}

/*
 * A hit that is counted, and no more. This is a program of its own, because from 6.13 on those that
 * use 64 bytes of stack have one in memory of their CPU, which costs as much as the count itself.
 */
SEC("kprobe")
int uprobe_count(void *ctx)
{
	count_hit_of(site_index(ctx));
	return 0;
}

/* Offset of the stack pointer in the context (bpf_user_pt_regs_t, <asm/ptrace.h>). */
#if defined(__TARGET_ARCH_x86)
#define SP_OFF 152
#elif defined(__TARGET_ARCH_arm64)
#define SP_OFF 248
#elif defined(__TARGET_ARCH_riscv)
#define SP_OFF 16
#elif defined(__TARGET_ARCH_powerpc)
#define SP_OFF 8
#elif defined(__TARGET_ARCH_s390)
#define SP_OFF 144
#else
#error "bpf/probe.bpf.c: this architecture's stack pointer is missing"
#endif

static __always_inline __u64 stack_pointer(void *ctx)
{
	return *(__u64 *)(ctx + SP_OFF);
}

SEC("kprobe")
int uprobe_begin(void *ctx)
{
	begin(ctx, stack_pointer(ctx));
	return 0;
}

SEC("kprobe")
int uprobe_end(void *ctx)
{
	end(ctx, stack_pointer(ctx));
	return 0;
}

SEC("kprobe")
int uprobe_session(void *ctx)
{
	return session(ctx, stack_pointer(ctx));
}

/*
 * Functions of the kernel. The stack pointer at a return is not told on all kernels, so that a call
 * is known by its thread: of a function that calls itself the innermost call counts, and takes the
 * place of those around it. A session that keeps the time alone has each call's in its cookie.
 */
SEC("kprobe")
int kprobe_hit(void *ctx)
{
	hit(ctx);
	return 0;
}

SEC("kprobe")
int kprobe_count(void *ctx)
{
	count_hit_of(site_index(ctx));
	return 0;
}

SEC("kprobe")
int kprobe_begin(void *ctx)
{
	begin(ctx, 0);
	return 0;
}

SEC("kprobe")
int kprobe_end(void *ctx)
{
	end(ctx, 0);
	return 0;
}

SEC("kprobe")
int kprobe_session(void *ctx)
{
	return session(ctx, 0);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
