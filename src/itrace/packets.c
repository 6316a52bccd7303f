// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/packets.h"

#include <string.h>

typedef unsigned long long ull;

static uint64_t number(const uint8_t *p, size_t sz)
{
	uint64_t v = 0;

	memcpy(&v, p, sz);
	return v;
}

/* Taken and not taken: cnt bits from the top of `bits` on, behind a stop bit. */
static void put_tnt(uint64_t bits, int max, struct strbuf *text)
{
	int cnt = max;

	while (cnt && !(bits >> 63)) {
		bits <<= 1;
		cnt--;
	}
	strbuf__puts(text, "TNT ");
	max = cnt;
	while (cnt--) {
		bits <<= 1;
		strbuf__putc(text, bits >> 63 ? 'T' : 'N');
	}
	strbuf__printf(text, " (%d)", max);
}

/* Packets of 02 and a second byte, which are of one length and have one number, or none. */
static const struct simple {
	uint8_t second, sz, at, number_sz;
	const char *name;
} simple[] = {
	{ 0x83, 2, 0, 0, "TraceSTOP" },   { 0xf3, 2, 0, 0, "OVF" },
	{ 0x23, 2, 0, 0, "PSBEND" },      { 0x03, 4, 2, 2, "CBR" },
	{ 0xc8, 7, 2, 5, "VMCS" },        { 0x62, 2, 0, 0, "EXSTOP IP:0" },
	{ 0xe2, 2, 0, 0, "EXSTOP IP:1" },
};

static size_t put_simple(const uint8_t *p, size_t sz, struct strbuf *text)
{
	size_t i;

	for (i = 0; i < sizeof(simple) / sizeof(*simple); i++) {
		const struct simple *s = &simple[i];

		if (s->second != p[1])
			continue;
		if (sz < s->sz)
			return 0;
		strbuf__puts(text, s->name);
		if (s->number_sz)
			strbuf__printf(text, " 0x%llx", (ull)number(p + s->at, s->number_sz));
		return s->sz;
	}
	return 0;
}

static size_t put_power(const uint8_t *p, size_t sz, struct strbuf *text)
{
	size_t want = p[1] == 0xc2 ? 10 : p[1] == 0x22 ? 4 : 7;
	uint64_t v;

	if (sz < want)
		return 0;
	v = number(p + 2, want - 2);
	if (p[1] == 0xc2)
		strbuf__printf(text, "MWAIT 0x%llx Hints 0x%x Extensions 0x%x", (ull)v,
			       (unsigned int)(v & 0xff), (unsigned int)(v >> 32 & 3));
	else if (p[1] == 0x22)
		strbuf__printf(text, "PWRE 0x%llx HW:%u CState:%u Sub-CState:%u", (ull)v,
			       (unsigned int)(v >> 7 & 1), (unsigned int)(v >> 12 & 15),
			       (unsigned int)(v >> 8 & 15));
	else
		strbuf__printf(text,
			       "PWRX 0x%llx Last CState:%u Deepest CState:%u Wake Reason 0x%x",
			       (ull)v, (unsigned int)(v >> 4 & 15), (unsigned int)(v & 15),
			       (unsigned int)(v >> 8 & 15));
	return want;
}

static size_t put_event(const uint8_t *p, size_t sz, struct strbuf *text)
{
	if (p[1] == 0x13 && sz >= 4) {
		strbuf__printf(text, "CFE IP:%d Type 0x%02x Vector 0x%x", p[2] >> 7, p[2] & 0x1f,
			       p[3]);
		return 4;
	}
	if (p[1] == 0x53 && sz >= 11) {
		strbuf__printf(text, "EVD Type 0x%02x Payload 0x%llx", p[2] & 0x3f,
			       (ull)number(p + 3, 8));
		return 11;
	}
	return 0;
}

/* PTWRITE has its size and whether an address follows in its second byte. */
static size_t put_ptwrite(const uint8_t *p, size_t sz, struct strbuf *text)
{
	size_t payload_sz = (p[1] >> 5 & 3) == 0 ? 4 : 8;

	if ((p[1] >> 5 & 3) > 1 || sz < 2 + payload_sz)
		return 0;
	strbuf__printf(text, "PTWRITE 0x%llx IP:%d", (ull)number(p + 2, payload_sz), p[1] >> 7);
	return 2 + payload_sz;
}

