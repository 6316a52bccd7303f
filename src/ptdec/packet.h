/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The packets that most traces consist of (Intel SDM, volume 3, chapter 33, "Packet definitions"),
 * read fast; chunks with any other are left to libipt.
 */
#ifndef BPFPERF_PTDEC_PACKET_H
#define BPFPERF_PTDEC_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum packet_kind {
	PACKET_BAD, /* none of these, or not all there */
	PACKET_NONE, /* no meaning for the flow: PAD, PIP, VMCS */
	PACKET_TNT, /* value: bits, the oldest at the top of `cnt` of them */
	PACKET_TIP,
	PACKET_PGE,
	PACKET_PGD,
	PACKET_FUP,
	PACKET_PSB,
	PACKET_PSBEND,
	PACKET_OVF, /* packets were lost */
	PACKET_TSC,
	PACKET_TMA, /* value: CTC; cnt: FC */
	PACKET_MTC,
	PACKET_CYC,
	PACKET_CBR,
	PACKET_MODE_EXEC, /* value: the bits of the mode; 1: 64-bit */
	PACKET_MODE_TSX, /* value: the bits InTX and TXAbort */
	PACKET_EVENT, /* of event and trigger tracing (CFE, EVD, TRIG); value: enum packet_event */
};

/* A packet of event tracing may have a FUP behind it, which is one of these. */
enum packet_event {
	PACKET_EVENT_FLOW, /* none, or that of an asynchronous branch */
	PACKET_EVENT_PLACE, /* it tells where something happened, and nothing of the flow */
};

struct packet {
	enum packet_kind kind;
	unsigned int sz; /* 0: PACKET_BAD */
	uint64_t value;
	uint32_t cnt; /* bits of a TNT; of the others with an address, how it is compressed */
};

/* Reads the packet at p. */
void packet__read(struct packet *packet, const uint8_t *p, const uint8_t *end);
/*
 * Is it a packet of event or trigger tracing, which processors have had for longer than libipt has
 * known it?
 */
bool packet__is_event(const uint8_t *p, const uint8_t *end);
/* The address of a packet, by the last one of the stream. false: it has none. */
bool packet__ip(const struct packet *packet, uint64_t *last_ip);
/* Are all packets of these bytes, which begin with a PSB, of a kind that is read here? */
bool packet__are_common(const uint8_t *p, const uint8_t *end);

#endif
