/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The walk of the kernel's programs, compiled for user space: a process that is stopped, or what
 * was kept of one, is walked by the tables of its files. One process at a time: `proc`.
 */
#ifndef BPFPERF_TESTS_UNWIND_USER_H
#define BPFPERF_TESTS_UNWIND_USER_H

#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/user.h>
#include <unistd.h>

#include <elfutils/libdwfl.h>

#include "tap.h"
#include "unwind/file.h"
#include "unwind_program.h"

#define FRAMES_MAX 512
#define MAPS_MAX 512

#ifdef __aarch64__
#define UNWIND_ARM64 1
#define REG_SP 31
#define REG_PC 32
#else
#define UNWIND_ARM64 0
#define REG_SP 7
#define REG_PC 16
#endif
#define REG_CNT 33

struct map {
	uint64_t start, end, off;
	const struct unwind_table *table; /* NULL: there is none */
	const char *path; /* of `files` */
};

static struct {
	uint64_t regs[REG_CNT]; /* by DWARF number, and the pc */
	/* 8 bytes of its memory; not 0: it is not there */
	long (*read)(uint64_t *value, uint64_t addr);
	struct map maps[MAPS_MAX]; /* executable */
	size_t cnt;
} proc;

/* Files by path, as long as the test runs. */
static struct {
	char path[256];
	struct unwind_table table;
	bool has_table;
} files[64];
static size_t file_cnt;

static long unwind_read(__u64 *value, __u64 addr)
{
	uint64_t v = 0;
	long err = proc.read(&v, addr);

	*value = v;
	return err;
}

static long unwind_sample_reg(void *ctx, __u32 reg, __u64 *v)
{
	if (reg >= REG_PC)
		return -1;
	*v = proc.regs[reg];
	return 0;
}

static const struct unwind_rule *unwind_find(void *ctx, __u64 pc)
{
	uint64_t vaddr;
	size_t i;

	for (i = 0; i < proc.cnt; i++) {
		const struct map *m = &proc.maps[i];

		if (pc < m->start || pc >= m->end)
			continue;
		if (!m->table || !unwind_table__to_vaddr(m->table, pc - m->start + m->off, &vaddr))
			return NULL;
		return unwind_table__find(m->table, vaddr);
	}
	return NULL;
}

#include "unwind/user_space.h"

#include "bpf/unwind.bpf.h"

/* All processes of a kernel have the same. */
static bool read_vdso(struct unwind_table *table)
{
	char *vdso = (char *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *eh = (void *)vdso;

	return vdso && !unwind_file__read_image(
			       table, vdso, eh->e_shoff + (size_t)eh->e_shnum * eh->e_shentsize);
}

/* Adds an executable mapping; without a path, or of what is no file: without a table. */
TAP_FN void add_map(uint64_t start, uint64_t end, uint64_t off, const char *path)
{
	struct map *m = &proc.maps[proc.cnt];
	size_t i;
	int fd;

	if (proc.cnt == MAPS_MAX)
		return;
	for (i = 0; i < file_cnt && strcmp(files[i].path, path); i++)
		;
	if (i == file_cnt) {
		if (file_cnt == sizeof(files) / sizeof(*files))
			return;
		file_cnt++;
		snprintf(files[i].path, sizeof(files[i].path), "%s", path);
		fd = *path == '/' ? open(path, O_RDONLY | O_CLOEXEC) : -1;
		files[i].has_table = !strcmp(path, "[vdso]")
					     ? read_vdso(&files[i].table)
					     : fd >= 0 && !unwind_file__read(&files[i].table, fd);
		if (fd >= 0)
			close(fd);
	}
	proc.cnt++;
	*m = (struct map){ start, end, off, files[i].has_table ? &files[i].table : NULL,
			   files[i].path };
}

/* The mappings of /proc/PID/maps. */
TAP_FN void read_maps(pid_t pid)
{
	char name[64], line[512], perms[5], path[256];
	uint64_t start, end, off;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	f = fopen(name, "re");
	while (f && fgets(line, sizeof(line), f)) {
		path[0] = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %255s", &start,
			   &end, perms, &off, path) >= 4 &&
		    perms[2] == 'x' && path[0])
			add_map(start, end, off, path);
	}
	if (f)
		fclose(f);
}

/* Registers as ptrace and core files have them. */
TAP_FN void set_regs(const struct user_regs_struct *r)
{
#ifdef __aarch64__
	memcpy(proc.regs, r->regs, 31 * 8);
	proc.regs[REG_SP] = r->sp;
	proc.regs[REG_PC] = r->pc;
#else
	const uint64_t regs[] = { r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi,
				  r->rbp, r->rsp, r->r8,  r->r9,  r->r10, r->r11,
				  r->r12, r->r13, r->r14, r->r15, r->rip };

	memcpy(proc.regs, regs, sizeof(regs));
#endif
}

struct stack {
	uint64_t pcs[FRAMES_MAX];
	unsigned int cnt, by_fp;
	uint64_t fp_pc; /* in the innermost of those whose callers were found by frame pointer */
	int end; /* enum unwind_end; of libdwfl 0: complete */
};

/* The walk from the registers of `proc`. */
TAP_FN void walk(struct stack *s)
{
	struct unwind_regs r = { .pc = proc.regs[REG_PC],
				 .sp = proc.regs[REG_SP],
				 .fp = proc.regs[UNWIND_ARM64 ? 29 : 6],
				 .base = proc.regs[UNWIND_ARM64 ? 19 : 3],
				 .lr = UNWIND_ARM64 ? proc.regs[30] : 0,
				 .has_fp = 1,
				 .has_base = 1,
				 .has_lr = 1,
				 .is_sample = 1,
				 .is_exact = 1 };
	uint64_t asked = 0;

	memset(s, 0, sizeof(*s));
	s->end = UNWIND_FULL;
	while (s->cnt < FRAMES_MAX) {
		s->pcs[s->cnt++] = r.pc;
		if (r.by_fp && !s->by_fp++)
			s->fp_pc = asked;
		asked = r.pc - !r.is_exact;
		s->end = unwind_step(NULL, &r);
		if (s->end != UNWIND_GOES_ON)
			return;
	}
}

/* For dwfl_getthread_frames(). */
TAP_FN int on_frame(Dwfl_Frame *frame, void *priv)
{
	struct stack *s = priv;
	Dwarf_Addr pc;

	if (s->cnt == FRAMES_MAX || !dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	s->pcs[s->cnt++] = pc;
	return DWARF_CB_OK;
}

TAP_FN bool same_stack(const struct stack *a, const struct stack *b)
{
	return a->cnt == b->cnt && !memcmp(a->pcs, b->pcs, a->cnt * sizeof(*a->pcs));
}

TAP_FN void tell_pcs(const char *side, const struct stack *s)
{
	char text[512];
	int n = 0;
	unsigned int i;

	for (i = 0; i < s->cnt && n < 400; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " %" PRIx64, s->pcs[i]);
	diag("%s (%u frames, end %d):%s", side, s->cnt, s->end, text);
}

/* Forgets the process; tables of files stay. */
TAP_FN void forget_proc(void)
{
	proc.cnt = 0;
}

TAP_FN void free_files(void)
{
	while (file_cnt--)
		if (files[file_cnt].has_table)
			unwind_table__free(&files[file_cnt].table);
}

#endif
