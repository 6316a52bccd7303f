// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Names of stripped code: frame information, Go's own table, debug files in caches, late JIT maps.
 */
#include "sym/debug_file.h"
#include "sym/dso_load.h"
#include "sym/fdes.h"
#include "sym/gopclntab.h"
#include "sym/sym.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "golden/demo_elf.h"
#include "stripped_elf.h"
#include "tap.h"

static struct elf_image image_of(struct stripped_elf *e)
{
	return (struct elf_image){ .fd = -1, .mem = (char *)e->data, .sz = sizeof(e->data) };
}

/* Returns the start of the function at addr; 0: none. */
static uint64_t start_of(const struct symtab *tab, uint64_t addr)
{
	const struct symtab_entry *e = symtab__find(tab, addr);

	return e ? e->addr : 0;
}

static void check_fdes(struct stripped_elf *e, bool sized, const char *what)
{
	struct elf_image img = image_of(e);
	struct symtab tab = { 0 };
	struct elf_file file;
	size_t i;

	ok(!elf_file__open(&file, &img), "%s: it is an ELF file", what);
	is_s64(fdes__read(&tab, &file), 0, "%s: read", what);
	is_u64(tab.cnt, STRIPPED_FUNC_CNT, "%s: number of functions", what);
	for (i = 0; i < STRIPPED_FUNC_CNT; i++) {
		is_u64(start_of(&tab, stripped_addr(i, 0)), stripped_addr(i, 0),
		       "%s: first byte of function %zu", what, i);
		is_u64(start_of(&tab, stripped_addr(i, stripped_funcs[i].sz - 1)),
		       stripped_addr(i, 0), "%s: last byte of function %zu", what, i);
	}
	is_u64(start_of(&tab, stripped_addr(1, 0x40)), sized ? 0 : stripped_addr(1, 0),
	       "%s: between two functions", what);
	is_u64(start_of(&tab, stripped_addr(0, 0) - 1), 0, "%s: before the first", what);
	elf_file__close(&file);
	symtab__free(&tab);
}

static void test_fdes(void)
{
	static const struct {
		bool is64, is_big;
		uint8_t enc;
		const char *name;
	} kinds[] = {
		{ true, false, DW_EH_PE_pcrel | DW_EH_PE_sdata4, "64 bits, relative" },
		{ true, false, DW_EH_PE_absptr, "64 bits, absolute" },
		{ false, false, DW_EH_PE_pcrel | DW_EH_PE_sdata4, "32 bits, relative" },
		{ false, false, DW_EH_PE_absptr, "32 bits, absolute" },
		{ true, true, DW_EH_PE_pcrel | DW_EH_PE_sdata4, "64 bits, big-endian" },
	};
	static struct stripped_elf e;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		e.is64 = kinds[i].is64;
		e.is_big = kinds[i].is_big;
		stripped_elf__make_fdes(&e, kinds[i].enc);
		check_fdes(&e, true, kinds[i].name);
	}
	e = (struct stripped_elf){ .is64 = true };
	stripped_elf__make_fde_header(&e);
	check_fdes(&e, false, "no section headers");
}

/* Returns the name that Go's table has for an address; "" for none. */
static const char *go_name(struct stripped_elf *e, uint64_t addr)
{
	static struct strbuf sb = STRBUF_INIT;
	struct elf_image img = image_of(e);
	const struct symtab_entry *entry;
	struct elf_syms syms = { 0 };
	struct elf_file file;

	strbuf__reset(&sb);
	if (elf_file__open(&file, &img))
		return "no ELF file";
	if (gopclntab__add(&syms, &file))
		return "error";
	elf_syms__finish(&syms, &file);
	entry = symtab__find(&syms.tab, addr);
	if (entry && !elf_syms__put_name(&syms, entry, &img, &sb))
		strbuf__puts(&sb, "unreadable");
	elf_syms__free(&syms);
	elf_file__close(&file);
	return strbuf__cstr(&sb);
}

