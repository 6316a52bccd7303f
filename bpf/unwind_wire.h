/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The layout of unwind tables, shared by the walker (unwind.bpf.h) and the builder (src/unwind).
 * The including side defines the types. A table is an array of rows, ascending, and one of rules.
 *
 * A row is one 64-bit word, so that rows compare as integers:
 *
 *     63 ─────────── 24  bytes from the table's base to the first address the row holds for (1 TiB)
 *     23 ──────────── 0  index of the rule (16,777,216)
 *
 * It is valid up to the next row. Rule 0 is always UNWIND_CFA_UNKNOWN: for addresses between
 * functions, and for frames that the rules below cannot describe. A file has tens of thousands of
 * rows and some hundred different rules.
 */
#ifndef BPFPERF_UNWIND_WIRE_H
#define BPFPERF_UNWIND_WIRE_H

#define UNWIND_RULE_BITS 24
#define UNWIND_RULE_MASK ((1ull << UNWIND_RULE_BITS) - 1)
/*
 * In place of the index of a rule: as if no row began here, so that an address in the midst of a
 * table can be one without a table. No table has so many rules.
 */
#define UNWIND_NO_RULE_HERE UNWIND_RULE_MASK
#define UNWIND_SPAN_MAX (1ull << (64 - UNWIND_RULE_BITS))

/*
 * Besides the pc three registers are carried from frame to frame: sp, the frame pointer, and one
 * base register.
 */
enum unwind_cfa {
	UNWIND_CFA_UNKNOWN, /* no rule */
	UNWIND_CFA_SP, /* sp + cfa_off */
	UNWIND_CFA_FP, /* fp + cfa_off */
	/* base + cfa_off; base: rbx of x86-64 (the dynamic linker), x19 of arm64 */
	UNWIND_CFA_BASE,
	UNWIND_CFA_REG, /* register cfa_reg + cfa_off: known only in the sample's own frame */
	UNWIND_CFA_SP_DEREF, /* *(sp + cfa_off): signal frames of x86-64 */
	UNWIND_CFA_FP_DEREF, /* *(fp + cfa_off): functions that align their stack */
	/*
	 * x86-64 procedure linkage: sp + cfa_off, and 8 more from byte cfa_reg of the 16-byte entry
	 * on.
	 */
	UNWIND_CFA_PLT,
};

/* Location of the caller's value of a register. */
enum unwind_loc {
	UNWIND_LOC_SAME, /* unchanged; as the return address of arm64: in x30 */
	UNWIND_LOC_CFA, /* *(CFA + off) */
	UNWIND_LOC_SP, /* *(sp + off) */
	UNWIND_LOC_FP, /* *(fp + off) */
	UNWIND_LOC_REG, /* in register off: known only in the sample's own frame */
	UNWIND_LOC_NONE, /* undefined; as the return address: this is the outermost frame */
	UNWIND_LOC_UNKNOWN, /* it exists, but the rules cannot describe the location */
};

/* The frame was interrupted and made no call: its pc is no return address. */
#define UNWIND_SIGNAL 1
/*
 * x86-64: behind the system call that makes a thread, out of which two threads come. The rule is
 * the caller's; the new thread, in which the call returns 0, has nothing on its stack.
 */
#define UNWIND_CLONE 2

/* Offset of x0 in a signal frame of arm64, from sp; sp and pc follow x30. */
#define UNWIND_ARM64_REGS_OFF (128 + 176 + 8)

struct unwind_rule {
	__u8 cfa, cfa_reg; /* enum unwind_cfa */
	__u8 ra, fp, base; /* enum unwind_loc */
	__u8 flags;
	__u16 spare;
	__s32 cfa_off, ra_off, fp_off, base_off; /* bytes */
};

/* The reason why a walk ended. */
enum unwind_end {
	UNWIND_GOES_ON,
	UNWIND_OUTERMOST, /* the return address is undefined or 0: the walk is complete */
	/* The following ends are incomplete. */
	UNWIND_NO_RULE, /* there is neither a rule nor a plausible frame pointer */
	UNWIND_REG_GONE, /* the rule needs a register that is no longer known */
	UNWIND_NO_MEMORY, /* a part of the stack could not be read */
	UNWIND_NOT_RISING, /* the caller's frame would not be above this one */
	UNWIND_FULL, /* there are more frames than requested */
	UNWIND_GONE, /* the process ends, or executes another program: its memory is gone */
	UNWIND_NOT_YET, /* the walk needs a table that is not built yet */
	/* frames of an interpreter could not be read, or have no place among the native ones */
	UNWIND_INTERPRETER,
	UNWIND_END_CNT,
};

/*
 * Layout of the tables in the maps of unwind_walk.bpf.h. A table is an array of words: the number
 * of rows, the rows, then the rules of three words each. The upper half of the first word is the
 * index of the interpreter that the file has (interp_wire.h), or 0. Rows count from byte 0 of the
 * file, so a mapping needs to know only where the file begins. A file without unwind information
 * has a table without rows; a file whose table is not built yet has no table.
 */
#define UNWIND_HEAD_WORDS 1
#define UNWIND_RULE_WORDS 3
#define UNWIND_INTERPRETER_SHIFT 32
#define UNWIND_ROW_STEPS 26 /* bits of the number of rows of a table: 2^26 at most */
#define UNWIND_MAPPING_STEPS 13 /* executable mappings of a process: 2^13 at most */
#define UNWIND_MAPPINGS_MAX ((1u << UNWIND_MAPPING_STEPS) - 1)
#define UNWIND_TABLES_MAX 8192
#define UNWIND_SETS_MAX 4096
#define UNWIND_PROCS_MAX 8192
#define UNWIND_FRAMES_MAX 512
#define UNWIND_REGS_MAX 32 /* registers by DWARF number: x0 to x30 of arm64; a power of two */

