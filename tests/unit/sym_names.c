// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/sym.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sym/kallsyms.h"
#include "tap.h"

__attribute__((noinline)) static int a_local_function(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 3;
}

int a_global_function(int x);
__attribute__((noinline)) int a_global_function(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 5;
}

static const char *name_of(struct sym *sym, int pid, const void *addr, uint64_t *off)
{
	struct sym_result res;

	sym__user(sym, pid, (uintptr_t)addr, &res);
	*off = res.off;
	return res.name;
}

static void test_own_functions(void)
{
	struct sym *sym = sym__new();
	struct sym_result a, b;
	uint64_t off, place;

	is_s64(sym__add_process(sym, getpid()), 0, "own mappings are read");
	is_str(name_of(sym, getpid(), (char *)a_local_function + 1, &off), "a_local_function",
	       "a local function");
	is_u64(off, 1, "the offset in it");
	is_str(name_of(sym, getpid(), a_global_function, &off), "a_global_function",
	       "a global function");
	sym__user(sym, getpid(), (uintptr_t)a_global_function, &a);
	sym__user(sym, getpid(), (uintptr_t)a_global_function + 2, &b);
	ok(a.name == b.name && a.module == b.module, "the same function gives the same pointers");
	sym__user(sym, getpid(), (uintptr_t)&errno, &a);
	is_str(a.module, "[unknown]", "data is unknown");
	ok(!a.name, "data has no name");

	place = sym__place(sym, getpid(), (uintptr_t)a_global_function);
	sym__on_exec(sym, getpid());
	sym__name(sym, place, &a);
	is_str(a.name, "a_global_function", "a place is named after exec");
	sym__user(sym, getpid(), (uintptr_t)a_global_function, &a);
	ok(!a.name, "an address before exec has no name");
	sym__free(sym);
}

static void test_processes(void)
{
	struct sym *sym = sym__new();
	int pid = fork(), status, i;
	uint64_t off;

	if (!pid)
		pause();
	is_str(name_of(sym, pid, a_global_function, &off), "a_global_function",
	       "a process that was not announced is read");
	sym__on_fork(sym, 1 << 29, pid);
	sym__on_exit(sym, pid);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	is_str(name_of(sym, pid, a_local_function, &off), "a_local_function",
	       "named after its exit");
	is_str(name_of(sym, 1 << 29, a_local_function, &off), "a_local_function",
	       "a child has its parent's mappings");
	sym__on_fork(sym, 1 << 29, 1 << 29);
	ok(name_of(sym, 1 << 29, a_local_function, &off), "a new thread changes nothing");
	for (i = 1; i <= 3000; i++) {
		sym__on_fork(sym, (1 << 29) + i, 1 << 29);
		sym__on_exit(sym, (1 << 29) + i);
	}
	ok(!name_of(sym, (1 << 29) + 1, a_local_function, &off),
	   "the first that ended is forgotten");
	ok(name_of(sym, (1 << 29) + 3000, a_local_function, &off),
	   "the last that ended is remembered");
	sym__free(sym);
}

/* A copy of this program. */
static void copy_self(const char *to)
{
	char exe[256], cmd[512];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	exe[n > 0 ? n : 0] = '\0';
	snprintf(cmd, sizeof(cmd), "cp '%s' '%s'", exe, to);
	if (system(cmd))
		exit(1);
}

/* Our own code, as if it were mapped from `path`: addresses as in /proc/self/maps. */
static struct sym_map map_of(const char *path, uint64_t addr)
{
	struct sym_map map = { .addr = addr, .len = 1 << 30, .path = path };
	struct stat st;

	stat(path, &st);
	map.maj = major(st.st_dev);
	map.min = minor(st.st_dev);
	map.ino = st.st_ino;
	return map;
}

/* The address our code has in the file, by asking for the place of it. */
static uint64_t file_off(const void *addr)
{
	struct sym *sym = sym__new();
	uint64_t place = sym__place(sym, getpid(), (uintptr_t)addr);

	sym__free(sym);
	return place & ((1ULL << 48) - 1);
}

