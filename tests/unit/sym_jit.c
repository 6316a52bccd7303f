// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Names of code that was compiled at run time, from the maps that JIT compilers leave. */
#include "sym/jit_map.h"
#include "sym/sym.h"
#include "sym/sym_priv.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tap.h"
#include "util/mono.h"

static void read_jit(struct elf_syms *syms, const char *text)
{
	int fd = memfd_create("jit", MFD_CLOEXEC);

	*syms = (struct elf_syms){ 0 };
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		exit(1);
	jit_map__read(syms, fd, strlen(text));
	close(fd);
}

static const char *jit_name(const struct elf_syms *syms, uint64_t addr)
{
	static struct strbuf sb = STRBUF_INIT;
	const struct symtab_entry *e = symtab__find(&syms->tab, addr);

	strbuf__reset(&sb);
	return e && elf_syms__put_name(syms, e, NULL, &sb) ? strbuf__cstr(&sb) : "nothing";
}

static void test_jit(void)
{
	struct elf_syms syms;

	read_jit(&syms, "1000 100 first function\n"
			"0x1200 80 with 0x\n"
			"1400 100 moved over\n"
			"not a line\n"
			"1300 0 empty\n"
			"1380 100 the younger\n"
			"1500 40 part of what follows\n"
			"1440 c0 \n"
			"1440 200 over both\n"
			"ffffffffffffff00 200 wraps\n"
			"2000 10 unfinished");
	is_str(jit_name(&syms, 0x1000), "first function", "a name with a space");
	is_str(jit_name(&syms, 0x10ff), "first function", "the last byte of a name with a space");
	is_str(jit_name(&syms, 0x1100), "nothing", "the byte behind a name with a space");
	is_str(jit_name(&syms, 0x1210), "with 0x", "an address with 0x");
	is_str(jit_name(&syms, 0x1390), "nothing", "the younger was written over");
	is_str(jit_name(&syms, 0x1510), "over both", "what was written last lies there");
	is_str(jit_name(&syms, 0x2000), "nothing", "an unfinished line is none yet");
	elf_syms__free(&syms);
}

/* A JIT map of ours with one function, of a page at addr. */
static void put_jit_map(char *path, size_t sz, uint64_t addr)
{
	FILE *f;

	snprintf(path, sz, "/tmp/perf-%d.map", getpid());
	unlink(path);
	f = fopen(path, "w");
	fprintf(f, "%llx 1000 compiled\n", (unsigned long long)addr);
	fclose(f);
}

/* A child has the code of its parent, of which no sample has come yet. */
static void test_forked_jit(void)
{
	struct sym_map map = { .addr = 0x10000000, .len = 0x1000, .path = "//anon" };
	struct sym *sym = sym__new();
	struct sym_result res;
	char path[64];

	put_jit_map(path, sizeof(path), map.addr);
	sym__on_exec(sym, getpid());
	sym__on_mmap(sym, getpid(), &map);
	sym__on_fork(sym, 1 << 29, getpid());
	sym__on_fork(sym, (1 << 29) + 1, 1 << 29);
	sym__user(sym, (1 << 29) + 1, map.addr + 7, &res);
	is_str(res.name, "compiled", "code compiled by a parent's parent is named");
	is_u64(res.off, 7, "code compiled by a parent's parent: the offset");
	sym__free(sym);
	unlink(path);
}

static unsigned int open_cnt(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int cnt = 0;

	while (readdir(dir))
		cnt++;
	closedir(dir);
	return cnt;
}

/*
 * A compiler that maps one file of memory again and again (.NET), at time_ns (0: now), and writes
 * to it.
 */
static void test_memfd_jit(uint64_t time_ns)
{
	int fd = memfd_create("code", MFD_CLOEXEC), i;
	struct sym_map map = { .time_ns = time_ns, .len = 0x1000, .path = "/memfd:code (deleted)" };
	struct sym *sym = sym__new();
	unsigned int before, dso_cnt;
	struct sym_result res;
	struct stat st;
	char path[64];

	if (getuid()) {
		skip("what a process has mapped can be opened by root alone");
		goto out;
	}
	ok(!ftruncate(fd, 0x1000) && !fstat(fd, &st), "memory that is a file");
	map.maj = major(st.st_dev);
	map.min = minor(st.st_dev);
	map.ino = st.st_ino;
	sym__on_exec(sym, getpid());
	before = open_cnt();
	dso_cnt = sym->dsos.cnt;
	for (i = 0; i < 101; i++) {
		void *mem = mmap(NULL, 0x1000, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);

		map.addr = (uintptr_t)mem;
		sym__on_mmap(sym, getpid(), &map);
	}
	is_u64(open_cnt(), before, "memory that is a file: nothing of it is held open");
	is_u64(sym->dsos.cnt, dso_cnt + 1, "memory that is a file: known once");
	put_jit_map(path, sizeof(path), map.addr);
	sym__user(sym, getpid(), map.addr + 7, &res);
	is_str(res.name, "compiled", "memory that is a file: code in it is named by the JIT map");
	is_str(res.module, "[anon]", "memory that is a file: the module is [anon]");
	unlink(path);
out:
	sym__free(sym);
	close(fd);
}

