// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/packet.h"

#include <string.h>

#define PSB_SZ 16
#define EVD_SZ 11
#define CFE_SZ 4
/* Types of CFE. */
#define CFE_IRET 0x02
#define CFE_VMENTRY 0x07
#define CFE_UIRET 0x0d
/* In a table of sizes: addresses are not compressed like that. */
#define BAD_IP 255

static const uint8_t psb[PSB_SZ] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
				     2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 };

static uint64_t number(const uint8_t *p, size_t sz)
{
	uint64_t v = 0;

	memcpy(&v, p, sz);
	return v;
}

static void set(struct packet *k, enum packet_kind kind, unsigned int sz, uint64_t value)
{
	k->kind = kind;
	k->sz = sz;
	k->value = value;
}

/* Bits behind the stop bit, which is the highest one. */
static void set_tnt(struct packet *k, unsigned int sz, uint64_t bits)
{
	unsigned int cnt;

	if (!bits)
		return;
	cnt = 63 - (unsigned int)__builtin_clzll(bits);
	k->cnt = cnt;
	set(k, cnt ? PACKET_TNT : PACKET_NONE, sz, bits & ((1ull << cnt) - 1));
}

/*
 * CFE: a return from an interrupt and the entry of a guest are instructions that branch, at the
 * address of the FUP.
 */
static enum packet_event cfe_event(uint8_t head)
{
	uint8_t type = head & 0x1f;

	return head >> 7 && (type == CFE_IRET || type == CFE_UIRET || type == CFE_VMENTRY)
		       ? PACKET_EVENT_PLACE
		       : PACKET_EVENT_FLOW;
}

static void read_trig(struct packet *k, const uint8_t *p, size_t sz)
{
	unsigned int trig_sz;

	if (sz < 2)
		return;
	trig_sz = p[1] >> 6 & 1 ? 5 : 3; /* with a count of instructions */
	if (sz >= trig_sz)
		set(k, PACKET_EVENT, trig_sz, p[1] >> 7 ? PACKET_EVENT_PLACE : PACKET_EVENT_FLOW);
}

/* Packets that begin with 02. */
static void read_extended(struct packet *k, const uint8_t *p, size_t sz)
{
	if (sz < 2)
		return;
	switch (p[1]) {
	case 0x82:
		if (sz >= PSB_SZ && !memcmp(p, psb, PSB_SZ))
			set(k, PACKET_PSB, PSB_SZ, 0);
		break;
	case 0x23:
		set(k, PACKET_PSBEND, 2, 0);
		break;
	case 0xf3:
		set(k, PACKET_OVF, 2, 0);
		break;
	case 0xa3:
		if (sz >= 8)
			set_tnt(k, 8, number(p + 2, 6));
		break;
	case 0x43:
		if (sz >= 8)
			set(k, PACKET_NONE, 8, 0);
		break;
	case 0xc8:
		if (sz >= 7)
			set(k, PACKET_NONE, 7, 0);
		break;
	case 0x03:
		if (sz >= 4)
			set(k, PACKET_CBR, 4, p[2]);
		break;
	case 0x53:
		if (sz >= EVD_SZ)
			set(k, PACKET_EVENT, EVD_SZ, PACKET_EVENT_FLOW);
		break;
	case 0x13:
		if (sz >= CFE_SZ)
			set(k, PACKET_EVENT, CFE_SZ, cfe_event(p[2]));
		break;
	case 0x73:
		if (sz >= 7) {
			set(k, PACKET_TMA, 7, number(p + 2, 2));
			k->cnt = (uint32_t)number(p + 5, 2) & 0x1ff;
		}
		break;
	default:
		break;
	}
}

static void read_ip(struct packet *k, enum packet_kind kind, const uint8_t *p, size_t sz)
{
	static const uint8_t ip_szs[8] = { 0, 2, 4, 6, 6, BAD_IP, 8, BAD_IP };
	unsigned int how = p[0] >> 5, ip_sz = ip_szs[how];

	if (ip_sz == BAD_IP || sz < 1u + ip_sz)
		return;
	k->cnt = how;
	set(k, kind, 1 + ip_sz, number(p + 1, ip_sz));
}

