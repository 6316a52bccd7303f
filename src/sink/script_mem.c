// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_mem.h"

#include "data/perf_sample.h"
#include "sink/script.h"
#include "util/page_size.h"

/* Names of single bits; NULL: the bit is told in another way. */
struct bits {
	const char *const *names;
	unsigned int cnt;
	uint64_t hit, miss; /* bits that stand behind the list; 0: none */
};

#define BITS(names, hit, miss)                                                                     \
	{                                                                                          \
		names, sizeof(names) / sizeof(*(names)), hit, miss                                 \
	}

static const char *const op_names[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
static const char *const level_names[] = { "N/A",
					   NULL,
					   NULL,
					   "L1",
					   "LFB/MAB",
					   "L2",
					   "L3",
					   "Local RAM",
					   "Remote RAM (1 hop)",
					   "Remote RAM (2 hops)",
					   "Remote Cache (1 hop)",
					   "Remote Cache (2 hops)",
					   "I/O",
					   "Uncached" };
static const char *const snoop_names[] = { "N/A", "None", "Hit", "Miss", "HitM" };
static const char *const tlb_names[] = { "N/A", NULL, NULL, "L1", "L2", "Walker", "Fault" };
/* From the place of the highest numbers of levels on; below, they are "L1", "L2", … */
static const char *const number_names[] = {
	[0x9] = "CXL", [0xa] = "I/O",  [0xb] = "Any cache", [0xc] = "LFB/MAB",
	[0xd] = "RAM", [0xe] = "PMEM", [0xf] = "N/A"
};
static const char *const hop_names[] = { "", "core, same node", "node, same socket",
					 "socket, same board", "board" };

static const struct bits levels = BITS(level_names, PERF_MEM_LVL_HIT, PERF_MEM_LVL_MISS);
static const struct bits snoops = BITS(snoop_names, 0, 0);
static const struct bits tlbs = BITS(tlb_names, PERF_MEM_TLB_HIT, PERF_MEM_TLB_MISS);

/* Begins the next word of a list. */
static void begin_word(struct strbuf *out, unsigned int *cnt)
{
	if ((*cnt)++)
		strbuf__puts(out, " or ");
}

static void put_bits(struct strbuf *out, const struct bits *b, uint64_t val, unsigned int *cnt)
{
	unsigned int i;

	for (i = 0; i < b->cnt; i++) {
		if (!(val >> i & 1) || !b->names[i])
			continue;
		begin_word(out, cnt);
		strbuf__puts(out, b->names[i]);
	}
}

static void put_hit(struct strbuf *out, const struct bits *b, uint64_t val)
{
	if (val & b->hit)
		strbuf__puts(out, " hit");
	if (val & b->miss)
		strbuf__puts(out, " miss");
}

static void put_op(struct strbuf *out, uint64_t val)
{
	unsigned int i;

	for (i = 0; i < sizeof(op_names) / sizeof(*op_names); i++)
		if (val >> i & 1)
			break;
	strbuf__puts(out, i < sizeof(op_names) / sizeof(*op_names) ? op_names[i] : "No");
}

static void put_level(struct strbuf *out, const union perf_mem_data_src *d)
{
	unsigned int cnt = 0, number = d->mem_lvl_num, hops = d->mem_hops;
	size_t begin = out->len;

	if (d->mem_remote)
		strbuf__puts(out, "Remote ");
	/* Distances say it more exactly than the bits. */
	if (hops && hops < sizeof(hop_names) / sizeof(*hop_names))
		strbuf__printf(out, "%s ", hop_names[hops]);
	else
		put_bits(out, &levels, d->mem_lvl, &cnt);
	if (number) {
		begin_word(out, &cnt);
		if (number < sizeof(number_names) / sizeof(*number_names) && number_names[number])
			strbuf__puts(out, number_names[number]);
		else
			strbuf__printf(out, "L%u", number);
	}
	if (out->len == begin)
		strbuf__puts(out, "N/A");
	put_hit(out, &levels, d->mem_lvl);
}

static void put_snoop(struct strbuf *out, const union perf_mem_data_src *d)
{
	unsigned int cnt = 0;

	put_bits(out, &snoops, d->mem_snoop, &cnt);
	if (d->mem_snoopx & PERF_MEM_SNOOPX_FWD) {
		begin_word(out, &cnt);
		strbuf__puts(out, "Fwd");
	}
	if (d->mem_snoopx & PERF_MEM_SNOOPX_PEER) {
		begin_word(out, &cnt);
		strbuf__puts(out, "Peer");
	}
	if (!cnt)
		strbuf__puts(out, "N/A");
}

static void put_tlb(struct strbuf *out, uint64_t val)
{
	unsigned int cnt = 0;

	put_bits(out, &tlbs, val, &cnt);
	if (!cnt)
		strbuf__puts(out, "N/A");
	put_hit(out, &tlbs, val);
}

static void put_block(struct strbuf *out, uint64_t val)
{
	if (!val || val & PERF_MEM_BLK_NA) {
		strbuf__puts(out, " N/A");
		return;
	}
	if (val & PERF_MEM_BLK_DATA)
		strbuf__puts(out, " Data");
	if (val & PERF_MEM_BLK_ADDR)
		strbuf__puts(out, " Addr");
}

static void put_lock(struct strbuf *out, uint64_t val)
{
	strbuf__puts(out, val & PERF_MEM_LOCK_NA       ? "N/A"
			  : val & PERF_MEM_LOCK_LOCKED ? "Yes"
						       : "No");
}

void script_mem__put_part(struct strbuf *out, enum script_mem_part part, uint64_t data_src)
{
	const union perf_mem_data_src d = { .val = data_src };

	switch (part) {
	case SCRIPT_MEM_LEVEL:
		put_level(out, &d);
		break;
	case SCRIPT_MEM_SNOOP:
		put_snoop(out, &d);
		break;
	case SCRIPT_MEM_TLB:
		put_tlb(out, d.mem_dtlb);
		break;
	case SCRIPT_MEM_LOCK:
		put_lock(out, d.mem_lock);
		break;
	case SCRIPT_MEM_BLOCK:
		put_block(out, d.mem_blk);
		break;
	}
}

/* Puts union perf_mem_data_src in hex and in words, padded to *width, the longest one so far. */
static void put_source(struct strbuf *out, uint64_t data_src, size_t *width)
{
	static const char *const headings[] = { "|LVL ", "|SNP ", "|TLB ", "|LCK ", "|BLK " };
	const union perf_mem_data_src d = { .val = data_src };
	size_t begin = out->len;
	unsigned int part;

	strbuf__printf(out, "%16llx |OP ", (unsigned long long)data_src);
	put_op(out, d.mem_op);
	for (part = SCRIPT_MEM_LEVEL; part <= SCRIPT_MEM_BLOCK; part++) {
		strbuf__puts(out, headings[part]);
		script_mem__put_part(out, (enum script_mem_part)part, data_src);
	}
	if (out->len - begin > *width)
		*width = out->len - begin;
	strbuf__pad(out, begin, *width);
}

void script_mem__put(struct strbuf *out, const struct perf_sample *s, uint64_t fields,
		     size_t *width)
{
	if (fields & SCRIPT_ADDR && (!s->event->is_made || !(fields & SCRIPT_IP)))
		strbuf__put_hex_pad(out, s->addr, 16, ' ');
	if (fields & SCRIPT_DATA_SRC)
		put_source(out, s->data_src, width);
	if (fields & SCRIPT_WEIGHT)
		strbuf__put_u64_pad(out, perf_sample__weight(s), 16, ' ');
	if (fields & SCRIPT_INS_LAT)
		strbuf__put_u64_pad(out, s->weight >> 32 & 0xffff, 16, ' ');
}

void script_mem__put_page_size(struct strbuf *out, uint64_t sz)
{
	strbuf__putc(out, ' ');
	page_size__put(out, sz);
}
