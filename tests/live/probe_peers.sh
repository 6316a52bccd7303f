#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Bpftrace's runtime tests of uprobe, usdt and dwarf as questions to bpfperf: a line of a table is the name of such a test (or of several
# that ask for the same here), and the text that answers it.
#
# Not asked, since bpfperf has nothing of the kind: globs in the file's path and for the kind of probe (a term names one file), lists by
# -p alone, --debuginfo (build-ids and the debug directories find debug files), casts and types of one's own, --usdt-file-activation
# (the kernel counts semaphores of files from the beginning). DWARF in files of its own (DWO, DWP) is asked for in probe_split.sh.
# Processes in mount namespaces of their own are asked for in probe_roots.sh.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc
[ "$(uname -m)" = x86_64 ] || skip_all "the notes of its USDT probes are written for x86-64"

cat >peer.c <<'EOS'
#include <stdio.h>
struct foo { int a; char b[10]; int c[3]; };
struct bar { struct foo *foos[2]; };
unsigned short sem __attribute__((section(".probes")));
#define NOTE(prov, name, args, ...) \
	__asm__ volatile("990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
			 "991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b, 0, sem\n" \
			 ".asciz \"" prov "\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n994: .balign 4\n.popsection" :: __VA_ARGS__)
__attribute__((noipa)) int function1(int *n, char c) { return *n + c; }
__attribute__((noipa)) int function2(struct foo *foo1) { return foo1->a; }
__attribute__((noipa)) int function_bar(struct bar *bar) { return bar->foos[0]->a; }
static inline __attribute__((always_inline)) void inlined(int n) { NOTE("tracetest", "twice", "-4@%0", "r"(n)); }
int main(int argc, char **argv)
{
	int n = 13;
	struct foo foo = { 123, "hello", { 1, 2, 3 } };
	struct bar bar = { { &foo, &foo } };
	volatile long long big = -579005069656919568;
	volatile short small = -3600;
	char one[] = "Hello World1", two[] = "Hello World2", three[] = "Hello World3"; /* in memory */

	n = function1(&n, 'x') + function2(&foo) + function_bar(&bar);
	NOTE("tracetest", "testprobe", "8@%0 8@%1", "r"((long)n), "r"(one));
	NOTE("tracetest", "testprobe2", "8@%0", "r"(two));
	NOTE("tracetest2", "testprobe2", "8@%0", "r"(three));
	NOTE("test", "constants", "-8@$-579005069656919568 4@$-202182160 -4@$-202182160 2@$-3600 -2@$-3600 1@$-16 -1@$-16", "i"(0));
	NOTE("test", "addresses", "-8@%0 -2@%1", "m"(big), "m"(small));
	NOTE("test", "registers", "-8@%0 4@%k1 -4@%k1", "r"(-579005069656919568), "r"(-202182160ll));
	inlined(999);
	inlined(100);
	printf("semaphore: %d\n", sem);
	return 0;
}
EOS
gcc -w -g -O1 -o peer peer.c || fail "the program peer compiles"
line=$(grep -n 'int function2' peer.c | cut -d: -f1)

{
	"$BPFPERF" list 'u:./peer:*' u:./peer:main 'usdt:./peer:*:*' 'usdt:./peer:tracetest2:*' 'usdt:./peer:tracetest:test*'
	"$BPFPERF" trace "u:./peer:function1(c:d,*n),u:./peer:function2(foo1->a,foo1->b,second=foo1->c[1]),u:./peer:function_bar(bar->foos[0]->a)" \
		"u:./peer:peer.c:$line(line=foo1->a)" 'usdt:./peer:tracetest*:test*(arg1:str)' 'usdt:./peer:tracetest:testprobe(n=arg1:d,arg2:str)' \
		'usdt:./peer:test:*' usdt:./peer:tracetest:twice -- ./peer
	"$BPFPERF" trace --count 'usdt:./peer:*:*()' -- ./peer
	./peer
} >out 2>err

while IFS='|' read -r name want; do
	like "$(cat out)" "$want" "$name"
done <<'EOS'
uprobes - list probes by file; with wildcarded filter|u:peer:function1\(
list uprobe args - basic type|u:peer:main\(int argc
list uprobe args - pointer type|u:peer:function1\(int \*n, char c\)
list uprobe args - struct pointer type|u:peer:function2\(struct foo \*foo1\)
uprobe arg by name - char; uprobe args as pointer|u:peer:function1: c=120
uprobe arg by name - pointer|u:peer:function1: c=120 n=13
uprobe arg by name - struct|u:peer:function2: a=123
struct field string|u:peer:function2: a=123 b="hello"
struct field array|u:peer:function2: .* second=2
complex type declaration|u:peer:function_bar: a=123
uprobe source location - attach probe to source line; multiple probes|u:peer:peer.c:[0-9]+: line=123
usdt probes - list probes by file|usdt:peer:tracetest:testprobe\(
usdt probes - filter probes by file on provider|usdt:peer:tracetest2:testprobe2\(
usdt probes - filter probes by file and wildcard probe name|usdt:peer:tracetest:testprobe2\(
usdt probes - attach to fully specified probe of child; with args|usdt:peer:tracetest:testprobe: n=[0-9]+ arg2="Hello World1"
usdt probes - attach to probe with args by file; on multiple providers|usdt:peer:tracetest2:testprobe2: arg1="Hello World3"
usdt probes - attach to probe by wildcard and file with child|usdt:peer:tracetest:testprobe2: arg1="Hello World2"
usdt constant arguments|arg1=-579005069656919568 arg2=4092785136 arg3=-202182160 arg4=61936 arg5=-3600 arg6=240 arg7=-16
usdt addr arguments|usdt:peer:test:addresses: arg1=-579005069656919568 arg2=-3600
usdt reg arguments; sized arguments|usdt:peer:test:registers: arg1=-579005069656919568 arg2=4092785136 arg3=-202182160
usdt duplicated markers: each copy|usdt:peer:tracetest:twice: arg1=999[^$]*usdt:peer:tracetest:twice: arg1=100
usdt probes - attach to probe with semaphore; file based activation|semaphore: [1-9]
usdt probes - all probes by wildcard and file with child| 1  usdt:peer:test:constants
EOS
is "$(grep -c '^semaphore: 0$' out)" 1 "a semaphore is counted down again"
done_testing
