// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * pt_make OUT.data OUT.steps MAX SEED [-o] [-s] [-c] [-l] [-t] [-d] PROGRAM ARG…
 *
 * Intel PT without the hardware: runs a program instruction by instruction (ptrace), and writes the
 * packets that a processor would write of it, by libipt's encoder, as a recording of perf.
 * OUT.steps has the instructions, a line each: "TID IP". -o: overflows at random places; -s:
 * records of AUX data end inside packets, at odd bytes, which perf does not take; -c: an AUX area
 * for each of two CPUs, between whose threads the recording has switches, else one for each thread;
 * -l: the kernel says in the middle that bytes were lost, and the position in the first AUX area
 * jumps by 4096; -t: two snapshots of each area, which have half of its bytes in common; -d: the
 * addresses of indirect jumps and calls are deferred until the bits before them fill a packet.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <intel-pt.h>

#include "itrace/wire.h"
#include "util/x86_insn.h"

#define THREADS_MAX 32
#define MAPS_MAX 512
#define RETURNS_MAX 64
#define PSB_EACH 2048
#define DEFERRED_MAX 16

/* TSC of 2.1 GHz, and the crystal clock of 25 MHz: CYC counts as the TSC does. */
#define TIME_SHIFT 31
#define TIME_MULT 1022611260u
#define TIME_ZERO 1000000000u
#define CTC_N 84
#define MTC_FREQ 3
#define RATIO 21

/* The packets of one AUX area. */
struct area {
	struct pt_encoder *encoder;
	uint8_t *buf;
	size_t sz;
	uint64_t psb_at, last_ip, cyc_tsc, mtc_ctc;
	uint64_t bits;
	unsigned int bit_cnt;
	uint64_t deferred[DEFERRED_MAX]; /* addresses that go behind the bits */
	unsigned int deferred_cnt;
	uint64_t returns[RETURNS_MAX];
	unsigned int return_cnt;
	bool is_on;
	uint64_t lost; /* instructions that an overflow still drops */
	uint32_t tid, cpu;
};

struct thread {
	pid_t tid;
	bool is_running; /* in a system call that has not returned */
	bool is_gone;
	int signal;
	struct area *area;
	/* Instructions that no packet has proven yet. */
	uint64_t *unproven;
	size_t unproven_cnt, unproven_cap;
};

static struct thread threads[THREADS_MAX];
static size_t thread_cnt;
static struct area areas[THREADS_MAX];
static size_t area_cnt;
static struct {
	uint64_t addr, len, pgoff;
	char path[256];
} maps[MAPS_MAX];
static size_t map_cnt;
static uint64_t tsc = 1000000000;
static pid_t leader;
static bool with_overflows, with_splits, per_cpu, with_losses, with_snapshots, with_deferred;
static FILE *steps;
static char *records;
static size_t records_sz, records_cap;
static uint64_t seed, step_cnt;

static uint32_t rnd(uint32_t max)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(seed >> 33) % max;
}

