/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The record layouts and enums that BPF programs and the loader share. Types
 * come from the includer's side (vmlinux.h or linux/types.h). Two more headers
 * are included by both sides: unwind_wire.h (the layout of unwind tables) and
 * unwind.bpf.h (the step from one frame to the next).
 *
 * Records travel many at a time. What a ring holds is PERF_RECORD_SAMPLE with
 * PERF_SAMPLE_RAW:
 *
 *     struct perf_event_header   8 bytes
 *     u32 raw size
 *     u32 lost                   (struct wire_out)
 *     records                    each begins at a multiple of 8 bytes
 *
 * The CPU is the ring's. The time is in each record.
 */
#ifndef BPFPERF_WIRE_H
#define BPFPERF_WIRE_H

/*
 * Immediates of 64-bit moves that the loader looks for in loaded programs: instance_index() of
 * instance.bpf.h, and patch_point() of patch_point.bpf.h.
 */
#define WIRE_INDEX_PLACEHOLDER 0x7e57c0de
#define WIRE_PATCH_PLACEHOLDER 0x7e57f117

enum wire_kind {
	WIRE_TP = 1, /* struct wire_tp */
	WIRE_SAMPLE, /* struct wire_stack */
	WIRE_STACK_DEF, /* struct wire_stack_def: sent by itself, and not counted */
	WIRE_OFF, /* struct wire_offcpu */
	WIRE_LOST, /* struct wire_lost: made by the reader, never sent */
	WIRE_COUNTERS, /* struct wire_counter follow: made by the loader, never sent */
};

/* The head of every record. */
struct wire_rec {
	__u16 sz; /* bytes, this head included; the next record is at the next multiple of 8 */
	__u16 kind; /* enum wire_kind */
	__u32 tgid;
	__u64 time_ns; /* CLOCK_MONOTONIC */
};

/* One output of a program. */
struct wire_out {
	__u32 lost; /* records of this CPU that were lost until then, whatever the cause; wraps */
	/* struct wire_rec follow */
};

/* The reader saw `lost` of an output grow: this is in the stream before that output's records. */
struct wire_lost {
	struct wire_rec head;
	__u64 cnt;
};

/* Common head of every tracepoint record, as tracefs describes it. */
struct wire_entry {
	__u16 type; /* tracepoint id */
	/* BPF cannot see the two below on all kernels; both attach paths send 0. */
	__u8 flags;
	__u8 preempt_count;
	__s32 pid; /* thread id */
};

/*
 * A tracepoint record. Between head and entry lie the session's extension
 * bytes (the knob ext_sz, a multiple of 8); the entry goes on as its tracefs
 * format says.
 */
struct wire_tp {
	struct wire_rec head;
	struct wire_entry entry;
};

/* Description of an event for the classic program, by attach cookie. */
struct wire_tp_info {
	__u16 id; /* tracepoint id */
	__u16 fixed_sz; /* bytes of the record before dynamic data */
	__u16 dyn_off; /* offset of the last __data_loc/__rel_loc word, 0: the record is fixed */
	__u16 dyn_rel; /* 1: that word is a __rel_loc */
	__u16 empty_cnt; /* so many __data_loc words behind fixed_sz are not in the record yet: nothing is there */
};

/* The largest tracepoint record the kernel makes (PERF_MAX_TRACE_SIZE, 8192 since 5.16, 2048 before). */
#define WIRE_ENTRY_MAX 8192

/* The largest size of a record: head, extension, entry. */
#define WIRE_REC_MAX (WIRE_ENTRY_MAX + 1016)

/*
 * A stack sample. addrs: kern_sz bytes of kernel, then user_sz bytes of user addresses, innermost
 * first; among the latter those that a guess led to are marked, and those that are no return addresses
 * (UNWIND_PC_BY_FP, UNWIND_PC_EXACT, unwind_wire.h).
 */
#define WIRE_STACK_MAX 512 /* of a side */
#define WIRE_USER_MAX 300 /* of user addresses that were walked by tables */
struct wire_stack {
	struct wire_rec head;
	__u32 tid;
	__s16 kern_sz; /* bytes, or -errno of the capture */
	__s16 user_sz;
	__u64 period; /* events since the last sample of this counter: 1 clock tick, or the PMU's */
	__u16 event; /* which of the session's */
	__u16 user_end; /* enum unwind_end of a walk by tables; 0: by frame pointers, in the kernel */
	__u16 pad[2];
	__u64 addrs[2 * WIRE_STACK_MAX];
};

/* How a session's event that is a tracepoint is sampled. */
struct wire_stack_event {
	__u64 period; /* a sample each so many; where 0: */
	__u64 interval_ns; /* a sample in this time, by a period that follows the rate */
	__u32 weight_off; /* bytes from the record's begin to the u64 that says for how many it stands; 0: 1 */
	__u32 pad;
};

/* Sampling state of one event on one CPU. */
struct wire_stack_count {
	__u64 cnt; /* since the last sample; of an event that is no tracepoint: in all */
	__u64 period, last_ns; /* of interval_ns */
};