/* JIT maps of a recording's processes: ours alone, whoever has the pid now. */
static void test_recorded_jit(void)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	unlink(path);
	fd = jit_map__open_recorded(getpid());
	is_s64(fd, -1, "JIT maps: none was there before");
	close(open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
	fd = jit_map__open_recorded(getpid());
	ok(fd >= 0, "JIT maps: one was made");
	close(fd);
	unlink(path);
	ok(!symlink("/proc/self/maps", path), "JIT maps: a link is made");
	fd = jit_map__open_recorded(getpid());
	is_s64(fd, -1, "JIT maps: a link is not opened");
	unlink(path);
	if (getuid()) {
		skip("a foreign file needs root");
		return;
	}
	close(open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644));
	ok(!chown(path, 4242, 4242), "another user's file");
	fd = jit_map__open_recorded(getpid());
	is_s64(fd, -1, "JIT maps: another user's file is not opened");
	unlink(path);
}

/* A JIT map that its owner leased: opening it would wait for the owner. */
static void test_leased_jit(void)
{
	char path[64];
	int fd;

	put_jit_map(path, sizeof(path), 0x10000000);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	signal(SIGIO, SIG_IGN);
	if (fcntl(fd, F_SETLEASE, F_WRLCK)) {
		skip("this file system has no leases");
	} else {
		is_s64(jit_map__open(getpid()), -1, "JIT maps: a leased map is not waited for");
		fcntl(fd, F_SETLEASE, F_UNLCK);
	}
	close(fd);
	unlink(path);
}

static uint64_t jit_reads(const struct sym *sym)
{
	struct sym_stats stats;

	sym__stats(sym, &stats);
	return stats.jit_read_cnt;
}

/* A process that adds a line to a large map between any two samples of code that is in none. */
static void test_growing_jit(void)
{
	enum { LINES = 20011, STEPS = 1009 };
	struct sym_map map = { .addr = 0x10000000, .len = 0x40000000, .path = "//anon" };
	uint64_t at = map.addr + map.len - 0x1000, begin_ns = mono_ns();
	struct sym *sym = sym__new();
	struct sym_result res;
	char path[64];
	FILE *f;
	int i;

	put_jit_map(path, sizeof(path), map.addr);
	f = fopen(path, "a");
	for (i = 1; i < LINES; i++)
		fprintf(f, "%llx 10 f%d\n", (unsigned long long)map.addr + 0x10000 + i * 0x10, i);
	fflush(f);
	sym__on_exec(sym, getpid());
	sym__on_mmap(sym, getpid(), &map);
	sym__user(sym, getpid(), map.addr + 7, &res);
	is_str(res.name, "compiled", "a JIT map that grows: a name");
	is_u64(jit_reads(sym), 1, "a JIT map that grows: read once");
	for (i = 0; i < STEPS; i++) {
		fprintf(f, "%llx 10 f%d\n", (unsigned long long)map.addr + 0x10000000 + i * 0x10,
			i);
		fflush(f);
		sym__user(sym, getpid(), at, &res);
	}
	ok(jit_reads(sym) < STEPS / 4, "a JIT map that grows: read %llu times in %d steps",
	   (unsigned long long)jit_reads(sym), STEPS);
	/* The pause since the last reading ends some time. */
	fprintf(f, "%llx 1000 last\n", (unsigned long long)at);
	fclose(f);
	do {
		sym__user(sym, getpid(), at, &res);
	} while ((!res.name || strcmp(res.name, "last")) && mono_ns() - begin_ns < 60000000000);
	is_str(res.name, "last", "a JIT map that grows: a new function is named in the end");
	sym__free(sym);
	unlink(path);
}

int main(void)
{
	test_jit();
	test_forked_jit();
	test_memfd_jit(0);
	test_memfd_jit(1);
	test_recorded_jit();
	test_leased_jit();
	test_growing_jit();
	return done_testing();
}