static void die(const char *what)
{
	fprintf(stderr, "pt_make: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	return TIME_ZERO + (tsc >> TIME_SHIFT) * TIME_MULT +
	       ((tsc & ((1ull << TIME_SHIFT) - 1)) * TIME_MULT >> TIME_SHIFT);
}

#include "pt_records.h"

/* Packets. */
static void encode(struct area *a, struct pt_packet *packet)
{
	if (pt_enc_next(a->encoder, packet) < 0) {
		errno = ENOSPC;
		die("the AUX area is full");
	}
}

static void put_ip(struct area *a, enum pt_packet_type type, uint64_t ip, bool is_suppressed);

static void flush_bits(struct area *a)
{
	struct pt_packet p = { .type = a->bit_cnt > 6 ? ppt_tnt_64 : ppt_tnt_8 };
	unsigned int i, cnt = a->deferred_cnt;

	if (!a->bit_cnt)
		return;
	p.payload.tnt.bit_size = (uint8_t)a->bit_cnt;
	p.payload.tnt.payload = a->bits;
	encode(a, &p);
	a->bits = a->bit_cnt = a->deferred_cnt = 0;
	for (i = 0; i < cnt; i++)
		put_ip(a, ppt_tip, a->deferred[i], false);
}

static void put_cyc(struct area *a)
{
	struct pt_packet p = { .type = ppt_cyc };

	p.payload.cyc.value = tsc - a->cyc_tsc;
	a->cyc_tsc = tsc;
	encode(a, &p);
}

/* The cycles up to a TSC packet, which the next CYC packet does not have. */
static void account_cycles(struct area *a)
{
	if (!a->cyc_tsc)
		return;
	flush_bits(a);
	put_cyc(a);
}

static void put_mtc(struct area *a)
{
	uint64_t ctc = tsc / CTC_N >> MTC_FREQ;
	struct pt_packet p = { .type = ppt_mtc };

	/* Each that is due, unless the processor slept. */
	for (; a->mtc_ctc < ctc;) {
		a->mtc_ctc++;
		p.payload.mtc.ctc = (uint8_t)a->mtc_ctc;
		flush_bits(a);
		encode(a, &p);
	}
}

static void put_ip(struct area *a, enum pt_packet_type type, uint64_t ip, bool is_suppressed)
{
	struct pt_packet p = { .type = type };
	uint64_t diff;

	flush_bits(a);
	diff = ip ^ a->last_ip;
	p.payload.ip.ip = ip;
	if (is_suppressed) {
		p.payload.ip.ipc = pt_ipc_suppressed;
	} else {
		p.payload.ip.ipc = !(diff >> 16)   ? pt_ipc_update_16
				   : !(diff >> 32) ? pt_ipc_update_32
						   : pt_ipc_sext_48;
		if (p.payload.ip.ipc == pt_ipc_update_16)
			p.payload.ip.ip = ip & 0xffff;
		else if (p.payload.ip.ipc == pt_ipc_update_32)
			p.payload.ip.ip = ip & 0xffffffff;
		a->last_ip = ip;
	}
	encode(a, &p);
}

static void put_tsc(struct area *a)
{
	struct pt_packet p = { .type = ppt_tsc };

	flush_bits(a);
	p.payload.tsc.tsc = tsc;
	encode(a, &p);
	p.type = ppt_tma;
	p.payload.tma.ctc = (uint16_t)(tsc / CTC_N);
	p.payload.tma.fc = (uint16_t)(tsc % CTC_N);
	encode(a, &p);
	a->cyc_tsc = tsc;
	a->mtc_ctc = tsc / CTC_N >> MTC_FREQ;
}

static void put_mode(struct area *a)
{
	struct pt_packet p = { .type = ppt_mode };

	p.payload.mode.leaf = pt_mol_exec;
	p.payload.mode.bits.exec = pt_set_exec_mode(ptem_64bit);
	encode(a, &p);
}

static void put_psb(struct area *a, uint64_t ip)
{
	struct pt_packet p = { .type = ppt_pad };
	uint64_t at;

	account_cycles(a);
	flush_bits(a);
	/* A record's bytes are a multiple of 8, and it may end here. */
	for (pt_enc_get_offset(a->encoder, &at); at % 8; at++)
		encode(a, &p);
	p.type = ppt_psb;
	encode(a, &p);
	put_tsc(a);
	p.type = ppt_cbr;
	p.payload.cbr.ratio = RATIO;
	encode(a, &p);
	a->last_ip = 0;
	if (a->is_on) {
		put_mode(a);
		put_ip(a, ppt_fup, ip, false);
	}
	p.type = ppt_psbend;
	encode(a, &p);
	pt_enc_get_offset(a->encoder, &a->psb_at);
	a->return_cnt = 0;
}

static void put_psb_if_due(struct area *a, uint64_t ip)
{
	uint64_t at;

	pt_enc_get_offset(a->encoder, &at);
	if (!at || at > a->psb_at + PSB_EACH)
		put_psb(a, ip);
}

static struct area *new_area(uint32_t tid, uint32_t cpu)
{
	struct area *a = &areas[area_cnt++];
	struct pt_config config;

	a->tid = tid;
	a->cpu = cpu;
	a->sz = 512ul << 20;
	a->buf = malloc(a->sz);
	pt_config_init(&config);
	config.begin = a->buf;
	config.end = a->buf + a->sz;
	a->encoder = pt_alloc_encoder(&config);
	if (!a->encoder)
		die("no encoder");
	return a;
}

static void add_bit(struct area *a, bool bit)
{
	a->bits = a->bits << 1 | bit;
	if (++a->bit_cnt == 47 || (a->bit_cnt == 6 && rnd(4)))
		flush_bits(a);
}

static void enable(struct thread *t, uint64_t ip)
{
	struct area *a = t->area;

	if (a->lost)
		return;
	tsc += 200;
	account_cycles(a);
	put_psb_if_due(a, ip);
	put_tsc(a);
	put_mode(a);
	put_ip(a, ppt_tip_pge, ip, false);
	a->is_on = true;
}

/* Writes the instructions that are proven now. */
static void prove(struct thread *t)
{
	size_t i;

	for (i = 0; i < t->unproven_cnt; i++)
		fprintf(steps, "%d %" PRIx64 "\n", t->tid, t->unproven[i]);
	t->unproven_cnt = 0;
}

/* An interrupt, or a signal, before the instruction at ip. */
static void disable_async(struct thread *t, uint64_t ip)
{
	struct area *a = t->area;

	if (a->lost || !a->is_on)
		return;
	put_ip(a, ppt_fup, ip, false);
	put_ip(a, ppt_tip_pgd, 0, true);
	a->is_on = false;
	prove(t);
	tsc += 1000;
}

static void note_step(struct thread *t, uint64_t ip)
{
	step_cnt++;
	if (t->area->lost)
		return;
	if (t->unproven_cnt == t->unproven_cap) {
		t->unproven_cap = t->unproven_cap * 2 + 64;
		t->unproven = realloc(t->unproven, t->unproven_cap * 8);
	}
	t->unproven[t->unproven_cnt++] = ip;
}

static bool is_direct(const uint8_t *p, unsigned int len)
{
	/* 67: the linker pads calls with it. */
	while (len-- &&
	       (*p == 0xf2 || *p == 0x66 || *p == 0x67 || *p == 0x2e || *p == 0x3e || *p >> 4 == 4))
		p++;
	return *p == 0xe8 || *p == 0xe9 || *p == 0xeb;
}

static void put_indirect(struct area *a, uint64_t to)
{
	if (with_deferred && a->bit_cnt && a->deferred_cnt < DEFERRED_MAX)
		a->deferred[a->deferred_cnt++] = to;
	else
		put_ip(a, ppt_tip, to, false);
}

static void put_return(struct area *a, uint64_t to)
{
	if (a->return_cnt && a->returns[(a->return_cnt - 1) % RETURNS_MAX] == to) {
		a->return_cnt--;
		add_bit(a, true);
		return;
	}
	/* Decoders differ in whether they pop a return that has a packet of its own. */
	a->return_cnt = 0;
	put_ip(a, ppt_tip, to, false);
}

/* The packets of one instruction. */
static void put_insn(struct thread *t, uint64_t ip, const uint8_t *p, uint64_t next)
{
	struct area *a = t->area;
	uint32_t flags;
	unsigned int len = x86_insn__length(p, 15, true, &flags);

	tsc += 1 + rnd(3);
	if (a->lost) {
		if (--a->lost)
			return;
		a->lost = 0;
		if (flags & ITRACE_FLAG_SYSCALL) {
			a->lost = 1;
			return;
		}
		put_ip(a, ppt_fup, next, false);
		account_cycles(a);
		put_tsc(a);
		return;
	}
	if (!flags)
		return;
	if (a->bit_cnt == 0 && rnd(3) == 0)
		put_cyc(a);
	if (!is_direct(p, len))
		put_mtc(a);
	if (flags & ITRACE_FLAG_SYSCALL) {
		put_ip(a, ppt_tip_pgd, 0, true);
		a->is_on = false;
		tsc += 500;
	} else if (flags & ITRACE_FLAG_CONDITIONAL) {
		add_bit(a, next != ip + len);
	} else if (flags & ITRACE_FLAG_RETURN) {
		put_return(a, next);
	} else if (!is_direct(p, len)) {
		put_indirect(a, next);
	}
	if (flags & ITRACE_FLAG_CALL && !(flags & ITRACE_FLAG_SYSCALL) && next != ip + len) {
		if (a->return_cnt == RETURNS_MAX)
			memmove(a->returns, a->returns + 1, (RETURNS_MAX - 1) * 8);
		else
			a->return_cnt++;
		a->returns[a->return_cnt - 1] = ip + len;
	}
	if (!is_direct(p, len))
		prove(t);
	if (!a->is_on)
		return;
	/* If the bytes before a PSB may be lost, no instruction is told by the PSB alone. */
	if (!with_losses || !is_direct(p, len))
		put_psb_if_due(a, next);
	if (with_overflows && !is_direct(p, len) && !rnd(1000)) {
		struct pt_packet ovf = { .type = ppt_ovf };

		flush_bits(a);
		encode(a, &ovf);
		a->lost = 1 + rnd(300);
		a->last_ip = 0;
		a->return_cnt = 0;
	}
}

/* Threads. */
static struct thread *add_thread(pid_t tid)
{
	struct thread *t;
	size_t i;

	for (i = 0; i < thread_cnt; i++)
		if (threads[i].tid == tid)
			return &threads[i];
	if (thread_cnt == THREADS_MAX)
		die("too many threads");
	t = &threads[thread_cnt++];
	t->tid = tid;
	t->area = per_cpu ? &areas[(thread_cnt - 1) % 2] : new_area((uint32_t)tid, ~0u);
	return t;
}

static struct thread *find_thread(pid_t tid)
{
	size_t i;

	for (i = 0; i < thread_cnt; i++)
		if (threads[i].tid == tid)
			return &threads[i];
	return NULL;
}

/* Notes that a thread has stopped. */
static void on_stop(pid_t tid, int status)
{
	struct thread *t = find_thread(tid);
	unsigned long msg;

	if (WIFEXITED(status) || WIFSIGNALED(status)) {
		if (t)
			t->is_gone = true;
		return;
	}
	if (!t) {
		/* A thread's first stop. */
		t = add_thread(tid);
		put_comm((uint32_t)tid, false);
		t->is_running = false;
		return;
	}
	t->is_running = false;
	if (status >> 16 == PTRACE_EVENT_CLONE) {
		ptrace(PTRACE_GETEVENTMSG, tid, 0, &msg);
		return;
	}
	if (WSTOPSIG(status) != SIGTRAP)
		t->signal = WSTOPSIG(status);
}

/* Waits for one thread, or until it seems to wait itself. true: it has stopped. */
static bool wait_for(struct thread *t, bool may_wait)
{
	const struct timespec nap = { 0, 20000 };
	unsigned int i;
	int status;
	pid_t tid;

	for (i = 0; !may_wait || i < 5000; i++) {
		/* A thread that is alone is waited for, however long its system call takes. */
		tid = waitpid(-1, &status, __WALL | (thread_cnt > 1 ? WNOHANG : 0));
		if (tid > 0) {
			on_stop(tid, status);
			if (t->is_gone || !t->is_running)
				return !t->is_gone;
			i = 0;
			continue;
		}
		if (tid < 0)
			return false;
		if (i > 1000)
			nanosleep(&nap, NULL);
		else
			sched_yield();
		if (may_wait && i > 1100)
			return false;
	}
	return false;
}

static uint64_t ip_of(struct thread *t)
{
	return (uint64_t)ptrace(PTRACE_PEEKUSER, t->tid, offsetof(struct user, regs.rip), 0);
}

/* The bytes of the file that is mapped at ip, where it has any. */
static void read_file_code(uint64_t ip, uint8_t *buf)
{
	size_t i;
	int fd;

	for (i = map_cnt; i-- > 0;) {
		if (ip - maps[i].addr >= maps[i].len)
			continue;
		fd = open(maps[i].path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return;
		if (pread(fd, buf, 16, (off_t)(maps[i].pgoff + (ip - maps[i].addr))) < 1)
			die(maps[i].path);
		close(fd);
		return;
	}
}

static void read_code(pid_t tid, uint64_t ip, uint8_t *buf)
{
	struct iovec to = { buf, 16 }, from = { (void *)ip, 16 };

	memset(buf, 0x90, 16);
	if (process_vm_readv(tid, &to, 1, &from, 1, 0) < 0) {
		/* At the end of a mapping. */
		to.iov_len = from.iov_len = 4096 - (ip & 4095);
		process_vm_readv(tid, &to, 1, &from, 1, 0);
	}
	/* Somebody may trace a function by a uprobe: its breakpoint is not what runs. */
	if (*buf == 0xcc)
		read_file_code(ip, buf);
}

/* Runs one instruction of a thread. false: it is not there, or waits. */
static bool step(struct thread *t)
{
	uint64_t ip = ip_of(t), next;
	uint8_t code[16];
	unsigned int len;
	uint32_t flags;
	int sig = t->signal;
	long nr;

	if (sig) {
		/* The handler's first instruction is next. */
		t->signal = 0;
		disable_async(t, ip);
		t->is_running = true;
		if (ptrace(PTRACE_SINGLESTEP, t->tid, 0, sig) || !wait_for(t, false))
			return false;
		next = ip_of(t);
		enable(t, next);
		return true;
	}
	if (!t->area->is_on && !t->area->lost)
		enable(t, ip);
	read_code(t->tid, ip, code);
	len = x86_insn__length(code, 15, true, &flags);
	nr = ptrace(PTRACE_PEEKUSER, t->tid, offsetof(struct user, regs.orig_rax), 0);
	if (flags & ITRACE_FLAG_SYSCALL) {
		nr = ptrace(PTRACE_PEEKUSER, t->tid, offsetof(struct user, regs.rax), 0);
		note_step(t, ip);
		put_insn(t, ip, code, ip + 2);
	}
	t->is_running = true;
	if (ptrace(PTRACE_SINGLESTEP, t->tid, 0, 0) || !wait_for(t, flags & ITRACE_FLAG_SYSCALL))
		return false;
	/* A new thread's parent stops twice. */
	if (flags & ITRACE_FLAG_SYSCALL) {
		if (nr == SYS_mmap || nr == SYS_mprotect || nr == SYS_munmap)
			put_maps();
		return true;
	}
	if (t->signal)
		return true;
	next = ip_of(t);
	/* A repeated instruction is one; and the stop of a clone is none. */
	if (next == ip)
		return true;
	/*
	 * A hypervisor that runs an instruction itself, such as cpuid, may leave out the stop
	 * behind it: the instruction behind it has run, too.
	 */
	if (!flags && next != ip + len) {
		note_step(t, ip);
		put_insn(t, ip, code, ip + len);
		ip += len;
		read_code(t->tid, ip, code);
	}
	note_step(t, ip);
	put_insn(t, ip, code, next);
	return true;
}

static void run_slice(struct thread *t, unsigned int cnt)
{
	struct area *a = t->area;

	tsc += 2000;
	if (per_cpu)
		put_switch((uint32_t)t->tid, a->cpu);
	tsc += 2000;
	while (cnt-- && step(t))
		;
	if (!t->is_gone && !t->is_running && a->is_on)
		disable_async(t, ip_of(t));
	/* An overflow that goes on ends with the slice: tracing is off then. */
	if (a->lost) {
		a->lost = 0;
		a->is_on = false;
		t->unproven_cnt = 0;
	}
	if (t->is_gone || t->is_running) {
		prove(t);
		a->is_on = false;
	}
	tsc += 2000;
}

#include "pt_file.h"

static void run_all(uint64_t max)
{
	size_t i, idle = 0;
	bool has_lost = false;
	int status;
	pid_t tid;

	while (step_cnt < max && idle < 1000) {
		bool any = false;

		for (i = 0; i < thread_cnt && step_cnt < max; i++) {
			if (threads[i].is_gone || threads[i].is_running)
				continue;
			any = true;
			if (with_losses && !has_lost && step_cnt > max / 2) {
				put_lost_aux((uint32_t)threads[i].tid, threads[i].area->cpu);
				has_lost = true;
			}
			run_slice(&threads[i], 50 + rnd(5000));
		}
		idle = any ? 0 : idle + 1;
		if (any)
			continue;
		usleep(1000);
		while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0)
			on_stop(tid, status);
		if (tid < 0)
			break;
	}
}

int main(int argc, char **argv)
{
	uint64_t max;
	int status, at = 5;

	if (argc < 6)
		return 2;
	steps = fopen(argv[2], "w");
	max = strtoull(argv[3], NULL, 10);
	seed = strtoull(argv[4], NULL, 10) * 2 + 1;
	for (; at < argc && argv[at][0] == '-'; at++) {
		with_overflows |= !strcmp(argv[at], "-o");
		with_splits |= !strcmp(argv[at], "-s");
		per_cpu |= !strcmp(argv[at], "-c");
		with_losses |= !strcmp(argv[at], "-l");
		with_snapshots |= !strcmp(argv[at], "-t");
		with_deferred |= !strcmp(argv[at], "-d");
	}
	leader = fork();
	if (!leader) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(argv[at], argv + at);
		_exit(127);
	}
	if (waitpid(leader, &status, 0) < 0 || !WIFSTOPPED(status))
		die(argv[at]);
	ptrace(PTRACE_SETOPTIONS, leader, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
	if (per_cpu) {
		new_area(~0u, 0);
		new_area(~0u, 1);
	}
	put_comm((uint32_t)leader, true);
	put_maps();
	add_thread(leader);
	run_all(max);
	write_file(argv[1]);
	fclose(steps);
	kill(leader, SIGKILL);
	fprintf(stderr, "%" PRIu64 " instructions, %zu threads\n", step_cnt, thread_cnt);
	return 0;
}
