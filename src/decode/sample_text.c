// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/sample_text.h"

#include <errno.h>
#include <string.h>

#include "decode/raw_swap.h"

int sample_text__put(struct printer *pr, const struct perf_sample *s, struct strbuf *swapped,
		     struct strbuf *out)
{
	const struct tp_format *fmt = s->event->fmt;
	const uint8_t *raw = s->raw;
	uint32_t i;

	if (!raw)
		return 0;
	if (!fmt) {
		for (i = 0; i < s->raw_sz; i++)
			strbuf__printf(out, "%s%02x", i ? " " : "", raw[i]);
		return 0;
	}
	if (!s->swap)
		return printer__print(pr, fmt, raw, s->raw_sz, out);
	strbuf__reset(swapped);
	if (strbuf__reserve(swapped, s->raw_sz + 8))
		return -ENOMEM;
	memcpy(swapped->buf, raw, s->raw_sz);
	raw_swap(fmt, (uint8_t *)swapped->buf, s->raw_sz);
	return printer__print(pr, fmt, swapped->buf, s->raw_sz, out);
}
