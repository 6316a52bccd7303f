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

#include "rnd.h"
#include "tap.h"
#include "unwind_user.h"
#include "util/mono.h"
#include "util/u64map.h"

#define SAMPLES 211

static unsigned int all_samples, all_complete;
static pid_t pid;
static int32_t tid;

static long read_process(uint64_t *value, uint64_t addr)
{
	struct iovec to = { value, 8 }, from = { (void *)(uintptr_t)addr, 8 };

	return process_vm_readv(pid, &to, 1, &from, 1, 0) != 8;
}

static Dwfl *open_dwfl(void)
{
	static const Dwfl_Callbacks callbacks = { .find_elf = dwfl_linux_proc_find_elf,
						  .find_debuginfo = dwfl_standard_find_debuginfo };
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (dwfl_linux_proc_report(dwfl, pid) || dwfl_report_end(dwfl, NULL, NULL) ||
	    dwfl_linux_proc_attach(dwfl, pid, true)) {
		diag("libdwfl: %s", dwfl_errmsg(-1));
		dwfl_end(dwfl);
		return NULL;
	}
	return dwfl;
}

static bool wait_stop(void)
{
	int status;

	return waitpid(tid, &status, __WALL) == tid && WIFSTOPPED(status);
}

static bool get_regs(void)
{
	struct user_regs_struct regs;
	struct iovec iov = { &regs, sizeof(regs) };

	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &iov))
		return false;
	set_regs(&regs);
	return true;
}

/* Runs for up to a fifth of a millisecond, then some instructions more. */
static bool run_on(void)
{
	struct timespec t = { 0, (long)rnd(200000) };
	uint64_t steps = rnd(32);

	if (ptrace(PTRACE_CONT, tid, 0, 0))
		return false;
	nanosleep(&t, NULL);
	if (ptrace(PTRACE_INTERRUPT, tid, 0, 0) || !wait_stop())
		return false;
	while (steps--)
		if (ptrace(PTRACE_SINGLESTEP, tid, 0, 0) || !wait_stop())
			return false;
	return get_regs();
}

static void sample_all(const char *name, unsigned int depth_min)
{
	unsigned int i, complete = 0, compared = 0, wrong = 0, by_fp = 0, deepest = 0;
	static struct stack ours, theirs;
	Dwfl *dwfl = NULL;

	for (i = 0; i < SAMPLES && run_on(); i++) {
		if (!i) {
			forget_proc();
			read_maps(pid);
		}
		if (!i && !(dwfl = open_dwfl()))
			break;
		walk(&ours);
		memset(&theirs, 0, sizeof(theirs));
		theirs.end = dwfl_getthread_frames(dwfl, tid, on_frame, &theirs);
		complete += ours.end == UNWIND_OUTERMOST;
		by_fp += ours.by_fp;
		deepest = ours.cnt > deepest ? ours.cnt : deepest;
		if (ours.end != UNWIND_OUTERMOST && complete + 5 > i)
			tell_pcs("incomplete", &ours);
		if (theirs.end)
			continue;
		compared++;
		if (ours.end == UNWIND_OUTERMOST && same_stack(&ours, &theirs))
			continue;
		if (!wrong++) {
			tell_pcs("ours", &ours);
			tell_pcs("libdwfl's", &theirs);
		}
	}
	diag("%s: %u of %u complete, %u compared, %u frames by frame pointer, %u deep at most",
	     name, complete, i, compared, by_fp, deepest);
	is_u64(i, SAMPLES, "%s: sampled", name);
	/*
	 * At the end of libgcc's _Unwind_RaiseException() and _Unwind_Resume() are a dozen
	 * instructions behind uw_install_context(), which has put the handler's registers where
	 * their own were saved: their frame information is about neither frame. libdwfl ends there
	 * too.
	 */
	ok(complete * 100 >= i * 97, "%s: 97 %% reach the outermost frame", name);
	all_complete += complete;
	all_samples += i;
	is_u64(wrong, 0, "%s: the frames are libdwfl's", name);
	ok(compared * 2 > i, "%s: libdwfl has most of the frames", name);
	ok(deepest >= depth_min, "%s: %u frames deep", name, depth_min);
	if (dwfl)
		dwfl_end(dwfl);
}

static void test_program(const char *name, unsigned int depth_min, char **argv)
{
	int status;

	pid = start_program(argv, &tid);
	if (ok(tid, "%s: runs", name)) {
		if (ok(!ptrace(PTRACE_SEIZE, tid, 0, 0) && !ptrace(PTRACE_INTERRUPT, tid, 0, 0) &&
			       wait_stop(),
		       "%s: stops", name))
			sample_all(name, depth_min);
	}
	kill(pid, SIGKILL);
	/* A thread that is traced is waited for as well. */
	if (tid && tid != pid)
		waitpid(tid, &status, __WALL);
	waitpid(pid, &status, __WALL);
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

	proc.read = read_process;
	rnd_state = argc > 1 ? strtoull(argv[1], NULL, 0) : mono_ns();
	diag("seed %" PRIu64 " (unwind_walk SEED)", rnd_state);
	if (!mkdtemp(dir))
		return 1;
	if (build_program(dir, "", "pie") && build_program(dir, "-static", "static") &&
	    build_program(dir, "-no-pie -fno-pie", "nopie"))
		test_programs(dir);
	test_python();
	diag("%u of %u complete", all_complete, all_samples);
	ok(all_complete * 100 >= all_samples * 99, "of all stacks 99 %% reach the outermost frame");
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "the core files are removed");
	free_files();
	return done_testing();
}
