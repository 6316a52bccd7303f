// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * sequence CPU FILE: on one CPU, lseek(-1, 1), lseek(-1, 2), … as fast as it can, until SIGTERM.
 * The number of the last call that is over is always in the first 8 bytes of FILE.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

#include "workload.h"

static volatile sig_atomic_t ended;

static void on_term(int sig)
{
	(void)sig;
	ended = 1;
}

int main(int argc, char **argv)
{
	volatile uint64_t *last;
	uint64_t i = 0;
	cpu_set_t one;
	int fd;

	if (argc != 3)
		return 2;
	CPU_ZERO(&one);
	CPU_SET(atoi(argv[1]), &one);
	fd = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (sched_setaffinity(0, sizeof(one), &one) || fd < 0 || ftruncate(fd, 4096))
		return 1;
	last = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (last == MAP_FAILED)
		return 1;
	signal(SIGTERM, on_term);
	while (!ended) {
		syscall(SYS_lseek, -1, ++i, SEEK_SET);
		*last = i;
	}
	workload__say("pid=%d cpu=%s count=%llu\n", (int)getpid(), argv[1], (unsigned long long)i);
	return 0;
}
