#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The cost of a hit of a probe is said: by list for each place, and at the end of a run that lasted a second.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=live.bash
. "$TOP/tests/live/live.bash"
need_cmd gcc

cat >costs.c <<'EOS'
void first(void), second(void), third(void);
#ifdef __x86_64__
__asm__(".text\n.globl first, second, third\n.type first, %function\n.type second, %function\n.type third, %function\n"
	"first: push %rbp\npop %rbp\nret\n.size first, .-first\nsecond: xor %eax, %eax\nret\n.size second, .-second\n"
	"third: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\nret\n.size third, .-third\n");
#else
void first(void) { }
void second(void) { }
void third(void) { }
#endif
int main(void) { first(), second(), third(); }
EOS
gcc -w -O1 -o costs costs.c || fail "the program costs compiles"
third="trap"
[ "$(uname -m)" != x86_64 ] || third=nop5

BPFPERF_WITHOUT=uprobe_multi "$BPFPERF" list u:./costs:first u:./costs:second u:./costs:third >out 2>err
is "$(sed 's/.*()  //' out | paste -sd' ' -)" "trap trap $third" "list: the class of a hit, on a kernel where it is not measured"
"$BPFPERF" list -j u:./costs:third >out 2>err
like "$(cat out)" '"args":\[\],"hit":\{"class":"'$third'"(,"ns":[1-9][0-9]*)?\}\}$' "list -j: the class of a hit"
measured=$(grep -c '"ns":' out)
"$BPFPERF" list u:./costs:first u:./costs:second >out 2>err
is "$(grep -cE '  trap [0-9]+\.[0-9][0-9] us$' out)" $((2 * measured)) "list: what a hit costs"

"$BPFPERF" trace -o out u:./costs:first -- ./costs >said 2>err
is "$(grep -c 'hit' err)" 0 "a short run: nothing is measured"
"$BPFPERF" trace --duration 1.1 -o out u:./costs:first,u:./costs:second,u:./costs:third -- sleep 1.2 >said 2>err
is "$(grep -cE 'bpfperf: (a hit of u:costs:[a-z]+ costs|hits of u:costs:first and 1 more cost|hits of u:costs:first and 2 more cost) about [0-9.]+ us' err)" \
	"$(if [ "$measured" = 0 ]; then echo 0; elif [ "$third" = nop5 ]; then echo 3; else echo 1; fi)" \
	"a run of a second: what hits of its probes cost"
done_testing
