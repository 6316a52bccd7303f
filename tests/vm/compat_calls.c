// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * compat_calls N    N times getppid() by the kernel's 32-bit interface, in which its number is 64
 *                   (that of semget in the 64-bit interface). Prints how many it made: 0 if the
 *                   architecture has no such calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int i, cnt = argc > 1 ? atoi(argv[1]) : 0, made = 0;
	long want = getppid(); /* once by the 64-bit interface */

#ifdef __x86_64__
	for (i = 0; i < cnt; i++) {
		long ret = 64;

		__asm__ volatile("int $0x80" : "+a"(ret) : : "memory", "r8", "r9", "r10", "r11");
		made += ret == want;
	}
#else
	(void)i;
	(void)cnt;
	(void)want;
#endif
	printf("getppid=%d\n", made);
	return 0;
}
