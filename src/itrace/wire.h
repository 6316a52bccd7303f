/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Layouts that bpfperf shares with bpfperf-itrace and bpfperf-etm. bpfperf writes a job: struct
 * itrace_job, then the arrays that it counts, in the order of its members. Each of the helper's
 * processes takes every n-th chunk, and answers each chunk with frames of items in memory that it
 * shares with bpfperf. Both sides are of one build and one machine: all is in its byte order, and
 * aligned to 8 bytes.
 */
#ifndef BPFPERF_ITRACE_WIRE_H
#define BPFPERF_ITRACE_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#define ITRACE_MAGIC 0x37304349 /* changes with the layouts */

/*
 * Descriptors of the helper: the socket on which the two wake each other, the ring of its answers,
 * the job, the recording, the images.
 */
#define ITRACE_WAKE_FD 3
#define ITRACE_RING_FD 4
#define ITRACE_JOB_FD 5
#define ITRACE_DATA_FD 6
#define ITRACE_IMAGE_FD 7

/* The helper's exit status before it decodes anything: it cannot read its job, or be confined. */
#define ITRACE_CANNOT_START 3
/* Likewise: it is of another version of bpfperf than its last argument. */
#define ITRACE_OTHER_VERSION 4

/* Items of a frame, at most. */
#define ITRACE_FRAME_MAX 1024

/* Kinds of items, and bits of itrace_job.want by 1 << kind. */
enum itrace_kind {
	ITRACE_INSN, /* a sample of instructions */
	ITRACE_BRANCH,
	ITRACE_CALL, /* as bits alone: the branches that call or end a trace … */
	ITRACE_RETURN, /* … and those that return or begin one */
	ITRACE_PTWRITE,
	/* Power events: the core:bus ratio, and those of sleep. */
	ITRACE_CBR,
	ITRACE_MWAIT,
	ITRACE_PWRE,
	ITRACE_EXSTOP,
	ITRACE_PWRX,
	ITRACE_PSB, /* a synchronization point */
	ITRACE_TRANSACTION, /* one begins, ends, or is aborted, by its flags */
	ITRACE_ERROR, /* a gap; always answered */
	ITRACE_KIND_CNT,
};

/* Bits of perf's letter p. */
#define ITRACE_POWER                                                                               \
	(1u << ITRACE_CBR | 1u << ITRACE_MWAIT | 1u << ITRACE_PWRE | 1u << ITRACE_EXSTOP |         \
	 1u << ITRACE_PWRX | 1u << ITRACE_PSB)

/* The trace unit. */
enum itrace_unit {
	ITRACE_UNIT_PT, /* Intel PT: bpfperf-itrace */
	ITRACE_UNIT_ETM, /* CoreSight: bpfperf-etm */
	ITRACE_UNIT_CNT,
};

/* How itrace_job.period counts. */
enum itrace_period {
	ITRACE_EACH_INSN, /* instructions */
	ITRACE_EACH_NS,
	ITRACE_EACH_TICK, /* of the TSC */
};

/* Why items are missing. */
enum itrace_gap {
	ITRACE_GAP_OVERFLOW, /* the processor dropped packets */
	ITRACE_GAP_NO_CODE, /* the bytes of the code are not known */
	ITRACE_GAP_DAMAGE, /* packets that are none, or do not fit the code */
	ITRACE_GAP_CRASH, /* the helper ended */
	ITRACE_GAP_PACKET, /* a packet that libipt does not know, of a newer processor */
	ITRACE_GAP_LOST, /* bytes were lost while recording: they are not in the recording */
	ITRACE_GAP_UNIT, /* bytes of a trace unit that the recording does not describe */
	ITRACE_GAP_CNT,
};

