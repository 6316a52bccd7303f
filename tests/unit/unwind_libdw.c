// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Unwind tables against libdw: on 100,003 random addresses of each file both come to the same CFA,
 * return address, frame pointer and base register, over registers and memory of noise. The step
 * is the one that runs in the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <elfutils/libdw.h>
#include <gelf.h>

#include "rnd.h"
#include "tap.h"
#include "unwind/arch.h"
#include "unwind/file.h"
#include "unwind_eval.h"
#include "util/mono.h"

static struct noise noise;
static bool is_arm64;
static struct {
	uint64_t start, sz;
} linkage; /* .plt */
static const struct unwind_table *table_now;

#define UNWIND_ARM64 is_arm64

static long unwind_read(__u64 *value, __u64 addr)
{
	*value = noise_mem(&noise, addr);
	return 0;
}

static long unwind_sample_reg(void *ctx, __u32 reg, __u64 *v)
{
	*v = noise_reg(&noise, reg);
	return 0;
}

static const struct unwind_rule *unwind_find(void *ctx, __u64 pc)
{
	return unwind_table__find(table_now, pc);
}

#include "unwind/user_space.h"

#include "bpf/unwind.bpf.h"

#define PCS 100003

struct counts {
	unsigned long same, none, marked, outermost, wrong, linkage, clone;
};

/* Other noise, and a number. */
static uint64_t rnd_noise(void)
{
	noise.seed = rnd64();
	return rnd64();
}

static void tell(const char *what, uint64_t pc, const struct unwind_rule *rule, uint64_t got,
		 uint64_t want)
{
	diag("pc %#" PRIx64 ": %s %#" PRIx64 ", libdw %#" PRIx64
	     " (cfa %u reg %u off %d, ra %u %d, fp %u %d, base %u %d)",
	     pc, what, got, want, rule->cfa, rule->cfa_reg, rule->cfa_off, rule->ra, rule->ra_off,
	     rule->fp, rule->fp_off, rule->base, rule->base_off);
}

static bool same_reg(const char *what, Dwarf_Frame *frame, uint64_t cfa, int reg, bool has,
		     uint64_t got, const struct unwind_rule *rule)
{
	uint64_t want = 0;
	enum known k = libdw_reg(frame, &noise, cfa, reg, &want);

	/*
	 * libdw does not know that a register without a rule, such as rbx, is the callee's to keep.
	 */
	if (k == UNDEFINED && reg == 3 && rule->base == UNWIND_LOC_SAME)
		return true;
	if (k == KNOWN ? !has || got == want : k == UNKNOWN || !has)
		return true;
	tell(what, noise.pc, rule, got, want);
	return false;
}

static bool ok_step(int end, const struct unwind_rule *rule)
{
	if (end != UNWIND_GOES_ON)
		tell("end", noise.pc, rule, (uint64_t)end, 0);
	return end == UNWIND_GOES_ON;
}

/* One address at which libdw has a frame. */
static void compare(Dwarf_Frame *frame, const struct unwind_arch *arch, struct counts *c)
{
	struct unwind_rule rule = *unwind_table__find(table_now, noise.pc);
	struct unwind_regs r = { 0 };
	uint64_t cfa = 0, ra = 0;
	__u64 got_cfa = 0, got_ra = 0;
	enum known has_cfa = libdw_cfa(frame, &noise, &cfa), has_ra;

	has_ra = libdw_reg(frame, &noise, cfa, arch->ra, &ra);
	if (has_ra == UNDEFINED) {
		c->outermost += rule.ra == UNWIND_LOC_NONE;
		c->wrong += rule.ra != UNWIND_LOC_NONE;
		return;
	}
	if (rule.cfa == UNWIND_CFA_UNKNOWN) {
		c->marked++;
		return;
	}
	r = (struct unwind_regs){ .pc = noise.pc,
				  .sp = noise_reg(&noise, arch->sp),
				  .fp = noise_reg(&noise, arch->fp),
				  .base = noise_reg(&noise, arch->base),
				  .lr = noise_reg(&noise, arch->ra),
				  .has_fp = 1,
				  .has_base = 1,
				  .has_lr = 1,
				  .is_sample = 1,
				  .is_exact = 1 };
	if (unwind_cfa(NULL, &r, &rule, &got_cfa) || has_cfa != KNOWN || cfa != got_cfa) {
		tell("cfa", noise.pc, &rule, got_cfa, cfa);
		c->wrong++;
		return;
	}
	if (unwind_ra(NULL, &r, &rule, cfa, &got_ra) || has_ra != KNOWN || ra != got_ra) {
		tell("ra", noise.pc, &rule, got_ra, ra);
		c->wrong++;
		return;
	}
	/* The whole step, with the checks of a real stack, of which noise has none. */
	rule.flags |= UNWIND_SIGNAL;
	if (!ok_step(unwind_by_rule(NULL, &r, &rule), &rule) || r.sp != cfa ||
	    !same_reg("fp", frame, cfa, arch->fp, r.has_fp, r.fp, &rule) ||
	    !same_reg("base", frame, cfa, arch->base, r.has_base, r.base, &rule))
		c->wrong++;
	else
		c->same++;
}

