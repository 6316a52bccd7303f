// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Core files of programs without frame pointers, killed at any moment, walked by the tables and the
 * step that run in the kernel, beside libdwfl: every thread of every core; wherever libdwfl comes
 * to the end, the frames are equal.
 */
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <sys/procfs.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include <gelf.h>

#include "rnd.h"
#include "tap.h"
#include "unwind_user.h"
#include "util/mono.h"
#include "util/u64map.h"

#define CORES 11 /* of each program */

static unsigned int all_threads, all_complete, all_compared, all_wrong;

static struct {
	Elf *elf;
	size_t phdr_cnt, thread_cnt;
	struct elf_prstatus threads[4];
} core;

static long read_core(uint64_t *value, uint64_t addr)
{
	GElf_Phdr ph;
	size_t i, sz;
	char *image = elf_rawfile(core.elf, &sz);

	for (i = 0; i < core.phdr_cnt; i++) {
		if (!gelf_getphdr(core.elf, (int)i, &ph) || ph.p_type != PT_LOAD ||
		    addr < ph.p_vaddr || addr - ph.p_vaddr + 8 > ph.p_filesz ||
		    ph.p_offset + ph.p_filesz > sz)
			continue;
		memcpy(value, image + ph.p_offset + (addr - ph.p_vaddr), 8);
		return 0;
	}
	return -1;
}

static void tell_once(const struct stack *ours, const struct stack *theirs)
{
	if (all_wrong++)
		return;
	tell_pcs("ours", ours);
	tell_pcs("libdwfl's", theirs);
}

static int compare_thread(Dwfl_Thread *thread, void *priv)
{
	static struct stack ours, theirs;
	struct user_regs_struct regs;
	size_t i;

	for (i = 0; i < core.thread_cnt && core.threads[i].pr_pid != dwfl_thread_tid(thread); i++)
		;
	if (i == core.thread_cnt)
		return DWARF_CB_ABORT;
	memcpy(&regs, core.threads[i].pr_reg, sizeof(regs));
	set_regs(&regs);
	walk(&ours);
	memset(&theirs, 0, sizeof(theirs));
	theirs.end = dwfl_thread_getframes(thread, on_frame, &theirs);
	all_threads++;
	all_complete += ours.end == UNWIND_OUTERMOST;
	if (ours.end != UNWIND_OUTERMOST)
		tell_pcs("incomplete", &ours);
	all_compared += !theirs.end;
	if (!theirs.end && (ours.end != UNWIND_OUTERMOST || !same_stack(&ours, &theirs)))
		tell_once(&ours, &theirs);
	return DWARF_CB_OK;
}

/*
 * The files that were mapped (NT_FILE): counts, then start, end, page for each, then their paths.
 */
static void add_files(const Elf_Data *note, GElf_Nhdr *nh, size_t desc)
{
	const char *at = (const char *)note->d_buf + desc, *end = at + nh->n_descsz, *path;
	uint64_t head[2], file[3], i;

	memcpy(head, at, sizeof(head));
	at += sizeof(head);
	path = at + head[0] * sizeof(file);
	for (i = 0; i < head[0] && path < end; i++, path += strlen(path) + 1) {
		memcpy(file, at + i * sizeof(file), sizeof(file));
		add_map(file[0], file[1], file[2] * head[1], path);
	}
}

/* fn for every note of a type. */
static void each_note(uint32_t type, void (*fn)(const Elf_Data *, GElf_Nhdr *, size_t desc))
{
	GElf_Phdr ph;
	size_t i, off, name, desc;
	GElf_Nhdr nh;

	for (i = 0; i < core.phdr_cnt; i++) {
		Elf_Data *d;

		if (!gelf_getphdr(core.elf, (int)i, &ph) || ph.p_type != PT_NOTE)
			continue;
		d = elf_getdata_rawchunk(core.elf, (int64_t)ph.p_offset, ph.p_filesz, ELF_T_NHDR);
		for (off = 0; d && (off = gelf_getnote(d, off, &nh, &name, &desc));)
			if (nh.n_type == type)
				fn(d, &nh, desc);
	}
}

static void on_files(const Elf_Data *d, GElf_Nhdr *nh, size_t desc)
{
	add_files(d, nh, desc);
}

static void on_auxv(const Elf_Data *d, GElf_Nhdr *nh, size_t desc)
{
	const char *at = (const char *)d->d_buf + desc, *end = at + nh->n_descsz;
	Elf64_auxv_t av;

	for (; at + sizeof(av) <= end; at += sizeof(av)) {
		memcpy(&av, at, sizeof(av));
		if (av.a_type == AT_SYSINFO_EHDR)
			add_map(av.a_un.a_val, av.a_un.a_val + 65536, 0, "[vdso]");
	}
}

