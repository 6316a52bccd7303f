// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Programs that wait for a disk. They end by the clock, for disks differ by a factor of 100. */
#include "culprit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#define PAGE_SZ 4096
#define COLD_PAGES 8192 /* a power of two */

struct io {
	uint64_t length_ns; /* how long the part of the cause is to last */
	uint64_t cause_ns;
	unsigned int op_cnt;
};

WRAPPER void sync_file(int fd)
{
	if (fsync(fd))
		die("fsync: %s", strerror(errno));
	STAY();
}

PLACE void fsync_commit(int fd)
{
	sync_file(fd);
	STAY();
}

PLACE void fsync_write(void *arg)
{
	char page[PAGE_SZ] = { 0 };
	struct io *io = arg;
	int fd = disk_file();
	uint64_t start_ns, end_ns = now_ns() + io->length_ns;

	do {
		memset(page, (int)++io->op_cnt, sizeof(page));
		/* Each write extends the file, so that the journal has work, too. */
		write_whole(fd, page, sizeof(page));
		start_ns = now_ns();
		fsync_commit(fd);
		io->cause_ns += now_ns() - start_ns;
	} while (now_ns() < end_ns);
	close(fd);
}

static void run_fsync(struct truth *truth, double seconds)
{
	struct io io = { .length_ns = (uint64_t)(seconds * 1000 * MS_NS) };
	struct worker writer = { "writer", -1, fsync_write, &io, 0 };

	workers__start(&writer, 1);
	workers__join(&writer, 1);
	*truth = (struct truth){ "disk", "fsync_commit", "writer", io.cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "ops=%u", io.op_cnt);
}

PLACE int cold_make_file(void)
{
	static char buf[1 << 20];
	unsigned int i;
	int fd = disk_file();

	for (i = 0; i < COLD_PAGES; i += sizeof(buf) / PAGE_SZ) {
		memset(buf, (int)i + 1, sizeof(buf));
		write_whole(fd, buf, sizeof(buf));
	}
	if (fdatasync(fd))
		die("fdatasync: %s", strerror(errno));
	return fd;
}

WRAPPER void read_page(int fd, void *buf, off_t off)
{
	if (pread(fd, buf, PAGE_SZ, off) != PAGE_SZ)
		die("pread: %s", strerror(errno));
	STAY();
}

/* Reads a page that is not in memory. */
PLACE void cold_lookup(int fd, unsigned int page, void *buf)
{
	read_page(fd, buf, (off_t)page * PAGE_SZ);
	STAY();
}

PLACE void cold_read(void *arg)
{
	unsigned int page = 0, i;
	struct io *io = arg;
	int fd = cold_make_file();
	char buf[PAGE_SZ];
	uint64_t start_ns, end_ns = now_ns() + io->length_ns;

	do {
		if (posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) ||
		    posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM))
			die("posix_fadvise failed");
		start_ns = now_ns();
		/* This sequence meets each page once, in no order that a disk could foresee. */
		for (i = 0; i < COLD_PAGES && now_ns() < end_ns; i++) {
			page = (page * 3461 + 2891) % COLD_PAGES;
			cold_lookup(fd, page, buf);
			io->op_cnt++;
		}
		io->cause_ns += now_ns() - start_ns;
	} while (now_ns() < end_ns);
	close(fd);
}

static void run_cold_cache(struct truth *truth, double seconds)
{
	struct io io = { .length_ns = (uint64_t)(seconds * 1000 * MS_NS) };
	struct worker reader = { "reader", -1, cold_read, &io, 0 };

	workers__start(&reader, 1);
	workers__join(&reader, 1);
	*truth = (struct truth){ "disk", "cold_lookup", "reader", io.cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "ops=%u", io.op_cnt);
}

const struct culprit io_culprits[] = {
	{ "fsync", "a thread waits for each of its writes to be on disk", run_fsync },
	{ "cold-cache", "a thread reads a file that is not in the page cache", run_cold_cache },
	{ 0 },
};