static void read_cyc(struct packet *k, const uint8_t *p, size_t sz)
{
	uint64_t v = p[0] >> 3;
	bool goes_on = p[0] >> 2 & 1;
	unsigned int shift = 5, at = 1;

	for (; goes_on; shift += 7, at++) {
		if (at >= sz || shift > 56)
			return;
		goes_on = p[at] & 1;
		v |= (uint64_t)(p[at] >> 1) << shift;
	}
	set(k, PACKET_CYC, at, v);
}

/* Packets with bit 0 set. */
static void read_odd(struct packet *k, const uint8_t *p, size_t sz)
{
	switch (p[0] & 0x1f) {
	case 0x0d:
		read_ip(k, PACKET_TIP, p, sz);
		return;
	case 0x11:
		read_ip(k, PACKET_PGE, p, sz);
		return;
	case 0x01:
		read_ip(k, PACKET_PGD, p, sz);
		return;
	case 0x1d:
		read_ip(k, PACKET_FUP, p, sz);
		return;
	default:
		break;
	}
	if (p[0] == 0xd9)
		read_trig(k, p, sz);
	else if (p[0] == 0x19 && sz >= 8)
		set(k, PACKET_TSC, 8, number(p + 1, 7));
	else if (p[0] == 0x59 && sz >= 2)
		set(k, PACKET_MTC, 2, p[1]);
	else if (p[0] == 0x99 && sz >= 2 && p[1] >> 5 == 0)
		set(k, PACKET_MODE_EXEC, 2, p[1] & 3);
	else if (p[0] == 0x99 && sz >= 2 && p[1] >> 5 == 1)
		set(k, PACKET_MODE_TSX, 2, p[1] & 0x1f);
}

void packet__read(struct packet *k, const uint8_t *p, const uint8_t *end)
{
	const size_t sz = (size_t)(end - p);

	k->kind = PACKET_BAD;
	k->sz = 0;
	if (!sz)
		return;
	if (p[0] == 0x02)
		read_extended(k, p, sz);
	else if (!p[0])
		set(k, PACKET_NONE, 1, 0);
	else if (!(p[0] & 1))
		set_tnt(k, 1, p[0] >> 1);
	else if ((p[0] & 3) == 3)
		read_cyc(k, p, sz);
	else
		read_odd(k, p, sz);
}

bool packet__is_event(const uint8_t *p, const uint8_t *end)
{
	struct packet k;

	packet__read(&k, p, end);
	return k.kind == PACKET_EVENT;
}

bool packet__ip(const struct packet *k, uint64_t *last_ip)
{
	static const uint64_t masks[8] = {
		0, 0xffff, 0xffffffff, ~0ull, (1ull << 48) - 1, 0, ~0ull
	};
	uint64_t v = k->value;

	if (!k->cnt)
		return false;
	if (k->cnt == 3)
		v = (uint64_t)((int64_t)(v << 16) >> 16);
	*last_ip = (*last_ip & ~masks[k->cnt]) | v;
	return true;
}

bool packet__are_common(const uint8_t *p, const uint8_t *end)
{
	bool in_psb = false;
	struct packet k;

	for (; p < end; p += k.sz) {
		packet__read(&k, p, end);
		switch (k.kind) {
		case PACKET_BAD:
			return false;
		case PACKET_PSB:
		case PACKET_PSBEND:
		case PACKET_OVF:
			in_psb = k.kind == PACKET_PSB;
			break;
		case PACKET_MODE_EXEC:
			if (k.value != 1)
				return false;
			break;
		case PACKET_MODE_TSX:
			/* In the state that a PSB tells: outside of transactions. */
			if (!in_psb || k.value)
				return false;
			break;
		case PACKET_TIP:
		case PACKET_PGE:
		case PACKET_FUP:
			if (!k.cnt)
				return false;
			break;
		default:
			break;
		}
	}
	return true;
}
