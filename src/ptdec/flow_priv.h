/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Between flow.c, which follows the packets, and emit.c, which makes items. */
#ifndef BPFPERF_PTDEC_FLOW_PRIV_H
#define BPFPERF_PTDEC_FLOW_PRIV_H

#include <intel-pt.h>

#include "ptdec/flow.h"
#include "ptdec/walk_time.h"

/* Blocks between two packets of control flow: direct jumps and calls join them. */
#define FLOW_RUN_MAX 256
/*
 * Blocks and instructions between two looks at whether packets are used up. One packet has up to 47
 * branches, and straight code between them.
 */
#define FLOW_STILL_BLOCKS 10000
#define FLOW_STILL_INSNS 2000000
/* Slots of the cache of last instructions, by address. */
#define FLOW_LAST_CNT 8192

/* The last instruction of a block. */
struct flow_last {
	uint64_t ip;
	uint32_t flags; /* enum itrace_flag */
	int isid;
	uint8_t len; /* 0: unknown */
	bool needs_packet; /* what follows it comes from the trace, not from the code */
	uint8_t bytes[15];
};

struct flow_block {
	uint64_t ip, end_ip, time_ns;
	struct flow_last last;
	uint32_t insn_cnt;
	int isid;
	bool is_64, in_tx;
};

/* Return addresses that the processor keeps, to make a bit of each return. */
#define WALK_RETURNS 64

/* The place that walk.c has come to. */
struct walk {
	size_t next, end; /* offsets of the next packet and of the chunk's end */
	uint64_t ip, last_ip; /* last_ip: of the packets */
	uint64_t fup; /* where an event happens that the next packet tells of */
	bool is_on, has_fup;
	bool in_psb; /* between PSB, which is at psb_at, and PSBEND */
	size_t psb_at;
	uint64_t psb_cbr; /* between them; 0: none */
	bool is_place; /* the next FUP tells nothing of the flow */
	bool lacks_calls; /* the processor keeps return addresses of calls in unknown code, too */
	uint32_t return_cnt, top;
	uint64_t returns[WALK_RETURNS];
	struct walk_time time;
};

struct code;
struct code_block;

struct flow {
	struct job *job;
	struct answer *answer;
	const struct itrace_job *head;
	const struct itrace_queue *queue;
	struct pt_block_decoder *decoder;
	uint8_t *buf; /* the bytes of the chunk */
	size_t buf_sz;
	uint64_t tsc, time_ns; /* of the last timing packet */
	/* The thread that runs. */
	int32_t pid, tid;
	uint32_t next_switch; /* index in the queue's; those before it were applied */
	uint32_t space; /* of its code; UINT32_MAX: none yet */
	struct code *code;
	struct walk walk;
	bool has_items; /* other than gaps are wanted */
	bool is_aborted; /* a transaction: the next event is the branch of that */
	bool may_switch; /* the thread is not in the middle of its own code */
	/* Code since the last packet of control flow: the next one proves that it ran. */
	struct flow_block run[FLOW_RUN_MAX];
	size_t run_cnt;
	struct flow_block prev; /* the last proven block */
	bool has_prev; /* it ran to its end, and what follows it in the code is next */
	uint64_t insn_cnt; /* instructions since the last sample */
	uint64_t next_ns; /* ITRACE_EACH_NS and _TICK: the next sample is due; 0: no time yet */
	uint64_t decoded_sz, skipped_sz, synced_at;
	uint64_t told_at; /* PSBs before this offset are told */
	/* Since the last look at whether packets are used up, which was at this offset. */
	uint64_t still_at;
	uint32_t still_blocks, still_insns;
	struct flow_last last[FLOW_LAST_CNT];
};

static inline bool flow__is_kernel(uint64_t ip)
{
	return ip >> 63;
}

/* flow.c */
/* The code at this address of a block's section, which is the kernel's without one. */
const uint8_t *flow__code(const struct flow *f, int isid, uint64_t ip, size_t *sz);
void flow__set_time(struct flow *f, uint64_t tsc);
/* The thread that runs now, and its code. 0 or -ENOMEM. */
int flow__update_thread(struct flow *f);
/*
 * Finds where the processor was when it wrote the PSB at p. false: tracing was off, or it is
 * damaged.
 */
bool flow__find_next_ip(const uint8_t *p, size_t sz, uint64_t *ip);
/* The trace ends at the last proven block, which branches to `to`, or 0. */
void flow__disabled(struct flow *f, uint64_t to);
/* Something happens before the instruction at `from`, up to which all is proven. */
void flow__async(struct flow *f, uint64_t from, uint64_t to, uint32_t flags);
/* Packets were lost; ip: where the processor was then, or 0 if it was not traced. */
void flow__overflow(struct flow *f, uint64_t ip);
/* sz bytes are skipped. */
void flow__lose(struct flow *f, enum itrace_gap gap, uint64_t ip, uint64_t sz);

/* An item at this address, now. */
struct itrace_item *flow__item(struct flow *f, enum itrace_kind kind, uint64_t ip);
/* A branch, if it is wanted. */
void flow__branch(struct flow *f, const struct flow_last *last, uint64_t from, uint64_t to,
		  uint32_t flags);
/* The branch at the end of the last proven block, which went to `to`, unless it was not taken. */
void flow__branch_to(struct flow *f, uint64_t to);
/* Adds a block to the run; makes items of the run before it, if this block proves it. */
void flow__add_block(struct flow *f, const struct pt_block *block);
/* Adds a block that is not proven. */
void flow__add_code(struct flow *f, const struct code_block *block);
/*
 * Makes items of the run, and of this block up to the instruction at ip. false: it has no such.
 */
bool flow__commit_part(struct flow *f, const struct code_block *block, uint64_t ip);
/* Makes items of the run: it was proven. */
void flow__commit(struct flow *f);
/* Makes items of the run, if a packet has proven it: that of its last branch. */
void flow__commit_proven(struct flow *f);
/* Makes items of the run up to the instruction at ip, which the next chunk begins with. */
void flow__commit_up_to(struct flow *f, uint64_t ip);
/* Makes a sample of the instructions since the last one of ITRACE_EACH_INSN, at a chunk's end. */
void flow__end_samples(struct flow *f);
void flow__gap(struct flow *f, enum itrace_gap gap, uint64_t ip, uint64_t sz);

#endif
