// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/print_net.h"

#include <netinet/in.h>

static void put_byte(struct strbuf *out, uint8_t b, const char *digits)
{
	if (strbuf__reserve(out, 2))
		return;
	out->buf[out->len++] = digits[b >> 4];
	out->buf[out->len++] = digits[b & 15];
}

static const char lower[] = "0123456789abcdef";
static const char upper_case[] = "0123456789ABCDEF";

void print_net__hex(struct strbuf *out, const uint8_t *p, uint32_t n, char sep)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (i && sep)
			strbuf__putc(out, sep);
		put_byte(out, p[i], lower);
	}
}

void print_net__mac(struct strbuf *out, const uint8_t *p, char sep, bool reverse)
{
	uint8_t mac[6];
	int i;

	for (i = 0; i < 6; i++)
		mac[i] = p[reverse ? 5 - i : i];
	print_net__hex(out, mac, 6, sep);
}

void print_net__ip4(struct strbuf *out, const uint8_t *p, char conv, bool reverse)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (i)
			strbuf__putc(out, '.');
		strbuf__put_u64_pad(out, p[reverse ? 3 - i : i], conv == 'i' ? 3 : 0, '0');
	}
}

static unsigned int ip6_word(const uint8_t *p, int i)
{
	return (unsigned int)p[2 * i] << 8 | p[2 * i + 1];
}

/* Addresses with the last 32 bits written as IPv4: ::ffff:a.b.c.d and ISATAP (RFC 5214). */
static bool ip6_holds_ip4(const uint8_t *p)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(p, mapped, sizeof(mapped)) ||
	       ((p[8] & ~2) == 0 && p[9] == 0 && p[10] == 0x5e && p[11] == 0xfe);
}

static void ip6_compressed(struct strbuf *out, const uint8_t *p)
{
	bool ip4 = ip6_holds_ip4(p), colon = false;
	int words = ip4 ? 6 : 8, i, j, best = -1, best_len = 1;

	/* The first of the longest runs of at least two zero words becomes "::". */
	for (i = 0; i < words; i++) {
		for (j = i; j < words && !ip6_word(p, j); j++)
			;
		if (j - i > best_len) {
			best = i;
			best_len = j - i;
		}
	}
	for (i = 0; i < words; i++) {
		if (i == best) {
			strbuf__puts(out, "::");
			colon = false;
			i += best_len - 1;
			continue;
		}
		if (colon)
			strbuf__putc(out, ':');
		strbuf__put_hex(out, ip6_word(p, i));
		colon = true;
	}
	if (ip4) {
		if (colon)
			strbuf__putc(out, ':');
		print_net__ip4(out, p + 12, 'I', false);
	}
}

void print_net__ip6(struct strbuf *out, const uint8_t *p, char conv)
{
	int i;

	if (conv == 'c') {
		ip6_compressed(out, p);
		return;
	}
	for (i = 0; i < 8; i++) {
		if (i && conv == 'I')
			strbuf__putc(out, ':');
		print_net__hex(out, p + 2 * i, 2, 0);
	}
}

void print_net__sockaddr(struct strbuf *out, const uint8_t *p, uint32_t n, char conv,
			 uint32_t flags)
{
	struct sockaddr_in6 sa6;
	struct sockaddr_in sa4;
	sa_family_t family;

	if (n < sizeof(family))
		return;
	memcpy(&family, p, sizeof(family));
	if (family == AF_INET) {
		if (n < sizeof(sa4)) {
			strbuf__puts(out, "INVALIDIPv4");
			return;
		}
		memcpy(&sa4, p, sizeof(sa4));
		print_net__ip4(out, (const uint8_t *)&sa4.sin_addr, conv, flags & SOCKADDR_REVERSE);
		if (flags & SOCKADDR_PORT) {
			strbuf__putc(out, ':');
			strbuf__put_u64(out, ntohs(sa4.sin_port));
		}
	} else if (family == AF_INET6) {
		if (n < sizeof(sa6)) {
			strbuf__puts(out, "INVALIDIPv6");
			return;
		}
		memcpy(&sa6, p, sizeof(sa6));
		if (flags & SOCKADDR_PORT)
			strbuf__putc(out, '[');
		print_net__ip6(out, (const uint8_t *)&sa6.sin6_addr,
			       flags & SOCKADDR_COMPRESSED ? 'c' : conv);
		if (flags & SOCKADDR_PORT) {
			strbuf__puts(out, "]:");
			strbuf__put_u64(out, ntohs(sa6.sin6_port));
		}
	}
}

void print_net__uuid(struct strbuf *out, const uint8_t *p, bool upper, bool little)
{
	static const uint8_t guid_order[16] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15
	};
	int i;

	for (i = 0; i < 16; i++) {
		put_byte(out, p[little ? guid_order[i] : i], upper ? upper_case : lower);
		if (i == 3 || i == 5 || i == 7 || i == 9)
			strbuf__putc(out, '-');
	}
}

void print_net__bitmask(struct strbuf *out, const uint8_t *p, uint32_t n)
{
	uint32_t i;

	/*
	 * The kernel stores bit sets in machine words: on little-endian machines the last byte is
	 * the highest.
	 */
	for (i = n; i-- > 0;) {
		put_byte(out, p[i], lower);
		if (i && !(i & 3))
			strbuf__putc(out, ',');
	}
}

static bool bit(const uint8_t *p, uint32_t i)
{
	return p[i / 8] & (1 << i % 8);
}

void print_net__cpulist(struct strbuf *out, const uint8_t *p, uint32_t n)
{
	uint32_t bits = n * 8, i = 0, first;
	bool more = false;

	while (i < bits) {
		if (!p[i / 8] && i % 8 == 0) {
			i += 8;
			continue;
		}
		if (!bit(p, i)) {
			i++;
			continue;
		}
		for (first = i; i < bits && bit(p, i); i++)
			;
		if (more)
			strbuf__putc(out, ',');
		more = true;
		strbuf__put_u64(out, first);
		if (i - first > 1) {
			strbuf__putc(out, '-');
			strbuf__put_u64(out, i - 1);
		}
	}
}
