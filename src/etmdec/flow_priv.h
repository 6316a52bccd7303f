/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Between flow.c, which feeds the bytes, and the two that make items: branch.c of the elements of
 * flow, and sample.c of the instructions in a range.
 */
#ifndef BPFPERF_ETMDEC_FLOW_PRIV_H
#define BPFPERF_ETMDEC_FLOW_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "etmdec/flow.h"
#include "etmdec/tree.h"

/* The last instruction of a range. */
struct etm_last {
	uint64_t ip;
	uint32_t flags; /* enum itrace_flag */
	uint8_t len; /* 0: unknown */
	uint8_t bytes[4];
	ocsd_isa isa;
	bool is_taken; /* the next range is where it went */
};

/* One trace unit: what it traced last. */
struct etm_unit {
	const struct itrace_etm *etm; /* NULL: not met yet in this chunk */
	int32_t pid, tid;
	uint32_t space; /* job__space() */
	int isid; /* the section that was last read; 0: none */
	enum etm_before {
		ETM_UNKNOWN, /* nothing, or code that is not known */
		ETM_OFF, /* the trace was off */
		ETM_RANGE, /* `last` */
	} before;
	struct etm_last last;
	uint64_t synced_at; /* offset of the last packet that synchronizes */
	bool is_synced; /* that packet has come since bytes were lost */
	/* Bytes from `lost_at` on are not decoded, until the next range. */
	bool is_lost;
	enum itrace_gap lost_as;
	uint64_t lost_at, lost_ip;
	bool has_overflow; /* it was reported: the next begin of the trace is the end of it */
};

struct etm_flow {
	struct job *job;
	struct answer *answer;
	const struct itrace_job *head;
	const struct itrace_queue *queue;
	struct tree *tree;
	struct tree_calls calls;
	uint8_t *buf; /* the bytes of the chunk */
	size_t buf_sz;
	uint64_t time_ns, tick; /* of the last timestamp */
	uint64_t insn_cnt; /* instructions since the last sample */
	uint64_t next_at; /* ITRACE_EACH_NS and _TICK: the next sample is due; 0: no time yet */
	uint64_t skipped_sz, skipped_to; /* skipped_to: an offset up to which bytes are counted */
	uint64_t sz; /* of the chunk */
	struct etm_unit units[TREE_IDS];
};

/* flow.c: an item of this unit, now. */
struct itrace_item *etm_flow__item(struct etm_flow *f, const struct etm_unit *u,
				   enum itrace_kind kind, uint64_t ip);
/* The bytes at an address of the unit's thread. Returns their number, at most sz. */
uint32_t etm_flow__read(const struct etm_flow *f, struct etm_unit *u, uint64_t addr, uint8_t *buf,
			uint32_t sz);
/* Bytes from this offset on are not decoded: the cause that is already known counts. */
void etm_flow__lose(struct etm_unit *u, enum itrace_gap gap, uint64_t at, uint64_t ip);
/* Ends what etm_flow__lose() began. */
void etm_flow__found(struct etm_flow *f, struct etm_unit *u, uint64_t at);
void etm_flow__gap(struct etm_flow *f, const struct etm_unit *u, enum itrace_gap gap, uint64_t ip,
		   uint64_t sz);

/* branch.c: an element at this offset. */
void etm_branch__element(struct etm_flow *f, struct etm_unit *u, uint64_t at,
			 const ocsd_generic_trace_elem *elem);

/* sample.c: counts the instructions of a range, and makes samples of them. */
void etm_sample__range(struct etm_flow *f, struct etm_unit *u, const ocsd_generic_trace_elem *elem,
		       const struct etm_last *last);
/* A sample of the instructions since the last one of ITRACE_EACH_INSN, at a chunk's end. */
void etm_sample__end(struct etm_flow *f, const struct etm_unit *u);

#endif