/*
 * Marks a pc that was reached by a frame pointer, because there was no rule. No user address has
 * this bit.
 */
#define UNWIND_PC_BY_FP (1ull << 63)
/*
 * Marks a pc that is no return address: an interrupted one, or a handler's trampoline. No user
 * address has this bit.
 */
#define UNWIND_PC_EXACT (1ull << 62)

/*
 * The value of bits 63 to 61 of a word that is no address, but a frame of an interpreter
 * (interp_wire.h).
 */
#define UNWIND_PC_IS_CODE(pc) ((pc) >> 61 == 1)
#define UNWIND_PC_CODE (1ull << 61)

/* How user stacks are taken. */
enum unwind_mode {
	UNWIND_KERNEL, /* by the kernel, along frame pointers */
	UNWIND_AUTO, /* by tables; along frame pointers where there is no table */
	UNWIND_TABLES, /* by tables only */
};

/* An executable mapping of a process. */
struct unwind_mapping {
	__u64 start, end;
	__u64 base; /* the address that byte 0 of the file would have */
	__u32 table; /* index of the table; 0: code of no file */
	__u32 is_unknown; /* a file that has no table yet (unwind_vma.bpf.h); 0 in sets */
};

/*
 * The identity of a file, as the kernel and as user space see it. A write changes its ctime, which
 * users cannot set.
 */
struct unwind_file_id {
	__u64 ino, sz;
	__u64 ctime_ns;
	__u32 dev; /* major << 20 | minor */
	__u32 is_vdso; /* the code that the kernel maps into each process; the others are 0 */
};

/* The table of a file. */
struct unwind_file_use {
	__u32 table;
	__u32 used; /* a program has found it since user space cleared this */
};

/*
 * In place of a self_exec_id: matches the program that the process runs when it is first looked up.
 */
#define UNWIND_ANY_EXEC (~0ull)

/*
 * A process and the index of its set of mappings. Several processes may share a set: a fork has its
 * parent's.
 */
struct unwind_proc {
	/* task_struct.self_exec_id when the mappings were read: after an exec they are void */
	__u64 exec_id;
	__u64 read_ns; /* time when they were read: CLOCK_MONOTONIC */
	__u64 asked_ns,
		/* time of the last request; the next one comes after gap_ns at the earliest */
		gap_ns;
	__u32 set; /* index of the set; 0: not known yet */
	__u32 spare;
};

/* A request to user space for data that a walk lacked. */
struct unwind_ask {
	__u64 exec_id;
	__u64 pc; /* the pc that the walk could not resolve */
	__u32 tgid;
	__u32 table; /* of the mapping of pc; 0: pc is in no known mapping */
};

/* Counters of walks: the first ones are indexed by enum unwind_end, then follow: */
enum unwind_count {
	UNWIND_CNT_FRAMES = UNWIND_END_CNT,
	UNWIND_CNT_FRAMES_BY_FP, /* frames of these that were reached by frame pointer */
	UNWIND_CNT_NO_PROC, /* walks of a process that was not known yet: all by frame pointers */
	UNWIND_CNT_ASK_LOST, /* requests that found no room */
	UNWIND_COUNTS,
};

struct unwind_regs {
	__u64 pc, sp, fp, base;
	__u64 lr; /* x30 of arm64 */
	__u8 has_fp, has_base, has_lr;
	__u8 is_sample; /* nothing has been unwound yet: all registers are known */
	__u8 is_exact; /* pc was interrupted; otherwise it is a return address */
	__u8 by_fp; /* this frame was reached by a frame pointer, because there was no rule */
	__u16 spare;
};

/* The state of a walk, and its result. */
struct unwind_state {
	struct unwind_regs regs;
	__u64 sample[UNWIND_REGS_MAX];
	__u64 raw[34]; /* struct pt_regs in the kernel's layout */
	/* The process the stack belongs to. */
	__u64 exec_id;
	__u64 lacking_pc;
	__u32 tgid, set;
	/* nothing was found for lacking_pc, but the data may come later; the two below are valid */
	__u32 lacking;
	__u32 lacking_table; /* like that of struct unwind_ask */
	__u32 max; /* maximum number of frames */
	/* State of the search for a rule. */
	__u32 key; /* of this state */
	__u64 find_pc, row;
	__u32 low, high;
	struct unwind_mapping mapping, other; /* the latest one, and the one before it */
	struct unwind_rule rule;
	/* State of the search in the kernel's tree of mappings. */
	__u32 found; /* enum unwind_found, of find_pc */
	/* the process has no memory any more, or not the one that its registers are of */
	__u32 gone;
	__u64 entry; /* address of a node, a mapping or a file */
	__u64 scratch[32]; /* a copy of it */
	struct unwind_file_id file;
	/* Interpreters (interp.bpf.h). */
	__u64 frame_sp; /* sp of the frame that was added last */
	__u64 owner; /* an address on the stack that the next frames of an interpreter belong to */
	__u64 loop; /* or: the function that they belong to, and its size; 0: none */
	__u32 loop_sz;
	__u32 interpreter; /* that of the file of this frame; 0: none */
	__u8 is_interpreted; /* frames of an interpreter have been looked for */
	__u8 was_interpreter; /* the frame before was in such a file */
	__u16 spare2;

	__u32 cnt; /* number of pcs */
	__u32 by_fp; /* number of pcs that were reached by a frame pointer */
	__u32 end; /* enum unwind_end */
	/* twice as many: frames of an interpreter are added in one go */
	__u64 pcs[2 * UNWIND_FRAMES_MAX];
};

#endif
