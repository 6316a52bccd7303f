// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dwarf_info.h"
#include "unwind/elf_open.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Finds the section; NULL if there is none, or more than one (object files). */
static Elf_Scn *only_section(Elf *elf, const char *name)
{
	struct elf_sections s = elf_sections__of(elf);
	Elf_Scn *found = elf_sections__find(&s, name) ? s.scn : NULL;

	return found && !elf_sections__find(&s, name) ? found : NULL;
}

void dwarf_info__replace(struct dwarf_info *info, Elf *elf, const char *name)
{
	Elf_Scn *scn = only_section(elf, name);
	size_t head_sz = gelf_getclass(elf) == ELFCLASS32 ? sizeof(Elf32_Chdr) : sizeof(Elf64_Chdr);
	Elf_Data *packed, *cooked;
	GElf_Shdr sh;
	GElf_Chdr ch;

	*info = (struct dwarf_info){ 0 };
	if (!scn || !gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_COMPRESSED) ||
	    !gelf_getchdr(scn, &ch) || ch.ch_type != ELFCOMPRESS_ZLIB || ch.ch_size >= UINT32_MAX)
		return;
	packed = elf_rawdata(scn, NULL);
	cooked = elf_getdata(scn, NULL);
	if (!packed || !cooked || !packed->d_buf || packed->d_size <= head_sz ||
	    packed->d_size > UINT32_MAX)
		return;
	info->data = calloc(1, ch.ch_size + 1);
	if (!info->data || inflateInit(&info->z) != Z_OK) {
		free(info->data);
		info->data = NULL;
		return;
	}
#if ZLIB_VERNUM >= 0x1290
	/* The checksum takes a fifth of the time, and one of a part is never asked for. */
	inflateValidate(&info->z, 0);
#endif
	info->sz = ch.ch_size;
	info->z.next_in = (Bytef *)packed->d_buf + head_sz;
	info->z.avail_in = (uInt)(packed->d_size - head_sz);
	info->z.next_out = info->data;
	/* libdw asks by one of these calls, and takes what it gets unless a flag is set. */
	packed->d_buf = cooked->d_buf = info->data;
	packed->d_size = cooked->d_size = info->sz;
	sh.sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	sh.sh_size = info->sz;
	gelf_update_shdr(scn, &sh);
}

int dwarf_info__inflate(struct dwarf_info *info, uint64_t sz)
{
	int err = Z_OK;

	if (!info->data)
		return 0;
	if (sz > info->sz)
		sz = info->sz;
	if (sz <= info->done)
		return 0;
	info->z.avail_out = (uInt)(sz - info->done);
	while (info->z.avail_out && err == Z_OK)
		err = inflate(&info->z, Z_NO_FLUSH);
	info->done = sz - info->z.avail_out;
	return info->z.avail_out ? -EBADMSG : 0;
}

void dwarf_info__close(struct dwarf_info *info)
{
	if (info->data)
		inflateEnd(&info->z);
	free(info->data);
	*info = (struct dwarf_info){ 0 };
}
