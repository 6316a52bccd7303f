// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/fdes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>
#include <gelf.h>

/* Longer augmentations do not exist. */
#define AUGMENTATION_MAX 8
#define NO_CIE UINT64_MAX
/* The encoding of a CIE that is damaged or not supported. */
#define BAD_ENC DW_EH_PE_omit

/* Untrusted bytes; reads past the end return 0 and set bad. */
struct cursor {
	const struct elf_file *file;
	const uint8_t *data;
	uint64_t at, end; /* offsets in data */
	bool bad;
};

struct cie {
	uint64_t off;
	uint8_t enc; /* DW_EH_PE_… of its functions' addresses */
};

static uint64_t get_uint(struct cursor *c, unsigned int sz)
{
	bool is_little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != c->file->swapped;
	uint64_t v = 0;
	unsigned int i;

	if (c->bad || c->end - c->at < sz) {
		c->bad = true;
		return 0;
	}
	for (i = 0; i < sz; i++)
		v |= (uint64_t)c->data[c->at + i] << 8 * (is_little ? i : sz - 1 - i);
	c->at += sz;
	return v;
}

static uint64_t get_uleb(struct cursor *c)
{
	uint64_t v = 0, byte;
	unsigned int shift = 0;

	do {
		byte = get_uint(c, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && shift < 70);
	return v;
}

/* Reads the number of an encoded pointer, without its base. */
static uint64_t get_encoded(struct cursor *c, uint8_t enc)
{
	switch (enc & 0x0f) {
	case DW_EH_PE_absptr:
		return get_uint(c, c->file->is64 ? 8 : 4);
	case DW_EH_PE_udata2:
		return get_uint(c, 2);
	case DW_EH_PE_sdata2:
		return (uint64_t)(int64_t)(int16_t)get_uint(c, 2);
	case DW_EH_PE_udata4:
		return get_uint(c, 4);
	case DW_EH_PE_sdata4:
		return (uint64_t)(int64_t)(int32_t)get_uint(c, 4);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return get_uint(c, 8);
	case DW_EH_PE_uleb128:
		return get_uleb(c);
	default:
		c->bad = true;
		return 0;
	}
}

/* Finds the encoding of addresses in the letters of an augmentation and their data. */
static uint8_t enc_of(struct cursor *c, const char *letters)
{
	uint8_t enc;

	if (!*letters)
		return DW_EH_PE_absptr;
	if (*letters != 'z')
		return BAD_ENC;
	get_uleb(c);
	while (*++letters && !c->bad) {
		enc = 0;
		if (strchr("RPL", *letters))
			enc = (uint8_t)get_uint(c, 1);
		if (*letters == 'R')
			return c->bad ? BAD_ENC : enc;
		if (*letters == 'P')
			get_encoded(c, enc);
	}
	return c->bad ? BAD_ENC : DW_EH_PE_absptr;
}

/* Reads the entry's length and moves to its body. The entry's end; 0: the data ends here. */
static uint64_t entry_end(struct cursor *c)
{
	uint64_t len = get_uint(c, 4);

	if (len == UINT32_MAX)
		len = get_uint(c, 8);
	return c->bad || len > c->end - c->at ? 0 : c->at + len;
}

static uint8_t read_cie(const struct cursor *all, uint64_t off)
{
	char letters[AUGMENTATION_MAX + 1] = "";
	struct cursor c = *all;
	uint8_t version;
	size_t i;

	c.at = off;
	c.end = entry_end(&c);
	if (!c.end || get_uint(&c, 4))
		return BAD_ENC;
	version = (uint8_t)get_uint(&c, 1);
	if (version != 1 && version != 3 && version != 4)
		return BAD_ENC;
	for (i = 0; i <= AUGMENTATION_MAX; i++) {
		letters[i] = (char)get_uint(&c, 1);
		if (!letters[i])
			break;
	}
	if (i > AUGMENTATION_MAX)
		return BAD_ENC;
	/* sizes of address and segment selector */
	if (version == 4)
		get_uint(&c, 2);
	get_uleb(&c); /* alignment of code and data */
	get_uleb(&c);
	if (version == 1)
		get_uint(&c, 1);
	else
		get_uleb(&c);
	return enc_of(&c, letters);
}

static uint64_t addr_mask(const struct elf_file *file)
{
	return file->is64 ? UINT64_MAX : UINT32_MAX;
}

/* Adds the function of the entry at c, whose bytes end at c->end. 0 or -ENOMEM. */
static int add_fde(struct symtab *tab, struct cursor *c, uint8_t enc, uint64_t sec_addr)
{
	uint64_t start, sz, field = c->at;

	if (enc & DW_EH_PE_indirect)
		return 0;
	start = get_encoded(c, enc);
	if ((enc & 0x70) == DW_EH_PE_pcrel)
		start += sec_addr + field;
	else if (enc & 0x70)
		return 0;
	sz = get_encoded(c, enc) & addr_mask(c->file);
	start &= addr_mask(c->file);
	if (c->bad || !sz || start > UINT64_MAX - sz || tab->cnt >= FDES_MAX)
		return 0;
	return symtab__add(tab, start, sz, 0, 0);
}

static int add_section(struct symtab *tab, const struct elf_file *file,
		       const struct elf_section *sec, const char *data)
{
	struct cursor c = { .file = file, .data = (const uint8_t *)data, .end = sec->sz };
	struct cie cie = { .off = NO_CIE };
	uint64_t end, id_off, cie_off;
	int err = 0;

	while (c.end - c.at >= 4 && !err) {
		struct cursor body;

		end = entry_end(&c);
		if (!end)
			break;
		body = c;
		body.end = end;
		id_off = body.at;
		c.at = end;
		/* A terminator in the middle: the linker concatenated objects. */
		if (end - id_off < 4)
			continue;
		cie_off = get_uint(&body, 4);
		if (!cie_off || cie_off > id_off)
			continue;
		cie_off = id_off - cie_off;
		if (cie.off != cie_off) {
			struct cursor all = { .file = file, .data = c.data, .end = sec->sz };

			cie = (struct cie){ cie_off, read_cie(&all, cie_off) };
		}
		if (cie.enc != BAD_ENC)
			err = add_fde(tab, &body, cie.enc, sec->addr);
	}
	return err;
}

/* Adds the starts of .eh_frame_hdr's table: pairs of offsets from its address. */
static int add_header(struct symtab *tab, const struct elf_file *file, const GElf_Phdr *ph)
{
	const struct elf_section sec = { .type = SHT_PROGBITS,
					 .off = ph->p_offset,
					 .sz = ph->p_filesz };
	char *data = elf_file__contents(file, &sec, FDES_MAX_SZ);
	struct cursor c = { .file = file, .data = (uint8_t *)data, .end = sec.sz };
	uint64_t cnt, start;
	uint32_t encs;
	int err = 0;

	if (!data)
		return 0;
	encs = (uint32_t)get_uint(&c, 1) << 24; /* version */
	encs |= (uint32_t)get_uint(&c, 1) << 16; /* encodings: pointer to .eh_frame, */
	encs |= (uint32_t)get_uint(&c, 1) << 8; /* number of functions, */
	encs |= (uint32_t)get_uint(&c, 1); /* and the table */
	get_encoded(&c, (uint8_t)(encs >> 16));
	cnt = get_encoded(&c, (uint8_t)(encs >> 8));
	if (encs >> 24 != 1 || (encs & 0xff) != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
		cnt = 0;
	for (; cnt && !c.bad && !err && tab->cnt < FDES_MAX; cnt--) {
		start = ph->p_vaddr + (uint64_t)(int64_t)(int32_t)get_uint(&c, 4);
		get_uint(&c, 4);
		if (!c.bad)
			err = symtab__add(tab, start & addr_mask(file), 0, 0, 0);
	}
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
