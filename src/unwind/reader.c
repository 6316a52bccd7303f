// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/reader.h"

#include <string.h>

#include <dwarf.h>

size_t cfi_reader__left(const struct cfi_reader *r)
{
	return r->bad ? 0 : (size_t)(r->end - r->at);
}

uint64_t cfi_reader__uint(struct cfi_reader *r, unsigned int sz)
{
	uint64_t v = 0;
	unsigned int i;

	if (cfi_reader__left(r) < sz) {
		r->bad = true;
		return 0;
	}
	/* Most reads: opcodes and the bytes of LEB128. */
	if (sz == 1)
		return *r->at++;
	for (i = 0; i < sz; i++)
		v |= (uint64_t)r->at[i] << 8 * i;
	r->at += sz;
	if (r->is_big)
		v = __builtin_bswap64(v) >> (64 - 8 * sz);
	return v;
}

static int64_t sign_extend(uint64_t v, unsigned int bits)
{
	if (bits < 64 && v & 1ull << (bits - 1))
		v |= ~0ull << bits;
	return (int64_t)v;
}

int64_t cfi_reader__sint(struct cfi_reader *r, unsigned int sz)
{
	return sign_extend(cfi_reader__uint(r, sz), 8 * sz);
}

static uint64_t leb(struct cfi_reader *r, unsigned int *bits, uint8_t *last)
{
	uint64_t v = 0;

	*bits = 0;
	do {
		*last = (uint8_t)cfi_reader__uint(r, 1);
		if (*bits < 64)
			v |= (uint64_t)(*last & 0x7f) << *bits;
		*bits += *bits < 64 ? 7 : 0;
	} while (*last & 0x80);
	return v;
}

uint64_t cfi_reader__uleb(struct cfi_reader *r)
{
	unsigned int bits;
	uint8_t last;

	return leb(r, &bits, &last);
}

int64_t cfi_reader__sleb(struct cfi_reader *r)
{
	unsigned int bits;
	uint8_t last;
	uint64_t v = leb(r, &bits, &last);

	return sign_extend(v, bits);
}

const char *cfi_reader__str(struct cfi_reader *r)
{
	const char *s = (const char *)r->at;
	const uint8_t *nul = memchr(r->at, 0, cfi_reader__left(r));

	if (!nul) {
		r->bad = true;
		return "";
	}
	r->at = nul + 1;
	return s;
}

void cfi_reader__skip(struct cfi_reader *r, uint64_t sz)
{
	if (cfi_reader__left(r) < sz)
		r->bad = true;
	else
		r->at += sz;
}

struct cfi_reader cfi_reader__sub(struct cfi_reader *r, uint64_t sz)
{
	struct cfi_reader sub = *r;

	cfi_reader__skip(r, sz);
	sub.bad = r->bad;
	sub.end = r->bad ? sub.at : r->at;
	return sub;
}

static uint64_t pointer_value(struct cfi_reader *r, uint8_t enc)
{
	switch (enc & 0x0f) {
	case DW_EH_PE_absptr:
		return cfi_reader__uint(r, r->is_32 ? 4 : 8);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return cfi_reader__uint(r, 8);
	case DW_EH_PE_udata2:
		return cfi_reader__uint(r, 2);
	case DW_EH_PE_udata4:
		return cfi_reader__uint(r, 4);
	case DW_EH_PE_sdata2:
		return (uint64_t)cfi_reader__sint(r, 2);
	case DW_EH_PE_sdata4:
		return (uint64_t)cfi_reader__sint(r, 4);
	case DW_EH_PE_uleb128:
		return cfi_reader__uleb(r);
	case DW_EH_PE_sleb128:
		return (uint64_t)cfi_reader__sleb(r);
	default:
		r->bad = true;
		return 0;
	}
}

/* Adds the base of an encoding to v; `here` is the address of the pointer itself. */
static uint64_t add_base(struct cfi_reader *r, uint64_t v, uint64_t here, uint8_t enc,
			 const struct cfi_bases *bases)
{
	uint64_t base = 0;

	switch (enc & 0xf0) {
	case DW_EH_PE_absptr:
		return v;
	case DW_EH_PE_pcrel:
		return v + here;
	case DW_EH_PE_datarel:
		base = bases->data;
		break;
	case DW_EH_PE_funcrel:
		base = bases->func;
		break;
	}
	r->bad |= !base;
	return v + base;
}

uint64_t cfi_reader__pointer(struct cfi_reader *r, uint8_t enc, const struct cfi_bases *bases)
{
	uint64_t here = bases->addr + (uint64_t)(r->at - bases->start), v;

	if (enc == DW_EH_PE_omit)
		return 0;
	if (enc == DW_EH_PE_aligned) {
		cfi_reader__skip(r, -here & (r->is_32 ? 3 : 7));
		return cfi_reader__uint(r, r->is_32 ? 4 : 8);
	}
	v = pointer_value(r, enc);
	v = add_base(r, v, here, enc, bases);
	return r->is_32 ? (uint32_t)v : v;
}
