// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Hostile ELF files: mutations of this very program (symbols, DWARF) and of small ones, each
 * opened, all its names and inlined functions asked for. Nothing may crash, leak or take long;
 * what it answers is of no interest. Bounded by time, with a seed that is printed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sym/demangle.h"
#include "sym/dso_load.h"
#include "sym/dwarf_inlines.h"
#include "sym/file_syms.h"
#include "sym/inlines.h"
#include "sym/jit_map.h"
#include "sym/sym.h"
#include "cpu_ns.h"
#include "rnd.h"
#include "tap.h"
#include "util/mono.h"

#define FUZZ_S 12
/* One file, under the sanitizers on a busy machine. */
#define ONE_MAX_NS 10000000000ULL

struct file {
	char *data;
	size_t sz;
};

static struct file read_file(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	struct file f = { 0 };

	if (fd < 0 || fstat(fd, &st))
		return f;
	f.data = malloc((size_t)st.st_size);
	f.sz = (size_t)read(fd, f.data, (size_t)st.st_size);
	close(fd);
	return f;
}

/* Picks a byte of the headers, of the tables they lead to, and now and then any byte. */
static size_t pick(const char *data, size_t sz)
{
	uint64_t shoff, off, len;
	uint16_t shnum;
	size_t at;

	memcpy(&shoff, data + 40, 8);
	memcpy(&shnum, data + 60, 2);
	switch (rnd(8)) {
	case 0:
		return rnd(64);
	case 1:
		return 64 + rnd(64 * 12);
	case 2:
	case 3:
		if (shoff < sz && shnum)
			return shoff + rnd(shnum * 64u);
		break;
	case 4:
	case 5:
	case 6:
		if (!shnum || shoff >= sz || sz - shoff < shnum * 64ull)
			break;
		at = shoff + rnd(shnum) * 64ull;
		memcpy(&off, data + at + 24, 8);
		memcpy(&len, data + at + 32, 8);
		if (off < sz && len && len < sz - off)
			return off + rnd((uint32_t)(len < 4096 || rnd(2) ? len : 4096));
		break;
	default:
		break;
	}
	return rnd((uint32_t)sz);
}

static size_t mutate(char *data, size_t sz)
{
	static const uint64_t nasty[] = {
		0,          1,         0x7f,       0xff,           0x7fffffff, 0xffffffff,
		1ULL << 32, INT64_MAX, UINT64_MAX, UINT64_MAX - 7, 0x1000,     24
	};
	uint32_t n = 1 + rnd(12);

	while (n--) {
		size_t at = pick(data, sz), len = 1u << rnd(4);

		if (at + len > sz)
			continue;
		if (rnd(2))
			memcpy(data + at, &nasty[rnd(sizeof(nasty) / sizeof(*nasty))], len);
		else
			data[at] ^= (char)(1 << rnd(8));
	}
	return rnd(16) ? sz : 64 + rnd((uint32_t)sz - 64);
}

static void ask_inlines(struct dwarf_inlines *in, const struct elf_syms *syms)
{
	struct inline_frame frames[SYM_FRAMES_MAX];
	struct inline_entries entries;
	size_t i;

	for (i = 0; in && i < syms->tab.cnt && i < 300; i++)
		dwarf_inlines__find(in, syms->tab.entries[i].addr + 3, frames, SYM_FRAMES_MAX,
				    &entries);
	for (i = 0; in && i < 67; i++)
		dwarf_inlines__find(in, rnd(1 << 20), frames, SYM_FRAMES_MAX, &entries);
}