static void test_replaced_files(void)
{
	char dir[] = "/tmp/bpfperf-sym.XXXXXX", path[64], cmd[96];
	uint64_t off = file_off(a_global_function), o;
	struct sym *sym = sym__new();
	struct sym_map map;
	const int pid = 1 << 29;

	if (!mkdtemp(dir))
		exit(1);
	snprintf(path, sizeof(path), "%s/a.so", dir);
	copy_self(path);

	map = map_of(path, 0x10000000);
	sym__on_exec(sym, pid);
	sym__on_mmap(sym, pid, &map);
	sym__place(sym, pid, 0x10000000 + off);
	unlink(path);
	is_str(name_of(sym, pid, (void *)(0x10000000 + off), &o), "a_global_function",
	       "a file that was deleted after it was met");

	copy_self(path);
	map = map_of(path, 0x10000000);
	map.ino++;
	sym__on_exec(sym, pid);
	sym__on_mmap(sym, pid, &map);
	ok(!name_of(sym, pid, (void *)(0x10000000 + off), &o), "another inode under the path");

	map.ino--;
	map.time_ns = 1;
	sym__on_exec(sym, pid);
	sym__on_mmap(sym, pid, &map);
	ok(!name_of(sym, pid, (void *)(0x10000000 + off), &o),
	   "an inode that was used again after the mapping");
	map.time_ns = 0;
	sym__on_exec(sym, pid);
	sym__on_mmap(sym, pid, &map);
	is_str(name_of(sym, pid, (void *)(0x10000000 + off), &o), "a_global_function",
	       "the same inode, mapped now");
	sym__free(sym);
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "the directory is removed");
}

static void test_printing(void)
{
	struct strbuf sb = STRBUF_INIT;
	struct sym_result res = { .name = "main", .module = "/bin/x", .off = 4 };

	sym_result__put(&res, &sb);
	is_str(strbuf__cstr(&sb), "main", "a symbol is printed by its name");
	strbuf__reset(&sb);
	res = (struct sym_result){ .module = "/usr/lib/libfoo.so.1", .off = 0x1234 };
	sym_result__put(&res, &sb);
	is_str(strbuf__cstr(&sb), "[libfoo.so.1+0x1234]", "a file and an offset");
	strbuf__reset(&sb);
	res.func_off = 0x34;
	strbuf__reset(&sb);
	sym_result__put(&res, &sb);
	is_str(strbuf__cstr(&sb), "[libfoo.so.1+0x1200]", "a file and the start of a function");
	strbuf__reset(&sb);
	res = (struct sym_result){ .module = "[anon]", .off = 0x1234 };
	sym_result__put(&res, &sb);
	is_str(strbuf__cstr(&sb), "[anon]", "a symbol without a file is [anon]");
	strbuf__reset(&sb);
	res = (struct sym_result){ .name = "a\nb", .module = "/x" };
	sym_result__put(&res, &sb);
	is_str(strbuf__cstr(&sb), "a\\nb", "control characters are escaped");
	strbuf__free(&sb);
}

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
}

static void test_kallsyms(void)
{
	char path[] = "/tmp/bpfperf-kallsyms.XXXXXX";
	struct kallsyms ks = { .path = path, .modules_path = "/dev/null" }, hidden = ks;
	const char *name = NULL, *module = NULL;
	uint64_t off = 0;

	close(mkstemp(path));
	put_file(path, "ffffffff81000000 T _text\n"
		       "ffffffff81000000 T start_here\n"
		       "ffffffff81000100 t __local\n"
		       "ffffffff81000100 W weak_one\n"
		       "ffffffff81000180 d some_data\n"
		       "ffffffff81000200 T next_one\n"
		       "ffffffffc0000000 t mod_fn\t[nf_tables]\n"
		       "ffffffffa0000000 t early_mod\t[ext4]\n"
		       "ffffffffc0000100 t mod_end\t[nf_tables]\n");
	ok(kallsyms__find(&ks, 0xffffffff81000010, &name, &module, &off),
	   "kallsyms: a function is found");
	is_str(name, "start_here", "kallsyms: the last of several names");
	is_str(module, "[kernel.kallsyms]", "kallsyms: the function's module");
	is_u64(off, 0x10, "kallsyms: the offset in the function");
	kallsyms__find(&ks, 0xffffffff810001ff, &name, &module, &off);
	is_str(name, "weak_one", "kallsyms: a weak name counts, data between does not");
	kallsyms__find(&ks, 0xffffffffc00000ff, &name, &module, &off);
	is_str(name, "mod_fn", "kallsyms: a module's function");
	is_str(module, "[nf_tables]", "kallsyms: the module of the function");
	kallsyms__find(&ks, 0xffffffffa0000001, &name, &module, &off);
	is_str(name, "early_mod", "kallsyms: modules need not be sorted");
	ok(!kallsyms__find(&ks, 0x1000, &name, &module, &off), "kallsyms: no name below all");
	kallsyms__free(&ks);

	put_file(path, "0000000000000000 T _text\n0000000000000000 T start_here\n");
	ok(!kallsyms__find(&hidden, 0xffffffff81000010, &name, &module, &off),
	   "kallsyms: hidden addresses have no names");
	kallsyms__free(&hidden);
	unlink(path);
}

