#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Sources of unwind tables: all that is mapped, in whatever way; and how tables are freed.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc readelf

GETPPID=syscalls:sys_enter_getppid

cat >prog.c <<'END'
/* prog MODE N: getppid() N times, from three calls deep, without frame pointers. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define KEEP() __asm__ volatile("" ::: "memory")

NOINLINE void ask(void)
{
	syscall(SYS_getppid);
	KEEP();
}

NOINLINE static void inner(void)
{
	ask();
	KEEP();
}

NOINLINE static void times(int n, void (*fn)(void))
{
	for (; n > 0; n--) {
		fn();
		usleep(5000);
	}
	KEEP();
}

#ifdef WITH_DL
static void (*call)(void (*fn)(void));

NOINLINE static void through(void)
{
	call(inner);
	KEEP();
}

NOINLINE static void load(int n)
{
	times(20, inner);
	call = (void (*)(void (*)(void)))dlsym(dlopen("./libcall.so", RTLD_NOW), "call_it");
	times(n, through);
}

/* Executable memory, again and again until that is enough; then a library. */
NOINLINE static void map_more(int n)
{
	for (; n > 0 && access("enough", F_OK); n--) {
		mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		times(1, inner);
	}
	load(1);
	while (access("seen", F_OK))
		times(1, through);
	times(61, through);
	KEEP();
}
#endif

/* Until somebody has seen that the tables are there. */
NOINLINE static void until_seen(void)
{
	while (access("seen", F_OK)) {
		inner();
		usleep(5000);
	}
	KEEP();
}

/* Once the parent's tables are there: each child is one record. */
NOINLINE static void children(int n)
{
	until_seen();
	for (; n > 0; n--) {
		if (!fork()) {
			inner();
			_exit(0);
		}
		wait(NULL);
	}
	KEEP();
}

int main(int argc, char **argv)
{
	int n = atoi(argv[2]);

	if (!strcmp(argv[1], "plain"))
		times(n, inner);
	else if (!strcmp(argv[1], "seen")) {
		until_seen();
		times(n, inner);
	} else if (!strcmp(argv[1], "fork"))
		children(n);
#ifdef WITH_DL
	else if (!strcmp(argv[1], "dlopen"))
		load(n);
	else if (!strcmp(argv[1], "map"))
		map_more(n);
#endif
	/* This process becomes another program. */
	else if (!strcmp(argv[1], "exec")) {
		times(n, inner);
		execl("./other", "./other", "plain", argv[2], NULL);
	}
	KEEP();
	return 0;
}
END
cat >lib.c <<'END'
void call_it(void (*fn)(void))
{
	volatile char room[123];

	room[1] = 0;
	fn();
	room[2] = room[1];
}
END
compile() { # FILE ARG…
	local to=$1

	shift
	ok "$to is built" gcc -O2 -fomit-frame-pointer "$@" -o "$to" || done_testing
}
compile prog -DWITH_DL prog.c
compile static -static prog.c
compile nopie -no-pie prog.c
compile other -no-pie -Dinner=further prog.c
compile others_frames -no-pie -O0 -Dinner=further prog.c
compile libcall.so -shared -fPIC lib.c

