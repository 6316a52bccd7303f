/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_UTIL_PROC_STATUS_H
#define BPFPERF_UTIL_PROC_STATUS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/*
 * The real and the effective user in the text of /proc/PID/status. The owner of the directory does
 * not tell them: that of a process that is not dumpable belongs to root. false: they are not there.
 */
static inline bool proc_status__uids(const char *text, unsigned int *real, unsigned int *effective)
{
	const char *line = strstr(text, "\nUid:");

	return line && sscanf(line, " Uid: %u %u", real, effective) == 2;
}

#endif
