// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Packets of Intel PT as bpfperf-itrace reads them, and the time between those of the TSC. */
#include <string.h>

#include "ptdec/packet.h"
#include "ptdec/walk_time.h"
#include "tap.h"

static struct packet read_packet(const char *bytes, size_t sz)
{
	struct packet k = { .kind = PACKET_PSB };

	packet__read(&k, (const uint8_t *)bytes, (const uint8_t *)bytes + sz);
	return k;
}

#define READ(bytes) read_packet(bytes, sizeof(bytes) - 1)

static void check_packets(void)
{
	struct packet k = READ("\x06");

	ok(k.kind == PACKET_TNT && k.cnt == 1 && k.value == 1, "06: one branch, taken");
	k = READ("\x52");
	ok(k.kind == PACKET_TNT && k.cnt == 5 && k.value == 0x09, "52: five branches, NTNNT");
	k = READ("\x02\xa3\xb8\x03\0\0\0\0");
	ok(k.kind == PACKET_TNT && k.cnt == 9 && k.value == 0x1b8 && k.sz == 8,
	   "02 a3: nine branches, TTNTTTNNN");
	k = READ("\xc7\x06");
	ok(k.kind == PACKET_CYC && k.value == 0x78 && k.sz == 2, "c7 06: 0x78 cycles");
	k = READ("\x02\x73\x2c\xa7\0\x2a\0");
	ok(k.kind == PACKET_TMA && k.value == 0xa72c && k.cnt == 0x2a, "TMA: CTC and FC");
	k = READ("\x02\x53\0\xa0\xa1\xa2\xa3\xa4\xa5\xa6\xa7");
	ok(k.kind == PACKET_EVENT && k.value == PACKET_EVENT_FLOW && k.sz == 11,
	   "EVD: data of an event");
	k = READ("\x02\x13\x81\x0e");
	ok(k.kind == PACKET_EVENT && k.value == PACKET_EVENT_FLOW && k.sz == 4,
	   "CFE: an interrupt, whose FUP is that of its branch");
	k = READ("\x02\x13\x82\0");
	ok(k.kind == PACKET_EVENT && k.value == PACKET_EVENT_PLACE && k.sz == 4,
	   "CFE: a return from an interrupt, whose FUP is its place");
	k = READ("\x02\x13\x87\0");
	ok(k.kind == PACKET_EVENT && k.value == PACKET_EVENT_PLACE,
	   "CFE: the entry of a guest, whose FUP is its place");
	k = READ("\xd9\x01\x05");
	ok(k.kind == PACKET_EVENT && k.value == PACKET_EVENT_FLOW && k.sz == 3,
	   "TRIG: without a place");
	k = READ("\xd9\xc1\x05\x19\x99");
	ok(k.kind == PACKET_EVENT && k.value == PACKET_EVENT_PLACE && k.sz == 5,
	   "TRIG: with a place, and a count of instructions");
	ok(READ("\xd9\x41\x05").kind == PACKET_BAD, "TRIG: without its count it is cut");
	ok(READ("\x02\xf3").kind == PACKET_OVF, "02 f3: packets were lost");
	ok(READ("\x02\xc3").kind == PACKET_BAD, "maintenance is none of these packets");
	ok(READ("\x02\xa3\xb8").kind == PACKET_BAD, "a packet that is cut is none");
	ok(READ("").kind == PACKET_BAD, "no byte is no packet");
}

static void check_addresses(void)
{
	uint64_t last = 0x7f3012345678;
	struct packet k = READ("\x2d\xde\x81");

	ok(packet__ip(&k, &last) && last == 0x7f30123481de, "two bytes replace the lowest");
	k = READ("\x4d\x42\xbd\x8f\xa2");
	ok(packet__ip(&k, &last) && last == 0x7f30a28fbd42, "four bytes replace the lowest");
	k = READ("\x6d\x10\x20\x30\x40\x50\xff");
	ok(packet__ip(&k, &last) && last == 0xffffff5040302010, "six bytes are sign-extended");
	k = READ("\x01");
	ok(k.kind == PACKET_PGD && !packet__ip(&k, &last) && last == 0xffffff5040302010,
	   "an address may be left out");
}

/* No byte makes a packet longer than what is there, or longer than the longest. */
static void check_bounds(void)
{
	static uint8_t bytes[512];
	unsigned int first, second, sz, bad = 0;
	struct packet k;

	for (first = 0; first < 256; first++)
		for (second = 0; second < 256; second++)
			for (sz = 1; sz <= sizeof(bytes); sz *= 2) {
				memset(bytes, 0xff, sizeof(bytes));
				bytes[0] = (uint8_t)first;
				bytes[1] = (uint8_t)second;
				packet__read(&k, bytes, bytes + sz);
				bad += k.sz > sz || k.sz > 16 ||
				       (k.kind != PACKET_BAD) != (k.sz > 0);
			}
	ok(bad == 0, "packets end within the bytes");
}

static void take(struct walk_time *t, const struct itrace_job *job, enum packet_kind kind,
		 uint64_t value, uint32_t cnt)
{
	const struct packet k = { .kind = kind, .value = value, .cnt = cnt };

	walk_time__packet(t, job, &k);
}

static void check_time(void)
{
	const struct itrace_job job = {
		.mtc_freq = 3, .nom_freq = 20, .ctc_ratio_n = 80, .ctc_ratio_d = 1
	};
	struct walk_time t = { 0 };

	take(&t, &job, PACKET_MTC, 4, 0);
	ok(!t.has_tsc && !t.tsc, "there is no time before the first TSC");
	take(&t, &job, PACKET_TSC, 1000000, 0);
	take(&t, &job, PACKET_TMA, 0xa72c, 0x2a);
	take(&t, &job, PACKET_CBR, 10, 0);
	take(&t, &job, PACKET_CYC, 50, 0);
	ok(t.tsc == 1000100, "cycles at half the frequency count twice");
	/* The next multiple of 8 ticks is 4 ticks after 0xa72c, which was 0x2a before the TSC. */
	take(&t, &job, PACKET_MTC, 0xe6, 0);
	ok(t.tsc == 1000000 - 0x2a + 4 * 80, "MTC is a tick of the crystal clock");
	take(&t, &job, PACKET_CYC, 10, 0);
	ok(t.tsc == 1000000 - 0x2a + 4 * 80 + 20, "cycles are counted from there on");
	take(&t, &job, PACKET_MTC, 0xe5, 0);
	ok(t.tsc == 1000000 - 0x2a + (4 + 255 * 8) * 80, "MTC's eight bits wrap around");
}

int main(void)
{
	check_packets();
	check_addresses();
	check_bounds();
	check_time();
	return done_testing();
}
