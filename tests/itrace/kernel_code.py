#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""kernel_code.py SEED: assembly of functions that call each other, as of a kernel (.text) and of a module (.mod)."""
import random
import sys

FUNCTIONS = 60
PLAIN = ["nop", "add %rax, %rbx", "mov 8(%rdi), %rcx", "swapgs", "stac", "clac", "rdmsr", "pause", "lfence", "endbr64",
         "mov %gs:0x10, %rax", "invpcid (%rax), %rcx", "lock cmpxchg %rcx, (%rdx)", "mov %rax, %cr3", "cli", "rep movsb",
         ".byte 0x0f, 0x1f, 0x44, 0, 0", "movabs $0x123456789abcdef, %rax", "xsaves64 (%rdi)", "vmovdqu64 (%rax), %zmm1"]


def main():
    rnd = random.Random(int(sys.argv[1]))
    print("\t.text\n\t.globl _text\n_text:")
    for i in range(FUNCTIONS):
        if i == FUNCTIONS * 3 // 4:
            print('\t.section .mod,"ax"')
        print(f"\t.type f{i},@function\nf{i}:")
        for part in range(rnd.randrange(3, 12)):
            print(f".L{i}_{part}:")
            for _ in range(rnd.randrange(1, 7)):
                print(f"\t{rnd.choice(PLAIN)}")
            what = rnd.random()
            if what < 0.3:
                print(f"\tcall f{rnd.randrange(FUNCTIONS)}")
            elif what < 0.7:
                print(f"\t{rnd.choice(['je', 'jc', 'jg', 'jns'])} .L{i}_{rnd.randrange(part + 1)}")
            elif what < 0.8:
                print("\tcall *%rax")
            elif what < 0.85:
                print("\tjmp *%rdx")
            elif what < 0.9:
                print("\tud2")
        print(f"\tret\n\t.size f{i}, . - f{i}\n\t.balign 16")


if __name__ == "__main__":
    main()
