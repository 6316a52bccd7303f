// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_mem.h"

#include <linux/perf_event.h>

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

void script_mem__put_source(struct strbuf *out, uint64_t data_src, size_t *width)
{
	const union perf_mem_data_src d = { .val = data_src };
	size_t begin = out->len;

	strbuf__printf(out, "%16llx |OP ", (unsigned long long)data_src);
	put_op(out, d.mem_op);
	strbuf__puts(out, "|LVL ");
	put_level(out, &d);
	strbuf__puts(out, "|SNP ");
	put_snoop(out, &d);
	strbuf__puts(out, "|TLB ");
	put_tlb(out, d.mem_dtlb);
	strbuf__puts(out, "|LCK ");
	strbuf__puts(out, d.mem_lock & PERF_MEM_LOCK_NA       ? "N/A"
			  : d.mem_lock & PERF_MEM_LOCK_LOCKED ? "Yes"
							      : "No");
	strbuf__puts(out, "|BLK ");
	put_block(out, d.mem_blk);
	if (out->len - begin > *width)
		*width = out->len - begin;
	strbuf__pad(out, begin, *width);
}

void script_mem__put_page_size(struct strbuf *out, uint64_t sz)
{
	const char *unit = "BKMG";

	if (!sz) {
		strbuf__puts(out, " N/A");
		return;
	}
	while (unit[1] && sz % 1024 == 0) {
		sz /= 1024;
		unit++;
	}
	strbuf__printf(out, " %llu%c", (unsigned long long)sz, *unit);
}
