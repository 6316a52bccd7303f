// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dwarf_split.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sym/dwarf_parts.h"
#include "unwind/elf_open.h"
#include "util/protobuf.h"

/* Units that are looked at for the one of the id: the others are of types. */
#define UNITS_MAX 65536
/* Bytes of a unit's abbreviations and addresses that are copied. */
#define COPY_SZ_MAX (64u << 20)
/* Bytes of the attributes of the unit's own entry. */
#define HEAD_SZ_MAX 4096
/* In front of a table of addresses: its length without this, a version, two sizes. */
#define ADDR_HEAD_SZ 8
/* An attribute without meaning. */
#define DW_AT_NONE 0x3fff

/* Finds the unit of the id. */
static int find_unit(struct dwarf_split *s, uint64_t id)
{
	Dwarf_CU *cu = NULL;
	uint64_t its;
	uint8_t type;
	size_t i;

	for (i = 0; i < UNITS_MAX; i++) {
		if (dwarf_get_units(s->file.dwarf, cu, &cu, NULL, &type, &s->cu, NULL))
			break;
		if (type == DW_UT_split_compile &&
		    !dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &its, NULL, NULL) && its == id)
			return 0;
	}
	return -ENOENT;
}

static struct dwo_bytes section_of(const struct dwarf_file *file, const char *name)
{
	struct elf_sections s = elf_sections__of(file->elf);
	Elf_Data *data = elf_sections__find(&s, name) ? elf_getdata(s.scn, NULL) : NULL;

	return data && data->d_buf ? (struct dwo_bytes){ data->d_buf, data->d_size }
				   : (struct dwo_bytes){ NULL };
}

static uint64_t number_of(Dwarf_Die *die, unsigned int name, uint64_t missing)
{
	Dwarf_Attribute attr;
	Dwarf_Word val;

	return dwarf_attr(die, name, &attr) && !dwarf_formudata(&attr, &val) ? val : missing;
}

static struct dwo_bytes behind(struct dwo_bytes bytes, uint64_t off)
{
	return off < bytes.sz ? (struct dwo_bytes){ bytes.at + off, bytes.sz - off }
			      : (struct dwo_bytes){ NULL };
}

/* Takes the program's parts: from where the skeleton says that the unit's begin. */
static void take_tables(struct dwarf_split *s, const struct dwarf_file *main, Dwarf_Die *skeleton)
{
	struct dwo_bytes addrs = section_of(main, ".debug_addr");
	uint64_t base = number_of(skeleton, DW_AT_addr_base, UINT64_MAX);

	if (base == UINT64_MAX)
		base = number_of(skeleton, DW_AT_GNU_addr_base, 0);
	s->parts.part[DWO_ADDR] = behind(addrs, base);
	s->has_addr_head = base >= ADDR_HEAD_SZ;
	s->parts.part[DWO_RANGES] = behind(section_of(main, ".debug_ranges"),
					   number_of(skeleton, DW_AT_GNU_ranges_base, 0));
}

/* The unit's header, and its own entry. */
struct head {
	uint8_t *at; /* the header */
	uint8_t *abbrev_off; /* in it: where the abbreviations are */
	uint8_t offset_sz, addr_sz;
	uint16_t version;
	uint8_t code[10]; /* of the entry's abbreviation, as it is written */
	size_t code_sz;
	uint8_t *attrs; /* the entry's attributes */
	size_t sz; /* bytes of them */
};

/* false: there is nothing in the unit, or it is damaged. */
static bool read_head(struct dwarf_split *s, struct head *h)
{
	uint8_t *at = s->cu.addr;
	Dwarf_Die child, cu;

	memset(h, 0, sizeof(*h));
	if (dwarf_child(&s->cu, &child) || !dwarf_diecu(&s->cu, &cu, &h->addr_sz, &h->offset_sz))
		return false;
	h->at = at - dwarf_cuoffset(&s->cu);
	memcpy(&h->version, h->at + (h->offset_sz == 8 ? 12 : 4), sizeof(h->version));
	h->abbrev_off = h->at + (h->offset_sz == 8 ? 14 : 6) + (h->version < 5 ? 0 : 2);
	do {
		h->code[h->code_sz++] = *at;
	} while (*at++ & 0x80 && h->code_sz < sizeof(h->code));
	h->attrs = at;
	h->sz = (uint8_t *)child.addr > at ? (size_t)((uint8_t *)child.addr - at) : 0;
	return h->sz && h->sz <= HEAD_SZ_MAX;
}

