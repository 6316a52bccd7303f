#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Commands of which one allocation fails, or all from one on: each ends with the right output, or says that memory is short
# and exits with 1; none crashes or hangs. ALLOCATIONS of each command (5), spread over its run, or all of them with
# --all-kernels. Only bpfperf's own process has less memory: neither its children (readers) nor the programs that it starts are tested.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc

ALLOCATIONS=${ALLOCATIONS:-5}
[ "${VM_MATRIX:-}" != all ] || ALLOCATIONS=1000000

# Preloaded: fails allocation AT of bpfperf itself, or all from FROM on; their number is in the file LOG.
cat >fail.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
	*__libc_memalign(size_t, size_t);
extern char *program_invocation_short_name;
static long at, from, cnt, failed;
static pid_t own;
static int log_fd;

__attribute__((constructor)) static void begin(void)
{
	at = atol(getenv("AT"));
	from = atol(getenv("FROM"));
	/* The programs that it starts have this library, too. */
	own = strcmp(program_invocation_short_name, "bpfperf") ? 0 : getpid();
	/* A command that reads a recording cannot make files later. */
	if (own)
		log_fd = open(getenv("LOG"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	__atomic_store_n(&cnt, 0, __ATOMIC_RELAXED);
}

static int fails(void)
{
	long nr;

	/* Before that, allocations are those of the dynamic loader. */
	if (!own || getpid() != own)
		return 0;
	nr = __atomic_add_fetch(&cnt, 1, __ATOMIC_RELAXED);
	if (nr != at && (!from || nr < from))
		return 0;
	failed = 1;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t sz) { return fails() ? NULL : __libc_malloc(sz); }
void *calloc(size_t n, size_t sz) { return fails() ? NULL : __libc_calloc(n, sz); }
void *realloc(void *p, size_t sz) { return fails() ? NULL : __libc_realloc(p, sz); }
void *aligned_alloc(size_t align, size_t sz) { return fails() ? NULL : __libc_memalign(align, sz); }
void *reallocarray(void *p, size_t n, size_t sz)
{
	size_t all;

	if (__builtin_mul_overflow(n, sz, &all))
		return errno = ENOMEM, NULL;
	return fails() ? NULL : __libc_realloc(p, all);
}

__attribute__((destructor)) static void end(void)
{
	char text[64];
	int n;

	if (getpid() != own)
		return;
	n = snprintf(text, sizeof(text), "allocations=%ld failed=%ld\n", cnt, failed);
	if (write(log_fd, text, n) != n)
		_exit(3);
}
END
gcc -O2 -w -shared -fPIC fail.c -o fail.so || skip_all "gcc does not make the library"

"$BPFPERF" record -q -g -F 999 -o in.data -- "$WORKLOADS/spin" 0.2 >/dev/null 2>&1
"$BPFPERF" stack -F 997 -o in.html -- "$WORKLOADS/spin" 0.2 >/dev/null 2>&1
declare -A commands=(
	[script]="script -i in.data"
	[script-json]="script --format json -i in.data"
	[report]="report -i in.data"
	[folded]="report --format folded -i in.data"
	[stack-i]="stack -i in.html --format folded"
	[explain]="explain --pmu hsw -e l1d_pend_miss.pending,cycles,instructions"
	[list]="list"
	[trace]="trace -g raw_syscalls:sys_enter -o out -- $WORKLOADS/syscall_loop 11"
	[stack]="stack -F 997 --format folded -o out -- $WORKLOADS/spin 0.05"
	[stat]="stat -e page-faults,raw_syscalls:sys_enter -o out -- $WORKLOADS/syscall_loop 11"
	[record]="record -F 997 -o out -- $WORKLOADS/spin 0.05"
	[strace]="strace -o out -- $WORKLOADS/syscall_loop 11"
)

# Runs a command, and sets status, allocations, and failed: 1 if one failed.
run() { # COMMAND AT FROM
	rm -f out out.old log
	# shellcheck disable=SC2086 # words
	timeout -k 1 20 env LD_PRELOAD="$PWD/fail.so" AT="$2" FROM="$3" LOG="$PWD/log" "$BPFPERF" ${commands[$1]} >stdout 2>stderr </dev/null
	status=$?
	allocations=0 failed=0
	# shellcheck disable=SC1090 # KEY=N for these two
	[ ! -e log ] || . <(tr ' ' '\n' <log)
}

# Prints what is wrong with the last run of a command; the output without faults is in want.
verdict() { # COMMAND
	case $status in
	0)
		case $1 in
		trace | stack | stat | record | strace) [ -s out ] || grep -qE '(warning|error): ' stderr || echo "no output, and no message" ;;
		*) cmp -s stdout want || grep -qE '(warning|error): ' stderr || echo "another output, and no message" ;;
		esac
		;;
	124 | 137) echo "hangs" ;;
	1 | 2) [ -s stderr ] || echo "exit $status, and no message" ;;
	*) echo "exit $status" ;;
	esac
}

# Prints the numbers of allocations that fail, of COUNT.
sample() { # COUNT
	local i

	[ "$1" -gt "$ALLOCATIONS" ] || { seq "$1" && return; }
	for ((i = 1; i <= ALLOCATIONS; i++)); do
		echo $(((i * $1 - $1 / 2) / ALLOCATIONS))
	done
}

for command in ${COMMANDS:-script script-json report folded stack-i explain list trace stack stat record strace}; do
	run "$command" 0 0
	is "$status" 0 "$command with all its memory: exit 0"
	cp stdout want
	total=$allocations
	between "$total" 10 100000000 "$command: its allocations are counted"
	for way in one rest; do
		bad='' short=0
		for n in $(sample "$total"); do
			if [ $way = one ]; then run "$command" "$n" 0; else run "$command" 0 "$n"; fi
			short=$((short + failed))
			why=$(verdict "$command" | paste -sd, -)
			[ -z "$why" ] || bad+="allocation $n of $total: $why; "
		done
		if [ $way = one ]; then
			is "$bad" "" "$command, of which one allocation fails: the output is right, or there is a message"
		else
			is "$bad" "" "$command, of which all allocations fail from one on: there is a message"
		fi
		between "$short" 1 "$ALLOCATIONS" "$command, $way: memory was short"
	done
done
done_testing
