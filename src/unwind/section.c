// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/section.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "util/array.h"
#include "util/u64map.h"

/* CIEs read so far, by their offset: many functions share one. */
struct walk {
	const struct cfi_section *sec;
	const struct unwind_arch *arch;
	struct u64map at;
	struct cfi_cie *cies;
	size_t cnt, cap;
	uint64_t cie_left; /* bytes that further CIEs may have */
};

/* One entry: its body from the CIE pointer or id on. */
struct entry {
	struct cfi_reader body; /* the bytes after the pointer or id */
	uint64_t id, id_off; /* CIE pointer or id, and its offset */
	bool is_64, is_cie;
};

static struct cfi_reader section_reader(const struct cfi_section *sec)
{
	return (struct cfi_reader){ .at = sec->data,
				    .end = sec->data + sec->sz,
				    .is_big = sec->is_big,
				    .is_32 = sec->is_32 };
}

/* Reads the entry at r, which moves past it. false: the end, or damage that cannot be skipped. */
static bool next_entry(const struct cfi_section *sec, struct cfi_reader *r, struct entry *e)
{
	uint64_t len = cfi_reader__uint(r, 4);

	e->is_64 = len == UINT32_MAX;
	if (e->is_64)
		len = cfi_reader__uint(r, 8);
	e->body = cfi_reader__sub(r, len);
	e->is_cie = false;
	if (r->bad || (!len && sec->is_open_ended))
		return false;
	e->id_off = (uint64_t)(e->body.at - sec->data);
	/* .eh_frame has 4 bytes here even with a length of 8 (LSB, and all readers). */
	e->id = cfi_reader__uint(&e->body, sec->is_debug && e->is_64 ? 8 : 4);
	if (e->body.bad)
		return true;
	if (sec->is_debug)
		e->is_cie = e->id == (e->is_64 ? UINT64_MAX : UINT32_MAX);
	else
		e->is_cie = !e->id;
	return true;
}

/* Reads the augmentation's letters and their data. false: an unknown letter. */
static bool read_augmentation(struct cfi_cie *cie, struct cfi_reader *r, const char *letters,
			      const struct cfi_bases *bases)
{
	struct cfi_reader data;
	uint8_t enc;

	if (*letters != 'z')
		return !*letters;
	cie->has_aug_data = true;
	data = cfi_reader__sub(r, cfi_reader__uleb(r));
	while (*++letters)
		switch (*letters) {
		case 'R':
			cie->fde_enc = (uint8_t)cfi_reader__uint(&data, 1);
			break;
		case 'P':
			enc = (uint8_t)cfi_reader__uint(&data, 1);
			/* Only the pointer's size matters. */
			cfi_reader__pointer(&data, enc & ~DW_EH_PE_indirect, bases);
			break;
		case 'L':
			cfi_reader__uint(&data, 1);
			break;
		case 'S':
			cie->is_signal = true;
			break;
		case 'B': /* return addresses signed with key B */
		case 'G': /* frames of tagged memory */
			break;
		default:
			/* The size of the augmentation covers any data of it. */
			return true;
		}
	return !data.bad;
}

static bool read_cie(const struct walk *w, struct cfi_cie *cie, struct cfi_reader r)
{
	struct cfi_bases bases = { w->sec->data, w->sec->addr, 0, 0 };
	uint8_t version = (uint8_t)cfi_reader__uint(&r, 1);
	const char *letters = cfi_reader__str(&r);

	if (version != 1 && version != 3 && version != 4)
		return false;
	/* sizes of address and segment selector */
	if (version == 4 &&
	    (cfi_reader__uint(&r, 1) != (r.is_32 ? 4 : 8) || cfi_reader__uint(&r, 1)))
		return false;
	cie->fde_enc = DW_EH_PE_absptr;
	cie->code_align = cfi_reader__uleb(&r);
	cie->data_align = cfi_reader__sleb(&r);
	cie->ra_reg = (uint8_t)(version == 1 ? cfi_reader__uint(&r, 1) : cfi_reader__uleb(&r));
	if (!read_augmentation(cie, &r, letters, &bases) || r.bad)
		return false;
	cie->insns = r;
	return !w->arch || cfi_cie__run(cie, w->arch);
}

/*
 * CIEs that do not overlap have no more bytes than the section. Overlapping ones could have its
 * size squared, and keep the reader busy for hours.
 */
static bool is_affordable(struct walk *w, const struct entry *e)
{
	uint64_t sz = cfi_reader__left(&e->body);

	if (sz > w->cie_left)
		return false;
	w->cie_left -= sz;
	return true;
}

