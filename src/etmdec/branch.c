// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Branches from the elements of a trace: ranges of instructions, exceptions, places where the trace
 * is off. A range ends with a branch, and its target is where the next one begins.
 */
#include <string.h>

#include "etmdec/flow_priv.h"

/* Numbers of exceptions in ETMv4 and ETE (Arm ETM architecture specification). */
enum {
	EXC_RESET = 0,
	EXC_DEBUG_HALT = 1,
	EXC_CALL = 2,
	EXC_SYSTEM_ERROR = 4,
	EXC_INST_DEBUG = 6,
	EXC_DATA_DEBUG = 7,
	EXC_IRQ = 14,
	EXC_FIQ = 15,
};

static void put_branch(struct etm_flow *f, const struct etm_unit *u, const struct etm_last *last,
		       uint64_t to, uint32_t flags)
{
	struct itrace_item *item;

	if (!itrace__wants_branch(f->head->want, flags))
		return;
	item = etm_flow__item(f, u, ITRACE_BRANCH, last ? last->ip : 0);
	item->to = to;
	item->flags = (uint16_t)(flags | ITRACE_FLAG_BRANCH);
	item->is_kernel = (last ? last->ip : to) >> 63;
	if (!last || !last->len)
		return;
	item->insn_len = last->len;
	memcpy(item->insn, last->bytes, last->len);
}

/* Is the last instruction a call of the kernel: SVC of A64, A32 or T32? */
static bool is_svc(const struct etm_last *last)
{
	uint32_t insn = 0;

	memcpy(&insn, last->bytes, sizeof(insn));
	switch (last->isa) {
	case ocsd_isa_aarch64:
		return last->len == 4 && (insn & 0xffe0001f) == 0xd4000001;
	case ocsd_isa_arm:
		return last->len == 4 && (insn & 0x0f000000) == 0x0f000000 && insn >> 28 != 0xf;
	case ocsd_isa_thumb2:
		return last->len == 2 && (insn & 0xff00) == 0xdf00;
	default:
		return false;
	}
}

static uint32_t flags_of(const ocsd_generic_trace_elem *elem)
{
	if (elem->last_i_type == OCSD_INSTR_BR && elem->last_i_subtype == OCSD_S_INSTR_NONE)
		return elem->last_instr_cond ? ITRACE_FLAG_CONDITIONAL : 0;
	if (elem->last_i_type != OCSD_INSTR_BR && elem->last_i_type != OCSD_INSTR_BR_INDIRECT)
		return 0;
	if (elem->last_i_subtype == OCSD_S_INSTR_BR_LINK)
		return ITRACE_FLAG_CALL;
	/* Without link, mostly a return: perf's rule. */
	return elem->last_i_type == OCSD_INSTR_BR_INDIRECT &&
			       elem->last_i_subtype != OCSD_S_INSTR_V8_ERET
		       ? ITRACE_FLAG_RETURN
		       : 0;
}

static uint32_t flags_of_exception(uint32_t nr, const struct etm_last *last)
{
	switch (nr) {
	case EXC_CALL:
		return is_svc(last) ? ITRACE_FLAG_CALL | ITRACE_FLAG_SYSCALL
				    : ITRACE_FLAG_CALL | ITRACE_FLAG_INTERRUPT;
	case EXC_RESET:
	case EXC_DEBUG_HALT:
	case EXC_SYSTEM_ERROR:
	case EXC_INST_DEBUG:
	case EXC_DATA_DEBUG:
	case EXC_IRQ:
	case EXC_FIQ:
		return ITRACE_FLAG_CALL | ITRACE_FLAG_ASYNC | ITRACE_FLAG_INTERRUPT;
	default:
		return ITRACE_FLAG_CALL | ITRACE_FLAG_INTERRUPT;
	}
}

static void read_last(struct etm_flow *f, struct etm_unit *u, const ocsd_generic_trace_elem *elem,
		      struct etm_last *last)
{
	const uint32_t sz = elem->last_instr_sz <= sizeof(last->bytes) ? elem->last_instr_sz : 0;

	*last = (struct etm_last){
		.ip = elem->en_addr - sz,
		.flags = flags_of(elem),
		.isa = elem->isa,
		.is_taken = elem->last_instr_exec && (elem->last_i_type == OCSD_INSTR_BR ||
						      elem->last_i_type == OCSD_INSTR_BR_INDIRECT),
	};
	last->len = etm_flow__read(f, u, last->ip, last->bytes, sz) == sz ? (uint8_t)sz : 0;
}

