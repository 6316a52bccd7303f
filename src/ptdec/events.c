// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "ptdec/events.h"

#include <intel-pt.h>
#include <string.h>

#include "ptdec/packet.h"

/* PWRE, by hardware: the manual's bit, and the one that libipt takes for it. */
#define PWRE_HW 0x80
#define LIBIPT_PWRE_HW 0x08

void events__prepare(uint8_t *p, size_t sz)
{
	struct pt_packet_decoder *decoder;
	struct pt_packet packet;
	struct pt_config config;
	struct packet k;
	uint64_t at;
	int err;

	pt_config_init(&config);
	config.begin = p;
	config.end = p + sz;
	decoder = pt_pkt_alloc_decoder(&config);
	if (!decoder)
		return;
	err = pt_pkt_sync_forward(decoder);
	while (err >= 0 || err == -pte_bad_opc) {
		if (pt_pkt_get_offset(decoder, &at))
			break;
		err = pt_pkt_next(decoder, &packet, sizeof(packet));
		if (err > 0 && packet.type == ppt_pwre)
			p[at + 2] = p[at + 2] & PWRE_HW ? LIBIPT_PWRE_HW : 0;
		if (err != -pte_bad_opc)
			continue;
		packet__read(&k, p + at, p + sz);
		if (k.kind == PACKET_EVENT && k.value == PACKET_EVENT_FLOW)
			memset(p + at, 0, k.sz);
		err = k.kind == PACKET_EVENT ? pt_pkt_sync_set(decoder, at + k.sz)
					     : pt_pkt_sync_forward(decoder);
	}
	pt_pkt_free_decoder(decoder);
}
