// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fresh_paths N FILE [cold]: N calls of access(2), each with a path in a page that this process has
 * never touched: a new mapping of FILE, in which only the kernel reads. Each seventh path crosses
 * from one such page to the next. cold: FILE leaves the page cache first, so that reading a page
 * waits for the disk. Prints "pid=P calls=N crossing=N faults=N majfaults=N": the faults are those
 * of the calls.
 */
#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "workload.h"

#define SLOTS 2003
#define PAGE 4096
/* Two pages, so that a path may cross. */
#define SLOT (2 * PAGE)

static void fail(const char *what)
{
	fprintf(stderr, "fresh_paths: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Offset of a slot's path; one that crosses has 8 bytes in the first page. */
static size_t path_off(unsigned long slot)
{
	return slot % 7 ? slot % 1000 : PAGE - 8;
}

static int make_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char text[64];
	unsigned long i;

	if (fd < 0 || ftruncate(fd, (off_t)SLOTS * SLOT))
		fail(path);
	for (i = 0; i < SLOTS; i++) {
		int n = snprintf(text, sizeof(text), "/no/such/fresh/path/%lu", i);

		if (pwrite(fd, text, (size_t)n + 1, (off_t)(i * SLOT + path_off(i))) != n + 1)
			fail(path);
	}
	if (fsync(fd))
		fail(path);
	return fd;
}

int main(int argc, char **argv)
{
	unsigned long cnt = argc > 2 ? workload__count(argv[1]) : 0, i, crossing = 0;
	int fd = argc > 2 ? make_file(argv[2]) : -1;
	bool cold = argc > 3 && !strcmp(argv[3], "cold");
	struct rusage before, after;

	if (fd < 0) {
		fprintf(stderr, "fresh_paths N FILE [cold]\n");
		return 2;
	}
	getrusage(RUSAGE_SELF, &before);
	for (i = 0; i < cnt; i++) {
		unsigned long slot = i % SLOTS;
		char *at;

		if (cold && !slot)
			posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		at = mmap(NULL, SLOT, PROT_READ, MAP_PRIVATE, fd, (off_t)(slot * SLOT));
		if (at == MAP_FAILED)
			fail("mmap");
		/* No page is read ahead. */
		if (cold && madvise(at, SLOT, MADV_RANDOM))
			fail("madvise");
		if (!access(at + path_off(slot), F_OK) || errno != ENOENT)
			fail("access");
		munmap(at, SLOT);
		crossing += slot % 7 == 0;
	}
	getrusage(RUSAGE_SELF, &after);
	workload__say("pid=%d calls=%lu crossing=%lu faults=%ld majfaults=%ld\n", getpid(), cnt,
		      crossing, after.ru_minflt - before.ru_minflt,
		      after.ru_majflt - before.ru_majflt);
	return 0;
}
