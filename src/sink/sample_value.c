// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/sample_value.h"

#include "data/perf_sample.h"

static bool has_ip(const struct sample *s)
{
	return s->perf && s->perf->have & PERF_SAMPLE_IP;
}

void sample_value__put_json(const struct sample *s, struct strbuf *out)
{
	strbuf__puts(out, ",\"period\":");
	strbuf__put_u64(out, s->period);
	if (!has_ip(s))
		return;
	strbuf__puts(out, ",\"ip\":\"0x");
	strbuf__put_hex(out, s->perf->ip);
	strbuf__putc(out, '"');
}

void sample_value__put_csv(const struct sample *s, struct strbuf *out)
{
	strbuf__putc(out, ',');
	strbuf__put_u64(out, s->period);
	strbuf__putc(out, ',');
	if (!has_ip(s))
		return;
	strbuf__puts(out, "0x");
	strbuf__put_hex(out, s->perf->ip);
}
