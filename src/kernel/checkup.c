// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The questions about BPF, privileges and settings, and the verdicts on the commands. */
#include "kernel/checkup_priv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "event/tracefs.h"
#include "host/kallsyms_walk.h"
#include "kernel/features.h"
#include "kernel/hit_cost.h"
#include "kernel/kernel_btf.h"
#include "util/fs.h"

static const char run_as_root[] = "run as root, or with CAP_BPF and CAP_PERFMON";

/* A minimal program, loaded once: the kernel's facts about it answer several questions. */
static struct {
	int fd; /* or -errno */
	bool has_run;
	struct bpf_prog_info info;
	__u32 info_len; /* size of it on this kernel */
} prog;

void finding__set(struct finding *f, enum verdict v, const char *fmt, ...)
{
	va_list ap;

	f->verdict = v;
	va_start(ap, fmt);
	vsnprintf(f->detail, sizeof(f->detail), fmt, ap);
	va_end(ap);
}

void finding__remedy(struct finding *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->remedy, sizeof(f->remedy), fmt, ap);
	va_end(ap);
}

const char *verdict__name(enum verdict v)
{
	static const char *const names[] = { "ok", "limited", "missing", "unknown" };

	return names[v];
}

static void load_program(void)
{
	/* r0 = 0; exit */
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	LIBBPF_OPTS(bpf_test_run_opts, run);

	prog.fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, NULL, "Dual BSD/GPL", insns, 2, NULL);
	/* The kernel counts runs only while statistics are on: see ask_statistics(). */
	prog.has_run = prog.fd >= 0 && bpf_prog_test_run_opts(prog.fd, &run) == 0;
	prog.info_len = sizeof(prog.info);
	memset(&prog.info, 0, sizeof(prog.info));
	if (prog.fd < 0 || bpf_obj_get_info_by_fd(prog.fd, &prog.info, &prog.info_len))
		prog.info_len = 0;
}

/*
 * Returns true, and sets the verdict to unknown, if this user may not load programs: questions
 * about them stay open.
 */
static bool cannot_ask(struct finding *f)
{
	if (prog.fd >= 0)
		return false;
	finding__set(f, VERDICT_UNKNOWN, "needs the right to load programs");
	return true;
}

static void ask_kernel(struct finding *f)
{
	struct utsname u;

	uname(&u);
	finding__set(f, VERDICT_OK, "%s %s %s, %ld CPUs", u.sysname, u.release, u.machine,
		     sysconf(_SC_NPROCESSORS_ONLN));
}

/* Returns the effective capabilities, as bits. */
static unsigned long long capabilities(void)
{
	char *status = fs__read_file("/proc/self/status", NULL);
	char *line = status ? strstr(status, "\nCapEff:") : NULL;
	unsigned long long caps = line ? strtoull(line + 8, NULL, 16) : 0;

	free(status);
	return caps;
}

static void ask_privileges(struct finding *f)
{
	static const struct {
		int bit;
		const char *name;
	} known[] = { { 21, "CAP_SYS_ADMIN" },
		      { 38, "CAP_PERFMON" },
		      { 39, "CAP_BPF" },
		      { 24, "CAP_SYS_RESOURCE" } };
	unsigned long long caps = capabilities();
	char have[96] = "";
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (caps >> known[i].bit & 1) {
			strcat(have, have[0] ? " " : "");
			strcat(have, known[i].name);
		}
	if (prog.fd >= 0) {
		finding__set(f, VERDICT_OK, "uid %u, %s", geteuid(), have);
		return;
	}
	finding__set(f, VERDICT_MISSING, "BPF programs cannot be loaded (%s): uid %u, %s",
		     strerror(-prog.fd), geteuid(), have[0] ? have : "no capability for it");
	if (prog.fd == -ENOSYS)
		finding__remedy(f, "use a kernel built with CONFIG_BPF_SYSCALL=y");
	else if (geteuid() == 0)
		finding__remedy(f, "in a container, give it CAP_BPF, CAP_PERFMON and "
				   "CAP_SYS_RESOURCE");
	else
		finding__remedy(f, "%s", run_as_root);
}

