// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The layouts that the program of all system calls gets: from formats of kernels with and without
 * user data, and from no format.
 */
#include "session/syscall_layout.h"

#include "event/syscall_nr.h"

#include "tap.h"

#define HEAD                                                                                       \
	"name: e\nID: 7\nformat:\n"                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"                               \
	"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
#define ARG(name, off) "\tfield:const char * " name ";\toffset:" #off ";\tsize:8;\tsigned:0;\n"
#define VAL(name, off)                                                                             \
	"\tfield:__data_loc char[] __" name "_val;\toffset:" #off ";\tsize:4;\tsigned:0;\n"
#define END "\nprint fmt: \"%s\", __get_str(__name_val)\n"
#define BYTES(name) "\nprint fmt: \"%s\", __print_dynamic_array(__" name "_val, 1)\n"

static struct syscall_layout layout;

static bool is_one(const char *name, const char *text)
{
	struct tp_format *fmt = tp_format__parse("syscalls", name, text, strlen(text));
	bool is = fmt && syscall_layout__of(fmt, &layout);

	tp_format__free(fmt);
	return is;
}

static void test_without_user_data(void)
{
	ok(is_one("sys_enter_openat",
		  HEAD ARG("dfd", 16) ARG("filename", 24) ARG("flags", 32) ARG("mode", 40) END),
	   "openat before 6.19");
	is_s64(layout.nr, syscall_nr__by_event("openat"), "openat before 6.19: its number");
	ok(layout.is_enter, "openat before 6.19: an entry");
	is_s64(layout.arg_cnt, 4, "openat before 6.19: 4 arguments");
	is_s64(syscall_layout__user_data(&layout), 0, "openat before 6.19: no user data");
	ok(is_one("sys_enter_getpid", HEAD END), "getpid is a system call's layout");
	is_s64(layout.arg_cnt, 0, "getpid: no argument");
	ok(is_one("sys_exit_openat", HEAD ARG("ret", 16) END), "an exit is a system call's layout");
	ok(!layout.is_enter, "an exit: no entry");
}

static void test_user_data(void)
{
	__u32 data;

	ok(is_one("sys_enter_openat", HEAD ARG("dfd", 16) ARG("name", 24) VAL("name", 32) END),
	   "openat with one name is a layout");
	data = syscall_layout__user_data(&layout);
	is_s64(layout.arg_cnt, 2, "openat with one name: the name is no argument");
	is_s64(WIRE_DATA_CNT(data), 1, "openat with one name: one piece of user data");
	is_s64(WIRE_DATA_ARG(data, 0), 1, "openat with one name: data of the second argument");
	is_s64(WIRE_DATA_SZ(data), WIRE_DATA_TEXT, "openat with one name: the data is text");

	ok(is_one("sys_enter_mount",
		  HEAD ARG("dev", 16) ARG("x", 24) ARG("dir", 32) ARG("y", 40) ARG("z", 48)
			  ARG("type", 56) VAL("dev", 64) VAL("dir", 68) VAL("type", 72) END),
	   "mount with three names is a layout");
	data = syscall_layout__user_data(&layout);
	is_s64(WIRE_DATA_CNT(data), 3, "mount with three names: three pieces of user data");
	is_s64(WIRE_DATA_ARG(data, 0), 0, "mount with three names: the first argument's");
	is_s64(WIRE_DATA_ARG(data, 1), 2, "mount with three names: the second argument's");
	is_s64(WIRE_DATA_ARG(data, 2), 5, "mount with three names: the third argument's");

	ok(is_one("sys_enter_write",
		  HEAD ARG("fd", 16) ARG("buf", 24) ARG("count", 32) VAL("buf", 40) BYTES("buf")),
	   "write with bytes is a layout");
	is_s64(WIRE_DATA_SZ(syscall_layout__user_data(&layout)), 2,
	       "write with bytes: as many as the third argument says");
	ok(is_one("sys_enter_sethostname", HEAD ARG("name", 16) ARG("len", 24) VAL("name", 32) END),
	   "text with a length is a layout");
	is_s64(WIRE_DATA_SZ(syscall_layout__user_data(&layout)), 1,
	       "text with a length: as long as the second argument says");
	ok(is_one("sys_enter_read", HEAD ARG("fd", 16) ARG("buf", 24) VAL("buf", 32) BYTES("buf")),
	   "bytes of a call that is not known for it");
	is_s64(WIRE_DATA_SZ(syscall_layout__user_data(&layout)), WIRE_DATA_NONE,
	       "bytes of an unknown call are not read");
}

static void test_other_records(void)
{
	ok(!is_one("enter_openat", HEAD END), "neither entry nor exit");
	ok(!is_one("sys_enter_no_such_call", HEAD END), "a call without a number");
	ok(!is_one("sys_exit_openat", HEAD END), "an exit without a value");
	ok(!is_one("sys_exit_openat", HEAD ARG("ret", 16) VAL("ret", 24) END),
	   "an exit with user data");
	ok(!is_one("sys_enter_openat", HEAD ARG("dfd", 16) ARG("name", 32) END),
	   "a hole between arguments is refused");
	ok(!is_one("sys_enter_openat", HEAD ARG("a", 16) ARG("b", 24) ARG("c", 32) ARG("d", 40)
					       ARG("e", 48) ARG("f", 56) ARG("g", 64) END),
	   "a call of seven arguments is refused");
	ok(!is_one("sys_enter_openat", HEAD ARG("name", 16) VAL("mode", 24) END),
	   "user data of no argument");
	ok(!is_one("sys_enter_openat", HEAD ARG("name", 16) VAL("name", 28) END),
	   "user data elsewhere");
	ok(!is_one("sys_enter_openat", HEAD ARG("name", 16) VAL("name", 24) ARG("mode", 32) END),
	   "an argument behind user data");
	ok(!is_one("sys_enter_openat", HEAD ARG("a", 16) ARG("b", 24) ARG("c", 32) ARG("d", 40) VAL(
					       "a", 48) VAL("b", 52) VAL("c", 56) VAL("d", 60) END),
	   "four of them");
	ok(!is_one("sys_enter_write",
		   HEAD ARG("fd", 16) ARG("buf", 24) VAL("buf", 32) BYTES("buf")),
	   "bytes without the argument that says how many");
}

int main(void)
{
	test_without_user_data();
	test_user_data();
	test_other_records();
	return done_testing();
}
