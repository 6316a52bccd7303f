/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The record layouts and enums that BPF programs and the loader share. The
 * including side defines the types (vmlinux.h or linux/types.h). Two more headers
 * are included by both sides: unwind_wire.h (the layout of unwind tables) and
 * unwind.bpf.h (the step from one frame to the next).
 *
 * Records are sent in batches. A batch is a PERF_RECORD_SAMPLE with PERF_SAMPLE_RAW:
 *
 *     struct perf_event_header   8 bytes
 *     u32 raw size
 *     u32 lost                   (struct wire_out)
 *     records                    each begins at a multiple of 8 bytes
 *
 * A record's CPU is that of the ring; each record has its own time.
 */
#ifndef BPFPERF_WIRE_H
#define BPFPERF_WIRE_H

/*
 * Immediates of 64-bit moves that the loader looks for in loaded programs: instance_index() of
 * instance.bpf.h, and patch_point() and start_point() of patch_point.bpf.h.
 */
#define WIRE_INDEX_PLACEHOLDER 0x7e57c0de
#define WIRE_PATCH_PLACEHOLDER 0x7e57f117
#define WIRE_START_PLACEHOLDER 0x7e57f118

enum wire_kind {
	WIRE_TP = 1, /* struct wire_tp */
	WIRE_TP_COMPAT, /* struct wire_tp: a system call by the kernel's 32-bit interface */
	WIRE_SAMPLE, /* struct wire_stack */
	WIRE_STACK_DEF, /* struct wire_stack_def: sent by itself, and not counted */
	WIRE_OFF, /* struct wire_offcpu */
	WIRE_LOST, /* struct wire_lost: made by the reader, never sent */
	WIRE_COUNTERS, /* struct wire_counter follow: made by the loader, never sent */
	WIRE_CALL, /* struct wire_call (strace_wire.h): a system call has returned */
	WIRE_CALL_BEGIN, /* struct wire_call: a system call that may not return has begun */
	WIRE_SIGNAL, /* struct wire_signal (strace_wire.h) */
	WIRE_EXIT, /* struct wire_exit (strace_wire.h) */
	WIRE_EXEC, /* struct wire_exec (strace_wire.h): a process runs another program */
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
	__u32 lost; /* records of this CPU lost so far, whatever the cause; wraps */
	/* records (struct wire_rec) follow */
};

/*
 * Records lost before an output, by the growth of `lost`. The reader puts it into the stream before
 * the records of that output.
 */
struct wire_lost {
	struct wire_rec head;
	__u64 cnt;
};

/* Common head of every tracepoint record, in the layout that tracefs describes. */
struct wire_entry {
	__u16 type; /* tracepoint id */
	/* BPF cannot read the two members below on all kernels; both attach paths send 0. */
	__u8 flags;
	__u8 preempt_count;
	__s32 pid; /* thread id */
};

/*
 * A tracepoint record. The session's extension bytes (the knob ext_sz, a multiple of 8) lie between
 * head and entry; the entry has the layout of its tracefs format.
 */
struct wire_tp {
	struct wire_rec head;
	struct wire_entry entry;
};

/* Facts that the program of a classic tracepoint needs about its event, by attach cookie. */
struct wire_tp_info {
	__u16 id; /* tracepoint id */
	__u16 fixed_sz; /* bytes of the record before dynamic data */
	/* offset of the last __data_loc/__rel_loc word; 0: the record has a fixed size */
	__u16 dyn_off;
	__u16 dyn_rel; /* 1: that word is a __rel_loc */
	/*
	 * number of __data_loc words behind fixed_sz that the record lacks; the program adds them,
	 * empty
	 */
	__u16 empty_cnt;
	__u16 ran; /* set by the program: it was run for this event, wanted or not */
};

/*
 * Maximum size of the kernel's tracepoint records (PERF_MAX_TRACE_SIZE: 8192 since 5.16, 2048
 * before).
 */
#define WIRE_ENTRY_MAX 8192

/* The largest size of a record: head, extension, entry. */
#define WIRE_REC_MAX (WIRE_ENTRY_MAX + 1016)

