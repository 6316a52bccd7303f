// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_synth.h"

#include <string.h>

#include "data/perf_sample.h"

typedef unsigned long long ull;

/* perf's column is that wide. */
#define WIDTH 34

/* A number of printable characters is their text, too. */
static void put_ptwrite(struct strbuf *out, const struct perf_sample *s)
{
	char text[sizeof(s->addr) + 1] = "";
	size_t len, i;

	memcpy(text, &s->addr, sizeof(s->addr));
	len = strlen(text);
	for (i = 0; i < sizeof(s->addr); i++)
		if (i < len ? text[i] < ' ' || text[i] > '~' : text[i] != '\0')
			len = 0;
	strbuf__printf(out, " IP: %u payload: %#llx %.*s ", s->is_at_ip, (ull)s->addr, (int)len,
		       text);
}

static void put_cbr(struct strbuf *out, const struct perf_sample *s)
{
	const struct cbr_unit *unit = &s->cbr_unit;
	const ull cbr = s->addr;

	strbuf__printf(out, " cbr: %2llu freq: %4llu MHz ", cbr, (cbr * unit->khz + 500) / 1000);
	if (unit->max_nonturbo)
		strbuf__printf(out, "(%3llu%%) ", (5 + 1000 * cbr / unit->max_nonturbo) / 10);
}

/* Bits of payloads: Intel SDM, volume 3, "Packet definitions". */
void script_synth__put(struct strbuf *out, const struct perf_sample *s)
{
	const ull v = s->addr;
	const size_t start = out->len;

	switch (s->event->attr.config) {
	case PERF_SYNTH_PTWRITE:
		put_ptwrite(out, s);
		break;
	case PERF_SYNTH_MWAIT:
		strbuf__printf(out, " hints: %#llx extensions: %#llx ", v & 0xff, v >> 32 & 3);
		break;
	case PERF_SYNTH_PWRE:
		strbuf__printf(out, " hw: %llu cstate: %llu sub-cstate: %llu ", v >> 7 & 1,
			       v >> 12 & 15, v >> 8 & 15);
		break;
	case PERF_SYNTH_EXSTOP:
		strbuf__printf(out, " IP: %u ", s->is_at_ip);
		break;
	case PERF_SYNTH_PWRX:
		strbuf__printf(out, " deepest cstate: %llu last cstate: %llu wake reason: %#llx ",
			       v & 15, v >> 4 & 15, v >> 8 & 15);
		break;
	case PERF_SYNTH_CBR:
		put_cbr(out, s);
		break;
	case PERF_SYNTH_PSB:
		strbuf__printf(out, " psb offs: %#llx ", v);
		break;
	default:
		break;
	}
	strbuf__pad(out, start, WIDTH);
}
