// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_tod.h"

#include <time.h>

#include "util/strbuf.h"

#define NSEC_PER_SEC 1000000000ull

void script_tod__put(struct strbuf *out, uint64_t real_ns, bool nanoseconds)
{
	time_t sec = (time_t)(real_ns / NSEC_PER_SEC);
	uint64_t ns = real_ns % NSEC_PER_SEC;
	char text[64];
	struct tm tm;

	if (!localtime_r(&sec, &tm) || !strftime(text, sizeof(text), "%F %H:%M:%S", &tm))
		return;
	strbuf__printf(out, "%s.%0*llu ", text, nanoseconds ? 9 : 6,
		       (unsigned long long)(nanoseconds ? ns : ns / 1000));
}
