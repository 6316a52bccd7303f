// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/unit.h"

#include <string.h>

#include <linux/capability.h>

#include "service_unit.h"

/* The path of the program in the unit. */
#define PROGRAM "/usr/bin/bpfperf"

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* Appends a list of capabilities without those that the kernel does not have. */
static void put_caps(struct strbuf *sb, const char *line, const char *end, long last_cap)
{
	static const char *const late[] = { "CAP_PERFMON", "CAP_BPF", "CAP_CHECKPOINT_RESTORE" };
	const char *sep = "";
	size_t i, n;

	for (; line < end; line += n) {
		n = strcspn(line, " \n");
		for (i = 0; i < sizeof(late) / sizeof(*late); i++)
			if (n == strlen(late[i]) && begins(line, late[i]) &&
			    last_cap < CAP_PERFMON + (long)i)
				break;
		if (i == sizeof(late) / sizeof(*late)) {
			strbuf__puts(sb, sep);
			strbuf__add(sb, line, n);
			sep = " ";
		}
		n += strspn(line + n, " ");
	}
	strbuf__puts(sb, last_cap < CAP_CHECKPOINT_RESTORE ? " CAP_SYS_ADMIN\n" : "\n");
}

void unit__put(struct strbuf *sb, const char *program, long last_cap)
{
	const char *line, *end, *value, *at;

	for (line = service_unit; *line; line = end + 1) {
		end = strchr(line, '\n');
		value = strchr(line, '=');
		at = strstr(line, PROGRAM);
		if (begins(line, "CapabilityBoundingSet=") ||
		    begins(line, "AmbientCapabilities=")) {
			strbuf__add(sb, line, (size_t)(value + 1 - line));
			put_caps(sb, value + 1, end, last_cap);
		} else if (at && at < end) {
			strbuf__add(sb, line, (size_t)(at - line));
			strbuf__puts(sb, program);
			at += strlen(PROGRAM);
			strbuf__add(sb, at, (size_t)(end + 1 - at));
		} else {
			strbuf__add(sb, line, (size_t)(end + 1 - line));
		}
	}
}
