// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * renamer [N]: N changes of the thread's own name, in turn from a list of plain and of hostile
 * names (line feed, escape sequences, quotes, backslash, broken UTF-8), each followed by one
 * getppid. Its last name is "renamer".
 */
#include <sys/prctl.h>

#include "workload.h"

static const char *const names[] = {
	"plain",         "with space", "new\nline",       "tab\there",       "\033[31mred",
	"quote\"back\\", "\xff\xfe",   "fifteen-letters", "=>:[001] 1.000:", "\x7f",
};

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? workload__count(argv[1]) : 1003, i;

	for (i = 0; i < n; i++) {
		prctl(PR_SET_NAME, names[i % (sizeof(names) / sizeof(*names))]);
		syscall(SYS_getppid);
	}
	prctl(PR_SET_NAME, "renamer");
	workload__say("pid=%d renames=%lu getppid=%lu\n", (int)syscall(SYS_gettid), n + 1, n);
	return 0;
}
