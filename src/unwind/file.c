// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <libelf.h>

#include "unwind/arch.h"
#include "unwind/elf_open.h"
#include "unwind/section.h"

/* A vDSO of Linux has up to four pages. */
#define VDSO_MAX_SZ 65536

struct file {
	Elf *elf;
	const struct unwind_arch *arch;
	uint64_t base; /* lowest address of executable segments */
	GElf_Phdr hdr; /* .eh_frame_hdr; p_memsz is 0 if there is none */
	GElf_Phdr text; /* the executable segment that contains it */
	struct unwind_segment segments[UNWIND_SEGMENTS_MAX];
	uint16_t segment_cnt;
};

static void on_text(struct file *f, const GElf_Phdr *ph)
{
	if (f->segment_cnt < UNWIND_SEGMENTS_MAX)
		f->segments[f->segment_cnt++] =
			(struct unwind_segment){ ph->p_offset, ph->p_filesz, ph->p_vaddr };
	if (ph->p_vaddr >= f->base)
		return;
	f->base = ph->p_vaddr;
	f->text = *ph;
}

static int open_file(struct file *f)
{
	GElf_Ehdr eh;
	GElf_Phdr ph;
	size_t cnt, i;

	if (elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &eh) ||
	    (eh.e_type != ET_EXEC && eh.e_type != ET_DYN))
		return -ENOEXEC;
	f->arch = unwind_arch__of(eh.e_machine);
	if (!f->arch || eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB)
		return -ENOTSUP;
	if (elf_getphdrnum(f->elf, &cnt) || cnt > ELF_MAX_SEGMENTS)
		return -ENOEXEC;
	f->base = UINT64_MAX;
	for (i = 0; i < cnt; i++) {
		if (!gelf_getphdr(f->elf, (int)i, &ph))
			return -ENOEXEC;
		if (ph.p_type == PT_GNU_EH_FRAME)
			f->hdr = ph;
		if (ph.p_type == PT_LOAD && ph.p_flags & PF_X)
			on_text(f, &ph);
	}
	return f->base == UINT64_MAX ? -ENODATA : 0;
}

/* Finds the section called name, with its contents uncompressed; or NULL. */
static Elf_Data *section(const struct file *f, const char *name, GElf_Shdr *sh)
{
	struct elf_sections s = elf_sections__of(f->elf);
	GElf_Chdr ch;

	do {
		if (!elf_sections__find(&s, name))
			return NULL;
	} while (s.sh.sh_type == SHT_NOBITS);
	*sh = s.sh;
	if (sh->sh_size > UNWIND_SECTION_MAX_SZ)
		return NULL;
	if (!(sh->sh_flags & SHF_COMPRESSED))
		return elf_rawdata(s.scn, NULL);
	if (!gelf_getchdr(s.scn, &ch) || ch.ch_size > UNWIND_SECTION_MAX_SZ ||
	    elf_compress(s.scn, 0, 0) < 0)
		return NULL;
	return elf_getdata(s.scn, NULL);
}

static int add_section(struct unwind_table *table, const struct file *f, const char *name)
{
	GElf_Shdr sh;
	Elf_Data *data = section(f, name, &sh);
	struct cfi_section sec = { 0 };

	if (!data || !data->d_buf || !data->d_size)
		return 0;
	sec.data = data->d_buf;
	sec.sz = data->d_size;
	sec.addr = sh.sh_addr;
	sec.is_debug = !strcmp(name, ".debug_frame");
	return unwind_table__add(table, &sec);
}

/* Reads the address of .eh_frame from .eh_frame_hdr; 0: none. */
static uint64_t frame_of_hdr(const struct file *f)
{
	Elf_Data *data =
		f->hdr.p_filesz < 12
			? NULL
			: elf_getdata_rawchunk(f->elf, (int64_t)f->hdr.p_offset, 12, ELF_T_BYTE);
	struct cfi_section sec = { .addr = f->hdr.p_vaddr, .sz = 12 };
	struct cfi_header hdr;

	if (!data || !data->d_buf || data->d_size < sec.sz)
		return 0;
	sec.data = data->d_buf;
	return cfi_header__read(&hdr, &sec) ? hdr.frame : 0;
}