/* Bits of itrace_item.flags, in the order of perf's (tools/perf/util/event.h). */
enum itrace_flag {
	ITRACE_FLAG_BRANCH = 1 << 0,
	ITRACE_FLAG_CALL = 1 << 1,
	ITRACE_FLAG_RETURN = 1 << 2,
	ITRACE_FLAG_CONDITIONAL = 1 << 3,
	ITRACE_FLAG_SYSCALL = 1 << 4,
	ITRACE_FLAG_ASYNC = 1 << 5,
	ITRACE_FLAG_INTERRUPT = 1 << 6,
	ITRACE_FLAG_TX_ABORT = 1 << 7,
	ITRACE_FLAG_BEGIN = 1 << 8,
	ITRACE_FLAG_END = 1 << 9,
	ITRACE_FLAG_IN_TX = 1 << 10,
	ITRACE_FLAG_VMENTRY = 1 << 11,
};

struct itrace_job {
	uint32_t magic, want;
	uint64_t period;
	uint32_t period_kind; /* enum itrace_period */
	uint32_t time_mult;
	uint64_t time_zero;
	uint16_t time_shift, family;
	uint8_t model, stepping, mtc_freq, nom_freq; /* family 0: unknown processor */
	uint32_t ctc_ratio_n, ctc_ratio_d; /* TSC : core crystal clock */
	uint64_t ring_sz; /* bytes of itrace_ring.bytes; at least two of the largest frames */
	uint32_t image_cnt, section_cnt, space_cnt, switch_cnt, queue_cnt, piece_cnt, chunk_cnt;
	uint32_t
		is_snapshot; /* for bpfperf: the newest bytes of each area, once or several times */
	uint32_t unit; /* enum itrace_unit */
	uint32_t etm_cnt, thread_cnt;
	uint32_t has_ns; /* CoreSight: its timestamps are times, by time_mult and so on */
	uint32_t poke_cnt;
};

/* The time of a TSC, by perf_event_mmap_page (perf_event_open(2)). */
static inline uint64_t itrace_job__ns(const struct itrace_job *h, uint64_t tsc)
{
	uint64_t quot = tsc >> h->time_shift, rem = tsc & ((1ull << h->time_shift) - 1);

	if (!h->time_mult)
		return tsc;
	return h->time_zero + quot * h->time_mult + ((rem * h->time_mult) >> h->time_shift);
}

/* Is a branch of these flags wanted, for itself, or as perf takes calls (c) and returns (r)? */
static inline bool itrace__wants_branch(uint32_t want, uint32_t flags)
{
	const uint32_t calls = ITRACE_FLAG_CALL | ITRACE_FLAG_ASYNC | ITRACE_FLAG_END;
	const uint32_t returns = ITRACE_FLAG_RETURN | ITRACE_FLAG_BEGIN;

	return want & 1u << ITRACE_BRANCH || (want & 1u << ITRACE_CALL && flags & calls) ||
	       (want & 1u << ITRACE_RETURN && flags & returns);
}

/* A range of an image's file that is mapped as code. */
struct itrace_section {
	uint64_t off, sz, vaddr;
	uint32_t image;
	uint32_t space; /* index; UINT32_MAX: the kernel, in all */
};

/* An address space from a time on; spaces are in order of pid, then of time. */
struct itrace_space {
	uint64_t from_ns;
	int32_t pid;
	uint32_t unused;
};

/*
 * A thread that a queue's CPU switches to; those of a CPU are adjacent, in order of time, and its
 * queues share them.
 */
struct itrace_switch {
	uint64_t time_ns;
	int32_t pid, tid;
};

/* One CPU's AUX area, or one thread's: then it has no switches. */
struct itrace_queue {
	int32_t pid, tid, cpu;
	uint32_t first_switch, switch_cnt, unused;
};

/* Bytes of the recording; pieces of one stream are adjacent. */
struct itrace_piece {
	uint64_t off, sz;
};