/*
 * libdw knows nothing about arm64's procedure linkage: x30 returns, and once the first entry has
 * pushed it, its place on the stack does.
 */
static bool is_linkage(uint64_t pc, const struct unwind_rule *rule)
{
	uint64_t off = pc - linkage.start;
	bool pushed = off >= 4 && off < 32;

	if (!is_arm64 || off >= linkage.sz || rule->cfa != UNWIND_CFA_SP ||
	    rule->fp != UNWIND_LOC_SAME || rule->base != UNWIND_LOC_SAME)
		return false;
	return pushed ? rule->cfa_off == 16 && rule->ra == UNWIND_LOC_CFA && rule->ra_off == -8
		      : !rule->cfa_off && rule->ra == UNWIND_LOC_SAME;
}

/* Nor does it know the gap that glibc leaves behind the system call that makes a thread. */
static bool is_clone(const struct unwind_rule *rule)
{
	return !is_arm64 && rule->flags == UNWIND_CLONE && rule->cfa == UNWIND_CFA_SP &&
	       rule->cfa_off == 8 && rule->ra == UNWIND_LOC_CFA && rule->ra_off == -8 &&
	       rule->fp == UNWIND_LOC_SAME && rule->base == UNWIND_LOC_SAME;
}

static void compare_at(Dwarf_CFI *cfi, uint64_t pc, const struct unwind_arch *arch,
		       struct counts *c)
{
	Dwarf_Frame *frame;

	noise.pc = pc;
	if (dwarf_cfi_addrframe(cfi, pc, &frame)) {
		const struct unwind_rule *rule = unwind_table__find(table_now, pc);

		if (rule->cfa == UNWIND_CFA_UNKNOWN) {
			c->none++;
		} else if (is_linkage(pc, rule)) {
			c->linkage++;
		} else if (is_clone(rule)) {
			c->clone++;
		} else {
			diag("pc %#" PRIx64 ": a rule, and libdw has none: %s", pc,
			     dwarf_errmsg(-1));
			c->wrong++;
		}
		return;
	}
	compare(frame, arch, c);
	free(frame);
}

/* The file that random_code() has the sections of; NULL: none yet. */
static Elf *code_of;

/* An address of code: of no data that happen to be executable. 0: there is none. */
static uint64_t random_code(Elf *elf)
{
	static GElf_Shdr secs[32];
	static uint64_t cnt, sz;
	uint64_t at, i;
	Elf_Scn *scn = NULL;

	for (cnt = code_of == elf ? cnt : 0, sz = cnt ? sz : 0; code_of != elf;) {
		scn = elf_nextscn(elf, scn);
		if (!scn || cnt == 32)
			code_of = elf;
		else if (gelf_getshdr(scn, &secs[cnt]) && secs[cnt].sh_flags & SHF_EXECINSTR)
			sz += secs[cnt++].sh_size;
	}
	at = sz ? rnd_noise() % sz : 0;
	for (i = 0; i < cnt; at -= secs[i++].sh_size)
		if (at < secs[i].sh_size)
			return secs[i].sh_addr + at;
	return 0;
}

static void find_linkage(Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	memset(&linkage, 0, sizeof(linkage));
	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name =
			gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;

		if (name && !strcmp(name, ".plt")) {
			linkage.start = sh.sh_addr;
			linkage.sz = sh.sh_size;
		}
	}
}

