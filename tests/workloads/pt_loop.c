// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * pt_loop [SEC]: burns SEC seconds (decimal) of CPU time in a loop of known instructions.
 * pt_loop --stream FILE N: writes what Intel PT would of N rounds of the loop. The time in it is
 * all ones, in place of which the test PMU puts the TSC (docs/testpmu.md).
 * pt_loop --rounds N: runs N rounds of it.
 * pt_loop --ips N: prints the addresses of the instructions of N rounds, one a line.
 *
 * x86-64 alone; linked statically, so that addresses are the same in each run.
 */
#include <inttypes.h>
#include <time.h>

#include "workload.h"

#ifdef __x86_64__

/* A call that is indirect (TIP), a return and a conditional branch (TNT). */
__asm__(".pushsection .text\n"
	".globl pt_loop_begin, pt_loop_call, pt_loop_next, pt_loop_branch, pt_loop_end, "
	"pt_loop_leaf\n"
	".type pt_loop_begin, @function\n"
	"pt_loop_begin:\n"
	"	lea pt_loop_leaf(%rip), %rax\n"
	"pt_loop_call:\n"
	"	call *%rax\n"
	"pt_loop_next:\n"
	"	dec %rdi\n"
	"pt_loop_branch:\n"
	"	jnz pt_loop_begin\n"
	"pt_loop_end:\n"
	"	ret\n"
	".size pt_loop_begin, . - pt_loop_begin\n"
	".type pt_loop_leaf, @function\n"
	"pt_loop_leaf:\n"
	"	ret\n"
	".size pt_loop_leaf, . - pt_loop_leaf\n"
	".popsection\n");

extern const char pt_loop_call[], pt_loop_next[], pt_loop_branch[], pt_loop_end[], pt_loop_leaf[];
void pt_loop_begin(unsigned long rounds);

static void put_ip(FILE *f, int opcode, const void *at)
{
	uint64_t ip = (uintptr_t)at;

	/* Six bytes, from which the sign is extended. */
	fputc(opcode | 3 << 5, f);
	fwrite(&ip, 6, 1, f);
}

static int write_stream(const char *path, unsigned long rounds)
{
	static const uint8_t psb[] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
				       2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 };
	static const uint8_t tsc[] = { 0x19, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	static const uint8_t mode_64bit[] = { 0x99, 0x01 }, psbend[] = { 2, 0x23 };
	FILE *f = fopen(path, "we");
	unsigned long i;

	if (!f)
		return 1;
	fwrite(psb, sizeof(psb), 1, f);
	fwrite(tsc, sizeof(tsc), 1, f);
	fwrite(mode_64bit, sizeof(mode_64bit), 1, f);
	fwrite(psbend, sizeof(psbend), 1, f);
	put_ip(f, 0x11, pt_loop_begin); /* TIP.PGE */
	for (i = 1; i <= rounds; i++) {
		put_ip(f, 0x0d, pt_loop_leaf); /* TIP */
		/* TNT: the return is where the call said, the branch is taken but for the last. */
		fputc(i < rounds ? 0x0e : 0x0c, f);
	}
	put_ip(f, 0x1d, pt_loop_end); /* FUP, and TIP.PGD without an address */
	fputc(0x01, f);
	return fclose(f) ? 1 : 0;
}

static void print_ips(unsigned long rounds)
{
	const void *const round[] = { pt_loop_begin, pt_loop_call, pt_loop_leaf, pt_loop_next,
				      pt_loop_branch };
	unsigned long i, j;

	for (i = 0; i < rounds; i++)
		for (j = 0; j < sizeof(round) / sizeof(round[0]); j++)
			printf("%" PRIxPTR "\n", (uintptr_t)round[j]);
}

static double cpu_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	double sec = argc > 1 ? strtod(argv[1], NULL) : 1;

	if (argc > 3 && !strcmp(argv[1], "--stream"))
		return write_stream(argv[2], strtoul(argv[3], NULL, 10));
	if (argc > 2 && !strcmp(argv[1], "--rounds")) {
		pt_loop_begin(strtoul(argv[2], NULL, 10));
		return 0;
	}
	if (argc > 2 && !strcmp(argv[1], "--ips")) {
		print_ips(strtoul(argv[2], NULL, 10));
		return 0;
	}
	while (cpu_s() < sec)
		pt_loop_begin(100000);
	return 0;
}

#else

int main(void)
{
	return 77;
}

#endif
