// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Mappings that wait until an address of their process is asked for (sym/later_maps.h): what is
 * found then is what is found if none waits.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sym/maps.h"
#include "sym/sym.h"
#include "sym/sym_priv.h"

#include "rnd.h"
#include "tap.h"

#define FILES 5
#define PIDS 23
#define PAGES 64
/* No process has such an id: there is nothing to read from /proc. */
#define FIRST_PID 0x3fff0000

static struct sym_map files[FILES];

static void make_files(void)
{
	static char paths[FILES][64];
	struct stat st;
	int i, fd;

	for (i = 0; i < FILES; i++) {
		snprintf(paths[i], sizeof(paths[i]), "/tmp/sym_later.%d.%d", (int)getpid(), i);
		fd = open(paths[i], O_CREAT | O_EXCL | O_WRONLY, 0600);
		if (fd < 0 || fstat(fd, &st))
			exit(1);
		close(fd);
		files[i] = (struct sym_map){ .path = paths[i],
					     .maj = major(st.st_dev),
					     .min = minor(st.st_dev),
					     .ino = st.st_ino };
	}
}

static void remove_files(void)
{
	int i;

	for (i = 0; i < FILES; i++)
		unlink(files[i].path);
}

static struct sym_map map_of(int file, uint64_t page, uint64_t pages)
{
	struct sym_map map = files[file];

	map.addr = page << 12;
	map.len = pages << 12;
	map.pgoff = (uint64_t)file << 20;
	return map;
}

/* The file and the offset of an address, as text that does not depend on the order of files. */
static void place(struct sym *sym, int32_t pid, uint64_t addr, char *text, size_t sz)
{
	uint64_t at = sym__place(sym, pid, addr);

	snprintf(text, sz, "%s+0x%llx", sym->dsos.dsos[at >> PLACE_OFF_BITS]->path,
		 (unsigned long long)(at & PLACE_OFF_MASK));
}

static bool waits(struct sym *sym, int32_t pid)
{
	struct proc *proc = procs__find(&sym->procs, pid);

	return proc && proc->later.sz;
}

static bool differs(struct sym *a, struct sym *b, int32_t pid, uint64_t addr)
{
	char in_a[128], in_b[128];

	place(a, pid, addr, in_a, sizeof(in_a));
	place(b, pid, addr, in_b, sizeof(in_b));
	if (!strcmp(in_a, in_b))
		return false;
	diag("process %x, address 0x%llx: %s, %s", (unsigned int)pid, (unsigned long long)addr,
	     in_a, in_b);
	return true;
}

static void happen(struct sym *sym, unsigned int what, int32_t pid, int32_t other,
		   const struct sym_map *map)
{
	if (what < 80)
		sym__on_mmap(sym, pid, map);
	else if (what < 90)
		sym__on_fork(sym, pid, other);
	else if (what < 96)
		sym__on_exec(sym, pid);
	else
		sym__on_exit(sym, pid);
}

/* `eager` is asked for an address after each event, `lazy` after one of fifty. */
static void test_random(void)
{
	struct sym *eager = sym__new(), *lazy = sym__new();
	unsigned int i, what, waited = 0, bad = 0, page;
	struct sym_map map;
	int32_t pid, other;

	for (i = 0; i < 20011; i++) {
		pid = FIRST_PID + (int32_t)rnd(PIDS);
		other = FIRST_PID + (int32_t)rnd(PIDS);
		what = (unsigned int)rnd(100);
		map = map_of((int)rnd(FILES), rnd(PAGES), 1 + rnd(8));
		if (!rnd(9))
			map = (struct sym_map){ .addr = map.addr,
						.len = map.len,
						.path = "//anon" };
		happen(eager, what, pid, other, &map);
		happen(lazy, what, pid, other, &map);
		sym__place(eager, pid, map.addr);
		waited += waits(lazy, pid);
		if (!rnd(50))
			bad += differs(eager, lazy, pid, rnd(PAGES) << 12);
	}
	ok(waited > 1000, "mappings wait (%u times of 20,011)", waited);
	for (pid = FIRST_PID; pid < FIRST_PID + PIDS; pid++)
		for (page = 0; page < PAGES; page++)
			bad += differs(eager, lazy, pid, ((uint64_t)page << 12) + 5);
	is_u64(bad, 0, "addresses are of the files that they are of if no mapping waits");
	sym__free(eager);
	sym__free(lazy);
}

