// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/stop_signals.h"

#include <stddef.h>

void stop_signals__fill(sigset_t *set)
{
	struct sigaction hup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

bool stop_signals__pending(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t set, pending;
	size_t i;

	stop_signals__fill(&set);
	sigpending(&pending);
	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (sigismember(&set, signals[i]) == 1 && sigismember(&pending, signals[i]) == 1)
			return true;
	return false;
}
