// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/page_size.h"

#include "util/strbuf.h"

void page_size__put(struct strbuf *out, uint64_t sz)
{
	const char *unit = "BKMG";

	for (; sz && unit[1] && sz % 1024 == 0; unit++)
		sz /= 1024;
	if (sz)
		strbuf__printf(out, "%llu%c", (unsigned long long)sz, *unit);
	else
		strbuf__puts(out, "N/A");
}
