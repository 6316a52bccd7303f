// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Files of strace's descriptors and of -P: told apart by device, inode and kind. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "strace/call.h"
#include "strace/fd_names.h"
#include "strace/fd_table.h"
#include "strace/path_set.h"
#include "tap.h"

static void test_path_set(void)
{
	struct path_set set = { .cnt = 0 };
	struct strace_file f = { .mode = S_IFREG };
	struct stat st;

	is_s64(path_set__add(&set, "/proc/version"), 0, "a path of a file is taken");
	is_s64((int64_t)set.file_cnt, 1, "a path of a file has an identity");
	f.ino = set.files[0].ino;
	f.dev = set.files[0].dev;
	ok(path_set__has_file(&set, &f), "a file is found by device and inode");
	f.mode = S_IFBLK;
	ok(!path_set__has_file(&set, &f), "a disk with the inode of a file on it is not the file");
	path_set__free(&set);

	memset(&set, 0, sizeof(set));
	is_s64(path_set__add(&set, "/dev/null"), 0, "a path of a device is taken");
	is_s64(stat("/dev/null", &st), 0, "a device has an inode");
	f = (struct strace_file){ .mode = S_IFCHR, .ino = st.st_ino, .dev = 1 << 20 | 3 };
	ok(path_set__has_file(&set, &f), "a device is found by its number");
	f.mode = S_IFREG;
	ok(!path_set__has_file(&set, &f), "a file on a disk is not a device of that number");
	path_set__free(&set);
}

/* A descriptor is another file's, of another file system, between two calls. */
static void test_other_device(void)
{
	struct fd_names *n = fd_names__new();
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC), zero;
	struct strace_file f = { .fd = fd, .ino = 4711, .dev = 8 << 20 | 1, .mode = S_IFREG };

	fd_names__note(n, getpid(), &f);
	is_str(fd_names__get(n, getpid(), fd), "/dev/null",
	       "a descriptor has the name of its file");
	zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	dup3(zero, fd, O_CLOEXEC);
	f.mode = S_IFREG | S_IRUSR;
	fd_names__note(n, getpid(), &f);
	is_str(fd_names__get(n, getpid(), fd), "/dev/null",
	       "a file that is noted again keeps its name");
	f.dev = 8 << 20 | 2;
	fd_names__note(n, getpid(), &f);
	is_str(fd_names__get(n, getpid(), fd), "/dev/zero",
	       "the same inode of another device is another file");
	close(zero);
	zero = open("/dev/full", O_RDONLY | O_CLOEXEC);
	dup3(zero, fd, O_CLOEXEC);
	f.mode = S_IFBLK;
	fd_names__note(n, getpid(), &f);
	is_str(fd_names__get(n, getpid(), fd), "/dev/full",
	       "a disk is another file than one on it with the same inode");
	fd_names__free(n);
	close(zero);
	close(fd);
}

static size_t cnt_of(const struct u64map *map)
{
	size_t at = 0, cnt = 0;
	uint64_t key;
	uint32_t val;

	while (u64map__next(map, &at, &key, &val))
		cnt++;
	return cnt;
}

/* Processes that come and go by the thousand: this one stays. */
static void test_ended_processes(void)
{
	/* Beyond the kernel's largest number (PID_MAX_LIMIT). */
	const pid_t none = 5000000;
	struct fd_table t = { .cnt = 0 };
	size_t most = 0;
	pid_t i;

	fd_table__entry(&t, getpid(), 3)->name = strdup("/kept");
	*u64map__slot(&t.parents, (uint64_t)getpid()) = 1;
	for (i = 0; i < 100003; i++) {
		fd_table__entry(&t, none + i, 3)->name = strdup("/gone");
		*u64map__slot(&t.parents, (uint64_t)(none + i)) = (uint32_t)getpid();
		fd_table__sweep(&t);
		most = t.cnt - t.unused_cnt > most ? t.cnt - t.unused_cnt : most;
	}
	ok(most < 50000, "descriptors of 100,003 ended processes: at most %zu are kept", most);
	ok(cnt_of(&t.parents) < 50000, "parents of ended processes are not kept, either");
	ok(!fd_table__find(&t, none, 3), "the first process's descriptor is forgotten");
	ok(fd_table__find(&t, none + i - 1, 3) != NULL, "the last process may still have records");
	is_str(fd_table__find(&t, getpid(), 3)->name, "/kept", "a living process keeps its own");
	is_u64(u64map__get(&t.parents, (uint64_t)getpid()), 1, "a living process keeps its parent");
	fd_table__free(&t);
}

int main(void)
{
	test_ended_processes();
	test_path_set();
	test_other_device();
	return done_testing();
}
