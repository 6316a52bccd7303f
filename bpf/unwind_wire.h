/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Unwind tables as the walker (unwind.bpf.h) and who makes them (src/unwind) know them. Types come
 * from the includer's side. A table is an array of rows, ascending, and one of rules.
 *
 * A row is one 64-bit word, so that rows are compared as they are:
 *
 *     63 ─────────── 24  bytes from the table's base to the first address the row holds for (1 TiB)
 *     23 ──────────── 0  which rule (16,777,216)
 *
 * It holds up to the next row. Rule 0 is always UNWIND_CFA_UNKNOWN: between functions, and what
 * the rules below cannot say. A file has ten thousands of rows and some hundred different rules.
 */
#ifndef BPFPERF_UNWIND_WIRE_H
#define BPFPERF_UNWIND_WIRE_H

#define UNWIND_RULE_BITS 24
#define UNWIND_RULE_MASK ((1ull << UNWIND_RULE_BITS) - 1)
#define UNWIND_SPAN_MAX (1ull << (64 - UNWIND_RULE_BITS))

/* Three registers besides the pc are carried from frame to frame: sp, the frame pointer, and one more. */
enum unwind_cfa {
	UNWIND_CFA_UNKNOWN, /* no rule */
	UNWIND_CFA_SP, /* sp + cfa_off */
	UNWIND_CFA_FP, /* fp + cfa_off */
	UNWIND_CFA_BASE, /* base + cfa_off: x86-64 rbx (the dynamic linker), arm64 x19 */
	UNWIND_CFA_REG, /* register cfa_reg + cfa_off: known in the sample's own frame alone */
	UNWIND_CFA_SP_DEREF, /* *(sp + cfa_off): signal frames of x86-64 */
	UNWIND_CFA_FP_DEREF, /* *(fp + cfa_off): functions that align their stack */
	/* x86-64 procedure linkage: sp + cfa_off, and 8 more from byte cfa_reg of the 16-byte entry on. */
	UNWIND_CFA_PLT,
};

/* The place of the caller's value of a register. */
enum unwind_loc {
	UNWIND_LOC_SAME, /* unchanged; the return address of arm64: in x30 */
	UNWIND_LOC_CFA, /* *(CFA + off) */
	UNWIND_LOC_SP, /* *(sp + off) */
	UNWIND_LOC_FP, /* *(fp + off) */
	UNWIND_LOC_REG, /* in register off: known in the sample's own frame alone */
	UNWIND_LOC_NONE, /* undefined; of the return address: this is the outermost frame */
	UNWIND_LOC_UNKNOWN, /* it exists, and the rules here cannot say where */
};

/* Interrupted, not called: its pc is no return address. */
#define UNWIND_SIGNAL 1

/* Offset of x0 in a signal frame of arm64, from sp; sp and pc follow x30. */
#define UNWIND_ARM64_REGS_OFF (128 + 176 + 8)

struct unwind_rule {
	__u8 cfa, cfa_reg; /* enum unwind_cfa */
	__u8 ra, fp, base; /* enum unwind_loc */
	__u8 flags;
	__u16 spare;
	__s32 cfa_off, ra_off, fp_off, base_off; /* bytes */
};

/* Why a walk ended. */
enum unwind_end {
	UNWIND_GOES_ON,
	UNWIND_OUTERMOST, /* the return address is undefined or 0: the walk is complete */
	/* The others are incomplete. */
	UNWIND_NO_RULE, /* neither a rule nor a frame pointer that could be one */
	UNWIND_REG_GONE, /* the rule needs a register that is not known any more */
	UNWIND_NO_MEMORY, /* a part of the stack could not be read */
	UNWIND_NOT_RISING, /* the caller's frame would not be above this one */
	UNWIND_FULL, /* there are more frames than asked for */
	UNWIND_NOT_YET, /* a table that would have been needed was not made yet */
	UNWIND_END_CNT,
};

/*
 * What the maps of unwind_walk.bpf.h hold. A table is an array of words: how many rows there are,
 * the rows, the rules of three words each. Its rows count from byte 0 of the file, so that a
 * mapping needs to know nothing of the file but where it begins. A file that has no table has one
 * without rows; one whose table is still to be made has none.
 */
