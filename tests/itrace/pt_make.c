// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * pt_make OUT.data OUT.steps MAX SEED [-o] [-s] [-c] [-l] [-t] PROGRAM ARG…
 *
 * Intel PT without the hardware: runs a program instruction by instruction (ptrace), and writes the
 * packets that a processor would write of it, by libipt's encoder, as a recording of perf.
 * OUT.steps has the instructions, a line each: "TID IP". -o: overflows at random places; -s:
 * records of AUX data end inside packets, at odd bytes, which perf does not take; -c: an AUX area
 * for each of two CPUs, between whose threads the recording has switches, else one for each thread;
 * -l: the kernel says in the middle that bytes were lost, and the position in the first AUX area
 * jumps by 4096; -t: two snapshots of each area, which have half of its bytes in common.
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
static bool with_overflows, with_splits, per_cpu, with_losses, with_snapshots;
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

static void flush_bits(struct area *a)
{
	struct pt_packet p = { .type = a->bit_cnt > 6 ? ppt_tnt_64 : ppt_tnt_8 };

	if (!a->bit_cnt)
		return;
	p.payload.tnt.bit_size = (uint8_t)a->bit_cnt;
	p.payload.tnt.payload = a->bits;
	encode(a, &p);
	a->bits = a->bit_cnt = 0;
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
	uint64_t diff = ip ^ a->last_ip;

	flush_bits(a);
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
		put_ip(a, ppt_tip, next, false);
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
	x86_insn__length(code, 15, true, &flags);
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

/* The first PSB in the second half of an area; sz: there is none. */
static uint64_t psb_after(const struct area *a, uint64_t sz)
{
	static const uint8_t psb[16] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
					 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 };
	const uint8_t *p = memmem(a->buf + sz / 2, sz - sz / 2, psb, sizeof(psb));

	return p ? (uint64_t)(p - a->buf) : 0;
}

/*
 * Writes a record with the bytes of an area from `from` to `to`, padded as perf does. lost: bytes
 * by which its position is higher.
 */
static void write_aux(FILE *f, const struct area *a, uint32_t idx, uint64_t from, uint64_t to,
		      uint64_t lost)
{
	const uint64_t sz = to - from, zero = 0;
	struct {
		struct perf_event_header h;
		uint64_t sz, off, reference;
		uint32_t idx, tid, cpu, unused;
	} aux = {
		.h = { 71, 0, sizeof(aux) },
		.sz = (sz + 7) & ~7ull,
		.off = from + lost,
		.reference = idx + 1 + from,
		.idx = idx,
		.tid = a->tid,
		.cpu = a->cpu,
	};

	fwrite(&aux, 1, sizeof(aux), f);
	fwrite(a->buf + from, 1, sz, f);
	fwrite(&zero, 1, aux.sz - sz, f);
}

/* Writes the recording: tools/perf/Documentation/perf.data-file-format.txt. */
static void write_file(const char *path)
{
	struct perf_event_attr attrs[2] = {
		{ .type = 8,
		  .size = 128,
		  .config = 0x2000 | 0x400 | 0x200 | 2 | 1 | MTC_FREQ << 14 },
		{ .type = 1, .size = 128, .config = 9 },
	};
	uint64_t priv[18] = { 8,
			      TIME_SHIFT,
			      TIME_MULT,
			      TIME_ZERO,
			      1,
			      0x400,
			      0x800,
			      per_cpu ? 3 : 0,
			      with_snapshots,
			      per_cpu,
			      0x200,
			      0x3c000,
			      CTC_N,
			      1,
			      2,
			      RATIO,
			      0,
			      0 };
	struct {
		struct perf_event_header h;
		uint32_t type, unused;
		uint64_t priv[18];
	} info = { { 70, 0, sizeof(info) }, 1, 0, { 0 } };
	uint64_t head[13] = { 0x32454c4946524550ull, 104, 144, 0, 288, 0, 0, 0, 0, 0, 0, 0, 0 };
	uint64_t ids[2] = { 1, 2 }, at, cut;
	struct perf_event_header round = { 68, 0, 8 };
	FILE *f = fopen(path, "w");
	size_t i;

	if (!f)
		die(path);
	for (i = 0; i < 2; i++) {
		attrs[i].sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
		attrs[i].sample_id_all = 1;
		attrs[i].exclude_kernel = attrs[i].exclude_hv = 1;
		attrs[i].read_format = PERF_FORMAT_ID;
		attrs[i].sample_period = 1;
	}
	attrs[1].mmap = attrs[1].mmap2 = attrs[1].comm = attrs[1].task = 1;
	attrs[1].context_switch = per_cpu;
	memcpy(info.priv, priv, sizeof(priv));
	head[3] = 104 + 16;
	head[5] = 104 + 16 + 288;
	fwrite(head, 1, 104, f);
	fwrite(ids, 1, 16, f);
	for (i = 0; i < 2; i++) {
		uint64_t section[2] = { 104 + 8 * i, 8 };

		fwrite(&attrs[i], 1, 128, f);
		fwrite(section, 1, 16, f);
	}
	fwrite(&info, 1, sizeof(info), f);
	fwrite(records, 1, records_sz, f);
	fwrite(&round, 1, 8, f);
	for (i = 0; i < area_cnt; i++) {
		flush_bits(&areas[i]);
		pt_enc_get_offset(areas[i].encoder, &at);
		/* In two pieces, which follow each other. */
		cut = with_splits && at ? at / 2 | 1
		      : with_snapshots  ? at / 4 * 3
					: psb_after(&areas[i], at);
		write_aux(f, &areas[i], (uint32_t)i, 0, cut, 0);
		write_aux(f, &areas[i], (uint32_t)i, with_snapshots ? at / 4 : cut, at,
			  with_losses && !i ? 4096 : 0);
	}
	at = (uint64_t)ftell(f);
	head[6] = at - head[5];
	rewind(f);
	fwrite(head, 1, 104, f);
	fclose(f);
}

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