static void is_at(struct kallsyms *ks, uint64_t addr, const char *want, const char *what)
{
	const char *name = NULL, *module = NULL;
	char got[64] = "nothing";
	uint64_t off;

	if (kallsyms__find(ks, addr, &name, &module, &off))
		snprintf(got, sizeof(got), "%s %s", name, module);
	is_str(got, want, "%s", what);
}

/* Functions of modules end with them; those of modules that come while we record are read, too. */
static void test_modules(void)
{
	char path[] = "/tmp/bpfperf-kallsyms.XXXXXX", modules[] = "/tmp/bpfperf-modules.XXXXXX";
	struct kallsyms ks = { .path = path, .modules_path = modules };

	close(mkstemp(path));
	close(mkstemp(modules));
	ks.ahead = ahead__new();
	put_file(modules, "nf_tables 4096 0 - Live 0xffffffffc0100000 (E)\n"
			  "ext4 8192 3 jbd2,mbcache, Live 0xffffffffc0000000\n"
			  "jbd2 4096 1 ext4, Live 0xffffffffc0110000\n");
	put_file(path, "ffffffff81000000 T _text\n"
		       "ffffffffc0000000 t ext4_first\t[ext4]\n"
		       "ffffffffc0001000 t ext4_last\t[ext4]\n"
		       "ffffffffc0050000 t ext4_init\t[ext4]\n"
		       "ffffffffc0060000 t bpf_trampoline_7\t[bpf]\n"
		       "ffffffffc0090000 t bpf_prog_one\t[bpf]\n"
		       "ffffffffc0100000 t nft_one\t[nf_tables]\n"
		       "ffffffffc0110800 t jbd2_one\t[jbd2]\n");
	kallsyms__read_ahead(&ks);
	ahead__finish(ks.ahead, &ks.job);
	put_file(modules, "nf_tables 4096 1 - Live 0xffffffffc0100000 (E)\n"
			  "dm_mod 4096 0 - Live 0xffffffffc0000000\n"
			  "xfs 4096 1 - Loading 0xffffffffc0003000\n");
	put_file(path, "ffffffff81000000 T _text\n"
		       "ffffffffc0000000 t dm_one\t[dm_mod]\n"
		       "ffffffffc0003000 t xfs_one\t[xfs]\n"
		       "ffffffffc0060000 t bpf_trampoline_7\t[bpf]\n"
		       "ffffffffc0090000 t bpf_prog_one\t[bpf]\n"
		       "ffffffffc0100000 t nft_one\t[nf_tables]\n");
	is_at(&ks, 0xffffffffc0003fff, "xfs_one [xfs]", "a module that came while we recorded");
	is_at(&ks, 0xffffffffc0004000, "nothing",
	      "a module that came meanwhile ends with its size");
	is_at(&ks, 0xffffffffc0000fff, "dm_one [dm_mod]", "one in the place of another");
	is_at(&ks, 0xffffffffc0001010, "ext4_last [ext4]", "what is gone, where nothing came");
	is_at(&ks, 0xffffffffc0002000, "nothing", "a module that is gone ends with its size");
	is_at(&ks, 0xffffffffc0050010, "nothing", "a function outside of its module");
	is_at(&ks, 0xffffffffc00cffff, "bpf_prog_one [bpf]", "code that is no module's");
	is_at(&ks, 0xffffffffc00d0000, "nothing", "no program is that large");
	is_at(&ks, 0xffffffffc0060fff, "bpf_trampoline_7 [bpf]", "a trampoline is named");
	is_at(&ks, 0xffffffffc0070000, "nothing", "a trampoline is a page at most");
	is_at(&ks, 0xffffffffc0100010, "nft_one [nf_tables]",
	      "a module that was there all the time");
	is_at(&ks, 0xffffffffc0110010, "nothing", "before a module's first function");
	ahead__free(ks.ahead);
	kallsyms__free(&ks);
	unlink(path);
	unlink(modules);
}