static void ask_lockdown(struct finding *f)
{
	char *text = fs__read_file("/sys/kernel/security/lockdown", NULL);
	char *mode = text ? strchr(text, '[') : NULL;

	if (mode)
		mode[strcspn(mode, "]")] = '\0';
	/* In lockdown mode confidentiality programs have no helper that reads kernel memory. */
	if (prog.fd >= 0 && libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT,
						    BPF_FUNC_probe_read_kernel, NULL) != 1) {
		finding__set(f, VERDICT_MISSING, "programs may not read kernel memory%s%s",
			     mode ? ": " : "", mode ? mode + 1 : "");
		finding__remedy(f, "boot with lockdown=integrity or without lockdown= (Secure Boot "
				   "may set it)");
	} else if (mode) {
		finding__set(f, VERDICT_OK, "%s", mode + 1);
	} else if (!cannot_ask(f)) {
		finding__set(f, VERDICT_OK, "programs may read kernel memory");
	}
	free(text);
}

static void ask_btf(struct finding *f)
{
	struct stat st;

	if (feature__have(FEATURE_BTF) && stat("/sys/kernel/btf/vmlinux", &st) == 0) {
		finding__set(f, VERDICT_OK, "/sys/kernel/btf/vmlinux, %lld KiB",
			     (long long)st.st_size / 1024);
		return;
	}
	finding__remedy(f, "use a kernel built with CONFIG_DEBUG_INFO_BTF=y");
	if (kernel_btf__file()) {
		finding__set(f, VERDICT_LIMITED,
			     "not the kernel's own, but %s: no raw tracepoints for sched:* and "
			     "syscalls:*",
			     kernel_btf__file());
		return;
	}
	finding__set(f, VERDICT_LIMITED,
		     "the kernel's types are not there: no raw tracepoints, no -p, -t, -- CMD");
	finding__remedy(f,
			"use a kernel built with CONFIG_DEBUG_INFO_BTF=y, or bpfperf --btf FILE");
}

static void ask_tracefs(struct finding *f)
{
	char why[sizeof(f->remedy)];
	int err = tracefs__check(why, sizeof(why));

	if (!err) {
		finding__set(f, VERDICT_OK, "%s", tracefs__dir());
		return;
	}
	finding__set(f, VERDICT_MISSING,
		     err == -EACCES ? "not readable for this user" : "not mounted");
	finding__remedy(f, "%s", why);
}

static void ask_cookies(struct finding *f)
{
	if (cannot_ask(f))
		return;
	if (feature__have(FEATURE_ATTACH_COOKIE)) {
		finding__set(f, VERDICT_OK, "one program serves all classic tracepoints");
		return;
	}
	finding__set(f, VERDICT_LIMITED, "a program is loaded for each classic tracepoint");
	finding__remedy(f, "use Linux 5.15 or later");
}

/* Attaches for a moment to a rare tracepoint, which is detached in microseconds. */
static void ask_raw_tracepoints(struct finding *f)
{
	int fd;

	if (cannot_ask(f))
		return;
	fd = bpf_raw_tracepoint_open("task_rename", prog.fd);
	if (fd < 0) {
		finding__set(f, VERDICT_LIMITED, "cannot be attached to (%s)", strerror(-fd));
		finding__remedy(f, "use a kernel built with CONFIG_BPF_EVENTS=y");
		return;
	}
	close(fd);
	if (feature__have(FEATURE_BTF))
		finding__set(f, VERDICT_OK,
			     "serve sched:*, syscalls:*, raw_syscalls:* where programs cannot be "
			     "preempted");
	else
		finding__set(f, VERDICT_LIMITED,
			     "need the kernel's own BTF; classic ones are used");
}

static void ask_recursion(struct finding *f)
{
	const size_t end = offsetof(struct bpf_prog_info, recursion_misses) +
			   sizeof(prog.info.recursion_misses);

	if (cannot_ask(f))
		return;
	if (prog.info_len >= end) {
		finding__set(f, VERDICT_OK, "skipped programs are counted");
		return;
	}
	finding__set(f, VERDICT_LIMITED,
		     "the kernel does not count programs it skips: `missed` stays 0");
	finding__remedy(f, "Linux 5.12 counts them (classic tracepoints: 6.7)");
}