how=auto
# Traces CMD's calls of getppid() into t.json; how many there are in $all.
trace() { # NAME CMD…
	local name=$1

	shift
	exits 0 "$name" "$BPFPERF" -v trace -g=user -e $GETPPID -o t.json "--unwind=$how" -- "$@"
	all=$(grep -c '"stack":\[' t.json)
	early=$(sed -nE 's/^bpfperf: ([0-9]+) of [0-9]+ user stacks are by frame pointers.*/\1/p
		s/^bpfperf: [0-9]+ of [0-9]+ user stacks are not complete:.* ([0-9]+) a table that was not built yet.*/\1/p' err |
		awk '{ n += $1 } END { print n + 0 }')
}
# Traces CMD; creates the file `seen` for CMD when a stack of it has been whole.
trace_seen() { # NAME CMD…
	local name=$1

	shift
	rm -f seen t.json
	"$BPFPERF" -v trace -g=user -e $GETPPID -o t.json "--unwind=$how" -- "$@" >out 2>err &
	bg=$!
	reap $bg
	wait_for 60 is_whole
	: >seen
	wait $bg
	is $? 0 "$name"
}
is_whole() {
	[ "$(stacks 'inner,until_seen,.*main,.*_start$')" -gt 0 ]
}
# Records whose functions, innermost first, match REGEX.
stacks() { # REGEX
	sed -nE 's/.*"stack":\[(.*)\].*/\1/p' t.json |
		sed -E 's/\{"ip":[^}]*"name":"([^"@]*)[^}]*\}/\1/g; s/\{[^}]*\}/?/g' | grep -cE "$1"
}
# The caller of main() is a local function of the C library, which only its debug file names.
call_main=__libc_start_call_main
has_libc_debug || call_main='\?'
WHOLE="inner,times,main,$call_main,__libc_start_main(_impl)?,_start\$"
# All are, but those of which the account says that they were taken before their tables were there:
# on a busy machine not only the first few.
whole() { # REGEX CNT NAME
	between "$(stacks "$1")" $(($2 - early)) "$2" "$3"
}

for prog in prog nopie static; do
	trace "$prog, stacks of 101 system calls: exit 0" ./$prog plain 101
	is "$all" 101 "$prog, stacks of 101 system calls: each call has one"
	whole 'inner,times,main,.*_start$' 101 "$prog, stacks of 101 system calls: each is whole"
done
trace_seen "calls until the tables are there: exit 0" ./prog seen 101
is "$(stacks "$WHOLE")" 101 "calls until the tables are there: each later stack is whole"

cp prog future
touch -d '+1 hour' future
trace_seen "a file whose time is still to come: exit 0" ./future seen 101
is "$(stacks "$WHOLE")" 101 "a file whose time is still to come: stacks are whole"

trace "dlopen, 61 stacks through a library: exit 0" ./prog dlopen 61
is "$all" 81 "dlopen, 61 stacks through a library: each call has one"
whole 'inner,call_it,through,times,(load,)?main,.*_start$' 61 "dlopen, 61 stacks through a library: each is whole"

# Each child's first and only record.
trace_seen "a fork of 37 children: exit 0" ./prog fork 37
is "$(sed -nE '/"stack":\[/s/.*"pid":([0-9]+).*/\1/p' t.json | sort | uniq -c | grep -c '^ *1 ')" 37 "a fork of 37 children: each has a stack"
is "$(stacks 'inner,(children,)?main,.*_start$')" 37 "a fork of 37 children: stacks are whole from the first record on"

trace "exec of another program in the same process: exit 0" ./prog exec 41
is "$all" 82 "exec of another program in the same process: each call has a stack"
whole 'further,times,main,.*_start$' 41 "exec of another program in the same process: later stacks by the new program's mappings"
whole "$WHOLE" 41 "exec of another program in the same process: earlier stacks by the old program's mappings"

# Another program in the same file: by its own table, not by that of what was there before.
cp nopie rewritten
trace "another program in the file of the first: exit 0" \
	sh -c './rewritten plain 101; cp others_frames rewritten; ./rewritten plain 101'
whole 'further,times,main,.*_start$' 101 "another program in the file of the first: stacks are whole"