static const char *name_at(struct kallsyms *ks, uint64_t addr)
{
	const char *name = NULL, *module;
	uint64_t off;

	return kallsyms__find(ks, addr, &name, &module, &off) ? name : NULL;
}

/*
 * The kernel has these modules now, each of a page, at an address by its letter, and a function of
 * it.
 */
static void load_modules(struct kallsyms *ks, const char *letters)
{
	FILE *modules = fopen(ks->modules_path, "w"), *functions = fopen(ks->path, "w");

	fputs("ffffffff81000000 T _text\n", functions);
	for (; *letters; letters++) {
		unsigned long long addr =
			0xffffffffc0000000ull + ((unsigned long long)(*letters & 15) << 16);

		fprintf(modules, "%c 4096 0 - Live 0x%llx\n", *letters, addr);
		fprintf(functions, "%llx t %c_one\t[%c]\n", addr, *letters, *letters);
	}
	fclose(modules);
	fclose(functions);
	ks->looked_ns = 0;
}

/* Modules that come and go while functions are named: 'q' and 'a' have the same address. */
static void test_modules_later(void)
{
	char path[] = "/tmp/bpfperf-kallsyms.XXXXXX", modules[] = "/tmp/bpfperf-modules.XXXXXX";
	struct kallsyms ks = { .path = path, .modules_path = modules }, recorded = ks;
	const struct recorded_kernel kernel = { .text = 0xffffffff81000000,
						.origin = KERNEL_RUNNING };
	const char *a, *b;
	int i;

	close(mkstemp(path));
	close(mkstemp(modules));
	load_modules(&ks, "a");
	a = name_at(&ks, 0xffffffffc0010010);
	is_str(a, "a_one", "a module that is there");
	load_modules(&ks, "ab");
	is_at(&ks, 0xffffffffc0020fff, "b_one [b]", "one that comes between two names");
	b = name_at(&ks, 0xffffffffc0020010);
	ok(name_at(&ks, 0xffffffffc0010010) == a, "the first has the same name");
	load_modules(&ks, "qb");
	is_at(&ks, 0xffffffffc0010010, "q_one [q]", "another in its place");
	ok(name_at(&ks, 0xffffffffc0020010) == b, "one that stays has the same name");
	load_modules(&ks, "");
	ok(name_at(&ks, 0xffffffffc0020010) == b, "when it has gone, too");
	is_at(&ks, 0xffffffffc0010010, "q_one [q]", "the last that was in a place names it");
	is_at(&ks, 0xffffffff81000010, "_text [kernel.kallsyms]", "the kernel is where it was");
	load_modules(&ks, "a");
	ok(name_at(&ks, 0xffffffffc0010010) == a, "the first comes again");
	for (i = 0; i < 101; i++) {
		load_modules(&ks, i % 2 ? "qc" : "c");
		name_at(&ks, 0xffffffffc0030010);
	}
	is_u64(ks.read_cnt, KALLSYMS_READS_MAX, "all that is too often is not read");
	ok(name_at(&ks, 0xffffffffc0020010) == b, "a name that was read stays");
	load_modules(&ks, "d");
	is_at(&ks, 0xffffffffc0040010, "nothing", "what comes after too many reads has no name");
	kallsyms__free(&ks);

	load_modules(&recorded, "a");
	kallsyms__set_recorded(&recorded, &kernel);
	load_modules(&recorded, "ab");
	is_at(&recorded, 0xffffffffc0010010, "a_one [a]", "a recording's modules");
	is_at(&recorded, 0xffffffffc0020010, "nothing", "a recording's modules did not come later");
	kallsyms__free(&recorded);
	unlink(path);
	unlink(modules);
}

int main(void)
{
	test_own_functions();
	test_processes();
	test_replaced_files();
	test_printing();
	test_kallsyms();
	test_modules();
	test_modules_later();
	is_s64(a_local_function(1) + a_global_function(1), 8, "both functions are used");
	return done_testing();
}