/* Random addresses, and where each row begins: the rules that are rare too. */
static void compare_file(Elf *elf, Dwarf_CFI *cfi, const char *name, uint32_t pcs)
{
	const struct unwind_table *t = table_now;
	struct counts c = { 0 };
	GElf_Ehdr eh;
	const struct unwind_arch *arch =
		gelf_getehdr(elf, &eh) ? unwind_arch__of(eh.e_machine) : NULL;
	size_t i;

	/* The last one's memory may be this one's. */
	code_of = NULL;
	if (!ok(cfi && arch && random_code(elf), "%s: libdw reads it", name))
		return;
	is_arm64 = arch->machine == EM_AARCH64;
	find_linkage(elf);
	noise.pc_reg = is_arm64 ? UINT8_MAX : arch->ra;
	for (i = 0; i < pcs; i++)
		compare_at(cfi, random_code(elf), arch, &c);
	for (i = 0; i < t->row_cnt; i++)
		compare_at(cfi, t->base + (t->rows[i] >> UNWIND_RULE_BITS), arch, &c);
	diag("%s: %lu the same, %lu outermost, %lu without, %lu marked, %lu linkage, "
	     "%lu clone, %lu wrong",
	     name, c.same, c.outermost, c.none, c.marked, c.linkage, c.clone, c.wrong);
	is_u64(c.wrong, 0, "%s: of %u addresses and %zu rows none is told otherwise", name, pcs,
	       t->row_cnt);
	ok(c.clone < 30, "%s: clone(2) has a few bytes alone", name);
	ok(c.same > pcs / 3, "%s: at many of them there is a rule", name);
	ok(c.marked <= c.same / 1000, "%s: at most one in a thousand is beyond the rules", name);
}

static void compare_table(const struct unwind_table *table, Elf *elf, const char *name, bool debug,
			  uint32_t pcs)
{
	Dwarf *dwarf = debug ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	Dwarf_CFI *cfi = debug ? dwarf_getcfi(dwarf) : dwarf_getcfi_elf(elf);

	diag("%s: %zu rows, %zu rules, %zu KiB", name, table->row_cnt, table->rule_cnt,
	     unwind_table__mem_sz(table) >> 10);
	is_u64(table->bad_cnt, 0, "%s: all its entries make sense", name);
	ok(unwind_table__mem_sz(table) < 4 << 20, "%s: below 4 MiB", name);
	table_now = table;
	compare_file(elf, cfi, name, pcs);
	/* dwarf_end() frees all that was made from a Dwarf. */
	if (debug)
		dwarf_end(dwarf);
	else
		dwarf_cfi_end(cfi);
}

static void test_as(const char *path, bool debug, uint32_t pcs)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct unwind_table table;
	uint64_t t = mono_ns();
	Elf *elf;
	int err;

	if (fd < 0) {
		skip(path);
		return;
	}
	err = unwind_file__read(&table, fd);
	t = mono_ns() - t;
	if (ok(!err, "%s: a table", path)) {
		diag("%s: made in %" PRIu64 " us", path, t / 1000);
		elf = elf_begin(fd, ELF_C_READ, NULL);
		compare_table(&table, elf, path, debug, pcs);
		elf_end(elf);
		unwind_table__free(&table);
	}
	close(fd);
}

static void test_file(const char *path)
{
	test_as(path, false, PCS);
}

/* Without .eh_frame there may be .debug_frame, compressed or not. */
static void test_debug_frame(void)
{
	static const char build[] =
		"cd %s && printf 'int g(int *); int f(int n) { int a[99]; return g(a) + n; }\n"
		"int h(int n) { __builtin_alloca(n); return f(n) + f(3); }\n' >a.c && "
		"gcc -O1 -g -w %s -fno-asynchronous-unwind-tables -fno-unwind-tables -shared -fPIC "
		"-nostdlib a.c -o a.so";
	static const char *const how[] = { "", "-gz -Wl,--compress-debug-sections=zlib" };
	char dir[] = "/tmp/bpfperf-unwind.XXXXXX", cmd[1024];
	size_t i;

	if (!mkdtemp(dir))
		exit(1);
	for (i = 0; i < 2; i++) {
		snprintf(cmd, sizeof(cmd), build, dir, how[i]);
		ok(!system(cmd), "a library without .eh_frame %s", how[i]);
		snprintf(cmd, sizeof(cmd), "%s/a.so", dir);
		test_as(cmd, true, 1013);
	}
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "the directory is removed");
}