# Sets of mappings in use: elements of the map of $bg that has them.
sets() {
	local id

	id=$(cat /proc/"$bg"/fdinfo/* 2>/dev/null | awk '$1 == "map_type:" { type = $2 } $1 == "max_entries:" { max = $2 }
		$1 == "map_id:" && type == 12 && max == 4096 { print $2 }')
	[ -z "$id" ] || bpftool map dump id "$id" 2>/dev/null | sed -n 's/^Found \([0-9]*\) element.*/\1/p'
}
THROUGH='inner,call_it,through,times,map_more,(main,)?.*_start$'
is_whole_through() {
	[ "$(stacks "$THROUGH")" -gt 0 ]
}
have_sets() { # LOW HIGH
	local n

	n=$(sets)
	[ -n "$n" ] && [ "$n" -ge "$1" ] && [ "$n" -le "$2" ]
}
if command -v bpftool >/dev/null; then
	rm -f seen enough t.json
	./prog map 7001 &
	reap $!
	"$BPFPERF" -v trace -g=user -e $GETPPID -o t.json -p $! >out 2>err &
	bg=$!
	reap $bg
	ok "a process that maps more and more: one set of mappings after the other" wait_for 60 have_sets 3 4096
	: >enough
	ok "a process that maps more and more: sets that are no longer used are released" wait_for 60 have_sets 1 1
	ok "a process that maps more and more: the latest mapping has its table" wait_for 60 is_whole_through
	: >seen
	wait $bg
	is $? 0 "a process that maps more and more: exit 0"
	between "$(stacks "$THROUGH")" 61 100000 "a process that maps more and more: each later stack is whole"
else
	skip_test "sets of mappings" "bpftool is not installed"
fi

# The registers at the entry to the kernel where it does not tell them (before 5.15).
export BPFPERF_WITHOUT=task_regs
trace "without bpf_task_pt_regs(): exit 0" ./prog plain 101
whole "$WHOLE" 101 "without bpf_task_pt_regs(): stacks are whole"
export BPFPERF_WITHOUT=btf
exits 1 "--unwind=cfi without BTF: exit 1" "$BPFPERF" stack --unwind=cfi --duration 0.1
like "$(cat err)" '--unwind=cfi needs .*BTF.*; give --unwind=fp' "--unwind=cfi without BTF: the remedy is named"
exits 0 "--unwind=auto without BTF: exit 0" "$BPFPERF" stack -a --duration 0.2 -o f.folded
unlike "$(cat err)" 'unwind tables' "--unwind=auto without BTF: stacks by frame pointers"
unset BPFPERF_WITHOUT

exits 2 "stack --unwind=dwarf: exit 2" "$BPFPERF" stack --unwind=dwarf --duration 0.1
like "$(cat err)" 'choose from: fp auto cfi' "stack --unwind=dwarf: the choices are listed"

# By tables alone nothing is guessed.
how=cfi
trace "stack --unwind=cfi: exit 0" ./prog plain 101
is "$(grep -c '"by":"fp"' t.json)" 0 "stack --unwind=cfi: no function is guessed"
whole "$WHOLE" 101 "stack --unwind=cfi: stacks are whole"
how=fp
trace "stack --unwind=fp: exit 0" ./prog plain 101
is "$(stacks "$WHOLE")" 0 "stack --unwind=fp: no stack is whole"

# A worker in the kernel is a thread of its process, and has no user stack.
cat >uring.c <<'END'
#include <linux/io_uring.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	struct io_uring_params p = { .flags = IORING_SETUP_SQPOLL };

	return syscall(SYS_io_uring_setup, 1, &p) < 0;
}
END
worker() { # HOW: the stack that the worker ends with
	"$BPFPERF" trace -g=user -e sched:sched_process_exit -o t.json "--unwind=$1" -- ./uring >out 2>err &&
		grep '"comm":"iou-sqp' t.json | sed -E 's/.*"stack":(\[.*\]|null).*/\1/'
}
if gcc uring.c -o uring 2>err && ./uring; then
	theirs=$(worker fp)
	like "$theirs" '^(\[.*\]|null)$' "a worker of io_uring: a stack of the kernel or none"
	is "$(worker cfi)" "$theirs" "a worker of io_uring: tables find no more"
else
	skip_test "a worker of io_uring" "there is none"
fi

# The program's own table goes some time after it; the library's stays, since it is used.
exits 0 "a program that ends: exit 0" "$BPFPERF" -v stack -F 499 -o f.folded -- \
	bash -c "cp '$WORKLOADS/unwind_c' once; ./once calls 0.5; sleep 15"
like "$(cat err)" 'unwind table of .*/once: [0-9]+ KiB' "a program that ends: its table was made"
like "$(cat err)" ' tables built in .* ms, [1-9][0-9]* freed' "a program that ends: its table is released"
between "$(sed -nE 's/.*unwind tables: ([0-9]+) files.*/\1/p' err)" 2 9 "a program that ends: other tables stay"
done_testing
