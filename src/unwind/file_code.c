// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Rules for code that is known by its bytes. */
#include <string.h>

#include "unwind/file_priv.h"

/* A vDSO of Linux has up to four pages. */
#define VDSO_MAX_SZ 65536

/* Bytes between the system call of clone(2) and the code of the new thread, at most. */
#define CLONE_GAP_MAX_SZ 32

/*
 * The vDSO of arm64 has no unwind information for its signal trampoline, mov x8, #139; svc #0, or
 * only rules that hold in handlers. The return address is in the kernel's struct rt_sigframe: sp
 * points to 128 bytes of siginfo, 176 bytes up to the ucontext's sigcontext, its fault address. A
 * handler returns to the first byte of the trampoline, and a caller is looked up by the byte before
 * its return address.
 */
static int add_arm64_trampoline(struct unwind_table *table, const struct unwind_file *f)
{
	static const uint8_t code[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };
	static const struct unwind_rule rule = {
		.cfa = UNWIND_CFA_SP_DEREF,
		.cfa_off = UNWIND_ARM64_REGS_OFF + 31 * 8,
		.ra = UNWIND_LOC_SP,
		.ra_off = UNWIND_ARM64_REGS_OFF + 32 * 8,
		.fp = UNWIND_LOC_SP,
		.fp_off = UNWIND_ARM64_REGS_OFF + 29 * 8,
		.base = UNWIND_LOC_SP,
		.base_off = UNWIND_ARM64_REGS_OFF + 19 * 8,
		.flags = UNWIND_SIGNAL,
	};
	Elf_Data *data;
	const uint8_t *at;
	uint64_t addr;

	if (f->arch->machine != EM_AARCH64 || f->text.p_filesz > VDSO_MAX_SZ)
		return 0;
	data = elf_getdata_rawchunk(f->elf, (int64_t)f->text.p_offset, f->text.p_filesz,
				    ELF_T_BYTE);
	at = data && data->d_buf ? memmem(data->d_buf, data->d_size, code, sizeof(code)) : NULL;
	if (!at)
		return 0;
	addr = f->text.p_vaddr + (uint64_t)(at - (const uint8_t *)data->d_buf);
	return unwind_table__add_range(table, addr - 1, addr + sizeof(code), &rule);
}

/*
 * Linkers of arm64 write no frame information for procedure linkage tables either. Their entries
 * only jump; the first one of lazy binding pushes x16 and x30 (System V ABI for arm64, 9.2).
 */
static int add_arm64_plt(struct unwind_table *table, const struct unwind_file *f)
{
	static const uint8_t push[] = { 0xf0, 0x7b, 0xbf, 0xa9 };
	static const struct unwind_rule entry = { .cfa = UNWIND_CFA_SP };
	static const struct unwind_rule pushed = {
		.cfa = UNWIND_CFA_SP,
		.cfa_off = 16,
		.ra = UNWIND_LOC_CFA,
		.ra_off = -8,
	};
	const size_t first_sz = 32;
	GElf_Shdr sh;
	Elf_Data *data =
		f->arch->machine == EM_AARCH64 ? unwind_file__section(f, ".plt", &sh) : NULL;
	const uint8_t *at;
	uint64_t behind;
	int err;

	if (!data || !data->d_buf || !data->d_size || !(sh.sh_flags & SHF_EXECINSTR))
		return 0;
	err = unwind_table__add_range(table, sh.sh_addr, sh.sh_addr + data->d_size, &entry);
	if (err || data->d_size < first_sz)
		return err;
	at = memmem(data->d_buf, 8, push, sizeof(push));
	if (!at)
		return 0;
	behind = sh.sh_addr + (uint64_t)(at - (const uint8_t *)data->d_buf) + sizeof(push);
	return unwind_table__add_range(table, behind, sh.sh_addr + first_sz, &pushed);
}

/*
 * Linkers write no frame information for the .plt of static x86-64 programs either: its entries
 * only jump, for example to the memcpy that suits this CPU.
 */