static void test_go(void)
{
	static const char *const names[] = { "1.2", "1.16", "1.18", "1.20" };
	static struct stripped_elf e;
	size_t layout, i, kind;

	for (kind = 0; kind < 3; kind++) {
		const char *what = (const char *[]){ "64 bits", "32 bits", "big-endian" }[kind];

		e.is64 = kind != 1;
		e.is_big = kind == 2;
		for (layout = 0; layout < 4; layout++) {
			stripped_elf__make_go(&e, layout, STRIPPED_BASE + STRIPPED_TEXT);
			for (i = 0; i < STRIPPED_FUNC_CNT; i++)
				is_str(go_name(&e, stripped_addr(i, 0x11)), stripped_funcs[i].name,
				       "Go %s, %s: function %zu", names[layout], what, i);
			is_str(go_name(&e, stripped_addr(2, 0x200)), "",
			       "Go %s, %s: behind the last function", names[layout], what);
		}
	}
	e.is64 = true;
	e.is_big = false;
	stripped_elf__make_go(&e, 3, 0);
	is_str(go_name(&e, stripped_addr(1, 1)), stripped_funcs[1].name,
	       "Go, no address of the text: it begins with the entry point");
	e.data[STRIPPED_SECTION + GO_NAMES] = 'x';
	is_str(go_name(&e, stripped_addr(1, 1)), "",
	       "Go, no address of the text: an entry point of another kind proves nothing");
}

/* Each is one number of the table that leads out of it. */
static void test_damaged_go(void)
{
	static const size_t fields[] = { 8, 32, 64, GO_LIST + 4, GO_RECORDS + 0x204 };
	static struct stripped_elf e = { .is64 = true };
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		stripped_elf__make_go(&e, 3, STRIPPED_BASE + STRIPPED_TEXT);
		stripped_elf__put(&e, STRIPPED_SECTION + fields[i], 4, 0x7fffffff);
		is_str(go_name(&e, stripped_addr(0, 1)), "", "Go, damaged at %zu: no name",
		       fields[i]);
	}
}

static void write_file(const char *path, const void *data, size_t sz)
{
	FILE *f = fopen(path, "we");

	ok(f && fwrite(data, sz, 1, f) == 1 && !fclose(f), "%s is written", path);
}

