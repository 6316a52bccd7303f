// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/copies_abbrevs.h"

#include <dwarf.h>

#include "unwind/reader.h"

#define VARIABLE (-1)

/* Bytes of a value in an entry; VARIABLE: its own bytes tell. */
static int value_sz(unsigned int form, const struct copies_sizes *sizes)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
		return 8;
	case DW_FORM_addr:
		return sizes->address;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_ref_addr:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return sizes->offset;
	default:
		return VARIABLE;
	}
}

/* One abbreviation. */
struct abbrev {
	uint64_t code, tag;
	bool is_inlined, has_name;
	bool is_elsewhere; /* its name may be that of the entry that it refers to */
	unsigned int name_form;
	int name_at; /* behind the code; VARIABLE: unknown */
};

static void read_attributes(struct abbrev *a, struct cfi_reader *r,
			    const struct copies_sizes *sizes)
{
	int at = 0;

	while (!r->bad) {
		uint64_t name = cfi_reader__uleb(r), form = cfi_reader__uleb(r);
		int sz;

		if (!name && !form)
			return;
		if (form == DW_FORM_implicit_const)
			cfi_reader__sleb(r);
		a->is_inlined |= name == DW_AT_inline;
		a->is_elsewhere |= name == DW_AT_specification || name == DW_AT_abstract_origin;
		if (name == DW_AT_name) {
			a->has_name = true;
			a->name_form = (unsigned int)form;
			a->name_at = at;
		}
		sz = form <= UINT16_MAX ? value_sz((unsigned int)form, sizes) : VARIABLE;
		at = at == VARIABLE || sz == VARIABLE || at > INT16_MAX ? VARIABLE : at + sz;
	}
}

static void add_shape(struct copies_abbrevs *abbrevs, const struct abbrev *a)
{
	struct copies_shape *s = &abbrevs->at[abbrevs->cnt];

	/* Two bytes have room for 14 bits of a code. */
	if (abbrevs->cnt == COPIES_SHAPES_MAX || a->name_at == VARIABLE || a->code >> 14 ||
	    (a->name_form != DW_FORM_strp && a->name_form != DW_FORM_string)) {
		abbrevs->is_unclear = true;
		return;
	}
	s->code_sz = a->code >> 7 ? 2 : 1;
	s->code[0] = (uint8_t)((a->code & 0x7f) | (a->code >> 7 ? 0x80 : 0));
	s->code[1] = (uint8_t)(a->code >> 7);
	s->is_text = a->name_form == DW_FORM_string;
	s->name_at = (uint16_t)(s->code_sz + a->name_at);
	abbrevs->cnt++;
}

/* Reads them once. false: names of inlined functions stand in entries of others. */
static bool read_once(struct copies_abbrevs *abbrevs, struct cfi_reader r,
		      const struct copies_sizes *sizes, bool all, uint64_t *work)
{
	const uint8_t *start = r.at;

	*abbrevs = (struct copies_abbrevs){ .cnt = 0 };
	while (!r.bad) {
		struct abbrev a = { .code = cfi_reader__uleb(&r) };

		if (!a.code)
			break;
		a.tag = cfi_reader__uleb(&r);
		cfi_reader__skip(&r, 1);
		read_attributes(&a, &r, sizes);
		abbrevs->has_copies |= a.tag == DW_TAG_inlined_subroutine;
		if (a.tag != DW_TAG_subprogram)
			continue;
		if (!all && a.is_inlined && a.is_elsewhere)
			return false;
		if (a.has_name && (all || a.is_inlined))
			add_shape(abbrevs, &a);
	}
	*work -= (uint64_t)(r.at - start) < *work ? (uint64_t)(r.at - start) : *work;
	abbrevs->is_unclear |= r.bad || !*work;
	return true;
}

void copies_abbrevs__read(struct copies_abbrevs *abbrevs, const uint8_t *at, const uint8_t *end,
			  const struct copies_sizes *sizes, bool all, uint64_t *work)
{
	const struct cfi_reader r = { .at = at, .end = end, .is_big = sizes->is_big };

	if (!read_once(abbrevs, r, sizes, all, work))
		read_once(abbrevs, r, sizes, true, work);
}
