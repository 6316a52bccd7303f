// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Which record layouts the hand-written programs take: those of several kernels, and none that is
 * off by a field.
 */
#include "session/raw_events.h"

#include "tap.h"

#define COMMON                                                                                     \
	"name: e\nID: 7\nformat:\n"                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define END "\nprint fmt: \"%d\", REC->pid\n"

#define COMM16 "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
#define COMM_DYN "\tfield:__data_loc char[] comm;\toffset:8;\tsize:4;\tsigned:0;\n"
#define INT(name, off) "\tfield:int " name ";\toffset:" #off ";\tsize:4;\tsigned:1;\n"
#define U64(name, off) "\tfield:u64 " name ";\toffset:" #off ";\tsize:8;\tsigned:0;\n"

static void check(const char *text, const char *layout, int want, bool want_dyn, const char *what)
{
	struct tp_format *fmt = tp_format__parse("sys", "e", text, strlen(text));
	bool dyn = false;
	int got = fmt ? raw_events__layout_matches(fmt, layout, &dyn) : -1;

	is_s64(got, want, "%s", what);
	if (want == 1)
		is_s64(dyn, want_dyn, "%s: its name is %s", what,
		       want_dyn ? "dynamic" : "char[16]");
	tp_format__free(fmt);
}

int main(void)
{
	check(COMMON COMM16 INT("pid", 24) INT("prio", 28) END, "comm:C pid:4 prio:4", 1, false,
	      "a fixed name");
	check(COMMON COMM_DYN INT("pid", 12) INT("prio", 16) END, "comm:C pid:4 prio:4", 1, true,
	      "a dynamic name");
	check(COMMON COMM_DYN INT("pid", 12) U64("runtime", 16) END, "comm:C pid:4 runtime:8", 1,
	      true, "eight bytes behind four");
	check(COMMON COMM16 INT("pid", 24) U64("runtime", 32) END, "comm:C pid:4 runtime:8", 1,
	      false, "a hole before eight bytes");
	check(COMMON COMM16 INT("pid", 24) U64("runtime", 32) U64("vruntime", 40) END,
	      "comm:C pid:4 runtime:8", 0, false, "a field more (vruntime before 6.8)");
	check(COMMON COMM16 INT("pid", 24) END, "comm:C pid:4 prio:4", 0, false, "a field less");
	check(COMMON COMM16 INT("pid", 24) INT("prio", 32) END, "comm:C pid:4 prio:4", 0, false,
	      "a field elsewhere");
	check(COMMON COMM16 INT("tid", 24) INT("prio", 28) END, "comm:C pid:4 prio:4", 0, false,
	      "a field of another name");
	check(COMMON COMM16 U64("pid", 24) INT("prio", 32) END, "comm:C pid:4 prio:4", 0, false,
	      "a field of another size");
	check(COMMON COMM16 INT("pid", 24) END, "comm:D pid:4", 0, false,
	      "a fixed name where only a dynamic one will do");
	check(COMMON INT("cpu", 8) END, "cpu:4", 1, false, "one number in place of another");
	return done_testing();
}
