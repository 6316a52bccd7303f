// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/sample_text.h"

#include "event/event.h"

int sample_text__put(struct printer *pr, const struct sample *s, struct strbuf *out)
{
	const uint8_t *raw = s->raw;
	uint32_t i;

	if (!raw)
		return 0;
	if (s->event->fmt)
		return printer__print(pr, s->event->fmt, raw, s->raw_sz, out);
	for (i = 0; i < s->raw_sz; i++)
		strbuf__printf(out, "%s%02x", i ? " " : "", raw[i]);
	return 0;
}