static void ask_jit(struct finding *f)
{
	if (cannot_ask(f))
		return;
	if (prog.info.jited_prog_len) {
		finding__set(f, VERDICT_OK, "programs are compiled");
		return;
	}
	finding__set(f, VERDICT_LIMITED, "programs are interpreted: several times the cost");
	finding__remedy(f, "sysctl net.core.bpf_jit_enable=1");
}

/*
 * With kernel.bpf_stats_enabled, or while a process holds an fd of BPF_ENABLE_STATS, the kernel
 * reads a clock before and after each run of each program of the machine: tracing costs several
 * times as much.
 */
static void ask_statistics(struct finding *f)
{
	long on = 0;

	if (cannot_ask(f))
		return;
	if (!prog.has_run) {
		finding__set(f, VERDICT_UNKNOWN, "the kernel refused a test run of a program");
		return;
	}
	if (!prog.info.run_cnt) {
		finding__set(f, VERDICT_OK, "off: the kernel does not time programs");
		return;
	}
	fs__read_long("/proc/sys/kernel/bpf_stats_enabled", &on);
	finding__set(f, VERDICT_LIMITED,
		     "on: each run of a program costs two more readings of a clock");
	if (on)
		finding__remedy(f, "sysctl kernel.bpf_stats_enabled=0");
	else
		finding__remedy(f, "end the program that enabled them (bpftop or similar)");
}

/*
 * BPF memory is counted by cgroup from 5.11 on, which also added bpf_ktime_get_coarse_ns():
 * d05512618056. From 5.16 on programs that trace may not call it: 5e0bc3082e2e.
 */
static void ask_memlock(struct finding *f)
{
	struct rlimit lim;
	bool by_cgroup;

	getrlimit(RLIMIT_MEMLOCK, &lim);
	by_cgroup =
		prog.fd >= 0 && libbpf_probe_bpf_helper(BPF_PROG_TYPE_SOCKET_FILTER,
							BPF_FUNC_ktime_get_coarse_ns, NULL) == 1;
	if (lim.rlim_cur == RLIM_INFINITY)
		finding__set(f, VERDICT_OK, "unlimited");
	else if (by_cgroup)
		finding__set(f, VERDICT_OK, "%llu KiB; BPF memory is not counted against it",
			     (unsigned long long)lim.rlim_cur / 1024);
	else if (!cannot_ask(f)) {
		finding__set(f, VERDICT_LIMITED, "%llu KiB, and BPF memory counts against it",
			     (unsigned long long)lim.rlim_cur / 1024);
		finding__remedy(f, "ulimit -l unlimited, or CAP_SYS_RESOURCE");
	}
}

/* Is any of the first addresses shown? Per-CPU data may be at address 0 (x86 before 6.15). */
static int find_address(void *ctx, const struct kallsym *sym)
{
	int *left = ctx;

	return sym->addr ? 1 : --*left ? 0 : -ENOENT;
}

static bool kallsyms_has_addresses(void)
{
	int left = 10000;

	return kallsyms_walk(NULL, find_address, &left) == 1;
}

static void ask_symbols(struct finding *f)
{
	long restricted = 0;

	fs__read_long("/proc/sys/kernel/kptr_restrict", &restricted);
	if (kallsyms_has_addresses()) {
		finding__set(f, VERDICT_OK, "kernel functions can be named (kptr_restrict %ld)",
			     restricted);
		return;
	}
	finding__set(f, VERDICT_LIMITED, "kernel frames stay addresses (kptr_restrict %ld)",
		     restricted);
	finding__remedy(f, restricted ? "sysctl kernel.kptr_restrict=0, or 1 and CAP_SYSLOG"
				      : "run as root, or with CAP_SYSLOG");
}

