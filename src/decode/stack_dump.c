// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/stack_dump.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "sym/jit_dump.h"
#include "sym/sym.h"
#include "unwind/file.h"
#include "unwind/read_table.h"
#include "unwind/walk.h"
#include "util/array.h"
#include "util/u64map.h"

/*
 * Limit of the tables' memory; beyond it they are dropped and read again on demand. The table of
 * the largest browser has 30 MiB.
 */
#define TABLES_MAX_SZ (48u << 20)
#define NO_REG 0xff

struct file_table {
	struct unwind_table table;
	bool is_there;
	bool is_jit; /* of a JIT compiler's dump */
};

struct stack_dump {
	struct sym *sym;
	const struct recording *rec;
	bool is_arm64;
	struct u64map by_file; /* sym__file_idx() → index of the file's table */
	struct file_table *tables;
	uint32_t cnt;
	size_t cap;
	size_t mem_sz;
	/* State of the current sample. */
	struct unwind_walk walk;
	int32_t pid;
	const uint8_t *stack;
	uint64_t stack_at, stack_sz;
	bool swap;
};

static void forget(struct stack_dump *us)
{
	uint32_t i;

	for (i = 0; i < us->cnt; i++)
		if (us->tables[i].is_there)
			unwind_table__free(&us->tables[i].table);
	us->cnt = 0;
	us->mem_sz = 0;
	u64map__free(&us->by_file);
	us->by_file = (struct u64map)U64MAP_INIT;
}

static bool read_table_of(struct stack_dump *us, uint64_t place, struct file_table *ft)
{
	uint64_t file = 0;
	const struct jit_dump *dump = sym__jit_dump(us->sym, us->pid, &file);
	size_t sz;
	char *vdso = sym__vdso(us->sym, place, &sz);
	int fd, err;

	if (vdso)
		return !unwind_file__read_image(&ft->table, vdso, sz);
	fd = sym__open_file(us->sym, place);
	if (fd < 0)
		return false;
	ft->is_jit = dump && sym__file_idx(file) == sym__file_idx(place);
	if (!ft->is_jit)
		err = read_table(fd, &ft->table);
	else if (dump->unwind_cnt)
		err = read_table__jit(fd, jit_dump__machine(dump, us->is_arm64), dump->unwinds,
				      dump->unwind_cnt, &ft->table);
	else
		err = -ENODATA;
	close(fd);
	return !err;
}

/* Returns the table of a place's file, read at the first use. NULL: the file has none. */
static const struct file_table *table_of(struct stack_dump *us, uint64_t place)
{
	uint32_t *slot = u64map__slot(&us->by_file, sym__file_idx(place));
	struct file_table *ft;

	if (!slot)
		return NULL;
	if (*slot == U64MAP_NONE) {
		if (array__reserve((void **)&us->tables, &us->cap, us->cnt + 1,
				   sizeof(*us->tables)))
			return NULL;
		ft = &us->tables[us->cnt];
		ft->is_jit = false;
		ft->is_there = read_table_of(us, place, ft);
		us->mem_sz += ft->is_there ? unwind_table__mem_sz(&ft->table) : 0;
		*slot = us->cnt++;
	}
	ft = &us->tables[*slot];
	return ft->is_there ? ft : NULL;
}

static const struct unwind_table *find_table(void *ctx, uint64_t pc, uint64_t *vaddr)
{
	struct stack_dump *us = ctx;
	uint64_t place = sym__place(us->sym, us->pid, pc);
	const struct file_table *ft = sym__file_idx(place) ? table_of(us, place) : NULL;

	if (!ft || !unwind_table__to_vaddr(&ft->table, sym__file_off(place), vaddr))
		return NULL;
	/* Some functions of a JIT compiler have no unwinding information. */
	if (ft->is_jit && unwind_table__find(&ft->table, *vaddr)->cfa == UNWIND_CFA_UNKNOWN)
		return NULL;
	return &ft->table;
}

/*
 * Like perf: the copy's last word is out of bounds, and mapped memory outside the copy reads as 0.
 */
static int read_stack(void *ctx, uint64_t addr, uint64_t *value)
{
	const struct stack_dump *us = ctx;
	uint64_t off = addr - us->stack_at, v;

	if (off >= us->stack_sz || us->stack_sz - off <= 8) {
		*value = 0;
		return sym__file_idx(sym__place(us->sym, us->pid, addr)) ? 0 : -ENOENT;
	}
	memcpy(&v, us->stack + off, 8);
	*value = us->swap ? __builtin_bswap64(v) : v;
	return 0;
}