/*
 * A stack sample. addrs: kern_sz bytes of kernel addresses, then user_sz bytes of user addresses,
 * innermost first. User addresses that a guess led to, or that are no return addresses, are marked
 * (UNWIND_PC_BY_FP, UNWIND_PC_EXACT, unwind_wire.h).
 */
#define WIRE_STACK_MAX 512 /* kernel or user addresses */
#define WIRE_USER_MAX 512 /* user addresses that were walked by tables */
struct wire_stack {
	struct wire_rec head;
	__u32 tid;
	__s16 kern_sz; /* bytes, or -errno of the capture */
	__s16 user_sz;
	/* events since the last sample of this counter: clock ticks, or events of the PMU */
	__u64 period;
	__u16 event; /* index of the event in the session */
	/* enum unwind_end of a walk by tables; 0: the kernel walked frame pointers */
	__u16 user_end;
	__u16 pad[2];
	__u64 addrs[2 * WIRE_STACK_MAX];
};

/* How an event of a session is sampled. The program of a perf event uses only skip_idle. */
struct wire_stack_event {
	__u64 period; /* events per sample; if 0: */
	__u64 interval_ns; /* time per sample: the period is adjusted to the rate */
	/* offset in the record of the u64 that is the event's weight; 0: the weight is 1 */
	__u32 weight_off;
	__u32 skip_idle; /* a clock, or --latency: the idle task is counted, but not sampled */
};

/* Sampling state of one event on one CPU. */
struct wire_stack_count {
	__u64 cnt; /* events since the last sample; if the event is no tracepoint: all events */
	__u64 period, last_ns; /* used with interval_ns */
	__u64 idle; /* the part of cnt that skip_idle skipped */
	__u64 undivided; /* --latency: CPU time that no sample has yet, less than the divisor */
};

/*
 * The definition of a stack's id. It is in a ring before the first record with that id is
 * committed, and may come more than once.
 */
enum wire_stack_id {
	WIRE_STACK_NONE = 0, /* not a single address */
	WIRE_STACK_LOST = 1, /* there was no room for it; counted in struct wire_cpu */
};
struct wire_stack_def {
	/*
	 * tgid and time_ns are set with WIRE_AGG_STACK only: the process of the user addresses, and
	 * when.
	 */
	struct wire_rec head;
	__u64 id; /* a hash of the members below */
	__s16 kern_sz; /* bytes, or -errno of the capture */
	__s16 user_sz;
	__u16 user_end; /* like that of struct wire_stack */
	__u16 pad;
	__u64 addrs[2 * WIRE_STACK_MAX];
};
struct wire_stack_out {
	__u32 pad, lost; /* lost: a struct wire_out begins here */
	struct wire_stack_def def;
};

/* Bits of a task's state (include/linux/sched.h), unchanged since 4.14. */
enum wire_state {
	WIRE_STATE_INTERRUPTIBLE = 0x1,
	WIRE_STATE_UNINTERRUPTIBLE = 0x2,
	WIRE_STATE_STOPPED = 0x4,
	WIRE_STATE_TRACED = 0x8,
	WIRE_STATE_EXIT_DEAD = 0x10,
	WIRE_STATE_EXIT_ZOMBIE = 0x20,
	WIRE_STATE_PARKED = 0x40,
	WIRE_STATE_DEAD = 0x80, /* has left the CPU for the last time */
	WIRE_STATE_NOLOAD = 0x400,
	/* The task ends, and will not come back. */
	WIRE_STATE_ENDS = WIRE_STATE_EXIT_DEAD | WIRE_STATE_EXIT_ZOMBIE | WIRE_STATE_DEAD,
};

/* A kernel without CONFIG_SCHED_INFO does not count. */
#define WIRE_NO_COUNT 0xffffffffffffffffull

/* A thread that is off the CPU. */
struct wire_offcpu_entry {
	__u64 start_ns; /* time when it left */
	__u64 woken_ns; /* 0: not woken yet, or it never slept */
	__u64 stack, waker_stack; /* ids; enum wire_stack_id */
	__u32 tgid;
	__u16 state; /* the kernel's bits below TASK_STATE_MAX; 0: it was still runnable */
	__u16 cpu; /* the CPU it left */
	__u32 waker_tgid, waker_tid;
	/* The kernel's counts when it left: on a CPU, and ready to run (WIRE_NO_COUNT: none). */
	__u64 exec_ns, ready_ns;
};

