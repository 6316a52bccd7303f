// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Whole stacks of real programs without frame pointers, walked by the tables and the step that run
 * in the kernel, beside libdwfl: wherever that comes to the end, the frames are equal; and
 * nearly every walk comes to the outermost frame. Programs are stopped anywhere, and after some
 * single steps: prologues, epilogues, linkage tables.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <elf.h>
#include <elfutils/libdwfl.h>

#include "tap.h"
#include "unwind/file.h"
#include "util/mono.h"
#include "util/u64map.h"

#define SAMPLES 211
#define FRAMES_MAX 512

static uint64_t state;
static unsigned int all_samples, all_complete;

static uint64_t rnd(uint64_t below)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return u64map__mix(state) % below;
}

/* The process that is walked. */
struct map {
	uint64_t start, end, off;
	const struct unwind_table *table;
};

static struct {
	pid_t pid, tid;
	struct user_regs_struct regs;
	struct map maps[256];
	size_t cnt;
} proc;

/* Files by path, as long as the test runs. */
static struct {
	char path[256];
	struct unwind_table table;
	bool has_table;
} files[64];
static size_t file_cnt;

#ifdef __aarch64__
#define UNWIND_ARM64 1
#else
#define UNWIND_ARM64 0
#endif

static long unwind_read(uint64_t *value, uint64_t addr)
{
	struct iovec to = { value, 8 }, from = { (void *)(uintptr_t)addr, 8 };

	return process_vm_readv(proc.pid, &to, 1, &from, 1, 0) != 8;
}

static long unwind_sample_reg(void *ctx, uint32_t reg, uint64_t *v)
{
#ifdef __aarch64__
	if (reg > 30)
		return -1;
	*v = proc.regs.regs[reg];
#else
	const struct user_regs_struct *r = &proc.regs;
	const uint64_t regs[] = { r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp,
				  r->r8,  r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15 };

	if (reg >= sizeof(regs) / sizeof(*regs))
		return -1;
	*v = regs[reg];
#endif
	return 0;
}

static long unwind_find(void *ctx, uint64_t pc, struct unwind_rule *rule)
{
	uint64_t vaddr;
	size_t i;

	for (i = 0; i < proc.cnt; i++) {
		const struct map *m = &proc.maps[i];

		if (pc < m->start || pc >= m->end)
			continue;
		if (!m->table || !unwind_table__to_vaddr(m->table, pc - m->start + m->off, &vaddr))
			return -1;
		*rule = *unwind_table__find(m->table, vaddr);
		return 0;
	}
	return -1;
}

#define __u64 uint64_t
#define __s64 int64_t
#ifndef __always_inline
#define __always_inline inline
#endif
#include "bpf/unwind.bpf.h"
#undef __u64
#undef __s64

static int read_vdso(struct unwind_table *table, const struct map *m)
{
	size_t sz = m->end - m->start;
	char *image = malloc(sz);
	struct iovec to = { image, sz }, from = { (void *)(uintptr_t)m->start, sz };
	int err = -EIO;

	if (process_vm_readv(proc.pid, &to, 1, &from, 1, 0) == (ssize_t)sz)
		err = unwind_file__read_image(table, image, sz);
	free(image);
	return err;
}

static const struct unwind_table *table_of(const char *path, const struct map *m)
{
	size_t i;
	int fd;

	for (i = 0; i < file_cnt; i++)
		if (!strcmp(files[i].path, path))
			return files[i].has_table ? &files[i].table : NULL;
	if (file_cnt == sizeof(files) / sizeof(*files))
		return NULL;
	file_cnt++;
	snprintf(files[i].path, sizeof(files[i].path), "%s", path);
	if (!strcmp(path, "[vdso]")) {
		files[i].has_table = !read_vdso(&files[i].table, m);
	} else {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		files[i].has_table = fd >= 0 && !unwind_file__read(&files[i].table, fd);
		close(fd);
	}
	return files[i].has_table ? &files[i].table : NULL;
}

static void read_maps(void)
{
	char name[64], line[512], perms[5], path[256];
	struct map *m = proc.maps;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/maps", proc.pid);
	f = fopen(name, "re");
	while (f && fgets(line, sizeof(line), f) && m < proc.maps + 256) {
		path[0] = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %255s", &m->start,
			   &m->end, perms, &m->off, path) < 4 ||
		    perms[2] != 'x' || !path[0])
			continue;
		m->table = table_of(path, m);
		m++;
	}
	proc.cnt = (size_t)(m - proc.maps);
	if (f)
		fclose(f);
}