/* Does in this process what readers do with a file, so that sanitizers see it. */
static void read_here(int fd)
{
	struct strbuf sb = STRBUF_INIT, name = STRBUF_INIT;
	const struct elf_image img = { .fd = fd };
	struct elf_syms syms = { 0 };
	struct dwarf_inlines *in;
	uint64_t vaddr;
	size_t i;

	file_syms__read(&syms, &img, fd, ELF_SYMS_STRIPPED | ELF_SYMS_DATA);
	for (i = 0; i < syms.tab.cnt && i < 2000; i++) {
		strbuf__reset(&sb);
		strbuf__reset(&name);
		if (elf_syms__put_name(&syms, &syms.tab.entries[i], &img, &sb))
			demangle(strbuf__cstr(&sb), &name);
	}
	for (i = 0; i < 64; i++)
		if (elf_syms__to_vaddr(&syms, (uint64_t)rnd(1 << 20), &vaddr))
			symtab__find(&syms.tab, vaddr);
	in = dwarf_inlines__open(fd, fd, true);
	ask_inlines(in, &syms);
	dwarf_inlines__close(in);
	elf_syms__free(&syms);
	strbuf__free(&sb);
	strbuf__free(&name);
}

/* Reads through a reader, with all that is around it. */
static void read_there(int fd)
{
	struct inline_frame frames[SYM_FRAMES_MAX];
	struct dso_load load = {
		.img.fd = fd,
		.path = "/nowhere/at/all",
		.root_fd = -1,
		.debug_fd = -1,
		.new_debug_fd = -1,
		.want_inlines = true,
		.want_lines = true,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	size_t i;

	for (i = 0; i < 67; i++)
		dso_load__want(&load, (uint64_t)rnd(1 << 20));
	dso_load__run(&load.job);
	dso_load__free_wanted(&load);
	for (i = 0; load.inlines && i < load.syms.tab.cnt && i < 300; i++)
		inlines__find(load.inlines, load.syms.tab.entries[i].addr + 3,
			      load.syms.tab.entries[i].addr, frames, SYM_FRAMES_MAX);
	inlines__close(load.inlines);
	elf_syms__free(&load.syms);
	symtab__free(&load.fdes);
	if (load.new_debug_fd >= 0)
		close(load.new_debug_fd);
}

static void ask(int fd)
{
	if (rnd(8))
		read_here(fd);
	else
		read_there(fd);
}

static bool put(int fd, const char *data, size_t sz)
{
	return !ftruncate(fd, 0) && pwrite(fd, data, sz, 0) == (ssize_t)sz;
}

/* A small program with C++ names and DWARF, its stripped form with .gnu_debugdata. */
static void make_seeds(struct file *seeds, size_t *cnt)
{
	static const char build[] =
		"cd %s && printf 'struct S { int v; inline int g(int x) const { return v * x; } };\\n"
		"template <class T> __attribute__((noinline)) T f(T a) { S s{(int)a}; return s.g(3); }\\n"
		"int main(int c, char **) { return f<int>(c) + f<long>(c); }\\n' >a.cpp && "
		"g++ -O2 -g a.cpp -o a && g++ -O2 -g -gdwarf-4 -fdebug-types-section a.cpp -o b && "
		"objcopy --strip-debug a mini && xz -k mini && strip a -o c && "
		"objcopy --add-section .gnu_debugdata=mini.xz c && g++ -O2 -g -gz a.cpp -o d";
	char dir[] = "/tmp/bpfperf-fuzz.XXXXXX", cmd[2048];
	static const char *const names[] = { "a", "b", "c", "d" };
	size_t i;

	if (!mkdtemp(dir))
		exit(1);
	snprintf(cmd, sizeof(cmd), build, dir);
	if (!system(cmd))
		for (i = 0; i < 4; i++) {
			snprintf(cmd, sizeof(cmd), "%s/%s", dir, names[i]);
			seeds[*cnt] = read_file(cmd);
			*cnt += seeds[*cnt].data != NULL;
		}
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "%zu small programs as seeds", *cnt);
}