static size_t put_block(struct packets *ps, const uint8_t *p, size_t sz, struct strbuf *text)
{
	if (p[1] != 0x63) {
		ps->item_sz = 0;
		strbuf__printf(text, "BEP IP:%d", p[1] >> 7);
		return 2;
	}
	if (sz < 3)
		return 0;
	ps->item_sz = p[2] >> 7 ? 4 : 8;
	strbuf__printf(text, "BBP SZ %u-byte Type 0x%x", ps->item_sz, p[2] & 0x1f);
	return 3;
}

static size_t put_psb(const uint8_t *p, size_t sz, struct strbuf *text)
{
	size_t i;

	for (i = 0; i < 16; i += 2)
		if (sz < 16 || p[i] != 0x02 || p[i + 1] != 0x82)
			return 0;
	strbuf__puts(text, "PSB");
	return 16;
}

/* Packets that begin with 02. */
static size_t put_extended(struct packets *ps, const uint8_t *p, size_t sz, struct strbuf *text)
{
	if (sz < 2)
		return 0;
	if ((p[1] & 0x1f) == 0x12)
		return put_ptwrite(p, sz, text);
	switch (p[1]) {
	case 0x82:
		ps->item_sz = 0;
		return put_psb(p, sz, text);
	case 0xa3:
		if (sz < 8)
			return 0;
		put_tnt(number(p, 8) & ~0xffffull, 47, text);
		return 8;
	case 0x43:
		if (sz < 8)
			return 0;
		strbuf__printf(text, "PIP 0x%llx (NR=%d)", (ull)(number(p + 2, 6) >> 1), p[2] & 1);
		return 8;
	case 0x73:
		if (sz < 7)
			return 0;
		strbuf__printf(text, "TMA CTC 0x%x FC 0x%x", (unsigned int)number(p + 2, 2),
			       p[5] | (p[6] & 1) << 8);
		return 7;
	case 0xc3:
		if (sz < 11 || p[2] != 0x88)
			return 0;
		strbuf__printf(text, "MNT 0x%llx", (ull)number(p + 3, 8));
		return 11;
	case 0xc2:
	case 0x22:
	case 0xa2:
		return put_power(p, sz, text);
	case 0x13:
	case 0x53:
		return put_event(p, sz, text);
	case 0x63:
	case 0x33:
	case 0xb3:
		return put_block(ps, p, sz, text);
	default:
		return put_simple(p, sz, text);
	}
}

/* TIP, TIP.PGE, TIP.PGD, FUP: three bits say how many bytes of the address follow. */
static size_t put_ip(const uint8_t *p, size_t sz, const char *name, struct strbuf *text)
{
	static const int8_t ip_szs[8] = { 0, 2, 4, 6, 6, -1, 8, -1 };
	int8_t ip_sz = ip_szs[p[0] >> 5];

	if (ip_sz < 0 || sz < 1u + (size_t)ip_sz)
		return 0;
	if (ip_sz)
		strbuf__printf(text, "%s 0x%llx", name, (ull)number(p + 1, (size_t)ip_sz));
	else
		strbuf__printf(text, "%s no ip", name);
	return 1 + (size_t)ip_sz;
}

static size_t put_cyc(const uint8_t *p, size_t sz, struct strbuf *text)
{
	uint64_t v = p[0] >> 3;
	bool goes_on = p[0] >> 2 & 1;
	unsigned int shift = 5;
	size_t at = 1;

	for (; goes_on; shift += 7) {
		if (at > 9 || at >= sz)
			return 0;
		goes_on = p[at] & 1;
		if (shift < 64)
			v |= (uint64_t)(p[at] >> 1) << shift;
		at++;
	}
	strbuf__printf(text, "CYC 0x%llx", (ull)v);
	return at;
}

