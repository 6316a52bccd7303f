/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Private to decode/print: addresses, identifiers and bit sets in the form of the kernel's %p… and
 * helpers.
 */
#ifndef BPFPERF_DECODE_PRINT_NET_H
#define BPFPERF_DECODE_PRINT_NET_H

#include "decode/print_plan.h"

/* Puts n bytes in hexadecimal, with `sep` between them if it is not 0. */
void print_net__hex(struct strbuf *out, const uint8_t *p, uint32_t n, char sep);
/* %pM, %pMF, %pm, %pMR: 6 bytes. */
void print_net__mac(struct strbuf *out, const uint8_t *p, char sep, bool reverse);
/* %pI4 and, with leading zeros, %pi4: 4 bytes. */
void print_net__ip4(struct strbuf *out, const uint8_t *p, char conv, bool reverse);
/* %pI6, %pi6 (no colons) and %pI6c ('c', RFC 5952): 16 bytes. */
void print_net__ip6(struct strbuf *out, const uint8_t *p, char conv);
/* %pIS: a struct sockaddr of n bytes; flags: enum print_sockaddr_flag. */
void print_net__sockaddr(struct strbuf *out, const uint8_t *p, uint32_t n, char conv,
			 uint32_t flags);
/* %pU: 16 bytes; little: the first three groups are little-endian (GUID). */
void print_net__uuid(struct strbuf *out, const uint8_t *p, bool upper, bool little);
/* Puts a bit set of n bytes like the kernel's %*pb: hexadecimal, a comma every 32 bits. */
void print_net__bitmask(struct strbuf *out, const uint8_t *p, uint32_t n);
/* Puts a bit set like %*pbl: 0-3,7. */
void print_net__cpulist(struct strbuf *out, const uint8_t *p, uint32_t n);

#endif