/* A stripped file in a process: the function has no name, but its start is known. */
static void test_place(void)
{
	static struct stripped_elf e = { .is64 = true };
	struct sym_map map = { .addr = 0x10000000, .len = STRIPPED_SZ, .path = "stripped" };
	struct strbuf sb = STRBUF_INIT;
	struct sym *sym = sym__new();
	struct sym_frame frame;
	struct sym_result res;
	char path[PATH_MAX];
	struct stat st;
	uint64_t place;

	stripped_elf__make_fdes(&e, DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	write_file("stripped", e.data, sizeof(e.data));
	ok(realpath("stripped", path) && !stat(path, &st), "the file is there");
	map.path = path;
	map.ino = st.st_ino;
	map.maj = major(st.st_dev);
	map.min = minor(st.st_dev);
	sym__on_exec(sym, 1 << 29);
	sym__on_mmap(sym, 1 << 29, &map);
	place = sym__place(sym, 1 << 29, map.addr + STRIPPED_TEXT + 0x91);
	sym__name(sym, place, &res);
	ok(!res.name, "stripped: there is no name");
	is_u64(res.off, STRIPPED_TEXT + 0x91, "stripped: the offset in the file");
	is_u64(res.func_off, 0x11, "stripped: the offset in the function");
	sym_result__put(&res, &sb);
	is_str(strbuf__cstr(&sb), "[stripped+0x1080]", "stripped: printed by its start");
	is_u64(sym__frames(sym, false, place, &frame, 1), 1, "stripped: one frame");
	is_u64(frame.addr, stripped_addr(1, 0x11), "stripped: the file's own address");
	is_str(sym__path(sym, sym__program(sym, 1 << 29)), path, "the first file is the program");
	sym__name(sym, sym__place(sym, 1 << 29, map.addr + STRIPPED_TEXT + 0xc0), &res);
	is_u64(res.func_off, 0, "stripped: between functions no start is known");
	strbuf__free(&sb);
	sym__free(sym);
}

/* Removes the symbols of libdemo.so, whose build-id stays. */
static void strip_demo(void)
{
	int fd = open("libdemo.so", O_RDWR | O_CLOEXEC);
	uint32_t type = SHT_PROGBITS;

	ok(pwrite(fd, &type, sizeof(type),
		  offsetof(struct demo_elf, sections[DEMO_SEC_SYMTAB].sh_type)) == sizeof(type),
	   "libdemo.so has no symbols");
	close(fd);
}

static int open_debug_of_demo(void)
{
	int demo = open("libdemo.so", O_RDONLY | O_CLOEXEC), fd = -2;
	struct elf_heads heads;

	if (!read_elf__heads(READER_NAMES, demo, &heads))
		fd = debug_file__open(READER_NAMES, &heads, "/nowhere/libdemo.so", -1, false);
	close(demo);
	return fd;
}

static void test_cache(const char *variable, const char *dir, const char *name)
{
	char cwd[PATH_MAX - 64], path[PATH_MAX], cmd[2 * PATH_MAX];
	int fd;

	ok(getcwd(cwd, sizeof(cwd)) && !demo_elf__write(), "libdemo.so is written");
	snprintf(path, sizeof(path), "%s/cache", cwd);
	snprintf(cmd, sizeof(cmd), "mkdir -p cache%s && cp libdemo.so cache%s%s", dir, dir, name);
	ok(!system(cmd), "%s%s%s is there", variable, dir, name);
	strip_demo();
	setenv(variable, "cache", 1);
	is_s64(open_debug_of_demo(), -1, "%s%s: a relative path is not followed", variable, dir);
	setenv(variable, path, 1);
	fd = open_debug_of_demo();
	ok(fd >= 0, "%s%s: the debug file is found", variable, dir);
	close(fd);
	snprintf(cmd, sizeof(cmd),
		 "printf x | dd of=cache%s%s bs=1 seek=%zu conv=notrunc 2>/dev/null", dir, name,
		 offsetof(struct demo_elf, build_id));
	ok(!system(cmd), "%s%s: its build-id is another", variable, dir);
	is_s64(open_debug_of_demo(), -1, "%s%s: another build-id is refused", variable, dir);
	unsetenv(variable);
	ok(!system("rm -r cache"), "%s%s is removed", variable, dir);
}

#define ID_HEAD "64"
#define ID_TAIL "656d6f2d6275696c642d69642d323062797465"

static void test_caches(void)
{
	unsetenv("HOME");
	unsetenv("DEBUGINFOD_CACHE_PATH");
	unsetenv("XDG_CACHE_HOME");
	test_cache("HOME", "/.debug/.build-id/" ID_HEAD "/" ID_TAIL, "/debug");
	test_cache("HOME", "/.debug/.build-id/" ID_HEAD "/" ID_TAIL, "/elf");
	test_cache("HOME", "/.debug/.build-id/" ID_HEAD, "/" ID_TAIL);
	test_cache("HOME", "/.cache/debuginfod_client/" ID_HEAD ID_TAIL, "/debuginfo");
	test_cache("XDG_CACHE_HOME", "/debuginfod_client/" ID_HEAD ID_TAIL, "/debuginfo");
	test_cache("DEBUGINFOD_CACHE_PATH", "/" ID_HEAD ID_TAIL, "/debuginfo");
}

static void put_map(pid_t pid, uint64_t addr, bool is_old)
{
	const struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
	f = fopen(path, "we");
	fprintf(f, "%llx 1000 compiled\n", (unsigned long long)addr);
	fclose(f);
	if (is_old)
		utimensat(AT_FDCWD, path, times, 0);
}

/* A process writes its map at its end, after its samples; an old map is of another process. */
static void test_late_map(bool is_old)
{
	const char *what = is_old ? "a map of an earlier process" : "a map written at the end";
	struct sym_map map = { .addr = 0x10000000, .len = 0x1000, .path = "//anon" };
	struct sym *sym = sym__new();
	struct sym_result res;
	uint64_t place;
	char path[64];
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
	unlink(path);
	sym__on_exec(sym, pid);
	sym__on_mmap(sym, pid, &map);
	place = sym__place(sym, pid, map.addr + 7);
	put_map(pid, map.addr, is_old);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	sym__on_exit(sym, pid);
	sym__name(sym, place, &res);
	if (is_old)
		ok(!res.name, "%s is not read", what);
	else
		is_str(res.name, "compiled", "%s is read", what);
	unlink(path);
	sym__free(sym);
}

int main(void)
{
	char dir[] = "/tmp/stripped.XXXXXX", cmd[64];

	ok(mkdtemp(dir) && !chdir(dir), "a directory for scratch files");
	test_fdes();
	test_go();
	test_damaged_go();
	test_place();
	test_caches();
	test_late_map(false);
	test_late_map(true);
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "the directory is removed");
	return done_testing();
}
