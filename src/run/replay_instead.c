// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/replay_instead.h"

#include <string.h>

#include "util/log.h"

struct refused {
	const char *name; /* an option's long name, or its letter */
	const char *instead;
};

static const struct refused of_report[] = {
	{ "branch-history",
	  "branches are no part of callchains; script -F +brstacksym prints those "
	  "before each sample, and report -b sums them up" },
};

/* Logs the remedy for one of cnt options. False: the name is none of these. */
static bool log_instead(const struct refused *all, size_t cnt, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		if (strlen(all[i].name) != len || memcmp(all[i].name, name, len))
			continue;
		log_error("%s%s: %s", len > 1 ? "--" : "-", all[i].name, all[i].instead);
		return true;
	}
	return false;
}

bool replay_instead__of_report(const char *name, size_t len)
{
	return log_instead(of_report, sizeof(of_report) / sizeof(*of_report), name, len);
}