/* Numbers of DWARF are written as those of protobuf are: LEB128. */
static void put_attribute(struct strbuf *sb, unsigned int name, unsigned int form)
{
	protobuf__put_varint(sb, name);
	protobuf__put_varint(sb, form);
}

/* The place of the entry's own abbreviation among those of the unit. */
static bool find_abbrev(struct dwarf_split *s, const struct head *h, size_t *off, size_t *len)
{
	Dwarf_Abbrev *abbrev;
	uint64_t code = 0;
	size_t i;

	for (i = 0; i < h->code_sz && i < 9; i++)
		code |= (uint64_t)(h->code[i] & 0x7f) << (7 * i);
	for (*off = 0;; *off += *len) {
		abbrev = dwarf_getabbrev(&s->cu, *off, len);
		if (!abbrev || abbrev == DWARF_END_ABBREV || !*len)
			return false;
		if (dwarf_getabbrevcode(abbrev) == code)
			return true;
	}
}

/*
 * Appends the unit's address to its table, which has its size in front. Returns its index, or
 * UINT64_MAX.
 */
static uint64_t append_addr(struct dwarf_split *s, const struct head *h, uint64_t base)
{
	struct dwo_bytes *addrs = &s->parts.part[DWO_ADDR];
	uint64_t sz = 0;
	uint32_t len;

	if (addrs->sz && s->has_addr_head && h->version >= 5) {
		memcpy(&len, addrs->at - ADDR_HEAD_SZ, sizeof(len));
		sz = len > 4 ? len - 4 : 0;
	}
	if (!sz || sz > addrs->sz || sz > COPY_SZ_MAX)
		return UINT64_MAX;
	sz -= sz % h->addr_sz;
	strbuf__add(&s->addrs, addrs->at, sz);
	strbuf__add(&s->addrs, &base, h->addr_sz);
	*addrs = (struct dwo_bytes){ (uint8_t *)s->addrs.buf, s->addrs.len };
	return sz / h->addr_sz;
}

/*
 * Writes the address over the entry's attributes, of which none is needed: itself if there is room,
 * else its index, as a number that fills the bytes. Appends what the abbreviation has to say.
 */
static bool write_base(struct dwarf_split *s, const struct head *h, uint64_t base)
{
	struct strbuf *sb = &s->abbrevs;
	uint64_t nr;
	size_t i;

	if (h->sz >= h->addr_sz) {
		memcpy(h->attrs, &base, h->addr_sz);
		put_attribute(sb, DW_AT_low_pc, DW_FORM_addr);
		for (i = h->addr_sz; i < h->sz; i++)
			put_attribute(sb, DW_AT_NONE, DW_FORM_data1);
	} else {
		nr = append_addr(s, h, base);
		if (nr >> (7 * h->sz))
			return false;
		for (i = 0; i < h->sz; i++)
			h->attrs[i] =
				(uint8_t)((nr >> (7 * i) & 0x7f) | (i + 1 < h->sz ? 0x80 : 0));
		put_attribute(sb, DW_AT_low_pc, DW_FORM_addrx);
	}
	/* By it libdw knows a split unit of DWARF 4. */
	if (h->version < 5) {
		put_attribute(sb, DW_AT_GNU_dwo_id, DW_FORM_implicit_const);
		protobuf__put_varint(sb, 0);
	}
	return true;
}

/*
 * Ranges and locations are relative to the address of the unit, which only the skeleton tells: the
 * entry of the split unit gets it, by an abbreviation that is its own. It stands, with the others,
 * behind the old ones, which units of types may use.
 */