static size_t put_mode(const uint8_t *p, size_t sz, struct strbuf *text)
{
	static const uint8_t bits[4] = { 16, 64, 32, 0 };

	if (sz < 2 || p[1] >> 5 > 1 || (p[1] & 3) == 3)
		return 0;
	if (p[1] >> 5)
		strbuf__printf(text, "MODE.TSX TXAbort:%u InTX:%u", p[1] >> 1 & 1, p[1] & 1);
	else
		strbuf__printf(text, "MODE.Exec IF:%d %u", p[1] >> 2 & 1, bits[p[1] & 3]);
	return 2;
}

static size_t put_trig(const uint8_t *p, size_t sz, struct strbuf *text)
{
	size_t trig_sz = sz > 1 && p[1] >> 6 & 1 ? 5 : 3;

	if (sz < trig_sz)
		return 0;
	strbuf__printf(text, "TRIG IP:%d Mult:%d TRBV 0x%x", p[1] >> 7, p[1] >> 5 & 1, p[2]);
	if (trig_sz == 5)
		strbuf__printf(text, " ICNT 0x%x", (unsigned int)number(p + 3, 2));
	return trig_sz;
}

static size_t put_one(struct packets *ps, const uint8_t *p, size_t sz, struct strbuf *text)
{
	if (ps->item_sz && (p[0] & 7) == 4) {
		if (sz < 1u + ps->item_sz)
			return 0;
		strbuf__printf(text, "BIP ID 0x%02x Value 0x%llx", p[0] >> 3,
			       (ull)number(p + 1, ps->item_sz));
		return 1u + ps->item_sz;
	}
	if (p[0] == 0x02)
		return put_extended(ps, p, sz, text);
	if (p[0] == 0x00) {
		strbuf__puts(text, "PAD");
		return 1;
	}
	if (!(p[0] & 1)) {
		put_tnt((uint64_t)p[0] << 56, 6, text);
		return 1;
	}
	if ((p[0] & 3) == 3)
		return put_cyc(p, sz, text);
	switch (p[0] & 0x1f) {
	case 0x0d:
		return put_ip(p, sz, "TIP", text);
	case 0x11:
		return put_ip(p, sz, "TIP.PGE", text);
	case 0x01:
		return put_ip(p, sz, "TIP.PGD", text);
	case 0x1d:
		return put_ip(p, sz, "FUP", text);
	default:
		break;
	}
	if (p[0] == 0xd9)
		return put_trig(p, sz, text);
	if (p[0] == 0x99)
		return put_mode(p, sz, text);
	if (p[0] == 0x19 && sz >= 8) {
		strbuf__printf(text, "TSC 0x%llx", (ull)number(p + 1, 7));
		return 8;
	}
	if (p[0] == 0x59 && sz >= 2) {
		strbuf__printf(text, "MTC 0x%x", p[1]);
		return 2;
	}
	return 0;
}

static void put_line(const struct packets *ps, const uint8_t *p, size_t sz, struct strbuf *out)
{
	size_t i;

	strbuf__printf(out, ".  %08llx: ", (ull)ps->at);
	for (i = 0; i < sz; i++)
		strbuf__printf(out, " %02x", p[i]);
	for (; i < PACKET_MAX_SZ; i++)
		strbuf__puts(out, "   ");
	strbuf__putc(out, ' ');
}

size_t packets__put(struct packets *ps, const uint8_t *p, size_t sz, bool is_end,
		    struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	size_t done = 0, n;

	while (done < sz && (is_end || sz - done >= PACKET_MAX_SZ)) {
		strbuf__reset(&text);
		n = put_one(ps, p + done, sz - done, &text);
		/* Bytes of padding belong to the packet before, as in perf. */
		while (n && n < 8 && n < sz - done && !p[done + n])
			n++;
		put_line(ps, p + done, n ? n : 1, out);
		if (n)
			strbuf__add(out, text.buf, text.len);
		else
			strbuf__puts(out, "Bad packet!");
		strbuf__putc(out, '\n');
		ps->at += n ? n : 1;
		done += n ? n : 1;
	}
	strbuf__free(&text);
	return done;
}
