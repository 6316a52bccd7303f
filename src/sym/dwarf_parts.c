// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dwarf_parts.h"

#include <dwarf.h>
#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "unwind/elf_open.h"

/* The headers of the file in memory: each part is a section. */
static struct image {
	Elf64_Ehdr head;
	Elf64_Shdr sections[DWO_PART_CNT + 2];
	char names[256];
} image;

/* Makes the headers, once: they are those of all units. */
static void make_image(void)
{
	const size_t names_nr = DWO_PART_CNT + 1;
	size_t at = 1;
	int i;

	if (image.head.e_shnum)
		return;
	memcpy(image.head.e_ident, ELFMAG, SELFMAG);
	image.head.e_ident[EI_CLASS] = ELFCLASS64;
	image.head.e_ident[EI_DATA] = BYTE_ORDER == LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
	image.head.e_ident[EI_VERSION] = EV_CURRENT;
	image.head.e_type = ET_REL;
	image.head.e_version = EV_CURRENT;
	image.head.e_shoff = offsetof(struct image, sections);
	image.head.e_ehsize = sizeof(image.head);
	image.head.e_shentsize = sizeof(image.sections[0]);
	image.head.e_shnum = names_nr + 1;
	image.head.e_shstrndx = names_nr;
	for (i = 0; i < DWO_PART_CNT; i++) {
		const char *name = dwo_part__name(i);

		image.sections[i + 1].sh_name = (Elf64_Word)at;
		image.sections[i + 1].sh_type = SHT_PROGBITS;
		image.sections[i + 1].sh_addralign = 1;
		memcpy(image.names + at, name, strlen(name) + 1);
		at += strlen(name) + 1;
	}
	image.sections[names_nr].sh_type = SHT_STRTAB;
	image.sections[names_nr].sh_offset = offsetof(struct image, names);
	image.sections[names_nr].sh_size = sizeof(image.names);
	image.sections[names_nr].sh_addralign = 1;
}

static bool fill_section(Elf_Scn *scn, const struct dwo_bytes *bytes)
{
	Elf_Data *raw = elf_rawdata(scn, NULL), *cooked = elf_getdata(scn, NULL);

	if (!raw || !cooked)
		return false;
	raw->d_buf = cooked->d_buf = bytes->at;
	raw->d_size = cooked->d_size = bytes->sz;
	return true;
}

/* A text of an entry that has no NUL. */
static void add_tail(struct dwarf_file *file, const struct dwo_bytes *entries)
{
	const char *to = (const char *)entries->at + entries->sz, *from = to;

	if (!entries->sz)
		return;
	while (from > (const char *)entries->at && from[-1])
		from--;
	file->tails[file->tail_cnt++] = (struct dwarf_tail){ from, to };
}

int dwarf_parts__open(struct dwarf_file *file, const struct dwo_parts *parts)
{
	size_t i;

	make_image();
	dwarf_file__close(file);
	file->elf = elf_memory((char *)&image, sizeof(image));
	if (!file->elf)
		return -ENOMEM;
	for (i = 0; i < DWO_PART_CNT; i++)
		if (!fill_section(elf_getscn(file->elf, i + 1), &parts->part[i]))
			return -ENOMEM;
	errno = 0;
	file->dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
	if (!file->dwarf)
		return errno == ENOMEM ? -ENOMEM : -EBADMSG;
	add_tail(file, &parts->part[DWO_INFO]);
	add_tail(file, &parts->part[DWO_TYPES]);
	return 0;
}

/* DWARF 4: dwarf_get_units() of 0.188 fails where there is no unit but those of types. */
static bool find_type4(Dwarf *dwarf, uint64_t *signature, Dwarf_Die *type)
{
	Dwarf_Off next, off;
	size_t head_sz;

	return !dwarf_next_unit(dwarf, 0, &next, &head_sz, NULL, NULL, NULL, NULL, signature,
				&off) &&
	       dwarf_offdie_types(dwarf, off, type);
}

static bool find_type5(Dwarf *dwarf, uint64_t *signature, Dwarf_Die *type)
{
	Dwarf_CU *cu = NULL;
	uint8_t unit_type;
	Dwarf_Die unit;

	return !dwarf_get_units(dwarf, NULL, &cu, NULL, &unit_type, &unit, type) &&
	       unit_type == DW_UT_split_type && type->addr &&
	       !dwarf_cu_info(cu, NULL, NULL, NULL, NULL, signature, NULL, NULL);
}

int dwarf_parts__open_type(struct dwarf_file *file, const struct dwo_parts *parts,
			   uint64_t signature, Dwarf_Die *type)
{
	bool is_4 = parts->part[DWO_TYPES].sz != 0;
	int err = dwarf_parts__open(file, parts);
	uint64_t its = 0;

	if (err)
		return err;
	if (is_4 ? find_type4(file->dwarf, &its, type) : find_type5(file->dwarf, &its, type))
		return its == signature ? 0 : -ENOENT;
	return -ENOENT;
}
