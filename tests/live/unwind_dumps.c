// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Stacks that `perf record --call-graph dwarf` copied, sample by sample: walked by the tables and
 * the step that run in the kernel, by libdwfl, and as `perf script` prints them. Wherever libdwfl
 * or perf comes to the outermost frame the frames are equal, and at least 99 of 100 walks do.
 */
#include <errno.h>
#include <sys/stat.h>

#include "data/perf_sample.h"
#include "data/proc_layout.h"
#include "data/recording.h"
#include "tap.h"
#include "unwind_user.h"
#include "util/u64map.h"

#define SAMPLES_MIN 211 /* of one second at 499 Hz */
#define THEIRS_MAX 4096
#define RED_ZONE_SZ 128
#define COPY_SZ 0xf000 /* as much as a record of 64 KiB has room for, whatever else is in it */
#define STACK_MAX_SZ (8u << 20)

/* The sample at hand. */
static struct {
	pid_t tid;
	const uint8_t *stack;
	uint64_t stack_sz;
	bool lacks; /* what the walk asked for is on the stack, but not in the copy */
	bool is_unread; /* some word that was asked for could not be read */
} now;

/* The stack that perf printed. */
struct printed {
	struct stack stack; /* by offset in its file */
	bool complete;
};
static struct {
	struct printed *all;
	struct u64map by_time;
	uint32_t cnt;
} theirs;

struct counts {
	unsigned int samples, complete, by_fp, deepest;
	unsigned int jit, jit_once; /* stacks with code of no file; of these with one walk by fp */
	unsigned int needless_fp; /* walks by frame pointer where there is frame information */
	unsigned int lacking; /* samples whose copy lacks what is asked for */
	unsigned int dwfl, dwfl_wrong; /* complete by libdwfl; of these not equal */
	unsigned int dwfl_short; /* ended early by libdwfl, and whole by perf and here */
	unsigned int perf_short; /* ended early by perf, where libdwfl has the rest or ended, too */
	unsigned int perf, perf_wrong;
};

static char dir[] = "/tmp/bpfperf-dumps.XXXXXX", vdso_path[64];

static long read_stack(uint64_t *value, uint64_t addr)
{
	uint64_t off = addr - proc.regs[REG_SP];

	/*
	 * A register that a function's end has taken off the stack already, where the kernel finds
	 * it.
	 */
	now.lacks |= off && -off <= RED_ZONE_SZ;
	/* Above a copy that is full: python3 has a frame of 64 KiB while it starts. */
	now.lacks |= now.stack_sz >= COPY_SZ && off + 8 > now.stack_sz && off < STACK_MAX_SZ;
	if (off >= now.stack_sz || now.stack_sz - off < 8) {
		now.is_unread = true;
		return -1;
	}
	memcpy(value, now.stack + off, 8);
	return 0;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *value, void *arg)
{
	return !read_stack(value, addr);
}

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	if (*thread_arg)
		return 0;
	*thread_arg = &now;
	return now.tid;
}

static bool set_initial_registers(Dwfl_Thread *thread, void *arg)
{
	dwfl_thread_state_register_pc(thread, proc.regs[REG_PC]);
	return dwfl_thread_state_registers(thread, 0, UNWIND_ARM64 ? 32 : 17, proc.regs);
}

