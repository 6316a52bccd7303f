/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Suggests events with similar names. */
#ifndef BPFPERF_EVENT_EVENT_SUGGEST_H
#define BPFPERF_EVENT_EVENT_SUGGEST_H

/*
 * Logs that `wanted` (an event or a glob) does not exist, with the nearest of all names readable
 * here. Returns -ENOENT.
 */
int event_suggest__report(const char *wanted);

#endif