/* Converts the kernel's register number (asm/perf_regs.h) to DWARF's. */
static uint8_t dwarf_reg(bool is_arm64, unsigned int reg)
{
	/* ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8 … r15 */
	static const uint8_t x86[] = {
		0,      3,      2,      1,      4,      5,      6,      7, UNWIND_X86_64_PC,
		NO_REG, NO_REG, NO_REG, NO_REG, NO_REG, NO_REG, NO_REG, 8, 9,
		10,     11,     12,     13,     14,     15
	};

	if (is_arm64)
		return reg <= UNWIND_ARM64_PC ? (uint8_t)reg : NO_REG;
	return reg < sizeof(x86) ? x86[reg] : NO_REG;
}

/* false: no stack pointer, no pc, or a 32-bit program. */
static bool take_regs(struct stack_dump *us, const struct perf_sample *s)
{
	uint64_t mask = s->event->attr.sample_regs_user, have = 0, at = 0;
	unsigned int reg, pc = us->is_arm64 ? UNWIND_ARM64_PC : UNWIND_X86_64_PC;
	unsigned int sp = us->is_arm64 ? 31 : 7;

	if (s->user_abi != PERF_SAMPLE_REGS_ABI_64)
		return false;
	memset(us->walk.regs, 0, sizeof(us->walk.regs));
	for (reg = 0; reg < 64 && at < s->user_regs.cnt; reg++) {
		uint8_t to = dwarf_reg(us->is_arm64, reg);

		if (!(mask >> reg & 1))
			continue;
		if (to != NO_REG) {
			us->walk.regs[to] = perf_words__get(&s->user_regs, at);
			have |= 1ULL << to;
		}
		at++;
	}
	us->stack_at = us->walk.regs[sp];
	return have >> pc & have >> sp & 1;
}

struct stack_dump *stack_dump__new(struct sym *sym, const struct recording *rec)
{
	struct stack_dump *us = calloc(1, sizeof(*us));

	if (!us)
		return NULL;
	us->sym = sym;
	us->rec = rec;
	us->walk.read = read_stack;
	us->walk.find = find_table;
	us->walk.ctx = us;
	return us;
}

void stack_dump__free(struct stack_dump *us)
{
	if (!us)
		return;
	forget(us);
	free(us->tables);
	free(us);
}

static size_t walk(struct stack_dump *us, uint64_t *addrs, size_t max)
{
	if (us->mem_sz > TABLES_MAX_SZ)
		forget(us);
	return us->is_arm64 ? unwind_walk__arm64(&us->walk, addrs, max)
			    : unwind_walk__x86_64(&us->walk, addrs, max);
}

size_t stack_dump__unwind(struct stack_dump *us, const struct perf_sample *s, uint64_t *addrs,
			  size_t max)
{
	/* A pipe delivers its machine type after opening, or never. */
	us->is_arm64 = recording__is_arm64(us->rec);
	if (!s->user_stack_sz || !take_regs(us, s))
		return 0;
	us->pid = (int32_t)s->pid;
	us->stack = s->user_stack;
	us->stack_sz = s->user_stack_sz;
	us->swap = s->swap;
	return walk(us, addrs, max);
}

/* Converts the index in the kernel's struct pt_regs (r15 to ss) to DWARF's number. */
static uint8_t dwarf_of_pt_regs(bool is_arm64, unsigned int i)
{
	static const uint8_t x86[] = {
		15,     14,     13, 12, 6, 3, 11, 10, 9, 8, 0, 2, 1, 4, 5, NO_REG, UNWIND_X86_64_PC,
		NO_REG, NO_REG, 7
	};

	if (is_arm64)
		return i <= UNWIND_ARM64_PC ? (uint8_t)i : NO_REG;
	return i < sizeof(x86) ? x86[i] : NO_REG;
}

void stack_dump__take_pt_regs(bool is_arm64, const uint64_t *pt_regs, size_t cnt, uint64_t *regs)
{
	unsigned int i;

	memset(regs, 0, UNWIND_WALK_REGS * sizeof(*regs));
	for (i = 0; i < cnt; i++) {
		uint8_t to = dwarf_of_pt_regs(is_arm64, i);

		if (to != NO_REG)
			regs[to] = pt_regs[i];
	}
}

size_t stack_dump__walk(struct stack_dump *us, const struct stack_copy *copy, uint64_t *addrs,
			size_t max)
{
	us->is_arm64 = copy->is_arm64;
	memcpy(us->walk.regs, copy->regs, sizeof(us->walk.regs));
	us->pid = copy->pid;
	us->stack_at = copy->regs[copy->is_arm64 ? 31 : 7];
	us->stack = copy->stack;
	us->stack_sz = copy->stack_sz;
	us->swap = false;
	return walk(us, addrs, max);
}
