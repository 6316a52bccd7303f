// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <libelf.h>

#include "unwind/arch.h"
#include "unwind/elf_open.h"
#include "unwind/file_priv.h"
#include "unwind/section.h"

static void on_text(struct unwind_file *f, const GElf_Phdr *ph)
{
	if (f->segment_cnt < UNWIND_SEGMENTS_MAX)
		f->segments[f->segment_cnt++] =
			(struct unwind_segment){ ph->p_offset, ph->p_filesz, ph->p_vaddr };
	if (ph->p_vaddr >= f->base)
		return;
	f->base = ph->p_vaddr;
	f->text = *ph;
}

static int open_file(struct unwind_file *f)
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

Elf_Data *unwind_file__section(const struct unwind_file *f, const char *name, GElf_Shdr *sh)
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

static int add_section(struct unwind_table *table, const struct unwind_file *f, const char *name)
{
	GElf_Shdr sh;
	Elf_Data *data = unwind_file__section(f, name, &sh);
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
static uint64_t frame_of_hdr(const struct unwind_file *f)
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
static int add_by_hdr(struct unwind_table *table, const struct unwind_file *f)
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

static int read_elf(struct unwind_table *table, struct unwind_file *f)
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
		err = unwind_file__add_by_code(table, f);
	return unwind_table__end(table, err);
}

int unwind_file__read(struct unwind_table *table, int fd)
{
	struct unwind_file f = { 0 };
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
	struct unwind_file f = { 0 };
	int err;

	elf_version(EV_CURRENT);
	f.elf = elf_memory(image, sz);
	if (!f.elf)
		return -ENOEXEC;
	err = read_elf(table, &f);
	elf_end(f.elf);
	return err;
}
