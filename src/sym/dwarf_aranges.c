// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dwarf_aranges.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>

#include "unwind/reader.h"
#include "unwind/elf_open.h"

static Elf_Data *find_section(Elf *elf)
{
	struct elf_sections s = elf_sections__of(elf);

	/* A packed one that libdw could not unpack has its flag still. */
	return elf_sections__find(&s, ".debug_aranges") && !(s.sh.sh_flags & SHF_COMPRESSED)
		       ? elf_rawdata(s.scn, NULL)
		       : NULL;
}

/* Reads the ranges of one unit. */
static int read_set(struct cfi_reader *r, const uint8_t *start, bool is_64, dwarf_arange_fn fn,
		    void *priv)
{
	uint64_t version = cfi_reader__uint(r, 2), unit_off = cfi_reader__uint(r, is_64 ? 8 : 4);
	unsigned int addr_sz = (unsigned int)cfi_reader__uint(r, 1);
	uint64_t seg_sz = cfi_reader__uint(r, 1);
	int err = 0;

	if (r->bad || version != 2 || (addr_sz != 4 && addr_sz != 8) || seg_sz)
		return -ENOENT;
	/* Pairs are aligned to their size from the start of the set on. */
	cfi_reader__skip(r,
			 (2 * addr_sz - (size_t)(r->at - start) % (2 * addr_sz)) % (2 * addr_sz));
	while (!err && cfi_reader__left(r) >= 2 * addr_sz) {
		uint64_t from = cfi_reader__uint(r, addr_sz), sz = cfi_reader__uint(r, addr_sz);

		if (!from && !sz)
			break;
		if (from && sz && from + sz > from)
			err = fn(priv, unit_off, from, from + sz);
	}
	return err ? err : r->bad ? -ENOENT : 0;
}

int dwarf_aranges__each(Elf *elf, dwarf_arange_fn fn, void *priv)
{
	Elf_Data *data = find_section(elf);
	struct cfi_reader r = { 0 };
	GElf_Ehdr eh;
	int err = 0;

	if (!data || !data->d_buf || !gelf_getehdr(elf, &eh))
		return -ENOENT;
	r.at = data->d_buf;
	r.end = r.at + data->d_size;
	r.is_big = eh.e_ident[EI_DATA] == ELFDATA2MSB;
	while (!err && cfi_reader__left(&r)) {
		const uint8_t *start = r.at;
		uint64_t len = cfi_reader__uint(&r, 4);
		bool is_64 = len == UINT32_MAX;
		struct cfi_reader set;

		if (is_64)
			len = cfi_reader__uint(&r, 8);
		set = cfi_reader__sub(&r, len);
		err = r.bad || set.bad ? -ENOENT : read_set(&set, start, is_64, fn, priv);
	}
	return err;
}
