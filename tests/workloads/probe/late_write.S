/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A function with an inlined copy, from `copy` to `copy_end`. Its variables are named by what the code
 * does to their places: "late_…" are written behind the copy's first instruction, "kept_…" are not.
 */
#define BOTH(x86, arm64) arm64
#ifndef __aarch64__
#undef BOTH
#define BOTH(x86, arm64) x86
#endif

	.text
	.globl outer
	.type outer, %function
outer:
	nop
copy:
#ifdef __aarch64__
	cmp w3, #1
	ccmp w3, #5, #5, ne
	mov w0, w9
	str w2, [sp, #24]
	stp x4, x5, [x29, #-32]
	ldr w6, [x29, #16]
	add w7, w7, #1
copy_end:
	cbz w3, past
	mov w8, w9
past:
	ret
#else
	cmp $1, %ecx
	mov %r9d, %edi
	mov %edx, 24(%rsp)
	mov %rax, -32(%rbp)
	mov 16(%rbp), %esi
	add $1, %r8d
copy_end:
	je past
	mov %r9d, %r10d
past:
	ret
#endif
outer_end:
	.size outer, . - outer

	.section .debug_abbrev, "", %progbits
abbrevs:
	.uleb128 1, 0x11 /* DW_TAG_compile_unit: low_pc, high_pc */
	.byte 1
	.uleb128 0x11, 0x01, 0x12, 0x07, 0, 0
	.uleb128 2, 0x2e /* DW_TAG_subprogram: name, low_pc, high_pc */
	.byte 1
	.uleb128 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0, 0
	.uleb128 3, 0x05 /* DW_TAG_formal_parameter: name, location */
	.byte 0
	.uleb128 0x03, 0x08, 0x02, 0x17, 0, 0
	.uleb128 0

	.section .debug_info, "", %progbits
	.4byte info_end - info
info:
	.2byte 4
	.4byte abbrevs
	.byte 8
	.uleb128 1
	.8byte outer, outer_end - outer
	.uleb128 2
	.string "outer"
	.8byte outer, outer_end - outer
	.macro variable name, loc
	.uleb128 3
	.string "\name"
	.4byte \loc
	.endm
	variable late_register, in_written
	variable late_loaded, in_loaded
	variable late_end_beyond, in_last_beyond
	variable late_by_sp, by_sp
	variable late_by_fp, by_fp
	variable kept_register, in_kept
	variable kept_compared, in_compared
	variable kept_last, in_last
	variable kept_behind_branch, in_branched
	variable kept_by_sp, by_sp_beside
	variable kept_by_fp, by_fp_beside
	.byte 0, 0
info_end:

	.section .debug_loc, "", %progbits
	.macro list end, ops:vararg
	.8byte copy - outer, \end - outer
	.2byte 9f - 8f
8:	.byte \ops
9:	.8byte 0, 0
	.endm
#define DW_REG(x86, arm64) 0x50 + BOTH(x86, arm64)
#define DW_BREG(x86, arm64) 0x70 + BOTH(x86, arm64)
in_written:	list copy_end, DW_REG(5, 0)
in_loaded:	list copy_end, DW_REG(4, 6)
in_last:	list copy_end, DW_REG(8, 7)
in_last_beyond:	list past, DW_REG(8, 7)
in_kept:	list copy_end, DW_REG(3, 1)
in_compared:	list copy_end, DW_REG(2, 5)
in_branched:	list outer_end, DW_REG(10, 8)
by_sp:		list copy_end, DW_BREG(7, 31), 24
by_sp_beside:	list copy_end, DW_BREG(7, 31), 28
by_fp:		list copy_end, DW_BREG(6, 29), 0x80 - 32 /* SLEB128 of -32 */
by_fp_beside:	list copy_end, DW_BREG(6, 29), 0x80 - 36
	.section .note.GNU-stack, "", %progbits