static void test_first_time(void)
{
	struct sym *sym = sym__new();
	struct sym_map map = map_of(0, 1, 1), dump = map_of(1, 3, 1);

	dump.path = "/tmp/jit-7.dump";
	sym__on_mmap(sym, FIRST_PID, &map);
	ok(!waits(sym, FIRST_PID), "a file that is met for the first time does not wait");
	sym__on_mmap(sym, FIRST_PID + 1, &map);
	ok(waits(sym, FIRST_PID + 1), "the next mapping of that file waits");
	sym__on_mmap(sym, FIRST_PID + 1, &dump);
	sym__on_mmap(sym, FIRST_PID + 2, &dump);
	ok(!waits(sym, FIRST_PID + 2), "the dump of a JIT compiler never waits");
	ok(!waits(sym, FIRST_PID + 1),
	   "mappings before one that does not wait are inserted before it");
	sym__free(sym);
}

static void test_limit(void)
{
	struct sym *sym = sym__new();
	struct sym_map map = map_of(0, 1, 1);
	struct proc *proc;
	char text[128];
	int i;

	sym__on_mmap(sym, FIRST_PID + 1, &map);
	for (i = 0; i < 1009; i++) {
		map = map_of(0, 1 + 2 * (uint64_t)i, 1);
		sym__on_mmap(sym, FIRST_PID, &map);
		proc = procs__find(&sym->procs, FIRST_PID);
		if (proc->later.cap > LATER_MAPS_MAX_SZ)
			break;
	}
	is_u64(i, 1009, "what waits has a bound");
	place(sym, FIRST_PID, (1 + 2 * 700ull) << 12, text, sizeof(text));
	ok(!strncmp(text, files[0].path, strlen(files[0].path)), "nothing is lost at the bound: %s",
	   text);
	sym__free(sym);
}

/* A program that maps and unmaps code at ever new addresses, of which no end is told. */
static void test_flood(void)
{
	struct sym_map map = { .addr = 1ull << 44, .len = 4096, .path = "" };
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	struct sym *sym = sym__new();
	struct stat st;
	char at[256];
	int i;

	if (fd < 0 || code == MAP_FAILED || fstat(fd, &st))
		exit(1);
	for (i = 0; i < 3 * (int)MAPS_MAX; i++, map.addr -= 8192)
		sym__on_mmap(sym, getpid(), &map);
	ok(procs__find(&sym->procs, getpid())->maps->cnt <= MAPS_MAX,
	   "mappings without end: their number is bounded");
	map = (struct sym_map){ .addr = (uintptr_t)code,
				.len = 4096,
				.maj = major(st.st_dev),
				.min = minor(st.st_dev),
				.ino = st.st_ino,
				.path = "/proc/self/exe" };
	sym__on_mmap(sym, getpid(), &map);
	place(sym, getpid(), (uintptr_t)code, at, sizeof(at));
	is_str(at, "/proc/self/exe+0x0", "mappings without end: the next one is found");
	place(sym, getpid(), (uintptr_t)test_flood, at, sizeof(at));
	ok(strstr(at, "/sym_later+0x"), "mappings without end: the program is found");
	sym__free(sym);
	munmap(code, 4096);
	close(fd);
}

int main(void)
{
	make_files();
	test_random();
	test_first_time();
	test_limit();
	remove_files();
	test_flood();
	return done_testing();
}