/* A file that is loaded by this program, as it is called here. */
static void test_glob(const char *pattern)
{
	glob_t g;

	if (glob(pattern, 0, NULL, &g)) {
		skip(pattern);
		return;
	}
	test_file(g.gl_pathv[0]);
	globfree(&g);
}

/* No sections are looked at where there are none: the same table by .eh_frame_hdr. */
static void test_without_sections(const char *path)
{
	struct unwind_table with, without;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	off_t sz = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	char *image = malloc((size_t)sz + 1);
	Elf64_Ehdr *eh = (void *)image;

	if (fd < 0 || pread(fd, image, (size_t)sz, 0) != sz ||
	    !ok(!unwind_file__read(&with, fd), "a file with sections is read"))
		return;
	eh->e_shoff = 0;
	eh->e_shnum = eh->e_shstrndx = 0;
	if (ok(!unwind_file__read_image(&without, image, (size_t)sz),
	       "a file without sections is read")) {
		is_u64(without.row_cnt, with.row_cnt, "without sections: as many rows");
		is_mem(without.rows, with.rows, with.row_cnt * sizeof(*with.rows),
		       "without sections: equal rows");
		unwind_table__free(&without);
	}
	unwind_table__free(&with);
	free(image);
	close(fd);
}

static void test_vdso(void)
{
	char *vdso = (char *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *eh = (void *)vdso;
	struct unwind_table table;
	size_t sz;
	Elf *elf;

	if (!vdso) {
		skip("no vDSO");
		return;
	}
	sz = eh->e_shoff + (size_t)eh->e_shnum * eh->e_shentsize;
	elf = elf_memory(vdso, sz);
	if (ok(!unwind_file__read_image(&table, vdso, sz), "the vDSO has a table")) {
		compare_table(&table, elf, "vDSO", false, 1013);
		unwind_table__free(&table);
	}
	elf_end(elf);
}

/* A file that is no program, and one without frame information, are told apart. */
static void test_refusals(void)
{
	char text[] = "#!/bin/sh\necho nothing of the kind, at some length, to be no ELF file\n";
	Elf64_Ehdr eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			  .e_type = ET_DYN,
			  .e_machine = EM_S390,
			  .e_version = EV_CURRENT,
			  .e_ehsize = sizeof(eh) };
	struct unwind_table table;

	is_s64(unwind_file__read_image(&table, text, sizeof(text)), -ENOEXEC,
	       "a script has no table");
	is_s64(unwind_file__read_image(&table, (char *)&eh, sizeof(eh)), -ENOTSUP,
	       "a file of s390 has no table");
	eh.e_machine = EM_X86_64;
	is_s64(unwind_file__read_image(&table, (char *)&eh, sizeof(eh)), -ENODATA,
	       "a file without code has no table");
	eh.e_type = ET_REL;
	is_s64(unwind_file__read_image(&table, (char *)&eh, sizeof(eh)), -ENOEXEC,
	       "an object file has no table");
}

int main(int argc, char **argv)
{
	rnd_state = argc > 1 ? strtoull(argv[1], NULL, 0) : mono_ns();
	diag("seed %" PRIu64 " (unwind_libdw SEED [FILE…] does the same again)", rnd_state);
	elf_version(EV_CURRENT);
	if (argc > 2) {
		while (*(argv += 1) && argv[1])
			test_file(argv[1]);
		return done_testing();
	}
	test_glob("/lib*/*/libc.so.6");
	test_glob("/lib*/*/ld-linux-*.so.*");
	test_glob("/usr/lib/*/libstdc++.so.6");
	test_glob("/usr/bin/python3.[0-9]*");
	test_glob("/usr/aarch64-linux-gnu/lib/libc.so.6");
	test_glob("/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1");
	test_without_sections("/proc/self/exe");
	test_vdso();
	test_debug_frame();
	test_refusals();
	return done_testing();
}