/* A part of a stream that begins with a PSB, but for the first; chunks are in order of time. */
struct itrace_chunk {
	uint64_t start_ns, end_ns; /* UINT64_MAX: no end is known */
	uint64_t skip; /* bytes of the first piece before it */
	uint64_t sz;
	uint64_t aux_off; /* position in the AUX area's stream, for messages */
	uint64_t lost_sz; /* bytes that are missing before it; 0: none, or unknown */
	uint32_t tail_sz; /* bytes of the next chunk, if it follows without a gap */
	uint32_t first_piece, queue;
	/* CoreSight: the bytes of one trace unit, without frames; then `cpu` is its CPU, or -1. */
	uint32_t is_raw;
	int32_t cpu;
	uint32_t unused;
};

/* The trace unit of a CPU, from which frames have bytes under its id: CoreSight's registers. */
struct itrace_etm {
	int32_t cpu;
	uint32_t is_ete, trace_id;
	uint32_t idr0, idr1, idr2, idr8, configr, devarch;
	uint32_t unused;
};

/* The process of a thread, as its context id in the trace is a tid. */
struct itrace_thread {
	int32_t tid, pid;
};

/* Bytes of one poke, at most. */
#define ITRACE_POKE_SZ 16

/* A change of the kernel's code; pokes are in order of time. */
struct itrace_poke {
	uint64_t time_ns, addr;
	uint8_t before_sz, after_sz; /* 0: no code was there before, or is there afterwards */
	uint8_t before[ITRACE_POKE_SZ], after[ITRACE_POKE_SZ];
	uint8_t unused[6];
};

/* Before each row of items. */
struct itrace_frame {
	uint32_t chunk, cnt;
	uint32_t is_last; /* of its chunk: the next three are set */
	uint32_t unused;
	uint64_t decoded_sz, skipped_sz; /* bytes */
	uint64_t insn_cnt; /* instructions since the last sample */
};

struct itrace_item {
	uint64_t time_ns;
	uint64_t ip; /* a branch's source */
	/*
	 * a branch's target; CBR: the ratio; PSB: its offset in the chunk, for bpfperf in the AUX
	 * area's stream; PTWRITE and power events: the packet's payload
	 */
	uint64_t to;
	/*
	 * INSN: instructions since the last sample: at a chunk's end fewer than itrace_job.period
	 * of ITRACE_EACH_INSN; ERROR: bytes that were skipped, or lost while recording (0:
	 * unknown); PTWRITE and EXSTOP: 1 if the packet says at which instruction
	 */
	uint64_t period;
	int32_t pid, tid;
	uint16_t flags; /* enum itrace_flag */
	uint16_t cpu; /* 1 + the CPU, where that of its queue may be another; 0: the queue's */
	uint8_t kind; /* enum itrace_kind */
	uint8_t gap; /* enum itrace_gap */
	uint8_t is_kernel; /* ip */
	uint8_t insn_len; /* of the instruction at ip; 0: unknown */
	uint8_t insn[16];
};

#define ITRACE_FRAME_MAX_SZ                                                                        \
	(sizeof(struct itrace_frame) + ITRACE_FRAME_MAX * sizeof(struct itrace_item))

/*
 * The ring of one process. A frame lies in one piece, at itrace_ring__place() behind the last one.
 * Positions count all bytes since the begin. All words are read and written atomically.
 */
struct itrace_ring {
	/* By the helper. It sleeps until `taken` is wants_taken (0: it does not sleep). */
	_Alignas(64) uint64_t written;
	uint64_t wants_taken;
	/* By bpfperf. */
	_Alignas(64) uint64_t taken;
	uint32_t reader_sleeps;
	_Alignas(64) uint8_t bytes[];
};

/* The begin of a frame that is to lie at this position or behind it: there the largest one fits. */
static inline uint64_t itrace_ring__place(uint64_t pos, uint64_t ring_sz)
{
	const uint64_t left = ring_sz - pos % ring_sz;

	return left < ITRACE_FRAME_MAX_SZ ? pos + left : pos;
}

#endif