struct stack {
	uint64_t pcs[FRAMES_MAX];
	unsigned int cnt, by_fp;
	int end; /* enum unwind_end; of libdwfl 0: complete */
};

static void walk(struct stack *s)
{
	struct unwind_regs r = {
		.has_fp = 1, .has_base = 1, .has_lr = 1, .is_sample = 1, .is_exact = 1
	};

#ifdef __aarch64__
	r.pc = proc.regs.pc;
	r.sp = proc.regs.sp;
	r.fp = proc.regs.regs[29];
	r.base = proc.regs.regs[19];
	r.lr = proc.regs.regs[30];
#else
	r.pc = proc.regs.rip;
	r.sp = proc.regs.rsp;
	r.fp = proc.regs.rbp;
	r.base = proc.regs.rbx;
#endif
	memset(s, 0, sizeof(*s));
	s->end = UNWIND_FULL;
	while (s->cnt < FRAMES_MAX) {
		s->pcs[s->cnt++] = r.pc;
		s->by_fp += r.by_fp;
		s->end = unwind_step(NULL, &r);
		if (s->end != UNWIND_GOES_ON)
			return;
	}
}

static int on_frame(Dwfl_Frame *frame, void *priv)
{
	struct stack *s = priv;
	Dwarf_Addr pc;

	if (s->cnt == FRAMES_MAX || !dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	s->pcs[s->cnt++] = pc;
	return DWARF_CB_OK;
}

static Dwfl *open_dwfl(void)
{
	static const Dwfl_Callbacks callbacks = { .find_elf = dwfl_linux_proc_find_elf,
						  .find_debuginfo = dwfl_standard_find_debuginfo };
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (dwfl_linux_proc_report(dwfl, proc.pid) || dwfl_report_end(dwfl, NULL, NULL) ||
	    dwfl_linux_proc_attach(dwfl, proc.pid, true)) {
		diag("libdwfl: %s", dwfl_errmsg(-1));
		dwfl_end(dwfl);
		return NULL;
	}
	return dwfl;
}

static bool wait_stop(void)
{
	int status;

	return waitpid(proc.tid, &status, __WALL) == proc.tid && WIFSTOPPED(status);
}

static bool get_regs(void)
{
	struct iovec iov = { &proc.regs, sizeof(proc.regs) };

	return !ptrace(PTRACE_GETREGSET, proc.tid, NT_PRSTATUS, &iov);
}

/* Runs for up to a fifth of a millisecond, then some instructions more. */
static bool run_on(void)
{
	struct timespec t = { 0, (long)rnd(200000) };
	uint64_t steps = rnd(32);

	if (ptrace(PTRACE_CONT, proc.tid, 0, 0))
		return false;
	nanosleep(&t, NULL);
	if (ptrace(PTRACE_INTERRUPT, proc.tid, 0, 0) || !wait_stop())
		return false;
	while (steps--)
		if (ptrace(PTRACE_SINGLESTEP, proc.tid, 0, 0) || !wait_stop())
			return false;
	return get_regs();
}

static void tell_pcs(const char *who, const struct stack *s)
{
	char text[512];
	int n = 0;
	unsigned int i;

	for (i = 0; i < s->cnt && n < 400; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " %" PRIx64, s->pcs[i]);
	diag("%s (%u frames, end %d):%s", who, s->cnt, s->end, text);
}

static void sample_all(const char *name, unsigned int depth_min)
{
	unsigned int i, complete = 0, compared = 0, wrong = 0, by_fp = 0, deepest = 0;
	static struct stack ours, theirs;
	Dwfl *dwfl = NULL;

	for (i = 0; i < SAMPLES && run_on(); i++) {
		if (!i)
			read_maps();
		if (!i && !(dwfl = open_dwfl()))
			break;
		walk(&ours);
		memset(&theirs, 0, sizeof(theirs));
		theirs.end = dwfl_getthread_frames(dwfl, proc.tid, on_frame, &theirs);
		complete += ours.end == UNWIND_OUTERMOST;
		by_fp += ours.by_fp;
		deepest = ours.cnt > deepest ? ours.cnt : deepest;
		if (ours.end != UNWIND_OUTERMOST && complete + 5 > i)
			tell_pcs("incomplete", &ours);
		if (theirs.end)
			continue;
		compared++;
		if (ours.end == UNWIND_OUTERMOST && ours.cnt == theirs.cnt &&
		    !memcmp(ours.pcs, theirs.pcs, ours.cnt * 8))
			continue;
		if (!wrong++) {
			tell_pcs("ours", &ours);
			tell_pcs("libdwfl's", &theirs);
		}
	}
	diag("%s: %u of %u complete, %u compared, %u frames by frame pointer, %u deep at most",
	     name, complete, i, compared, by_fp, deepest);
	is_u64(i, SAMPLES, "%s: sampled", name);
	/* While libgcc leaves the stack for a handler's, its frame information is about neither. */
	ok(complete * 100 >= i * 97, "%s: 97 %% reach the outermost frame", name);
	all_complete += complete;
	all_samples += i;
	is_u64(wrong, 0, "%s: the frames are libdwfl's", name);
	ok(compared * 2 > i, "%s: of which it has most", name);
	ok(deepest >= depth_min, "%s: %u frames deep", name, depth_min);
	if (dwfl)
		dwfl_end(dwfl);
}

static void test_program(const char *name, unsigned int depth_min, char **argv)
{
	int out[2], status;
	int32_t tid = 0;

	if (pipe2(out, O_CLOEXEC))
		exit(1);
	proc.pid = fork();
	if (!proc.pid) {
		dup2(out[1], STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(out[1]);
	/* It says who spins, once it does. */
	if (ok(read(out[0], &tid, sizeof(tid)) == sizeof(tid), "%s: runs", name)) {
		proc.tid = tid;
		if (ok(!ptrace(PTRACE_SEIZE, tid, 0, 0) && !ptrace(PTRACE_INTERRUPT, tid, 0, 0) &&
			       wait_stop(),
		       "%s: stops", name))
			sample_all(name, depth_min);
	}
	kill(proc.pid, SIGKILL);
	/* A thread that is traced is waited for as well. */
	if (tid && tid != proc.pid)
		waitpid(tid, &status, __WALL);
	waitpid(proc.pid, &status, __WALL);
	close(out[0]);
}

static bool build(const char *dir, const char *opts, const char *name)
{
	const char *top = getenv("TOP");
	char cmd[1024];

	snprintf(cmd, sizeof(cmd),
		 "g++ -O2 -fomit-frame-pointer -Wl,-z,lazy %s '%s/tests/unit/data/unwind.cc' "
		 "-o '%s/%s' -lpthread",
		 opts, top ? top : ".", dir, name);
	return ok(!system(cmd), "built: %s", opts);
}

static void test_programs(const char *dir)
{
	static const struct {
		const char *program, *mode;
		unsigned int depth_min;
	} runs[] = {
		{ "pie", "sort", 6 },      { "pie", "deep", 200 },    { "pie", "throw", 16 },
		{ "pie", "signal", 8 },    { "pie", "altstack", 8 },  { "pie", "thread", 200 },
		{ "static", "deep", 200 }, { "static", "throw", 16 }, { "nopie", "sort", 6 },
		{ "nopie", "signal", 8 },
	};
	char path[512], name[64];
	size_t i;

	for (i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		char mode[16];
		char *argv[] = { path, mode, NULL };

		snprintf(mode, sizeof(mode), "%s", runs[i].mode);
		snprintf(path, sizeof(path), "%s/%s", dir, runs[i].program);
		snprintf(name, sizeof(name), "%s %s", runs[i].program, mode);
		test_program(name, runs[i].depth_min, argv);
	}
}

static void test_python(void)
{
	static char code[] = "import os,sys,threading\n"
			     "def f(n): return f(n-1)+1 if n else sum(sorted([3,1,2]))\n"
			     "f(3)\n"
			     "os.write(1, threading.get_native_id().to_bytes(4, sys.byteorder))\n"
			     "while True: list(map(f, [11]*7))\n";
	char python[] = "python3", opt[] = "-c";
	char *argv[] = { python, opt, code, NULL };

	test_program("python3", 10, argv);
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/bpfperf-walk.XXXXXX", cmd[64];

	state = argc > 1 ? strtoull(argv[1], NULL, 0) : mono_ns();
	diag("seed %" PRIu64 " (unwind_walk SEED)", state);
	if (!mkdtemp(dir))
		return 1;
	if (build(dir, "", "pie") && build(dir, "-static", "static") &&
	    build(dir, "-no-pie -fno-pie", "nopie"))
		test_programs(dir);
	test_python();
	diag("%u of %u complete", all_complete, all_samples);
	ok(all_complete * 100 >= all_samples * 99, "of all stacks 99 %% reach the outermost frame");
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "removed");
	while (file_cnt--)
		if (files[file_cnt].has_table)
			unwind_table__free(&files[file_cnt].table);
	return done_testing();
}