/* The trial's probes are on functions of this process, for a tenth of a second at most. */
static void ask_probes(struct finding *f)
{
	struct hit_costs costs;
	struct hit_meter meter;

	if (cannot_ask(f))
		return;
	hit_meter__open(&meter, true, false);
	hit_meter__measure(&meter, 1u << HIT_PUSH | 1u << HIT_STEP | 1u << HIT_NOP5, false, &costs);
	hit_meter__close(&meter);
	if (!costs.ns[HIT_STEP]) {
		finding__set(f, VERDICT_OK, "each takes a perf event; hits are not timed here");
		return;
	}
	if (!costs.ns[HIT_PUSH]) {
		finding__set(f, VERDICT_OK, "a hit costs %.2f us", costs.ns[HIT_STEP] / 1e3);
		return;
	}
	finding__set(f, costs.red_zone ? VERDICT_LIMITED : VERDICT_OK,
		     "a hit costs %.2f us at a push, %.2f at other instructions, %.2f at a nop of "
		     "five bytes%s",
		     costs.ns[HIT_PUSH] / 1e3, costs.ns[HIT_STEP] / 1e3, costs.ns[HIT_NOP5] / 1e3,
		     costs.red_zone ? ", which writes below the stack pointer" : "");
	if (costs.red_zone)
		finding__remedy(f, "do not probe such a nop within a function that calls no other "
				   "(it may keep data there); where a function begins it does no "
				   "harm; kernels from 6.18 on have it, until they make calls of "
				   "nops of ten bytes alone");
}

static const struct question {
	const char *name;
	void (*ask)(struct finding *f);
	bool trace, stack; /* commands that cannot run without it */
} questions[] = {
	{ "kernel", ask_kernel, false, false },
	{ "privileges", ask_privileges, true, true },
	{ "lockdown", ask_lockdown, true, true },
	{ "BTF", ask_btf, false, false },
	{ "tracefs", ask_tracefs, true, false },
	{ "attach cookies", ask_cookies, false, false },
	{ "raw tracepoints", ask_raw_tracepoints, false, false },
	{ "recursion misses", ask_recursion, false, false },
	{ "BPF JIT", ask_jit, false, false },
	{ "BPF statistics", ask_statistics, false, false },
	{ "memlock", ask_memlock, false, false },
	{ "probes", ask_probes, false, false },
	{ "kernel symbols", ask_symbols, false, false },
	{ "sampling", checkup__sampling, true, true },
	{ "counters", checkup__counters, false, false },
	{ "PMUs", checkup__pmus, false, false },
	{ "perf_event_paranoid", checkup__paranoid, false, false },
	{ "NMI watchdog", checkup__watchdog, false, false },
	{ "user-space reads", checkup__user_reads, false, false },
};

#define QUESTION_CNT (sizeof(questions) / sizeof(questions[0]))
_Static_assert(QUESTION_CNT + 2 <= CHECKUP_MAX, "every finding has room");

/* Can the command run? If not, the detail names the questions that prevent it. */
static void conclude(struct finding *f, const char *command, const struct finding *all)
{
	bool is_trace = strcmp(command, "trace") == 0;
	char lacks[sizeof(f->detail) / 2] = "";
	size_t i;

	f->name = command;
	f->is_command = true;
	for (i = 0; i < QUESTION_CNT; i++) {
		const struct question *q = &questions[i];
		size_t len = strlen(lacks);

		if (all[i].verdict == VERDICT_MISSING && (is_trace ? q->trace : q->stack))
			snprintf(lacks + len, sizeof(lacks) - len, "%s%s", len ? ", " : "",
				 q->name);
	}
	if (!lacks[0]) {
		finding__set(f, VERDICT_OK, "bpfperf %s can run", command);
		return;
	}
	finding__set(f, VERDICT_MISSING, "bpfperf %s cannot run: see %s", command, lacks);
}

size_t checkup__run(struct finding findings[CHECKUP_MAX])
{
	size_t i;

	memset(findings, 0, CHECKUP_MAX * sizeof(*findings));
	load_program();
	for (i = 0; i < QUESTION_CNT; i++) {
		findings[i].name = questions[i].name;
		questions[i].ask(&findings[i]);
	}
	conclude(&findings[i++], "trace", findings);
	conclude(&findings[i++], "stack", findings);
	if (prog.fd >= 0)
		close(prog.fd);
	return i;
}
