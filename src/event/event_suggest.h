/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which event may have been meant. */
#ifndef BPFPERF_EVENT_EVENT_SUGGEST_H
#define BPFPERF_EVENT_EVENT_SUGGEST_H

/*
 * Logs that `wanted` (an event or a glob) is nothing, with the nearest names of all that
 * can be read here. Returns -ENOENT.
 */
int event_suggest__report(const char *wanted);

#endif