static int set_base(struct dwarf_split *s, uint64_t base)
{
	struct dwo_bytes *abbrevs = &s->parts.part[DWO_ABBREV];
	struct strbuf *sb = &s->abbrevs;
	uint64_t from = 0, to;
	size_t off, len;
	struct head h;

	if (!read_head(s, &h))
		return 0;
	memcpy(&from, h.abbrev_off, h.offset_sz);
	if (!find_abbrev(s, &h, &off, &len) || abbrevs->sz > COPY_SZ_MAX || from > abbrevs->sz ||
	    off > abbrevs->sz - from || len > abbrevs->sz - from - off)
		return -EBADMSG;
	to = abbrevs->sz;
	strbuf__add(sb, abbrevs->at, abbrevs->sz);
	strbuf__add(sb, h.code, h.code_sz);
	protobuf__put_varint(sb, DW_TAG_compile_unit);
	strbuf__putc(sb, DW_CHILDREN_yes);
	if (!write_base(s, &h, base))
		return -EBADMSG;
	put_attribute(sb, 0, 0);
	strbuf__add(sb, abbrevs->at + from, off);
	strbuf__add(sb, abbrevs->at + from + off + len, abbrevs->sz - from - off - len);
	memcpy(h.abbrev_off, &to, h.offset_sz);
	*abbrevs = (struct dwo_bytes){ (uint8_t *)sb->buf, sb->len };
	return strbuf__has_failed() ? -ENOMEM : dwarf_parts__open(&s->file, &s->parts);
}

/* Takes of the unit's own entry what is needed of it before set_base() writes over it. */
static void read_own(struct dwarf_split *s)
{
	s->lang = dwarf_srclang(&s->cu);
	/* Clang's units, which name their file, use the skeleton's: a table here is of types. */
	s->has_files = s->parts.part[DWO_LINE].sz && !dwarf_hasattr(&s->cu, DW_AT_dwo_name) &&
		       !dwarf_hasattr(&s->cu, DW_AT_GNU_dwo_name);
}

int dwarf_split__open(struct dwarf_split *s, const struct dwarf_file *main, Dwarf_Die *skeleton,
		      uint64_t id, const struct dwo_parts *parts)
{
	Dwarf_Addr base;
	Dwarf_Off off;
	int err;

	*s = (struct dwarf_split){ .parts = *parts, .abbrevs = STRBUF_INIT, .addrs = STRBUF_INIT };
	take_tables(s, main, skeleton);
	err = dwarf_parts__open(&s->file, &s->parts) ?: find_unit(s, id);
	if (!err)
		read_own(s);
	if (err || dwarf_lowpc(skeleton, &base) || !base)
		return err;
	off = dwarf_dieoffset(&s->cu);
	err = set_base(s, base);
	if (!err && !dwarf_offdie(s->file.dwarf, off, &s->cu))
		err = -EBADMSG;
	return err;
}

bool dwarf_split__may_name(const struct dwarf_split *s, const char *name)
{
	const struct dwo_bytes *offs = &s->parts.part[DWO_STR_OFFSETS];
	const struct dwo_bytes *texts = &s->parts.part[DWO_STR];
	const struct dwo_bytes *info = &s->parts.part[DWO_INFO];
	size_t sz = strlen(name) + 1, at;
	uint32_t off;

	/* Numbers of a header are taken for offsets, too, and no harm is done. */
	for (at = 0; at + sizeof(off) <= offs->sz; at += sizeof(off)) {
		memcpy(&off, offs->at + at, sizeof(off));
		if (off < texts->sz && sz <= texts->sz - off && !memcmp(texts->at + off, name, sz))
			return true;
	}
	/* A short name stands in its entry. */
	return memmem(info->at, info->sz, name, sz);
}

size_t dwarf_split__mem_sz(const struct dwarf_split *s)
{
	return s->abbrevs.cap + s->addrs.cap;
}

void dwarf_split__close(struct dwarf_split *s)
{
	dwarf_file__close(&s->file);
	strbuf__free(&s->abbrevs);
	strbuf__free(&s->addrs);
}
