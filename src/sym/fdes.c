// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/fdes.h"

#include <stdlib.h>

#include <gelf.h>

#include "unwind/elf_open.h"
#include "unwind/section.h"

static struct cfi_section section_of(const struct elf_file *file, uint64_t addr, const char *data,
				     uint64_t sz)
{
	bool is_little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != file->swapped;

	return (struct cfi_section){ .data = (const uint8_t *)data,
				     .sz = sz,
				     .addr = addr,
				     .is_big = !is_little,
				     .is_32 = !file->is64 };
}

/* Returns 1 if the table is full. */
static int add_fde(void *priv, const struct cfi_fde *fde)
{
	struct symtab *tab = priv;

	if (tab->cnt >= FDES_MAX)
		return 1;
	return symtab__add(tab, fde->start, fde->end - fde->start, 0, 0);
}

static int add_section(struct symtab *tab, const struct elf_file *file,
		       const struct elf_section *sec, const char *data)
{
	const struct cfi_section frame = section_of(file, sec->addr, data, sec->sz);
	uint64_t bad_cnt = 0;
	int err = cfi_section__each(&frame, NULL, add_fde, tab, &bad_cnt);

	return err < 0 ? err : 0;
}

/* Adds the starts that .eh_frame_hdr lists. */
static int add_header(struct symtab *tab, const struct elf_file *file, const GElf_Phdr *ph)
{
	const struct elf_section sec = { .type = SHT_PROGBITS,
					 .off = ph->p_offset,
					 .sz = ph->p_filesz };
	char *data = elf_file__contents(file, &sec, FDES_MAX_SZ);
	const struct cfi_section bytes = section_of(file, ph->p_vaddr, data, sec.sz);
	struct cfi_header hdr;
	uint64_t start;
	int err = 0;

	if (data && cfi_header__read(&hdr, &bytes))
		while (!err && tab->cnt < FDES_MAX && cfi_header__next(&hdr, &start))
			err = symtab__add(tab, start, 0, 0, 0);
	free(data);
	return err;
}

/* The limit of the last function of a table without sizes: its segment's end. */
static uint64_t segment_end(const void *ctx, uint64_t addr)
{
	const struct elf_file *file = ctx;
	size_t i;

	for (i = 0; i < file->segment_cnt; i++) {
		const struct elf_segment *s = &file->segments[i];

		if (addr - s->vaddr < s->filesz)
			return s->vaddr + s->filesz;
	}
	return addr;
}

static int read_header(struct symtab *tab, const struct elf_file *file)
{
	size_t i, cnt;
	GElf_Phdr ph;

	if (elf_getphdrnum(file->elf, &cnt) || cnt > ELF_MAX_SEGMENTS)
		return 0;
	for (i = 0; i < cnt && gelf_getphdr(file->elf, (int)i, &ph); i++)
		if (ph.p_type == PT_GNU_EH_FRAME)
			return add_header(tab, file, &ph);
	return 0;
}

int fdes__read(struct symtab *tab, const struct elf_file *file)
{
	const struct symtab_choice choice = { .limit = segment_end, .limit_ctx = file };
	const struct elf_section *sec = elf_file__section(file, ".eh_frame");
	char *data = elf_file__contents(file, sec, FDES_MAX_SZ);
	int err = 0;

	if (data)
		err = add_section(tab, file, sec, data);
	else if (!file->section_cnt)
		err = read_header(tab, file);
	free(data);
	symtab__finish(tab, &choice);
	return err;
}