/*
 * The stack of a thread that was off the CPU before the session was active: this in the upper half
 * of the id, the thread in the lower. Its definition is made by the loader, never sent.
 */
#define WIRE_STACK_BEFORE 0xffffffffull

/*
 * Such a thread, in the output of the iterator. The user's registers have the layout of the
 * kernel's struct pt_regs (arm64: user_pt_regs); the loader follows the user stack.
 */
#define WIRE_REGS_MAX 34
struct wire_before {
	__u32 sz; /* bytes, this head included; a multiple of 8 */
	__u32 tgid, tid;
	__s16 kern_sz; /* bytes, or -errno of the capture */
	__u16 has_regs;
	__u64 regs[WIRE_REGS_MAX];
	__u64 kern[WIRE_STACK_MAX]; /* innermost first */
};

/* The thread is back on a CPU. */
struct wire_offcpu {
	struct wire_rec head;
	__u32 tid;
	__u32 pad;
	__u64 back_ns; /* since when; before the record's time if that switch was not traced */
	struct wire_offcpu_entry away;
};

/*
 * Maximum number of different stacks of a session; bounds the tables of the kernel and of the
 * reader.
 */
#define WIRE_STACKS_MAX 65536

/* The value of a counter when a record was made; all 0: it could not be read. */
struct wire_counter {
	__u64 value;
	__u64 enabled_ns, running_ns;
};
/* Maximum number of counters with records. */
#define WIRE_COUNTERS_MAX 8
/* Replaces thread id 0, which all idle tasks share, to tell them apart: this | CPU. */
#define WIRE_COUNTER_IDLE 0x80000000u
/* Number of tasks that counts are kept for: the tasks that ran last. */
#define WIRE_COUNTER_TASKS 32768

/*
 * The environment of generated code (bpf/patch_point.bpf.h), beside the record; the knob
 * patch_needs says which members are filled in. The generated code writes `key`, `value`,
 * `scratch`, `triggered` (0 before) and `text`.
 */
#define WIRE_SITE_KEYS 24
#define WIRE_SITE_TEXT 1024
enum wire_patch_need {
	WIRE_NEED_COMM = 1, /* comm */
	WIRE_NEED_UID = 2, /* uid */
	WIRE_NEED_CPU = 4, /* cpu */
	WIRE_NEED_TASK = 8, /* tid, tgid; also the entry's common_pid */
	WIRE_NEED_THREAD = 16, /* span.thread */
};

/*
 * The part that pairs of events use (span_wire.h). A start that waits is kept in the layout of the
 * first members: the first two, or (with --each) those up to entry.
 */
#define WIRE_SPAN_ROW 16 /* maximum words of a row's key: the pair, the bucket, fields of --by */
#define WIRE_SPAN_MATCH 5 /* maximum words of the key that joins two events: the pair, fields */
#define WIRE_SPAN_ENTRY 256
struct wire_span {
	__u64 start_ns;
	/* fields of the start, where they lie in the row's key; else 0 */
	__u64 from[WIRE_SPAN_ROW];
	__u64 stack, tgid; /* of the start, with --each -g: its stack, and the process */
	__u64 entry_sz; /* bytes of the start's entry; `entry` has at most the first of them */
	__u8 entry[WIRE_SPAN_ENTRY];
	__u64 row[WIRE_SPAN_ROW]; /* key of the row; written by the end */
	__u64 match[WIRE_SPAN_MATCH];
	__u32 flags; /* enum wire_span_flag */
	__u32 thread; /* WIRE_NEED_THREAD: the kernel's id, or WIRE_COUNTER_IDLE | CPU */
};

/*
 * Durations of one row and bucket on one CPU, of programs on level 0. It ends with the words of the
 * row that the session uses. A cnt of 0: it is free.
 */
struct wire_span_hot {
	__u64 cnt, ns, max_ns;
	__u64 row[WIRE_SPAN_ROW];
};

/* Maximum number of struct wire_span_hot of a CPU: a power of two. */
#define WIRE_SPAN_HOT 4096

