// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/split_report.h"

#include "sym/sym.h"
#include "util/log.h"

/* A machine may run many programs that were built in one directory: the first few suffice. */
#define WARNED_MAX 3

static void warn_missing(void *ctx, const char *path, const char *missing)
{
	int *warned = ctx;

	if (++*warned <= WARNED_MAX)
		log_warn("%s: inlined functions are missing: %s", path, missing);
}

void split_report__missing(const struct sym *sym)
{
	int warned = 0;

	sym__each_split_missing(sym, warn_missing, &warned);
	if (warned > WARNED_MAX)
		log_warn("of %d more programs inlined functions are missing for such reasons",
			 warned - WARNED_MAX);
}
