// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
// A program that etm_make.py runs: each kind of branch of A64, chosen by numbers of chance in x19.
	.text
	.global _start
_start:
	movz	x20, #0x7f2d
	movk	x20, #0x4c95, lsl #16
	movk	x20, #0xf42d, lsl #32
	movk	x20, #0x5851, lsl #48
	movz	x21, #0x4f
again:
	madd	x19, x19, x20, x21
	ubfx	x0, x19, #33, #3
	bl	depth
	ubfx	x1, x19, #40, #2
	cbz	x1, calls
	tbz	x19, #45, jumps
	tbnz	x19, #46, kernel
	cmp	x1, #2
	b.eq	again
	b.hi	barrier
	b	again
calls:
	adr	x2, leaf
	adr	x3, other
	tst	x19, #0x800000000000
	csel	x2, x2, x3, eq
	blr	x2
	b	again
jumps:
	adr	x2, left
	adr	x3, right
	tst	x19, #0x1000000000000
	csel	x2, x2, x3, eq
	br	x2
left:
	nop
	cbnz	x1, again
	nop
right:
	nop
	b	again
kernel:
	movz	x8, #172
	svc	#0
	nop
	b	again
barrier:
	isb
	nop
	b	again

// Calls itself x0 times.
depth:
	cbz	x0, bottom
	str	x30, [sp, #-16]!
	sub	x0, x0, #1
	bl	depth
	ldr	x30, [sp], #16
bottom:
	ret
leaf:
	add	x4, x4, #1
	ret
other:
	add	x4, x4, #2
	tbz	x19, #50, 1f
	nop
1:	ret
