#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# parallel: yes
# Samples in the page where the kernel runs the instructions of probed functions: script and report print them as perf does.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
# shellcheck source=perf_text.bash
. "$TOP/tests/live/perf_text.bash"
need_cmd perf gcc

# The kernel runs this instruction out of line: it emulates pushes, jumps and nops alone.
cat >out_of_line.c <<'END'
#include <stdio.h>
#include <time.h>
__attribute__((noinline)) static long probed(long n)
{
	long r;

	__asm__ volatile("lea 3(%1,%1,2), %0" : "=r"(r) : "r"(n));
	return r;
}
int main(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 2;
	long sum = 0;

	while (clock() < end)
		for (int i = 0; i < 1009; i++)
			sum += probed(i);
	printf("%ld\n", sum);
	return 0;
}
END
[ "$(uname -m)" = x86_64 ] || skip_all "the instruction is one of x86-64"
gcc -O1 -g -o out_of_line out_of_line.c || fail "a program with a probed function" "gcc: exit $?"
exits 0 "perf records a program whose function is probed: exit 0" "$BPFPERF" trace --count u:./out_of_line:probed -- \
	perf record -q -B --no-bpf-event --all-user -g -e cpu-clock -F 3999 -o xol.data -- ./out_of_line
ok "the page of the kernel has a mapping" grep -q '\[uprobes\]' <(perf script -i xol.data --show-mmap-events 2>/dev/null </dev/null)
for fields in comm,pid,tid,time,ip,sym,dso comm,tid,ip,sym,symoff; do
	perf script -i xol.data -F $fields 2>/dev/null </dev/null >perf.txt
	"$BPFPERF" script -i xol.data -F $fields 2>/dev/null >ours.txt
	between "$(grep -cE '^[[:space:]]+8[0-9a-f] \[unknown\]' perf.txt)" 11 1000000 "script -F $fields: samples are in the page"
	same ours.txt perf.txt "script -F $fields: as perf script prints them"
done
perf report --stdio -i xol.data --no-children -g none -s dso,sym 2>/dev/null </dev/null | grep '%' >perf.txt
"$BPFPERF" report -i xol.data --no-children -g none -s dso,sym 2>/dev/null | grep '%' >ours.txt
is "$(grep -F '[uprobes]' ours.txt | tr -s ' ')" "$(grep -F '[uprobes]' perf.txt | tr -s ' ')" "report: the page's samples are as perf report's"
done_testing
