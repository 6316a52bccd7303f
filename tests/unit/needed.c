// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The files that a program needs are those that this program has mapped when it begins. */
#include "sym/needed.h"
#include "sym/ld_cache.h"
#include "sym/proc_maps.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

struct found {
	struct stat files[NEEDED_MAX];
	size_t cnt;
	unsigned int mapped, missing;
};

static void note_file(void *ctx, const char *path)
{
	struct found *f = ctx;

	if (!stat(path, &f->files[f->cnt]))
		f->cnt++;
}

static void compare(void *ctx, const struct sym_map *map)
{
	struct found *f = ctx;
	struct stat st;
	size_t i;

	if (map->path[0] != '/' || stat(map->path, &st))
		return;
	f->mapped++;
	for (i = 0; i < f->cnt; i++)
		if (f->files[i].st_ino == st.st_ino && f->files[i].st_dev == st.st_dev)
			return;
	f->missing++;
	diag("%s is mapped, but was not found", map->path);
}

static void test_self(void)
{
	struct found f = { .cnt = 0 };

	needed__each("/proc/self/exe", note_file, &f);
	is_u64((uint64_t)proc_maps__read(getpid(), compare, &f), 0, "mappings are read");
	ok(f.mapped >= 3, "program, loader and C library are mapped");
	is_u64(f.missing, 0, "each mapped file was found");
}

static void test_script(void)
{
	char path[] = "/tmp/bpfperf-needed.XXXXXX";
	struct found f = { .cnt = 0 }, sh = { .cnt = 0 };
	int fd = mkstemp(path);

	ok(fd >= 0 && write(fd, "#! /bin/sh -e\n", 14) == 14, "a script is written");
	close(fd);
	needed__each(path, note_file, &f);
	needed__each("/bin/sh", note_file, &sh);
	ok(sh.cnt >= 3, "a shell needs files");
	is_u64(f.cnt, sh.cnt + 1, "a script needs its interpreter, and what that needs");
	unlink(path);
	f.cnt = 0;
	needed__each(path, note_file, &f);
	is_u64(f.cnt, 0, "a file that does not exist needs nothing");
	needed__each("/", note_file, &f);
	is_u64(f.cnt, 0, "a directory needs nothing");
}

/* Looks each name of the real cache up in a cache whose end is missing. */
static void test_cut_cache(void)
{
	char path[] = "/tmp/bpfperf-cache.XXXXXX";
	struct ld_cache whole, cut;
	const char *libc;
	size_t sz, i;
	int fd;

	ld_cache__open(&whole, LD_CACHE_PATH);
	if (!whole.sz) {
		skip("there is no cache of libraries");
		return;
	}
	libc = ld_cache__find(&whole, "libc.so.6");
	ok(libc && libc[0] == '/', "the C library is in the cache");
	ok(!ld_cache__find(&whole, "libc.so"), "a part of a name is no name");
	for (i = 1, sz = whole.sz; sz; i++, sz = sz * 2 / 3) {
		fd = mkstemp(path);
		if (write(fd, whole.data, sz) != (ssize_t)sz)
			diag("cannot write %s", path);
		close(fd);
		ld_cache__open(&cut, path);
		libc = ld_cache__find(&cut, "libc.so.6");
		if (libc && *libc && libc[0] != '/')
			ok(false, "a cache of %zu bytes has %s", sz, libc);
		ld_cache__close(&cut);
		unlink(path);
		memcpy(strchr(path, '.'), ".XXXXXX", 7);
	}
	ok(i > 10, "caches that are cut off are read");
	ld_cache__close(&whole);
}

int main(void)
{
	test_self();
	test_script();
	test_cut_cache();
	return done_testing();
}