/* A start of a pair with WIRE_SPAN_STAYS. The words of a row end it, as in struct wire_span. */
struct wire_span_slot {
	__u64 claimed; /* not 0: it belongs to the key */
	__u64 match[WIRE_SPAN_MATCH];
	__u64 start_ns;
	__u64 from[WIRE_SPAN_ROW];
};

/* Number of slots: a power of two. */
#define WIRE_SPAN_SLOTS 32768

/* The extension of the record of an end, with --each. */
struct wire_span_ext {
	__u64 stack; /* of the end; with -g, like that of all records */
	__u64 start_stack, start_tgid;
	__u64 ns; /* duration */
	__u32 pair;
	__u32 start_sz; /* bytes of the start's entry that are in `start` */
	__u8 start[WIRE_SPAN_ENTRY];
};

struct patch_env {
	char comm[16];
	__u32 cpu, tid, tgid, uid;
	__u64 key[WIRE_SITE_KEYS];
	__s64 value;
	__u64 scratch;
	__u64 is_unsigned; /* value is unsigned */
	__u64 period; /* for WIRE_AGG_PERIOD */
	__u32 triggered; /* the record is one that --trigger waits for */
	__u32 pad;
	__u64 no_value; /* aggregation: records that lack their value, so far */
	__u32 pad2[12];
	char text[WIRE_SITE_TEXT]; /* copy of a text behind a pointer */
	struct wire_span span;
};

/*
 * Aggregation, the knob agg_mode: records are counted instead of being sent. key[0] is the index of
 * the event and key[1] the bucket of the histogram. With WIRE_AGG_BY the rest of `key` completes
 * the key of a hash table; without, the first two are the index of an array.
 */
enum wire_agg_mode {
	WIRE_AGG_ON = 1,
	WIRE_AGG_HIST = 2, /* value: one cell for each power of two */
	WIRE_AGG_SUM = 4, /* value is summed up */
	WIRE_AGG_BY = 8,
	WIRE_AGG_PERIOD =
		/*
		 * excludes all others: a record is sent each time the sum of value reaches `period`
		 */
	16,
	WIRE_AGG_STACK = 32, /* key[WIRE_KEY_STACK] is a stack's id; needs WIRE_AGG_BY */
};
enum wire_agg_key {
	WIRE_KEY_EVENT,
	WIRE_KEY_BUCKET,
	WIRE_KEY_REST,
	WIRE_KEY_STACK = WIRE_KEY_REST
};
/* Buckets: negative, 0, and one from each of 2^0 to 2^63 up. */
#define WIRE_AGG_BUCKETS 66
/* Maximum number of different keys. */
#define WIRE_AGG_KEYS_MAX 16384

/*
 * Maximum number of programs nested on one CPU: one, that of an interrupt in the midst of it, and
 * so on. The record of the first goes to the batch; the record of any other gets a slot of its own
 * and is sent at once.
 */
#define WIRE_LEVELS 4

/* An aggregation cell of one CPU, with one member per level like struct wire_cpu. */
struct wire_cell {
	__u64 cnt[WIRE_LEVELS];
	__s64 sum[WIRE_LEVELS];
};

/* Size from which on a batch is sent in any case. A power of two: a mask bounds the offset. */
#define WIRE_BATCH_SZ 8192

/* A record that is sent alone. */
struct wire_nest {
	__u32 pad, lost; /* lost: a struct wire_out begins here */
	__u8 data[WIRE_REC_MAX];
};

/*
 * All state of one CPU that programs need, in one element of a map that the loader reads by mmap.
 * Programs on one CPU nest strictly (an interrupt ends before the interrupted program goes on) and
 * each level has its own members, so plain loads and stores suffice. Members that levels share are
 * added to atomically.
 *
 * After all records are read, for each CPU: produced* + cnt = delivered + lost_*
 */