static void fuzz_elf(uint64_t secs)
{
	uint64_t end = mono_ns() + secs * 1000000000, slowest = 0, t;
	struct file seeds[4];
	unsigned long rounds = 0;
	size_t cnt = 0, sz, i;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char *copy;

	make_seeds(seeds, &cnt);
	for (i = 0; i < cnt; i++)
		if (put(fd, seeds[i].data, seeds[i].sz))
			ask(fd);
	while (cnt && mono_ns() < end) {
		const struct file *seed = &seeds[rnd((uint32_t)cnt)];

		copy = malloc(seed->sz);
		memcpy(copy, seed->data, seed->sz);
		sz = mutate(copy, seed->sz);
		if (put(fd, copy, sz)) {
			t = cpu_ns();
			ask(fd);
			t = cpu_ns() - t;
			slowest = t > slowest ? t : slowest;
		}
		free(copy);
		rounds++;
	}
	diag("%lu files, the slowest took %" PRIu64 " us", rounds, slowest / 1000);
	ok(!cnt || rounds > 100, "mutated files did no harm");
	ok(slowest < ONE_MAX_NS, "no mutated file took long");
	for (i = 0; i < cnt; i++)
		free(seeds[i].data);
	close(fd);
}

static void fuzz_jit(void)
{
	static const char chars[] = "0123456789abcdef  \n\n\tXfoo:;()~";
	int fd = memfd_create("jit", MFD_CLOEXEC);
	unsigned long bad = 0;
	char text[512];
	size_t i, n;
	int round;

	for (round = 0; round < 3000; round++) {
		struct elf_syms syms = { 0 };

		n = rnd(sizeof(text));
		for (i = 0; i < n; i++)
			text[i] = rnd(50) ? chars[rnd(sizeof(chars) - 1)] : (char)rnd(256);
		if (!put(fd, text, n) || jit_map__read(&syms, fd, n))
			bad++;
		/* The kept entries do not overlap. */
		for (i = 1; i < syms.tab.cnt; i++)
			bad += syms.tab.entries[i - 1].addr + syms.tab.entries[i - 1].sz >
			       syms.tab.entries[i].addr;
		elf_syms__free(&syms);
	}
	is_u64(bad, 0, "3,000 JIT maps of noise");
	close(fd);
}

static void fuzz_names(void)
{
	static const char chars[] = "_ZRNvCsIiSt0123456789EhKLPTadbBu_.$Q";
	static const char base36[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct strbuf sb = STRBUF_INIT, raw = STRBUF_INIT;
	uint64_t t = cpu_ns();
	char name[300];
	unsigned long bad = 0;
	int round;
	size_t i, n;

	for (round = 0; round < 100000; round++) {
		n = 2 + rnd(sizeof(name) - 3);
		for (i = 0; i < n; i++)
			name[i] = chars[rnd(sizeof(chars) - 1)];
		memcpy(name, rnd(2) ? "_Z" : "_R", 2);
		name[n] = '\0';
		strbuf__reset(&sb);
		demangle(name, &sb);
		bad += sb.len > DEMANGLE_MAX_SZ;
	}
	is_u64(bad, 0, "100,000 names of noise");
	/* Each is a template of twice the one before: written out, 2^30 characters. */
	strbuf__reset(&sb);
	strbuf__puts(&raw, "_Z1fI1aIiiE");
	for (i = 0; i < 30; i++)
		strbuf__printf(&raw, "S0_IS%c_S%c_E", base36[i + 1], base36[i + 1]);
	strbuf__puts(&raw, "Evv");
	ok(!demangle(strbuf__cstr(&raw), &sb) && !sb.len, "a name that explodes stays as it is");
	raw.buf[11 + 2 * 11] = '\0';
	strcat(raw.buf, "Evv");
	ok(demangle(raw.buf, &sb) && strstr(sb.buf, "f<a<int, int>, a<a<int, int>"),
	   "the beginning of a long mangled name is a name");
	ok(!demangle("_ZN1aIN1bIN1cEEEE1", &sb), "a damaged name is none");
	ok(cpu_ns() - t < ONE_MAX_NS, "no name of noise took long");
	strbuf__free(&sb);
	strbuf__free(&raw);
}

int main(int argc, char **argv)
{
	rnd_state = argc > 1 ? strtoull(argv[1], NULL, 0) : mono_ns();
	diag("seed %" PRIu64 " (sym_fuzz SEED [SECONDS] does the same again)", rnd_state);
	fuzz_names();
	fuzz_jit();
	fuzz_elf(argc > 2 ? strtoull(argv[2], NULL, 0) : FUZZ_S);
	return done_testing();
}