#define UNWIND_HEAD_WORDS 1
#define UNWIND_RULE_WORDS 3
#define UNWIND_ROW_STEPS 26 /* rows of a table: 2^26 at most */
#define UNWIND_MAPPING_STEPS 13 /* executable mappings of a process: 2^13 at most */
#define UNWIND_MAPPINGS_MAX ((1u << UNWIND_MAPPING_STEPS) - 1)
#define UNWIND_TABLES_MAX 8192
#define UNWIND_SETS_MAX 4096
#define UNWIND_PROCS_MAX 8192
#define UNWIND_FRAMES_MAX 300
#define UNWIND_REGS_MAX 32 /* registers by DWARF number: arm64's x0 to x30; a power of two */

/* A pc that a frame pointer led to, for want of a rule. No user address has this bit. */
#define UNWIND_PC_BY_FP (1ull << 63)
/* One that is no return address: what was interrupted, a handler's trampoline. No user address has this bit. */
#define UNWIND_PC_EXACT (1ull << 62)

/* How user stacks are taken. */
enum unwind_mode {
	UNWIND_KERNEL, /* by the kernel, along frame pointers */
	UNWIND_AUTO, /* by tables; along frame pointers where there is none */
	UNWIND_TABLES, /* by tables alone */
};

/* Executable memory of a process. */
struct unwind_mapping {
	__u64 start, end;
	__u64 base; /* where byte 0 of the file would be */
	__u32 table; /* an index; 0: code of no file */
	__u32 spare;
};

/* In place of a self_exec_id: of whatever program it runs when it is first looked for. */
#define UNWIND_ANY_EXEC (~0ull)

/* A process, and which set of mappings it has. One set may be of several: that of a fork is its parent's. */
struct unwind_proc {
	__u64 exec_id; /* task_struct.self_exec_id when that was so: another program, other mappings */
	__u64 read_ns; /* and when that was: CLOCK_MONOTONIC */
	__u64 asked_ns,
		gap_ns; /* when more was last asked for; not sooner again than after gap_ns */
	__u32 set; /* an index; 0: not known yet */
	__u32 spare;
};

/* The table that a walk lacked, sent to the unwinder's thread. */
struct unwind_ask {
	__u64 exec_id;
	__u64 pc; /* it is there that the walk needed it */
	__u32 tgid;
	__u32 table; /* of the mapping of pc; 0: pc is in none that is known */
};

/* Counts of walks: by enum unwind_end, then: */
enum unwind_count {
	UNWIND_CNT_FRAMES = UNWIND_END_CNT,
	UNWIND_CNT_FRAMES_BY_FP, /* of these */
	UNWIND_CNT_NO_PROC, /* walks of a process of which nothing was known yet: all by frame pointers */
	UNWIND_CNT_ASK_LOST, /* there was no room to ask */
	UNWIND_COUNTS,
};

struct unwind_regs {
	__u64 pc, sp, fp, base;
	__u64 lr; /* arm64 x30 */
	__u8 has_fp, has_base, has_lr;
	__u8 is_sample; /* nothing has been unwound yet: all registers can be had */
	__u8 is_exact; /* pc was interrupted there; otherwise it is where a call returns to */
	__u8 by_fp; /* this frame was reached by a frame pointer, for want of a rule */
	__u16 spare;
};

/* A walk, and what it came to. */
struct unwind_state {
	struct unwind_regs regs;
	__u64 sample[UNWIND_REGS_MAX];
	__u64 raw[34]; /* struct pt_regs as the kernel has it */
	/* Whose stack. */
	__u64 exec_id;
	__u64 lacking_pc;
	__u32 tgid, set;
	__u32 lacking; /* nothing was found for lacking_pc, for want of what may come; then: */
	__u32 lacking_table; /* as struct unwind_ask's */
	__u32 max; /* frames */
	/* The search for a rule. */
	__u32 key; /* of this state */
	__u64 find_pc;
	__u32 low, high;
	struct unwind_mapping mapping;
	struct unwind_rule rule;

	__u32 cnt; /* of pcs */
	__u32 by_fp; /* how many of them were reached by a frame pointer */
	__u32 end; /* enum unwind_end */
	__u32 spare;
	__u64 pcs[UNWIND_FRAMES_MAX];
};

#endif