static int add_x86_plt(struct unwind_table *table, const struct unwind_file *f)
{
	static const struct unwind_rule rule = {
		.cfa = UNWIND_CFA_SP,
		.cfa_off = 8,
		.ra = UNWIND_LOC_CFA,
		.ra_off = -8,
	};
	/* push …(%rip): the first entry of a lazily bound linkage table. */
	static const uint8_t head[] = { 0xff, 0x35 };
	GElf_Shdr sh;
	Elf_Data *data =
		f->arch->machine == EM_X86_64 ? unwind_file__section(f, ".plt", &sh) : NULL;

	if (!data || !data->d_buf || data->d_size < sizeof(head) ||
	    !(sh.sh_flags & SHF_EXECINSTR) || !memcmp(data->d_buf, head, sizeof(head)))
		return 0;
	return unwind_table__fill_range(table, sh.sh_addr, sh.sh_addr + data->d_size, &rule);
}

static uint64_t addr_of(const struct unwind_table *table, size_t row)
{
	return table->base + (table->rows[row] >> UNWIND_RULE_BITS);
}

static const struct unwind_rule *rule_of(const struct unwind_table *table, size_t row)
{
	return &table->rules[table->rows[row] & UNWIND_RULE_MASK];
}

static bool begins_with_syscall(const struct unwind_file *f, uint64_t vaddr)
{
	static const uint8_t code[] = { 0x0f, 0x05 };
	Elf_Data *data;
	uint16_t i;

	for (i = 0; i < f->segment_cnt; i++) {
		const struct unwind_segment *seg = &f->segments[i];

		if (vaddr < seg->vaddr || vaddr - seg->vaddr + sizeof(code) > seg->sz)
			continue;
		data = elf_getdata_rawchunk(f->elf, (int64_t)(vaddr - seg->vaddr + seg->off),
					    sizeof(code), ELF_T_BYTE);
		return data && data->d_buf && !memcmp(data->d_buf, code, sizeof(code));
	}
	return false;
}

/* Is this row the gap that glibc leaves between the call and the code of the new thread? */
static bool is_clone_gap(const struct unwind_table *table, size_t row)
{
	const struct unwind_rule *before = rule_of(table, row - 1);

	return rule_of(table, row)->cfa == UNWIND_CFA_UNKNOWN && before->cfa == UNWIND_CFA_SP &&
	       before->ra == UNWIND_LOC_CFA && rule_of(table, row + 1)->ra == UNWIND_LOC_NONE &&
	       addr_of(table, row + 1) - addr_of(table, row) <= CLONE_GAP_MAX_SZ;
}

/*
 * clone(2) and clone3(2) of glibc have no frame information from the system call on to the code of
 * the new thread, since two threads come out of it. A thread that makes another one, or waits in
 * posix_spawn(3) for the program to begin, is there all the time.
 */
static int add_x86_clone(struct unwind_table *table, const struct unwind_file *f)
{
	struct unwind_rule rule;
	size_t i;
	int err = 0;

	if (f->arch->machine != EM_X86_64)
		return 0;
	unwind_table__pack(table);
	for (i = 1; i + 1 < table->row_cnt && !err; i++) {
		if (!is_clone_gap(table, i) || !begins_with_syscall(f, addr_of(table, i)))
			continue;
		rule = *rule_of(table, i - 1);
		rule.flags |= UNWIND_CLONE;
		err = unwind_table__replace(table, i, &rule);
	}
	return err;
}

int unwind_file__add_by_code(struct unwind_table *table, const struct unwind_file *f)
{
	int err = add_arm64_trampoline(table, f);

	if (!err)
		err = add_arm64_plt(table, f);
	/* A file without any frame information has no table. */
	if (!err && table->row_cnt)
		err = add_x86_plt(table, f);
	if (!err)
		err = add_x86_clone(table, f);
	return err;
}
