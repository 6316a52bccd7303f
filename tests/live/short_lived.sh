#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# User stacks of processes that end at once: they are whole from the first record on if the tables of their files are
# there, for CMD itself from its start on. No file has the table of another one.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc
grep -qa maple_arange_64 /sys/kernel/btf/vmlinux || skip_all "this kernel's mappings are in no maple tree (6.1)"

cat >prog.c <<'END'
/* prog N: getppid() N times, from three calls deep, without frame pointers; N = 0: until the file `seen` exists. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define KEEP() __asm__ volatile("" ::: "memory")

NOINLINE static void inner(void)
{
	ROOM;
	syscall(SYS_getppid);
	KEEP();
}

NOINLINE static void times(int n)
{
	for (; n > 0; n--)
		inner();
	KEEP();
}

NOINLINE static void until_seen(void)
{
	while (access("seen", F_OK)) {
		inner();
		usleep(5000);
	}
	KEEP();
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;

	if (n)
		times(n);
	else
		until_seen();
	KEEP();
	return 0;
}
END
compile() { # FILE ARG…
	local to=$1

	shift
	ok "$to is built" gcc -O2 -fomit-frame-pointer "$@" prog.c -o "$to" || done_testing
}
compile prog -DROOM=
# It has the size of the other file, but each function's frame is larger.
compile small -no-pie -DROOM=
compile large -no-pie -Dinner=further '-DROOM=volatile char room[200]; room[1] = 0'
truncate -s 65537 small large
touch -d '2020-02-02 02:02:02' small large

# Records whose functions, innermost first, match REGEX.
stacks() { # REGEX
	sed -nE 's/.*"stack":\[(.*)\].*/\1/p' t.json |
		sed -E 's/\{"ip":[^}]*"name":"([^"@]*)[^}]*\}/\1/g; s/\{[^}]*\}/?/g' | grep -cE "$1"
}
is_whole() { # REGEX
	[ -s t.json ] && [ "$(stacks "$1")" -gt 0 ]
}
GETPPID=syscalls:sys_enter_getppid
# Traces CMD's calls of getppid() into t.json, and creates `seen` when there is a stack that matches REGEX.
trace_seen() { # NAME REGEX CMD…
	local name=$1 regex=$2

	shift 2
	rm -f seen t.json
	"$BPFPERF" -v trace -g=user -e $GETPPID -m 4M -o t.json -- "$@" >out 2>err &
	bg=$!
	reap $bg
	wait_for 60 is_whole "$regex"
	: >seen
	wait $bg
	is $? 0 "$name: exit 0"
}
CALL_MAIN='(__libc_start_call_main|\?),__libc_start_main(_impl)?,_start$'

# CMD's tables are made before it starts: its first record is whole, if it is the only one.
for i in 1 2 3; do
	exits 0 "CMD's first record, run $i: exit 0" "$BPFPERF" trace -g=user -e $GETPPID -o t.json -- ./prog 1
	is "$(stacks "^syscall,inner,times,main,$CALL_MAIN")" 1 "CMD's first record, run $i: its stack is whole"
done
exits 0 "a script's first record: exit 0" "$BPFPERF" trace -g=user -e syscalls:sys_enter_brk -o t.json -- ldd --version
is "$(head -1 t.json | grep -c '"by":"fp"')" 0 "a script's first record: by its interpreter's table"
# Without them it is not.
BPFPERF_WITHOUT=mapping_tree exits 0 "without the tree of mappings: exit 0" "$BPFPERF" trace -g=user -e $GETPPID \
	-o t.json -- ./prog 1
is "$(grep -c '"stack":\[' t.json)" 1 "without the tree of mappings: the record has a stack"

# shellcheck disable=SC2016 # CMD's
trace_seen "303 processes, one record each" "^syscall,inner,until_seen,.*_start$" sh -c \
	'./prog; i=0; while [ $i -lt 303 ]; do ./prog 1; i=$((i + 1)); done'
is "$(stacks "^syscall,inner,times,main,$CALL_MAIN")" 303 "303 processes, one record each: each stack is whole"

# Processes that live for a millisecond, most of which is exec and exit, sampled there, too: they have their tables; where a
# process has no memory any more, that is said.
exits 0 "2003 processes of a millisecond: exit 0" "$BPFPERF" stack -F 4999 -o t.folded -- "$WORKLOADS/short_lived" 2003 1
early=$(sed -nE 's/^bpfperf: [0-9]+ of [0-9]+ user stacks are not complete:.* ([0-9]+) a table that was not built yet.*/\1/p' err)
early_pct=$((100 * ${early:-0} / $(summary samples)))
gone=$(sed -nE 's/^bpfperf: ([0-9]+) stacks in exit and exec have no user part.*/\1/p' err)
between "$early_pct" 0 2 "2003 processes of a millisecond: at most 2 % of the stacks came before their tables"
between "${gone:-0}" 1 1000000 "2003 processes of a millisecond: stacks in exec and exit are counted as such"

# A file that is written over between two runs has two tables, and neither serves the other's program: the inode, the size
# and the time of the last write are equal.
# shellcheck disable=SC2016 # CMD's
exits 0 "one file, two programs in turn: exit 0" "$BPFPERF" -v trace -g=user -e $GETPPID -o t.json -- sh -c '
	i=0
	while [ $i -lt 31 ]; do
		for prog in small large; do
			cat $prog >both
			chmod +x both
			touch -r $prog both
			./both 7
		done
		i=$((i + 1))
	done'
# The names of the code that was written over are gone.
whole=$(stacks '^syscall,([^,]*,){3}(__libc_start_call_main|\?),__libc_start_main(_impl)?,[^,]*$')
early=$(sed -nE 's/^bpfperf: [0-9]+ of [0-9]+ user stacks are not complete:.* ([0-9]+) a table that was not built yet.*/\1/p' err)
is "$(grep -c '"comm":"both".*"stack":\[' t.json)" 434 "one file, two programs in turn: each call has a stack"
is $((whole + ${early:-0})) 434 "one file, two programs in turn: each is whole, or its table was not there yet"
unlike "$(cat err)" '[0-9] (neither a rule|a frame not above|stack memory)' \
	"one file, two programs in turn: no stack is walked by another program's table"

# The mapping of an overlay is of a file in a layer below; containers run from one.
mkdir -p lower upper work merged
cp prog lower/prog
if mount -t overlay overlay -o "lowerdir=$PWD/lower,upperdir=$PWD/upper,workdir=$PWD/work" merged 2>err; then
	# shellcheck disable=SC2016 # CMD's
	trace_seen "processes from an overlay" "^syscall,inner,until_seen,.*_start$" sh -c \
		'merged/prog; i=0; while [ $i -lt 53 ]; do merged/prog 1; i=$((i + 1)); done'
	is "$(stacks "^syscall,inner,times,main,$CALL_MAIN")" 53 "processes from an overlay: each stack is whole"
	umount merged
else
	skip_test "processes from an overlay" "no overlay can be mounted"
fi
done_testing