static void on_thread(const Elf_Data *d, GElf_Nhdr *nh, size_t desc)
{
	if (core.thread_cnt < sizeof(core.threads) / sizeof(*core.threads))
		memcpy(&core.threads[core.thread_cnt++], (const char *)d->d_buf + desc,
		       sizeof(*core.threads));
}

static void compare_core(const char *path)
{
	static const Dwfl_Callbacks callbacks = { .find_elf = dwfl_build_id_find_elf,
						  .find_debuginfo = dwfl_standard_find_debuginfo };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Dwfl *dwfl = dwfl_begin(&callbacks);

	elf_version(EV_CURRENT);
	core.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf_getphdrnum(core.elf, &core.phdr_cnt) ||
	    dwfl_core_file_report(dwfl, core.elf, NULL) <= 0 || dwfl_report_end(dwfl, NULL, NULL) ||
	    dwfl_core_file_attach(dwfl, core.elf) < 0) {
		ok(false, "libdwfl reads a core file: %s", dwfl_errmsg(-1));
	} else {
		forget_proc();
		core.thread_cnt = 0;
		each_note(NT_FILE, on_files);
		each_note(NT_AUXV, on_auxv);
		each_note(NT_PRSTATUS, on_thread);
		dwfl_getthreads(dwfl, compare_thread, NULL);
	}
	dwfl_end(dwfl);
	elf_end(core.elf);
	close(fd);
}

/* Runs a program for up to 20 ms after it says that it spins, and aborts it. */
static bool one_core(char **argv, unsigned int threads)
{
	struct timespec t = { 0, (long)rnd(20000000) };
	unsigned int before = all_threads;
	int32_t tid;
	pid_t pid = start_program(argv, &tid);
	int status;
	glob_t g;

	nanosleep(&t, NULL);
	kill(pid, SIGABRT);
	waitpid(pid, &status, 0);
	if (!tid || !WIFSIGNALED(status) || !WCOREDUMP(status) || glob("core*", 0, NULL, &g))
		return false;
	compare_core(g.gl_pathv[0]);
	unlink(g.gl_pathv[0]);
	globfree(&g);
	return all_threads - before == threads;
}

static void test_programs(void)
{
	static const struct {
		const char *program, *mode;
		unsigned int threads;
	} runs[] = {
		{ "./pie", "sort", 1 },       { "./pie", "deep", 1 },     { "./pie", "throw", 1 },
		{ "./pie", "signal", 1 },     { "./pie", "altstack", 1 }, { "./pie", "thread", 2 },
		{ "./static", "thread", 2 },  { "./static", "throw", 1 }, { "./nopie", "sort", 1 },
		{ "./nopie", "altstack", 1 },
	};
	size_t i;
	int k;

	for (i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		char program[16], mode[16];
		char *argv[] = { program, mode, NULL };
		unsigned int whole = 0;

		snprintf(program, sizeof(program), "%s", runs[i].program);
		snprintf(mode, sizeof(mode), "%s", runs[i].mode);
		for (k = 0; k < CORES; k++)
			whole += one_core(argv, runs[i].threads);
		is_u64(whole, CORES, "%s %s: core files, each with its threads", program, mode);
	}
}

/* Does the machine write core files into the current directory? */
static bool cores_stay_here(void)
{
	struct rlimit lim;
	char pattern[128] = "";
	FILE *f = fopen("/proc/sys/kernel/core_pattern", "re");

	if (f) {
		if (!fgets(pattern, sizeof(pattern), f))
			pattern[0] = '\0';
		fclose(f);
	}
	getrlimit(RLIMIT_CORE, &lim);
	lim.rlim_cur = lim.rlim_max;
	return !strncmp(pattern, "core", 4) && !strchr(pattern, '/') && lim.rlim_cur &&
	       !setrlimit(RLIMIT_CORE, &lim);
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/bpfperf-core.XXXXXX", cmd[64], top[4096];

	if (!cores_stay_here())
		skip_all("core files are not written to the working directory here");
	if (getcwd(top, sizeof(top)))
		setenv("TOP", top, 0);
	rnd_state = argc > 1 ? strtoull(argv[1], NULL, 0) : mono_ns();
	diag("seed %" PRIu64 " (unwind_core SEED)", rnd_state);
	proc.read = read_core;
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	if (build_program(dir, "", "pie") && build_program(dir, "-static", "static") &&
	    build_program(dir, "-no-pie -fno-pie", "nopie"))
		test_programs();
	diag("%u threads, %u complete, %u compared", all_threads, all_complete, all_compared);
	ok(all_complete * 100 >= all_threads * 99,
	   "99 %% of core files' stacks reach the outermost frame");
	is_u64(all_wrong, 0, "the frames are libdwfl's");
	ok(all_compared * 4 > all_threads * 3, "libdwfl has most of the frames");
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "the core files are removed");
	free_files();
	return done_testing();
}
