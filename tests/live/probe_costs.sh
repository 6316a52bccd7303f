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
int main(int argc, char **argv)
{
	first(), second(), third();
	for (long i = 0; argc > 1 && i < 100003; i++)
		second();
}
EOS
gcc -w -O1 -o costs costs.c || fail "the program costs compiles"
third="trap"
[ "$(uname -m)" != x86_64 ] || third=nop5

# A storm of hits goes on until it is said, while the rest is tested; on a machine that is busy it may not get half of a CPU.
cat >storm.sh <<'END'
until grep -q "$1" "$2" || [ -e stop ]; do
	./costs storm
done
END
: >cost.err
"$BPFPERF" trace --budget 100M --duration 5 -m 16M -o /dev/null u:./costs:second -- sh storm.sh 'hits of probes take' "$PWD/cost.err" 2>cost.err &
cost=$!

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
wait $cost
said=$(grep -cE "warning: hits of probes take [0-9]+ % of one CPU from what is traced: of u:costs:second there are [0-9]+ a second, each of about [0-9.]+ us; probe" cost.err)
# percent of a CPU, over the whole run
share=$(sed -nE 's/^bpfperf: ([0-9]+) records, .* lost, ([0-9.]+) s;.*/\1 \2/p; s/^bpfperf: a hit of .* costs about ([0-9.]+) us.*/\1/p' cost.err |
	paste -sd' ' - | awk '{ printf "%d", $2 ? $1 * $3 / $2 / 1e4 : 0 }')
[ "$measured" = 0 ] || [ "$share" -gt 60 ] || [ "$said" = 1 ] || said="1, if it took more than $share % of a CPU"
is "${said%%,*}" "$measured" "a storm of hits: its cost is said once, with its event and rate ($said)"
is "$(grep -c 'it is stopped' cost.err)" 0 "a storm of hits within --budget is not stopped"
: >stop.err
"$BPFPERF" trace --budget 1K --duration 9 -m 16M -o /dev/null u:./costs:second -- sh storm.sh 'it is stopped' "$PWD/stop.err" 2>stop.err
: >stop
like "$(cat stop.err)" 'u:costs:second makes [0-9]+ of [0-9]+ records a second, more than the budget of 1000: it is stopped, .*its hits go on, and cost' \
	"a storm of hits over --budget: stopped, and what that does not save is said"
done_testing