/* Finds the index of the CIE at this offset, which is read at the first call. 0 or -ENOMEM. */
static int find_cie(struct walk *w, uint64_t off, uint32_t *idx)
{
	struct cfi_reader r = section_reader(w->sec);
	uint32_t *slot = u64map__slot(&w->at, off);
	struct cfi_cie *cie;
	struct entry e;

	if (!slot)
		return -ENOMEM;
	*idx = *slot;
	if (*slot != U64MAP_NONE)
		return 0;
	if (array__reserve((void **)&w->cies, &w->cap, w->cnt + 1, sizeof(*w->cies)))
		return -ENOMEM;
	*idx = *slot = (uint32_t)w->cnt;
	cie = &w->cies[w->cnt++];
	memset(cie, 0, sizeof(*cie));
	cfi_reader__skip(&r, off);
	cie->bad = !next_entry(w->sec, &r, &e) || e.body.bad || !e.is_cie ||
		   !is_affordable(w, &e) || !read_cie(w, cie, e.body);
	return 0;
}

/* 1: passed to the callback; 0: invalid; or -ENOMEM. */
static int read_fde(struct walk *w, struct entry *e, struct cfi_fde *fde)
{
	struct cfi_reader r = e->body;
	uint64_t cie_off = w->sec->is_debug ? e->id : e->id_off - e->id;
	uint32_t idx;
	int err;

	if (cie_off >= w->sec->sz)
		return 0;
	err = find_cie(w, cie_off, &idx);
	if (err)
		return err;
	fde->cie = &w->cies[idx];
	if (fde->cie->bad)
		return 0;
	fde->bases = (struct cfi_bases){ w->sec->data, w->sec->addr, 0, 0 };
	fde->start = cfi_reader__pointer(&r, fde->cie->fde_enc, &fde->bases);
	fde->end = fde->start + cfi_reader__pointer(&r, fde->cie->fde_enc & 0x0f, &fde->bases);
	fde->bases.func = fde->start;
	if (fde->cie->has_aug_data)
		cfi_reader__skip(&r, cfi_reader__uleb(&r));
	fde->insns = r;
	return !r.bad && fde->end > fde->start;
}

int cfi_section__each(const struct cfi_section *sec, const struct unwind_arch *arch, cfi_fde_fn fn,
		      void *priv, uint64_t *bad_cnt)
{
	struct walk w = { .sec = sec, .arch = arch, .at = U64MAP_INIT, .cie_left = sec->sz };
	struct cfi_reader r = section_reader(sec);
	struct cfi_fde fde;
	struct entry e;
	int err = 0;

	while (cfi_reader__left(&r) >= 4 && next_entry(sec, &r, &e)) {
		/* A terminator in the middle: the linker concatenated objects. */
		if (e.body.bad || e.is_cie)
			continue;
		err = read_fde(&w, &e, &fde);
		if (err > 0)
			err = fn(priv, &fde);
		else if (!err)
			++*bad_cnt;
		if (err)
			break;
	}
	free(w.cies);
	u64map__free(&w.at);
	return err;
}

bool cfi_header__read(struct cfi_header *hdr, const struct cfi_section *sec)
{
	uint8_t frame_enc, cnt_enc;

	*hdr = (struct cfi_header){ .bases = { sec->data, sec->addr, sec->addr, 0 } };
	hdr->table = section_reader(sec);
	if (cfi_reader__uint(&hdr->table, 1) != 1)
		return false;
	frame_enc = (uint8_t)cfi_reader__uint(&hdr->table, 1);
	cnt_enc = (uint8_t)cfi_reader__uint(&hdr->table, 1);
	hdr->table_enc = (uint8_t)cfi_reader__uint(&hdr->table, 1);
	hdr->frame = cfi_reader__pointer(&hdr->table, frame_enc, &hdr->bases);
	if (hdr->table.bad)
		return false;
	hdr->cnt = cfi_reader__pointer(&hdr->table, cnt_enc, &hdr->bases);
	if (hdr->table.bad || hdr->table_enc == DW_EH_PE_omit)
		hdr->cnt = 0;
	return true;
}

bool cfi_header__next(struct cfi_header *hdr, uint64_t *start)
{
	if (!hdr->cnt)
		return false;
	hdr->cnt--;
	*start = cfi_reader__pointer(&hdr->table, hdr->table_enc, &hdr->bases);
	cfi_reader__pointer(&hdr->table, hdr->table_enc, &hdr->bases);
	return !hdr->table.bad;
}