struct wire_cpu {
	__u32 watched; /* set by the loader: events on this CPU are wanted */
	__u32 level; /* number of programs at work on this CPU */
	__u32 used, cnt; /* bytes and number of records in the batch */
	__u64 produced[WIRE_LEVELS]; /* records sent or tried, without those still in the batch */
	__u64 lost_full; /* -ENOSPC: ring full */
	__u64 lost_nested; /* too many programs at once on this CPU, or -EBUSY of the helper */
	__u64 lost_no_ring; /* -ENOENT: no ring on this CPU */
	__u64 lost_other;
	__u64 produced_refused; /* records that found no slot: part of lost_nested */
	__u32 lost; /* sum of all losses, for struct wire_out */
	__u32 idle_named; /* set by the loader: --comm matches the name of this CPU's idle task */
	__u64 stacks_refused; /* records with a new stack beyond WIRE_STACKS_MAX */
	__u64 stacks_unsent; /* records with a stack that found no room in the ring */
	__u64 not_counted; /* aggregation: records with a new key beyond the table's room */
	__u64 probing; /* a program of a probe is at work, which may be preempted (probe.bpf.c) */
	struct patch_env env[WIRE_LEVELS];
	/* Level 0 uses the batch, so there is one slot less than levels. */
	struct wire_nest nest[WIRE_LEVELS - 1];
	__u32 batch_pad, batch_lost; /* batch_lost: a struct wire_out begins here */
	/* The last record begins before WIRE_BATCH_SZ. */
	__u8 batch[WIRE_BATCH_SZ + WIRE_REC_MAX];
};

/* Return values of the program flush_batch. */
enum wire_flush {
	WIRE_FLUSHED = 0,
	WIRE_FLUSH_BUSY = 1, /* a program is running on that CPU */
};

/* Watched tasks: one byte per thread id, 64 to a map element; bits of enum wire_task_state. */
#define WIRE_TASKS_PER_ELEM 64
enum wire_task_state {
	WIRE_TASK_IGNORED = 0,
	WIRE_TASK_WATCHED = 1,
	WIRE_TASK_ON_EXEC = 2, /* becomes WATCHED when it calls exec */
	WIRE_TASK_NAMED = 4, /* --comm matches its name */
	WIRE_TASK_ALONE = 8, /* its children are not WATCHED */
};

/* How a program gets from a task to its group in a v1 hierarchy: offsets into kernel structs. */
enum wire_cg_off {
	WIRE_CG_TASK, /* task_struct.cgroups */
	WIRE_CG_SET, /* css_set.subsys[the hierarchy's] */
	WIRE_CG_CSS, /* cgroup_subsys_state.cgroup */
	WIRE_CG_LEVEL, /* cgroup.level */
	WIRE_CG_KN, /* cgroup.kn */
	WIRE_CG_ID, /* kernfs_node.id */
	WIRE_CG_IDS, /* cgroup.ancestor_ids, up to 6.0; else 0 */
	WIRE_CG_ABOVE, /* cgroup.ancestors, from 6.1 on; else 0 */
	WIRE_CG_OFF_CNT,
};

/* Processes that read files for bpfperf at a time, with the one that forks them: READERS_MAX. */
#define WIRE_READERS_MAX 13

struct wire_tasks {
	__u8 state[WIRE_TASKS_PER_ELEM];
};

/* An element of `budgets`: the records of an event on a CPU, once the programs count them. */
#define WIRE_STOPPED (1ull << 63)
struct wire_budget {
	__u64 made; /* records until the event was stopped */
	/*
	 * WIRE_STOPPED if the event is stopped; in the bits below it the number of records not sent
	 */
	__u64 skipped;
};

#define WIRE_MAX_SYSCALLS 1024
#define WIRE_MAX_CPUS 1024

/*
 * The memory behind pointer arguments in a system call's record (6.19): up to three dynamic fields.
 * The kernel reads WIRE_DATA_READ bytes at most; the record gets the first 0 to WIRE_DATA_MAX of
 * them (the knob user_data_sz), and "..." is appended to a longer text.
 */
#define WIRE_DATA_FIELDS 3
#define WIRE_DATA_READ 169
#define WIRE_DATA_MAX 165
/*
 * Each call is described by one word: the number of fields, the indexes of the pointer arguments,
 * and the index of the argument that has the size in bytes, or one of:
 */
#define WIRE_DATA_TEXT 0xfeu /* text, up to a NUL */
#define WIRE_DATA_NONE 0xffu /* unknown size: the field stays empty */
#define WIRE_DATA_CNT(data) ((data)&3)
#define WIRE_DATA_ARG(data, i) ((data) >> (4 + 4 * (i)) & 7)
#define WIRE_DATA_SZ(data) ((data) >> 16 & 0xff)

#endif
