// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/plt.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Limit for a table of 64,000 stubs; longer ones are damaged. */
#define PLT_MAX_SZ (1u << 20)
#define RELA_MAX_SZ (8u << 20)
#define STUB_SZ 16
/* A linker creates two or three. */
#define RELA_MAX_CNT 8
/* Functions that choose their implementation at program start: the C library has thirty of them. */
#define RESOLVERS_MAX 128

struct slot {
	uint64_t addr;
	enum elf_names where; /* the table of name_at */
	uint32_t name_at;
};

struct slots {
	struct slot *slots;
	size_t cnt;
	uint32_t resolver_cnt;
};

static int cmp_slot(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static bool is_function_slot(const struct elf_file *file, uint32_t type)
{
	if (file->machine == EM_X86_64)
		return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
	return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
}

static bool is_resolved_slot(const struct elf_file *file, uint32_t type)
{
	return type == (file->machine == EM_X86_64 ? (uint32_t)R_X86_64_IRELATIVE
						   : (uint32_t)R_AARCH64_IRELATIVE);
}

/* No symbol is at this address, only that of the resolver function: use its name. */
static void add_resolved(struct slots *slots, const struct elf_syms *syms, const Elf64_Rela *r)
{
	const struct symtab_entry *best = NULL, *e = syms->tab.entries;
	size_t i;

	if (slots->resolver_cnt++ >= RESOLVERS_MAX)
		return;
	for (i = 0; i < syms->tab.cnt; i++, e++)
		if (e->addr == (uint64_t)r->r_addend && (!best || e->rank > best->rank))
			best = e;
	if (best)
		slots->slots[slots->cnt++] = (struct slot){ r->r_offset, elf_syms__where(best),
							    elf_syms__name_at(best) };
}

/* Reads the slots that one relocation table fills. */
static int add_slots(struct slots *slots, const struct elf_syms *added, const struct elf_file *file,
		     const struct elf_section *rela)
{
	const struct elf_section *dyn;
	struct slot *bigger;
	Elf64_Rela *r;
	Elf64_Sym *syms;
	size_t i, cnt = rela->sz / sizeof(*r), sym_cnt;

	if (rela->type != SHT_RELA || !rela->link || rela->link >= file->section_cnt)
		return 0;
	dyn = &file->sections[rela->link];
	if (dyn->type != SHT_DYNSYM)
		return 0;
	r = (Elf64_Rela *)elf_file__contents(file, rela, RELA_MAX_SZ);
	syms = (Elf64_Sym *)elf_file__contents(file, dyn, RELA_MAX_SZ);
	sym_cnt = dyn->sz / sizeof(*syms);
	bigger = r && syms ? realloc(slots->slots, (slots->cnt + cnt) * sizeof(*bigger)) : NULL;
	if (bigger)
		slots->slots = bigger;
	for (i = 0; bigger && i < cnt; i++) {
		uint64_t sym = ELF64_R_SYM(r[i].r_info);

		uint32_t type = (uint32_t)ELF64_R_TYPE(r[i].r_info);

		if (is_resolved_slot(file, type))
			add_resolved(slots, added, &r[i]);
		else if (is_function_slot(file, type) && sym && sym < sym_cnt)
			slots->slots[slots->cnt++] =
				(struct slot){ r[i].r_offset, NAMES_DYNSYM, syms[sym].st_name };
	}
	free(r);
	free(syms);
	return 0;
}

static int add_stub(struct elf_syms *syms, const struct slots *slots, uint64_t stub,
		    uint64_t slot_addr)
{
	struct slot key = { .addr = slot_addr }, *slot;

	slot = bsearch(&key, slots->slots, slots->cnt, sizeof(key), cmp_slot);
	if (!slot)
		return 0;
	return elf_syms__add(syms, stub, STUB_SZ, symtab__rank(true, false, false, ""), slot->where,
			     slot->name_at, true);
}

/*
 * `jmp *disp32(%rip)`, perhaps behind endbr64 and a bnd prefix; a stub begins at a multiple of 8.
 */
static int scan_x86(struct elf_syms *syms, const struct slots *slots, const uint8_t *code,
		    const struct elf_section *sec)
{
	uint64_t i, step = !strcmp(sec->name, ".plt.got") ? 8 : STUB_SZ;
	int err = 0;

	for (i = 0; i + step <= sec->sz && !err; i += step) {
		uint64_t at;
		int32_t disp;

		for (at = i; at + 6 <= i + step; at++) {
			if (code[at] != 0xff || code[at + 1] != 0x25)
				continue;
			memcpy(&disp, code + at + 2, sizeof(disp));
			err = add_stub(syms, slots, sec->addr + i,
				       sec->addr + at + 6 + (uint64_t)(int64_t)disp);
			break;
		}
	}
	return err;
}

/* `adrp x16, page; ldr x17, [x16, #off]`; a `bti c` before it belongs to the stub. */
static int scan_arm64(struct elf_syms *syms, const struct slots *slots, const uint8_t *code,
		      const struct elf_section *sec)
{
	uint32_t insn[2], bti;
	uint64_t i;
	int err = 0;

	for (i = 0; i + 8 <= sec->sz && !err; i += 4) {
		uint64_t page, start = i;

		memcpy(insn, code + i, sizeof(insn));
		if ((insn[0] & 0x9f00001f) != 0x90000010 || (insn[1] & 0xffc003ff) != 0xf9400211)
			continue;
		page = (uint64_t)(insn[0] >> 29 & 3) | (uint64_t)(insn[0] >> 5 & 0x7ffff) << 2;
		page = (uint64_t)((int64_t)(page << 43) >> 31);
		if (i >= 4) {
			memcpy(&bti, code + i - 4, sizeof(bti));
			start -= bti == 0xd503245f ? 4 : 0;
		}
		err = add_stub(syms, slots, sec->addr + start,
			       ((sec->addr + i) & ~0xfffULL) + page +
				       (uint64_t)(insn[1] >> 10 & 0xfff) * 8);
	}
	return err;
}

static int scan(struct elf_syms *syms, const struct slots *slots, const struct elf_file *file,
		const char *name)
{
	const struct elf_section *sec = elf_file__section(file, name);
	uint8_t *code = (uint8_t *)elf_file__contents(file, sec, PLT_MAX_SZ);
	int err;

	if (!code)
		return 0;
	err = file->machine == EM_X86_64 ? scan_x86(syms, slots, code, sec)
					 : scan_arm64(syms, slots, code, sec);
	free(code);
	return err;
}

int plt__add(struct elf_syms *syms, const struct elf_file *file)
{
	static const char *const tables[] = { ".plt", ".plt.sec", ".plt.got" };
	struct slots slots = { 0 };
	size_t i, left = RELA_MAX_CNT;
	int err = 0;

	if (!file->is64 || file->swapped || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ ||
	    (file->machine != EM_X86_64 && file->machine != EM_AARCH64))
		return 0;
	for (i = 1; i < file->section_cnt && !err; i++)
		if (!strncmp(file->sections[i].name, ".rela.", 6) && left && left--)
			err = add_slots(&slots, syms, file, &file->sections[i]);
	if (slots.cnt)
		qsort(slots.slots, slots.cnt, sizeof(*slots.slots), cmp_slot);
	for (i = 0; i < sizeof(tables) / sizeof(*tables) && slots.cnt && !err; i++)
		err = scan(syms, &slots, file, tables[i]);
	free(slots.slots);
	return err;
}