/* libdwfl with the files of `proc`, or NULL. */
static Dwfl *open_dwfl(pid_t pid)
{
	static const Dwfl_Callbacks callbacks = { .find_debuginfo = dwfl_standard_find_debuginfo };
	static const Dwfl_Thread_Callbacks threads = {
		.next_thread = next_thread,
		.memory_read = memory_read,
		.set_initial_registers = set_initial_registers,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	size_t i;

	for (i = 0; i < proc.cnt; i++) {
		const struct map *m = &proc.maps[i];
		const char *path = strcmp(m->path, "[vdso]") ? m->path : vdso_path;

		if (m->table &&
		    !dwfl_report_elf(dwfl, m->path, path, -1,
				     m->start - (path == vdso_path ? 0 : m->off), false))
			diag("libdwfl: %s: %s", path, dwfl_errmsg(-1));
	}
	if (!dwfl_report_end(dwfl, NULL, NULL) &&
	    dwfl_attach_state(dwfl, NULL, pid, &threads, &now))
		return dwfl;
	diag("libdwfl: %s", dwfl_errmsg(-1));
	dwfl_end(dwfl);
	return NULL;
}

/* PERF_SAMPLE_REGS_USER by the kernel's numbers → `proc.regs` by DWARF's. */
static bool take_regs(const struct perf_sample *s)
{
#ifdef __aarch64__
	static const uint8_t dwarf[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
					 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
					 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };
#else
	/* asm/perf_regs.h: ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8 … r15 */
	static const uint8_t dwarf[] = { 0,  3,  2,  1,  4, 5, 6,  7,  16, 99, 99, 99,
					 99, 99, 99, 99, 8, 9, 10, 11, 12, 13, 14, 15 };
#endif
	uint64_t mask = s->event->attr.sample_regs_user, i, at = 0;

	if (!s->user_abi)
		return false;
	for (i = 0; i < sizeof(dwarf); i++)
		if (mask >> i & 1 && at < s->user_regs.cnt) {
			uint64_t v = perf_words__get(&s->user_regs, at++);

			if (dwarf[i] < REG_CNT)
				proc.regs[dwarf[i]] = v;
		}
	return at > REG_PC;
}

/* The offset of a pc in its file, as perf prints it. */
static uint64_t file_off(uint64_t pc)
{
	size_t i;

	for (i = 0; i < proc.cnt; i++)
		if (pc >= proc.maps[i].start && pc < proc.maps[i].end)
			return pc - proc.maps[i].start + proc.maps[i].off;
	return pc;
}

/* Are the printed frames the first of ours? perf's callers are one byte back, inside the call. */
static bool begins_as_printed(const struct stack *ours, const struct stack *printed)
{
	unsigned int i;

	if (ours->cnt < printed->cnt)
		return false;
	for (i = 0; i < printed->cnt; i++) {
		uint64_t off = file_off(ours->pcs[i]);

		if (off != printed->pcs[i] && off - 1 != printed->pcs[i])
			return false;
	}
	return true;
}

static bool has_cfi(Dwfl *dwfl, uint64_t pc)
{
	Dwfl_Module *mod = dwfl_addrmodule(dwfl, pc);
	Dwarf_Addr bias = 0;
	Dwarf_CFI *eh = mod ? dwfl_module_eh_cfi(mod, &bias) : NULL;
	Dwarf_Frame *frame = NULL;
	bool has = eh && !dwarf_cfi_addrframe(eh, pc - bias, &frame);

	free(frame);
	return has;
}

static bool is_of_no_file(uint64_t pc)
{
	size_t i;

	for (i = 0; i < proc.cnt; i++)
		if (pc >= proc.maps[i].start && pc < proc.maps[i].end)
			return !proc.maps[i].table;
	return true;
}

/* The program also runs outside of its compiled code: it starts, and it looks at its clock. */
static void count_jit(struct counts *c, const struct stack *ours, const struct stack *dw)
{
	unsigned int i;

	for (i = 0; i < dw->cnt && !is_of_no_file(dw->pcs[i]); i++)
		;
	c->jit += i < dw->cnt;
	c->jit_once += i < dw->cnt && ours->by_fp == 1;
}

/*
 * elfutils 0.188 does not know the caller's rbx before a function has saved it, and takes that
 * caller for the outermost frame without an error: ld.so's resolver, seen from the first
 * instructions of _dl_fixup().
 */
static bool is_beginning(const struct stack *dw, const struct stack *ours)
{
	return dw->cnt < ours->cnt && !memcmp(dw->pcs, ours->pcs, dw->cnt * sizeof(*dw->pcs));
}

static void compare(struct counts *c, Dwfl *dwfl, uint64_t time_ns)
{
	static struct stack ours, dw;
	uint32_t at = u64map__get(&theirs.by_time, time_ns ^ (uint64_t)now.tid << 48);
	const struct printed *perf =
		at != U64MAP_NONE && theirs.all[at].complete ? &theirs.all[at] : NULL;
	bool same, is_perfs, is_beginning_of;

	now.lacks = false;
	walk(&ours);
	if (now.lacks) {
		c->lacking++;
		return;
	}
	memset(&dw, 0, sizeof(dw));
	now.is_unread = false;
	dw.end = dwfl_getthread_frames(dwfl, now.tid, on_frame, &dw);
	c->samples++;
	c->complete += ours.end == UNWIND_OUTERMOST;
	c->by_fp += ours.by_fp;
	count_jit(c, &ours, &dw);
	c->deepest = ours.cnt > c->deepest ? ours.cnt : c->deepest;
	if (ours.end != UNWIND_OUTERMOST && c->samples - c->complete < 3)
		tell_pcs("incomplete", &ours);
	/* Frame information that puts the caller below is wrong (see unwind_walk.c). */
	if (ours.end == UNWIND_NOT_RISING)
		return;
	/*
	 * The kernel copies no stack of which the page is not there. libdwfl ends where it cannot
	 * read, too, but without an error.
	 */
	same = same_stack(&ours, &dw) &&
	       (ours.end == UNWIND_OUTERMOST || (ours.end == UNWIND_NO_MEMORY && now.is_unread));
	is_beginning_of = perf && begins_as_printed(&ours, &perf->stack);
	is_perfs = is_beginning_of && ours.cnt == perf->stack.cnt;
	c->dwfl += !dw.end;
	if (!dw.end && !same && is_perfs && is_beginning(&dw, &ours)) {
		c->dwfl_short++;
	} else if (!dw.end && !same && !c->dwfl_wrong++) {
		tell_pcs("ours", &ours);
		tell_pcs("libdwfl's", &dw);
	}
	if (!perf)
		return;
	c->perf++;
	if (ours.by_fp && has_cfi(dwfl, ours.fp_pc) && !c->needless_fp++) {
		diag("there is frame information for %" PRIx64, ours.fp_pc);
		tell_pcs("ours", &ours);
	}
	/* perf prints what its libdwfl has, also where that ends by an error. */
	if (!is_perfs && is_beginning_of &&
	    (dw.end ? is_beginning(&dw, &ours) && dw.cnt == perf->stack.cnt : same)) {
		c->perf_short++;
	} else if (!is_perfs && !c->perf_wrong++) {
		tell_pcs("ours", &ours);
		tell_pcs("perf's, by offset", &perf->stack);
	}
}

/* A line of `perf script`: "TID SECONDS.NANOSECONDS: ", or an address and its name. */
static void take_line(const char *line)
{
	struct printed *p = theirs.cnt ? &theirs.all[theirs.cnt - 1] : NULL;
	unsigned long long s, ns;
	char name[128] = "";
	uint32_t *slot;
	uint64_t ip;
	int tid;

	if (line[0] != '\t' && sscanf(line, "%d %llu.%9llu:", &tid, &s, &ns) == 3) {
		if (theirs.cnt == THEIRS_MAX)
			return;
		slot = u64map__slot(&theirs.by_time, (s * 1000000000 + ns) ^ (uint64_t)tid << 48);
		*slot = theirs.cnt;
		memset(&theirs.all[theirs.cnt++], 0, sizeof(*theirs.all));
	} else if (p && sscanf(line, " %" SCNx64 " %127s", &ip, name) >= 1 && ip < 1ULL << 63 &&
		   p->stack.cnt < FRAMES_MAX) {
		p->stack.pcs[p->stack.cnt++] = ip;
		p->complete = !strcmp(name, "_start") || strstr(name, "clone");
	}
}

static bool read_printed(const char *path)
{
	char cmd[256], line[512];
	FILE *f;

	u64map__free(&theirs.by_time);
	theirs.cnt = 0;
	snprintf(
		cmd, sizeof(cmd),
		"perf script -i %s --no-inline --max-stack 500 -F tid,time,ip,sym --ns 2>/dev/null",
		path);
	f = popen(cmd, "re");
	while (f && fgets(line, sizeof(line), f))
		take_line(line);
	return f && !pclose(f) && theirs.cnt;
}

/* Every record of a recording, once for its mappings and once for its samples. */
static bool read_recording(const char *path, struct counts *c, Dwfl *dwfl)
{
	struct recording *rec = recording__open(path);
	struct perf_sample s;
	struct record raw;
	int more = -1;

	while (rec && (more = recording__next(rec, &raw)) == 1) {
		const struct mmap2_record *m = (const void *)raw.hdr;

		if (!dwfl && raw.hdr->type == PERF_RECORD_MMAP2 && m->prot & 4) {
			add_map(m->addr, m->addr + m->len, m->pgoff, m->path);
			now.tid = (pid_t)m->pid;
		}
		if (!dwfl || raw.hdr->type != PERF_RECORD_SAMPLE ||
		    perf_sample__parse(&s, &rec->attrs, rec->swap, raw.hdr) || !take_regs(&s))
			continue;
		now.tid = (pid_t)s.tid;
		now.stack = s.user_stack;
		now.stack_sz = s.user_stack_sz;
		compare(c, dwfl, s.time_ns);
	}
	if (rec)
		recording__close(rec);
	return !more;
}

static void test_counts(const char *name, const struct counts *c, bool jit, unsigned int deep,
			unsigned int percent)
{
	diag("%s: %u samples, %u complete, %u frames by frame pointer, %u deep at most; "
	     "complete by libdwfl %u, by perf %u; %u copied too little",
	     name, c->samples, c->complete, c->by_fp, c->deepest, c->dwfl, c->perf, c->lacking);
	ok(c->samples >= SAMPLES_MIN, "%s: there are samples", name);
	ok(c->complete * 100 >= c->samples * percent, "%s: %u %% reach the outermost frame", name,
	   percent);
	is_u64(c->dwfl_wrong, 0, "%s: the frames are libdwfl's", name);
	ok(c->dwfl_short * 100 <= c->samples, "%s: libdwfl ends early once in a hundred", name);
	ok(c->dwfl * 100 >= c->samples * 90, "%s: libdwfl has nine of ten frames", name);
	is_u64(c->perf_wrong, 0, "%s: the frames are perf's", name);
	ok(c->perf_short * 100 <= c->samples, "%s: perf ends early once in a hundred", name);
	/* It gives up where it lacks frame information, as at the start of a thread. */
	if (!c->perf)
		skip("perf has no such stack without debug files");
	else
		ok(jit || c->perf * 100 >= c->samples * 90, "%s: perf has nine of ten stacks",
		   name);
	ok(c->lacking * 20 <= c->samples, "%s: few copies lack anything", name);
	ok(c->deepest >= deep, "%s: %u frames deep", name, deep);
	if (jit) {
		ok(c->jit * 2 >= c->samples, "%s: half of the stacks have code of no file", name);
		ok(c->jit_once * 100 >= c->jit * 95,
		   "%s: one frame by frame pointer in each stack with code of no file", name);
	} else
		is_u64(c->needless_fp, 0, "%s: none by frame pointer where information is", name);
}

static void test_program(const char *name, const char *cmd, bool jit, unsigned int deep,
			 unsigned int percent)
{
	struct counts c = { 0 };
	char record[1024], path[64];
	Dwfl *dwfl = NULL;

	snprintf(path, sizeof(path), "%s/perf.data", dir);
	snprintf(
		record, sizeof(record),
		"perf record -q --no-bpf-event -e cpu-clock -F 499 --call-graph dwarf,65528 -m 4096 -o %s -- %s "
		">/dev/null",
		path, cmd);
	forget_proc();
	if (ok(!system(record) && read_printed(path) && read_recording(path, &c, NULL) &&
		       (dwfl = open_dwfl(now.tid)) && read_recording(path, &c, dwfl),
	       "%s: recorded and read", name))
		test_counts(name, &c, jit, deep, percent);
	if (dwfl)
		dwfl_end(dwfl);
	unlink(path);
}

static bool write_vdso(void)
{
	char *vdso = (char *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *eh = (void *)vdso;
	FILE *f;

	snprintf(vdso_path, sizeof(vdso_path), "%s/vdso.so", dir);
	f = vdso ? fopen(vdso_path, "we") : NULL;
	return f && fwrite(vdso, eh->e_shoff + (size_t)eh->e_shnum * eh->e_shentsize, 1, f) == 1 &&
	       !fclose(f);
}

static const struct {
	const char *name, *cmd;
	bool jit;
	unsigned int deep, percent; /* of samples that are to be complete */
} programs[] = {
	{ "C", "$W/unwind_c calls 1", false, 13, 99 },
	{ "qsort and memcpy", "$W/unwind_c sort 1", false, 7, 99 },
	{ "recursion", "$W/unwind_c deep 1", false, 200, 99 },
	{ "signal handler", "$W/unwind_c signal 1", false, 14, 99 },
	{ "thread", "$W/unwind_c thread 1", false, 200, 99 },
	{ "system calls", "$W/unwind_c kernel 1", false, 9, 99 },
	{ "JIT", "$W/unwind_c jit 1", true, 7, 99 },
	/* Nothing but throwing: one sample in 200 hits where libgcc leaves (see unwind_walk.c). */
	{ "C++ exceptions", "$W/unwind_cxx throw 1", false, 17, 98 },
	{ "C++", "$W/unwind_cxx mixed 1", false, 13, 99 },
	{ "C++ inlined", "$W/unwind_cxx inline 1", false, 6, 99 },
	{ "python3", "/usr/bin/python3 $TOP/tests/workloads/unwind_py.py 1", false, 12, 99 },
};

int main(void)
{
	char top[4096], workloads[8192], cmd[64];
	size_t i;

	if (geteuid() || system("command -v perf >/dev/null"))
		skip_all("needs root and perf");
	if (getcwd(top, sizeof(top)))
		setenv("TOP", top, 0);
	snprintf(workloads, sizeof(workloads), "%s/workloads", getenv("O") ?: "build");
	setenv("W", getenv("WORKLOADS") ?: workloads, 1);
	theirs.all = calloc(THEIRS_MAX, sizeof(*theirs.all));
	proc.read = read_stack;
	if (!theirs.all || !mkdtemp(dir) || !write_vdso())
		return 1;
	for (i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		test_program(programs[i].name, programs[i].cmd, programs[i].jit, programs[i].deep,
			     programs[i].percent);
	snprintf(cmd, sizeof(cmd), "rm -r %s", dir);
	ok(!system(cmd), "the directory is removed");
	u64map__free(&theirs.by_time);
	free(theirs.all);
	free_files();
	return done_testing();
}