/*
 * What a stack's id stands for, in a ring before the first record with that
 * id is committed. It may come more than once.
 */
enum wire_stack_id {
	WIRE_STACK_NONE = 0, /* not even an address */
	WIRE_STACK_LOST = 1, /* there was no room for it; counted in struct wire_cpu */
};
struct wire_stack_def {
	/* tgid and time_ns: with WIRE_AGG_STACK whose user addresses they are, and when; else nothing. */
	struct wire_rec head;
	__u64 id; /* a hash of the rest */
	__s16 kern_sz; /* bytes, or -errno of the capture */
	__s16 user_sz;
	__u16 user_end; /* as those of struct wire_stack */
	__u16 pad;
	__u64 addrs[2 * WIRE_STACK_MAX];
};
struct wire_stack_out {
	__u32 pad, lost; /* lost: here begins the struct wire_out */
	struct wire_stack_def def;
};

/* A thread that is off the CPU. */
struct wire_offcpu_entry {
	__u64 start_ns; /* since */
	__u64 woken_ns; /* 0: not woken yet, or it never slept */
	__u64 stack, waker_stack; /* ids; enum wire_stack_id */
	__u32 tgid;
	__u16 state; /* the kernel's bits below TASK_STATE_MAX; 0: it could have run on */
	__u16 cpu; /* that it left */
	__u32 waker_tgid, waker_tid;
};

/* It runs again, from the record's time on. */
struct wire_offcpu {
	struct wire_rec head;
	__u32 tid;
	__u32 pad;
	struct wire_offcpu_entry away;
};

/* Different stacks of a session at most: what the kernel and the reader keep is bounded. */
#define WIRE_STACKS_MAX 65536

/* The value of a counter when a record was made; all 0: it could not be read. */
struct wire_counter {
	__u64 value;
	__u64 enabled_ns, running_ns;
};
/* Counters with records at most. */
#define WIRE_COUNTERS_MAX 8
/* In place of the thread id where the idle tasks, which all have 0, are told apart: this | CPU. */
#define WIRE_COUNTER_IDLE 0x80000000u
/* Tasks of which it is kept what fell to them: those that ran last. */
#define WIRE_COUNTER_TASKS 32768

/*
 * What generated code (bpf/patch_point.bpf.h) is given beside the record; the knob
 * patch_needs says which members are filled in. `key`, `value`, `scratch`,
 * `triggered` (0 before) and `text` are the generated code's to write.
 */
#define WIRE_SITE_KEYS 24
#define WIRE_SITE_TEXT 1024
enum wire_patch_need {
	WIRE_NEED_COMM = 1, /* comm */
	WIRE_NEED_UID = 2, /* uid */
	WIRE_NEED_CPU = 4, /* cpu */
	WIRE_NEED_TASK = 8, /* tid, tgid; also the entry's common_pid */
};
struct patch_env {
	char comm[16];
	__u32 cpu, tid, tgid, uid;
	__u64 key[WIRE_SITE_KEYS];
	__s64 value;
	__u64 scratch;
	__u64 is_unsigned; /* value is */
	__u64 period; /* of WIRE_AGG_PERIOD */
	__u32 triggered; /* the record is one that --trigger waits for */
	__u32 pad[15];
	char text[WIRE_SITE_TEXT]; /* a text behind a pointer, copied */
};

/*
 * Aggregation, the knob agg_mode: records are counted where they would have
 * been sent. key[0] is which event it is, key[1] the bucket of the histogram,
 * and with WIRE_AGG_BY what follows is the rest of the key of a hash table;
 * without, the two are an index of an array.
 */
enum wire_agg_mode {
	WIRE_AGG_ON = 1,
	WIRE_AGG_HIST = 2, /* value: one cell for each power of two */
	WIRE_AGG_SUM = 4, /* value is summed up */
	WIRE_AGG_BY = 8,
	WIRE_AGG_PERIOD =
		16, /* alone: a record is sent each time that `period` of value has come */
	WIRE_AGG_STACK = 32, /* key[WIRE_KEY_STACK] is a stack's id, with WIRE_AGG_BY */
};
enum wire_agg_key {
	WIRE_KEY_EVENT,
	WIRE_KEY_BUCKET,
	WIRE_KEY_REST,
	WIRE_KEY_STACK = WIRE_KEY_REST
};
/* Negative, 0, and 2^0 to 2^63 and above each. */
#define WIRE_AGG_BUCKETS 66
/* Different keys at most. */
#define WIRE_AGG_KEYS_MAX 16384

/*
 * How many programs may be at work on one CPU at once: one, an interrupt's in
 * the midst of it, and so on. The first one's record goes to the batch, each
 * other's to a place of its own, and is sent at once.
 */
#define WIRE_LEVELS 4

/* Aggregation: a cell of one CPU; a member for each level, as in struct wire_cpu. */
struct wire_cell {
	__u64 cnt[WIRE_LEVELS];
	__s64 sum[WIRE_LEVELS];
};

/* Bytes of a batch after which it is certainly sent. A power of two: a mask bounds the offset. */
#define WIRE_BATCH_SZ 8192