/* Without sections .eh_frame ends with its terminator, at the latest with its segment. */
static int add_by_hdr(struct unwind_table *table, const struct file *f)
{
	struct cfi_section sec = { .is_open_ended = true, .addr = frame_of_hdr(f) };
	size_t cnt, i;
	GElf_Phdr ph;

	if (!sec.addr || elf_getphdrnum(f->elf, &cnt))
		return 0;
	for (i = 0; i < cnt; i++) {
		uint64_t into;
		Elf_Data *data;

		if (!gelf_getphdr(f->elf, (int)i, &ph) || ph.p_type != PT_LOAD ||
		    sec.addr < ph.p_vaddr || sec.addr - ph.p_vaddr >= ph.p_filesz)
			continue;
		into = sec.addr - ph.p_vaddr;
		if (ph.p_filesz - into > UNWIND_SECTION_MAX_SZ)
			return 0;
		data = elf_getdata_rawchunk(f->elf, (int64_t)(ph.p_offset + into),
					    ph.p_filesz - into, ELF_T_BYTE);
		if (!data || !data->d_buf)
			return 0;
		sec.data = data->d_buf;
		sec.sz = data->d_size;
		return unwind_table__add(table, &sec);
	}
	return 0;
}

/*
 * The vDSO of arm64 has no unwind information for its signal trampoline, mov x8, #139; svc #0, or
 * only rules that hold in handlers. The return address is in the kernel's struct rt_sigframe: sp
 * points to 128 bytes of siginfo, 176 bytes up to the ucontext's sigcontext, its fault address. A
 * handler returns to the first byte of the trampoline, and a caller is looked up by the byte before
 * its return address.
 */
static int add_arm64_trampoline(struct unwind_table *table, const struct file *f)
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
static int add_arm64_plt(struct unwind_table *table, const struct file *f)
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
	Elf_Data *data = f->arch->machine == EM_AARCH64 ? section(f, ".plt", &sh) : NULL;
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
static int add_x86_plt(struct unwind_table *table, const struct file *f)
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
	Elf_Data *data = f->arch->machine == EM_X86_64 ? section(f, ".plt", &sh) : NULL;

	if (!data || !data->d_buf || data->d_size < sizeof(head) ||
	    !(sh.sh_flags & SHF_EXECINSTR) || !memcmp(data->d_buf, head, sizeof(head)))
		return 0;
	return unwind_table__fill_range(table, sh.sh_addr, sh.sh_addr + data->d_size, &rule);
}

static int read_elf(struct unwind_table *table, struct file *f)
{
	int err = open_file(f);

	if (err)
		return err;
	err = unwind_table__init(table, f->arch, f->base);
	memcpy(table->segments, f->segments, sizeof(f->segments));
	table->segment_cnt = f->segment_cnt;
	if (!err)
		err = add_section(table, f, ".eh_frame");
	if (!err && !table->row_cnt)
		err = add_by_hdr(table, f);
	if (!err && !table->row_cnt)
		err = add_section(table, f, ".debug_frame");
	if (!err)
		err = add_arm64_trampoline(table, f);
	if (!err)
		err = add_arm64_plt(table, f);
	/* A file without any frame information has no table. */
	if (!err && table->row_cnt)
		err = add_x86_plt(table, f);
	if (!err)
		unwind_table__finish(table);
	if (!err && !table->row_cnt)
		err = -ENODATA;
	if (err)
		unwind_table__free(table);
	return err;
}

int unwind_file__read(struct unwind_table *table, int fd)
{
	struct file f = { 0 };
	int err;

	f.elf = elf_open(fd, ELF_C_READ);
	if (!f.elf)
		return -ENOEXEC;
	err = read_elf(table, &f);
	elf_end(f.elf);
	return err;
}

int unwind_file__read_image(struct unwind_table *table, char *image, size_t sz)
{
	struct file f = { 0 };
	int err;

	elf_version(EV_CURRENT);
	f.elf = elf_memory(image, sz);
	if (!f.elf)
		return -ENOEXEC;
	err = read_elf(table, &f);
	elf_end(f.elf);
	return err;
}
