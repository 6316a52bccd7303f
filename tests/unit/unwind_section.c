// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * CIEs that overlap: as many are read as have the section's bytes together, so that a file cannot
 * make its reader work for hours.
 */
#include "unwind/section.h"

#include "tap.h"

/*
 * FDEs, each with a CIE of its own: the bytes of CIEs that overlap grow with the square of this
 * number.
 */
#define CNT 61
#define CIE_SZ 16
#define FDE_SZ 24

/* Entries begin with the length of what follows these 4 bytes. */
static void put32(uint8_t *p, uint32_t v)
{
	memcpy(p, &v, sizeof(v));
}

static void put64(uint8_t *p, uint64_t v)
{
	memcpy(p, &v, sizeof(v));
}

/*
 * An .eh_frame of CNT CIEs and as many FDEs, in which FDE i describes 16 bytes from 0x1000 + 16 * i
 * on. CIEs end where the next one begins, or all at the end of the last.
 */
static void make(uint8_t *data, bool overlap)
{
	static const uint8_t cie[] = { 1, 0, 1, 0x78, 16, 0, 0, 0 };
	unsigned int i;

	memset(data, 0, CNT * (CIE_SZ + FDE_SZ));
	for (i = 0; i < CNT; i++) {
		uint8_t *c = data + i * CIE_SZ, *f = data + CNT * CIE_SZ + i * FDE_SZ;

		put32(c, (overlap ? (CNT - i) * CIE_SZ : CIE_SZ) - 4);
		memcpy(c + 8, cie, sizeof(cie));
		put32(f, FDE_SZ - 4);
		put32(f + 4, (uint32_t)(f + 4 - c));
		put64(f + 8, 0x1000 + 16 * i);
		put64(f + 16, 16);
	}
}

static int count(void *priv, const struct cfi_fde *fde)
{
	*(uint64_t *)priv += fde->end - fde->start == 16;
	return 0;
}

int main(void)
{
	uint8_t data[CNT * (CIE_SZ + FDE_SZ)];
	struct cfi_section sec = { .data = data, .sz = sizeof(data) };
	uint64_t cnt = 0, bad = 0;

	make(data, false);
	is_s64(cfi_section__each(&sec, NULL, count, &cnt, &bad), 0, "CIEs side by side: no error");
	is_u64(cnt, CNT, "CIEs side by side: each FDE is read");
	is_u64(bad, 0, "CIEs side by side: no FDE is bad");

	/* CIE i has 16 * (61 - i) - 8 bytes after its id; the section has 2440. */
	make(data, true);
	cnt = bad = 0;
	is_s64(cfi_section__each(&sec, NULL, count, &cnt, &bad), 0, "overlapping CIEs: no error");
	ok(cnt >= 2 && cnt < 20,
	   "overlapping CIEs: those are read that have the section's bytes together");
	is_u64(cnt + bad, CNT, "overlapping CIEs: the other FDEs are counted as bad");
	return done_testing();
}