/* A record that is sent alone. */
struct wire_nest {
	__u32 pad, lost; /* lost: here begins the struct wire_out */
	__u8 data[WIRE_REC_MAX];
};

/*
 * Everything a program needs of its CPU, in one element of a map that the
 * loader reads by mmap. What runs on one CPU is strictly nested (an interrupt
 * ends before what it interrupted goes on), and each level has its own
 * members, so that plain loads and stores do. What several levels share is
 * added to atomically.
 *
 * produced* + cnt = delivered + lost_*, for each CPU, once all is read.
 */
struct wire_cpu {
	__u32 watched; /* set by the loader: events on this CPU are wanted */
	__u32 level; /* programs at work on this CPU */
	__u32 used, cnt; /* bytes and records of the batch */
	__u64 produced[WIRE_LEVELS]; /* records sent or tried; without those still in the batch */
	__u64 lost_full; /* -ENOSPC: ring full */
	__u64 lost_nested; /* too many programs at once on this CPU, or -EBUSY of the helper */
	__u64 lost_no_ring; /* -ENOENT: no ring on this CPU */
	__u64 lost_other;
	__u64 produced_refused; /* found no place: part of lost_nested */
	__u32 lost; /* all of them, for struct wire_out */
	__u32 idle_named; /* set by the loader: the idle task of this CPU has a name of --comm's */
	__u64 stacks_refused; /* records whose stack was one too many for WIRE_STACKS_MAX */
	__u64 stacks_unsent; /* records whose stack found no room in the ring */
	__u64 not_counted; /* aggregation: records whose key was one too many */
	__u32 pad2[2];
	struct patch_env env[WIRE_LEVELS];
	/* The last one cannot be: where a mask would lead to is the batch. */
	struct wire_nest nest[WIRE_LEVELS - 1];
	__u32 batch_pad, batch_lost; /* batch_lost: here begins the struct wire_out */
	/* The last record begins before WIRE_BATCH_SZ. */
	__u8 batch[WIRE_BATCH_SZ + WIRE_REC_MAX];
};

/* Return values of the program flush_batch. */
enum wire_flush {
	WIRE_FLUSHED = 0,
	WIRE_FLUSH_BUSY = 1, /* a program is at work on that CPU */
};

/* Watched tasks: one byte per thread id, 64 to a map element; bits of enum wire_task_state. */
#define WIRE_TASKS_PER_ELEM 64
enum wire_task_state {
	WIRE_TASK_IGNORED = 0,
	WIRE_TASK_WATCHED = 1,
	WIRE_TASK_ON_EXEC = 2, /* becomes WATCHED when it calls exec */
	WIRE_TASK_NAMED = 4, /* its name is one of --comm's */
	WIRE_TASK_ALONE = 8, /* what it starts is not WATCHED with it */
};

/* How a program gets from a task to its group in a v1 hierarchy: bytes into the kernel's structs. */
enum wire_cg_off {
	WIRE_CG_TASK, /* task_struct.cgroups */
	WIRE_CG_SET, /* css_set.subsys[the hierarchy's] */
	WIRE_CG_CSS, /* cgroup_subsys_state.cgroup */
	WIRE_CG_LEVEL, /* cgroup.level */
	WIRE_CG_KN, /* cgroup.kn */
	WIRE_CG_ID, /* kernfs_node.id */
	WIRE_CG_IDS, /* cgroup.ancestor_ids, until 6.0; else 0 */
	WIRE_CG_ABOVE, /* cgroup.ancestors, from 6.1 on; else 0 */
	WIRE_CG_OFF_CNT,
};
struct wire_tasks {
	__u8 state[WIRE_TASKS_PER_ELEM];
};

/* An element of `budgets`: what an event makes on a CPU, once the programs look. */
#define WIRE_STOPPED (1ull << 63)
struct wire_budget {
	__u64 made; /* records, until it was stopped */
	__u64 skipped; /* WIRE_STOPPED of an event that is, and below it the records it did not send */
};

#define WIRE_MAX_SYSCALLS 1024
#define WIRE_MAX_CPUS 1024

/*
 * What a system call's record has of the memory that arguments point to (6.19): a dynamic field for
 * each of up to three. The kernel reads WIRE_DATA_READ bytes at most, of which the record gets the
 * first 0 to WIRE_DATA_MAX (the knob user_data_sz), and of a longer text "..." behind them.
 */
#define WIRE_DATA_FIELDS 3
#define WIRE_DATA_READ 169
#define WIRE_DATA_MAX 165
/* Of each call in a word: how many, which arguments the pointers are, and which one says how many bytes that is, or: */
#define WIRE_DATA_TEXT 0xfeu /* up to a NUL */
#define WIRE_DATA_NONE 0xffu /* not known how much: the field stays empty */
#define WIRE_DATA_CNT(data) ((data)&3)
#define WIRE_DATA_ARG(data, i) ((data) >> (4 + 4 * (i)) & 7)
#define WIRE_DATA_SZ(data) ((data) >> 16 & 0xff)

#endif