/* Does the instruction before this address call the kernel, as where a system call returns to? */
static bool follows_svc(struct etm_flow *f, struct etm_unit *u, uint64_t addr, ocsd_isa isa)
{
	struct etm_last before = { .isa = isa, .len = isa == ocsd_isa_thumb2 ? 2 : 4 };

	return etm_flow__read(f, u, addr - before.len, before.bytes, before.len) == before.len &&
	       is_svc(&before);
}

/* The branch to where the trace goes on, if it was taken. */
static void branch_to(struct etm_flow *f, struct etm_unit *u, uint64_t to, ocsd_isa isa)
{
	const uint32_t ret = ITRACE_FLAG_RETURN | ITRACE_FLAG_INTERRUPT;

	if (u->before == ETM_OFF)
		put_branch(f, u, NULL, to, ITRACE_FLAG_BEGIN);
	if (u->before != ETM_RANGE || !u->last.is_taken)
		return;
	if (u->last.flags == ret && follows_svc(f, u, to, isa))
		u->last.flags = ITRACE_FLAG_RETURN | ITRACE_FLAG_SYSCALL;
	put_branch(f, u, &u->last, to, u->last.flags);
}

static void on_range(struct etm_flow *f, struct etm_unit *u, uint64_t at,
		     const ocsd_generic_trace_elem *elem)
{
	struct etm_last last;

	etm_flow__found(f, u, at);
	branch_to(f, u, elem->st_addr, elem->isa);
	read_last(f, u, elem, &last);
	if (f->head->want & 1u << ITRACE_INSN)
		etm_sample__range(f, u, elem, &last);
	u->before = ETM_RANGE;
	u->last = last;
	u->has_overflow = false;
}

/* The trace is off, or bytes are missing. */
static void end_run(struct etm_flow *f, struct etm_unit *u)
{
	if (u->before == ETM_RANGE)
		put_branch(f, u, &u->last, 0, u->last.flags | ITRACE_FLAG_END);
	u->before = ETM_OFF;
}

/* Bytes up to the next synchronization are not decoded. */
static void on_unsynced(struct etm_flow *f, struct etm_unit *u, uint64_t at, unsync_info_t why)
{
	end_run(f, u);
	if (why == UNSYNC_OVERFLOW && !u->has_overflow) {
		etm_flow__gap(f, u, ITRACE_GAP_OVERFLOW, 0, 0);
		u->has_overflow = true;
	} else if (why != UNSYNC_OVERFLOW && why != UNSYNC_DISCARD && why != UNSYNC_EOT) {
		etm_flow__lose(u, ITRACE_GAP_DAMAGE, at, 0);
	}
}

static void on_trace_on(struct etm_flow *f, struct etm_unit *u, const ocsd_generic_trace_elem *elem)
{
	etm_flow__found(f, u, u->synced_at);
	end_run(f, u);
	if (elem->trace_on_reason == TRACE_ON_OVERFLOW && !u->has_overflow)
		etm_flow__gap(f, u, ITRACE_GAP_OVERFLOW, 0, 0);
	u->has_overflow = false;
}

void etm_branch__element(struct etm_flow *f, struct etm_unit *u, uint64_t at,
			 const ocsd_generic_trace_elem *elem)
{
	switch (elem->elem_type) {
	case OCSD_GEN_TRC_ELEM_NO_SYNC:
		on_unsynced(f, u, at, elem->unsync_eot_info);
		break;
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
		on_trace_on(f, u, elem);
		break;
	case OCSD_GEN_TRC_ELEM_EO_TRACE:
		end_run(f, u);
		break;
	case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
		on_range(f, u, at, elem);
		break;
	case OCSD_GEN_TRC_ELEM_ADDR_NACC:
		branch_to(f, u, elem->st_addr, elem->isa);
		u->before = ETM_UNKNOWN;
		etm_flow__lose(u, ITRACE_GAP_NO_CODE, at, elem->st_addr);
		break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION:
		u->last.flags = flags_of_exception(elem->exception_number, &u->last);
		u->last.is_taken = true;
		break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION_RET:
		u->last.flags = ITRACE_FLAG_RETURN | ITRACE_FLAG_INTERRUPT;
		u->last.is_taken = true;
		break;
	default:
		break;
	}
}
